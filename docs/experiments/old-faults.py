#!/usr/bin/env python3
"""Would random programs have found the wrong answers that were found by hand? Each is put back into a copy of the tree, all in one build; an environment
variable chooses one at run time. With each the laws are held on generated programs; printed is the first program that breaks a law with it and none
without it, or that there is none.

usage: old-faults.py [--target FOLDER] [--copy FOLDER] [--only NAME] [--programs A-B] [--jobs N]

FOLDER is where cargo builds, not the tree's own `target` (cargo would take the copy's library for the tree's), and where the copy lies; a new one each unless
said. What the checker alone says or leaves unsaid breaks no law of generated programs and is not here: tests/mistakes.rs and tests/unplayed.rs hold that.
"""
import argparse
import concurrent.futures
import os
import subprocess
import tempfile

from switches import build

# Name, file, what stands there, what is put there (`FAULT` is yes while the fault is chosen).
FAULTS = [
    # Guards that are evaluated before they have been asked.
    ("what may fail is evaluated in front of its guard", "src/program/analysis/fault_freedom.rs",
     "        !self.opts.dry && self.result_of_expr(&mut Place::of(f, env), e).total\n", "        !self.opts.dry && (FAULT || self.result_of_expr(&mut Place::of(f, env), e).total)\n"),
    # Lists that lose their order.
    ("lists written out have no order", "src/program/lower/values/lists.rs", "ExprKind::Set(all) | ExprKind::List(all) => self.is_out_of_order(all),",
     "ExprKind::Set(all) | ExprKind::List(all) => !FAULT && self.is_out_of_order(all),"),
    ("rays, `clockwise`, `reversed` and lines have no order", "src/program/lower/values/lists.rs", "ExprKind::Builtin(b, _) if b.gives_order() => true,",
     "ExprKind::Builtin(b, _) if b.gives_order() => !FAULT,"),
    ("the order of a zone is not looked at", "src/program/lower/values/lists.rs", ".is_some_and(|z| z.ordered && !z.slot),", ".is_some_and(|z| z.ordered && !z.slot && !FAULT),"),
    ("what is filtered or taken from a list has no order", "src/program/lower/values/lists.rs", "(is_list(s) || matches!(s.ty, Ty::Set(_))) && self.has_own_order(f, s)",
     "!FAULT && (is_list(s) || matches!(s.ty, Ty::Set(_))) && self.has_own_order(f, s)"),
    ("a list under a name has no order", "src/program/lower/values/lists.rs", "                        Some(Bind::Alias(x, env)) => self.has_own_order_in(f, &x, env),\n                        _ => self.game_facts.stores_order,\n                    }\n            }\n            ExprKind::Zone",
     "                        Some(Bind::Alias(x, env)) => self.has_own_order_in(f, &x, env),\n                        _ => self.game_facts.stores_order && !FAULT,\n                    }\n            }\n            ExprKind::Zone"),
    ("what is swapped does not take its order along", "src/program/facts/game_facts.rs", "(true, false) => Some(*b),\n                (false, true) => Some(*a),", "(true, false) if !FAULT => Some(*b),\n                (false, true) if !FAULT => Some(*a),"),
    ("a thing moved to where it lies becomes the newest", "src/engine/world/cells.rs", "    if from != place {\n        note_arrival(", "    if from != place || FAULT {\n        note_arrival("),
    ("a list of numbers holds each once", "src/program/lower/values/number_sets.rs",
     "        let Some(numbers) = self.numbers(of).or_else(|| self.stored_numbers(f, adds, of)) else {", "        let Some(numbers) = self.numbers(of).or_else(|| self.stored_numbers(f, adds, of)).filter(|_| !FAULT || self.is_too_wide(of)) else {"),
    # Folds over several sets.
    ("what a fold over a second set says is dropped", "src/program/lower/values/aggregates.rs", "        let body = fold.bodies.first();\n        if truth {",
     "        let body = fold.bodies.first().filter(|b| !(truth && FAULT) || !matches!(&*b.kind, ExprKind::Fold(_)));\n        if truth {"),
    # Kinds of things whose faces a shuffle has exchanged.
    ("`is Kind` goes by the component, not by the face", "src/program/lower/values/expr.rs", "                self.face_number(f, x, i, face);\n                f.emit(Ins::SConst { d: s, w, k: at });\n                f.emit(Ins::STest { d, s, i: face, w });\n                f.place_label(end);\n            }\n            ExprKind::IsFace",
     "                self.face_number(f, x, i, face);\n                f.emit(Ins::SConst { d: s, w, k: at });\n                if FAULT {\n                    let u = self.universe_of(&x.ty, x.span);\n                    let w = self.set_words(u);\n                    let s = f.alloc(w);\n                    let words = self.things_of.get(k).cloned().unwrap_or_else(|| vec![0; w as usize]);\n                    let at = self.add_const_set(&words);\n                    f.emit(Ins::SConst { d: s, w, k: at });\n                    f.emit(Ins::STest { d, s, i, w });\n                } else {\n                f.emit(Ins::STest { d, s, i: face, w });\n                }\n                f.place_label(end);\n            }\n            ExprKind::IsFace"),
    ("a subkind as a set goes by the component, not by the face", "src/program/lower/values/sets.rs", "    pub fn of_kind_into(&mut self, f: &mut FnBuild, k: KindId, u: UniverseId, d: R) {\n        if self.is_whole_family(k) {",
     "    pub fn of_kind_into(&mut self, f: &mut FnBuild, k: KindId, u: UniverseId, d: R) {\n        if FAULT || self.is_whole_family(k) {"),
    ("a subkind's own attributes are told of every face", "src/program/layout/components.rs", "true => Vec::new(),\n            false => (0u16..).zip(kinds)", "true => Vec::new(),\n            false if FAULT => Vec::new(),\n            false => (0u16..).zip(kinds)"),
    # None.
    ("a statement that needs a thing and finds none fails", "src/program/lower/effects/stmt.rs", "        let base = f.next;\n        self.emit_effect(f, s);\n", "        let base = f.next;\n        if FAULT {\n            f.none_label = None;\n        }\n        self.emit_effect(f, s);\n"),
    ("an argument that is none is handed over where a value takes none of it", "src/program/lower/values/calls.rs", "if f.none_label.is_some() && types::is_maybe(&a.ty) && !types::is_maybe(&local.ty) {", "if !FAULT && f.none_label.is_some() && types::is_maybe(&a.ty) && !types::is_maybe(&local.ty) {"),
    # Who is out, and how a game ends.
    ("who is out is asked like the others", "src/program/lower/effects/eliminated.rs", "        if let Some(func) = self.out_func() {\n            let at = f.emit_new(1, |d| Ins::Mov { d, a: who });", "        if let Some(func) = self.out_func().filter(|_| !FAULT) {\n            let at = f.emit_new(1, |d| Ins::Mov { d, a: who });"),
    ("it is nobody's turn where `ends when` is judged", "src/program/lower/effects/endings.rs", "let outer = turn.filter(|_| all.iter()", "let outer = turn.filter(|_| !FAULT && all.iter()"),
    # Words that were checked and not played.
    ("`discards to` of a subkind is not heeded", "src/program/lower/functions.rs", ".filter(|j| *j != k && types::is_a(m, *j, k) && self.discard_rule(*j).is_some())", ".filter(|j| !FAULT && *j != k && types::is_a(m, *j, k) && self.discard_rule(*j).is_some())"),
    ("the default of a component's attribute is not set", "src/program/layout/attributes.rs", "let Some(b) = &m.attrs[a.index()].default else { return NONE };", "let Some(b) = m.attrs[a.index()].default.as_ref().filter(|_| !FAULT) else { return NONE };"),
    ("`up to n` of a zone is not heeded", "src/engine/world/cells.rs", "    if room < usize::from(u16::MAX)\n        && count_at", "    if !FAULT && room < usize::from(u16::MAX)\n        && count_at"),
    ("the reason of a `forbid` is lost behind `needs can`", "src/program/lower/options/can_begin.rs", "if why && let Some(t) = reason.as_ref().filter(|t| self.is_plain_reason(x.0, t)) {", "if why && !FAULT && let Some(t) = reason.as_ref().filter(|t| self.is_plain_reason(x.0, t)) {"),
]


