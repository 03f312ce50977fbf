//! Names for what an expression stands for: `my.hand` is "your hand", `w.colour` is "Ada's colour".
use super::{Phrase, Speaker, UNSAID, to_words};
use crate::body::{types, walk};
use crate::hir::*;

impl Speaker<'_> {
    /// Whether an expression is the reader.
    pub(super) fn is_me(&self, e: &Expr) -> bool {
        matches!(&*e.kind, ExprKind::Local(l) if self.me == Some(*l))
    }

    /// Whether an expression can be worked out where the sentence is shown, and what it gives may be shown there.
    pub(super) fn has_value(&self, e: &Expr) -> bool {
        is_shown(&e.ty)
            && (self.open || is_constant(e))
            && !walk::any_expr(e, &mut |x| match &*x.kind {
                ExprKind::Local(l) => self.bound.contains(l),
                ExprKind::Usual | ExprKind::Filter(..) | ExprKind::NoAction => true,
                ExprKind::PhaseNow | ExprKind::Phase(_) | ExprKind::Running(_) => true,
                _ => false,
            })
    }

    /// What something is called.
    pub(super) fn noun(&self, e: &Expr) -> Phrase {
        match &*e.kind {
            ExprKind::Local(_) if self.is_me(e) => Phrase::of("you"),
            ExprKind::Local(l) if self.bound.contains(l) => Phrase::of("it"),
            ExprKind::Local(_) if is_shown(&e.ty) => Phrase::hole(e),
            ExprKind::Local(_) => Phrase::of("that"),
            ExprKind::Int(n) => Phrase::of(&n.to_string()),
            ExprKind::Bool(b) => Phrase::of(if *b { "yes" } else { "no" }),
            ExprKind::None => Phrase::of("none"),
            ExprKind::All(k) | ExprKind::Faces(k) => Phrase::of(&format!("all {}", self.plural(*k))),
            ExprKind::Attr(x, a) => self.owned(x, &self.model.attrs[a.index()].name),
            ExprKind::TableAttr(a) => {
                Phrase::of(&format!("the {}", to_words(&self.model.attrs[a.index()].name)))
            }
            ExprKind::Zone(whose, z, index) | ExprKind::PlaceOf(whose, z, index) => {
                self.zone(whose.as_ref(), *z, index.as_ref())
            }
            ExprKind::Box(_) => Phrase::of("the box"),
            ExprKind::Value(v, args) => self.called(&self.model.values[v.index()].name, args),
            ExprKind::Builtin(b, args) => self.built_in(*b, args, e),
            ExprKind::Where(of, l, c) => {
                let inner = self.with_bound(*l);
                self.things(of).then(" where ").join(inner.sentence(c, true))
            }
            ExprKind::Fold(f) => self.fold(f),
            ExprKind::Set(all) | ExprKind::List(all) if !all.is_empty() => {
                Phrase::list(all.iter().map(|x| self.noun(x)).collect(), " or ")
            }
            ExprKind::Range(a, b) => self.noun(a).then(" to ").join(self.noun(b)),
            ExprKind::Arith(op, a, b) => {
                let sign = match op {
                    Arith::Add => " + ",
                    Arith::Sub => " - ",
                    Arith::Mul => " × ",
                    Arith::Div => " / ",
                    Arith::Mod => " mod ",
                };
                self.noun(a).then(sign).join(self.noun(b))
            }
            ExprKind::Default(a, _) | ExprKind::The(a) => self.noun(a),
            ExprKind::Running(r) | ExprKind::Phase(r) => Phrase::of(&self.rule_title(*r)),
            ExprKind::PhaseNow => Phrase::of("the phase"),
            _ if self.has_value(e) => Phrase::hole(e),
            ExprKind::Usual => Phrase::of("what it usually is"),
            ExprKind::First { n, of, last } => {
                let which = if *last { "the last" } else { "the first" };
                let kind = self.element_kind(of);
                let one = kind.map_or_else(|| String::from("one"), |k| self.singular(k));
                let many = kind.map_or_else(|| String::from("ones"), |k| self.plural(k));
                match n {
                    Some(n) => Phrase::of(&format!("{which} ")).join(self.noun(n)).then(&format!(" {many}")),
                    None => Phrase::of(&format!("{which} {one}")),
                }
                .then(" of ")
                .join(if matches!(&*of.kind, ExprKind::Where(..)) {
                    self.things(of)
                } else {
                    self.noun(of)
                })
            }
            ExprKind::Union(a, b) => self.noun(a).then(" and ").join(self.noun(b)),
            ExprKind::Without(a, b) => self.noun(a).then(" without ").join(self.noun(b)),
            ExprKind::If(c, a, b) => {
                let either = self.noun(a).then(" if ").join(self.sentence(c, true));
                either.then(", else ").join(self.noun(b))
            }
            ExprKind::Option(_) => Phrase::hole(e),
            ExprKind::Neg(x) => Phrase::of("minus ").join(self.noun(x)),
            ExprKind::Nth(list, n) => {
                Phrase::of("number ").join(self.noun(n)).then(" of ").join(self.noun(list))
            }
            ExprKind::Step(from, way) => {
                let way = match &*way.kind {
                    ExprKind::Direction(_) => Phrase::hole(way),
                    _ => self.noun(way),
                };
                Phrase::of("the space ").join(way).then(" of ").join(self.noun(from))
            }
            ExprKind::Not(_) | ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Compare(..) => {
                Phrase::of("whether ").join(self.sentence(e, true))
            }
            ExprKind::In(..) | ExprKind::IsSome(_) | ExprKind::IsEmpty(_) | ExprKind::IsKind(..) => {
                Phrase::of("whether ").join(self.sentence(e, true))
            }
            _ => Phrase::of(UNSAID),
        }
    }

    /// A phase's title, or the name of a rule.
    pub(super) fn rule_title(&self, r: RuleId) -> String {
        let rule = &self.model.rules[r.index()];
        rule.title.as_deref().map_or_else(|| to_words(&rule.name), String::from)
    }

    /// The kind of the things, or of the faces, of a set.
    pub(super) fn element_kind(&self, of: &Expr) -> Option<KindId> {
        match types::element(self.model, &of.ty)? {
            Ty::Face(k) => Some(k),
            t => types::kinds_of(&t).first().copied(),
        }
    }

    /// One thing of a kind.
    pub(super) fn singular(&self, k: KindId) -> String {
        to_words(&self.model.kinds[k.index()].title).to_lowercase()
    }

    /// The things of a set: "cards in your hand".
    pub(super) fn things(&self, of: &Expr) -> Phrase {
        let kind = self.element_kind(of);
        let many = kind.map_or_else(|| String::from("things"), |k| self.plural(k));
        match &*of.kind {
            ExprKind::All(_) | ExprKind::Faces(_) | ExprKind::Box(_) => Phrase::of(&many),
            ExprKind::Builtin(Builtin::AsSet, args) if args.len() == 1 => self.things(&args[0]),
            ExprKind::Where(inner, l, c) => {
                let it = self.with_bound(*l);
                self.things(inner).then(" where ").join(it.sentence(c, true))
            }
            ExprKind::Zone(Some(x), ..) if self.is_space(x) => {
                Phrase::of(&format!("{many} on ")).join(self.noun(x))
            }
            ExprKind::Zone(..) => Phrase::of(&format!("{many} in ")).join(self.noun(of)),
            ExprKind::Builtin(Builtin::Neighbours, args) if !args.is_empty() => {
                Phrase::of(&format!("{many} next to ")).join(self.place(&args[0]))
            }
            _ => self.noun(of),
        }
    }

    /// Whether something is a space.
    pub(super) fn is_space(&self, x: &Expr) -> bool {
        types::kinds_of(&types::plain(&x.ty)).first().is_some_and(|k| types::is_space(self.model, *k))
    }

    /// Names a space. The space of a thing is named by the thing: `m.at` is "Ada".
    pub(super) fn place(&self, e: &Expr) -> Phrase {
        match &*e.kind {
            ExprKind::Builtin(Builtin::At, args) if args.len() == 1 => self.noun(&args[0]),
            _ => self.noun(e),
        }
    }

    /// Things of a kind, in the plural.
    pub(super) fn plural(&self, k: KindId) -> String {
        let title = to_words(&self.model.kinds[k.index()].title);
        let small = title.to_lowercase();
        match small.as_str() {
            s if s.ends_with('s') || s.ends_with('x') || s.ends_with("ch") => format!("{small}es"),
            s if s.ends_with("die") => format!("{}dice", s.trim_end_matches("die")),
            s if ["ay", "ey", "oy"].iter().all(|y| !s.ends_with(y)) && s.ends_with('y') => {
                format!("{}ies", s.trim_end_matches('y'))
            }
            s if s.ends_with("man") => format!("{}men", s.trim_end_matches("man")),
            _ => format!("{small}s"),
        }
    }

    /// Something of something: "your hand", "Ada's colour", "its price".
    pub(super) fn owned(&self, whose: &Expr, name: &str) -> Phrase {
        let name = to_words(name);
        match &*whose.kind {
            ExprKind::Local(_) if self.is_me(whose) => Phrase::of(&format!("your {name}")),
            ExprKind::Local(l) if self.bound.contains(l) => Phrase::of(&format!("its {name}")),
            ExprKind::Arith(..) | ExprKind::If(..) | ExprKind::Union(..) | ExprKind::Without(..) => {
                Phrase::of(&format!("the {name} of ")).join(self.noun(whose))
            }
            _ => self.noun(whose).then(&format!("'s {name}")),
        }
    }

    /// A value or built-in of arguments.
    fn called(&self, name: &str, args: &[Expr]) -> Phrase {
        // The reader is left out as a later argument: `goals(c, me)` is "c's goals".
        let args: Vec<&Expr> =
            args.iter().enumerate().filter(|(i, x)| *i == 0 || !self.is_me(x)).map(|(_, x)| x).collect();
        match args.as_slice() {
            [] => Phrase::of(&format!("the {}", to_words(name))),
            [one] => self.owned(one, name),
            [first, rest @ ..] => {
                let rest = rest.iter().map(|x| self.noun(x)).collect();
                self.owned(first, name).then(" for ").join(Phrase::list(rest, " and "))
            }
        }
    }

    /// A zone as people call it.
    fn zone(&self, whose: Option<&Expr>, z: ZoneId, index: Option<&Expr>) -> Phrase {
        let name = &self.model.zones[z.index()].name;
        let zone = match whose {
            Some(x) => self.owned(x, name),
            None => Phrase::of(&format!("the {}", to_words(name))),
        };
        match index {
            Some(i) => zone.then(" ").join(self.noun(i)),
            None => zone,
        }
    }

    fn built_in(&self, b: Builtin, args: &[Expr], whole: &Expr) -> Phrase {
        let of = |words: &str, x: &Expr| Phrase::of(words).join(self.noun(x));
        match (b, args) {
            (Builtin::At, [_]) if self.has_value(whole) => Phrase::hole(whole),
            (Builtin::At, [x]) => of("the place of ", x),
            (Builtin::Holder, [x]) => of("who holds ", x),
            (Builtin::OwnerOf, [x]) => self.owned(x, "owner"),
            (Builtin::Host, [x]) => of("what carries ", x),
            (Builtin::Count, [x]) => Phrase::of("the number of ").join(self.things(x)),
            (
                Builtin::AsSet | Builtin::Held | Builtin::Widened | Builtin::LineSpaces | Builtin::Only,
                [x, ..],
            ) => self.noun(x),
            (Builtin::Left, [p, ..]) => of("the player to the left of ", p),
            (Builtin::Reachable | Builtin::CostReachable, [from, ..]) => of("the spaces in reach of ", from),
            (Builtin::Players, _) => Phrase::of("all players"),
            (Builtin::Others, _) => Phrase::of("the other players"),
            (Builtin::Opponent, [p]) if self.is_me(p) => Phrase::of("your opponent"),
            (Builtin::Opponent, [p]) => self.owned(p, "opponent"),
            (Builtin::Neighbours, [c]) => Phrase::of("the spaces next to ").join(self.place(c)),
            (Builtin::Distance | Builtin::CostDistance, [a, b, ..]) => {
                of("the distance from ", a).then(" to ").join(self.noun(b))
            }
            (Builtin::RowNumber, [c]) => self.owned(c, "row"),
            (Builtin::ColumnNumber, [c]) => self.owned(c, "column"),
            (Builtin::DieValue, [d]) => self.owned(d, "value"),
            (Builtin::FaceOf, [x]) => self.noun(x),
            (Builtin::Round, _) => Phrase::of("the round"),
            (Builtin::SumOf, [x]) => of("the sum of ", x),
            (Builtin::MinOf, [x]) => of("the least of ", x),
            (Builtin::MaxOf, [x]) => match &*x.kind {
                // `max([n, 0])` is n, as long as there are so many.
                ExprKind::List(all) | ExprKind::Set(all) if is_at_least_none(all) => self.noun(&all[0]),
                _ => of("the greatest of ", x),
            },
            _ if self.has_value(whole) => Phrase::hole(whole),
            (b, args) => {
                let word = Builtin::CALLED.iter().find(|(called, _)| *called == b);
                let given = args.iter().filter(|x| !matches!(&*x.kind, ExprKind::None));
                match word {
                    Some((_, word)) => Phrase::of(&format!("the {} of ", to_words(word)))
                        .join(Phrase::list(given.map(|x| self.noun(x)).collect(), " and ")),
                    None => Phrase::of(UNSAID),
                }
            }
        }
    }

    fn fold(&self, f: &Fold) -> Phrase {
        let it = self.with_bound(f.var);
        let mut over = self.things(&f.over);
        if let Some(c) = &f.cond {
            over = over.then(" where ").join(it.sentence(c, true));
        }
        let what = f.bodies.first().map(|b| it.noun(b)).unwrap_or_default();
        match f.op {
            FoldOp::Count => Phrase::of("the number of ").join(over),
            FoldOp::Sum => Phrase::of("the sum, over ").join(over).then(", of ").join(what),
            FoldOp::Min => Phrase::of("the least, of ").join(over).then(", of ").join(what),
            FoldOp::Max => Phrase::of("the greatest, of ").join(over).then(", of ").join(what),
            FoldOp::Least => over.then(" with the least of ").join(what),
            FoldOp::Most => over.then(" with the most of ").join(what),
            _ => over,
        }
    }
}

/// Whether of two numbers the second is 0.
fn is_at_least_none(all: &[Expr]) -> bool {
    matches!(all, [_, zero] if matches!(&*zero.kind, ExprKind::Int(0)))
}

/// Whether a text shows a value of that type: a thing, a number, or several of them.
fn is_shown(ty: &Ty) -> bool {
    match types::plain(ty) {
        Ty::Set(of) | Ty::List(of) => matches!(*of, Ty::Of(_) | Ty::Int(..) | Ty::Face(_) | Ty::Side(_)),
        Ty::Of(_) | Ty::Int(..) | Ty::Face(_) | Ty::Side(_) | Ty::AnyOf(_) | Ty::Place => true,
        _ => false,
    }
}

/// Whether an expression is the same in every position.
fn is_constant(e: &Expr) -> bool {
    match &*e.kind {
        ExprKind::Face(_, key) | ExprKind::Component(_, key) => key.is_none(),
        ExprKind::Member(_) | ExprKind::Space(..) | ExprKind::Line(..) => true,
        ExprKind::Direction(_) | ExprKind::Option(_) => true,
        _ => false,
    }
}
