//! Builds components, maps, attributes, members, lists, legends and looks from pairs.
use super::{Builder, Kids, P};
use crate::ast::{
    AttrDecl, Cell, Component, ComponentKind, Doc, EnumDecl, EnumRow, Expr, FillRule, FillValue, Has, Layout,
    Legend, LegendRow, ListDecl, ListRow, Look, LookBody, LookPart, MapDecl, Mark, Member, MoreMember, Name,
    Part, PartKind, PatchDecl, PlayerMember, RowName, Shape, Side, SpaceDecl, Type, WayRow, ZoneDecl,
    ZoneMark,
};
use crate::grammar::Rule;

impl Builder {
    pub(super) fn build_enum_decl(&mut self, pair: P<'_>) -> Option<EnumDecl> {
        let mut kids = Kids::from_pair(pair);
        kids.next_if(Rule::k_enum)?;
        let name = self.build_name(kids.next()?);
        let mut columns = Vec::new();
        while let Some(column) = kids.next_if(Rule::enum_column) {
            columns.push(self.build_attr(Kids::from_pair(column).last()?, None)?);
        }
        let mut rows = Vec::new();
        let mut doc = None;
        for kid in kids {
            match kid.as_rule() {
                Rule::doc => doc = Some(self.build_doc(kid)),
                Rule::bad_row => {
                    self.mark_bad(&kid, Rule::only_enum_row);
                    doc = None;
                }
                Rule::enum_rows => {
                    for row in Kids::from_pair(kid).filter(|k| k.as_rule() != Rule::comma) {
                        rows.push(self.build_enum_row(row, doc.take())?);
                    }
                }
                _ => {}
            }
        }
        Some(EnumDecl { name, columns, rows })
    }

    fn build_enum_row(&mut self, pair: P<'_>, doc: Option<Doc>) -> Option<EnumRow> {
        let span = self.span_of(&pair);
        let mut kids = Kids::from_pair(pair);
        let name = self.build_name(kids.next()?);
        let title = self.build_text_opt(&mut kids);
        let mut cells = Vec::new();
        for column in kids {
            cells.push(self.build_cell(column, None)?);
        }
        Some(EnumRow { doc, name, title, cells, span })
    }

    /// `of`: the name of the column.
    fn build_cell(&mut self, pair: P<'_>, of: Option<&Name>) -> Option<Cell> {
        let span = self.span_of(&pair);
        let mut kids = Kids::from_pair(pair);
        kids.next_if(Rule::bar)?;
        Some(match kids.next() {
            Some(kid) if kid.as_rule() == Rule::block => {
                let name = of.cloned().unwrap_or(Name { text: String::new(), span });
                Cell::Rule(FillRule { name, params: None, body: self.build_block(kid) })
            }
            Some(kid) => Cell::Marks(self.build_marks(kid)?),
            None => Cell::Marks(Vec::new()),
        })
    }

    fn build_marks(&mut self, pair: P<'_>) -> Option<Vec<Mark>> {
        let mut marks = Vec::new();
        for kid in Kids::from_pair(pair).filter(|k| k.as_rule() == Rule::mark) {
            let span = self.span_of(&kid);
            let mut kids = Kids::from_pair(kid);
            let attr = kids.next_if(Rule::word).map(|w| self.build_name(w));
            kids.next_if(Rule::colon);
            marks.push(Mark { attr, value: self.build_expr(kids.next()?), span });
        }
        Some(marks)
    }

    pub(super) fn build_component(&mut self, pair: P<'_>) -> Option<Component> {
        let mut kids = Kids::from_pair(pair);
        let kind = match kids.next()?.as_rule() {
            Rule::k_card => ComponentKind::Card,
            Rule::k_token => ComponentKind::Token,
            Rule::k_piece => ComponentKind::Piece,
            _ => ComponentKind::Die,
        };
        let name = self.build_name(kids.next()?);
        let of_player = kids.take_if(Rule::of_player);
        let is = self.build_inner_name(&mut kids, Rule::is_kind);
        let title = self.build_text_opt(&mut kids);
        let copies = kids.next_if(Rule::copies).and_then(|c| self.build_copies(c));
        let parts = kids.next().map(|b| self.build_kind_body(b)).unwrap_or_default();
        Some(Component { kind, name, of_player, is, title, copies, parts })
    }

