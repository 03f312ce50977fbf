#!/usr/bin/env python3
"""Do the laws of generated programs find mistakes in the compiler and the engine? Many small mistakes are written into one copy of the tree, each behind
a switch that an environment variable chooses, so that one build serves all. Then `houserule fuzz programs` is run once for each mistake.

usage: engine-mutants.py [--count N] [--seed S] [--work FOLDER] [--only TEXT] [--programs A-B] [--tries N] [--laws NAME,...] [--minutes M]

The copies and what is built from them lie in FOLDER (a new one unless said; said again, the build there is used again). A mistake whose line does not
compile is left out, and so are programs that break a law without any mistake. Each mistake is tried on programs that reach its place. Printed is one
line for each mistake:

  found        a law does not hold, or the program panics or never ends
  by tests     (with --tests) no law breaks, but a test of the small games in tests/suite fails: the programs lack what shows the mistake
  same code    the compiler makes the same code and tables of every program that reaches the place, to the byte
  other code   it makes other code of some, and they play alike: views, options, reasons, log and chance of a random match are the same
  same play    the engine's place is reached, and the programs play alike
  other play   a program plays otherwise, and no law breaks: the laws miss the mistake
  not reached  no program makes the compiler or the engine work through the place, and no test shows the mistake
"""
import argparse
import concurrent.futures
import glob
import json
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Where the sources without mistakes lie.
SOURCE = ROOT

# Where mistakes are made: what turns rules into code, and what runs it.
PLACES = ["src/program", "src/engine/interp/run_loop.rs", "src/engine/interp/list_ops.rs", "src/engine/interp/set_ops.rs", "src/engine/interp/word_sets.rs", "src/engine/interp/planes.rs",
          "src/engine/interp/cached.rs", "src/engine/interp/turns.rs", "src/engine/scheduler/enumerate.rs", "src/engine/context/memo.rs",
          "src/engine/interp/effects.rs", "src/engine/world/graph.rs", "src/engine/interp/rare.rs", "src/engine/world/canonical_order.rs", "src/engine/interp/layers.rs", "src/engine/machine/bulk_count.rs"]
# Printing, figures and texts are not looked at.
NOT = ["dump", "stats", "codes", "tests", "alike", "history"]

TOKEN = re.compile(r"""
    (?P<space>\s+|//[^\n]*|/\*.*?\*/)
  | (?P<text>b?"(?:\\.|[^"\\])*"|r\#*".*?"\#*)
  | (?P<char>b?'(?:\\.[^']*|[^'\\])')
  | (?P<life>'\w+)
  | (?P<number>\d[\w]*(?:\.\d+)?)
  | (?P<word>\w+!?(?=[^=\w]|$)|\w+)
  | (?P<op><<=|>>=|\.\.=|\.\.\.|&&|\|\||==|!=|<=|>=|->|=>|::|[-+*/%^&|]=|<<|>>|\.\.|.)
""", re.X | re.S)

# How tightly binary operators bind.
BINDS = {"*": 10, "/": 10, "%": 10, "+": 9, "-": 9, "<<": 8, ">>": 8, "&": 7, "^": 6, "|": 5,
         "==": 4, "!=": 4, "<": 4, ">": 4, "<=": 4, ">=": 4, "&&": 3, "||": 2}
OTHER = {"<": ["<="], "<=": ["<"], ">": [">="], ">=": [">"], "==": ["!="], "!=": ["=="], "+": ["-"], "-": ["+"], "&&": ["||"], "||": ["&&"],
         "&": ["|"], "|": ["&"], "*": ["+"], "/": ["*"]}
STOPS = {",", ";", "=>", "=", "->", "{", "}", "..", "..=", "+=", "-=", "*=", "/=", "|=", "&=", "^=", "return", "if", "while", "match", "in", "let",
         "else", "closure", "#"}
OPEN, CLOSE = {"(": ")", "[": "]", "{": "}"}, {")", "]", "}"}


class Token:
    def __init__(self, sort, text, at):
        self.sort, self.text, self.at, self.end = sort, text, at, at + len(text)
        self.binary = False


