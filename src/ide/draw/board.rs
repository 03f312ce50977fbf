//! Reads a drawn map: each space with its sign, the meaning of the sign, and its place in the text.
use super::lattice::{Lattice, Spot, declared_size, drawn_size, to_topology};
use super::layers::{DrawnMap, Layers};
use super::legend::{Entry, Legends, Meaning};
use super::{Origin, look};
use crate::analysis::Analysis;
use houserule_syntax::ast::{Item, MapDecl, Picture};
use houserule_text::Span;
use std::collections::BTreeMap;
use std::sync::Arc;

/// One place of a drawn map.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Which.
    pub at: Spot,
    /// Its sign; none where the picture's row ends before it, or where nothing is drawn.
    pub sign: Option<Arc<str>>,
    /// Whether there is a space at all.
    pub space: bool,
    /// What its row and its sign put there, in the words of the legend: none, where no legend explains the sign.
    pub meaning: Option<Meaning>,
    /// What the rules fill it with: red, green, blue.
    pub colour: Option<[u8; 3]>,
    /// Where it stands.
    pub origin: Origin,
}

/// The name of a picture's row: a sign before a bar.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RowName {
    /// Which row, from the south.
    pub row: u32,
    /// The sign.
    pub sign: Arc<str>,
    /// What it puts on each space of the row.
    pub says: Option<String>,
    /// How many marks that is. They are the first ones of each space of the row.
    pub marks: usize,
    /// Where it stands.
    pub span: Span,
}

/// A map as a sheet shows it.
#[derive(Clone, Debug)]
pub struct Board {
    /// The map's name.
    pub name: Arc<str>,
    /// What its spaces are called in the rules: `Cell`.
    pub spaces: Arc<str>,
    /// How its places lie.
    pub lattice: Lattice,
    /// Where its size is declared, if it is: then all pictures have that size.
    pub fixed: Option<Span>,
    /// All places, row by row from the south-west.
    pub cells: Vec<Cell>,
    /// Names of rows.
    pub rows: Vec<RowName>,
    /// The signs that can be painted: `.` first, then those of the legend, then those put together of letters.
    pub palette: Vec<Entry>,
    /// The picture, with its quotes, whosever it is.
    pub grid: Option<Span>,
    /// Whose the picture is.
    pub origin: Origin,
}

