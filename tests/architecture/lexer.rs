//! Reads Rust as the tests of the architecture need it: code without comments and texts, brackets, paths of `use`, words.

/// The code with comments, texts and characters blanked, byte for byte, and, if `tests` is not wanted, `#[cfg(test)]` items blanked too.
pub(super) fn code(text: &str, tests: bool) -> String {
    let b = text.as_bytes();
    let mut out = b.to_vec();
    let blank = |out: &mut Vec<u8>, from: usize, to: usize| {
        for x in out.iter_mut().take(to).skip(from) {
            if *x != b'\n' {
                *x = b' ';
            }
        }
    };
    let mut i = 0;
    while i < b.len() {
        let start = i;
        match b[i] {
            b'/' if b.get(i + 1) == Some(&b'/') => {
                while i < b.len() && b[i] != b'\n' {
                    i += 1;
                }
                blank(&mut out, start, i);
            }
            b'/' if b.get(i + 1) == Some(&b'*') => {
                let mut depth = 0;
                while i < b.len() {
                    if b[i..].starts_with(b"/*") {
                        depth += 1;
                        i += 2;
                    } else if b[i..].starts_with(b"*/") {
                        depth -= 1;
                        i += 2;
                        if depth == 0 {
                            break;
                        }
                    } else {
                        i += 1;
                    }
                }
                blank(&mut out, start, i);
            }
            b'"' => {
                // A raw text ends with as many hashes as stand before it.
                let hashes = b[..i].iter().rev().take_while(|c| **c == b'#').count();
                let raw = i > hashes && b[i - hashes - 1] == b'r';
                i += 1;
                if raw {
                    let end: Vec<u8> =
                        std::iter::once(b'"').chain(std::iter::repeat_n(b'#', hashes)).collect();
                    while i < b.len() && !b[i..].starts_with(&end) {
                        i += 1;
                    }
                    i = (i + end.len()).min(b.len());
                } else {
                    while i < b.len() && b[i] != b'"' {
                        i += if b[i] == b'\\' { 2 } else { 1 };
                    }
                    i = (i + 1).min(b.len());
                }
                blank(&mut out, start, i);
            }
            // A character, not a lifetime.
            b'\'' => {
                let rest = &text[i + 1..];
                let mut chars = rest.chars();
                match (chars.next(), chars.next()) {
                    (Some('\\'), _) => {
                        i += 3;
                        while i < b.len() && b[i] != b'\'' {
                            i += 1;
                        }
                        i += 1;
                        blank(&mut out, start, i.min(b.len()));
                    }
                    (Some(c), Some('\'')) => {
                        i += 2 + c.len_utf8();
                        blank(&mut out, start, i);
                    }
                    _ => i += 1,
                }
            }
            c if !c.is_ascii() => i += text[i..].chars().next().map_or(1, char::len_utf8),
            _ => i += 1,
        }
    }
    let mut out = String::from_utf8(out.iter().map(|c| if c.is_ascii() { *c } else { b'_' }).collect())
        .unwrap_or_default();
    while let Some(at) = out.find("#[cfg(test)]").filter(|_| !tests) {
        let body = out[at..].find(['{', ';']).map_or(out.len(), |n| at + n);
        let end = if out[body..].starts_with('{') { closing(&out, body) } else { (body + 1).min(out.len()) };
        let hidden: String = out[at..end].chars().map(|c| if c == '\n' { c } else { ' ' }).collect();
        out.replace_range(at..end, &hidden);
    }
    out
}

/// One past the bracket that closes the one at `open`.
fn closing(code: &str, open: usize) -> usize {
    let mut depth = 0usize;
    for (i, c) in code[open..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return open + i + 1;
        }
    }
    code.len()
}

pub(super) fn line_of(text: &str, at: usize) -> usize {
    text.as_bytes()[..at.min(text.len())].iter().filter(|b| **b == b'\n').count() + 1
}

fn is_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_'
}

