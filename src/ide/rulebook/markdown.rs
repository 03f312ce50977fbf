//! Writes a rulebook as Markdown.
use super::{Item, Part, Rulebook, list_index};
use std::fmt::Write;

/// A rulebook as Markdown (CommonMark, with tables as on GitHub).
pub fn to_markdown(book: &Rulebook) -> String {
    let sections = book.list_sections();
    let mut out = format!("# {}\n", escape(&book.title));
    out.push('\n');
    for (_, anchor, section) in sections.iter().filter(|(depth, ..)| *depth == 0) {
        let _ = writeln!(out, "- [{}](#{anchor})", escape(&section.title));
    }
    out.push_str("- [Index](#index)\n");
    for (depth, anchor, section) in &sections {
        let marks = "#".repeat((depth + 2).min(6));
        let _ = write!(out, "\n<a id=\"{anchor}\"></a>\n{marks} {}\n", escape(&section.title));
        for part in &section.parts {
            out.push('\n');
            write_part(&mut out, part);
        }
    }
    out.push_str("\n<a id=\"index\"></a>\n## Index\n\n");
    for (term, anchors) in list_index(&sections) {
        let mut links = Vec::new();
        for (n, anchor) in anchors.iter().enumerate() {
            let words = if n == 0 { escape(&term) } else { (n + 1).to_string() };
            links.push(format!("[{words}](#{anchor})"));
        }
        let _ = writeln!(out, "- {}", links.join(", "));
    }
    out
}

fn write_part(out: &mut String, part: &Part) {
    match part {
        Part::Text(text) => {
            let _ = writeln!(out, "{}", escape(text));
        }
        Part::List(items) => {
            for item in items {
                let _ = match item {
                    Item::Words(words) => writeln!(out, "- {}", escape(words)),
                    Item::Rule(rule) => writeln!(out, "- {}", code_span(rule)),
                };
            }
        }
        Part::Table(head, rows) => {
            let row = |cells: &[String]| {
                let cells: Vec<String> = cells.iter().map(|c| escape(c).replace('|', "\\|")).collect();
                format!("| {} |\n", cells.join(" | "))
            };
            out.push_str(&row(head));
            let _ = writeln!(out, "|{}", "---|".repeat(head.len()));
            rows.iter().for_each(|r| out.push_str(&row(r)));
        }
        Part::Rules(text) | Part::Position(text, _) => write_fenced(out, text),
    }
}

/// A block of code, with a fence that does not occur in it.
fn write_fenced(out: &mut String, text: &str) {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let _ = writeln!(out, "{fence}text\n{}\n{fence}", text.trim_end());
}

/// Code within a line.
fn code_span(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let longest = line.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let gap = if line.starts_with('`') || line.ends_with('`') { " " } else { "" };
    format!("{fence}{gap}{line}{gap}{fence}")
}

/// A text in which no sign means anything; what the rules write in backticks is code.
fn escape(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut out = String::new();
    for (n, part) in line.split('`').enumerate() {
        let is_code = n % 2 == 1 && n < line.matches('`').count();
        match is_code {
            true => {
                let _ = write!(out, "`{part}`");
            }
            false => {
                if n > 0 && n % 2 == 1 {
                    out.push_str("\\`");
                }
                for c in part.chars() {
                    if matches!(c, '*' | '_' | '[' | ']' | '<' | '>' | '#' | '\\' | '~' | '&') {
                        out.push('\\');
                    }
                    out.push(c);
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::Section;
    use super::*;

    #[test]
    fn signs_of_markdown_in_texts_mean_nothing() {
        assert_eq!(escape("a *b* [c](d) <e>"), "a \\*b\\* \\[c\\](d) \\<e\\>");
        assert_eq!(escape("say `x_1` now"), "say `x_1` now");
        assert_eq!(escape("one ` alone"), "one \\` alone");
        assert_eq!(code_span("a `b` c"), "``a `b` c``");
        let mut out = String::new();
        write_fenced(&mut out, "x\n```\ny");
        assert!(out.starts_with("````text\n") && out.ends_with("\n````\n"), "{out}");
    }

    #[test]
    fn the_index_leads_to_every_section_of_a_name() {
        let book = Rulebook {
            title: String::from("Two"),
            sections: vec![Section::named("Rest"), Section::named("Rest"), Section::plain("Other")],
        };
        let text = to_markdown(&book);
        assert!(text.contains("- [Rest](#rest), [2](#rest-2)\n"), "{text}");
        assert!(text.contains("<a id=\"rest-2\"></a>") && !text.contains("- [Other](#other)\n\n"), "{text}");
    }
}
