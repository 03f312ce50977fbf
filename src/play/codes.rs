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
    NO_SCENARIO "E0650" "No such scenario":
        "A match is set up on one of the game's scenarios, by its word, or on none.";
    NO_VARIANT "E0651" "No such variant":
        "A variant is switched on by its word as declared with `variant`.";
    NO_OPTION "E0652" "No such option":
        "An option is given by its word as declared with `option`.";
    OPTION_VALUE "E0653" "Not a value of this option":
        "An option takes what its declaration says: yes or no, a number of its range, a word of its enum, a player, team or direction, a space, row or column, a face, or a component by its face; `none` where its type has a `?`.";
    PLAYER_COUNT "E0654" "Wrong number of players":
        "The game, or the scenario chosen, says for how many players it is.";
    NEEDS "E0655" "The set-up is not allowed":
        "A game, scenario or variant can demand something of the set-up with `needs`; this one is not met.";
    NO_MOD "E0656" "No such mod":
        "A mod is named by its title, and its file must be loaded with the game.";
    PLAYER_NAME "E0657" "A name that cannot be used":
        "Names of players stand in saves and choices: each once, not empty, without brackets, commas, `#` and line ends.";
    NOT_CONSTANT "E0658" "A condition on the set-up that cannot be judged":
        "`needs` on a set-up may use options, variants and the number of players, nothing that changes in play.";
    RULE_FAULT "E0659" "The rules fail":
        "While the rules ran, something could not be done: a number left its range, a zone was too full, something was needed where there is none.";
    BROKEN_INVARIANT "E0663" "An invariant does not hold":
        "What an `invariant` says holds between any two choices of every game. Either a rule breaks it, or it says too much.";
    GIVEN "E0661" "A given state that cannot be made":
        "A match may begin in a state that is written as `given { … }`: a block with the statements of a test, and nothing behind it. Its statements are run before anybody is asked, and must not fail.";
    BAD_SCRIPT "E0902" "A script that does not run":
        "A hook's script must be one that can be compiled, hold the hook's function with as many parameters as the rules give (and perhaps `game` after them), and keep to the limits of docs/hooks.md.";
    NOT_IN_FORCE "E0660" "Declared in something that is off":
        "A variant that is declared in a scenario or mod can only be switched on together with it.";
}
