//! What `check` tells of broken scenarios: `tests/suite/scenarios/GAME/*.md`, a scenario a section, with what the game's rules miss in it. Every condition that the rules have on scenarios is missed by one of them.
use crate::support::{files_in, root, source};
use crate::told::check_told;
use houserule::model;
use houserule::model::hir::{StmtKind, Text, TextPart};
use houserule::play::find_unplayable_start;
use houserule::text::{Diagnostic, File, Files};

/// A finding as text: code, place, message, then each other place by its file and label, and the help. Lines of the rules are left out, so that the rules may move.
fn told(d: &Diagnostic, files: &Files) -> String {
    let file = |span: houserule::text::Span| files.get(span.file).expect("the file of a finding");
    let at = file(d.at.span).line_col(d.at.span.start as usize);
    let mut out = format!("{} {}:{} {}\n", d.code.0, at.line, at.col, d.message);
    if !d.at.text.is_empty() {
        out += &format!("  {}\n", d.at.text);
    }
    for other in &d.others {
        let name = file(other.span).name.rsplit('/').next().unwrap_or_default();
        out += &format!("  {name}: {}\n", other.text);
    }
    if let Some(help) = &d.help {
        out += &format!("  help: {help}\n");
    }
    out
}

/// What is found in a scenario.
fn found(game: &Files, text: &str) -> String {
    let mut files = game.clone();
    let own = files.add(File::new("bad.scenario", text));
    let checked = model::check(&files);
    let mut all = checked.report.findings;
    let name = text.split_whitespace().nth(1).expect("`scenario NAME`");
    if let Some(m) = checked.model.filter(|_| !all.iter().any(Diagnostic::is_error)) {
        all.extend(find_unplayable_start(&m, Some(name)));
    }
    all.iter().filter(|d| d.at.span.file == own).map(|d| told(d, &checked.files)).collect()
}

/// The words with which a reason begins, up to its first hole.
fn beginning(reason: &Text) -> Option<String> {
    match reason.parts.first()? {
        TextPart::Literal(text) => Some(text.to_string()),
        TextPart::Hole(_) => None,
    }
}

#[test]
fn broken_scenarios_are_refused_with_a_reason() {
    let (mut cases, mut wrong) = (0, Vec::new());
    for game in ["discover", "fog", "fuji"] {
        let rules = source(game);
        let mut all_told = String::new();
        for path in files_in(&root().join("tests/suite/scenarios").join(game)) {
            let told = check_told(&path, "```scenario", |_, text| found(&rules, text), &mut wrong);
            cases += told.len();
            all_told += &told.concat();
        }
        let checked = model::check(&rules);
        let m = checked.model.expect("the shipped rules are sound");
        let top = m.needs.iter().filter_map(|(_, reason)| reason.as_ref());
        let statements = m.setups.iter().flat_map(|(_, b)| &b.body);
        let inner = statements.flat_map(|s| match &s.kind {
            StmtKind::If(_, a, _) => a.iter().collect(),
            _ => vec![s],
        });
        let in_setup = inner.filter_map(|s| match &s.kind {
            StmtKind::Needs(g) => g.reason.as_ref(),
            _ => None,
        });
        // Conditions on numbers of players and variants are shown by the game's own tests.
        let tests = source(game).iter().map(|(_, f)| f.text.clone()).collect::<String>();
        let tested: Vec<&str> =
            tests.split("because \"").skip(1).filter_map(|t| t.split('"').next()).collect();
        for reason in top.chain(in_setup).filter_map(beginning) {
            let shown = all_told.contains(&reason) || tested.iter().any(|t| reason.contains(t));
            assert!(shown, "{game}: no broken scenario is refused because “{reason}…”");
        }
    }
    assert!(cases >= 70, "only {cases} broken scenarios");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What fails in a part fails in each scenario that is built on it: it is told of the first one.
#[test]
fn a_mistake_in_a_part_is_told_once() {
    let found = |setup: &str, own: &str| {
        let mut files = Files::new();
        let text = format!(
            "game G \"G\" {{ players 2; outcome win; begins on one }}\n\
            map Board squares\n\
            space Cell on Board {{ height: 0..3 = 0 }}\n\
            part island for G {{\n  map Board \"\"\"\n    x x\n  \"\"\"\n  legend Board {{ x: height: 1 }}\n  setup {{ {setup} }}\n}}\n\
            scenario one \"One\" for G with island {{ setup {{ {own} }} }}\n\
            scenario two \"Two\" for G with island {{ setup {{ {own} }} }}\n\
            menu play {{ done }}\n\
            action put(c: Cell) in play {{ c.height = 1; win me }}\n\
            round {{ everyone in turn {{ offer play }} }}\n"
        );
        files.add(File::new("g.rules", text));
        let checked = model::check(&files);
        let model = checked.model.unwrap_or_else(|| panic!("{:?}", checked.report));
        let found = houserule::play::find_unplayable(&model);
        found.iter().map(|d| d.message.clone()).collect::<Vec<_>>()
    };
    let first = "the scenario `one` cannot be played: height cannot be 4: it must be 0..3";
    assert_eq!(found("for c in Cell { c.height = 2 + count(Cell) }", ""), [first]);
    // Two scenarios with a mistake each are told both.
    let second = "the scenario `two` cannot be played: height cannot be 4: it must be 0..3";
    assert_eq!(found("", "for c in Cell { c.height = 2 + count(Cell) }"), [first, second]);
}
