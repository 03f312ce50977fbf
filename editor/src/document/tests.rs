use super::*;

fn doc() -> Document {
    Document::new([
        ("a.rules".into(), "game A \"Aa\" { }\n".to_string()),
        ("b.scenario".into(), "scenario s \"S\" for A { }\n".to_string()),
    ])
}

fn put(d: &mut Document, at: usize, text: &str) {
    let set = EditSet::from_edit("type", Edit::new("a.rules", at..at, text));
    d.apply_as(set, Manner::Typing).unwrap();
}

fn names(d: &Document) -> Vec<&str> {
    d.dirty_files().iter().map(|n| &**n).collect()
}

#[test]
fn a_file_whose_head_is_being_written_stays_in_its_game() {
    let mut d = doc();
    d.apply_edits(EditSet::from_edit("x", Edit::new("a.rules", 0..6, "gam"))).unwrap();
    assert_eq!(d.games().games.len(), 1);
    d.apply_edits(EditSet::from_edit("x", Edit::new("a.rules", 0..3, "game B"))).unwrap();
    assert_eq!(&*d.games().games[0].word, "B");
    let all = d.text("a.rules").unwrap().len();
    d.apply_edits(EditSet::from_edit("x", Edit::new("a.rules", 0..all, ""))).unwrap();
    assert!(d.games().games.is_empty());
}

fn labels(d: &Document) -> Vec<String> {
    d.history().done.iter().map(Step::describe).collect()
}

#[test]
fn a_run_of_typing_is_one_step() {
    let mut d = doc();
    for (i, c) in "abc".chars().enumerate() {
        put(&mut d, 16 + i, &c.to_string());
    }
    assert_eq!(d.history().done.len(), 1);
    put(&mut d, 0, "# ");
    assert_eq!(d.history().done.len(), 2, "elsewhere");
    put(&mut d, 2, "x");
    assert_eq!(d.history().done.len(), 2);
    put(&mut d, 3, "\n");
    assert_eq!(d.history().done.len(), 3, "a new line");
    d.end_typing();
    put(&mut d, 4, "y");
    assert_eq!(d.history().done.len(), 4);
    assert_eq!(d.text("a.rules"), Some("# x\nygame A \"Aa\" { }\nabc"));
    for _ in 0..4 {
        d.undo().unwrap();
    }
    assert_eq!(d.text("a.rules"), doc().text("a.rules"));
    assert!(d.undo().is_none() && d.dirty_files().is_empty());
    for _ in 0..4 {
        d.redo().unwrap();
    }
    assert_eq!(d.text("a.rules"), Some("# x\nygame A \"Aa\" { }\nabc"));
}

#[test]
fn taking_out_backwards_and_forwards_is_a_run_too() {
    let mut d = doc();
    let cut = |d: &mut Document, r: Range<usize>| {
        d.apply_as(EditSet::from_edit("delete", Edit::new("a.rules", r, "")), Manner::Typing).unwrap();
    };
    cut(&mut d, 5..6);
    cut(&mut d, 4..5);
    cut(&mut d, 4..5);
    assert_eq!(d.history().done.len(), 1);
    put(&mut d, 4, "x");
    assert_eq!(d.history().done.len(), 2, "putting in is no taking out");
    d.undo();
    d.undo();
    assert_eq!(d.text("a.rules"), doc().text("a.rules"));
}

#[test]
fn one_history_for_typing_strokes_files_and_what_came_from_outside() {
    let mut d = doc();
    put(&mut d, 16, "x");
    d.apply_edits(EditSet::from_edit("paint forest at D5", Edit::new("b.scenario", 9..10, "t"))).unwrap();
    d.add("new scenario", "c.scenario".into(), "scenario u \"U\" for A { }\n".into()).unwrap();
    d.reload(&"b.scenario".into(), "scenario t \"T\" for A { }\n".into());
    assert_eq!(
        labels(&d),
        [
            "type (a.rules:2)",
            "paint forest at D5 (b.scenario:1)",
            "new scenario (c.scenario:1)",
            "reload b.scenario, changed outside (b.scenario:1)"
        ]
    );
    assert_eq!(d.games().games[0].scenarios.len(), 2);
    assert!(!d.is_dirty("b.scenario") && d.is_dirty("c.scenario"));
    d.undo();
    assert_eq!(d.text("b.scenario"), Some("scenario t \"S\" for A { }\n"));
    assert!(d.is_dirty("b.scenario"), "the disk holds what was taken back");
    d.undo();
    assert_eq!(d.text("c.scenario"), None);
    assert_eq!(d.games().games[0].scenarios.len(), 1);
    d.undo();
    d.undo();
    assert_eq!(d.texts(), doc().texts());
    for _ in 0..4 {
        assert!(d.redo().is_some());
    }
    assert_eq!(d.text("b.scenario"), Some("scenario t \"T\" for A { }\n"));
    assert_eq!(d.text("c.scenario"), Some("scenario u \"U\" for A { }\n"));
}

