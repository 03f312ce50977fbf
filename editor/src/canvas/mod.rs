//! Shows a map: squares and hexes, moved and zoomed, with a keyboard cursor and an accessibility node for each visible space.
//!
//! It knows neither scenario nor game: plain tiles come in, what a hand did with them goes out. Texts are laid out at the size at which they are seen, and only what is
//! visible is painted. North is up; columns are counted from the west, rows from the south.
mod card;
mod geometry;
mod grips;
mod images;
mod overview;
mod paint;
mod shapes;
mod signs;
mod svg;

pub use card::{CardFace, is_sign, paint_back, paint_card, paint_centred};
pub use geometry::{At, Grid, Placed};
pub use grips::{Grip, show_grips};
pub use paint::paint_piece;
pub use shapes::{Figure, Outline, outline, outline_of, paint_figure};
pub use signs::Signs;
pub use svg::{to_svg, to_tile_sheet};

use egui::{Color32, Event, EventFilter, Key, Modifiers, PointerButton, Rect, Sense, Ui, Vec2};
use std::collections::BTreeMap;

/// What surrounds a tile.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Edge {
    /// Nothing but its line.
    #[default]
    Plain,
    /// Something is offered there.
    Offered,
    /// It is chosen.
    Chosen,
    /// Something is wrong there.
    Wrong,
    /// Something is doubtful there.
    Doubtful,
}

/// A sign: a shape or a circle, with a letter or two on it.
#[derive(Clone, PartialEq, Debug)]
pub struct Token {
    /// The letters.
    pub text: String,
    /// The colour of the circle.
    pub fill: Color32,
    /// A ring in the owner's colour, if the token itself has another colour.
    pub ring: Option<Color32>,
    /// What is drawn in place of a circle.
    pub figure: Option<Figure>,
}

/// A place of a map, ready to be painted.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tile {
    /// Column and row.
    pub at: At,
    /// Whether there is a space; else it is only hinted at.
    pub space: bool,
    /// What it is filled with; none: as the theme has it.
    pub fill: Option<Color32>,
    /// What is drawn on the ground, below all else.
    pub figure: Option<Figure>,
    /// What stands in the middle.
    pub text: String,
    /// What stands below it, smaller.
    pub below: String,
    /// What stands in the upper left corner, small.
    pub corner: String,
    /// What stands in the upper right corner, small.
    pub badge: String,
    /// Round signs in the middle, side by side: who stands there, what lies there.
    pub tokens: Vec<Token>,
    /// What surrounds it.
    pub edge: Edge,
    /// Spaces of one number belong together: a strong line runs between them and others. 0: it belongs to none.
    pub group: u32,
    /// Bands along its sides: the side, as a direction of the rules, and the colour.
    pub bands: Vec<(u8, Color32)>,
    /// What is drawn in the place of words of its texts.
    pub signs: Signs,
    /// All of it in words: place, contents, what is offered. What a screen reader says and a tooltip shows.
    pub said: String,
}

/// What is drawn over a tile until a stroke is written.
#[derive(Clone, PartialEq, Debug)]
pub struct Overlay {
    /// What stands in the middle.
    pub text: std::sync::Arc<str>,
    /// What it is filled with.
    pub fill: Option<Color32>,
}

/// A way of a graph: from which column and row, to which, whether it leads there only.
pub type Way = ((u32, u32), (u32, u32), bool);

/// A token on its way from one place to another.
#[derive(Clone, PartialEq, Debug)]
pub struct Slide {
    /// From where.
    pub from: At,
    /// To where; it is among the tokens of that place already.
    pub to: At,
    /// What slides.
    pub token: Token,
}

/// What moves over a map.
#[derive(Clone, Copy, Debug, Default)]
pub struct Moving<'a> {
    /// The tokens that slide.
    pub slides: &'a [Slide],
    /// How far they are, from 0 to 1.
    pub progress: f32,
    /// Places that are marked: where the last move was.
    pub last: &'a [At],
}

