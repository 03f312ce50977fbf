//! The type system: assignability, common types, number ranges, and how a type is written for the reader.
use crate::hir::{Arith, AttrId, Comparison, Kind, KindId, KindSort, Model, Ty, builtin_kinds};

/// The widest number.
pub const WIDE: Ty = Ty::Int(i32::MIN, i32::MAX);

/// How many steps up a chain of kinds are looked at: longer chains are refused where kinds are declared.
const DEPTH: usize = 64;

/// The declaration of a kind; none for a number that is of no kind.
pub fn kind(model: &Model, id: KindId) -> Option<&Kind> {
    model.kinds.get(id.index())
}

/// The kind and everything that it is, nearest first.
pub fn line_of(model: &Model, id: KindId) -> Vec<KindId> {
    let mut out = Vec::new();
    let mut next = Some(id);
    while let Some(k) = next {
        if out.contains(&k) || out.len() > DEPTH {
            break;
        }
        out.push(k);
        next = kind(model, k).and_then(|d| d.parent);
    }
    out
}

/// Whether everything of `a` is of `b`, too.
pub fn is_a(model: &Model, a: KindId, b: KindId) -> bool {
    kinds_from(model, a).any(|k| k == b)
}

/// The kind above all kinds of a kind.
pub fn root_of(model: &Model, id: KindId) -> KindId {
    kinds_from(model, id).last().unwrap_or(id)
}

/// A kind and the kinds above it, as [`line_of`] lists them.
fn kinds_from(model: &Model, id: KindId) -> impl Iterator<Item = KindId> {
    std::iter::successors(Some(id), |k| kind(model, *k).and_then(|d| d.parent)).take(DEPTH + 1)
}

/// Whether things of the kind are components.
pub fn is_component(model: &Model, k: KindId) -> bool {
    matches!(kind(model, k).map(|d| &d.sort), Some(KindSort::Component(_)))
}

/// Whether things of the kind are dice.
pub fn is_die(model: &Model, k: KindId) -> bool {
    let die = |k: &KindId| {
        matches!(kind(model, *k).map(|d| &d.sort), Some(KindSort::Component(crate::hir::ComponentSort::Die)))
    };
    line_of(model, k).iter().any(die)
}

/// Whether things of the kind are spaces.
pub fn is_space(model: &Model, k: KindId) -> bool {
    matches!(kind(model, k).map(|d| &d.sort), Some(KindSort::Space(_)))
}

/// Whether things of the kind are places of a graph.
pub fn is_graph(model: &Model, k: KindId) -> bool {
    let line = line_of(model, k);
    model.maps.iter().any(|m| m.shape == crate::hir::Shape::Graph && line.contains(&m.space))
}

/// How many spaces of the kind there are at least and at most, one after the other: where it is that of a line.
pub fn line_length(model: &Model, k: KindId) -> Option<(i32, i32)> {
    let map = model.maps.iter().find(|m| m.space == k && m.shape == crate::hir::Shape::Line)?;
    let most = map.size.and_then(|(n, _)| i32::try_from(n).ok())?;
    let computed = map.computed.as_ref().and_then(|(n, _)| bounds(&n.ty));
    Some(computed.unwrap_or((most, most)))
}

/// Whether a map surely has as many rows as columns, in each set-up.
pub fn is_square(map: &crate::hir::Map) -> bool {
    match &map.computed {
        Some((w, h)) => {
            use crate::hir::ExprKind::Option as Of;
            matches!((&*w.kind, &*h.kind), (Of(a), Of(b)) if a == b)
        }
        None => map.size.is_some_and(|(w, h)| w == h),
    }
}

/// The numbers that rows (or columns) of the kind's map can have, in any of its pictures.
pub fn line_numbers(model: &Model, k: KindId, row: bool) -> Ty {
    let maps = model.maps.iter().filter(|m| m.space == k);
    let sizes = maps.flat_map(|m| m.size.into_iter().chain(m.pictures.iter().map(|p| p.size)));
    let most = sizes.map(|(w, h)| if row { h } else { w }).max();
    most.and_then(|n| i32::try_from(n).ok()).map_or(WIDE, |n| Ty::Int(1, n.max(1)))
}

