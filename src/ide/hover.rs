//! Hover: describes the word under the pointer.
use super::{Analysis, Location};
use houserule_model::{self as model, Def, hir};
use houserule_text::Span;

/// What is known of a word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hover {
    /// The word.
    pub place: Location,
    /// What it is: `attribute of Card`.
    pub title: String,
    /// The line that declares it, as written; empty for words of the language.
    pub declaration: String,
    /// Its type, in the reader's words, where it has one.
    pub ty: Option<String>,
    /// What is written about it.
    pub doc: String,
    /// Findings at this place.
    pub findings: Vec<String>,
}

/// What is known of the word at an offset; none where there is nothing to say.
pub fn hover(a: &Analysis, file: &str, offset: usize) -> Option<Hover> {
    let (id, f) = a.file(file)?;
    let findings: Vec<String> = a
        .findings(id)
        .filter(|d| d.at.span.is_touching(offset))
        .map(|d| match &d.help {
            Some(help) => format!("{} {}: {}", d.code.0, d.message, help),
            None => format!("{} {}", d.code.0, d.message),
        })
        .collect();
    if let Some((at, def)) = a.uses.use_at(id, offset) {
        let (title, ty, doc) = describe_declaration(a, def);
        let declaration = a.uses.place_of(def, &a.model).map(|s| declaration_line(a, s)).unwrap_or_default();
        return Some(Hover { place: a.to_place(at)?, title, declaration, ty, doc, findings });
    }
    let tree = a.trees.get(id.0 as usize)?;
    let token = *tree.tokens().get(tree.token_at(offset)?)?;
    let word = f.text.get(token.start as usize..token.end as usize)?;
    let place = a.to_place(Span { file: id, start: token.start, end: token.end })?;
    let about = super::words::describe_word(word).filter(|_| token.kind == houserule_syntax::TokenKind::Word);
    match about {
        Some(doc) => Some(Hover {
            place,
            title: format!("`{word}`, a word of the language"),
            declaration: String::new(),
            ty: None,
            doc: doc.to_string(),
            findings,
        }),
        None if !findings.is_empty() => Some(Hover {
            place,
            title: String::new(),
            declaration: String::new(),
            ty: None,
            doc: String::new(),
            findings,
        }),
        None => None,
    }
}

/// The line in which something is declared, without its body.
fn declaration_line(a: &Analysis, at: Span) -> String {
    let Some(f) = a.files.get(at.file) else { return String::new() };
    let from = f.text.get(..at.start as usize).and_then(|t| t.rfind('\n')).map_or(0, |n| n + 1);
    let rest = f.text.get(from..).unwrap_or("");
    let line = rest.lines().next().unwrap_or("").trim();
    line.trim_end_matches('{').trim_end().to_string()
}

