//! The pages of the language's book, compiled in: read into blocks to be shown, with the section that explains a word.
//!
//! ```text
//! "clamped" ─▶ find_word ─▶ Place { page: kinds, anchor: attributes } ─▶ read_page ─▶ blocks
//! ```
//!
//! Of Markdown it reads what the book uses: headings, paragraphs, lists, quotes, tables, blocks of code; in a line code, bold words and links.

/// The pages: the file's name without `.md`, and its text.
const PAGES: &[(&str, &str)] = &[
    ("index", include_str!("../../docs/book/reference/index.md")),
    ("games", include_str!("../../docs/book/reference/games.md")),
    ("kinds", include_str!("../../docs/book/reference/kinds.md")),
    ("maps", include_str!("../../docs/book/reference/maps.md")),
    ("expressions", include_str!("../../docs/book/reference/expressions.md")),
    ("statements", include_str!("../../docs/book/reference/statements.md")),
    ("menus", include_str!("../../docs/book/reference/menus.md")),
    ("attachments", include_str!("../../docs/book/reference/attachments.md")),
    ("secrets", include_str!("../../docs/book/reference/secrets.md")),
    ("chance", include_str!("../../docs/book/reference/chance.md")),
    ("tests", include_str!("../../docs/book/reference/tests.md")),
    ("text", include_str!("../../docs/book/reference/text.md")),
    ("limits", include_str!("../../docs/book/reference/limits.md")),
    ("words", include_str!("../../docs/book/reference/words.md")),
    ("tour", include_str!("../../docs/book/tour.md")),
    ("hooks", include_str!("../../docs/hooks.md")),
    ("write-a-game", include_str!("../../docs/book/write-a-game.md")),
    ("write-a-card", include_str!("../../docs/book/write-a-card.md")),
    ("write-a-mod", include_str!("../../docs/book/write-a-mod.md")),
    ("write-a-test", include_str!("../../docs/book/write-a-test.md")),
];

/// A place in the book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The page's name.
    pub page: &'static str,
    /// The anchor of a heading; none: the page's beginning.
    pub anchor: Option<String>,
}

/// A part of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Inline {
    /// Words.
    Text(String),
    /// Bold words.
    Strong(String),
    /// Code.
    Code(String),
    /// Words that lead elsewhere.
    Link(String, Place),
}

/// A part of a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Block {
    /// An anchor of its own before a paragraph.
    Anchor(String),
    /// A heading: how deep, its words, its anchor.
    Heading(usize, Vec<Inline>, String),
    /// A paragraph.
    Paragraph(Vec<Inline>),
    /// An entry of a list: how far it is indented, in letters.
    Entry(usize, Vec<Inline>),
    /// A quote.
    Quote(Vec<Inline>),
    /// Code, and its language.
    Code(String, String),
    /// A table: rows of cells, the first of them its head.
    Table(Vec<Vec<Vec<Inline>>>),
}

fn text_of(page: &str) -> Option<(&'static str, &'static str)> {
    PAGES.iter().find(|(name, _)| *name == page).copied()
}

/// The list of all words.
pub fn words_page() -> Place {
    Place { page: "words", anchor: None }
}

