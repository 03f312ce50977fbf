//! What to write instead of what the checker accepts and the lowering does not support (E0990), by the beginning of the message.

/// Advice, by how the message goes on behind "not yet in the engine: ". What the writer cannot bring about has none.
const INSTEAD: &[(&str, &str)] = &[
    ("subsets as parameters where lines", "an action for one thing: `c: one of S`, which may be taken again"),
    (
        "actions in several menus that ask",
        "an action for each menu, or the menu's `needs` in the action itself",
    ),
    (
        "a set as a parameter that is not the last",
        "let the set stand last, or choose it in the effect: `choose any of S`",
    ),
    (
        "guards that look at all of",
        "say how many with `1..3 of S`, and which with `S where …`; or choose the set in the effect, and say `needs` of it there",
    ),
    ("`can` of a menu with parameters", "ask for the condition itself: `any(x in S: …)`"),
    (
        "a hole in a text that is worked out as a value",
        "let the text stand where it is told: in `say`, a reason, a title",
    ),
    ("fans on so large a map", "at most 1,024 spaces; elsewhere take single steps: `c step north`"),
    (
        "leaps on so large a map",
        "at most 1,024 spaces; elsewhere take single steps: `c step north step east`",
    ),
    (
        "whether anything lies in zones of a family",
        "name the index: `is_empty` of `piles[n]`, as in `any(n in 1..3: p.piles[n] is not empty)`",
    ),
    ("team", "a number of a team that the rules name, or of a player"),
    (
        "faces that hold sets or texts",
        "a word of an enum on each face, and what it stands for in the enum's columns",
    ),
    ("dice with more than", "fewer sides, or several dice"),
    ("a roll of a die whose sides", "say the faces in the kind: `die D { faces: 1..6 }`"),
    ("once per", "`once` alone, or an attribute that says whether it has been used"),
    ("values nested this deep", "a rule that works it out in steps: `let`, `for`, `give`"),
    ("an option that is not known at set-up", "give the option a value at the start"),
    ("a space that holds such things in no zone", "name the zone: `move c to A1.heap`"),
    ("spaces off any map", "`space KIND on MAP`, or a zone of the table for a place without neighbours"),
    ("a map of", "a smaller map"),
    ("lists on a member that are not written out", "write the things one by one: `path: [A1, B2]`"),
    (
        "zones of things that are no components",
        "an attribute: `stands: Cell?` of a thing, or `yes` and `no` on each space",
    ),
    (
        "zones of components of unlike kinds",
        "one kind above them: `card Item`, `card Sword is Item`, and a zone of `Item`",
    ),
    ("sets of components of unlike kinds", "one kind above them: `card Item`, `card Sword is Item`"),
    ("a zone of", "fewer places in the family, or less room in each: `up to n`"),
    ("this must be constant in a set-up", "say it with numbers, options and `count(players)`"),
    (
        "an order of more than 476 things",
        "take the first from a zone, or choose by a number: `least(c in S: c.n)`",
    ),
    ("a list of", "a shorter list, or `list of T` as an attribute of members, one for each"),
    ("more than 250 kinds", "fewer enums, kinds and ranges with different bounds"),
    ("a state of more than 32 MB", "fewer of what the message names"),
    ("parameters of", "hand over fewer sets, or sets of fewer things"),
    ("a program of more than", "fewer actions and rules that call one another in many places"),
    ("a value without a body", "give the value a body in its kind, or fill it in each member"),
    ("filtered lists of lists", "put the condition into the fold: `any(l in lines(4) where …: …)`"),
    ("`lines` outside", "go through them: `any(l in lines(3): every(c in l: P))`"),
    ("`rays` outside", "fold something of each: `union(r in rays(c): r)`, `any(r in rays(c): …)`"),
    ("hooks that call rules", "a hook that gives a number or a set, and a rule that does something with it"),
    ("swapping these", "two zones, or two things of one kind"),
    ("so many names from outside", "fewer `let`s before it, or attributes"),
    ("tests with this many names", "several tests"),
];

/// What to write instead.
pub fn advice(what: &str) -> String {
    match INSTEAD.iter().find(|(form, _)| what.starts_with(form)) {
        Some((_, advice)) => format!("write instead: {advice}"),
        // Of a number as of anything else that begins so.
        None if what.contains("components of one kind") => {
            "write instead: fewer of them, or a number: `wood: 0..99`".into()
        }
        None => "there is no way to write it yet; a hook may work out what you need".into(),
    }
}
