//! The overview of a map that does not fit its canvas: all of it, small, in a corner, with a frame around what is seen. A click or a drag there moves the view.
//!
//! Its spaces are one mesh, which is made again only when a colour, the map's shape or the corner changes.
use super::geometry::{Grid, Placed};
use super::{Map, Viewport};
use egui::epaint::Mesh;
use egui::{Color32, CursorIcon, Rect, Sense, Shape, Stroke, StrokeKind, Ui, Vec2};
use std::sync::Arc;

/// How large it is at most, in points and as a part of the canvas.
const MOST: Vec2 = Vec2::new(180.0, 140.0);
const PART: f32 = 0.34;

/// How far it lies from the corner.
const APART: f32 = 10.0;

/// The mesh of the frame before, and of what it was made.
#[derive(Clone, Default)]
struct Kept {
    key: u64,
    mesh: Arc<Mesh>,
}

/// Where the overview stands; none if the map fits the canvas.
pub(super) fn find_rect(grid: &Grid, scale: f32, inner: Rect) -> Option<Rect> {
    let (size, one) = (grid.size(scale), grid.size(1.0));
    if size.x <= inner.width() + 1.0 && size.y <= inner.height() + 1.0 || one.x <= 0.0 || one.y <= 0.0 {
        return None;
    }
    let most = MOST.min(inner.size() * PART);
    let size = one * (most.x / one.x).min(most.y / one.y);
    Some(Rect::from_min_size(inner.max - size - Vec2::splat(APART), size))
}

/// Shows the overview, and moves the view to where the pointer is put down in it.
pub(super) fn show_overview(
    ui: &Ui,
    map: &Map<'_>,
    view: &mut Viewport,
    place: &Placed,
    inner: Rect,
    rect: Rect,
) {
    let id = ui.scope_id().with("overview");
    let r = ui.interact(rect, id, Sense::click_and_drag()).on_hover_cursor(CursorIcon::Move);
    r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, "Overview of the map"));
    let painter = ui.painter_at(inner);
    let visuals = ui.visuals();
    let frame = rect.expand(4.0);
    let line = Stroke::new(1.0, visuals.weak_text_color());
    painter.rect(frame, 4.0, visuals.window_fill, line, StrokeKind::Inside);
    painter.add(Shape::mesh(keep_mesh(ui, map, rect)));
    let scale = rect.size() / place.bounds().size().max(Vec2::splat(1.0));
    let small = |p: egui::Pos2| rect.min + (p - place.bounds().min) * scale;
    let seen = Rect::from_min_max(small(inner.min), small(inner.max)).intersect(frame.shrink(1.0));
    // Two lines, so that it is seen on every colour.
    painter.rect_stroke(seen, 1.0, Stroke::new(3.0, visuals.extreme_bg_color), StrokeKind::Middle);
    painter.rect_stroke(seen, 1.0, Stroke::new(1.5, visuals.strong_text_color()), StrokeKind::Middle);
    if let Some(p) = r.interact_pointer_pos().filter(|_| r.is_pointer_button_down_on() || r.clicked()) {
        let part = (p - rect.min) / rect.size() - Vec2::splat(0.5);
        view.pan = -part * place.bounds().size();
        ui.ctx().request_repaint();
    }
}

/// Where the hash FNV-1a begins, and by what it multiplies. It goes over all tiles in each frame.
const FNV: (u64, u64) = (0xcbf2_9ce4_8422_2325, 0x0000_0100_0000_01b3);

fn mix_key(key: u64, bits: u32) -> u64 {
    (key ^ u64::from(bits)).wrapping_mul(FNV.1)
}

fn to_bits(colour: Color32) -> u32 {
    u32::from_le_bytes(colour.to_array())
}

/// The spaces as one mesh: that of the frame before, as long as nothing has changed.
fn keep_mesh(ui: &Ui, map: &Map<'_>, rect: Rect) -> Arc<Mesh> {
    let visuals = ui.visuals();
    let plain = if map.grey { visuals.weak_text_color() } else { visuals.widgets.inactive.bg_fill };
    let fill = |t: &super::Tile| t.fill.filter(|_| !map.grey).unwrap_or(plain);
    let [columns, rows] = [map.grid.columns, map.grid.rows];
    let shape = u32::from(map.grid.hexes) + 2 * u32::from(map.grid.slanted);
    let corners = [rect.min.x, rect.min.y, rect.max.x, rect.max.y].map(f32::to_bits);
    let mut key = corners.into_iter().chain([columns, rows, shape]).fold(FNV.0, mix_key);
    for t in map.tiles {
        let token = t.tokens.first().map_or(0, |t| to_bits(t.fill));
        key = mix_key(mix_key(mix_key(key, u32::from(t.space)), to_bits(fill(t))), token);
    }
    let id = ui.scope_id().with("overview mesh");
    let kept = ui.data(|d| d.get_temp::<Kept>(id)).filter(|k| k.key == key);
    if let Some(kept) = kept {
        return kept.mesh;
    }
    let scale = rect.width() / map.grid.size(1.0).x.max(1.0);
    let place = map.grid.place_in(rect, scale, Vec2::ZERO);
    // Rows of hexes lie closer than hexes are high: as bricks they leave no gaps.
    let half = place.step() / 2.0;
    let mut mesh = Mesh::default();
    let mut add = |middle, half: Vec2, colour: Color32| {
        mesh.add_colored_rect(Rect::from_center_size(middle, half * 2.0), colour);
    };
    for t in map.tiles.iter().filter(|t| t.space) {
        let middle = place.middle(t.at);
        add(middle, half, fill(t));
        if let Some(token) = t.tokens.first() {
            add(middle, half * 0.6, token.fill);
        }
    }
    let mesh = Arc::new(mesh);
    ui.data_mut(|d| d.insert_temp(id, Kept { key, mesh: mesh.clone() }));
    mesh
}
