//! Shows the log. Its lines and the spaces of the maps light each other.
use super::Wants;
use super::data::Data;
use crate::command::play::Request;
use crate::play::time_line::LogEntry;
use crate::style::readable_color;
use egui::{RichText, Role, Ui, WidgetInfo};
use houserule::play::Spot;

/// Whether a text names something: as whole words.
fn is_named(text: &str, name: &str) -> bool {
    let plain = |c: Option<char>| !c.is_some_and(char::is_alphanumeric);
    name.chars().count() > 1
        && text.match_indices(name).any(|(at, _)| {
            let (before, after) = (text.get(..at), text.get(at + name.len()..));
            plain(before.and_then(|t| t.chars().next_back())) && plain(after.and_then(|t| t.chars().next()))
        })
}

/// The spaces that a line names.
fn spots_of(data: &Data, line: &LogEntry) -> Vec<Spot> {
    let maps = data.board.maps.iter().enumerate();
    let cells = maps.flat_map(|(map, m)| {
        m.cells.iter().enumerate().map(move |(space, c)| (Spot::Space { map, space }, &c.place))
    });
    cells.filter(|(_, place)| is_named(&line.text, place)).map(|(spot, _)| spot).collect()
}

/// Shows what has happened, the newest below. `details` shows what changed besides; `over` is what is under the pointer on a map.
pub fn show_log(ui: &mut Ui, data: &Data, details: &mut bool, over: Option<Spot>, wants: &mut Wants) {
    ui.horizontal(|ui| {
        ui.strong("Log");
        ui.checkbox(details, "every change");
    });
    let over = over.and_then(|spot| data.board.cell(spot)).map(|c| c.place.as_str());
    let shown: Vec<_> = data.log.iter().filter(|l| *details || !l.detail).collect();
    let row = ui.text_style_height(&egui::TextStyle::Body) + ui.spacing().item_spacing.y;
    let area = egui::ScrollArea::vertical().id_salt("log").stick_to_bottom(true).auto_shrink([false, false]);
    area.show_rows(ui, row, shown.len(), |ui, rows| {
        for line in shown.get(rows).unwrap_or(&[]) {
            show_line(ui, data, line, over, wants);
        }
    });
}

fn show_line(ui: &mut Ui, data: &Data, line: &LogEntry, over: Option<&str>, wants: &mut Wants) {
    let mut text = RichText::new(&line.text);
    if line.heading {
        text = text.strong();
    } else if let Some(color) = line.player.and_then(|p| data.player_color(p)) {
        text = text.color(readable_color(color, ui.visuals().panel_fill));
    }
    if over.is_some_and(|name| is_named(&line.text, name)) {
        text = text.background_color(ui.visuals().selection.bg_fill.gamma_multiply(0.6));
    }
    let sense = if line.place.is_some() { egui::Sense::click() } else { egui::Sense::hover() };
    let r = ui.add(egui::Label::new(text).truncate().sense(sense));
    if r.hovered() || r.has_focus() {
        let spots = spots_of(data, line);
        if !spots.is_empty() {
            wants.point(spots);
        }
    }
    let Some((file, range)) = &line.place else { return };
    let r = r.on_hover_text(format!("{}\n{} – click to go there", line.text, line.rule));
    r.widget_info(|| WidgetInfo::labeled(Role::Link, true, &line.text));
    if r.clicked() {
        wants.ask(Request::GoTo(file.clone(), range.clone()));
    }
}

/// The last line, for where the log is closed.
pub fn last_line(data: &Data) -> Option<&str> {
    data.log.iter().rev().find(|l| !l.detail).map(|l| l.text.as_str())
}

#[cfg(test)]
mod tests {
    use super::is_named;

    #[test]
    fn a_line_names_whole_words() {
        assert!(is_named("Ada goes from A1 to B12", "A1") && is_named("Ada goes from A1 to B12", "B12"));
        assert!(!is_named("Ada goes from A1 to B12", "B1"), "B12 is another place");
        assert!(is_named("(Old Mill)", "Old Mill") && !is_named("Old Mills", "Old Mill"));
        assert!(!is_named("A goes", "A"), "a single letter may be any word");
        assert!(!is_named("", "A1") && is_named("é A1é A1", "A1"));
    }
}