/// A map to be shown.
pub struct Map<'a> {
    /// What it is called, for screen readers.
    pub name: &'a str,
    /// How its places lie.
    pub grid: Grid,
    /// Its places, row by row from the south-west; all of them.
    pub tiles: &'a [Tile],
    /// The ways of a graph. If there are any, its places stand apart, and no names of columns and rows stand beside the map.
    pub ways: &'a [Way],
    /// Whether the names of columns and rows stand beside it.
    pub named: bool,
    /// What lies over them.
    pub over: &'a BTreeMap<At, Overlay>,
    /// Places with a line around them: what is selected.
    pub chosen: &'a dyn Fn(At) -> bool,
    /// What moves.
    pub moving: Moving<'a>,
    /// Greyed: what is shown is not what is there now.
    pub grey: bool,
}

/// From where a map is looked at; kept between frames.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Viewport {
    /// How wide a space is, in points.
    pub scale: f32,
    /// Where the middle of the map lies, from the middle of the canvas.
    pub pan: Vec2,
    /// Where the keyboard is.
    pub cursor: Option<At>,
    /// Whether it is to be made to fit: at the next frame, and until the room for it stays as it is.
    pub fit: bool,
    /// The room of the frame before. What stands beside a map finds its size while it is first shown.
    room: Vec2,
    /// For what it was last made to fit.
    fitted: Fitted,
    /// A place to be brought into view at the next frame.
    pub reveal: Option<At>,
    /// Whether it is to have the keyboard from the next frame on.
    pub take: bool,
}

/// The sizes to which a map was fitted, and the resulting scale.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Fitted {
    room: Vec2,
    window: Vec2,
    grid: Grid,
    /// How wide spaces became. While they are so wide and the map lies in the middle, nobody has zoomed or moved it.
    scale: f32,
}

impl Default for Viewport {
    fn default() -> Self {
        Viewport {
            scale: 32.0,
            pan: Vec2::ZERO,
            cursor: None,
            fit: true,
            room: Vec2::ZERO,
            fitted: Fitted::default(),
            reveal: None,
            take: false,
        }
    }
}

/// How wide a space may be, in points.
const SCALES: (f32, f32) = (3.0, 240.0);

/// How wide a space is at most where the whole map is shown.
const LARGE: f32 = 160.0;

impl Viewport {
    /// Larger or smaller, about the middle.
    pub fn zoom_by(&mut self, by: f32) {
        let before = self.scale;
        self.scale = (self.scale * by).clamp(SCALES.0, SCALES.1);
        self.pan *= self.scale / before;
    }

    /// Makes a map fit the canvas: all of it, however small its spaces become.
    fn fit_to(&mut self, grid: &Grid, room: Vec2, window: Vec2) {
        let size = grid.size(1.0);
        let scale = (room.x / size.x.max(1.0)).min(room.y / size.y.max(1.0));
        self.scale = if scale.is_finite() { scale.clamp(SCALES.0, LARGE) } else { 32.0 };
        self.pan = Vec2::ZERO;
        self.fitted = Fitted { room, window, grid: *grid, scale: self.scale };
    }

    /// Whether nobody has zoomed or moved the map since it was fitted.
    fn is_untouched(&self) -> bool {
        self.fitted.scale > 0.0 && self.scale == self.fitted.scale && self.pan == Vec2::ZERO
    }

    /// Whether the map no longer fits its room as it did, and the user has neither zoomed nor moved it: the window's size, the pane's width or the map's own size has changed, or the
    /// room is less high than the map, or much higher than it was. A panel that opens below and leaves room enough does not count.
    fn is_outgrown(&self, grid: &Grid, room: Vec2, window: Vec2) -> bool {
        let fitted = self.fitted;
        let is_other_pane = (room.x - fitted.room.x).abs() > 0.1 * fitted.room.x;
        let is_cut = grid.size(self.scale).y > room.y + 0.5 && self.scale > SCALES.0;
        let is_higher = room.y > fitted.room.y * 1.25;
        let is_other_room = is_other_pane || is_cut || is_higher;
        self.is_untouched() && (window != fitted.window || is_other_room || *grid != fitted.grid)
    }

