//! Components, places, attributes, members, lists, legends, looks.
use super::{Builder, Kids, P};
use crate::ast::{
    AttrDecl, Cell, Component, ComponentKind, Doc, EnumDecl, EnumRow, Expr, FillRule, FillValue, Has, Layout,
    Legend, LegendRow, ListDecl, ListRow, Look, LookBody, LookPart, MapDecl, Mark, Member, MoreMember, Name,
    Part, PartKind, PatchDecl, PlayerMember, RowName, Shape, Side, SpaceDecl, Type, ZoneDecl, ZoneMark,
};
use crate::grammar::Rule;

impl Builder {
    pub(super) fn enum_decl(&mut self, pair: P<'_>) -> Option<EnumDecl> {
        let mut kids = Kids::of(pair);
        kids.opt(Rule::k_enum)?;
        let name = self.name(kids.next()?);
        let mut columns = Vec::new();
        while let Some(column) = kids.opt(Rule::enum_column) {
            columns.push(self.attr(Kids::of(column).last()?, None)?);
        }
        let mut rows = Vec::new();
        let mut doc = None;
        for kid in kids {
            match kid.as_rule() {
                Rule::doc => doc = Some(self.doc(kid)),
                Rule::bad_row => {
                    self.mark_bad(&kid, Rule::only_enum_row);
                    doc = None;
                }
                Rule::enum_rows => {
                    for row in Kids::of(kid).filter(|k| k.as_rule() != Rule::comma) {
                        rows.push(self.enum_row(row, doc.take())?);
                    }
                }
                _ => {}
            }
        }
        Some(EnumDecl { name, columns, rows })
    }

    fn enum_row(&mut self, pair: P<'_>, doc: Option<Doc>) -> Option<EnumRow> {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        let name = self.name(kids.next()?);
        let title = self.text_opt(&mut kids);
        let mut cells = Vec::new();
        for column in kids {
            cells.push(self.cell(column)?);
        }
        Some(EnumRow { doc, name, title, cells, span })
    }

    fn cell(&mut self, pair: P<'_>) -> Option<Cell> {
        let mut kids = Kids::of(pair);
        kids.opt(Rule::bar)?;
        Some(match kids.next() {
            Some(kid) if kid.as_rule() == Rule::block => Cell::Block(self.block(kid)),
            Some(kid) => Cell::Marks(self.marks(kid)?),
            None => Cell::Marks(Vec::new()),
        })
    }

    fn marks(&mut self, pair: P<'_>) -> Option<Vec<Mark>> {
        let mut marks = Vec::new();
        for kid in Kids::of(pair).filter(|k| k.as_rule() == Rule::mark) {
            let span = self.span(&kid);
            let mut kids = Kids::of(kid);
            let attr = kids.opt(Rule::word).map(|w| self.name(w));
            kids.opt(Rule::colon);
            marks.push(Mark { attr, value: self.expr(kids.next()?), span });
        }
        Some(marks)
    }

    pub(super) fn component(&mut self, pair: P<'_>) -> Option<Component> {
        let mut kids = Kids::of(pair);
        let kind = match kids.next()?.as_rule() {
            Rule::k_card => ComponentKind::Card,
            Rule::k_token => ComponentKind::Token,
            Rule::k_piece => ComponentKind::Piece,
            _ => ComponentKind::Die,
        };
        let name = self.name(kids.next()?);
        let of_player = kids.has(Rule::of_player);
        let is = self.inner_name(&mut kids, Rule::is_kind);
        let title = self.text_opt(&mut kids);
        let copies = kids.opt(Rule::copies).and_then(|c| self.copies(c));
        let parts = kids.next().map(|b| self.kind_body(b)).unwrap_or_default();
        Some(Component { kind, name, of_player, is, title, copies, parts })
    }

    /// The word at the end of the next child, if that is of `rule`: `is K`, `on M`, `per turn` …
    pub(super) fn inner_name(&mut self, kids: &mut Kids<'_>, rule: Rule) -> Option<Name> {
        let inner = kids.opt(rule)?;
        let last = Kids::of(inner).last()?;
        Some(self.name(last))
    }

    fn copies(&mut self, pair: P<'_>) -> Option<Expr> {
        let count = Kids::of(pair).last()?;
        Some(self.expr(count))
    }

    pub(super) fn player_member(&mut self, pair: P<'_>) -> Option<PlayerMember> {
        let mut kids = Kids::of(pair);
        kids.opt(Rule::k_player)?;
        let name = self.name(kids.next()?);
        let title = self.text_opt(&mut kids);
        let answered = self.inner_expr(&mut kids, Rule::answered);
        let parts = kids.next().map(|b| self.member_body(b)).unwrap_or_default();
        Some(PlayerMember { name, title, answered, parts })
    }

