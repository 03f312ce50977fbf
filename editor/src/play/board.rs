//! What one seat sees, as data to be drawn and read aloud: made of its view and its choices, of nothing else.
use super::choices::{Choices, Lit};
use crate::canvas::Way;
use houserule::engine::{Card, Cell as SheetCell, Drawn, HolderView, Pile, Seen, Sheet, View, WordSign};
use houserule::model::body::walk::phases_of_round;
use houserule::model::hir::{ComponentSort, KindSort};
use houserule::model::shapes::find_shape;
use houserule::model::{LookParts, LookSign, SCORE};
use houserule::play::outcome_text::{EndLine, end_lines, pile_name, player_names};
use houserule::play::points::slanted_maps;
use houserule::play::{Ending, Game, Match, Spot};
use houserule::program::ir::{OutcomeSlot, Program};
use std::fmt::Write as _;
use std::sync::Arc;

/// The table as a seat sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    /// Whose view it is.
    pub seat: usize,
    /// Round, turn and phase, in words: `Round 2 · Planning · Ann's turn`.
    pub clock: String,
    /// The phases of a round by their titles, and whether each runs now; none where the rules name fewer than two.
    pub phases: Vec<(String, bool)>,
    /// Maps.
    pub maps: Vec<MapBoard>,
    /// What lies on the table, if anything does.
    pub table: Option<Holder>,
    /// Players.
    pub players: Vec<Holder>,
    /// Whatever else holds something.
    pub others: Vec<Holder>,
    /// The words that are drawn as signs in texts.
    pub signs: Vec<LookSign>,
    /// Who is asked now, and who is done, a line each; what others are asked is theirs alone.
    pub asked: Vec<String>,
    /// How it ended; empty while it goes on.
    pub ending: Vec<String>,
    /// Scores and rankings, at the end.
    pub sheets: Vec<Sheet>,
}

/// A map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MapBoard {
    /// Its name.
    pub name: String,
    /// Columns and rows; 0 where it is no grid.
    pub size: (u32, u32),
    /// Whether it is of hexes.
    pub hexes: bool,
    /// Of hexes: whether every row begins half a hex further east than the one below, instead of every other.
    pub slanted: bool,
    /// The ways of a graph.
    pub ways: Vec<Way>,
    /// Whether it is one long line that is drawn in two rows, as a strip that turns back.
    pub folded: bool,
    /// Its spaces, by number.
    pub cells: Vec<Cell>,
}

/// A space.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// What it is called.
    pub place: String,
    /// Column and row, 0 in the south-west.
    pub at: (u16, u16),
    /// How the rules draw it.
    pub face: LookParts,
    /// What it is, where the rules draw nothing: `rough`, `height 3`.
    pub marks: Vec<Marked>,
    /// The player whom an attribute of the space names: its owner, or the owner of the piece on it.
    pub owner: Option<usize>,
    /// What lies there.
    pub pieces: Vec<Piece>,
    /// Who stands there, by number.
    pub standing: Vec<usize>,
    /// Who points there, by number, and with what.
    pub aims: Vec<(usize, String)>,
    /// What is offered there.
    pub lit: Option<Lit>,
    /// Whether it has been clicked already.
    pub held: bool,
    /// All of it in words, for screen readers and tooltips.
    pub said: String,
}

/// A mark on a space or holder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Marked {
    /// In words.
    pub text: String,
    /// Whose it is.
    pub player: Option<usize>,
}

/// A card, a die, a token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// What it is, for people: its kind.
    pub kind: String,
    /// What it is called; `None` if the seat does not know it.
    pub title: Option<String>,
    /// What it shows, if it is a die that the seat knows.
    pub die: Option<Side>,
    /// Whether it is a card.
    pub card: bool,
    /// How the rules draw it: its face, if the seat knows it, else its back.
    pub face: LookParts,
    /// What its declaration says, in sentences, where its look has no text of its own.
    pub sentences: Arc<[String]>,
    /// What else is to be said of it.
    pub notes: Vec<String>,
    /// Whether it lies face down.
    pub down: bool,
    /// Whose it is, where an attribute says so.
    pub owner: Option<usize>,
    /// Where it is.
    pub spot: Spot,
    /// What is offered with it.
    pub lit: Option<Lit>,
    /// Whether it has been clicked already.
    pub held: bool,
}

