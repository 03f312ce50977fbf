//! Makes the finding for an entry that cannot be parsed: how far the parser got, what was expected there, what to write instead.
use super::build::{BadPiece, STMT_HEADS};
use super::codes;
use super::expected::{is_operator, list_expected};
use super::grammar::{Grammar, Rule};
use super::words::about_word;
use houserule_text::{Code, Diagnostic, Span};
use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};

/// Words that other languages begin a statement or a declaration with, and what is said here.
const PEER_HEADS: &[(&str, &str)] = &[
    ("while", "write `repeat until …` with the opposite condition, or `for x in S { }`"),
    ("loop", "write `repeat until …` or `repeat n times`"),
    ("foreach", "write `for x in S { }`"),
    ("return", "write `give e` to give the rule's value, `stop` to end the rule"),
    ("break", "end a loop by its condition: `repeat until …`; or end the whole rule with `stop`"),
    ("continue", "put the rest of the block into an `if`"),
    ("elif", "write `else if`"),
    ("elsif", "write `else if`"),
    ("elseif", "write `else if`"),
    ("switch", "write `case e { a: …, else: … }` in an expression, or `if` and `else if`"),
    ("match", "write `case e { a: …, else: … }` in an expression, or `if` and `else if`"),
    ("var", "write `let x = e`"),
    ("const", "write `value n: type = e`, or `let x = e` in a block"),
    ("def", "write `rule n(…) { }` if it changes something, `value n(…): type = e` if it only calculates"),
    ("fn", "write `rule n(…) { }` if it changes something, `value n(…): type = e` if it only calculates"),
    ("func", "write `rule n(…) { }` if it changes something, `value n(…): type = e` if it only calculates"),
    (
        "function",
        "write `rule n(…) { }` if it changes something, `value n(…): type = e` if it only calculates",
    ),
    ("class", "write `card`, `token`, `piece`, `space` or `enum`"),
    ("struct", "write `card`, `token`, `piece`, `space` or `enum`"),
    ("import", "leave this out: all files in the folder of a game belong to it"),
    ("include", "leave this out: all files in the folder of a game belong to it"),
    ("draw", "write `move first of deck to my.hand`"),
    ("take", "write `move X to Z`"),
    ("put", "write `move X to Z`"),
    ("place", "write `move X to Z`"),
    ("random", "write `choose one of S by chance`, or `roll` a die"),
    ("print", "write `say \"…\"`"),
    ("log", "write `say \"…\"`"),
    ("assert", "write `expect C` in a test, or `invariant \"…\" { C }` in the game"),
    ("require", "write `needs C else \"…\"`"),
];

/// Signs of other languages.
const PEER_SIGNS: &[(&str, &str)] = &[
    ("&&", "write `and`"),
    ("||", "write `or`"),
    ("!", "write `not`"),
    ("++", "write `+= 1`"),
    ("--", "write `-= 1`"),
    ("=>", "write `:`"),
    ("->", "write `:` before a type"),
    ("//", "write `#` for a comment"),
    ("/*", "write `#` for a comment, at the beginning of each line"),
    ("%", "write `a mod b` for a remainder, and whole numbers for a percentage, as in `n * 50 / 100`"),
    ("'", "write texts between two `\"`"),
    ("?", "write `if C then a else b`"),
];

