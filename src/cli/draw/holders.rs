//! Draws the table, the players and other holders of components, a few lines each.
use super::maps::foreground_style;
use super::{Style, display_width, flow_pieces};
use houserule_engine::{Card, HolderView, Outcome, Pile, Sheet, Verdict, View};
use houserule_play::look_parts::parse_color;
use houserule_play::outcome_text::{EndLine, end_lines, pile_name, player_names};
use std::collections::BTreeSet;

/// How many cards of a pile are named one by one.
const NAMED: usize = 40;
/// Of more zones than this, those in which nothing lies are not listed.
const LISTED_EMPTY: usize = 6;
/// Of a pile of the table with more different cards than this it is not told what stands on them; nor of one of which some are hidden.
const READ: usize = 3;
/// What is told of a holder stands beside others if so many of its length fit into a line.
const SIDE_BY_SIDE: usize = 3;
/// What a card is called whose face is hidden.
const UNKNOWN: &str = "?";

/// All holders that have something to show.
pub fn holder_lines(view: &View, style: Style) -> Vec<String> {
    let mut out = Vec::new();
    out.extend(lines_of_holder(&view.table, &style.paint_text("1", "Table"), Told::Short, style));
    for (i, player) in view.players.iter().enumerate() {
        let mut name = style.paint_text(style.player_style(i), &player.name.title);
        if view.turn == Some(i) {
            name.push_str(if style.unicode { " ◂" } else { " <" });
        }
        out.extend(lines_of_holder(player, &name, Told::Whole, style));
    }
    // Those of which the same is to be told stand in one line.
    let mut same: Vec<(Vec<String>, Vec<String>)> = Vec::new();
    for other in &view.others {
        let shown = holder_pieces(other, Told::Short, style);
        let title = other.name.title.to_string();
        match same.iter_mut().find(|(of, _)| *of == shown) {
            Some((_, names)) => names.push(title),
            None if shown.is_empty() => {}
            None => same.push((shown, vec![title])),
        }
    }
    // Short ones stand side by side.
    let mut short: Vec<String> = Vec::new();
    for (shown, names) in same {
        let mut head = super::separate_pieces(names, ",");
        let Some(last) = head.pop() else { continue };
        head.push(format!("{last}:"));
        head.extend(shown);
        let whole = head.join(" ");
        if display_width(&whole) * SIDE_BY_SIDE <= style.width {
            short.push(format!("{whole}  "));
        } else {
            out.extend(flow_pieces("", &head, style.width));
        }
    }
    out.extend(flow_pieces("", &short, style.width));
    out
}

/// How much is told of what stands on cards.
#[derive(Clone, Copy, PartialEq)]
enum Told {
    /// All of it.
    Whole,
    /// Not the texts of large or half-hidden piles.
    Short,
}

fn lines_of_holder(h: &HolderView, name: &str, told: Told, style: Style) -> Vec<String> {
    let pieces = holder_pieces(h, told, style);
    if pieces.is_empty() { Vec::new() } else { flow_pieces(&format!("{name}:"), &pieces, style.width) }
}

