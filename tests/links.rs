//! Links in the documentation lead somewhere: to a file, and to a heading or an anchor in it.
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The pages of the repository, without those of crates that were built.
fn list_pages() -> Vec<PathBuf> {
    let root = crate::support::root();
    let mut out: Vec<PathBuf> = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
        .iter()
        .map(|name| root.join(name))
        .collect();
    for folder in ["docs", "editor/vscode", "tests/suite"] {
        let pages = crate::support::files_in(&root.join(folder)).into_iter();
        let is_page = |p: &PathBuf| {
            p.extension().is_some_and(|e| e == "md")
                && !p.components().any(|c| c.as_os_str() == "node_modules")
        };
        out.extend(pages.filter(is_page));
    }
    out
}

/// A page without its blocks and spans of code.
fn without_code(text: &str) -> String {
    let mut out = String::new();
    let mut fence: Option<String> = None;
    for line in text.lines() {
        let marks: String = line.trim_start().chars().take_while(|c| *c == '`').collect();
        match &fence {
            Some(open) if marks.len() >= open.len() => fence = None,
            Some(_) => {}
            None if marks.len() >= 3 => fence = Some(marks),
            None => {
                // Parts between backticks are code.
                let parts = line.split('`').enumerate().filter(|(n, _)| n % 2 == 0);
                out.extend(parts.map(|(_, p)| p));
                out.push('\n');
            }
        }
    }
    out
}

/// The anchors of a page: `<a id="x">`, and headings as GitHub and mdBook make them.
fn list_anchors(text: &str) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    let mut fenced = false;
    for line in text.lines() {
        fenced ^= line.trim_start().starts_with("```");
        for part in line.split("id=\"").skip(1) {
            out.extend(part.split('"').next().map(String::from));
        }
        let title = line.trim_start_matches('#');
        if fenced || title.len() == line.len() || !title.starts_with(' ') {
            continue;
        }
        // A link in a heading counts by its words.
        let title =
            regex_lite::Regex::new(r"\[([^\]]*)\]\([^)]*\)").expect("it is right").replace_all(title, "$1");
        let slug: String = title
            .trim()
            .to_lowercase()
            .chars()
            .filter_map(|c| match c {
                ' ' => Some('-'),
                c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
                _ => None,
            })
            .collect();
        let n = times.entry(slug.clone()).or_default();
        out.insert(if *n == 0 { slug } else { format!("{slug}-{n}") });
        *n += 1;
    }
    out
}

/// What is wrong with a link of a page.
fn find_fault(page: &Path, target: &str) -> Option<String> {
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let file = if path.is_empty() { page.to_path_buf() } else { page.parent()?.join(path) };
    if !file.exists() {
        return Some(format!("there is no {path}"));
    }
    if anchor.is_empty() || file.extension().is_none_or(|e| e != "md") {
        return None;
    }
    let text = std::fs::read_to_string(&file).expect("a page");
    (!list_anchors(&text).contains(anchor)).then(|| format!("{path} has no heading for #{anchor}"))
}

#[test]
fn every_link_leads_somewhere() {
    let link = regex_lite::Regex::new(r"\]\(([^)\s]+)\)").expect("it is right");
    let (mut faults, mut links) = (Vec::new(), 0);
    for page in list_pages() {
        let text = without_code(&std::fs::read_to_string(&page).expect("a page"));
        for found in link.captures_iter(&text) {
            let target = &found[1];
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            links += 1;
            let fault = find_fault(&page, target);
            faults.extend(fault.map(|f| format!("{}: [{target}]: {f}", page.display())));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(links > 150, "only {links} links were found");
}

#[test]
fn every_page_of_the_book_stands_in_its_summary() {
    let docs = crate::support::root().join("docs");
    let summary = std::fs::read_to_string(docs.join("SUMMARY.md")).expect("the summary");
    let folders = ["book", "decisions", "house-rules"].map(|f| crate::support::files_in(&docs.join(f)));
    for page in folders.concat() {
        let name = page.strip_prefix(&docs).expect("in docs").display().to_string();
        let is_page = name.ends_with(".md") && !name.starts_with("book/preludes");
        assert!(!is_page || summary.contains(&format!("({name})")), "SUMMARY.md does not name {name}");
    }
}
