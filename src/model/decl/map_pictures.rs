//! Checks drawn maps: pictures of signs, and legends that say what the signs put on a space.
use super::Declarer;
use crate::body::cx::{Cx, Mode};
use crate::body::index::{Index, Part, Thing};
use crate::body::{build, types};
use crate::hir::*;
use crate::uses::Def;
use crate::{codes, suggest};
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Report, Span};

/// What a sign of a legend can do.
const CAN_PUT: &str =
    "a sign can put on its space: a component, a card from a zone, a word, a number, or `attribute: value`";

/// What stands between the name of a row and its spaces.
const BAR: &str = "|";

fn bar_is_no_sign(span: Span) -> Diagnostic {
    Diagnostic::error(
        codes::SIGN,
        span,
        "`|` stands between the name of a row and its spaces, so it is no sign",
    )
    .help("call the sign by another character, such as `/` or `!`")
}

/// A picture that waits until all maps are known.
pub(super) struct Drawing<'t> {
    pub scope: ScopeId,
    pub map: &'t ast::Name,
    pub picture: &'t ast::Picture,
}

impl<'t> Declarer<'t> {
    /// Puts pictures to their maps. Their sizes must be known before any body names a space.
    pub(super) fn read_pictures(&mut self) {
        for d in std::mem::take(&mut self.drawings) {
            let Some(map) = self.find_declared_map(d.map) else { continue };
            if self.model.maps[map].shape == Shape::Graph {
                self.place_graph(map, &d);
                continue;
            }
            if let Some(read) = self.read_picture(map, &d) {
                let map = &mut self.model.maps[map];
                if let Some(first) = map.pictures.iter().find(|p| p.scope == d.scope) {
                    let twice = Diagnostic::error(
                        codes::TWICE,
                        d.map.span,
                        format!("`{}` has two pictures in the same place of the rules", map.name),
                    );
                    let twice = twice.also(first.span, "the first picture is here");
                    self.report.push(twice.help("leave one of the two out, or move one to a scenario"));
                    continue;
                }
                map.pictures.push(read);
            } else {
                self.note_unread_picture(map, d.scope, d.picture);
            }
        }
    }

    /// The number of the map of that name.
    pub(super) fn find_declared_map(&mut self, name: &ast::Name) -> Option<usize> {
        let Some(map) = self.model.maps.iter().position(|m| *m.name == *name.text) else {
            let names = self.model.maps.iter().map(|m| &*m.name);
            let found =
                Diagnostic::error(codes::UNKNOWN_MAP, name.span, format!("there is no map `{}`", name.text));
            self.report.push(suggest::suggest_word(found, &name.text, names, DECLARE_MAP));
            return None;
        };
        self.notes.note(name.span, Def::Map(MapId(map as u32)));
        Some(map)
    }

    fn read_picture(&mut self, map: usize, d: &Drawing<'t>) -> Option<Picture> {
        let p = d.picture;
        let shape = self.model.maps[map].shape;
        if !matches!(shape, Shape::Squares { .. } | Shape::Hexes { .. }) {
            self.report_not_played(p.span, "pictures of lines");
            return None;
        }
        let (mut cells, mut labels) = (Vec::new(), Vec::new());
        let mut columns = 0;
        for (row, line) in p.rows.iter().enumerate() {
            columns = columns.max(line.cells.len());
            for sign in line.label.iter().chain(&line.cells).filter(|sign| sign.text == BAR) {
                self.report.push(bar_is_no_sign(sign.span));
            }
            labels.extend(line.label.iter().map(|label| PictureCell {
                column: 0,
                row: row as u32,
                sign: label.text.as_str().into(),
                span: label.span,
            }));
            for (column, cell) in line.cells.iter().enumerate() {
                cells.push(PictureCell {
                    column: column as u32,
                    row: row as u32,
                    sign: cell.text.as_str().into(),
                    span: cell.span,
                });
            }
        }
        if shape == (Shape::Hexes { rhombus: false }) {
            leaning_row(&p.rows).into_iter().for_each(|d| self.report.push(d));
        }
        let size = (columns as u32, p.rows.len() as u32);
        if columns == 0 || size.0 > 100 || size.1 > 100 || size.0 * size.1 > 4096 {
            let (message, help) = match columns {
                0 => ("this picture is empty", "draw a row of signs for each row of the map"),
                _ => (
                    "a map has 1 to 100 columns and rows, and at most 4096 spaces",
                    "draw a row of signs for each row of the map, and fewer rows or columns",
                ),
            };
            self.report.push(Diagnostic::error(codes::MAP_SIZE, p.span, message).help(help));
            return None;
        }
        if let Some(declared) = self.model.maps[map].size
            && declared != size
        {
            let message = format!(
                "{} is declared as {} by {}, but this picture is {} by {}",
                self.model.maps[map].name, declared.0, declared.1, size.0, size.1
            );
            let at = self.model.maps[map].span;
            let d = Diagnostic::error(codes::MAP_SIZE, p.span, message).also(at, "the size is declared here");
            self.report.push(d.help("write `.` where there is no space, or change the declared size"));
            return None;
        }
        Some(Picture { scope: d.scope, cells, labels, size, span: d.map.span })
    }
}

