//! Shows the Draw pane: the tools above, the map in the middle, palette and forms beside it.
use super::tool::Stroke;
use super::{Act, Data, Overs, State, Tool, side, to_at, to_spot};
use crate::canvas::{self, At, Overlay};
use crate::command::Command;
use crate::document::TextPlace;
use crate::panels::{Context, Pane, show_button, show_empty};
use egui::Key;
use houserule::ide::draw::{Board, Origin, Sheet, SheetId, Spot, Symmetry};
use houserule::ide::plan::Intent;
use houserule::text::Span;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The gap between two tools.
const GAP: f32 = 3.0;

/// How wide a button is that shows a command's icon and name.
fn name_width(ui: &egui::Ui, act: Act) -> f32 {
    let font = egui::TextStyle::Button.resolve(ui.style());
    let text = ui.painter().layout_no_wrap(act.info().title(), font, egui::Color32::PLACEHOLDER);
    text.size().x + 2.0 * ui.spacing().button_padding.x
}

impl State {
    /// Shows the pane, and gives what is wanted.
    pub fn ui(&mut self, ui: &mut egui::Ui, cx: &Context<'_>) -> Vec<Command> {
        self.refresh(cx);
        let mut wanted = Vec::new();
        self.view.take |= cx.focus == Some(Pane::Draw);
        if cx.here.is_none()
            || self.sheet.is_none() && cx.here.is_some_and(|h| cx.document.subject(&h.file).is_none())
        {
            show_empty(
                ui,
                "No scenario is open",
                "Choose a scenario in the list on the left, or make a new one.",
            );
            return wanted;
        }
        if self.data.is_none() {
            let subject = cx.here.and_then(|h| cx.document.subject(&h.file));
            let text = match subject.and_then(|s| cx.analyses.failure_of(cx.document, &s)) {
                Some(failed) => format!("{failed}. {}.", crate::analyses::NEXT),
                None if cx.analyses.is_busy() => String::from("The game is being read."),
                None => String::from("This game has no map to draw and no scenario to fill in."),
            };
            show_empty(ui, "Nothing to draw yet", &text);
            return wanted;
        }
        self.show_head(ui, cx, &mut wanted);
        self.show_tools(ui, cx, &mut wanted);
        ui.separator();
        // Beside the text there is less room: the map gets more of it.
        let (narrow, wide) = if ui.available_width() < 560.0 { (true, 160.0) } else { (false, 240.0) };
        let panel = egui::Panel::right(ui.scope_id().with(("side", narrow)));
        panel.default_size(wide).min_size(150.0).show(ui, |ui| {
            side::show_side(self, ui, cx, &mut wanted);
        });
        self.show_below(ui, cx, &mut wanted);
        let data = self.data.clone();
        let Some(board) = data.as_ref().and_then(|d| d.board(self.board)) else {
            let grows = data.as_ref().is_some_and(|d| !d.patches.is_empty());
            let text = match grows {
                true => {
                    "The map of this game grows in play. The patches of which it is laid out are listed on the right."
                }
                false => "This game has no map. The form on the right shows what a scenario sets.",
            };
            show_empty(ui, if grows { "Nothing to draw" } else { "No map" }, text);
            return wanted;
        };
        if board.grid.is_none() || !board.origin.is_own() {
            self.show_drawn_elsewhere(ui, board, &mut wanted);
        }
        if let Some(then) = self.preview_data() {
            self.show_preview(ui, &then);
        } else if !self.show_import_preview(ui) {
            self.show_map(ui, cx, board, &mut wanted);
        }
        wanted
    }

