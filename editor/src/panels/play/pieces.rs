//! Shows what lies in a zone: cards with their faces and backs, dice with pips, tokens with their shapes.
use super::Wants;
use super::motion::Motion;
use super::tiles::{make_figure, to_color};
use crate::canvas::{CardFace, Signs, is_sign, paint_back, paint_card, paint_centred, paint_figure};
use crate::command::play::Request;
use crate::play::board::{Piece, PileBoard, Side};
use crate::style::{PRINT, contrast_color, contrast_ratio, offered, picked};
use egui::{
    Color32, CornerRadius, FontId, Painter, Pos2, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2,
    WidgetInfo,
};
use houserule::play::Spot;

/// So many cards of a pile are drawn one by one.
const CARDS: usize = 60;

/// Of so many components in a zone, each is shown by itself.
const SINGLE: usize = 12;

/// The size of a token's chip without a text, and of a die.
const CHIP: f32 = 30.0;

/// The sizes of a card with a text: in a column, upright on the table, and where it is read.
const FACE: Vec2 = Vec2::new(132.0, 92.0);
const UPRIGHT: Vec2 = Vec2::new(128.0, 160.0);
const LARGE: Vec2 = Vec2::new(240.0, 300.0);

/// The size of an upright card without a text.
pub(super) const SMALL: Vec2 = Vec2::new(82.0, 108.0);

/// The colours of a piece.
#[derive(Clone, Copy)]
pub struct Colors {
    /// Of its ground.
    pub fill: Color32,
    /// Of what is written on it.
    pub ink: Color32,
    /// Of its outline.
    pub edge: Color32,
}

pub(super) fn lit_stroke(ui: &Ui) -> Stroke {
    Stroke::new(2.5, offered(ui.visuals()))
}

pub(super) fn held_stroke(ui: &Ui) -> Stroke {
    Stroke::new(3.5, picked(ui.visuals()))
}

/// Says to screen readers what something is, answers clicks and tells why not on the other button.
pub(super) fn respond(r: Response, said: &str, spot: Spot, wants: &mut Wants) -> Response {
    r.widget_info(|| WidgetInfo::labeled(Role::Button, true, said));
    if r.clicked() {
        wants.ask(Request::Click(spot));
    }
    if r.hovered() || r.has_focus() {
        wants.over(spot);
    }
    if r.secondary_clicked() {
        wants.ask(Request::WhyNot(spot));
    }
    r
}

/// What pieces are shown with.
#[derive(Clone, Copy)]
pub(super) struct Shown<'a> {
    /// The colours of players.
    pub colors: &'a [Color32],
    /// What is drawn in the place of words.
    pub signs: &'a Signs,
    /// What the row under the pointer names.
    pub pointed: &'a [Spot],
    /// What moves, and how far it is.
    pub motion: (&'a Motion, Option<f32>),
    /// Whether cards stand upright, large enough to be read; else they are chips.
    pub upright: bool,
    /// The size of an upright card without a text.
    pub card: Vec2,
}

/// Shows a zone in a row that wraps: its name, and what lies there. An empty one is not shown.
pub(super) fn show_pile(ui: &mut Ui, pile: &PileBoard, shown: &Shown<'_>, wants: &mut Wants) {
    if pile.count == 0 {
        return;
    }
    let name = egui::RichText::new(format!("{}:", pile.zone)).weak();
    ui.add(egui::Label::new(name).extend());
    // Hidden cards are one heap, unless they can be chosen or lie between known ones.
    let heap = |p: &Piece| p.title.is_none() && p.die.is_none() && p.lit.is_none() && !p.held;
    let hidden: Vec<&Piece> = pile.pieces.iter().filter(|p| heap(p)).collect();
    let among = hidden.len() < pile.pieces.len() && pile.pieces.len() <= CARDS;
    let single = hidden.len() < 2 || among;
    let shown = &Shown { card: fit_card(ui, pile.pieces.len().min(CARDS)), ..*shown };
    let open: Vec<&Piece> = pile.pieces.iter().filter(|p| single || !heap(p)).collect();
    for (piece, many) in join_alike(&open, pile.count <= SINGLE, pile.ordered).into_iter().take(CARDS) {
        show_piece(ui, piece, many, shown, wants);
    }
    if !single && let Some(first) = hidden.first() {
        show_heap(ui, first, hidden.len(), pile.ordered, shown, wants);
    }
    if pile.count > CARDS {
        ui.weak(format!("{} in all", pile.count));
    }
}

