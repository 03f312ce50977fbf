//! Draws a map as a grid of signs with named columns and rows, and explains the signs below it.
use super::{Style, display_width, flow_pieces, separate_pieces};
use houserule_engine::{HolderView, MapView, View};
use houserule_model::parse_color;
use houserule_model::shapes::find_shape;
use std::collections::{BTreeMap, BTreeSet};

/// A sign of a space: what is drawn, and the player whose colour it has.
#[derive(Clone, Default)]
struct Sign {
    text: String,
    player: Option<usize>,
    /// A second line: what lies and who stands there, where the rules say what stands on the space itself.
    below: Vec<(String, Option<usize>)>,
    /// What the space is filled with, if the rules say: red, green, blue.
    fill: Option<[u8; 3]>,
}

impl Sign {
    fn below_width(&self) -> usize {
        self.below.iter().map(|(t, _)| t.chars().count()).sum()
    }

    fn is_below(&self) -> bool {
        !self.below.is_empty()
    }

    /// The sign in a narrower space: its text in `top` columns, its first word shortened, what lies there in `room` columns, the rest counted.
    fn clip_to(&self, room: usize, top: usize) -> Sign {
        let mut out = self.clone();
        let over = self.text.chars().count().saturating_sub(top);
        if over > 0 {
            let (head, rest) = self.text.split_at(self.text.find(' ').unwrap_or(self.text.len()));
            let kept = head.chars().count().saturating_sub(over).max(1);
            let text: String = head.chars().take(kept).chain(rest.chars()).collect();
            out.text = text.chars().take(top).collect();
        }
        let things = |pieces: &[(String, Option<usize>)]| pieces.iter().filter(|(t, _)| t != " ").count();
        for n in (0..self.below.len()).rev().filter(|_| self.below_width() > room) {
            let (shown, rest) = self.below.split_at(n);
            let shown = shown.strip_suffix(&[(String::from(" "), None)]).unwrap_or(shown);
            out.below = shown.to_vec();
            out.below.push((format!("+{}", things(rest)), None));
            if out.below_width() <= room {
                break;
            }
        }
        out
    }
}

/// Short signs for words: the first letters that tell them apart.
struct Signs {
    of: BTreeMap<String, String>,
}

/// How many things are drawn in the second line of a space.
const MOST_BELOW: usize = 6;

/// How narrow the spaces of a grid may get where the terminal is not wide enough.
const NARROWEST: usize = 4;

/// How long a text on a space may be before all of them are shortened.
const LONG: usize = 8;

/// How long a title that the rules give a thing on a map may be to stand there whole.
const SHORT: usize = 5;