/// What a holder has, in pieces between which a line may be broken.
fn holder_pieces(h: &HolderView, told: Told, style: Style) -> Vec<String> {
    let mut groups: Vec<Vec<String>> = Vec::new();
    let texts = || h.look.iter().filter(|d| &*d.slot == "text");
    // The rules say what is to be told: that comes first, instead of the attributes, and nothing of what is not there. What lies in a supply need not be told.
    let looked = texts().next().is_some();
    if looked {
        groups.extend(look_texts(h));
    }
    let folded = looked || h.piles.len() > LISTED_EMPTY;
    let mut before: Option<&str> = None;
    for pile in &h.piles {
        if pile.unlimited || folded && pile.cards.is_empty() {
            continue;
        }
        let mut cards = pile_cards(pile, told, style);
        // Places of one zone that hold one thing to tell each are told together: `decks weather (3 hidden), finds (7 hidden)`.
        let name = pile_name(pile);
        let bare = name.strip_prefix(&*pile.zone.replace('_', " ")).unwrap_or(&name).trim();
        let (is_short, goes_on) = (cards.len() == 1, before == Some(&*pile.zone) && !bare.is_empty());
        before = is_short.then_some(&*pile.zone);
        if let Some(first) = cards.first_mut() {
            *first = format!("{} {first}", if goes_on && is_short { bare } else { &name });
        }
        match groups.last_mut() {
            Some(group) if goes_on && is_short => group.append(&mut cards),
            _ => groups.push(cards),
        }
    }
    for attr in h.attrs.iter().filter(|_| !looked) {
        match attr.word.as_str() {
            "yes" => groups.push(vec![attr.name.to_string()]),
            "no" | "none" => {}
            _ => groups.push(vec![format!("{} {}", attr.name, attr.text)]),
        }
    }
    if !looked {
        groups.extend(look_texts(h));
    }
    let last = groups.len().saturating_sub(1);
    let mut out = Vec::new();
    for (i, group) in groups.into_iter().enumerate() {
        let end = group.len().saturating_sub(1);
        for (k, piece) in group.into_iter().enumerate() {
            let sign = match (k == end, i == last) {
                (false, _) => ",",
                (true, false) => ";",
                (true, true) => "",
            };
            out.push(piece + sign);
        }
    }
    out
}

/// The words of a look, each by itself.
fn look_texts(h: &HolderView) -> impl Iterator<Item = Vec<String>> + '_ {
    let words = h.look.iter().filter(|d| matches!(&*d.slot, "text" | "badge" | "corner"));
    words.filter(|d| !d.text.is_empty()).map(|d| vec![d.text.clone()])
}

/// What lies in a pile: known cards by name, equal ones counted, hidden ones counted.
fn pile_cards(pile: &Pile, told: Told, style: Style) -> Vec<String> {
    if pile.cards.is_empty() {
        return vec![String::from(if style.unicode { "–" } else { "-" })];
    }
    let mut named: Vec<(String, usize)> = Vec::new();
    let mut hidden = 0;
    // Where marks on hidden cards tell them apart, their places in the pile count, too.
    let marked =
        pile.ordered && pile.cards.iter().any(|c| c.face.is_none() && card_text(c, Told::Whole).is_some());
    let told = if pile.hidden == 0 && count_faces(pile) <= READ { Told::Whole } else { told };
    for card in &pile.cards {
        let text = card_text(card, told).or_else(|| marked.then(|| String::from(UNKNOWN)));
        let Some(text) = text.map(|t| tint_text(card, t, style)) else {
            hidden += 1;
            continue;
        };
        let same = |last: &&mut (String, usize)| last.0 == text;
        // In an ordered pile only neighbours are counted together.
        let found = if pile.ordered { named.last_mut().filter(same) } else { named.iter_mut().find(same) };
        match found {
            Some((_, n)) => *n += 1,
            None => named.push((text, 1)),
        }
    }
    let mut parts: Vec<String> =
        named.iter().take(NAMED).map(|(t, n)| if *n > 1 { format!("{t} x{n}") } else { t.clone() }).collect();
    if named.len() > NAMED {
        parts.push(format!("{} more", named.len() - NAMED));
    }
    if hidden > 0 {
        let what = if parts.is_empty() { "hidden" } else { "more, hidden" };
        parts.push(style.paint_text("2", &format!("({hidden} {what})")));
    }
    parts
}

/// How many different faces lie open in a pile.
fn count_faces(pile: &Pile) -> usize {
    let faces: BTreeSet<Option<u32>> = pile.cards.iter().map(|c| c.face_number).collect();
    faces.len()
}

