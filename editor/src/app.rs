//! The window: what is shown where, and the one place where commands are carried out. It needs no window of the system: tests drive it as it is.
use crate::analyses::Analyses;
use crate::command::{Act, Command};
use crate::document::{Document, Manner, Place, Revision, Subject};
use crate::jobs::Jobs;
use crate::keys::Keys;
use crate::panels::{Context, Pane, draw, files, play, write};
use crate::settings::Settings;
use houserule::ide::{EditSet, Offer, Refusal};
use std::sync::Arc;

/// What each pane keeps between frames.
#[derive(Debug, Default)]
pub struct Panes {
    /// The list of files.
    pub files: files::State,
    /// The text.
    pub write: write::State,
    /// The map.
    pub draw: draw::State,
    /// The game.
    pub play: play::State,
}

/// What was said last, and what can be done about it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Message {
    /// One sentence.
    pub text: String,
    /// What is offered.
    pub offers: Vec<Offer>,
}

/// The editor.
pub struct App {
    /// All texts.
    pub document: Document,
    /// What is known of them.
    pub analyses: Analyses,
    /// What a person has chosen.
    pub settings: Settings,
    /// Shortcuts.
    pub keys: Keys,
    /// What the panes keep.
    pub panes: Panes,
    /// For long work.
    pub jobs: Jobs,
    /// What was said last.
    pub message: Message,
    here: Option<(Revision, Place)>,
    /// Where a command has just led.
    arrived: Option<Place>,
    front: Pane,
    tiles: egui_tiles::Tree<Pane>,
}

impl App {
    /// The editor with these texts.
    pub fn new(document: Document, settings: Settings, jobs: Jobs) -> App {
        App {
            document,
            analyses: Analyses::default(),
            keys: Keys::of(&settings),
            settings,
            panes: Panes::default(),
            jobs,
            message: Message::default(),
            here: None,
            arrived: None,
            front: Pane::Write,
            tiles: tiles(),
        }
    }

    /// The open file and what is selected in it, in the present text.
    pub fn here(&self) -> Option<&Place> {
        self.here.as_ref().map(|(_, p)| p)
    }

    /// The pane that has the keyboard.
    pub fn front(&self) -> Pane {
        self.front
    }

    /// The game of the open file.
    pub fn subject(&self) -> Option<Subject> {
        self.document.subject(&self.here()?.file)
    }

    /// Looks after what is done beside the frames. Called before each.
    pub fn tend(&mut self) {
        let wanted: Vec<Subject> = self.subject().into_iter().collect();
        self.analyses.tend(&self.document, &wanted, &self.jobs);
    }

    /// One frame.
    pub fn ui(&mut self, ui: &mut egui::Ui) {
        self.tend();
        let mut wanted = self.pressed(ui.ctx());
        self.top(ui, &mut wanted);
        self.status(ui, &mut wanted);
        let arrived = self.arrived.take();
        let App { document, analyses, settings, keys, panes, jobs, here, front, tiles, .. } = self;
        let cx = Context {
            document,
            analyses,
            settings,
            keys,
            here: here.as_ref().map(|(_, p)| p),
            arrived: arrived.as_ref(),
            front: *front,
            jobs,
        };
        egui::Panel::left("files").default_size(230.0).min_size(140.0).show(ui, |ui| {
            wanted.extend(panes.files.ui(ui, &cx));
        });
        egui::CentralPanel::default().frame(egui::Frame::NONE).show(ui, |ui| {
            let mut shown = Shown { panes, cx: &cx, wanted: &mut wanted, touched: None };
            tiles.ui(&mut shown, ui);
            if let Some(pane) = shown.touched {
                *front = pane;
            }
        });
        if !wanted.is_empty() {
            ui.ctx().request_repaint();
        }
        for command in wanted {
            self.carry_out(command);
        }
    }

    /// Commands whose shortcuts were pressed. They are taken before any widget sees them: a text field's own undo must not.
    fn pressed(&self, ctx: &egui::Context) -> Vec<Command> {
        let typing = ctx.egui_wants_keyboard_input();
        let mut all: Vec<(Command, egui::KeyboardShortcut)> = Vec::new();
        for command in Command::all() {
            // A pane's shortcuts hold where the pane is in front.
            if command.pane().is_some_and(|p| p != self.front) {
                continue;
            }
            if let Some(shortcut) = command.info().and_then(|i| self.keys.get(&i)) {
                let m = shortcut.modifiers;
                let bare = !(m.command || m.ctrl || m.alt || m.mac_cmd);
                let function =
                    shortcut.logical_key.name().starts_with('F') && shortcut.logical_key.name().len() > 1;
                // A bare key is a letter where somebody writes.
                if !(typing && bare && !function) {
                    all.push((command, shortcut));
                }
            }
        }
        // Ctrl+Shift+Z before Ctrl+Z: the shorter one would match as well.
        all.sort_by_key(|(_, s)| std::cmp::Reverse(u8::from(s.modifiers.shift) + u8::from(s.modifiers.alt)));
        ctx.input_mut(|i| all.into_iter().filter(|(_, s)| i.consume_shortcut(s)).map(|(c, _)| c).collect())
    }

