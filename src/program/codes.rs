//! Codes of the findings that the compiler reports about a set-up, with their explanations.
use houserule_text::{Code, CodeInfo};

/// Something that the engine does not support, or that is not constant where it must be.
pub const NOT_LOWERED: Code = Code("E0990");

/// A map without a picture, or a space that is not in it.
pub const NOT_DRAWN: Code = Code("E0662");

/// A map without spaces, or with more than a map may have.
pub const MAP_SIZE: Code = Code("E0914");

/// The code of a set-up exceeds the limit.
pub const TOO_MUCH_CODE: Code = Code("E0913");

/// A value, rule or action needs more words at once than there are.
pub const TOO_MANY_WORDS: Code = Code("E0915");

/// The codes of this room with their explanations.
pub const CODES: &[CodeInfo] = &[
    CodeInfo {
        code: NOT_DRAWN,
        title: "A map or space that this set-up does not have",
        text: "A map without a size gets its spaces from the pictures in scenarios. In this set-up there is no picture of the map, or its picture or size does not have a space that a rule or test names.",
        wrong: "map Land squares\nspace Field on Land { }",
        right: "map Land squares 3 by 3\nspace Field on Land { }",
    },
    CodeInfo {
        code: MAP_SIZE,
        title: "A map that is too large",
        text: "A map has 1 to 2048 spaces in each set-up. Spaces that a picture leaves out (`.`) do not count.",
        wrong: "map Land squares 50 by 50",
        right: "map Land squares 45 by 45",
    },
    CodeInfo {
        code: TOO_MUCH_CODE,
        title: "Too much code for a set-up",
        text: "The code of a set-up may have 1000000 instructions. The finding shows the value, rule or action that takes most of them.",
        wrong: "token Pebble x2000\ntable { zone sack: Pebble }",
        right: "table { pebbles: 0..2000 = 2000 }",
    },
    CodeInfo {
        code: TOO_MANY_WORDS,
        title: "Too much at once",
        text: "While a value, rule or action is worked out, its parts together may take 250 words of memory: a number or a thing takes one word, a set one for each 64 things of its kind, a list one for each four.",
        wrong: "token Pebble x400 { wet: bool = no }\nplayer { zone sack: Pebble }\nneeds (first of (my.sack where wet or me == bo) where not wet) is none",
        right: "player { pebbles: 0..400 = 0; wet_pebbles: 0..400 = 0 }",
    },
    CodeInfo {
        code: NOT_LOWERED,
        title: "Correct, but not yet in the engine",
        text: "The rules are correct, but the engine cannot do this yet in this set-up. Or something that must be fixed before the game begins (a number of copies, a size, a capacity) depends on the state of the game. The finding says which.",
        wrong: "",
        right: "",
    },
];