/// Words that begin a declaration, and the rules they belong to.
pub(super) const ITEM_HEADS: &[(&str, Rule)] = &[
    ("game", Rule::game),
    ("option", Rule::option),
    ("variant", Rule::variant),
    ("mod", Rule::mods),
    ("part", Rule::part),
    ("scenario", Rule::scenario),
    ("needs", Rule::needs),
    ("legacy", Rule::legacy),
    ("invariant", Rule::invariant),
    ("conflicts", Rule::mod_line),
    ("expects", Rule::mod_line),
    ("numbered", Rule::numbered),
    ("not", Rule::not_played),
    ("win", Rule::ending),
    ("lose", Rule::ending),
    ("tie", Rule::ending),
    ("change", Rule::change),
    ("remove", Rule::remove),
    ("test", Rule::test),
    ("enum", Rule::enum_d),
    ("card", Rule::component),
    ("token", Rule::component),
    ("piece", Rule::component),
    ("die", Rule::component),
    ("player", Rule::only_item),
    ("table", Rule::table_d),
    ("map", Rule::only_item),
    ("space", Rule::space_d),
    ("patch", Rule::patch_d),
    ("list", Rule::list_d),
    ("legend", Rule::legend),
    ("value", Rule::value),
    ("heuristic", Rule::heuristic),
    ("hook", Rule::hook),
    ("rule", Rule::rule_d),
    ("phase", Rule::phase),
    ("setup", Rule::setup),
    ("round", Rule::round),
    ("menu", Rule::menu),
    ("action", Rule::action),
    ("score", Rule::only_item),
    ("ranking", Rule::ranking),
    ("look", Rule::look),
    ("modify", Rule::modify),
    ("before", Rule::around),
    ("after", Rule::around),
    ("instead", Rule::around),
    ("forbid", Rule::forbid),
    ("players", Rule::header),
    ("seats", Rule::header),
    ("outcome", Rule::header),
    ("order", Rule::header),
    ("ends", Rule::header),
    ("begins", Rule::header),
    ("version", Rule::header),
];

/// Words that begin an entry of a body.
pub(super) const PART_HEADS: &[(&str, Rule)] = &[
    ("zone", Rule::zone),
    ("slot", Rule::zone),
    ("faces", Rule::faces),
    ("prints", Rule::prints),
    ("discards", Rule::discards),
    ("out", Rule::only_part),
    ("value", Rule::value),
    ("rule", Rule::rule_d),
    ("action", Rule::action),
    ("has", Rule::only_part),
    ("modify", Rule::modify),
    ("before", Rule::around),
    ("after", Rule::around),
    ("instead", Rule::around),
    ("forbid", Rule::forbid),
    ("look", Rule::look),
    ("done", Rule::only_part),
    ("pass", Rule::only_part),
    ("cost", Rule::only_part),
    ("needs", Rule::needs),
    ("must", Rule::must),
    ("ends", Rule::only_menu_part),
    ("players", Rule::header),
    ("seats", Rule::header),
    ("outcome", Rule::header),
    ("score", Rule::only_part),
];

/// Words of other languages at the head of an entry that can be nothing of the game's own.
const SURE_PEERS: &[&str] =
    &["while", "return", "foreach", "function", "elif", "elsif", "elseif", "break", "continue"];

