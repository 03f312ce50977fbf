//! Makes the text of new files: names from titles, and a scenario as a copy of another.
use super::games;

/// A title as a word of the language: letters, digits and `_`; each word with a capital where `kind`, else small and joined by `_`. Never empty.
pub fn to_word(title: &str, kind: bool) -> String {
    let title = deunicode::deunicode(title);
    let words: Vec<&str> =
        title.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty()).collect();
    let mut out = String::new();
    for w in words {
        if kind {
            let mut chars = w.chars();
            out.extend(chars.next().map(|c| c.to_ascii_uppercase()));
            out.push_str(chars.as_str());
        } else {
            if !out.is_empty() {
                out.push('_');
            }
            out.push_str(&w.to_ascii_lowercase());
        }
    }
    // A name begins with a letter.
    if !out.starts_with(|c: char| c.is_ascii_alphabetic()) {
        out.insert_str(0, if kind { "Game" } else { "scenario_" });
    }
    out
}

/// How long the name of a file may become.
const LONGEST: usize = 60;

/// A title as the name of a file or folder: `harvest-moon`; where nothing is left of it, `otherwise`.
pub fn to_file_name(title: &str, otherwise: &str) -> String {
    let title = deunicode::deunicode(title).to_ascii_lowercase();
    let words = title.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty());
    let mut name: String = words.collect::<Vec<_>>().join("-").chars().take(LONGEST).collect();
    name.truncate(name.trim_end_matches('-').len());
    // Windows has devices of these names.
    let numbered = |name: &str| name.len() == 4 && name.ends_with(|c: char| c.is_ascii_digit());
    let device = matches!(name.as_str(), "con" | "prn" | "aux" | "nul")
        || (name.starts_with("com") || name.starts_with("lpt")) && numbered(&name);
    match (name.is_empty(), device) {
        (true, _) => String::from(otherwise),
        (_, true) => format!("{name}-{otherwise}"),
        _ => name,
    }
}

/// A title as it can stand between quotes.
pub fn to_title(text: &str) -> String {
    text.chars().filter(|c| !matches!(c, '"' | '\\' | '{' | '}') && !c.is_control()).collect()
}

/// Makes the text of an empty scenario: its head alone.
pub fn make_scenario(name: &str, shown: &str, game: &str) -> String {
    format!("scenario {name} \"{}\" for {game} {{\n}}\n", to_title(shown))
}

/// A copy of the only scenario of a text, under another name and title; none if the text does not hold exactly one.
pub fn copy_scenario(text: &str, name: &str, shown: &str) -> Option<String> {
    let about = games::read_about(text);
    let [(old, old_title, _)] = about.scenarios.as_slice() else { return None };
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let word = line.trim_start_matches(['\u{feff}', ' ', '\t']);
        if word.starts_with("scenario") {
            let head = at + (line.len() - word.len());
            let rest = text.get(head..)?;
            // The name stands behind the word, which may hold its letters.
            let behind = "scenario".len();
            let first = head + behind + rest.get(behind..)?.find(&**old)?;
            let quoted = format!("\"{old_title}\"");
            let second = first + old.len();
            let second = second + text.get(second..)?.find(&quoted)?;
            let mut out = text.get(..first)?.to_string();
            out.push_str(name);
            out.push_str(text.get(first + old.len()..second)?);
            out.push_str(&format!("\"{}\"", to_title(shown)));
            out.push_str(text.get(second + quoted.len()..)?);
            return Some(out);
        }
        at += line.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_become_words() {
        assert_eq!(to_word("The long way, 2nd", true), "TheLongWay2nd");
        assert_eq!(to_word("The long way, 2nd", false), "the_long_way_2nd");
        assert_eq!(
            (to_word("Ärger & Co", true), to_word("Straße", false)),
            ("ArgerCo".into(), "strasse".into())
        );
        assert_eq!(to_file_name("Ärger & Co, 2nd", "game"), "arger-co-2nd");
        assert_eq!(
            (to_file_name("..", "game"), to_file_name("CON", "mod")),
            ("game".into(), "con-mod".into())
        );
        assert_eq!(
            (to_file_name("lpt1", "game"), to_file_name("12", "game")),
            ("lpt1-game".into(), "12".into())
        );
        assert_eq!(to_file_name(&"long ".repeat(50), "game").len(), 59);
        assert_eq!((to_word("2", true), to_word("", false)), ("Game2".into(), "scenario_".into()));
        assert_eq!(to_title("a \"b\" {c}\n"), "a b c");
    }

    #[test]
    fn a_copy_differs_in_its_head_only() {
        let old = "# scenario note\nscenario  s \"S\" for A with s { # s\n  map M \"\"\"\n  s\n\"\"\"\n}\n";
        let new =
            "# scenario note\nscenario  t \"The \" for A with s { # s\n  map M \"\"\"\n  s\n\"\"\"\n}\n";
        assert_eq!(copy_scenario(old, "t", "The \"").as_deref(), Some(new));
        assert_eq!(copy_scenario("game A \"A\" { }", "t", "T"), None);
        assert_eq!(
            copy_scenario(&make_scenario("a", "A", "G"), "b", "B"),
            Some(make_scenario("b", "B", "G"))
        );
    }
}