/// Whether things of the kind are lines of a board; then of which spaces.
pub fn line_spaces(model: &Model, k: KindId) -> Option<KindId> {
    match kind(model, k).map(|d| &d.sort) {
        Some(KindSort::Lines(map, _)) => model.maps.get(map.index()).map(|m| m.space),
        _ => None,
    }
}

/// The type without its *or none*.
pub fn plain(ty: &Ty) -> Ty {
    match ty {
        Ty::Maybe(t) => (**t).clone(),
        other => other.clone(),
    }
}

/// The type or none; never nested.
pub fn maybe(ty: Ty) -> Ty {
    match ty {
        Ty::Maybe(_) | Ty::None | Ty::Error => ty,
        other => Ty::Maybe(Box::new(other)),
    }
}

/// A set of that.
pub fn set_of(ty: Ty) -> Ty {
    Ty::Set(Box::new(ty))
}

/// A list of that.
pub fn list_of(ty: Ty) -> Ty {
    Ty::List(Box::new(ty))
}

/// Whether it may be none.
pub fn is_maybe(ty: &Ty) -> bool {
    matches!(ty, Ty::Maybe(_) | Ty::None)
}

/// Whether it is a bag, or something that may hold one.
pub fn holds_bag(ty: &Ty) -> bool {
    match ty {
        Ty::Bag(_) => true,
        Ty::Maybe(t) | Ty::Set(t) | Ty::List(t) => holds_bag(t),
        _ => false,
    }
}

/// What a set, list or bag holds; a line holds spaces. None for anything else.
pub fn element(model: &Model, ty: &Ty) -> Option<Ty> {
    match ty {
        Ty::Set(t) | Ty::List(t) | Ty::Bag(t) => Some((**t).clone()),
        Ty::Of(k) => line_spaces(model, *k).map(Ty::Of),
        Ty::Error => Some(Ty::Error),
        _ => None,
    }
}

/// Whether it has an order that the rules know.
pub fn is_ordered(model: &Model, ty: &Ty) -> bool {
    match ty {
        Ty::List(_) | Ty::Error => true,
        Ty::Of(k) => line_spaces(model, *k).is_some(),
        // Numbers and words have an order of their own.
        Ty::Set(t) => match &**t {
            Ty::Int(..) => true,
            Ty::Of(k) => matches!(
                kind(model, *k).map(|d| &d.sort),
                Some(
                    KindSort::Enum
                        | KindSort::Player
                        | KindSort::Direction
                        | KindSort::Team
                        | KindSort::Lines(..)
                )
            ),
            _ => false,
        },
        _ => false,
    }
}

/// The kinds of which a type's things are: one, or several.
pub fn kinds_of(ty: &Ty) -> Vec<KindId> {
    match ty {
        Ty::Of(k) => vec![*k],
        Ty::AnyOf(ks) => ks.clone(),
        Ty::Maybe(t) => kinds_of(t),
        _ => Vec::new(),
    }
}

/// The type of things of any of these kinds.
pub fn any_of(mut kinds: Vec<KindId>) -> Ty {
    kinds.sort();
    kinds.dedup();
    match kinds.as_slice() {
        [] => Ty::Error,
        [one] => Ty::Of(*one),
        _ => Ty::AnyOf(kinds),
    }
}

/// How a value of one type comes to stand where another is expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fit {
    /// As it is.
    Yes,
    /// It may be none, and none must not be there; apart from that it fits.
    NotNone,
    /// A list (or line) stands where a set is expected.
    AsSet,
    /// A line of a board stands where a list of its spaces is expected.
    AsSpaces,
    /// A number that can never be inside the range.
    Outside,
    /// Not at all.
    No,
}

