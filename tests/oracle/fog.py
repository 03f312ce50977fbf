#!/usr/bin/env python3
"""An oracle for The FOG that knows nothing of the engine: only how islanders may move, what that costs, and what everything is worth.

It plays random games over `houserule play fog --json` and foretells at each question of a turn which movements are on offer, each with its goal,
and what they do; and at the end of each game everybody's points, line by line.

Rules that it knows, by the checklist's numbers: G016-G018 (points, what can be paid, the end of a turn), G031-G043 (run, swap, push, jump, squeeze,
cross, last breath, and what each trait makes cheaper), G044-G051 (shore, piers, from the beach onto the shore, and that a movement which cannot come
to a good end is not on offer), G052-G063 (boarding, sterns, sides, the standard drive off), G023-G027 (the scoring). Not: set-up and draft, options, solo.

It asks the same on boards strewn at random (`--boards`): people in every kind of place, obstacles anywhere, the FOG anywhere, other points to move, other prices, bonuses
handed out. Such a board is written down as a given state, and a turn is played from it; where the FOG is one field away, the round is ended and everybody's points are looked at.

With `--mistake` it believes something wrong, and has to fail: 1, that a jump costs three whoever jumps; 2, that other nations' boats are worth four, too.

usage: fog.py HOUSERULE GAME POSITIONS [SEED] [--boards N] [--mistake 1|2]
"""
import argparse
import functools
import json
import random
import subprocess
import sys

PEOPLE = {}
for nation, text in {
    "blue": "bexa:leader:pusher balo:commoner:jumper brin:commoner:crosser bodu:elder:squeezer bira:elder:allrounder banoc:elder:enduring "
            "barq:warrior:pusher buvo:warrior:jumper belk:warrior:crosser bimi:sailor:squeezer bost:sailor:allrounder",
    "green": "gaxu:leader:enduring gelo:commoner:pusher grin:commoner:jumper goru:elder:crosser gida:elder:squeezer garn:warrior:allrounder "
             "guvo:warrior:enduring gimi:sailor:pusher gost:sailor:jumper gwen:sailor:crosser",
    "red": "rexi:leader:squeezer ralo:commoner:allrounder rune:commoner:enduring rodu:elder:pusher rira:elder:jumper ranoc:elder:crosser "
           "rask:warrior:squeezer ruvo:warrior:allrounder rimi:sailor:enduring rost:sailor:pusher rell:sailor:jumper",
}.items():
    for entry in text.split():
        name, kind, trait = entry.split(":")
        PEOPLE[name] = nation, kind, trait

FOG = [7, 6, 5, 4, 3, 3, 2, 2, 1, 1]
LOSS = [4, 4, 3, 3, 3, 3, 2, 2, 2, 2]
MISTAKE = 0
WAYS = "west", "northwest", "northeast", "east"


def step(here, way):
    column, row = here
    odd = row % 2
    return {"east": (column + 1, row), "west": (column - 1, row), "northeast": (column + odd, row + 1), "northwest": (column + odd - 1, row + 1),
            "southeast": (column + odd, row - 1), "southwest": (column + odd - 1, row - 1)}[way]


@functools.cache
def around(here):
    return frozenset(step(here, way) for way in ("east", "west", "northeast", "northwest", "southeast", "southwest"))


def attribute(thing, name):
    return next(a["word"] for a in thing["attrs"] if a["name"] == name)


class Bay:
    """What never changes: the hexes."""

    def __init__(self, view):
        drawn = view["maps"][0]
        self.ground, self.boat, self.wants, self.room, self.name = {}, {}, {}, {}, {}
        for at, space in zip(drawn["at"], drawn["spaces"]):
            here = tuple(at)
            self.name[here] = space["name"]["word"]
            self.ground[here] = attribute(space, "ground")
            self.boat[here] = attribute(space, "boat")
            self.wants[here] = attribute(space, "wants")
            self.room[here] = int(attribute(space, "room"))
        self.at = {name: here for here, name in self.name.items()}

    def wet(self, here):
        return self.ground[here] in ("shore", "pier", "berth", "stern")

    def exits(self, here):
        """Where one may step from there: nobody leaves a boat, berths are reached from the side."""
        out = []
        for there in around(here):
            ground = self.ground.get(there, "woods")
            own = self.ground[here]
            if (ground == "beach" and own in ("beach", "shore") or ground == "shore" and own in ("beach", "shore", "pier")
                    or ground in ("pier", "stern") and own in ("shore", "pier")
                    or ground == "berth" and here[1] == there[1] and (own == "pier" or own == "berth" and self.boat[here] == self.boat[there])):
                out.append(there)
        return out