/// What stands on the cards with that word, and on those of piles with that word: a line each.
pub fn read_cards(view: &View, word: &str, style: Style) -> Vec<String> {
    let word = word.to_lowercase();
    let mut out: Vec<String> = Vec::new();
    let spaces = view.maps.iter().flat_map(|m| &m.spaces);
    for h in std::iter::once(&view.table).chain(&view.players).chain(spaces).chain(&view.others) {
        for pile in &h.piles {
            let name = pile_name(pile);
            let place = if h.name.title.is_empty() { name } else { format!("{}: {name}", h.name.title) };
            let whole = place.to_lowercase().contains(&word);
            let texts = pile.cards.iter().filter_map(|c| card_text(c, Told::Whole));
            for text in texts.filter(|t| whole || t.to_lowercase().contains(&word)) {
                let lines = flow_pieces("", &[format!("{place}: {text}")], style.width);
                if !out.ends_with(&lines) {
                    out.extend(lines);
                }
            }
        }
    }
    out
}

/// A text in the colour that the rules fill the card with.
fn tint_text(card: &Card, text: String, style: Style) -> String {
    let fill = card.look.iter().find(|d| &*d.slot == "fill").filter(|_| card.side.is_some());
    match fill.and_then(|d| parse_color(&d.text)) {
        Some(rgb) => style.paint_text(&foreground_style(rgb), &text),
        None => text,
    }
}

/// The name of a card and what stands on it; none for a hidden card without a mark on its back.
fn card_text(card: &Card, told: Told) -> Option<String> {
    let title = card.look.iter().find(|d| &*d.slot == "title" && !d.text.is_empty()).map(|d| d.text.as_str());
    let mut text = match (&card.face, card.side) {
        (Some(face), Some(side)) => match (title, &card.shows) {
            (None, Some(shows)) => shows.title.to_string(),
            (title, _) => format!("{} {side}", title.unwrap_or(&face.title)),
        },
        (Some(face), None) => title.unwrap_or(&face.title).to_string(),
        (None, Some(side)) => format!("{} {side}", card.kind),
        (None, None) => String::from(UNKNOWN),
    };
    let bare = text.len();
    if card.up == Some(false) && is_known(card) {
        text.push_str(" (face down)");
    }
    let said = |slot: &'static str| card.look.iter().filter(move |d| &*d.slot == slot);
    let slots = ["corner", "badge", "text"];
    if slots.iter().any(|s| said(s).next().is_some()) {
        // The rules say what stands on the card.
        let wanted = slots.iter().filter(|s| told == Told::Whole || **s != "text");
        let texts: Vec<&str> =
            wanted.flat_map(|s| said(s)).map(|d| d.text.as_str()).filter(|t| !t.is_empty()).collect();
        if !texts.is_empty() {
            text.push_str(&format!(" [{}]", texts.join(", ")));
        }
        return (is_known(card) || text.len() > bare).then_some(text);
    }
    let attrs: Vec<String> = card
        .attrs
        .iter()
        .filter(|a| !matches!(a.word.as_str(), "no" | "none" | "0"))
        .map(|a| if a.word == "yes" { a.name.to_string() } else { format!("{} {}", a.name, a.text) })
        .collect();
    if !attrs.is_empty() {
        text.push_str(&format!(" [{}]", attrs.join(", ")));
    }
    (is_known(card) || text.len() > bare).then_some(text)
}

fn is_known(card: &Card) -> bool {
    card.face.is_some() || card.side.is_some()
}

/// How a game ended, a line for all or one for each side.
pub fn outcome_lines(
    view: &View,
    outcome: &Outcome,
    together: bool,
    sheets: &[Sheet],
    style: Style,
) -> Vec<String> {
    let line = |line: EndLine| match line {
        EndLine::All(text, Some(Verdict::Won)) => style.paint_text("1;32", &text),
        EndLine::All(text, Some(Verdict::Lost)) => style.paint_text("1;31", &text),
        EndLine::All(text, Some(Verdict::Tied)) => style.paint_text("1", &text),
        EndLine::All(text, None) => text,
        EndLine::Side { players, how } => {
            let color = style.player_style(players.first().copied().unwrap_or(0));
            format!("{} {how}", style.paint_text(color, &player_names(view, &players)))
        }
    };
    end_lines(view, outcome, together, sheets).into_iter().map(line).collect()
}
