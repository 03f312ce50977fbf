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
        "The language has this form, but the engine does not play it yet. The help says what to write instead.",
        "token Wood x5 { worth: 0..3 = 1 }\ntable { zone row: Wood sorted by worth }" => "token Wood x5 { worth: 0..3 = 1 }\ntable { zone row: Wood }";
    NO_NAME "E0250" "An unknown name":
        "Nothing has this name here: no `let`, parameter, attribute, zone, value, member, space or built-in word. An attribute is known without a dot only inside its own kind and after `where`; everywhere else, write a dot before it, as in `c.height`.",
        "setup { for c in Cell { c.stone = blakc } }" => "setup { for c in Cell { c.stone = black } }";
    NO_PART "E0251" "An unknown attribute":
        "The thing before the dot does not have what comes after the dot. The kind of a thing declares its attributes, zones and values.",
        "value n(c: Cell): bool = c.stnoe is some" => "value n(c: Cell): bool = c.stone is some";
    NO_KIND "E0252" "An unknown kind":
        "There is no kind, enum or space of a map with this name.",
        "value n(): int = count(faces(Crad))" => "value n(): int = count(faces(Card))";
    NO_CALL "E0253" "An unknown value or rule":
        "There is no value, rule, hook, family or built-in word with this name.",
        "value n(c: Cell): int = count(neighbors(c))" => "value n(c: Cell): int = count(neighbours(c))";
    NO_ARG "E0254" "An unknown parameter":
        "An argument has a name, but what is called has no parameter of that name.",
        "value n(c: Cell): int = count(reachable(from: c, stps: 2))" => "value n(c: Cell): int = count(reachable(from: c, steps: 2))";
    NO_MENU_NAMED "E0255" "An unknown menu":
        "`offer`, `can` and `in` need the name of a menu.",
        "rule r() { offer mvoe }" => "rule r() { offer move }";
    NO_FOLD "E0256" "An unknown fold":
        "Only folds take `x in S`: `sum`, `count`, `min`, `max`, `any`, `every`, `no`, `union`, `collect`, `least`, `most`.",
        "value n(): bool = all(c in Cell: c.stone is some)" => "value n(): bool = every(c in Cell: c.stone is some)";
    NO_SUCH_SPACE "E0257" "A space that is not on the map":
        "The map does not have this space, row or column.",
        "setup { J9.stone = none }" => "setup { C3.stone = none }";
    AMBIGUOUS "E0258" "A word that may mean several things":
        "Several enums or kinds have a word of this name, and the place where it is used does not tell which one is meant. Compare it with something of the right sort, or rename one of the words.",
        "enum Body { suns, earths }\nvalue n(): text = \"{suns}\"" => "enum Body { suns, earths }\nvalue n(s: Suit): bool = s == suns";
    NO_ME "E0259" "Nobody acts here":
        "`me` is the player who acts: in actions, in `everyone` and `as`, and in the rules that they call. In a value, in the set-up and in the round itself, nobody acts. Give a value a parameter for the player.",
        "value mine(): int = count(c in Cell: c.stone == me)" => "value mine(p: player): int = count(c in Cell: c.stone == p)";
    NO_IT "E0260" "`it` without a filter":
        "`it` is the candidate of a filter. It can be used after `where` and `is`, and wherever a filter is expected.",
        "value n(): bool = it.stone is some" => "value n(c: Cell): bool = c.stone is some";
    NO_THIS "E0261" "`this` or `owner` outside a kind or member":
        "`this` is the component or space in whose kind or member it is written, and `owner` is the player who holds it. Elsewhere, use a parameter.",
        "rule grow() { this.height += 1 }" => "rule grow(c: Cell) { c.height += 1 }";
    NO_USUAL "E0262" "`usual` outside `modify`":
        "`usual` is the value without this modification. It can only be used in `modify`.",
        "value n(): int = usual" => "value n(): int = 3\nmodify n() = usual * 2";
    NOT_A_VALUE "E0263" "Something that has no value":
        "A rule, hook, menu or action is used where a value is needed.",
        "value n(): bool = move" => "value n(): int = count(Cell where it.stone is none)";
    NOT_CALLED "E0264" "Something that cannot be called":
        "Only values, rules, hooks, families and built-in words can be called with brackets.",
        "rule r() { move() }" => "rule r() { offer move }";
    WHICH_OF_FAMILY "E0265" "A family without its key":
        "A family of members or zones needs a key that says which one is meant: `number(3)`, `decks[d]`.",
        "Card number(n: 2..4) { rank: n }\nvalue n(): int = count(faces(Card) - number)" => "Card number(n: 2..4) { rank: n }\nvalue n(): int = count(faces(Card) - number(3))";
    NO_MENU "E0266" "Something that only a menu can ask":
        "`no action` means that nothing is on offer. It can only be used in the entries of a menu. `position seen n times` can be used there and after `must leave`.",
        "value stuck(): bool = no action" => "menu roam { tie when no action }";
    NO_PHASE "E0267" "An unknown phase":
        "`during`, `end`, `until end of` and `start at` need the name of a phase.",
        "rule r(p: player) { until end of combat { p.coins = 3 } }" => "phase combat() { }\nrule r(p: player) { until end of combat { p.coins = 3 } }";
    NO_COMPONENTS "E0268" "The box of a game without components":
        "The box holds the components that are in no zone and no slot. This game declares no components.",
        "setup { move first of box to box }" => "token Stone x9\nsetup { move first of box to box }";
    NO_MAP "E0269" "A word about maps in a game without a map":
        "Neighbours, lines, rows, rays, distances and the like need a map.",
        "value n(): int = count(lines(3))" => "map Board squares 3 by 3\nspace Cell on Board { }\nvalue n(): int = count(lines(3))";
    NO_OPPONENT "E0270" "`opponent` with more than two players":
        "`opponent` is the other one of two players. In other games, `others` are all other players.",
        "game Three \"Three\" { players 3; outcome win }\nvalue n(p: player): player = opponent(p)" => "game Three \"Three\" { players 3; outcome win }\nvalue n(p: player): set of player = players where it != p";
    WHICH_MAP "E0271" "A word about maps in a game with several boards":
        "In a game with several boards of squares or hexes, rows, columns and lines are those of a board that is named: `row(1) of Board`. Directions need the name only if one board has squares and another has hexes.",
        "map Small squares 2 by 2\nspace Spot on Small { }\nvalue n(): int = count(row(1))" => "map Small squares 2 by 2\nspace Spot on Small { }\nvalue n(): int = count(row(1) of Small)";
    NO_DIRECTIONS "E0272" "Directions, rows or columns of a graph":
        "A graph has places and ways, but no directions, rows and columns. `neighbours`, `distance`, `reachable`, `joined` and `paths` follow its ways; `lines(n)` are n places that one row of its ways lists behind each other.",
        "map Land graph { inn - mill }\nspace Town on Land { }\nTown inn\nTown mill\nvalue n(t: Town): set of Town = leaps(t, 1, 2)" => "map Land graph { inn - mill }\nspace Town on Land { }\nTown inn\nTown mill\nvalue n(t: Town): set of Town = neighbours(t)";
    BAG "E0273" "A bag where a value is needed":
        "A bag is so many of each word of an enum. It can be printed on a card, kept by a player or the table, changed, and paid. Everything else asks for a number of it.",
        "enum Good { wood, pelt }\nplayer { goods: bag of Good }\nvalue n(p: player): int = p.goods" => "enum Good { wood, pelt }\nplayer { goods: bag of Good }\nvalue n(p: player): int = p.goods[wood]";
    PAYS "E0274" "A wrong rule that pays":
        "`pays Good` makes a rule the way in which words of that enum are paid. It has two parameters, which of the goods and how many, gives nothing, and there is one for each enum.",
        "enum Good { wood, pelt }\nplayer { n: 0..9 = 5 }\nrule spend(g: Good) pays Good { my.n -= 1 }" => "enum Good { wood, pelt }\nplayer { n: 0..9 = 5 }\nrule spend(g: Good, n: int) pays Good { needs my.n >= n; if g == wood { my.n -= n } }\naction saw() in move cost 2 wood { }";
    NO_PURSE "E0275" "Goods that are paid from nowhere":
        "A cost of goods says from which bag they are taken. Without `from`, the game needs a rule that pays such goods.",
        "enum Good { wood, pelt }\nplayer { goods: bag of Good = 2 wood }\naction saw() in move cost 1 wood { }" => "enum Good { wood, pelt }\nplayer { goods: bag of Good = 2 wood }\naction saw() in move cost 1 wood from my.goods { }";
    APART "E0277" "Kinds that cannot go together":
        "`Card or Token` says that both lie in one zone, or are chosen together. Dice, and kinds of which each player has a set, always lie apart.",
        "die Cube { faces: 1..6 }\ntable { zone stall: Card or Cube }" => "token Cube x5\ntable { zone stall: Card or Cube }";
    UNCOUNTED "E0290" "What is left of an unlimited supply":
        "A zone that is `unlimited` never runs out. Rules draw from it, and put things back; they do not ask how many there are, or which.",
        "token Wood x60\ntable { zone stock: Wood unlimited }\nvalue left: int = count(stock)" => "token Wood x60\ntable { zone stock: Wood unlimited }\nvalue left: int = count(Wood where it.holder is some)";
    UNCLEAR_BAG "E0276" "An unclear bag":
        "A bag is written as amounts of the words of one enum: `2 wood + 1 pelt`, `n * wood`, `3 * c.good`, another bag, or `nothing`. With `-` it holds less, and never less than none.",
        "enum Good { wood, pelt }\nplayer { goods: bag of Good }\nsetup { for p in players { p.goods = 3 } }" => "enum Good { wood, pelt }\nplayer { goods: bag of Good }\nsetup { for p in players { p.goods = 3 wood } }";
    WRONG_TYPE "E0301" "The wrong sort of thing":
        "Something of another sort is needed here. The finding says what this is and what it must be.",
        "value n(c: Cell): player = c" => "value n(c: Cell): player? = c.stone";
    NOT_A_CONDITION "E0302" "Not a condition":
        "A condition is yes or no. Compare something, or write `is some` or `is not empty`.",
        "rule r() { if count(players) { stop } }" => "rule r() { if count(players) > 2 { stop } }";
    NOT_A_NUMBER "E0303" "Not a number":
        "Only numbers can be added, multiplied and compared by `<` and `>`.",
        "value n(c: Cell): int = c * 2" => "value n(c: Cell): int = c.height * 2";
    NOT_A_SET "E0304" "Not a set or list":
        "Folds, `for`, `in` and `where` need a set or a list.",
        "value n(): int = sum(x in 3: x)" => "value n(): int = sum(x in 1..3: x)";
    NOT_A_SPACE "E0305" "Not a space":
        "Words about the map need a space.",
        "value n(p: player): bool = distance(p, A1) == 1" => "value n(c: Cell): bool = distance(c, A1) == 1";
    NOT_A_PLACE "E0306" "Not a place":
        "Things can be moved to zones, slots, spaces and the box.",
        "setup { move Card to fool }" => "setup { move Card to deck }";
    NOT_A_LIST "E0307" "Not a list":
        "`[n]` takes the thing with the number n from a list, or a zone from a family of zones. The first thing of a list has the number 1.",
        "value n(p: player): int = p.coins[1]" => "value n(p: player): Card? = p.pile[1]";
    NOT_A_FILTER "E0308" "A filter that is not a condition on its candidate":
        "A filter is a condition on the candidate: a comparison, a number for dice and numbers, a word for one of its attributes, or a face.",
        "value n(): int = count(players where moons)" => "value n(): int = count(Card where moons)";
    INCOMPARABLE "E0309" "Two sorts that cannot be equal":
        "Things of different kinds are never equal.",
        "value odd_one(c: Cell, p: player): bool = c == p" => "value odd_one(c: Cell, p: player): bool = c.stone == p";
    MIXED "E0310" "Things of different sorts together":
        "The things of a set, both branches of `if`, both sides of `default` and all rows of a `case` must be of one sort.",
        "value n(): int = count([A1, black])" => "value n(): int = count([A1, B2])";
    MISSING_ARG "E0311" "A missing argument":
        "This call needs one more argument.",
        "value n(c: Cell): int = distance(c) default 0" => "value n(c: Cell): int = distance(c, A1) default 0";
    TOO_MANY_ARGS "E0312" "Too many arguments":
        "What is called has fewer parameters.",
        "value v(c: Cell): int = c.height\nvalue w(): int = v(A1, B1)" => "value v(c: Cell): int = c.height\nvalue w(): int = v(A1)";
    ARG_TWICE "E0313" "An argument given twice":
        "Each parameter can be given once.",
        "value n(c: Cell): int = count(reachable(from: c, from: c))" => "value n(c: Cell): int = count(reachable(from: c, steps: 2))";
    WRONG_FORM "E0314" "The wrong form":
        "The words are known, but they cannot be put together like this. The finding says what to write.",
        "value n(): bool = every(c in Cell)" => "value n(): bool = every(c in Cell: c.stone is some)";
    CASE_OPEN "E0315" "A `case` that does not cover all cases":
        "Without `else`, a `case` must have a row for every word of an enum or every number of a range.",
        "value n(c: Card): int = case c.suit { moons: 1 }" => "value n(c: Card): int = case c.suit { moons: 1, else: 0 }";
    CANNOT_ASSIGN "E0316" "Something that cannot be set":
        "`=` sets attributes and names from `let`. `move` changes where things lie, `modify` changes values, and options are chosen at set-up.",
        "rule r(p: player) { p.hand = [] }" => "rule r(p: player) { move p.hand to deck }";
    GIVES_NOTHING "E0317" "A rule that gives no value":
        "A rule without a type gives no value, so its call cannot be used as one.",
        "rule a() { }\nrule b() { let x = a() }" => "rule a(): int { give 3 }\nrule b() { let x = a(); say \"{x}\" }";
    NEVER_NONE_SET "E0318" "A set is never none":
        "A set may be empty, but it is never none. Write `is empty` or `is not empty`.",
        "value n(c: Cell): bool = neighbours(c) is some" => "value n(c: Cell): bool = neighbours(c) is not empty";
    NOT_MOVABLE "E0319" "Not a component":
        "Only components can be moved, discarded, shown, flipped, swapped and rolled.",
        "rule r(p: player) { discard p }" => "rule r(p: player) { discard p.hand }";
    STANDING "E0325" "Where players stand":
        "`player { at: Cell }` says on which spaces players stand; with `at: Cell?`, a player may stand nowhere. Only `move p to …` changes where a player stands.",
        "action go(c: Cell) in move { move me to c }" => "player { at: Cell }\naction go(c: Cell) in move { move me to c }";
    NO_GIVE "E0320" "`give` in a rule without a type":
        "Only a rule or phase with a type can give a value.",
        "rule r() { give 3 }" => "rule r(): int { give 3 }";
    MISSING_GIVE "E0321" "A rule that may end without `give`":
        "A rule with a type must end in `give`, whichever branches it takes.",
        "rule pick(): int { if round > 1 { give 1 } }" => "rule pick(): int { if round > 1 { give 1 } else { give 0 } }";
    NOT_HELD "E0322" "A zone for other things":
        "A zone holds only things of the kinds in its declaration.",
        "token Coin x3\nsetup { move Coin to deck }" => "token Coin x3\ntable { zone bank: Coin }\nsetup { move Coin to bank }";
    NO_DISCARD "E0323" "No place for discards":
        "`discard` needs `discards to …` in the kind of the component.",
        "token Coin x3\nrule r(c: Coin) { discard c }" => "token Coin x3 { discards to bank }\ntable { zone bank: Coin }\nrule r(c: Coin) { discard c }";
    NO_EFFECT "E0324" "A statement that does nothing":
        "A statement changes something, asks a player, calls a rule, or gives a name with `let`. An expression alone does none of this.",
        "value v(): int = 3\nrule r() { v() }" => "value v(): int = 3\nrule r() { let n = v(); say \"{n}\" }";
    MAY_BE_NONE "E0401" "None is not handled":
        "A value, guard or filter must say what happens if there is nothing: test `is some` first (`… is some and …`, `if (…) is some then … else …`), or write `default`. In a statement of a rule this is not needed: there, a statement that meets none does nothing.",
        "value n(p: player): int = (first of p.pile).rank" => "value n(p: player): int = if (first of p.pile) is some then (first of p.pile).rank else 0";
    UNCERTAIN "E0520" "A modified value makes nothing certain":
        "Behind a condition that is a value, and for members of a set that is a value, the checker reads the value's expression: what it says is certain, such as that something is not none. Not if anything in the game modifies the value.",
        "table { crown: player? }\nvalue crowned(): bool = crown is some\nmodify crowned() = yes\naction tax() in turn_menu { needs crowned() and crown.coins > 1; my.coins += 1 }" => "table { crown: player? }\nvalue crowned(): bool = crown is some\nmodify crowned() = yes\naction tax() in turn_menu { needs crowned() and crown is some and crown.coins > 1; my.coins += 1 }";
    OUT_BY_CARDS "E0521" "A card that decides whether its holder is out":
        "While a player is out, what the player's cards bring is not in force. So no card may modify what `out when` reads: whether the card is in force would depend on itself.",
        "player { zone worn: Card active; out when strength(this) == 0 }\nvalue strength(p: player): int = p.coins\nCard cloak \"Cloak\" { modify strength(owner) += 1; play { } }" => "player { zone worn: Card active; out when coins == 0 }\nvalue strength(p: player): int = p.coins\nCard cloak \"Cloak\" { modify strength(owner) += 1; play { } }\ntest \"t\" with Ann, Bo { expect strength(Ann) == 5 }";
    IS_NONE "E0402" "None where a thing is needed":
        "This is always none, but a thing is needed here. To allow none, declare the type with `?`.",
        "table { best: int = none }" => "table { best: int? = none }";
    OUTSIDE "E0403" "A number outside its range":
        "The number can never be in the declared range.",
        "player { gold: 0..9 = 12 }" => "player { gold: 0..9 = 2 }";
    TOO_LARGE "E0404" "A number that is too large":
        "Numbers go from -2147483648 to 2147483647.",
        "value n(): int = 9999999999" => "value n(): int = 999999999";
    BY_ZERO "E0405" "Division by zero":
        "Nothing can be divided by zero.",
        "value n(): int = 1 / 0" => "value n(): int = 1 / 2";
    ACTS_IN_PURE "E0501" "A value, guard or filter that acts":
        "Values, guards and filters only calculate. They cannot call rules, ask players, roll or change anything.",
        "rule r(): int { give 3 }\nvalue v(): int = r() + 1" => "value r(): int = 3\nvalue v(): int = r() + 1";
    HIDDEN_IN_GUARD "E0502" "A guard that reads hidden cards":
        "If hidden cards decided what a menu offers, the menu would tell the player what these cards are. A guard may read the player's own hidden cards (`my`), and how many cards lie anywhere, but not the faces of another player's hidden cards. The same is true of prompts, of how many things may be chosen, and of whether a rule asks somebody and whom. Read only what the acting player sees, or move the test into the action's effect.",
        "action a() in turn_menu { needs any(p in others: any(c in p.hand: c.rank > 3)); my.coins += 1 }" => "action a() in turn_menu { needs any(p in others: count(p.hand) > 3); my.coins += 1 }";
    HOOK_IN_GUARD "E0503" "A hook in a guard":
        "Guards, filters and anything else that decides what is offered cannot call hooks. Write the condition in the language, or let a rule call the hook.",
        "" => "";
    LATE_GUARD "E0504" "A guard after the first effect":
        "In an action, `let` and `needs` come before the first statement that changes something. So the engine can find the options without changing anything.",
        "action a(c: Cell) in move { c.height += 1; needs c.height > 3 }" => "action a(c: Cell) in move { needs c.height > 2; c.height += 1 }";
    ALL_PASS "E0506" "`until all pass` without an `offer`":
        "`until all pass` ends when all players, one after another, have taken no action from the menus in the block. Only an `offer` in the block itself counts, not one in a rule that the block calls.",
        "menu bids { pass }\naction bid() in bids { my.coins -= 1 }\nrule bidding() { offer bids }\nrule called() { everyone in turn until all pass { bidding() } }" => "menu bids { pass }\naction bid() in bids { my.coins -= 1 }\nrule called() { everyone in turn until all pass { offer bids } }";
    LEAVING "E0509" "Leaving a phase":
        "`end PHASE v` leaves the phase that runs, from whatever it calls or offers; v is what it gives. It stands where the phase can be running, and has a value if the phase gives one.",
        "phase hunt() { for p in players { p.coins += 1 } }\nrule later() { end hunt }\nrule both() { hunt(); later() }" => "phase hunt() { for p in players { p.coins += 1; tire(p) } }\nrule tire(p: player) { if p.coins > 6 { end hunt } }\nrule both() { hunt() }";
    LEAVING_WITHIN "E0510" "Leaving a phase from the middle of something":
        "A rule that may leave a phase is called as a statement, or as the whole value of a `let`: what stands behind it is left out then. What is attached to `discard`, `roll`, `shuffle` or `setup` cannot leave a phase, nor can players who act at once or freely.",
        "phase hunt() { let n = 1 + luck(first of players); (first of players).coins = n }\nrule luck(p: player): int { if p.coins > 3 { end hunt }; give p.coins }\nrule go() { hunt() }" => "phase hunt() { let n = luck(first of players); (first of players).coins = 1 + n }\nrule luck(p: player): int { if p.coins > 3 { end hunt }; give p.coins }\nrule go() { hunt() }";
    PHASE_STATE "E0508" "What a phase remembers":
        "`has x: T = e` in the block of a phase declares what the phase remembers while it runs. Each run begins with the value e; whatever the phase calls reads and changes it as `PHASE.x`. Where the phase cannot be running there is nothing to read.",
        "phase hunt() { has found: 0..99 = 0; for p in players { look_for(p) } }\nrule look_for(p: player) { hunt.found += p.coins }\nrule later() { if hunt.found > 2 { say \"many\" } }" => "phase hunt(): int { has found: 0..99 = 0; for p in players { look_for(p) }; give hunt.found }\nrule look_for(p: player) { hunt.found += p.coins }\nrule later() { if hunt() > 2 { say \"many\" } }";
    TRIED "E0507" "Chance in an effect that `must leave` tries":
        "While options are collected, `must leave` and `no dead ends` try the effect of an action, up to its first question, and undo it. The result of chance is not known then.",
        "action go(n: 1..3) in turn_menu { must leave my.coins < 5; shuffle deck; my.coins += n }" => "action go(n: 1..3) in turn_menu { needs my.coins + n < 5; shuffle deck; my.coins += n }";
    SECRET_KEPT "E0505" "A secret that is used after a question":
        "A name, a parameter or the rest of a loop was calculated from hidden cards, and it is still used after a question. At a question, bots imagine other cards in place of the hidden ones, but the calculated value would stay the same and give the cards away. Calculate it again after the question, or keep the cards themselves with `let`: this tells nothing about their faces. Blocks of tests may keep it, because no bot plays inside a test.",
        "rule r(p: player) {\n  let n = sum(c in p.hand: c.rank)\n  let x = choose one of players \"Who?\"\n  if n > 3 { x.coins += 1 }\n}" => "rule r(p: player) {\n  let x = choose one of players \"Who?\"\n  if sum(c in p.hand: c.rank) > 3 { x.coins += 1 }\n}";
    NO_TARGET "E0701" "An attachment to an unknown name":
        "An attachment needs the name of a value, rule, phase, action, menu, `setup`, `discard`, `roll` or `shuffle`.",
        "modify handsize(p) += 1" => "value handsize(p: player): int = 3\nmodify handsize(p) += 1";
    WRONG_TARGET "E0702" "The wrong attachment":
        "`modify` changes values. `before`, `after`, `instead of` and `forbid` act around rules, phases, actions and menus.",
        "rule levy() { }\nmodify levy() = 3" => "rule levy() { }\nafter levy() { shuffle deck }";
    TOO_MANY_PATTERNS "E0703" "More patterns than parameters":
        "An attachment may have one pattern for each parameter.",
        "forbid lay(any, any)" => "forbid lay(any)";
    NOT_IN_LAYER "E0704" "Something that a layer cannot take back":
        "`until … { }` contains only what can be taken back: attachments, moves and `x = …`.",
        "rule r(p: player) { until end of round { shuffle deck } }" => "rule r(p: player) { until end of round { p.coins = 3 } }";
    NO_PROCEED "E0705" "`proceed` without `instead of`":
        "`proceed` runs what `instead of` replaces, so it can only be used there.",
        "rule r() { proceed() }" => "rule r() { }\ninstead of r() { proceed() }";
    TEST_STEP "E0802" "A step of a test outside a test":
        "`expect`, `refuse`, `start at` and the other steps of a test can only be used in a `test`.",
        "rule r() { expect yes }" => "test \"t\" { expect yes }";
    SHADOWED "W0201" "A name that hides another":
        "Two things have the same name here. From the inner one on, the name means the inner one. Rename one of them.",
        "rule r(p: player) { for p in players { p.coins += 1 } }" => "rule r(p: player) { for q in players { if q != p { q.coins += 1 } } }";
    UNUSED "W0202" "A name that is never used":
        "The name gets a value, but nothing reads it.",
        "rule r() { let x = 3 }" => "rule r() { let x = 3; say \"{x}\" }";
    UNREACHABLE "W0203" "A statement that is never reached":
        "The statements before it always end the rule or the game.",
        "rule r() { stop; shuffle deck }" => "rule r() { shuffle deck; stop }";
    ALWAYS "W0301" "Always the same":
        "The types and ranges show that this is always yes, or always no.",
        "value n(p: player): bool = p.coins >= 0" => "value n(p: player): bool = p.coins >= 1";
    NEVER_NONE "W0302" "A default that is never used":
        "The left side of `default` is never none.",
        "value n(p: player): int = p.coins default 3" => "value n(p: player): int = p.coins";
    EMPTY_RANGE "W0303" "An empty range":
        "The last number of the range is less than the first.",
        "value n(): int = count(5..2)" => "value n(): int = count(2..5)";
    TWICE "W0304" "Twice in a set":
        "A set contains each thing once, so the second one changes nothing.",
        "value n(): int = count([moons, moons])" => "value n(): int = count([moons, suns])";
    UNORDERED "W0305" "A set without an order":
        "`first`, `last`, an index and `run` need an order. Zones, players, words of an enum, numbers and lists have one; other sets do not.",
        "value n(): Cell? = first of Cell where it.stone is none" => "rule r() { let c = choose one of (Cell where it.stone is none) \"Which?\"; c.stone = black }";
    ENDLESS "W0306" "A repetition without an end":
        "Nothing in the block can make the condition true.",
        "rule r(p: player) { repeat until p.coins == 0 { say \"again\" } }" => "rule r(p: player) { repeat until p.coins == 0 { p.coins -= 1 } }";
    TURNS_IN_A_TURN "W0380" "Turns within a turn":
        "`everyone in turn` and `everyone in any order` give each player a turn. If this begins within a player's turn, attributes `per turn` are reset, actions `once per turn` can be taken again, and layers until the end of the turn end.",
        "" => "";
    RUNS_DRY "W0381" "A menu that may leave nothing to do":
        "The rounds go on for ever, and the menu does not say what happens when nobody can do anything. Then the game stops with a rule error.",
        "game Take \"Take\" { players 2; outcome win }\ntable { left: 0..9 = 9 }\nmenu take_some\naction take() in take_some { needs left > 0; left -= 1 }\nround { everyone in turn { offer take_some } }" => "game Take \"Take\" { players 2; outcome win }\ntable { left: 0..9 = 9 }\nmenu take_some { lose me when no action \"Nothing is left.\" }\naction take() in take_some { needs left > 0; left -= 1 }\nround { everyone in turn { offer take_some } }";
    COUNTS_EACH "W0385" "A count of numbers that counts all things":
        "`count(S.attr)` counts each thing of S, even if two of them have the same number. To count different numbers, write `count(collect(x in S: x.attr))`.",
        "value n(): int = count(Card.rank)" => "value n(): int = count(Card)";
    ADDED_ONCE "W0386" "A sum that adds equal numbers once":
        "A set contains each number once, and `collect` gives a set. To add the number of each thing, write `sum(x in S: x.attr)`.",
        "value n(): int = sum(collect(c in Card: c.rank))" => "value n(): int = sum(c in Card: c.rank)";
    ASKED_NOBODY "W0382" "A question that nobody answers":
        "Nobody is asked for a player who is `answered by nobody`: a choice is none or empty, `may` does nothing, and a menu is skipped.",
        "variant dummy \"A silent third\" {\n  player silent \"The silent one\" answered by nobody\n  after setup { may by silent \"Well?\" { silent.coins += 1 } }\n}" => "variant dummy \"A silent third\" {\n  player silent \"The silent one\" answered by nobody\n  after setup { silent.coins += 1 }\n}";
    OWN_MENU "W0383" "An action that offers its own menu":
        "A menu with `done` is offered again after each action, until the player takes `done`. If an action offers the menu once more, the player has to take `done` once more for each time, and too many of them are a rule error.",
        "menu camp { done }\nrule evening() { offer camp }\naction rest(n: 1..2) in camp { my.coins += n; offer camp }" => "menu camp { done }\nrule evening() { offer camp }\naction rest(n: 1..2) in camp { my.coins += n }";
    EQUAL_TITLES "W0384" "Two actions with one title":
        "Two actions of a menu have the same title and the same parameters. Whoever chooses reads only titles and cannot tell the options apart.",
        "menu evening\naction sleep() \"Rest\" in evening { my.coins += 1 }\naction wait() \"Rest\" in evening { my.coins -= 1 }\nrule r() { offer evening }" => "menu evening\naction sleep() \"Sleep\" in evening { my.coins += 1 }\naction wait() \"Wait\" in evening { my.coins -= 1 }\nrule r() { offer evening }";
    TWO_SETS "W0701" "Two modifications without an order":
        "Two `modify … =` may set the same value at the same time, and nothing says which comes first: the newest one wins.",
        "value limit(p: player): int = 3\nmodify limit(p) = 4\nmodify limit(p) = 5" => "value limit(p: player): int = 3\nmodify limit(p) = 4\nmodify limit(p) += 1";
    TWO_REPLACE "W0702" "Two replacements without an order":
        "Two `instead of` may replace the same rule at the same time, and neither does it with `proceed()`: only the newest one acts, and nothing says which that is.",
        "rule feast() { }\ninstead of feast() { shuffle deck }\ninstead of feast() { turn all down }" => "rule feast() { }\ninstead of feast() { shuffle deck; proceed() }\ninstead of feast() { shuffle deck }";
}
