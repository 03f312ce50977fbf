//! The table: maps, cards, dice, players. What is offered is lit up, and everything says to screen readers what it is.
use super::Want;
use super::data::Data;
use crate::play::board::{Cell, Holder, MapBoard, Piece, PileBoard};
use egui::{
    Align2, Color32, CornerRadius, FontId, Pos2, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2,
    WidgetInfo,
};
use houserule::play::Spot;

/// Colours of players, in their order.
pub fn player_color(n: usize) -> Color32 {
    const ALL: [[u8; 3]; 8] = [
        [38, 139, 210],
        [203, 120, 22],
        [190, 60, 140],
        [60, 150, 60],
        [200, 60, 50],
        [110, 100, 200],
        [120, 120, 120],
        [20, 150, 150],
    ];
    let [r, g, b] = ALL.get(n % ALL.len()).copied().unwrap_or_default();
    Color32::from_rgb(r, g, b)
}

/// Black or white, whichever is read more easily on a colour.
fn ink(fill: Color32) -> Color32 {
    let light = 299 * u32::from(fill.r()) + 587 * u32::from(fill.g()) + 114 * u32::from(fill.b());
    if light > 128_000 { Color32::from_gray(20) } else { Color32::from_gray(245) }
}

fn rgb(c: [u8; 3]) -> Color32 {
    Color32::from_rgb(c[0], c[1], c[2])
}

fn lit_stroke(ui: &Ui) -> Stroke {
    Stroke::new(2.5, ui.visuals().selection.stroke.color.gamma_multiply(0.9))
}

fn held_stroke() -> Stroke {
    Stroke::new(3.5, Color32::from_rgb(230, 160, 20))
}

/// A text that fits into so many points.
fn fit(ui: &Ui, text: &str, font: &FontId, color: Color32, width: f32) -> std::sync::Arc<egui::Galley> {
    let job = egui::text::LayoutJob {
        halign: egui::Align::Center,
        wrap: egui::text::TextWrapping {
            max_width: width,
            max_rows: 1,
            break_anywhere: true,
            overflow_character: Some('…'),
        },
        ..egui::text::LayoutJob::simple(text.to_owned(), font.clone(), color, width)
    };
    ui.painter().layout_job(job)
}

fn centred(ui: &Ui, at: Pos2, text: &str, font: &FontId, color: Color32, width: f32) {
    let galley = fit(ui, text, font, color, width);
    let size = galley.size();
    ui.painter().galley(Pos2::new(at.x, at.y - size.y / 2.0), galley, color);
}

/// Says to screen readers what something is, answers clicks and tells why not on the other button.
fn spoken(r: Response, said: &str, spot: Spot, wants: &mut Vec<Want>) -> Response {
    r.widget_info(|| WidgetInfo::labeled(Role::Button, true, said));
    if r.clicked() {
        wants.push(Want::Click(spot));
    }
    if r.secondary_clicked() {
        wants.push(Want::WhyNot(spot));
    }
    r.on_hover_text(said)
}

/// Shows everything that lies on the table.
pub fn ui(ui: &mut Ui, data: &Data, cursor: Option<Spot>, wants: &mut Vec<Want>) {
    ui.strong(&data.board.clock);
    for line in &data.board.ending {
        ui.heading(line);
    }
    for (n, map) in data.board.maps.iter().enumerate() {
        if data.board.maps.len() > 1 {
            ui.label(&map.name);
        }
        show_map(ui, data, map, n, cursor, wants);
        ui.add_space(6.0);
    }
    if !data.board.sheets.is_empty() {
        sheets(ui, data);
    }
    for h in data.board.table.iter().chain(&data.board.players).chain(&data.board.others) {
        holder(ui, h, wants);
    }
    for line in &data.board.asked {
        ui.weak(line);
    }
}

