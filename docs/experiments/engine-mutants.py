#!/usr/bin/env python3
"""Does the law of generated programs bite? Small mistakes are made in the compiler and the engine one after the other, on a copy of the tree, and
`houserule fuzz programs` is run on each, with the laws that tests/generated.rs holds. Printed is for each mistake whether it was caught, survived, or did not build.

usage: engine-mutants.py [--count N] [--seed S] [--target FOLDER] [--only TEXT] [--programs N] [--minutes M]

A mistake costs one build of the library at opt-level 0 (about a minute of processor) and one run of the programs. The copy and what is built from
it lie in FOLDER (a new one for each run unless said; said again, builds are quicker). What survives is either no mistake (it changes nothing: say why
beside it) or shows what the generator does not make yet.
"""
import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# Where mistakes are made: what turns rules into code, and what runs it.
PLACES = ["src/program", "src/engine/exec.rs", "src/engine/ops.rs", "src/engine/among.rs", "src/engine/options.rs", "src/engine/memo.rs",
          "src/engine/effects.rs", "src/engine/maps.rs", "src/engine/rare.rs", "src/engine/order.rs"]
# Printing, figures and texts are not looked at.
NOT = ["dump", "stats", "codes", "tests"]

# What a mistake is: its name, what is looked for, and what is put there.
SORTS = [
    ("less or equal for less", r" < ", " <= "),
    ("less for less or equal", r" <= ", " < "),
    ("greater or equal for greater", r" > ", " >= "),
    ("unequal for equal", r" == ", " != "),
    ("equal for unequal", r" != ", " == "),
    ("minus for plus", r" \+ ", " - "),
    ("plus for minus", r" - ", " + "),
    ("or for and", r" && ", " || "),
    ("and for or", r" \|\| ", " && "),
    ("no for yes", r"\btrue\b", "false"),
    ("yes for no", r"\bfalse\b", "true"),
    ("union for intersection", r" &= ", " |= "),
    ("intersection for union", r" \|= ", " &= "),
    ("any for all", r"\.all\(", ".any("),
    ("all for any", r"\.any\(", ".all("),
    ("not left out", r"if !", "if "),
    ("last for first", r"\.first\(\)", ".last()"),
    ("one more", r"(\[|\(|, )1(\]|\)|,)", r"\g<1>2\g<2>"),
    ("none for zero", r"(\(|, )0(\)|,)", r"\g<1>1\g<2>"),
    ("arguments exchanged", r"\b(\w+)\((\w+), (\w+)\)", r"\g<1>(\g<3>, \g<2>)"),
]
DROPPED = "statement left out"


def sources():
    """The files in which mistakes are made, by their names below the root."""
    out = []
    for place in PLACES:
        path = os.path.join(ROOT, place)
        if os.path.isfile(path):
            out.append(place)
        for folder, _, files in os.walk(path):
            out += [os.path.relpath(os.path.join(folder, f), ROOT) for f in files if f.endswith(".rs")]
    return sorted(f for f in out if not any(n in os.path.basename(f) for n in NOT))


def places(name):
    """Every mistake that can be made in a file: (line number, sort, new line)."""
    with open(os.path.join(ROOT, name), encoding="utf-8") as file:
        lines = file.read().split("\n")
    out = []
    for number, line in enumerate(lines):
        if line.startswith("#[cfg(test)]"):
            break
        bare = line.strip()
        if not bare or bare.startswith(("//", "use ", "#", "debug_assert", "pub use", "mod ", "pub fn", "fn ", "pub const", "const ")) or '"' in line:
            continue
        code = line.split(" // ")[0]
        for sort, pattern, new in SORTS:
            for found in re.finditer(pattern, code):
                # What compares types is no comparison.
                if sort.startswith(("less", "greater")) and re.search(r"(impl|fn|->|Vec|Option|=>).*[<>]", code):
                    continue
                changed = code[:found.start()] + found.expand(new) + code[found.end():]
                if changed != code:
                    out.append((number, sort, changed))
        if re.fullmatch(r"(self|out|f|b|st|state|w|m)\.[\w.]+\(.*\);", bare) or re.fullmatch(r"\*?[\w.]+ [-+|&]?= [^{]*;", bare):
            out.append((number, DROPPED, line[:len(line) - len(line.lstrip())] + "{}"))
    return out


