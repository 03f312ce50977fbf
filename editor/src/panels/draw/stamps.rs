//! The tab *Stamps* of Draw: pieces of maps that are kept under a name with the settings, and put down again by a click. A sign that the map's legend lacks is told and not painted.
use super::exchange::make_tile;
use super::tool::HeldPiece;
use super::{Data, State};
use crate::canvas::{self, Grid, Tile};
use crate::command::Command;
use crate::panels::Context;
use crate::settings::Stamp;
use egui::{Key, Role, Sense, TextEdit, Ui, WidgetInfo};
use houserule::ide::draw::brush::Clip;
use houserule::ide::draw::{Board, Spot, Vector};
use std::collections::BTreeSet;
use std::sync::Arc;

/// How large a stamp is shown in the list, in points.
const SHOWN: egui::Vec2 = egui::vec2(58.0, 44.0);

/// No map is larger, neither is a stamp.
const FAR: i32 = 200;

/// What the tab keeps.
#[derive(Debug, Default)]
pub(super) struct Shown {
    /// The name of a new stamp.
    name: String,
    /// A stamp that gets another name: which, and the name so far.
    renamed: Option<(usize, String)>,
    /// The one that was removed last, and from where.
    removed: Option<(usize, Stamp)>,
}

/// A piece of a map as a stamp: signs that stand side by side are one text.
fn to_stamp(name: &str, hexes: bool, clip: &Clip) -> Stamp {
    let mut signs: Vec<_> = clip.signs.iter().map(|(v, sign)| (v.r, v.q, sign)).collect();
    signs.sort();
    let mut runs: Vec<(i32, i32, String)> = Vec::new();
    let mut next = None;
    for (r, q, sign) in signs {
        match runs.last_mut().filter(|_| next == Some((r, q))) {
            Some((_, _, run)) => {
                run.push(' ');
                run.push_str(sign);
            }
            None => runs.push((q, r, sign.to_string())),
        }
        next = q.checked_add(1).map(|q| (r, q));
    }
    Stamp { name: name.to_string(), hexes, runs }
}

/// The piece of a map that a stamp is. The settings can be written by hand: what lies too far away is left out.
fn to_clip(stamp: &Stamp) -> Clip {
    let signs = stamp.runs.iter().flat_map(|(q, r, run)| {
        let places = (0..FAR).zip(run.split_whitespace());
        places.map(|(n, sign)| (Vector::new(q.saturating_add(n), *r), Arc::from(sign)))
    });
    let near = -FAR..=FAR;
    Clip { signs: signs.filter(|(v, _)| near.contains(&v.q) && near.contains(&v.r)).collect() }
}

/// The signs of a piece that the map's legend does not explain.
fn missing_signs(board: &Board, clip: &Clip) -> BTreeSet<Arc<str>> {
    let all: BTreeSet<&Arc<str>> = clip.signs.iter().map(|(_, sign)| sign).collect();
    all.into_iter().filter(|sign| !board.explains(sign)).cloned().collect()
}

/// A piece of a map as it is painted alone: its tiles side by side, rows of hexes each half a hex further.
fn to_tiles(data: &Data, n: usize, board: &Board, clip: &Clip) -> (Grid, Vec<Tile>) {
    let low = |f: fn(&Vector) -> i32| clip.signs.iter().map(|(v, _)| f(v)).min().unwrap_or(0);
    let (west, south) = (low(|v| v.q), low(|v| v.r));
    let tiles: Vec<Tile> = clip
        .signs
        .iter()
        .map(|(v, sign)| {
            let at = Spot::new(v.q.abs_diff(west), v.r.abs_diff(south));
            make_tile(data, n, board, at, sign)
        })
        .collect();
    let high = |f: fn(&Tile) -> u32| tiles.iter().map(f).max().unwrap_or(0) + 1;
    let hexes = board.lattice.is_hexes();
    (Grid { hexes, slanted: hexes, columns: high(|t| t.at.0), rows: high(|t| t.at.1) }, tiles)
}