/// The side that a die shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Side {
    /// What it is called: `D6 4`, `1 blue`, `claw`.
    pub title: String,
    /// The text on the painted die: the number of the side, or the first letters of its name.
    pub sign: String,
}

impl Side {
    /// Makes a side from its title. The name of the kind before it is cut off for the sign, because it may contain a number (`D6 4`).
    fn new(title: &str, kind: &str) -> Side {
        let own = title.strip_prefix(kind).map_or(title, str::trim_start);
        let number = own.split(|c: char| !c.is_ascii_digit()).find(|t| !t.is_empty());
        let sign = number.unwrap_or(own).chars().take(3).collect();
        Side { title: title.to_string(), sign }
    }
}

/// The table, a player, or something else that holds things.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Holder {
    /// What it is called.
    pub title: String,
    /// Which player it is.
    pub player: Option<usize>,
    /// Whether it is that player's turn.
    pub turn: bool,
    /// Whether that player is asked something now.
    pub asked: bool,
    /// What the rules tell of it, or its attributes.
    pub lines: Vec<String>,
    /// How the rules draw it.
    pub face: LookParts,
    /// What it has.
    pub piles: Vec<PileBoard>,
    /// Where it is.
    pub spot: Option<Spot>,
    /// What is offered with it.
    pub lit: Option<Lit>,
    /// Whether it has been clicked already.
    pub held: bool,
}

/// What lies at one place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PileBoard {
    /// What the place is called.
    pub zone: String,
    /// Whether the order tells: the top first.
    pub ordered: bool,
    /// What lies there, one by one; of more than a few hundred the first.
    pub pieces: Vec<Piece>,
    /// How many lie there.
    pub count: usize,
    /// How many of them the seat does not know.
    pub hidden: usize,
}

/// So many things of one place are drawn.
const DRAWN: usize = 400;

/// Whether an attribute's value is worth saying.
fn is_worth_saying(word: &str) -> bool {
    !matches!(word, "none" | "no" | "0" | "")
}

impl Board {
    /// What a seat sees, with what it may choose lit up.
    pub fn from_match(m: &mut Match, seat: usize, choices: Option<&Choices>) -> Board {
        let view = m.view(seat);
        let ending = m.ending();
        let together = matches!(m.program().outcome, OutcomeSlot::Together);
        let slants = slanted_maps(m.program());
        // Sheets are worked out with everything open: they are for the end alone.
        let sheets = if m.is_over() { m.sheets() } else { Vec::new() };
        let asked = list_asked(m);
        let questions = m.questions().iter();
        let asked_players =
            questions.flat_map(|q| (!q.anybody).then_some(usize::from(q.player))).collect::<Vec<_>>();
        let cards = list_card_kinds(m);
        let program = m.program().clone();
        let game = m.game().clone();
        let make = Make {
            view: &view,
            choices,
            program: &program,
            game: &game,
            cards: &cards,
            asked: &asked_players,
        };
        Board {
            seat,
            clock: clock_text(&view),
            phases: list_phases(&game, &view),
            maps: (0..view.maps.len())
                .map(|i| make.make_map(i, slants.get(i).copied().unwrap_or(false)))
                .collect(),
            table: Some(make.make_holder(&view.table, None, None)).filter(Holder::is_occupied),
            players: (0..view.players.len())
                .filter_map(|i| {
                    let h = view.players.get(i)?;
                    Some(make.make_holder(h, Some(i), Some(Spot::Player(i))))
                })
                .collect(),
            others: view
                .others
                .iter()
                .enumerate()
                .map(|(i, h)| make.make_holder(h, None, Some(Spot::Other(i))))
                .filter(|h| h.is_occupied() || h.lit.is_some())
                .collect(),
            signs: view.signs.iter().map(|s| make.make_sign(s)).collect(),
            asked,
            ending: ending.map(|e| describe_end(&view, &e, together, &sheets)).unwrap_or_default(),
            sheets,
        }
    }

    /// A space by map and number.
    pub fn cell(&self, spot: Spot) -> Option<&Cell> {
        match spot {
            Spot::Space { map, space } => self.maps.get(map)?.cells.get(space),
            _ => None,
        }
    }

