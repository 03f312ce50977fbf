#!/usr/bin/env python3
"""Writes the terminal's output into docs/discover.md again, from a run with the answers in docs/examples/discover-day.txt.

    docs/experiments/discover-day.py [--check] [HOUSERULE [GAME]]

A comment of the page names the answers of the block below it: `<!-- answers 3 to 6 -->` shows their events and the next question, `…` stands for the drawing between them;
`<!-- screen of 3 -->` shows all, `<!-- question after 3 -->` the question only. `--check` writes nothing and fails if the page is not what a run prints. HOUSERULE is `houserule` unless said, GAME the shipped one.
"""
import os, pathlib, re, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/discover.md"
ANSWERS = ROOT / "docs/examples/discover-day.txt"


def run(program, game):
    """The output, cut before each answer: number 0 is what stands before the first."""
    command = [program, "play", game, *"--scenario cry --seats you,you --names Ann,Ben --seed 4".split()]
    surroundings = {**os.environ, "LC_ALL": "C.UTF-8", "COLUMNS": "100", "NO_COLOR": "1"}
    out = subprocess.run(command, input=ANSWERS.read_text(), env=surroundings, capture_output=True, text=True, check=True).stdout
    return re.split(r"(?m)^(?=> )", out)


def without_drawing(chunk):
    """The events and the question."""
    parts = re.split(r"\n\n+", chunk.strip("\n"))
    return parts[0] if len(parts) == 1 else f"{parts[0]}\n…\n{parts[-1]}"


def main():
    words = sys.argv[1:]
    check = "--check" in words
    words = [w for w in words if w != "--check"]
    chunks = run(words[0] if words else "houserule", words[1] if len(words) > 1 else "discover")

    def block(found):
        what, first = found["what"], int(found["first"])
        if what == "screen of":
            text = chunks[first].strip("\n")
        elif what == "question after":
            text = chunks[first].strip("\n").split("\n\n")[-1]
        else:
            text = "\n".join(without_drawing(chunks[n]) for n in range(first, int(found["last"]) + 1))
        return f"{found['comment']}\n```text\n{text}\n```\n"

    comment = r"(?P<comment><!-- (?P<what>screen of|question after|answers) (?P<first>\d+)(?: to (?P<last>\d+))? -->)\n```text\n.*?```\n"
    old = PAGE.read_text()
    new = re.sub(comment, block, old, flags=re.S)
    if check:
        sys.exit("docs/discover.md shows something else than a run prints" if new != old else 0)
    PAGE.write_text(new)


main()
