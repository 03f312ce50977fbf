#!/usr/bin/env python3
"""Writes the pages of the shipped house rules in docs/house-rules: what each changes, its tests, what it breaks, and its balance table.

    docs/experiments/house-rules.py [HOUSERULE]

HOUSERULE is `houserule` unless said. A page is made of the comment at the head of its mod and of what the program prints; the tests compare all but the tables, which take minutes.
"""
import os, pathlib, re, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SURROUNDINGS = {**os.environ, "LC_ALL": "C.UTF-8", "COLUMNS": "100", "NO_COLOR": "1"}
PAIRS = 1000
# Bots that know the game where it has a heuristic and greedy play is quick enough; else random ones.
GAMES = {"Fog": ("fog", "random"), "Fuji": ("fuji", "greedy"), "Discover": ("discover", "random"),
         "LoveLetter": ("love-letter", "greedy"), "Hex": ("hex", "random"), "TicTacToe": ("tic-tac-toe", "random")}


def run(program, *words):
    return subprocess.run([program, *words], env=SURROUNDINGS, capture_output=True, text=True, check=True, cwd=ROOT).stdout


def page(program, file):
    text = file.read_text()
    title, game = re.search(r'(?m)^mod "(.*?)" for (\w+)', text).groups()
    word, bots = GAMES[game]
    about = " ".join(line.lstrip("# ").strip() for line in text.splitlines() if line.startswith("#"))
    about = about.removeprefix("House rule: ")
    about = about[0].upper() + about[1:]
    tests = re.findall(r'(?m)^  test "(.*?)"', text)
    broken = re.search(r'expects to break ((?:"[^"]*"(?:,\s*)?)+)', text)
    broken = re.findall(r'"([^"]*)"', broken.group(1)) if broken else []
    command = f"houserule balance {word} --mod {file.stem} -n {PAIRS} --seats {bots} --format markdown"
    table = run(program, *command.split()[1:]).strip()
    out = [f"# {title}", "", about, "",
           f"The text: [rules/mods/{file.name}](../../rules/mods/{file.name}). To play it: `houserule play {word} --mod {file.stem}`.", "",
           "## What it changes", "", "```text", run(program, "mods", word, "--mod", file.stem).rstrip(), "```", "",
           "## Its tests", "", *[f"- {t}" for t in tests], ""]
    if broken:
        out += ["## What it breaks", "", "These tests of the game do not hold under it, as it says itself (`expects to break`):", "",
                *[f"- {t}" for t in broken], ""]
    else:
        out += ["All tests of the game hold under it.", ""]
    out += ["## Its balance", "", "```sh", command, "```", "", table, ""]
    return "\n".join(out)


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else "houserule"
    if "/" in program:
        program = str(pathlib.Path(program).resolve())
    for file in sorted((ROOT / "rules/mods").glob("*.rules")):
        (ROOT / f"docs/house-rules/{file.stem}.md").write_text(page(program, file))


main()
