//! `houserule doc`: a rulebook made from the rules holds everything that players must know of them, and is sound as HTML and as Markdown.
use crate::cli::cli_args;
use crate::support::games;
use houserule::cli::Exit;
use houserule::ide::Analysis;
use houserule::ide::cards::list_cards;
use houserule::model::hir::{HeadStep, ScopeKind, Text, TextPart};
use std::collections::BTreeSet;

/// A text of the rules without holes.
fn plain(text: &Text) -> Option<String> {
    let part = |p: &TextPart| if let TextPart::Literal(t) = p { Some(t.to_string()) } else { None };
    text.parts.iter().map(part).collect()
}

/// All text of an HTML page, with single blanks.
fn text_of(html: &str) -> String {
    let page = roxmltree::Document::parse(html.trim_start_matches("<!DOCTYPE html>")).expect("well-formed");
    let text: String =
        page.descendants().filter(|n| n.is_text()).filter_map(|n| n.text()).collect::<Vec<_>>().join(" ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_shipped_game_has_a_whole_rulebook() {
    let folder = tempfile::tempdir().expect("a folder");
    for game in games() {
        let path = |end: &str| folder.path().join(format!("{game}.{end}")).display().to_string();
        let (html, markdown) = (path("html"), path("md"));
        let done = cli_args(&["doc", &game, "--html", &html, "--markdown", &markdown, "--examples", "2"]);
        assert_eq!(done.exit, Exit::Fine, "{game}: {}", done.err);
        let html = std::fs::read_to_string(html).expect("the page");
        let markdown = std::fs::read_to_string(markdown).expect("the Markdown");
        // Every link leads somewhere, and no two places are called alike.
        let page = roxmltree::Document::parse(html.trim_start_matches("<!DOCTYPE html>"));
        let page = page.unwrap_or_else(|e| panic!("{game}: {e}"));
        let ids: Vec<&str> = page.descendants().filter_map(|n| n.attribute("id")).collect();
        let unique: BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(ids.len(), unique.len(), "{game}: two places of one name");
        let links: Vec<&str> = page
            .descendants()
            .filter_map(|n| n.attribute("href"))
            .filter_map(|h| h.strip_prefix('#'))
            .collect();
        assert!(links.len() >= 4);
        for link in links {
            assert!(unique.contains(link), "{game}: nothing is called {link}");
            assert!(markdown.contains(&format!("<a id=\"{link}\"></a>")), "{game}: {link} in Markdown");
        }
        // What players must know stands in it.
        let text = text_of(&html).to_lowercase();
        let files = crate::support::source(&game);
        let analysis = Analysis::from_source(&files);
        let model = &analysis.model;
        let mut wanted: Vec<String> = Vec::new();
        wanted.extend(list_cards(&analysis).groups.iter().flat_map(|g| &g.cards).map(|c| c.title.clone()));
        wanted.extend(model.actions.iter().filter(|a| a.has_title).map(|a| a.title.to_string()));
        wanted.extend(model.options.iter().map(|o| o.title.to_string()));
        let named = |k: ScopeKind| matches!(k, ScopeKind::Scenario | ScopeKind::Variant | ScopeKind::Mod);
        wanted.extend(model.scopes.iter().filter(|s| named(s.kind)).map(|s| s.title.to_string()));
        wanted.extend(model.rules.iter().filter_map(|r| r.title.as_ref()).map(|t| t.to_string()));
        let guards = model.actions.iter().filter(|a| a.carrier.is_none()).flat_map(|a| &a.head);
        let reasons = guards.filter_map(|h| match h {
            HeadStep::Needs(g) | HeadStep::MustLeave(g) => g.reason.as_ref().and_then(plain),
            HeadStep::Let(..) => None,
        });
        wanted.extend(reasons.filter(|r| !r.starts_with("needs ")));
        wanted.extend(model.doc.iter().map(|d| d.replace('`', " ")));
        for words in wanted {
            let words = words.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
            assert!(text.contains(&words), "{game}: “{words}” does not stand in its rulebook");
        }
    }
}

#[test]
fn rulebooks_of_two_small_games_read_well() {
    for game in ["tic-tac-toe", "kuhn"] {
        let done = cli_args(&["doc", game, "--examples", "1"]);
        assert_eq!(done.exit, Exit::Fine, "{}", done.err);
        insta::assert_snapshot!(format!("rulebook of {game}"), done.out);
    }
}

#[test]
fn an_example_stands_with_the_position_in_which_it_begins() {
    let done = cli_args(&["doc", "tic-tac-toe"]);
    let example = done.out.split("### a taken cell is taken").nth(1).expect("the example");
    assert!(example.trim_start().starts_with("```text\n3  · · ·\n2  · o ·\n1  · · ·\n"), "{example}");
    let none = cli_args(&["doc", "tic-tac-toe", "--examples", "0"]);
    assert!(!none.out.contains("## Examples"), "{}", none.out);
    let one = cli_args(&["doc", "tic-tac-toe", "--examples", "1"]);
    assert!(one.out.contains("three in a row win") && !one.out.contains("### a taken cell"), "{}", one.out);
}

#[test]
fn a_house_rule_is_told_in_the_rulebook() {
    let done = cli_args(&["doc", "fuji", "--examples", "0", "--mod", "gentle-slope"]);
    assert_eq!(done.exit, Exit::Fine, "{}", done.err);
    let rules = done.out.split("\n## House rules\n").nth(1).expect("a section of house rules");
    assert!(rules.contains("### Gentle slope"), "{rules}");
}

#[test]
fn what_the_rules_say_is_no_markup() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::create_dir(folder.path().join("evil")).expect("a folder");
    let rules = "## Win | <b>at once</b> & *soon*.\ngame Evil \"<script>alert(1)</script>\" { players 2; outcome win }\n\
         card Card\nCard one \"A | <i>\" x2\n\
         round once { everyone in turn { offer go } }\nmenu go \"[x](y)\" { pass }\n\
         ## Say `x < y | z` now.\naction act() \"**bold**\" in go { needs 1 == 1 else \"</li>\"; win me }\n";
    std::fs::write(folder.path().join("evil/evil.rules"), rules).expect("a file");
    let (game, html) = (path("evil"), path("evil.html"));
    let done = cli_args(&["doc", &game, "--html", &html]);
    assert_eq!(done.exit, Exit::Fine, "{}", done.err);
    let html = std::fs::read_to_string(html).expect("the page");
    assert!(!html.contains("<script") && !html.contains("<b>") && !html.contains("<i>"), "{html}");
    assert!(text_of(&html).contains("<script>alert(1)</script>"), "{html}");
    let done = cli_args(&["doc", &game]);
    assert!(done.out.contains("# \\<script\\>"), "{}", done.out);
    assert!(done.out.contains("\\*\\*bold\\*\\*") && done.out.contains("A \\| \\<i\\>"), "{}", done.out);
}

#[test]
fn a_file_that_cannot_be_written_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let nowhere = folder.path().join("no/such/folder/book.html").display().to_string();
    let done = cli_args(&["doc", "kuhn", "--html", &nowhere]);
    assert_eq!(done.exit, Exit::Unreadable);
    assert!(done.err.contains("book.html"), "{}", done.err);
}
