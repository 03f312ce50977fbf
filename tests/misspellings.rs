//! One letter wrong, 200 times: every misspelt reference in the shipped rules is found at its place, and 95 in 100 get the right *did you mean*.
use houserule::model;
use houserule::text::{File, Files};

/// A word of the text that refers to something declared elsewhere.
struct Reference {
    start: usize,
    end: usize,
}

/// Counted random numbers, so that the seeded mistakes are the same in every run.
struct Counter(u64);
impl Counter {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }
}

const WORDS: &str = "and or not in is if then else case choose of where when by default step first last can it me my this owner \
none yes no some any usual to under from until once per during times cost clamped seen active let game players seats outcome \
option variant mod scenario part enum card token die piece player table map space patch legend list value rule phase setup round menu action score \
ranking test invariant heuristic hook look change remove zone slot has faces prints back face discards for repeat needs pay must \
everyone offer as may either move swap shuffle roll flip show discard build becomes give stop end proceed say win lose tie one up \
at most least freely order all pass done open clock expect refuse offered asked logged start run rolls lost won tied because with seeds \
squares hexes line graph diagonal by text title fill badge icon chance turn highest lowest together each sum count min max every union collect \
int bool set bag filter nobody the instead before after forbid modify position legacy handed within unlimited ends";

/// The words of the source that are used, not declared.
fn references(text: &str) -> Vec<Reference> {
    let mut out = Vec::new();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let outside = |i: &usize| line[..*i].bytes().filter(|b| *b == b'"').count() % 2 == 0;
        let code_end = line.match_indices('#').map(|(i, _)| i).find(outside).unwrap_or(line.len());
        let trimmed = line.trim_start();
        let skip = [
            "game ",
            "enum ",
            "test ",
            "legend ",
            "list ",
            "look ",
            "map ",
            "scenario ",
            "asked ",
            "logged ",
        ]
        .iter()
        .any(|w| trimmed.starts_with(w));
        if !skip {
            collect(&line[..code_end], offset, &mut out);
        }
        offset += line.len();
    }
    out
}

fn collect(line: &str, offset: usize, out: &mut Vec<Reference>) {
    let bytes = line.as_bytes();
    let (mut i, mut in_text) = (0, false);
    let mut before = String::new();
    while i < bytes.len() {
        let c = bytes[i];
        if c == b'"' {
            in_text = !in_text;
        }
        if in_text || !(c.is_ascii_alphabetic() || c == b'_') {
            if !c.is_ascii_whitespace() {
                before = (c as char).to_string();
            }
            i += 1;
            continue;
        }
        let start = i;
        while i < bytes.len() && (bytes[i].is_ascii_alphanumeric() || bytes[i] == b'_') {
            i += 1;
        }
        let word = &line[start..i];
        let after = line[i..].trim_start();
        let declares = [
            "value",
            "rule",
            "phase",
            "card",
            "token",
            "die",
            "piece",
            "zone",
            "slot",
            "option",
            "menu",
            "action",
            "hook",
            "let",
            "for",
            "heuristic",
            "player",
            "space",
            "variant",
            "table",
            "has",
            "setup",
            "score",
        ]
        .contains(&before.as_str());
        // The first cell of a row names what the row declares.
        let row = after.starts_with('|') && start == line.len() - line.trim_start().len();
        // Players with names of their own: `players south, north`.
        let named = line[..start]
            .rfind("players ")
            .is_some_and(|at| !line[at..start].contains([';', '}', '(', '=', '.']));
        // The further names of a row of members: `Town inn, mill`.
        let more = line[..start].trim_end().ends_with(',')
            && line[..start].trim_start().starts_with(|c: char| c.is_ascii_uppercase())
            && !line[..start].contains(['{', '(', '=', ':', '|', '.', '[']);
        let bound = row
            || named
            || more
            || after.starts_with("in ")
            || after.starts_with(':')
            || after.starts_with('"')
            || after.starts_with('{')
            || after.starts_with("x") && after.len() > 1 && after.as_bytes()[1].is_ascii_digit();
        let member = start == line.len() - line.trim_start().len() && word.as_bytes()[0].is_ascii_uppercase()
            || before.as_bytes().first().is_some_and(|b| b.is_ascii_uppercase());
        if !declares && !bound && !member && word.len() >= 3 && !WORDS.split_whitespace().any(|w| w == word) {
            out.push(Reference { start: offset + start, end: offset + i });
        }
        before = word.to_string();
    }
}

