//! Reads what a person types as the title of an action.
use houserule_program::ir::TitlePart;

/// The things that a line names where it reads as an action's title: `move a1 to a5` of `Move {c} to {d}`. Words between them may be left out, the first ones may not.
pub fn things_in_title(said: &[TitlePart], params: usize, line: &str) -> Option<Vec<String>> {
    let literal = |part: &TitlePart| match part {
        TitlePart::Text(text) => Some(text.trim().to_lowercase()).filter(|text| !text.is_empty()),
        TitlePart::Param(_) => None,
    };
    literal(said.first()?)?;
    let mut things = vec![None; params];
    let mut rest = line.trim();
    for (i, part) in said.iter().enumerate() {
        let TitlePart::Param(n) = part else {
            let Some(text) = literal(part) else { continue };
            match rest.strip_prefix(&*text).filter(|rest| rest.is_empty() || rest.starts_with(' ')) {
                Some(behind) => rest = behind.trim_start(),
                None if i == 0 => return None,
                None => {}
            }
            continue;
        };
        let later = said.get(i + 1..).unwrap_or(&[]);
        let until = later.iter().find_map(literal).and_then(|text| find_words(rest, &text));
        let end = match until {
            Some(end) => end,
            None if later.iter().any(|part| matches!(part, TitlePart::Param(_))) => rest.find(' ')?,
            None => rest.len(),
        };
        let (thing, behind) = rest.split_at_checked(end)?;
        *things.get_mut(usize::from(*n))? = Some(thing.trim().to_string()).filter(|thing| !thing.is_empty());
        rest = behind.trim_start();
    }
    if rest.is_empty() { things.into_iter().collect() } else { None }
}

/// Where words stand behind a blank, whole.
fn find_words(line: &str, words: &str) -> Option<usize> {
    let whole = |at: &usize| {
        let behind = line.get(at + 1 + words.len()..);
        behind.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    line.match_indices(&format!(" {words}")).map(|(at, _)| at).find(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(title: &[&str], line: &str) -> Option<String> {
        let part = |text: &&str| match text.strip_prefix('$') {
            Some(n) => TitlePart::Param(n.parse().unwrap()),
            None => TitlePart::Text((*text).into()),
        };
        let said: Vec<TitlePart> = title.iter().map(part).collect();
        let params = said.iter().filter(|p| matches!(p, TitlePart::Param(_))).count();
        things_in_title(&said, params, line).map(|things| things.join(" | "))
    }

    #[test]
    fn things_are_found_by_the_words_round_them() {
        let carry = ["Carry ", "$0", " to ", "$1"];
        assert_eq!(read(&carry, "carry a1 to b2").as_deref(), Some("a1 | b2"));
        assert_eq!(
            read(&carry, "carry red lamp to the old shed").as_deref(),
            Some("red lamp | the old shed")
        );
        assert_eq!(read(&carry, "carry a tower to b2").as_deref(), Some("a tower | b2"));
        assert_eq!(read(&["See ", "$0", " from afar"], "see b2 from afar").as_deref(), Some("b2"));
        // Words between things may be left out; then each thing before the last is one word.
        assert_eq!(read(&carry, "carry a1 b2").as_deref(), Some("a1 | b2"));
        // What stands first in the title need not be the first parameter.
        assert_eq!(read(&["Pay ", "$1", " for ", "$0"], "pay 3 for lamp").as_deref(), Some("lamp | 3"));
        assert_eq!(read(&["Rest"], "rest").as_deref(), Some(""));
    }

    #[test]
    fn other_lines_are_not_read() {
        let carry = ["Carry ", "$0", " to ", "$1"];
        for line in ["carry", "carry a1", "carrying a1 to b2", "bring a1 to b2", ""] {
            assert_eq!(read(&carry, line), None, "{line}");
        }
        assert_eq!(read(&["Rest"], "rest now"), None);
        assert_eq!(read(&["$0", " rests"], "ada rests"), None, "a title that begins with a thing");
    }
}
