//! Draws the table, the players and other holders of components, a few lines each.
use super::cards::{READ, Told, UNKNOWN, card_text, count_faces, tint_text};
use super::folds::Folds;
use super::{Style, display_width, flow_pieces};
use houserule_engine::{HolderView, Outcome, Pile, Sheet, Verdict, View};
use houserule_model::SCORE;
use houserule_play::outcome_text::{EndLine, end_lines, pile_name, player_names};

/// How many cards of a pile are named one by one.
const NAMED: usize = 40;
/// What is told of a holder stands beside others if so many of its length fit into a line.
const SIDE_BY_SIDE: usize = 3;
/// What the table is called.
const TABLE: &str = "Table";

/// All holders that have something to show.
pub fn holder_lines(view: &View, folds: &Folds, style: Style) -> Vec<String> {
    let mut out = Vec::new();
    let table = holder_pieces(&view.table, Told::Short, folds, style);
    out.extend(lines_of_holder(table, &style.paint_text("1", TABLE), style));
    let mut players: Vec<(String, Vec<String>)> = Vec::new();
    for (i, player) in view.players.iter().enumerate() {
        let mut name = style.paint_text(&style.player_style(i), &player.name.title);
        if view.turn == Some(i) {
            name.push_str(if style.unicode { " ◂" } else { " <" });
        }
        players.push((name, holder_pieces(player, Told::Whole, folds, style)));
    }
    // Where some player has something, one who has nothing is named, too.
    let any = players.iter().any(|(_, pieces)| !pieces.is_empty());
    for (name, mut pieces) in players.into_iter().filter(|_| any) {
        if pieces.is_empty() {
            pieces.push(String::from(none_sign(style)));
        }
        out.extend(lines_of_holder(pieces, &name, style));
    }
    // Those of which the same is to be told stand in one line.
    let mut same: Vec<(Vec<String>, Vec<String>)> = Vec::new();
    for other in view.others.iter().filter(|_| !folds.drops_places()) {
        let shown = holder_pieces(other, Told::Short, folds, style);
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

fn lines_of_holder(pieces: Vec<String>, name: &str, style: Style) -> Vec<String> {
    if pieces.is_empty() { Vec::new() } else { flow_pieces(&format!("{name}:"), &pieces, style.width) }
}

/// Stands where there is nothing.
fn none_sign(style: Style) -> &'static str {
    if style.unicode { "–" } else { "-" }
}

/// What a holder has, in pieces between which a line may be broken.
fn holder_pieces(h: &HolderView, told: Told, folds: &Folds, style: Style) -> Vec<String> {
    let mut groups: Vec<Vec<String>> = Vec::new();
    let texts = || h.look.iter().filter(|d| &*d.slot == "text");
    // The rules say what is to be told: that comes first, instead of the attributes. Of what is not there, and of what lies in a supply, nothing is told.
    let looked = texts().next().is_some();
    if looked {
        groups.extend(look_texts(h));
    }
    let score = h.look.iter().find(|d| &*d.slot == SCORE && !d.text.is_empty());
    groups.extend(score.map(|d| vec![format!("{SCORE} {}", d.text)]));
    // Piles of which only their number is told.
    let merges = |pile: &Pile| folds.is_merged(pile, h.name.title.is_empty());
    let merged = h.piles.iter().filter(|p| merges(p)).count();
    if merged > 0 {
        let what = folds.merged_name(h);
        groups.push(vec![style.paint_text("2", &format!("({merged} {what} piles)"))]);
    }
    let mut before: Option<&str> = None;
    for pile in &h.piles {
        if pile.unlimited || pile.cards.is_empty() || merges(pile) {
            continue;
        }
        let mut cards = pile_cards(pile, told, folds, style);
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
pub fn pile_cards(pile: &Pile, told: Told, folds: &Folds, style: Style) -> Vec<String> {
    if pile.cards.is_empty() {
        return vec![String::from(none_sign(style))];
    }
    if folds.is_counted(pile) {
        let known = pile.cards.len() - pile.hidden.min(pile.cards.len());
        let hidden = if pile.hidden > 0 { format!(", {} hidden", pile.hidden) } else { String::new() };
        return vec![style.paint_text("2", &format!("({known} folded{hidden})"))];
    }
    let mut named: Vec<(String, usize)> = Vec::new();
    let mut hidden = 0;
    // Where marks on hidden cards tell them apart, their places in the pile count, too.
    let marked = pile.ordered
        && pile.cards.iter().any(|c| c.face.is_none() && card_text(c, Told::Whole, style).is_some());
    let told = match pile.hidden == 0 && count_faces(pile) <= READ {
        _ if folds.drops_texts_of(pile) => Told::Folded,
        true => Told::Whole,
        false => told,
    };
    for card in &pile.cards {
        let text = card_text(card, told, style).or_else(|| marked.then(|| String::from(UNKNOWN)));
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

/// What stands on the cards with that word, and on those of piles with that word: a line each. Of piles with that word the hidden cards are counted, too.
pub fn read_cards(view: &View, word: &str, style: Style) -> Vec<String> {
    let word = word.to_lowercase();
    let mut out: Vec<String> = Vec::new();
    let spaces = view.maps.iter().flat_map(|m| &m.spaces);
    for h in std::iter::once(&view.table).chain(&view.players).chain(spaces).chain(&view.others) {
        for pile in &h.piles {
            let name = pile_name(pile);
            let of_table = h.name.title.is_empty();
            let place = if of_table { name } else { format!("{}: {name}", h.name.title) };
            let whole = place.to_lowercase().contains(&word) || of_table && word == TABLE.to_lowercase();
            let unknown = pile.cards.iter().filter(|c| card_text(c, Told::Whole, style).is_none()).count();
            let hidden = (unknown > 0).then(|| format!("({unknown} hidden)"));
            let texts = pile.cards.iter().filter_map(|c| card_text(c, Told::Whole, style)).chain(hidden);
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
            format!("{} {how}", style.paint_text(&color, &player_names(view, &players)))
        }
    };
    end_lines(view, outcome, together, sheets).into_iter().map(line).collect()
}
