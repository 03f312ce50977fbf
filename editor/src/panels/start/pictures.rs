//! The pictures of the start page: each is made by a job when its tile is first seen, painted once into triangles, and shown from these in all later frames.
use super::GameEntry;
use super::picture::Picture;
use crate::canvas::paint_piece;
use crate::document::Revision;
use crate::jobs::Job;
use crate::panels::Context;
use crate::panels::cards::face::paint_face;
use crate::panels::play::pieces::{Colors, paint_die};
use egui::epaint::{ClippedShape, Primitive};
use egui::{Align2, Color32, FontId, Mesh, Pos2, Rect, Shape, Ui, Vec2};
use houserule::ide::Analysis;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the job is called, should it break off.
const WHAT: &str = "Drawing the picture of a game";

/// The room between cards or dice.
const GAP: f32 = 8.0;

/// What a painted picture depends on, beside the picture itself.
#[derive(Clone, Copy, PartialEq, Debug)]
struct PaintKey {
    size: Vec2,
    dark: bool,
    pixels_per_point: f32,
    /// Letters are taken from the atlas of the fonts, where they lie elsewhere once it has grown.
    atlas: [usize; 2],
}

/// A picture as triangles, and where its corner was when it was painted.
#[derive(Debug)]
struct Painted {
    key: PaintKey,
    corner: Pos2,
    meshes: Vec<Mesh>,
}

/// The picture of a game.
#[derive(Debug)]
struct Known {
    /// The texts' revision that it is of.
    revision: Revision,
    picture: Picture,
    painted: Option<Painted>,
}

/// All pictures, by the file of the game.
#[derive(Debug, Default)]
pub(super) struct Pictures {
    known: BTreeMap<Arc<str>, Known>,
    making: Option<(Arc<str>, Revision, Job<Picture>)>,
    /// How much of the atlas of the fonts was used. If it is less, the atlas was made anew.
    used: f32,
}

impl Pictures {
    /// The picture of a game, once it is made.
    pub(super) fn get(&self, game: &str) -> Option<&Picture> {
        self.known.get(game).map(|k| &k.picture)
    }

    /// Takes what the job has made, and begins with the first picture that is wanted and is not there, or is of older texts.
    pub(super) fn poll(&mut self, wanted: &[&GameEntry], cx: &Context) {
        if let Some((game, revision, mut job)) = self.making.take() {
            match job.poll() {
                None => self.making = Some((game, revision, job)),
                Some(made) => {
                    // Whatever broke off would break off again.
                    let picture = made.unwrap_or(Picture::Nothing);
                    self.known.insert(game, Known { revision, picture, painted: None });
                }
            }
        }
        if self.making.is_some() {
            return;
        }
        let next = wanted.iter().find_map(|entry| {
            let subject = cx.document.subject(&entry.rules)?;
            let touched = cx.document.game_touched_at(&subject);
            let old = self.known.get(&entry.rules).is_none_or(|k| k.revision < touched);
            old.then_some((entry, subject))
        });
        let Some((entry, subject)) = next else { return };
        let scenario = entry.scenario_word.clone();
        let known = cx.analyses.get(&subject).filter(|_| cx.analyses.is_fresh(cx.document, &subject));
        let known = known.map(|k| k.analysis.clone());
        let files = cx.document.files(&subject);
        let job = cx.jobs.start(WHAT, move |_| {
            let analysis = known.unwrap_or_else(|| Arc::new(Analysis::from_source(&files)));
            Picture::from_analysis(&analysis, scenario.as_deref())
        });
        self.making = Some((entry.rules.clone(), cx.document.revision(), job));
    }

    /// Forgets what was painted if the letters in it may lie elsewhere now. Called once a frame.
    pub(super) fn check_fonts(&mut self, ui: &Ui) {
        let used = ui.ctx().fonts(|f| f.font_atlas_fill_ratio());
        if used < self.used {
            self.known.values_mut().for_each(|k| k.painted = None);
        }
        self.used = used;
    }

