//! What a seat may choose, as rows with keys, and how a choice is picked: by a key, by things on the board one after the other, or by typed words.
use houserule::engine::{Choice, QuestionKind, View};
use houserule::play::points::list_points;
use houserule::play::{Decision, Illegal, Match, Offered, Piece, PieceOffer, Point, Spot, Spots};
use std::collections::BTreeMap;

/// Keys of rows, in order.
pub const KEYS: &str = "123456789abcdefghijklmnopqrstuvwxyz";

/// So many choices are listed as they are; more of them piece by piece.
const FLAT: u64 = 12;

/// So many choices are looked through for what is clicked or typed.
const LISTED: u64 = 3000;

/// So many rows are shown.
const ROWS: usize = 200;

/// What has been picked of a choice so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Picker {
    /// The question that is answered, if the seat is asked several; else the first.
    pub question: Option<u32>,
    /// Pieces that have been picked.
    pub path: Vec<Piece>,
    /// Things on the board that have been clicked.
    pub clicked: Vec<Spot>,
    /// What has been typed.
    pub typed: String,
}

/// What comes of a pick.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Picked {
    /// A whole choice.
    Choice(Choice),
    /// Another piece of it: the picker has it.
    Piece,
    /// Nothing on offer is that.
    Nothing,
}

/// What a row does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Does {
    /// It is a choice.
    Choose(Choice),
    /// It is a piece of so many choices.
    Go(Piece, u64),
    /// It is an element that has been picked: it is put back.
    PutBack(Piece),
}

/// A row of the list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChoiceRow {
    /// The key that takes it.
    pub key: Option<char>,
    /// For people.
    pub title: String,
    /// As it can be typed.
    pub words: String,
    /// What it names on the board, in order.
    pub spots: Vec<Spot>,
    /// What it does.
    pub does: Does,
}

/// What is lit up on the board.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lit {
    /// Titles of what is offered there, the first few.
    pub what: Vec<String>,
    /// How many choices name it.
    pub ways: u64,
}

/// What a seat may choose.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choices {
    /// The question's number.
    pub question: u32,
    /// All questions that the seat is asked: number and prompt.
    pub asked: Vec<(u32, String)>,
    /// On whose behalf.
    pub name: String,
    /// What is asked.
    pub prompt: String,
    /// Answers in all; `u64::MAX` for that many or more.
    pub total: u64,
    /// The rows.
    pub rows: Vec<ChoiceRow>,
    /// The pieces before those of the rows, where nothing has been picked yet: the only action on offer.
    pub base: Vec<Piece>,
    /// How many rows there would be besides.
    pub more: u64,
    /// What has been picked so far, in words.
    pub picked: Vec<String>,
    /// The choice that it makes, if it makes one, in words.
    pub complete: Option<(Choice, String)>,
    /// Of a set that is being picked: how many it takes at least and at most.
    pub picking: Option<(u32, u32)>,
    /// What is lit up.
    pub lit: BTreeMap<Spot, Lit>,
    /// Things that have been clicked or picked.
    pub held: Vec<Spot>,
}

/// A listed choice with what it names.
struct ListedChoice {
    offered: Offered,
    spots: Vec<Spot>,
}

