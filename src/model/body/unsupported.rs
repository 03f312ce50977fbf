//! Makes the finding for a construct that the language has and the engine cannot play yet, with what to write instead.
use super::codes;
use houserule_text::{Diagnostic, Span};

/// What is written instead of forms that nothing plays yet, by the beginning of their name in the finding.
const INSTEAD: &[(&str, &str)] = &[
    ("bags", "an attribute of a kind, a player or the table: `goods: bag of Good`"),
    ("one of several costs", "an action for each way to pay, each with its `needs`"),
    ("costs", "`needs my.coins >= 2` and `my.coins -= 2`"),
    ("`move … from …`", "name the things: `move first n of ZONE to …`, `move ZONE where … to …`"),
    ("attachments to costs and clocks", "write the cost as a `value` and modify that"),
    ("families with several parameters", "a member for each, in a `list` with a column for each attribute"),
    ("families over sets", "a family over numbers: `name(n: 1..6)`"),
    ("zones of one member's own", "declare the zone in the kind"),
    ("state of one space's or player's own", "declare the attribute in the kind"),
    ("looks of one member", "`look KIND { … }`, with a test which member it is"),
    ("cells with several marks", "a column for each mark"),
    ("lines without a length", "how many spaces there are: `map Track line 12 by 1`"),
    ("pictures of lines", "how many spaces there are: `line 12 by 1`"),
    ("`seen by … when`", "write the condition into a value: `seen by VALUE(it)`"),
    ("sorted zones", "choose by the attribute where the order matters: `least(c in ZONE: c.attr)`"),
    (
        "several things of a zone with `refill`, unless `move` draws them",
        "`repeat n times { … first of ZONE … }`",
    ),
    ("parameters of this type", "what it is one of: `x: one of ZONE`, `c: Card`, `n: 1..3`"),
    ("choices as parameters", "a type: `c: Card`; only parameters of actions can be choices"),
    ("`by` of a modification", "`when`, with a condition on the value's parameters"),
    ("`once` of a `forbid`", "`when` with an attribute that says whether it still holds"),
    ("slots of players and spaces", "a body that tests which thing it is: `case this { … }`"),
    ("attachments of one player", "the same in `player { }`, with `when this == …`"),
    ("another title for a member", "the title where the member is declared"),
    ("parameters with a default", "give the argument in every call"),
    ("conditions on parameters of menus", "`needs` in the menu, or a condition where it is offered"),
    ("values modified once", "`modify V += 1 when …` with an attribute that says whether it has been used"),
    (
        "conditions on parameters of values and rules",
        "`needs` in the rule, or a condition where it is called",
    ),
    ("state of a menu's own", "declare the attribute in `table { }` or `player { }`"),
    ("yes and no as parameters", "two actions, or a number `n: 0..1`"),
    ("fixed values of a kind", "give the attribute a default in the kind"),
    ("rules filled by a kind", "give the rule a body in the kind"),
    ("what a kind fills whose components have no members", "a member: `token Coin`, `Coin penny x10`"),
    ("actions of spaces and players", "an action with a parameter: `action a(c: Cell) in MENU`"),
    ("an outcome that is not a name", "write a `value score(p: player): int = …` and name it"),
    ("asking whether a menu with parameters", "the condition itself: `any(x in S: …)`"),
];

/// The finding for a form that the language has and nothing plays yet, with what to write instead.
pub fn not_played(span: Span, what: &str) -> Diagnostic {
    let d = Diagnostic::error(codes::LATER, span, format!("not yet in the engine: {what}"));
    match INSTEAD.iter().find(|(form, _)| what.starts_with(form)) {
        Some((_, advice)) => d.help(format!("write instead: {advice}")),
        None => d.help("there is no other way to write it yet; a hook can perhaps calculate it"),
    }
}