    fn top(&mut self, ui: &mut egui::Ui, wanted: &mut Vec<Command>) {
        egui::Panel::top("top").show(ui, |ui| {
            ui.horizontal_wrapped(|ui| {
                let history = self.document.history();
                let dirty = !self.document.dirty().is_empty();
                for (act, on) in [
                    (Act::SaveAll, dirty),
                    (Act::Undo, !history.done.is_empty()),
                    (Act::Redo, !history.undone.is_empty()),
                ] {
                    button(ui, &self.keys, Command::Do(act), on, wanted);
                }
                ui.separator();
                for act in [Act::ShowWrite, Act::ShowDraw, Act::ShowPlay] {
                    button(ui, &self.keys, Command::Do(act), true, wanted);
                }
            });
        });
    }

    fn status(&mut self, ui: &mut egui::Ui, wanted: &mut Vec<Command>) {
        egui::Panel::bottom("status").show(ui, |ui| {
            ui.horizontal_wrapped(|ui| {
                let text = if self.message.text.is_empty() { "Ready" } else { &self.message.text };
                ui.label(text);
                for offer in &self.message.offers {
                    let (label, command) = match offer {
                        Offer::GoTo(file, range) => {
                            (format!("Go to {file}"), Command::GoTo(Place::new(file.clone(), range.clone())))
                        }
                        Offer::Instead(set) => (
                            set.label.clone(),
                            Command::Apply {
                                since: self.document.revision(),
                                set: set.clone(),
                                manner: Manner::Step,
                            },
                        ),
                    };
                    if ui.button(label).clicked() {
                        wanted.push(command);
                    }
                }
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    if self.analyses.busy() {
                        ui.weak("checking …");
                    }
                    if let Some(place) = self.here() {
                        ui.weak(self.document.told(place));
                    }
                });
            });
        });
    }

    /// Does what a command says. This is the only place where anything is done.
    pub fn carry_out(&mut self, command: Command) {
        match command {
            Command::Do(act) => self.act(act),
            Command::Write(act) => self.of_pane(|panes, cx| panes.write.act(act, cx)),
            Command::Draw(act) => self.of_pane(|panes, cx| panes.draw.act(act, cx)),
            Command::Play(act) => self.of_pane(|panes, cx| panes.play.act(act, cx)),
            Command::Apply { since, set, manner } => self.apply(since, set, manner),
            Command::Create { label, name, text } => match self.document.add(&label, name.clone(), text) {
                Ok(_) => self.go_to(Place::new(name, 0..0)),
                Err(refusal) => self.refuse(refusal),
            },
            Command::Refuse(refusal) => self.refuse(refusal),
            Command::GoTo(place) => self.go_to(place),
            Command::Selected(place) => self.here = Some((self.document.revision(), place)),
            Command::Show(pane) => self.show(pane),
            Command::Say(text) => self.message = Message { text, offers: Vec::new() },
        }
    }

    fn of_pane(&mut self, f: impl FnOnce(&mut Panes, &Context) -> Vec<Command>) {
        let App { document, analyses, settings, keys, panes, jobs, here, front, .. } = self;
        let here = here.as_ref().map(|(_, p)| p);
        let cx = Context { document, analyses, settings, keys, here, arrived: None, front: *front, jobs };
        for command in f(panes, &cx) {
            self.carry_out(command);
        }
    }

    fn act(&mut self, act: Act) {
        match act {
            Act::Undo => self.travel(true),
            Act::Redo => self.travel(false),
            Act::Save | Act::SaveAll => {}
            Act::ShowWrite => self.show(Pane::Write),
            Act::ShowDraw => self.show(Pane::Draw),
            Act::ShowPlay => self.show(Pane::Play),
        }
    }

    fn apply(&mut self, since: Revision, set: EditSet, manner: Manner) {
        let label = set.label.clone();
        match self.document.apply_since(since, set, manner) {
            Ok(_) => {
                if manner == Manner::Step {
                    self.message = Message { text: label, offers: Vec::new() };
                }
                self.follow();
            }
            Err(refusal) => self.refuse(refusal),
        }
    }

    /// Undo and redo: they say what they did and lead there.
    fn travel(&mut self, back: bool) {
        let step = if back { self.document.undo() } else { self.document.redo() };
        let text = match &step {
            Some(step) if back => format!("Taken back: {}", step.said()),
            Some(step) => format!("Done again: {}", step.said()),
            None if back => String::from("There is nothing to take back"),
            None => String::from("There is nothing to do again"),
        };
        self.message = Message { text, offers: Vec::new() };
        self.follow();
        if let Some(place) = step.and_then(|s| s.place)
            && self.document.text(&place.file).is_some()
        {
            self.go_to(place);
        }
    }

    fn refuse(&mut self, refusal: Refusal) {
        self.message = Message { text: refusal.why, offers: refusal.offers };
    }

    fn go_to(&mut self, place: Place) {
        let Some(text) = self.document.text(&place.file) else {
            self.message.text = format!("There is no file {}", place.file);
            return;
        };
        let end = place.range.end.min(text.len());
        let place = Place::new(place.file, place.range.start.min(end)..end);
        if self.here().is_none_or(|h| h.file != place.file) {
            self.settings.opened_file(&place.file);
        }
        self.here = Some((self.document.revision(), place.clone()));
        self.arrived = Some(place);
    }

    /// Moves the selection with what was changed before it.
    fn follow(&mut self) {
        if let Some((revision, place)) = &mut self.here {
            if self.document.text(&place.file).is_none() {
                self.here = None;
                return;
            }
            place.range = self.document.followed(*revision, &place.file, place.range.clone()).range;
            *revision = self.document.revision();
        }
    }

    fn show(&mut self, pane: Pane) {
        self.tiles.make_active(|_, tile| matches!(tile, egui_tiles::Tile::Pane(p) if *p == pane));
        self.front = pane;
    }

    /// Opens the first file of a game, for who has just come.
    pub fn open_first(&mut self) {
        let first = self.document.games().games.first().map(|g| g.file.clone());
        if let Some(file) = first.or_else(|| self.document.names().next().cloned()) {
            self.go_to(Place::new(file, 0..0));
        }
    }

    /// The open file's name.
    pub fn open_file(&self) -> Option<Arc<str>> {
        self.here().map(|p| p.file.clone())
    }
}

