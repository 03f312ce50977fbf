#!/usr/bin/env python3
"""Random games of ours beside OpenSpiel's. Run by open-spiel.sh; prints a table in Markdown, and exits with 1 if anything differs.

To add a game, add a line to GAMES.
"""
import argparse
import csv
import importlib.metadata
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import time

import pyspiel

HOUSERULE = os.environ.get("HOUSERULE", "houserule")
SIGMAS = 4.0


class Game:
    """A game of ours and what OpenSpiel calls it.

    gain   what is compared of the end, for the first player: "lot" (won 1, tied 0, lost -1) or "score".
    length what a game's length is: "choices", or "turns" where theirs takes several choices for one move: then theirs is how often chance was at work.
    choose how a move of theirs is drawn, if not each with the same chance; it is told what chance did last.
    plies  how deep ways to go on are counted, and None where they cannot be compared.
    added  moves that ours asks for and OpenSpiel makes by itself.
    within whether a choice before a roll is part of the turn that goes on behind it (then it is no ply).
    """

    def __init__(self, ours, theirs, *, options=(), gain="lot", length="choices", plies=None, within=False, added=0, choose=None):
        self.ours, self.theirs, self.options, self.gain = ours, theirs, options, gain
        self.length, self.plies, self.within, self.added = length, plies, within, added
        self.choose = choose


class Stepwise:
    """Backgammon as ours is played: the first man's move is drawn among those that differ, then the second's."""

    def __init__(self):
        # What an action moves, by who moves, the dice and the action: asking OpenSpiel each time is most of the time.
        self.moves = {}

    def __call__(self, s, dice):
        player, ways = s.current_player(), {}
        for action in s.legal_actions():
            key = player, dice, action
            if key not in self.moves:
                first, second = s.spiel_move_to_checker_moves(player, action)
                self.moves[key] = (first.pos, first.num), (second.pos, second.num)
            first, second = self.moves[key]
            ways.setdefault(first, {})[second] = action
        first = random.choice(sorted(ways))
        return ways[first][random.choice(sorted(ways[first]))]


GAMES = [
    Game("tic-tac-toe", "tic_tac_toe", plies=6),
    Game("connect-four", "connect_four", plies=6),
    Game("othello", "othello", plies=6),
    Game("pig", "pig", plies=6, within=True),
    Game("liars-dice", "liars_dice", plies=5),
    Game("kuhn", "kuhn_poker", gain="score", plies=4),
    Game(
        "goofspiel",
        "goofspiel(returns_type=total_points)",
        options=["--option", "stays=no"],
        gain="score",
        added=2,  # the last card of each hand
    ),
    Game("rock-paper-scissors", "matrix_rps"),
    Game("morris", "nine_mens_morris", options=["--option", "threefold=no", "--option", "longest=200"], plies=4),
    Game("oware", "oware", plies=7),
    Game("breakthrough", "breakthrough", plies=4),
    Game("hex", "hex", plies=2),
    Game("go", "go(board_size=9,komi=7.5)", plies=3),
    Game("backgammon", "backgammon", length="turns", choose=Stepwise(), plies=2),
    Game("chess", "chess", options=["--option", "material=yes"], plies=3),
]


class Mean:
    """A mean with its standard error."""

    def __init__(self):
        self.n = self.sum = self.squares = 0

    def add(self, x):
        self.n += 1
        self.sum += x
        self.squares += x * x

    def mean(self):
        return self.sum / self.n

    def error(self):
        mean = self.mean()
        return math.sqrt(max(self.squares / self.n - mean * mean, 0.0) / max(self.n - 1, 1))


def ours(game, n):
    """Lengths and gains of n random games by our simulator."""
    length, gain = Mean(), Mean()
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "games.csv")
        command = [HOUSERULE, "sim", game.ours, "--games", str(n), "--seed", "1", "--no-uses", "--out", out, *game.options]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with open(out, newline="", encoding="utf-8") as rows:
            for row in csv.DictReader(rows):
                if row["unfinished"]:
                    sys.exit(f"{game.ours}: game {row['game']} was not finished: {row['unfinished']}")
                column = "verdict" if game.gain == "lot" else "score"
                first = next(v for k, v in row.items() if k.startswith(column + " "))
                gain.add({"won": 1, "lost": -1, "tied": 0}[first] if game.gain == "lot" else int(first))
                length.add(int(row[game.length]))
    return length, gain