impl Board {
    /// The board of a map as a sheet shows it.
    pub(super) fn from_map(analysis: &Analysis, layers: &Layers<'_>, map: &DrawnMap<'_>) -> Board {
        let legends = Legends::from_layers(analysis, layers, map.name);
        let topology = to_topology(map.shape);
        let declared = declared_size(map.shape);
        let own = map.picture.is_some_and(|(n, _, _)| layers.is_own(n));
        let picture = map.picture.and_then(|(_, _, m)| m.picture.as_ref());
        let (columns, rows) = match picture {
            Some(p) => drawn_size(p),
            None => declared.unwrap_or((0, 0)),
        };
        let lattice = Lattice { topology, columns, rows };
        let looks = look::Looks::from_map(analysis, map.name);
        let names: Vec<RowName> = picture.map_or_else(Vec::new, |p| {
            let named = p.rows.iter().zip((0..rows).rev());
            named
                .filter_map(|(line, row)| {
                    let l = line.label.as_ref()?;
                    let meaning = legends.meaning_of(&l.text);
                    let marks = meaning.as_ref().map_or(0, |m| m.marks.len());
                    let says = meaning.map(|m| m.says);
                    Some(RowName { row, sign: l.text.as_str().into(), says, marks, span: l.span })
                })
                .collect()
        });
        let dot = legends.row_of(".").is_some();
        // Many places say the same: each sign of a row is looked into once.
        type Said = (Option<Meaning>, Option<[u8; 3]>);
        let mut said: BTreeMap<(Option<String>, String), Said> = BTreeMap::new();
        let cells = lattice
            .spots()
            .map(|at| {
                let drawn = picture.and_then(|p| {
                    let line = p.rows.get((rows - 1 - at.row) as usize)?;
                    line.cells.get(at.column as usize)
                });
                let sign: Option<Arc<str>> = drawn.map(|c| c.text.as_str().into());
                let origin = match (picture, drawn) {
                    (Some(p), Some(c)) if own => {
                        Origin::Cell { grid: p.span, column: at.column, row: at.row, span: c.span }
                    }
                    (_, Some(c)) => Origin::FromOther(c.span),
                    (Some(p), None) => Origin::Default(Some(p.span)),
                    (None, _) => Origin::Default(Some(map.decl.span)),
                };
                let space = match &sign {
                    Some(s) => &**s != "." || dot,
                    None => picture.is_none(),
                };
                let row = names.iter().find(|n| n.row == at.row).map(|n| &*n.sign);
                let known = sign.as_deref().filter(|_| space).map(|s| (row, s));
                let (meaning, colour) = match known {
                    Some(key) => said
                        .entry((key.0.map(String::from), key.1.to_string()))
                        .or_insert_with(|| {
                            let mut put: Vec<(Span, bool)> =
                                row.map(|r| legends.mark_spans(r)).unwrap_or_default();
                            put.extend(legends.mark_spans(key.1));
                            (legends.meaning_of_cell(row, key.1), looks.find_fill(&put))
                        })
                        .clone(),
                    None => (None, None),
                };
                Cell { at, sign, space, meaning, colour, origin }
            })
            .collect::<Vec<Cell>>();
        let mut palette = legends.make_palette(cells.iter().filter_map(|c| c.sign.as_deref()), &looks);
        // Signs that only name rows come last, because they are seldom painted.
        palette.sort_by_key(|e| e.used == 0 && names.iter().any(|n| n.sign == e.sign));
        let grid = picture.map(|p| p.span);
        let origin = match grid {
            Some(span) if own => Origin::Literal(span),
            Some(span) => Origin::FromOther(span),
            None => Origin::Default(Some(map.decl.span)),
        };
        let spaces = look::space_kind_word(analysis, map.name);
        let fixed = declared.map(|_| map.shape.span);
        Board { name: map.name.into(), spaces, lattice, fixed, cells, rows: names, palette, grid, origin }
    }

    /// What is at a place.
    pub fn cell_at(&self, at: Spot) -> Option<&Cell> {
        if !self.lattice.has_spot(at) {
            return None;
        }
        self.cells.get((at.row * self.lattice.columns + at.column) as usize)
    }

    /// The sign at a place.
    pub fn sign_at(&self, at: Spot) -> Option<&str> {
        self.cell_at(at)?.sign.as_deref()
    }

    /// The palette's entry for a sign.
    pub fn entry_of(&self, sign: &str) -> Option<&Entry> {
        self.palette.iter().find(|e| &*e.sign == sign)
    }

    /// Whether a sign can be painted: the legend has a row for it, or one for each of its letters.
    pub fn explains(&self, sign: &str) -> bool {
        let has_row = |s: &str| self.entry_of(s).is_some_and(|e| !matches!(e.origin, Origin::Default(_)));
        let letters = || sign.chars().all(|c| has_row(c.encode_utf8(&mut [0; 4])));
        sign == "." || has_row(sign) || self.entry_of(sign).is_some_and(|e| e.letters) || letters()
    }
}

/// The picture that a sheet itself draws of a map, with its declaration.
pub(crate) fn find_own_picture<'a>(
    layers: &Layers<'a>,
    map: &str,
) -> Option<(&'a Item, &'a MapDecl, &'a Picture)> {
    let all = layers.own_layer()?.maps();
    let (item, m) = all.into_iter().find(|(_, m)| m.name.text == map && m.picture.is_some())?;
    Some((item, m, m.picture.as_ref()?))
}
