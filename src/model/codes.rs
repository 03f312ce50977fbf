//! The findings of declarations: names (E02xx), set-ups, maps and components (E06xx), limits (E09xx).
use houserule_text::{Code, CodeInfo};

macro_rules! codes {
    ($($name:ident $code:literal $title:literal: $text:literal, $wrong:literal => $right:literal;)*) => {
        $(#[doc = $title] pub const $name: Code = Code($code);)*
        /// Every code of declarations, explained.
        pub const TABLE: &[CodeInfo] =
            &[$(CodeInfo { code: $name, title: $title, text: $text, wrong: $wrong, right: $right }),*];
    };
}

codes! {
    NO_GAME "E0201" "No game":
        "A game's files begin with one `game` line: its name, who plays, what decides.",
        "map Board squares 3 by 3" => "game Rows \"Rows\" { players 2; outcome win }";
    TWICE "E0202" "Declared twice":
        "Two declarations of the same sort have the same name. Rules would not know which is meant.",
        "value n: int = 1\nvalue n: int = 2" => "value n: int = 1\nvalue m: int = 2";
    TWO_GAMES "E0203" "Two games":
        "A folder holds one game. Put the other one into a folder of its own.",
        "game A \"A\" { players 2 }\ngame B \"B\" { players 2 }" => "game A \"A\" { players 2 }";
    UNKNOWN_KIND "E0204" "No such kind":
        "Kinds, enums and maps' spaces are declared with `card`, `token`, `piece`, `die`, `enum` and `space`.",
        "table { zone deck: Crad }" => "table { zone deck: Card }";
    UNKNOWN_MENU "E0205" "No such menu":
        "An action stands in menus, which are declared with `menu`.",
        "action go() in mvoe { }" => "action go() in move { }";
    UNKNOWN_ATTR "E0206" "No such attribute or slot":
        "A member can give values to attributes, and fill values and rules, that its kind declares.",
        "Card fool { rnak: 1 }" => "Card fool { rank: 1 }";
    UNKNOWN_MAP "E0207" "No such map":
        "`space K on M` names a map that is declared with `map`.",
        "space Cell on Baord { }" => "space Cell on Board { }";
    UNKNOWN_OPTION "E0208" "No such option":
        "A scenario gives values to options, which are declared with `option`.",
        "levle = 2" => "level = 2";
    UNKNOWN_PLAYER "E0209" "No such player":
        "`player n { … }` gives values to a player that the game's `players` line names.",
        "player withe { }" => "player white { }";
    UNKNOWN_REMOVED "E0210" "Nothing of that name to remove":
        "A mod removes members and actions of its game.",
        "remove shiled" => "remove shield";
    BUILT_IN "E0211" "A built-in name":
        "This word is built in and cannot be declared again.",
        "enum Direction { up, down }" => "enum Way { up, down }";
    CYCLE "E0212" "A kind that is itself":
        "Following `is` from this kind leads back to it.",
        "card A is B { }\ncard B is A { }" => "card A { }\ncard B is A { }";
    OTHER_GAME "E0213" "For another game":
        "A scenario, part or mod says for which game it is, and these are not that game's files.",
        "mod \"Slow\" for Another { }" => "";
    RULE_NUMBERS "E0220" "Numbers of rules that are none":
        "`numbered` names the first and the last number of a checklist: the same letters, then as many digits, the lower number first; at most 10000 rules.",
        "numbered F01..G20" => "numbered F01..F20";
    NOT_NUMBERED "E0221" "No such number":
        "`not played` says of numbered rules why no test names them. The numbers are declared with `numbered`.",
        "numbered F1..F9\nnot played F10: \"advice\"" => "numbered F1..F9\nnot played F9: \"advice\"";
    BAD_RANGE "E0601" "A range that is none":
        "The bounds of a range are whole numbers, the least first.",
        "player { coins: 9..0 = 1 }" => "player { coins: 0..9 = 1 }";
    PLAYERS "E0602" "How many players":
        "A game is for 1 to 16 players: `players 2`, `players 2..4`, or their names.",
        "game A \"A\" { players 0 }" => "game A \"A\" { players 2 }";
    MAP_SIZE "E0603" "A map of that size":
        "A map has 1 to 100 columns and rows, and at most 4096 spaces.",
        "map Board squares 0 by 3" => "map Board squares 3 by 3";
    MAP_WITHOUT_SPACES "E0604" "A map without spaces":
        "`space K on M` says what every space of a map has.",
        "map Board squares 3 by 3" => "map Board squares 3 by 3\nspace Cell on Board { }";
    MISSING_VALUE "E0605" "A member without a value":
        "An attribute without a default must be given by every member of its kind, a value without a body filled.",
        "card Card { rank: 1..9 }\nCard fool" => "card Card { rank: 1..9 }\nCard fool { rank: 1 }";
    CELLS "E0606" "More cells than columns":
        "A row of a list has at most one cell for each column.",
        "list Card | rank { fool | 1 | 2 }" => "list Card | rank { fool | 1 }";
    SECOND_ROUND "E0607" "Two rounds":
        "A game has one `round`.",
        "round { }\nround { }" => "round { }";
    OPTION_TYPE "E0609" "A type that no option can have":
        "An option is chosen with a word before anything lies anywhere: yes or no, a number, a word of an enum, a player, team or direction, a space, row or column of a board with a size, a face, or a component of which there is one each; with `?` perhaps none. One of several alike, a set, a text or a phase cannot be chosen so.",
        "card Card { }\nCard idol x2\noption relic \"Relic\": Card = idol" => "card Card { }\nCard idol x2\noption relic \"Relic\": face of Card = idol";
    TOO_MANY "E0911" "Too many of a sort":
        "A game may have 1000 files, 1000 kinds and enums, 10000 members of them, 2000 attributes, 1000 zones, 200 maps, 5000 values, 5000 rules and phases, 1000 menus, 2000 actions, 2000 attachments, 250 hooks, 500 options, 500 variants, scenarios, parts and mods together, 1000 `setup` blocks, 1000 endings, invariants and conditions on the set-up, and 5000 tests.",
        "" => "";
    CALLS_DEEP "E0912" "Calls that go too deep":
        "Values and rules may call each other 200 deep.",
        "" => "";
    NO_SCRIPT "E0901" "No such script":
        "A hook's script lies beside the rules, or in a folder `hooks` there.",
        "hook f(): int from \"none.rhai\"" => "";
    SIGN "E0610" "A sign that says nothing":
        "A legend says what each sign of a map's pictures puts on a space: a component, the first thing of a zone, a word or number for an attribute, or `attribute: value`. `.` is no space. A picture shows no more components than the box holds.",
        "map Board squares \"\"\"\n  x\n\"\"\"\nspace Cell on Board { }" => "map Board squares \"\"\"\n  x\n\"\"\"\nspace Cell on Board { }\nlegend Board { x: }";
    MISPLACED "E0608" "A declaration in the wrong place":
        "This declaration makes no sense where it stands, such as a `game` inside a variant.",
        "variant v \"V\" { game A \"A\" { players 2 } }" => "";
    UNKNOWN_SCENARIO "E0214" "No such scenario":
        "A test stands on a scenario of its game, or, without `on`, on the bare game.",
        "test \"t\" on practise { }" => "test \"t\" on practice { }";
    UNKNOWN_LOOK "E0215" "Nothing of that name in a look":
        "A look draws `fill`, `edge`, `ring`, `shape`, `size`, `icon`, `title`, `text`, `corner` and `badge`, and `back { … }`.",
        "look Card { colour: \"#ffffff\" }" => "look Card { fill: \"#ffffff\" }";
    ANSWERED "E0612" "Who answers for a player":
        "A player beside those of the seats is answered by nobody, by all `seats`, or by some of them, by their numbers. A game's own players have names, and `answered by` gives for each who plays the number of its seat; each seat answers for one at least.",
        "variant more \"More\" { player third \"Third\" answered by somebody }" => "variant more \"More\" { player third \"Third\" answered by seats }";
    LINES "E0613" "A score or ranking of something else":
        "A score or ranking has lines for each player or for each team: `score total(p: player) { … }`, `ranking final(t: team) { … }`. Said again, it adds lines for the same. A line has a title without holes, and is a number, or a text that counts for nothing.",
        "score total() { coins \"Coins\": 1 }" => "score total(p: player) { coins \"Coins\": p.coins }";
    HOLES "E0614" "A hole in a text that is always the same":
        "Titles of games, options, scenarios, phases, kinds, lines of a score, invariants and tests, and what a test looks for in a text, are the same in every game: they have no holes.",
        "phase dusk() \"Dusk of {round}\" { }" => "phase dusk() \"Dusk\" { }";
    WIN_OF_ALL "E0680" "A win for all where one is to win":
        "`win when C` at the top is about all players: all win. That makes sense with `outcome together` and `outcome each`, and for one player alone.",
        "game Race \"Race\" { players 2; outcome highest steps }\nplayer { steps: 0..9 = 0 }\nwin when any(p in players: p.steps == 9)" => "game Race \"Race\" { players 2; outcome highest steps; ends when any(p in players: p.steps == 9) }\nplayer { steps: 0..9 = 0 }";
    UNUSED_VALUE "W0001" "A value that nothing uses":
        "Nothing reads this value: no rule, other value, test or card.",
        "value n: int = 1" => "";
    UNUSED_RULE "W0002" "A rule that nothing calls":
        "Nothing runs this rule or phase.",
        "rule never() { }" => "";
    UNUSED_MENU "W0003" "A menu that is never on offer":
        "No `offer` names this menu, so its actions can never be taken.",
        "menu never" => "";
    EMPTY_MENU "W0004" "A menu without actions":
        "No action stands in this menu, so there is never anything to choose.",
        "menu move" => "";
    UNUSED_ATTR "W0005" "An attribute that nothing reads":
        "Nothing looks at this attribute.",
        "player { spare: int = 0 }" => "";
    UNUSED_ZONE "W0006" "A zone that nothing names":
        "No rule moves anything to or from this zone, and nothing looks at it.",
        "table { zone spare: Card }" => "";
    UNUSED_OPTION "W0007" "An option that changes nothing":
        "Nothing reads this option.",
        "option level \"Level\": 1..3 = 1" => "";
    NO_FIRST_SCENARIO "W0008" "No scenario is the first":
        "Only scenarios draw this game's map, there are several, and the header does not say which is played unless another is named.",
        "game A \"A\" { players 2; outcome win }" => "game A \"A\" { players 2; outcome win; begins on small }";
    MOD_IN_GAME "W0009" "A mod in the game's own file":
        "A mod in the file of its game is always in force when the game is played, and in no test outside of the mod. It belongs in a file in another folder, such as `rules/mods`, and `--mod` names it. What the game itself switches on and off is a variant.",
        "game A \"A\" { players 2; outcome win }\nmod \"M\" for A { }" => "game A \"A\" { players 2; outcome win }\nvariant m \"M\" { }";
}
