//! A window in which nothing happens draws nothing.
use crate::support::{folder, settings, shipped, window};
use egui::ViewportId;
use egui_kittest::Harness;
use houserule_editor::App;
use houserule_editor::command::Command;
use houserule_editor::document::{Document, TextPlace};
use houserule_editor::jobs::Jobs;
use houserule_editor::panels::{Pane, play};
use std::time::{Duration, Instant};

/// Draws frames as long as the window asks for them at once; then, for how long it wants none.
fn settle(h: &mut Harness<App>) -> Duration {
    let begun = Instant::now();
    loop {
        h.run_steps(1);
        let wait = h.output().viewport_output[&ViewportId::ROOT].repaint_delay;
        if wait == Duration::MAX || begun.elapsed() > Duration::from_secs(60) {
            return wait;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_window_in_which_nothing_happens_asks_for_no_frame() {
    let files: Vec<(String, String)> = shipped()
        .into_iter()
        .filter(|(name, _)| name.contains("fuji"))
        .map(|(n, t)| (n.to_string(), t))
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(n, t)| (n.as_str(), t.as_str())).collect();
    let dir = folder(&files);
    let mut app = App::new(Document::new([]), settings(), Jobs::on_threads(|| ()));
    app.read_folder(dir.path().to_path_buf());
    let mut h = window(app);
    assert_eq!(settle(&mut h), Duration::MAX, "the start page");
    h.state_mut().carry_out(Command::GoTo(TextPlace::new("rules/fuji/fuji.rules", 0..0)));
    for pane in Pane::ALL {
        h.state_mut().carry_out(Command::Show(pane));
        assert_eq!(settle(&mut h), Duration::MAX, "{pane:?}");
    }
    h.state_mut().carry_out(Command::Play(play::Act::Start));
    // The game is read and begun by jobs.
    let begun = Instant::now();
    while h.state().panes.play.data().is_none() && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
        h.run_steps(1);
    }
    assert!(h.state().panes.play.data().is_some_and(|d| !d.over), "a person is asked");
    assert_eq!(settle(&mut h), Duration::MAX, "a game that waits for a person");
    // A change outside is still seen: the one who watches wakes the window.
    std::fs::write(dir.path().join("rules/fuji/new.rules"), "# nothing\n").unwrap();
    let begun = Instant::now();
    while h.state().document.text("rules/fuji/new.rules").is_none() {
        assert!(begun.elapsed() < Duration::from_secs(60), "it is never seen");
        std::thread::sleep(Duration::from_millis(50));
        h.run_steps(1);
    }
}