/// The finding for an entry; `piece` is its text, `at` where it begins.
pub(super) fn explain_bad(bad: &BadPiece, piece: &str, at: Span) -> Diagnostic {
    let (code, what, heads) = kind_of(bad.rule, bad.wanted);
    let cut = |from: usize, len: usize| {
        let start = at.start as usize + from;
        Span::new(at.file, start, (start + len).min(at.end as usize).max(start))
    };
    let peer = |from: usize, word: &str, sort: &str, advice: &str| {
        Diagnostic::error(
            codes::PEER,
            cut(from, word.len()),
            format!("`{word}` is not a {sort} of this language"),
        )
        .help(advice)
    };
    if piece.starts_with("##") {
        let line = piece.lines().next().unwrap_or("").trim_end();
        let message = "a `##` comment needs a declaration below it";
        return Diagnostic::error(codes::DOC, cut(0, line.len()), message)
            .help("write a plain comment with `#`")
            .suggest(line.get(1..).unwrap_or("").to_string());
    }
    let head = word_at(piece, 0);
    let behind = piece.get(head.len()..).unwrap_or("");
    let next = behind.trim_start_matches([' ', '\t']);
    // `put(3)` and `put = 3` may be the game's own; `put 3` cannot.
    let heads_entry =
        behind.starts_with([' ', '\t']) && !next.starts_with(['(', '.', '=', '[', '+', '-', ':', '\n']);
    if let Some((_, advice)) = PEER_HEADS.iter().find(|(word, _)| *word == head)
        && (heads_entry || SURE_PEERS.contains(&head))
    {
        return peer(0, head, "word", advice);
    }
    let Some((pos, mut expected)) = furthest_match(bad.wanted, piece) else {
        return Diagnostic::error(code, at, format!("{what} cannot be read")).help(form_of(
            bad,
            what,
            head,
            &[],
        ));
    };
    let own = heads.iter().find(|(word, _)| *word == head);
    if let Some((_, own)) = own
        && !behind.starts_with(['(', '.', '['])
        && let Some((far, more)) = furthest_match(*own, piece)
        && far >= pos
    {
        // The entry's own form says it best; without it the head might be a name as well.
        expected = more;
    }
    let found = found_at(piece, pos);
    let rest = piece.get(pos..).unwrap_or("");
    if let Some((word, advice)) =
        PEER_HEADS.iter().find(|(word, _)| *word == found && word.starts_with("els"))
    {
        return peer(pos, word, "word", advice);
    }
    if found == "elif" {
        return peer(pos, found, "word", "write `else if`");
    }
    if let Some((sign, advice)) =
        PEER_SIGNS.iter().find(|(sign, _)| rest.starts_with(sign) && !rest.starts_with("!="))
    {
        return peer(pos, sign, "sign", advice);
    }
    if rest.starts_with('=') && expected.iter().any(|r| is_operator(*r)) {
        let len = rest.len() - rest.trim_start_matches('=').len();
        return Diagnostic::error(codes::EQUALS, cut(pos, len), "`=` changes a value; it does not compare")
            .suggest("==");
    }
    let span = cut(pos, found.len().max(1));
    let wants_name = expected.contains(&Rule::name)
        && expected.iter().all(|r| {
            matches!(r, Rule::name | Rule::word | Rule::who | Rule::kind | Rule::r_paren | Rule::param)
        });
    if wants_name && is_reserved(found) {
        let message = format!("`{found}` is a word of the language and cannot be a name");
        return Diagnostic::error(codes::RESERVED, span, message)
            .help(format!("choose another name, such as `the_{found}`"));
    }
    // An unknown word at the head, and nothing behind it could be read.
    let stuck = pos <= head.len() + (behind.len() - next.len());
    if own.is_none() && stuck && !head.is_empty() && head.starts_with(|c: char| c.is_ascii_lowercase()) {
        let near = heads
            .iter()
            .map(|(word, _)| (strsim::osa_distance(head, word), *word))
            .filter(|(far, word)| {
                *far <= 1 + usize::from(word.len() > 5) && *far < word.len().min(head.len())
            })
            .min();
        let sure = bad.rule == Rule::bad_item || bad.wanted == Rule::only_header;
        if near.is_some() || sure {
            let d = Diagnostic::error(
                code,
                cut(0, head.len()),
                format!("`{head}` does not begin {}", with_article(what)),
            );
            return match near {
                Some((_, word)) => d.suggest(word),
                None => d.help(form_of(bad, what, "", &expected)),
            };
        }
    }
    let wanted = list_expected(&expected);
    let word = found;
    let found = if found.is_empty() { format!("the end of the {what}") } else { format!("`{found}`") };
    let message = match wanted.as_str() {
        "" => format!("the {what} cannot continue with {found}"),
        _ => format!("expected {wanted}, found {found}"),
    };
    let mut d = Diagnostic::error(code, span, message);
    if wanted == "an expression" && is_reserved(word) {
        d = d.help(format!(
            "`{word}` is a word of the language; to read an attribute of that name, write a dot before it: `it.{word}`"
        ));
    }
    if let Some(advice) = advice(piece, pos, head, word, &expected) {
        d = d.help(advice);
    }
    d.help.get_or_insert_with(|| form_of(bad, what, head, &expected));
    if pos > 0 { d.label(format!("the {what} is correct up to here")) } else { d }
}

