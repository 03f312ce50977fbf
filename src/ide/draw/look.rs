//! Evaluates the colour of a sign: the `fill` of the rules' `look` for what the sign puts on a space.
//!
//! Only what is certain is told. A space whose card is drawn by chance has no colour here; whoever paints chooses one then.
use crate::analysis::Analysis;
use houserule_model::hir::*;
use houserule_text::Span;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The value of an expression, as far as it is known.
#[derive(Clone, PartialEq, Debug)]
enum LookValue {
    Bool(bool),
    Int(i64),
    Word(MemberId),
    Text(String),
    /// A component: its kind, and its face if that is known.
    Thing(KindId, Option<MemberId>),
    Nothing,
    /// The space itself.
    Space,
}

/// How a map's spaces are filled.
pub(super) struct Colours<'a> {
    model: &'a Model,
    map: Option<&'a Map>,
    fill: Option<&'a Body<Expr>>,
}

/// What stands on a space.
#[derive(Default)]
struct SpaceContents<'a> {
    attrs: BTreeMap<AttrId, &'a Expr>,
    slots: BTreeMap<ZoneId, LookValue>,
}

/// How deep an expression is looked into.
const DEEPEST: usize = 64;

impl<'a> Colours<'a> {
    /// How the spaces of a map are filled.
    pub fn from_map(analysis: &'a Analysis, map: &str) -> Colours<'a> {
        let model = &analysis.model;
        let map = model.maps.iter().find(|m| &*m.name == map);
        let space = map.and_then(|m| model.kinds.get(m.space.index()));
        let fills = space.map(|k| k.look.iter().filter(|r| !r.back && &*r.slot == "fill"));
        let fill = fills.and_then(Iterator::last).map(|r| &r.expr);
        Colours { model, map, fill }
    }

    /// The colour of a space on which the rows of these signs put what they say; of rows that hold under a condition nothing is known.
    pub fn find_fill(&self, signs: &[(Span, bool)]) -> Option<[u8; 3]> {
        let (body, map) = (self.fill?, self.map?);
        let mut given = SpaceContents::default();
        for (span, always) in signs {
            let row = map.legend.iter().find(|r| r.span == *span).filter(|_| *always)?;
            for mark in &row.marks {
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
        }
        let mut locals = BTreeMap::new();
        match self.evaluate(&body.body, &given, &mut locals, DEEPEST)? {
            LookValue::Text(t) => parse_colour(&t),
            _ => None,
        }
    }

    fn evaluate(
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
            ExprKind::Text(t) => LookValue::Text(to_plain_text(t)?),
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
                    (Comparison::Eq, ..) => a == b,
                    (Comparison::Ne, ..) => a != b,
                    (Comparison::Lt, LookValue::Int(a), LookValue::Int(b)) => a < b,
                    (Comparison::Le, LookValue::Int(a), LookValue::Int(b)) => a <= b,
                    (Comparison::Gt, LookValue::Int(a), LookValue::Int(b)) => a > b,
                    (Comparison::Ge, LookValue::Int(a), LookValue::Int(b)) => a >= b,
                    _ => return None,
                })
            }
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
            ExprKind::Zone(Some(of), zone, None)
                if self.evaluate(of, given, locals, deep)? == LookValue::Space =>
            {
                let slot = self.model.zones.get(zone.index())?.slot;
                match given.slots.get(zone) {
                    Some(k) => k.clone(),
                    None if slot => LookValue::Nothing,
                    None => return None,
                }
            }
            ExprKind::Attr(of, a) => {
                let attr = self.model.attrs.get(a.index())?;
                let set = match self.evaluate(of, given, locals, deep)? {
                    LookValue::Space => given.attrs.get(a).map(|e| Ok(*e)),
                    LookValue::Thing(_, Some(m)) => {
                        let member = self.model.members.get(m.index())?;
                        member.sets.iter().find(|(x, _)| x == a).map(|(_, b)| Err(b))
                    }
                    LookValue::Nothing => return Some(LookValue::Nothing),
                    // Whatever it is, only some rule may have changed it: what no face says is the default.
                    LookValue::Thing(k, None) if !self.has_on_some_face(k, *a) => None,
                    _ => return None,
                };
                match (set, &attr.default) {
                    (Some(Ok(e)), _) => return self.evaluate(e, given, locals, deep),
                    (Some(Err(b)), _) | (None, Some(b)) => {
                        // Its own locals are none of the look's: of whom they speak is not looked into.
                        let all = (0..b.locals.len() as u32).map(|n| (LocalId(n), None));
                        return self.evaluate(&b.body, given, &mut all.collect(), deep);
                    }
                    (None, None) if attr.ty == Ty::Bool => LookValue::Bool(false),
                    (None, None) if matches!(attr.ty, Ty::Maybe(_)) => LookValue::Nothing,
                    _ => return None,
                }
            }
            _ => return None,
        })
    }

    fn is_a(&self, kind: KindId, of: KindId) -> bool {
        let mut at = Some(kind);
        for _ in 0..DEEPEST {
            match at {
                Some(k) if k == of => return true,
                Some(k) => at = self.model.kinds.get(k.index()).and_then(|k| k.parent),
                None => return false,
            }
        }
        false
    }

    fn has_on_some_face(&self, kind: KindId, a: AttrId) -> bool {
        self.model.members.iter().any(|m| self.is_a(m.kind, kind) && m.sets.iter().any(|(x, _)| *x == a))
    }
}

/// A text without holes.
pub(super) fn to_plain_text(t: &Text) -> Option<String> {
    let part = |p: &TextPart| if let TextPart::Literal(s) = p { Some(s.to_string()) } else { None };
    t.parts.iter().map(part).collect()
}

/// `#rrggbb` or `#rgb` as red, green, blue.
fn parse_colour(text: &str) -> Option<[u8; 3]> {
    let hex = text.strip_prefix('#').filter(|h| h.is_ascii())?;
    let at = |i: usize, n: usize| u8::from_str_radix(hex.get(i * n..(i + 1) * n)?, 16).ok();
    match hex.len() {
        6 => Some([at(0, 2)?, at(1, 2)?, at(2, 2)?]),
        3 => Some([at(0, 1)? * 17, at(1, 1)? * 17, at(2, 1)? * 17]),
        _ => None,
    }
}

/// What the spaces of a map are called.
pub(super) fn space_kind_word(analysis: &Analysis, map: &str) -> Arc<str> {
    let model = &analysis.model;
    let found = model.maps.iter().find(|m| &*m.name == map).and_then(|m| model.kinds.get(m.space.index()));
    found.map_or_else(|| "space".into(), |k| k.name.clone())
}

#[cfg(test)]
mod tests {
    use super::parse_colour;

    #[test]
    fn colours() {
        assert_eq!(parse_colour("#8c1f12"), Some([0x8c, 0x1f, 0x12]));
        assert_eq!(parse_colour("#fa0"), Some([0xff, 0xaa, 0]));
        assert_eq!((parse_colour("red"), parse_colour("#12"), parse_colour("#ééé")), (None, None, None));
    }
}