impl Choices {
    /// What a seat is asked first, or what the picker says; `None` if it is asked nothing, or the rules fail on it.
    pub fn from_match(m: &mut Match, seat: usize, picker: &Picker) -> Option<Choices> {
        let decisions = m.decisions().ok()?;
        let mine: Vec<Decision> = decisions.into_iter().filter(|d| d.seats.contains(&seat)).collect();
        let wanted = mine.iter().find(|d| Some(d.question) == picker.question);
        let d = wanted.or(mine.first())?.clone();
        let mut out = Choices {
            question: d.question,
            asked: mine.into_iter().map(|d| (d.question, d.prompt)).collect(),
            name: d.name.clone(),
            prompt: if d.prompt.is_empty() { String::from("your choice") } else { d.prompt.clone() },
            total: d.count,
            rows: Vec::new(),
            base: Vec::new(),
            more: 0,
            picked: Vec::new(),
            complete: None,
            picking: None,
            lit: BTreeMap::new(),
            held: picker.clicked.clone(),
        };
        let listed = list_answers(m, seat, &d);
        if !picker.path.is_empty() || listed.is_empty() {
            out.add_piece_rows(m, seat, picker, &[]);
            return Some(out);
        }
        if picker.clicked.is_empty() && picker.typed.trim().is_empty() {
            if d.count <= FLAT && !matches!(d.kind, QuestionKind::Subset(..)) {
                listed.iter().for_each(|l| out.add_row(l));
            } else {
                out.add_piece_rows(m, seat, picker, &listed);
            }
        } else {
            let fits = filter_choices(&listed, &picker.clicked, &picker.typed);
            out.more = fits.len().saturating_sub(ROWS) as u64;
            fits.iter().take(ROWS).for_each(|l| out.add_row(l));
            // What was clicked may be a whole choice already, though more could be added to it.
            let whole = |l: &&&ListedChoice| {
                l.spots.len() == picker.clicked.len() && is_naming_all(l, &picker.clicked)
            };
            let mut exact = fits.iter().filter(whole);
            if let (Some(l), None) = (exact.next(), exact.next())
                && fits.len() > 1
                && !picker.clicked.is_empty()
            {
                out.complete = Some((l.offered.choice.clone(), l.offered.words.clone()));
            }
            let next = picker.clicked.len();
            for l in fits {
                if let Some(spot) = l.spots.get(next) {
                    out.light_spot(*spot, &l.offered.title, 1);
                }
            }
            out.assign_keys();
            return Some(out);
        }
        for l in &listed {
            if let Some(spot) = l.spots.first() {
                out.light_spot(*spot, &l.offered.title, 1);
            }
        }
        out.assign_keys();
        Some(out)
    }

    fn add_row(&mut self, l: &ListedChoice) {
        self.rows.push(ChoiceRow {
            key: None,
            title: l.offered.title.clone(),
            words: l.offered.words.clone(),
            spots: l.spots.clone(),
            does: Does::Choose(l.offered.choice.clone()),
        });
    }

    fn light_spot(&mut self, spot: Spot, title: &str, ways: u64) {
        let lit = self.lit.entry(spot).or_default();
        lit.ways = lit.ways.saturating_add(ways);
        if lit.what.len() < 3 {
            lit.what.push(title.to_string());
        }
    }

    fn assign_keys(&mut self) {
        for (row, key) in self.rows.iter_mut().zip(KEYS.chars()) {
            row.key = Some(key);
        }
    }

    /// Rows that are pieces.
    fn add_piece_rows(&mut self, m: &mut Match, seat: usize, picker: &Picker, listed: &[ListedChoice]) {
        let Ok(mut pieces) = m.list_pieces(Some(seat), self.question, &picker.path) else { return };
        // Where there is but one thing to do, what it is done with is asked at once.
        if let ([PieceOffer { piece: only @ Piece::Action(_), title, ways: 2.., .. }], [], true) =
            (pieces.offers.as_slice(), picker.path.as_slice(), picker.typed.trim().is_empty())
            && let Ok(mut next) = m.list_pieces(Some(seat), self.question, std::slice::from_ref(only))
        {
            next.offers.iter_mut().for_each(|o| o.title = format!("{title} {}", o.title));
            self.base = vec![only.clone()];
            pieces = next;
        }
        let fixed = fixed_pieces(&picker.path);
        self.picked = describe_picked(m, seat, self.question, fixed);
        self.picking = pieces.picking;
        if fixed.len() < picker.path.len() {
            pieces.offers = with_picked(m, seat, self.question, &picker.path, pieces.offers);
        }
        if let Some(choice) = pieces.complete {
            let words = m.choice_words(self.question, &choice).unwrap_or_default();
            self.complete = Some((choice, words));
        }
        let all: Vec<Point> = pieces.offers.iter().flat_map(|o| o.points.clone()).collect();
        let found = find_spots(m, seat, &all);
        let spot = |point: &Point| found.iter().find(|(p, _)| p == point).map(|(_, s)| *s);
        self.more = pieces.offers.len().saturating_sub(ROWS) as u64;
        let typed = picker.typed.trim().to_lowercase();
        for o in &pieces.offers {
            let spots: Vec<Spot> = o.points.iter().filter_map(spot).collect();
            let picked = picker.path.contains(&o.piece);
            if listed.is_empty()
                && !picked
                && let Some(first) = spots.first()
            {
                self.light_spot(*first, &o.title, o.ways);
            }
            let hit = |text: &str| text.to_lowercase().contains(&typed);
            let here = picker.clicked.last().is_none_or(|c| spots.first() == Some(c));
            if self.rows.len() < ROWS && here && (typed.is_empty() || hit(&o.words) || hit(&o.title)) {
                let row = row_of_piece(o, spots, listed);
                let does = if picked { Does::PutBack(o.piece.clone()) } else { row.does };
                self.rows.push(ChoiceRow { does, ..row });
            }
        }
        let elements: Vec<Point> = picked_points(m, self.question, &picker.path);
        self.held.extend(spots_of(&find_spots(m, seat, &elements)));
        self.assign_keys();
    }

