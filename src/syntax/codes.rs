//! The findings of this room, E01xx: text and form.
use houserule_text::{Code, CodeInfo};

/// A bracket that is never closed.
pub const BRACKET: Code = Code("E0101");
/// A closing bracket that closes nothing.
pub const STRAY: Code = Code("E0102");
/// A text that does not end in its line.
pub const TEXT: Code = Code("E0103");
/// An unknown escape in a text.
pub const ESCAPE: Code = Code("E0104");
/// A hole in a text that holds no expression.
pub const HOLE: Code = Code("E0105");
/// Too deeply nested, or too long a row of operators.
pub const DEEP: Code = Code("E0106");
/// A file that is too large.
pub const SIZE: Code = Code("E0107");
/// Too many words in a file or a game.
pub const TOKENS: Code = Code("E0910");
/// A file that is no text.
pub const BYTES: Code = Code("E0108");
/// A declaration that cannot be read.
pub const ITEM: Code = Code("E0109");
/// A statement that cannot be read.
pub const STMT: Code = Code("E0110");
/// An entry of a body or a table that cannot be read.
pub const PART: Code = Code("E0111");
/// A reserved word where a name is wanted.
pub const RESERVED: Code = Code("E0112");
/// A number that is too large.
pub const NUMBER: Code = Code("E0113");
/// A word or sign of other languages.
pub const PEER: Code = Code("E0114");
/// `=` where `==` is meant.
pub const EQUALS: Code = Code("E0115");
/// A drawn map that is never closed.
pub const PICTURE: Code = Code("E0116");
/// A `##` comment where nothing is declared.
pub const DOC: Code = Code("E0117");