/// Sets up fonts. Called once, before the first frame.
pub fn dress(ctx: &egui::Context) {
    // The text's own font has the arrows and shapes that icons and dice are made of.
    let mut fonts = egui::FontDefinitions::default();
    fonts.families.entry(egui::FontFamily::Proportional).or_default().push("Hack".to_owned());
    ctx.set_fonts(fonts);
}

/// A button of a command that has a name: labelled, with its tooltip and shortcut.
pub fn button(ui: &mut egui::Ui, keys: &Keys, command: Command, on: bool, wanted: &mut Vec<Command>) {
    let Some(info) = command.info() else { return };
    let shown =
        if info.icon.is_empty() { info.name.to_string() } else { format!("{} {}", info.icon, info.name) };
    let r = ui.add_enabled(on, egui::Button::new(shown)).on_hover_text(keys.tooltip(&command));
    r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, on, info.name));
    if r.clicked() {
        wanted.push(command);
    }
}

/// The text on the left; map and game on the right, one behind the other.
fn tiles() -> egui_tiles::Tree<Pane> {
    let mut tiles = egui_tiles::Tiles::default();
    let write = tiles.insert_pane(Pane::Write);
    let write = tiles.insert_tab_tile(vec![write]);
    let draw = tiles.insert_pane(Pane::Draw);
    let play = tiles.insert_pane(Pane::Play);
    let right = tiles.insert_tab_tile(vec![draw, play]);
    let root = tiles.insert_horizontal_tile(vec![write, right]);
    egui_tiles::Tree::new(egui::Id::unique("panes"), root, tiles)
}

/// How the tiles show panes.
struct Shown<'a, 'b> {
    panes: &'a mut Panes,
    cx: &'a Context<'b>,
    wanted: &'a mut Vec<Command>,
    /// The pane that was clicked.
    touched: Option<Pane>,
}

impl egui_tiles::Behavior<Pane> for Shown<'_, '_> {
    fn pane_ui(
        &mut self,
        ui: &mut egui::Ui,
        _tile: egui_tiles::TileId,
        pane: &mut Pane,
    ) -> egui_tiles::UiResponse {
        let rect = ui.max_rect();
        egui::Frame::central_panel(ui.style()).show(ui, |ui| {
            let cx = self.cx;
            self.wanted.extend(match pane {
                Pane::Write => self.panes.write.ui(ui, cx),
                Pane::Draw => self.panes.draw.ui(ui, cx),
                Pane::Play => self.panes.play.ui(ui, cx),
            });
        });
        if ui.input(|i| i.pointer.any_pressed()) && ui.rect_contains_pointer(rect) {
            self.touched = Some(*pane);
        }
        egui_tiles::UiResponse::None
    }

    fn tab_title_for_pane(&mut self, pane: &Pane) -> egui::WidgetText {
        pane.name().into()
    }

    fn simplification_options(&self) -> egui_tiles::SimplificationOptions {
        egui_tiles::SimplificationOptions { all_panes_must_have_tabs: true, ..Default::default() }
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        App::ui(self, ui);
    }
}