/// A row of hexes that is drawn further to the east or west than it lies, if the rows are not simply drawn one below the other.
fn leaning_row(rows: &[ast::PictureRow]) -> Option<Diagnostic> {
    // From the south; every second row is shifted half a hex to the east.
    let first: Vec<&ast::PictureCell> = rows.iter().rev().filter_map(|r| r.cells.first()).collect();
    let even = first.first()?;
    if first.len() < rows.len() || first.iter().all(|c| c.indent == even.indent) {
        return None;
    }
    let shifted = first.get(1)?;
    let wrong = first.iter().enumerate().find(|(y, c)| match y % 2 {
        0 => c.indent != even.indent,
        _ => c.indent != shifted.indent || c.indent <= even.indent,
    });
    wrong.map(|(_, c)| {
        Diagnostic::warning(codes::LEANING_PICTURE, c.span, "this row does not lie where it is drawn: the blanks before it say nothing")
            .help("write `.` for each hex that is not there; every second row, counted from the south, lies half a hex further to the east")
    })
}

/// What to do about a map that nothing declares.
const DECLARE_MAP: &str = "declare it: `map M squares 8 by 8`";

/// The map that a legend is of: the one it names, or the only one.
fn find_map(ix: &Index<'_>, l: &ast::Legend, span: Span, out: &mut Report) -> Option<MapId> {
    let model = ix.model;
    let Some(name) = &l.map else {
        if model.maps.len() == 1 {
            return Some(MapId(0));
        }
        let message = "this legend must name its map: the game does not have exactly one";
        out.push(Diagnostic::error(codes::UNKNOWN_MAP, span, message).help("write `legend MAP { … }`"));
        return None;
    };
    if let Some(i) = model.maps.iter().position(|m| *m.name == *name.text) {
        ix.notes.note(name.span, Def::Map(MapId(i as u32)));
        return Some(MapId(i as u32));
    }
    let found = Diagnostic::error(codes::UNKNOWN_MAP, name.span, format!("there is no map `{}`", name.text));
    let names = model.maps.iter().map(|m| &*m.name);
    out.push(suggest::suggest_word(found, &name.text, names, DECLARE_MAP));
    None
}

/// Reads a legend's rows.
pub(super) fn read_legend<'a>(
    ix: &'a Index<'a>,
    out: &'a mut Report,
    scope: ScopeId,
    l: &ast::Legend,
    span: Span,
) -> Option<(MapId, Vec<LegendRow>)> {
    let map = find_map(ix, l, span, out)?;
    let mut rows: Vec<LegendRow> = Vec::new();
    for row in l.rows.iter().filter(|r| !r.bad) {
        let when = row.when.as_ref().map(|c| {
            let mut cx = Cx::new(ix, out, Mode::Pure("a legend"));
            cx.read_cond(c, "when a sign means this")
        });
        let marks: Vec<Mark> = row.marks.iter().filter_map(|m| read_mark(ix, out, map, m)).collect();
        for sign in &row.signs {
            if sign.text == BAR {
                out.push(bar_is_no_sign(sign.span));
            }
            if let Some(first) = rows.iter().find(|r| *r.sign == *sign.text && r.when.is_none())
                && when.is_none()
            {
                let message = format!("the legend has two rows for the sign `{}`", sign.text);
                out.push(
                    Diagnostic::error(codes::TWICE, sign.span, message)
                        .also(first.span, "the first row is here")
                        .help("put all that the sign means into one row, or write `when …` behind one"),
                );
            }
            rows.push(LegendRow {
                scope,
                sign: sign.text.as_str().into(),
                marks: marks.clone(),
                when: when.clone(),
                span: sign.span,
            });
        }
    }
    Some((map, rows))
}

/// The zone of a map's spaces in which things of a kind may lie.
fn zone_for(model: &Model, space: KindId, kind: KindId) -> Option<ZoneId> {
    let line = types::line_of(model, kind);
    let of = types::line_of(model, space);
    model
        .zones
        .iter()
        .position(|z| z.of.is_some_and(|k| of.contains(&k)) && z.holds.iter().any(|h| line.contains(h)))
        .map(|i| ZoneId(i as u32))
}