/// All of them, explained.
pub const CODES: &[CodeInfo] = &[
    CodeInfo {
        code: BRACKET,
        title: "a bracket is never closed",
        text: "Each `{`, `(` and `[` needs its `}`, `)` or `]`. The place is that of the opening bracket which has none. \
               Where the indentation shows that an inner bracket was closed by what was meant for an outer one, that inner one is shown. \
               Reading goes on at the next line that begins, unindented, with a declaration, so what is wrong further on is found all the same.",
        wrong: "value sum(a: int, b: int: int = a + b",
        right: "value sum(a: int, b: int): int = a + b",
    },
    CodeInfo {
        code: STRAY,
        title: "a closing bracket closes nothing",
        text: "There is a `}`, `)` or `]` here whose opening bracket is missing, or was closed before. \
               Often a bracket further up was closed too early: compare the indentation.",
        wrong: "rule a() { stop }\n}",
        right: "rule a() { stop }",
    },
    CodeInfo {
        code: TEXT,
        title: "a text does not end in its line",
        text: "A text stands between two `\"` in one line. Write `\\n` for a line end inside it, `\\\"` for the sign itself, \
               and `\\{` for a curly bracket that is no hole. Several lines that belong together can be said one by one.",
        wrong: "rule a() { say \"Well done }",
        right: "rule a() { say \"Well done\" }",
    },
    CodeInfo {
        code: ESCAPE,
        title: "an unknown escape in a text",
        text: "Behind `\\` a text may hold `n` (a line end), `\"`, `\\`, `{` and `}`. Nothing else has a meaning there; \
               for the sign `\\` itself write `\\\\`. All other characters stand for themselves.",
        wrong: "rule a() { say \"a\\tb\" }",
        right: "rule a() { say \"a b\" }",
    },
    CodeInfo {
        code: HOLE,
        title: "a hole in a text holds no expression",
        text: "In a text, `{` begins a hole: an expression whose value is shown there, as in `\"{me} has {my.coins}\"`. \
               Formats such as `{x:2}` do not exist. For the sign itself write `\\{`.",
        wrong: "rule a() { say \"{1 +} coins\" }",
        right: "rule a() { say \"{1 + 1} coins\" }",
    },
    CodeInfo {
        code: DEEP,
        title: "too deeply nested",
        text: "Brackets may be nested 64 deep, and at most 256 operators and words such as `if` or `first` may stand inside one another without a comma or an \
               entry's end between them. An `if` may have 256 branches, a `case` 256 rows, a block 2000 statements. No rulebook comes near. Give parts of the expression names with `let` or `value`, and parts of the \
               block a `rule` of their own.",
        wrong: "",
        right: "",
    },
    CodeInfo {
        code: SIZE,
        title: "the file is too large",
        text: "A file of rules may hold 4 MiB. A game is a folder: everything in its files counts as one, so cut the file in two.",
        wrong: "",
        right: "",
    },
    CodeInfo {
        code: TOKENS,
        title: "too many words",
        text: "All files of a game together may have 200000 words, numbers, signs and lines. Remarks, blanks and what stands in texts do not count.",
        wrong: "",
        right: "",
    },
    CodeInfo {
        code: BYTES,
        title: "the file is not plain text",
        text: "Rules are UTF-8 text; a byte order mark, tabs and any line ends are fine. This file holds bytes that are no characters, or the character zero: \
               it was perhaps saved in another encoding (UTF-16, Latin-1), or is no text at all.",
        wrong: "",
        right: "",
    },
    CodeInfo {
        code: ITEM,
        title: "a declaration cannot be read",
        text: "A file, a scenario, a variant, a mod or a part holds declarations, one a line (or parted by `;`): \
               `value`, `rule`, `action`, `menu`, `card`, `space`, an attachment such as `modify` or `after`, or a member such as `Kind name { … }`. \
               The message says how far the line could be read and what was expected there.",
        wrong: "rule a { stop }",
        right: "rule a() { stop }",
    },
    CodeInfo {
        code: STMT,
        title: "a statement cannot be read",
        text: "A block holds statements, one a line (or parted by `;`). The message says how far this one could be read and what was expected there. \
               A line goes on in the next one if that begins with what can only go on, such as `and`, `else`, `+` or a closing bracket.",
        wrong: "rule a() { let x 3 }",
        right: "rule a() { let x = 3 }",
    },
    CodeInfo {
        code: PART,
        title: "an entry cannot be read",
        text: "In a kind's body stand attributes (`name: type`), zones, slots, values, rules and attachments; in a member's body `name: value`, what fills its slots, and \
               attachments; in tables and legends their rows. The message says how far this entry could be read and what was expected there.",
        wrong: "table { zone deck Page }",
        right: "table { zone deck: Page }",
    },
    CodeInfo {
        code: RESERVED,
        title: "a reserved word is used as a name",
        text: "Words of expressions, such as `first`, `step` or `cost`, cannot be names of your own, or nobody could tell which is meant. \
               Longer names are fine: `first_player`, `steps`. Words of declarations and statements (`map`, `move`, `card`) are free.",
        wrong: "rule a() { let first = 1 }",
        right: "rule a() { let first_one = 1 }",
    },
    CodeInfo {
        code: NUMBER,
        title: "a number is too large",
        text: "Numbers are whole and lie between -9223372036854775807 and 9223372036854775807.",
        wrong: "value n: int = 99999999999999999999",
        right: "value n: int = 999999",
    },
    CodeInfo {
        code: PEER,
        title: "another language's spelling",
        text: "There is one way to say each thing. `repeat until C { }` and `for x in S { }` are the loops, `give e` is a rule's value and `stop` its end, \
               `and`, `or`, `not` are words, `none` is nothing, `yes` and `no` are the truth values, `move X to Z` is the only way to draw, put or take, \
               `choose … by chance` and `roll` are the only randomness, `#` begins a comment, `else if` is two words.",
        wrong: "rule a() { while yes { stop } }",
        right: "rule a() { repeat until no { stop } }",
    },
    CodeInfo {
        code: EQUALS,
        title: "`=` where `==` is meant",
        text: "`=` changes a value, or says what a name stands for; `==` asks whether two values are the same. In a condition only `==` makes sense.",
        wrong: "rule a(n: int) { if n = 3 { stop } }",
        right: "rule a(n: int) { if n == 3 { stop } }",
    },
    CodeInfo {
        code: PICTURE,
        title: "a drawn map is never closed",
        text: "A drawn map stands between two `\"\"\"`, each row in a line of its own, and the second is missing. \
               Reading goes on at the next line that begins, unindented, with a declaration.",
        wrong: "map Board squares \"\"\"\n  . .\n  . .\n",
        right: "map Board squares \"\"\"\n  . .\n  . .\n\"\"\"\n",
    },
    CodeInfo {
        code: DOC,
        title: "a `##` comment documents nothing",
        text: "`##` says what the declaration below it is for, so it stands in lines of its own above a declaration, an attribute or a row. \
               Inside a block, in a legend, or behind other things in a line, write a plain `#` comment.",
        wrong: "rule a() {\n  ## done\n  stop\n}",
        right: "rule a() {\n  # done\n  stop\n}",
    },
];
