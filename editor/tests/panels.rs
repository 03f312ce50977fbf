//! What the panels beside the three ways show, as text: files, findings, search, history, the page to begin with.
use houserule::ide::{Edit, EditSet, Query};
use houserule_editor::analyses::Analyses;
use houserule_editor::document::{Document, Manner, Subject};
use houserule_editor::jobs::{Jobs, Stop};
use houserule_editor::panels::{files, findings, history, search, start};
use std::fmt::Write as _;
use std::sync::Arc;

/// Two small games, one with a scenario and a mod, and a file of no game.
fn folder() -> Document {
    let texts = [
        (
            "rules/ant/ant.rules",
            "# Ant: all walk in line. No more.\ngame Ant \"Ant\" { players 2; outcome win }\nenum Ground { grass, sand }\n\
             map Land squares\nspace Cell on Land { ground: Ground = grass }\nlegend Land { g: grass; s: sand }\nround once { }\n",
        ),
        ("rules/bee/bee.rules", "game Bee \"The bees\" { players 3; outcome win }\nround once { }\n"),
        ("rules/mods/fast.rules", "mod \"Fast ants\" for Ant { }\n"),
        ("rules/stray.rules", "mod \"Nobody's\" for Cat { }\n"),
        (
            "scenarios/ant/hill.scenario",
            "scenario hill \"The hill\" for Ant {\n  map Land \"\"\"\n    g s\n    g g\n  \"\"\"\n}\n",
        ),
    ];
    Document::new(texts.map(|(n, t)| (Arc::from(n), t.to_string())))
}

fn put(document: &mut Document, label: &str, file: &str, range: std::ops::Range<usize>, text: &str) {
    let set = EditSet::from_edit(label, Edit::new(file, range, text));
    document.apply_as(set, Manner::Step).expect("the text has that range");
}

#[test]
fn the_list_of_files() {
    let mut document = folder();
    put(&mut document, "type", "rules/bee/bee.rules", 0..0, "# Bees.\n");
    let told = |wanted: &str| {
        let mut out = String::new();
        for g in files::Data::from_document(&document, wanted).groups {
            let _ = writeln!(out, "{} ({})", g.title, g.game.as_deref().unwrap_or("no game"));
            for (heading, entries) in g.parts {
                let names = entries.iter().map(|e| format!("{}{}", e.shown, if e.dirty { " •" } else { "" }));
                let _ = writeln!(out, "  {heading}: {}", names.collect::<Vec<_>>().join(", "));
            }
        }
        out
    };
    insta::assert_snapshot!("files", told(""));
    insta::assert_snapshot!("files_narrowed", told("hill"));
}

#[test]
fn the_list_of_findings() {
    let mut document = folder();
    let file = "rules/ant/ant.rules";
    let end = document.text(file).expect("it").len();
    put(&mut document, "type", file, end..end, "value a: int = nonesuch\nvalue b: int = grass\n");
    let mut analyses = Analyses::default();
    let subject = Subject { game: file.into(), with: Vec::new() };
    analyses.poll_jobs(&document, std::slice::from_ref(&subject), &Jobs::at_once());
    let known = analyses.get(&subject).expect("it was checked");
    // What was put in since moves them.
    put(&mut document, "type", file, 0..0, "# A line.\n");
    let data = findings::Data::from_known(&document, known);
    let mut out = format!("{:?}\n", data.count_by_severity());
    for f in &data.findings {
        let sort = if f.error { "error" } else { "warning" };
        let _ = writeln!(
            out,
            "{} {sort} {}: {} ({})",
            f.told,
            f.code,
            f.message,
            f.help.as_deref().unwrap_or("")
        );
    }
    insta::assert_snapshot!("findings", out);
}

#[test]
fn what_is_found_in_all_files() {
    let document = folder();
    let told = |wanted: &Query| {
        let data =
            search::Task::after_change(search::Data::default(), &document).run(wanted, &Stop::default());
        match data {
            Err(why) => format!("wrong: {why}\n"),
            Ok(data) => {
                let lines = data.found.iter().map(|f| format!("{}:{} {}\n", f.place.file, f.line, f.text));
                lines.collect()
            }
        }
    };
    let plain = Query { text: "ant".into(), ..Query::default() };
    insta::assert_snapshot!("search_plain", told(&plain));
    let expression = Query { text: "^(game|mod) ".into(), pattern: true, ..Query::default() };
    insta::assert_snapshot!("search_expression", told(&expression));
    let broken = Query { text: "(".into(), pattern: true, ..Query::default() };
    insta::assert_snapshot!("search_broken", told(&broken));
}

#[test]
fn the_history() {
    let mut document = folder();
    put(&mut document, "type in bee.rules", "rules/bee/bee.rules", 0..0, "# Bees.\n");
    put(&mut document, "paint s at A1", "scenarios/ant/hill.scenario", 60..61, "s");
    document.remove("remove rules/stray.rules", "rules/stray.rules").expect("it is there");
    document.undo();
    let data = history::Data::from_document(&document);
    let lines = data.steps.iter().enumerate();
    let told: String =
        lines.map(|(i, s)| format!("{} {s}\n", if i < data.done { "done" } else { "taken back" })).collect();
    insta::assert_snapshot!("history", told);
}

#[test]
fn the_page_to_begin_with() {
    let files = ["scenarios/ant/hill.scenario", "gone.rules", "rules/mods/fast.rules"].map(String::from);
    let folders = ["this".into(), "the one before".into()];
    let data = start::Data::from_document(&folder(), &files, &folders, Some("this"), None);
    let mut out = String::new();
    for f in &data.files {
        let _ = writeln!(out, "lately: {} ({})", f.title, f.game.as_deref().unwrap_or("no game"));
    }
    for g in &data.games {
        let _ = writeln!(out, "{} ({}): {} – plays {}", g.title, g.size_text(), g.about, g.start_file());
    }
    let _ = writeln!(out, "recent: {}", data.recent.join(", "));
    insta::assert_snapshot!("start", out);
}
