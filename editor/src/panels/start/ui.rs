//! Shows the start page.
use super::pictures::Pictures;
use super::{Data, GameEntry, Picture};
use crate::command::{Act, Command};
use crate::document::{Revision, TextPlace};
use crate::panels::{Context, Pane, play};
use crate::shipped::Renewal;
use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{FontSelection, Rect, Sense, TextStyle, Ui, UiBuilder, Vec2, WidgetInfo};
use egui_material_icons::icons;
use std::path::PathBuf;
use std::sync::Arc;

/// How wide the tile of a game is at least.
const LEAST: f32 = 250.0;

/// The room between tiles.
const GAP: f32 = 14.0;

/// The room below a picture: title, two lines of what the game is, buttons.
const TEXT: f32 = 104.0;

/// What the start page keeps between frames.
#[derive(Debug, Default)]
pub struct State {
    pictures: Pictures,
    /// What is shown, and what it was made of.
    data: Option<(Seen, Arc<Data>)>,
}

/// What the page is made of, beside the texts of a revision.
#[derive(Clone, PartialEq, Debug)]
struct Seen {
    revision: Revision,
    files: Vec<String>,
    folders: Vec<String>,
    folder: Option<String>,
    renewal: Option<Renewal>,
}

impl State {
    /// The picture of the game of that file, once it is made.
    pub fn picture(&self, game: &str) -> Option<&Picture> {
        self.pictures.get(game)
    }

    /// What is shown, made anew when something has changed.
    fn update_data(&mut self, cx: &Context) -> Arc<Data> {
        let seen = Seen {
            revision: cx.document.revision(),
            files: cx.settings.recent_files.clone(),
            folders: cx.settings.recent.clone(),
            folder: cx.folder.map(String::from),
            renewal: cx.renewal.cloned(),
        };
        if let Some((_, data)) = self.data.as_ref().filter(|(then, _)| *then == seen) {
            return data.clone();
        }
        let data = Data::from_document(cx.document, &seen.files, &seen.folders, cx.folder, cx.renewal);
        let data = Arc::new(data);
        self.data = Some((seen, data.clone()));
        data
    }

    /// Shows the page, and gives what is wanted.
    pub fn ui(&mut self, ui: &mut Ui, cx: &Context) -> Vec<Command> {
        let mut out = Vec::new();
        let data = self.update_data(cx);
        self.pictures.check_fonts(ui);
        egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.add_space(10.0);
            show_recent(ui, &data, &mut out);
            show_head(ui, &data, &mut out);
            ui.add_space(8.0);
            self.show_tiles(ui, cx, &data, &mut out);
            ui.add_space(10.0);
        });
        out
    }

    /// The games in as many columns as have room.
    fn show_tiles(&mut self, ui: &mut Ui, cx: &Context, data: &Data, out: &mut Vec<Command>) {
        let room = ui.available_width() - 8.0;
        let columns = (((room + GAP) / (LEAST + GAP)) as usize).max(1);
        let wide = ((room + GAP) / columns as f32 - GAP).floor();
        let picture = (wide * 0.56).floor();
        let size = Vec2::new(wide, picture + TEXT);
        let mut wanted: Vec<&GameEntry> = Vec::new();
        for row in data.games.chunks(columns) {
            let line = Vec2::new(room, size.y);
            let (rect, _) = ui.allocate_exact_size(line, Sense::hover());
            for (n, game) in row.iter().enumerate() {
                let left = rect.left() + n as f32 * (wide + GAP);
                let tile = Rect::from_min_size(egui::pos2(left, rect.top()), size);
                let seen = ui.is_rect_visible(tile);
                if seen {
                    wanted.push(game);
                }
                ui.scope_builder(UiBuilder::new().max_rect(tile).id_salt(&game.rules), |ui| {
                    self.show_tile(ui, game, picture, seen, out);
                });
            }
            ui.add_space(GAP);
        }
        self.pictures.poll(&wanted, cx);
    }

    fn show_tile(&mut self, ui: &mut Ui, game: &GameEntry, picture: f32, seen: bool, out: &mut Vec<Command>) {
        let (rect, shown) = ui.allocate_exact_size(Vec2::new(ui.available_width(), picture), Sense::click());
        shown.widget_info(|| {
            WidgetInfo::labeled(egui::Role::Image, true, format!("Picture of {}", game.title))
        });
        if seen {
            self.pictures.paint(ui, &game.rules, rect);
            if shown.hovered() {
                let line = egui::Stroke::new(1.5, ui.visuals().hyperlink_color);
                ui.painter().rect_stroke(rect, 4.0, line, egui::StrokeKind::Inside);
            }
        }
        let mut play = shown.clicked();
        ui.spacing_mut().item_spacing.y = 3.0;
        ui.horizontal(|ui| {
            let name = egui::Label::new(egui::RichText::new(&game.title).strong()).truncate();
            ui.add(name);
            ui.weak(game.size_text());
        });
        match self.pictures.get(&game.rules) {
            Some(Picture::Broken(n)) => {
                let told = if *n == 1 { "an error".into() } else { format!("{n} errors") };
                ui.colored_label(ui.visuals().warn_fg_color, format!("Its rules have {told}."));
            }
            _ => show_about(ui, &game.about),
        }
        let buttons = Rect::from_min_max(
            egui::pos2(rect.left(), rect.bottom() + TEXT - 30.0),
            egui::pos2(rect.right(), rect.bottom() + TEXT),
        );
        ui.scope_builder(UiBuilder::new().max_rect(buttons), |ui| {
            ui.horizontal(|ui| show_buttons(ui, game, &mut play, out));
        });
        if play {
            out.push(Command::GoTo(TextPlace::new(game.start_file().clone(), 0..0)));
            out.push(Command::Play(play::Act::Start));
            out.push(Command::ShowAlone(Pane::Play));
        }
    }
}

