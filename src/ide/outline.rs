//! The declarations of a file, nested as they stand.
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
pub fn outline(a: &Analysis, file: FileId) -> Vec<Symbol> {
    a.asts.get(file.0 as usize).map(|f| items(&f.items)).unwrap_or_default()
}

fn items(all: &[ast::Item]) -> Vec<Symbol> {
    all.iter().flat_map(item).collect()
}

fn named(name: &Name, sort: &'static str, class: Class, whole: Span, inside: Vec<Symbol>) -> Symbol {
    Symbol { name: name.text.clone(), sort, class, range: whole.range(), at: name.span.range(), inside }
}

fn titled(text: &ast::Text, sort: &'static str, whole: Span, inside: Vec<Symbol>) -> Symbol {
    let name = text.literal().unwrap_or_default();
    Symbol { name, sort, class: Class::Scope, range: whole.range(), at: text.span.range(), inside }
}

fn plain(word: &'static str, whole: Span, inside: Vec<Symbol>) -> Symbol {
    let at = whole.start as usize..whole.start as usize + word.len();
    Symbol { name: word.into(), sort: word, class: Class::Keyword, range: whole.range(), at, inside }
}

#[allow(clippy::too_many_lines)] // One arm a sort of declaration.
fn item(i: &ast::Item) -> Vec<Symbol> {
    let s = i.span;
    let one = |symbol| vec![symbol];
    match &i.kind {
        I::Game(g) => one(named(&g.name, "game", Class::Scope, s, Vec::new())),
        I::Option(o) => one(named(&o.name, "option", Class::Option, s, Vec::new())),
        I::Variant(v) => one(named(&v.name, "variant", Class::Scope, s, items(&v.items))),
        I::Mod(m) => one(titled(&m.title, "mod", s, items(&m.items))),
        I::Part(p) => one(named(&p.name, "part", Class::Scope, s, items(&p.items))),
        I::Scenario(x) => one(named(&x.name, "scenario", Class::Scope, s, items(&x.items))),
        I::Invariant(x) => one(titled(&x.title, "invariant", s, Vec::new())),
        I::Change(c) => match &c.target {
            ast::ChangeTarget::Kind(n) => one(named(n, "change", Class::Kind, s, parts(&c.parts))),
            ast::ChangeTarget::Member(n) => one(named(n, "change", Class::Member, s, parts(&c.parts))),
            ast::ChangeTarget::Player(_) | ast::ChangeTarget::Table(_) => {
                one(plain("change", s, parts(&c.parts)))
            }
        },
        I::Test(t) => one(titled(&t.title, "test", s, Vec::new())),
        I::Enum(e) => {
            let word = |r: &ast::EnumRow| named(&r.name, "word", Class::Member, r.span, Vec::new());
            one(named(&e.name, "enum", Class::Kind, s, e.rows.iter().map(word).collect()))
        }
        I::Component(c) => {
            let sort = match c.kind {
                ast::ComponentKind::Card => "card",
                ast::ComponentKind::Token => "token",
                ast::ComponentKind::Piece => "piece",
                ast::ComponentKind::Die => "die",
            };
            one(named(&c.name, sort, Class::Kind, s, parts(&c.parts)))
        }
        I::Player(p) => one(plain("player", s, parts(p))),
        I::Table(p) => one(plain("table", s, parts(p))),
        I::PlayerMember(p) => one(named(&p.name, "player", Class::Player, s, parts(&p.parts))),
        I::Map(m) => one(named(&m.name, "map", Class::Map, s, Vec::new())),
        I::Space(x) => one(named(&x.name, "space", Class::Kind, s, parts(&x.parts))),
        I::Patch(x) => one(named(&x.name, "patch", Class::Kind, s, parts(&x.parts))),
        I::List(l) => {
            let row = |r: &ast::ListRow| match &r.name {
                ast::RowName::Named(n) => Some(named(n, "row", Class::Member, r.span, parts(&r.parts))),
                _ => None,
            };
            one(named(&l.of, "list", Class::Kind, s, l.rows.iter().filter_map(row).collect()))
        }
        I::Legend(l) => match &l.map {
            Some(m) => one(named(m, "legend", Class::Map, s, Vec::new())),
            None => one(plain("legend", s, Vec::new())),
        },
        I::Member(m) => {
            let mut out = one(named(&m.name, "member", Class::Member, s, parts(&m.parts)));
            out.extend(
                m.more.iter().map(|x| named(&x.name, "member", Class::Member, x.name.span, Vec::new())),
            );
            out
        }
        I::Value(v) => one(named(&v.name, "value", Class::Value, s, Vec::new())),
        I::Heuristic(v) => one(named(&v.name, "heuristic", Class::Value, s, Vec::new())),
        I::Hook(h) => one(named(&h.name, "hook", Class::Hook, s, Vec::new())),
        I::Rule(r) => one(named(&r.name, "rule", Class::Rule, s, Vec::new())),
        I::Phase(p) => one(named(&p.name, "phase", Class::Rule, s, Vec::new())),
        I::Setup(_) => one(plain("setup", s, Vec::new())),
        I::Round(_) => one(plain("round", s, Vec::new())),
        I::Menu(m) => one(named(&m.name, "menu", Class::Menu, s, Vec::new())),
        I::Action(x) => one(named(&x.name, "action", Class::Action, s, Vec::new())),
        I::Score(l) => one(named(&l.name, "score", Class::Value, s, lines(l))),
        I::Ranking(l) => one(named(&l.name, "ranking", Class::Value, s, lines(l))),
        I::Attach(x) => attach(x),
        I::Look(l) => one(named(&l.of, "look", Class::Kind, s, Vec::new())),
        I::Header(_)
        | I::SetOption(_)
        | I::Needs(_)
        | I::Numbered(..)
        | I::NotPlayed(..)
        | I::Ending(_)
        | I::Remove(_)
        | I::Bad => Vec::new(),
    }
}

