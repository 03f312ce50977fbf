//! Writes a rulebook as one HTML page that needs nothing else.
use super::{Item, Part, Rulebook, list_index};
use std::fmt::Write;

const STYLE: &str = "
:root { color-scheme: light dark; --ink: #1d2430; --paper: #fbfaf7; --quiet: #5c6675; --line: #d8d4cb; --ground: #f1eee7; --link: #1f5f8b; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e6ea; --paper: #16191f; --quiet: #9aa4b2; --line: #343a45; --ground: #20252e; --link: #7db7e0; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.55 Georgia, 'Times New Roman', serif; }
a { color: var(--link); text-decoration-thickness: 1px; text-underline-offset: 2px; }
nav, main { padding: 1.5rem; }
main { max-width: 48rem; }
nav { font: 15px/1.5 system-ui, sans-serif; }
nav ul, .index { list-style: none; margin: 0; padding: 0; }
nav ul ul { padding-left: 1rem; }
nav li { margin: .25rem 0; }
h1, h2, h3, h4 { font-family: system-ui, sans-serif; line-height: 1.25; }
h1 { margin-top: 0; font-size: 2.2rem; }
h2 { margin-top: 3rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); }
h3 { margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid var(--line); }
th { font: 600 14px/1.4 system-ui, sans-serif; color: var(--quiet); }
code, pre { font-family: ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; font-size: .85em; }
pre { background: var(--ground); padding: .8rem 1rem; overflow-x: auto; line-height: 1.3; border-radius: 6px; }
pre.position { background: #16191f; color: #e4e6ea; line-height: 1.15; }
.index { columns: 14rem; }
@media (min-width: 72rem) { body { display: grid; grid-template-columns: 19rem 1fr; } nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; border-right: 1px solid var(--line); } main { padding: 2rem 3rem; } }
@media print { nav { display: none; } body { font-size: 11pt; } h2 { break-before: page; } section { break-inside: avoid-page; } pre { white-space: pre-wrap; } }
";

/// A rulebook as an HTML page (well-formed as XML, too).
pub fn to_html(book: &Rulebook) -> String {
    let sections = book.list_sections();
    let title = escape(&book.title);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<nav aria-label=\"Contents\">\n<ul>\n"
    );
    let mut rest = sections.iter().peekable();
    while let Some((_, anchor, section)) = rest.next() {
        let _ = write!(out, "<li><a href=\"#{anchor}\">{}</a>", escape(&section.title));
        let mut inner = String::new();
        while let Some((depth, anchor, section)) = rest.peek().filter(|(depth, ..)| *depth > 0) {
            if *depth == 1 {
                let _ = write!(inner, "<li><a href=\"#{anchor}\">{}</a></li>", escape(&section.title));
            }
            rest.next();
        }
        if !inner.is_empty() {
            let _ = write!(out, "<ul>{inner}</ul>");
        }
        out.push_str("</li>\n");
    }
    let _ = write!(out, "<li><a href=\"#index\">Index</a></li>\n</ul>\n</nav>\n<main>\n<h1>{title}</h1>\n");
    for (depth, anchor, section) in &sections {
        let level = (depth + 2).min(6);
        let _ = write!(out, "<section>\n<h{level} id=\"{anchor}\">{}</h{level}>\n", escape(&section.title));
        section.parts.iter().for_each(|part| write_part(&mut out, part));
        out.push_str("</section>\n");
    }
    out.push_str("<section>\n<h2 id=\"index\">Index</h2>\n<ul class=\"index\">\n");
    for (term, anchors) in list_index(&sections) {
        let mut links = Vec::new();
        for (n, anchor) in anchors.iter().enumerate() {
            let words = if n == 0 { escape(&term) } else { (n + 1).to_string() };
            links.push(format!("<a href=\"#{anchor}\">{words}</a>"));
        }
        let _ = writeln!(out, "<li>{}</li>", links.join(", "));
    }
    out.push_str("</ul>\n</section>\n</main>\n</body>\n</html>\n");
    out
}

fn write_part(out: &mut String, part: &Part) {
    let _ = match part {
        Part::Text(text) => writeln!(out, "<p>{}</p>", inline(text)),
        Part::List(items) => {
            out.push_str("<ul>\n");
            for item in items {
                let _ = match item {
                    Item::Words(words) => writeln!(out, "<li>{}</li>", inline(words)),
                    Item::Rule(rule) => writeln!(out, "<li><code>{}</code></li>", escape(rule.trim())),
                };
            }
            writeln!(out, "</ul>")
        }
        Part::Table(head, rows) => {
            let row = |cells: &[String], tag: &str| -> String {
                cells.iter().map(|c| format!("<{tag}>{}</{tag}>", inline(c))).collect()
            };
            let _ = writeln!(out, "<table>\n<thead><tr>{}</tr></thead>\n<tbody>", row(head, "th"));
            for cells in rows {
                let _ = writeln!(out, "<tr>{}</tr>", row(cells, "td"));
            }
            writeln!(out, "</tbody>\n</table>")
        }
        Part::Rules(text) => writeln!(out, "<pre><code>{}</code></pre>", escape(text.trim_end())),
        Part::Position(_, html) => writeln!(out, "<pre class=\"position\">{}</pre>", html.trim_end()),
    };
}

/// A text in which what stands in backticks is code.
fn inline(text: &str) -> String {
    let pairs = text.matches('`').count() / 2 * 2;
    let mut out = String::new();
    for (n, part) in text.split('`').enumerate() {
        match n {
            0 => {}
            n if n > pairs => out.push('`'),
            n if n % 2 == 1 => out.push_str("<code>"),
            _ => out.push_str("</code>"),
        }
        out.push_str(&escape(part));
    }
    out
}

/// A text between tags and in attributes.
fn escape(text: &str) -> String {
    let plain: String = text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect();
    plain.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backticks_in_pairs_are_code() {
        assert_eq!(inline("say `a<b` now"), "say <code>a&lt;b</code> now");
        assert_eq!(inline("one ` alone"), "one ` alone");
        assert_eq!(inline("`a` and ` b"), "<code>a</code> and ` b");
    }
}