    /// All of it in lines of text, as snapshots keep it.
    pub fn to_text(&self) -> String {
        let mut out = format!("seat {}: {}\n", self.seat + 1, self.clock);
        for map in &self.maps {
            let shape = if map.hexes { "hexes" } else { "squares" };
            let _ = writeln!(out, "map {} ({}×{} {shape})", map.name, map.size.0, map.size.1);
            for cell in map.cells.iter().filter(|c| c.said != c.place) {
                let _ = writeln!(out, "  {}", cell.said);
            }
        }
        for h in self.table.iter().chain(&self.players).chain(&self.others) {
            let turn = if h.turn { " (turn)" } else { "" };
            let _ = writeln!(out, "{}{turn}", h.describe());
            for pile in &h.piles {
                let _ = writeln!(out, "  {}", pile.describe());
            }
        }
        for line in self.asked.iter().chain(&self.ending) {
            let _ = writeln!(out, "{line}");
        }
        for sheet in &self.sheets {
            for line in sheet_rows(sheet) {
                let _ = writeln!(out, "  {}", line.join(" | "));
            }
        }
        out
    }
}

/// A sheet's rows: the title, then a cell for each column.
pub fn sheet_rows(sheet: &Sheet) -> Vec<Vec<String>> {
    let cell = |c: &SheetCell| match c {
        SheetCell::Number(n) => n.to_string(),
        SheetCell::Text(t) => t.clone(),
    };
    let row =
        |title: &str, cells: Vec<String>| std::iter::once(title.to_string()).chain(cells).collect::<Vec<_>>();
    let mut out: Vec<Vec<String>> =
        sheet.lines.iter().map(|l| row(&l.title, l.cells.iter().map(cell).collect())).collect();
    out.retain(|cells| cells.iter().skip(1).any(|c| !c.is_empty()));
    if !sheet.ranking {
        out.push(row(&sheet.name.replace('_', " "), sheet.sum.iter().map(i64::to_string).collect()));
    }
    if sheet.places.len() > 1 {
        out.push(row("Place", sheet.places.iter().map(|p| format!("{p}.")).collect()));
    }
    out
}

fn list_phases(game: &Game, view: &View) -> Vec<(String, bool)> {
    let model = game.model();
    let phases = phases_of_round(model).into_iter().filter_map(|r| model.rules.get(r.index()));
    let runs = |word: &str| view.phases.iter().any(|f| *f.word == *word);
    let all = phases.filter_map(|r| Some((r.title.as_ref()?.to_string(), runs(&r.name))));
    let all: Vec<(String, bool)> = all.collect();
    if all.len() > 1 { all } else { Vec::new() }
}

fn clock_text(view: &View) -> String {
    let mut parts = Vec::new();
    if view.round > 0 {
        parts.push(format!("Round {}", view.round));
    }
    let phase = view.phases.last().map(|p| if p.title.is_empty() { &p.word } else { &p.title });
    parts.extend(phase.map(|p| p.to_string()));
    if let Some(player) = view.turn.and_then(|t| view.players.get(t)) {
        parts.push(format!("{}'s turn", player.name.title));
    }
    if parts.is_empty() { String::from("The beginning") } else { parts.join(" · ") }
}

/// Who is asked, and who is done.
fn list_asked(m: &Match) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for q in m.questions() {
        out.push(match q.anybody {
            true => String::from("The table is asked"),
            false => format!("{} is asked", m.player_name(q.player as usize)),
        });
    }
    out.extend(m.list_dones().iter().map(|d| format!("{} is done", d.name)));
    out
}

fn describe_end(view: &View, ending: &Ending, together: bool, sheets: &[Sheet]) -> Vec<String> {
    let outcome = match ending {
        Ending::Unfinished(why) => return vec![format!("Unfinished: {why}.")],
        Ending::Over(outcome) => outcome,
    };
    let mut out = vec![String::from("The game is over.")];
    out.extend(end_lines(view, outcome, together, sheets).into_iter().map(|line| match line {
        EndLine::All(text, _) => text,
        EndLine::Side { players, how } => format!("{} {how}", player_names(view, &players)),
    }));
    out
}

/// Whether a text stands for what a shape shows: a letter or two, but no number.
fn is_letter(text: &str) -> bool {
    text.chars().count() < 3 && text.trim().parse::<i64>().is_err()
}

/// A line with more spaces than this would be a strip of which little can be seen.
const LONG: u32 = 16;

fn is_long_line((columns, rows): (u32, u32)) -> bool {
    rows == 1 && columns > LONG
}

impl MapBoard {
    /// Where a space with that column and row, of so many, is drawn.
    pub fn drawn_at(&self, at: (u16, u16), spaces: usize) -> (u16, u16) {
        if self.folded { fold_place(at.0, spaces as u32) } else { at }
    }
}

