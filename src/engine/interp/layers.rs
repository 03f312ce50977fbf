//! Changes that end with a scope. A layer stores what it changed. When it ends, a younger layer on the same slot inherits the value that it would have restored,
//! and a slot that no longer holds the layer's value is left alone.
use crate::base::fault::Stop;
use crate::context::memo;
use crate::context::run_context::Context;
use crate::data::state::{Layer, LayerOp, State, Until};
use crate::world::tables::Rules;
use crate::world::{cells, knowledge};
use houserule_program::ir::{AttrIx, LeaseScope, NONE};

/// When a layer ends that is opened now with a scope and a register's value.
pub(crate) fn scope_end(st: &State, scope: LeaseScope, a: i64) -> Until {
    let arg = match scope {
        LeaseScope::Turn => st.head.turn as i32,
        LeaseScope::Round => st.head.round,
        LeaseScope::NextRound => st.head.round.saturating_add(1),
        LeaseScope::Phase => st.phases.last().map_or(-1, |r| i32::from(r.phase)),
        LeaseScope::Game => 0,
        LeaseScope::PhaseNamed | LeaseScope::StartOfTurn => a as i32,
    };
    Until { scope, arg }
}

pub(crate) fn add(st: &mut State, until: Until, op: LayerOp) {
    let seq = st.head.next_layer;
    st.head.next_layer = seq.wrapping_add(1);
    st.layers.push(Layer { seq, until, op });
}

/// Drops the layers on an attribute that is changed outside of a layer.
pub(crate) fn sweep(st: &mut State, attr: u16, e: u32) {
    st.layers.retain(|l| !matches!(l.op, LayerOp::Put { attr: a, thing, .. } if a == attr && thing == e));
}

/// Drops the layers on a component that is moved outside of a layer.
pub(crate) fn sweep_move(st: &mut State, u: u16, c: u32) {
    st.layers.retain(|l| !matches!(l.op, LayerOp::Moved { u: x, c: y, .. } if x == u && y == c));
}

/// Ends every layer of an ended scope, youngest first.
pub(crate) fn end(
    rules: Rules<'_>,
    st: &mut State,
    cx: &mut Context,
    ended: impl Fn(&Until) -> bool,
) -> Result<(), Stop> {
    if st.layers.is_empty() {
        return Ok(());
    }
    let mut i = st.layers.len();
    while i > 0 {
        i -= 1;
        let Some(layer) = st.layers.get(i).copied() else { break };
        if !ended(&layer.until) {
            continue;
        }
        st.layers.remove(i);
        match layer.op {
            LayerOp::Put { attr, thing, old, new } => {
                cx.memo.dirty |= memo::attr_class(AttrIx(attr));
                let younger = st.layers.iter_mut().skip(i).find_map(|l| match &mut l.op {
                    LayerOp::Put { attr: a, thing: t, old, .. } if *a == attr && *t == thing => Some(old),
                    _ => None,
                });
                if let Some(slot) = younger {
                    *slot = old;
                } else if old == new {
                    // The value stays, so no line is logged: it would tell players that there was a layer.
                } else if let Some(a) = rules.world.attrs.get(attr as usize)
                    && cells::cell(st, a.cell as usize + thing as usize) == i64::from(new)
                {
                    cells::store(st, a, thing as usize, old);
                    cx.rec.log_change(rules, st, attr, thing as usize, true);
                }
            }
            LayerOp::Moved { u, c, old, new } => {
                cx.memo.note_move(u as usize);
                let younger = st.layers.iter_mut().skip(i).find_map(|l| match &mut l.op {
                    LayerOp::Moved { u: x, c: y, old, .. } if *x == u && *y == c => Some(old),
                    _ => None,
                });
                if let Some(slot) = younger {
                    *slot = old;
                } else if let Some(comps) = rules.p.comps.get(u as usize)
                    && cells::cell(st, comps.place as usize + c as usize) == i64::from(new)
                {
                    let sources = cx.seers(rules, st, new as usize, c as usize)?;
                    cells::relocate(rules.p, st, u as usize, c as usize, old as usize, false)?;
                    let seers = cx.seers(rules, st, old as usize, c as usize)?;
                    let (from, to) = (new as usize, old as usize);
                    knowledge::after_move(rules, st, u as usize, c as usize, from, to, seers, sources);
                    cx.rec.log_move(rules, st, u as usize, c as usize, from, to);
                }
            }
            LayerOp::Attached { .. } => cx.memo.note_attachments(),
        }
    }
    if st.layers.is_empty() {
        st.layer_words.clear();
    }
    Ok(())
}

/// The number of the next layer above `i` that brings an attachment into force.
pub(crate) fn next_attached(st: &State, what: u16, i: i64) -> i64 {
    // A layer keeps its number when others end.
    let after = |l: &Layer| i == NONE || i64::from(l.seq) > i;
    st.layers
        .iter()
        .find(|l| after(l) && matches!(l.op, LayerOp::Attached { what: w, .. } if w == what))
        .map_or(NONE, |l| i64::from(l.seq))
}

/// Captured word `k` of layer number `i`.
pub(crate) fn captured_word(st: &State, i: i64, k: usize) -> Option<u64> {
    st.layers.iter().find(|l| i64::from(l.seq) == i).and_then(|l| match l.op {
        LayerOp::Attached { at, n, .. } if k < n as usize => st.layer_words.get(at as usize + k).copied(),
        _ => None,
    })
}
