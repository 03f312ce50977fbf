//! Why an entry could not be read, in the reader's words: how far it went and what was expected there.
use super::build::BadPiece;
use super::codes;
use super::grammar::{Grammar, Rule};
use crate::text::{Code, Diagnostic, Span};
use pest::Parser;
use pest::error::{ErrorVariant, InputLocation};

/// Words that other languages begin a statement or a declaration with, and what is said here.
const PEER_HEADS: &[(&str, &str)] = &[
    ("while", "write `repeat until …` with the opposite condition, or `for x in S { }`"),
    ("loop", "write `repeat until …` or `repeat n times`"),
    ("foreach", "write `for x in S { }`"),
    ("return", "write `give e` for a rule's value, `stop` for its end"),
    ("break", "a loop ends by its condition: `repeat until …`; `stop` ends the whole rule"),
    ("continue", "put the rest of the body into an `if`"),
    ("elif", "write `else if`"),
    ("elsif", "write `else if`"),
    ("elseif", "write `else if`"),
    ("switch", "write `case e { a: …, else: … }` in an expression, or `if` and `else if`"),
    ("match", "write `case e { a: …, else: … }` in an expression, or `if` and `else if`"),
    ("var", "write `let x = e`"),
    ("const", "write `value n: type = e`, or `let x = e` in a block"),
    ("def", "write `rule n(…) { }` if it acts, `value n(…): type = e` if it only looks"),
    ("fn", "write `rule n(…) { }` if it acts, `value n(…): type = e` if it only looks"),
    ("func", "write `rule n(…) { }` if it acts, `value n(…): type = e` if it only looks"),
    ("function", "write `rule n(…) { }` if it acts, `value n(…): type = e` if it only looks"),
    ("class", "write `card`, `token`, `piece`, `space` or `enum`"),
    ("struct", "write `card`, `token`, `piece`, `space` or `enum`"),
    ("import", "all files of a game's folder belong to it: nothing needs to be imported"),
    ("include", "all files of a game's folder belong to it: nothing needs to be included"),
    ("draw", "write `move first of deck to my.hand`"),
    ("take", "write `move X to Z`"),
    ("put", "write `move X to Z`"),
    ("place", "write `move X to Z`"),
    ("random", "write `choose one of S by chance`, or `roll` a die"),
    ("print", "write `say \"…\"`"),
    ("log", "write `say \"…\"`"),
    ("assert", "write `expect C` in a test, `invariant \"…\" { C }` beside it"),
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
    ("/*", "write `#` for a comment, in each line"),
    ("%", "there is no remainder; a range or a list may say what you need"),
    ("'", "texts stand between two `\"`"),
    ("?", "write `if C then a else b`"),
];