/// The blocks of a page; none if there is no such page.
pub fn read_page(page: &str) -> Vec<Block> {
    let mut out = Vec::new();
    let mut lines = text_of(page).map_or("", |(_, text)| text).lines().peekable();
    while let Some(line) = lines.next() {
        let bare = line.trim_start();
        if let Some(language) = bare.strip_prefix("```") {
            let code: Vec<&str> = lines.by_ref().take_while(|l| !l.trim_start().starts_with("```")).collect();
            out.push(Block::Code(language.to_string(), code.join("\n")));
        } else if bare.starts_with('#') {
            let depth = bare.len() - bare.trim_start_matches('#').len();
            let words = bare.trim_start_matches('#').trim();
            out.push(Block::Heading(depth, read_line(page, words), to_anchor(words)));
        } else if bare.starts_with('|') {
            let mut rows = vec![read_row(page, bare)];
            while let Some(row) = lines.next_if(|l| l.trim_start().starts_with('|')) {
                if !row.chars().all(|c| matches!(c, '|' | '-' | ':' | ' ')) {
                    rows.push(read_row(page, row.trim_start()));
                }
            }
            out.push(Block::Table(rows));
        } else if !bare.is_empty() {
            let (named, bare) = split_anchor(bare);
            out.extend(named.map(|a| Block::Anchor(a.to_string())));
            let begins = |l: &str| {
                let l = l.trim_start();
                l.is_empty()
                    || l.starts_with(['#', '|', '>'])
                    || l.starts_with("```")
                    || list_mark(l).is_some()
            };
            let quoted = bare.strip_prefix('>');
            let mut words = quoted.unwrap_or(bare).trim().to_string();
            while let Some(next) =
                lines.next_if(|l| if quoted.is_some() { l.starts_with('>') } else { !begins(l) })
            {
                words.push(' ');
                words.push_str(next.trim_start().trim_start_matches('>').trim());
            }
            let indent = line.len() - line.trim_start().len();
            out.push(match list_mark(&words) {
                _ if quoted.is_some() => Block::Quote(read_line(page, &words)),
                Some(mark) if mark == "- " => {
                    Block::Entry(indent, read_line(page, &format!("• {}", words.trim_start_matches(mark))))
                }
                Some(_) => Block::Entry(indent, read_line(page, &words)),
                None => Block::Paragraph(read_line(page, &words)),
            });
        }
    }
    out
}

/// The anchor that a line begins with, `<a id="…"></a>`, and the rest of the line.
fn split_anchor(line: &str) -> (Option<&str>, &str) {
    let tag = line.strip_prefix("<a id=\"").and_then(|rest| rest.split_once("\"></a>"));
    tag.map_or((None, line), |(anchor, rest)| (Some(anchor), rest))
}

/// What an entry of a list begins with: a dash, or a number.
fn list_mark(line: &str) -> Option<&str> {
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    match line.get(digits..) {
        _ if line.starts_with("- ") => line.get(..2),
        Some(rest) if digits > 0 && rest.starts_with(". ") => line.get(..digits + 2),
        _ => None,
    }
}

fn read_row(page: &str, line: &str) -> Vec<Vec<Inline>> {
    let line = line.trim().trim_start_matches('|').trim_end_matches('|');
    // A bar in a cell is written with a backslash.
    let line = line.replace("\\|", "\u{1}");
    line.split('|').map(|cell| read_line(page, &cell.trim().replace('\u{1}', "|"))).collect()
}

/// The parts of a line.
fn read_line(page: &str, line: &str) -> Vec<Inline> {
    let mut out = Vec::new();
    let mut plain = String::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let part = match first {
            '`' => read_between(rest, "`").map(|(code, after)| (Inline::Code(code.into()), after)),
            '*' => read_between(rest, "**")
                .map(|(words, after)| (Inline::Strong(words.replace('`', "")), after))
                .or_else(|| {
                    read_between(rest, "*")
                        .map(|(words, after)| (Inline::Text(words.replace('`', "")), after))
                }),
            '[' => read_link(page, rest),
            _ => None,
        };
        match part {
            Some((inline, after)) => {
                if !plain.is_empty() {
                    out.push(Inline::Text(std::mem::take(&mut plain)));
                }
                out.push(inline);
                rest = after;
            }
            None => {
                plain.push(first);
                rest = rest.get(first.len_utf8()..).unwrap_or("");
            }
        }
    }
    if !plain.is_empty() {
        out.push(Inline::Text(plain));
    }
    out
}

/// What stands between two marks, and what follows.
fn read_between<'a>(rest: &'a str, mark: &str) -> Option<(&'a str, &'a str)> {
    let (inside, after) = rest.strip_prefix(mark)?.split_once(mark)?;
    (!inside.is_empty() && !inside.starts_with(' ')).then_some((inside, after))
}

