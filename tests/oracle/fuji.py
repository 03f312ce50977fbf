#!/usr/bin/env python3
"""An oracle for Fuji that knows nothing of the engine: only the worked rules of comparing, moving, stamina and lava, from the rulebook's tables.

It plays random games over `houserule play fuji --json` without equipment and skills' actions, and foretells in phase 5 for the player who is
next what the dice give, whether they move, what it costs, and, at the end of each round, which cards have turned to lava.

usage: fuji.py HOUSERULE GAME POSITIONS [SEED]
"""
import json
import random
import subprocess
import sys

COLOURS = "pink", "blue", "yellow"


def any_of(*tests):
    return lambda v, c: any(t(v, c) for t in tests)


def all_of(*tests):
    return lambda v, c: all(t(v, c) for t in tests)


def colour(*names):
    return lambda v, c: c in names


def value(*numbers):
    return lambda v, c: v in numbers


def odd(v, c):
    return v % 2 == 1


def even(v, c):
    return v % 2 == 0


LOW = value(1, 2, 3)
# The published list of requirements, by our names for the cards.
ACCEPTS = {
    "meadow": any_of(colour("yellow"), value(6)), "millet": any_of(colour("yellow"), value(4)),
    "thicket": any_of(colour("pink"), value(4)), "heath": any_of(colour("pink"), value(5)),
    "marsh": any_of(colour("blue"), value(6)), "moor": colour("pink", "blue"), "pasture": colour("yellow", "blue"),
    "crossroads": lambda v, c: True, "scarp": odd, "plateau": even, "orchard": all_of(colour("pink"), odd),
    "tarn": all_of(colour("blue"), odd), "quarry": all_of(colour("yellow"), odd), "stubble": all_of(colour("yellow"), even),
    "gorge": all_of(colour("pink", "blue"), odd), "hollow": all_of(colour("pink", "blue"), even), "ford": value(2, 4),
    "ridge": value(3, 6), "bluff": value(3, 5), "spring": value(1, 3), "cairn": value(1, 2),
    "brook": all_of(colour("blue"), LOW), "sandbank": all_of(colour("yellow"), LOW), "clearing": all_of(colour("pink"), LOW),
    "inn": all_of(colour("pink"), even), "mill": all_of(colour("blue"), even), "well": any_of(colour("blue"), value(5)),
    "market": colour("yellow", "pink"), "smithy": value(4, 6), "teahouse": LOW,
}
VILLAGE = {"inn", "mill", "well", "market", "smithy", "teahouse"}


def drain(level, lead):
    """What a move costs: level + 2 where it fails, else a point less for every two of the lead."""
    return level + 2 if lead <= 0 else max(0, level + 2 - (lead + 1) // 2)


class Position:
    """All that lies in the open in phase 5."""

    def __init__(self, view):
        slope = view["maps"][0]
        self.cards, self.burnt, self.at = {}, set(), {}
        self.tokens = 0
        for place, space in zip(slope["at"], slope["spaces"]):
            here = tuple(place)
            self.at[space["name"]["word"]] = here
            piles = {pile["zone"]: pile["cards"] for pile in space["piles"]}
            self.tokens += len(piles["vent"])
            if piles["card"]:
                card = piles["card"][0]
                self.cards[here] = card["face"]["word"]
                if attribute(card, "burnt") == "yes":
                    self.burnt.add(here)
        self.players = view["players"]

    def place(self, player, name):
        word = attribute(self.players[player], name)
        return None if word == "none" else self.at[word]

    def dice(self, player):
        piles = {pile["zone"]: pile for pile in self.players[player]["piles"]}
        assert piles["dice"]["hidden"] == 0, "the screens are still there"
        shown = [die["shows"]["word"].split() for die in piles["dice"]["cards"]]
        return [(int(v), c) for v, c in shown]

    def beside(self, here):
        x, y = here
        return [c for c in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)) if c in self.cards]

    def walkable(self, here):
        return here not in self.burnt and self.cards[here] in ACCEPTS

    def within(self, start, steps):
        """Where one comes in so many steps; nothing if lava is underfoot."""
        found, edge = {start}, [start]
        for _ in range(steps):
            edge = [n for c in edge for n in self.beside(c) if n not in found and self.walkable(n)]
            found.update(edge)
        return found

    def worth(self, player, accepts):
        return sum(v for v, c in self.dice(player) if accepts(v, c))

    def lead(self, player):
        goal = self.place(player, "marker")
        if goal is None or not self.walkable(goal):
            return 0
        accepts = ACCEPTS[self.cards[goal]]
        n = len(self.players)
        beside = {(player + 1) % n, (player - 1) % n} - {player}
        return self.worth(player, accepts) - max(self.worth(other, accepts) for other in beside)

    def wave(self):
        """What turns to lava next: landscapes and rubble beside lava."""
        can = [c for c, card in self.cards.items() if c not in self.burnt and card not in VILLAGE and card != "summit"]
        return {c for c in can if any(n in self.burnt for n in self.beside(c))}


