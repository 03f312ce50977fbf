//! The codes of findings about declarations: names (E02xx), set-ups, maps and components (E06xx), limits (E09xx).
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
        "The files of a game need one `game` declaration: its name, its title, who plays, and what decides the outcome.",
        "map Board squares 3 by 3\nspace Cell on Board { }" => "game Rows \"Rows\" { players 2; outcome win }\nmap Board squares 3 by 3\nspace Cell on Board { }";
    TWICE "E0202" "Declared twice":
        "Two declarations of the same sort have the same name, so rules could not tell them apart. Rename one of them.",
        "value n: int = 1\nvalue n: int = 2" => "value n: int = 1\nvalue m: int = 2";
    TWO_GAMES "E0203" "Two games":
        "A folder holds one game. Move the other one to its own folder.",
        "game A \"A\" { players 2 }\ngame B \"B\" { players 2 }" => "game A \"A\" { players 2 }";
    UNKNOWN_KIND "E0204" "An unknown kind":
        "Kinds, enums and spaces of maps are declared with `card`, `token`, `piece`, `die`, `enum` and `space`.",
        "table { zone heap: Crad }" => "table { zone heap: Card }";
    UNKNOWN_MENU "E0205" "An unknown menu":
        "An action belongs to one or more menus, which are declared with `menu`.",
        "action go(c: Cell) in mvoe { c.stone = me }" => "action go(c: Cell) in move { c.stone = me }";
    UNKNOWN_ATTR "E0206" "An unknown attribute or slot":
        "A member can give values only for attributes that its kind declares, and fill only values and rules of its kind.",
        "Card king \"King\" { rnak: 1; play { } }" => "Card king \"King\" { rank: 1; play { } }";
    UNKNOWN_MAP "E0207" "An unknown map":
        "`space K on M` needs the name of a map, which is declared with `map`.",
        "map Lake squares 3 by 3\nspace Wave on Laek { }" => "map Lake squares 3 by 3\nspace Wave on Lake { }";
    UNKNOWN_OPTION "E0208" "An unknown option":
        "A scenario gives values to options, which are declared with `option`.",
        "option level \"Level\": 1..3 = 1\nscenario one \"One\" for Book { levle = 2 }" => "option level \"Level\": 1..3 = 1\nscenario one \"One\" for Book { level = 2 }";
    UNKNOWN_PLAYER "E0209" "An unknown player":
        "`player NAME { … }` gives values to a player of the game. The `players` line of the game lists the names.",
        "player withe { }" => "player white { }";
    UNKNOWN_REMOVED "E0210" "An unknown name after `remove`":
        "A mod can remove members and actions of its game.",
        "mod \"No queen\" for Book { remove quen }" => "mod \"No queen\" for Book { remove queen }";
    BUILT_IN "E0211" "A built-in name":
        "This word is built in, so it cannot be declared again.",
        "enum Direction { up, down }" => "enum Way { up, down }";
    CYCLE "E0212" "A kind that is based on itself":
        "The kinds after `is` lead back to the kind itself.",
        "card A is B { }\ncard B is A { }" => "card A { }\ncard B is A { }";
    OTHER_GAME "E0213" "For another game":
        "A scenario, part or mod names the game to which it belongs. The files in this folder are those of another game.",
        "mod \"Slow\" for Boook { remove queen }" => "mod \"Slow\" for Book { remove queen }";
    RULE_NUMBERS "E0220" "Wrong numbers of rules":
        "`numbered` names the first and the last number of a checklist. Both begin with the same letters and have the same number of digits, and the lower number comes first. A checklist has at most 10000 rules.",
        "numbered F01..G20" => "numbered F01..F20";
    NOT_NUMBERED "E0221" "An unknown number of a rule":
        "`not played` says why no test names a numbered rule. The numbers are declared with `numbered`.",
        "numbered F1..F9\nnot played F10: \"advice\"" => "numbered F1..F9\nnot played F9: \"advice\"";
    MODS_APART "E0216" "Mods that cannot be loaded together":
        "`conflicts with mod` says that two mods do not go together, so they are not loaded together. Two mods that are each to be loaded after the other cannot be loaded together, either.",
        "mod \"Poor\" for Book { conflicts with mod \"Rich\"; change player { poor: bool = no } }\nmod \"Rich\" for Book { change player { rich: bool = no } }" => "mod \"Poor\" for Book { change player { poor: bool = no } }\nmod \"Rich\" for Book { change player { rich: bool = no } }";
    NO_NEEDED_MOD "E0217" "A mod that is needed and not there":
        "`needs mod` names a mod that must be loaded, too. Commands find it by its title in the folder of the mod and among the shipped mods; from elsewhere it is loaded with `--mod`.",
        "mod \"Rich\" for Book { needs mod \"Poor\"; remove queen }" => "mod \"Rich\" for Book { needs mod \"Poor\"; remove queen }\nmod \"Poor\" for Book { remove rider }";
    OLD_GAME "E0218" "A version that the game does not have":
        "`needs version` names the least version of the game that a mod goes with; the game says its own with `version` in its header.",
        "mod \"Poor\" for Book { needs version \"2\"; remove queen }" => "mod \"Poor\" for Book { remove queen }";
    MOD_LINE "E0219" "What only a mod says":
        "`needs mod`, `needs version`, `conflicts with mod`, `after mod` and `expects to break` stand in a `mod`. They name another mod, test or invariant by its title, or a version by its numbers.",
        "variant poor \"Poor\" { after mod \"Rich\"; remove queen }" => "mod \"Poor\" for Book { after mod \"Rich\"; remove queen }";
    NO_SUCH_TEST "E0222" "A test or invariant that is not there":
        "`expects to break` names a test or an invariant of the game, or of another mod that is loaded, by its title.",
        "test \"coins\" with Ann, Bo { expect Ann.coins == 0 }\nmod \"Rich\" for Book { expects to break \"coin\"; remove queen }" => "test \"coins\" with Ann, Bo { expect Ann.coins == 0 }\nmod \"Rich\" for Book { expects to break \"coins\"; remove queen }";
    BACK_VALUES "E0540" "Values of a back":
        "Values behind a member's name stand for the attributes that its kind declares with `back`, in the order of their declaration, without those that a kind fixes. Each is given once.",
        "card Page { back number: 1..99 }\nPage cabin \"Cabin\" 17 3 { }" => "card Page { back number: 1..99 }\nPage cabin \"Cabin\" 17 { }";
    MENU_COST "E0541" "An action in several menus, one of which has a cost":
        "`cost` in a menu is what each of its actions costs that has no `cost` of its own. An action in several menus would cost now this, now that, so it says itself what it costs.",
        "menu shop { cost 1 coins; done }\nmenu inn { done }\naction rest() in shop, inn { }" => "menu shop { cost 1 coins; done }\nmenu inn { done }\naction rest() in shop, inn cost nothing { }";
    GROWING "E0280" "A map that cannot grow":
        "The spaces of a map that is declared `within` a size are in play where something lies and beside it. Something lies on a space if a component or a player is there, or if an attribute is not as it began. So its spaces need a slot, a zone or an attribute, each attribute begins with a word or a number, and the map has no picture.",
        "map Land squares within 9 by 9\nspace Field on Land { }" => "token Tile x20\nmap Land squares within 9 by 9\nspace Field on Land { slot tile: Tile }";
    ORDER "E0281" "An order that cannot be chosen":
        "With `order by` in the header, a player chooses the order in which things act after a rule or phase if that order can matter. After actions, menus, the set-up and effects the order is fixed, so the checker refuses what things do there if its order can matter. Things of two kinds without a kind above them act in no common order. What acts in an order that is chosen is not both `once` and `may`, and is attached to rules and phases only.",
        "game A \"A\" { players 2; outcome highest coins; order by turn }\ntoken Charm { }\nCharm bell { after ring() { owner.coins = 0 } }\nCharm lamp { after ring() { owner.coins += 1 } }\nplayer { coins: 0..9 = 0; zone worn: Charm active }\nmenu acts { done }\naction ring() in acts { }\nround { everyone in turn { offer acts } }" => "game A \"A\" { players 2; outcome highest coins; order by turn }\ntoken Charm { }\nCharm bell { after rung() { owner.coins = 0 } }\nCharm lamp { after rung() { owner.coins += 1 } }\nplayer { coins: 0..9 = 0; zone worn: Charm active }\nmenu acts { done }\naction ring() in acts { rung() }\nrule rung() { }\nround { everyone in turn { offer acts } }";
    PATCH "E0530" "A patch without a place":
        "A patch covers 1 to 64 spaces of one map: `map M hexes of K`. A patch of several spaces lies in slots of its own, which the pictures of the map draw: `space S for K { slot tile: K }`. A patch of one space lies in a slot of the spaces of the map. No kind is based on a patch.",
        "patch Tile of 2 { prints { dry: bool = no } }" => "patch Tile of 2 { prints { dry: bool = no } }\nmap Land squares of Tile \"\"\"\n  a a b b\n\"\"\"\nspace Field on Land { }\nspace Site for Tile { slot tile: Tile }";
    PRINTS "E0531" "What a patch prints":
        "A patch prints words of an enum, numbers, and yes or no. A list says in the columns `1`, `2`, … what each patch prints on each of its spaces, by the kind of the word or as `name: value`. A patch of one space can also print on its sides (`per direction`), in the columns `north`, `east` and so on. What has no default must be printed.",
        "patch Tile of 2 { prints { dry: bool = no } }\nmap Land squares of Tile \"\"\"\n  a a b b\n\"\"\"\nspace Field on Land { }\nspace Site for Tile { slot tile: Tile }\nlist Tile | 1 { dune | dry }" => "patch Tile of 2 { prints { dry: bool = no } }\nmap Land squares of Tile \"\"\"\n  a a b b\n\"\"\"\nspace Field on Land { }\nspace Site for Tile { slot tile: Tile }\nlist Tile | 1 | 2 { dune | dry | dry }";
    SLOTS "E0532" "A slot of a map of patches":
        "In the pictures of a map of patches, each sign is a slot: it stands at each space that a patch covers there. All slots have the same shape, and names that begin with a small letter. A legend beside the picture gives values to the slots.",
        "patch Tile of 2 { prints { dry: bool = no } }\nmap Land squares of Tile \"\"\"\n  a a b\n\"\"\"\nspace Field on Land { }\nspace Site for Tile { slot tile: Tile }" => "patch Tile of 2 { prints { dry: bool = no } }\nmap Land squares of Tile \"\"\"\n  a a b b\n\"\"\"\nspace Field on Land { }\nspace Site for Tile { slot tile: Tile }";
    BAD_RANGE "E0601" "Not a range":
        "The bounds of a range are whole numbers, and the first one is not greater than the last.",
        "player { gold: 9..0 = 1 }" => "player { gold: 0..9 = 1 }";
    PLAYERS "E0602" "The number of players":
        "A game is for 1 to 16 players: `players 2`, `players 2..4`, or the names of the players.",
        "game A \"A\" { players 0 }" => "game A \"A\" { players 2 }";
    MAP_SIZE "E0603" "The size of a map":
        "A map has a shape (`squares`, `hexes`, `line`), 1 to 100 columns and rows, and at most 2048 spaces. A picture of a map has the declared size.",
        "map Lake squares 0 by 3\nspace Wave on Lake { }" => "map Lake squares 3 by 3\nspace Wave on Lake { }";
    MAP_WITHOUT_SPACES "E0604" "A map without spaces":
        "`space K on M` says what every space of a map has. Each map needs one.",
        "map Lake squares 3 by 3" => "map Lake squares 3 by 3\nspace Wave on Lake { }";
    MISSING_VALUE "E0605" "A member without a value":
        "If an attribute has no default, every member of its kind must give a value for it. If a value has no body, every member must fill it.",
        "card Pet { age: 1..9 }\nPet cat" => "card Pet { age: 1..9 }\nPet cat { age: 1 }";
    CELLS "E0606" "More cells than columns":
        "A row of a list has at most one cell for each column.",
        "card Pet { age: 1..9 = 1 }\nlist Pet | age { cat | 1 | 2 }" => "card Pet { age: 1..9 = 1 }\nlist Pet | age { cat | 1 }";
    SECOND_ROUND "E0607" "Two rounds":
        "A game has only one `round`.",
        "game A \"A\" { players 2 }\nround { }\nround { }" => "game A \"A\" { players 2 }\nround { }";
    OPTION_TYPE "E0609" "A type that an option cannot have":
        "A person chooses an option by a word before the game begins. So an option can be yes or no, a number, a word of an enum, a player, team or direction, a space, row or column of a board with a declared size, a face, or a component of which there is only one; with `?` also none. One of several equal components, a set, a text or a phase cannot be chosen by a word.",
        "card Relic { }\nRelic idol x2\noption relic \"Relic\": Relic = idol" => "card Relic { }\nRelic idol x2\noption relic \"Relic\": face of Relic = idol";
    TOO_MANY "E0911" "Too many declarations":
        "A game may have 1000 files, 1000 kinds and enums, 10000 members of them, 2000 attributes, 1000 zones, 200 maps, 5000 values, 5000 rules and phases, 1000 menus, 2000 actions, 2000 attachments, 250 hooks, 500 options, 500 variants, scenarios, parts and mods together, 1000 `setup` blocks, 1000 endings, invariants and conditions on the set-up, and 5000 tests.",
        "" => "";
    CALLS_DEEP "E0912" "Calls that are too deep":
        "Values and rules may call each other 200 levels deep.",
        "" => "";
    NO_SCRIPT "E0901" "A script that was not found":
        "The script of a hook must be in the folder of the rules, or in the folder `hooks` there.",
        "hook f(): int from \"none.rhai\"" => "";
    SIGN "E0610" "A sign that puts nothing on a space":
        "A legend says what each sign in the pictures of a map puts on its space: a component, the first thing of a zone, a word or number for an attribute, or `attribute: value`. The sign `.` means that there is no space. A picture cannot show more components than there are.",
        "map Lake squares \"\"\"\n  x\n\"\"\"\nspace Wave on Lake { }" => "map Lake squares \"\"\"\n  x\n\"\"\"\nspace Wave on Lake { }\nlegend Lake { x: }";
    MISPLACED "E0608" "A declaration in the wrong place":
        "This declaration cannot be made here, for example a `game` inside a variant.",
        "variant v \"V\" { game A \"A\" { players 2 } }" => "";
    LEGACY "E0278" "An option that the next game may not have":
        "The end of a game hands values of options to the next one. A scenario, a variant or a mod may be switched off there, and its options with it.",
        "scenario one \"One\" for Book { option lit \"Lit\": bool = no }\nlegacy { lit = yes }" => "option lit \"Lit\": bool = no\nlegacy { lit = yes }";
    UNKNOWN_SCENARIO "E0214" "An unknown scenario":
        "A test can begin with a scenario of its game (`on`), or without one.",
        "scenario practice \"Practice\" for Book { }\ntest \"t\" on practise { expect yes }" => "scenario practice \"Practice\" for Book { }\ntest \"t\" on practice { expect yes }";
    UNKNOWN_LOOK "E0215" "An unknown entry of a look":
        "The entries of a look are `fill`, `edge`, `ring`, `shape`, `turn`, `title`, `text`, `corner`, `badge`, `legend` and `back { … }`.",
        "look Card { colour: \"#ffffff\" }" => "look Card { fill: \"#ffffff\" }";
    LOOK_VALUE "E0542" "What a look cannot draw":
        "`fill`, `edge` and `ring` are colours, written `#rrggbb`. `shape` is the name of a shape, SVG path data in a square from 0 to 100, or the name of an image beside the rules. `turn` is a number of degrees. Colours and shapes are written out in the look, or in the values and attributes that it reads. A look has one of each at most.",
        "look Card { fill: \"red\" }" => "look Card { fill: \"#c0392b\" }";
    IMAGE "E0543" "An image that is not drawn":
        "A shape whose name ends in `.svg` or `.png` is a file in the folder of the rules, or in the folder `images` there. An SVG is drawn as far as it is made of shapes, gradients and PNGs inside it: no texts, filters or patterns, and no other files. It has at most 1024 KB, a PNG at most 2048 × 2048 pixels.",
        "look Card { shape: \"none.svg\" }" => "";
    ANSWERED "E0612" "Who answers for a player":
        "`answered by` says who answers for a player. For an additional player, write `nobody`, `seats` (all seats together) or the numbers of some seats. For the players of the game, which need names, write for each player the number of the seat that answers; each seat must answer for at least one player.",
        "variant more \"More\" { player third \"Third\" answered by somebody }" => "variant more \"More\" { player third \"Third\" answered by seats }";
    LINES "E0613" "A wrong parameter of a score or ranking":
        "A score or ranking has lines for each player or for each team: `score total(p: player) { … }`, `ranking final(t: team) { … }`. A second declaration with the same name adds lines. Each line has a title without holes; its value is a number, or a text that does not count.",
        "score total() { coins \"Coins\": 1 }" => "score total(p: player) { coins \"Coins\": p.coins }";
    HOLES "E0614" "A hole in a text that never changes":
        "Titles of games, options, scenarios, phases, kinds, lines of a score, invariants and tests are the same in every game, and so is what a test looks for in a text. So they cannot have holes.",
        "phase dusk() \"Dusk of {round}\" { }" => "phase dusk() \"Dusk\" { }";
    WAY "E0615" "A wrong way of a graph":
        "`map M graph` has the members of its kind of spaces as places, at most 1024. The rows behind it say the ways between them, each once: `a - b` leads both ways, `a -> b` leads from a to b only, `a - b - c` goes on from b, and `a - b, c` has two ways from a. A picture of a graph shows each place once, by its name.",
        "map Land graph { inn - inn }\nspace Town on Land { }\nTown inn\nTown mill" => "map Land graph { inn - mill }\nspace Town on Land { }\nTown inn\nTown mill";
    WIN_OF_ALL "E0680" "A win for all players where one must win":
        "`win when C` at the top makes all players win. It can be used with `outcome together`, with `outcome each`, and in games for one player.",
        "game Race \"Race\" { players 2; outcome highest steps }\nplayer { steps: 0..9 = 0 }\nwin when any(p in players: p.steps == 9)" => "game Race \"Race\" { players 2; outcome highest steps; ends when any(p in players: p.steps == 9) }\nplayer { steps: 0..9 = 0 }";
    UNUSED_VALUE "W0001" "A value that nothing uses":
        "No rule, value, test or card reads this value.",
        "value n: int = 1" => "value n: int = 1\ntest \"t\" { expect n == 1 }";
    UNUSED_RULE "W0002" "A rule that nothing calls":
        "Nothing calls this rule or phase.",
        "rule never() { }" => "rule once_more() { }\nsetup { once_more() }";
    UNUSED_MENU "W0003" "A menu that is never on offer":
        "No `offer` names this menu, so players can never take its actions.",
        "menu never { done }\naction go() in never { }" => "menu extra { done }\naction go() in extra { }\nrule more() { offer extra }";
    EMPTY_MENU "W0004" "A menu without actions":
        "No action belongs to this menu, so there is never anything to choose.",
        "menu idle\nrule r() { offer idle }" => "menu idle\naction wait() in idle { }\nrule r() { offer idle }";
    UNUSED_ATTR "W0005" "An attribute that nothing reads":
        "Nothing reads this attribute.",
        "player { spare: int = 0 }" => "player { spare: int = 0 }\ntest \"t\" { expect no(p in players: p.spare > 0) }";
    UNUSED_ZONE "W0006" "A zone that nothing names":
        "No rule moves anything to or from this zone, and nothing reads it.",
        "table { zone spare: Card }" => "table { zone spare: Card }\nsetup { move queen to spare }";
    UNUSED_OPTION "W0007" "An option that changes nothing":
        "Nothing reads this option.",
        "option level \"Level\": 1..3 = 1" => "option level \"Level\": 1..3 = 1\nvalue worth(): int = level * 2";
    UNUSED_PART "W0011" "A part that no scenario takes":
        "A part is played as a piece of a scenario that is built on it, and no scenario is built on this one.",
        "part flood for Book { setup { bank = 3 } }\ntable { bank: 0..9 = 0 }" => "part flood for Book { setup { bank = 3 } }\nscenario wet \"Wet\" for Book with flood { }\ntable { bank: 0..9 = 0 }";
    NO_FIRST_SCENARIO "W0008" "No first scenario":
        "Only scenarios draw the map of this game, and there are several. The header of the game must say which one is played if none is chosen.",
        "game A \"A\" { players 2; outcome win }\nmap Land squares\nspace Field on Land { }\nscenario small \"Small\" for A { map Land \"\"\"\n  x x\n\"\"\"\nlegend Land { x: } }\nscenario large \"Large\" for A { map Land \"\"\"\n  x x x\n\"\"\"\nlegend Land { x: } }" => "game A \"A\" { players 2; outcome win; begins on small }\nmap Land squares\nspace Field on Land { }\nscenario small \"Small\" for A { map Land \"\"\"\n  x x\n\"\"\"\nlegend Land { x: } }\nscenario large \"Large\" for A { map Land \"\"\"\n  x x x\n\"\"\"\nlegend Land { x: } }";
    NO_WAY "W0010" "A place without a way":
        "No way of the graph leads to or from this place, so nobody can reach it and it has no neighbours.",
        "map Land graph { inn - mill }\nspace Town on Land { }\nTown inn\nTown mill\nTown farm" => "map Land graph { inn - mill - farm }\nspace Town on Land { }\nTown inn\nTown mill\nTown farm";
    LEANING_PICTURE "W0012" "A row of hexes that is drawn elsewhere than it lies":
        "Blanks before a row of a picture say nothing: the first sign of each row is in the first column, and every second row, counted from the south, lies half a hex further to the east. Write `.` for each hex that is not there.",
        "map Land hexes \"\"\"\n    x x\n  x x\n x x\n\"\"\"\nspace Field on Land { }\nlegend Land { x: }" => "map Land hexes \"\"\"\n  . x x\n   x x\n  x x\n\"\"\"\nspace Field on Land { }\nlegend Land { x: }";
    NO_END "W0013" "A game that nothing ends":
        "A `round` begins again and again until something ends the game: `win`, `lose` or `tie`, `ends when` in the header or in a menu, a condition or number behind `round`, or `out when` of players.",
        "game A \"A\" { players 2; outcome win }\nplayer { steps: 0..9 = 0 }\nmenu walk { done }\naction step(n: 1..3) in walk { my.steps = n }\nround { everyone in turn { offer walk } }" => "game A \"A\" { players 2; outcome win }\nplayer { steps: 0..9 = 0 }\nmenu walk { done }\naction step(n: 1..3) in walk { my.steps = n; if n == 3 { win me } }\nround { everyone in turn { offer walk } }";
    MOD_IN_GAME "W0009" "A mod in the game's own file":
        "A mod in a file of its game is in force in every match, but not in tests outside the mod. Move it to a file in another folder, such as `rules/mods`, and load it with `--mod`. For something that the game itself can switch on and off, use a variant.",
        "game A \"A\" { players 2; outcome win }\nmod \"M\" for A { }" => "game A \"A\" { players 2; outcome win }\nvariant m \"M\" { }";
    MODS_MEET "W0014" "Two mods meet":
        "Two mods touch the same thing so that one of them has less to say, or nothing. Which comes later is said by `after mod` in one of them; `conflicts with mod` refuses the two together. Otherwise the order in which they are loaded decides.",
        "mod \"Poor\" for Book { change queen { rank: 1 } }\nmod \"Rich\" for Book { change queen { rank: 2 } }" => "mod \"Poor\" for Book { change queen { rank: 1 } }\nmod \"Rich\" for Book { after mod \"Poor\"; change queen { rank: 2 } }";
    NO_SUCH_TITLE "W0015" "A title that is nearly that of a mod":
        "`after mod` and `conflicts with mod` may name a mod that is not loaded. A title that is nearly that of a loaded mod is probably a slip.",
        "mod \"Poor people\" for Book { remove rider }\nmod \"Rich\" for Book { after mod \"Poor peopel\"; remove queen }" => "mod \"Poor people\" for Book { remove rider }\nmod \"Rich\" for Book { after mod \"Poor people\"; remove queen }";
}
