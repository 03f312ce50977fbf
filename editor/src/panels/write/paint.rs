//! Paints the text: only the visible lines are laid out, whatever the size of the file.
use super::data::{self, LineMessage, TextRow};
use super::keys::FILTER;
use super::view::TextView;
use super::{Popup, State, go_to_definition};
use crate::command::Command;
use crate::panels::{Context, Pane};
use egui::text::{CCursor, LayoutJob, TextFormat};
use egui::{
    Align2, Color32, CornerRadius, FontId, Id, Pos2, Rect, Sense, Stroke, TextStyle, Vec2, pos2, vec2,
};
use houserule::ide::{self, Class};
use houserule::text::Severity;
use std::sync::Arc;

/// The colour of a class, on dark or on light ground.
fn class_color(class: Class, dark: bool) -> Color32 {
    let (on_dark, on_light) = match class {
        Class::Keyword => (0xC792EA, 0x7A1FA2),
        Class::Builtin => (0x7FDBCA, 0x00695C),
        Class::Kind => (0xFFCB6B, 0x8A5A00),
        Class::Member => (0xF78C6C, 0xAD3A00),
        Class::Player => (0xFF9CAC, 0xB0003A),
        Class::Attribute | Class::Zone => (0x82AAFF, 0x1A4FB4),
        Class::Map | Class::Scope => (0xFFCB6B, 0x8A5A00),
        Class::Value | Class::Hook => (0x89DDFF, 0x006A8E),
        Class::Rule | Class::Action | Class::Menu => (0xC3E88D, 0x2E6B1F),
        Class::Option => (0xF78C6C, 0xAD3A00),
        Class::Local | Class::Name => (0xD8DEE9, 0x24292E),
        Class::Number => (0xF78C6C, 0x98500A),
        Class::Text => (0xC3D69B, 0x3F6212),
        Class::Hole => (0x89DDFF, 0x006A8E),
        Class::Comment => (0x8A97A8, 0x5C6773),
        Class::Doc => (0xA3B4C8, 0x3E5C76),
        Class::Sign => (0xE6D9A8, 0x6B5B00),
        Class::Picture => (0x8A97A8, 0x5C6773),
        Class::Punctuation => (0xAEB9C7, 0x4A5561),
        Class::Bad => (0xFF6B6B, 0xC62828),
    };
    let n: u32 = if dark { on_dark } else { on_light };
    Color32::from_rgb((n >> 16) as u8, (n >> 8) as u8, n as u8)
}

/// The colour of a finding.
pub(super) fn severity_color(s: Severity, dark: bool) -> Color32 {
    match (s, dark) {
        (Severity::Error, true) => Color32::from_rgb(255, 107, 107),
        (Severity::Error, false) => Color32::from_rgb(198, 40, 40),
        (Severity::Warning, true) => Color32::from_rgb(255, 203, 107),
        (Severity::Warning, false) => Color32::from_rgb(154, 103, 0),
    }
}

/// The colour of what stands beside a line: quieter than the text, and still to be read on either ground.
pub fn message_color(s: Severity, dark: bool) -> Color32 {
    match (s, dark) {
        (Severity::Error, true) => Color32::from_rgb(205, 125, 125),
        (Severity::Error, false) => Color32::from_rgb(160, 70, 70),
        (Severity::Warning, true) => Color32::from_rgb(190, 160, 105),
        (Severity::Warning, false) => Color32::from_rgb(125, 98, 40),
    }
}

/// Sizes of the text as it is painted.
struct Sizes {
    font: FontId,
    row: f32,
    letter: f32,
    gutter: f32,
    origin: Pos2,
    dark: bool,
}

impl Sizes {
    fn top_of(&self, row: usize) -> f32 {
        self.origin.y + row as f32 * self.row
    }

    fn left(&self) -> f32 {
        self.origin.x + self.gutter
    }
}

