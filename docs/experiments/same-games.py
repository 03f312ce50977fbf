#!/usr/bin/env python3
"""Whether two builds compile and play every shipped game alike: for a change of the code's structure, which must change neither.

    docs/experiments/same-games.py                      hashes of target/release/houserule
    docs/experiments/same-games.py OLD NEW              compares two binaries; exit code 1 if they differ
    docs/experiments/same-games.py --games 100 OLD NEW  with so many random games of each set-up (300 unless said)

A row is a game with one of its scenarios: a hash of its code and tables (`houserule dump`), and one of the results and lengths of the random games
(`houserule sim --out`). Where only the code differs, the games are still the same.
"""
import argparse
import hashlib
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def told(binary, *args):
    done = subprocess.run([binary, *args], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(args)}: {done.stderr or done.stdout}")
    return done.stdout


def set_ups(binary):
    """Games with their scenarios."""
    out, game = [], None
    for line in told(binary, "games").splitlines():
        if not line.strip():
            break
        if not line.startswith(" "):
            game = line.split()[0]
            out.append([game])
        elif line.split()[:1] == ["scenario"]:
            out.append([game, "--scenario", line.split()[1].rstrip(":")])
    return [x for x in out if len(x) > 1 or not any(y[0] == x[0] and len(y) > 1 for y in out)]


def hashed(text):
    return hashlib.sha256(text).hexdigest()[:16]


def row(binary, set_up, games):
    code = hashed(told(binary, "dump", *set_up).encode())
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "games.json")
        told(binary, "sim", *set_up, "--games", str(games), "--out", out)
        with open(out, "rb") as file:
            return code, hashed(file.read())


def main():
    args = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    args.add_argument("--games", type=int, default=300)
    args.add_argument("binaries", nargs="*", default=[os.path.join(ROOT, "target/release/houserule")])
    given = args.parse_args()
    first, *rest = given.binaries
    differ = 0
    for set_up in set_ups(first):
        rows = [row(binary, set_up, given.games) for binary in given.binaries]
        name = " ".join(x for x in set_up if not x.startswith("--"))
        words = [f"code {rows[0][0]}", f"games {rows[0][1]}"]
        for other in rows[1:]:
            words += [part for part, a, b in zip(["OTHER CODE", "OTHER GAMES"], rows[0], other) if a != b]
            differ += other != rows[0]
        print(f"{name:28} {'  '.join(words)}", flush=True)
    if rest:
        print("the same" if differ == 0 else f"{differ} set-ups differ")
    sys.exit(differ > 0)


main()