/// Components with how many are alike: of a large zone, those that look alike stand in one place, the one that can be chosen on top. Where the order tells, only neighbours are joined.
fn join_alike<'p>(pieces: &[&'p Piece], apart: bool, ordered: bool) -> Vec<(&'p Piece, usize)> {
    let mut out: Vec<(&Piece, usize)> = Vec::new();
    for piece in pieces {
        let is_alike = |p: &Piece| {
            !apart
                && !p.held
                && !piece.held
                && (p.name(), &p.notes, p.owner, p.down)
                    == (piece.name(), &piece.notes, piece.owner, piece.down)
        };
        let last = if ordered { out.len().saturating_sub(1) } else { 0 };
        match out.get_mut(last..).unwrap_or(&mut []).iter_mut().find(|(p, _)| is_alike(p)) {
            Some((top, many)) => {
                *many += 1;
                if top.lit.is_none() {
                    *top = piece;
                }
            }
            None => out.push((piece, 1)),
        }
    }
    out
}

/// The size of upright cards without a text, so that as many have room in a row, if they can be read then.
fn fit_card(ui: &Ui, many: usize) -> Vec2 {
    let gap = ui.spacing().item_spacing.x;
    let room = (ui.max_rect().width() - 60.0) / many.max(1) as f32 - gap;
    let wide = if room < 60.0 { SMALL.x } else { room.min(SMALL.x) };
    Vec2::new(wide, SMALL.y)
}

/// Shows hidden cards with their number: one on the other if their order counts, else as a fan.
fn show_heap(ui: &mut Ui, first: &Piece, many: usize, ordered: bool, shown: &Shown<'_>, wants: &mut Wants) {
    let back = if shown.upright { Vec2::new(52.0, 68.0) } else { Vec2::new(26.0, CHIP + 4.0) };
    let (step, most) = if ordered { (2.0, 4) } else { (back.x * 0.22, 7) };
    let drawn = many.min(most);
    let size = back + Vec2::new(step * (drawn - 1) as f32, 0.0);
    let (rect, r) = ui.allocate_exact_size(size, Sense::click());
    let c = colors_of(ui, first);
    let p = ui.painter();
    for n in 0..drawn {
        let one = Rect::from_min_size(rect.min + Vec2::new(step * n as f32, 0.0), back);
        paint_back(p, one, c.fill, c.edge);
    }
    let top = Rect::from_min_size(rect.min + Vec2::new(step * (drawn - 1) as f32, 0.0), back);
    if let Some(figure) = make_figure(&first.face, c.ink.gamma_multiply(0.5)) {
        paint_figure(p, top.center(), back.x * 0.7, &figure);
    }
    paint_count(ui, rect.center() + count_size(many) / 2.0, many);
    let said = format!("{many} {}", first.describe());
    finish_piece(ui, rect, r, first, &said, shown, wants).on_hover_text(said);
}

/// How much room a number of components takes.
fn count_size(many: usize) -> Vec2 {
    Vec2::new(9.0 + 7.5 * many.to_string().len() as f32, 17.0)
}

/// Paints a number of components on a ground of its own, whose corner lies in the south-east.
fn paint_count(ui: &Ui, corner: Pos2, many: usize) {
    let size = count_size(many);
    let pill = Rect::from_min_max(corner - size, corner);
    let p = ui.painter();
    p.rect_filled(pill, CornerRadius::same(8), ui.visuals().extreme_bg_color.gamma_multiply(0.9));
    p.rect_stroke(
        pill,
        CornerRadius::same(8),
        Stroke::new(1.0, ui.visuals().weak_text_color()),
        StrokeKind::Inside,
    );
    paint_centred(p, pill.center(), &many.to_string(), 13.0, ui.visuals().strong_text_color(), size.x);
}

/// Whether the seat knows what a piece is.
fn is_known(piece: &Piece) -> bool {
    piece.title.is_some() || piece.die.is_some()
}

/// Whether a piece is drawn as a card with a text: the look has a text that is more than a sign.
fn has_face(piece: &Piece) -> bool {
    piece.title.is_some() && piece.die.is_none() && piece.face.text.iter().any(|t| !is_sign(t))
}

/// The name on a piece.
fn name_of(piece: &Piece) -> String {
    match piece.face.title.as_deref() {
        Some(title) => String::from(title),
        None => piece.title.clone().unwrap_or_default(),
    }
}