/// Shortens what the rules write on spaces, where some of it is long: `red and odd` to `r&odd`. What the signs mean is given back. `titles` are words with the short titles that the
/// rules give them.
fn abbreviate_marks(on: &mut [Marks], titles: &BTreeMap<&str, &str>) -> Vec<String> {
    let texts = |on: &[Marks]| -> Vec<String> {
        let text = |m: &Mark| if let Mark::Drawn(t, _) = m { Some(t.clone()) } else { None };
        on.iter().flat_map(|m| m.drawn.iter().filter_map(text)).collect()
    };
    let all = texts(on);
    if all.iter().all(|t| t.chars().count() <= LONG) {
        return Vec::new();
    }
    let letters = |t: &str| -> Vec<String> {
        t.split(|c: char| !c.is_alphabetic()).filter(|w| !w.is_empty()).map(String::from).collect()
    };
    let joint = [("and", "&"), ("or", "|"), ("not", "!")];
    // One word says itself.
    let single = |t: &str| t.chars().all(char::is_alphabetic);
    let mut words: Vec<String> = all.iter().filter(|t| !single(t)).flat_map(|t| letters(t)).collect();
    words.sort_unstable();
    words.dedup();
    let (titled, words): (Vec<String>, Vec<String>) =
        words.into_iter().partition(|w| titles.contains_key(&**w));
    // Short words stay as they are.
    let (long, mut kept): (Vec<String>, Vec<String>) = words.into_iter().partition(|w| w.chars().count() > 3);
    let mut short: BTreeMap<String, String> = BTreeMap::new();
    for word in titled {
        let title = titles.get(&*word).map_or("", |t| t).to_string();
        kept.push(title.clone());
        short.insert(word, title);
    }
    for word in &long {
        let prefix = |n: usize| word.chars().take(n).collect::<String>();
        let alone =
            |s: &String| long.iter().all(|w| w == word || !w.starts_with(s.as_str())) && !kept.contains(s);
        let found = (1..word.chars().count()).map(prefix).find(alone);
        short.insert(word.clone(), found.unwrap_or_else(|| word.clone()));
    }
    let mut used: Vec<(&str, &str)> = Vec::new();
    for mark in on.iter_mut().flat_map(|m| m.drawn.iter_mut()) {
        let Mark::Drawn(text, _) = mark else { continue };
        if single(text) {
            continue;
        }
        let mut out = String::new();
        let mut word = String::new();
        for c in text.chars().chain([' ']) {
            if c.is_alphabetic() {
                word.push(c);
                continue;
            }
            if let Some((w, sign)) = joint.iter().find(|(w, _)| *w == word) {
                let end = out.trim_end().len();
                out.truncate(end);
                out.push_str(sign);
                if !used.contains(&(*w, *sign)) {
                    used.push((w, sign));
                }
                word.clear();
                continue;
            }
            out.push_str(short.get(&word).unwrap_or(&word));
            word.clear();
            out.push(c);
        }
        *text = out.trim_end().to_string();
    }
    let mut legend: Vec<String> =
        short.iter().filter(|(w, s)| w != s).map(|(word, s)| format!("{s} {word}")).collect();
    legend.extend(used.iter().map(|(word, sign)| format!("{sign} {word}")));
    legend
}

/// Signs for what a space simply is or is not.
const FLAGS: [&str; 4] = ["■", "◆", "□", "◇"];

/// The signs where only ASCII can be drawn.
const PLAIN_FLAGS: [&str; 4] = ["x", "*", "%", "@"];

impl Signs {
    /// `words` in the order in which they may claim short signs; `flags` get signs that are no letters, as long as there are some.
    fn new(words: &[String], flags: &[String], style: Style) -> Signs {
        let mut of: BTreeMap<String, String> = BTreeMap::new();
        let mut taken: BTreeSet<String> = BTreeSet::new();
        for (flag, sign) in flags.iter().zip(if style.unicode { FLAGS } else { PLAIN_FLAGS }) {
            of.insert(flag.clone(), sign.to_string());
        }
        for word in words {
            if of.contains_key(word) {
                continue;
            }
            // "Seat 2" is S2: the number tells it from the others.
            if let Some((name, number)) = word.rsplit_once(' ')
                && number.parse::<u32>().is_ok()
            {
                let initials = name.split_whitespace().filter_map(|w| w.chars().next());
                let sign: String = initials.flat_map(char::to_uppercase).chain(number.chars()).collect();
                if taken.insert(sign.clone()) {
                    of.insert(word.clone(), sign);
                    continue;
                }
            }
            let letters: Vec<char> = word.chars().filter(|c| c.is_alphanumeric()).collect();
            let capital = |n: usize| -> String {
                let mut s = String::new();
                for (i, c) in letters.iter().take(n).enumerate() {
                    if i == 0 { s.extend(c.to_uppercase()) } else { s.push(*c) }
                }
                s
            };
            let short = (1..=letters.len()).map(capital).find(|s| !taken.contains(s));
            let sign = short.unwrap_or_else(|| word.clone());
            taken.insert(sign.clone());
            of.insert(word.clone(), sign);
        }
        Signs { of }
    }

    fn get(&self, word: &str) -> &str {
        self.of.get(word).map_or("?", String::as_str)
    }
}

