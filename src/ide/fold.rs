//! Code folding: bodies in braces, drawn maps, and runs of comments.
use super::Analysis;
use houserule_syntax::{NodeKind, TokenKind};
use houserule_text::FileId;

/// Lines that can be hidden under the line above them; lines are counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Fold {
    /// The line that stays.
    pub first: usize,
    /// The last line that is hidden.
    pub last: usize,
}

/// All folds of a file by their first lines, outer before inner; of several that begin in one line the outermost.
pub fn find_folds(a: &Analysis, file: FileId) -> Vec<Fold> {
    let (Some(f), Some(tree)) = (a.files.get(file), a.trees.get(file.0 as usize)) else { return Vec::new() };
    let line = |offset: usize| f.line_col(offset).line - 1;
    let mut out = Vec::new();
    for n in tree.nodes() {
        let inside = matches!(
            tree.kind(n),
            NodeKind::Body
                | NodeKind::Items
                | NodeKind::Block
                | NodeKind::Picture
                | NodeKind::Game
                | NodeKind::Enum
                | NodeKind::List
                | NodeKind::Legend
                | NodeKind::Case
                | NodeKind::Invariant
                | NodeKind::Bad
        );
        if !inside {
            continue;
        }
        let range = tree.range(n);
        // From the line of the bracket, if the node is a declaration with its body in it.
        let from = match f.text.get(range.clone()) {
            Some(t) if !t.starts_with(['{', '"']) => match t.find('{') {
                Some(i) => range.start + i,
                None => continue,
            },
            _ => range.start,
        };
        let (first, end) = (line(from), line(range.end.saturating_sub(1)));
        // The closing bracket's line stays, so that one sees where it ends.
        let closes = f.text.get(range.start..range.end).is_some_and(|t| t.ends_with(['}', '"']));
        let last = if closes { end.saturating_sub(1) } else { end };
        if last > first {
            out.push(Fold { first, last });
        }
    }
    let mut run: Option<(usize, usize)> = None;
    let mut blank_line = true;
    for t in tree.tokens() {
        match t.kind {
            TokenKind::Comment | TokenKind::Doc if blank_line => {
                let l = line(t.start as usize);
                run = match run {
                    Some((a, b)) if b + 1 == l => Some((a, l)),
                    other => {
                        out.extend(other.filter(|(a, b)| b > a).map(|(first, last)| Fold { first, last }));
                        Some((l, l))
                    }
                };
                blank_line = false;
            }
            TokenKind::Newline | TokenKind::CellNewline => blank_line = true,
            TokenKind::Blank => {}
            _ => blank_line = false,
        }
    }
    out.extend(run.filter(|(a, b)| b > a).map(|(first, last)| Fold { first, last }));
    out.sort_by_key(|f| (f.first, std::cmp::Reverse(f.last)));
    out.dedup_by_key(|f| f.first);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::analyse;

    fn check(text: &str, want: &[(usize, usize)]) {
        let (a, _) = analyse(text);
        let (id, _) = a.file("t.rules").unwrap();
        let found: Vec<_> = find_folds(&a, id).into_iter().map(|f| (f.first, f.last)).collect();
        assert_eq!(found, want, "{text}");
    }

    #[test]
    fn bodies_maps_and_comments_fold() {
        check("setup {\n  say \"a\"\n  if 1 == 2 {\n    say \"b\"\n  }\n}\n", &[(0, 4), (2, 3)]);
        check("setup { say \"a\" }\n", &[]);
        check("# one\n# two\n# three\n\n# alone\nenum A {\n  b\n}\n", &[(0, 2), (5, 6)]);
        check("enum A\n{\n  b\n}\n", &[(1, 2)]);
        check(
            "map Board squares\nscenario s \"S\" for Tiny { map Board \"\"\"\n. .\n. .\n\"\"\"\n}\n",
            &[(1, 4)],
        );
        check("setup {\n  say \"a\"\n  wibble wobble {\n 1 \n 2 }\n}", &[(0, 4), (2, 3)]);
    }
}