fn sheets(ui: &mut Ui, data: &Data) {
    for sheet in &data.board.sheets {
        egui::Grid::new(("sheet", &*sheet.name)).striped(true).show(ui, |ui| {
            ui.label("");
            for column in &sheet.columns {
                let names: Vec<&str> =
                    column.iter().filter_map(|p| data.players.get(*p)).map(String::as_str).collect();
                ui.strong(names.join(" + "));
            }
            ui.end_row();
            for row in crate::play::board::sheet_rows(sheet) {
                for cell in row {
                    ui.label(cell);
                }
                ui.end_row();
            }
        });
    }
}

/// Where the spaces of a map are painted: the middle of each, and how large they are.
struct Layout {
    size: f32,
    rows: f32,
    hexes: bool,
    slanted: bool,
    origin: Pos2,
}

impl Layout {
    fn step(&self) -> Vec2 {
        if self.hexes { Vec2::new(self.size * 0.87, self.size * 0.75) } else { Vec2::splat(self.size) }
    }

    fn middle(&self, (column, row): (u16, u16)) -> Pos2 {
        let step = self.step();
        let shift = match (self.hexes, self.slanted) {
            (false, _) => 0.0,
            (true, true) => f32::from(row) * 0.5,
            (true, false) => f32::from(row % 2) * 0.5,
        };
        self.origin
            + Vec2::new(
                (f32::from(column) + shift + 0.5) * step.x,
                (self.rows - 1.0 - f32::from(row)) * step.y + self.size / 2.0,
            )
    }

    fn shape(&self, middle: Pos2) -> Vec<Pos2> {
        let r = self.size / 2.0 - 0.5;
        if self.hexes {
            let w = r * 0.866;
            return [(0.0, -r), (w, -r / 2.0), (w, r / 2.0), (0.0, r), (-w, r / 2.0), (-w, -r / 2.0)]
                .map(|(x, y)| middle + Vec2::new(x, y))
                .to_vec();
        }
        [(-r, -r), (r, -r), (r, r), (-r, r)].map(|(x, y)| middle + Vec2::new(x, y)).to_vec()
    }
}

fn show_map(ui: &mut Ui, data: &Data, map: &MapBoard, n: usize, cursor: Option<Spot>, wants: &mut Vec<Want>) {
    if map.size.0 == 0 || map.size.1 == 0 {
        // Spaces that stand nowhere in particular.
        ui.horizontal_wrapped(|ui| {
            for (i, cell) in map.cells.iter().enumerate() {
                let spot = Spot::Space { map: n, space: i };
                let button = egui::Button::new(&cell.said).selected(cell.held || cursor == Some(spot));
                let button = if cell.lit.is_some() { button.stroke(lit_stroke(ui)) } else { button };
                let r = ui.add(button);
                spoken(r, &cell.said, spot, wants);
            }
        });
        return;
    }
    let (columns, rows) = (map.size.0 as f32, map.size.1 as f32);
    let lean = if map.hexes { if map.slanted { rows * 0.5 } else { 0.5 } } else { 0.0 };
    let wide = (columns + lean) * if map.hexes { 0.87 } else { 1.0 };
    let high = if map.hexes { rows * 0.75 + 0.25 } else { rows };
    let room = (ui.available_width() - 24.0).max(120.0);
    let size = (room / wide).min(640.0 / high).clamp(22.0, 84.0);
    let (rect, _) = ui.allocate_exact_size(Vec2::new(wide * size + 20.0, high * size + 18.0), Sense::hover());
    let layout = Layout {
        size,
        rows,
        hexes: map.hexes,
        slanted: map.slanted,
        origin: rect.min + Vec2::new(18.0, 0.0),
    };
    let weak = ui.visuals().weak_text_color();
    let small = FontId::proportional(11.0);
    for row in 0..map.size.1.min(400) {
        let at = layout.middle((0, row as u16));
        ui.painter().text(
            Pos2::new(rect.min.x + 8.0, at.y),
            Align2::CENTER_CENTER,
            (row + 1).to_string(),
            small.clone(),
            weak,
        );
    }
    for column in 0..map.size.0.min(400) {
        let at = layout.middle((column as u16, 0));
        let name = column_name(column as usize);
        ui.painter().text(
            Pos2::new(at.x, rect.max.y - 8.0),
            Align2::CENTER_CENTER,
            name,
            small.clone(),
            weak,
        );
    }
    for (i, cell) in map.cells.iter().enumerate() {
        let middle = layout.middle(cell.at);
        let area = Rect::from_center_size(middle, layout.step().min(Vec2::splat(size)) * 0.96);
        if !ui.is_rect_visible(area) {
            continue;
        }
        let spot = Spot::Space { map: n, space: i };
        let r = ui.interact(area, ui.scope_id().with(("cell", n, i)), Sense::click());
        let focus = r.has_focus() || cursor == Some(spot);
        paint_cell(ui, data, cell, &layout, middle, r.hovered(), focus);
        spoken(r, &cell.said, spot, wants);
    }
}