/// What can be written there, where no common slip is known: an operator, the form of the entry's first word, or the forms of all such entries.
fn form_of(bad: &BadPiece, what: &str, head: &str, expected: &[Rule]) -> String {
    if expected.iter().any(|r| is_operator(*r)) && !expected.contains(&Rule::l_brace) {
        return "two values need an operator between them, as in `a + b` or `a and b`".into();
    }
    if let Some(about) = about_word(head) {
        return if about.starts_with('`') { format!("write {about}") } else { format!("`{head}`: {about}") };
    }
    match (what, bad.wanted) {
        ("declaration", _) => "begin with a word such as `card`, `table`, `value`, `rule` or `action`".into(),
        ("statement", _) => {
            "write `x = e`, `name(…)`, or begin with a word such as `move`, `if`, `for` or `offer`".into()
        }
        ("hole", _) => "write one value between the braces, as in `{my.coins}`".into(),
        ("row", Rule::only_way_row) => {
            "write places with `-` or `->` between them: `inn - mill - farm`".into()
        }
        ("row", Rule::only_legend_row) => "write a sign and what it puts: `w: water, Stone`".into(),
        ("row", Rule::only_list_row | Rule::only_enum_row) => {
            "write a name and its values: `name | value | value`".into()
        }
        ("row", Rule::only_line) => "write a title and a number: `line \"Coins\": p.coins`".into(),
        ("row", _) => "write `name: value`, one row a line".into(),
        (_, Rule::only_header) => "begin with a word such as `players`, `outcome` or `ends when`".into(),
        _ => "write `name: type`, or begin with a word such as `zone`, `value` or `action`".into(),
    }
}