    /// The same view, but further away if a fitted map were to grow: by so many spaces at the upper left and at the lower right.
    pub fn with_room_for(&self, grid: &Grid, before: Vec2, behind: Vec2) -> Viewport {
        let more = Vec2::new(before.x + behind.x, (before.y + behind.y) * grid.apart());
        let (room, size) = (self.fitted.room, grid.size(1.0) + more);
        let scale = (room.x / size.x.max(1.0)).min(room.y / size.y.max(1.0)).clamp(SCALES.0, LARGE);
        if !self.is_untouched() || scale >= self.scale && more == Vec2::ZERO {
            return *self;
        }
        let scale = scale.min(self.scale);
        let pan = (before - behind) * Vec2::new(1.0, grid.apart()) / 2.0 * scale;
        Viewport { scale, pan, ..*self }
    }
}

/// What a hand did with a map in this frame.
#[derive(Clone, Debug, Default)]
pub struct Done {
    /// The place under the pointer.
    pub hovered: Option<At>,
    /// The pointer was pressed there.
    pub pressed: Option<At>,
    /// While it is pressed, the place under it; it may be off the visible part.
    pub dragged: Option<At>,
    /// It was let go.
    pub released: bool,
    /// The other button was pressed there.
    pub secondary: Option<At>,
    /// The keyboard (blank, enter) or a screen reader acted there.
    pub acted: Option<At>,
    /// It was Enter that acted.
    pub entered: bool,
    /// The keyboard's cursor came there.
    pub moved: Option<At>,
    /// What was held down.
    pub modifiers: Modifiers,
    /// Whether the map has the keyboard.
    pub focused: bool,
    /// Where the map lies, and the part of the canvas on which it is painted.
    pub placed: Option<(Placed, Rect)>,
}

/// Shows a map in what is left of a pane, and tells what was done with it.
pub fn show_map(ui: &mut Ui, map: &Map<'_>, view: &mut Viewport) -> Done {
    let room = ui.available_size().max(Vec2::splat(40.0));
    let (rect, _) = ui.allocate_exact_size(room, Sense::hover());
    let builder = egui::UiBuilder::new().max_rect(rect).accessibility_role(egui::accesskit::Role::Grid);
    ui.scope_builder(builder, |ui| show_inside(ui, map, view, rect)).inner
}

fn show_inside(ui: &mut Ui, map: &Map<'_>, view: &mut Viewport, rect: Rect) -> Done {
    let id = ui.scope_id().with("map");
    let response = ui.interact(rect, id, Sense::click_and_drag());
    let margin = paint::MARGIN;
    let inner = Rect::from_min_max(rect.min + Vec2::new(margin, 0.0), rect.max - Vec2::new(0.0, margin));
    let room = inner.size();
    let inside = room - Vec2::splat(8.0);
    let window = ui.ctx().content_rect().size();
    // Under a pointer that draws, the map stays where it is.
    let held = ui.input(|i| i.pointer.any_down());
    if view.fit || !held && view.is_outgrown(&map.grid, inside, window) {
        view.fit_to(&map.grid, inside, window);
        view.fit = view.room != room;
        if view.fit {
            ui.ctx().request_repaint();
        }
    }
    view.room = room;
    let mut done = Done { modifiers: ui.input(|i| i.modifiers), ..Done::default() };
    scroll_and_zoom(ui, &response, view, inner);
    keep_in_sight(map, view, inner);
    handle_keys(ui, &response, map, view, &mut done);
    if let Some(at) = view.reveal.take().or(done.moved) {
        reveal_place(map, view, inner, at);
    }
    let place = map.grid.place_in(inner, view.scale, view.pan);
    done.placed = Some((place, inner));
    handle_pointer(ui, &response, &place, &mut done);
    let small = overview::find_rect(&map.grid, view.scale, inner);
    let visible = place.visible_places(inner);
    paint::paint_map(ui, map, view, &place, rect, inner, &visible, done.focused);
    add_nodes(ui, map, view, &place, inner, &visible, &mut done);
    if let Some(rect) = small {
        overview::show_overview(ui, map, view, &place, inner, rect);
    }
    response.widget_info(|| {
        let at = view.cursor.and_then(|c| tile_at(map, c)).map_or(String::new(), |t| format!(": {}", t.said));
        egui::WidgetInfo::labeled(egui::Role::Canvas, true, format!("Map {}{at}", map.name))
    });
    if let Some(t) = done.hovered.and_then(|at| tile_at(map, at)).filter(|_| done.dragged.is_none()) {
        // It stands beyond the places beside this one, which somebody who paints wants to see.
        let mut tip = egui::Tooltip::for_enabled(&response);
        tip.popup = tip.popup.anchor(place.rect(t.at).expand2(place.step()).intersect(rect));
        tip.show(|ui| {
            ui.set_max_width(ui.spacing().tooltip_width);
            ui.label(&t.said);
        });
    }
    done
}