def attribute(thing, name):
    return next(a["word"] for a in thing["attrs"] if a["name"] == name)


def skill(player):
    return next(p["cards"][0]["face"]["word"] for p in player["piles"] if p["zone"] == "skill")


def main():
    program, game, wanted = sys.argv[1], sys.argv[2], int(sys.argv[3])
    chance = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    checked = moved = waves = 0
    seed = 0
    while checked < wanted:
        seed += 1
        level = seed % 4 + 1
        command = [program, "play", game, "--json", "--seed", str(seed), "--players", str(3 + seed % 2),
                   "--scenario", f"fuji_{seed % 7 + 1}", "--option", f"level=level_{level}"]
        run = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

        def receive():
            return json.loads(run.stdout.readline())

        def ask(**request):
            print(json.dumps(request), file=run.stdin, flush=True)
            return receive()

        def position():
            return Position(ask(do="view", seat=0)["view"])

        _, state = receive(), receive()
        before_round = None
        foretold = None
        while not state["over"] and checked < wanted:
            decision = state["decisions"][0]
            now = None
            if decision["prompt"] == "Who is next?" or foretold:
                now = position()
            if foretold and (decision["prompt"] == "Who is next?" or "planning" in phase(ask)):
                check(foretold, now)
                checked += 1
                moved += foretold["lead"] > 0
                foretold = None
            if decision["prompt"] == "Who is next?":
                if before_round is None:
                    before_round = now
                choice = chance.choice(decision["choices"])
                who = next(i for i, p in enumerate(now.players) if p["name"]["word"] == choice)
                foretold = foretell(now, who, level)
            else:
                if before_round and "planning" in phase(ask):
                    after = now or position()
                    check_lava(before_round, after)
                    waves += 1
                    before_round = None
                plain = [c for c in decision["choices"] if not c.startswith(("use(", "eat(", "set_aside(", "pass("))]
                markers = [c for c in plain if c.startswith("place_marker(")]
                # Towards the end of a plan somebody has to be done.
                if "done" in plain and chance.random() < 0.6:
                    choice = "done"
                elif markers and "done" not in plain:
                    choice = chance.choice(markers)
                else:
                    choice = chance.choice(plain)
            state = ask(do="choose", question=decision["question"], seat=decision["seats"][0], choice=choice)
            if state["type"] == "error":
                sys.exit(f"seed {seed}: {choice} is refused: {state['message']}")
        ask(do="quit")
        run.wait()
    print(f"{checked} turns as foretold ({moved} of them moves), {waves} rounds of lava, in {seed} games")


def phase(ask):
    return [p["word"] for p in ask(do="view", seat=0)["view"]["phases"]]


def foretell(now, who, level):
    lead = now.lead(who)
    start, goal = now.place(who, "at"), now.place(who, "marker")
    steps = 4 if skill(now.players[who]) == "scout" and not wounded(now.players[who], "memory") else 3
    if goal is None or goal not in now.within(start, steps):
        lead = 0
    tired = int(attribute(now.players[who], "fatigue"))
    lead = max(0, lead)
    return {"who": who, "lead": lead, "at": goal if lead > 0 else start,
            "fatigue": min(25, tired + drain(level, lead))}


def wounded(player, what):
    return any(c["face"]["word"] == what for p in player["piles"] if p["zone"] == "wounds" for c in p["cards"])


def check(foretold, now):
    who = foretold["who"]
    at, tired = now.place(who, "at"), int(attribute(now.players[who], "fatigue"))
    assert at == foretold["at"], f"player {who} stands on {at}: {foretold}"
    assert tired == foretold["fatigue"], f"player {who} is at {tired}: {foretold}"
    assert now.place(who, "marker") is None, "the marker is still there"


def check_lava(before, after):
    """One wave for the round, and one for each eruption token that is gone."""
    for _ in range(1 + before.tokens - after.tokens):
        before.burnt |= before.wave()
    assert before.burnt == after.burnt, f"lava on {sorted(after.burnt ^ before.burnt)} is otherwise than foretold"


main()