/// Whether a value of type `from` may stand where `to` is expected.
pub fn fit(model: &Model, from: &Ty, to: &Ty) -> Fit {
    match (from, to) {
        (Ty::Error, _) | (_, Ty::Error) => Fit::Yes,
        (Ty::None, Ty::Maybe(_) | Ty::None) => Fit::Yes,
        (Ty::None, _) => Fit::NotNone,
        (Ty::Maybe(a), Ty::Maybe(b)) => fit(model, a, b),
        (a, Ty::Maybe(b)) => fit(model, a, b),
        (Ty::Maybe(a), b) => match fit(model, a, b) {
            Fit::No => Fit::No,
            Fit::Outside => Fit::Outside,
            _ => Fit::NotNone,
        },
        (Ty::Int(a, b), Ty::Int(c, d)) => {
            if b < c || d < a {
                Fit::Outside
            } else {
                Fit::Yes
            }
        }
        (Ty::Of(a), Ty::Of(b)) if is_a(model, *a, *b) => Fit::Yes,
        (Ty::Of(a), Ty::Place) if is_space(model, *a) => Fit::Yes,
        (Ty::Of(a), Ty::AnyOf(bs)) if bs.iter().any(|b| is_a(model, *a, *b)) => Fit::Yes,
        (Ty::AnyOf(a), Ty::AnyOf(bs)) if a.iter().all(|a| bs.iter().any(|b| is_a(model, *a, *b))) => Fit::Yes,
        (Ty::AnyOf(a), Ty::Of(b)) if a.iter().all(|a| is_a(model, *a, *b)) => Fit::Yes,
        (Ty::Face(a), Ty::Face(b)) | (Ty::Side(a), Ty::Side(b)) if is_a(model, *a, *b) => Fit::Yes,
        (Ty::Filter(a), Ty::Filter(b)) if is_a(model, *b, *a) => Fit::Yes,
        (Ty::Set(a), Ty::Set(b)) | (Ty::List(a), Ty::List(b)) | (Ty::Bag(a), Ty::Bag(b)) => {
            match fit(model, a, b) {
                Fit::Yes => Fit::Yes,
                Fit::Outside => Fit::Outside,
                _ => Fit::No,
            }
        }
        (Ty::List(a), Ty::Set(b) | Ty::Bag(b)) | (Ty::Set(a), Ty::Bag(b)) => match fit(model, a, b) {
            Fit::Yes => Fit::AsSet,
            Fit::Outside => Fit::Outside,
            _ => Fit::No,
        },
        (Ty::Of(a), Ty::List(b)) => match line_spaces(model, *a) {
            Some(space) if fit(model, &Ty::Of(space), b) == Fit::Yes => Fit::AsSpaces,
            _ => Fit::No,
        },
        (Ty::Of(a), Ty::Set(b)) => match line_spaces(model, *a) {
            Some(space) if fit(model, &Ty::Of(space), b) == Fit::Yes => Fit::AsSet,
            _ => Fit::No,
        },
        (a, b) if a == b => Fit::Yes,
        _ => Fit::No,
    }
}

/// What two types have in common: the type of *if C then a else b*. None if nothing.
pub fn join(model: &Model, a: &Ty, b: &Ty) -> Option<Ty> {
    Some(match (a, b) {
        (Ty::Error, _) | (_, Ty::Error) => Ty::Error,
        (a, b) if a == b => a.clone(),
        (Ty::None, t) | (t, Ty::None) => maybe(t.clone()),
        (Ty::Maybe(a), Ty::Maybe(b)) => maybe(join(model, a, b)?),
        (Ty::Maybe(a), b) | (b, Ty::Maybe(a)) => maybe(join(model, a, b)?),
        (Ty::Int(a, b), Ty::Int(c, d)) => Ty::Int(*a.min(c), *b.max(d)),
        (Ty::Of(x), Ty::Of(y)) => {
            let up = line_of(model, *y);
            let joined = |k: &KindId| kind(model, *k).is_some_and(|k| k.joined);
            match line_of(model, *x).into_iter().find(|k| up.contains(k)).filter(|k| !joined(k)) {
                Some(k) => Ty::Of(k),
                None if is_component(model, *x) && is_component(model, *y) => any_of(vec![*x, *y]),
                None if is_space(model, *x) && is_space(model, *y) => Ty::Place,
                None => return None,
            }
        }
        (Ty::Of(x), Ty::AnyOf(ys)) | (Ty::AnyOf(ys), Ty::Of(x)) if is_component(model, *x) => {
            let mut all = ys.clone();
            all.push(*x);
            any_of(all)
        }
        (Ty::AnyOf(xs), Ty::AnyOf(ys)) => any_of(xs.iter().chain(ys).copied().collect()),
        (Ty::Of(x), Ty::Place) | (Ty::Place, Ty::Of(x)) if is_space(model, *x) => Ty::Place,
        (Ty::Face(x), Ty::Face(y)) => {
            let up = line_of(model, *y);
            Ty::Face(line_of(model, *x).into_iter().find(|k| up.contains(k))?)
        }
        (Ty::Side(x), Ty::Side(y)) => {
            let up = line_of(model, *y);
            Ty::Side(line_of(model, *x).into_iter().find(|k| up.contains(k))?)
        }
        (Ty::Set(a), Ty::Set(b)) => set_of(join(model, a, b)?),
        (Ty::List(a), Ty::List(b)) => list_of(join(model, a, b)?),
        (Ty::List(a), Ty::Set(b)) | (Ty::Set(b), Ty::List(a)) => set_of(join(model, a, b)?),
        (Ty::Bag(a), Ty::Bag(b) | Ty::Set(b) | Ty::List(b)) | (Ty::Set(b) | Ty::List(b), Ty::Bag(a)) => {
            Ty::Bag(Box::new(join(model, a, b)?))
        }
        _ => return None,
    })
}