fn lines(l: &ast::LinesDecl) -> Vec<Symbol> {
    l.lines.iter().map(|x| named(&x.name, "line", Class::Value, x.span, Vec::new())).collect()
}

fn attach(a: &ast::Attach) -> Vec<Symbol> {
    let sort = match &a.kind {
        ast::AttachKind::Modify(..) => "modify",
        ast::AttachKind::Around { when: ast::Around::Before, .. } => "before",
        ast::AttachKind::Around { when: ast::Around::After, .. } => "after",
        ast::AttachKind::Around { when: ast::Around::Instead, .. } => "instead of",
        ast::AttachKind::Forbid(_) => "forbid",
    };
    let name = a.heads.first().and_then(|h| h.path.last());
    name.map(|n| named(n, sort, Class::Rule, a.span, Vec::new())).into_iter().collect()
}

fn parts(all: &[ast::Part]) -> Vec<Symbol> {
    let part = |p: &ast::Part| match &p.kind {
        P::Attr(a) | P::Has(ast::Has::Attr(a)) => {
            vec![named(&a.name, "attribute", Class::Attribute, p.span, Vec::new())]
        }
        P::Zone(z) | P::Has(ast::Has::Zone(z)) => {
            vec![named(&z.name, if z.slot { "slot" } else { "zone" }, Class::Zone, p.span, Vec::new())]
        }
        P::Value(v) => vec![named(&v.name, "value", Class::Value, p.span, Vec::new())],
        P::Rule(r) => vec![named(&r.name, "rule", Class::Rule, p.span, Vec::new())],
        P::Action(a) => vec![named(&a.name, "action", Class::Action, p.span, Vec::new())],
        P::Attach(a) => attach(a),
        P::FillValue(f) => vec![named(&f.name, "fills", Class::Value, p.span, Vec::new())],
        P::FillRule(f) => vec![named(&f.name, "fills", Class::Rule, p.span, Vec::new())],
        _ => Vec::new(),
    };
    all.iter().flat_map(part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::analysed;

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
        let (a, _) = analysed(text);
        let (id, _) = a.file("t.rules").unwrap();
        assert_eq!(shown(&outline(&a, id)), want);
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
