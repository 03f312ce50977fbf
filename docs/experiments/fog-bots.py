#!/usr/bin/env python3
"""How many islanders of The FOG greedy and random bots save: four seats, two of each kind, the greedy ones in the first and third seat and,
every other game, in the second and fourth. Saved is who is in a boat or on a pier at the end; each colour has eight.

usage: fog-bots.py HOUSERULE [GAME] [GAMES] [JOBS]      fog, 200 games, 2 at once unless said
"""
import concurrent.futures
import json
import math
import subprocess
import sys

PROGRAM = sys.argv[1]
GAME = sys.argv[2] if len(sys.argv) > 2 else "fog"
GAMES = int(sys.argv[3]) if len(sys.argv) > 3 else 200
JOBS = int(sys.argv[4]) if len(sys.argv) > 4 else 2


def word(thing, name):
    return next(a["word"] for a in thing["attrs"] if a["name"] == name)


def saved(space):
    return word(space, "ground") in ("pier", "berth", "stern")


def play(number):
    """For each seat its bot, whom it saved, and its points."""
    bots = ["greedy", "random"] * 2 if number % 2 else ["random", "greedy"] * 2
    asked = '{"do": "view", "seat": 0}\n{"do": "quit"}\n'
    command = [PROGRAM, "play", GAME, "--json", "--scenario", "xappalo", "--seats", ",".join(bots), "--seed", str(number)]
    told = [json.loads(line) for line in subprocess.run(command, input=asked, capture_output=True, text=True, check=True).stdout.splitlines()]
    state, view = told[1], told[2]["view"]
    assert state["over"], state
    names = [p["name"]["word"] for p in view["players"]]
    count = dict.fromkeys(names, 0)
    for space in view["maps"][0]["spaces"]:
        for pile in space["piles"]:
            for thing in pile["cards"]:
                if pile["zone"] == "islanders" and saved(space):
                    count[word(thing, "disc")] += 1
    return [(bot, count[name], scores[0]) for bot, name, scores in zip(bots, names, state["result"]["scores"])]


def spread(numbers):
    """The mean, with the half width of its 95 % interval."""
    n, mean = len(numbers), sum(numbers) / len(numbers)
    return f"{mean:.2f} (+- {1.96 * math.sqrt(sum((x - mean) ** 2 for x in numbers) / (n - 1) / n):.2f})"


with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
    games = list(pool.map(play, range(1, GAMES + 1)))
for kind in "greedy", "random":
    # Two seats of a game are not independent: their mean is one number.
    two = [[(n, points) for bot, n, points in game if bot == kind] for game in games]
    people, points = [sum(n for n, _ in g) / 2 for g in two], [sum(p for _, p in g) / 2 for g in two]
    print(f"{kind}: {spread(people)} of 8 islanders saved a colour, {spread(points)} points, {len(games)} games")
ahead = [sum(n if bot == "greedy" else -n for bot, n, _ in game) / 2 for game in games]
print(f"greedy saves {spread(ahead)} more")
