//! The outline of a file: its declarations, nested as they stand in the text.
use super::{Analysis, Class};
use houserule_syntax::ast::{self, ItemKind as I, Name, PartKind as P};
use houserule_text::{FileId, Span};
use std::ops::Range;

/// One declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// Its name, or what it is where it has none (`setup`).
    pub name: String,
    /// The word that declares it.
    pub sort: &'static str,
    /// How its name is coloured.
    pub class: Class,
    /// All of it.
    pub range: Range<usize>,
    /// Its name; where it has none, its first word.
    pub at: Range<usize>,
    /// What is declared inside it.
    pub inside: Vec<Symbol>,
}

/// The declarations of a file in order.
pub fn make_outline(a: &Analysis, file: FileId) -> Vec<Symbol> {
    a.asts.get(file.0 as usize).map(|f| list_items(&f.items)).unwrap_or_default()
}

fn list_items(all: &[ast::Item]) -> Vec<Symbol> {
    all.iter().flat_map(list_item).collect()
}

fn make_named(name: &Name, sort: &'static str, class: Class, whole: Span, inside: Vec<Symbol>) -> Symbol {
    Symbol { name: name.text.clone(), sort, class, range: whole.range(), at: name.span.range(), inside }
}

fn make_titled(text: &ast::Text, sort: &'static str, whole: Span, inside: Vec<Symbol>) -> Symbol {
    let name = text.literal().unwrap_or_default();
    Symbol { name, sort, class: Class::Scope, range: whole.range(), at: text.span.range(), inside }
}

fn make_plain(word: &'static str, whole: Span, inside: Vec<Symbol>) -> Symbol {
    let at = whole.start as usize..whole.start as usize + word.len();
    Symbol { name: word.into(), sort: word, class: Class::Keyword, range: whole.range(), at, inside }
}

#[allow(clippy::too_many_lines)] // One arm a sort of declaration.
fn list_item(i: &ast::Item) -> Vec<Symbol> {
    let s = i.span;
    let one = |symbol| vec![symbol];
    match &i.kind {
        I::Game(g) => one(make_named(&g.name, "game", Class::Scope, s, Vec::new())),
        I::Option(o) => one(make_named(&o.name, "option", Class::Option, s, Vec::new())),
        I::Variant(v) => one(make_named(&v.name, "variant", Class::Scope, s, list_items(&v.items))),
        I::Mod(m) => one(make_titled(&m.title, "mod", s, list_items(&m.items))),
        I::Part(p) => one(make_named(&p.name, "part", Class::Scope, s, list_items(&p.items))),
        I::Scenario(x) => one(make_named(&x.name, "scenario", Class::Scope, s, list_items(&x.items))),
        I::Invariant(x) => one(make_titled(&x.title, "invariant", s, Vec::new())),
        I::Change(c) => match &c.target {
            ast::ChangeTarget::Kind(n) => one(make_named(n, "change", Class::Kind, s, list_parts(&c.parts))),
            ast::ChangeTarget::Member(n) => {
                one(make_named(n, "change", Class::Member, s, list_parts(&c.parts)))
            }
            ast::ChangeTarget::Player(_) | ast::ChangeTarget::Table(_) => {
                one(make_plain("change", s, list_parts(&c.parts)))
            }
        },
        I::Test(t) => one(make_titled(&t.title, "test", s, Vec::new())),
        I::Enum(e) => {
            let word = |r: &ast::EnumRow| make_named(&r.name, "word", Class::Member, r.span, Vec::new());
            one(make_named(&e.name, "enum", Class::Kind, s, e.rows.iter().map(word).collect()))
        }
        I::Component(c) => {
            let sort = match c.kind {
                ast::ComponentKind::Card => "card",
                ast::ComponentKind::Token => "token",
                ast::ComponentKind::Piece => "piece",
                ast::ComponentKind::Die => "die",
            };
            one(make_named(&c.name, sort, Class::Kind, s, list_parts(&c.parts)))
        }
        I::Player(p) => one(make_plain("player", s, list_parts(p))),
        I::Table(p) => one(make_plain("table", s, list_parts(p))),
        I::PlayerMember(p) => one(make_named(&p.name, "player", Class::Player, s, list_parts(&p.parts))),
        I::Map(m) => one(make_named(&m.name, "map", Class::Map, s, Vec::new())),
        I::Space(x) => one(make_named(&x.name, "space", Class::Kind, s, list_parts(&x.parts))),
        I::Patch(x) => one(make_named(&x.name, "patch", Class::Kind, s, list_parts(&x.parts))),
        I::List(l) => {
            let row = |r: &ast::ListRow| match &r.name {
                ast::RowName::Named(n) => {
                    Some(make_named(n, "row", Class::Member, r.span, list_parts(&r.parts)))
                }
                _ => None,
            };
            one(make_named(&l.of, "list", Class::Kind, s, l.rows.iter().filter_map(row).collect()))
        }
        I::Legend(l) => match &l.map {
            Some(m) => one(make_named(m, "legend", Class::Map, s, Vec::new())),
            None => one(make_plain("legend", s, Vec::new())),
        },
        I::Member(m) => {
            let mut out = one(make_named(&m.name, "member", Class::Member, s, list_parts(&m.parts)));
            out.extend(
                m.more.iter().map(|x| make_named(&x.name, "member", Class::Member, x.name.span, Vec::new())),
            );
            out
        }
        I::Value(v) => one(make_named(&v.name, "value", Class::Value, s, Vec::new())),
        I::Heuristic(v) => one(make_named(&v.name, "heuristic", Class::Value, s, Vec::new())),
        I::Hook(h) => one(make_named(&h.name, "hook", Class::Hook, s, Vec::new())),
        I::Rule(r) => one(make_named(&r.name, "rule", Class::Rule, s, Vec::new())),
        I::Phase(p) => one(make_named(&p.name, "phase", Class::Rule, s, Vec::new())),
        I::Setup(_) => one(make_plain("setup", s, Vec::new())),
        I::Legacy(_) => one(make_plain("legacy", s, Vec::new())),
        I::Round(_) => one(make_plain("round", s, Vec::new())),
        I::Menu(m) => one(make_named(&m.name, "menu", Class::Menu, s, Vec::new())),
        I::Action(x) => one(make_named(&x.name, "action", Class::Action, s, Vec::new())),
        I::Score(l) => one(make_named(&l.name, "score", Class::Value, s, list_lines(l))),
        I::Ranking(l) => one(make_named(&l.name, "ranking", Class::Value, s, list_lines(l))),
        I::Attach(x) => list_attachment(x),
        I::Look(l) => one(make_named(&l.of, "look", Class::Kind, s, Vec::new())),
        I::Header(_)
        | I::SetOption(_)
        | I::Needs(_)
        | I::Numbered(..)
        | I::NotPlayed(..)
        | I::ModLine(_)
        | I::Ending(_)
        | I::Remove(_)
        | I::Bad => Vec::new(),
    }
}