    /// Puts the rows into the order in which they were listed before, with their keys; new ones come behind them, with keys that are free. `before` has the words of each row and its key.
    pub fn keep_rows(&mut self, before: &[(String, Option<char>)]) {
        let place = |row: &ChoiceRow| before.iter().position(|(words, _)| *words == row.words);
        let same = self.rows.iter().enumerate().all(|(i, row)| place(row) == Some(i));
        if same || self.rows.is_empty() {
            return;
        }
        self.rows.sort_by_cached_key(|row| place(row).unwrap_or(usize::MAX));
        let kept = |row: &ChoiceRow| place(row).and_then(|i| before.get(i)).and_then(|(_, key)| *key);
        let keys: Vec<Option<char>> = self.rows.iter().map(kept).collect();
        let mut free = KEYS.chars().filter(|k| !keys.contains(&Some(*k)));
        for (row, key) in self.rows.iter_mut().zip(&keys) {
            row.key = key.or_else(|| free.next());
        }
    }

    /// What must come next, if only one thing can: the choice, if nothing can be added to it, or the only next piece.
    pub fn forced_pick(&self) -> Option<Picked> {
        match (&self.complete, self.rows.as_slice()) {
            (Some((choice, _)), rows) if rows.iter().all(|r| matches!(r.does, Does::PutBack(_))) => {
                Some(Picked::Choice(choice.clone()))
            }
            (None, [row]) if self.picking.is_none() && self.more == 0 && !self.picked.is_empty() => {
                match &row.does {
                    Does::Choose(choice) => Some(Picked::Choice(choice.clone())),
                    Does::Go(..) | Does::PutBack(_) => Some(Picked::Piece),
                }
            }
            _ => None,
        }
    }

    /// The row that a key takes.
    pub fn row_of_key(&self, key: char) -> Option<usize> {
        self.rows.iter().position(|r| r.key == Some(key.to_ascii_lowercase()))
    }
}

fn row_of_piece(o: &PieceOffer, spots: Vec<Spot>, listed: &[ListedChoice]) -> ChoiceRow {
    let (mut title, mut words) = (o.title.clone(), o.words.clone());
    let mut spots = spots;
    let does = match &o.piece {
        Piece::Whole(choice) => {
            if let Some(l) = listed.iter().find(|l| l.offered.choice == *choice) {
                title += &l.offered.cost_note();
            }
            Does::Choose(choice.clone())
        }
        // The only choice that goes on so stands there whole.
        Piece::Action(ix) if o.ways == 1 => {
            let is = |l: &&ListedChoice| matches!(&l.offered.choice, Choice::Action { action, .. } if action == ix);
            match listed.iter().find(is) {
                Some(l) => {
                    (title, words) = (l.offered.title.clone(), l.offered.words.clone());
                    title += &l.offered.cost_note();
                    spots = l.spots.clone();
                    Does::Choose(l.offered.choice.clone())
                }
                None => Does::Go(o.piece.clone(), 1),
            }
        }
        piece => Does::Go(piece.clone(), o.ways),
    };
    ChoiceRow { key: None, title, words, spots, does }
}

