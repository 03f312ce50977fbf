//! Lists the patches of which a map is laid out, with what each prints on each of its spaces for every way in which it can lie, and the slots of the map.
//!
//! The checker has written what a space of such a map shows as values of the space (`model/decl/patch_values.rs`). They are evaluated here as on a map on which the patch lies in
//! the first slot, so turning and printing mean here what they mean in play.
use super::lattice::{Lattice, Spot, Topology};
use super::layers::Layers;
use super::look::{LaidPatch, LookValue, Looks, SpaceContents};
use crate::analysis::Analysis;
use houserule_model::hir::*;
use houserule_model::parse_color;
use houserule_text::Span;
use std::sync::Arc;

/// The patches and slots of a map.
#[derive(Clone, PartialEq, Debug)]
pub struct PatchSet {
    /// The map's name.
    pub map: Arc<str>,
    /// What the rules call such a patch: `Tile`.
    pub kind: Arc<str>,
    /// How the spaces lie that a patch covers: a piece of a map, moved to its corner. Rows of hexes are slanted, so that a piece has the same shape wherever it lies.
    pub lattice: Lattice,
    /// In how many ways a patch can lie; 1: it cannot be turned.
    pub turns: u32,
    /// The slots of the map that are in force. A map of patches of one space has none.
    pub slots: Vec<Slot>,
    /// What they print, in the order of the declaration.
    pub prints: Vec<PatchPrint>,
    /// The patches that are in force, in the order of the texts.
    pub patches: Vec<Patch>,
}

/// Something that is printed on each space, or on each side of it.
#[derive(Clone, PartialEq, Debug)]
pub struct PatchPrint {
    /// Its name.
    pub name: Arc<str>,
    /// Whether it is of the sides.
    pub by_side: bool,
    /// What can be printed.
    pub sort: PrintSort,
    /// What holds where nothing is written.
    pub default: Option<PrintValue>,
    /// Whether something must be written.
    pub needed: bool,
}

/// What can be printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PrintSort {
    /// One of these words.
    Words(Vec<Arc<str>>),
    /// A number from the first to the last.
    Number(i64, i64),
    /// Yes or no.
    Truth,
}

/// What is printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PrintValue {
    /// Nothing: none.
    Nothing,
    /// A word of an enum.
    Word(Arc<str>),
    /// A number.
    Number(i64),
    /// Yes or no.
    Truth(bool),
}

impl PatchSet {
    /// A value as a list writes it, for the print of that number: `grass`, `cave`, `gold: 2`.
    pub fn write_print(&self, n: usize, value: &PrintValue) -> String {
        let Some(print) = self.prints.get(n) else { return String::new() };
        write_print(&self.prints, print, value)
    }

    /// What a patch that is not turned prints in a column of a list, under the print of that number.
    pub fn printed<'a>(&self, patch: &'a Patch, column: &str, n: usize) -> Option<&'a PrintValue> {
        let face = patch.faces.first()?;
        let values = match column.parse::<usize>() {
            Ok(space) => &face.get(space.checked_sub(1)?)?.values,
            Err(_) => &face.first()?.values,
        };
        let is = |v: &&PrintedValue| v.print == n && v.side.is_none_or(|side| side_name(side) == column);
        values.iter().find(is).map(|v| &v.value)
    }
}

/// What a space prints under one of the prints.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrintedValue {
    /// Its number among the prints of the set.
    pub print: usize,
    /// Of which side.
    pub side: Option<u8>,
    /// The value.
    pub value: PrintValue,
}

/// A slot of a map of patches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// Its sign.
    pub name: Arc<str>,
    /// Its title, if it has one.
    pub title: Option<String>,
    /// Its attributes at the start, as `name: value`.
    pub attrs: Vec<String>,
}

/// A patch.
#[derive(Clone, PartialEq, Debug)]
pub struct Patch {
    /// Its name in the rules.
    pub name: Arc<str>,
    /// For people.
    pub title: String,
    /// How many there are, as far as it is known without a set-up: a number, or the expression.
    pub copies: String,
    /// Its attributes on the back, as `name: value`.
    pub attrs: Vec<String>,
    /// What is seen of it while it lies face down, by `back { title: … }`, else the title of its kind.
    pub back: String,
    /// What its back is filled with.
    pub back_colour: Option<[u8; 3]>,
    /// Where it is declared.
    pub span: Span,
    /// For each way in which it can lie: its spaces in reading order.
    pub faces: Vec<Vec<PatchSpace>>,
}

