//! Shares the domain of the first parameter between the actions of a menu: these often pick it from the same set (*my men who are not out*), or from the same part of it
//! (*… who stand on dry ground*). Each set is computed once for each enumeration and cached; if it is empty, the remaining guards are not evaluated.
use crate::analysis::expr_forms::without_as_set;
use crate::fn_builder::{FnBuild, Label, TrialSet};
use crate::ir::*;
use crate::layout::tables::Tables;
use crate::lower::{FoundSet, Lower};
use houserule_model::body::types;
use houserule_model::hir::*;
use houserule_text::Span;

/// The most instructions for the condition on spaces that is shared.
const FEW: usize = 3;

/// Code that was taken out of a function, with its spans.
#[derive(Default)]
struct TakenCode {
    code: Vec<Ins>,
    spans: Vec<(u32, Span)>,
}

impl Tables<'_> {
    /// The spaces from which the second parameter has any candidate, if its domain is a row of fixed planes by the space of the first, and constant conditions leave few of these spaces.
    fn spaces_leading_on(
        &mut self,
        a: &Action,
        first: LocalId,
        conds: &[(Expr, usize, usize)],
    ) -> Option<Vec<u64>> {
        let next = a.params.get(1).filter(|p| matches!(p.many, Many::One))?;
        let ExprKind::Value(v, args) = &*without_as_set(&next.from).kind else { return None };
        let [arg] = args.as_slice() else { return None };
        let ExprKind::Builtin(Builtin::At, of) = &*arg.kind else { return None };
        if !matches!(of.as_slice(), [x] if matches!(&*x.kind, ExprKind::Local(l) if *l == first)) {
            return None;
        }
        // The components lie on spaces of one map.
        let (u, there) = (self.uni_of(&next.from), self.universe_of(&types::plain(&arg.ty), arg.span));
        let own = self.uni_of(&a.params.first()?.from);
        if crate::passes::const_prop::space_universe_of(&self.p, own.0 as u8) != Some(there.0 as u8) {
            return None;
        }
        let group = self.planes_of_value(*v, u)?;
        let g =
            *self.p.groups.get(group.index()).filter(|g| g.fixed && g.lo == 0 && self.least_of(u) == 0)?;
        let (n, w) = (g.n as usize, g.w as usize);
        if w == 0 {
            return None;
        }
        let rows = self.p.sets.get(g.at as usize..g.at as usize + n * w)?.to_vec();
        let mut good = vec![0u64; w];
        rows.chunks(w).for_each(|row| good.iter_mut().zip(row).for_each(|(a, b)| *a |= b));
        let mut has_condition = false;
        for (c, ..) in conds.iter().filter(|(_, env, upto)| *upto == 2 && *env == 0) {
            // Evaluates the condition for one thing first: if it is not constant, the others need not be tried.
            let all: Vec<usize> = (0..w * 64).filter(|j| good[j / 64] >> (j % 64) & 1 == 1).collect();
            let holds = |s: &mut Self, j: usize| s.constant_with(c, &[(next.local, j as i64)]).int();
            let known: Option<Vec<bool>> = all.iter().map(|j| holds(self, *j).map(|x| x != 0)).collect();
            let Some(known) = known else { continue };
            has_condition = true;
            for (j, _) in all.iter().zip(&known).filter(|(_, holds)| !**holds) {
                good[j / 64] &= !(1 << (j % 64));
            }
        }
        let leads = |row: &[u64]| row.iter().zip(&good).any(|(a, b)| a & b != 0);
        let mut out = vec![0u64; n.div_ceil(64)];
        for (i, _) in rows.chunks(w).enumerate().filter(|(_, row)| leads(row)) {
            out[i / 64] |= 1 << (i % 64);
        }
        let many: u32 = out.iter().map(|x| x.count_ones()).sum();
        // The row of none must be empty, too.
        let nowhere = self.p.sets.get(g.at as usize + n * w..g.at as usize + (n + 1) * w)?;
        (has_condition && !leads(nowhere) && many as usize * 3 <= n).then_some(out)
    }
}