/// The pieces so far, in words.
fn describe_picked(m: &mut Match, seat: usize, question: u32, path: &[Piece]) -> Vec<String> {
    let mut out = Vec::new();
    for n in 0..path.len() {
        let (before, piece) = (path.get(..n).unwrap_or(&[]), path.get(n));
        let offers = m.list_pieces(Some(seat), question, before).map(|p| p.offers).unwrap_or_default();
        out.extend(offers.into_iter().find(|o| Some(&o.piece) == piece).map(|o| o.title));
    }
    out
}

/// The pieces before the elements of a set.
fn fixed_pieces(path: &[Piece]) -> &[Piece] {
    let fixed = path.iter().take_while(|p| !matches!(p, Piece::Element(_))).count();
    path.get(..fixed).unwrap_or(&[])
}

/// The elements of a set, those that have been picked and those that may be, in the order in which they stood before the first was picked. One that stands for alike ones comes behind them.
fn with_picked(
    m: &mut Match,
    seat: usize,
    question: u32,
    path: &[Piece],
    offers: Vec<PieceOffer>,
) -> Vec<PieceOffer> {
    let from = fixed_pieces(path).len();
    let mut list = |n: usize| {
        let before = path.get(..n).unwrap_or(&[]);
        m.list_pieces(Some(seat), question, before).map(|p| p.offers).unwrap_or_default()
    };
    let mut all: Vec<PieceOffer> = list(from);
    let add = |all: &mut Vec<PieceOffer>, o: PieceOffer| {
        if all.iter().any(|a| a.piece == o.piece) {
            return;
        }
        let at = all.iter().rposition(|a| a.title == o.title).map_or(all.len(), |i| i + 1);
        all.insert(at, o);
    };
    for (n, piece) in path.iter().enumerate().skip(from) {
        let found = list(n).into_iter().find(|o| o.piece == *piece);
        found.into_iter().for_each(|o| add(&mut all, o));
    }
    offers.iter().cloned().for_each(|o| add(&mut all, o));
    all.retain(|o| path.contains(&o.piece) || offers.contains(o));
    all
}

/// The elements that have been picked, as points.
fn picked_points(m: &mut Match, question: u32, path: &[Piece]) -> Vec<Point> {
    let offers = m.list_pieces(None, question, fixed_pieces(path)).map(|p| p.offers).unwrap_or_default();
    offers.into_iter().filter(|o| path.contains(&o.piece)).flat_map(|o| o.points).collect()
}

fn spots_of(found: &[(Point, Spot)]) -> impl Iterator<Item = Spot> + '_ {
    found.iter().map(|(_, s)| *s)
}

/// Maps the place of each zone of a space to that space.
fn places_on_spaces(view: &View) -> BTreeMap<u16, Spot> {
    let mut out = BTreeMap::new();
    for (map, m) in view.maps.iter().enumerate() {
        for (space, holder) in m.spaces.iter().enumerate() {
            out.extend(holder.piles.iter().map(|p| (p.place, Spot::Space { map, space })));
        }
    }
    out
}

/// The spot that the user clicks to choose something. A component on a space is chosen by a click on the space.
fn spot_on_board(on_spaces: &BTreeMap<u16, Spot>, spot: Spot) -> Spot {
    match spot {
        Spot::Card { place, .. } => on_spaces.get(&place).copied().unwrap_or(spot),
        _ => spot,
    }
}

/// The spots that the user clicks to choose these things, in the view of a seat.
fn find_spots(m: &mut Match, seat: usize, points: &[Point]) -> Vec<(Point, Spot)> {
    if points.is_empty() {
        return Vec::new();
    }
    let view = m.view(seat);
    let on_spaces = places_on_spaces(&view);
    let index = Spots::new(&view);
    let look = m.machine().look();
    let mut out: Vec<(Point, Spot)> = Vec::new();
    for point in points {
        if !out.iter().any(|(p, _)| p == point)
            && let Some(spot) = index.find_spot(look, *point)
        {
            out.push((*point, spot_on_board(&on_spaces, spot)));
        }
    }
    out
}