/// Whether two values can be compared for equality at all.
pub fn comparable(model: &Model, a: &Ty, b: &Ty) -> bool {
    match (a, b) {
        (Ty::Error, _) | (_, Ty::Error) | (Ty::None, _) | (_, Ty::None) => true,
        (Ty::Maybe(a), b) | (b, Ty::Maybe(a)) => comparable(model, a, b),
        (Ty::Int(..), Ty::Int(..)) => true,
        (Ty::Place, Ty::Of(k)) | (Ty::Of(k), Ty::Place) => is_space(model, *k),
        (Ty::Of(x), Ty::Of(y)) => {
            is_a(model, *x, *y)
                || is_a(model, *y, *x)
                || (is_component(model, *x) && is_component(model, *y) && join_kinds(model, *x, *y))
        }
        (Ty::AnyOf(xs), Ty::Of(y)) | (Ty::Of(y), Ty::AnyOf(xs)) => {
            xs.iter().any(|x| is_a(model, *x, *y) || is_a(model, *y, *x))
        }
        (Ty::AnyOf(xs), Ty::AnyOf(ys)) => {
            xs.iter().any(|x| ys.iter().any(|y| is_a(model, *x, *y) || is_a(model, *y, *x)))
        }
        (Ty::Face(x), Ty::Face(y)) | (Ty::Side(x), Ty::Side(y)) => is_a(model, *x, *y) || is_a(model, *y, *x),
        (Ty::Set(a) | Ty::List(a) | Ty::Bag(a), Ty::Set(b) | Ty::List(b) | Ty::Bag(b)) => {
            comparable(model, a, b)
        }
        (Ty::Text, Ty::Text) => true,
        (a, b) => a == b,
    }
}

fn join_kinds(model: &Model, x: KindId, y: KindId) -> bool {
    let up = line_of(model, y);
    line_of(model, x).into_iter().any(|k| up.contains(&k))
}

/// The range of a sum, product … of two ranges, kept within `i32`; wider than can be, never narrower.
pub fn arith(op: Arith, a: (i32, i32), b: (i32, i32)) -> (i32, i32) {
    let clamp = |v: i64| v.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
    let (al, ah, bl, bh) = (i64::from(a.0), i64::from(a.1), i64::from(b.0), i64::from(b.1));
    match op {
        Arith::Add => (clamp(al + bl), clamp(ah + bh)),
        Arith::Sub => (clamp(al - bh), clamp(ah - bl)),
        Arith::Mul => {
            let all = [al * bl, al * bh, ah * bl, ah * bh];
            (clamp(all.into_iter().min().unwrap_or(0)), clamp(all.into_iter().max().unwrap_or(0)))
        }
        Arith::Div => {
            // The divisors nearest to zero and the outermost ones decide; zero itself is an error when it comes.
            let mut all = Vec::new();
            for d in [bl, bh, -1, 1] {
                if d != 0 && (bl..=bh).contains(&d) {
                    all.extend([al / d, ah / d]);
                }
            }
            if al <= 0 && 0 <= ah {
                all.push(0);
            }
            match (all.iter().min(), all.iter().max()) {
                (Some(lo), Some(hi)) => (clamp(*lo), clamp(*hi)),
                _ => (i32::MIN, i32::MAX),
            }
        }
        // A number that is less than every divisor is its own remainder.
        Arith::Mod if al >= 0 && ah < bl => (a.0, a.1),
        Arith::Mod => {
            let most = (bl.abs().max(bh.abs()) - 1).max(0);
            (0, clamp(if al >= 0 { most.min(ah) } else { most }))
        }
    }
}

