//! Liveness analysis: which registers of a function are read before they are written again. Backward dataflow over jumps; the other passes use it.
use crate::ir::def_use::used;
use crate::ir::*;

/// The registers that an instruction reads and writes, as sets.
#[derive(Clone, Copy)]
pub struct RegUse {
    /// Registers that it reads.
    pub reads: RegSet,
    /// Registers that it writes, with the window of a call.
    pub writes: RegSet,
    /// First register of a call's window.
    pub window: Option<R>,
    /// Whether its registers are known.
    pub described: bool,
}

impl RegUse {
    /// What an instruction reads and writes.
    pub fn of(p: &Program, ins: &Ins) -> RegUse {
        let (mut reads, mut writes) = (RegSet::default(), RegSet::default());
        let Some(u) = used(p, ins) else {
            return RegUse { reads: RegSet::ALL, writes, window: None, described: false };
        };
        u.reads.iter().for_each(|(r, n)| reads.insert_run(*r, *n));
        u.writes.iter().for_each(|(r, n)| writes.insert_run(*r, *n));
        if let Some(at) = u.window {
            writes.insert_from(at);
        }
        RegUse { reads, writes, window: u.window, described: true }
    }

    /// The registers that are live before it, from those live after it.
    pub fn live_before(&self, out: RegSet) -> RegSet {
        out.difference(self.writes).union(self.reads)
    }
}

/// The registers that are live after each instruction; the caller reads `results` words.
pub fn liveness(code: &[Ins], uses: &[RegUse], results: u8) -> Vec<RegSet> {
    let n = code.len();
    let mut inn = vec![RegSet::default(); n + 1];
    let mut out = vec![RegSet::default(); n];
    // Code without jumps backwards needs one pass, from its end.
    let loops = code.iter().enumerate().any(|(i, ins)| ins.target().is_some_and(|to| to as usize <= i));
    loop {
        let mut changed = false;
        for i in (0..n).rev() {
            let mut live = match code[i] {
                Ins::Ret => {
                    let mut live = RegSet::default();
                    live.insert_run(0, results);
                    live
                }
                Ins::Jmp { .. } | Ins::End => RegSet::default(),
                _ => inn[i + 1],
            };
            if let Some(to) = code[i].target() {
                live.union_with(inn.get(to as usize).copied().unwrap_or(RegSet::ALL));
            }
            out[i] = live;
            let b = uses[i].live_before(live);
            if b != inn[i] {
                inn[i] = b;
                changed = true;
            }
        }
        if !changed || !loops {
            return out;
        }
    }
}

/// The registers that are live before an instruction.
pub fn live_at(p: &Program, code: &[Ins], results: u8, at: usize) -> RegSet {
    let uses: Vec<RegUse> = code.iter().map(|i| RegUse::of(p, i)).collect();
    let live = liveness(code, &uses, results);
    live.get(at).zip(uses.get(at)).map_or(RegSet::ALL, |(live, u)| u.live_before(*live))
}

/// The registers that are live after each instruction.
pub fn live_behind(p: &Program, code: &[Ins], results: u8) -> Vec<RegSet> {
    let uses: Vec<RegUse> = code.iter().map(|i| RegUse::of(p, i)).collect();
    liveness(code, &uses, results)
}