/// The tile at a place.
fn tile_at<'a>(map: &'a Map<'_>, at: At) -> Option<&'a Tile> {
    let n = at.1.checked_mul(map.grid.columns)?.checked_add(at.0)?;
    map.tiles.get(n as usize).filter(|t| t.at == at)
}

/// Moving and zooming by wheel, pinch and middle button.
fn scroll_and_zoom(ui: &Ui, response: &egui::Response, view: &mut Viewport, inner: Rect) {
    if response.dragged_by(PointerButton::Middle) {
        view.pan += response.drag_delta();
    }
    let Some(pointer) = response.hover_pos() else { return };
    let (scroll, zoom) = ui.input(|i| (i.smooth_scroll_delta(), i.zoom_delta()));
    if (zoom - 1.0).abs() > 0.001 {
        let before = view.scale;
        view.scale = (view.scale * zoom).clamp(SCALES.0, SCALES.1);
        // What is under the pointer stays there.
        let from_middle = pointer - inner.center();
        view.pan = from_middle - (from_middle - view.pan) * (view.scale / before);
    } else if scroll != Vec2::ZERO {
        view.pan += scroll;
    }
}

/// Some of the map is always to be seen.
fn keep_in_sight(map: &Map<'_>, view: &mut Viewport, inner: Rect) {
    let most = (map.grid.size(view.scale) + inner.size()) / 2.0 - Vec2::splat(24.0);
    let most = most.max(Vec2::ZERO);
    view.pan = view.pan.clamp(-most, most);
}

/// Moves the map so that a place is to be seen.
fn reveal_place(map: &Map<'_>, view: &mut Viewport, inner: Rect, at: At) {
    let place = map.grid.place_in(inner, view.scale, view.pan);
    let r = place.rect(at).expand(view.scale * 0.3);
    let mut by = Vec2::ZERO;
    if r.min.x < inner.min.x {
        by.x = inner.min.x - r.min.x;
    } else if r.max.x > inner.max.x {
        by.x = inner.max.x - r.max.x;
    }
    if r.min.y < inner.min.y {
        by.y = inner.min.y - r.min.y;
    } else if r.max.y > inner.max.y {
        by.y = inner.max.y - r.max.y;
    }
    view.pan += by;
}