    /// Which scenario, which map.
    fn show_head(&mut self, ui: &mut egui::Ui, cx: &Context<'_>, wanted: &mut Vec<Command>) {
        let Some(data) = self.data.clone() else { return };
        let title = |s: &Sheet| {
            let sort = match s.id {
                SheetId::Game => " (the game's own)",
                SheetId::Variant(..) => " (variant)",
                SheetId::Mod(..) => " (mod)",
                SheetId::Scenario(_) | SheetId::Built(..) => "",
            };
            format!("{}{sort}", s.title)
        };
        let mut chosen: Option<Sheet> = None;
        let mut built: Option<SheetId> = None;
        ui.horizontal_wrapped(|ui| {
            let label = ui.label("Scenario");
            let shown = title(&data.drawing.sheet);
            egui::ComboBox::from_id_salt("sheet")
                .selected_text(&shown)
                .width(200.0)
                .show_ui(ui, |ui| {
                    for s in &data.sheets {
                        let own = s.id.is_of(&data.drawing.sheet.id);
                        if ui.selectable_label(own, title(s)).clicked() && !own {
                            chosen = Some(s.clone());
                        }
                    }
                })
                .response
                .labelled_by(label.id);
            show_button(ui, cx.keys, Command::Draw(Act::NewScenario), true, wanted);
            ui.menu_button("Import, export", |ui| {
                for act in Act::ALL.iter().filter(|a| matches!(a, Act::ImportMap | Act::ExportMap(_))) {
                    if ui.button(act.info().name).on_hover_text(act.info().about).clicked() {
                        wanted.push(Command::Draw(*act));
                    }
                }
            });
            let sheet = &data.drawing.sheet;
            if !sheet.choices.is_empty() {
                let on = sheet.built_on().cloned().unwrap_or_default();
                let (name, tip) = match sheet.id.scenario() {
                    Some(_) => (
                        "as built on",
                        "If it can be built on several scenarios: which one is drawn, and from which one the form inherits.",
                    ),
                    None => {
                        ("as played on", "Which scenario is drawn below it, and from which one the form inherits.")
                    }
                };
                let label = ui.label(name);
                egui::ComboBox::from_id_salt("built on")
                    .selected_text(&*on)
                    .show_ui(ui, |ui| {
                        for (c, id) in &sheet.choices {
                            if ui.selectable_label(*c == on, &**c).clicked() && *c != on {
                                built = Some(id.clone());
                            }
                        }
                    })
                    .response
                    .labelled_by(label.id)
                    .on_hover_text(tip);
            }
            if data.drawing.boards.len() > 1 {
                for (n, b) in data.drawing.boards.iter().enumerate() {
                    if ui.selectable_label(self.board == n, &*b.name).clicked() {
                        self.turn_to(n);
                    }
                }
            }
            let wrong = data.drawing.findings.len();
            if wrong > 0 {
                let text = if wrong == 1 { "1 finding".to_string() } else { format!("{wrong} findings") };
                let bad = data.drawing.findings.iter().any(|f| f.error);
                let colour = if bad { ui.visuals().error_fg_color } else { ui.visuals().warn_fg_color };
                ui.colored_label(colour, text);
            }
        });
        if let Some(s) = chosen
            && let Some((subject, _)) = self.sheet.clone()
        {
            wanted.push(Command::GoTo(self.place_of(cx, &data, s.span)));
            self.choose_sheet(subject, s.id);
            self.refresh(cx);
        }
        if let (Some(id), Some((subject, _))) = (built, self.sheet.clone()) {
            self.choose_sheet(subject, id);
            self.refresh(cx);
        }
    }

    /// A place of the analysis in the present text.
    pub(super) fn place_of(&self, cx: &Context<'_>, data: &Data, span: Span) -> TextPlace {
        let file = data.analysis.files.get(span.file).map_or("", |f| f.name.as_str());
        let range = cx.document.follow_range(data.revision, file, span.range()).range;
        TextPlace::new(file, range)
    }

