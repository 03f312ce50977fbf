//! Grips at the edges and corners of a map, by which it is made larger and smaller. They tell only which one is dragged; what that means is decided by who shows the map.
use super::geometry::Placed;
use egui::{CursorIcon, Rect, Response, Sense, Stroke, StrokeKind, Ui, Vec2};

/// A grip: which side it moves in each direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Grip {
    /// -1: the west side, 1: the east side, 0: neither.
    pub across: i32,
    /// -1: the south side, 1: the north side, 0: neither.
    pub up: i32,
}

/// How thick a grip is, in points.
const THICK: f32 = 5.0;
/// How long the grip of a side is at most.
const LONG: f32 = 34.0;
/// How far beside a grip it can still be taken.
const REACH: f32 = 4.0;

impl Grip {
    /// All of them. Corners come last, so that they lie over the sides of a small map.
    pub const ALL: [Grip; 8] = [
        Grip { across: 0, up: 1 },
        Grip { across: 1, up: 0 },
        Grip { across: 0, up: -1 },
        Grip { across: -1, up: 0 },
        Grip { across: -1, up: 1 },
        Grip { across: 1, up: 1 },
        Grip { across: 1, up: -1 },
        Grip { across: -1, up: -1 },
    ];

    /// At which side it lies.
    pub fn side(self) -> &'static str {
        match (self.across, self.up) {
            (0, 1) => "north",
            (1, 1) => "north-east",
            (1, 0) => "east",
            (1, -1) => "south-east",
            (0, -1) => "south",
            (-1, -1) => "south-west",
            (-1, 0) => "west",
            _ => "north-west",
        }
    }

    fn cursor(self) -> CursorIcon {
        match (self.across, self.up) {
            (0, _) => CursorIcon::ResizeVertical,
            (_, 0) => CursorIcon::ResizeHorizontal,
            (a, u) if a == u => CursorIcon::ResizeNeSw,
            _ => CursorIcon::ResizeNwSe,
        }
    }

    /// Where it is painted: none, if its side is out of view.
    fn rect(self, bounds: Rect, inner: Rect) -> Option<Rect> {
        let seen = bounds.intersect(inner);
        let along = |sign: i32, low: f32, high: f32, middle: f32| match sign {
            -1 => low,
            1 => high,
            _ => middle,
        };
        let x = along(self.across, bounds.left(), bounds.right(), seen.center().x);
        let y = along(-self.up, bounds.top(), bounds.bottom(), seen.center().y);
        // Below the map stand the names of its columns.
        let y = if self.up < 0 && self.across == 0 { y - THICK / 2.0 - 1.0 } else { y };
        let at = egui::pos2(x, y);
        let long = |room: f32| LONG.min(room / 3.0).max(THICK);
        let size = match (self.across, self.up) {
            (0, _) => Vec2::new(long(seen.width()), THICK),
            (_, 0) => Vec2::new(THICK, long(seen.height())),
            _ => Vec2::splat(THICK + 3.0),
        };
        (seen.is_positive() && inner.expand(THICK).contains(at)).then(|| Rect::from_center_size(at, size))
    }
}

/// Shows the grips of a map that lies there. Each comes back with what is done with it.
pub fn show_grips(ui: &Ui, place: &Placed, inner: Rect) -> Vec<(Grip, Response)> {
    let painter = ui.painter_at(inner.expand(THICK));
    let found = Grip::ALL.iter().filter_map(|g| Some((*g, g.rect(place.bounds(), inner)?)));
    found
        .map(|(grip, rect)| {
            let id = ui.scope_id().with(("grip", grip.across, grip.up));
            let r = ui.interact(rect.expand(REACH), id, Sense::drag());
            let name = format!("Drag the {} side of the map", grip.side());
            r.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Splitter, true, &name));
            let hot = r.hovered() || r.dragged();
            let visuals = ui.visuals();
            let fill = if hot { visuals.selection.stroke.color } else { visuals.weak_text_color() };
            let line = Stroke::new(1.0, visuals.extreme_bg_color);
            painter.rect(rect, 2.0, fill, line, StrokeKind::Outside);
            (grip, r.on_hover_and_drag_cursor(grip.cursor()))
        })
        .collect()
}