class Position:
    """Who stands where, whose they are, and what the player on the move may still do."""

    def __init__(self, bay, view):
        self.bay = bay
        self.at, self.disc, self.lost, self.moved, self.winded, self.seated, self.rocks = {}, {}, set(), set(), set(), set(), set()
        for place, space in zip(view["maps"][0]["at"], view["maps"][0]["spaces"]):
            for pile in space["piles"]:
                for thing in pile["cards"]:
                    if pile["zone"] == "obstacle":
                        self.rocks.add(tuple(place))
                        continue
                    name = thing["face"]["word"]
                    self.at[name] = tuple(place)
                    self.disc[name] = attribute(thing, "disc")
                    for kept, what in ((self.lost, "lost"), (self.moved, "moved"), (self.winded, "winded"), (self.seated, "seated")):
                        if attribute(thing, what) == "yes":
                            kept.add(name)
        self.fog = int(attribute(view["table"], "fog"))

    def turn_of(self, view, player):
        self.player = view["players"][player]["name"]["word"]
        self.mp = int(attribute(view["players"][player], "mp"))
        mover = attribute(view["players"][player], "mover")
        self.mover = None if mover == "none" else mover
        return self

    def copy(self):
        new = Position.__new__(Position)
        new.__dict__.update(self.__dict__)
        for kept in ("at", "moved", "winded", "seated"):
            setattr(new, kept, getattr(self, kept).copy())
        return new

    def on(self, here):
        return [name for name, at in self.at.items() if at == here]

    def crew(self, here):
        if self.bay.ground[here] != "stern":
            return self.on(here)
        return [n for n, at in self.at.items() if self.bay.ground[at] == "stern" and self.bay.boat[at] == self.bay.boat[here]]

    def suits(self, who, here):
        return here not in self.rocks and self.bay.wants[here] in ("none", PEOPLE[who][1])

    def vacant(self, who, here):
        return self.suits(who, here) and len(self.crew(here)) < self.bay.room[here]

    def settled(self, who):
        here = self.at[who]
        return who in self.seated or self.suits(who, here) and len(self.crew(here)) <= self.bay.room[here]

    def free(self, here):
        return self.bay.ground.get(here) in ("beach", "shore", "pier") and here not in self.rocks and not self.on(here)

    def crowd(self, here):
        return self.bay.ground.get(here) == "beach" and bool(self.on(here))

    def blocked(self, here):
        return self.bay.ground.get(here, "woods") == "woods" or here in self.rocks or self.crowd(here)

    def all_moves(self):
        """What could be done, if it did not matter how it ends: action, where the mover then stands, what it costs, who else is where."""
        busy = self.mover if self.mover and not self.settled(self.mover) else None
        for who, disc in self.disc.items():
            if disc != self.player or who in self.lost or busy and who != busy:
                continue
            yield from self.moves_of(who)

    def moves_of(self, who):
        bay, here = self.bay, self.at[who]
        nation, kind, trait = PEOPLE[who]
        name = bay.name

        def enters(there):
            fogged = there[1] < 10 and FOG[there[1]] >= self.fog
            return (bay.wet(there) or self.free(there)) and not fogged and (bay.ground[there] != "stern" or self.vacant(who, there))

        exits = bay.exits(here)
        if trait == "enduring" and who in self.moved and who not in self.winded:
            for there in filter(enters, exits):
                yield f"last_breath({who}, {name[there]})", who, there, 0, {}
        if self.winded:
            return
        for there in filter(enters, exits):
            yield f"run({who}, {name[there]})", who, there, 1, {}
        beside = [x for x, at in self.at.items() if at in exits and x not in self.lost and (at[1] >= here[1] or bay.wet(at))]
        for other in beside:
            there = self.at[other]
            if bay.ground[there] in ("beach", "shore", "pier") and len(self.on(here)) == 1 and here not in self.rocks:
                yield f"swap_places({who}, {other})", who, there, 1 if bay.wet(there) else 3, {other: here}
        for there in exits:
            if (bay.ground[there] == "berth" and self.suits(who, there) and not self.vacant(who, there) and nation == bay.boat[there]
                    and sum(PEOPLE[x][0] != nation for x in self.on(there)) > sum(x in self.seated for x in self.on(there))
                    and not any(bay.boat[x] == nation and self.vacant(who, x) for x in exits)):
                yield f"drive_off({who}, {name[there]})", who, there, 1, {}
        if bay.ground[here] != "beach":
            return
        for other in beside:
            there = self.at[other]
            for way in WAYS:
                if bay.ground[there] != "beach" or step(here, way) != there:
                    continue
                line = [there]
                while self.crowd(step(line[-1], way)):
                    line.append(step(line[-1], way))
                if len(line) <= 2 and self.free(step(line[-1], way)):
                    pushed = {x: step(at, way) for at in line for x in self.on(at)}
                    yield f"push({who}, {other}, {way})", who, there, 2 if trait == "pusher" else 3, pushed
        for there in bay.ground:
            between = around(here) & around(there)
            if there in around(here) or there == here or not between or there[1] < here[1] or not (self.free(there) or bay.ground[there] == "shore"):
                continue
            if len(between) == 1 and all(map(self.crowd, between)):
                yield f"jump({who}, {name[there]})", who, there, 2 if trait == "jumper" and MISTAKE != 1 else 3, {}
            reduced = {"allrounder": 3}.get(trait, 4)
            if between & self.rocks:
                yield f"cross({who}, {name[there]})", who, there, 2 if trait == "crosser" else reduced, {}
            if len(between) == 2 and all(map(self.blocked, between)):
                yield f"squeeze({who}, {name[there]})", who, there, 2 if trait == "squeezer" else reduced, {}

    def behind(self, move):
        action, who, there, cost, others = move
        new = self.copy()
        new.at[who] = there
        new.at.update(others)
        new.mp -= cost
        new.mover = who
        new.moved.add(who)
        if action.startswith("last_breath"):
            new.winded.add(who)
        new.seated.discard(who)
        if action.startswith("drive_off"):
            new.seated.add(who)
        return new

    def payable(self):
        return [m for m in self.all_moves() if m[3] <= self.mp]

    def ends_well(self, depth=0):
        """Whether some way on comes to where everybody may stay."""
        if not self.mover or self.settled(self.mover):
            return True
        return depth < 12 and any(self.behind(m).ends_well(depth + 1) for m in self.payable())

    def offered(self):
        return {m[0]: m for m in self.payable() if self.behind(m).ends_well()}