/// Whether an attribute's value is worth a sign: not none, not no, not nought.
fn is_worth_a_sign(word: &str) -> bool {
    !matches!(word, "none" | "no" | "0" | "")
}

/// Names of attributes that some space simply has.
fn flag_names(map: &MapView) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for attr in map.spaces.iter().flat_map(|s| &s.attrs) {
        if attr.word == "yes" && !out.iter().any(|f| *f == *attr.name) {
            out.push(attr.name.to_string());
        }
    }
    out
}

/// What is on a space, as words: a sign is made of each.
enum Mark {
    /// A value that reads so.
    Word(String, Option<usize>),
    /// A number as it stands.
    Number(i64),
    /// Something of which only the back is known, and how the rules call that back.
    Hidden(Option<String>),
    /// As the rules draw it, and whose it is.
    Drawn(String, Option<usize>),
    /// A player points here by an attribute.
    Aim(String, usize),
}

/// What is on a space: what the rules say stands on it, and what else lies, stands or is meant there.
struct Marks {
    drawn: Vec<Mark>,
    /// Whether `drawn` is to have a line for itself.
    looked: bool,
    lying: Vec<Mark>,
}

impl Marks {
    fn all(&self) -> impl Iterator<Item = &Mark> {
        self.lying.iter().chain(&self.drawn)
    }
}

/// The attribute by which a player points at a space without standing there.
fn pointing_attribute(player: &HolderView, number: usize, space: &HolderView) -> Option<String> {
    let here = |a: &&houserule_engine::Seen| a.word.as_str() == space.name.word.as_ref();
    // Where somebody stands is said by one of them, the first.
    let skip = usize::from(space.standing.contains(&number));
    player.attrs.iter().filter(here).nth(skip).map(|a| a.name.to_string())
}

fn marks_of(view: &View, space: &HolderView, unicode: bool) -> Marks {
    // Who stands there is what is looked for first.
    let named = |k: &usize| view.players.get(*k).map(|p| Mark::Word(p.name.title.to_string(), Some(*k)));
    let mut lying: Vec<Mark> = space.standing.iter().filter_map(named).collect();
    let mut out: Vec<Mark> = Vec::new();
    let player = |word: &str| view.players.iter().position(|p| p.name.word.as_ref() == word);
    let texts = || space.look.iter().filter(|d| &*d.slot == "text");
    if texts().next().is_some() {
        // The rules say what stands on a space: that alone, and what lies on it.
        let slots = ["text", "corner", "badge"];
        let said = slots.iter().flat_map(|s| space.look.iter().filter(move |d| &&*d.slot == s));
        let text: Vec<&str> = said.map(|d| d.text.as_str()).filter(|t| !t.is_empty()).collect();
        if !text.is_empty() {
            let owner = space.attrs.iter().find_map(|a| player(&a.word));
            out.extend(text.iter().map(|t| Mark::Drawn((*t).to_string(), owner)));
        }
    }
    for attr in space.attrs.iter().filter(|_| texts().next().is_none()) {
        if !is_worth_a_sign(&attr.word) {
            continue;
        }
        match attr.word.parse::<i64>() {
            Ok(n) => out.push(Mark::Number(n)),
            Err(_) if attr.word == "yes" => out.push(Mark::Word(attr.name.to_string(), None)),
            Err(_) => out.push(Mark::Word(attr.text.clone(), player(&attr.word))),
        }
    }
    let shape = space.look.iter().find(|d| &*d.slot == "shape").and_then(|d| find_shape(&d.text));
    if let Some(shape) = shape.filter(|_| out.is_empty()) {
        let sign = if unicode { shape.sign } else { shape.ascii };
        out.push(Mark::Drawn(sign.to_string(), None));
    }
    let looked = texts().next().is_some();
    if looked {
        let aims = view
            .players
            .iter()
            .enumerate()
            .filter_map(|(k, p)| Some(Mark::Aim(pointing_attribute(p, k, space)?, k)));
        lying.extend(aims);
    }
    for pile in &space.piles {
        for card in &pile.cards {
            // As the rules call it; they may say that it has no sign.
            let title = card.look.iter().find(|d| &*d.slot == "title").map(|d| d.text.as_str());
            if title == Some("") {
                continue;
            }
            let owner = card.owner.or_else(|| card.attrs.iter().find_map(|a| player(&a.word)));
            match (&card.face, card.side) {
                (_, Some(side)) => lying.push(Mark::Number(side)),
                // What the rules call shortly on a map they draw stands there as it is.
                (Some(_), None) if looked && title.is_some_and(|t| t.chars().count() <= SHORT) => {
                    lying.push(Mark::Drawn(title.unwrap_or_default().to_string(), owner));
                }
                (Some(face), None) => {
                    lying.push(Mark::Word(title.unwrap_or(&face.title).to_string(), owner));
                }
                (None, None) => lying.push(Mark::Hidden(title.map(String::from))),
            }
        }
    }
    Marks { drawn: out, looked, lying }
}

