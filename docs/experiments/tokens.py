#!/usr/bin/env python3
"""Counts lines and tokens of the shipped classics: words, numbers, texts and single signs, without comments.

    python3 docs/experiments/tokens.py

"Rules" are what a game needs to be played: all but tests, looks, heuristics, invariants and docs. A drawn map counts as its signs.
"""
import pathlib, re

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Tokens of other descriptions of the same games, counted in the same way: Ludii's with its options (1.3.13), and those of Regular Games.
LUDII = {"tic-tac-toe": 53, "connect-four": 259, "breakthrough": 265, "othello": 434, "hex": 327, "backgammon": 585, "chess": 786, "go": 223}
REGULAR = {"tic-tac-toe": 525, "connect-four": 927, "breakthrough": 704, "othello": 1016, "hex": 699, "backgammon": 1989, "chess": 3298}
TOKEN = re.compile(r'"""(?:.|\n)*?"""|"(?:\\.|[^"\\])*"|[A-Za-z_][A-Za-z0-9_]*|\d+|[^\sA-Za-z0-9_]')
ASIDE = ("test", "look", "heuristic", "invariant")


def bare(text):
    """Without comments; texts stay."""
    return re.sub(r'("""(?:.|\n)*?"""|"(?:\\.|[^"\\\n])*")|#[^\n]*', lambda m: m.group(1) or "", text)


def without(text, words):
    """Without the declarations that begin with one of the words."""
    out, i = [], 0
    for m in re.finditer(r"^(\w+)\b", text, re.M):
        if m.start() < i or m.group(1) not in words:
            continue
        out.append(text[i:m.start()])
        depth, j, text_open = 0, m.start(), False
        while j < len(text):
            c = text[j]
            if c == "\\" and text_open:
                j += 1
            elif c == '"':
                text_open = not text_open
            elif not text_open:
                depth += (c in "{([") - (c in "})]")
                if c == "\n" and depth == 0:
                    # What begins with white space or an operator goes on.
                    if not re.match(r"[ \t]+\S", text[j + 1:]):
                        break
            j += 1
        i = j
    return "".join(out) + text[i:]


def tokens(text):
    n = 0
    for t in TOKEN.findall(text):
        n += len(t.strip('"').split()) + 2 if t.startswith('"""') else 1
    return n


def lines(text):
    return sum(1 for line in text.splitlines() if line.strip())


print("| game | lines of rules | tokens of rules | with tests, looks and heuristics | Ludii | Regular Games |")
print("|---|---|---|---|---|---|")
for folder in sorted((ROOT / "rules" / "classics").iterdir()):
    whole = bare("\n".join(p.read_text() for p in sorted(folder.glob("*.rules"))))
    rules = without(whole, ASIDE)
    name = folder.name
    print(f"| {name} | {lines(rules)} | {tokens(rules)} | {tokens(whole)} | {LUDII.get(name, '')} | {REGULAR.get(name, '')} |")
