//! Evaluates the rules' `look` without playing: the `fill` of a space for what its sign puts there, all of the look of a space on which a patch lies, and the face of a card.
//!
//! Only what is certain is told. A space whose card is drawn by chance has no colour here; whoever paints chooses one then.
use crate::analysis::Analysis;
use houserule_model::hir::*;
use houserule_model::parse_color;
use houserule_model::sentences::filter_text;
use houserule_text::Span;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The value of an expression, as far as it is known.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum LookValue {
    Bool(bool),
    Int(i64),
    Word(MemberId),
    Text(String),
    Direction(u8),
    /// A component: its kind, and its face if that is known.
    Thing(KindId, Option<MemberId>),
    List(Vec<LookValue>),
    Nothing,
    /// The space itself.
    Space,
    /// A filter, in words.
    Filter(String),
}

/// How a map's spaces look.
pub(crate) struct Looks<'a> {
    pub model: &'a Model,
    pub(super) map: Option<&'a Map>,
    /// The number of the face that is drawn, if a family declares it.
    pub(super) key: Option<i32>,
    /// The rows of their `look`, without those of a back.
    pub(super) rows: Vec<&'a LookRow>,
    /// Values that something may modify.
    pub(super) modified: BTreeSet<ValueId>,
}

/// What stands on a space.
#[derive(Clone, Default)]
pub(crate) struct SpaceContents<'a> {
    attrs: BTreeMap<AttrId, &'a Expr>,
    slots: BTreeMap<ZoneId, LookValue>,
    /// The patch that lies there face up.
    pub laid: Option<LaidPatch>,
}

/// A patch that lies face up on a map.
#[derive(Clone)]
pub(crate) struct LaidPatch {
    /// The patch.
    pub thing: LookValue,
    /// Where it lies: a slot of the space, or of the slot in which the space lies.
    pub zone: ZoneId,
    /// The attribute that says how it is turned, and its value.
    pub turned: Option<(AttrId, i64)>,
}

/// How deep an expression is looked into. What a patch prints on the last of 64 spaces is that deep.
pub(super) const DEEPEST: usize = 200;