/// What it is, its type, and its doc.
pub(super) fn describe_declaration(a: &Analysis, def: Def) -> (String, Option<String>, String) {
    let m = &a.model;
    let name = |k: hir::KindId| m.kinds.get(k.index()).map_or("", |k| &k.name);
    let of = |k: Option<hir::KindId>| k.map_or(String::from(" of the table"), |k| format!(" of {}", name(k)));
    let owner = |k: Option<hir::KindId>| k.map_or(String::new(), |k| format!(" of {}", name(k)));
    let ty =
        |t: &hir::Ty| Some(model::shown(m, t)).filter(|_| !matches!(t, hir::Ty::Nothing | hir::Ty::Error));
    let doc = |d: &Option<std::sync::Arc<str>>| d.as_deref().unwrap_or("").to_string();
    let none = || (String::new(), None, String::new());
    match def {
        Def::Game => (format!("the game {}", m.title), None, String::new()),
        Def::Scope(i) => m.scopes.get(i.index()).map_or_else(none, |s| {
            let sort = match s.kind {
                hir::ScopeKind::Game => "game",
                hir::ScopeKind::Variant => "variant",
                hir::ScopeKind::Scenario => "scenario",
                hir::ScopeKind::Part => "part",
                hir::ScopeKind::Mod => "mod",
            };
            (format!("{sort} {}", s.title), None, String::new())
        }),
        Def::Kind(i) => m.kinds.get(i.index()).map_or_else(none, |k| {
            let sort = match &k.sort {
                hir::KindSort::Enum => "words",
                hir::KindSort::Component(hir::ComponentSort::Card) => "cards",
                hir::KindSort::Component(hir::ComponentSort::Token) => "tokens",
                hir::KindSort::Component(hir::ComponentSort::Piece) => "pieces",
                hir::KindSort::Component(hir::ComponentSort::Die) => "dice",
                hir::KindSort::Component(hir::ComponentSort::Patch) => "patches",
                hir::KindSort::Space(_) => "spaces",
                _ => "things",
            };
            (format!("kind of {sort}"), None, doc(&k.doc))
        }),
        Def::Member(i) => m
            .members
            .get(i.index())
            .map_or_else(none, |x| (format!("member of {}", name(x.kind)), None, doc(&x.doc))),
        Def::Attr(i) => m.attrs.get(i.index()).map_or_else(none, |x| {
            let whose = match x.has_of {
                Some(hir::HasOf::Phase(r)) => {
                    m.rules.get(r.index()).map_or(String::new(), |r| format!(" of {}", r.name))
                }
                Some(hir::HasOf::Member(k)) => {
                    m.members.get(k.index()).map_or(String::new(), |k| format!(" of {}", k.name))
                }
                Some(hir::HasOf::Menu(k)) => {
                    m.menus.get(k.index()).map_or(String::new(), |k| format!(" of {}", k.name))
                }
                None => of(x.of),
            };
            (format!("attribute{whose}"), ty(&x.ty), doc(&x.doc))
        }),
        Def::Zone(i) => m.zones.get(i.index()).map_or_else(none, |x| {
            let holds: Vec<&str> = x.holds.iter().map(|k| name(*k)).collect();
            let sort = if x.slot { "slot" } else { "zone" };
            let phase = x.has_of.and_then(|r| m.rules.get(r.index()));
            let whose = phase.map_or_else(|| of(x.of), |r| format!(" of {}", r.name));
            (format!("{sort}{whose} for {}", holds.join(" or ")), None, doc(&x.doc))
        }),
        Def::Map(i) => m
            .maps
            .get(i.index())
            .map_or_else(none, |x| (format!("map of {}", name(x.space)), None, String::new())),
        Def::Value(i) => m.values.get(i.index()).map_or_else(none, |x| {
            let sort = match &x.role {
                hir::ValueRole::Plain
                | hir::ValueRole::Team
                | hir::ValueRole::InPlay
                | hir::ValueRole::Patch
                | hir::ValueRole::Out => "value",
                hir::ValueRole::Heuristic => "heuristic",
                hir::ValueRole::Line(..) => "line of a score",
                hir::ValueRole::Score(_) => "score",
                hir::ValueRole::Ranking(_) => "ranking",
            };
            (format!("{sort}{}", owner(x.of)), ty(&x.ty), doc(&x.doc))
        }),
        Def::Rule(i) => m.rules.get(i.index()).map_or_else(none, |x| {
            let sort = if x.phase { "phase" } else { "rule" };
            (format!("{sort}{}", owner(x.of)), ty(&x.gives), doc(&x.doc))
        }),
        Def::Menu(i) => {
            m.menus.get(i.index()).map_or_else(none, |x| (String::from("menu"), None, doc(&x.doc)))
        }
        Def::Action(i) => {
            m.actions.get(i.index()).map_or_else(none, |x| (String::from("action"), None, doc(&x.doc)))
        }
        Def::Option(i) => m
            .options
            .get(i.index())
            .map_or_else(none, |x| (format!("option {}", x.title), ty(&x.ty), String::new())),
        Def::Hook(i) => m
            .hooks
            .get(i.index())
            .map_or_else(none, |x| (format!("hook of {}", x.file), ty(&x.ty), String::new())),
        Def::Local(at) => {
            (String::from("a name of this body"), a.uses.local_type(at).and_then(ty), String::new())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::analyse;

    fn check(text: &str, want: &str) {
        let (a, at) = analyse(text);
        let shown = hover(&a, "t.rules", at).map_or(String::from("nothing"), |h| {
            let ty = h.ty.map(|t| format!(" ({t})")).unwrap_or_default();
            format!("{}{ty} | {} | {} | {}", h.title, h.declaration, h.doc, h.findings.join("; "))
        });
        assert_eq!(shown, want);
    }

    #[test]
    fn declarations_types_and_docs_are_shown() {
        check(
            "table {\n  ## How hard it blows.\n  wind: 0..9 = 1 # so\n}\nvalue w: int = wi$0nd",
            "attribute of the table (a number 0..9) | wind: 0..9 = 1 # so | How hard it blows. | ",
        );
        check(
            "## Twice of it.\nvalue twice(n: int): int = 2 * n\nvalue four: int = twi$0ce(2)",
            "value (a number) | value twice(n: int): int = 2 * n | Twice of it. | ",
        );
        check(
            "rule go(p: player) {\n  say \"{p$0.name}\"\n}",
            "a name of this body (a player) | rule go(p: player) |  | ",
        );
        check(
            "enum Colour { red }\ntable { c: Colour = re$0d }",
            "member of Colour | enum Colour { red } |  | ",
        );
        check(
            "se$0tup { }",
            "`setup`, a word of the language |  | statements that run before the first round | ",
        );
        check("# no$0thing", "nothing");
        check(
            "value w: int = win$0g",
            " |  |  | E0250 there is no `wing` here: declare it first: with `let` in a rule, as a `value`, or as an attribute in `table { }`",
        );
    }
}
