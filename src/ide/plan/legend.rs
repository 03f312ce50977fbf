//! Plans edits of legends: rows of a sheet's own legend, and marks on spaces for which the legend must have a sign.
use super::paint::{Grid, check_sign, plan_paint};
use super::{Desk, describe_places, fields, place};
use crate::draw::brush::Strokes;
use crate::draw::{Legends, Spot};
use crate::edit::{Edit, EditSet, Offer, Refusal};
use houserule_model::hir::{AttrId, Mark, ZoneId};
use houserule_syntax::ast::ItemKind;
use houserule_text::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What is to become of a mark.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MarkWish {
    /// It is to be there.
    Put,
    /// It is not to be there.
    Take,
}

/// Writes a row of the sheet's own legend.
pub(super) fn plan_set(desk: &Desk<'_>, map: &str, sign: &str, marks: &str) -> Result<EditSet, Refusal> {
    check_sign(sign)?;
    let marks = marks.trim();
    fields::check_row(desk, map, sign, marks)?;
    let legends = Legends::from_layers(desk.analysis, &desk.layers, map);
    let what = format!("explain {sign} on {map}");
    if let Some(own) = legends.rows.iter().rev().find(|r| r.own && r.sign.text == sign) {
        desk.check_readable(own.row.span)?;
        if own.row.signs.len() > 1 {
            let why = format!("`{sign}` shares its row with other signs: change it in the text");
            return Err(Refusal { why, offers: vec![desk.go_to(own.row.span)] });
        }
        if own.row.marks.is_empty() && own.row.when.is_some() {
            let why = format!("the row of `{sign}` has a condition: change it in the text");
            return Err(Refusal { why, offers: vec![desk.go_to(own.row.span)] });
        }
        let last = own.row.when.as_ref().map(|w| w.span).or(own.row.marks.last().map(|m| m.span));
        let from = own.row.marks.first().map(|m| m.span);
        if let (Some(from), Some(last)) = (from, last) {
            let span = Span { end: last.end.max(from.end), ..from };
            let text = place::trimmed(desk.text_of(span.file), span);
            if text == marks {
                return Ok(EditSet::default());
            }
            let start = span.start as usize;
            let range = start..start + text.len();
            // A row without marks would take the next line's for its own.
            let next = desk.text_of(span.file).get(range.end..).unwrap_or("").trim_start_matches([' ', '\t']);
            let ends = marks.is_empty() && !next.starts_with([';', '}']);
            return self::to_edit_set(what, desk.make_edit(span.file, range, if ends { ";" } else { marks }));
        }
        if marks.is_empty() {
            return Ok(EditSet::default());
        }
        let end =
            own.row.span.start as usize + place::trimmed(desk.text_of(own.row.span.file), own.row.span).len();
        return self::to_edit_set(what, desk.make_edit(own.row.span.file, end..end, format!(" {marks}")));
    }
    set_of(what, new_row(desk, map, sign, marks)?)
}

fn to_edit_set(label: String, edit: Edit) -> Result<EditSet, Refusal> {
    set_of(label, vec![edit])
}

fn set_of(label: String, edits: Vec<Edit>) -> Result<EditSet, Refusal> {
    super::to_edit_set(label, edits)
}

/// The edit that adds a row to the sheet's own legend, or a legend with it.
fn new_row(desk: &Desk<'_>, map: &str, sign: &str, marks: &str) -> Result<Vec<Edit>, Refusal> {
    let legends = Legends::from_layers(desk.analysis, &desk.layers, map);
    let row = format!("{sign}: {marks}");
    let Some((item, l)) = legends.own.last() else {
        let scenario = desk.own_declaration()?;
        desk.check_readable(scenario.span)?;
        return Ok(vec![place::insert_line(
            desk,
            scenario,
            place::Sort::Legend,
            &format!("legend {map} {{ {row} }}"),
        )]);
    };
    desk.check_readable(item.span)?;
    let file = item.span.file;
    let text = desk.text_of(file);
    let Some(last) = l.rows.last() else {
        let end = item.span.start as usize + place::trimmed(text, item.span).len();
        let inside = text.get(item.span.start as usize..end).unwrap_or("");
        let open = inside.find('{').map_or(end, |n| item.span.start as usize + n + 1);
        let close = end.saturating_sub(1).max(open);
        let empty = text.get(open..close).is_some_and(|t| t.trim().is_empty());
        let eol = place::eol(text);
        // Remarks inside stay.
        return Ok(vec![match empty {
            true => desk.make_edit(file, open..close, format!(" {row} ")),
            false => desk.make_edit(file, close..close, format!("{eol}{row}{eol}")),
        }]);
    };
    let end = last.span.start as usize + place::trimmed(text, last.span).len();
    let start = place::line_start(text, last.span.start as usize);
    if start <= item.span.start as usize {
        return Ok(vec![desk.make_edit(file, end..end, format!("; {row}"))]);
    }
    // Rows stand in lines of their own: so does the new one, behind the remark of the last.
    let rest = text.get(end..place::line_end(text, end)).unwrap_or("").trim_start();
    let closed = rest.starts_with(';');
    let at = if rest.starts_with('#') || closed { place::line_end(text, end) } else { end };
    let indent = place::indent_of(text, last.span.start as usize);
    let mut edits = Vec::new();
    // A row without marks would take the new one for its own.
    if last.marks.is_empty() && last.when.is_none() && !closed {
        edits.push(desk.make_edit(file, end..end, ";"));
    }
    edits.push(desk.make_edit(file, at..at, format!("{}{indent}{row}", place::eol(text))));
    Ok(edits)
}