    /// Paints the picture of a game into a box; its ground alone before it is made.
    pub(super) fn paint(&mut self, ui: &Ui, game: &str, rect: Rect) {
        ui.painter().rect_filled(rect, 4.0, ui.visuals().extreme_bg_color);
        let Some(known) = self.known.get_mut(game) else { return };
        let ctx = ui.ctx();
        let key = PaintKey {
            size: rect.size(),
            dark: ui.visuals().dark_mode,
            pixels_per_point: ctx.pixels_per_point(),
            atlas: ctx.fonts(|f| f.font_image_size()),
        };
        if let Some(painted) = known.painted.as_ref().filter(|p| p.key == key) {
            let painter = ui.painter_at(rect);
            // By whole pixels, so that letters stay sharp.
            let by = (rect.min - painted.corner) * key.pixels_per_point;
            let by = by.round() / key.pixels_per_point;
            for mesh in &painted.meshes {
                let mut mesh = mesh.clone();
                mesh.translate(by);
                painter.add(Shape::mesh(mesh));
            }
            return;
        }
        let layer = ui.layer_id();
        let count = |ui: &Ui| ui.ctx().graphics(|g| g.get(layer).map_or(0, |l| l.all_entries().len()));
        let from = count(ui);
        paint_picture(ui, &known.picture, rect.shrink(8.0));
        // What hardly any of is seen would be painted without the rest.
        if !ui.clip_rect().contains_rect(rect) {
            return;
        }
        let shapes: Vec<ClippedShape> = ctx
            .graphics(|g| g.get(layer).map_or(Vec::new(), |l| l.all_entries().skip(from).cloned().collect()));
        let primitives = ctx.tessellate(shapes, key.pixels_per_point);
        let meshes = primitives.into_iter().filter_map(|p| match p.primitive {
            Primitive::Mesh(mesh) => Some(mesh),
            Primitive::Callback(_) => None,
        });
        known.painted = Some(Painted { key, corner: rect.min, meshes: meshes.collect() });
    }
}

fn paint_picture(ui: &Ui, picture: &Picture, rect: Rect) {
    let write = |text: &str| {
        let ink = ui.visuals().weak_text_color();
        ui.painter_at(rect).text(rect.center(), Align2::CENTER_CENTER, text, FontId::proportional(14.0), ink);
    };
    match picture {
        Picture::Board { grid, tiles, ways } => {
            paint_piece(ui, *grid, tiles, ways, rect);
        }
        Picture::Cards(cards, signs) => {
            let high = Vec2::new(rect.height() * 0.9, rect.height());
            for (face, card) in side_by_side(rect, cards.len(), high).zip(cards) {
                paint_face(ui, face, card, signs, crate::style::SMALL);
            }
        }
        Picture::Dice(sides) => {
            let size = Vec2::splat(rect.height() * 0.4);
            let colors =
                Colors { fill: Color32::from_gray(240), ink: Color32::from_gray(20), edge: Color32::GRAY };
            for (die, side) in side_by_side(rect, sides.len(), size).zip(sides) {
                paint_die(ui, die, side, colors);
            }
        }
        Picture::Nothing => write("No board, no cards"),
        Picture::Broken(_) => write("Cannot be read"),
    }
}

/// Boxes beside each other in the middle of another one, each with a size that it has at most.
fn side_by_side(rect: Rect, count: usize, most: Vec2) -> impl Iterator<Item = Rect> {
    let count = count.max(1) as f32;
    let wide = ((rect.width() - GAP * (count - 1.0)) / count).min(most.x);
    let first = rect.center().x - (wide * count + GAP * (count - 1.0)) / 2.0;
    let top = rect.center().y - most.y / 2.0;
    (0..count as usize).map(move |n| {
        let left = first + n as f32 * (wide + GAP);
        Rect::from_min_size(Pos2::new(left, top), Vec2::new(wide, most.y))
    })
}