def tokens(source):
    """The tokens of a file; binary operators and the bars of closures are marked."""
    out = [Token(m.lastgroup, m.group(), m.start()) for m in TOKEN.finditer(source) if m.lastgroup != "space"]
    depth, bars = 0, []
    for i, t in enumerate(out):
        if t.sort != "op":
            continue
        before = out[i - 1] if i else None
        operand = before is not None and (before.text in {")", "]", "?"} or before.sort in {"number", "char", "text"}
                                          or before.sort == "word" and before.text not in STOPS | {"move", "mut", "ref", "as", "dyn", "impl"})
        depth += (t.text in OPEN) - (t.text in CLOSE)
        if t.text == "|" and bars and bars[-1] == depth:
            t.text = "closure"
            bars.pop()
        elif t.text == "|" and not operand:
            t.text = "closure"
            bars.append(depth)
        elif t.text == "||" and not operand:
            t.text = "closure"
        spaced = source[t.at - 1:t.at].isspace() and source[t.end:t.end + 1].isspace()
        t.binary = t.text in BINDS and operand and spaced
    return out


def operands(toks, i):
    """The first and last token of the expression whose operator is the i-th token."""
    binds, depth, first = BINDS[toks[i].text], 0, i - 1
    while first >= 0:
        t = toks[first]
        if t.text in {")", "]"}:
            depth += 1
        elif t.text in {"(", "["}:
            if depth == 0:
                break
            depth -= 1
        elif depth == 0 and (t.text in STOPS or t.binary and BINDS[t.text] < binds):
            break
        first -= 1
    depth, last = 0, i + 1
    while last < len(toks):
        t = toks[last]
        if t.text in {"(", "["}:
            depth += 1
        elif t.text in {")", "]"}:
            if depth == 0:
                break
            depth -= 1
        elif depth == 0 and (t.text in STOPS or t.binary and BINDS[t.text] <= binds):
            break
        last += 1
    return first + 1, last - 1


class Mutant:
    def __init__(self, name, line, sort, at, end, make):
        self.name, self.line, self.sort, self.at, self.end, self.make = name, line, sort, at, end, make
        self.number = 0
        self.was = self.now = ""


def sources():
    """The files in which mistakes are made, by their names below the root."""
    out = []
    for place in PLACES:
        path = os.path.join(SOURCE, place)
        if os.path.isfile(path):
            out.append(place)
        for folder, _, files in os.walk(path):
            out += [os.path.relpath(os.path.join(folder, f), SOURCE) for f in files if f.endswith(".rs")]
    return sorted(f for f in out if not any(n in os.path.basename(f) for n in NOT))