/// All answers with what they name; none if there are too many.
fn list_answers(m: &mut Match, seat: usize, d: &Decision) -> Vec<ListedChoice> {
    if d.count > LISTED {
        return Vec::new();
    }
    let offered = m.list_options_for(Some(seat), d.question, 0, LISTED as usize).unwrap_or_default();
    let program = m.program().clone();
    let named: Vec<Vec<Point>> = offered.iter().map(|o| list_points(&program, d.kind, &o.choice)).collect();
    let view = m.view(seat);
    let on_spaces = places_on_spaces(&view);
    let index = Spots::new(&view);
    let look = m.machine().look();
    let mut known: BTreeMap<(u16, i64), Option<Spot>> = BTreeMap::new();
    let on_board = |p: &Point| index.find_spot(look, *p).map(|s| spot_on_board(&on_spaces, s));
    let mut spot = |p: &Point| *known.entry((p.0.0, p.1)).or_insert_with(|| on_board(p));
    let rows = offered.into_iter().zip(named);
    rows.map(|(offered, points)| ListedChoice {
        spots: points.iter().filter_map(&mut spot).collect(),
        offered,
    })
    .collect()
}

/// Whether a choice names all that was clicked, as often as it was clicked.
fn is_naming_all(l: &ListedChoice, clicked: &[Spot]) -> bool {
    let times = |all: &[Spot], spot: &Spot| all.iter().filter(|s| *s == spot).count();
    clicked.iter().all(|c| times(clicked, c) <= times(&l.spots, c))
}

/// Choices that begin with what was clicked, or else hold it, and hold what was typed.
fn filter_choices<'l>(listed: &'l [ListedChoice], clicked: &[Spot], typed: &str) -> Vec<&'l ListedChoice> {
    let begins: Vec<&ListedChoice> = listed.iter().filter(|l| l.spots.starts_with(clicked)).collect();
    let holds = |l: &&ListedChoice| is_naming_all(l, clicked);
    let mut out = if begins.is_empty() { listed.iter().filter(holds).collect() } else { begins };
    let typed = typed.trim().to_lowercase();
    if !typed.is_empty() {
        // What is typed may leave out brackets and blanks.
        let bare = |t: &str| {
            t.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>()
        };
        let wanted = bare(&typed);
        out.retain(|l| bare(&l.offered.words).contains(&wanted) || bare(&l.offered.title).contains(&wanted));
    }
    out
}

impl Picker {
    /// Takes a row.
    pub fn pick_row(&mut self, choices: &Choices, row: usize) -> Picked {
        match choices.rows.get(row).map(|r| r.does.clone()) {
            Some(Does::Choose(choice)) => Picked::Choice(choice),
            Some(Does::PutBack(piece)) => {
                self.path.retain(|p| *p != piece);
                self.question = Some(choices.question);
                Picked::Piece
            }
            Some(Does::Go(piece, _)) => {
                if self.path.is_empty() {
                    self.path.clone_from(&choices.base);
                }
                self.path.push(piece);
                self.clicked.clear();
                self.typed.clear();
                self.question = Some(choices.question);
                Picked::Piece
            }
            None => Picked::Nothing,
        }
    }

    /// Takes something on the board.
    ///
    /// # Errors
    /// What went wrong in the rules.
    pub fn click_spot(
        &mut self,
        m: &mut Match,
        seat: usize,
        choices: &Choices,
        spot: Spot,
    ) -> Result<Picked, Illegal> {
        let d = m.decisions()?.into_iter().find(|d| d.question == choices.question);
        let listed = d.map(|d| list_answers(m, seat, &d)).unwrap_or_default();
        let spot = spot_on_board(&places_on_spaces(&m.view(seat)), spot);
        // If several elements of a set lie on one space, each click picks one more, and a click after the last removes all of them.
        let here = self.elements_at(m, seat, choices.question, spot);
        if !here.is_empty() && here.iter().all(|e| self.path.contains(e)) {
            self.path.retain(|p| !here.contains(p));
            return Ok(Picked::Piece);
        }
        if !self.path.is_empty() || listed.is_empty() || picks_elements(choices) {
            let is_new = |r: &ChoiceRow| !matches!(&r.does, Does::PutBack(_));
            let rows = choices.rows.iter().enumerate();
            let found: Vec<(usize, &ChoiceRow)> =
                rows.filter(|(_, r)| r.spots.first() == Some(&spot) && is_new(r)).collect();
            let of_set = |r: &ChoiceRow| matches!(r.does, Does::Go(Piece::Element(_), _));
            return Ok(match found.as_slice() {
                [] => Picked::Nothing,
                [(i, r), rest @ ..] if rest.is_empty() || of_set(r) => self.pick_row(choices, *i),
                // Several things on the space can be chosen: the list shows only these, and the user picks one.
                _ => {
                    self.clicked = vec![spot];
                    Picked::Piece
                }
            });
        }
        self.question = Some(choices.question);
        let mut clicked = self.clicked.clone();
        if let Some(at) = clicked.iter().position(|s| *s == spot)
            && filter_choices(&listed, &with_spot(&clicked, spot), "").is_empty()
        {
            // Clicked again: put back.
            self.clicked.remove(at);
            return Ok(Picked::Piece);
        }
        clicked.push(spot);
        let mut fits = filter_choices(&listed, &clicked, &self.typed);
        if fits.is_empty() {
            clicked = vec![spot];
            fits = filter_choices(&listed, &clicked, "");
            self.typed.clear();
        }
        match fits.as_slice() {
            [] => Ok(Picked::Nothing),
            [one] if one.spots.len() <= clicked.len() => Ok(Picked::Choice(one.offered.choice.clone())),
            _ => {
                self.clicked = clicked;
                Ok(Picked::Piece)
            }
        }
    }