pub(super) fn show_stamps(state: &mut State, ui: &mut Ui, cx: &Context<'_>, wanted: &mut Vec<Command>) {
    let Some(data) = state.data.clone() else { return };
    let Some(board) = data.board(state.board) else { return };
    let n = data.drawing.boards.iter().position(|b| b.name == board.name).unwrap_or(0);
    let all = &cx.settings.stamps;
    show_new(state, ui, board, all, wanted);
    ui.separator();
    if all.is_empty() {
        ui.weak("No stamp is kept yet.");
    }
    for (k, stamp) in all.iter().enumerate() {
        show_stamp(state, ui, &data, n, board, (all, k, stamp), wanted);
        ui.add_space(4.0);
    }
    if let Some((k, stamp)) = state.stamps.removed.clone()
        && ui.button(format!("Put {} back", stamp.name)).clicked()
    {
        let mut all = all.clone();
        all.insert(k.min(all.len()), stamp);
        state.stamps.removed = None;
        wanted.push(Command::KeepStamps(all));
    }
}

/// The name for what is selected, and the button that keeps it.
fn show_new(state: &mut State, ui: &mut Ui, board: &Board, all: &[Stamp], wanted: &mut Vec<Command>) {
    let some = !state.hand.selection.is_empty();
    if !some {
        ui.weak("To keep a piece of the map as a stamp, select it with the tool Select.");
        return;
    }
    ui.label(format!("Keep the {} selected spaces as a stamp:", state.hand.selection.len()));
    let mut entered = false;
    ui.horizontal(|ui| {
        let edit = TextEdit::singleline(&mut state.stamps.name).desired_width(120.0).hint_text("name");
        let r = ui.add(edit);
        r.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Name of the stamp"));
        entered = r.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter));
        let name = state.stamps.name.trim();
        let ready = !name.is_empty() && !all.iter().any(|s| s.name == name);
        let clicked = ui.add_enabled(ready, egui::Button::new("Keep")).clicked();
        if ready && (clicked || entered) {
            let stamps = state.keep_stamp(board, all);
            wanted.extend(stamps);
        }
    });
    let name = state.stamps.name.trim();
    if all.iter().any(|s| s.name == name) {
        ui.colored_label(ui.visuals().warn_fg_color, format!("There is a stamp {name} already."));
    }
}

/// A stamp with its picture, its name and what can be done with it.
fn show_stamp(
    state: &mut State,
    ui: &mut Ui,
    data: &Data,
    n: usize,
    board: &Board,
    (all, k, stamp): (&[Stamp], usize, &Stamp),
    wanted: &mut Vec<Command>,
) {
    let fits = stamp.hexes == board.lattice.is_hexes();
    let clip = to_clip(stamp);
    ui.horizontal_top(|ui| {
        let (rect, _) = ui.allocate_exact_size(SHOWN, Sense::hover());
        ui.painter().rect_filled(rect, 3.0, ui.visuals().extreme_bg_color);
        if fits && ui.is_rect_visible(rect) {
            let (grid, tiles) = to_tiles(data, n, board, &clip);
            canvas::paint_piece(ui, grid, &tiles, &[], rect.shrink(1.0));
        }
        ui.vertical(|ui| {
            if !show_name(state, ui, all, k, wanted) {
                let held = state.hand.held.as_ref().and_then(|h| h.name.as_deref());
                let on = held == Some(stamp.name.as_str());
                let r = ui.add_enabled(fits, egui::Button::selectable(on, &stamp.name).truncate());
                let name = format!("Stamp {}", stamp.name);
                r.widget_info(|| WidgetInfo::selected(Role::Button, fits, on, &name));
                if r.clicked() {
                    wanted.push(state.take_stamp(board, stamp));
                }
            }
            ui.horizontal(|ui| {
                for (text, removes) in [("Rename", false), ("Remove", true)] {
                    let r = ui.small_button(text);
                    let name = format!("{text} {}", stamp.name);
                    r.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
                    if r.clicked() && removes {
                        let mut left = all.to_vec();
                        state.stamps.removed = Some((k, left.remove(k)));
                        wanted.push(Command::KeepStamps(left));
                        wanted.push(Command::Say(format!("The stamp {} is removed", stamp.name)));
                    } else if r.clicked() {
                        state.stamps.renamed = Some((k, stamp.name.clone()));
                    }
                }
            });
        });
    });
    let missing = missing_signs(board, &clip);
    if !fits {
        let of = if stamp.hexes { "hexes" } else { "squares" };
        ui.weak(format!("It is of {of}, this map is not."));
    } else if !missing.is_empty() {
        let text = format!("Not painted, for no legend explains them here: {}", list_signs(&missing));
        ui.colored_label(ui.visuals().warn_fg_color, text);
    }
}

