//! Choices with numbers, as the terminal lists them: many of several actions a paragraph an action, others in columns.
use crate::draw::{self, Style, display_width};
use houserule_engine::Choice;
use houserule_play::Offered;

/// How many choices are listed unasked.
pub const LISTED: usize = 30;

/// How many choices `list` shows.
pub const MOST: usize = 2000;

/// From how many choices on they are listed by action, if there are several.
const GROUPED: usize = 9;

/// The action of a choice, as it is written, and what stands in its brackets. A set of things is no action.
fn split_choice(words: &str) -> (&str, &str) {
    match words.split_once('(') {
        Some((action, rest)) if !action.starts_with('{') => (action, rest.strip_suffix(')').unwrap_or(rest)),
        _ => ("", words),
    }
}

/// A choice as a sentence, with what it costs.
fn choice_title(o: &Offered) -> String {
    format!("{}{}", o.title, o.cost_note())
}

/// What must be typed in place of a title that does not begin like it: `pick Ada` is found by "Pick Ada", `lay(red)` is not by "Put red down".
fn typed_words(o: &Offered, style: Style) -> String {
    if matches!(o.choice, Choice::Action { .. }) || is_same_text(&o.words, &o.title) {
        return String::new();
    }
    format!("  {}", style.paint_text("2", &o.words))
}

/// Choices with numbers: many of several actions a paragraph an action, others in columns. `plain` leaves the numbers out.
pub fn numbered_lines(offered: &[(u64, &Offered)], plain: bool, style: Style) -> Vec<String> {
    let first = offered.first().map_or("", |(_, o)| split_choice(&o.words).0);
    if plain || offered.len() < GROUPED || offered.iter().all(|(_, o)| split_choice(&o.words).0 == first) {
        return column_lines(offered, plain, style);
    }
    let mut out = Vec::new();
    let mut rest = offered;
    while let Some((_, o)) = rest.first() {
        let action = split_choice(&o.words).0;
        let n = rest.iter().take_while(|(_, o)| split_choice(&o.words).0 == action).count().max(1);
        let (group, behind) = rest.split_at(n.min(rest.len()));
        rest = behind;
        for group in split_by_thing(group) {
            out.extend(group_lines(group, style));
        }
    }
    out
}

/// The choices of one action by its first thing, where most things have several: `Run Ada to` and then the places.
fn split_by_thing<'a, 'o>(group: &'a [(u64, &'o Offered)]) -> Vec<&'a [(u64, &'o Offered)]> {
    let thing = |o: &Offered| o.path.get(1).filter(|_| o.path.len() > 2).cloned();
    let parts: Vec<&[(u64, &Offered)]> = group.chunk_by(|(_, a), (_, b)| thing(a) == thing(b)).collect();
    let is_worth = group.first().is_some_and(|(_, o)| thing(o).is_some()) && parts.len() * 2 <= group.len();
    if is_worth { parts } else { vec![group] }
}

/// Choices that begin alike: the beginning once, then the numbers with what differs.
fn group_lines(group: &[(u64, &Offered)], style: Style) -> Vec<String> {
    let titles: Vec<&str> = group.iter().map(|(_, o)| o.title.as_str()).collect();
    let head = common_words(&titles);
    let pieces: Vec<String> = group
        .iter()
        .map(|(n, o)| {
            let rest = o.title.get(head.len()..).unwrap_or(&o.title);
            let cost = o.cost_text();
            let cost = if cost.is_empty() { cost } else { format!(" ({cost})") };
            format!("{} {rest}{cost}{}", style.paint_text("1", &n.to_string()), typed_words(o, style))
        })
        .collect();
    let head = if head.is_empty() {
        String::from("  ")
    } else {
        format!("  {}:  ", head.trim_end().trim_end_matches(':'))
    };
    // Two columns between choices, so that numbers are not taken for what stands before them.
    let last = pieces.len().saturating_sub(1);
    let gap = |(i, p): (usize, String)| if i < last { format!("{p}  ") } else { p };
    let pieces: Vec<String> = pieces.into_iter().enumerate().map(gap).collect();
    draw::flow_pieces(&head, &pieces, style.width)
}

/// The words with which several titles begin, with the blank behind them. Each title keeps a word of its own.
fn common_words<'t>(titles: &[&'t str]) -> &'t str {
    let Some((first, rest)) = titles.split_first() else { return "" };
    if rest.is_empty() {
        return "";
    }
    let ends = first.match_indices(' ').map(|(i, _)| i + 1);
    let is_common = |end: &usize| rest.iter().all(|t| t.len() > *end && t.get(..*end) == first.get(..*end));
    ends.take_while(is_common).last().and_then(|end| first.get(..end)).unwrap_or("")
}

/// Choices with numbers, in columns; `plain` leaves the numbers out.
fn column_lines(offered: &[(u64, &Offered)], plain: bool, style: Style) -> Vec<String> {
    let digits = offered.iter().map(|(n, _)| n.to_string().len()).max().unwrap_or(1);
    let texts: Vec<String> = offered
        .iter()
        .map(|(n, o)| {
            let number = if plain { String::new() } else { style.paint_text("1", &format!("{n:>digits$} ")) };
            format!("{number}{}{}", choice_title(o), typed_words(o, style))
        })
        .collect();
    let widest = texts.iter().map(|t| display_width(t)).max().unwrap_or(1) + 3;
    let columns = (style.width.saturating_sub(2) / widest).clamp(1, 8);
    let line_of = |row: &[String]| {
        let mut line = String::from("  ");
        for text in row {
            line.push_str(text);
            line.push_str(&" ".repeat(widest.saturating_sub(display_width(text))));
        }
        line.trim_end().to_string()
    };
    texts.chunks(columns).map(line_of).collect()
}

/// Whether a title says no more than the words.
fn is_same_text(words: &str, title: &str) -> bool {
    let bare = |s: &str| -> String {
        s.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    bare(words) == bare(title)
}
