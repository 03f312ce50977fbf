"""Faults that are written into a copy of the tree, each behind a switch that an environment variable chooses, so that one build serves all. Shared by
secret-mutants.py and old-faults.py.

A fault is a name, a file, what stands there, and what is put there, in which `FAULT` is yes while the fault is chosen.
"""
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SWITCH = 'houserule_text::has_fault("%s")'
CHOOSE = """
/// Whether the fault of that name is chosen.
pub fn has_fault(name: &str) -> bool {
    static CHOSEN: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    CHOSEN.get_or_init(|| std::env::var("HOUSERULE_FAULT").unwrap_or_default()) == name
}
"""


def change(copy, changes):
    """Replaces what stands in files of the copy, wherever it stands there. All texts that do not stand there are named."""
    missing = []
    for name, old, new in changes:
        path = os.path.join(copy, name)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if old not in text:
            missing.append(f"{name} does not hold: {old}")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(old, new))
    if missing:
        sys.exit("\n".join(missing))


def build(copy, target, faults, changes=(), helpers=""):
    """Writes the faults, other changes and Rust text for the engine into the copy; gives the program that is built from it."""
    # New times of change, so that cargo builds what has changed since the copy was last built.
    shutil.copytree(ROOT, copy, dirs_exist_ok=True, copy_function=shutil.copy, ignore=shutil.ignore_patterns("target", ".git"))
    for room, text in (("text", CHOOSE), ("engine", helpers)):
        with open(os.path.join(copy, f"src/{room}/mod.rs"), "a", encoding="utf-8") as file:
            file.write(text)
    change(copy, [*changes, *((file, old, new.replace("FAULT", SWITCH % name)) for name, file, old, new, *_ in faults)])
    env = dict(os.environ, CARGO_TARGET_DIR=target)
    done = subprocess.run(["cargo", "build", "-q", "-p", "houserule"], cwd=copy, env=env, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(done.stderr[-4000:])
    return shutil.copy(os.path.join(target, "debug", "houserule"), os.path.join(copy, "with-faults"))