def places(name):
    """Every mistake that can be made in a file."""
    with open(os.path.join(SOURCE, name), encoding="utf-8") as file:
        source = file.read()
    source = source.split("#[cfg(test)]")[0]
    toks = tokens(source)
    out = []

    def add(sort, at, end, was, now, make):
        m = Mutant(name, source.count("\n", 0, at) + 1, sort, at, end, make)
        m.was, m.now = was, now
        line = source[source.rfind("\n", 0, at) + 1:source.find("\n", at)]
        if '"' not in line and not line.strip().startswith(("//", "use ", "#", "debug_assert", "assert")):
            out.append(m)

    for i, t in enumerate(toks):
        after = toks[i + 1] if i + 1 < len(toks) else None
        before = toks[i - 1] if i else None
        if t.binary and t.text in OTHER:
            first, last = operands(toks, i)
            at, end = toks[first].at, toks[last].end
            left, right = source[at:t.at], source[t.end:end]
            if first > i - 1 or last < i + 1 or "let " in left + right or len(left) + len(right) > 300:
                continue
            # Alternatives of a pattern, and bounds of a type.
            if t.text in {"|", "+"} and re.match(r"[\w:]*[A-Z]|'", left):
                continue
            for other in OTHER[t.text]:
                add(f"{other} for {t.text}", at, end, left + t.text + right, left + other + right,
                    lambda n, a=left, op=t.text, o=other, b=right: f"(if houserule_text::mutant::on({n}) {{ {a}{o}{b} }} else {{ {a}{op}{b} }})")
            if t.text in {"&&", "||"}:
                part = right.strip()
                always = "true" if t.text == "&&" else "false"
                test = (lambda n, p=part: f"(houserule_text::mutant::on({n}) || ({p}))") if t.text == "&&" else \
                       (lambda n, p=part: f"(!houserule_text::mutant::on({n}) && ({p}))")
                add("condition left out", toks[i + 1].at, end, part, always, test)
        elif t.sort == "word" and t.text in {"true", "false"} and before.text not in {"=>", "|"}:
            other = "false" if t.text == "true" else "true"
            add(f"{other} for {t.text}", t.at, t.end, t.text, other,
                lambda n, no="!" if t.text == "true" else "": f"({no}houserule_text::mutant::on({n}))")
        elif t.sort == "number" and t.text in {"0", "1"} and before.text in {"(", ",", "+", "-", "<", ">", "==", "="} and after.text in {")", ",", ";"}:
            add("one more", t.at, t.end, t.text, str(int(t.text) + 1), lambda n, k=t.text: f"houserule_text::mutant::more({n}, {k})")
        elif t.text == "!" and not t.binary and before.text in {"if", "&&", "||", "(", "=>", "return", "=", "closure"} and after.text != "[":
            add("not left out", t.at, t.end, "!", "", lambda n: f"houserule_text::mutant::on({n}) ^ !")
        elif t.text in {"&=", "|="} and before is not None:
            end = next((x for x in toks[i:] if x.text in {";", "}"}), None)
            first = i - 1
            while first > 0 and toks[first - 1].text not in {";", "{", "}", "=>"}:
                first -= 1
            at, left = toks[first].at, source[toks[first].at:t.at]
            right, other = source[t.end:end.at], "|=" if t.text == "&=" else "&="
            if len(left) + len(right) < 200 and "{" not in right:
                add(f"{other} for {t.text}", at, end.at, left + t.text + right, left + other + right,
                    lambda n, a=left, op=t.text, o=other, b=right: f"if houserule_text::mutant::on({n}) {{ {a}{o}{b} }} else {{ {a}{op}{b} }}")
        elif t.text == "." and after is not None and after.text in {"all", "any", "first", "last", "min", "max"} and toks[i + 2].text == "(":
            other = {"all": "any", "any": "all", "first": "last", "last": "first", "min": "max", "max": "min"}[after.text]
            end = toks[i + 2].end
            comma = "" if toks[i + 3].text == ")" else ", "
            add(f"{other} for {after.text}", after.at, end, after.text, other,
                lambda n, w=after.text, c=comma: f"mutant_{w}({n}{c}")
        elif t.sort == "word" and after is not None and after.text == "(" and i + 5 < len(toks) and toks[i + 3].text == "," and toks[i + 5].text == ")" \
                and toks[i + 2].sort == toks[i + 4].sort == "word" and before.text not in {"fn", "let"}:
            a, b = toks[i + 2].text, toks[i + 4].text
            add("arguments exchanged", toks[i + 2].at, toks[i + 4].end, f"{t.text}({a}, {b})", f"{t.text}({b}, {a})",
                lambda n, a=a, b=b: f"if houserule_text::mutant::on({n}) {{ {b} }} else {{ {a} }}, if houserule_text::mutant::on({n}) {{ {a} }} else {{ {b} }}")
    for m in re.finditer(r"(?m)^ +((?:self|out|f|b|st|state|w|m|s|x|g)\.[\w.]+\(.*\);|\*?[\w.\[\]]+ [-+|&]?= [^{};]*;)$", source):
        text = m.group(1)
        add("statement left out", m.start(1), m.end(1), text, "", lambda n, s=text: f"if !houserule_text::mutant::on({n}) {{ {s} }}")
    return out


def drawn(count, seed, only):
    """So many mistakes, as evenly as can be over sorts and files, none within another."""
    chance = random.Random(seed)
    by_sort = {}
    for name in sources():
        if only and only not in name:
            continue
        for m in places(name):
            by_sort.setdefault(m.sort, []).append(m)
    for all_of in by_sort.values():
        chance.shuffle(all_of)
    out = []
    # Sorts of which there are many come up more often, but not in proportion.
    weight = {s: len(all_of) ** 0.5 for s, all_of in by_sort.items()}
    while len(out) < count and any(by_sort.values()):
        sorts = [s for s in by_sort if by_sort[s]]
        m = by_sort[chance.choices(sorts, [weight[s] for s in sorts])[0]].pop()
        if not any(o.name == m.name and o.at < m.end and m.at < o.end for o in out):
            m.number = len(out) + 1
            out.append(m)
    return out


VERDICTS = ["found", "by tests", "same code", "other code", "same play", "other play", "not reached"]