/// Takes the sheet's own row for a sign out.
pub(super) fn plan_reset(desk: &Desk<'_>, map: &str, sign: &str) -> Result<EditSet, Refusal> {
    let legends = Legends::from_layers(desk.analysis, &desk.layers, map);
    let Some(own) = legends.rows.iter().rev().find(|r| r.own && r.sign.text == sign) else {
        return Ok(EditSet::default());
    };
    let Some((item, l)) = legends.own.iter().find(|(_, l)| l.rows.iter().any(|r| r.span == own.row.span))
    else {
        return Ok(EditSet::default());
    };
    desk.check_readable(item.span)?;
    let rest = legends.rows.iter().filter(|r| r.row.span != own.row.span).any(|r| r.sign.text == sign);
    if !rest
        && let Ok(grid) = Grid::from_desk(desk, map)
        && grid.lattice.spots().any(|s| grid.sign_at(s) == Some(sign))
    {
        return Err(Refusal::with_reason(format!(
            "`{sign}` is used on the map, and no other row explains it"
        )));
    }
    let what = format!("remove the row of {sign} on {map}");
    let file = item.span.file;
    if own.row.signs.len() > 1 {
        // Only the sign and the blanks behind it.
        let text = desk.text_of(file);
        let from = own.sign.span.start as usize;
        let next =
            own.row.signs.iter().find(|s| s.span.start > own.sign.span.start).map(|s| s.span.start as usize);
        let to = next.unwrap_or(own.sign.span.end as usize);
        let from = if next.is_some() {
            from
        } else {
            text.get(..from).map_or(from, |t| t.trim_end_matches(' ').len())
        };
        return self::to_edit_set(what, desk.make_edit(file, from..to, ""));
    }
    let mut range = place::with_comments(desk, own.row.span, None, Some(item.span.start as usize));
    // A row without marks before it would take the next line's for its own: it keeps the `;` between them.
    let before = l.rows.iter().rev().find(|r| r.span.start < own.row.span.start);
    let empty = before.is_some_and(|r| r.marks.is_empty() && r.when.is_none());
    if empty && desk.text_of(file).get(range.clone()).is_some_and(|t| t.starts_with(';')) {
        range.start += 1;
    }
    if l.rows.len() == 1
        && matches!(item.kind, ItemKind::Legend(_))
        && desk.layers.own_layer().is_some_and(|l| l.item.is_some())
    {
        range = place::with_comments(
            desk,
            item.span,
            item.doc.as_ref().map(|d| d.span),
            desk.own_declaration().ok().map(|s| place::end_of_opening(desk, s)),
        );
    }
    self::to_edit_set(what, desk.make_edit(file, range, ""))
}

/// What a mark fills of which a space has one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MarkTarget {
    Attr(AttrId),
    Slot(ZoneId),
    Whose,
}

/// Marks without order, each as often as it occurs.
fn sort_marks(marks: impl Iterator<Item = Arc<str>>) -> Vec<Arc<str>> {
    let mut all: Vec<Arc<str>> = marks.collect();
    all.sort();
    all
}

