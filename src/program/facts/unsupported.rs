//! Advice for E0990: what to write in place of what the checker accepts and the engine does not support, by the begin of the message.

/// Advice, by the text after "not yet in the engine: ". Messages that no rule text can cause have none.
const INSTEAD: &[(&str, &str)] = &[
    ("subsets as parameters where lines", "an action for one thing, `c: one of S`, that can be taken again"),
    (
        "actions in several menus that ask",
        "an action for each menu, or `needs` in the action instead of the menu",
    ),
    (
        "a set as a parameter that is not the last",
        "the set as the last parameter; or choose it in the effect: `choose any of S`",
    ),
    ("`can` of a menu with parameters", "the condition itself: `any(x in S: …)`"),
    ("a hole in a text that is used as a value", "the text where it is shown: in `say`, a reason or a title"),
    ("fans on so large a map", "a map of at most 1,024 spaces; or single steps: `c step north`"),
    (
        "leaps on so large a map",
        "at most 1,024 spaces; elsewhere take single steps: `c step north step east`",
    ),
    (
        "whether anything lies in zones of a family",
        "a test for each index: `any(n in 1..3: p.piles[n] is not empty)`",
    ),
    ("team", "a number of a team that the rules name, or of a player"),
    (
        "faces that hold sets or texts",
        "a word of an enum on each face, with the sets or texts in the columns of the enum",
    ),
    ("dice with more than", "fewer sides, or several dice"),
    ("a roll of a die whose sides", "the faces in the kind: `die D { faces: 1..6 }`"),
    ("once per", "`once` alone, or an attribute that says whether it has been used"),
    ("values nested this deep", "a rule that calculates it in steps: `let`, `for`, `give`"),
    ("an option that is not known at set-up", "a default for the option"),
    ("a space that holds such things in no zone", "the name of the zone: `move c to A1.heap`"),
    ("spaces off any map", "`space KIND on MAP`, or a zone of the table for a place without neighbours"),
    ("lists on a member that are not written out", "the things one by one: `path: [A1, B2]`"),
    (
        "zones of things that are no components",
        "an attribute: `stands: Cell?` of a thing, or yes or no on each space",
    ),
    ("sets of components of unlike kinds", "a zone or a parameter for both: `zone stall: Card or Token`"),
    ("a zone of", "fewer places in the family, or less room in each: `up to n`"),
    ("this must be constant in a set-up", "only numbers, options and `count(players)`"),
    (
        "an order of more than 476 things",
        "the first of a zone, or a choice by a number: `least(c in S: c.n)`",
    ),
    ("a list of", "a shorter list, or `list of T` as an attribute of members, one for each"),
    ("more than 250 kinds", "fewer enums, kinds and ranges with different bounds"),
    ("a state of more than 32 MB", "fewer of what the message names"),
    ("parameters of", "fewer sets as arguments, or sets of fewer things"),
    ("a program of more than", "fewer actions and rules that call one another in many places"),
    ("a value without a body", "a body for the value in its kind; or fill it in each member"),
    ("filtered lists of lists", "the condition in the fold: `any(l in lines(4) where …: …)`"),
    ("`lines` outside", "a fold: `any(l in lines(3): every(c in l: P))`"),
    ("`rays` outside", "a fold: `union(r in rays(c): r)`, `any(r in rays(c): …)`"),
    ("hooks that call rules", "a hook that gives a number or a set, and a rule that does something with it"),
    ("swapping these", "two zones, or two things of one kind"),
    ("a name whose value is not kept", "in place of the name, the expression that it stands for"),
    ("so many names from outside", "fewer `let`s before it, or attributes"),
    ("tests with this many names", "several tests"),
];

/// The advice for a message.
pub fn advice(what: &str) -> String {
    match INSTEAD.iter().find(|(form, _)| what.starts_with(form)) {
        Some((_, advice)) => format!("write instead: {advice}"),
        // The same for numbers and other things.
        None if what.contains("components of one kind") => {
            "write instead: fewer of them, or a number: `wood: 0..99`".into()
        }
        None => "there is no other way to write it yet; a hook can perhaps calculate it".into(),
    }
}