/// A link. One that leads out of the book is words alone.
fn read_link<'a>(page: &str, rest: &'a str) -> Option<(Inline, &'a str)> {
    let (words, after) = rest.strip_prefix('[')?.split_once("](")?;
    let (to, after) = after.split_once(')')?;
    let words = words.replace('`', "");
    let inline = match resolve(page, to) {
        Some(place) => Inline::Link(words, place),
        None => Inline::Text(words),
    };
    Some((inline, after))
}

/// Where a link of a page leads.
fn resolve(page: &str, to: &str) -> Option<Place> {
    let (file, anchor) = to.split_once('#').map_or((to, None), |(f, a)| (f, Some(a.to_string())));
    let name = file.rsplit('/').next()?.strip_suffix(".md");
    let outside = file.contains("://");
    let (page, _) = match (name, outside) {
        (Some(name), false) => text_of(name)?,
        (None, false) if file.is_empty() => text_of(page)?,
        _ => return None,
    };
    Some(Place { page, anchor })
}

/// The anchor of a heading.
fn to_anchor(words: &str) -> String {
    let kept = words.to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The words of a piece of code: `at least` has two.
fn has_word(code: &str, word: &str) -> bool {
    code.split(|c: char| !c.is_alphanumeric() && c != '_').any(|w| w == word)
}

/// The section that explains a word of the language: the one that the list of words names, else the first that begins a row of a table with it, else the first that
/// writes it as code.
pub fn find_word(word: &str) -> Option<Place> {
    let codes = |cell: &[Inline]| -> Vec<String> {
        cell.iter().filter_map(|i| if let Inline::Code(c) = i { Some(c.clone()) } else { None }).collect()
    };
    let link = |row: &[Vec<Inline>]| {
        row.iter().flatten().find_map(|i| if let Inline::Link(_, to) = i { Some(to.clone()) } else { None })
    };
    let listed = read_page("words");
    let rows: Vec<&Vec<Vec<Inline>>> = listed
        .iter()
        .filter_map(|b| if let Block::Table(rows) = b { Some(rows) } else { None })
        .flatten()
        .collect();
    let head = |row: &[Vec<Inline>]| row.first().map(|c| codes(c)).unwrap_or_default();
    let exact = rows.iter().find(|r| head(r).iter().any(|c| c == word));
    let part = || rows.iter().find(|r| head(r).iter().any(|c| has_word(c, word)));
    let told = || rows.iter().find(|r| r.iter().any(|cell| codes(cell).iter().any(|c| has_word(c, word))));
    match exact.or_else(part).map(|row| link(row)) {
        Some(Some(place)) => return Some(place),
        // It is listed without a link: there is no more on it than that.
        Some(None) => {
            return find_section(
                &["words"],
                |b| matches!(b, Block::Table(rows) if rows.iter().any(|r| head(r).iter().any(|c| has_word(c, word)))),
            );
        }
        None => {}
    }
    let pages: Vec<&str> =
        PAGES.iter().map(|(name, _)| *name).filter(|n| !matches!(*n, "words" | "index")).collect();
    find_section(&pages, |block| match block {
        Block::Table(rows) => rows.iter().any(|r| head(r).iter().any(|c| has_word(c, word))),
        _ => false,
    })
    .or_else(|| told().and_then(|row| link(row)))
    .or_else(|| {
        find_section(&pages, |block| match block {
            Block::Paragraph(line) | Block::Entry(_, line) => codes(line).iter().any(|c| has_word(c, word)),
            Block::Table(rows) => {
                rows.iter().flatten().any(|cell| codes(cell).iter().any(|c| has_word(c, word)))
            }
            Block::Code(_, code) => has_word(code, word),
            _ => false,
        })
    })
}

/// The first section of some pages with a block that fits.
fn find_section(pages: &[&str], fits: impl Fn(&Block) -> bool) -> Option<Place> {
    pages.iter().filter_map(|name| text_of(name)).find_map(|(page, _)| {
        let mut anchor = None;
        for block in read_page(page) {
            match block {
                Block::Heading(1, ..) => {}
                Block::Heading(_, _, a) | Block::Anchor(a) => anchor = Some(a),
                other if fits(&other) => return Some(Place { page, anchor }),
                _ => {}
            }
        }
        None
    })
}

/// Whether the book has that place.
pub fn has_place(place: &Place) -> bool {
    let blocks = read_page(place.page);
    !blocks.is_empty()
        && place.anchor.as_ref().is_none_or(|a| {
            blocks.iter().any(|b| matches!(b, Block::Heading(_, _, own) | Block::Anchor(own) if own == a))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(blocks: &[Block]) -> Vec<Place> {
        let lines = blocks.iter().flat_map(|b| match b {
            Block::Heading(_, line, _)
            | Block::Paragraph(line)
            | Block::Entry(_, line)
            | Block::Quote(line) => vec![line.clone()],
            Block::Table(rows) => rows.iter().flatten().cloned().collect(),
            Block::Code(..) | Block::Anchor(_) => Vec::new(),
        });
        lines.flatten().filter_map(|i| if let Inline::Link(_, to) = i { Some(to) } else { None }).collect()
    }

    #[test]
    fn a_line_is_read_in_parts() {
        let to = Place { page: "kinds", anchor: Some("dice".into()) };
        assert_eq!(
            read_line("games", "a **b** and `c | d`, see [the `die`](kinds.md#dice) [x](../../hooks.md) *"),
            [
                Inline::Text("a ".into()),
                Inline::Strong("b".into()),
                Inline::Text(" and ".into()),
                Inline::Code("c | d".into()),
                Inline::Text(", see ".into()),
                Inline::Link("the die".into(), to),
                Inline::Text(" ".into()),
                Inline::Link("x".into(), Place { page: "hooks", anchor: None }),
                Inline::Text(" *".into()),
            ]
        );
        assert_eq!(read_row("games", "| `a \\| b` | c |").len(), 2);
        assert_eq!(to_anchor("`setup` and `round`"), "setup-and-round");
    }

    #[test]
    fn all_links_of_the_book_lead_to_a_heading() {
        let mut all = 0;
        for (page, text) in PAGES {
            let blocks = read_page(page);
            assert!(matches!(blocks.first(), Some(Block::Heading(1, ..))), "{page}");
            // Nothing of a page is lost.
            let fences = text.lines().filter(|l| l.starts_with("```")).count() / 2;
            assert_eq!(blocks.iter().filter(|b| matches!(b, Block::Code(..))).count(), fences, "{page}");
            for to in links(&blocks) {
                assert!(has_place(&to), "{page}: {to:?}");
                all += 1;
            }
        }
        assert!(all > 200, "{all}");
    }

    #[test]
    fn every_word_of_the_language_has_its_section() {
        let all = houserule::ide::list_words();
        // Whatever the grammar reads as a word is one.
        let grammar = include_str!("../../grammar/words.pest").lines().filter(|l| l.starts_with("k_"));
        let unknown: Vec<&str> =
            grammar.filter_map(|l| l.split('"').nth(1)).filter(|w| !all.contains(w)).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
        let missing: Vec<&str> =
            all.into_iter().filter(|w| !find_word(w).is_some_and(|place| has_place(&place))).collect();
        assert!(missing.is_empty(), "{missing:?}");
        for (word, page, anchor) in [
            ("clamped", "kinds", "attributes"),
            ("least", "expressions", "folds"),
            ("discards", "kinds", "zones-and-slots"),
            ("southeast", "maps", "directions"),
            ("bag", "kinds", "bags"),
        ] {
            assert_eq!(find_word(word), Some(Place { page, anchor: Some(anchor.into()) }), "{word}");
        }
        assert_eq!(find_word("nonesuch"), None);
    }
}