/// A column's name: A, B, … Z, AA, ….
fn column_name(n: usize) -> String {
    let mut name = String::new();
    let mut n = n + 1;
    while n > 0 {
        let letter = b'A' + ((n - 1) % 26) as u8;
        name.insert(0, char::from(letter));
        n = (n - 1) / 26;
    }
    name
}

/// A map as lines. `slanted` is a board of hexes whose rows all lean the same way; `points` are spaces that an answer may name.
pub fn map_lines(
    view: &View,
    map: &MapView,
    slanted: bool,
    title: Option<&str>,
    points: &BTreeSet<usize>,
    style: Style,
) -> Vec<String> {
    let mut on: Vec<Marks> = map.spaces.iter().map(|s| marks_of(view, s, style.unicode)).collect();
    let titles = view.signs.iter().filter_map(|sign| {
        let title = sign.look.iter().find(|d| &*d.slot == "title" && !d.text.is_empty())?;
        Some((&*sign.name.title, &*title.text))
    });
    let brief = abbreviate_marks(&mut on, &titles.collect());
    let mut words: Vec<String> = Vec::new();
    for p in &view.players {
        // Players come first, so that theirs are the shortest signs; but only those that are on the map.
        let title = p.name.title.to_string();
        if on.iter().flat_map(Marks::all).any(|m| matches!(m, Mark::Word(w, _) if *w == title)) {
            words.push(title);
        }
    }
    for mark in on.iter().flat_map(Marks::all) {
        if let Mark::Word(w, _) | Mark::Hidden(Some(w)) = mark
            && !words.contains(w)
        {
            words.push(w.clone());
        }
    }
    let flags = flag_names(map);
    let signs = Signs::new(&words, &flags, style);
    let fill = |space: &HolderView| {
        space.look.iter().find(|d| &*d.slot == "fill").and_then(|d| parse_color(&d.text))
    };
    let cells: Vec<Sign> = map
        .spaces
        .iter()
        .zip(&on)
        .map(|(space, marks)| Sign { fill: fill(space), ..make_sign(view, marks, &signs) })
        .collect();
    let mut out = Vec::new();
    let mut crowded = Vec::new();
    if let Some(title) = title {
        out.push(style.paint_text("1", title));
    }
    let (columns, rows) = (map.size.0 as usize, map.size.1 as usize);
    if !map.ways.is_empty() {
        out.extend(draw_graph(map, &cells, points, style));
    } else if columns * rows == 0 || map.at.len() != map.spaces.len() || columns > 400 {
        out.extend(draw_list(map, &cells, points, style));
    } else {
        let (lines, more) = draw_grid(map, &cells, slanted, points, style);
        out.extend(lines);
        crowded = more;
    }
    let all = || on.iter().flat_map(Marks::all);
    let mut legend: Vec<String> = words
        .iter()
        .filter(|w| signs.get(w) != w.as_str())
        .map(|w| {
            let player = view.players.iter().position(|p| p.name.title.as_ref() == w);
            let sign = player
                .map_or(signs.get(w).to_string(), |n| style.paint_text(&style.player_style(n), signs.get(w)));
            let is_back = |m: &Mark| matches!(m, Mark::Hidden(Some(back)) if back == w);
            let is_plain = |m: &Mark| matches!(m, Mark::Word(word, _) if word == w);
            let down = all().any(is_back) && !all().any(is_plain);
            format!("{}{sign} {w}", if down { "#" } else { "" })
        })
        .collect();
    let mut aims: Vec<&str> = Vec::new();
    for mark in on.iter().flat_map(Marks::all) {
        if let Mark::Aim(name, _) = mark
            && !aims.contains(&name.as_str())
        {
            aims.push(name);
        }
    }
    if !aims.is_empty() {
        legend.push(format!("> {}", aims.join(" or ")));
    }
    legend.extend(brief);
    // Whose the signs are that the rules draw.
    let mut drawn: Vec<(&str, usize)> = Vec::new();
    for mark in on.iter().flat_map(Marks::all) {
        if let Mark::Drawn(text, Some(n)) = mark
            && !drawn.contains(&(text.as_str(), *n))
        {
            drawn.push((text, *n));
        }
    }
    drawn.sort_by_key(|(_, n)| *n);
    if drawn.len() <= view.players.len() {
        legend.extend(drawn.iter().filter_map(|(text, n)| {
            let player = view.players.get(*n)?;
            Some(format!("{} {}", style.paint_text(&style.player_style(*n), text), player.name.title))
        }));
    }
    legend.extend(signs_of_spaces(map));
    // A space with a text and one line has no room for the sign.
    let two = cells.iter().any(Sign::is_below);
    if points.iter().any(|i| two || cells.get(*i).is_some_and(|s| s.text.is_empty())) {
        legend.push(format!("{} may be named now", style.paint_text("32", point_sign(style))));
    }
    legend.extend(crowded);
    if !legend.is_empty() {
        out.extend(flow_pieces("  ", &separate_pieces(legend, ","), style.width));
    }
    out
}

