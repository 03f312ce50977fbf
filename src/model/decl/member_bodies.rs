//! Reads what members give: values of attributes, and the values and rules that they fill; and the marks of zones.
use super::bodies::{Apply, Reader, close_body, report_unknown, set_parts};
use crate::body::cx::{Cx, Me, Mode};
use crate::body::index::{Index, Part, Thing};
use crate::body::{self, build, types};
use crate::hir::*;
use crate::uses::Def;
use crate::{codes, suggest};
use houserule_syntax::ast;
use houserule_text::{Diagnostic, Report, Span};

impl Reader<'_> {
    pub(super) fn read_zone(
        &self,
        ix: &Index<'_>,
        out: &mut Report,
        z: ZoneId,
        d: &ast::ZoneDecl,
    ) -> Option<Apply> {
        let zone = ix.model.zones.get(z.index())?;
        let kind = zone.holds.first().copied();
        let mut applies: Vec<Apply> = Vec::new();
        for (i, m) in d.marks.iter().enumerate() {
            let earlier = d.marks.get(..i).unwrap_or(&[]);
            if earlier.iter().any(|e| std::mem::discriminant(e) == std::mem::discriminant(m)) {
                let word = match m {
                    ast::ZoneMark::Seen { .. } => "seen",
                    ast::ZoneMark::Active(..) => "active",
                    ast::ZoneMark::UpTo(_) => "up to",
                    ast::ZoneMark::Sorted(_) => "sorted",
                    ast::ZoneMark::Unlimited(_) => "unlimited",
                    ast::ZoneMark::Refill(_) => "refill",
                };
                out.push(body::hints::report_said_twice(d.name.span, word));
            }
            match m {
                ast::ZoneMark::Seen { by, when } => {
                    if let Some(w) = when {
                        out.push(body::unsupported::not_played(w.span, "`seen by … when`"));
                    }
                    let whose = match &*by.kind {
                        ast::ExprKind::Owner => "owner",
                        ast::ExprKind::Name(n) if n.text == "others" => "others",
                        _ => "",
                    };
                    if !whose.is_empty() && zone.of != Some(builtin_kinds::PLAYER) {
                        let message = format!("`seen by {whose}`: only zones of players have an owner");
                        let d = Diagnostic::error(body::codes::WRONG_FORM, by.span, message);
                        out.push(d.help(
                            "write who sees the faces: `seen by nobody`, or a value that names players",
                        ));
                    }
                    let seen = match &*by.kind {
                        ast::ExprKind::Owner => Seen::Owner,
                        ast::ExprKind::Name(n) if n.text == "nobody" => Seen::Nobody,
                        ast::ExprKind::Name(n) if n.text == "all" => Seen::All,
                        _ => {
                            let mut cx = self.new_cx(ix, out, Mode::Pure("who sees it"));
                            let owner = cx.new_local("owner", types::player(), by.span);
                            cx.owner = Some(build::local(owner, types::player(), by.span));
                            if let Some(k) = kind {
                                let it = cx.new_local("it", Ty::Of(k), by.span);
                                cx.its.push(build::local(it, Ty::Of(k), by.span));
                            }
                            let e = match &*by.kind {
                                // All but the owner.
                                ast::ExprKind::Name(n) if n.text == "others" => {
                                    let owner = build::local(owner, types::player(), by.span);
                                    let own = build::expr(
                                        types::set_of(types::player()),
                                        by.span,
                                        ExprKind::Set(vec![owner]),
                                    );
                                    let all = build::players(by.span);
                                    build::expr(all.ty.clone(), by.span, ExprKind::Without(all, own))
                                }
                                _ => cx.read_as(by, &types::set_of(types::player()), "who sees it"),
                            };
                            Seen::By(close_body(cx, 2, e))
                        }
                    };
                    applies.push(Box::new(move |m| m.zones[z.index()].seen = seen));
                }
                ast::ZoneMark::Active(when, span) => {
                    let active = match when {
                        None => Active::Always,
                        Some(c) => {
                            let mut cx =
                                self.cx_of_thing(ix, out, kind, "the condition of `active when`", *span);
                            let c = cx.read_cond(c, "the condition of `active when`");
                            Active::When(close_body(cx, 2, c))
                        }
                    };
                    applies.push(Box::new(move |m| m.zones[z.index()].active = active));
                }
                ast::ZoneMark::UpTo(e) => {
                    if d.slot {
                        let message = "a slot holds at most one thing";
                        let d = Diagnostic::error(codes::MISPLACED, e.span, message);
                        out.push(d.help("leave out `up to …`, or declare a `zone`"));
                    }
                    let mut cx = self.new_cx(ix, out, Mode::Pure("a capacity"));
                    let e = cx.read_number_of(e, "how many fit");
                    let b = close_body(cx, 0, e);
                    applies.push(Box::new(move |m| m.zones[z.index()].capacity = Some(b)));
                }
                ast::ZoneMark::Sorted(n) => {
                    out.push(body::unsupported::not_played(n.span, "sorted zones"));
                }
                ast::ZoneMark::Unlimited(s) => {
                    let other = |m: &ast::ZoneMark| {
                        !matches!(m, ast::ZoneMark::Unlimited(_) | ast::ZoneMark::Active(..))
                    };
                    if d.slot || d.marks.iter().any(other) {
                        let message =
                            "an unlimited supply is no slot, is never full, hidden, sorted or refilled";
                        let d = Diagnostic::error(codes::MISPLACED, *s, message);
                        out.push(d.help("leave out `unlimited`, or declare a zone that is `unlimited` only"));
                    }
                }
                ast::ZoneMark::Refill(b) => {
                    if d.slot {
                        let message = "nothing is drawn from a slot, so it is never refilled";
                        let d = Diagnostic::error(codes::MISPLACED, b.span, message);
                        out.push(d.help("leave out `refill { … }`, or declare a `zone`"));
                    }
                }
            }
        }
        Some(Box::new(move |m| applies.into_iter().for_each(|a| a(m))))
    }

    pub(super) fn read_member_set(
        &self,
        ix: &Index<'_>,
        out: &mut Report,
        id: MemberId,
        n: &ast::Name,
        e: &ast::Expr,
    ) -> Option<Apply> {
        let kind = ix.model.members.get(id.index())?.kind;
        let a = match types::line_of(ix.model, kind).into_iter().find_map(|k| ix.part(k, &n.text)) {
            Some(Part::Attr(a)) => a,
            Some(Part::Value(v)) if is_print(ix.model, v) => {
                let message = format!("`{}` is printed on each space or side", n.text);
                let d = Diagnostic::error(codes::PRINTS, n.span, message);
                let of = types::name(ix.model, kind);
                out.push(d.help(format!("write it in the columns for them: `list {of} | 1 | 2 {{ … }}`")));
                return None;
            }
            _ => {
                report_no_part(ix, out, kind, n);
                return None;
            }
        };
        ix.notes.note(n.span, Def::Attr(a));
        let attr = ix.model.attrs.get(a.index())?;
        if attr.side == AttrSide::Side {
            let message = format!("`{}` is a `face` attribute: each face of the die gives its value", n.text);
            let d = Diagnostic::error(codes::MISPLACED, n.span, message).also(attr.span, "declared here");
            out.push(d.help("write it at each face: `faces: 1 word, 2 word`"));
            return None;
        }
        self.read_member_value(ix, out, id, a, e)
    }

    /// Reads the value that a member gives to an attribute.
    pub(super) fn read_member_value(
        &self,
        ix: &Index<'_>,
        out: &mut Report,
        id: MemberId,
        a: AttrId,
        e: &ast::Expr,
    ) -> Option<Apply> {
        let ty = ix.model.attrs.get(a.index())?.ty.clone();
        let mut cx = self.member_cx(ix, out, id, "a member's value");
        let params = usize::from(self.families.contains_key(&id));
        if let Ty::Bag(_) = ty {
            let parts = cx.read_bag_at_start(a, e)?;
            return Some(set_parts(id, parts, close_body(cx, params, ())));
        }
        let e = cx.read_as(e, &ty, "the attribute's value");
        let b = close_body(cx, params, e);
        Some(Box::new(move |m| {
            let sets = &mut m.members[id.index()].sets;
            sets.retain(|(x, _)| *x != a);
            sets.push((a, b));
        }))
    }

    /// What a patch prints in a column of a list, or what a legend says of a slot: each mark by the kind of its word, or by name.
    pub(super) fn read_marks(
        &self,
        ix: &Index<'_>,
        out: &mut Report,
        id: MemberId,
        column: Option<&ast::Name>,
        marks: &[ast::Mark],
    ) -> Option<Apply> {
        let m = ix.model;
        let member = m.members.get(id.index())?;
        let line = types::line_of(m, member.kind);
        // The name of an attribute as it is written here.
        let word = |a: &'_ Attr| -> Option<String> {
            let of_kind = a.has_of.is_none() && a.of.is_some_and(|k| line.contains(&k));
            let name = match column {
                None => Some(&*a.name).filter(|_| !a.is_part),
                Some(c) => {
                    let place = a.name.strip_suffix(&*c.text).filter(|_| a.is_part)?;
                    place.strip_suffix(" to ").or(place.strip_suffix(' '))
                }
            };
            name.filter(|_| of_kind).map(String::from)
        };
        let could: Vec<(String, AttrId, &Attr)> =
            (0..).map(AttrId).zip(&m.attrs).filter_map(|(i, a)| Some((word(a)?, i, a))).collect();
        let mut sets: Vec<(AttrId, Body<Expr>)> = Vec::new();
        for mark in marks {
            let named = |n: &ast::Name| could.iter().find(|(word, ..)| *word == n.text);
            let several = std::cell::Cell::new(false);
            let only = |fits: &dyn Fn(&Ty) -> bool| {
                let mut found = could.iter().filter(|(_, _, a)| fits(&types::plain(&a.ty)));
                let first = found.next();
                several.set(found.next().is_some());
                first.filter(|_| !several.get())
            };
            let (attr, yes) = match (&mark.attr, &*mark.value.kind) {
                (Some(n), _) => (named(n), false),
                (None, ast::ExprKind::Int(_)) => (only(&|t| matches!(t, Ty::Int(..))), false),
                (None, ast::ExprKind::Name(n) | ast::ExprKind::Kind(n)) => match named(n) {
                    Some(own) if own.2.ty == Ty::Bool => (Some(own), true),
                    _ => {
                        let kinds: Vec<KindId> = ix
                            .things(&n.text)
                            .iter()
                            .filter_map(|t| match t {
                                Thing::Member(x) => m.members.get(x.index()).map(|x| x.kind),
                                _ => None,
                            })
                            .collect();
                        (only(&|t| matches!(t, Ty::Of(k) if kinds.contains(k))), false)
                    }
                },
                _ => (None, false),
            };
            let Some((word, a, attr)) = attr else {
                let names: Vec<&str> = could.iter().map(|(n, ..)| &**n).collect();
                let of = types::name(m, member.kind);
                let does = if column.is_some() { "prints" } else { "has" };
                let message = match (several.get(), column) {
                    (true, _) => format!("this may be several of the things that a {of} {does} here"),
                    (_, Some(c)) => format!("this is nothing that a {of} prints in the column `{}`", c.text),
                    (_, None) => format!("this is nothing that a {of} has"),
                };
                // What may have been meant: a name before the colon, else a word of an enum or what is on or off.
                let (at, near) = match (&mark.attr, &*mark.value.kind) {
                    (Some(n), _) => (n.span, suggest::closest(&n.text, names.iter().copied())),
                    (None, ast::ExprKind::Name(n) | ast::ExprKind::Kind(n)) if !several.get() => {
                        let words = could.iter().flat_map(|(word, _, a)| match types::plain(&a.ty) {
                            Ty::Bool => vec![&**word],
                            Ty::Of(k) => m.kinds.get(k.index()).map_or_else(Vec::new, |k| {
                                k.members
                                    .iter()
                                    .filter_map(|x| Some(&*m.members.get(x.index())?.name))
                                    .collect()
                            }),
                            _ => Vec::new(),
                        });
                        (n.span, suggest::closest(&n.text, words))
                    }
                    _ => (mark.span, None),
                };
                let d = Diagnostic::error(codes::PRINTS, at, message);
                if let Some(near) = near {
                    out.push(d.suggest(near));
                    continue;
                }
                let names = names.join(", ");
                out.push(match (several.get(), names.is_empty()) {
                    (true, _) => d.help("write its name and a colon in front: `name: value`"),
                    (_, true) => d.help("leave it out, or declare it in the kind first"),
                    _ => d.help(format!("write a word or number for one of these: {names}")),
                });
                continue;
            };
            if sets.iter().any(|(x, _)| x == a) {
                let message = format!("`{word}` is written twice here");
                out.push(
                    Diagnostic::error(codes::TWICE, mark.span, message).help("leave one of the two out"),
                );
                continue;
            }
            let shown = m.values.iter().position(|v| column.is_some() && v.span == attr.span);
            let def = shown.map_or(Def::Attr(*a), |v| Def::Value(ValueId(v as u32)));
            let mut cx = self.member_cx(ix, out, id, "what is printed");
            let params = usize::from(self.families.contains_key(&id));
            let e = match yes {
                true => build::truth(true, mark.span),
                false => cx.read_as(&mark.value, &attr.ty, "what is printed"),
            };
            sets.push((*a, close_body(cx, params, e)));
            match &mark.attr {
                Some(n) => ix.notes.note(n.span, def),
                None if yes => ix.notes.note(mark.span, def),
                None => {}
            }
        }
        Some(Box::new(move |m| {
            let own = &mut m.members[id.index()].sets;
            own.retain(|(x, _)| sets.iter().all(|(y, _)| x != y));
            own.extend(sets);
        }))
    }

    pub(super) fn read_member_fill(
        &self,
        ix: &Index<'_>,
        out: &mut Report,
        id: MemberId,
        f: &ast::FillValue,
    ) -> Option<Apply> {
        let kind = ix.model.members.get(id.index())?.kind;
        let Some(Part::Value(v)) =
            types::line_of(ix.model, kind).into_iter().find_map(|k| ix.part(k, &f.name.text))
        else {
            let attr = |k: &KindId| matches!(ix.part(*k, &f.name.text), Some(Part::Attr(_)));
            if types::line_of(ix.model, kind).iter().any(attr) {
                let message = format!("`{}` is an attribute: a member gives its value with `:`", f.name.text);
                let d = Diagnostic::error(codes::UNKNOWN_ATTR, f.name.span, message);
                out.push(d.help(format!("write `{}: …`", f.name.text)));
            } else {
                report_no_part(ix, out, kind, &f.name);
            }
            return None;
        };
        ix.notes.note(f.name.span, Def::Value(v));
        let decl = ix.model.values.get(v.index())?;
        let mut cx = self.new_cx(ix, out, Mode::Pure("a value"));
        cx.member = Some(id);
        self.bind_renamed(&mut cx, kind, &decl.body, f.params.as_deref());
        let e = cx.check_held(&f.value, &decl.ty, "the value");
        let b = close_body(cx, decl.body.params, e);
        Some(Box::new(move |m| m.members[id.index()].fills.push((v, b))))
    }

    pub(super) fn read_member_rule(
        &self,
        ix: &Index<'_>,
        out: &mut Report,
        id: MemberId,
        f: &ast::FillRule,
    ) -> Option<Apply> {
        let kind = ix.model.members.get(id.index())?.kind;
        let Some(Part::Rule(r)) =
            types::line_of(ix.model, kind).into_iter().find_map(|k| ix.part(k, &f.name.text))
        else {
            report_no_part(ix, out, kind, &f.name);
            return None;
        };
        ix.notes.note(f.name.span, Def::Rule(r));
        let decl = ix.model.rules.get(r.index())?;
        let mut cx = self.new_cx(ix, out, Mode::Effect);
        cx.member = Some(id);
        self.bind_renamed(&mut cx, kind, &decl.body, f.params.as_deref());
        for l in decl.body.locals.iter().skip(decl.body.params) {
            cx.new_local(&l.name, l.ty.clone(), l.span);
        }
        cx.me = Me::Is(decl.me);
        cx.within.rule = Some(r);
        cx.within.gives = Some(decl.gives.clone()).filter(|t| *t != Ty::Nothing);
        if let Some(this) = cx.this.clone() {
            cx.owner = Some(build::builtin(
                Builtin::OwnerOf,
                vec![this],
                types::maybe(types::player()),
                f.name.span,
            ));
        }
        body::assign::collect_assigned(&f.body, &mut cx.reassigned);
        let from = cx.locals.len();
        let block = cx.read_block(&f.body);
        body::stmt::must_give(&mut cx, decl, &block, f.body.span);
        cx.warn_unused(from, "the name");
        let b = close_body(cx, decl.body.params, block);
        Some(Box::new(move |m| m.members[id.index()].rule_fills.push((r, b))))
    }

    /// The parameters of a slot, by the names that the member gives them.
    fn bind_renamed<T>(&self, cx: &mut Cx<'_>, kind: KindId, b: &Body<T>, names: Option<&[ast::Name]>) {
        for (i, l) in b.locals.iter().take(b.params).enumerate() {
            let own = names.filter(|_| i > 0).and_then(|n| n.get(i - 1));
            let (name, at) = own.map_or((&*l.name, l.span), |n| (n.text.as_str(), n.span));
            // Of the member's own kind, which may be one of the kinds of what declares it.
            let ty = if i == 0 { Ty::Of(kind) } else { l.ty.clone() };
            let id = cx.new_local(name, ty.clone(), at);
            if i == 0 {
                cx.this = Some(build::local(id, ty, l.span));
            } else {
                cx.call_it(name, id);
            }
        }
    }
}