/// The field for another name of a stamp. Whether it is shown.
fn show_name(state: &mut State, ui: &mut Ui, all: &[Stamp], k: usize, wanted: &mut Vec<Command>) -> bool {
    let Some((_, mut name)) = state.stamps.renamed.take_if(|(n, _)| *n == k) else { return false };
    let r = ui.add(TextEdit::singleline(&mut name).id_salt(("stamp", k)).desired_width(120.0));
    r.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "New name of the stamp"));
    if !r.lost_focus() {
        r.request_focus();
        state.stamps.renamed = Some((k, name));
        return true;
    }
    let name = name.trim();
    let taken = all.iter().enumerate().any(|(n, s)| n != k && s.name == name);
    if ui.input(|i| i.key_pressed(Key::Escape)) || name.is_empty() {
        return true;
    }
    if taken {
        wanted.push(Command::Say(format!("There is a stamp {name} already: it keeps its name")));
        return true;
    }
    let mut all = all.to_vec();
    if let Some(s) = all.get_mut(k) {
        s.name = name.to_string();
    }
    wanted.push(Command::KeepStamps(all));
    true
}

fn list_signs(signs: &BTreeSet<Arc<str>>) -> String {
    signs.iter().map(|s| &**s).collect::<Vec<_>>().join(" ")
}

impl State {
    /// All stamps with what is selected as a new one.
    fn keep_stamp(&mut self, board: &Board, all: &[Stamp]) -> Vec<Command> {
        let Some(clip) = self.hand.selected_clip(board) else { return Vec::new() };
        let name = std::mem::take(&mut self.stamps.name);
        let stamp = to_stamp(name.trim(), board.lattice.is_hexes(), &clip);
        let said = format!("The stamp {} is kept", stamp.name);
        vec![Command::KeepStamps(all.iter().cloned().chain([stamp]).collect()), Command::Say(said)]
    }

    /// Takes a stamp into the hand, without the signs that this map's legend lacks. What is to be said of it comes back.
    fn take_stamp(&mut self, board: &Board, stamp: &Stamp) -> Command {
        let mut clip = to_clip(stamp);
        let missing = missing_signs(board, &clip);
        clip.signs.retain(|(_, sign)| !missing.contains(sign));
        let lacks = match missing.is_empty() {
            true => String::new(),
            false => format!(" It is put down without {}: no legend explains them.", list_signs(&missing)),
        };
        self.hand.stroke = None;
        self.hand.held = Some(HeldPiece { clip, from: None, name: Some(stamp.name.as_str().into()) });
        self.view.take = true;
        Command::Say(format!("A click puts {} down; Escape lets go of it.{lacks}", stamp.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_is_the_piece_that_it_was_made_of() {
        let at = |q, r, sign: &str| (Vector::new(q, r), Arc::from(sign));
        // A gap in a row, steps to the west and to the south, signs of several letters.
        let clip = Clip {
            signs: vec![at(0, 0, "g"), at(1, 0, "sa+"), at(3, 0, "g"), at(-2, -1, "."), at(-1, 1, "w")],
        };
        let stamp = to_stamp("hut", true, &clip);
        assert_eq!(
            stamp.runs,
            [(-2, -1, ".".into()), (0, 0, "g sa+".into()), (3, 0, "g".into()), (-1, 1, "w".into())]
        );
        let mut back = to_clip(&stamp).signs;
        let mut signs = clip.signs;
        back.sort();
        signs.sort();
        assert_eq!(back, signs);
        let far = Stamp { runs: vec![(i32::MAX, 0, "a b".into()), (0, i32::MIN, "c".into())], ..stamp };
        assert!(to_clip(&far).signs.is_empty(), "what nobody drew is left out");
    }
}