/// Where a path or word stands in code, not as part of a longer word.
pub(super) fn places<'a>(code: &'a str, what: &'a str) -> impl Iterator<Item = usize> + 'a {
    let b = code.as_bytes();
    code.match_indices(what).map(|(i, _)| i).filter(move |i| {
        let before = i.checked_sub(1).is_none_or(|p| !is_word(b[p]));
        let last = what.as_bytes()[what.len() - 1];
        before && (!is_word(last) || b.get(i + what.len()).is_none_or(|c| !is_word(*c)))
    })
}

/// The first words behind a path's `::`: one, or those of a group in braces.
pub(super) fn heads(code: &str, at: usize) -> Vec<String> {
    let rest = code[at..].trim_start();
    let word = |s: &str| {
        s.trim_start().chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect::<String>()
    };
    let Some(group) = rest.strip_prefix('{') else { return vec![word(rest)] };
    let mut out = vec![word(group)];
    let mut depth = 1;
    for (i, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => out.push(word(&group[i + 1..])),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    out.retain(|w| !w.is_empty());
    out
}

/// Every path in code that begins with `crate`, `self` or `super`: its parts, of groups in braces each path that they stand for.
pub(super) fn paths(code: &str) -> Vec<Vec<String>> {
    fn word(s: &str) -> &str {
        &s[..s.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(s.len())]
    }
    fn go(rest: &str, mut path: Vec<String>, out: &mut Vec<Vec<String>>) {
        let mut rest = rest;
        while let Some(behind) = rest.strip_prefix("::") {
            if let Some(group) = behind.strip_prefix('{') {
                let (mut depth, mut start) = (1, 0);
                for (i, c) in group.char_indices() {
                    depth = match c {
                        '{' => depth + 1,
                        '}' => depth - 1,
                        _ => depth,
                    };
                    if depth == 0 || depth == 1 && c == ',' {
                        let item = group[start..i].trim_start();
                        let name = word(item);
                        let mut longer = path.clone();
                        longer.extend((!name.is_empty() && name != "self").then(|| name.to_string()));
                        go(&item[name.len()..], longer, out);
                        start = i + 1;
                    }
                    if depth == 0 {
                        return;
                    }
                }
                return;
            }
            let name = word(behind);
            if name.is_empty() {
                break;
            }
            path.push(name.to_string());
            rest = &behind[name.len()..];
        }
        out.push(path);
    }
    let mut out = Vec::new();
    for head in ["crate::", "self::", "super::"] {
        let head = head.trim_end_matches("::");
        for at in places(code, &format!("{head}::")).filter(|at| !code[..*at].ends_with("::")) {
            go(&code[at + head.len()..], vec![head.to_string()], &mut out);
        }
    }
    out
}

/// How many `mod name {` are open at a place.
pub(super) fn inner_modules(code: &str, at: usize) -> usize {
    places(code, "mod ")
        .filter(|m| {
            let Some(open) = code[*m..].find(['{', ';']).map(|n| m + n) else { return false };
            code[open..].starts_with('{') && open < at && at < closing(code, open)
        })
        .count()
}

/// Splits any text into lower-case words, at case changes and underscores, too; each with its place.
pub(super) fn words(text: &str) -> Vec<(usize, String)> {
    let mut out: Vec<(usize, String)> = Vec::new();
    let mut word = String::new();
    let mut start = 0;
    let mut lower = false;
    for (i, c) in text.char_indices().chain(std::iter::once((text.len(), ' '))) {
        let boundary = !c.is_alphanumeric() || (c.is_uppercase() && lower);
        if boundary && !word.is_empty() {
            out.push((start, std::mem::take(&mut word)));
        }
        if c.is_alphanumeric() {
            if word.is_empty() {
                start = i;
            }
            word.extend(c.to_lowercase());
        }
        lower = c.is_lowercase() || c.is_numeric();
    }
    out
}

/// A grammar without its texts, characters and comments.
pub(super) fn bare_pest(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' | '\'' => {
                while let Some(d) = chars.next().filter(|d| *d != c) {
                    if d == '\\' {
                        chars.next();
                    }
                }
            }
            '/' if chars.peek() == Some(&'/') => while chars.next_if(|d| *d != '\n').is_some() {},
            _ => out.push(c),
        }
    }
    out
}