/// What a patch shows on one space.
#[derive(Clone, PartialEq, Debug)]
pub struct PatchSpace {
    /// Which space of the piece.
    pub at: Spot,
    /// What is printed there, in the words of a list: `grass`, `camp`, `gold: 2`. Numbers and truths that are as everywhere are left out.
    pub prints: Vec<String>,
    /// The same, value by value.
    pub values: Vec<PrintedValue>,
    /// What is printed on its sides: the direction and the word.
    pub sides: Vec<(u8, String)>,
    /// The first word of an enum that is printed there.
    pub word: Option<Arc<str>>,
    /// What the rules fill it with.
    pub colour: Option<[u8; 3]>,
    /// What the rules write on it, if they say so and it is known.
    pub text: Option<String>,
    /// What they write into its upper left corner.
    pub corner: String,
    /// What they write into its upper right corner.
    pub badge: String,
}

impl PatchSpace {
    /// All that is printed, in words: `grass, camp`.
    pub fn describe_prints(&self) -> String {
        let sides = self.sides.iter().map(|(side, word)| format!("{} {word}", side_name(*side)));
        let all: Vec<String> = self.prints.iter().cloned().chain(sides).collect();
        if all.is_empty() { "nothing".into() } else { all.join(", ") }
    }
}

/// A value as a list writes it. A word that more than one of them may take has the name of its print before it.
fn write_print(all: &[PatchPrint], print: &PatchPrint, value: &PrintValue) -> String {
    let takes = |p: &PatchPrint, word: &str| match &p.sort {
        PrintSort::Words(words) => words.iter().any(|w| **w == *word),
        PrintSort::Truth => *p.name == *word,
        PrintSort::Number(..) => false,
    };
    match value {
        PrintValue::Word(word) => {
            let others = all.iter().filter(|p| p.by_side == print.by_side && takes(p, word));
            if others.count() > 1 { format!("{}: {word}", print.name) } else { word.to_string() }
        }
        PrintValue::Truth(true) => print.name.to_string(),
        PrintValue::Truth(false) => format!("{}: no", print.name),
        PrintValue::Number(n) => format!("{}: {n}", print.name),
        PrintValue::Nothing => format!("{}: none", print.name),
    }
}

/// The name of a direction, clockwise from the north.
pub fn side_name(side: u8) -> &'static str {
    houserule_model::body::index::DIRECTIONS.get(usize::from(side)).copied().unwrap_or("")
}

/// What is needed to lay a patch down.
struct Ground<'a> {
    looks: Looks<'a>,
    scopes: Vec<ScopeId>,
    patch: KindId,
    /// The slot in which it lies.
    zone: ZoneId,
    /// What it prints, and the values that say what a space shows of each.
    prints: Vec<PatchPrint>,
    values: Vec<ValueId>,
    /// The spaces, with what the map says of each.
    spaces: Vec<(Spot, SpaceContents<'a>)>,
    sides: &'static [u8],
    /// The attribute that counts turns.
    turned: Option<AttrId>,
    turns: u32,
}

/// The patches of all maps that are laid out of some, in the order of the maps.
pub(crate) fn list_patches(analysis: &Analysis, layers: &Layers<'_>) -> Vec<PatchSet> {
    let scopes = layers.scopes(&analysis.model);
    let maps = analysis.model.maps.iter().filter(|m| scopes.contains(&m.scope));
    maps.filter_map(|m| list_of_map(analysis, m, &scopes)).collect()
}

/// Whether maps that are in force are laid out of patches.
pub(super) fn has_patches(analysis: &Analysis, layers: &Layers<'_>) -> bool {
    let scopes = layers.scopes(&analysis.model);
    let mut maps = analysis.model.maps.iter().filter(|m| scopes.contains(&m.scope));
    maps.any(|m| find_patch_kind(&analysis.model, m).is_some())
}