/// The cursor of the keyboard: arrows move it, blank and enter act.
fn handle_keys(ui: &Ui, response: &egui::Response, map: &Map<'_>, view: &mut Viewport, done: &mut Done) {
    let take = std::mem::take(&mut view.take);
    if take || response.clicked() || response.drag_started() || response.is_pointer_button_down_on() {
        response.request_focus();
    }
    done.focused = response.has_focus();
    let (columns, rows) = (map.grid.columns, map.grid.rows);
    if !done.focused || columns == 0 || rows == 0 {
        return;
    }
    let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|m| m.set_focus_lock_filter(response.id, filter));
    let cursor = view.cursor.get_or_insert((0, rows - 1));
    *cursor = (cursor.0.min(columns - 1), cursor.1.min(rows - 1));
    let before = *cursor;
    let (mut acted, mut entered) = (false, false);
    ui.input_mut(|i| {
        i.events.retain(|e| {
            let Event::Key { key, pressed: true, modifiers, .. } = e else { return true };
            if modifiers.command || modifiers.alt {
                return true;
            }
            match key {
                Key::ArrowLeft => cursor.0 = cursor.0.saturating_sub(1),
                Key::ArrowRight => cursor.0 = (cursor.0 + 1).min(columns - 1),
                Key::ArrowDown => cursor.1 = cursor.1.saturating_sub(1),
                Key::ArrowUp => cursor.1 = (cursor.1 + 1).min(rows - 1),
                Key::Home => cursor.0 = 0,
                Key::End => cursor.0 = columns - 1,
                Key::PageUp => cursor.1 = rows - 1,
                Key::PageDown => cursor.1 = 0,
                Key::Space => acted = true,
                Key::Enter => {
                    acted = true;
                    entered = true;
                }
                _ => return true,
            }
            false
        });
        if acted {
            i.events.retain(|e| !matches!(e, Event::Text(t) if t == " "));
        }
    });
    if *cursor != before {
        done.moved = Some(*cursor);
    }
    if acted {
        done.acted = Some(*cursor);
        done.entered = entered;
    }
}

fn handle_pointer(ui: &Ui, response: &egui::Response, place: &geometry::Placed, done: &mut Done) {
    done.hovered = response.hover_pos().and_then(|p| place.place_at(p));
    let (pressed, released, secondary) = ui.input(|i| {
        let p = &i.pointer;
        (p.primary_pressed(), p.primary_released(), p.button_pressed(PointerButton::Secondary))
    });
    let here = response.interact_pointer_pos().or(response.hover_pos());
    if pressed && response.contains_pointer() {
        done.pressed = here.and_then(|p| place.place_at(p));
    }
    if response.is_pointer_button_down_on() && ui.input(|i| i.pointer.primary_down()) {
        done.dragged = here.and_then(|p| place.place_at(p));
    }
    done.released = released;
    if secondary && response.contains_pointer() {
        done.secondary = done.hovered;
    }
}

/// A node for each visible place: what it is, where it is on the screen, and that it can be acted on.
fn add_nodes(
    ui: &Ui,
    map: &Map<'_>,
    view: &Viewport,
    place: &geometry::Placed,
    inner: Rect,
    visible: &geometry::Range,
    done: &mut Done,
) {
    // Without a screen reader they cost nothing.
    if ui.ctx().accesskit_node_builder(ui.unique_id(), |_| ()).is_none() {
        return;
    }
    let asked = ui.input(|i| i.events.iter().any(|e| matches!(e, Event::AccessKitActionRequest(_))));
    for at in visible.spots() {
        // Where nothing is, nothing is to be told.
        let Some(t) = tile_at(map, at).filter(|t| !t.said.is_empty()) else { continue };
        let rect = place.rect(at).intersect(inner);
        if rect.width() <= 0.0 || rect.height() <= 0.0 {
            continue;
        }
        let id = ui.scope_id().with(("place", at));
        let _ = ui.interact(rect, id, Sense::hover());
        ui.ctx().accesskit_node_builder(id, |node| {
            use egui::accesskit;
            node.set_role(accesskit::Role::Cell);
            node.set_label(t.said.as_str());
            node.add_action(accesskit::Action::Click);
            node.set_row_index((map.grid.rows - 1 - at.1) as usize);
            node.set_column_index(at.0 as usize);
            if (map.chosen)(at) || view.cursor == Some(at) {
                node.set_selected(true);
            }
            node.set_bounds(accesskit::Rect {
                x0: rect.min.x.into(),
                y0: rect.min.y.into(),
                x1: rect.max.x.into(),
                y1: rect.max.y.into(),
            });
        });
        if asked && ui.input(|i| i.has_accesskit_action_request(id, egui::accesskit::Action::Click)) {
            done.acted = Some(at);
        }
    }
}