/// What to write instead, for slips that many make: by what the entry begins with, where it stops and what was expected there.
fn advice(piece: &str, pos: usize, head: &str, found: &str, expected: &[Rule]) -> Option<String> {
    let before = piece.get(..pos)?;
    let rest = piece.get(pos..)?;
    let wants = |r: Rule| expected.contains(&r);
    let compares = ["==", "!=", "<", ">"].iter().any(|sign| rest.starts_with(sign));
    if compares && (wants(Rule::change_by) || wants(Rule::eq)) && STMT_HEADS.iter().all(|(w, _)| *w != head) {
        return Some("`==` only compares; to change something, write `=`".into());
    }
    if compares && wants(Rule::k_and) {
        return Some("write one comparison at a time: `1 < n and n < 5`, or `n in 2..4`".into());
    }
    if head == "action" && found == "{" && wants(Rule::k_in) {
        return Some("an action needs a menu: `action name(…) in MENU { … }`".into());
    }
    if wants(Rule::colon) && matches!(found, ")" | ",") {
        return Some("a parameter needs a type: `c: Card`, `n: 1..6`".into());
    }
    if found == "("
        && before.ends_with(' ')
        && before.trim_end().ends_with(|c: char| c.is_ascii_alphanumeric())
    {
        return Some("write no blank between a name and its bracket: `name(…)`".into());
    }
    if head == "for" && before.trim_end().ends_with(" each") {
        return Some("write `for x in S { … }`".into());
    }
    if head == "move" && found == "of" {
        return Some("write `move first n of S to …`".into());
    }
    if head == "deal" && wants(Rule::k_of) {
        return Some("write `deal 2 of deck to hand`: each player gets 2".into());
    }
    if head == "action" && found == "in" && before.matches('(').count() > before.matches(')').count() {
        return Some("for a parameter from a zone, write `c: one of my.hand`".into());
    }
    if head == "for" && wants(Rule::l_brace) && before.contains(" by ") {
        match found {
            "descending" | "desc" | "down" | "reversed" => {
                return Some(
                    "`by e` begins with the lowest; to begin with the highest, write `by -e`".into(),
                );
            }
            "," => return Some("one number gives the order: for ties, write `by 10 * a + b`".into()),
            _ => {}
        }
    }
    if before.trim_end() == "for by" || before.starts_with("for by ") {
        return Some("the order stands behind the set: `for x in S by e { … }`".into());
    }
    if head == "everyone" && wants(Rule::l_brace) && matches!(found, "of" | "from") {
        return Some("write first who is asked: `everyone of S from p one by one { … }`".into());
    }
    if found == ":" && head != "action" && expected.contains(&Rule::change_by) {
        return Some(format!(
            "only a `test` has lines such as `{head}: …`; to act for a player, write `as {head} {{ … }}`"
        ));
    }
    if found == "pass" && before.ends_with(" until one ") {
        return Some("write `until all pass` or `until all but one pass`".into());
    }
    if head == "either" && wants(Rule::k_or) {
        return Some("an `either` has at least two ways: `either { … } or { … }`".into());
    }
    if found == "graph" || head == "map" && before.trim_end().ends_with("graph") {
        return Some("put the ways in braces: `map M graph { inn - mill; mill - farm }`".into());
    }
    if head == "one" || head == "everyone" && found == "one" && wants(Rule::k_turn) {
        return Some("write `everyone one by one { … }`".into());
    }
    if rest.starts_with("mod(") || rest.starts_with("mod (") {
        return Some("`mod` stands between two numbers: `a mod b`".into());
    }
    let last = before.trim_end().rsplit(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    if matches!(last, "opposite" | "turn") && before.ends_with(' ') {
        return Some(format!(
            "`{last}` has brackets: `{}`",
            if last == "turn" { "turn(d, n)" } else { "opposite(d)" }
        ));
    }
    if matches!(last, "row" | "column") && found == "of" {
        return Some(format!("the {last} of a space c is `c.{last}`"));
    }
    if found == "but" && before.ends_with("seen by all ") {
        return Some("for all players but the owner, write `seen by others`".into());
    }
    if head == "when" {
        return Some("write `when` after the change: `modify worth(p) += 1 when …`".into());
    }
    if wants(Rule::k_else) && before.contains(" then ") {
        return Some("an `if` in an expression needs `else`: `if C then a else b`".into());
    }
    let begins_part = wants(Rule::l_brace) && wants(Rule::eq) && wants(Rule::colon);
    if begins_part && found.starts_with(|c: char| c.is_ascii_lowercase()) {
        return Some(format!("write what a member does in braces: `{head} {{ … }}`"));
    }
    if before.ends_with('.') && found.starts_with(|c: char| c.is_ascii_digit()) {
        return Some("all numbers are whole: multiply before you divide, as in `n * 3 / 2`".into());
    }
    None
}

fn with_article(what: &str) -> String {
    let article = if what.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {what}")
}

/// Code, name and heads of an entry.
fn kind_of(taken: Rule, wanted: Rule) -> (Code, &'static str, &'static [(&'static str, Rule)]) {
    match (taken, wanted) {
        (Rule::bad_item, _) => (codes::ITEM, "declaration", ITEM_HEADS),
        (Rule::bad_stmt, _) => (codes::STMT, "statement", STMT_HEADS),
        (Rule::bad_hole, _) => (codes::HOLE, "hole", &[]),
        (Rule::bad_row, _) => (codes::PART, "row", &[]),
        (_, Rule::only_header) => (codes::PART, "line of the game's header", ITEM_HEADS),
        _ => (codes::PART, "entry", PART_HEADS),
    }
}

/// How far a rule reads a text, and which rules would have let it go on.
pub(super) fn furthest_match(wanted: Rule, piece: &str) -> Option<(usize, Vec<Rule>)> {
    let error = Grammar::parse(wanted, piece).err()?;
    let pos = match error.location {
        InputLocation::Pos(p) | InputLocation::Span((p, _)) => p,
    };
    // White space before the place belongs to what was read.
    let rest = piece.get(pos..)?;
    let pos = pos + (rest.len() - rest.trim_start_matches([' ', '\t', '\r']).len());
    match error.variant {
        ErrorVariant::ParsingError { positives, .. } => Some((pos, positives)),
        ErrorVariant::CustomError { .. } => Some((pos, Vec::new())),
    }
}

fn word_at(piece: &str, at: usize) -> &str {
    let rest = piece.get(at..).unwrap_or("");
    let len = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    rest.get(..len).unwrap_or("")
}

/// The word, number, sign or text that stands there; empty at a line's end.
fn found_at(piece: &str, at: usize) -> &str {
    let word = word_at(piece, at);
    if !word.is_empty() {
        return word;
    }
    let rest = piece.get(at..).unwrap_or("");
    match rest.chars().next() {
        None | Some('\n' | '\r' | '\u{1}') => "",
        Some('"') => {
            let len = rest.get(1..).and_then(|r| r.find(['"', '\n'])).map_or(1, |n| n + 2);
            rest.get(..len.min(40)).unwrap_or("\"").trim_end()
        }
        Some(c) => rest.get(..c.len_utf8()).unwrap_or(""),
    }
}

/// Whether a word is reserved.
pub fn is_reserved(word: &str) -> bool {
    Grammar::parse(Rule::reserved, word)
        .is_ok_and(|mut pairs| pairs.next().is_some_and(|p| p.as_str() == word))
}