fn list_of_map(analysis: &Analysis, map: &Map, scopes: &[ScopeId]) -> Option<PatchSet> {
    let model = &*analysis.model;
    let patch = find_patch_kind(model, map)?;
    let kind = model.kinds.get(patch.index())?;
    let host = map.slots.unwrap_or(map.space);
    let holds = |z: &&ZoneId| model.zones.get(z.index()).is_some_and(|z| z.slot && z.holds == [patch]);
    let zone = *model.kinds.get(host.index())?.zones.iter().find(holds)?;
    let looks = Looks::from_map(analysis, &map.name);
    let (lattice, spaces) = find_spaces(&looks, map, scopes)?;
    // The checker's own attribute stands at the name of the kind.
    let turned =
        kind.attrs.iter().copied().find(|a| {
            model.attrs.get(a.index()).is_some_and(|a| &*a.name == "turned" && a.span == kind.span)
        });
    let turns = match turned.and_then(|a| model.attrs.get(a.index())).map(|a| &a.ty) {
        Some(Ty::Int(_, last)) => u32::try_from(*last).unwrap_or(0) + 1,
        _ => 1,
    };
    let sides: &[u8] = if lattice.is_hexes() { &[1, 2, 3, 5, 6, 7] } else { &[0, 2, 4, 6] };
    let (values, prints) = list_prints(&looks, map.space, kind, scopes).into_iter().unzip();
    let scopes = scopes.to_vec();
    let ground = Ground { looks, scopes, patch, zone, prints, values, spaces, sides, turned, turns };
    let patches = ground.list_members(analysis, kind);
    let slots = map.slots.map(|k| ground.list_slots(k)).unwrap_or_default();
    Some(PatchSet {
        map: map.name.clone(),
        kind: kind.name.clone(),
        lattice,
        turns,
        slots,
        prints: ground.prints,
        patches,
    })
}

/// The kind of patches of which a map is laid out: that of `h.patch`.
fn find_patch_kind(model: &Model, map: &Map) -> Option<KindId> {
    let is =
        |v: &&Value| matches!(v.role, ValueRole::Patch) && v.of == Some(map.space) && &*v.name == "patch";
    match &model.values.iter().find(is)?.ty {
        Ty::Maybe(of) => {
            if let Ty::Of(k) = **of {
                Some(k)
            } else {
                None
            }
        }
        _ => None,
    }
}