def broken(binary, fault, seed):
    """What is said of the program of a seed that breaks a law with a fault; none if it breaks none."""
    command = [binary, "fuzz", "programs", "--seed", str(seed), "--count", "1", "--tries", "0", "--without", "known"]
    env = dict(os.environ, HOUSERULE_FAULT=fault, RUST_BACKTRACE="0")
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return None
    rows = [r for r in done.stdout.splitlines() if r.strip()]
    return (rows or done.stderr.splitlines() or [""])[0][:140]


def shown_by(binary, fault, seeds):
    """The first of these programs that breaks a law with a fault and none without it."""
    for seed in seeds:
        said = broken(binary, fault, seed)
        if said and not broken(binary, "", seed):
            return seed, said
    return None


def main():
    asked = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    asked.add_argument("--target", default="")
    asked.add_argument("--copy", default="")
    asked.add_argument("--only", default="", help="only faults whose names hold this")
    asked.add_argument("--programs", default="1-400", help="seeds of programs")
    asked.add_argument("--jobs", type=int, default=os.cpu_count(), help="faults at once")
    args = asked.parse_args()
    copy = args.copy or tempfile.mkdtemp(prefix="old-faults-")
    binary = build(copy, args.target or os.path.join(copy, "target"), FAULTS)
    first, last = (int(n) for n in args.programs.split("-"))
    all_of = [f for f in FAULTS if args.only in f[0]]
    found = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        shown = pool.map(lambda f: shown_by(binary, f[0], range(first, last + 1)), all_of)
        for (name, *_), said in zip(all_of, shown):
            found += said is not None
            print(f"found: {name}\tprogram {said[0]}: {said[1]}" if said else f"NOT FOUND: {name}", flush=True)
    print(f"{found} of {len(all_of)} faults found")


if __name__ == "__main__":
    main()
