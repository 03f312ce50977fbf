//! The codes of syntax findings, E01xx, with their documentation.
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
        title: "A bracket is never closed",
        text: "Each `{`, `(` and `[` needs its `}`, `)` or `]`. The finding shows the opening bracket that has none. If the indentation shows that an inner bracket took the closing bracket of an outer one, the finding shows the inner one. The rest of the file is read from the next declaration that begins at the left edge of a line.",
        wrong: "value sum(a: int, b: int: int = a + b",
        right: "value sum(a: int, b: int): int = a + b",
    },
    CodeInfo {
        code: STRAY,
        title: "A closing bracket closes nothing",
        text: "The opening bracket of this `}`, `)` or `]` is missing, or it is already closed. Often a bracket above was closed too early: compare the indentation.",
        wrong: "rule a() { stop }\n}",
        right: "rule a() { stop }",
    },
    CodeInfo {
        code: TEXT,
        title: "A text does not end in its line",
        text: "A text is written between two `\"` in one line. In it, write `\\n` for a line end, `\\\"` for the character `\"`, and `\\{` for a curly bracket that does not begin a hole.",
        wrong: "rule a() { say \"Well done }",
        right: "rule a() { say \"Well done\" }",
    },
    CodeInfo {
        code: ESCAPE,
        title: "An unknown escape in a text",
        text: "After `\\`, a text can have `n` (a line end), `\"`, `\\`, `{` or `}`, and nothing else. For the character `\\`, write `\\\\`. All other characters can be written as they are.",
        wrong: "rule a() { say \"a\\tb\" }",
        right: "rule a() { say \"a b\" }",
    },
    CodeInfo {
        code: HOLE,
        title: "A hole in a text has no expression",
        text: "In a text, `{` begins a hole: an expression whose value is shown there, as in `\"{me} has {my.coins}\"`. There are no formats such as `{x:2}`. For the character `{`, write `\\{`.",
        wrong: "rule a() { say \"{1 +} coins\" }",
        right: "rule a() { say \"{1 + 1} coins\" }",
    },
    CodeInfo {
        code: DEEP,
        title: "Too deeply nested",
        text: "Brackets may be nested 64 levels deep, and operators and words such as `if` or `first` 256 levels deep, without a comma or the end of an entry between them. An `if` may have 256 branches, a `case` 256 rows, a block 2000 statements. Give parts of the expression names with `let` or `value`, and move parts of the block into their own `rule`.",
        wrong: "",
        right: "",
    },
    CodeInfo {
        code: SIZE,
        title: "The file is too large",
        text: "A file of rules may have 4 MiB. A game may have several files in its folder, so split the file in two.",
        wrong: "",
        right: "",
    },
    CodeInfo {
        code: TOKENS,
        title: "Too many words",
        text: "All files of a game together may have 200000 words, numbers, signs and lines. Comments, blanks and the contents of texts do not count.",
        wrong: "",
        right: "",
    },
    CodeInfo {
        code: BYTES,
        title: "The file is not plain text",
        text: "Rules are UTF-8 text; a byte order mark, tabs and any line ends are allowed. This file contains bytes that are not characters, or a zero character. Perhaps it was saved in another encoding (UTF-16, Latin-1), or it is not a text. Save it as UTF-8 in your editor.",
        wrong: "",
        right: "",
    },
    CodeInfo {
        code: ITEM,
        title: "A declaration cannot be read",
        text: "A file, a scenario, a variant, a mod or a part contains declarations, one in each line (or separated by `;`): `value`, `rule`, `action`, `menu`, `card`, `space`, an attachment such as `modify` or `after`, or a member such as `Kind name { … }`. The finding shows up to where the line is correct, and what was expected there.",
        wrong: "rule a { stop }",
        right: "rule a() { stop }",
    },
    CodeInfo {
        code: STMT,
        title: "A statement cannot be read",
        text: "A block contains statements, one in each line (or separated by `;`). The finding shows up to where this one is correct, and what was expected there. A statement continues in the next line if that line begins with something that cannot begin a statement, such as `and`, `else`, `+` or a closing bracket.",
        wrong: "rule a() { let x 3 }",
        right: "rule a() { let x = 3 }",
    },
    CodeInfo {
        code: PART,
        title: "An entry cannot be read",
        text: "The body of a kind contains attributes (`name: type`), zones, slots, values, rules and attachments. The body of a member contains values (`name: value`), what fills its slots (`name = …`, `name { … }`), and attachments. Lists and legends contain rows. The finding shows up to where this entry is correct, and what was expected there.",
        wrong: "table { zone deck Page }",
        right: "table { zone deck: Page }",
    },
    CodeInfo {
        code: RESERVED,
        title: "A reserved word is used as a name",
        text: "Words of expressions, such as `first`, `step` or `cost`, cannot be names. Longer names are allowed: `first_player`, `steps`. Words that begin declarations and statements (`map`, `move`, `card`) are allowed, too.",
        wrong: "rule a() { let first = 1 }",
        right: "rule a() { let first_one = 1 }",
    },
    CodeInfo {
        code: NUMBER,
        title: "A number is too large",
        text: "Numbers are whole, from -9223372036854775807 to 9223372036854775807.",
        wrong: "value n: int = 99999999999999999999",
        right: "value n: int = 999999",
    },
    CodeInfo {
        code: PEER,
        title: "A spelling of another language",
        text: "Many languages have this word or sign, but this one has another for it. The loops are `repeat until C { }` and `for x in S { }`. `give e` gives a rule's value, and `stop` ends a rule. The operators are the words `and`, `or` and `not`. The truth values are `yes` and `no`, and nothing is `none`. To draw, put or take, write `move X to Z`. Chance is `choose … by chance`, `shuffle` and `roll`. `#` begins a comment, and `else if` is two words.",
        wrong: "rule a() { while yes { stop } }",
        right: "rule a() { repeat until no { stop } }",
    },
    CodeInfo {
        code: EQUALS,
        title: "`=` in place of `==`",
        text: "`=` changes a value, or gives it a name; `==` asks whether two values are equal. In a condition, write `==`.",
        wrong: "rule a(n: int) { if n = 3 { stop } }",
        right: "rule a(n: int) { if n == 3 { stop } }",
    },
    CodeInfo {
        code: PICTURE,
        title: "A drawn map is never closed",
        text: "A drawn map is written between two `\"\"\"`, each row in its own line. Here the second `\"\"\"` is missing. The rest of the file is read from the next declaration that begins at the left edge of a line.",
        wrong: "map Board squares \"\"\"\n  . .\n  . .\n",
        right: "map Board squares \"\"\"\n  . .\n  . .\n\"\"\"\n",
    },
    CodeInfo {
        code: DOC,
        title: "A `##` comment without a declaration",
        text: "A `##` comment describes the declaration below it. It needs its own line, above a declaration, an attribute or a row. In a block, in a legend, or after something else in the line, write a plain comment with `#`.",
        wrong: "rule a() {\n  ## done\n  stop\n}",
        right: "rule a() {\n  # done\n  stop\n}",
    },
];