def worth(bay, now, views):
    """Each player's points, line by line, from what lies open at the end and what each sees of his own."""
    table = views[0]["table"]
    priced = [p["cards"] for p in table["piles"] if p["zone"] == "prices"]
    price = [sum(c["side"] for c in cards) for cards in priced]
    out = []
    for i, player in enumerate(views[0]["players"]):
        mine = [n for n, disc in now.disc.items() if disc == player["name"]["word"]]
        aboard = [n for n in mine if bay.boat[now.at[n]] != "none"]
        bonuses = [c for p in views[i]["players"][i]["piles"] if p["zone"] == "bonuses" for c in p["cards"]]
        out.append({
            "own_boat": 4 * sum(MISTAKE == 2 or PEOPLE[n][0] == bay.boat[now.at[n]] for n in aboard),
            "areas": sum(price[14 - now.at[n][1]] for n in aboard),
            "lost": -sum(LOSS[now.at[n][1]] for n in mine if n in now.lost),
            "bonuses": sum(int(c["face"]["word"].split("_")[1]) for c in bonuses),
        })
    return out


class Table:
    """A program that plays, and what has been seen at it."""

    def __init__(self, program, game, *more):
        self.run = subprocess.Popen([program, "play", game, "--json", *more], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.seats = len(self.receive()["seats"])
        self.begin(self.receive())

    def begin(self, state):
        self.state, self.bay, self.foretold, self.choice = state, None, None, None

    def receive(self):
        return json.loads(self.run.stdout.readline())

    def ask(self, **request):
        print(json.dumps(request), file=self.run.stdin, flush=True)
        return self.receive()

    def given(self, text):
        hello = self.ask(do="start", given=text)
        assert hello["type"] == "hello", f"{hello}\n{text}"
        self.begin(self.receive())

    def views(self):
        return [self.ask(do="view", seat=seat)["view"] for seat in range(self.seats)]

    def decision(self):
        """What is asked, and all that can be answered."""
        decision = self.state["decisions"][0]
        choices = decision["choices"]
        if decision["count"] > len(choices):
            choices = [o["words"] for o in self.ask(do="options", question=decision["question"], most=10000)["options"]]
        return decision, choices

    def choose(self, decision, choice, label):
        self.choice = choice
        self.state = self.ask(do="choose", question=decision["question"], seat=decision["seats"][0], choice=choice)
        if self.state["type"] == "error":
            sys.exit(f"{label}: {choice} is refused: {self.state['message']}")

    def check(self, label):
        """Compares what is on offer, and what the last choice did, with what was foretold. The position, and what is on offer."""
        decision, choices = self.decision()
        view = self.ask(do="view", seat=decision["seats"][0])["view"]
        self.bay = self.bay or Bay(view)
        now = Position(self.bay, view).turn_of(view, decision["player"])
        done = self.foretold
        if done and done.player == now.player:
            # Whoever has two turns, one behind the other, has new points.
            assert done.at == now.at and (done.mp == now.mp or now.mover is None), f"{label}: {self.choice} did something else"
        offered = now.offered()
        told = set(choices) - {"done"}
        assert told == set(offered), f"{label}, step {self.state['step']}: {sorted(told ^ set(offered))} of {now.player} with {now.mp}"
        return decision, choices, now, offered

    def move(self, chance, label):
        """A movement towards the boats, mostly, so that there is something to see in the water. Whether one was made."""
        decision, choices, now, offered = self.check(label)
        best = sorted(offered, key=lambda m: (offered[m][2][1] - now.at[offered[m][1]][1], m))
        choice = chance.choice(best[-3:] if best and chance.random() < 0.8 else choices)
        self.foretold = now.behind(offered[choice]) if choice != "done" else None
        self.choose(decision, choice, label)
        return choice != "done"

    def check_end(self, label):
        views = self.views()
        bay = Bay(views[0])
        foretold = worth(bay, Position(bay, views[0]), views)
        sheet = next(s for s in self.state["result"]["sheets"] if s["name"] == "total")
        for line in sheet["lines"]:
            told = line["cells"]
            assert told == [p[line["name"]] for p in foretold], f"{label}: {line['name']} is {told}, foretold {foretold}"

    def leave(self):
        self.ask(do="quit")
        self.run.wait()


def games(program, game, wanted, chance):
    checked = moves = number = ends = 0
    while checked < wanted:
        number += 1
        seats = 3 + number % 2
        table = Table(program, game, "--seed", str(number), "--players", str(seats), "--scenario", "xappalo")
        label = f"game {number}"
        while not table.state["over"] and checked < wanted:
            decision, choices = table.decision()
            if choices[0].startswith("pick("):
                table.choose(decision, chance.choice(choices), label)
            else:
                checked += 1
                moves += table.move(chance, label)
        if table.state["over"]:
            table.check_end(label)
            ends += 1
        table.leave()
    print(f"{checked} positions as foretold, {moves} movements, {ends} games scored")


COLOURS = "black", "pink", "yellow", "white"
BONUSES = [f"{boat}_{n}" for boat, least in (("blue", 2), ("green", 3), ("red", 2)) for n in range(least, 7)]


def strewn(bay, chance, fog):
    """A board as chance has it, as a given state."""
    lines = ["stack_bonuses()", f"fog = {fog}", f"starter = {chance.choice(COLOURS)}", f"until end of game {{ modify power(p) = {chance.randint(1, 9)} }}"]
    for die, area in zip(("first", "second", "third", "fourth"), "abcd"):
        lines.append(f"set_price({die}_price, area_{area}, {chance.choice({'first': (5, 4), 'second': (4, 3), 'third': (2, 3), 'fourth': (2, 1)}[die])})")
    beach = [h for h, ground in bay.ground.items() if ground == "beach"]
    rocks = chance.sample(beach, chance.randint(0, 15))
    for h, sort in zip(rocks, ["rock", "driftwood", "bush"] * 5):
        lines.append(f"move {sort} to {bay.name[h]}.obstacle")
    open_beach = [h for h in beach if h not in rocks]
    # Half of the boards are crowded towards the village, half towards the shore.
    near = chance.random() < 0.5
    land = sorted(open_beach, key=lambda h: chance.random() + (h[1] / 6 if near else 0), reverse=near)
    water = [h for h, ground in bay.ground.items() if ground in ("shore", "pier")]
    boats = [h for h, ground in bay.ground.items() if ground in ("berth", "stern")]
    taken, lost, ready = {}, [], []
    for who in chance.sample(sorted(PEOPLE), chance.randint(8, 32)):
        where = chance.choices((land, water, boats), (6, 1, 2))[0]
        crew = lambda h: sum(n for other, n in taken.items() if other == h or bay.ground[h] == bay.ground[other] == "stern" and bay.boat[h] == bay.boat[other])
        room = [h for h in where if crew(h) < bay.room[h] and bay.wants[h] in ("none", PEOPLE[who][1])]
        if not room:
            continue
        here = room[0] if where is land else chance.choice(room)
        taken[here] = taken.get(here, 0) + 1
        lines.append(f"put({who}, {bay.name[here]}, {chance.choice(COLOURS)})")
        if bay.ground[here] == "beach" and FOG[here[1]] >= fog:
            lost.append(who)
        elif bay.ground[here] == "berth" and chance.random() < 0.5:
            ready.append((who, lines[-1].split()[-1].rstrip(")")))
    for names, what in (lost, "lost"), ([who for who, _ in ready], "ready"):
        if names:
            lines.append(f"for w in Islander where {' or '.join(names)} {{ w.{what} = yes }}")
    for (_, disc), bonus in zip(ready, chance.sample(BONUSES, len(BONUSES))):
        lines.append(f"move {bonus} to {disc}.bonuses")
    return "given on xappalo with " + ", ".join(COLOURS) + " {\n  " + "\n  ".join(lines) + "\n  start at round\n}\n"


def boards(program, game, wanted, chance):
    """Boards strewn at random: a turn on each, and every third is scored."""
    checked = moves = ends = 0
    table = Table(program, game, "--players", "4", "--scenario", "xappalo")
    bay = Bay(table.views()[0])
    for number in range(1, wanted + 1):
        table.given(strewn(bay, chance, 1 if number % 3 == 0 else chance.randint(2, 10)))
        label = f"board {number}"
        turn = table.state["decisions"][0]["player"] if table.state["decisions"] else None
        while not table.state["over"] and table.state["decisions"][0]["player"] == turn:
            checked += 1
            if table.move(chance, label):
                moves += 1
        while number % 3 == 0 and not table.state["over"]:
            checked += 1
            decision, choices, *_ = table.check(label)
            table.foretold = None
            table.choose(decision, "done" if "done" in choices else chance.choice(choices), label)
        if table.state["over"]:
            table.check_end(label)
            ends += 1
    table.leave()
    print(f"{wanted} boards strewn: {checked} positions as foretold, {moves} movements, {ends} boards scored")


def main():
    global MISTAKE
    said = argparse.ArgumentParser()
    for name, sort in ("program", str), ("game", str), ("wanted", int):
        said.add_argument(name, type=sort)
    said.add_argument("seed", type=int, nargs="?", default=1)
    said.add_argument("--boards", type=int, default=0)
    said.add_argument("--mistake", type=int, default=0)
    said = said.parse_args()
    MISTAKE = said.mistake
    if said.wanted:
        games(said.program, said.game, said.wanted, random.Random(said.seed))
    if said.boards:
        boards(said.program, said.game, said.boards, random.Random(said.seed))


main()