/// What the signs mean that the rules write on spaces: those without letters by the shape that is drawn there, or by the value that only spaces with that sign have; then what
/// the rules themselves say of their signs.
fn signs_of_spaces(map: &MapView) -> Vec<String> {
    let row = |space: &HolderView, slot: &str| {
        space.look.iter().find(|d| &*d.slot == slot && !d.text.is_empty()).map(|d| d.text.clone())
    };
    let text = |space: &HolderView| row(space, "text");
    let mut out: Vec<String> = Vec::new();
    let mut signs: Vec<String> = map.spaces.iter().filter_map(text).collect();
    signs.sort_unstable();
    signs.dedup();
    for sign in signs.into_iter().filter(|sign| !sign.contains(char::is_alphanumeric)) {
        let (with, without): (Vec<&HolderView>, Vec<&HolderView>) =
            map.spaces.iter().partition(|space| text(space).as_deref() == Some(&*sign));
        let first = with.first().and_then(|space| row(space, "shape")).filter(|s| find_shape(s).is_some());
        let shape =
            first.filter(|first| with.iter().all(|space| row(space, "shape").as_ref() == Some(first)));
        let has = |space: &HolderView, name: &str, word: &str| {
            space.attrs.iter().any(|a| *a.name == *name && a.word == word)
        };
        let own = || {
            let attrs = &with.first()?.attrs;
            let only = attrs.iter().find(|a| {
                is_worth_a_sign(&a.word)
                    && a.word.parse::<i64>().is_err()
                    && with.iter().all(|space| has(space, &a.name, &a.word))
                    && !without.iter().any(|space| has(space, &a.name, &a.word))
            })?;
            Some(if only.word == "yes" { only.name.to_string() } else { only.text.clone() })
        };
        out.extend(shape.or_else(own).map(|what| format!("{sign} {what}")));
    }
    for said in map.spaces.iter().filter_map(|space| row(space, "legend")) {
        if !out.contains(&said) {
            out.push(said);
        }
    }
    out
}