    pub(super) fn map(&mut self, pair: P<'_>) -> Option<MapDecl> {
        let mut kids = Kids::of(pair);
        kids.opt(Rule::k_map)?;
        let name = self.name(kids.next()?);
        let shape = match kids.opt(Rule::shape) {
            Some(shape) => Some(self.shape(shape)?),
            None => None,
        };
        let of = self.inner_name(&mut kids, Rule::of_kind);
        let picture = kids.opt(Rule::picture).map(|p| self.picture(p));
        Some(MapDecl { name, shape, of, picture })
    }

    fn shape(&mut self, pair: P<'_>) -> Option<Shape> {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        let layout = match kids.next()?.as_rule() {
            Rule::k_squares => Layout::Squares,
            Rule::k_hexes => Layout::Hexes,
            Rule::k_line => Layout::Line,
            _ => Layout::Graph,
        };
        let diagonal = kids.has(Rule::k_diagonal);
        let rhombus = kids.has(Rule::k_rhombus);
        let width = kids.opt(Rule::int).map(|p| self.int(p));
        kids.opt(Rule::k_by);
        let height = kids.opt(Rule::int).map(|p| self.int(p));
        Some(Shape { layout, diagonal, rhombus, width, height, span })
    }

    pub(super) fn space(&mut self, pair: P<'_>) -> Option<SpaceDecl> {
        let mut kids = Kids::of(pair);
        kids.opt(Rule::k_space)?;
        let name = self.name(kids.next()?);
        let is = self.inner_name(&mut kids, Rule::is_kind);
        let on = self.inner_name(&mut kids, Rule::on_kind);
        let parts = kids.next().map(|b| self.kind_body(b)).unwrap_or_default();
        Some(SpaceDecl { name, is, on, parts })
    }

    pub(super) fn patch(&mut self, pair: P<'_>) -> Option<PatchDecl> {
        let mut kids = Kids::of(pair);
        kids.opt(Rule::k_patch)?;
        let name = self.name(kids.next()?);
        kids.opt(Rule::k_of)?;
        let size = kids.next()?;
        let size = self.int(size);
        let parts = kids.next().map(|b| self.kind_body(b)).unwrap_or_default();
        Some(PatchDecl { name, size, parts })
    }

    pub(super) fn kind_body(&mut self, pair: P<'_>) -> Vec<Part> {
        self.entries(pair, |b, doc, kid| Some(b.part(doc, kid, Rule::only_part)))
    }

    pub(super) fn member_body(&mut self, pair: P<'_>) -> Vec<Part> {
        self.entries(pair, |b, doc, kid| Some(b.part(doc, kid, Rule::only_member_part)))
    }

    fn part(&mut self, doc: Option<Doc>, pair: P<'_>, wanted: Rule) -> Part {
        let span = self.span(&pair);
        let kind = match Kids::of(pair).next() {
            Some(kid) if kid.as_rule() == Rule::bad_part => {
                self.mark_bad(&kid, wanted);
                PartKind::Bad
            }
            Some(kid) => self.or_mismatch(span, |b| b.part_kind(kid)).unwrap_or(PartKind::Bad),
            None => PartKind::Bad,
        };
        Part { doc, kind, span }
    }

    fn part_kind(&mut self, pair: P<'_>) -> Option<PartKind> {
        Some(match pair.as_rule() {
            Rule::faces => PartKind::Faces(self.marks(Kids::of(pair).last()?)?),
            Rule::zone => PartKind::Zone(self.zone(pair)?),
            Rule::prints => PartKind::Prints(self.kind_body(Kids::of(pair).last()?)),
            Rule::discards => PartKind::DiscardsTo(self.expr(Kids::of(pair).last()?)),
            Rule::out_when => {
                let mut kids = Kids::of(pair);
                kids.opt(Rule::k_out)?;
                PartKind::OutWhen(self.when(&mut kids)?)
            }
            Rule::value => PartKind::Value(self.value(pair)?),
            Rule::rule_d => PartKind::Rule(self.rule(pair)?),
            Rule::attach => PartKind::Attach(self.attach(pair)?),
            Rule::action => PartKind::Action(self.action(pair)?),
            Rule::side_attr => {
                let mut kids = Kids::of(pair);
                let side = if kids.next()?.as_rule() == Rule::k_back { Side::Back } else { Side::Face };
                PartKind::Attr(self.attr(kids.next()?, Some(side))?)
            }
            Rule::attr => PartKind::Attr(self.attr(pair, None)?),
            Rule::fill_value => {
                let mut kids = Kids::of(pair);
                let name = self.name(kids.next()?);
                let params = kids.opt(Rule::names).map(|p| self.words(Kids::of(p)));
                PartKind::FillValue(FillValue { name, params, value: self.eq_expr(&mut kids)? })
            }
            Rule::fill_rule => {
                let mut kids = Kids::of(pair);
                let name = self.name(kids.next()?);
                let params = kids.opt(Rule::names).map(|p| self.words(Kids::of(p)));
                PartKind::FillRule(FillRule { name, params, body: self.block(kids.next()?) })
            }
            Rule::has => PartKind::Has(self.has(pair)?),
            Rule::look => PartKind::Look(self.look(pair)?),
            Rule::set => {
                let mut kids = Kids::of(pair);
                let name = self.name(kids.next()?);
                PartKind::Set(name, self.expr(kids.last()?))
            }
            _ => return None,
        })
    }

    pub(super) fn has(&mut self, pair: P<'_>) -> Option<Has> {
        let kid = Kids::of(pair).last()?;
        Some(match kid.as_rule() {
            Rule::zone => Has::Zone(self.zone(kid)?),
            _ => Has::Attr(self.attr(kid, None)?),
        })
    }

    fn attr(&mut self, pair: P<'_>, side: Option<Side>) -> Option<AttrDecl> {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        let name = self.name(kids.next()?);
        kids.opt(Rule::colon)?;
        let ty = self.ty(kids.next()?)?;
        let default = self.eq_expr(&mut kids);
        let clamped = kids.has(Rule::k_clamped);
        let per = self.inner_name(&mut kids, Rule::per);
        Some(AttrDecl { side, name, ty, default, clamped, per, span })
    }

    fn zone(&mut self, pair: P<'_>) -> Option<ZoneDecl> {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        let slot = kids.next()?.as_rule() == Rule::k_slot;
        let name = self.name(kids.next()?);
        let index = match kids.opt(Rule::zone_index) {
            Some(index) => Some(self.zone_index(index)?),
            None => None,
        };
        kids.opt(Rule::colon)?;
        let ty = self.ty(kids.next()?)?;
        let mut marks = Vec::new();
        for kid in kids {
            let span = self.span(&kid);
            let rule = kid.as_rule();
            let mut inner = Kids::of(kid);
            marks.push(match rule {
                Rule::seen => {
                    inner.opt(Rule::k_seen)?;
                    inner.opt(Rule::k_by)?;
                    let by = self.expr(inner.next()?);
                    ZoneMark::Seen { by, when: self.when(&mut inner) }
                }
                Rule::active => {
                    inner.opt(Rule::k_active)?;
                    ZoneMark::Active(self.when(&mut inner), span)
                }
                Rule::capacity => ZoneMark::UpTo(self.expr(inner.last()?)),
                Rule::sorted => ZoneMark::Sorted(self.name(inner.last()?)),
                Rule::k_unlimited => ZoneMark::Unlimited(span),
                Rule::refill => ZoneMark::Refill(self.block(inner.last()?)),
                _ => return None,
            });
        }
        Some(ZoneDecl { slot, name, index, ty, marks, span })
    }

    fn zone_index(&mut self, pair: P<'_>) -> Option<(Name, Type)> {
        let mut kids = Kids::of(pair);
        kids.opt(Rule::l_square)?;
        let name = self.name(kids.next()?);
        kids.opt(Rule::colon)?;
        Some((name, self.ty(kids.next()?)?))
    }

    pub(super) fn member(&mut self, pair: P<'_>) -> Option<Member> {
        let mut kids = Kids::of(pair);
        let kind = self.name(kids.next()?);
        let name = self.name(kids.next()?);
        let params = match kids.opt(Rule::params) {
            Some(params) => Some(self.params(params)?),
            None => None,
        };
        let title = self.text_opt(&mut kids);
        let (mut copies, mut given, mut parts, mut more) = (None, Vec::new(), Vec::new(), Vec::new());
        for kid in kids {
            match kid.as_rule() {
                Rule::copies => copies = self.copies(kid),
                Rule::given => given.push(self.expr(kid)),
                Rule::member_body => parts = self.member_body(kid),
                Rule::more => {
                    let span = self.span(&kid);
                    let mut kids = Kids::of(kid);
                    kids.opt(Rule::comma)?;
                    let name = self.name(kids.next()?);
                    let title = self.text_opt(&mut kids);
                    let copies = kids.next().and_then(|c| self.copies(c));
                    more.push(MoreMember { name, title, copies, span });
                }
                _ => return None,
            }
        }
        Some(Member { kind, name, params, title, copies, given, parts, more })
    }

    pub(super) fn list(&mut self, pair: P<'_>) -> Option<ListDecl> {
        let mut kids = Kids::of(pair);
        kids.opt(Rule::k_list)?;
        let of = self.name(kids.next()?);
        let mut columns = Vec::new();
        while let Some(column) = kids.opt(Rule::list_column) {
            columns.push(self.name(Kids::of(column).last()?));
        }
        let mut rows = Vec::new();
        let mut doc = None;
        for kid in kids {
            match kid.as_rule() {
                Rule::doc => doc = Some(self.doc(kid)),
                Rule::list_row => rows.push(self.list_row(kid, doc.take())?),
                _ => {}
            }
        }
        Some(ListDecl { of, columns, rows })
    }

    fn list_row(&mut self, pair: P<'_>, doc: Option<Doc>) -> Option<ListRow> {
        let span = self.span(&pair);
        let mut row = ListRow {
            doc,
            name: RowName::Unnamed,
            title: None,
            copies: None,
            cells: Vec::new(),
            parts: Vec::new(),
            bad: false,
            span,
        };
        for kid in Kids::of(pair) {
            match kid.as_rule() {
                Rule::bad_row => {
                    self.mark_bad(&kid, Rule::only_list_row);
                    row.bad = true;
                }
                Rule::row_name => {
                    let kid = Kids::of(kid).next()?;
                    row.name = if kid.as_rule() == Rule::int {
                        RowName::Number(self.int(kid))
                    } else {
                        RowName::Named(self.name(kid))
                    };
                }
                Rule::text => row.title = Some(self.text(kid)),
                Rule::copies => row.copies = self.copies(kid),
                Rule::column => row.cells.push(self.cell(kid)?),
                Rule::member_body => row.parts = self.member_body(kid),
                _ => return None,
            }
        }
        Some(row)
    }

    pub(super) fn legend(&mut self, pair: P<'_>) -> Option<Legend> {
        let mut kids = Kids::of(pair);
        kids.opt(Rule::k_legend)?;
        let map = kids.opt(Rule::kind).map(|k| self.name(k));
        let mut rows = Vec::new();
        for kid in kids.filter(|k| k.as_rule() == Rule::legend_row) {
            rows.push(self.legend_row(kid)?);
        }
        Some(Legend { map, rows })
    }

    fn legend_row(&mut self, pair: P<'_>) -> Option<LegendRow> {
        let span = self.span(&pair);
        let mut row = LegendRow { signs: Vec::new(), marks: Vec::new(), when: None, bad: false, span };
        for kid in Kids::of(pair) {
            match kid.as_rule() {
                Rule::bad_row => {
                    self.mark_bad(&kid, Rule::only_legend_row);
                    row.bad = true;
                }
                Rule::sign => row.signs.push(self.name(kid)),
                Rule::marks => row.marks = self.marks(kid)?,
                Rule::when => row.when = Some(self.expr(Kids::of(kid).last()?)),
                _ => {}
            }
        }
        Some(row)
    }

    pub(super) fn look(&mut self, pair: P<'_>) -> Option<Look> {
        let span = self.span(&pair);
        let mut kids = Kids::of(pair);
        kids.opt(Rule::k_look)?;
        let of = self.name(kids.next()?);
        Some(Look { of, body: self.look_body(kids.next()?)?, span })
    }

    fn look_body(&mut self, pair: P<'_>) -> Option<LookBody> {
        let span = self.span(&pair);
        let mut parts = Vec::new();
        for kid in Kids::of(pair) {
            let span = self.span(&kid);
            match kid.as_rule() {
                Rule::bad_row => self.mark_bad(&kid, Rule::only_look_row),
                Rule::look_group => {
                    let mut kids = Kids::of(kid);
                    let name = self.name(kids.next()?);
                    parts.push(LookPart::Group(name, self.look_body(kids.next()?)?));
                }
                Rule::look_row => {
                    let mut kids = Kids::of(kid);
                    let slot = self.name(kids.next()?);
                    let place = kids.opt(Rule::word).map(|w| self.name(w));
                    parts.push(LookPart::Row { slot, place, value: self.expr(kids.last()?), span });
                }
                _ => {}
            }
        }
        Some(LookBody { parts, span })
    }
}