/// Where a space of a long line is drawn: the first half below, from the right to the left, the other half above, back to the right.
fn fold_place(column: u16, columns: u32) -> (u16, u16) {
    let half = columns.div_ceil(2) as u16;
    if column < half { (half - 1 - column, 0) } else { (column - half, 1) }
}

/// Which kinds of components are cards, in the program's order.
fn list_card_kinds(m: &Match) -> Vec<bool> {
    let (program, model) = (m.program(), m.game().model());
    let is_card = |name: &str| {
        let mut kinds = model.kinds.iter().filter(|k| *k.name == *name);
        kinds.any(|k| k.sort == KindSort::Component(ComponentSort::Card))
    };
    let names = program.comps.iter().map(|c| program.universes.get(c.universe.index()));
    names.map(|u| u.is_some_and(|u| is_card(&u.name))).collect()
}

struct Make<'v> {
    view: &'v View,
    choices: Option<&'v Choices>,
    /// For titles of kinds, which are no secret.
    program: &'v Program,
    /// For what cards say.
    game: &'v Game,
    /// Which kinds of components are cards, in the program's order.
    cards: &'v [bool],
    /// The players who are asked something now.
    asked: &'v [usize],
}

impl Make<'_> {
    fn player_index(&self, word: &str) -> Option<usize> {
        self.view.players.iter().position(|p| *p.name.word == *word)
    }

    fn player_name(&self, player: usize) -> &str {
        self.view.players.get(player).map_or("?", |p| &p.name.title)
    }

    fn lit_state(&self, spot: Spot) -> (Option<Lit>, bool) {
        let lit = self.choices.and_then(|c| c.lit.get(&spot).cloned());
        (lit, self.choices.is_some_and(|c| c.held.contains(&spot)))
    }

    fn make_map(&self, n: usize, slanted: bool) -> MapBoard {
        let empty = || MapBoard {
            name: String::new(),
            size: (0, 0),
            hexes: false,
            slanted: false,
            ways: Vec::new(),
            folded: false,
            cells: Vec::new(),
        };
        let Some(map) = self.view.maps.get(n) else { return empty() };
        let grid = map.at.len() == map.spaces.len();
        let folded = grid && map.ways.is_empty() && is_long_line(map.size);
        let cells = map.spaces.iter().enumerate().map(|(i, s)| {
            let at = map.at.get(i).copied().unwrap_or((i as u16, 0));
            let at = (at.0.saturating_sub(map.from.0), at.1.saturating_sub(map.from.1));
            let at = if folded { fold_place(at.0, map.size.0) } else { at };
            self.make_cell(s, at, Spot::Space { map: n, space: i })
        });
        let size = match (grid, folded) {
            (false, _) => (0, 0),
            (true, false) => map.size,
            (true, true) => (map.size.0.div_ceil(2), 2),
        };
        let at = |space: u16| map.at.get(usize::from(space)).map(|(c, r)| (u32::from(*c), u32::from(*r)));
        let ways = map.ways.iter().filter_map(|(from, to, one_way)| Some((at(*from)?, at(*to)?, *one_way)));
        MapBoard {
            name: map.name.to_string(),
            size,
            hexes: map.hexes,
            slanted,
            ways: ways.collect(),
            folded,
            cells: cells.collect(),
        }
    }

    fn make_cell(&self, s: &HolderView, at: (u16, u16), spot: Spot) -> Cell {
        let face = self.make_face(&s.look);
        let looked = s.look.iter().any(|d| matches!(&*d.slot, "text" | "shape"));
        let mut marks = Vec::new();
        if !looked {
            marks.extend(s.attrs.iter().filter(|a| is_worth_saying(&a.word)).map(|a| self.make_marked(a)));
        }
        let mut aims = Vec::new();
        for (k, p) in self.view.players.iter().enumerate() {
            let here = p.attrs.iter().filter(|a| a.word == *s.name.word);
            // Where somebody stands is said by one of them, the first.
            let skip = usize::from(s.standing.contains(&k));
            aims.extend(here.skip(skip).map(|a| (k, a.name.replace('_', " "))));
        }
        let pieces: Vec<Piece> = s.piles.iter().flat_map(|p| self.make_pieces(p)).collect();
        let (lit, held) = self.lit_state(spot);
        let mut cell = Cell {
            place: s.name.title.to_string(),
            at,
            face,
            marks,
            owner: s.attrs.iter().find_map(|a| self.player_index(&a.word)),
            pieces,
            standing: s.standing.clone(),
            aims,
            lit,
            held,
            said: String::new(),
        };
        cell.said = self.describe_cell(&cell);
        cell
    }

    /// A space in words: its place, who and what is there, what it is, what is offered.
    fn describe_cell(&self, c: &Cell) -> String {
        let mut parts: Vec<String> = c.standing.iter().map(|p| self.player_name(*p).to_string()).collect();
        let name = self.shape_name(c);
        // The name of a shape says more than the sign in whose place it stands.
        let signs = usize::from(name.is_some() && c.face.text.first().is_some_and(|t| is_letter(t)));
        parts.extend(name);
        parts.extend(c.face.all_texts().skip(signs).map(String::from));
        parts.extend(c.marks.iter().map(|m| m.text.clone()));
        // What is not drawn itself has its texts on the space.
        let is_drawn = |p: &Piece| p.face.title.as_deref() != Some("");
        let name = |p: &Piece| p.title.clone().filter(|_| !is_drawn(p)).unwrap_or_else(|| p.describe());
        parts.extend(c.pieces.iter().map(name));
        parts.extend(c.aims.iter().map(|(p, what)| format!("{what} of {}", self.player_name(*p))));
        let mut out = c.place.clone();
        if !parts.is_empty() {
            out.push_str(": ");
            out.push_str(&parts.join(", "));
        }
        out.push_str(&offer_text(c.lit.as_ref(), c.held));
        out
    }

    /// The name of the shape of a space, and whose piece it is: `king of White`. A shape without an owner is named where the look has no text for it.
    fn shape_name(&self, c: &Cell) -> Option<String> {
        let name = c.face.shape.as_deref().filter(|s| find_shape(s).is_some())?;
        match c.owner {
            Some(owner) => Some(format!("{name} of {}", self.player_name(owner))),
            None => c.face.text.iter().all(|t| is_letter(t)).then(|| name.to_string()),
        }
    }

    fn make_marked(&self, a: &Seen) -> Marked {
        let player = self.player_index(&a.word);
        let text = match a.word.as_str() {
            "yes" => a.name.replace('_', " "),
            word if word.parse::<i64>().is_ok() => format!("{} {word}", a.name.replace('_', " ")),
            _ => a.text.clone(),
        };
        Marked { text, player }
    }

    fn make_pieces(&self, pile: &Pile) -> Vec<Piece> {
        let comps = self.program.places.get(usize::from(pile.place)).map(|p| usize::from(p.comps));
        let title =
            comps.and_then(|c| self.program.comps.get(c)).map(|c| &*c.title).filter(|t| !t.is_empty());
        let is_card = comps.and_then(|c| self.cards.get(c)).copied().unwrap_or(false);
        let cards = pile.cards.iter().take(DRAWN).enumerate();
        cards
            .map(|(i, card)| {
                let kind = title.unwrap_or(&card.kind);
                let spot = Spot::Card { place: pile.place, card: i };
                Piece { card: is_card, ..self.make_piece(card, kind, spot) }
            })
            .collect()
    }

    fn make_piece(&self, card: &Card, kind: &str, spot: Spot) -> Piece {
        let face = self.make_face(&card.look);
        let title = card.face.as_ref().map(|f| match face.title.as_deref() {
            Some(title) if !title.is_empty() => title.to_string(),
            _ => f.title.to_string(),
        });
        let die = card.side.map(|side| match &card.shows {
            Some(shows) => Side::new(&shows.title, &card.kind),
            None => Side::new(&side.to_string(), ""),
        });
        let mut notes: Vec<String> = face.all_texts().map(String::from).collect();
        if !face.told {
            let own = card.attrs.iter().filter(|a| is_worth_saying(&a.word));
            notes.extend(own.map(|a| {
                let name = a.name.replace('_', " ");
                if a.word == "yes" { name } else { format!("{name} {}", a.text) }
            }));
        }
        let (lit, held) = self.lit_state(spot);
        Piece {
            kind: kind.to_string(),
            title,
            die,
            card: false,
            sentences: self.game.describe_card(card),
            face,
            notes,
            down: card.up == Some(false),
            owner: card.owner.or_else(|| card.attrs.iter().find_map(|a| self.player_index(&a.word))),
            spot,
            lit,
            held,
        }
    }

    fn make_face(&self, look: &[Drawn]) -> LookParts {
        LookParts::from_rows(look.iter().map(Drawn::row)).with_image(&self.game.model().images)
    }

    fn make_sign(&self, s: &WordSign) -> LookSign {
        let (word, title) = (s.name.word.to_string(), s.name.title.to_string());
        LookSign { word, title, look: self.make_face(&s.look) }
    }

    fn make_holder(&self, h: &HolderView, player: Option<usize>, spot: Option<Spot>) -> Holder {
        let face = self.make_face(&h.look);
        let looked = h.look.iter().any(|d| &*d.slot == "text");
        let mut lines: Vec<String> = face.all_texts().map(String::from).collect();
        lines.extend(face.score.iter().map(|score| format!("{SCORE} {score}")));
        if !looked {
            let own = h.attrs.iter().filter(|a| !matches!(a.word.as_str(), "no" | "none"));
            lines.extend(own.map(|a| {
                let name = a.name.replace('_', " ");
                if a.word == "yes" { name } else { format!("{name} {}", a.text) }
            }));
        }
        let piles = h.piles.iter().filter(|p| !(looked && p.cards.is_empty())).map(|p| self.make_pile(p));
        let (lit, held) = spot.map_or((None, false), |s| self.lit_state(s));
        Holder {
            title: if player.is_none() && h.kind.is_empty() {
                String::from("Table")
            } else {
                h.name.title.to_string()
            },
            player,
            turn: player.is_some() && self.view.turn == player,
            asked: player.is_some_and(|p| self.asked.contains(&p)),
            lines,
            face,
            piles: piles.collect(),
            spot,
            lit,
            held,
        }
    }

    fn make_pile(&self, pile: &Pile) -> PileBoard {
        PileBoard {
            zone: pile_name(pile),
            ordered: pile.ordered,
            pieces: self.make_pieces(pile),
            count: pile.cards.len(),
            hidden: pile.hidden,
        }
    }
}