SWITCH = """//! Which small mistake is made now, and which could have been.
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

static CHOSEN: LazyLock<u32> = LazyLock::new(|| std::env::var("MUTANT").ok().and_then(|n| n.parse().ok()).unwrap_or(0));
static REACHED: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];

/// Whether the mistake is made.
#[inline]
pub fn on(n: u32) -> bool {
    if !REACHED[n as usize].load(Ordering::Relaxed) {
        note(n);
    }
    n == *CHOSEN
}

#[cold]
fn note(n: u32) {
    use std::io::Write;
    if !REACHED[n as usize].swap(true, Ordering::Relaxed)
        && let Ok(path) = std::env::var("MUTANTS_REACHED")
        && let Ok(mut file) = std::fs::OpenOptions::new().append(true).create(true).open(path)
    {
        drop(file.write_all(format!("{n}\\n").as_bytes()));
    }
}

/// A number, or one more.
pub fn more<T: From<bool> + std::ops::Add<Output = T>>(n: u32, x: T) -> T {
    x + T::from(on(n))
}

/// Methods that are exchanged.
pub trait Exchange: Iterator + Sized {
    fn mutant_all(&mut self, n: u32, f: impl FnMut(Self::Item) -> bool) -> bool {
        if on(n) { self.any(f) } else { self.all(f) }
    }
    fn mutant_any(&mut self, n: u32, f: impl FnMut(Self::Item) -> bool) -> bool {
        if on(n) { self.all(f) } else { self.any(f) }
    }
}
impl<I: Iterator> Exchange for I {}

/// The ends of slices that are exchanged.
pub trait Ends<T> {
    fn mutant_first(&self, n: u32) -> Option<&T>;
    fn mutant_last(&self, n: u32) -> Option<&T>;
}
impl<T> Ends<T> for [T] {
    fn mutant_first(&self, n: u32) -> Option<&T> {
        if on(n) { self.last() } else { self.first() }
    }
    fn mutant_last(&self, n: u32) -> Option<&T> {
        if on(n) { self.first() } else { self.last() }
    }
}

/// The smaller and the larger of two, exchanged.
pub trait Larger: Ord + Sized {
    fn mutant_min(self, n: u32, other: Self) -> Self {
        if on(n) { self.max(other) } else { self.min(other) }
    }
    fn mutant_max(self, n: u32, other: Self) -> Self {
        if on(n) { self.min(other) } else { self.max(other) }
    }
}
impl<T: Ord> Larger for T {}
"""


def put(path, text):
    """Writes a file, unless it has that text: then nothing is built again."""
    old = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            old = file.read()
    if old != text:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def write(copy, mutants, most):
    """Writes the mistakes into the copy; gives which of them stand on each line of each file."""
    lines = {}
    for name in sources():
        with open(os.path.join(SOURCE, name), encoding="utf-8") as file:
            source = file.read()
        here = sorted((m for m in mutants if m.name == name), key=lambda m: m.at)
        out, at = [], 0
        head = "" if not here else "#[allow(unused_imports)]\nuse houserule_text::mutant::{Ends as _, Exchange as _, Larger as _};\n"
        # Behind the first lines, which tell of the file.
        start = re.match(r"(?://![^\n]*\n|#!\[[^\n]*\n|\s)*", source).end()
        rows = source[:start].count("\n") + head.count("\n")
        at = start
        out.append(source[:start] + head)
        for m in here:
            between = source[at:m.at]
            text = m.make(m.number)
            rows += between.count("\n")
            for row in range(rows, rows + text.count("\n") + 1):
                lines.setdefault((name, row + 1), []).append(m)
            rows += text.count("\n")
            out += [between, text]
            at = m.end
        out.append(source[at:])
        text = "".join(out)
        put(os.path.join(copy, name), text)
    put(os.path.join(copy, "src/text/mutant.rs"), SWITCH.replace("COUNT", str(most + 1)))
    path = os.path.join(copy, "src/text/mod.rs")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if "pub mod mutant;" not in text:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text + "\n#[doc(hidden)]\n#[allow(missing_docs)]\npub mod mutant;\n")
    return lines


def cargo(command, copy, target, *more):
    # A mistake that overflows whatever happens does so where it is reached.
    env = dict(os.environ, CARGO_TARGET_DIR=target, CARGO_INCREMENTAL="1", RUSTFLAGS="-A arithmetic_overflow")
    return subprocess.run(["cargo", command, "-q", "-p", "houserule", "-j2", *more], cwd=copy, env=env, capture_output=True, text=True, check=False)