fn list_lines(l: &ast::LinesDecl) -> Vec<Symbol> {
    l.lines.iter().map(|x| make_named(&x.name, "line", Class::Value, x.span, Vec::new())).collect()
}

fn list_attachment(a: &ast::Attach) -> Vec<Symbol> {
    let sort = match &a.kind {
        ast::AttachKind::Modify(..) => "modify",
        ast::AttachKind::Around { when: ast::Around::Before, .. } => "before",
        ast::AttachKind::Around { when: ast::Around::After, .. } => "after",
        ast::AttachKind::Around { when: ast::Around::Instead, .. } => "instead of",
        ast::AttachKind::Forbid(_) => "forbid",
    };
    let name = a.heads.first().and_then(|h| h.path.last());
    name.map(|n| make_named(n, sort, Class::Rule, a.span, Vec::new())).into_iter().collect()
}

fn list_parts(all: &[ast::Part]) -> Vec<Symbol> {
    let part = |p: &ast::Part| match &p.kind {
        P::Attr(a) | P::Has(ast::Has::Attr(a)) => {
            vec![make_named(&a.name, "attribute", Class::Attribute, p.span, Vec::new())]
        }
        P::Zone(z) | P::Has(ast::Has::Zone(z)) => {
            vec![make_named(&z.name, if z.slot { "slot" } else { "zone" }, Class::Zone, p.span, Vec::new())]
        }
        P::Value(v) => vec![make_named(&v.name, "value", Class::Value, p.span, Vec::new())],
        P::Rule(r) => vec![make_named(&r.name, "rule", Class::Rule, p.span, Vec::new())],
        P::Action(a) => vec![make_named(&a.name, "action", Class::Action, p.span, Vec::new())],
        P::Attach(a) => list_attachment(a),
        P::FillValue(f) => vec![make_named(&f.name, "fills", Class::Value, p.span, Vec::new())],
        P::FillRule(f) => vec![make_named(&f.name, "fills", Class::Rule, p.span, Vec::new())],
        _ => Vec::new(),
    };
    all.iter().flat_map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::analyse;

    fn shown(all: &[Symbol]) -> String {
        let one = |s: &Symbol| {
            let inside =
                if s.inside.is_empty() { String::new() } else { format!(" {{ {} }}", shown(&s.inside)) };
            assert!(s.range.start <= s.at.start && s.at.end <= s.range.end, "{s:?}");
            format!("{} {}{inside}", s.sort, s.name)
        };
        all.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    fn check(text: &str, want: &str) {
        let (a, _) = analyse(text);
        let (id, _) = a.file("t.rules").unwrap();
        assert_eq!(shown(&make_outline(&a, id)), want);
    }

    #[test]
    fn declarations_are_nested_as_they_stand() {
        check(
            "enum Colour { red, blue }\nplayer { coins: 0..9 = 0; zone hand: Card }",
            "enum Colour { word red, word blue }, player player { attribute coins, zone hand }",
        );
        check(
            "card Card { cost: 0..9 = 0; value v: int = 2; rule go() }\nCard axe { go { stop } }",
            "card Card { attribute cost, value v, rule go }, member axe { fills go }",
        );
        check(
            "variant v \"V\" { rule r() { stop }\nafter r { stop } }\ntest \"t\" { expect 1 == 1 }",
            "variant v { rule r, after r }, test t",
        );
        check(
            "score total(p: player) { a \"A\": 1\nb \"B\": 2 }\nsetup { }\nwibble",
            "score total { line a, line b }, setup setup",
        );
    }
}
