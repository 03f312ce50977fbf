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

/// Makes the finding for an entry that is written twice and may be written once.
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
            if named.is_empty() {
                return Some(format!(
                    "name the players of the test behind its title: `test \"…\" with {}`",
                    self.invent_cast(word).join(", ")
                ));
            }
            return Some(format!("the players of this test are {}", named.join(", ")));
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

    /// Names for as many players as a game has at least, of which the first is given.
    fn invent_cast(&self, first: &str) -> Vec<String> {
        let more = ["Ann", "Bo", "Cy", "Di"].into_iter().filter(|n| *n != first);
        let least = (self.model().players.0 as usize).clamp(1, 4);
        std::iter::once(first).chain(more).take(least).map(String::from).collect()
    }

    /// Advice where a thing of one sort stands and one of another is wanted: the attribute that fits, or how the one is made of the other.
    pub(super) fn hint_for_type(&self, is: &Ty, wanted: &Ty) -> Option<String> {
        let (is, wanted) = (types::plain(is), types::plain(wanted));
        if let Some(hint) = self.hint_for_attribute(&is, &wanted) {
            return Some(hint);
        }
        let model = self.model();
        let fits = |from: &Ty, to: &Ty| types::fit(model, from, to) == types::Fit::Yes;
        let text = match (&is, &wanted) {
            (Ty::Set(_) | Ty::List(_), Ty::Int(..)) => "to count them, write `count(…)`",
            (Ty::Set(_) | Ty::List(_), Ty::Bool) => {
                "to ask whether there is anything in it, write `… is not empty`"
            }
            (Ty::Bool, Ty::Int(..)) => "to make a number of it, write `if … then 1 else 0`",
            (Ty::Text, Ty::Int(..)) => "write the number without quotes, or an attribute that is a number",
            (_, Ty::Int(..)) => "write a number, or an attribute or value that is one",
            (Ty::Int(..), Ty::Bool) => "compare it with another number, as in `… > 0`",
            (Ty::Text, Ty::Bool) => "write a condition, as in `count(players) > 2`",
            (_, Ty::Bool) => "compare it with something, as in `… == x`",
            (_, Ty::Text) => "write a text in quotes; `{…}` in a text shows a value",
            (Ty::Set(t) | Ty::List(t), w) if fits(t, w) => "to take one of them, write `first of …`",
            (t, Ty::Set(w) | Ty::List(w)) if fits(t, w) => "put it into brackets: `[…]`",
            (Ty::Int(..), &Ty::Of(builtin_kinds::TEAM)) => "write the number of a team, 1 to 16",
            (_, &Ty::Of(builtin_kinds::PLAYER)) => "write which player: `me`, or a name as in `p: player`",
            (_, &Ty::Of(builtin_kinds::DIRECTION)) => "write a direction, as in `north`",
            (_, Ty::Set(t)) if **t == types::player() => "write which players, as in `players` or `others`",
            (_, Ty::Of(k)) => return Some(self.hint_for_kind(*k)),
            _ => return None,
        };
        Some(text.into())
    }

    /// Advice where a space of the map is wanted and something else stands.
    pub(super) fn hint_for_space(&self, is: &Ty) -> Option<String> {
        let space = self.model().maps.first()?.space;
        self.hint_for_type(is, &Ty::Of(space))
    }

    /// Advice where a thing of a kind is wanted and something else stands.
    fn hint_for_kind(&self, k: KindId) -> String {
        let model = self.model();
        let name = types::name(model, k);
        match types::kind(model, k).map(|d| (&d.sort, &d.members)) {
            Some((KindSort::Enum, members)) => {
                let words: Vec<String> = members
                    .iter()
                    .filter_map(|m| self.member_name(*m))
                    .take(4)
                    .map(|w| format!("`{w}`"))
                    .collect();
                format!("write a word of {name}, as in {}", words.join(", "))
            }
            Some((KindSort::Space(Some(_)), _)) => {
                format!("write a space of the map, as in `A1`, or the name of one, as in `c: {name}`")
            }
            _ => format!("write which {name}, by its name or with `first of …`"),
        }
    }

    /// The attributes of a thing that are of the wanted sort.
    pub(super) fn hint_for_attribute(&self, is: &Ty, wanted: &Ty) -> Option<String> {
        let words: Vec<String> =
            self.fitting_attributes(is, wanted).take(4).map(|word| format!("`.{word}`")).collect();
        match words.as_slice() {
            [] => None,
            [one] => Some(format!("add the attribute that is meant: {one}")),
            _ => Some(format!("add the attribute that is meant: {}", words.join(", "))),
        }
    }

    /// Advice where something behind `where` or in a filter is no condition: an attribute of the candidate that it can be compared with.
    pub(super) fn hint_for_filter(&self, cand: &Ty, is: &Ty) -> String {
        match self.fitting_attributes(cand, is).next() {
            Some(word) => format!("compare it with an attribute of the candidate, as in `it.{word} == …`"),
            None => "write a condition on the candidate, as in `it == …` or `it.attr > 0`".into(),
        }
    }

    /// The attributes of a thing that are of the wanted sort, as declared.
    fn fitting_attributes(&self, is: &Ty, wanted: &Ty) -> impl Iterator<Item = &str> {
        let model = self.model();
        let kinds = match is {
            Ty::Of(k) | Ty::Face(k) => types::line_of(model, *k),
            _ => Vec::new(),
        };
        let attrs = kinds.into_iter().filter_map(|k| types::kind(model, k)).flat_map(|d| &d.attrs);
        let fits = move |ty: &Ty| {
            let ty = types::plain(ty);
            matches!((&ty, wanted), (Ty::Int(..), Ty::Int(..)))
                || types::fit(model, &ty, wanted) == types::Fit::Yes
        };
        attrs.filter_map(|a| model.attrs.get(a.index())).filter(move |a| fits(&a.ty)).map(|a| &*a.name)
    }

    /// Advice where two things are compared that are never equal: an attribute of one that can be compared with the other.
    pub(super) fn hint_for_equal(&self, l: &Ty, r: &Ty) -> Option<String> {
        let one = self.hint_for_attribute(l, r).map(|h| ("left", h));
        let one = one.or_else(|| self.hint_for_attribute(r, l).map(|h| ("right", h)));
        if let Some((side, hint)) = one {
            return Some(format!("on the {side} side, {hint}"));
        }
        match (l, r) {
            (Ty::Set(_) | Ty::List(_), Ty::Int(..)) | (Ty::Int(..), Ty::Set(_) | Ty::List(_)) => {
                Some("to compare how many there are, write `count(…)`".into())
            }
            (Ty::Set(t) | Ty::List(t), x) | (x, Ty::Set(t) | Ty::List(t))
                if types::comparable(self.model(), t, x) =>
            {
                Some("to ask whether it is one of them, write `x in S`".into())
            }
            (Ty::Int(..), Ty::Of(k)) | (Ty::Of(k), Ty::Int(..))
                if matches!(types::kind(self.model(), *k).map(|k| &k.sort), Some(KindSort::Lines(..))) =>
            {
                Some("to ask whether a space c lies in a row or column L, write `c in L`".into())
            }
            _ => Some("things of different sorts are never equal: compare two of the same sort".into()),
        }
    }

    /// The kind, of players first, that has an attribute, zone or value of that name.
    fn kind_with(&self, word: &str) -> Option<KindId> {
        (0..self.model().kinds.len()).map(|k| KindId(k as u32)).find(|k| self.ix.part(*k, word).is_some())
    }

    pub(super) fn member_name(&self, m: MemberId) -> Option<&str> {
        self.model().members.get(m.index()).map(|m| &*m.name)
    }
}
