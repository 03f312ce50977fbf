//! Shows all cards as their faces, by kind. Only the visible ones are painted; each has an accessibility node. Arrows move the keyboard from card to card, Enter opens one.
use super::Act;
use super::data::{Data, Found, describe_card, describe_group};
use super::face::{READ, SMALL, paint_face};
use egui::{
    EventFilter, FontId, Id, Key, Modifiers, Pos2, Rect, Role, Sense, Stroke, StrokeKind, Ui, Vec2,
    WidgetInfo,
};
use houserule::ide::cards::CardId;

/// The room between cards.
const GAP: f32 = 10.0;

/// How high the name of a kind is, with the room above it.
const HEAD: f32 = 34.0;

/// How many lines of cards a page has.
const PAGE: i64 = 3;

/// What a hand did in the gallery.
#[derive(Default)]
pub(super) struct Done {
    /// The card that is chosen now.
    pub chosen: Option<CardId>,
    /// The card to open.
    pub opened: Option<CardId>,
    /// What is to be done with the chosen card: its keys are the gallery's while a card has the keyboard.
    pub act: Option<Act>,
}

/// Where a card lies: in which line of cards, counted over all kinds, and its place in it.
struct Placed {
    id: CardId,
    group: usize,
    card: usize,
    rect: Rect,
    line: usize,
}

/// Lays all cards out from the top left corner of the gallery.
fn lay_out(data: &Data, found: &Found, columns: usize) -> (Vec<Placed>, Vec<(usize, usize, f32)>, f32) {
    let (mut cards, mut heads) = (Vec::new(), Vec::new());
    let (mut y, mut line) = (0.0, 0);
    for (group, all) in &found.groups {
        heads.push((*group, all.len(), y));
        y += HEAD;
        for row in all.chunks(columns) {
            for (n, card) in row.iter().enumerate() {
                let Some(known) = data.card(*group, *card) else { continue };
                let at = Pos2::new(n as f32 * (SMALL.x + GAP), y);
                let rect = Rect::from_min_size(at, SMALL);
                cards.push(Placed { id: known.id.clone(), group: *group, card: *card, rect, line });
            }
            y += SMALL.y + GAP;
            line += 1;
        }
        y += GAP;
    }
    (cards, heads, y)
}

/// The id of a card's node.
fn node_of(id: &CardId) -> Id {
    Id::unique(("card", id))
}

/// Shows the gallery. With `take`, the keyboard goes to the chosen card, or to the first.
pub(super) fn show(ui: &mut Ui, data: &Data, found: &Found, chosen: Option<&CardId>, take: bool) -> Done {
    let mut done = Done::default();
    egui::ScrollArea::vertical().id_salt("gallery").auto_shrink(false).show_viewport(ui, |ui, visible| {
        let columns = (((ui.available_width() + GAP) / (SMALL.x + GAP)) as usize).max(1);
        let (cards, heads, high) = lay_out(data, found, columns);
        ui.set_height(high);
        let origin = ui.max_rect().min + Vec2::new(2.0, 0.0);
        let ink = ui.visuals().strong_text_color();
        for (group, shown, y) in heads {
            let Some(g) = data.set.groups.get(group) else { continue };
            let at = Rect::from_min_size(Pos2::new(0.0, y), Vec2::new(ui.available_width(), HEAD));
            let rect = at.translate(origin.to_vec2());
            let told = format!("{}: {}", g.title, describe_group(g, shown));
            let head = ui.interact(rect, Id::unique(("kind", &g.kind)), Sense::hover());
            head.widget_info(|| WidgetInfo::labeled(Role::Label, true, &told));
            if at.y_range().intersects(visible.y_range()) {
                let p = ui.painter();
                let text = p.layout_no_wrap(g.title.clone(), FontId::proportional(16.0), ink);
                let base = rect.left_bottom() - Vec2::new(0.0, text.size().y + 6.0);
                let wide = text.size().x;
                p.galley(base, text, ink);
                let weak = ui.visuals().text_color();
                let count = p.layout_no_wrap(describe_group(g, shown), FontId::proportional(13.0), weak);
                p.galley(base + Vec2::new(wide + 10.0, 3.0), count, weak);
            }
        }
        let focused = cards.iter().position(|c| ui.memory(|m| m.has_focus(node_of(&c.id))));
        let mut next = focused.and_then(|at| read_keys(ui, &cards, at));
        if focused.is_some() {
            done.act = read_act(ui);
        }
        if take {
            let here = cards.iter().position(|c| Some(&c.id) == chosen);
            next = next.or(here).or((!cards.is_empty()).then_some(0));
        }
        for (n, placed) in cards.iter().enumerate() {
            let rect = placed.rect.translate(origin.to_vec2());
            let Some(card) = data.card(placed.group, placed.card) else { continue };
            let r = ui.interact(rect, node_of(&placed.id), Sense::click());
            r.widget_info(|| WidgetInfo::labeled(Role::Button, true, describe_card(card)));
            if next == Some(n) {
                r.request_focus();
                ui.scroll_to_rect(rect.expand(GAP), None);
                done.chosen = Some(placed.id.clone());
            }
            if r.has_focus() {
                let arrows = EventFilter {
                    horizontal_arrows: true,
                    vertical_arrows: true,
                    escape: true,
                    ..EventFilter::default()
                };
                ui.memory_mut(|m| m.set_focus_lock_filter(r.id, arrows));
            }
            if r.clicked() {
                (done.chosen, done.opened) = (Some(placed.id.clone()), Some(placed.id.clone()));
            }
            if placed.rect.y_range().intersects(visible.y_range()) {
                let whole = paint_face(ui, rect, card, &data.signs, 13.0);
                let line = if r.has_focus() {
                    Stroke::new(2.5, crate::style::picked(ui.visuals()))
                } else if r.hovered() || Some(&placed.id) == chosen {
                    Stroke::new(1.5, ui.visuals().text_color())
                } else {
                    Stroke::NONE
                };
                ui.painter().rect_stroke(rect.expand(1.0), 6, line, StrokeKind::Outside);
                // What has no room is read on a larger face.
                if !whole {
                    r.on_hover_ui(|ui| {
                        let (rect, _) = ui.allocate_exact_size(READ, Sense::hover());
                        paint_face(ui, rect, card, &data.signs, 14.0);
                    });
                }
            }
        }
    });
    done
}