/// The finding for an entry; `piece` is its text, `at` where it begins.
pub(super) fn explain(bad: &BadPiece, piece: &str, at: Span) -> Diagnostic {
    let code = code_of(bad.rule);
    let cut = |from: usize, len: usize| {
        let start = at.start as usize + from;
        Span::new(at.file, start, (start + len).min(at.end as usize).max(start))
    };
    if piece.starts_with("##") {
        let line = piece.lines().next().unwrap_or("").trim_end().len();
        return Diagnostic::error(
            codes::DOC,
            cut(0, line),
            "`##` documents the declaration below it, and there is none",
        )
        .help("write a plain comment: `#`")
        .suggest(piece.get(1..line).unwrap_or("").to_string());
    }
    let head = word_at(piece, 0);
    let behind = piece.get(head.len()..).unwrap_or("");
    // `put(3)` may be a rule of the game; `put 3` is none.
    let is_head =
        behind.starts_with(' ') && !behind.trim_start().starts_with(['(', '.', '=', '[', '+', '-', ':']);
    if let Some((_, advice)) = PEER_HEADS.iter().find(|(word, _)| *word == head)
        && (is_head
            || matches!(head, "while" | "return" | "foreach" | "function" | "elif" | "break" | "continue"))
    {
        return Diagnostic::error(
            codes::PEER,
            cut(0, head.len()),
            format!("`{head}` is no word of this language"),
        )
        .help(*advice);
    }
    let (pos, expected) = match furthest(bad.wanted, piece) {
        Some(failure) => failure,
        None => return Diagnostic::error(code, at, "this cannot be read"),
    };
    let found = found_at(piece, pos);
    let rest = piece.get(pos..).unwrap_or("");
    let span = cut(pos, found.len().max(1));
    if let Some((_, advice)) = PEER_HEADS.iter().find(|(word, _)| *word == found && word.starts_with("el")) {
        return Diagnostic::error(codes::PEER, span, format!("`{found}` is no word of this language"))
            .help(*advice);
    }
    if let Some((sign, advice)) =
        PEER_SIGNS.iter().find(|(sign, _)| rest.starts_with(sign) && !rest.starts_with("!="))
    {
        return Diagnostic::error(
            codes::PEER,
            cut(pos, sign.len()),
            format!("`{sign}` is no sign of this language"),
        )
        .help(*advice);
    }
    if rest.starts_with('=') && expected.iter().any(|r| words_for(*r) == "an operator") {
        let len = rest.len() - rest.trim_start_matches('=').len();
        return Diagnostic::error(codes::EQUALS, cut(pos, len), "`=` changes a value; it does not compare")
            .suggest("==");
    }
    let wants_name = expected.contains(&Rule::name)
        && expected.iter().all(|r| matches!(r, Rule::name | Rule::word | Rule::who | Rule::kind));
    if wants_name && is_reserved(found) {
        return Diagnostic::error(
            codes::RESERVED,
            span,
            format!("`{found}` is a word of the language and cannot be a name"),
        )
        .help(format!("choose another name, such as `the_{found}`"));
    }
    let wanted = list(&expected);
    let found_words =
        if found.is_empty() { String::from("the end of the line") } else { format!("`{found}`") };
    let message = if wanted.is_empty() {
        format!("{} cannot go on with {found_words}", what(bad.wanted))
    } else {
        format!("expected {wanted}, found {found_words}")
    };
    Diagnostic::error(code, span, message).label(format!("{} is read up to here", what(bad.wanted)))
}

fn code_of(rule: Rule) -> Code {
    match rule {
        Rule::bad_item => codes::ITEM,
        Rule::bad_stmt => codes::STMT,
        Rule::bad_hole => codes::HOLE,
        _ => codes::PART,
    }
}

fn what(wanted: Rule) -> &'static str {
    match wanted {
        Rule::only_item => "the declaration",
        Rule::only_stmt => "the statement",
        Rule::only_hole => "the hole",
        Rule::only_list_row | Rule::only_enum_row | Rule::only_legend_row | Rule::only_line => "the row",
        _ => "the entry",
    }
}