    /// The elements of the set, picked or not, that a click on this spot chooses.
    fn elements_at(&self, m: &mut Match, seat: usize, question: u32, spot: Spot) -> Vec<Piece> {
        let before = fixed_pieces(&self.path);
        if before.len() == self.path.len() {
            return Vec::new();
        }
        let offers = m.list_pieces(Some(seat), question, before).map(|p| p.offers).unwrap_or_default();
        let points: Vec<Point> = offers.iter().flat_map(|o| o.points.clone()).collect();
        let found = find_spots(m, seat, &points);
        let is = |o: &PieceOffer| o.points.iter().any(|p| found.iter().any(|(q, s)| q == p && *s == spot));
        offers.into_iter().filter(is).map(|o| o.piece).collect()
    }

    /// Puts the last pick back. False if there is none.
    pub fn undo_pick(&mut self) -> bool {
        if !self.typed.is_empty() {
            self.typed.clear();
            return true;
        }
        self.path.pop().is_some() || self.clicked.pop().is_some()
    }
}

/// Whether rows are elements of a set.
fn picks_elements(choices: &Choices) -> bool {
    choices.rows.iter().any(|r| matches!(r.does, Does::Go(Piece::Element(_), _) | Does::PutBack(_)))
}

fn with_spot(clicked: &[Spot], spot: Spot) -> Vec<Spot> {
    let mut out = clicked.to_vec();
    out.push(spot);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(words: &[&str]) -> Choices {
        let row = |w: &&str| ChoiceRow {
            key: None,
            title: String::from(*w),
            words: String::from(*w),
            spots: Vec::new(),
            does: Does::Go(Piece::Whole(Choice::Done), 1),
        };
        let mut out = Choices {
            question: 1,
            asked: Vec::new(),
            name: String::new(),
            prompt: String::new(),
            total: 0,
            rows: words.iter().map(row).collect(),
            base: Vec::new(),
            more: 0,
            picked: Vec::new(),
            complete: None,
            picking: None,
            lit: BTreeMap::new(),
            held: Vec::new(),
        };
        out.assign_keys();
        out
    }

    fn keyed(c: &Choices) -> Vec<(String, Option<char>)> {
        c.rows.iter().map(|r| (r.words.clone(), r.key)).collect()
    }

    #[test]
    fn rows_keep_their_keys_while_others_come_and_go() {
        let before = keyed(&listed(&["go A1", "go A2", "go B1"]));
        let mut now = listed(&["go A0", "go A2", "go B1", "go C1"]);
        now.keep_rows(&before);
        let shown: Vec<(&str, char)> = now.rows.iter().map(|r| (&*r.words, r.key.unwrap_or('-'))).collect();
        assert_eq!(shown, [("go A2", '2'), ("go B1", '3'), ("go A0", '1'), ("go C1", '4')]);
        let mut same = listed(&["go A1", "go A2", "go B1", "go C1"]);
        same.keep_rows(&before);
        assert_eq!(keyed(&same), keyed(&listed(&["go A1", "go A2", "go B1", "go C1"])));
    }
}
