//! What a condition says, or what its contrary says, as a sentence without a full stop.
use super::{Phrase, Speaker, to_words};
use crate::body::types;
use crate::hir::*;

/// `is` or `is not`.
fn is(holds: bool) -> &'static str {
    if holds { " is " } else { " is not " }
}

/// With its article.
pub(super) fn with_article(noun: &str) -> String {
    let vowel = noun.to_lowercase().starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {noun}", if vowel { "an" } else { "a" })
}

impl Speaker<'_> {
    /// What is so where a condition holds, or where it does not.
    pub(super) fn sentence(&self, e: &Expr, holds: bool) -> Phrase {
        match &*e.kind {
            ExprKind::Not(x) => self.sentence(x, !holds),
            ExprKind::And(a, b) => {
                let both = vec![self.sentence(a, holds), self.sentence(b, holds)];
                Phrase::list(both, if holds { " and " } else { " or " })
            }
            ExprKind::Or(a, b) => {
                let both = vec![self.sentence(a, holds), self.sentence(b, holds)];
                Phrase::list(both, if holds { " or " } else { " and " })
            }
            ExprKind::Compare(op, a, b) => self.comparison(if holds { *op } else { op.negated() }, a, b),
            ExprKind::In(x, of) => self.membership(x, of, holds),
            ExprKind::IsSome(x) => self.existence(x, holds),
            ExprKind::IsEmpty(x) => self.emptiness(x, holds),
            ExprKind::IsKind(x, k) => {
                let title = to_words(&self.model.kinds[k.index()].title);
                self.is_so(x, holds, &with_article(&title))
            }
            ExprKind::IsFace(x, m, _) => self.is_so(x, holds, &self.member_title(*m)),
            ExprKind::Attr(x, a) => self.adjective(x, holds, &self.model.attrs[a.index()].name),
            ExprKind::TableAttr(a) => self.fact(&self.model.attrs[a.index()].name, holds),
            ExprKind::Value(v, args) => {
                let name = &self.model.values[v.index()].name;
                match args.as_slice() {
                    [] => self.fact(name, holds),
                    [x] => self.adjective(x, holds, name),
                    [x, rest @ ..] => {
                        let rest = rest.iter().map(|x| self.noun(x)).collect();
                        self.adjective(x, holds, name).then(" for ").join(Phrase::list(rest, " and "))
                    }
                }
            }
            ExprKind::Builtin(Builtin::Up, args) if args.len() == 1 => self.is_so(&args[0], holds, "face up"),
            ExprKind::Builtin(Builtin::Odd, args) if args.len() == 1 => self.is_so(&args[0], holds, "odd"),
            ExprKind::Builtin(Builtin::Even, args) if args.len() == 1 => self.is_so(&args[0], holds, "even"),
            ExprKind::Builtin(Builtin::Sees, args) if args.len() == 2 => {
                let verb = match (self.is_me(&args[0]), holds) {
                    (true, true) => " see ",
                    (true, false) => " do not see ",
                    (false, true) => " sees ",
                    (false, false) => " does not see ",
                };
                self.noun(&args[0]).then(verb).join(self.noun(&args[1]))
            }
            ExprKind::Fold(f) => self.folded(f, holds),
            ExprKind::CanRule(r, ..) => {
                let verb = if holds { "is possible" } else { "is not possible now" };
                Phrase::of(&format!("{} {verb}", self.rule_title(*r)))
            }
            ExprKind::CanMenu(p, ..) => {
                let verb = if holds { " can still do something" } else { " can do nothing" };
                self.noun(p).then(verb)
            }
            ExprKind::NoAction => {
                Phrase::of(if holds { "nothing can be done" } else { "something can still be done" })
            }
            ExprKind::Running(r) => Phrase::of(&format!("it{}{}", is(holds), self.rule_title(*r))),
            ExprKind::VariantOn(s) => {
                let title = &self.model.scopes[s.index()].title;
                Phrase::of(&format!("“{title}”{}played", is(holds)))
            }
            ExprKind::PositionSeen(..) => Phrase::of(match holds {
                true => "the position has been there before",
                false => "the position has not been there before",
            }),
            ExprKind::Bool(false) if !holds => Phrase::of("this is never allowed"),
            _ => Phrase::of(if holds { "the rules allow it" } else { "the rules do not allow it here" }),
        }
    }

    /// A member's title as it is written, without what its holes show.
    pub(super) fn member_title(&self, m: MemberId) -> String {
        let member = &self.model.members[m.index()];
        let plain = |p: &TextPart| if let TextPart::Literal(t) = p { Some(t.to_string()) } else { None };
        let title: Option<String> = member.title.parts.iter().map(plain).collect();
        title.filter(|t| !t.is_empty()).unwrap_or_else(|| to_words(&member.name))
    }

    /// `x is so`, of the reader `you are so`.
    pub(super) fn is_so(&self, x: &Expr, holds: bool, how: &str) -> Phrase {
        let verb = match (self.is_me(x), holds) {
            (true, true) => " are ",
            (true, false) => " are not ",
            (false, holds) => is(holds),
        };
        self.noun(x).then(verb).then(how)
    }

    /// `x.moved` is "x is moved", `x.has_moved` is "x has moved".
    fn adjective(&self, x: &Expr, holds: bool, name: &str) -> Phrase {
        let words = to_words(name);
        let (verb, rest) = words.split_once(' ').unwrap_or(("", &words));
        let me = self.is_me(x);
        let verb = match verb {
            "is" => return self.is_so(x, holds, rest),
            "has" if me => "have",
            "has" | "can" | "may" | "must" | "was" => verb,
            _ => return self.is_so(x, holds, &words),
        };
        let not = if holds { "" } else { " not" };
        self.noun(x).then(&format!(" {verb}{not} {rest}"))
    }

    /// A condition of the whole table.
    fn fact(&self, name: &str, holds: bool) -> Phrase {
        Phrase::of(&format!("it{}{}", is(holds), to_words(name)))
    }

    /// What holds of two values.
    fn comparison(&self, op: Comparison, a: &Expr, b: &Expr) -> Phrase {
        let same = match op {
            Comparison::Eq => true,
            Comparison::Ne => false,
            _ => return self.order(op, a, b),
        };
        // Whose something is.
        for (x, p) in [(a, b), (b, a)] {
            if self.is_me(p)
                && let Some(thing) = self.owned_thing(x)
            {
                return self.is_so(thing, same, "yours");
            }
        }
        // What is known by name comes first: "Ada's colour is red".
        let is_constant =
            |e: &Expr| matches!(&*e.kind, ExprKind::Member(_) | ExprKind::Int(_) | ExprKind::Space(..));
        let (a, b) = if is_constant(a) { (b, a) } else { (a, b) };
        let (left, right) = (self.noun(a), self.noun(b));
        let is_name = matches!(&*a.kind, ExprKind::Local(_));
        if !same && !is_name && self.has_value(a) {
            let verb = if self.is_many(a) { " are " } else { " is " };
            return left.then(verb).join(Phrase::hole(a)).then(", not ").join(right);
        }
        let verb = match (self.is_me(a) || self.is_many(a), same) {
            (true, true) => " are ",
            (true, false) => " are not ",
            (false, same) => is(same),
        };
        left.then(verb).join(right)
    }

    /// Whether what something is called stands in the plural: `coins`, but not `status`, `axis` or `loss`.
    fn is_many(&self, e: &Expr) -> bool {
        let name = match &*e.kind {
            ExprKind::Attr(_, a) | ExprKind::TableAttr(a) => &self.model.attrs[a.index()].name,
            ExprKind::Value(v, _) => &self.model.values[v.index()].name,
            _ => return false,
        };
        name.ends_with('s') && !["ss", "us", "is"].iter().any(|end| name.ends_with(end))
    }

    /// The thing whose owner an expression is: `it.side`, `c.owner` of a thing that is no player.
    fn owned_thing<'e>(&self, e: &'e Expr) -> Option<&'e Expr> {
        let thing = match &*e.kind {
            ExprKind::Attr(x, _) => x,
            ExprKind::Builtin(Builtin::OwnerOf | Builtin::Holder, args) => args.first()?,
            _ => return None,
        };
        let is_player = types::plain(&thing.ty) == types::player();
        (types::plain(&e.ty) == types::player() && !is_player).then_some(thing)
    }

    /// Numbers in an order, with what they are.
    fn order(&self, op: Comparison, a: &Expr, b: &Expr) -> Phrase {
        // A number as it stands goes behind.
        let (op, a, b) = match (&*a.kind, &*b.kind) {
            (ExprKind::Int(_), ExprKind::Int(_)) => (op, a, b),
            (ExprKind::Int(_), _) => (op.flipped(), b, a),
            _ => (op, a, b),
        };
        let is_number = matches!(types::plain(&a.ty), Ty::Int(..));
        let verb = match (op, is_number) {
            (Comparison::Lt, true) if self.is_many(a) => " are fewer than ",
            (Comparison::Le, true) if self.is_many(a) => " are at most ",
            (Comparison::Gt, true) if self.is_many(a) => " are more than ",
            (Comparison::Ge, true) if self.is_many(a) => " are at least ",
            (Comparison::Lt, true) => " is less than ",
            (Comparison::Le, true) => " is at most ",
            (Comparison::Gt, true) => " is more than ",
            (Comparison::Ge, true) => " is at least ",
            (Comparison::Lt, false) => " comes before ",
            (Comparison::Le, false) => " does not come after ",
            (Comparison::Gt, false) => " comes after ",
            (Comparison::Ge, false) => " does not come before ",
            _ => " is ",
        };
        self.counted(a).then(verb).join(self.counted(b))
    }

    /// A number with what it is: "the number of cards in your hand (3)".
    fn counted(&self, e: &Expr) -> Phrase {
        let noun = self.noun(e);
        let is_plain = matches!(&*e.kind, ExprKind::Int(_) | ExprKind::Local(_) | ExprKind::Member(_));
        let is_hole = matches!(noun.0.as_slice(), [TextPart::Hole(_)]);
        if is_plain || is_hole || !self.has_value(e) {
            return noun;
        }
        noun.then(" (").join(Phrase::hole(e)).then(")")
    }

    /// Whether something is among others.
    pub(super) fn membership(&self, x: &Expr, of: &Expr, holds: bool) -> Phrase {
        let with = |words: &str, y: Phrase| self.is_so(x, holds, words).join(y);
        match &*of.kind {
            ExprKind::Builtin(Builtin::AsSet, args) if args.len() == 1 => self.membership(x, &args[0], holds),
            ExprKind::Builtin(Builtin::Neighbours, args) if !args.is_empty() => {
                with("next to ", self.place(&args[0]))
            }
            ExprKind::Builtin(Builtin::Reachable | Builtin::CostReachable, args) if !args.is_empty() => {
                let verb = if holds { " can be reached from " } else { " cannot be reached from " };
                self.noun(x).then(verb).join(self.place(&args[0]))
            }
            ExprKind::Zone(Some(c), ..) if self.is_space(c) => with("on ", self.noun(c)),
            ExprKind::Zone(..) | ExprKind::Box(_) => with("in ", self.noun(of)),
            ExprKind::Set(_) | ExprKind::List(_) | ExprKind::Range(..) => {
                let noun = self.noun(of);
                self.is_so(x, holds, "").join(noun)
            }
            ExprKind::Builtin(Builtin::Others, _) => self.is_so(x, holds, "another player"),
            ExprKind::All(k) => self.is_so(x, holds, &format!("one of the {}", self.plural(*k))),
            ExprKind::Value(..) | ExprKind::Attr(..) | ExprKind::TableAttr(_) => {
                with("one of ", self.noun(of))
            }
            _ => with("among ", self.noun(of)),
        }
    }

    /// Whether there is something.
    fn existence(&self, x: &Expr, holds: bool) -> Phrase {
        let has = |whose: &Expr, name: &str| {
            let name = to_words(name);
            let what = if holds { with_article(&name) } else { format!("no {name}") };
            match (self.is_me(whose), self.is_space(whose)) {
                (true, _) => Phrase::of(&format!("you have {what}")),
                (false, true) => Phrase::of(&format!("there is {what} on ")).join(self.noun(whose)),
                (false, false) => self.noun(whose).then(&format!(" has {what}")),
            }
        };
        let there_is = |noun: Phrase| Phrase::of(if holds { "there is " } else { "there is no " }).join(noun);
        match &*x.kind {
            ExprKind::Attr(whose, a) => has(whose, &self.model.attrs[a.index()].name),
            ExprKind::Zone(Some(whose), z, _) => has(whose, &self.model.zones[z.index()].name),
            ExprKind::Zone(None, z, _) => there_is(Phrase::of(&to_words(&self.model.zones[z.index()].name))),
            ExprKind::TableAttr(a) => there_is(Phrase::of(&to_words(&self.model.attrs[a.index()].name))),
            ExprKind::Builtin(Builtin::At, args) if args.len() == 1 => {
                self.is_so(&args[0], holds, "on the board")
            }
            ExprKind::Builtin(Builtin::Holder, args) if args.len() == 1 => {
                Phrase::of(if holds { "somebody holds " } else { "nobody holds " }).join(self.noun(&args[0]))
            }
            ExprKind::Builtin(Builtin::Distance | Builtin::CostDistance, args) if args.len() > 1 => {
                Phrase::of(if holds { "a way leads from " } else { "no way leads from " })
                    .join(self.place(&args[0]))
                    .then(" to ")
                    .join(self.place(&args[1]))
            }
            ExprKind::Value(v, args) if args.len() == 1 => has(&args[0], &self.model.values[v.index()].name),
            ExprKind::Local(_) => Phrase::of(if holds { "there is one" } else { "there is none" }),
            _ => self.noun(x).then(if holds { " is there" } else { " is not there" }),
        }
    }

    /// Whether a set has nothing.
    fn emptiness(&self, x: &Expr, holds: bool) -> Phrase {
        match &*x.kind {
            ExprKind::Zone(Some(c), ..) if self.is_space(c) => {
                Phrase::of(if holds { "there are no " } else { "there are " }).join(self.things(x))
            }
            ExprKind::Zone(..) => self.noun(x).then(if holds { " is empty" } else { " is not empty" }),
            ExprKind::Builtin(Builtin::AsSet, args) if args.len() == 1 => self.emptiness(&args[0], holds),
            _ => Phrase::of(if holds { "there are no " } else { "there are " }).join(self.things(x)),
        }
    }

    /// `any`, `every` and `no`.
    fn folded(&self, f: &Fold, holds: bool) -> Phrase {
        let it = self.with_bound(f.var);
        let mut over = self.things(&f.over);
        let body = f.bodies.first();
        let between = if matches!(&*f.over.kind, ExprKind::Where(..)) { " and " } else { " where " };
        let conditions: Vec<Phrase> = match f.op {
            FoldOp::Any | FoldOp::No => f.cond.iter().chain(body).map(|c| it.sentence(c, true)).collect(),
            _ => f.cond.iter().map(|c| it.sentence(c, true)).collect(),
        };
        if !conditions.is_empty() {
            over = over.then(between).join(Phrase::list(conditions, " and "));
        }
        match (f.op, holds) {
            (FoldOp::Any, true) | (FoldOp::No, false) => Phrase::of("there are ").join(over),
            (FoldOp::Any, false) | (FoldOp::No, true) => Phrase::of("there are no ").join(over),
            (_, holds) => {
                let says = body.map(|b| it.sentence(b, true)).unwrap_or_default();
                let of = if holds { "of all " } else { "not of all " };
                Phrase::of(of).join(over).then(" it is so that ").join(says)
            }
        }
    }
}
