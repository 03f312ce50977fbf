//! Compares views with the reference interpreter: a seat is told the attributes of all that is open, and of a component its face and what belongs to that face, if it knows the face; else only
//! what stands on the back (docs/book/reference/secrets.md).
use super::random_match::{RandomMatch, count_seats};
use super::reference::{Compared, Position};
use houserule_engine::{Card, HolderView, Pile, Seen, View};
use houserule_model::body::{types, walk};
use houserule_model::hir::*;
use houserule_reference::{Datum, Evaluator, Face, Stop};

/// Names of attributes with their values as numbers.
type ShownAttributes = Vec<(String, Option<i64>)>;

impl Position<'_> {
    /// The views of all seats.
    pub(super) fn compare_views(&self, c: &mut RandomMatch, out: &mut Compared) {
        let reference = Evaluator::new(self.numbers, self.world.clone());
        for seat in 0..count_seats(self.numbers.p) {
            let view = c.machine.view(seat);
            match self.compare_view(&view, seat, &reference) {
                Err(Stop::Unsupported(what)) => out.leave_out(format!("views: {what}")),
                Err(stop) => out.leave_out(format!("views: {stop:?}")),
                Ok(None) => out.cases += 1,
                Ok(Some(what)) => out.broken.push(c.to_broken(format!("the view of seat {seat}: {what}"))),
            }
        }
    }

    /// The first thing in a view that is not as the reference has it.
    fn compare_view(
        &self,
        view: &View,
        seat: usize,
        reference: &Evaluator<'_>,
    ) -> Result<Option<String>, Stop> {
        for h in all_holders(view) {
            let kind = |u: &&usize| self.numbers.p.universes[**u].name == h.kind;
            let of = match (0..self.numbers.p.universes.len()).find(|u| kind(&u)) {
                Some(u) if !h.kind.is_empty() => Datum::Thing(u as u16, h.number),
                _ => Datum::None,
            };
            let told = read_attributes(&h.attrs);
            let mut rest = told.clone();
            for attr in self.expected_attributes(&of, |_| true) {
                let Some(at) = rest.iter().position(|x| *x == attr) else {
                    return Ok(Some(format!(
                        "of {} {told:?} is told, and not {attr:?}",
                        self.write_value(&of)
                    )));
                };
                rest.remove(at);
            }
            for pile in &h.piles {
                if let Some(zone) = self.numbers.places[usize::from(pile.place)].zone
                    && let Some(what) = self.find_wrong_order(zone, pile)
                {
                    return Ok(Some(format!(
                        "what lies in {} of {} {what}",
                        pile.zone,
                        self.write_value(&of)
                    )));
                }
                let mut expected = Vec::new();
                for x in &self.world.lying[usize::from(pile.place)] {
                    expected.push(self.expected_card(x, seat, reference)?);
                }
                let mut cards: Vec<_> = pile.cards.iter().map(read_card).collect();
                if !pile.ordered {
                    expected.sort();
                    cards.sort();
                }
                if expected != cards {
                    let what = format!("in {} of {} {cards:?}", pile.zone, self.write_value(&of));
                    return Ok(Some(format!("{what}, in the reference {expected:?}")));
                }
            }
        }
        Ok(None)
    }

    /// What is wrong with the order in which a zone is shown: what all see of players and of the table is shown as it came; of the rest no order is told that no rule asks for.
    fn find_wrong_order(&self, zone: &Zone, pile: &Pile) -> Option<&'static str> {
        let slot = self.numbers.places[usize::from(pile.place)].slot?;
        let on_space = zone.of.is_some_and(|k| types::is_space(self.game.model(), k));
        let open = matches!(zone.seen, houserule_model::hir::Seen::All) && !zone.slot && !on_space;
        if open && !pile.ordered {
            return Some("has lost its order");
        }
        let asked = open || slot.order_asked || zone.sorted.is_some();
        // What changes places with what all see takes its order along.
        (pile.ordered && !asked && !self.has_swaps()).then_some("is shown in an order that nothing asks for")
    }

    fn has_swaps(&self) -> bool {
        let mut found = false;
        walk::visit_blocks(self.game.model(), &mut |b| {
            walk::visit_stmts(b, &mut |s| found |= matches!(s.kind, StmtKind::Swap(..)));
        });
        found
    }

    /// What a view must show of a component: its face, if the seat knows it, and its attributes.
    fn expected_card(
        &self,
        x: &Datum,
        seat: usize,
        reference: &Evaluator<'_>,
    ) -> Result<(Option<String>, ShownAttributes), Stop> {
        let (piece, face) = (self.world.piece(x)?, reference.face_of(x)?);
        let known = piece.known >> seat & 1 == 1;
        let told = |a: &Attr| known && has_attribute(self.game.model(), face, a) || a.side == AttrSide::Back;
        Ok((known.then(|| self.write_value(&face.thing)), self.expected_attributes(x, told)))
    }

    /// The attributes of a thing (of none the table) that are told, in order.
    fn expected_attributes(&self, of: &Datum, told: impl Fn(&Attr) -> bool) -> ShownAttributes {
        let m = self.game.model();
        let mut out: ShownAttributes = Vec::new();
        // What rules note for themselves (`end PHASE`) is told to nobody.
        for (id, at) in self.numbers.attrs.iter().filter(|(id, _)| !m.is_own(**id)) {
            let attr = &m.attrs[id.index()];
            let value = self.world.attrs.get(&(*at, of.clone()));
            let Some(value) = value.filter(|_| told(attr)) else { continue };
            let number = match value {
                Datum::Int(n) => Some(*n),
                Datum::Bool(b) => Some(i64::from(*b)),
                // Which of several components it is is told to nobody.
                Datum::Thing(_, n) if !self.world.pieces.contains_key(value) => Some(i64::from(*n)),
                Datum::Place(n) | Datum::Phase(n) => Some(i64::from(*n)),
                _ => None,
            };
            out.push((m.shown_name(attr).to_string(), number));
        }
        out.sort();
        out
    }
}

/// Whether a component that shows a face has an attribute.
fn has_attribute(m: &Model, face: &Face, attr: &Attr) -> bool {
    match attr.has_of {
        Some(HasOf::Member(member)) => face.member == Some(member),
        _ => attr.of.is_some_and(|k| types::is_a(m, face.kind, k)),
    }
}

fn read_card(card: &Card) -> (Option<String>, ShownAttributes) {
    (card.face.as_ref().map(|f| f.word.to_string()), read_attributes(&card.attrs))
}

fn read_attributes(attrs: &[Seen]) -> ShownAttributes {
    let mut out: ShownAttributes = attrs.iter().map(|a| (a.name.to_string(), a.number)).collect();
    out.sort();
    out
}

/// All holders of a view: the table, players and spaces.
pub(super) fn all_holders(v: &View) -> impl Iterator<Item = &HolderView> {
    std::iter::once(&v.table).chain(&v.players).chain(&v.others).chain(v.maps.iter().flat_map(|m| &m.spaces))
}
