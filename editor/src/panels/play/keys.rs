//! Handles the keyboard of the Play pane: keys of rows, Enter and Backspace, and the cursor over maps, cards and players.
use super::data::Data;
use super::{State, Wants};
use crate::command::play::Request;
use crate::panels::{Context, Pane};
use egui::{Key, Ui};
use houserule::play::Spot;

impl State {
    /// Keys of rows, Enter, Backspace and the cursor; only where Play is in front and nobody writes.
    pub(super) fn handle_keys(&mut self, ui: &Ui, cx: &Context, wants: &mut Wants) {
        if cx.front != Pane::Play || ui.ctx().text_edit_focused() {
            return;
        }
        let Some(p) = &self.playing else { return };
        let on_widget = ui.ctx().memory(|m| m.focused().is_some());
        let pressed: Vec<(Key, Option<Key>)> = ui.input(|i| {
            let keys = i.events.iter().filter_map(|e| match e {
                egui::Event::Key { key, physical_key, pressed: true, modifiers, .. } if !modifiers.any() => {
                    Some((*key, *physical_key))
                }
                _ => None,
            });
            keys.collect()
        });
        for (key, physical) in pressed {
            match key {
                Key::Enter if !on_widget => wants.ask(Request::Confirm),
                Key::Backspace => wants.ask(Request::Unpick),
                Key::Escape if self.why.is_some() => wants.ask(Request::CloseWhy),
                Key::Escape => wants.ask(Request::Unpick),
                Key::Space if !on_widget => wants.ask(self.cursor.map(Request::Click)),
                Key::ArrowLeft | Key::ArrowRight | Key::ArrowUp | Key::ArrowDown if !on_widget => {
                    self.cursor = move_cursor(&p.data, self.cursor, key);
                }
                _ => {
                    // Where letters are not Latin, the place of the key counts.
                    let char_of = |k: Key| {
                        let name = k.name();
                        let mut chars = name.chars();
                        chars.next().filter(|c| c.is_ascii_alphanumeric() && chars.next().is_none())
                    };
                    let c = char_of(key).or(physical.and_then(char_of));
                    let row = c.and_then(|c| p.data.choices.as_ref()?.row_of_key(c));
                    wants.ask(row.map(Request::Pick));
                }
            }
        }
    }
}

/// The cursor, one space further; where there is none yet, on the first thing that is lit up.
fn move_cursor(data: &Data, cursor: Option<Spot>, key: Key) -> Option<Spot> {
    let lit = || data.choices.as_ref().and_then(|c| c.lit.keys().next().copied());
    let all = || {
        let holders = data.board.table.iter().chain(&data.board.players).chain(&data.board.others);
        holders.flat_map(|h| {
            h.spot.into_iter().chain(h.piles.iter().flat_map(|p| p.pieces.iter().map(|x| x.spot)))
        })
    };
    let first =
        || data.board.maps.iter().position(|m| !m.cells.is_empty()).map(|map| Spot::Space { map, space: 0 });
    let Some(now) = cursor else { return lit().or_else(first).or_else(|| all().next()) };
    if let Spot::Space { map, space } = now {
        let board = data.board.maps.get(map)?;
        let (c, r) = board.cells.get(space)?.at;
        let (dc, dr) = match key {
            Key::ArrowLeft => (-1, 0),
            Key::ArrowRight => (1, 0),
            Key::ArrowUp => (0, 1),
            _ => (0, -1),
        };
        // The next one that way, over gaps.
        for n in 1..64 {
            let (c, r) = (i32::from(c) + dc * n, i32::from(r) + dr * n);
            let there = board.cells.iter().position(|x| (i32::from(x.at.0), i32::from(x.at.1)) == (c, r));
            if let Some(space) = there {
                return Some(Spot::Space { map, space });
            }
        }
        return Some(now);
    }
    let row: Vec<Spot> = all().collect();
    let at = row.iter().position(|s| *s == now).unwrap_or(0);
    let on = matches!(key, Key::ArrowRight | Key::ArrowDown);
    let next = if on { at + 1 } else { at.saturating_sub(1) };
    row.get(next).copied().or(Some(now))
}
