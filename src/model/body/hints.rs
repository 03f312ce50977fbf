//! What to write instead: advice for names that exist, but in another form than the one written (an attribute called like a value, a zone without its
//! owner, a word of another language). The checker adds it to the findings of unknown names.
use super::cx::Cx;
use super::index::{Part, Thing};
use super::types;
use crate::hir::*;
use houserule_text::{Diagnostic, Span};

/// Words of other languages that stand for a value, and what is written here.
const PEER_VALUES: &[(&str, &str)] = &[
    ("true", "yes"),
    ("false", "no"),
    ("null", "none"),
    ("nil", "none"),
    ("undefined", "none"),
    ("nothing", "none"),
    ("self", "this"),
];

/// The finding for what may be said once and is said again.
pub fn report_said_twice(span: Span, what: &str) -> Diagnostic {
    let message = format!("`{what}` is written twice");
    Diagnostic::error(crate::codes::TWICE, span, message).help("leave one out")
}

/// The word that is written here for another language's.
pub fn word_instead(word: &str) -> Option<&'static str> {
    PEER_VALUES.iter().find(|(w, _)| *w == word).map(|(_, own)| *own)
}

impl Cx<'_> {
    /// Advice for a bare word that names nothing here.
    pub(super) fn hint_for_name(&self, word: &str) -> Option<String> {
        if self.within.test && word.starts_with(|c: char| c.is_ascii_uppercase()) {
            let named: Vec<&str> = if self.cast.is_empty() {
                self.model().named_players().filter_map(|m| self.member_name(m)).collect()
            } else {
                self.cast.iter().map(String::as_str).collect()
            };
            return (!named.is_empty()).then(|| format!("the players of this test are {}", named.join(", ")));
        }
        if let Some(kind) = self.kind_with(word) {
            let name = types::name(self.model(), kind);
            return Some(if kind == builtin_kinds::PLAYER {
                format!("`{word}` belongs to a player: write `my.{word}`, or `p.{word}` for a player p")
            } else {
                format!("`{word}` belongs to a {name}: write of which one, as in `c.{word}`")
            });
        }
        None
    }

    /// Advice for a word that is called and cannot be.
    pub(super) fn hint_for_call(&self, word: &str) -> Option<String> {
        if matches!(word, "random" | "rand" | "randint" | "dice") {
            return Some("for chance, write `choose one of S by chance`, or roll a die with `roll`".into());
        }
        let kind = self.kind_with(word)?;
        let name = types::name(self.model(), kind);
        Some(format!("`{word}` belongs to a {name}: write it after a dot, as in `c.{word}`"))
    }

    /// Advice for a word behind a dot that is nothing of the thing before it.
    pub(super) fn hint_for_part(&self, word: &str) -> Option<String> {
        self.ix.things(word).iter().find_map(|t| match t {
            Thing::Value(v) => {
                let value = self.model().values.get(v.index())?;
                (value.body.params == 1).then(|| format!("`{word}` is a value: write `{word}(…)`"))
            }
            Thing::Rule(_) => Some(format!("`{word}` is a rule: write `{word}(…)`")),
            _ => None,
        })
    }

    /// Advice for an assignment to what several things have together, as in `Cell.height = 0`.
    pub(super) fn hint_for_target(&self, of: &Expr, word: &str) -> String {
        match &*of.kind {
            ExprKind::All(builtin_kinds::PLAYER) => {
                format!("write whose: `my.{word}`, or `for p in players {{ p.{word} = … }}`")
            }
            _ => format!("to change several things, write `for x in … {{ x.{word} = … }}`"),
        }
    }

    /// Advice for a word that stands where a menu is wanted.
    pub(super) fn hint_for_menu(&self, word: &str) -> Option<String> {
        let action = self.ix.things(word).iter().find_map(|t| match t {
            Thing::Action(a) => self.model().actions.get(a.index()),
            _ => None,
        })?;
        let menu = self.model().menus.get(action.menus.first()?.index())?;
        Some(format!("`{word}` is an action; offer its menu: `{}`", menu.name))
    }

    /// Advice where a place is wanted and a thing of that type stands: the zones that it has.
    pub(super) fn hint_for_place(&self, ty: &Ty) -> Option<String> {
        let Ty::Of(kind) = ty else { return None };
        let mut zones: Vec<String> = self
            .ix
            .parts_of(*kind)
            .into_iter()
            .filter(|(_, p)| matches!(p, Part::Zone(_)))
            .map(|(word, _)| format!("`.{word}`"))
            .collect();
        zones.sort();
        (!zones.is_empty()).then(|| format!("write one of its zones: {}", zones.join(", ")))
    }

    /// The kind, of players first, that has an attribute, zone or value of that name.
    fn kind_with(&self, word: &str) -> Option<KindId> {
        (0..self.model().kinds.len()).map(|k| KindId(k as u32)).find(|k| self.ix.part(*k, word).is_some())
    }

    fn member_name(&self, m: MemberId) -> Option<&str> {
        self.model().members.get(m.index()).map(|m| &*m.name)
    }
}