def settle(copy, target, mutants, most, known):
    """Leaves out the mistakes that do not compile, and builds the rest. `known` is a file that names them."""
    if os.path.exists(known):
        with open(known, encoding="utf-8") as file:
            wrong = {int(n) for n in file.read().split()}
        mutants = [m for m in mutants if m.number not in wrong]
    while True:
        lines = write(copy, mutants, most)
        done = cargo("check", copy, target, "--lib", "--message-format=json")
        bad, lost = set(), []
        for row in done.stdout.splitlines():
            message = json.loads(row).get("message") if row.startswith("{") else None
            if not message or message.get("level") != "error":
                continue
            spans = message["spans"] + [s for c in message["children"] for s in c["spans"]]
            hit = {m for s in spans for k in range(s["line_start"], s["line_end"] + 1) for m in lines.get((s["file_name"], k), [])}
            if hit:
                bad |= hit
            elif spans:
                # A name that a mistake took away is missed further down.
                name, row = spans[0]["file_name"], spans[0]["line_start"]
                above = [k for (f, k) in lines if f == name and k <= row]
                bad |= set(lines[(name, max(above))]) if above else set()
                lost.append(message["rendered"])
        if done.returncode == 0:
            break
        if not bad:
            sys.exit("the copy does not build:\n" + "\n".join(lost or [done.stderr])[:4000])
        mutants = [m for m in mutants if m not in bad]
        with open(known, "a", encoding="utf-8") as file:
            file.write("".join(f"{m.number}\n" for m in bad))
        print(f"{len(bad)} do not compile, {len(mutants)} are left", flush=True)
    done = cargo("build", copy, target, "--bin", "houserule")
    if done.returncode != 0:
        sys.exit("the copy does not build:\n" + done.stderr[-3000:])
    return mutants


def fuzz(target, number, seed, args, *more, reached=None):
    """What `fuzz programs` prints of the program of a seed with a mistake, and whether the laws hold; nothing of `text` if it never ends."""
    command = [os.path.join(target, "debug", "houserule"), "fuzz", "programs", "--seed", str(seed), "--count", "1", "--choices", str(args.choices),
               "--tries", "0", "--without", "known", *more]
    env = dict(os.environ, MUTANT=str(number), RUST_BACKTRACE="0", RAYON_NUM_THREADS="1")
    if reached:
        env["MUTANTS_REACHED"] = reached

    def bound():
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))

    try:
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=args.seconds, check=False, preexec_fn=bound)
    except subprocess.TimeoutExpired:
        return False, ""
    return done.returncode == 0, done.stdout + done.stderr


def laws_of(args):
    """The options that choose the laws."""
    return [a for law in args.laws.split(",") if law for a in ("--law", law)]