/// An ANSI style that writes in the nearest of the 256 colours that terminals have.
pub fn foreground_style(color: [u8; 3]) -> String {
    format!("1;38;5;{}", nearest_colour(color))
}

/// An ANSI style that fills with the nearest of the 256 colours that terminals have, and writes on it in black or white.
pub fn background_style(color: [u8; 3]) -> String {
    let [r, g, b] = color;
    let light = 299 * u32::from(r) + 587 * u32::from(g) + 114 * u32::from(b) > 128_000;
    format!("{};48;5;{}", if light { "38;5;16" } else { "38;5;231" }, nearest_colour(color))
}

fn nearest_colour([r, g, b]: [u8; 3]) -> u32 {
    let near = |x: u8| u32::from(x.saturating_sub(35) / 40);
    16 + 36 * near(r) + 6 * near(g) + near(b)
}

fn point_sign(style: Style) -> &'static str {
    if style.unicode { "∘" } else { "+" }
}

fn empty_sign(style: Style) -> &'static str {
    if style.unicode { "·" } else { "." }
}

fn make_sign(view: &View, marks: &Marks, signs: &Signs) -> Sign {
    let mut sign = Sign::default();
    if marks.looked {
        for mark in &marks.drawn {
            if let Mark::Drawn(text, player) = mark {
                sign.text.push_str(if sign.text.is_empty() { "" } else { " " });
                sign.text.push_str(text);
                sign.player = *player;
            }
        }
        let mut below: Vec<(String, Option<usize>)> = Vec::new();
        let aimed = |k: usize| view.players.get(k).map_or("?", |p| signs.get(&p.name.title));
        for mark in marks.lying.iter().take(MOST_BELOW) {
            let (text, player) = match mark {
                Mark::Word(w, player) => (signs.get(w).to_string(), *player),
                Mark::Aim(_, k) => (format!(">{}", aimed(*k)), Some(*k)),
                Mark::Number(n) => (n.to_string(), None),
                Mark::Hidden(back) => (back_sign(back.as_deref(), signs), None),
                Mark::Drawn(text, player) => (text.clone(), *player),
            };
            if !below.is_empty() && !text.starts_with('>') {
                below.push((String::from(" "), None));
            }
            below.push((text, player));
        }
        if marks.lying.len() > MOST_BELOW {
            below.push((format!("+{}", marks.lying.len() - MOST_BELOW), None));
        }
        sign.below = below;
        return sign;
    }
    let all: Vec<&Mark> = marks.all().collect();
    for (i, mark) in all.iter().take(3).enumerate() {
        match mark {
            Mark::Word(w, player) => {
                sign.text.push_str(signs.get(w));
                sign.player = sign.player.or(*player);
            }
            Mark::Number(n) => {
                if i > 0 && sign.text.ends_with(|c: char| c.is_ascii_digit()) {
                    sign.text.push('/');
                }
                sign.text.push_str(&n.to_string());
            }
            Mark::Hidden(back) => sign.text.push_str(&back_sign(back.as_deref(), signs)),
            Mark::Drawn(text, player) => {
                sign.text.push_str(text);
                sign.player = sign.player.or(*player);
            }
            Mark::Aim(..) => {}
        }
    }
    if all.len() > 3 {
        sign.text.push_str(&format!("+{}", all.len() - 3));
    }
    sign
}

/// The sign of something that lies face down.
fn back_sign(back: Option<&str>, signs: &Signs) -> String {
    format!("#{}", back.map_or("", |back| signs.get(back)))
}