/// A column's name: A, B, … Z, AA, ….
fn column_name(n: usize) -> String {
    let mut name = String::new();
    let mut n = n + 1;
    while n > 0 {
        name.insert(0, char::from(b'A' + ((n - 1) % 26) as u8));
        n = (n - 1) / 26;
    }
    name
}

fn paint_cell(ui: &Ui, data: &Data, cell: &Cell, layout: &Layout, middle: Pos2, hovered: bool, focus: bool) {
    let visuals = ui.visuals();
    let even = (cell.at.0 + cell.at.1) % 2 == 0;
    let plain = if even { visuals.faint_bg_color } else { visuals.extreme_bg_color };
    let fill = cell.face.fill.map_or(plain, rgb);
    let text = if cell.face.fill.is_some() { ink(fill) } else { visuals.text_color() };
    let edge = cell.face.edge.map_or(visuals.widgets.noninteractive.bg_stroke.color, rgb);
    let shape =
        |fill: Color32, stroke: Stroke| egui::Shape::convex_polygon(layout.shape(middle), fill, stroke);
    let p = ui.painter();
    p.add(shape(fill, Stroke::new(1.0, edge)));
    let size = layout.size;
    let width = layout.step().x - 4.0;
    if let Some(ring) = cell.face.ring {
        p.circle_stroke(middle, size * 0.32, Stroke::new(2.0, rgb(ring)));
    }
    // What stands on it: text in the middle or, where pieces lie, at the top.
    let tokens = tokens(data, cell);
    let lines: Vec<String> = match cell.face.text.is_empty() {
        true => cell.marks.iter().filter(|m| m.player.is_none()).map(|m| m.text.clone()).collect(),
        false => cell.face.text.clone(),
    };
    // A lone letter is a piece: large.
    let lone = lines.len() == 1 && lines.first().is_some_and(|t| t.chars().count() <= 2) && tokens.is_empty();
    let font = FontId::proportional(if lone { size * 0.5 } else { (size * 0.17).clamp(8.0, 13.0) });
    let high = font.size * 1.15;
    let first = match tokens.is_empty() {
        true => middle.y - high * (lines.len().min(3) as f32 - 1.0) / 2.0,
        false => middle.y - size * 0.28,
    };
    for (k, line) in lines.iter().take(if tokens.is_empty() { 3 } else { 1 }).enumerate() {
        centred(ui, Pos2::new(middle.x, first + high * k as f32), line, &font, text, width);
    }
    let tiny = FontId::proportional((size * 0.15).clamp(7.0, 11.0));
    let corner = Pos2::new(middle.x, middle.y + size * 0.36);
    let below: Vec<&str> = cell.face.corner.iter().chain(&cell.face.badge).map(String::as_str).collect();
    if !below.is_empty() {
        centred(ui, corner, &below.join(" "), &tiny, text, width);
    }
    let r = (size * 0.15).clamp(5.0, 13.0);
    let most = ((width / (2.0 * r + 1.0)) as usize).max(1);
    let shown = tokens.len().min(most);
    for (k, (letter, color)) in tokens.iter().take(most).enumerate() {
        let x = middle.x + (k as f32 - (shown as f32 - 1.0) / 2.0) * (2.0 * r + 1.0);
        let at = Pos2::new(x, middle.y + if lines.is_empty() { 0.0 } else { size * 0.06 });
        let letter = if k + 1 == most && tokens.len() > most {
            format!("+{}", tokens.len() - k)
        } else {
            letter.clone()
        };
        p.circle(at, r, *color, Stroke::new(1.0, ink(*color).gamma_multiply(0.5)));
        p.text(at, Align2::CENTER_CENTER, letter, FontId::proportional(r * 1.1), ink(*color));
    }
    if cell.lit.is_some() {
        p.add(shape(
            visuals.selection.bg_fill.gamma_multiply(if hovered { 0.45 } else { 0.22 }),
            lit_stroke(ui),
        ));
    }
    if cell.held {
        p.add(shape(Color32::TRANSPARENT, held_stroke()));
    }
    if focus {
        p.add(shape(Color32::TRANSPARENT, Stroke::new(2.0, visuals.strong_text_color())));
    }
}