def tests_fail(target, number, seconds):
    """What the tests of the small games say of a mistake: nothing if all pass."""
    games = sorted(glob.glob(os.path.join(SOURCE, "tests", "suite", "*", "*.rules")))
    command = [os.path.join(target, "debug", "houserule"), "test", *games]
    try:
        done = subprocess.run(command, env=dict(os.environ, MUTANT=str(number), RUST_BACKTRACE="0"), capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return "it never ends"
    wrong = [t for t in done.stdout.splitlines() if "fail" in t.lower()]
    return "" if done.returncode == 0 else (wrong or [done.stderr.strip()[-150:] or "it fails"])[0][:150]


def first_words(text):
    """The line of an output that says what is broken."""
    if not text:
        return "it never ends"
    told = [t.strip() for t in text.splitlines() if re.match(r"\s*(\w+: |panic|thread|memory)", t)]
    return (told or [text.strip()[-150:] or "it ends without a word"])[0][:150]


def look_at(target, seed, args, folder):
    """Of the program of a seed: how long the laws take without a mistake, which places they reach, and its digest; nothing if a law does not hold."""
    reached = os.path.join(folder, f"reached-{seed}")
    if os.path.exists(reached):
        os.remove(reached)
    started = time.time()
    fine, _ = fuzz(target, 0, seed, args, *laws_of(args), reached=reached)
    took = time.time() - started
    if not fine:
        print(f"left out is program {seed}, of which a law does not hold without a mistake", flush=True)
        return None
    _, digest = fuzz(target, 0, seed, args, "--digest", reached=reached)
    with open(reached, encoding="utf-8") as file:
        places = sorted({int(n) for n in file.read().split()})
    os.remove(reached)
    return {"seed": seed, "took": took, "places": places, "digest": digest.split()}


def survey(pool, target, args, folder):
    """What every program reaches, the quickest first."""
    first, last = (int(n) for n in args.programs.split("-"))
    started = time.time()
    programs = [p for p in pool.map(lambda seed: look_at(target, seed, args, folder), range(first, last + 1)) if p]
    print(f"the laws hold of {len(programs)} programs without a mistake ({time.time() - started:.0f} s)", flush=True)
    return sorted(programs, key=lambda p: p["took"])


def judge(target, m, programs, args):
    """What comes of a mistake: a verdict, and why."""
    here = [p for p in programs if m.number in p["places"]][:args.tries]
    for p in here:
        fine, text = fuzz(target, m.number, p["seed"], args, *laws_of(args))
        if not fine:
            return "found", f"program {p['seed']}: {first_words(text)}"
    why = tests_fail(target, m.number, args.seconds) if args.tests else ""
    if why:
        return "by tests", why
    if not here:
        return "not reached", ""
    code, play = [], []
    for p in here:
        _, digest = fuzz(target, m.number, p["seed"], args, "--digest")
        code += [p["seed"]] * (digest.split()[1:2] != p["digest"][1:2])
        play += [p["seed"]] * (digest.split()[2:] != p["digest"][2:])
    if play:
        return "other play", f"programs {play} of {len(here)}"
    if code:
        return "other code", f"programs {code} of {len(here)}"
    return ("same code" if m.name.startswith("src/program") else "same play"), f"{len(here)} programs"


def main():
    global SOURCE
    asked = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    asked.add_argument("--count", type=int, default=250, help="mistakes to write; some do not compile")
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--work", default="")
    asked.add_argument("--only", default="", help="only in files whose names hold this")
    asked.add_argument("--programs", default="1-400", help="seeds of programs")
    asked.add_argument("--tries", type=int, default=24, help="so many programs that reach a mistake are tried, the quickest first")
    asked.add_argument("--laws", default="", help="only these")
    asked.add_argument("--choices", type=int, default=6)
    asked.add_argument("--seconds", type=float, default=120.0, help="after which a program that has not ended counts as found")
    asked.add_argument("--tests", action="store_true", help="hold what is not found to the tests of the small games, too")
    asked.add_argument("--jobs", type=int, default=2, help="programs that run at once")
    asked.add_argument("--numbers", default="", help="only these mistakes, by their numbers")
    asked.add_argument("--minutes", type=float, default=600.0, help="after which no other mistake is tried")
    asked.add_argument("--list", action="store_true", help="print the mistakes, and make none")
    args = asked.parse_args()
    begun = time.time()
    work = args.work or tempfile.mkdtemp(prefix="engine-mutants-")
    copy, target, known = (os.path.join(work, n) for n in ("tree", "target", f"wrong-{args.count}-{args.seed}"))
    if not args.list:
        for folder in (os.path.join(work, "source"), copy):
            if not os.path.isdir(folder):
                shutil.copytree(ROOT, folder, copy_function=shutil.copy, ignore=shutil.ignore_patterns("target", ".git"))
        SOURCE = os.path.join(work, "source")
    mutants = drawn(args.count, args.seed, args.only)
    if args.list:
        for m in mutants:
            print(f"{m.number} {m.name}:{m.line}: {m.sort}\n    {m.was}\n    {m.now}")
        return
    mutants = settle(copy, target, mutants, args.count, known)
    wrong = tests_fail(target, 0, 600) if args.tests else ""
    if wrong:
        sys.exit("a test of the small games fails without a mistake: " + wrong)
    wanted = {int(n) for n in args.numbers.split(",") if n}
    counts = dict.fromkeys(VERDICTS, 0)
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        programs = survey(pool, target, args, work)

        def tried(m):
            started = time.time()
            late = started - begun > args.minutes * 60
            return m, None if late else judge(target, m, programs, args), time.time() - started

        asked_for = [m for m in mutants if not wanted or m.number in wanted]
        for m, verdict, took in pool.map(tried, asked_for):
            if verdict:
                counts[verdict[0]] += 1
                print(f"{verdict[0]:11} {m.number} {m.name}:{m.line}: {m.sort} ({took:.0f} s)\n    {m.was}\n    {m.now}"
                      + (f"\n    {verdict[1]}" if verdict[1] else ""), flush=True)
    print(", ".join(f"{n} {what}" for what, n in counts.items()))
    open_ones = sum(counts[v] for v in ("by tests", "other play"))
    print(f"found are {counts['found']} of the {counts['found'] + open_ones} that programs reach or tests show and that change what is played; "
          f"{counts['not reached']} are reached by no program")


if __name__ == "__main__":
    main()