fn draw_sign(sign: &Sign, pointed: bool, style: Style) -> String {
    match (sign.text.is_empty(), pointed) {
        (true, true) => style.paint_text("32", point_sign(style)),
        (true, false) => style.paint_text("2", empty_sign(style)),
        (false, _) => match sign.player {
            Some(n) => style.paint_text(&style.player_style(n), &sign.text),
            None => sign.text.clone(),
        },
    }
}

/// Spaces one by one, for maps that are no grid.
fn draw_list(map: &MapView, cells: &[Sign], points: &BTreeSet<usize>, style: Style) -> Vec<String> {
    let pieces: Vec<String> = map
        .spaces
        .iter()
        .zip(cells)
        .enumerate()
        .map(|(i, (space, sign))| {
            format!("{} {}", space.name.title, draw_sign(sign, points.contains(&i), style))
        })
        .collect();
    flow_pieces("  ", &separate_pieces(pieces, ","), style.width)
}

/// The places of a graph, one a line: what is there, and where its ways lead.
fn draw_graph(map: &MapView, cells: &[Sign], points: &BTreeSet<usize>, style: Style) -> Vec<String> {
    let title = |s: usize| map.spaces.get(s).map_or("", |s| &s.name.title);
    let widest = (0..map.spaces.len()).map(|s| title(s).chars().count()).max().unwrap_or(0);
    let mut out = Vec::new();
    for (i, sign) in cells.iter().enumerate() {
        let mut ends: Vec<String> = Vec::new();
        for (from, to, one_way) in &map.ways {
            match (usize::from(*from), usize::from(*to)) {
                (a, b) if a == i && *one_way => ends.push(format!("> {}", title(b))),
                (a, b) if a == i => ends.push(title(b).into()),
                (a, b) if b == i && !one_way => ends.push(title(a).into()),
                _ => {}
            }
        }
        let below: Vec<&str> = sign.below.iter().map(|(t, _)| t.as_str()).collect();
        let head = format!(
            "  {:<widest$}  {} {}",
            title(i),
            draw_sign(sign, points.contains(&i), style),
            below.join("")
        );
        let ways = style.paint_text("2", &format!("  to {}", ends.join(", ")));
        out.push(format!("{}{}", head.trim_end(), if ends.is_empty() { "" } else { &ways }));
    }
    out
}