/// Players and pieces on a space as round signs: a letter or two, and a colour.
fn tokens(data: &Data, cell: &Cell) -> Vec<(String, Color32)> {
    let short = |name: &str| {
        let number: String = name.chars().filter(char::is_ascii_digit).collect();
        let first: String = name.chars().next().into_iter().flat_map(char::to_uppercase).collect();
        if number.is_empty() { first } else { number }
    };
    let player = |p: usize| data.players.get(p).map_or(String::from("?"), |n| short(n));
    let mut out: Vec<(String, Color32)> =
        cell.standing.iter().map(|p| (player(*p), player_color(*p))).collect();
    let grey = Color32::from_gray(150);
    for m in cell.marks.iter().filter(|m| m.player.is_some()) {
        out.push((short(&m.text), m.player.map_or(grey, player_color)));
    }
    for piece in &cell.pieces {
        if piece.face.title.as_deref() == Some("") {
            continue;
        }
        let color = piece.face.fill.map(rgb).or(piece.owner.map(player_color)).unwrap_or(grey);
        let letter = match (&piece.die, &piece.title) {
            (Some(die), _) => die.chars().take(2).collect(),
            (None, Some(title)) => title.chars().next().into_iter().flat_map(char::to_uppercase).collect(),
            (None, None) => String::from("?"),
        };
        out.push((letter, color));
    }
    for (p, _) in &cell.aims {
        out.push((format!("›{}", player(*p)), player_color(*p).gamma_multiply(0.6)));
    }
    out
}

fn holder(ui: &mut Ui, h: &Holder, wants: &mut Vec<Want>) {
    let frame = egui::Frame::group(ui.style()).inner_margin(6);
    frame.show(ui, |ui| {
        ui.set_min_width(ui.available_width());
        ui.horizontal_wrapped(|ui| {
            let mut title = egui::RichText::new(&h.title).strong();
            if let Some(p) = h.player {
                title = title.color(player_color(p));
            }
            match h.spot {
                Some(spot) if h.lit.is_some() => {
                    let r = ui.add(egui::Button::new(title).stroke(lit_stroke(ui)).selected(h.held));
                    spoken(r, &h.said(), spot, wants);
                }
                spot => {
                    let r = ui.add(egui::Label::new(title).sense(Sense::click()));
                    if r.secondary_clicked() {
                        wants.extend(spot.map(Want::WhyNot));
                    }
                }
            }
            if h.turn {
                ui.label("◂ turn");
            }
            ui.label(h.lines.join(" · "));
        });
        for pile in &h.piles {
            show_pile(ui, pile, wants);
        }
    });
}

/// So many cards of a pile are drawn one by one.
const CARDS: usize = 60;

fn show_pile(ui: &mut Ui, pile: &PileBoard, wants: &mut Vec<Want>) {
    ui.horizontal_wrapped(|ui| {
        ui.weak(format!("{}:", pile.zone));
        if pile.count == 0 {
            ui.weak("–");
        }
        // Hidden cards side by side are one heap, unless they can be chosen.
        let heap = |p: &Piece| p.title.is_none() && p.die.is_none() && p.lit.is_none() && !p.held;
        let hidden: Vec<&Piece> = pile.pieces.iter().filter(|p| heap(p)).collect();
        let single = hidden.len() <= 2;
        for piece in pile.pieces.iter().filter(|p| single || !heap(p)).take(CARDS) {
            show_piece(ui, piece, 1, wants);
        }
        if !single && let Some(first) = hidden.first() {
            show_piece(ui, first, hidden.len(), wants);
        }
        if pile.count > CARDS {
            ui.weak(format!("{} in all", pile.count));
        }
    });
}

