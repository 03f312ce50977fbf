//! Syntax highlighting: gives each word of a text a class for its colour.
use super::Analysis;
use houserule_model::{Def, hir};
use houserule_syntax::{self as syntax, Token, TokenKind, Tree};
use houserule_text::FileId;
use std::ops::Range;

/// What a stretch of text is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// A word of the language.
    Keyword,
    /// A built-in name, such as `players`.
    Builtin,
    /// A kind.
    Kind,
    /// A member: an enum's word, a face.
    Member,
    /// A named player.
    Player,
    /// An attribute or state.
    Attribute,
    /// A zone or slot.
    Zone,
    /// A map.
    Map,
    /// A value, score or ranking.
    Value,
    /// A rule or phase.
    Rule,
    /// An action.
    Action,
    /// A menu.
    Menu,
    /// An option.
    Option,
    /// The game, a variant or a scenario.
    Scope,
    /// A hook.
    Hook,
    /// A parameter or another name bound in a body.
    Local,
    /// A name of which nothing is known (yet).
    Name,
    /// A number.
    Number,
    /// Characters of a text, and its quotes.
    Text,
    /// The braces of a hole in a text.
    Hole,
    /// `# …`
    Comment,
    /// `## …`
    Doc,
    /// A sign of a drawn map or a legend.
    Sign,
    /// The quotes and labels of a drawn map.
    Picture,
    /// Brackets, operators and the like.
    Punctuation,
    /// What can be nothing.
    Bad,
}

/// One coloured stretch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Highlight {
    /// Its bytes.
    pub range: Range<usize>,
    /// What it is.
    pub class: Class,
    /// Whether it is the name in a declaration.
    pub declares: bool,
}

/// All stretches of a file, in order, without those that are blank.
pub fn highlight(a: &Analysis, file: FileId) -> Vec<Highlight> {
    let (Some(f), Some(tree)) = (a.files.get(file), a.trees.get(file.0 as usize)) else { return Vec::new() };
    let known = a.uses.all();
    let mut next = known.partition_point(|(s, _)| s.file < file);
    let meant = move |t: &Token| {
        while known.get(next).is_some_and(|(s, _)| s.file == file && s.start < t.start) {
            next += 1;
        }
        let (s, def) =
            known.get(next).filter(|(s, _)| s.file == file && s.start == t.start && s.end == t.end)?;
        Some((class_of(*def, &a.model), a.uses.place_of(*def, &a.model) == Some(*s)))
    };
    split_stretches(&f.text, tree, meant)
}

/// Highlights a text without an analysis: names are names of no particular sort.
pub fn highlight_text(text: &str) -> Vec<Highlight> {
    split_stretches(text, &syntax::parse(FileId(0), text).tree, |_| None)
}

pub(super) fn class_of(def: Def, m: &hir::Model) -> Class {
    match def {
        Def::Game | Def::Scope(_) => Class::Scope,
        Def::Kind(_) => Class::Kind,
        Def::Member(i) => match m.members.get(i.index()) {
            Some(x) if x.kind == hir::builtin_kinds::PLAYER => Class::Player,
            _ => Class::Member,
        },
        Def::Attr(_) => Class::Attribute,
        Def::Zone(_) => Class::Zone,
        Def::Map(_) => Class::Map,
        Def::Value(_) => Class::Value,
        Def::Rule(_) => Class::Rule,
        Def::Menu(_) => Class::Menu,
        Def::Action(_) => Class::Action,
        Def::Option(_) => Class::Option,
        Def::Hook(_) => Class::Hook,
        Def::Local(_) => Class::Local,
    }
}

fn split_stretches(
    text: &str,
    tree: &Tree,
    mut meant: impl FnMut(&Token) -> Option<(Class, bool)>,
) -> Vec<Highlight> {
    let mut out: Vec<Highlight> = Vec::new();
    let tokens = tree.tokens();
    for (i, t) in tokens.iter().enumerate() {
        let range = t.start as usize..t.end as usize;
        let (class, declares) = match t.kind {
            TokenKind::Word | TokenKind::Kind => {
                let word = text.get(range.clone()).unwrap_or("");
                match meant(t) {
                    Some(known) => known,
                    None => (class_of_word(word, tokens, i, text), false),
                }
            }
            TokenKind::Blank | TokenKind::Newline | TokenKind::CellBlank | TokenKind::CellNewline => continue,
            TokenKind::Bom => continue,
            TokenKind::Comment => (Class::Comment, false),
            TokenKind::Doc => (Class::Doc, false),
            TokenKind::Int => (Class::Number, false),
            TokenKind::Quote | TokenKind::Chars => (Class::Text, false),
            TokenKind::HoleOpen | TokenKind::HoleClose => (Class::Hole, false),
            TokenKind::PictureQuote | TokenKind::CellBar => (Class::Picture, false),
            TokenKind::Cell | TokenKind::Sign => (Class::Sign, false),
            TokenKind::Bracket
            | TokenKind::Comma
            | TokenKind::Semicolon
            | TokenKind::Colon
            | TokenKind::Operator
            | TokenKind::Prefix
            | TokenKind::Tight => (Class::Punctuation, false),
            TokenKind::Unknown => (Class::Bad, false),
        };
        // Neighbours of one sort are one stretch: a text with its quotes.
        if let Some(last) = out.last_mut()
            && last.class == class
            && last.range.end == range.start
            && matches!(class, Class::Text | Class::Punctuation | Class::Bad)
        {
            last.range.end = range.end;
            continue;
        }
        out.push(Highlight { range, class, declares });
    }
    out
}

