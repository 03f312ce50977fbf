//! Resizes a map by its edges: shows the new size while a grip is dragged, and plans one edit when it is let go.
use super::State;
use crate::canvas::{Done, Grid, Grip, Placed, Viewport, show_grips};
use crate::command::Command;
use crate::panels::{Context, Pane};
use egui::{Key, Modifiers, Pos2, Rect, Shape, Stroke, StrokeKind, Ui, Vec2};
use houserule::ide::draw::{Board, SheetId, Spot};
use houserule::ide::plan::{Intent, Shift, Sides, compute_shift, plan};

/// What new spaces have: none yet.
const EMPTY: &str = ".";

/// How many of the spaces that are lost are named.
const NAMED: usize = 8;

/// A narrower space, in points, is coloured but not crossed out.
const CROSSED: f32 = 14.0;

/// The most columns and rows that are shown.
const MOST: i32 = 100;

/// A grip that is being dragged.
#[derive(Debug)]
pub(super) struct Pull {
    grip: Grip,
    /// Where the pointer was when it was taken.
    from: Pos2,
    /// How far columns and rows were apart then. The map may be shown smaller while it grows.
    step: Vec2,
    by: Sides,
    /// What would come of it; none before it has been dragged by a whole space.
    change: Option<Change>,
}

/// What a resize would do.
#[derive(Debug)]
struct Change {
    /// Columns and rows afterwards.
    size: (u32, u32),
    /// All spaces afterwards, by their column and row in the map as it is now; with `true` those that are new.
    after: Vec<((i64, i64), bool)>,
    /// Spaces that are lost.
    lost: Vec<Spot>,
    /// What stands on the first of them.
    named: Vec<String>,
    /// Why it cannot be.
    why: Option<String>,
}

impl Pull {
    /// By how many rows and columns the pointer has gone.
    fn measure(&self, to: Pos2, board: &Board) -> Sides {
        let way = (to - self.from) / self.step;
        let grown = |sign: i32, way: f32, now: u32| {
            let n = (way * sign as f32).round() as i32;
            n.clamp(1 - now as i32, (MOST - now as i32).max(0))
        };
        let (across, up) = (
            grown(self.grip.across, way.x, board.lattice.columns),
            grown(self.grip.up, -way.y, board.lattice.rows),
        );
        Sides {
            east: if self.grip.across > 0 { across } else { 0 },
            west: if self.grip.across < 0 { across } else { 0 },
            north: if self.grip.up > 0 { up } else { 0 },
            south: if self.grip.up < 0 { up } else { 0 },
        }
    }

    /// From where the map is looked at, so that all of the new size is seen.
    pub fn widen_view(&self, view: &Viewport, grid: &Grid) -> Viewport {
        let n = |n: i32| n.max(0) as f32;
        view.with_room_for(
            grid,
            Vec2::new(n(self.by.west), n(self.by.north)),
            Vec2::new(n(self.by.east), n(self.by.south)),
        )
    }
}

impl Change {
    fn new(
        board: &Board,
        shift: &Shift,
        why: Option<String>,
        said: impl Fn(Spot) -> Option<String>,
    ) -> Change {
        let (columns, rows) = shift.size;
        let has = |(c, r): (i64, i64)| {
            let spot = u32::try_from(c).ok().zip(u32::try_from(r).ok());
            spot.is_some_and(|(c, r)| board.lattice.has_spot(Spot::new(c, r)))
        };
        let all = (0..rows).flat_map(|r| (0..columns).map(move |c| Spot::new(c, r)));
        let after = all.map(|s| shift.place_before(s)).map(|at| (at, !has(at))).collect();
        let gone = board.cells.iter().filter(|c| c.space && shift.moved_place(c.at).is_none());
        let lost: Vec<Spot> = gone.map(|c| c.at).collect();
        let named = lost.iter().take(NAMED).filter_map(|s| said(*s)).collect();
        Change { size: shift.size, after, lost, named, why }
    }
}

impl State {
    /// Shows the grips of the map, and what is done with them. Whether the pointer is at one: then it is not at a space.
    pub(super) fn show_grips(
        &mut self,
        ui: &mut Ui,
        cx: &Context<'_>,
        board: &Board,
        done: &Done,
        wanted: &mut Vec<Command>,
    ) -> bool {
        let Some((place, inner)) = done.placed.filter(|_| self.can_resize(board)) else {
            self.pull = None;
            return false;
        };
        let mut busy = self.pull.is_some();
        for (grip, r) in show_grips(ui, &place, inner) {
            busy |= r.hovered() || r.is_pointer_button_down_on();
            if let Some(from) = r.interact_pointer_pos().filter(|_| r.drag_started()) {
                // Escape is a command of the pane in front.
                if cx.front != Pane::Draw {
                    wanted.push(Command::Show(Pane::Draw));
                }
                let (step, by) = (place.step(), Sides::default());
                self.pull = Some(Pull { grip, from, step, by, change: None });
            }
        }
        let Some(pull) = &self.pull else { return busy };
        if ui.input_mut(|i| i.consume_key(Modifiers::NONE, Key::Escape)) {
            wanted.extend(self.cancel_pull());
            return true;
        }
        let (to, down, released) =
            ui.input(|i| (i.pointer.latest_pos(), i.pointer.primary_down(), i.pointer.primary_released()));
        let by = to.map_or(pull.by, |to| pull.measure(to, board));
        if by != pull.by {
            let change = self.find_change(board, by);
            if let Some(pull) = &mut self.pull {
                (pull.by, pull.change) = (by, change);
            }
        }
        if !down {
            self.pull = None;
            // Let go while the map was not shown, it is not resized.
            if released && by != Sides::default() {
                wanted.extend(self.plan_intent(&self.resize_by(board, by)));
            }
        } else if let Some(pull) = &self.pull {
            show_change(ui, board, pull, &place, inner);
        }
        true
    }