    /// The word at the end of the next child, if that is of `rule`: `is K`, `on M`, `per turn` …
    pub(super) fn build_inner_name(&mut self, kids: &mut Kids<'_>, rule: Rule) -> Option<Name> {
        let inner = kids.next_if(rule)?;
        let last = Kids::from_pair(inner).last()?;
        Some(self.build_name(last))
    }

    fn build_copies(&mut self, pair: P<'_>) -> Option<Expr> {
        let count = Kids::from_pair(pair).last()?;
        Some(self.build_expr(count))
    }

    pub(super) fn build_player_member(&mut self, pair: P<'_>) -> Option<PlayerMember> {
        let mut kids = Kids::from_pair(pair);
        kids.next_if(Rule::k_player)?;
        let name = self.build_name(kids.next()?);
        let title = self.build_text_opt(&mut kids);
        let answered = self.build_inner_expr(&mut kids, Rule::answered);
        let parts = kids.next().map(|b| self.build_member_body(b)).unwrap_or_default();
        Some(PlayerMember { name, title, answered, parts })
    }

    pub(super) fn build_map(&mut self, pair: P<'_>) -> Option<MapDecl> {
        let mut kids = Kids::from_pair(pair);
        kids.next_if(Rule::k_map)?;
        let name = self.build_name(kids.next()?);
        let shape = match kids.next_if(Rule::shape) {
            Some(shape) => Some(self.build_shape(shape)?),
            None => None,
        };
        let of = self.build_inner_name(&mut kids, Rule::of_kind);
        let picture = kids.next_if(Rule::picture).map(|p| self.build_picture(p));
        let mut ways = Vec::new();
        for kid in kids.next_if(Rule::ways).into_iter().flat_map(Kids::from_pair) {
            match kid.as_rule() {
                Rule::bad_row => self.mark_bad(&kid, Rule::only_way_row),
                Rule::way_row => ways.push(self.build_way_row(kid)?),
                _ => {}
            }
        }
        Some(MapDecl { name, shape, of, picture, ways })
    }

    fn build_way_row(&mut self, pair: P<'_>) -> Option<WayRow> {
        let mut kids = Kids::from_pair(pair);
        let mut row = WayRow { from: self.build_name(kids.next()?), to: Vec::new(), star: false };
        let mut one_way = false;
        for kid in kids {
            match kid.as_rule() {
                Rule::word => row.to.push((self.build_name(kid), one_way)),
                Rule::comma => row.star = true,
                _ => one_way = kid.as_str() == "->",
            }
        }
        Some(row)
    }

    fn build_shape(&mut self, pair: P<'_>) -> Option<Shape> {
        let span = self.span_of(&pair);
        let mut kids = Kids::from_pair(pair);
        let layout = match kids.next()?.as_rule() {
            Rule::k_squares => Layout::Squares,
            Rule::k_hexes => Layout::Hexes,
            Rule::k_line => Layout::Line,
            _ => Layout::Graph,
        };
        let diagonal = kids.take_if(Rule::k_diagonal);
        let rhombus = kids.take_if(Rule::k_rhombus);
        let grows = kids.take_if(Rule::k_within);
        let width = kids.next_if(Rule::add).map(|p| self.build_expr(p));
        kids.next_if(Rule::k_by);
        let height = kids.next_if(Rule::add).map(|p| self.build_expr(p));
        Some(Shape { layout, diagonal, rhombus, grows, width, height, span })
    }

    pub(super) fn build_space(&mut self, pair: P<'_>) -> Option<SpaceDecl> {
        let mut kids = Kids::from_pair(pair);
        kids.next_if(Rule::k_space)?;
        let name = self.build_name(kids.next()?);
        let is = self.build_inner_name(&mut kids, Rule::is_kind);
        let on = self.build_inner_name(&mut kids, Rule::on_kind);
        let patch = self.build_inner_name(&mut kids, Rule::for_kind);
        let parts = kids.next().map(|b| self.build_kind_body(b)).unwrap_or_default();
        Some(SpaceDecl { name, is, on, patch, parts })
    }

