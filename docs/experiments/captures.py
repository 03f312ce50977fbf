#!/usr/bin/env python3
"""Writes the terminal's output into docs/discover.md, docs/fuji.md and docs/fog.md again, each from a run of the command that the page names.

    docs/experiments/captures.py [--check] [HOUSERULE [PAGE...]]

A comment of a page names the answers of the block below it: `<!-- answers 3 to 6 -->` shows their events and the next question, `…` stands for the drawing between them;
`<!-- screen of 3 -->` shows all, `<!-- question after 3 -->` the question only. `--check` writes nothing and fails if a page is not what a run prints. HOUSERULE is `houserule` unless said.
"""
import os, pathlib, re, shlex, subprocess, sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ["discover", "fuji", "fog"]


def run(program, page):
    """The output of the page's command, cut before each answer: number 0 is what stands before the first."""
    line, answers = re.search(r"(?m)^houserule (play .*?) < (docs/examples/\S+)$", page).groups()
    surroundings = {**os.environ, "LC_ALL": "C.UTF-8", "COLUMNS": "100", "NO_COLOR": "1"}
    given = (ROOT / answers).read_text()
    out = subprocess.run([program, *shlex.split(line)], input=given, env=surroundings, capture_output=True, text=True, check=True).stdout
    return re.split(r"(?m)^(?=> )", out)


def without_drawing(chunk):
    """The events and the question."""
    parts = re.split(r"\n\n+", chunk.strip("\n"))
    return parts[0] if len(parts) == 1 else f"{parts[0]}\n…\n{parts[-1]}"


def rewrite(page, chunks):
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
    return re.sub(comment, block, page, flags=re.S)


def main():
    words = [w for w in sys.argv[1:] if w != "--check"]
    program, pages = (words[0] if words else "houserule"), words[1:] or PAGES
    other = []
    for name in pages:
        path = ROOT / f"docs/{name}.md"
        old = path.read_text()
        new = rewrite(old, run(program, old))
        if new != old:
            other.append(str(path))
        if "--check" not in sys.argv:
            path.write_text(new)
    if "--check" in sys.argv and other:
        sys.exit(f"a run prints something else: {', '.join(other)}")


main()
