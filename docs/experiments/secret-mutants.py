#!/usr/bin/env python3
"""Does the law of two worlds find leaks? Leaks are put into a copy of the engine and the checker, all in one build; an environment variable chooses one at run
time. With each the law is held on small games and on generated programs; printed is where it was found first, or that it was not found.

usage: secret-mutants.py [--target FOLDER] [--copy FOLDER] [--only NAME] [--programs N] [--seeds N]

FOLDER is where cargo builds, not the tree's own `target` (cargo would take the copy's library for the tree's), and where the copy lies; a new one each unless said.
"""
import argparse
import os
import subprocess
import tempfile

from switches import ROOT, build

# Leaks of the engine: name, file, what stands there, what is put there (`FAULT` is yes while the leak is chosen).
ENGINE = [
    ("a view shows hidden faces", "src/engine/views/view.rs", "let known = leaks ||", "let known = leaks || FAULT ||"),
    ("hidden cards keep their order in a view", "src/engine/views/view.rs", "if !z.ordered && !z.slot &&", "if !FAULT && !z.ordered && !z.slot &&"),
    ("a view shows the attributes of a hidden card", "src/engine/views/view.rs", "(known || a.back && a.own.is_empty())", "(known || FAULT || a.back && a.own.is_empty())"),
    ("a view shows the side of a hidden die", "src/engine/views/view.rs", "if comps.side == u32::MAX || !known {", "if comps.side == u32::MAX || !(known || FAULT) {"),
    ("a view shows the number of a hidden face", "src/engine/views/view.rs", "face_number: known.then_some", "face_number: (known || FAULT).then_some"),
    ("the back of a card shows its face", "src/engine/views/view.rs", "back: comps.backs.get(face).copied().unwrap_or(0),", "back: if FAULT { face as u16 } else { comps.backs.get(face).copied().unwrap_or(0) },"),
    ("the log is open to all", "src/engine/context/recorder.rs", "if self.unfiltered {", "if self.unfiltered || FAULT {"),
    ("the line of a choice names a hidden thing", "src/engine/context/recorder.rs", "Part::Arg { open, hidden: hidden_text(rules.p, kind, count), seats }", "Part::Arg { open, hidden: hidden_text(rules.p, kind, count), seats: if FAULT { u32::MAX } else { seats } }"),
    ("who lost a card by a shuffle is told its name", "src/engine/context/recorder.rs", "(x.followed, x.stays) = (0, false);", "if !FAULT { (x.followed, x.stays) = (0, false); }"),
    ("a card that goes among hidden ones is followed", "src/engine/context/recorder.rs", "x.followed = if trackable {", "x.followed = if trackable || FAULT {"),
    ("a line of a move names a hidden thing", "src/engine/context/recorder.rs", "let hidden = hidden_text(rules.p, usize::from(comps), Some(things.len()));", "let hidden = hidden_text(rules.p, usize::from(comps), Some(things.len()));\n    let seats = if FAULT { u32::MAX } else { seats };"),
    ("a turn is told to who does not look", "src/engine/context/recorder.rs", "self.push(rules.p, EventKind::Turned(place), parts);\n        self.restrict_last_event(rules.world, seats);", "self.push(rules.p, EventKind::Turned, parts);\n        if !FAULT { self.restrict_last_event(rules.world, seats); }"),
    ("what a hidden die is turned to is told to all", "src/engine/context/recorder.rs", 'Part::Arg { open, hidden: " is turned".into(), seats }', 'Part::Arg { open, hidden: " is turned".into(), seats: if FAULT { u32::MAX } else { seats } }'),
    ("a roll is told to all", "src/engine/context/recorder.rs", 'Part::Arg { open: value, hidden: format!("{of}?"), seats }', 'Part::Arg { open: value, hidden: format!("{of}?"), seats: if FAULT { u32::MAX } else { seats } }'),
    ("a change of a hidden card is told to all", "src/engine/context/recorder.rs", 'parts.push(Part::Arg { open: value, hidden: "?".into(), seats });', 'let seats = if FAULT { rules.world.seats } else { seats };\n        parts.push(Part::Arg { open: value, hidden: "?".into(), seats });'),
    ("a sealed answer is told to all", "src/engine/context/recorder.rs", "return match answer.sealed {", "return match answer.sealed && !FAULT {"),
    ("that nothing was taken tells that nothing could be", "src/engine/scheduler/fibers.rs", "if !slot.even_none =>", "if FAULT || !slot.even_none =>"),
    ("options and prompts name hidden things", "src/engine/world/naming.rs", "if seats.is_some_and(|s| !known_to_all(p, look.state, s, ci as usize, c)) {", "if !FAULT && seats.is_some_and(|s| !known_to_all(p, look.state, s, ci as usize, c)) {"),
    ("options stand by the numbers of cards", "src/engine/machine/game.rs", "match questions.get(q).filter(|_| self.mixed &&", "match questions.get(q).filter(|_| !FAULT && self.mixed &&"),
    ("options stand in the order of hidden faces", "src/engine/world/canonical_order.rs", "let known = seats.is_none_or(|seats| {", "let known = FAULT || seats.is_none_or(|seats| {"),
    ("hidden cards of one face are one option", "src/engine/world/knowledge.rs", "if seats != 0 && !(known(a) && known(b)) {", "if !FAULT && seats != 0 && !(known(a) && known(b)) {"),
    ("a question with one answer is passed over", "src/engine/scheduler/fibers.rs", "let always = slot.always &&", "let always = !FAULT && slot.always &&"),
    ("what was known is known after a shuffle", "src/engine/interp/effects.rs", "if self.cx.seeded != Some(SeededFault::ShuffleKeepsKnown) {", "if !FAULT && self.cx.seeded != Some(SeededFault::ShuffleKeepsKnown) {"),
    ("a card that goes among hidden ones stays known", "src/engine/world/knowledge.rs", "if new.seq == u32::MAX && !single(new.zone) {", "if !FAULT && new.seq == u32::MAX && !single(new.zone) {"),
    ("cards that one of several left stay known", "src/engine/world/knowledge.rs", "if mixed != 0 && old.seq == u32::MAX", "if !FAULT && mixed != 0 && old.seq == u32::MAX"),
    ("a menu in which hidden cards leave nothing is passed over", "src/engine/scheduler/enumerate.rs", "None => !some && !offer.silent,", "None => !some && !offer.silent && !FAULT,"),
    ("whether a choice may be taken back tells a hidden face", "src/play/matches.rs", "after.draws() != before.draws() || learnt(p, before, after) != 0",
     "after.draws() != before.draws() || learnt(p, before, after) != 0 || FAULT && after.a_face_is_even(p)"),
    ("a typed name finds a hidden thing", "src/play/words.rs", "false => Some(self.base_word(u, v, people)),",
     "false if FAULT => Some(houserule_engine::value_text(self.look, Show::Thing(u), &[v as u64], None, people)),\n            false => Some(self.base_word(u, v, people)),"),
]

