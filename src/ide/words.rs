//! The keywords and built-in words of the language, with one line on each for hover and completion.
use houserule_model::body::index;
use houserule_model::hir::Builtin;
use houserule_model::hir::builtins::called_words;
use houserule_syntax::words::{WORDS, about_word};

/// Words of the language of which there is no more to say.
const MORE: &[&str] = &[
    "all",
    "because",
    "break",
    "chance",
    "choices",
    "seconds",
    "time",
    "clock",
    "dead",
    "diagonal",
    "down",
    "each",
    "highest",
    "least",
    "leave",
    "line",
    "lost",
    "lowest",
    "maximise",
    "minimise",
    "most",
    "next",
    "numbered",
    "of",
    "on",
    "one",
    "open",
    "out",
    "part",
    "patch",
    "played",
    "refused",
    "rhombus",
    "sorted",
    "start",
    "stay",
    "tied",
    "to",
    "together",
    "turn",
    "unlimited",
    "up",
    "within",
];

/// Words of the grammar that stand in neither list, as no line explains them.
const WITHOUT_LINE: &[&str] = &["but", "can", "end", "everyone", "has", "order", "per", "refill"];

/// Types, and built-in names that stand only in certain places; the others are the checker's own lists.
const BUILTIN: &[&str] =
    &["int", "bool", "text", "place", "player", "team", "empty", "running", "proceed", "nothing"];

/// What a look draws, and the names of built-in calls' arguments.
const NAMED: &[&str] = &[
    "fill", "edge", "shape", "turn", "title", "text", "corner", "badge", "legend", "centre", "through",
    "most", "least", "among", "over", "steps", "from", "to", "players", "seats", "others", "box", "key",
    "number", "turns", "beside", "length", "straight", "slant", "all", "lines", "nobody", "opponent",
];

/// Whether a word before a colon is built in: the fields of a look, arguments of built-in calls, a built-in set that is gone through.
pub(super) fn is_named(word: &str) -> bool {
    NAMED.contains(&word)
}

/// Whether a word is one of the language's, somewhere.
pub(super) fn is_keyword(word: &str) -> bool {
    !matches!(word, "players" | "player" | "seats")
        && (WORDS.iter().any(|(w, _)| *w == word) || MORE.contains(&word))
}

/// Whether a word is a built-in name.
pub(super) fn is_builtin(word: &str) -> bool {
    [BUILTIN, index::WORDS].iter().any(|l| l.contains(&word)) || called_words().any(|w| w == word)
}

/// Every word of the language that may be offered: keywords and built-in names.
pub fn list_words() -> Vec<&'static str> {
    let own = WORDS.iter().map(|(w, _)| *w).chain(MORE.iter().chain(WITHOUT_LINE).copied());
    let built_in = [BUILTIN, index::WORDS].into_iter().flatten().copied();
    let mut out: Vec<&str> = own.chain(built_in).chain(called_words()).collect();
    // `slots` is kept for later.
    out.retain(|w| *w != "slots");
    out.sort_unstable();
    out.dedup();
    out
}

/// One line on a word of the language.
pub(super) fn describe_word(word: &str) -> Option<&'static str> {
    about_word(word).or_else(|| Builtin::called(word).map(Builtin::about))
}
