//! Evaluates sets that are constant in a set-up: of spaces, faces, printed things.
use crate::ir::*;
use crate::layout::domains::set_bit;
use crate::layout::tables::{Layout, Tables};
use houserule_model::body::types;
use houserule_model::hir::*;
use houserule_model::sentences::filter_text;

impl Layout<'_> {
    /// The faces of a kind's members; for a subkind, only its own.
    pub fn faces_of_kind(&self, k: KindId, w: u8) -> Vec<u64> {
        let index = self.comps_of.get(&self.root(k)).copied().unwrap_or(0) as usize;
        let mut words = vec![0u64; w as usize];
        for (i, of) in self.face_kinds.get(index).map_or(&[][..], |all| all).iter().enumerate() {
            if types::is_a(self.m, *of, k) {
                set_bit(&mut words, i);
            }
        }
        words
    }

    /// Whether all components of a family are of that kind, whatever they show.
    pub fn is_whole_family(&self, k: KindId) -> bool {
        let index = self.comps_of.get(&self.root(k)).copied().unwrap_or(0) as usize;
        self.face_kinds.get(index).is_some_and(|all| all.iter().all(|x| types::is_a(self.m, *x, k)))
    }
}

impl Tables<'_> {
    /// The domain of a filter: all sides of dice, or all faces of components.
    pub fn printed_all(&self, ty: &Ty, w: u8) -> Vec<u64> {
        match types::plain(ty) {
            Ty::Side(k) => self.all_sides(k, w),
            Ty::Filter(k) if types::is_die(self.m, k) => self.all_sides(k, w),
            Ty::Filter(k) | Ty::Face(k) => self.faces_of_kind(k, w),
            _ => vec![0; w as usize],
        }
    }

    /// The words of a set that is the same in every state; none if it is not constant.
    pub fn constant_set(&mut self, e: &Expr, u: UniverseId, names: &[(LocalId, i64)]) -> Option<Vec<u64>> {
        let w = self.set_words(u);
        let lo = i64::from(self.least_of(u));
        let n = i64::from(self.things_in(u));
        let mut words = vec![0u64; w as usize];
        let add = |words: &mut Vec<u64>, v: i64| {
            if let Ok(i) = usize::try_from(v - lo)
                && (i as i64) < n
            {
                set_bit(words, i);
            }
        };
        match &*e.kind {
            ExprKind::Filter(k, l, test) => {
                let all = self.printed_all(&Ty::Filter(*k), w);
                let mut inner = [&[(*l, 0)], names].concat();
                for i in (0..all.len() * 64).filter(|i| all[i / 64] >> (i % 64) & 1 == 1) {
                    inner[0].1 = i as i64;
                    if self.constant_with(test, &inner).int()? != 0 {
                        set_bit(&mut words, i);
                    }
                }
            }
            ExprKind::Set(all) | ExprKind::List(all) => {
                for x in all {
                    if matches!(x.ty, Ty::Set(_) | Ty::List(_)) {
                        let more = self.constant_set(x, u, names)?;
                        words.iter_mut().zip(more).for_each(|(a, b)| *a |= b);
                    } else {
                        let v = self.constant_with(x, names).int()?;
                        if v != NONE {
                            add(&mut words, v);
                        }
                    }
                }
            }
            ExprKind::Range(a, b) => {
                let (a, b) = (self.constant_with(a, names).int()?, self.constant_with(b, names).int()?);
                (a.max(lo)..=b.min(lo + n - 1)).for_each(|v| add(&mut words, v));
            }
            ExprKind::All(k) if !types::is_component(self.m, *k) => {
                (lo..lo + n).for_each(|v| add(&mut words, v))
            }
            ExprKind::Faces(k) => words = self.faces_of_kind(*k, w),
            ExprKind::Where(all, l, cond) if !names.is_empty() && matches!(all.ty, Ty::Set(_)) => {
                words = self.constant_set(all, u, names)?;
                // The right side does not depend on the member: evaluates it once.
                if let ExprKind::In(x, those) = &*cond.kind
                    && matches!(&*x.kind, ExprKind::Local(y) if y == l)
                    && matches!(&those.ty, Ty::Set(of) if self.universe_of(&of.clone(), those.span) == u)
                    && !houserule_model::body::walk::any_expr(
                        those,
                        &mut |e| matches!(&*e.kind, ExprKind::Local(y) if y == l),
                    )
                {
                    let those = self.constant_set(those, u, names)?;
                    words.iter_mut().zip(those).for_each(|(a, b)| *a &= b);
                    return Some(words);
                }
                let mut inner = [&[(*l, 0)], names].concat();
                for i in
                    (0..words.len() * 64).filter(|i| words[i / 64] >> (i % 64) & 1 == 1).collect::<Vec<_>>()
                {
                    inner[0].1 = i as i64 + lo;
                    if self.constant_with(cond, &inner).int()? == 0 {
                        words[i / 64] &= !(1 << (i % 64));
                    }
                }
            }
            ExprKind::Value(v, args) if !names.is_empty() => {
                let plain = self.plain_value(*v)?;
                let (params, body) = &*plain;
                let inner = self.arguments(*params, args, names)?;
                words = self.constant_set(body, u, &inner)?;
            }
            ExprKind::Union(a, b) | ExprKind::Without(a, b) => {
                let and = matches!(&*e.kind, ExprKind::Union(..));
                words = self.constant_set(a, u, names)?;
                let more = self.constant_set(b, u, names)?;
                words.iter_mut().zip(more).for_each(|(a, b)| if and { *a |= b } else { *a &= !b });
            }
            ExprKind::If(c, a, b) => {
                let c = self.constant_with(c, names).int()? != 0;
                words = self.constant_set(if c { a } else { b }, u, names)?;
            }
            ExprKind::Builtin(Builtin::AsSet | Builtin::Widened, a) => {
                words = self.constant_set(a.first()?, u, names)?
            }
            ExprKind::Builtin(Builtin::DirectionSet(k), map) => words[0] = self.directions(*k, map.first()),
            ExprKind::Builtin(b, args) => words = self.constant_spaces(*b, args, u, names)?,
            _ => return None,
        }
        if let ExprKind::Filter(_, l, test) = &*e.kind {
            self.note_filter(u, &words, test, *l);
        }
        Some(words)
    }

    /// Records the text of a filter of dice.
    fn note_filter(&mut self, u: UniverseId, set: &[u64], test: &Expr, it: LocalId) {
        let dice = matches!(self.p.universes.get(u.index()).map(|u| &u.sort), Some(UniverseSort::Sides(_)));
        if !dice || self.p.filters.iter().any(|f| f.universe == u && *f.set == *set) {
            return;
        }
        if let (Some(word), Some(title)) =
            (filter_text(self.m, test, it, false), filter_text(self.m, test, it, true))
        {
            let set = set.to_vec();
            self.p.filters.push(FilterWords { universe: u, set, word: word.into(), title: title.into() });
        }
    }
}
