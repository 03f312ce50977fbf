//! Draws scores and rankings: a row for each line, a column for each player or team.
use super::{Style, display_width, flow_pieces, separate_pieces};
use houserule_engine::{Cell, Sheet, View};
use houserule_play::outcome_text::player_names;

/// A score or ranking as a table; where that is too wide, a paragraph for each player or team.
pub fn sheet_lines(view: &View, sheet: &Sheet, style: Style) -> Vec<String> {
    let columns: Vec<(String, usize)> =
        sheet.columns.iter().map(|c| (player_names(view, c), c.first().copied().unwrap_or(0))).collect();
    let mut rows: Vec<(String, Vec<String>)> = Vec::new();
    for line in &sheet.lines {
        let cells: Vec<String> = line.cells.iter().map(cell_text).collect();
        // What tells nobody anything is left out.
        if cells.iter().any(|c| !c.is_empty()) {
            let title = line.title.to_string();
            rows.push((title, cells));
        }
    }
    // One alone has the first place.
    let placed = sheet.places.len() > 1;
    let whole = sheet.name.replace('_', " ");
    if !sheet.ranking {
        rows.push((format!("= {whole}"), sheet.sum.iter().map(i64::to_string).collect()));
    }
    if placed {
        rows.push((String::from("Place"), sheet.places.iter().map(|p| format!("{p}.")).collect()));
    }
    let head = if sheet.ranking { whole } else { String::new() };
    let first = rows.iter().map(|(t, _)| display_width(t)).chain([display_width(&head)]).max().unwrap_or(0);
    let widths: Vec<usize> = columns
        .iter()
        .enumerate()
        .map(|(i, (name, _))| {
            let cells = rows.iter().filter_map(|(_, c)| c.get(i)).map(|c| display_width(c));
            cells.chain([display_width(name)]).max().unwrap_or(0)
        })
        .collect();
    if first + widths.iter().map(|w| w + 2).sum::<usize>() > style.width {
        return draw_paragraphs(&columns, &rows, style);
    }
    let last = rows.len().saturating_sub(1 + usize::from(placed));
    let mut out = Vec::new();
    let mut line = pad_text(&head, first);
    for ((name, player), w) in columns.iter().zip(&widths) {
        line.push_str(&format!(
            "  {}{}",
            " ".repeat(w.saturating_sub(display_width(name))),
            style.paint_text(&style.player_style(*player), name)
        ));
    }
    out.push(line);
    for (k, (title, cells)) in rows.iter().enumerate() {
        let mut line = pad_text(title, first);
        for (c, w) in cells.iter().zip(&widths) {
            line.push_str(&format!("  {}{c}", " ".repeat(w.saturating_sub(display_width(c)))));
        }
        let strong = !sheet.ranking && k == last || k > last;
        out.push(if strong { style.paint_text("1", &line) } else { line });
    }
    out
}

fn draw_paragraphs(columns: &[(String, usize)], rows: &[(String, Vec<String>)], style: Style) -> Vec<String> {
    let mut out = Vec::new();
    for (i, (name, player)) in columns.iter().enumerate() {
        let told = rows.iter().filter_map(|(title, cells)| Some((title, cells.get(i)?)));
        let pieces = told
            .filter(|(_, c)| !c.is_empty())
            .map(|(title, c)| if title.is_empty() { c.clone() } else { format!("{title}: {c}") })
            .collect();
        let name = style.paint_text(&style.player_style(*player), name);
        out.extend(flow_pieces(&format!("{name}:"), &separate_pieces(pieces, ";"), style.width));
    }
    out
}

fn pad_text(text: &str, to: usize) -> String {
    format!("{text}{}", " ".repeat(to.saturating_sub(display_width(text))))
}

fn cell_text(c: &Cell) -> String {
    match c {
        Cell::Number(n) => n.to_string(),
        Cell::Text(t) => t.clone(),
    }
}