/// A line, laid out.
fn lay_out_line(ui: &egui::Ui, v: &TextView, r: &TextRow, s: &Sizes) -> Arc<egui::Galley> {
    let text = v.text().get(r.range.clone()).unwrap_or("");
    let plain = ui.visuals().text_color();
    let mut job = LayoutJob { break_on_newline: false, ..LayoutJob::default() };
    let mut at = 0;
    let mut add = |from: usize, to: usize, color: Color32, italics: bool| {
        if let Some(t) = text.get(from..to).filter(|t| !t.is_empty()) {
            job.append(
                t,
                0.0,
                TextFormat { font_id: s.font.clone(), color, italics, ..TextFormat::default() },
            );
        }
    };
    for (range, class) in &r.colours {
        if range.start < at || !text.is_char_boundary(range.start) || !text.is_char_boundary(range.end) {
            continue;
        }
        add(at, range.start, plain, false);
        add(range.start, range.end, class_color(*class, s.dark), matches!(class, Class::Comment));
        at = range.end;
    }
    add(at, text.len(), plain, false);
    ui.painter().layout_job(job)
}

/// How far to the right a byte of a line is.
fn x_of(g: &egui::Galley, text: &str, byte: usize) -> f32 {
    let mut byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    let chars = text.get(..byte).map_or(0, |t| t.chars().count());
    g.pos_from_cursor(CCursor::new(chars)).min.x
}

impl State {
    /// The text itself.
    pub(super) fn show_text(
        &mut self,
        ui: &mut egui::Ui,
        file: &Arc<str>,
        cx: &Context,
        out: &mut Vec<Command>,
    ) {
        let font = TextStyle::Monospace.resolve(ui.style());
        let (row, letter) = ui.fonts_mut(|f| (f.row_height(&font).ceil() + 2.0, f.glyph_width(&font, ' ')));
        let Some(v) = self.views.get(file) else { return };
        let digits = v.line_count().to_string().len().max(3) as f32;
        let gutter = digits * letter + 34.0;
        let height = ui.available_height();
        self.page = ((height / row) as isize - 1).max(1);
        let content = vec2(
            gutter + (v.widest() as f32 + 4.0) * letter,
            v.visible_lines().len() as f32 * row + (height - 3.0 * row).max(0.0),
        );
        let dark = ui.visuals().dark_mode;
        egui::ScrollArea::both().id_salt(("text", &**file)).auto_shrink(false).show_viewport(
            ui,
            |ui, seen| {
                ui.set_min_size(content.max(seen.size()));
                let origin = ui.min_rect().min;
                let s = Sizes { font, row, letter, gutter, origin, dark };
                self.show_lines(ui, file, cx, seen, &s, out);
            },
        );
    }

