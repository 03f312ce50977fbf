//! The findings of set-ups and starts (E065x): what `--scenario`, `--option` and the like can get wrong.
use houserule_text::{Code, CodeInfo};

macro_rules! codes {
    ($($name:ident $code:literal $title:literal: $text:literal;)*) => {
        $(#[doc = $title] pub const $name: Code = Code($code);)*
        /// Every code of set-ups, explained.
        pub const TABLE: &[CodeInfo] =
            &[$(CodeInfo { code: $name, title: $title, text: $text, wrong: "", right: "" }),*];
    };
}

codes! {
    NO_SCENARIO "E0650" "An unknown scenario":
        "The scenario of a match is named by its word, as declared with `scenario`. A match can also begin without one.";
    NO_VARIANT "E0651" "An unknown variant":
        "A variant is switched on by its word, as declared with `variant`.";
    NO_OPTION "E0652" "An unknown option":
        "An option is named by its word, as declared with `option`.";
    OPTION_VALUE "E0653" "Not a value of this option":
        "An option takes the values of its declared type: yes or no, a number of its range, a word of its enum, a player, team or direction, a space, row or column, a face, or a component by its face; also `none` if its type has a `?`.";
    PLAYER_COUNT "E0654" "Wrong number of players":
        "The `players` line of the game, or of the chosen scenario, says for how many players it is.";
    NEEDS "E0655" "The set-up is not allowed":
        "The game, a scenario or a variant has a condition on the set-up (`needs`), and this set-up does not meet it. Choose another number of players, other options or other variants.";
    NO_MOD "E0656" "An unknown mod":
        "A mod is named by its title, and its file must be loaded together with the game.";
    PLAYER_NAME "E0657" "A name that cannot be used":
        "The names of players are part of saves and choices. So each name must be different, must not be empty, and must not contain brackets, commas, `#` or line ends.";
    NOT_CONSTANT "E0658" "A condition on the set-up that cannot be tested":
        "`needs` on a set-up can use options, variants and the number of players, but nothing that changes in play.";
    RULE_FAULT "E0659" "A rule error":
        "During play, a rule did something that is impossible: a number left its range, a zone had no room, or a thing was needed where there is none. The finding shows the place in the rules and the calls that led there.";
    BROKEN_INVARIANT "E0663" "An invariant does not hold":
        "The condition of an `invariant` must hold between any two choices of every game. Either a rule is wrong, or the condition is too strict.";
    GIVEN "E0661" "A given state that cannot be made":
        "A match can begin in a state that is written as `given { … }`: a block with the statements of a test, and nothing after it. The statements run before anybody is asked, and they must not fail.";
    BAD_SCRIPT "E0902" "A script that does not run":
        "The script of a hook must compile. It must have a function with the name of the hook and with as many parameters as the hook (perhaps `game` after them), and it must keep to the limits of docs/hooks.md.";
    NOT_IN_FORCE "E0660" "Declared in a scenario or mod that is off":
        "A variant that is declared in a scenario or mod can only be switched on together with it.";
}
