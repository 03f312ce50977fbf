//! Instructions that use the caches of a run: sets noted for one list of options, values kept in the memo. Inlined into the run loop.
use crate::base::window::{Window, int, slice, write_words};
use crate::context::run_context::Context;
use houserule_program::ir::*;

/// [`Ins::Noted`]: whether the set was there. Debug builds compute it again and compare when it is noted.
#[inline(always)]
pub(crate) fn recall_set(cx: &Context, win: &mut Window, d: R, k: u8) -> bool {
    if !cfg!(debug_assertions)
        && let Some(words) = cx.notes.get(k)
    {
        write_words(win, d, words);
        return true;
    }
    false
}

/// [`Ins::Note`].
#[inline(always)]
pub(crate) fn note_set(p: &Program, cx: &mut Context, win: &Window, d: R, k: u8) {
    let w = p.noted.get(k as usize).map_or(0, |w| *w as usize);
    let same = cx.notes.put(k, slice(win, d, w));
    debug_assert!(same, "a set that is no longer what it was");
}

/// [`Ins::Recall`]: whether the value was there. Debug builds compute it again and compare when it is kept.
#[inline(always)]
pub(crate) fn recall_value(cx: &mut Context, win: &mut Window, d: R, who: R, k: u8) -> bool {
    let words = cx.memo.recall_value(k, int(win[who as usize]));
    match words.filter(|_| !cfg!(debug_assertions)) {
        Some(words) => {
            write_words(win, d, words);
            true
        }
        None => false,
    }
}

/// [`Ins::Keep`].
#[inline(always)]
pub(crate) fn keep_value(p: &Program, cx: &mut Context, win: &Window, d: R, who: R, k: u8) {
    let w = p.kept.get(k as usize).map_or(0, |k| k.words as usize);
    let same = cx.memo.keep_value(k, int(win[who as usize]), slice(win, d, w));
    debug_assert!(same, "a value that is no longer good");
}