    fn show_lines(
        &mut self,
        ui: &mut egui::Ui,
        file: &Arc<str>,
        cx: &Context,
        seen: Rect,
        s: &Sizes,
        out: &mut Vec<Command>,
    ) {
        let id = Id::unique(("write", "text"));
        let area = ui.clip_rect();
        let response = ui.interact(area, id, Sense::click_and_drag());
        if self.focus && cx.front == Pane::Write && self.ask.is_none() {
            response.request_focus();
        }
        self.focus = false;
        self.handle_pointer(ui, file, cx, &response, s, out);
        let focused = response.has_focus();
        if focused {
            ui.memory_mut(|m| m.set_focus_lock_filter(id, FILTER));
            self.handle_keys(ui, file, cx, out);
        }
        let found = self.find.marked_ranges(file, cx.document);
        let Some(v) = self.views.get(file) else { return };
        // Lines in view, after the keys: a new one must not be missing for a frame.
        let first = (seen.min.y / s.row).floor().max(0.0) as usize;
        let last = (seen.max.y / s.row).ceil().max(0.0) as usize + 1;
        let rows = data::list_rows(v, first..last, found);
        let painter = ui.painter().clone();
        let caret_row = v.row_of(v.line_of(v.caret));
        let selection = v.selection();
        let brackets = v.matching_brackets();
        let mut caret = None;
        for (i, r) in rows.iter().enumerate() {
            let n = first + i;
            let (top, left) = (s.top_of(n), s.left());
            let text = v.text().get(r.range.clone()).unwrap_or("");
            let g = lay_out_line(ui, v, r, s);
            if n == caret_row {
                let band = Rect::from_min_max(pos2(area.left(), top), pos2(area.right(), top + s.row));
                painter.rect_filled(band, CornerRadius::ZERO, ui.visuals().faint_bg_color);
            }
            let band = |from: usize, to: usize, more: f32| {
                Rect::from_min_max(
                    pos2(left + x_of(&g, text, from), top),
                    pos2(left + x_of(&g, text, to) + more, top + s.row),
                )
            };
            for f in &r.found {
                let color =
                    if s.dark { Color32::from_rgb(92, 79, 28) } else { Color32::from_rgb(255, 230, 140) };
                painter.rect_filled(band(f.start, f.end, 0.0), CornerRadius::same(2), color);
            }
            if selection.start <= r.range.end && selection.end > r.range.start
                || selection.contains(&r.range.start)
            {
                let from = selection.start.max(r.range.start) - r.range.start;
                let to = selection.end.min(r.range.end).saturating_sub(r.range.start);
                let more = if selection.end > r.range.end { s.letter * 0.6 } else { 0.0 };
                if from < to || more > 0.0 {
                    painter.rect_filled(
                        band(from, to.max(from), more),
                        CornerRadius::ZERO,
                        ui.visuals().selection.bg_fill,
                    );
                }
            }
            for b in brackets.iter().flat_map(|(a, b)| [*a, *b]).filter(|b| r.range.contains(b)) {
                let at = b - r.range.start;
                painter.rect_stroke(
                    band(at, at + 1, 0.0),
                    CornerRadius::same(2),
                    Stroke::new(1.0, ui.visuals().weak_text_color()),
                    egui::StrokeKind::Inside,
                );
            }
            painter.galley(pos2(left, top + 1.0), g.clone(), ui.visuals().text_color());
            let mut end = left + g.size().x + s.letter;
            if r.fold == Some(true) {
                let at = pos2(end, top + s.row / 2.0);
                painter.text(at, Align2::LEFT_CENTER, "…", s.font.clone(), ui.visuals().weak_text_color());
                end += 2.0 * s.letter;
            }
            if let Some(said) = &r.said {
                paint_message(
                    ui,
                    said,
                    r.number,
                    Rect::from_min_max(pos2(end, top), pos2(area.right(), top + s.row)),
                    s,
                );
            }
            for (q, sev) in &r.squiggles {
                let from = left + x_of(&g, text, q.start);
                let to = (left + x_of(&g, text, q.end)).max(from + s.letter);
                paint_squiggle(&painter, from, to, top + s.row - 2.0, severity_color(*sev, s.dark));
            }
            if n == caret_row {
                let x = left + x_of(&g, text, v.caret.saturating_sub(r.range.start));
                caret = Some(Rect::from_min_max(pos2(x, top), pos2(x, top + s.row)));
            }
        }
        if let Some(c) = caret {
            if focused {
                painter.line_segment(
                    [c.left_top(), c.left_bottom()],
                    Stroke::new(1.5, ui.visuals().text_color()),
                );
            }
            if !self.preedit.is_empty() {
                let font = s.font.clone();
                let ground = painter.text(
                    c.left_top(),
                    Align2::LEFT_TOP,
                    &self.preedit,
                    font.clone(),
                    Color32::TRANSPARENT,
                );
                painter.rect_filled(ground, CornerRadius::ZERO, ui.visuals().extreme_bg_color);
                painter.text(
                    c.left_top(),
                    Align2::LEFT_TOP,
                    &self.preedit,
                    font,
                    ui.visuals().strong_text_color(),
                );
            }
        }
        self.paint_gutter(ui, file, area, &rows, first, caret_row, s);
        // Where the caret is, whether in view or not.
        let at = caret.unwrap_or_else(|| self.hidden_caret_rect(ui, file, caret_row, s));
        let at = Rect::from_min_size(at.min, vec2(1.0, s.row));
        if std::mem::take(&mut self.bring) {
            // At once: on its way it would come to stand elsewhere, the slower the frames are.
            let around = at.expand2(vec2(s.gutter + 4.0 * s.letter, 2.0 * s.row));
            ui.scroll_to_rect_animation(around, None, egui::style::ScrollAnimation::none());
            ui.ctx().request_repaint();
        }
        if focused {
            ui.output_mut(|o| {
                o.ime = Some(egui::output::IMEOutput {
                    purpose: egui::IMEPurpose::Normal,
                    rect: area,
                    cursor_rect: at,
                    should_interrupt_composition: false,
                });
            });
        }
        self.describe_to_screen_reader(ui, file, &response);
        self.show_completion(ui, file, at, out);
        self.show_hover(ui, file, cx, response, s);
    }