fn colors_of(ui: &Ui, piece: &Piece) -> Colors {
    let visuals = ui.visuals();
    let back = visuals.widgets.inactive.bg_fill;
    let own = if is_known(piece) { visuals.extreme_bg_color } else { back };
    let drawn = piece.face.fill.map(to_color);
    let shaped = piece.face.shape.is_some() && !has_face(piece);
    let fill = match drawn {
        Some(fill) if !shaped => fill,
        // A shape has the colour of its look, and lies on a ground on which it is seen.
        Some(fill) if contrast_ratio(fill, own) < 2.0 => contrast_color(fill),
        _ => own,
    };
    let edge = visuals.widgets.inactive.fg_stroke.color.gamma_multiply(0.6);
    Colors { fill, ink: contrast_color(fill), edge: piece.face.edge.map_or(edge, to_color) }
}

/// Whether the sentences of a card stand on it where it lies. One with a shape is known by it; under the pointer it says them, too.
fn has_sentences(piece: &Piece) -> bool {
    !piece.sentences.is_empty() && piece.face.shape.is_none()
}

/// The front of a card: what its look says, else its attributes; with its sentences if they are told.
fn card_face(piece: &Piece, told: bool, signs: &Signs) -> CardFace {
    let mut lines = match piece.face.told {
        true => piece.face.text.clone(),
        false => piece.notes.clone(),
    };
    if told && !piece.sentences.is_empty() {
        // Without a look's text these say all that the attributes say.
        lines.retain(|_| piece.face.told);
        lines.extend(piece.sentences.iter().cloned());
    }
    let mut face = CardFace::from_look(&piece.face, &name_of(piece), lines, PRINT);
    face.signs = signs.clone();
    if face.figure.is_some() && face.lines.is_empty() {
        // The colour is the shape's.
        face.band = None;
    }
    face
}

/// Shows a card, a die or a token; `many` of them, if they are alike.
fn show_piece(ui: &mut Ui, piece: &Piece, many: usize, shown: &Shown<'_>, wants: &mut Wants) {
    let c = colors_of(ui, piece);
    let owner = piece.owner.and_then(|o| shown.colors.get(o)).copied();
    let upright = shown.upright && piece.card;
    let turned = shown.motion.1.filter(|_| shown.motion.0.is_turned(piece.spot));
    let (rect, r) = match &piece.die {
        Some(die) => {
            let (rect, r) = ui.allocate_exact_size(Vec2::splat(CHIP), Sense::click());
            match turned {
                Some(part) => paint_die(ui, rect, &tumbling_sign(die, part), c),
                None => paint_die(ui, rect, &die.sign, c),
            }
            (rect, r)
        }
        None if has_face(piece) || upright => {
            let size = match upright {
                true if has_face(piece) || has_sentences(piece) => UPRIGHT,
                true => shown.card,
                false => FACE,
            };
            let (rect, r) = ui.allocate_exact_size(size, Sense::click());
            // A card that is turned is narrow in the middle of its way, and shows its other side before.
            let wide = turned.map_or(1.0, |part| (1.0 - 2.0 * part).abs().max(0.05));
            let drawn = Rect::from_center_size(rect.center(), Vec2::new(rect.width() * wide, rect.height()));
            if is_known(piece) && turned.is_none_or(|part| part > 0.5) {
                paint_card(ui, drawn, &card_face(piece, has_sentences(piece), shown.signs), 12.0);
            } else {
                paint_back(ui.painter(), drawn, c.fill, c.edge);
            }
            (rect, r)
        }
        None => show_chip(ui, piece, owner, c),
    };
    if let Some(owner) = owner {
        // Whose it is: a strip along the left edge.
        let strip = Rect::from_min_max(rect.left_top(), Pos2::new(rect.left() + 5.0, rect.bottom()));
        let p = ui.painter();
        p.rect(strip.shrink(1.0), 2, owner, Stroke::new(0.5, c.edge), StrokeKind::Inside);
    }
    let mut said = piece.describe();
    if many > 1 {
        said = format!("{many} × {said}");
        paint_count(ui, rect.right_bottom() - Vec2::splat(4.0), many);
    }
    let r = finish_piece(ui, rect, r, piece, &said, shown, wants);
    if is_known(piece) && piece.die.is_none() && (has_face(piece) || piece.card) {
        let show_large = |ui: &mut Ui| {
            let (rect, _) = ui.allocate_exact_size(LARGE, Sense::hover());
            paint_card(ui, rect, &card_face(piece, true, shown.signs), 14.0);
            if piece.lit.is_some() {
                ui.set_max_width(LARGE.x);
                ui.label(&said);
            }
        };
        // Large under the pointer, and where the keyboard is.
        if r.has_focus() {
            r.show_tooltip_ui(show_large);
        } else {
            r.on_hover_ui(show_large);
        }
    } else {
        r.on_hover_text(said);
    }
}