/// What a comparison of two ranges always gives, if it always gives the same.
pub fn decided(op: Comparison, a: (i32, i32), b: (i32, i32)) -> Option<bool> {
    let apart = a.1 < b.0 || b.1 < a.0;
    let one = a.0 == a.1 && a == b;
    match op {
        Comparison::Eq if apart => Some(false),
        Comparison::Eq if one => Some(true),
        Comparison::Ne if apart => Some(true),
        Comparison::Ne if one => Some(false),
        Comparison::Lt if a.1 < b.0 => Some(true),
        Comparison::Lt if a.0 >= b.1 => Some(false),
        Comparison::Le if a.1 <= b.0 => Some(true),
        Comparison::Le if a.0 > b.1 => Some(false),
        Comparison::Gt if a.0 > b.1 => Some(true),
        Comparison::Gt if a.1 <= b.0 => Some(false),
        Comparison::Ge if a.0 >= b.1 => Some(true),
        Comparison::Ge if a.1 < b.0 => Some(false),
        _ => None,
    }
}

/// The bounds of a number type, none for others.
pub fn bounds(ty: &Ty) -> Option<(i32, i32)> {
    match ty {
        Ty::Int(a, b) => Some((*a, *b)),
        Ty::Maybe(t) => bounds(t),
        _ => None,
    }
}

/// The range with which a number type is declared; none for any number.
pub fn range(ty: &Ty) -> Option<(i32, i32)> {
    bounds(ty).filter(|(lo, hi)| *lo > -i32::MAX || *hi < i32::MAX)
}

/// A range in the reader's notation.
pub fn show_range(a: i32, b: i32) -> String {
    // The least number of all stands for none and is no number of the rules.
    const LEAST: i32 = i32::MIN + 1;
    match (a, b) {
        (i32::MIN..=LEAST, i32::MAX) => String::from("any number"),
        (i32::MIN..=LEAST, b) => format!("..{b}"),
        (a, i32::MAX) => format!("{a}.."),
        (a, b) if a == b => format!("{a}"),
        (a, b) => format!("{a}..{b}"),
    }
}

/// The type in the reader's words, with its article: "a set of Cell", "a number 1..6".
pub fn show(model: &Model, ty: &Ty) -> String {
    match ty {
        Ty::Bool => String::from("yes or no"),
        Ty::Int(..-2_147_483_646, i32::MAX) => String::from("a number"),
        Ty::Int(a, b) if a == b => format!("the number {a}"),
        Ty::Int(a, b) => format!("a number {}", show_range(*a, *b)),
        Ty::Text => String::from("a text"),
        Ty::Of(k) => format!("a {}", name(model, *k)),
        Ty::Face(k) => format!("a face of {}", name(model, *k)),
        Ty::Side(k) => format!("a side of a {}", name(model, *k)),
        Ty::Place => String::from("a place"),
        Ty::Set(t) => format!("a set of {}", bare(model, t)),
        Ty::List(t) => format!("a list of {}", bare(model, t)),
        Ty::Bag(t) => format!("a bag of {}", bare(model, t)),
        Ty::Filter(k) => format!("a filter of {}", name(model, *k)),
        Ty::AnyOf(_) => format!("a {}", bare(model, ty)),
        Ty::Maybe(t) => format!("{} or none", show(model, t)),
        Ty::None => String::from("none"),
        Ty::Phase => String::from("a phase"),
        Ty::Nothing => String::from("nothing"),
        Ty::Error => String::from("something unknown"),
    }
}