#[test]
fn a_stale_edit_is_moved_or_refused() {
    let mut d = doc();
    let then = d.revision();
    put(&mut d, 0, "# first\n");
    let title = EditSet::from_edit("title", Edit::new("a.rules", 8..10, "Bb"));
    d.apply_since(then, title.clone(), Manner::Step).unwrap();
    assert_eq!(d.text("a.rules"), Some("# first\ngame A \"Bb\" { }\n"));
    let refused = d.apply_since(then, title, Manner::Step).unwrap_err();
    assert_eq!(refused.why, "a.rules was changed there in the meantime");
    d.undo();
    d.undo();
    assert_eq!(d.move_range(then, "a.rules", 0..4), Some(0..4));
    assert_eq!(d.move_range(then, "a.rules", 8..10), None, "it was changed and changed back");
}

#[test]
fn a_place_is_exact_after_a_thousand_edits_elsewhere() {
    let mut d = doc();
    let then = d.revision();
    for i in 0..1000usize {
        let at = if i % 3 == 0 { d.text("a.rules").unwrap().len() } else { 0 };
        d.apply_edits(EditSet::from_edit("x", Edit::new("a.rules", at..at, "#\n"))).unwrap();
        if i % 7 == 0 {
            d.undo();
        }
    }
    let r = d.move_range(then, "a.rules", 8..10).unwrap();
    assert_eq!(&d.text("a.rules").unwrap()[r], "Aa");
    let inside = d.follow_range(then, "a.rules", 5..16);
    assert_eq!((&d.text("a.rules").unwrap()[inside.range], inside.whole), ("A \"Aa\" { }\n", true));
}

#[test]
fn what_changes_nothing_is_no_step() {
    let mut d = doc();
    d.apply_edits(EditSet::from_edit("same", Edit::new("a.rules", 0..4, "game"))).unwrap();
    d.apply_edits(EditSet::new("none", vec![]).unwrap()).unwrap();
    assert_eq!((d.history().done.len(), d.revision()), (0, Revision(0)));
}

#[test]
fn dirty_is_told_against_the_disk() {
    let mut d = doc();
    put(&mut d, 0, "x");
    assert_eq!(names(&d), ["a.rules"]);
    d.undo();
    assert!(d.dirty_files().is_empty(), "as on disk again");
    put(&mut d, 0, "y");
    let text = d.text("a.rules").unwrap().to_string();
    d.note_saved(&"a.rules".into(), Some(&text));
    assert!(d.dirty_files().is_empty());
    d.remove("remove", "b.scenario").unwrap();
    assert_eq!(names(&d), ["b.scenario"]);
    d.undo();
    assert!(d.dirty_files().is_empty());
}

#[test]
fn the_least_difference_is_found() {
    let diff = |a: &str, b: &str| {
        follow::least_edit(&"f".into(), a, b).map(|e| (e.range.start, e.range.end, e.text))
    };
    assert_eq!(diff("abc", "abc"), None);
    assert_eq!(diff("abc", "axc"), Some((1, 2, "x".into())));
    assert_eq!(diff("aa", "aaa"), Some((2, 2, "a".into())));
    assert_eq!(diff("aaa", "aa"), Some((2, 3, "".into())));
    assert_eq!(diff("ä", "ö"), Some((0, 2, "ö".into())));
    assert_eq!(diff("", "x"), Some((0, 0, "x".into())));
}

#[test]
fn a_file_gets_another_name_as_one_step() {
    let mut d = Document::new([
        ("rules/a/a.rules".into(), "game A \"A\" { }\nhook h(): int from \"h.rhai\"\n".to_string()),
        ("rules/a/h.rhai".into(), "fn h() { 1 }\n".to_string()),
    ]);
    let before = d.texts().clone();
    let at = before["rules/a/a.rules"].find("\"h.rhai\"").unwrap();
    let edit = Edit::new("rules/a/a.rules", at..at + 8, "\"new.rhai\"");
    d.rename("call it new", "rules/a/h.rhai", "rules/a/new.rhai".into(), vec![edit.clone()]).unwrap();
    assert_eq!(d.text("rules/a/h.rhai"), None);
    assert_eq!(d.text("rules/a/new.rhai"), Some("fn h() { 1 }\n"));
    assert!(d.text("rules/a/a.rules").unwrap().ends_with("from \"new.rhai\"\n"));
    assert_eq!(d.dirty_files().len(), 3, "the old one is to go from the disk");
    assert_eq!(d.games().games[0].scripts, ["rules/a/new.rhai".into()]);
    let after = d.texts().clone();
    assert_eq!(d.history().done.len(), 1);
    assert_eq!(d.undo().unwrap().describe(), "call it new (rules/a/new.rhai:1)");
    assert_eq!(*d.texts(), before);
    assert!(d.dirty_files().is_empty());
    d.redo().unwrap();
    assert_eq!(*d.texts(), after);
    // What cannot be is not half done.
    d.undo().unwrap();
    let taken = d.rename("x", "rules/a/h.rhai", "rules/a/a.rules".into(), Vec::new());
    assert!(taken.is_err() && d.rename("x", "none", "y".into(), Vec::new()).is_err());
    let misfit = Edit::new("rules/a/a.rules", 900..901, "");
    assert!(d.rename("x", "rules/a/h.rhai", "y.rhai".into(), vec![misfit]).is_err());
    assert_eq!(*d.texts(), before);
}
