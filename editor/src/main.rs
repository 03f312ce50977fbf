//! Opens the window: `houserule-editor [PATH]`.
use houserule_editor::dialogs::Native;
use houserule_editor::document::Document;
use houserule_editor::jobs::Jobs;
use houserule_editor::system::Still;
use houserule_editor::{App, disk, style};
use std::path::PathBuf;
use std::process::ExitCode;

const HELP: &str = "Write, draw and play the rules and scenarios of tabletop games.

Usage: houserule-editor [PATH]

PATH is a folder with rules and scenarios, or one of its files. Without it the folder of last time is opened, or a working copy of the games that ship.
Settings, that copy and what was not saved are kept in $HOUSERULE_HOME, or where the system keeps such things.";

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    let path = match args.next() {
        Some(a) if a == "--help" || a == "-h" => {
            println!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Some(a) if a == "--version" || a == "-V" => {
            println!("houserule-editor {}", env!("CARGO_PKG_VERSION"));
            return ExitCode::SUCCESS;
        }
        Some(a) if a.to_string_lossy().starts_with('-') || args.next().is_some() => {
            eprintln!("{HELP}");
            return ExitCode::from(2);
        }
        other => other.map(PathBuf::from),
    };
    if let Some(path) = path.as_ref().filter(|p| !p.exists()) {
        eprintln!("there is no file or folder {}", path.display());
        return ExitCode::from(2);
    }
    match open_window(path) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("cannot open a window: {e}");
            ExitCode::FAILURE
        }
    }
}

fn open_window(path: Option<PathBuf>) -> eframe::Result {
    let home = disk::home_folder();
    let (settings, wrong) = App::load_settings(home.as_deref());
    let (wide, high) = settings.layout.window.unwrap_or((1400.0, 900.0));
    let viewport = egui::ViewportBuilder::default()
        .with_title("Houserule")
        .with_app_id("houserule")
        .with_inner_size([wide.clamp(640.0, 8000.0), high.clamp(400.0, 8000.0)])
        .with_min_inner_size([640.0, 400.0]);
    let options = eframe::NativeOptions { viewport, ..Default::default() };
    let make = move |cc: &eframe::CreationContext<'_>| -> App {
        style::set_up(&cc.egui_ctx);
        let ctx = cc.egui_ctx.clone();
        let jobs = Jobs::on_threads(move || ctx.request_repaint());
        let last = settings.recent.iter().map(PathBuf::from).find(|p| p.is_dir());
        let mut app = App::new(Document::new([]), settings, jobs);
        app.dialogs = Box::new(Native);
        let ctx = cc.egui_ctx.clone();
        app.still = Still::watch(move || ctx.request_repaint());
        let path = path.or(last).or_else(|| home.as_ref().map(|h| h.join("games")));
        app.home = home;
        match path {
            Some(path) => app.read_folder(path),
            None => app.set_message(String::from("Open a folder with rules to begin")),
        }
        if let Some(wrong) = wrong {
            app.set_message(format!(
                "The settings could not be read, so the first settings are used: {wrong}"
            ));
        }
        app
    };
    eframe::run_native("Houserule", options, Box::new(move |cc| Ok(Box::new(make(cc)))))
}