/// A card, a die or a token; `many` of them where they lie in a heap.
fn show_piece(ui: &mut Ui, piece: &Piece, many: usize, wants: &mut Vec<Want>) {
    let visuals = ui.visuals().clone();
    let known = piece.title.is_some() || piece.die.is_some();
    let back = visuals.widgets.inactive.bg_fill;
    let fill = piece.face.fill.map_or(if known { visuals.extreme_bg_color } else { back }, rgb);
    let color = if piece.face.fill.is_some() { ink(fill) } else { visuals.text_color() };
    let die = piece.die.as_ref();
    let name = match (die, known) {
        (Some(die), _) => die.clone(),
        (None, true) => match piece.face.title.as_deref() {
            Some(title) if !title.is_empty() => title.to_string(),
            _ => piece.title.clone().unwrap_or_default(),
        },
        (None, false) => {
            if many > 1 {
                format!("{many} ×")
            } else {
                String::from("?")
            }
        }
    };
    let font = FontId::proportional(13.0);
    let size = match die {
        // What a die shows is read from its number; words beside it would be too long.
        Some(_) => Vec2::splat(30.0),
        None => {
            let text = ui.painter().layout_no_wrap(name.clone(), font.clone(), color).size().x;
            Vec2::new(
                (text + 14.0).clamp(30.0, 150.0),
                if piece.notes.is_empty() || !known { 30.0 } else { 44.0 },
            )
        }
    };
    let (rect, r) = ui.allocate_exact_size(size, Sense::click());
    let round = CornerRadius::same(if die.is_some() { 6 } else { 4 });
    let edge = piece.face.edge.map_or(visuals.widgets.inactive.fg_stroke.color.gamma_multiply(0.6), rgb);
    let p = ui.painter();
    p.rect(rect.shrink(1.0), round, fill, Stroke::new(1.0, edge), StrokeKind::Inside);
    if !known {
        // A back: lines across.
        let stroke = Stroke::new(1.0, color.gamma_multiply(0.25));
        let mut x = rect.left() + 6.0;
        while x < rect.right() {
            p.line_segment([Pos2::new(x, rect.top() + 3.0), Pos2::new(x - 4.0, rect.bottom() - 3.0)], stroke);
            x += 6.0;
        }
    }
    match die {
        Some(die) => {
            let number: String = die
                .split(|c: char| !c.is_ascii_digit())
                .find(|t| !t.is_empty())
                .unwrap_or(die)
                .chars()
                .take(3)
                .collect();
            p.text(rect.center(), Align2::CENTER_CENTER, number, FontId::proportional(17.0), color);
        }
        None => {
            let high = if size.y > 40.0 { rect.top() + 13.0 } else { rect.center().y };
            centred(ui, Pos2::new(rect.center().x, high), &name, &font, color, size.x - 8.0);
            if size.y > 40.0 {
                let notes = piece.notes.join(", ");
                centred(
                    ui,
                    Pos2::new(rect.center().x, rect.bottom() - 12.0),
                    &notes,
                    &FontId::proportional(10.0),
                    color,
                    size.x - 8.0,
                );
            }
        }
    }
    let p = ui.painter();
    if piece.lit.is_some() {
        p.rect_stroke(rect, round, lit_stroke(ui), StrokeKind::Inside);
    }
    if piece.held {
        p.rect_stroke(rect, round, held_stroke(), StrokeKind::Inside);
    }
    if r.has_focus() {
        p.rect_stroke(
            rect.expand(1.0),
            round,
            Stroke::new(2.0, visuals.strong_text_color()),
            StrokeKind::Outside,
        );
    }
    let said = if many > 1 { format!("{many} {}", piece.said()) } else { piece.said() };
    spoken(r, &said, piece.spot, wants);
}