/// Whether something of which each player has a set can lie on a map's spaces.
fn can_hold_sets(model: &Model, space: KindId) -> bool {
    let of = types::line_of(model, space);
    let sets = |k: &KindId| {
        types::line_of(model, *k).iter().any(|k| model.kinds.get(k.index()).is_some_and(|k| k.per_player))
    };
    model.zones.iter().any(|z| z.of.is_some_and(|k| of.contains(&k)) && z.holds.iter().any(sets))
}

/// The attribute of a map's spaces that takes values for which `fits` says yes, if there is exactly one.
fn attr_for(model: &Model, space: KindId, fits: impl Fn(&Ty) -> bool) -> Option<AttrId> {
    let of = types::line_of(model, space);
    let mut found = model
        .attrs
        .iter()
        .enumerate()
        .filter(|(_, a)| a.of.is_some_and(|k| of.contains(&k)) && fits(&types::plain(&a.ty)))
        .map(|(i, _)| AttrId(i as u32));
    let first = found.next();
    first.filter(|_| found.next().is_none())
}

fn read_mark(ix: &Index<'_>, out: &mut Report, map: MapId, m: &ast::Mark) -> Option<Mark> {
    let model = ix.model;
    let space = model.maps.get(map.index())?.space;
    let name = types::name(model, space);
    let attr_named = |word: &str| {
        let of = types::line_of(model, space);
        of.into_iter().flat_map(|k| ix.parts_of(k)).find_map(|(n, p)| match p {
            Part::Attr(a) if n == word => Some(a),
            _ => None,
        })
    };
    let set = |out: &mut Report, a: AttrId, value: &ast::Expr| {
        let ty = model.attrs.get(a.index())?.ty.clone();
        let mut cx = Cx::new(ix, out, Mode::Pure("a legend"));
        Some(Mark::Set(a, cx.read_as(value, &ty, "what the sign gives")))
    };
    if let Some(attr) = &m.attr {
        let Some(a) = attr_named(&attr.text) else {
            let names: Vec<&str> = types::line_of(model, space)
                .into_iter()
                .flat_map(|k| ix.parts_of(k))
                .filter(|(_, p)| matches!(p, Part::Attr(_)))
                .map(|(n, _)| n)
                .collect();
            let d =
                Diagnostic::error(codes::UNKNOWN_ATTR, attr.span, format!("`{name}` has no `{}`", attr.text));
            out.push(suggest::suggest_word(d, &attr.text, names, "declare the attribute in the space first"));
            return None;
        };
        ix.notes.note(attr.span, Def::Attr(a));
        return set(out, a, &m.value);
    }
    let no_room = |out: &mut Report, kind: KindId| {
        let message = format!("a {name} has no slot or zone for a {}", types::name(model, kind));
        let d = Diagnostic::error(codes::SIGN, m.span, message);
        out.push(d.help(format!("declare a slot or zone in `{name}`")));
        None
    };
    let no_attr = |out: &mut Report, what: &str| {
        let message = format!("`{name}` does not have exactly one attribute for {what}");
        let d = Diagnostic::error(codes::SIGN, m.span, message);
        out.push(d.help("name the attribute: `attribute: value`"));
        None
    };
    match &*m.value.kind {
        ast::ExprKind::Int(_) => match attr_for(model, space, |t| matches!(t, Ty::Int(..))) {
            Some(a) => set(out, a, &m.value),
            None => no_attr(out, "numbers"),
        },
        ast::ExprKind::Kind(n) | ast::ExprKind::Name(n) => {
            // What is on or off by its own name.
            if let Some(a) = attr_named(&n.text)
                && let Some(attr) = model.attrs.get(a.index())
                && attr.ty == Ty::Bool
            {
                ix.notes.note(n.span, Def::Attr(a));
                let yes = build::expr(Ty::Bool, m.span, ExprKind::Bool(true));
                return Some(Mark::Set(a, yes));
            }
            let things = ix.things(&n.text);
            for t in things {
                if matches!(t, Thing::Member(_) | Thing::Kind(_) | Thing::TableZone(_)) {
                    ix.notes.note(n.span, t.def());
                }
                match t {
                    Thing::Member(id) => {
                        let kind = model.members.get(id.index())?.kind;
                        if types::is_component(model, kind) {
                            let Some(to) = zone_for(model, space, kind) else { return no_room(out, kind) };
                            return Some(Mark::Component(*id, to));
                        }
                        let fits = |t: &Ty| {
                            *t == Ty::Of(kind)
                                || (kind == builtin_kinds::PLAYER && types::plain(t) == Ty::Of(kind))
                        };
                        let attr = attr_for(model, space, fits);
                        // A player beside a man of whom each has a set says whose it is.
                        if attr.is_none() && kind == builtin_kinds::PLAYER && can_hold_sets(model, space) {
                            let mut cx = Cx::new(ix, out, Mode::Pure("a legend"));
                            return Some(Mark::Whose(cx.read_as(&m.value, &types::player(), "whose it is")));
                        }
                        let Some(a) = attr else {
                            return no_attr(out, &format!("a {}", types::name(model, kind)));
                        };
                        return match set(out, a, &m.value)? {
                            Mark::Set(a, e)
                                if kind == builtin_kinds::PLAYER && can_hold_sets(model, space) =>
                            {
                                Some(Mark::Player(a, e))
                            }
                            mark => Some(mark),
                        };
                    }
                    Thing::Kind(kind) if types::is_component(model, *kind) => {
                        let Some(to) = zone_for(model, space, *kind) else { return no_room(out, *kind) };
                        return Some(Mark::OfKind(*kind, to));
                    }
                    Thing::TableZone(z) => {
                        let kind = model.zones.get(z.index())?.holds.first().copied()?;
                        let Some(to) = zone_for(model, space, kind) else { return no_room(out, kind) };
                        return Some(Mark::From(*z, to));
                    }
                    _ => {}
                }
            }
            let words = ix.words(|t| matches!(t, Thing::Member(_) | Thing::Kind(_) | Thing::TableZone(_)));
            let mut could: Vec<String> = words.iter().map(|w| w.to_string()).collect();
            could.extend(
                types::line_of(model, space)
                    .into_iter()
                    .flat_map(|k| ix.parts_of(k))
                    .map(|(n, _)| n.to_string()),
            );
            ix.notes.note_could(n.span, could);
            let message = format!("a sign cannot put `{}` on a {name}", n.text);
            let d = Diagnostic::error(codes::SIGN, n.span, message);
            out.push(match suggest::closest(&n.text, words) {
                Some(s) => d.suggest(s),
                None => d.help(CAN_PUT),
            });
            None
        }
        _ => {
            let d = Diagnostic::error(codes::SIGN, m.span, "a sign cannot put this on a space");
            out.push(d.help(CAN_PUT));
            None
        }
    }
}