    pub(super) fn build_patch(&mut self, pair: P<'_>) -> Option<PatchDecl> {
        let mut kids = Kids::from_pair(pair);
        kids.next_if(Rule::k_patch)?;
        let name = self.build_name(kids.next()?);
        kids.next_if(Rule::k_of)?;
        let size = kids.next()?;
        let size = self.build_int(size);
        let parts = kids.next().map(|b| self.build_kind_body(b)).unwrap_or_default();
        Some(PatchDecl { name, size, parts })
    }

    pub(super) fn build_kind_body(&mut self, pair: P<'_>) -> Vec<Part> {
        self.build_entries(pair, |b, doc, kid| Some(b.build_part(doc, kid, Rule::only_part)))
    }

    pub(super) fn build_member_body(&mut self, pair: P<'_>) -> Vec<Part> {
        self.build_entries(pair, |b, doc, kid| Some(b.build_part(doc, kid, Rule::only_member_part)))
    }

    fn build_part(&mut self, doc: Option<Doc>, pair: P<'_>, wanted: Rule) -> Part {
        let span = self.span_of(&pair);
        let kind = match Kids::from_pair(pair).next() {
            Some(kid) if kid.as_rule() == Rule::bad_part => {
                self.mark_bad(&kid, wanted);
                PartKind::Bad
            }
            Some(kid) => self.build_or_report(span, |b| b.build_part_kind(kid)).unwrap_or(PartKind::Bad),
            None => PartKind::Bad,
        };
        Part { doc, kind, span }
    }

    fn build_part_kind(&mut self, pair: P<'_>) -> Option<PartKind> {
        Some(match pair.as_rule() {
            Rule::faces => PartKind::Faces(self.build_marks(Kids::from_pair(pair).last()?)?),
            Rule::zone => PartKind::Zone(self.build_zone(pair)?),
            Rule::prints => PartKind::Prints(self.build_kind_body(Kids::from_pair(pair).last()?)),
            Rule::discards => PartKind::DiscardsTo(self.build_expr(Kids::from_pair(pair).last()?)),
            Rule::out_when => {
                let mut kids = Kids::from_pair(pair);
                kids.next_if(Rule::k_out)?;
                PartKind::OutWhen(self.build_when(&mut kids)?)
            }
            Rule::value => PartKind::Value(self.build_value(pair)?),
            Rule::rule_d => PartKind::Rule(self.build_rule(pair)?),
            Rule::attach => PartKind::Attach(self.build_attach(pair)?),
            Rule::action => PartKind::Action(self.build_action(pair)?),
            Rule::side_attr => {
                let mut kids = Kids::from_pair(pair);
                let side = if kids.next()?.as_rule() == Rule::k_back { Side::Back } else { Side::Face };
                PartKind::Attr(self.build_attr(kids.next()?, Some(side))?)
            }
            Rule::attr => PartKind::Attr(self.build_attr(pair, None)?),
            Rule::fill_value => {
                let mut kids = Kids::from_pair(pair);
                let name = self.build_name(kids.next()?);
                let params = kids.next_if(Rule::names).map(|p| self.build_words(Kids::from_pair(p)));
                PartKind::FillValue(FillValue { name, params, value: self.build_eq_expr(&mut kids)? })
            }
            Rule::fill_rule => {
                let mut kids = Kids::from_pair(pair);
                let name = self.build_name(kids.next()?);
                let params = kids.next_if(Rule::names).map(|p| self.build_words(Kids::from_pair(p)));
                PartKind::FillRule(FillRule { name, params, body: self.build_block(kids.next()?) })
            }
            Rule::has => PartKind::Has(self.build_has(pair)?),
            Rule::look => PartKind::Look(self.build_look(pair)?),
            Rule::set => {
                let mut kids = Kids::from_pair(pair);
                let name = self.build_name(kids.next()?);
                PartKind::Set(name, self.build_expr(kids.last()?))
            }
            _ => return None,
        })
    }

    pub(super) fn build_has(&mut self, pair: P<'_>) -> Option<Has> {
        let kid = Kids::from_pair(pair).last()?;
        Some(match kid.as_rule() {
            Rule::zone => Has::Zone(self.build_zone(kid)?),
            _ => Has::Attr(self.build_attr(kid, None)?),
        })
    }

