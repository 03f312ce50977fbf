//! The findings of this room: names in bodies (E025x–E027x), types (E03xx), none and ranges (E04xx), guards, purity and secrets (E05xx), attachments
//! (E07xx), tests (E08xx), and warnings.
use houserule_text::{Code, CodeInfo};

macro_rules! codes {
    ($($name:ident $code:literal $title:literal: $text:literal, $wrong:literal => $right:literal;)*) => {
        $(#[doc = $title] pub const $name: Code = Code($code);)*
        /// Every code of this room, explained.
        pub const TABLE: &[CodeInfo] =
            &[$(CodeInfo { code: $name, title: $title, text: $text, wrong: $wrong, right: $right }),*];
    };
}

codes! {
    LATER "E0190" "Not yet in the engine":
        "The language has this form, but the engine does not play it yet.",
        "pay 1 wood" => "";
    NO_NAME "E0250" "A name that is nothing here":
        "No local, attribute, zone, value, member, space or built-in word has this name where it stands. Bare attributes are known inside their own kind and behind `where`.",
        "setup { for c in Cell { c.mark = crossses } }" => "setup { for c in Cell { c.mark = crosses } }";
    NO_PART "E0251" "No such attribute":
        "Behind the dot stands something that the thing before it does not have. Attributes, zones and values are declared in the thing's kind.",
        "value n(c: Cell): bool = c.marc is some" => "value n(c: Cell): bool = c.mark is some";
    NO_KIND "E0252" "No such kind":
        "No kind, enum or map's space has this name.",
        "value n(): int = count(faces(Crad))" => "value n(): int = count(faces(Card))";
    NO_CALL "E0253" "Nothing of that name can be called":
        "No value, rule, hook, family or built-in has this name.",
        "value n(c: Cell): int = count(neighbors(c))" => "value n(c: Cell): int = count(neighbours(c))";
    NO_ARG "E0254" "No such parameter":
        "An argument is given by a name that is no parameter of what is called.",
        "reachable(from: c, stps: 2)" => "reachable(from: c, steps: 2)";
    NO_MENU_NAMED "E0255" "No such menu":
        "`offer`, `can` and `in` name menus.",
        "round { everyone in turn { offer mvoe } }" => "round { everyone in turn { offer move } }";
    NO_FOLD "E0256" "No such fold":
        "Only the folds go through a set with `x in S`: sum, count, min, max, any, every, no, union, collect, least, most.",
        "all(c in Cell: c.mark is some)" => "every(c in Cell: c.mark is some)";
    NO_SUCH_SPACE "E0257" "A space that is not on the map":
        "The map has no such space, row or column.",
        "J9.mark = none" => "C3.mark = none";
    AMBIGUOUS "E0258" "A word that may mean several things":
        "The word stands for members of several kinds, and nothing where it stands tells which is meant.",
        "" => "";
    NO_ME "E0259" "Nobody acts here":
        "`me` is who acts: in actions, `everyone`, `as`, and the rules that they call. A value, the set-up and the round itself have no `me`; a value is told by a parameter.",
        "value mine(): int = count(c in Cell: c.mark == me)" => "value mine(p: player): int = count(c in Cell: c.mark == p)";
    NO_IT "E0260" "`it` without a filter":
        "`it` is the candidate of a filter, behind `where`, `is` and wherever a filter is expected.",
        "value n(): bool = it.mark is some" => "value n(c: Cell): bool = c.mark is some";
    NO_THIS "E0261" "`this` or `owner` outside of a component":
        "`this` is the component or space in whose kind or member the words stand, and `owner` who holds it.",
        "value n(): bool = this is some" => "";
    NO_USUAL "E0262" "`usual` outside of a modification":
        "`usual` is the value below a modification, in `modify V = …`.",
        "value n(): int = usual" => "";
    NOT_A_VALUE "E0263" "Something that cannot be looked at":
        "A rule, hook, menu or action stands where a value is expected.",
        "" => "";
    NOT_CALLED "E0264" "Something that cannot be called":
        "Brackets call values, rules, hooks, families and built-ins.",
        "" => "";
    WHICH_OF_FAMILY "E0265" "Which of a family?":
        "A family of members or zones is called with its key: `number(7)`, `decks[d]`.",
        "" => "";
    NO_MENU "E0266" "`no action` outside of a menu":
        "`no action` stands in the entries of a menu: nothing is on offer.",
        "value stuck(): bool = no action" => "";
    NO_PHASE "E0267" "No such phase":
        "`during`, `end`, `until end of` and `start at` name phases.",
        "" => "";
    NO_COMPONENTS "E0268" "The box of a game without components":
        "The box holds the components that are not in play, and this game declares none.",
        "" => "";
    NO_MAP "E0269" "A word about maps in a game without one":
        "Neighbours, lines, rows, rays, distances … need a map.",
        "" => "map Board squares 3 by 3";
    NO_OPPONENT "E0270" "`opponent` with more than two players":
        "`opponent` is the other one of two. `others` are all the other players.",
        "" => "";
    WRONG_TYPE "E0301" "The wrong sort of thing":
        "Something else is expected here: the finding says what stands here and what must.",
        "" => "";
    NOT_A_CONDITION "E0302" "No condition":
        "A condition is yes or no. Ask `is some`, `is not empty`, or compare.",
        "if count(players) { }" => "if count(players) > 2 { }";
    NOT_A_NUMBER "E0303" "No number":
        "Only numbers are added, multiplied and compared by size.",
        "" => "";
    NOT_A_SET "E0304" "No set or list":
        "Folds, `for`, `in` and `where` go through sets and lists.",
        "" => "";
    NOT_A_SPACE "E0305" "No space":
        "Words about the map are asked of spaces.",
        "" => "";
    NOT_A_PLACE "E0306" "No place":
        "Things are moved to zones, slots, spaces or the box.",
        "" => "";
    NOT_A_LIST "E0307" "No list":
        "An index picks from a list, from 1, or from a family of zones.",
        "" => "";
    NOT_A_FILTER "E0308" "A filter that says nothing about its candidate":
        "The leaf of a filter must say something about the candidate: a truth, a number for dice and numbers, a word that fills one of its attributes, a face.",
        "" => "";
    INCOMPARABLE "E0309" "Two sorts that are never equal":
        "Things of different kinds are never the same.",
        "value odd_one(c: Cell, p: player): bool = c == p" => "value odd_one(c: Cell, p: player): bool = c.mark == p";
    MIXED "E0310" "Things of different sorts together":
        "The members of a set, the two sides of `if` and `default`, and the branches of a `case` are of one sort.",
        "" => "";
    MISSING_ARG "E0311" "An argument is missing":
        "What is called needs one more argument.",
        "" => "";
    TOO_MANY_ARGS "E0312" "Too many arguments":
        "What is called has fewer parameters.",
        "" => "";
    ARG_TWICE "E0313" "An argument given twice":
        "Each parameter is given once.",
        "" => "";
    WRONG_FORM "E0314" "Not in this form":
        "The words are known, but not put together like this.",
        "" => "";
    CASE_OPEN "E0315" "A `case` that leaves something open":
        "Without `else` a `case` must name every word of an enum or every number of a range.",
        "" => "";
    CANNOT_ASSIGN "E0316" "Something that cannot be set":
        "`=` sets names of `let` and attributes. Places change by `move`, values by `modify`, options at set-up.",
        "" => "";
    GIVES_NOTHING "E0317" "A rule that gives nothing":
        "A rule without a type gives nothing that could be used.",
        "" => "";
    NEVER_NONE_SET "E0318" "A set is never none":
        "A set may be empty: `is empty`, `is not empty`.",
        "value n(c: Cell): bool = neighbours(c) is some" => "value n(c: Cell): bool = neighbours(c) is not empty";
    NOT_MOVABLE "E0319" "No component":
        "Only components are moved, discarded, shown, flipped, swapped and rolled.",
        "" => "";
    STANDING "E0325" "Where players stand":
        "`player { at: Cell }` says on which spaces players stand; `at: Cell?` that they may stand nowhere. `move p to …` changes it, and nothing else does.",
        "player { coins: 0..9 = 0 }\naction go(c: Cell) in menu { move me to c }" => "player { at: Cell }\naction go(c: Cell) in menu { move me to c }";
    NO_GIVE "E0320" "Nothing is to be given here":
        "Only a rule or phase with a type gives something.",
        "" => "";
    MISSING_GIVE "E0321" "A rule that may end without giving":
        "Every way through a rule with a type ends in `give`.",
        "rule pick(): int { if round > 1 { give 1 } }" => "rule pick(): int { if round > 1 { give 1 } else { give 0 } }";
    NOT_HELD "E0322" "A zone for other things":
        "A zone holds things of the kinds that it names.",
        "" => "";
    NO_DISCARD "E0323" "Discarded to where?":
        "`discard` needs `discards to …` in the component's kind.",
        "" => "";
    NO_EFFECT "E0324" "A statement that does nothing":
        "A value only looks. A statement changes something, asks, calls a rule or names a value.",
        "" => "";
    MAY_BE_NONE "E0401" "None is not handled":
        "A value, guard or filter must say what happens when there is nothing: ask `is some` first, or say `default`. In a statement of a rule none ends that statement.",
        "value n(p: player): int = p.hand.rank" => "value n(p: player): int = p.hand.rank default 0";
    IS_NONE "E0402" "None where a thing is needed":
        "This is always none.",
        "" => "";
    OUTSIDE "E0403" "Outside of the range":
        "The number can never be in the range that is declared.",
        "p.stake = 9" => "p.stake = 2";
    TOO_LARGE "E0404" "A number that is too large":
        "Numbers go from -2147483648 to 2147483647.",
        "" => "";
    BY_ZERO "E0405" "Divided by zero":
        "Nothing can be divided by zero.",
        "value n(): int = 1 / 0" => "";
    ACTS_IN_PURE "E0501" "A value, guard or filter that acts":
        "Values, guards and filters only look: they cannot call rules, ask, roll or change anything.",
        "value n(): int = roll(Dice)" => "";
    HIDDEN_IN_GUARD "E0502" "A guard that looks at what is hidden":
        "A menu that depends on hidden cards would tell the player what they are. A guard may read `my` own hidden things and how many things lie anywhere, but not what another player's hidden things are. The same is true of prompts, of how many may be chosen, and of whether a rule asks somebody and whom. Read only what the acting player sees, or move the test into the action's effect.",
        "needs any(c in opponent.hand: c.rank > 3)" => "needs count(opponent.hand) > 3";
    HOOK_IN_GUARD "E0503" "A hook in a guard":
        "Hooks are no part of guards, filters and what is offered.",
        "" => "";
    LATE_GUARD "E0504" "A guard behind the first effect":
        "In an action, `let` and `needs` stand before the first effect, so that options are found without undoing anything.",
        "action a() in m { x = 1; needs y > 0 }" => "action a() in m { needs y > 0; x = 1 }";
    ALL_PASS "E0506" "Turns in which nobody can pass":
        "`until all pass` ends when each, one after the other, has taken no action from the menus that stand in the block; menus in rules called from it do not count.",
        "everyone in turn until all pass { bid() }" => "everyone in turn until all pass { offer bidding }";
    TRIED "E0507" "An effect that cannot be tried":
        "`must leave` tries an action's effect, up to its first question, while options are looked for, and undoes it. What chance will bring is not known then.",
        "action go(n: 1..3) in move { must leave my.coins < 5; roll dice }" => "action go(n: 1..3) in move { needs my.coins < 5; roll dice }";
    SECRET_KEPT "E0505" "A secret kept over a question":
        "A name, a parameter or the rest of a loop that was worked out from what some player may not know is still used after a question. Who guesses at what is hidden, as bots do, puts other faces in the place of hidden ones, and could not put another value in the place of this. Work it out again behind the question, or keep the things themselves by name: which they are tells nothing. Blocks of tests may keep it: nobody plays from within a test.",
        "let top = sum(c in p.hand: c.rank)\nlet x = choose one of players \"Who?\"\nif top > 3 { x.coins += 1 }" => "let x = choose one of players \"Who?\"\nif sum(c in p.hand: c.rank) > 3 { x.coins += 1 }";
    NO_TARGET "E0701" "Nothing of that name to attach to":
        "Attachments name a value, rule, phase, action, menu, `setup` or an effect word.",
        "" => "";
    WRONG_TARGET "E0702" "It cannot be attached so":
        "`modify` changes values; `before`, `after`, `instead of` and `forbid` stand round rules, phases, actions and menus.",
        "" => "";
    TOO_MANY_PATTERNS "E0703" "More patterns than parameters":
        "There is one pattern for each parameter of what is attached to.",
        "" => "";
    NOT_IN_LAYER "E0704" "Not in a layer":
        "`until … { }` holds what can be taken back: attachments, moves and `x = …`.",
        "" => "";
    NO_PROCEED "E0705" "`proceed` without `instead of`":
        "`proceed` goes on with what is replaced.",
        "" => "";
    TEST_STEP "E0802" "A test's step outside of a test":
        "`expect`, `refuse`, `start at` … stand in `test` blocks.",
        "" => "";
    SHADOWED "W0201" "A name that hides another":
        "The inner name is meant from here on. Give one of them another name.",
        "" => "";
    UNUSED "W0202" "A name that is never used":
        "The name is bound and never used.",
        "" => "";
    UNREACHABLE "W0203" "Nothing comes as far as this":
        "What stands before always ends the rule or the game.",
        "" => "";
    ALWAYS "W0301" "Always the same":
        "By types and ranges this is always yes, or always no.",
        "" => "";
    NEVER_NONE "W0302" "A default that is never used":
        "What stands before `default` is never none.",
        "" => "";
    EMPTY_RANGE "W0303" "A range without numbers":
        "Its end lies before its beginning.",
        "" => "";
    TWICE "W0304" "Twice in a set":
        "A set holds each thing once.",
        "" => "";
    UNORDERED "W0305" "An order asked of a set that has none":
        "`first`, `last`, an index and `run` ask for an order. Zones, players, words, numbers and lists have one.",
        "" => "";
    ENDLESS "W0306" "A repetition without an end":
        "Nothing that is done inside can make the condition come true.",
        "" => "";
    TURNS_IN_A_TURN "W0380" "Turns within a turn":
        "`everyone in turn` and `everyone in any order` give each a turn. Within somebody's turn that begins turns of its own: what is `per turn` is set back, `once per turn` may be done again, and layers until the end of the turn end.",
        "" => "";
    RUNS_DRY "W0381" "A menu that may run dry":
        "The rounds go on for ever, and nothing is said of what happens when nobody can do anything: a game that comes there ends in a rule error.",
        "" => "";
    COUNTS_EACH "W0385" "A count of numbers that all have":
        "`count(S.attr)` of numbers counts each thing of S, also where two have the same number. How many different numbers there are is `count(collect(x in S: x.attr))`.",
        "" => "";
    ADDED_ONCE "W0386" "A sum that takes equal numbers once":
        "A set holds each number once, and `collect` gives a set. `sum(x in S: x.attr)` adds what each thing has.",
        "" => "";
    ASKED_NOBODY "W0382" "A question to nobody":
        "For a player that is `answered by nobody` nobody is asked: a choice is none or empty, `may` is no, a menu is passed over.",
        "" => "";
    OWN_MENU "W0383" "An action that opens its own menu":
        "A menu with `done` is asked again until done is taken. An action that offers it once more opens it within itself: `done` has to be taken once for each, and at some depth that is a rule error.",
        "" => "";
    TWO_SETS "W0701" "Two modifications without an order":
        "Two `modify … =` of one value may be in force at once, and neither comes first: the newest wins.",
        "" => "";
}