/// Rows of a map's legends for a sign: of the sign itself, or else of its letters. `None`: nothing explains it.
pub fn explaining_rows<'m>(
    map: &'m Map,
    sign: &str,
    holds: impl Fn(&LegendRow) -> bool,
) -> Option<Vec<&'m LegendRow>> {
    let row = |sign: &str| map.legend.iter().rev().find(|r| *r.sign == *sign && holds(r));
    if let Some(r) = row(sign) {
        return Some(vec![r]);
    }
    let letters: Vec<&LegendRow> =
        sign.chars().map(|c| row(c.encode_utf8(&mut [0; 4]))).collect::<Option<_>>()?;
    (letters.len() > 1).then_some(letters)
}

/// Maps of which nothing says what their spaces have.
pub(super) fn report_without_spaces(model: &Model, out: &mut Report) {
    for map in model.maps.iter().filter(|m| m.space == builtin_kinds::DIRECTION) {
        let message = format!("no `space` declaration belongs to the map {}", map.name);
        let d = Diagnostic::error(codes::MAP_WITHOUT_SPACES, map.span, message);
        out.push(d.help(format!("declare its spaces: `space Cell on {} {{ … }}`", map.name)));
    }
}

/// Signs that no legend explains.
pub(super) fn report_unexplained(model: &Model, out: &mut Report) {
    // The signs of a map of patches are its slots.
    for map in model.maps.iter().filter(|m| m.slots.is_none()) {
        for p in &map.pictures {
            let mut told: Vec<&str> = Vec::new();
            for c in p.cells.iter().chain(&p.labels) {
                if &*c.sign == "."
                    || told.contains(&&*c.sign)
                    || explaining_rows(map, &c.sign, |_| true).is_some()
                {
                    continue;
                }
                told.push(&c.sign);
                let d = Diagnostic::error(
                    codes::SIGN,
                    c.span,
                    format!("no legend explains the sign `{}`", c.sign),
                );
                let signs = map.legend.iter().map(|r| &*r.sign);
                out.push(match suggest::closest(&c.sign, signs) {
                    Some(s) => d.suggest(s),
                    None => d.help(format!(
                        "add a row: `legend {} {{ {}: … }}`; write `.` where the map has no space",
                        map.name, c.sign
                    )),
                });
            }
        }
    }
}