# Leaks of the checker: the same, and a program that is refused without the leak and tells a secret with it.
HEAD = """game It "It" { players 2; outcome highest points }
card Card { rank: 1..6 }
Card number(n: 1..6) x3 { rank: n }
token Tile { n: 1..4 }
Tile tile(k: 1..4) x2 { n: k }
table { zone deck: Card seen by nobody; zone row: Tile }
player { zone hand: Card seen by owner; zone held: Card seen by lookers(it); points: 0..99 = 0 }
value lookers(c: Card): set of player = if c.holder is some then players - c.holder else players
setup {
  move Card to deck
  shuffle deck
  for p in players { move first 3 of deck to p.hand; move first 3 of deck to p.held }
}
round 5 times { everyone in turn { offer act } }
menu act { pass }
action wait() in act { my.points += 1 }
"""
CHECKER = [
    ("guards are not judged", "src/model/body/leaks.rs", "for leak in std::mem::take(&mut look.reads) {", "for leak in std::mem::take(&mut look.reads).into_iter().filter(|_| !FAULT) {",
     'action rob(p: one of others) in act { needs any(c in p.hand: c.rank > 4) else "no"; my.points += 2 }'),
    ("names are not followed", "src/model/body/look.rs", "let Some(frame) = self.frame.filter(", "let Some(frame) = self.frame.filter(|_| !FAULT).filter(",
     'action ask(p: one of others) in act { let s = if any(c in p.hand: c.rank > 4) then players else others; let x = choose one of s "Who?"; if x is some { x.points += 1 } }'),
    ("results of rules are not followed", "src/model/body/look.rs", "let found = self.calls.ask_node(Node::Call { callee, given, acts }, self.node.as_ref());", "let mut found = self.calls.ask_node(Node::Call { callee, given, acts }, self.node.as_ref());\n        if matches!(callee, Callee::Result(_)) && FAULT {\n            found = Found::default();\n        }",
     'rule top(p: player): int { give max(c in p.hand: c.rank) default 0 }\naction ask(p: one of others) in act { let n = top(p); let x = choose one of (if n > 4 then players else others) "Who?"; if x is some { x.points += 1 } }'),
    ("what is handed over is not judged", "src/model/body/secrets.rs", "for h in self.judge.handed.get(&to).cloned().unwrap_or_default() {", "for h in self.judge.handed.get(&to).cloned().filter(|_| !FAULT).unwrap_or_default() {",
     'rule ask(c: Card) { let x = choose one of 1..c.rank "How many?"; my.points += x default 0 }\naction dig() in act { let c = first of deck; if c is some { ask(c) } }'),
    ("prompts are not judged", "src/model/body/secrets.rs", "all.extend(c.prompt.iter().flat_map(walk::hole_exprs));", "all.extend(c.prompt.iter().filter(|_| !FAULT).flat_map(walk::hole_exprs));",
     'action ask(p: one of others) in act { let x = choose one of players "Who? {sum(c in p.hand: c.rank)}"; x.points += 1 }'),
    ("whether somebody is asked is not judged", "src/model/body/secrets.rs", "self.judge_exprs(None, &under, Guarded::Asked);", "if !FAULT { self.judge_exprs(None, &under, Guarded::Asked); }",
     'action ask(p: one of others) in act { if any(c in my.hand: c.rank > 4) { let x = choose one of players "Who?"; x.points += 1 } }'),
    ("`seen by VALUE` is taken as seen", "src/model/body/seen.rs", "Sight { model, holds }.evaluate_includes(&b.body, &roles, 0) == Some(true)", "FAULT || Sight { model, holds }.evaluate_includes(&b.body, &roles, 0) == Some(true)",
     'action light(c: one of my.held where it.rank > 3) in act { my.points += 1 }'),
    ("things that lie face down are taken as open", "src/model/body/look.rs", "self.model.face_down.contains(&zone)", "!FAULT && self.model.face_down.contains(&zone)",
     'setup { for t in Tile { move t to row face down }; shuffle row }\naction turn(t: one of row where it.n > 2) in act { my.points += 1 }'),
    ("prohibitions know nothing of what is picked", "src/model/body/guards.rs", "lies: bound_names(h)", "lies: if FAULT { Vec::new() } else { bound_names(h)",
     'action take(c: one of deck) in act { my.points += 1 }\nforbid take(c) when c.rank > 4 else "too high"'),
    ("a menu's arguments are not judged", "src/model/body/secrets.rs", "self.note_receiver(Receiver::Menu(menu), look, Who::Acting, Guarded::Option);", "if !FAULT { self.note_receiver(Receiver::Menu(menu), look, Who::Acting, Guarded::Option); }",
     'menu guess(n: 1..6) { pass }\naction bet(k: 1..6) in guess { needs k <= n else "no"; my.points += 1 }\naction dig(p: one of others) in act { offer guess(max(c in p.hand: c.rank) default 1) }'),
]