/// The card of a line that is nearest below or above another one.
fn nearest_in_line(cards: &[Placed], line: usize, here: &Placed) -> Option<usize> {
    let in_line = cards.iter().enumerate().filter(|(_, c)| c.line == line);
    let distance = |c: &Placed| (c.rect.left() - here.rect.left()).abs();
    in_line.min_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b))).map(|(n, _)| n)
}

/// The card so many pages further on.
fn turn_pages(cards: &[Placed], at: usize, page: i32) -> Option<usize> {
    let (here, last) = (cards.get(at)?, cards.last()?.line);
    let line = (here.line as i64 + i64::from(page) * PAGE).clamp(0, last as i64);
    nearest_in_line(cards, usize::try_from(line).ok()?, here)
}

/// The command of a key, while a card has the keyboard.
fn read_act(ui: &Ui) -> Option<Act> {
    let keys = [(Key::Delete, Act::Delete), (Key::Insert, Act::New), (Key::Escape, Act::Back)];
    ui.input_mut(|i| {
        keys.into_iter().find(|(key, _)| i.consume_key(Modifiers::NONE, *key)).map(|(_, act)| act)
    })
}

/// The card to which the keys lead from the one that has the keyboard.
fn read_keys(ui: &Ui, cards: &[Placed], at: usize) -> Option<usize> {
    let last = cards.len().checked_sub(1)?;
    let here = cards.get(at)?;
    // The card above or below: the nearest of the next line that has one there.
    let beside = |down: bool| {
        let line = if down { here.line + 1 } else { here.line.checked_sub(1)? };
        nearest_in_line(cards, line, here)
    };
    ui.input_mut(|i| {
        let mut pressed = |key: Key| i.consume_key(Modifiers::NONE, key);
        if pressed(Key::ArrowLeft) {
            Some(at.saturating_sub(1))
        } else if pressed(Key::ArrowRight) {
            Some((at + 1).min(last))
        } else if pressed(Key::ArrowUp) {
            beside(false)
        } else if pressed(Key::ArrowDown) {
            beside(true)
        } else if pressed(Key::Home) {
            Some(0)
        } else if pressed(Key::End) {
            Some(last)
        } else if pressed(Key::PageUp) {
            turn_pages(cards, at, -1)
        } else if pressed(Key::PageDown) {
            turn_pages(cards, at, 1)
        } else {
            None
        }
    })
}