impl Lower<'_> {
    /// Computes the shared domain for an action with several parameters; jumps to `end` if it is empty. Returns the register of the set, and removes from `conds` the conditions that it applied.
    pub fn shared_first_domain(
        &mut self,
        f: &mut FnBuild,
        a: &Action,
        from: &Expr,
        conds: &mut Vec<(Expr, usize, usize)>,
        sets: &[TrialSet],
        end: Label,
    ) -> Option<R> {
        let p = a.params.first().filter(|p| a.params.len() > 1 && matches!(p.many, Many::One))?;
        let u = self.uni_of(&p.from);
        let w = self.set_words(u);
        let before = f.next;
        let s = f.alloc(w);
        let (at, spans) = (f.code.len(), f.spans.len());
        self.set_into(f, from, u, s);
        if let Some(c) = &p.filter {
            let full = self.is_everything(from);
            let left = self.filter_lifted(f, s, u, p.local, &[(c, 0)], full);
            self.filter_each(f, s, u, p.local, &left);
        }
        let own = take_code(f, at, spans);
        let straight = |piece: &TakenCode| piece.code.iter().all(|ins| ins.target().is_none());
        if !straight(&own) {
            f.next = before;
            return None;
        }
        // The conditions on the space, if they form one set.
        let here: Vec<bool> = (conds.iter())
            .map(|(c, env, upto)| *upto == 1 && self.depends_on_space_alone(f, c, *env, p.local, u))
            .collect();
        let on_space: Vec<(&Expr, usize)> =
            conds.iter().zip(&here).filter(|(_, here)| **here).map(|((c, env, _), _)| (c, *env)).collect();
        let mut cut = TakenCode::default();
        if !on_space.is_empty() {
            let (at, spans) = (f.code.len(), f.spans.len());
            let left = self.filter_lifted(f, s, u, p.local, &on_space, false).len();
            let piece = take_code(f, at, spans);
            if left == 0 && straight(&piece) && piece.code.len() <= FEW {
                cut = piece;
                let mut here = here.iter();
                conds.retain(|_| !here.next().is_some_and(|here| *here));
            }
        }
        if let Some(words) = self.spaces_leading_on(a, p.local, conds) {
            let base = f.next;
            let (d, k) = (f.alloc(words.len() as u8), self.add_const_set(&words));
            cut.code.push(Ins::SConst { d, w: words.len() as u8, k });
            cut.code.push(Ins::SAtIn { d: s, e: s, s: d, u: u.0 as u8, w: words.len() as u8 });
            f.next = base;
        }
        let first = self.noted_code_number(&own.code, w);
        let both = match cut.code.is_empty() {
            true => None,
            false => self.noted_code_number(&[&own.code[..], &cut.code].concat(), w),
        };
        let find =
            |s_: &mut Self, f: &mut FnBuild| s_.compute_unless_noted(f, first, s, |_, f| own.append_to(f));
        match cut.code.is_empty() {
            true => find(self, f),
            false => self.compute_unless_noted(f, both, s, |s, f| {
                find(s, f);
                cut.append_to(f);
            }),
        }
        // Other cheap conditions on the first parameter alone: often no candidate is left after these.
        conds.retain(|(c, env, upto)| {
            if *upto != 1 || self.with_lifted(f, *env, p.local, |s, f| s.needs_loop(f, c, 0)) {
                return true;
            }
            let (at, spans, next) = (f.code.len(), f.spans.len(), f.next);
            let left = self.filter_lifted(f, s, u, p.local, &[(c, *env)], false).len();
            let piece = take_code(f, at, spans);
            f.next = next;
            let good = left == 0 && straight(&piece) && piece.code.len() <= FEW + 1;
            // A set that several conditions need is cached for them.
            if good && self.compute_sets_for(f, sets, c) {
                let next = f.next;
                self.filter_lifted(f, s, u, p.local, &[(c, *env)], false);
                f.next = next;
            } else if good {
                piece.append_to(f);
            }
            !good
        });
        let base = f.next;
        let any = f.emit_new(1, |d| Ins::SAny { d, s, w });
        f.jz(any, end);
        f.next = base;
        Some(s)
    }

    /// The number of the cached set that this code finds, or none if there is no room.
    fn noted_code_number(&mut self, code: &[Ins], words: u8) -> Option<u8> {
        // Constants are compared by value, because equal ones may be in several places.
        let mut known = FoundSet::default();
        for ins in code {
            match *ins {
                Ins::SConst { d, w, k } => {
                    known.code.push(Ins::SConst { d, w, k: 0 });
                    known.words.extend_from_slice(self.p.sets.get(k as usize..k as usize + w as usize)?);
                }
                ins => known.code.push(ins),
            }
        }
        if let Some((_, k)) = self.noted_code.iter().find(|(found, _)| *found == known) {
            return Some(*k);
        }
        let k = u8::try_from(self.p.noted.len()).ok()?;
        self.p.noted.push(words);
        self.noted_code.push((known, k));
        Some(k)
    }
}

impl TakenCode {
    fn append_to(&self, f: &mut FnBuild) {
        let by = f.code.len() as u32;
        f.spans.extend(self.spans.iter().map(|(at, span)| (at + by, *span)));
        f.code.extend(&self.code);
    }
}

/// Takes the code from a position on out of the function.
fn take_code(f: &mut FnBuild, at: usize, spans: usize) -> TakenCode {
    let spans = f.spans.split_off(spans.min(f.spans.len()));
    let spans = spans.into_iter().map(|(i, span)| (i.saturating_sub(at as u32), span)).collect();
    TakenCode { code: f.code.split_off(at), spans }
}