def drawn(count, seed, only):
    """So many mistakes, as evenly as can be over sorts and files."""
    chance = random.Random(seed)
    by_sort = {}
    for name in sources():
        if only and only not in name:
            continue
        for number, sort, line in places(name):
            by_sort.setdefault(sort, []).append((name, number, sort, line))
    for all_of in by_sort.values():
        chance.shuffle(all_of)
    out = []
    while len(out) < count and any(by_sort.values()):
        sorts = [s for s in by_sort if by_sort[s]]
        out.append(by_sort[chance.choice(sorts)].pop())
    return out


def run(command, copy, target, seconds):
    env = dict(os.environ, CARGO_TARGET_DIR=target, CARGO_PROFILE_DEV_PACKAGE_HOUSERULE_OPT_LEVEL="0", CARGO_PROFILE_TEST_PACKAGE_HOUSERULE_OPT_LEVEL="0",
               CARGO_INCREMENTAL="1", RUST_BACKTRACE="0")
    try:
        done = subprocess.run(command, cwd=copy, env=env, capture_output=True, text=True, timeout=seconds, check=False)
        return done.returncode, done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        return None, "too long"


LAWS = ["lowering", "reasons", "reference"]


def judge(copy, target, programs, seconds):
    """Whether the tree in the copy builds, and whether the laws hold there of so many programs."""
    code, text = run(["cargo", "build", "-q", "-p", "houserule"], copy, target, 1800)
    if code != 0:
        return "did not build", next((t for t in text.split("\n") if t.startswith("error")), "")
    command = [os.path.join(target, "debug", "houserule"), "fuzz", "programs", "--count", str(programs), "--choices", "3", "--tries", "0", "--without", "known"]
    code, text = run(command + [a for law in LAWS for a in ("--law", law)], copy, target, seconds)
    if code == 0:
        return "survived", ""
    if code is None:
        return "caught", "ran for ever"
    told = [t for t in text.split("\n") if re.match(r"(lowering|reasons|reference|panic|start|check): ", t)]
    return "caught", told[0][:120] if told else text.strip()[-120:]


def main():
    asked = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    asked.add_argument("--count", type=int, default=100)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--target", default="")
    asked.add_argument("--only", default="", help="only in files whose names hold this")
    asked.add_argument("--programs", type=int, default=300, help="that the laws are held on")
    asked.add_argument("--minutes", type=float, default=15.0, help="after which a run of the programs is stopped: caught")
    asked.add_argument("--list", action="store_true", help="print the mistakes, and make none")
    args = asked.parse_args()
    mistakes = drawn(args.count, args.seed, args.only)
    if args.list:
        for name, number, sort, line in mistakes:
            print(f"{name}:{number + 1}: {sort}: {line.strip()}")
        return
    work = args.target or tempfile.mkdtemp(prefix="engine-mutants-")
    copy, target = os.path.join(work, "tree"), os.path.join(work, "target")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns("target", ".git"))
    verdict, why = judge(copy, target, args.programs, args.minutes * 60)
    if verdict != "survived":
        sys.exit(f"without a mistake it {verdict}: {why}")
    counts = {"caught": 0, "survived": 0, "did not build": 0}
    for name, number, sort, line in mistakes:
        path = os.path.join(copy, name)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        lines = text.split("\n")
        was, lines[number] = lines[number], line
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines))
        begun = time.time()
        verdict, why = judge(copy, target, args.programs, args.minutes * 60)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        counts[verdict] += 1
        print(f"{verdict:13} {name}:{number + 1}: {sort} ({time.time() - begun:.0f} s)\n    {was.strip()}\n    {line.strip()}"
              + (f"\n    {why}" if why else ""), flush=True)
    built = counts["caught"] + counts["survived"]
    share = 100 * counts["caught"] / built if built else 100
    print(f"{counts['caught']} of {built} caught ({share:.0f} %), {counts['survived']} survived, {counts['did not build']} did not build")


if __name__ == "__main__":
    main()