/// A word of which the checker says nothing.
fn class_of_word(word: &str, tokens: &[Token], i: usize, text: &str) -> Class {
    let solid = |t: &&Token| !t.kind.is_trivia();
    let before = tokens.get(..i).and_then(|t| t.iter().rev().find(solid));
    let behind = tokens.get(i + 1..).and_then(|t| t.iter().find(solid));
    let is =
        |t: Option<&Token>, s: &str| t.and_then(|t| text.get(t.start as usize..t.end as usize)) == Some(s);
    // Behind a dot there are no words of the language; before a colon most are somebody's name.
    if is(before, ".") {
        return Class::Builtin;
    }
    if word.starts_with(|c: char| c.is_ascii_uppercase()) {
        return Class::Kind;
    }
    if word.strip_prefix('x').is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit())) {
        return Class::Number;
    }
    // How many copies there are: `x(1 + n)`.
    if word == "x" && is(behind, "(") {
        return Class::Keyword;
    }
    if is(behind, ":") && is(before, "[") {
        return Class::Local;
    }
    if is(behind, ":") && super::words::is_named(word) {
        return Class::Builtin;
    }
    let reserved = syntax::is_reserved(word);
    if word == "empty" && (is(before, "is") || is(before, "not")) {
        return Class::Keyword;
    }
    if !reserved && is(behind, ":") && !matches!(word, "else" | "faces" | "offered" | "table") {
        return Class::Name;
    }
    if reserved || super::words::is_keyword(word) {
        return Class::Keyword;
    }
    if super::words::is_builtin(word) || super::words::is_named(word) { Class::Builtin } else { Class::Name }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::analyse;
    use std::fmt::Write;

    /// Words with their classes, all but punctuation.
    fn shown(text: &str) -> String {
        let (a, _) = analyse(text);
        let (id, f) = a.file("t.rules").unwrap();
        let mut out = String::new();
        for h in highlight(&a, id).iter().filter(|h| h.class != Class::Punctuation) {
            let mark = if h.declares { "!" } else { "" };
            let _ = write!(out, "{}:{:?}{mark} ", f.text[h.range.clone()].replace('\n', "/"), h.class);
        }
        out.trim_end().to_string()
    }

    #[test]
    fn each_word_is_what_it_is() {
        assert_eq!(
            shown("## Doc.\nenum Colour { red } # so"),
            "## Doc.:Doc enum:Keyword Colour:Kind! red:Member! # so:Comment"
        );
        assert_eq!(
            shown("value twice(n: int): int = 2 * n\nsetup { say \"{twice(1)} x\" }"),
            "value:Keyword twice:Value! n:Local! int:Builtin int:Builtin 2:Number n:Local setup:Keyword say:Keyword \":Text {:Hole twice:Value 1:Number }:Hole  x\":Text"
        );
        assert_eq!(
            shown(
                "menu act { done }\naction rest() in act { stop }\nsetup { as first of players { offer act } }"
            ),
            "menu:Keyword act:Menu! done:Keyword action:Keyword rest:Action! in:Keyword act:Menu stop:Keyword setup:Keyword as:Keyword first:Keyword of:Keyword players:Builtin offer:Keyword act:Menu"
        );
    }

    #[test]
    fn drawn_maps_and_legends() {
        assert_eq!(
            shown(
                "map Board squares\nspace Cell on Board { deep: bool = no }\nlegend { ~: deep }\nscenario s \"S\" for Tiny { map Board \"\"\"\n~ .\n\"\"\" }"
            ),
            "map:Keyword Board:Map! squares:Keyword space:Keyword Cell:Kind! on:Keyword Board:Map deep:Attribute! bool:Builtin no:Keyword legend:Keyword ~:Sign deep:Attribute scenario:Keyword s:Scope! \"S\":Text for:Keyword Tiny:Scope map:Keyword Board:Map \"\"\":Picture ~:Sign .:Sign \"\"\":Picture"
        );
    }

    #[test]
    fn broken_text_is_coloured_too() {
        let broken = shown("table { wind: 0..9 = 1 }\nsetup { if wind > { stop } }");
        assert!(broken.contains("wind:Attribute!") && broken.contains("if:Keyword"), "{broken}");
        assert!(shown("setup { § }").contains("§:Bad"));
    }

    #[test]
    fn a_text_alone_is_coloured() {
        let all = highlight_text("rule go() { stop }");
        assert_eq!(all.iter().map(|h| h.class).take(2).collect::<Vec<_>>(), [Class::Keyword, Class::Name]);
        // Where the checker says nothing, its own names are known all the same: words, calls, types.
        let all = highlight_text("value v: int = count(northeast)");
        let words: Vec<Class> = all.iter().map(|h| h.class).filter(|c| *c != Class::Punctuation).collect();
        assert_eq!(words, [Class::Keyword, Class::Name, Class::Builtin, Class::Builtin, Class::Builtin]);
    }
}
