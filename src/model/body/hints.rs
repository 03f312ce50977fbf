//! What to write instead: advice for names that exist, but in another form than the one written (an attribute called like a value, a zone without its
//! owner, a word of another language). The checker adds it to the findings of unknown names.
use super::codes;
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

/// What is written instead of forms that nothing plays yet, by the beginning of their name in the finding.
const INSTEAD: &[(&str, &str)] = &[
    ("bags", "count goods in attributes: `wood: 0..9 = 0`"),
    ("one of several costs", "an action for each way to pay, each with its `needs`"),
    ("costs", "say `needs my.coins >= 2` and `my.coins -= 2`"),
    ("rules that pay", "say `needs my.coins >= 2` and `my.coins -= 2`"),
    ("`move … from …`", "name the things: `move first n of ZONE to …`, `move ZONE where … to …`"),
    ("attachments to costs and clocks", "write the cost as a `value` and modify that"),
    ("families with several parameters", "a member for each, in a `list` with a column for each attribute"),
    ("families over sets", "a family goes over numbers: `name(n: 1..6)`"),
    ("zones of one member's own", "declare the zone in the kind"),
    ("state of one space's or player's own", "declare the attribute in the kind"),
    ("looks of one member", "write `look KIND { … }` and ask which member it is"),
    ("cells with several marks", "a column for each mark"),
    ("scenarios that are built on one of several", "a scenario for each of them"),
    ("parts", "a scenario `with` another scenario"),
    ("patches", "a token on each of the spaces that the piece covers"),
    ("maps of patches", "a token on each of the spaces that the piece covers"),
    ("`order by`", "the order of play is said where it is played: `everyone from … in turn`"),
    ("lines without a length", "say how many spaces: `map Track line 12 by 1`"),
    (
        "maps as graphs",
        "a map of squares whose picture leaves spaces out, or an attribute that lists neighbours",
    ),
    ("pictures of lines and graphs", "say how many spaces there are: `line 12 by 1`"),
    ("`seen by … when`", "write the condition into a value: `seen by VALUE(it)`"),
    ("sorted zones", "choose by the attribute where the order matters: `least(c in ZONE: c.attr)`"),
    ("unlimited supplies", "a kind with many copies: `token Wood x60`"),
    ("`refill`", "a rule that shuffles the pile back when the deck is empty, called before each draw"),
    ("choices as parameters", "parameters of values and rules are types: `c: Card`; only actions choose"),
    ("`by` of a modification", "`when`, and what the condition asks of the value's parameters"),
    ("`once` of a `forbid`", "`when` with an attribute that says whether it still holds"),
    ("slots of players and spaces", "give it a body that asks which it is: `case this { … }`"),
    ("attachments of one player", "the same in `player { }`, with `when this == …`"),
    ("another title for a member", "the title where the member is declared"),
    ("parameters with a default", "give the argument in every call"),
    ("conditions on parameters of menus", "`needs` in the menu, or ask where it is offered"),
    ("values modified once", "`modify V += 1 when …` with an attribute that says whether it has been used"),
    ("conditions on parameters of values and rules", "`needs` in the rule, or ask where it is called"),
    ("state of a menu's own", "declare the attribute in `table { }` or `player { }`"),
    ("yes and no as parameters", "two actions, or a number `n: 0..1`"),
    ("fixed values of a kind", "give the attribute a default in the kind"),
    ("rules filled by a kind", "give the rule a body in the kind"),
    ("actions of spaces and players", "an action with a parameter: `action a(c: Cell) in MENU`"),
    ("an outcome that is not a name", "write a `value score(p: player): int = …` and name it"),
    ("asking whether a menu with parameters", "ask for the condition itself: `any(x in S: …)`"),
];

/// The finding for a form that the language has and nothing plays yet, with what to write instead.
pub fn not_played(span: Span, what: &str) -> Diagnostic {
    let d = Diagnostic::error(codes::LATER, span, format!("not yet in the engine: {what}"));
    match INSTEAD.iter().find(|(form, _)| what.starts_with(form)) {
        Some((_, advice)) => d.help(format!("write instead: {advice}")),
        None => d.help("there is no way to write it yet; a hook may work out what you need"),
    }
}

/// The finding for what may be said once and is said again.
pub fn said_twice(span: Span, what: &str) -> Diagnostic {
    let message = format!("`{what}` is said twice");
    Diagnostic::error(crate::codes::TWICE, span, message).help("say it once")
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
                format!("`{word}` is of a player: write `my.{word}`, or `p.{word}` of a player p")
            } else {
                format!("`{word}` is of a {name}: say of which one, as in `c.{word}`")
            });
        }
        None
    }

    /// Advice for a word that is called and cannot be.
    pub(super) fn hint_for_call(&self, word: &str) -> Option<String> {
        if matches!(word, "random" | "rand" | "randint" | "dice") {
            return Some("chance is `choose one of S by chance`, or `roll` of a die".into());
        }
        let kind = self.kind_with(word)?;
        let name = types::name(self.model(), kind);
        Some(format!("`{word}` belongs to a {name}: write it behind a dot, as in `c.{word}`"))
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
                format!("say whose: `my.{word}`, or `for p in players {{ p.{word} = … }}`")
            }
            _ => format!("these are several things: `for x in … {{ x.{word} = … }}`"),
        }
    }

    /// Advice for a word that stands where a menu is wanted.
    pub(super) fn hint_for_menu(&self, word: &str) -> Option<String> {
        let action = self.ix.things(word).iter().find_map(|t| match t {
            Thing::Action(a) => self.model().actions.get(a.index()),
            _ => None,
        })?;
        let menu = self.model().menus.get(action.menus.first()?.index())?;
        Some(format!("`{word}` is an action: offer its menu, `{}`", menu.name))
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
        (!zones.is_empty()).then(|| format!("name one of its zones: {}", zones.join(", ")))
    }

    /// The kind, of players first, that has an attribute, zone or value of that name.
    fn kind_with(&self, word: &str) -> Option<KindId> {
        (0..self.model().kinds.len()).map(|k| KindId(k as u32)).find(|k| self.ix.part(*k, word).is_some())
    }

    fn member_name(&self, m: MemberId) -> Option<&str> {
        self.model().members.get(m.index()).map(|m| &*m.name)
    }
}