/// The lines of a grid, and what stands on spaces that have no room for it.
fn draw_grid(
    map: &MapView,
    cells: &[Sign],
    slanted: bool,
    points: &BTreeSet<usize>,
    style: Style,
) -> (Vec<String>, Vec<String>) {
    let (columns, rows) = (map.size.0 as usize, map.size.1 as usize);
    let from = (usize::from(map.from.0), usize::from(map.from.1));
    let two = cells.iter().any(Sign::is_below);
    // What may be named has a sign of its own behind the text of a space.
    let top = |i: usize, s: &Sign| s.text.chars().count() + usize::from(two && points.contains(&i));
    let width_of = |(i, s): (usize, &Sign)| top(i, s).max(s.below_width());
    let widest = cells.iter().enumerate().map(width_of).max().unwrap_or(1);
    let widest = widest.max(column_name((from.0 + columns).saturating_sub(1)).len()).max(1);
    // Hexes stand between those of the next row: a cell is an even number of columns wide.
    let step = if map.hexes { (widest + 2).next_multiple_of(2) } else { widest + 1 };
    let label = (from.1 + rows).to_string().len();
    let half_steps = |row: usize| match (map.hexes, slanted) {
        (false, _) => 0,
        (true, false) => row % 2,
        (true, true) => row,
    };
    // What has no room on a space stands below the map.
    let fits = |step: usize| {
        map.at.iter().zip(cells.iter().enumerate()).all(|((c, r), cell)| {
            let (c, r) = (usize::from(*c).saturating_sub(from.0), usize::from(*r).saturating_sub(from.1));
            let width = width_of(cell).min(step.saturating_sub(1));
            label + 2 + half_steps(r) * step / 2 + c * step + width <= style.width
        })
    };
    let narrower = (NARROWEST..step).rev().filter(|s| !map.hexes || s % 2 == 0);
    let narrow = if rows == 1 || fits(step) { None } else { narrower.into_iter().find(|s| fits(*s)) };
    let mut crowded = Vec::new();
    let clipped: Vec<Sign> = match narrow {
        None => cells.to_vec(),
        Some(step) => {
            let room = step.saturating_sub(1);
            let clip = |(i, s): (usize, &Sign)| {
                if s.below_width() > room
                    && let Some(space) = map.spaces.get(i)
                {
                    let all: String = s.below.iter().map(|(t, _)| t.as_str()).collect();
                    crowded.push(format!("{}: {all}", space.name.title));
                }
                s.clip_to(room, room.saturating_sub(usize::from(two && points.contains(&i))))
            };
            cells.iter().enumerate().map(clip).collect()
        }
    };
    let (cells, step) = (clipped.as_slice(), narrow.unwrap_or(step));
    let mut at: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for (i, (c, r)) in map.at.iter().enumerate() {
        at.insert((usize::from(*c).saturating_sub(from.0), usize::from(*r).saturating_sub(from.1)), i);
    }
    let shift = |row: usize| half_steps(row) * step / 2;
    // A line that is longer than the terminal is wide is drawn in strips of about the same length.
    let fit = (style.width.saturating_sub(label + 2) / step).max(1);
    let strip = if rows == 1 { columns.div_ceil(columns.div_ceil(fit)) } else { columns };
    let mut out = Vec::new();
    for first in (0..columns).step_by(strip.max(1)) {
        let strip = first..(first + strip).min(columns);
        for row in (0..rows).rev() {
            for low in [false, true] {
                if low && !two {
                    continue;
                }
                let head =
                    if low { " ".repeat(label + 2) } else { format!("{:>label$}  ", from.1 + row + 1) };
                let mut line = style.paint_text("2", &head);
                line.push_str(&" ".repeat(shift(row)));
                for column in strip.clone() {
                    let cell = match at.get(&(column, row)) {
                        Some(i) => {
                            let sign = cells.get(*i).cloned().unwrap_or_default();
                            draw_cell(&sign, points.contains(i), (two, low), step, style)
                        }
                        None => String::new(),
                    };
                    line.push_str(&cell);
                    line.push_str(&" ".repeat(step.saturating_sub(display_width(&cell))));
                }
                let line = line.trim_end();
                if !(low && line.is_empty()) {
                    out.push(line.to_string());
                }
            }
        }
        let mut foot = " ".repeat(label + 2);
        for column in strip {
            let name = column_name(from.0 + column);
            let pad = step.saturating_sub(name.len());
            foot.push_str(&name);
            foot.push_str(&" ".repeat(pad));
        }
        out.push(style.paint_text("2", foot.trim_end()));
    }
    (out, crowded)
}

/// One line of a space: the upper or the lower of `two`, or the only one.
fn draw_cell(sign: &Sign, pointed: bool, (two, low): (bool, bool), step: usize, style: Style) -> String {
    let filled_with = sign.fill.filter(|_| style.color);
    let plain = if filled_with.is_some() { Style { color: false, ..style } } else { style };
    let text = match (low, two && pointed && !sign.text.is_empty()) {
        (true, _) => sign
            .below
            .iter()
            .map(|(t, who)| match who {
                Some(n) => plain.paint_text(&style.player_style(*n), t),
                None => t.clone(),
            })
            .collect(),
        (false, true) => {
            format!("{}{}", draw_sign(sign, false, plain), plain.paint_text("32", point_sign(style)))
        }
        (false, false) => draw_sign(sign, pointed, plain),
    };
    match filled_with {
        Some(fill) => {
            let bold = if sign.player.is_some() || low { "1;" } else { "" };
            // Filled to the next space, so that the board is one picture.
            style.paint_text(&format!("{bold}{}", background_style(fill)), &format!("{text:<step$}"))
        }
        None => text,
    }
}