/// What the game says of itself, in two lines; all of it where the pointer is.
fn show_about(ui: &mut Ui, about: &str) {
    if about.is_empty() {
        return;
    }
    let font = FontSelection::Style(TextStyle::Body).resolve(ui.style());
    let format = TextFormat::simple(font, ui.visuals().text_color());
    let mut job = LayoutJob::single_section(about.to_string(), format);
    job.wrap = TextWrapping { max_width: ui.available_width(), max_rows: 2, ..TextWrapping::default() };
    let cut = ui.painter().layout_job(job.clone()).elided;
    let shown = ui.label(job);
    if cut {
        shown.on_hover_text(about);
    }
}

fn show_buttons(ui: &mut Ui, game: &GameEntry, play: &mut bool, out: &mut Vec<Command>) {
    let mut button = |sign: &str, word: &str, help: &str| {
        let r = ui.button(format!("{sign} {word}")).on_hover_text(help);
        let name = format!("{word} {}", game.title);
        r.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, &name));
        r.clicked()
    };
    *play |= button(
        icons::ICON_PLAY_ARROW.codepoint,
        "Play",
        "Start a game with yourself in the first seat and bots in the others.",
    );
    if let Some(scenario) = &game.scenario
        && button(icons::ICON_GRID_ON.codepoint, "Draw", "Show the first scenario as a map.")
    {
        out.push(Command::GoTo(TextPlace::new(scenario.clone(), 0..0)));
        out.push(Command::Show(Pane::Draw));
    }
    if button(icons::ICON_NOTES.codepoint, "Read", "Open the rules.") {
        out.push(Command::GoTo(TextPlace::new(game.rules.clone(), 0..0)));
        out.push(Command::Show(Pane::Write));
    }
}

/// Files and folders opened lately.
fn show_recent(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    if !data.files.is_empty() {
        ui.heading("Go on with");
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 14.0;
            for file in &data.files {
                let shown = match &file.game {
                    Some(game) => format!("{} ({game})", file.title),
                    None => file.title.clone(),
                };
                if ui.link(shown).on_hover_text(&*file.file).clicked() {
                    out.push(Command::GoTo(TextPlace::new(file.file.clone(), 0..0)));
                    out.push(Command::Show(Pane::Write));
                }
            }
        });
        ui.add_space(6.0);
    }
    if !data.recent.is_empty() {
        ui.strong("Folders opened lately");
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 14.0;
            for folder in &data.recent {
                if ui.link(folder).clicked() {
                    out.push(Command::Open(PathBuf::from(folder)));
                }
            }
        });
        ui.add_space(6.0);
    }
}

/// What the page is for, what is new, and how to begin something else.
fn show_head(ui: &mut Ui, data: &Data, out: &mut Vec<Command>) {
    if data.games.is_empty() {
        ui.heading("No games here yet");
        ui.label("Begin one of your own, or open a folder with rules.");
    } else {
        ui.heading("Choose a game to begin with");
        ui.weak("Play it, look at its map, or read its rules; all three show the same text.");
    }
    if let Some((told, button)) = data.renewal_offer() {
        ui.add_space(6.0);
        ui.label(told);
        let help = "Files that you have not changed are replaced by their new versions. Undo takes that back, one file at a time.";
        if ui.button(button).on_hover_text(help).clicked() {
            out.push(Command::Renew);
        }
    }
    ui.add_space(6.0);
    ui.horizontal_wrapped(|ui| {
        for (act, name) in [
            (Act::Tour, "Learn in three minutes"),
            (Act::NewGame, "A game of your own …"),
            (Act::OpenFolder, "Open a folder …"),
        ] {
            if ui.button(name).on_hover_text(act.info().about).clicked() {
                out.push(Command::Do(act));
            }
        }
    });
}