    /// Where the caret is when its row is not in view: its line is laid out for that alone.
    fn hidden_caret_rect(&self, ui: &egui::Ui, file: &Arc<str>, row: usize, s: &Sizes) -> Rect {
        let x = self.views.get(file).map_or(0.0, |v| {
            let line = TextRow::from_line(v, v.line_of(v.caret));
            let text = v.text().get(line.range.clone()).unwrap_or("");
            x_of(&lay_out_line(ui, v, &line, s), text, v.caret.saturating_sub(line.range.start))
        });
        Rect::from_min_size(pos2(s.left() + x, s.top_of(row)), vec2(0.0, s.row))
    }

    /// What screen readers are told: the file, the line, what is wrong there.
    fn describe_to_screen_reader(&self, ui: &egui::Ui, file: &Arc<str>, response: &egui::Response) {
        let Some(v) = self.views.get(file) else { return };
        let label = format!("Text of {file}");
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::MultilineTextInput, true, &label));
        let line = v.line_of(v.caret);
        let wrong: Vec<&str> =
            v.marks.iter().filter(|m| v.line_of(m.range.start) == line).map(|m| m.message.as_str()).collect();
        ui.ctx().accesskit_node_builder(response.id, |n| {
            n.set_value(v.line_text(line).to_string());
            n.set_description(format!("line {} of {}. {}", line + 1, v.line_count(), wrong.join(". ")));
        });
    }

    /// Line numbers, findings and folds, over whatever is scrolled under them.
    #[allow(clippy::too_many_arguments)] // What is painted where.
    fn paint_gutter(
        &self,
        ui: &egui::Ui,
        _file: &Arc<str>,
        area: Rect,
        rows: &[TextRow],
        first: usize,
        caret: usize,
        s: &Sizes,
    ) {
        let painter = ui.painter();
        let ground = Rect::from_min_max(area.min, pos2(area.left() + s.gutter - 6.0, area.max.y));
        painter.rect_filled(ground, CornerRadius::ZERO, ui.visuals().panel_fill);
        for (i, r) in rows.iter().enumerate() {
            let middle = s.top_of(first + i) + s.row / 2.0;
            let color =
                if first + i == caret { ui.visuals().text_color() } else { ui.visuals().weak_text_color() };
            let right = area.left() + s.gutter - 24.0;
            painter.text(
                pos2(right, middle),
                Align2::RIGHT_CENTER,
                r.number.to_string(),
                s.font.clone(),
                color,
            );
            if let Some(mark) = r.mark {
                let at = pos2(area.left() + 6.0, middle);
                match mark {
                    Severity::Error => drop(painter.circle_filled(at, 3.5, severity_color(mark, s.dark))),
                    Severity::Warning => {
                        let color = severity_color(mark, s.dark);
                        let points = vec![at + vec2(0.0, -4.0), at + vec2(4.0, 3.5), at + vec2(-4.0, 3.5)];
                        painter.add(egui::Shape::convex_polygon(points, color, Stroke::NONE));
                    }
                }
            }
            if let Some(closed) = r.fold {
                let at = pos2(area.left() + s.gutter - 14.0, middle);
                let points = if closed {
                    vec![at + vec2(-2.5, -4.0), at + vec2(3.0, 0.0), at + vec2(-2.5, 4.0)]
                } else {
                    vec![at + vec2(-4.0, -2.0), at + vec2(4.0, -2.0), at + vec2(0.0, 3.5)]
                };
                painter.add(egui::Shape::convex_polygon(
                    points,
                    ui.visuals().weak_text_color(),
                    Stroke::NONE,
                ));
            }
        }
    }

    /// The byte at a point.
    fn offset_at(&self, ui: &egui::Ui, file: &Arc<str>, pos: Pos2, s: &Sizes) -> Option<usize> {
        let v = self.views.get(file)?;
        let row = ((pos.y - s.origin.y) / s.row).floor().max(0.0) as usize;
        let line = *v.visible_lines().get(row.min(v.visible_lines().len().saturating_sub(1)))?;
        let r = TextRow::from_line(v, line);
        let g = lay_out_line(ui, v, &r, s);
        let column = g.cursor_from_pos(Vec2::new(pos.x - s.left(), s.row / 2.0)).index;
        Some(v.offset_of_column(line, usize::from(column)))
    }

    fn handle_pointer(
        &mut self,
        ui: &egui::Ui,
        file: &Arc<str>,
        cx: &Context,
        response: &egui::Response,
        s: &Sizes,
        out: &mut Vec<Command>,
    ) {
        if response.hovered() {
            ui.ctx().set_cursor_icon(egui::CursorIcon::Text);
        }
        let Some(pos) = response.interact_pointer_pos() else { return };
        let Some(at) = self.offset_at(ui, file, pos, s) else { return };
        let (pressed, m) = ui.input(|i| (i.pointer.primary_pressed(), i.modifiers));
        let in_gutter = pos.x < response.rect.left() + s.gutter - 6.0;
        // A tap is pressed and released within one frame.
        if pressed && (response.is_pointer_button_down_on() || response.clicked()) {
            response.request_focus();
            self.popup = None;
            if in_gutter {
                let fold = pos.x > response.rect.left() + s.gutter - 22.0;
                self.with_view(file, |v| {
                    let line = v.line_of(at);
                    if fold && v.fold_at(line).is_some() {
                        v.toggle_fold(line);
                    } else {
                        let range = v.line(line);
                        v.select_range(range.start..(range.end + 1).min(v.text().len()));
                    }
                });
                return;
            }
            if (m.command || m.ctrl) && !m.shift {
                if let Some(k) = self.current_analysis(file, cx, out) {
                    out.push(go_to_definition(k, file, at, cx));
                }
                return;
            }
            self.with_view(file, |v| {
                let anchor = if m.shift { v.anchor } else { at };
                v.select_range(anchor..at);
            });
        }
        if response.triple_clicked() {
            self.with_view(file, |v| {
                let line = v.line(v.line_of(at));
                v.select_range(line);
            });
        } else if response.double_clicked() {
            self.with_view(file, |v| {
                let word = v.word_at(at);
                v.select_range(word);
            });
        } else if response.dragged() && !in_gutter && !pressed {
            self.with_view(file, |v| v.select_range(v.anchor..at));
        }
    }

    /// What is known of the word under the pointer.
    fn show_hover(&self, ui: &egui::Ui, file: &Arc<str>, cx: &Context, response: egui::Response, s: &Sizes) {
        let Some(pos) = response.hover_pos().filter(|_| self.popup.is_none() && !response.dragged()) else {
            return;
        };
        let (Some(v), Some(known)) = (self.views.get(file), cx.analyses.of_file(cx.document, file)) else {
            return;
        };
        let line = ((pos.y - s.origin.y) / s.row).floor();
        let in_text = line >= 0.0 && (line as usize) < v.visible_lines().len() && pos.x > s.left();
        let same = known.analysis.file(file).is_some_and(|(_, f)| f.text == v.text());
        let Some(at) = self.offset_at(ui, file, pos, s).filter(|_| in_text && same) else { return };
        // Behind a line's end there is nothing.
        if at >= v.line(v.line_of(at)).end && v.marks.iter().all(|m| m.range.start != at) {
            return;
        }
        let Some(h) = ide::hover(&known.analysis, file, at) else { return };
        let dark = s.dark;
        response.on_hover_ui_at_pointer(|ui| {
            ui.set_max_width(520.0);
            for f in &h.findings {
                ui.colored_label(severity_color(Severity::Error, dark), f);
            }
            if !h.declaration.is_empty() {
                ui.monospace(&h.declaration);
            }
            if !h.title.is_empty() {
                ui.label(match &h.ty {
                    Some(ty) => format!("{}: {ty}", h.title),
                    None => h.title.clone(),
                });
            }
            if !h.doc.is_empty() {
                ui.weak(&h.doc);
            }
        });
    }

    /// The list at the caret.
    fn show_completion(&mut self, ui: &egui::Ui, file: &Arc<str>, caret: Rect, out: &mut Vec<Command>) {
        if let Some(Popup::Complete { items, chosen, job, .. }) = &mut self.popup
            && let Some(j) = job
            && let Some(got) = j.poll()
        {
            *items = got.unwrap_or_else(|failed| {
                out.push(Command::Say(format!("{failed}. Go on writing; Ctrl+Space asks again")));
                Vec::new()
            });
            *chosen = 0;
            *job = None;
            if items.is_empty() {
                self.popup = None;
            }
        }
        let (rows, chosen): (Vec<(String, String, Option<Class>)>, usize) = match &self.popup {
            Some(Popup::Complete { items, chosen, .. }) if !items.is_empty() => {
                (items.iter().map(|i| (i.text.clone(), i.detail.clone(), Some(i.class))).collect(), *chosen)
            }
            Some(Popup::Fixes { fixes, chosen, .. }) => {
                (fixes.iter().map(|f| (f.title.clone(), f.code.0.to_string(), None)).collect(), *chosen)
            }
            _ => return,
        };
        let dark = ui.visuals().dark_mode;
        let mut taken = None;
        egui::Area::new(Id::unique("write.list"))
            .order(egui::Order::Foreground)
            .fixed_pos(caret.left_bottom() + vec2(0.0, 2.0))
            .show(ui.ctx(), |ui| {
                egui::Frame::popup(ui.style()).show(ui, |ui| {
                    ui.set_max_width(560.0);
                    egui::ScrollArea::vertical().max_height(220.0).show(ui, |ui| {
                        for (i, (text, detail, class)) in rows.iter().enumerate().take(200) {
                            let mut job = LayoutJob::default();
                            let font = TextStyle::Monospace.resolve(ui.style());
                            let color = class.map_or(ui.visuals().text_color(), |c| class_color(c, dark));
                            job.append(
                                text,
                                0.0,
                                TextFormat { font_id: font, color, ..TextFormat::default() },
                            );
                            let small = TextStyle::Small.resolve(ui.style());
                            let weak = ui.visuals().weak_text_color();
                            job.append(
                                detail,
                                10.0,
                                TextFormat { font_id: small, color: weak, ..TextFormat::default() },
                            );
                            let r = ui.selectable_label(i == chosen, job);
                            if i == chosen {
                                r.scroll_to_me(None);
                            }
                            if r.clicked() {
                                taken = Some(i);
                            }
                        }
                    });
                });
            });
        if let Some(i) = taken {
            match &mut self.popup {
                Some(Popup::Complete { chosen, .. } | Popup::Fixes { chosen, .. }) => *chosen = i,
                None => {}
            }
            self.take_completion(file, out);
        }
    }
}