    /// Tools, size, symmetry. Where there is no room for all names the tools are signs alone: one row in any case.
    fn show_tools(&mut self, ui: &mut egui::Ui, cx: &Context<'_>, wanted: &mut Vec<Command>) {
        let tools = || Act::ALL.iter().copied().filter(|a| matches!(a, Act::Take(_)));
        let named = |a: Act| a.info().title();
        let names = tools().map(|a| name_width(ui, a) + GAP).sum::<f32>() <= ui.available_width();
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = GAP;
            if !names {
                ui.spacing_mut().button_padding.x = GAP;
            }
            for act in tools() {
                let info = act.info();
                let on = Act::Take(self.hand.tool) == act;
                let text = if names { named(act) } else { info.icon.to_string() };
                let least = egui::vec2(if names { 0.0 } else { 26.0 }, 0.0);
                let r = ui.add(egui::Button::selectable(on, text).min_size(least));
                let tip = cx.keys.tooltip(&Command::Draw(act));
                let r = r.on_hover_text(if names { tip } else { format!("{}. {tip}", info.name) });
                r.widget_info(|| egui::WidgetInfo::selected(egui::Role::Button, true, on, info.name));
                if r.clicked() {
                    wanted.push(Command::Draw(act));
                }
            }
            if !names {
                ui.weak(Act::Take(self.hand.tool).info().name);
            }
        });
        ui.horizontal_wrapped(|ui| {
            // A name and its field are one: they wrap together.
            ui.horizontal(|ui| {
                let label = ui.label("Size");
                ui.add(egui::DragValue::new(&mut self.hand.size).range(1..=9)).labelled_by(label.id);
            });
            ui.horizontal(|ui| {
                let label = ui.label("Symmetry");
                egui::ComboBox::from_id_salt("symmetry")
                    .selected_text(self.hand.symmetry.name())
                    .width(150.0)
                    .show_ui(ui, |ui| {
                        for s in Symmetry::ALL {
                            ui.selectable_value(&mut self.hand.symmetry, s, s.name());
                        }
                    })
                    .response
                    .labelled_by(label.id);
            });
            self.show_selection_tools(ui, cx, wanted);
        });
    }

    /// What can be done with the selection: always there, so that no tool moves the map below. Where there is no room for all names they are a menu.
    fn show_selection_tools(&self, ui: &mut egui::Ui, cx: &Context<'_>, wanted: &mut Vec<Command>) {
        let (some, held) = (!self.hand.selection.is_empty(), self.hand.held.is_some());
        let all = [
            (Act::Copy, some),
            (Act::Move, some),
            (Act::TurnLeft, some || held),
            (Act::TurnRight, some || held),
            (Act::MirrorWestEast, some || held),
            (Act::MirrorSouthNorth, some || held),
            (Act::PaintSelection, some),
            (Act::EraseSelection, some),
            (Act::Cancel, some || held),
        ];
        let gap = ui.spacing().item_spacing.x;
        let names: f32 = all.iter().map(|(act, _)| name_width(ui, *act) + gap).sum();
        let mut show = |ui: &mut egui::Ui| {
            for (act, on) in all {
                show_button(ui, cx.keys, Command::Draw(act), on, wanted);
            }
        };
        if names <= ui.available_size_before_wrap().x {
            show(ui);
        } else {
            ui.menu_button("Selection", show);
        }
    }

    /// What is wrong, and where the hand is.
    fn show_below(&mut self, ui: &mut egui::Ui, cx: &Context<'_>, wanted: &mut Vec<Command>) {
        let Some(data) = &self.data else { return };
        let mut reveal = None;
        egui::Panel::bottom(ui.scope_id().with("below")).show(ui, |ui| {
            if let Some(why) = &data.stale {
                ui.colored_label(ui.visuals().warn_fg_color, format!("Drawing is possible again when this can be read: {why}"));
            }
            for f in data.drawing.findings.iter().take(4) {
                let colour = if f.error { ui.visuals().error_fg_color } else { ui.visuals().warn_fg_color };
                ui.horizontal_wrapped(|ui| {
                    let help = f.help.as_deref().map(|h| format!(" ({h})")).unwrap_or_default();
                    ui.colored_label(colour, format!("{}{help}", f.message));
                    if let Some((n, s)) = f.spots.first()
                        && ui.small_button(format!("Show {}", s.name())).clicked()
                    {
                        reveal = Some((*n, to_at(*s)));
                    }
                    if ui.small_button("Go to the text").clicked() {
                        let file = data.analysis.files.get(f.span.file).map_or("", |f| f.name.as_str());
                        // What is drawn may be of texts a little older than the present ones.
                        let range = cx.document.follow_range(data.revision, file, f.span.range()).range;
                        wanted.push(Command::GoTo(TextPlace::new(file, range)));
                    }
                });
            }
            let more = data.drawing.findings.len().saturating_sub(4);
            if more > 0 {
                ui.weak(format!("and {more} more in the text"));
            }
            let said = self.hovered.and_then(|a| self.describe_place(a));
            let hint = "Arrows move, blank paints. Alt and a click lead to the text; the right button chooses the sign of a space.";
            let said = said.as_deref().unwrap_or(hint);
            let hidden = self.describe_hidden().map(|h| format!("{h}. {said}"));
            ui.add(egui::Label::new(egui::RichText::new(hidden.as_deref().unwrap_or(said)).weak()).truncate());
        });
        if let Some((n, a)) = reveal {
            self.turn_to(n);
            self.view.cursor = Some(a);
            self.view.reveal = Some(a);
        }
    }

    /// All that is seen of a place, in words.
    fn describe_place(&self, at: At) -> Option<String> {
        let tiles = match &self.seen {
            Some(seen) => seen.tiles(),
            None => self.data.as_ref()?.tiles.get(self.board)?,
        };
        tiles.iter().find(|t| t.at == at).map(|t| t.said.clone())
    }

    /// The map is drawn by what the scenario is built on, or not at all: it can be drawn here.
    fn show_drawn_elsewhere(&mut self, ui: &mut egui::Ui, board: &Board, wanted: &mut Vec<Command>) {
        let Some(data) = &self.data else { return };
        if data.drawing.sheet.id == SheetId::Game {
            return;
        }
        ui.horizontal_wrapped(|ui| {
            let text = match board.origin {
                Origin::FromOther(s) => {
                    format!("{} is drawn in {}.", board.name, data.analysis.files.place(s))
                }
                _ => format!("Nothing draws {} yet.", board.name),
            };
            ui.label(text);
            if ui.button("Draw it here").clicked() {
                let intent =
                    Intent::DrawHere { sheet: data.drawing.sheet.id.clone(), map: board.name.clone() };
                wanted.extend(self.plan_intent(&intent));
            }
        });
    }

    /// The map as it would be after a resize. Nothing can be painted on it.
    fn show_preview(&mut self, ui: &mut egui::Ui, then: &Data) {
        let Some(board) = then.board(self.board) else { return };
        let n = then.drawing.boards.iter().position(|b| b.name == board.name).unwrap_or(0);
        let (none, over) = (Vec::new(), BTreeMap::new());
        let map = canvas::Map {
            name: "as it would be",
            grid: Data::grid(board),
            tiles: then.tiles.get(n).unwrap_or(&none),
            ways: &[],
            named: true,
            over: &over,
            chosen: &|_| false,
            moving: canvas::Moving::default(),
            grey: false,
        };
        canvas::show_map(ui, &map, &mut self.view);
    }

    /// The map itself.
    fn show_map(&mut self, ui: &mut egui::Ui, cx: &Context<'_>, board: &Board, wanted: &mut Vec<Command>) {
        let Some(data) = self.data.clone() else { return };
        let n = data.drawing.boards.iter().position(|b| b.name == board.name).unwrap_or(0);
        let tiles = self.seen_tiles(&data, n);
        let colours = data.colours.get(n);
        let focus = self.hovered.map(to_spot);
        let over = self.make_overlay(&data, n, board, focus, colours);
        let pick = matches!(self.hand.tool, Tool::Select) && self.hand.held.is_none();
        let choosing = match (&self.hand.stroke, focus) {
            (Some(_), Some(at)) if pick => self.hand.proposed_selection(board, at),
            _ => Default::default(),
        };
        let in_text = self.place_of_caret(cx, &data, n, board);
        if let (Some(at), Some(_)) = (in_text, cx.arrived) {
            self.view.reveal = Some(at);
            self.view.cursor = Some(at);
        }
        let selection = &self.hand.selection;
        let chosen =
            |a: At| selection.contains(&to_spot(a)) || choosing.contains(&to_spot(a)) || in_text == Some(a);
        let map = canvas::Map {
            name: &board.name,
            grid: Data::grid(board),
            tiles: &tiles,
            ways: &[],
            named: true,
            over: &over,
            chosen: &chosen,
            moving: canvas::Moving::default(),
            grey: data.stale.is_some(),
        };
        let mut wider = self.pull.as_ref().map(|p| p.widen_view(&self.view, &map.grid));
        let mut done = canvas::show_map(ui, &map, wider.as_mut().unwrap_or(&mut self.view));
        if self.show_grips(ui, cx, board, &done, wanted) {
            (done.hovered, done.pressed, done.dragged, done.secondary) = (None, None, None, None);
        }
        self.handle_canvas(ui, cx, board, &done, wanted);
    }

    /// The place whose sign holds the text's cursor.
    fn place_of_caret(&mut self, cx: &Context<'_>, data: &Data, n: usize, board: &Board) -> Option<At> {
        let here = cx.here.filter(|h| *h.file == *data.drawing.sheet.file || board.grid.is_some())?;
        if let Some((place, revision, of, at)) = &self.in_text
            && (place, *revision, *of) == (here, data.revision, n)
        {
            return *at;
        }
        let holds = |o: Origin| {
            let (file, _) = data.analysis.file(&here.file)?;
            let s = o.span().filter(|s| s.file == file)?.range();
            s.contains(&here.range.start).then_some(())
        };
        let in_picture = board.grid.is_some_and(|g| holds(Origin::Literal(g)).is_some());
        let mut cells = board.cells.iter().filter(|_| in_picture);
        let found = cells
            .find(|c| matches!(c.origin, Origin::Cell { .. }) && holds(c.origin).is_some())
            .map(|c| to_at(c.at));
        self.in_text = Some((here.clone(), data.revision, n, found));
        found
    }

    /// What lies over the map: a stroke that was written and is not known yet, and what would be written now.
    fn make_overlay(
        &mut self,
        data: &Data,
        n: usize,
        board: &Board,
        focus: Option<Spot>,
        colours: Option<&BTreeMap<Arc<str>, egui::Color32>>,
    ) -> Arc<BTreeMap<At, Overlay>> {
        let shows = !matches!(self.hand.tool, Tool::Pick | Tool::Select) || self.hand.held.is_some();
        let focus = focus.filter(|_| shows && data.stale.is_none() && board.origin.is_own());
        let pending: Vec<_> = self.pending.iter().map(|(r, _)| *r).collect();
        if let Some((of, over)) = &self.over
            && (of.revision, of.board, of.focus) == (data.revision, n, focus)
            && of.pending == pending
            && of.hand == self.hand
        {
            return over.clone();
        }
        let mut strokes = self.written_strokes();
        if let Some(at) = focus {
            strokes.extend(self.hand.proposed_strokes(board, at));
        }
        let hidden = &self.hand.hidden;
        let one = |(s, sign): (Spot, Arc<str>)| {
            let sign = if hidden.is_empty() { sign } else { board.seen_sign(&sign, hidden) };
            let fill = colours.and_then(|c| c.get(&sign)).copied();
            (to_at(s), Overlay { text: sign, fill })
        };
        let over = Arc::new(strokes.into_iter().map(one).collect());
        let of = Overs { revision: data.revision, board: n, focus, hand: self.hand.clone(), pending };
        self.over = Some((of, Arc::clone(&over)));
        over
    }

    /// What the hand did with the map.
    fn handle_canvas(
        &mut self,
        ui: &egui::Ui,
        cx: &Context<'_>,
        board: &Board,
        done: &canvas::Done,
        wanted: &mut Vec<Command>,
    ) {
        // The preview is where something moved last: the pointer or the keyboard's cursor.
        if done.moved.is_some() || done.acted.is_some() {
            self.by_key = true;
        } else if ui.input(|i| i.pointer.is_moving() || i.pointer.any_down()) {
            self.by_key = false;
        }
        let pointed = done.dragged.or(done.hovered);
        self.hovered = if self.by_key { self.view.cursor.filter(|_| done.focused) } else { pointed };
        if done.focused {
            // Letters are commands here, for nobody writes on a map.
            for act in Act::ALL.iter().copied() {
                let Some(s) = cx.keys.get(&act.info()) else { continue };
                if ui.input_mut(|i| i.consume_shortcut(&s)) {
                    wanted.push(Command::Draw(act));
                }
            }
            let digits = [
                Key::Num1,
                Key::Num2,
                Key::Num3,
                Key::Num4,
                Key::Num5,
                Key::Num6,
                Key::Num7,
                Key::Num8,
                Key::Num9,
            ];
            let digit = ui.input(|i| digits.iter().position(|k| i.key_pressed(*k)));
            if let Some(e) = digit.and_then(|n| board.palette.iter().filter(|e| e.space).nth(n)) {
                self.hand.sign = e.sign.clone();
                wanted.push(Command::Say(format!("{}: {}", e.sign, super::data::describe_sign(e))));
            }
        }
        if let Some(a) = done.moved {
            wanted.extend(self.describe_place(a).map(Command::Say));
        }
        if let Some(a) = done.secondary {
            self.pick_sign(board, to_spot(a), wanted);
        }
        if let Some(a) = done.pressed {
            if cx.front != Pane::Draw {
                wanted.push(Command::Show(Pane::Draw));
            }
            if done.modifiers.alt {
                self.show_in_text(cx, board, to_spot(a), wanted);
            } else {
                self.begin_stroke(board, to_spot(a), done.modifiers.shift, false, wanted);
            }
        }
        if let Some(a) = done.dragged
            && self.hand.stroke.as_ref().is_some_and(|s| !s.keyed && s.to != to_spot(a))
        {
            self.hand.continue_stroke(board, to_spot(a));
        }
        if done.released && self.hand.stroke.as_ref().is_some_and(|s| !s.keyed) {
            let to = self.hand.stroke.as_ref().map(|s| s.to);
            self.finish_stroke(board, to, wanted);
        }
        if let Some(a) = done.acted {
            let s = to_spot(a);
            let two = matches!(self.hand.tool, Tool::Line | Tool::Rectangle | Tool::Rim | Tool::Select);
            if self.hand.stroke.as_ref().is_some_and(|s| s.keyed) {
                self.hand.continue_stroke(board, s);
                self.finish_stroke(board, Some(s), wanted);
            } else {
                self.begin_stroke(board, s, done.modifiers.shift, two, wanted);
                if !(two && self.hand.stroke.is_some()) {
                    self.finish_stroke(board, Some(s), wanted);
                } else {
                    wanted.push(Command::Say(format!(
                        "From {}: go on with the arrows, end with blank",
                        s.name()
                    )));
                }
            }
        }
    }

    /// Leads to the text of a place.
    fn show_in_text(&self, cx: &Context<'_>, board: &Board, s: Spot, wanted: &mut Vec<Command>) {
        let (Some(data), Some(cell)) = (&self.data, board.cell_at(s)) else { return };
        if let Some(span) = cell.origin.span() {
            wanted.push(Command::GoTo(self.place_of(cx, data, span)));
        }
    }

    fn pick_sign(&mut self, board: &Board, s: Spot, wanted: &mut Vec<Command>) {
        let seen = board.sign_at(s).map(|sign| board.seen_sign(sign, &self.hand.hidden));
        if let Some(e) = seen.and_then(|sign| board.entry_of(&sign)) {
            self.hand.sign = e.sign.clone();
            wanted.push(Command::Say(format!("{}: {}", e.sign, super::data::describe_sign(e))));
        }
    }

    /// The hand goes down at a place.
    fn begin_stroke(&mut self, board: &Board, s: Spot, more: bool, keyed: bool, wanted: &mut Vec<Command>) {
        if self.hand.held.is_some() {
            let what = self.hand.label();
            let strokes = self.hand.propose(board, s);
            let held = self.hand.held.take();
            // What was moved is selected where it lies now; a copy stays in the hand.
            match held {
                Some(h) if h.from.is_some() => {
                    self.hand.selection = h.clip.put_down(&board.lattice, s).0.into_keys().collect();
                }
                h => self.hand.held = h,
            }
            wanted.extend(self.write_spared(strokes, what));
            return;
        }
        let paints = !matches!(self.hand.tool, Tool::Pick | Tool::Select | Tool::Erase);
        match self.hand.tool {
            _ if paints && self.hand.is_mixing() && self.hand.mixed_signs(board).is_empty() => {
                wanted.push(self.ask_for_weights());
            }
            Tool::Pick => self.pick_sign(board, s, wanted),
            Tool::Fill | Tool::Replace => {
                let strokes = self.hand.propose(board, s);
                let what = self.hand.label();
                wanted.extend(self.write_spared(strokes, what));
            }
            tool => {
                if tool == Tool::Select && !more {
                    self.hand.selection.clear();
                }
                self.hand.stroke = Some(Stroke { from: s, to: s, spots: Default::default(), keyed });
                self.hand.continue_stroke(board, s);
            }
        }
    }

    /// The hand comes up: what was drawn is written.
    fn finish_stroke(&mut self, board: &Board, to: Option<Spot>, wanted: &mut Vec<Command>) {
        let Some(to) = to.filter(|_| self.hand.stroke.is_some()) else {
            self.hand.stroke = None;
            return;
        };
        if self.hand.tool == Tool::Select {
            let new = self.hand.proposed_selection(board, to);
            self.hand.selection.extend(new);
            self.hand.stroke = None;
            wanted.push(Command::Say(format!("{} spaces are selected", self.hand.selection.len())));
            return;
        }
        let strokes = self.hand.propose(board, to);
        let what = self.hand.label();
        self.hand.stroke = None;
        wanted.extend(self.write_spared(strokes, what));
    }
}