    /// Forgets a side that is being dragged, and says so, if one is.
    pub(super) fn cancel_pull(&mut self) -> Option<Command> {
        self.pull.take().map(|_| Command::Say("The map keeps its size".into()))
    }

    /// Whether the map has a size that can be changed here.
    fn can_resize(&self, board: &Board) -> bool {
        let Some(data) = self.data.as_ref().filter(|d| d.stale.is_none()) else { return false };
        let game = data.drawing.sheet.id == SheetId::Game;
        match board.fixed {
            // All pictures have the size that is declared.
            Some(_) => game,
            None => board.origin.is_own(),
        }
    }

    fn resize_by(&self, board: &Board, by: Sides) -> Intent {
        let sheet = self.data.as_ref().map_or(SheetId::Game, |d| d.drawing.sheet.id.clone());
        Intent::Resize { sheet, map: board.name.clone(), by, sign: EMPTY.into() }
    }

    /// What a resize would do: worked out when the pointer has gone by another space, not in each frame.
    fn find_change(&self, board: &Board, by: Sides) -> Option<Change> {
        let data = self.data.as_ref().filter(|_| by != Sides::default())?;
        let why = plan(&data.analysis, &self.resize_by(board, by)).err().map(|refusal| refusal.why);
        let tiles = data.tiles.get(data.drawing.boards.iter().position(|b| b.name == board.name)?)?;
        let said = |s: Spot| tiles.iter().find(|t| t.at == super::to_at(s)).map(|t| t.said.clone());
        let l = &board.lattice;
        let sum = |n: u32, a: i32, b: i32| (i64::from(n) + i64::from(a) + i64::from(b)).max(1) as u32;
        // Where there can be no such map, the size is shown all the same.
        let naive = || Shift {
            even: by.west,
            odd: by.west,
            rows: by.south,
            size: (sum(l.columns, by.east, by.west), sum(l.rows, by.north, by.south)),
        };
        let shift = compute_shift(&data.analysis, &data.drawing.sheet.id, &board.name, by);
        Some(Change::new(board, &shift.unwrap_or_else(|_| naive()), why, said))
    }
}

/// The new size over the map: new spaces, lost ones, the outline, and all of it in words.
fn show_change(ui: &mut Ui, board: &Board, pull: &Pull, place: &Placed, inner: Rect) {
    let painter = ui.painter_at(inner);
    let visuals = ui.visuals().clone();
    let lost = visuals.error_fg_color;
    if let Some(change) = &pull.change {
        let line = Stroke::new(1.0, visuals.weak_text_color());
        let mut around = Rect::NOTHING;
        for ((column, row), new) in &change.after {
            let middle = place.middle_of(*column, *row);
            around = around.union(place.rect_about(middle));
            if *new && inner.expand(place.step().x).contains(middle) {
                let outline = place.outline_about(middle, 1.0);
                painter.add(Shape::convex_polygon(outline, visuals.faint_bg_color, line));
            }
        }
        for s in &change.lost {
            let outline = place.outline_about(place.middle(super::to_at(*s)), 1.0);
            painter.add(Shape::convex_polygon(outline, lost.gamma_multiply(0.25), Stroke::new(1.5, lost)));
            if place.step().x < CROSSED {
                continue;
            }
            let r = place.rect(super::to_at(*s)).shrink(place.step().x * 0.2);
            painter.line_segment([r.left_top(), r.right_bottom()], Stroke::new(1.5, lost));
            painter.line_segment([r.right_top(), r.left_bottom()], Stroke::new(1.5, lost));
        }
        let line = Stroke::new(2.5, visuals.selection.stroke.color);
        ui.painter_at(inner.expand(3.0)).rect_stroke(around, 2.0, line, StrokeKind::Middle);
    }
    // The words stand away from the side that is dragged.
    let (at, pivot) = match pull.grip.up {
        1 => (inner.left_bottom() + Vec2::new(10.0, -10.0), egui::Align2::LEFT_BOTTOM),
        _ => (inner.left_top() + Vec2::splat(10.0), egui::Align2::LEFT_TOP),
    };
    let area = egui::Area::new(ui.scope_id().with("new size")).fixed_pos(at).pivot(pivot).interactable(false);
    area.show(ui.ctx(), |ui| {
        egui::Frame::popup(ui.style()).show(ui, |ui| {
            ui.set_max_width(320.0_f32.min(inner.width() - 20.0));
            let l = &board.lattice;
            let (columns, rows) = pull.change.as_ref().map_or((l.columns, l.rows), |c| c.size);
            ui.strong(format!("{columns} columns by {rows} rows"));
            ui.weak(format!("now {} by {}. Escape keeps that.", l.columns, l.rows));
            let Some(change) = &pull.change else { return };
            let n = change.lost.len();
            if n > 0 {
                let spaces = if n == 1 { "space is" } else { "spaces are" };
                ui.colored_label(lost, format!("{n} {spaces} lost:"));
            }
            for said in &change.named {
                ui.add(egui::Label::new(said).truncate());
            }
            if n > change.named.len() {
                ui.weak(format!("and {} more", n - change.named.len()));
            }
            if let Some(why) = &change.why {
                ui.colored_label(visuals.warn_fg_color, format!("This cannot be done: {why}"));
            }
        });
    });
}
