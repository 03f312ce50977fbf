//! Coverage instrumentation: inserts a mark for each place of the text for which code was made. It runs last, and only for programs that are compiled for coverage.
use crate::ir::Ins;
use houserule_text::Span;

/// Inserts the marks before the code of their places; adjusts jumps and spans.
pub fn insert_marks(
    marks: &mut Vec<Span>,
    places: &[(u32, Span)],
    code: &mut Vec<Ins>,
    spans: &mut [(u32, Span)],
) {
    let mut out = Vec::with_capacity(code.len() + places.len());
    // The new position of each instruction, after its marks.
    let mut moved = Vec::with_capacity(code.len() + 1);
    let mut next = places.iter().peekable();
    for (i, ins) in code.iter().enumerate() {
        moved.push(out.len() as u32);
        while let Some((_, span)) = next.next_if(|(at, _)| *at as usize <= i) {
            out.push(Ins::Mark { n: marks.len() as u32 });
            marks.push(*span);
        }
        out.push(*ins);
    }
    moved.push(out.len() as u32);
    let to = |old: u32| moved.get(old as usize).copied().unwrap_or(old);
    out.iter_mut().filter_map(Ins::target_mut).for_each(|t| *t = to(*t));
    spans.iter_mut().for_each(|(at, _)| *at = to(*at));
    *code = out;
}