/// How far a rule reads a text, and which rules would have let it go on.
fn furthest(wanted: Rule, piece: &str) -> Option<(usize, Vec<Rule>)> {
    let error = Grammar::parse(wanted, piece).err()?;
    let pos = match error.location {
        InputLocation::Pos(p) => p,
        InputLocation::Span((p, _)) => p,
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
pub(super) fn is_reserved(word: &str) -> bool {
    Grammar::parse(Rule::reserved, word)
        .is_ok_and(|mut pairs| pairs.next().is_some_and(|p| p.as_str() == word))
}

/// What is expected, for people: at most six things.
fn list(expected: &[Rule]) -> String {
    let mut words: Vec<String> = Vec::new();
    for rule in expected {
        let word = words_for(*rule);
        if !word.is_empty() && !words.contains(&word) {
            words.push(word);
        }
    }
    // What always may stand there comes last.
    words.sort_by_key(|w| (w == "an operator", w == "the end of the line"));
    if words.len() > 6 {
        words.retain(|w| w != "an operator");
        words.truncate(6);
    }
    match words.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [all @ .., last] => format!("{} or {last}", all.join(", ")),
    }
}

/// The reader's words for a rule of the grammar; empty if it says nothing to a reader.
fn words_for(rule: Rule) -> String {
    let fixed = match rule {
        Rule::l_brace
        | Rule::block
        | Rule::items
        | Rule::kind_body
        | Rule::member_body
        | Rule::menu_body
        | Rule::lines
        | Rule::look_body => "`{`",
        Rule::r_brace => "`}`",
        Rule::l_paren | Rule::params | Rule::pats | Rule::names => "`(`",
        Rule::r_paren => "`)`",
        Rule::l_square | Rule::zone_index => "`[`",
        Rule::r_square => "`]`",
        Rule::comma | Rule::more => "`,`",
        Rule::colon | Rule::gives | Rule::fold_values => "`:`",
        Rule::bar | Rule::column | Rule::list_column | Rule::enum_column => "`|`",
        Rule::maybe => "`?`",
        Rule::eq => "`=`",
        Rule::change_by => "`=`, `+=` or `-=`",
        Rule::dots
        | Rule::dot
        | Rule::field
        | Rule::args
        | Rule::index
        | Rule::plus
        | Rule::times
        | Rule::compare
        | Rule::cmp_in
        | Rule::cmp_is
        | Rule::cmp_can
        | Rule::cmp_won
        | Rule::k_and
        | Rule::k_or
        | Rule::k_where
        | Rule::k_in
        | Rule::k_is
        | Rule::k_can
        | Rule::k_default
        | Rule::k_step => "an operator",
        Rule::expr
        | Rule::or_e
        | Rule::and_e
        | Rule::not_e
        | Rule::cmp
        | Rule::rng
        | Rule::add
        | Rule::mul
        | Rule::neg
        | Rule::dflt
        | Rule::steps
        | Rule::post
        | Rule::amount
        | Rule::paren
        | Rule::set_e
        | Rule::if_e
        | Rule::case_e
        | Rule::choose
        | Rule::first_of
        | Rule::the_one
        | Rule::kind_of
        | Rule::can_do
        | Rule::no_action
        | Rule::seen_n
        | Rule::arg
        | Rule::fold
        | Rule::arg_named
        | Rule::pat
        | Rule::branch
        | Rule::bounds
        | Rule::mark
        | Rule::marks
        | Rule::k_me
        | Rule::k_my
        | Rule::k_it
        | Rule::k_this
        | Rule::k_owner
        | Rule::k_none
        | Rule::k_yes
        | Rule::k_usual
        | Rule::k_any
        | Rule::k_no
        | Rule::k_not
        | Rule::minus => "an expression",
        Rule::r#type | Rule::base | Rule::type_named | Rule::range_t => "a type",
        Rule::many | Rule::choice | Rule::up_to => "how many",
        Rule::text => "a text in quotes",
        Rule::picture => "a drawn map in `\"\"\"`",
        Rule::int => "a number",
        Rule::kind => "a name with a capital",
        Rule::name | Rule::word | Rule::cast | Rule::who | Rule::row_name | Rule::given => "a name",
        Rule::sign => "a sign",
        Rule::param => "a parameter such as `p: player`",
        Rule::copies | Rule::copy_sign => "how many copies (`x2`)",
        Rule::head | Rule::heads => "what it attaches to",
        Rule::sep | Rule::EOI | Rule::skip => "the end of the line",
        Rule::stmt => "a statement",
        Rule::item => "a declaration",
        Rule::shape => "`squares`, `hexes`, `line` or `graph`",
        Rule::point => "`end of` or `start of`",
        Rule::when => "`when`",
        Rule::reason => "`else`",
        Rule::because => "`because`",
        Rule::per => "`per`",
        Rule::once => "`once`",
        Rule::costs => "`cost`",
        Rule::may => "`may`",
        Rule::limit => "`by`, `during`, `when`, `once`",
        Rule::seen => "`seen`",
        Rule::active => "`active`",
        Rule::refill => "`refill`",
        Rule::answered => "`answered`",
        Rule::by_post | Rule::by_word | Rule::by_chance | Rule::limit_by => "`by`",
        Rule::type_of | Rule::of_expr | Rule::of_kind | Rule::of_player => "`of`",
        Rule::type_where => "`where`",
        Rule::to_expr => "`to`",
        Rule::from_expr | Rule::from_post => "`from`",
        Rule::lying => "`face up` or `face down`",
        Rule::is_kind => "`is`",
        Rule::on_kind => "`on`",
        Rule::pays => "`pays`",
        Rule::seeds => "`seeds`",
        Rule::with_cast | Rule::with_parts => "`with`",
        Rule::round_until | Rule::until_all => "`until`",
        Rule::at_once | Rule::in_turn | Rule::any_order | Rule::k_freely => {
            "`in turn`, `in any order`, `at once` or `freely`"
        }
        _ => "",
    };
    if !fixed.is_empty() {
        return fixed.to_string();
    }
    // Words are rules called after themselves: k_else, k_of …
    match format!("{rule:?}").strip_prefix("k_") {
        Some(word) => format!("`{word}`"),
        None => String::new(),
    }
}