    fn build_attr(&mut self, pair: P<'_>, side: Option<Side>) -> Option<AttrDecl> {
        let span = self.span_of(&pair);
        let mut kids = Kids::from_pair(pair);
        let name = self.build_name(kids.next()?);
        kids.next_if(Rule::colon)?;
        let ty = self.build_ty(kids.next()?)?;
        let default = self.build_eq_expr(&mut kids);
        let clamped = kids.take_if(Rule::k_clamped);
        let per = self.build_inner_name(&mut kids, Rule::per);
        Some(AttrDecl { side, name, ty, default, clamped, per, span })
    }

    fn build_zone(&mut self, pair: P<'_>) -> Option<ZoneDecl> {
        let span = self.span_of(&pair);
        let mut kids = Kids::from_pair(pair);
        let slot = kids.next()?.as_rule() == Rule::k_slot;
        let name = self.build_name(kids.next()?);
        let index = match kids.next_if(Rule::zone_index) {
            Some(index) => Some(self.build_zone_index(index)?),
            None => None,
        };
        kids.next_if(Rule::colon)?;
        let ty = self.build_ty(kids.next()?)?;
        let mut marks = Vec::new();
        for kid in kids {
            let span = self.span_of(&kid);
            let rule = kid.as_rule();
            let mut inner = Kids::from_pair(kid);
            marks.push(match rule {
                Rule::seen => {
                    inner.next_if(Rule::k_seen)?;
                    inner.next_if(Rule::k_by)?;
                    let by = self.build_expr(inner.next()?);
                    ZoneMark::Seen { by, when: self.build_when(&mut inner) }
                }
                Rule::active => {
                    inner.next_if(Rule::k_active)?;
                    ZoneMark::Active(self.build_when(&mut inner), span)
                }
                Rule::capacity => ZoneMark::UpTo(self.build_expr(inner.last()?)),
                Rule::sorted => ZoneMark::Sorted(self.build_name(inner.last()?)),
                Rule::k_unlimited => ZoneMark::Unlimited(span),
                Rule::refill => ZoneMark::Refill(self.build_block(inner.last()?)),
                _ => return None,
            });
        }
        Some(ZoneDecl { slot, name, index, ty, marks, span })
    }

    fn build_zone_index(&mut self, pair: P<'_>) -> Option<(Name, Type)> {
        let mut kids = Kids::from_pair(pair);
        kids.next_if(Rule::l_square)?;
        let name = self.build_name(kids.next()?);
        kids.next_if(Rule::colon)?;
        Some((name, self.build_ty(kids.next()?)?))
    }

    pub(super) fn build_member(&mut self, pair: P<'_>) -> Option<Member> {
        let mut kids = Kids::from_pair(pair);
        let kind = self.build_name(kids.next()?);
        let name = self.build_name(kids.next()?);
        let params = match kids.next_if(Rule::params) {
            Some(params) => Some(self.build_params(params)?),
            None => None,
        };
        let title = self.build_text_opt(&mut kids);
        let (mut copies, mut given, mut parts, mut more) = (None, Vec::new(), Vec::new(), Vec::new());
        for kid in kids {
            match kid.as_rule() {
                Rule::copies => copies = self.build_copies(kid),
                Rule::given => given.push(self.build_expr(kid)),
                Rule::member_body => parts = self.build_member_body(kid),
                Rule::more => {
                    let span = self.span_of(&kid);
                    let mut kids = Kids::from_pair(kid);
                    kids.next_if(Rule::comma)?;
                    let name = self.build_name(kids.next()?);
                    let title = self.build_text_opt(&mut kids);
                    let copies = kids.next().and_then(|c| self.build_copies(c));
                    more.push(MoreMember { name, title, copies, span });
                }
                _ => return None,
            }
        }
        Some(Member { kind, name, params, title, copies, given, parts, more })
    }