/// What is wrong with a line, behind its end: cut where the pane ends, and a node for screen readers. The whole of it is shown where the pointer rests.
fn paint_message(ui: &egui::Ui, said: &LineMessage, line: usize, room: Rect, s: &Sizes) {
    let from = room.left() + 2.0 * s.letter;
    let wide = room.right() - from - s.letter;
    let told = said.to_spoken(line);
    let mut rect = Rect::from_min_max(pos2(from.min(room.right()), room.top()), room.max);
    if wide > 4.0 * s.letter {
        let color = message_color(said.severity, s.dark);
        let font_id = FontId::new(s.font.size * 0.92, egui::FontFamily::Proportional);
        let format = TextFormat { font_id, color, italics: true, ..TextFormat::default() };
        let mut job = LayoutJob::single_section(said.to_line().replace(['\n', '\r'], " "), format);
        job.wrap = egui::text::TextWrapping::truncate_at_width(wide);
        let g = ui.painter().layout_job(job);
        rect.set_width(g.size().x);
        let top = room.center().y - g.size().y / 2.0;
        ui.painter().galley(pos2(from, top), g, color);
    }
    let id = Id::unique(("write", "wrong", line));
    let response = ui.interact(rect, id, Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &told));
    response.on_hover_text(told);
}

/// A wave under what is wrong.
fn paint_squiggle(painter: &egui::Painter, from: f32, to: f32, y: f32, color: Color32) {
    let mut points = Vec::new();
    let mut x = from;
    let mut up = false;
    while x < to {
        points.push(pos2(x, if up { y - 1.5 } else { y + 1.0 }));
        up = !up;
        x += 2.5;
    }
    painter.line(points, Stroke::new(1.0, color));
}
