//! The findings of set-ups and starts (E065x): what `--scenario`, `--option` and the like can get wrong.
use houserule_text::{Code, CodeInfo};

macro_rules! codes {
    ($($name:ident $code:literal $title:literal: $text:literal, $wrong:literal => $right:literal;)*) => {
        $(#[doc = $title] pub const $name: Code = Code($code);)*
        /// Every code of set-ups, explained.
        pub const TABLE: &[CodeInfo] =
            &[$(CodeInfo { code: $name, title: $title, text: $text, wrong: $wrong, right: $right }),*];
    };
}

codes! {
    NO_SCENARIO "E0650" "An unknown scenario":
        "The scenario of a match is named by its word, as declared with `scenario`. A match can also begin without one.",
        "houserule play my-game --scenario smal" => "houserule play my-game --scenario small";
    NO_VARIANT "E0651" "An unknown variant":
        "A variant is switched on by its word, as declared with `variant`.",
        "houserule play my-game --variant stroms" => "houserule play my-game --variant storms";
    NO_OPTION "E0652" "An unknown option":
        "An option is named by its word, as declared with `option`.",
        "houserule play my-game --option levle=2" => "houserule play my-game --option level=2";
    OPTION_VALUE "E0653" "Not a value of this option":
        "An option takes the values of its declared type: yes or no, a number of its range, a word of its enum, a player, team or direction, a space, row or column, a face, or a component by its face; also `none` if its type has a `?`.",
        "option level \"Level\": 1..3 = 1\n\nhouserule play my-game --option level=7" => "option level \"Level\": 1..3 = 1\n\nhouserule play my-game --option level=3";
    PLAYER_COUNT "E0654" "Wrong number of players":
        "The `players` line of the game, or of the chosen scenario, says for how many players it is.",
        "game Rows \"Rows\" { players 2; outcome win }\n\nhouserule play rows --players 3" => "game Rows \"Rows\" { players 2; outcome win }\n\nhouserule play rows --players 2";
    NEEDS "E0655" "The set-up is not allowed":
        "The game, a scenario or a variant has a condition on the set-up (`needs`), and this set-up does not meet it. Choose another number of players, other options or other variants; or draw in the scenario what the reason asks for.",
        "needs count(players) == 2 else \"This is a game for two.\"\n\nhouserule play my-game --players 3" => "needs count(players) == 2 else \"This is a game for two.\"\n\nhouserule play my-game --players 2";
    NO_MOD "E0656" "An unknown mod":
        "A mod is named by its title, and its file must be loaded together with the game.",
        "houserule play hex --mod swap-rul" => "houserule play hex --mod swap-rule";
    PLAYER_NAME "E0657" "A name that cannot be used":
        "The names of players are part of saves and choices. So each name must be different, must not be empty, and must not contain brackets, commas, `#` or line ends.",
        "houserule play my-game --names Ann,Ann" => "houserule play my-game --names Ann,Bo";
    NOT_CONSTANT "E0658" "An option's value that is not known at set-up":
        "A test gives an option a value that can be calculated from options, variants and the number of players, but from nothing that changes in play.",
        "option pot \"Coins in the pot\": 0..40 = 10\n\ntest \"much\" { pot = count(Coin where it.at is some) }" => "option pot \"Coins in the pot\": 0..40 = 10\n\ntest \"much\" { pot = 40 }";
    RULE_FAULT "E0659" "A rule error":
        "During play, a rule did something that is impossible: a number left its range, a zone had no room, or a thing was needed where there is none. The finding shows the place in the rules and the calls that led there.",
        "player { coins: 0..9 = 9 }\nsetup { for p in players { p.coins += 1 } }" => "player { coins: 0..9 = 9 clamped }\nsetup { for p in players { p.coins += 1 } }";
    BROKEN_INVARIANT "E0663" "An invariant does not hold":
        "The condition of an `invariant` must hold between any two choices of every game. Either a rule is wrong, or the condition is too strict.",
        "player { coins: 0..9 = 5 }\ninvariant \"Nobody is poor.\" { every(p in players: p.coins > 5) }" => "player { coins: 0..9 = 5 }\ninvariant \"Nobody is poor.\" { every(p in players: p.coins >= 5) }";
    HANDED_ON "E0664" "A value that its option cannot have is handed on":
        "A row of `legacy` gives an option of the next game a value. It must be one of the values that the option may have.",
        "option lamps \"Lamps\": 0..9 = 2\nlegacy { lamps = lamps + gold }" => "option lamps \"Lamps\": 0..9 = 2\nlegacy { lamps = min([9, lamps + gold]) }";
    LEAK "E0666" "A seat can tell what it may not know":
        "In two games that differ only in what a seat may not know, that seat must get the same: view, questions, options, reasons, log and errors. Here something differs, and no rule has told it. `houserule leaks` looks for this.",
        "action peek() in go { if any(c in rival.hand: c.rank > 5) { choose yes or no \"Fold?\" } }" => "action peek() in go { show rival.hand to me }";
    ENDLESS_CAMPAIGN "E0665" "A campaign that does not end":
        "`houserule sim --campaign` plays at most so many games a campaign as `--longest` says. A row `next none when …` says when no game is next; it must hold some day, however the games end.",
        "legacy { level = min([9, level + 1]) }" => "legacy { level = min([9, level + 1]); next none when level == 9 }";
    GIVEN "E0661" "A given state that cannot be made":
        "A match can begin in a state that is written as `given { … }`: a block with the statements of a test, and nothing after it. The statements run before anybody is asked, and they must not fail.",
        "given { A1.stone = black } A2.stone = white" => "given { A1.stone = black; A2.stone = white }";
    BAD_SCRIPT "E0902" "A script that does not run":
        "The script of a hook must compile. It must have a function with the name of the hook and with as many parameters as the hook (perhaps `game` after them), and it must keep to the limits of docs/hooks.md.",
        "// hook worth(n: int): int from \"worth.rhai\"\nfn worth() { 1 }" => "// hook worth(n: int): int from \"worth.rhai\"\nfn worth(n) { n }";
    NOT_IN_FORCE "E0660" "Declared in a scenario or mod that is off":
        "A variant that is declared in a scenario or mod can only be switched on together with it.",
        "scenario sea \"Sea\" for Boats { variant storms \"Storms\" { } }\n\nhouserule play boats --variant storms" => "scenario sea \"Sea\" for Boats { variant storms \"Storms\" { } }\n\nhouserule play boats --scenario sea --variant storms";
}