    pub(super) fn build_list(&mut self, pair: P<'_>) -> Option<ListDecl> {
        let mut kids = Kids::from_pair(pair);
        kids.next_if(Rule::k_list)?;
        let of = self.build_name(kids.next()?);
        let mut columns = Vec::new();
        while let Some(column) = kids.next_if(Rule::list_column) {
            columns.push(self.build_name(Kids::from_pair(column).last()?));
        }
        let mut rows = Vec::new();
        let mut doc = None;
        for kid in kids {
            match kid.as_rule() {
                Rule::doc => doc = Some(self.build_doc(kid)),
                Rule::list_row => rows.push(self.build_list_row(kid, &columns, doc.take())?),
                _ => {}
            }
        }
        Some(ListDecl { of, columns, rows })
    }

    fn build_list_row(&mut self, pair: P<'_>, columns: &[Name], doc: Option<Doc>) -> Option<ListRow> {
        let span = self.span_of(&pair);
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
        for kid in Kids::from_pair(pair) {
            match kid.as_rule() {
                Rule::bad_row => {
                    self.mark_bad(&kid, Rule::only_list_row);
                    row.bad = true;
                }
                Rule::row_name => {
                    let kid = Kids::from_pair(kid).next()?;
                    row.name = if kid.as_rule() == Rule::int {
                        RowName::Number(self.build_int(kid))
                    } else {
                        RowName::Named(self.build_name(kid))
                    };
                }
                Rule::text => row.title = Some(self.build_text(kid)),
                Rule::copies => row.copies = self.build_copies(kid),
                Rule::column => {
                    let of = columns.get(row.cells.len());
                    row.cells.push(self.build_cell(kid, of)?);
                }
                Rule::member_body => row.parts = self.build_member_body(kid),
                _ => return None,
            }
        }
        Some(row)
    }

    pub(super) fn build_legend(&mut self, pair: P<'_>) -> Option<Legend> {
        let mut kids = Kids::from_pair(pair);
        kids.next_if(Rule::k_legend)?;
        let map = kids.next_if(Rule::kind).map(|k| self.build_name(k));
        let mut rows = Vec::new();
        for kid in kids.filter(|k| k.as_rule() == Rule::legend_row) {
            rows.push(self.build_legend_row(kid)?);
        }
        Some(Legend { map, rows })
    }

    fn build_legend_row(&mut self, pair: P<'_>) -> Option<LegendRow> {
        let span = self.span_of(&pair);
        let mut row = LegendRow { signs: Vec::new(), marks: Vec::new(), when: None, bad: false, span };
        for kid in Kids::from_pair(pair) {
            match kid.as_rule() {
                Rule::bad_row => {
                    self.mark_bad(&kid, Rule::only_legend_row);
                    row.bad = true;
                }
                Rule::sign => row.signs.push(self.build_name(kid)),
                Rule::marks => row.marks = self.build_marks(kid)?,
                Rule::when => row.when = Some(self.build_expr(Kids::from_pair(kid).last()?)),
                _ => {}
            }
        }
        Some(row)
    }

    pub(super) fn build_look(&mut self, pair: P<'_>) -> Option<Look> {
        let span = self.span_of(&pair);
        let mut kids = Kids::from_pair(pair);
        kids.next_if(Rule::k_look)?;
        let of = self.build_name(kids.next()?);
        Some(Look { of, body: self.build_look_body(kids.next()?)?, span })
    }

    fn build_look_body(&mut self, pair: P<'_>) -> Option<LookBody> {
        let span = self.span_of(&pair);
        let mut parts = Vec::new();
        for kid in Kids::from_pair(pair) {
            let span = self.span_of(&kid);
            match kid.as_rule() {
                Rule::bad_row => self.mark_bad(&kid, Rule::only_look_row),
                Rule::look_group => {
                    let mut kids = Kids::from_pair(kid);
                    let name = self.build_name(kids.next()?);
                    parts.push(LookPart::Group(name, self.build_look_body(kids.next()?)?));
                }
                Rule::look_row => {
                    let mut kids = Kids::from_pair(kid);
                    let slot = self.build_name(kids.next()?);
                    let place = kids.next_if(Rule::word).map(|w| self.build_name(w));
                    parts.push(LookPart::Row { slot, place, value: self.build_expr(kids.last()?), span });
                }
                _ => {}
            }
        }
        Some(LookBody { parts, span })
    }
}