fn offer_text(lit: Option<&Lit>, held: bool) -> String {
    let mut out = String::new();
    if held {
        out.push_str(" (picked)");
    }
    if let Some(lit) = lit {
        let _ = write!(out, " – offered: {}", lit.what.join("; "));
        let more = lit.ways.saturating_sub(lit.what.len() as u64);
        if more > 0 {
            let _ = write!(out, " and {more} more");
        }
    }
    out
}

impl Piece {
    /// What it is, in words.
    pub fn name(&self) -> String {
        match (&self.die, &self.title) {
            (Some(die), _) => die.title.clone(),
            (None, Some(title)) => title.clone(),
            (None, None) => format!("hidden {}", self.kind),
        }
    }

    /// All of it in words.
    pub fn describe(&self) -> String {
        let mut out = self.name();
        if self.down && self.title.is_some() {
            out.push_str(" (face down)");
        }
        if !self.notes.is_empty() {
            let _ = write!(out, " [{}]", self.notes.join(", "));
        }
        out.push_str(&offer_text(self.lit.as_ref(), self.held));
        out
    }
}

impl Holder {
    fn is_occupied(&self) -> bool {
        !self.lines.is_empty() || !self.piles.is_empty()
    }

    /// All of it but its piles in words.
    pub fn describe(&self) -> String {
        let mut out = self.title.clone();
        if !self.lines.is_empty() {
            let _ = write!(out, ": {}", self.lines.join(", "));
        }
        out.push_str(&offer_text(self.lit.as_ref(), self.held));
        out
    }
}

impl PileBoard {
    /// All of it in words: known ones by name, equal ones counted, hidden ones counted.
    pub fn describe(&self) -> String {
        let mut parts: Vec<(String, usize)> = Vec::new();
        for piece in &self.pieces {
            let said = piece.describe();
            let same = |last: &&mut (String, usize)| last.0 == said;
            let found =
                if self.ordered { parts.last_mut().filter(same) } else { parts.iter_mut().find(same) };
            match found {
                Some((_, n)) => *n += 1,
                None => parts.push((said, 1)),
            }
        }
        let texts: Vec<String> =
            parts.into_iter().map(|(t, n)| if n > 1 { format!("{n} × {t}") } else { t }).collect();
        let all = if texts.is_empty() { String::from("empty") } else { texts.join(", ") };
        format!("{}: {all}", self.zone)
    }
}