impl<'a> Looks<'a> {
    /// How the spaces of a map look.
    pub fn from_map(analysis: &'a Analysis, map: &str) -> Looks<'a> {
        let model = &analysis.model;
        let map = model.maps.iter().find(|m| &*m.name == map);
        let space = map.and_then(|m| model.kinds.get(m.space.index()));
        Looks {
            model,
            map,
            key: None,
            rows: space.map(front_rows).unwrap_or_default(),
            modified: list_modified(model),
        }
    }

    /// The value of the look's last row for a part of it, such as `fill`.
    fn evaluate_row(&self, slot: &str, given: &SpaceContents<'_>) -> Option<LookValue> {
        let row = self.rows.iter().rfind(|r| &*r.slot == slot)?;
        self.evaluate(&row.expr.body, given, &mut BTreeMap::new(), DEEPEST)
    }

    /// The colour of a space.
    pub fn fill_of(&self, given: &SpaceContents<'_>) -> Option<[u8; 3]> {
        match self.evaluate_row("fill", given)? {
            LookValue::Text(t) => parse_color(&t),
            _ => None,
        }
    }

    /// The texts that the look writes on a space in a part of it, such as `text`. None: it has no such part, or one of them is not known.
    pub fn text_of(&self, slot: &str, given: &SpaceContents<'_>) -> Option<String> {
        let rows = self.rows.iter().filter(|r| &*r.slot == slot);
        let texts = rows.map(|r| {
            let value = self.evaluate(&r.expr.body, given, &mut BTreeMap::new(), DEEPEST)?;
            self.to_words(&value)
        });
        let texts: Vec<String> = texts.collect::<Option<_>>()?;
        let some: Vec<&str> = texts.iter().map(|t| t.as_str()).filter(|t| !t.is_empty()).collect();
        (!texts.is_empty()).then(|| some.join(" "))
    }

    /// The value of an expression whose only local is a component.
    pub fn evaluate_for(&self, body: &Body<Expr>, thing: &LookValue) -> Option<LookValue> {
        let mut locals = no_locals(body.locals.len());
        locals.insert(LocalId(0), Some(thing.clone()));
        self.evaluate(&body.body, &SpaceContents::default(), &mut locals, DEEPEST)
    }

    /// An attribute of a component or of a slot of the map.
    pub fn attr_of(&self, of: &LookValue, a: AttrId) -> Option<LookValue> {
        self.read_attr(of.clone(), a, &SpaceContents::default(), DEEPEST)
    }

    /// The value of a declared `value`.
    pub fn call(&self, value: ValueId, args: Vec<LookValue>, given: &SpaceContents<'_>) -> Option<LookValue> {
        self.call_value(value, args.into_iter().map(Some).collect(), given, DEEPEST)
    }

    /// A value as a text shows it.
    pub fn to_words(&self, value: &LookValue) -> Option<String> {
        Some(match value {
            LookValue::Int(n) => n.to_string(),
            LookValue::Bool(b) => if *b { "yes" } else { "no" }.to_string(),
            LookValue::Text(t) | LookValue::Filter(t) => t.clone(),
            LookValue::Word(m) | LookValue::Thing(_, Some(m)) => self.member_title(*m)?,
            LookValue::Thing(k, None) => self.model.kinds.get(k.index())?.title.to_string(),
            LookValue::Direction(_) | LookValue::List(_) | LookValue::Nothing | LookValue::Space => {
                return None;
            }
        })
    }

    /// The colour of a space on which the rows of these signs put what they say; of rows that hold under a condition nothing is known.
    pub fn find_fill(&self, signs: &[(Span, bool)]) -> Option<[u8; 3]> {
        let map = self.map?;
        let row =
            |(span, always): &(Span, bool)| map.legend.iter().find(|r| r.span == *span).filter(|_| *always);
        let rows = signs.iter().map(row).collect::<Option<Vec<_>>>()?;
        self.fill_of(&self.read_contents(rows)?)
    }

    /// What rows of a legend put on a space.
    pub fn read_contents(&self, rows: impl IntoIterator<Item = &'a LegendRow>) -> Option<SpaceContents<'a>> {
        let mut given = SpaceContents::default();
        for mark in rows.into_iter().flat_map(|r| &r.marks) {
            match mark {
                Mark::Set(a, value) | Mark::Player(a, value) => {
                    given.attrs.insert(*a, value);
                }
                Mark::Component(m, z) => {
                    let kind = self.model.members.get(m.index())?.kind;
                    given.slots.insert(*z, LookValue::Thing(kind, Some(*m)));
                }
                Mark::OfKind(k, z) => {
                    given.slots.insert(*z, LookValue::Thing(*k, None));
                }
                Mark::From(from, z) => {
                    let kind = self.model.zones.get(from.index())?.holds.first()?;
                    given.slots.insert(*z, LookValue::Thing(*kind, None));
                }
                Mark::Whose(_) => {}
            }
        }
        Some(given)
    }

    pub(super) fn evaluate(
        &self,
        e: &Expr,
        given: &SpaceContents<'_>,
        locals: &mut BTreeMap<LocalId, Option<LookValue>>,
        deep: usize,
    ) -> Option<LookValue> {
        let deep = deep.checked_sub(1)?;
        let truth = |k: Option<LookValue>| if let Some(LookValue::Bool(b)) = k { Some(b) } else { None };
        Some(match &*e.kind {
            ExprKind::Int(n) => LookValue::Int(i64::from(*n)),
            ExprKind::Bool(b) => LookValue::Bool(*b),
            ExprKind::None => LookValue::Nothing,
            ExprKind::Member(m) => LookValue::Word(*m),
            ExprKind::Direction(d) => LookValue::Direction(*d),
            ExprKind::Text(t) => {
                let mut out = String::new();
                for part in &t.parts {
                    match part {
                        TextPart::Literal(s) => out.push_str(s),
                        TextPart::Hole(e) => {
                            out.push_str(&self.to_words(&self.evaluate(e, given, locals, deep)?)?);
                        }
                    }
                }
                LookValue::Text(out)
            }
            // The one local of a look is what is drawn.
            ExprKind::Local(l) => match locals.get(l) {
                Some(known) => known.clone()?,
                None => LookValue::Space,
            },
            ExprKind::Let(l, value, body) => {
                let value = self.evaluate(value, given, locals, deep);
                locals.insert(*l, value);
                return self.evaluate(body, given, locals, deep);
            }
            ExprKind::If(c, a, b) => {
                let way = if truth(self.evaluate(c, given, locals, deep))? { a } else { b };
                return self.evaluate(way, given, locals, deep);
            }
            ExprKind::Not(a) => LookValue::Bool(!truth(self.evaluate(a, given, locals, deep))?),
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                let stops = matches!(&*e.kind, ExprKind::Or(..));
                match truth(self.evaluate(a, given, locals, deep)) {
                    Some(x) if x == stops => LookValue::Bool(stops),
                    first => match (first, truth(self.evaluate(b, given, locals, deep))) {
                        (_, Some(x)) if x == stops => LookValue::Bool(stops),
                        (Some(_), Some(x)) => LookValue::Bool(x),
                        _ => return None,
                    },
                }
            }
            ExprKind::Compare(op, a, b) => {
                let (a, b) = (self.evaluate(a, given, locals, deep)?, self.evaluate(b, given, locals, deep)?);
                LookValue::Bool(match (op, &a, &b) {
                    // Filters in other words may be the same.
                    (_, LookValue::Filter(_), _) => return None,
                    (Comparison::Eq, ..) => a == b,
                    (Comparison::Ne, ..) => a != b,
                    (Comparison::Lt, LookValue::Int(a), LookValue::Int(b)) => a < b,
                    (Comparison::Le, LookValue::Int(a), LookValue::Int(b)) => a <= b,
                    (Comparison::Gt, LookValue::Int(a), LookValue::Int(b)) => a > b,
                    (Comparison::Ge, LookValue::Int(a), LookValue::Int(b)) => a >= b,
                    _ => return None,
                })
            }
            ExprKind::Filter(_, it, test) => LookValue::Filter(filter_text(self.model, test, *it, true)?),
            ExprKind::IsSome(a) => {
                LookValue::Bool(self.evaluate(a, given, locals, deep)? != LookValue::Nothing)
            }
            ExprKind::IsKind(a, kind) => match self.evaluate(a, given, locals, deep)? {
                LookValue::Thing(k, face) => {
                    let k = face.and_then(|m| self.model.members.get(m.index())).map_or(k, |m| m.kind);
                    LookValue::Bool(self.is_a(k, *kind))
                }
                LookValue::Nothing => LookValue::Bool(false),
                _ => return None,
            },
            ExprKind::IsFace(a, member, None) => match self.evaluate(a, given, locals, deep)? {
                LookValue::Thing(_, Some(m)) => LookValue::Bool(m == *member),
                LookValue::Nothing => LookValue::Bool(false),
                _ => return None,
            },
            ExprKind::Zone(Some(of), zone, None) => {
                let of = self.evaluate(of, given, locals, deep)?;
                if let Some(laid) = given.laid.as_ref().filter(|l| l.zone == *zone)
                    && matches!(of, LookValue::Space | LookValue::Word(_))
                {
                    return Some(laid.thing.clone());
                }
                let slot = self.model.zones.get(zone.index())?.slot;
                match given.slots.get(zone).filter(|_| of == LookValue::Space) {
                    Some(k) => k.clone(),
                    None if slot && of == LookValue::Space => LookValue::Nothing,
                    None => return None,
                }
            }
            ExprKind::Attr(of, a) => {
                let of = self.evaluate(of, given, locals, deep)?;
                return self.read_attr(of, *a, given, deep);
            }
            ExprKind::Value(value, args) => {
                let args = args.iter().map(|e| self.evaluate(e, given, locals, deep)).collect();
                return self.call_value(*value, args, given, deep);
            }
            ExprKind::Builtin(Builtin::Up, args) => {
                let thing = self.evaluate(args.first()?, given, locals, deep)?;
                let laid = given.laid.as_ref().filter(|l| l.thing == thing)?;
                LookValue::Bool(matches!(laid.thing, LookValue::Thing(..)))
            }
            ExprKind::Builtin(Builtin::KeyOf, args) => {
                let of = self.evaluate(args.first()?, given, locals, deep)?;
                let LookValue::Thing(_, Some(m)) = of else { return None };
                self.model.members.get(m.index())?.family?;
                LookValue::Int(i64::from(self.key?))
            }
            ExprKind::Arith(op, a, b) => {
                let (a, b) = (self.evaluate(a, given, locals, deep)?, self.evaluate(b, given, locals, deep)?);
                let (LookValue::Int(a), LookValue::Int(b)) = (a, b) else { return None };
                LookValue::Int(match op {
                    Arith::Add => a.checked_add(b)?,
                    Arith::Sub => a.checked_sub(b)?,
                    Arith::Mul => a.checked_mul(b)?,
                    Arith::Div => a.checked_div_euclid(b)?,
                    Arith::Mod => a.checked_rem_euclid(b)?,
                })
            }
            ExprKind::List(all) => {
                let all = all.iter().map(|e| self.evaluate(e, given, locals, deep));
                LookValue::List(all.collect::<Option<_>>()?)
            }
            ExprKind::Nth(list, n) => {
                let list = self.evaluate(list, given, locals, deep)?;
                let n = self.evaluate(n, given, locals, deep)?;
                let (LookValue::List(all), LookValue::Int(n)) = (list, n) else { return None };
                let at = usize::try_from(n).ok().and_then(|n| n.checked_sub(1));
                at.and_then(|at| all.into_iter().nth(at)).unwrap_or(LookValue::Nothing)
            }
            ExprKind::Neg(a) => match self.evaluate(a, given, locals, deep)? {
                LookValue::Int(n) => LookValue::Int(n.checked_neg()?),
                _ => return None,
            },
            ExprKind::Default(a, b) => match self.evaluate(a, given, locals, deep)? {
                LookValue::Nothing => return self.evaluate(b, given, locals, deep),
                some => some,
            },
            _ => return None,
        })
    }

    /// What an attribute of something is.
    fn read_attr(
        &self,
        of: LookValue,
        a: AttrId,
        given: &SpaceContents<'_>,
        deep: usize,
    ) -> Option<LookValue> {
        let attr = self.model.attrs.get(a.index())?;
        let laid = given.laid.as_ref().filter(|l| l.thing == of).and_then(|l| l.turned);
        if let Some((_, n)) = laid.filter(|(turned, _)| *turned == a) {
            return Some(LookValue::Int(n));
        }
        let family = match &of {
            LookValue::Thing(_, Some(m)) => {
                self.model.members.get(m.index()).is_some_and(|m| m.family.is_some())
            }
            _ => false,
        };
        let set = match of {
            LookValue::Space => given.attrs.get(&a).map(|e| Ok(*e)),
            LookValue::Thing(_, Some(m)) | LookValue::Word(m) => {
                let member = self.model.members.get(m.index())?;
                member.sets.iter().find(|(x, _)| *x == a).map(|(_, b)| Err(b))
            }
            LookValue::Nothing => return Some(LookValue::Nothing),
            // Whatever it is, only some rule may have changed it: what no face says is the default.
            LookValue::Thing(k, None) if !self.has_on_some_face(k, a) => None,
            _ => return None,
        };
        match (set, &attr.default) {
            (Some(Ok(e)), _) => self.evaluate(e, given, &mut BTreeMap::new(), deep),
            // Its own locals are none of the look's: of whom they speak is not looked into.
            (Some(Err(b)), _) if family => {
                self.evaluate(&b.body, given, &mut self.key_locals(b.locals.len()), deep)
            }
            (Some(Err(b)), _) | (None, Some(b)) => {
                self.evaluate(&b.body, given, &mut no_locals(b.locals.len()), deep)
            }
            (None, None) if attr.ty == Ty::Bool => Some(LookValue::Bool(false)),
            (None, None) if matches!(attr.ty, Ty::Maybe(_)) => Some(LookValue::Nothing),
            _ => None,
        }
    }

    /// What a declared `value` gives, unless something may modify it.
    fn call_value(
        &self,
        value: ValueId,
        args: Vec<Option<LookValue>>,
        given: &SpaceContents<'_>,
        deep: usize,
    ) -> Option<LookValue> {
        let declared = self.model.values.get(value.index())?;
        if self.modified.contains(&value) {
            return None;
        }
        // What the face itself says, where members fill the value.
        if let Some(Some(LookValue::Thing(_, Some(m)))) = args.first()
            && declared.of.is_some()
            && let Some((_, body)) =
                self.model.members.get(m.index())?.fills.iter().find(|(v, _)| *v == value)
        {
            let mut locals = no_locals(body.locals.len());
            locals.extend((0..).map(LocalId).zip(args));
            return self.evaluate(&body.body, given, &mut locals, deep);
        }
        let mut locals = no_locals(declared.body.locals.len());
        locals.extend((0..).map(LocalId).zip(args));
        self.evaluate(declared.body.body.as_ref()?, given, &mut locals, deep)
    }

    fn is_a(&self, kind: KindId, of: KindId) -> bool {
        list_line(self.model, kind).contains(&of)
    }

    fn has_on_some_face(&self, kind: KindId, a: AttrId) -> bool {
        self.model.members.iter().any(|m| self.is_a(m.kind, kind) && m.sets.iter().any(|(x, _)| *x == a))
    }
}

/// The rows of a look, without those of a back.
pub(super) fn front_rows(kind: &Kind) -> Vec<&LookRow> {
    kind.look.iter().filter(|r| !r.back).collect()
}

/// Values that something may modify.
pub(super) fn list_modified(model: &Model) -> BTreeSet<ValueId> {
    let heads = model.attachments.iter().flat_map(|a| &a.heads);
    heads.filter_map(|h| if let Target::Value(v) = h.target { Some(v) } else { None }).collect()
}

/// A kind and those above it, from below.
pub(crate) fn list_line(model: &Model, kind: KindId) -> Vec<KindId> {
    let parent = |k: &KindId| model.kinds.get(k.index()).and_then(|k| k.parent);
    std::iter::successors(Some(kind), parent).take(DEEPEST).collect()
}

/// So many locals of which nothing is known.
pub(super) fn no_locals(many: usize) -> BTreeMap<LocalId, Option<LookValue>> {
    (0..many as u32).map(|n| (LocalId(n), None)).collect()
}

/// A text without holes.
pub(super) fn to_plain_text(t: &Text) -> Option<String> {
    let part = |p: &TextPart| if let TextPart::Literal(s) = p { Some(s.to_string()) } else { None };
    t.parts.iter().map(part).collect()
}

/// What the spaces of a map are called.
pub(super) fn space_kind_word(analysis: &Analysis, map: &str) -> Arc<str> {
    let model = &analysis.model;
    let found = model.maps.iter().find(|m| &*m.name == map).and_then(|m| model.kinds.get(m.space.index()));
    found.map_or_else(|| "space".into(), |k| k.name.clone())
}