# Games in which leaks of the engine show.
GAMES = {
    "hands": """game Hands "Hands" { players 2; outcome win }
card Card { rank: 1..3 }
Card number(n: 1..3) x4 { rank: n }
table { zone deck: Card seen by nobody; zone gone: Card seen by nobody }
player { zone hand: Card seen by owner }
setup { move Card to deck; shuffle deck; for p in players { move first 4 of deck to p.hand } }
round 3 times { everyone in turn { move choose one of most(c in my.hand: c.rank) "Which of your best?" to gone } }
""",
    "cups": """game Cups "Cups" { players 2; outcome together; score count(players) }
die Die { mark: 0..9 = 0 }
Die dot x8 { faces: 1, 2, 3, 4, 5, 6 }
player { zone cup: Die seen by lookers(it); bid: 0..9 = 0 }
value lookers(d: Die): set of player = [d.holder]
setup { for p in players { move first 4 of box where Die to p.cup; roll p.cup } }
round 4 times { everyone in turn { offer main } }
menu main
action shovel() in main { let d = choose one of my.cup "Which?"; d.value = choose one of 1..6 "To which value?" }
action tape() in main { for d in choose any of my.cup "Turn which?" { d.value = 6 } }
action mark() in main { for d in my.cup { d.mark = d.value } }
action turn(n: 1..6) in main { for d in my.cup { d.value = n } }
action again(d: one of my.cup) in main { roll d }
""",
    "throws": """game Throws "Throws" { players 2; outcome highest points }
die Die { }
Die dot x6 { faces: 1, 2, 3, 4, 5, 6 }
player { zone cup: Die seen by owner; points: 0..9 = 0 }
setup { for p in players { move first 3 of box where Die to p.cup; roll p.cup } }
round 4 times { everyone in turn { offer main } }
menu main { pass }
action again(d: one of my.cup) in main { roll d }
""",
    "bury": """game Bury "Bury" { players 2; outcome highest points }
card Card { rank: 1..9; mark: 0..9 = 0 }
Card number(n: 1..9) { rank: n }
table { zone deck: Card seen by nobody; zone aside: Card seen by nobody }
player { zone hand: Card seen by owner; points: 0..9 = 0 }
setup { move Card to deck; shuffle deck; for p in players { move first 3 of deck to p.hand } }
round 4 times { everyone in turn { offer act } }
menu act
action bury(c: one of my.hand) in act { move c to deck; shuffle deck; for p in others { move first 3 of deck to p.hand } }
action lay(c: one of my.hand) in act { move c to aside }
action sign(c: one of my.hand) in act { c.mark = c.rank }
action give_away(c: one of my.hand, p: one of others) in act { move c to p.hand }
action show_it(c: one of my.hand) in act { show c; move c to deck }
action guess(c: one of deck) in act { my.points += 1 }
action take(c: one of deck) in act { move c to my.hand }
""",
}