/// The type as it is written in the rules: `set of Cell`, `1..6`, `Cell?`.
pub fn bare(model: &Model, ty: &Ty) -> String {
    match ty {
        Ty::Bool => String::from("bool"),
        Ty::Int(..-2_147_483_646, i32::MAX) => String::from("int"),
        Ty::Int(a, b) => show_range(*a, *b),
        Ty::Text => String::from("text"),
        Ty::Of(k) => name(model, *k),
        Ty::Face(k) => format!("face of {}", name(model, *k)),
        Ty::Side(k) => format!("side of {}", name(model, *k)),
        Ty::Place => String::from("place"),
        Ty::Set(t) => format!("set of {}", bare(model, t)),
        Ty::List(t) => format!("list of {}", bare(model, t)),
        Ty::Bag(t) => format!("bag of {}", bare(model, t)),
        Ty::Filter(k) => format!("filter of {}", name(model, *k)),
        Ty::AnyOf(ks) => ks.iter().map(|k| name(model, *k)).collect::<Vec<_>>().join(" or "),
        Ty::Maybe(t) => format!("{}?", bare(model, t)),
        Ty::None => String::from("none"),
        Ty::Phase => String::from("phase"),
        Ty::Nothing => String::from("nothing"),
        Ty::Error => String::from("?"),
    }
}

/// A kind's name.
pub fn name(model: &Model, k: KindId) -> String {
    kind(model, k).map_or_else(|| String::from("?"), |d| d.name.to_string())
}

/// The type of players.
pub fn player() -> Ty {
    Ty::Of(builtin_kinds::PLAYER)
}

/// The type of directions.
pub fn direction() -> Ty {
    Ty::Of(builtin_kinds::DIRECTION)
}

/// The attribute that says on which space a player stands: `player { at: Cell }`.
pub fn standing(m: &Model) -> Option<AttrId> {
    let player = m.kinds.get(builtin_kinds::PLAYER.index())?;
    player.attrs.iter().copied().find(|a| {
        m.attrs
            .get(a.index())
            .is_some_and(|a| *a.name == *"at" && matches!(plain(&a.ty), Ty::Of(k) if is_space(m, k)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_of_ranges_holds_every_quotient() {
        for (al, ah) in [(-7, 5), (1, 9), (-4, -2), (0, 0)] {
            for (bl, bh) in [(-3, 2), (1, 4), (-2, -1), (2, 2)] {
                let (lo, hi) = arith(Arith::Div, (al, ah), (bl, bh));
                for a in al..=ah {
                    for b in bl..=bh {
                        if b != 0 {
                            assert!((lo..=hi).contains(&(a / b)), "{a} / {b} is not in {lo}..{hi}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn remainders_of_ranges_hold_every_remainder() {
        for (al, ah) in [(-7, 5), (1, 9), (0, 2), (-4, -2), (0, 0)] {
            for (bl, bh) in [(-3, 2), (1, 4), (3, 3), (4, 6), (-2, -1)] {
                let (lo, hi) = arith(Arith::Mod, (al, ah), (bl, bh));
                for a in al..=ah {
                    for b in bl..=bh {
                        if b != 0 {
                            let r = i32::rem_euclid(a, b);
                            assert!((lo..=hi).contains(&r), "{a} mod {b} is not in {lo}..{hi}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn comparisons_of_ranges_are_decided_only_when_they_are() {
        use Comparison::*;
        let test = |op, a: i32, b: i32| match op {
            Eq => a == b,
            Ne => a != b,
            Lt => a < b,
            Le => a <= b,
            Gt => a > b,
            Ge => a >= b,
        };
        for op in [Eq, Ne, Lt, Le, Gt, Ge] {
            for (al, ah) in [(0, 2), (1, 1), (2, 4), (5, 6)] {
                for (bl, bh) in [(0, 2), (1, 1), (3, 5)] {
                    let all: Vec<bool> =
                        (al..=ah).flat_map(|a| (bl..=bh).map(move |b| test(op, a, b))).collect();
                    let same = all.iter().all(|x| *x == all[0]).then_some(all[0]);
                    assert_eq!(decided(op, (al, ah), (bl, bh)), same, "{op:?} {al}..{ah} {bl}..{bh}");
                }
            }
        }
    }
}
