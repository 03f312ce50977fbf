//! The book beside the panes: a page of the language's reference, scrolled to the section that was asked for. Links lead on, Escape closes it.
use crate::book::{Block, Inline, Place, read_page, words_page};
use egui::{Align, FontFamily, FontId, RichText, Role, Ui, Vec2, WidgetInfo};

/// What is open of the book.
#[derive(Debug, Default)]
pub struct State {
    at: Option<Place>,
    /// What was read before.
    behind: Vec<Place>,
    blocks: Vec<Block>,
    /// Whether the place is to be brought into view.
    reveal: bool,
}

impl State {
    /// Opens the book at a place.
    pub fn open(&mut self, place: Place) {
        if let Some(before) = self.at.take().filter(|b| *b != place) {
            self.behind.push(before);
        }
        self.go_to(place);
    }

    fn go_to(&mut self, place: Place) {
        self.blocks = read_page(place.page);
        self.at = Some(place);
        self.reveal = true;
    }

    /// Closes it.
    pub fn close(&mut self) {
        *self = State::default();
    }

    /// The place that is shown; none if the book is closed.
    pub fn place(&self) -> Option<&Place> {
        self.at.as_ref()
    }

    /// Shows the page at the right edge of the window, if one is open.
    pub fn ui(&mut self, ui: &mut Ui) {
        let Some(place) = self.at.clone() else { return };
        let mut wanted = None;
        let (mut back, mut over) = (false, false);
        egui::Panel::right("book").default_size(460.0).min_size(260.0).resizable(true).show(ui, |ui| {
            ui.horizontal(|ui| {
                back = ui
                    .add_enabled(!self.behind.is_empty(), egui::Button::new("← Page before"))
                    .on_hover_text("Go back to what you read before.")
                    .clicked();
                if ui.button("All words").on_hover_text("List all words of the language.").clicked() {
                    wanted = Some(words_page());
                }
                ui.with_layout(egui::Layout::right_to_left(Align::Center), |ui| {
                    let r = ui.button("×").on_hover_text("Close the book (Escape).");
                    r.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Close the book"));
                    over = r.clicked();
                });
            });
            ui.separator();
            let mut area = egui::ScrollArea::vertical().id_salt(("book", place.page)).auto_shrink(false);
            if self.reveal && place.anchor.is_none() {
                area = area.vertical_scroll_offset(0.0);
            }
            area.show(ui, |ui| {
                ui.set_max_width(ui.available_width() - 10.0);
                for block in &self.blocks {
                    let target = match block {
                        Block::Heading(_, _, anchor) | Block::Anchor(anchor) => {
                            self.reveal && place.anchor.as_ref() == Some(anchor)
                        }
                        _ => false,
                    };
                    show_block(ui, block, target, &mut wanted);
                }
                ui.add_space(40.0);
            });
        });
        self.reveal = false;
        if let Some(place) = wanted {
            self.open(place);
        }
        if back && let Some(place) = self.behind.pop() {
            self.go_to(place);
        }
        if over {
            self.close();
        }
    }
}

fn show_block(ui: &mut Ui, block: &Block, target: bool, wanted: &mut Option<Place>) {
    match block {
        Block::Anchor(_) if target => ui.scroll_to_cursor(Some(Align::TOP)),
        Block::Anchor(_) => {}
        Block::Heading(depth, line, _) => {
            ui.add_space(if *depth < 3 { 12.0 } else { 6.0 });
            let size = [22.0, 22.0, 18.0][(*depth).min(2)];
            let words: String = line.iter().map(words_of).collect();
            let r = ui.label(RichText::new(words).size(if *depth > 2 { 15.0 } else { size }).strong());
            if target {
                r.scroll_to_me(Some(Align::TOP));
            }
            ui.add_space(2.0);
        }
        Block::Paragraph(line) => {
            show_line(ui, line, wanted);
            ui.add_space(6.0);
        }
        Block::Entry(indent, line) => {
            ui.horizontal_top(|ui| {
                ui.add_space(8.0 + 8.0 * *indent as f32);
                ui.vertical(|ui| show_line(ui, line, wanted));
            });
            ui.add_space(3.0);
        }
        Block::Quote(line) => {
            ui.indent("quote", |ui| show_line(ui, line, wanted));
            ui.add_space(6.0);
        }
        Block::Code(_, code) => {
            egui::Frame::new().fill(ui.visuals().extreme_bg_color).corner_radius(4.0).inner_margin(8.0).show(
                ui,
                |ui| {
                    ui.set_width(ui.available_width());
                    ui.add(egui::Label::new(RichText::new(code).monospace().size(12.0)).wrap());
                },
            );
            ui.add_space(8.0);
        }
        Block::Table(rows) => {
            for (n, row) in rows.iter().enumerate() {
                show_row(ui, row, n == 0, wanted);
            }
            ui.add_space(8.0);
        }
    }
}

/// A row of a table: the last column but one has the most room if there are three.
fn show_row(ui: &mut Ui, row: &[Vec<Inline>], head: bool, wanted: &mut Option<Place>) {
    let shares: &[f32] = match row.len() {
        1 => &[1.0],
        2 => &[0.36, 0.64],
        3 => &[0.26, 0.48, 0.26],
        _ => &[],
    };
    let room = ui.available_width() - 8.0 * row.len() as f32;
    let other = 1.0 / row.len().max(1) as f32;
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        for (n, cell) in row.iter().enumerate() {
            let wide = (room * shares.get(n).copied().unwrap_or(other)).max(40.0);
            ui.allocate_ui_with_layout(Vec2::new(wide, 0.0), egui::Layout::top_down(Align::Min), |ui| {
                ui.set_width(wide);
                if head {
                    let words: String = cell.iter().map(words_of).collect();
                    ui.strong(words);
                } else {
                    show_line(ui, cell, wanted);
                }
            });
        }
    });
    ui.separator();
}

fn words_of(inline: &Inline) -> String {
    match inline {
        Inline::Text(t) | Inline::Strong(t) | Inline::Code(t) | Inline::Link(t, _) => t.clone(),
    }
}

/// A line with its code, bold words and links, broken where the room ends.
fn show_line(ui: &mut Ui, line: &[Inline], wanted: &mut Option<Place>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = Vec2::new(0.0, 2.0);
        let code = FontId::new(12.5, FontFamily::Monospace);
        let ink = ui.visuals().strong_text_color();
        for part in line {
            match part {
                Inline::Text(t) => drop(ui.label(t)),
                Inline::Strong(t) => drop(ui.strong(t)),
                Inline::Code(t) => drop(ui.label(RichText::new(t).font(code.clone()).color(ink))),
                Inline::Link(t, to) => {
                    if ui.link(t).clicked() {
                        *wanted = Some(to.clone());
                    }
                }
            }
        }
    });
}