/// Puts a mark on places or takes it away, by signs of the legend that say the rest as before.
pub(super) fn plan_mark(
    desk: &Desk<'_>,
    map: &str,
    spots: &BTreeSet<Spot>,
    mark: &str,
    wish: MarkWish,
) -> Result<EditSet, Refusal> {
    let grid = Grid::from_desk(desk, map)?;
    let legends = Legends::from_layers(desk.analysis, &desk.layers, map);
    if legends.slots {
        let why = format!(
            "the signs of {map} are slots for patches, each once: change what the legend says of the slot"
        );
        return Err(Refusal::with_reason(why));
    }
    let marks_of = |sign: &str| {
        legends.meaning_of(sign).map(|m| (sort_marks(m.marks.into_iter().map(|(t, _)| t)), m.when))
    };
    let mut all: BTreeMap<&str, (Vec<Arc<str>>, Option<String>)> = BTreeMap::new();
    for r in &legends.rows {
        if let Some(m) = marks_of(&r.sign.text) {
            all.insert(&r.sign.text, m);
        }
    }
    // What there is one of on a space: an attribute, a slot. Another word for it takes the place of the first.
    let holds = |text: &str| {
        let model = &desk.analysis.model;
        let drawn = model.maps.iter().find(|m| *m.name == *map)?;
        legends.rows.iter().find_map(|r| {
            let n = r.row.marks.iter().position(|m| desk.analysis.slice(m.span).trim() == text)?;
            let row = drawn.legend.iter().find(|x| x.span == r.sign.span)?;
            match row.marks.get(n).filter(|_| row.marks.len() == r.row.marks.len())? {
                Mark::Set(a, _) | Mark::Player(a, _) => Some(MarkTarget::Attr(*a)),
                Mark::Component(_, z) | Mark::OfKind(_, z) | Mark::From(_, z) => {
                    model.zones.get(z.index()).is_some_and(|z| z.slot).then_some(MarkTarget::Slot(*z))
                }
                Mark::Whose(_) => Some(MarkTarget::Whose),
            }
        })
    };
    let held = holds(mark);
    let mut strokes = Strokes::new();
    for spot in spots {
        let Some(sign) = grid.sign_at(*spot) else {
            return Err(Refusal::with_reason(format!("there is no space {}: draw it first", spot.name())));
        };
        let (now, when) = match marks_of(sign) {
            Some(m) => m,
            None if sign == "." => {
                return Err(Refusal::with_reason(format!(
                    "there is no space {}: draw it first",
                    spot.name()
                )));
            }
            None => {
                return Err(Refusal::with_reason(format!(
                    "no legend explains the sign `{sign}` at {}",
                    spot.name()
                )));
            }
        };
        let has = now.iter().any(|m| **m == *mark);
        if has == (wish == MarkWish::Put) {
            continue;
        }
        let mut wanted = now.clone();
        // A sign of several letters may say it more than once.
        if has {
            wanted.retain(|m| **m != *mark);
        } else {
            wanted.retain(|m| held.is_none() || holds(m) != held);
            wanted.push(mark.into());
        }
        wanted.sort();
        let fits = |s: &str| marks_of(s).is_some_and(|(m, w)| m == wanted && w == when);
        let ready = all.iter().filter(|(_, m)| m.0 == wanted && m.1 == when).map(|(s, _)| s.to_string());
        let ready = ready.min_by_key(|s| s.chars().count());
        // Else a letter more or less.
        let letter = all
            .iter()
            .filter(|(s, (m, _))| s.chars().count() == 1 && m.len() == 1 && m.iter().all(|m| **m == *mark));
        let more = letter.map(|(s, _)| format!("{sign}{s}")).find(|s| wish == MarkWish::Put && fits(s));
        let fewer = || {
            sign.char_indices()
                .map(|(i, c)| format!("{}{}", &sign[..i], &sign[i + c.len_utf8()..]))
                .find(|s| !s.is_empty() && fits(s))
        };
        let found = ready.or(more).or_else(|| if wish == MarkWish::Take { fewer() } else { None });
        let Some(found) = found else {
            return Err(refuse_unsaid(desk, map, &legends, sign, &wanted, when.as_deref(), *spot));
        };
        strokes.insert(*spot, found.as_str().into());
    }
    if strokes.is_empty() {
        return Ok(EditSet::default());
    }
    let what = if wish == MarkWish::Put { format!("put {mark}") } else { format!("take {mark}") };
    let mut done = plan_paint(desk, map, &strokes, &what)?;
    done.label = format!("{what} at {}", describe_places(strokes.keys()));
    Ok(done)
}

/// No sign says that together: a row that would is offered, with the sign written at that place.
fn refuse_unsaid(
    desk: &Desk<'_>,
    map: &str,
    legends: &Legends<'_>,
    sign: &str,
    wanted: &[Arc<str>],
    when: Option<&str>,
    spot: Spot,
) -> Refusal {
    let words = wanted.join(", ");
    let said = if words.is_empty() { "nothing".to_string() } else { format!("`{words}`") };
    let mut refusal = Refusal::with_reason(format!("{map} has no sign that means exactly {said}"));
    // A letter that is not a sign yet, behind the present sign.
    let names = ('a'..='z').chain('A'..='Z').map(|c| format!("{sign}{c}"));
    let free = names.into_iter().find(|s| s.chars().count() <= 20 && legends.explaining_rows(s).is_empty());
    let marks = when.map_or(words.clone(), |w| format!("{words} when {w}"));
    if let Some(free) = free
        && let Ok(rows) = new_row(desk, map, &free, &marks)
    {
        let strokes: Strokes = [(spot, free.as_str().into())].into();
        if let Ok(grid) = Grid::from_desk(desk, map)
            && let Ok(mut edits) = super::paint::signs_to_edits_unchecked(desk, &grid, &strokes)
        {
            edits.extend(rows);
            let label = format!("explain {free}, and write it at {}", spot.name());
            if let Ok(set) = super::to_edit_set(label, edits) {
                refusal.offers.push(Offer::Instead(set));
            }
        }
    }
    if let Some(r) = legends.rows.last() {
        refusal.offers.push(desk.go_to(r.row.span));
    }
    refusal
}