def theirs(game, n):
    """The same by OpenSpiel; passes are moves, chance is none, several at once are a move each."""
    rnd = random.Random(1).random
    new = pyspiel.load_game(game.theirs).new_initial_state
    length, gain = Mean(), Mean()
    random.seed(1)
    for _ in range(n):
        s, moves, draws = new(), 0, 0
        while not s.is_terminal():
            if s.is_chance_node():
                x = rnd()
                for action, p in s.chance_outcomes():
                    x -= p
                    if x < 0:
                        break
                s.apply_action(action)
                draws += 1
            elif game.choose:
                s.apply_action(game.choose(s, (draws, action) if draws == 1 else action))
                moves += 1
            elif s.is_simultaneous_node():
                legal = [s.legal_actions(p) for p in range(s.num_players())]
                s.apply_actions([a[int(rnd() * len(a))] if a else 0 for a in legal])
                moves += sum(1 for a in legal if a)
            else:
                legal = s.legal_actions()
                s.apply_action(legal[int(rnd() * len(legal))])
                moves += 1
        length.add((draws if game.length == "turns" else moves) + game.added)
        gain.add(s.returns()[0])
    return length, gain


def ways(game):
    """Ways to go on for so many plies, theirs and ours; chance on end is one ply."""
    counts = [0] * game.plies

    def settle(s):
        """The states that chance makes of one."""
        if not s.is_chance_node():
            return [s]
        return [end for a, _ in s.chance_outcomes() for end in settle(s.child(a))]

    def count(s, ply):
        if ply == game.plies or s.is_terminal():
            return
        for a in s.legal_actions():
            after = s.child(a)
            if not after.is_chance_node():
                counts[ply] += 1
                count(after, ply + 1)
                continue
            at = ply
            if not game.within:
                counts[ply] += 1
                at += 1
            if at < game.plies:
                for end in settle(after):
                    counts[at] += 1
                    count(end, at + 1)

    start = pyspiel.load_game(game.theirs).new_initial_state()
    if start.is_chance_node():
        for end in settle(start):
            counts[0] += 1
            count(end, 1)
    else:
        count(start, 0)
    command = [HOUSERULE, "perft", game.ours, "--depth", str(game.plies), "--format", "json", *game.options]
    told = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return counts, [d["nodes"] for d in told["counts"]]


def cell(m):
    return f"{m.mean():.3f} ± {m.error():.3f}"


def apart(a, b):
    """How many standard errors two means are apart."""
    error = math.hypot(a.error(), b.error())
    return 0.0 if a.mean() == b.mean() else abs(a.mean() - b.mean()) / max(error, 1e-12)


def main():
    args = argparse.ArgumentParser(description=__doc__)
    args.add_argument("--games", type=int, default=100_000)
    args.add_argument("--only", default="")
    args = args.parse_args()
    only = [name for name in args.only.split(",") if name]
    wrong = []
    print(f"open_spiel {importlib.metadata.version('open_spiel')}, means ± standard errors\n")
    print("| game | OpenSpiel's | games | ways to go on, by plies | length, ours | theirs | apart | gain, ours | theirs | apart |")
    print("|---|---|---|---|---|---|---|---|---|---|", flush=True)
    for game in GAMES:
        if only and game.ours not in only:
            continue
        began = time.monotonic()
        told = "–"
        if game.plies:
            a, b = ways(game)
            told = ", ".join(f"{n:,}" for n in b)
            if a != b:
                wrong.append(f"{game.ours}: ways to go on are {b}, theirs {a}")
        n = args.games
        mine, other = ours(game, n), theirs(game, n)
        off = [apart(x, y) for x, y in zip(mine, other)]
        if max(off) > SIGMAS:
            wrong.append(f"{game.ours}: {max(off):.1f} standard errors apart")
        options = "" if not game.options else " `" + " ".join(game.options) + "`"
        row = [
            f"{game.ours}{options}",
            f"`{game.theirs}`",
            f"{n:,}",
            told,
            cell(mine[0]),
            cell(other[0]),
            f"{off[0]:.1f}",
            cell(mine[1]),
            cell(other[1]),
            f"{off[1]:.1f}",
        ]
        print("| " + " | ".join(row) + " |", flush=True)
        print(f"{game.ours}: {time.monotonic() - began:.0f} s", file=sys.stderr)
    for text in wrong:
        print(text, file=sys.stderr)
    sys.exit(1 if wrong else 0)


main()