/// The spaces that a patch covers in the first slot of the picture that is in force, else of the first picture.
fn find_spaces<'a>(
    looks: &Looks<'a>,
    map: &'a Map,
    scopes: &[ScopeId],
) -> Option<(Lattice, Vec<(Spot, SpaceContents<'a>)>)> {
    let topology = match map.shape {
        Shape::Squares { diagonal } => Topology::Squares { diagonal },
        Shape::Hexes { .. } => Topology::Hexes { rhombus: true },
        Shape::Line | Shape::Graph => return None,
    };
    if map.slots.is_none() {
        let lattice = Lattice { topology, columns: 1, rows: 1 };
        return Some((lattice, vec![(Spot::new(0, 0), SpaceContents::default())]));
    }
    let picture = map.pictures.iter().rfind(|p| scopes.contains(&p.scope)).or(map.pictures.first())?;
    let row_of = |cell: &PictureCell| map.legend.iter().rfind(|r| r.sign == cell.sign && r.span == cell.span);
    let slot_of = |row: &LegendRow| {
        row.marks.iter().find_map(|m| match m {
            Mark::Set(_, e) => {
                if let ExprKind::Member(slot) = *e.kind {
                    Some(slot)
                } else {
                    None
                }
            }
            _ => None,
        })
    };
    let first = picture.cells.iter().filter_map(row_of).find_map(slot_of)?;
    let mut found = Vec::new();
    for cell in &picture.cells {
        let Some(row) = row_of(cell).filter(|r| slot_of(r) == Some(first)) else { continue };
        let (x, y) = (i64::from(cell.column), i64::from(picture.size.1) - 1 - i64::from(cell.row));
        // Every second row of a picture of hexes lies half a hex further to the east.
        let x = if map.shape == (Shape::Hexes { rhombus: false }) { x - (y >> 1) } else { x };
        found.push(((x, y), looks.read_contents([row])?));
    }
    let west = found.iter().map(|((x, _), _)| *x).min()?;
    let south = found.iter().map(|((_, y), _)| *y).min()?;
    let spaces: Vec<(Spot, SpaceContents<'a>)> = found
        .into_iter()
        .map(|((x, y), given)| (Spot::new((x - west) as u32, (y - south) as u32), given))
        .collect();
    let columns = spaces.iter().map(|(s, _)| s.column + 1).max()?;
    let rows = spaces.iter().map(|(s, _)| s.row + 1).max()?;
    Some((Lattice { topology, columns, rows }, spaces))
}

/// What patches print, in the order of the declaration, with the values that say what a space shows.
fn list_prints(
    looks: &Looks<'_>,
    space: KindId,
    kind: &Kind,
    scopes: &[ScopeId],
) -> Vec<(ValueId, PatchPrint)> {
    let model = looks.model;
    let is = |v: &&Value| matches!(v.role, ValueRole::Patch) && v.of == Some(space) && &*v.name != "patch";
    let values = (0..).map(ValueId).zip(&model.values).filter(|(_, v)| is(v));
    let print = |(id, v): (ValueId, &Value)| {
        // The first of the attributes that hold what is printed on each space.
        let attrs = kind.attrs.iter().filter_map(|a| model.attrs.get(a.index()));
        let attr = attrs.into_iter().find(|a| a.is_part && a.span == v.span)?;
        let (ty, optional) = match &attr.ty {
            Ty::Maybe(of) => (&**of, true),
            ty => (ty, false),
        };
        let sort = match ty {
            Ty::Bool => PrintSort::Truth,
            Ty::Int(low, high) => PrintSort::Number(i64::from(*low), i64::from(*high)),
            Ty::Of(k) => {
                let members = &model.kinds.get(k.index())?.members;
                let members = members.iter().filter_map(|m| model.members.get(m.index()));
                let here = members.filter(|m| scopes.contains(&m.scope));
                PrintSort::Words(here.map(|m| m.name.clone()).collect())
            }
            _ => return None,
        };
        let default = attr.default.as_ref().and_then(|b| looks.evaluate_for(b, &LookValue::Nothing));
        let default = default.and_then(|v| to_print_value(model, &v));
        let default = default.or(optional.then_some(PrintValue::Nothing));
        let needed = default.is_none();
        Some((id, PatchPrint { name: v.name.clone(), by_side: v.body.params > 1, sort, default, needed }))
    };
    values.filter_map(print).collect()
}

fn to_print_value(model: &Model, value: &LookValue) -> Option<PrintValue> {
    Some(match value {
        LookValue::Word(m) => PrintValue::Word(model.members.get(m.index())?.name.clone()),
        LookValue::Int(n) => PrintValue::Number(*n),
        LookValue::Bool(b) => PrintValue::Truth(*b),
        LookValue::Nothing => PrintValue::Nothing,
        _ => return None,
    })
}

impl Ground<'_> {
    fn list_members(&self, analysis: &Analysis, kind: &Kind) -> Vec<Patch> {
        let model = self.looks.model;
        let removes = self.scopes.iter().filter_map(|s| model.scopes.get(s.index())).flat_map(|s| &s.removes);
        let removed: Vec<&Removed> = removes.collect();
        let all = kind.members.iter().filter_map(|id| Some((*id, model.members.get(id.index())?)));
        let all =
            all.filter(|(id, m)| self.scopes.contains(&m.scope) && !removed.contains(&&Removed::Member(*id)));
        let mut out: Vec<Patch> = all
            .map(|(id, m)| {
                let copies = m.copies.as_ref().map(|b| self.describe_copies(analysis, b));
                let title = self.looks.to_words(&LookValue::Word(id)).unwrap_or_else(|| m.name.to_string());
                let copies = copies.unwrap_or_else(|| "1".into());
                let named = (&m.name, title);
                self.make_patch(kind, Some(id), named, copies, m.span)
            })
            .collect();
        // Patches without a face of their own print what is the default.
        if let Some(e) = kind.copies.as_ref().filter(|_| kind.members.is_empty()) {
            let body = Body { locals: Vec::new(), params: 0, body: e.clone() };
            let copies = self.describe_copies(analysis, &body);
            let named = (&kind.name, kind.title.to_string());
            out.push(self.make_patch(kind, None, named, copies, kind.span));
        }
        out
    }

    fn describe_copies(&self, analysis: &Analysis, body: &Body<Expr>) -> String {
        let known = self.looks.evaluate_for(body, &LookValue::Nothing);
        let known = known.and_then(|v| self.looks.to_words(&v));
        known.unwrap_or_else(|| analysis.slice(body.body.span).trim().to_string())
    }

    fn make_patch(
        &self,
        kind: &Kind,
        face: Option<MemberId>,
        (name, title): (&Arc<str>, String),
        copies: String,
        span: Span,
    ) -> Patch {
        let looks = &self.looks;
        let thing = LookValue::Thing(self.patch, face);
        let back = |slot: &str| {
            let row = kind.look.iter().rfind(|r| r.back && &*r.slot == slot)?;
            looks.evaluate_for(&row.expr, &thing).and_then(|v| looks.to_words(&v))
        };
        let faces = (0..self.turns).map(|turn| {
            let turned = self.turned.map(|a| (a, i64::from(turn)));
            let laid = LaidPatch { thing: thing.clone(), zone: self.zone, turned };
            let lay = |given: &SpaceContents<'_>| self.read_space(given, laid.clone());
            self.spaces.iter().map(|(at, given)| PatchSpace { at: *at, ..lay(given) }).collect()
        });
        let is_back = |a: &&AttrId| {
            let attr = looks.model.attrs.get(a.index());
            attr.is_some_and(|a| a.side == AttrSide::Back) && self.turned != Some(**a)
        };
        let attrs = kind.attrs.iter().filter(is_back);
        Patch {
            name: name.clone(),
            title,
            copies,
            attrs: attrs.filter_map(|a| self.describe_attr(&thing, *a)).collect(),
            back: back("title").filter(|t| !t.is_empty()).unwrap_or_else(|| kind.title.to_string()),
            back_colour: back("fill").and_then(|t| parse_color(&t)),
            span,
            faces: faces.collect(),
        }
    }

    /// What a space shows if a patch lies on it.
    fn read_space(&self, given: &SpaceContents<'_>, laid: LaidPatch) -> PatchSpace {
        let mut given = given.clone();
        given.laid = Some(laid);
        let looks = &self.looks;
        let (mut prints, mut sides, mut word) = (Vec::new(), Vec::new(), None);
        let mut values = Vec::new();
        for (n, (p, id)) in self.prints.iter().zip(&self.values).enumerate() {
            let of_sides = self.sides.iter().filter(|_| p.by_side).map(|s| Some(*s));
            for side in of_sides.chain((!p.by_side).then_some(None)) {
                let args = [LookValue::Space].into_iter().chain(side.map(LookValue::Direction));
                let value = looks.call(*id, args.collect(), &given);
                let Some(value) = value.and_then(|v| to_print_value(looks.model, &v)) else { continue };
                if let (None, PrintValue::Word(w), None) = (side, &value, &word) {
                    word = Some(w.clone());
                }
                // A word is told in any case, what else is as everywhere is not.
                let told = value != PrintValue::Nothing
                    && (matches!(value, PrintValue::Word(_)) || p.default.as_ref() != Some(&value));
                let words = told.then(|| write_print(&self.prints, p, &value));
                match side {
                    Some(side) => sides.extend(words.map(|w| (side, w))),
                    None => prints.extend(words),
                }
                values.push(PrintedValue { print: n, side, value });
            }
        }
        sides.sort_by_key(|(side, _)| *side);
        PatchSpace {
            at: Spot::new(0, 0),
            prints,
            values,
            sides,
            word,
            colour: looks.fill_of(&given),
            text: looks.text_of("text", &given),
            corner: looks.text_of("corner", &given).unwrap_or_default(),
            badge: looks.text_of("badge", &given).unwrap_or_default(),
        }
    }

    /// The slots of the map that are in force.
    fn list_slots(&self, host: KindId) -> Vec<Slot> {
        let model = self.looks.model;
        let Some(kind) = model.kinds.get(host.index()) else { return Vec::new() };
        let all = kind.members.iter().filter_map(|id| Some((*id, model.members.get(id.index())?)));
        all.filter(|(_, m)| self.scopes.contains(&m.scope))
            .map(|(id, m)| {
                let slot = LookValue::Word(id);
                let title = self.looks.to_words(&slot).filter(|t| **t != *m.name.replace('_', " "));
                let attrs = kind.attrs.iter().filter_map(|a| self.describe_attr(&slot, *a)).collect();
                Slot { name: m.name.clone(), title, attrs }
            })
            .collect()
    }

    /// An attribute of a patch or slot with its value; none, if that says nothing: `no` and `none`.
    fn describe_attr(&self, of: &LookValue, a: AttrId) -> Option<String> {
        let attr = self.looks.model.attrs.get(a.index()).filter(|a| !a.is_part)?;
        if !self.scopes.contains(&attr.scope) {
            return None;
        }
        Some(match self.looks.attr_of(of, a)? {
            LookValue::Bool(true) => attr.name.to_string(),
            LookValue::Bool(false) => return None,
            value => format!("{}: {}", attr.name, self.looks.to_words(&value)?),
        })
    }
}