HELP = """
impl State {
    /// Whether the first component has a face of an even number.
    pub fn a_face_is_even(&self, p: &houserule_program::ir::Program) -> bool {
        p.comps.first().and_then(|k| self.cells.get(k.face as usize)).is_some_and(|f| f % 2 == 0)
    }
}

/// The game that is tried, if one is chosen.
pub fn chosen_game(made: String) -> String {
    std::env::var("HOUSERULE_GAME").ok().and_then(|f| std::fs::read_to_string(f).ok()).unwrap_or(made)
}
"""


# What else is changed: the game that is tried, and what one of the leaks needs behind it.
CHANGES = [
    ("src/lab/generate/run.rs", "check_program(&make_program(s, &plan.without).to_text(), &[s],", "check_program(&houserule_engine::chosen_game(make_program(s, &plan.without).to_text()), &[s],"),
    ("src/model/body/guards.rs", "map(|(i, l)| (l, of(i))).collect(),", "map(|(i, l)| (l, of(i))).collect() },"),
]


def hold(binary, leak, game, programs):
    """What the law says of a game (or of generated programs) with a leak; none: it holds."""
    env = dict(os.environ, HOUSERULE_FAULT=leak)
    if game:
        env["HOUSERULE_GAME"] = game
    command = [binary, "fuzz", "programs", "--law", "worlds", "--count", str(programs), "--choices", "25", "--tries", "0", "--without", "known"]
    if not game:
        command += ["--seed", "1001"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    told = [t for t in done.stdout.split("\n") if t.startswith(("worlds:", "check:", "start:", "panic:"))]
    # A program that does not start, or whose rules fail, tells nothing.
    return next((t for t in told if t.startswith(("worlds:", "check:")) and "is needed here" not in t), None)


def main():
    asked = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    asked.add_argument("--target", default="")
    asked.add_argument("--copy", default="")
    asked.add_argument("--only", default="", help="only leaks whose names hold this")
    asked.add_argument("--programs", type=int, default=60, help="generated programs, where no small game shows the leak")
    asked.add_argument("--seeds", type=int, default=4, help="matches of each small game")
    args = asked.parse_args()
    copy = args.copy or tempfile.mkdtemp(prefix="secret-mutants-")
    binary = build(copy, args.target or os.path.join(copy, "target"), ENGINE + CHECKER, CHANGES, HELP)
    small = {}
    for name, text in GAMES.items():
        small[name] = os.path.join(copy, name + ".rules")
        with open(small[name], "w", encoding="utf-8") as file:
            file.write(text)
    folder = os.path.join(ROOT, "tests/suite/laws")
    small.update({n[:-6]: os.path.join(folder, n) for n in sorted(os.listdir(folder)) if n.endswith(".rules")})
    for name in list(small):
        wrong = hold(binary, "", small[name], args.seeds)
        if wrong:
            print(f"left out: {name} breaks the law without a leak: {wrong}", flush=True)
            del small[name]
    found, all_of = 0, [m for m in ENGINE + CHECKER if args.only in m[0]]
    for name, _, _, _, *program in all_of:
        if program:
            path = os.path.join(copy, "program.rules")
            with open(path, "w", encoding="utf-8") as file:
                file.write(HEAD + program[0] + "\n")
            refused = hold(binary, "", path, 1)
            tries = [("its program", path)] if refused and refused.startswith("check:") else []
            if not tries:
                print(f"not refused without the leak: {name}", flush=True)
        else:
            tries = list(small.items()) + [("generated programs", "")]
        said = None
        for where, path in tries:
            said = hold(binary, name, path, args.seeds if path else args.programs)
            if said and said.startswith("worlds:"):
                found += 1
                print(f"found: {name}\t{where}\t{said[:140]}", flush=True)
                break
        else:
            print(f"NOT FOUND: {name}\t{said or ''}", flush=True)
    print(f"{found} of {len(all_of)} leaks found")


if __name__ == "__main__":
    main()
