//! Finds values that are symmetric in their first two arguments, such as `value gap(a: Hex, b: Hex): … = neighbours(a) where it in neighbours(b)`. To swap them in a call is no mutation.
//! Found by the text alone: a body that reads the same when its two parameters are exchanged.
use houserule_model::hir::Builtin;
use houserule_model::hir::builtins::Trait;
use houserule_syntax::NodeKind;

/// What is declared for a value, or put in its place, and whether that is the same both ways.
pub(super) type Symmetry = (String, bool);

/// Whether the first two arguments of a call may change places; `declared` is what all texts of the game say.
pub(super) fn is_symmetric(name: &str, declared: &[Symmetry]) -> bool {
    let mut own = declared.iter().filter(|(n, _)| n == name).peekable();
    if own.peek().is_none() { built_in().any(|w| w == name) } else { own.all(|(_, same)| *same) }
}

/// What one node of that text declares: `value f(a: T, b: T): U = body`, or `modify f(a, b) = body`.
pub(super) fn find_symmetry(kind: NodeKind, text: &str) -> Option<Symmetry> {
    if !matches!(kind, NodeKind::Value | NodeKind::Attachment) {
        return None;
    }
    let head = text.strip_prefix("value ").or_else(|| text.strip_prefix("modify "))?;
    let (name, rest) = head.split_once('(')?;
    let (params, rest) = rest.split_once(')')?;
    let names: Vec<&str> = params.split(',').map(|p| p.split(':').next().unwrap_or("").trim()).collect();
    let [a, b] = names.as_slice() else { return Some((name.to_string(), false)) };
    let body = rest.split_once("= ")?.1.trim();
    Some((name.to_string(), is_symmetric_body(body, a, b)))
}

/// Whether a body reads the same with `a` and `b` exchanged, but for the order in which both are handed to a function of the language, or what they have in common is asked for.
fn is_symmetric_body(body: &str, a: &str, b: &str) -> bool {
    let exchanged: String = split_words(body)
        .map(|w| match w {
            w if w == a => b,
            w if w == b => a,
            w => w,
        })
        .collect();
    let turned = match body.split_once(" where it in ") {
        Some((x, y)) if !x.contains(' ') && !y.contains(' ') => format!("{y} where it in {x}"),
        _ => built_in().fold(body.to_string(), |text, f| {
            text.replace(&format!("{f}({a}, {b})"), &format!("{f}({b}, {a})"))
        }),
    };
    exchanged == body || exchanged == turned
}

/// Functions of the language that ask the same of both.
fn built_in() -> impl Iterator<Item = &'static str> {
    Builtin::CALLED.iter().filter(|(b, _)| b.has(Trait::Symmetric)).map(|(_, w)| *w)
}

/// A text in words and what stands between them.
fn split_words(text: &str) -> impl Iterator<Item = &str> {
    let is_word = |x: char| x.is_ascii_alphanumeric() || x == '_';
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let end = rest.find(|x: char| is_word(x) != is_word(first)).unwrap_or(rest.len());
        let (word, more) = rest.split_at(end);
        rest = more;
        Some(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_reads_the_same_both_ways_is_symmetric() {
        for body in ["between(a, b) is not empty", "neighbours(a) where it in neighbours(b)", "yes"] {
            assert!(is_symmetric_body(body, "a", "b"), "{body}");
        }
        for body in ["a - b", "a > b", "distance(a, b, through: open)", "f(a, b)", "a", "a + g where it in b"]
        {
            assert!(!is_symmetric_body(body, "a", "b"), "{body}");
        }
    }
}