/// Reports that a kind has no attribute, value or rule of that name to which a member could give this.
fn report_no_part(ix: &Index<'_>, out: &mut Report, kind: KindId, n: &ast::Name) {
    use body::index::Part;
    let line = types::line_of(ix.model, kind);
    let name = types::name(ix.model, kind);
    let own = match line.iter().find_map(|k| ix.part(*k, &n.text)) {
        Some(Part::Attr(_)) => {
            Some(("an attribute", "write its value: `{}: …`, or in a cell the value without braces"))
        }
        Some(Part::Value(_)) => Some(("a value", "write `{} = …` in the braces of the member")),
        Some(Part::Rule(_)) => Some(("a rule", "write a block: `{} { … }`, or in a cell the block alone")),
        Some(Part::Zone(_)) => {
            Some(("a zone", "leave it out: what lies in a zone is moved there by the rules"))
        }
        None => None,
    };
    if let Some((sort, help)) = own {
        let d = Diagnostic::error(codes::UNKNOWN_ATTR, n.span, format!("`{}` of `{name}` is {sort}", n.text));
        out.push(d.help(help.replacen("{}", &n.text, 1)));
        return;
    }
    let names: Vec<&str> = line.into_iter().flat_map(|k| ix.parts_of(k)).map(|(n, _)| n).collect();
    let message = format!("`{name}` has no `{}`", n.text);
    report_unknown(ix, out, codes::UNKNOWN_ATTR, n, message, &names);
    if let Some(d) = out.findings.last_mut().filter(|d| d.fix.is_none()) {
        d.help = Some(format!("declare the attribute in the kind first: `{}: int` in `{name}`", n.text));
    }
}

/// Whether a value is what a patch prints.
fn is_print(m: &Model, v: ValueId) -> bool {
    m.values.get(v.index()).is_some_and(|v| matches!(v.role, ValueRole::Patch) && v.span != Span::default())
}