/// Changes one letter of a word: another letter, one more, one less, or two exchanged; never the first one, which tells names of kinds from others.
fn misspell(word: &str, rng: &mut Counter) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    let at = 1 + rng.below(letters.len() - 1);
    let letter = (b'a' + rng.below(26) as u8) as char;
    match rng.below(4) {
        0 => letters[at] = letter,
        1 => letters.insert(at, letter),
        2 => {
            letters.remove(at);
        }
        _ => {
            let last = letters.len() - 1;
            letters.swap(at - usize::from(at == last && at > 1), (at + 1).min(last));
        }
    }
    letters.into_iter().collect()
}

fn shipped() -> Vec<File> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/classics");
    let mut games: Vec<_> =
        std::fs::read_dir(root).expect("shipped rules").filter_map(Result::ok).map(|e| e.path()).collect();
    games.sort();
    let mut files = Vec::new();
    for game in games {
        let name = game.file_name().and_then(|n| n.to_str()).unwrap_or_default().to_string();
        let path = game.join(format!("{name}.rules"));
        files.push(File::new(
            format!("rules/classics/{name}/{name}.rules"),
            std::fs::read_to_string(path).expect("a game's rules"),
        ));
    }
    files
}

/// The hooks' scripts stand beside the rules; they are not misspelt here.
fn with_hooks(file: &File, text: String) -> Files {
    let mut files = Files::new();
    files.add(File::new(file.name.clone(), text));
    let folder =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(&file.name).parent().map(|p| p.join("hooks"));
    if let Some(entries) = folder.and_then(|f| std::fs::read_dir(f).ok()) {
        for entry in entries.filter_map(Result::ok) {
            let beside = file.name.rsplit_once('/').map_or("", |(f, _)| f);
            let name = format!("{beside}/hooks/{}", entry.file_name().to_string_lossy());
            files.add(File::new(name, std::fs::read_to_string(entry.path()).expect("a script")));
        }
    }
    files
}

#[test]
fn every_misspelling_is_found_and_nearly_all_are_mended() {
    let files = shipped();
    let mut rng = Counter(7);
    let (mut seeded, mut right, mut missed, mut wrong) = (0, 0, Vec::new(), Vec::new());
    let pools: Vec<Vec<Reference>> = files.iter().map(|f| references(&f.text)).collect();
    while seeded < 200 {
        let which = seeded % files.len();
        let file = &files[which];
        let r = &pools[which][rng.below(pools[which].len())];
        let word = &file.text[r.start..r.end];
        let bad = misspell(word, &mut rng);
        // A mistake that yields another name of the game is another program, not a mistake that a checker can see.
        let known = file.text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).any(|w| w == bad);
        if bad == word || known || WORDS.split_whitespace().any(|w| w == bad) || is_space(&bad) {
            continue;
        }
        seeded += 1;
        let text = format!("{}{}{}", &file.text[..r.start], bad, &file.text[r.end..]);
        let checked = model::check(&with_hooks(file, text.clone()));
        let at = r.start..r.start + bad.len();
        let place = format!("{}: `{word}` as `{bad}` in {}", file.name, line_of(&text, r.start));
        let found: Vec<_> = checked
            .report
            .findings
            .iter()
            .filter(|d| {
                d.is_error() && (d.at.span.start as usize) < at.end && at.start < d.at.span.end as usize
            })
            .collect();
        if found.is_empty() {
            missed.push(format!(
                "{place}: {:?}",
                checked.report.findings.iter().map(|d| &d.message).collect::<Vec<_>>()
            ));
        } else if found.iter().any(|d| d.fix.as_deref() == Some(word)) {
            right += 1;
        } else {
            wrong.push(format!(
                "{place}: {:?}",
                found.iter().map(|d| (&d.message, &d.fix)).collect::<Vec<_>>()
            ));
        }
    }
    assert!(missed.is_empty(), "{} of {seeded} not found:\n{}", missed.len(), missed.join("\n"));
    assert!(right * 100 >= seeded * 95, "only {right} of {seeded} mended:\n{}", wrong.join("\n"));
}

/// Whether a word happens to name a space (`A1`).
fn is_space(word: &str) -> bool {
    let mut c = word.chars();
    c.next().is_some_and(|c| c.is_ascii_uppercase())
        && !word[1..].is_empty()
        && word[1..].chars().all(|c| c.is_ascii_digit())
}

fn line_of(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |i| i + 1);
    let end = text[at..].find('\n').map_or(text.len(), |i| at + i);
    text[start..end].trim()
}
