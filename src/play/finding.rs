//! Finds choices by what a person types: the action, the thing and the target in that order, or the target alone.
//!
//! ```text
//! run             every choice of the action
//! run ada        every choice of the action with that thing
//! run ada e9     that choice
//! e9              the choice with that target, if there is only one
//! ```
use super::Offered;

/// Whether typed words mean words of a choice.
type IsMeant = fn(&[String], &[String]) -> bool;

/// The places of the choices that a text means, of the closest sort that has any: the same words, the beginning of their words, their end, some of their words in order.
pub fn find_choices(offered: &[Offered], typed: &str) -> Vec<usize> {
    let typed = split_words(typed);
    if typed.is_empty() {
        return Vec::new();
    }
    let texts: Vec<[Vec<String>; 3]> = offered
        .iter()
        .map(|o| [split_words(&o.words), split_words(&o.title), split_words(&o.path.join(" "))])
        .collect();
    let sorts: [IsMeant; 4] = [
        |all, typed| all == typed,
        |all, typed| all.starts_with(typed),
        |all, typed| all.ends_with(typed),
        has_in_order,
    ];
    let of_sort = |is: &IsMeant| -> Vec<usize> {
        let hit = |texts: &[Vec<String>; 3]| texts.iter().any(|t| is(t, &typed));
        texts.iter().enumerate().filter(|(_, t)| hit(t)).map(|(i, _)| i).collect()
    };
    sorts.iter().map(of_sort).find(|found| !found.is_empty()).unwrap_or_default()
}

/// Small words without the signs between them.
fn split_words(text: &str) -> Vec<String> {
    let is_between = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '{' | '}' | ',' | ':' | '_');
    text.split(is_between).filter(|w| !w.is_empty()).map(str::to_lowercase).collect()
}

/// Whether words stand among others in their order.
fn has_in_order(all: &[String], typed: &[String]) -> bool {
    let mut rest = all.iter();
    typed.iter().all(|t| rest.any(|w| w == t))
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserule_engine::Choice;

    fn offer(words: &str, title: &str, path: &[&str]) -> Offered {
        Offered {
            choice: Choice::Done,
            words: words.into(),
            title: title.into(),
            path: path.iter().map(|p| p.to_string()).collect(),
            cost: Vec::new(),
        }
    }

    #[test]
    fn a_choice_is_found_by_action_thing_and_target_or_by_its_target_alone() {
        let all = [
            offer("run(ada, E9)", "Run Ada to E9", &["Run", "Ada", "E9"]),
            offer("run(ada, E8)", "Run Ada to E8", &["Run", "Ada", "E8"]),
            offer("run(bob, E8)", "Run Bob to E8", &["Run", "Bob", "E8"]),
            offer("done", "done", &["done"]),
        ];
        for (typed, found) in [
            ("run", &[0, 1, 2][..]),
            ("run ada", &[0, 1]),
            ("Run Ada to E9", &[0]),
            ("run ada e9", &[0]),
            ("run(bob, e8)", &[2]),
            ("e9", &[0]),
            ("e8", &[1, 2]),
            ("run e9", &[0]),
            ("e9 ada", &[]),
            ("ad", &[]),
            ("", &[]),
        ] {
            assert_eq!(find_choices(&all, typed), found, "{typed}");
        }
    }
}