/// What a die shows while it tumbles: some number, another one each time.
fn tumbling_sign(die: &Side, part: f32) -> String {
    let now: u32 = die.sign.bytes().map(u32::from).sum();
    let n = 1 + (now * 3 + (part * 6.0) as u32 * 5) % 6;
    n.to_string()
}

/// Draws the lines around a piece, and answers what is done with it.
fn finish_piece(
    ui: &Ui,
    rect: Rect,
    r: Response,
    piece: &Piece,
    said: &str,
    shown: &Shown<'_>,
    wants: &mut Wants,
) -> Response {
    let round = CornerRadius::same(if piece.die.is_some() { 6 } else { 4 });
    let p = ui.painter();
    if piece.lit.is_some() {
        p.rect_stroke(rect, round, lit_stroke(ui), StrokeKind::Inside);
    }
    if piece.held || shown.pointed.contains(&piece.spot) {
        p.rect_stroke(rect, round, held_stroke(ui), StrokeKind::Inside);
    }
    if r.has_focus() {
        let line = Stroke::new(2.0, ui.visuals().strong_text_color());
        p.rect_stroke(rect.expand(1.0), round, line, StrokeKind::Outside);
    }
    respond(r, said, piece.spot, wants)
}

/// A chip: a shape, or a name in a box, or a back.
fn show_chip(ui: &mut Ui, piece: &Piece, owner: Option<Color32>, c: Colors) -> (Rect, egui::Response) {
    let known = is_known(piece);
    let name = match known {
        true => name_of(piece),
        false if piece.face.shape.is_some() => String::new(),
        false => String::from("?"),
    };
    let own = piece.face.fill.map(to_color).or(owner).unwrap_or(c.ink.gamma_multiply(0.7));
    let figure = make_figure(&piece.face, own);
    let font = FontId::proportional(13.0);
    let text = match name.is_empty() {
        true => 0.0,
        false => ui.painter().layout_no_wrap(name.clone(), font, c.ink).size().x + 14.0,
    };
    let noted = !piece.notes.is_empty() && known && piece.face.shape.is_none();
    let room = if figure.is_some() { CHIP - 6.0 } else { 0.0 };
    let size = Vec2::new((text + room).clamp(CHIP, 150.0), if noted { 44.0 } else { CHIP });
    let (rect, r) = ui.allocate_exact_size(size, Sense::click());
    let p = ui.painter();
    if !known && figure.is_none() {
        paint_back(p, rect, c.fill, c.edge);
    } else if figure.is_none() || !name.is_empty() {
        p.rect(rect.shrink(1.0), CornerRadius::same(4), c.fill, Stroke::new(1.0, c.edge), StrokeKind::Inside);
    }
    if let Some(figure) = figure {
        let at =
            Pos2::new(if name.is_empty() { rect.center().x } else { rect.left() + 16.0 }, rect.center().y);
        paint_figure(p, at, CHIP - 5.0, &figure);
    }
    let middle =
        Pos2::new(rect.center().x + room / 2.0, if noted { rect.top() + 13.0 } else { rect.center().y });
    paint_centred(p, middle, &name, 13.0, c.ink, size.x - room - 8.0);
    if noted {
        let below = Pos2::new(rect.center().x, rect.bottom() - 12.0);
        paint_centred(p, below, &piece.notes.join(", "), 12.0, c.ink, size.x - 8.0);
    }
    (rect, r)
}

/// A die: pips for 1 to 6, else the text of its side.
pub fn paint_die(ui: &Ui, rect: Rect, sign: &str, c: Colors) {
    let p = ui.painter();
    p.rect(rect.shrink(1.0), CornerRadius::same(6), c.fill, Stroke::new(1.0, c.edge), StrokeKind::Inside);
    match sign.parse() {
        Ok(n @ 1..=6) => paint_pips(p, rect, n, c.ink),
        _ => {
            let size = if sign.chars().count() > 2 { 12.0 } else { 17.0 };
            paint_centred(p, rect.center(), sign, size, c.ink, rect.width() - 4.0);
        }
    }
}

/// The pips of a die, as they lie on the usual one.
fn paint_pips(p: &Painter, rect: Rect, n: u8, ink: Color32) {
    let step = rect.width() * 0.25;
    let pip =
        |x: f32, y: f32| p.circle_filled(rect.center() + Vec2::new(x, y) * step, rect.width() * 0.08, ink);
    if n % 2 == 1 {
        pip(0.0, 0.0);
    }
    if n > 1 {
        pip(-1.0, 1.0);
        pip(1.0, -1.0);
    }
    if n > 3 {
        pip(-1.0, -1.0);
        pip(1.0, 1.0);
    }
    if n == 6 {
        pip(-1.0, 0.0);
        pip(1.0, 0.0);
    }
}
