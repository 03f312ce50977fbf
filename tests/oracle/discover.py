#!/usr/bin/env python3
"""An oracle for Discover that knows nothing of the engine and of the game's text: only the rules of combat and of carrying, by the numbers of the rulebook's checklist.

It strews random positions over random land (people, wounds, resources, bags, damaged enemies), writes each down as a given state, and plays it over
`houserule play discover --json --mod tests/oracle/discover.rules`: a walk into a monster's space, a gathered enemy token, or a few actions of somebody
who carries much. At each question it predicts who is asked and what is on offer; what the dice show it reads in the log. At the end of the position it
predicts everything that lies open: wounds, who lives, who stands where, every resource, item and bag, what lies in each space, damage, tokens, the leader.

Rules that it knows: D046-D047 (the fourth damage, the leader's token), D054 D069 D080 D088 D090-D094 (limit, excess, bags, double tokens and their change,
a second copy of an item), D062 (trade), D064 (crafting), D073-D074 D076 (relight, recover, dirty water), D099-D100 (monsters in the space),
D108-D124 and D126 (dice, resources, items, support cards, damage, rewards, retreat, escape, lethal enemies). Readings of this game: the compass has two numbers a
direction, from 1 and 2 in the north-east, clockwise; distance is counted over explored land; what lies in a bag that is given up stays in the space.
Not: the game's own cards, nights, monsters that walk, damage from afar.

With `--mistake N` it believes something wrong, and has to fail (MISTAKES says what). With `--plant` it plants mistakes into a copy of the rules, one at a
time, and tells which of them it finds.

usage: discover.py HOUSERULE GAME POSITIONS [SEED] [--mistake N | --plant]
"""
import argparse
import collections
import itertools
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

MISTAKES = {
    1: "the gray die must be higher than the defense",
    2: "an enemy retreats one direction further round the compass",
    3: "a double token that pays one brings no change",
    4: "a survivor carries eleven",
    5: "nobody may take a blow for the combatant",
    6: "what lies in a bag counts for the limit",
    7: "a lethal enemy fights the same survivor again",
    8: "an enemy that is defeated does not hurt",
    9: "overpower does not hurt its owner",
}
MISTAKE = 0

# ---- the proving ground (discover.rules): enemies, what they leave, what can be carried ----

Foe = collections.namedtuple("Foe", "health defense attack reward strides lethal")
FOES = {
    "x_gnat": Foe(1, 5, None, ["food"], 1, False),
    "x_lynx": Foe(2, 7, 6, ["meat", "meat"], 2, False),
    "x_bear": Foe(3, 6, 7, ["meat", "meat", "pelt"], 1, False),
    "x_hornets": Foe(2, 6, 7, ["poison"], 1, True),
    "x_elk": Foe(4, 8, 9, ["meat", "pelt"], 2, False),
    "x_wasps": Foe(3, 9, 5, ["salvage"], 1, True),
}
TOKENS = {name + "_token": name for name in FOES}
NESTS = {"x_nest": "x_bear", "x_swarm": "x_wasps"}
GOODS = ["food", "stone", "meat", "wood", "medicine", "clean_water", "dirty_water", "pelt", "poison", "salvage"]
CHIP = {g: "chip_" + g.split("_")[0] for g in GOODS}
DOUBLE = {"x_logs": "wood", "x_rubble": "stone", "x_flasks": "clean_water", "x_puddles": "dirty_water", "x_hides": "pelt", "x_rations": "food"}
GOOD = {chip: g for g, chip in CHIP.items()} | DOUBLE
POCKETS = {"x_sack": 3}
TITLES = {chip: g.replace("_", " ").capitalize() for g, chip in CHIP.items()} | {x: x[2:].capitalize() for x in DOUBLE}
PRICE = [("wood", 3), ("pelt", 1)]
HARMS = ["starvation", "dehydration", "sickness", "physical"]
REMEDY = {"starvation": "food", "dehydration": "water", "sickness": "medicine"}
NAMES = ["Tammy", "Ben", "Sue", "Ravi"]
SUPPORT = ["assault", "defend", "overpower"]
COMPASS = ["northeast", "east", "southeast", "southwest", "west", "northwest"]


def worth(token):
    return 2 if token in DOUBLE else 1


def pays(token, good):
    return GOOD[token] == good or good == "water" and GOOD[token] in ("clean_water", "dirty_water")


def step(here, way):
    """The space beside, on rows of which every second one is shifted to the east."""
    column, row = here
    odd = row % 2
    return {"east": (column + 1, row), "west": (column - 1, row), "northeast": (column + odd, row + 1), "northwest": (column + odd - 1, row + 1),
            "southeast": (column + odd, row - 1), "southwest": (column + odd - 1, row - 1)}[way]


def around(here):
    return [step(here, way) for way in COMPASS]


def plain(word):
    """A thing's name without the number that tells it from others like it."""
    return re.sub(r"#\d+", "", word)


def members(word):
    """The names in an answer that is a set, sorted."""
    inside = word.strip("{}")
    return tuple(sorted(plain(x) for x in inside.split(", "))) if inside else ()


def subsets(things, sizes):
    return {tuple(sorted(c)) for n in sizes for c in itertools.combinations(things, n)}


class Ask:
    """A question that must come next: of whom, which, and all that may be answered. One with a single answer may be passed over."""

    def __init__(self, who, prompt, options, kind="one"):
        self.who, self.prompt, self.kind = who, prompt, kind
        self.options = set(options)

    def single(self):
        return len(self.options) == 1

    def __repr__(self):
        return f"{self.who} is asked {self.prompt!r}: {sorted(self.options)}"


class Over(Exception):
    """Nobody is left."""


class Bag:
    def __init__(self, face, load=()):
        self.face, self.load = face, list(load)

    def room(self):
        return POCKETS.get(self.face, 0) - len(self.load)


# ---- the rules ----

class Position:
    """A position, and what becomes of it. The methods with questions are generators: they yield each question and are sent the answer."""

    def __init__(self):
        self.land, self.at, self.harm, self.alive, self.goods, self.items = set(), {}, {}, {}, {}, {}
        self.stamina, self.plans, self.aid = {}, {}, {}
        self.heap = collections.defaultdict(collections.Counter)     # resource tokens in a space
        self.lying = collections.defaultdict(list)                   # double tokens in a space
        self.spot = {}                                               # where an enemy's token lies
        self.down = set()                                            # tokens that lie face down
        self.foes = {}                                               # cards on the table: enemy, counters
        self.token = {}                                              # enemy, its token
        self.known, self.shelf, self.unlit, self.leader = [], 0, set(), None
        self.rolls, self.moves = collections.deque(), []             # what the log tells: what was rolled, whence tokens were taken
        self.fighter = None

    # who and where

    def players(self):
        return list(self.at)

    def survivors(self):
        return [p for p in self.at if self.alive[p]]

    def clockwise(self, people, after):
        names = self.players()
        k = names.index(after)
        return [p for p in names[k + 1:] + names[:k + 1] if p in people]

    def here(self, h):
        return [p for p in self.survivors() if self.at[p] == h]

    def beside(self, h):
        return [x for x in around(h) if x in self.land]

    def distances(self, h):
        found, edge = {h: 0}, [h]
        while edge:
            edge = [x for y in edge for x in self.beside(y) if x not in found and not found.update({x: found[y] + 1})]
        return found

    def beasts(self, h):
        return [t for t, x in self.spot.items() if x == h and t in TOKENS]

    def refuge(self, h):
        return h in self.land and not self.here(h)

    # resources

    def purse(self, p):
        return self.goods[p] + [t for i in self.items[p] for t in i.load]

    def owned(self, p, good):
        return sum(worth(t) for t in self.purse(p) if pays(t, good))

    def burden(self, p):
        loads = sum(len(i.load) for i in self.items[p]) if MISTAKE == 6 else 0
        return len(self.goods[p]) + len(self.items[p]) + loads      # D088, D091-D093

    def spend(self, p, good, n):                                    # D069, D076, D094
        due = n
        while due > 0 and self.alive[p]:
            t = yield Ask(p, "Spend which?", [t for t in self.purse(p) if pays(t, good)])
            self.take_from(p, t)
            due -= worth(t)
            if due < 0 and MISTAKE != 3:
                self.goods[p].append(CHIP[GOOD[t]])
            if GOOD[t] == "dirty_water":
                yield from self.sip(p)

    def take_from(self, p, token):
        """Takes a token from where the log says that it lay: before its owner, or in his bag."""
        title, k = TITLES[token], next((k for k, (title, _) in enumerate(self.moves) if title == TITLES[token]), None)
        assert k is not None, f"{title} of {p} is not moved"
        bag = self.moves[k][1] == "load"
        del self.moves[k]
        pile = next(i.load for i in self.items[p] if i.face in POCKETS) if bag else self.goods[p]
        assert token in pile, f"{p} has no {title} there"
        pile.remove(token)

    def sip(self, p):
        options = (["spend_a_medicine"] if self.owned(p, "medicine") else []) + ["roll_and_be_sick_at_1_to_3"]
        way = yield Ask(p, "Spend a medicine or Roll, and be sick at 1 to 3?", options)
        if way == "spend_a_medicine":
            yield from self.spend(p, "medicine", 1)
        elif self.roll("D12") <= 3:
            self.suffer(p, "sickness", 1)

    def drop(self, p, token):
        if token in DOUBLE:
            self.lying[self.at[p]].append(token)
        else:
            self.heap[self.at[p]][GOOD[token]] += 1

    def lose_item(self, p, item):
        for t in item.load:
            self.drop(p, t)
        self.items[p].remove(item)
        self.shelf += item.face == "x_sack"

    def settle(self):                                               # D088-D090
        limit = 11 if MISTAKE == 4 else 10
        for p in [p for p in self.survivors() if self.burden(p) > limit]:
            while True:
                choice = yield Ask(p, "What your bags hold", self.sorting(p) | {"done"}, kind="menu")
                if choice == "done":
                    break
                yield from self.sort(p, choice)
            n = max(0, self.burden(p) - limit)
            loose = self.goods[p] + [i.face for i in self.items[p] if i.face != "x_logbook"]
            chosen = yield Ask(p, "Over the limit: give up", subsets(loose, [min(n, len(loose))]), kind="subset")
            for x in chosen:
                if x in GOOD:
                    self.goods[p].remove(x)
                    self.drop(p, x)
                else:
                    self.lose_item(p, next(i for i in self.items[p] if i.face == x))

    def sorting(self, p):                                           # D091, D092
        return ({f"stow({t}, {i.face})" for t in self.goods[p] for i in self.items[p] if i.room() > 0}
                | {f"unload({t})" for i in self.items[p] for t in i.load} | {f"split({t})" for t in self.purse(p) if t in DOUBLE})

    def sort(self, p, choice):
        name, _, rest = choice.partition("(")
        token = rest.rstrip(")").split(", ")[0]
        if name == "stow":
            bag = next(i for i in self.items[p] if i.face == rest.rstrip(")").split(", ")[1])
            self.goods[p].remove(token)
            bag.load.append(token)
        elif name == "unload":
            self.take_from(p, token)
            self.goods[p].append(token)
        elif name == "split":
            self.take_from(p, token)
            self.goods[p] += [CHIP[GOOD[token]]] * 2
        yield from ()

    # damage

    def suffer(self, p, harm, n):                                   # D095
        if not self.alive[p]:
            return
        self.harm[p][harm] += n
        if sum(self.harm[p].values()) >= 4:                         # D046, D047, D049
            self.alive[p] = False
            self.plans[p] = []
            if not self.survivors():
                raise Over
            if self.leader == p:
                self.leader = self.clockwise(self.survivors(), p)[0]

    # combat

    def roll(self, die):
        assert self.rolls, f"the {die} die is not rolled"
        name, shown = self.rolls.popleft()
        assert name == die, f"{name} is rolled, not {die}"
        return shown

    def meet(self, p):                                              # D099, D100
        while self.alive[p] and self.beasts(self.at[p]):
            m = yield Ask(p, "Fight which first?", self.beasts(self.at[p]), kind="beast")
            yield from self.face(p, m)

    def face(self, p, m):
        foe = TOKENS.get(m) or NESTS[m]
        self.down.discard(m)
        self.foes.setdefault(foe, 0)
        self.token[foe] = m
        spot, who = self.spot[m], p
        while True:
            end = yield from self.combat(who, foe, m)
            here = self.here(spot)
            if end == "defeated" or not here or end == "beaten off" and not FOES[foe].lethal:
                return
            if MISTAKE != 7 or who not in here:
                who = self.clockwise(here, who)[0]                  # D118, D122

    def combat(self, p, foe, m):
        self.fighter, self.aid, self.used = p, {}, set()
        near = self.distances(self.at[p])
        for q in self.clockwise([q for q in self.survivors() if q != p and near.get(self.at[q], 99) <= 2], p):    # D109, D110
            card = yield Ask(q, f"Support {p}?", subsets(SUPPORT, [0, 1]), kind="subset")
            if card:
                self.aid[q] = card[0]
        dice = {"gray": self.roll("gray"), "red": self.roll("red")}  # D108
        plus = {"gray": 0, "red": 0}
        asked = [p] + self.clockwise([q for q in self.aid], p)
        passed, k = 0, 0
        while passed < len(asked):                                  # D111, D112, D119, D123, D125
            q = asked[k % len(asked)]
            k += 1
            choice = yield Ask(q, "Change the dice", self.modifiers(q, foe) | {"pass"}, kind="menu")
            passed = passed + 1 if choice == "pass" else 0
            if choice == "use_wood":
                yield from self.spend(q, "wood", 1)
                dice["gray"] = self.roll("gray")
            elif choice == "use_stone":
                yield from self.spend(q, "stone", 1)
                dice["red"] = self.roll("red")
            elif choice == "use_poison":
                yield from self.spend(q, "poison", 1)
                plus["gray"] += 1
            elif choice == "use_salvage":
                yield from self.spend(q, "salvage", 1)
                plus["red"] -= 1
            elif choice in ("aim(x_sling)", "charge(assault)"):
                self.used.add((q, choice))
                dice["gray"] = self.roll("gray")
            elif choice == "parry(defend)":
                self.used.add((q, choice))
                dice["red"] = self.roll("red")
            elif choice == "slip(x_veil)":                          # D118
                if not FOES[foe].lethal:
                    self.at[p] = yield Ask(p, "Where do you run?", self.havens(p), kind="hex")
                self.fighter = None
                return "escaped"
        yield from self.damage(p, foe, dice["gray"] + plus["gray"], dice["red"] + plus["red"])
        end = yield from self.retreat(p, foe, m, dice["red"])
        self.fighter = None
        return end

    def havens(self, p):
        return [h for h in self.beside(self.at[p]) if not self.beasts(h)]

    def modifiers(self, q, foe):
        out = set()
        if q == self.fighter:
            out |= {f"use_{g}" for g in ("wood", "stone", "poison", "salvage") if self.owned(q, g)}
            faces = [i.face for i in self.items[q]]
            out |= {"aim(x_sling)"} if "x_sling" in faces and (q, "aim(x_sling)") not in self.used else set()
            out |= {"slip(x_veil)"} if "x_veil" in faces and (FOES[foe].lethal or self.havens(q)) else set()
        else:
            mine = {"assault": "charge(assault)", "defend": "parry(defend)"}.get(self.aid[q])
            out |= {mine} if mine and (q, mine) not in self.used else set()
        return out

    def damage(self, p, foe, gray, red):                            # D113, D114, D120, D126
        powers = [q for q, card in self.aid.items() if card == "overpower"]
        hits = gray > FOES[foe].defense if MISTAKE == 1 else gray >= FOES[foe].defense
        hurts = FOES[foe].attack is not None and red >= FOES[foe].attack
        if hits:
            self.foes[foe] += 1 + len(powers)
            if self.foes[foe] >= FOES[foe].health:
                for g in FOES[foe].reward:                          # D121
                    who = yield Ask(p, f"Who gets the {g}?", [p, *self.aid])
                    self.goods[who].append(CHIP[g])
                del self.foes[foe]
                del self.spot[self.token.pop(foe)]
                if MISTAKE == 8:
                    return
        if not hurts:
            return
        shields = [q for q, card in self.aid.items() if card != "overpower"] if MISTAKE != 5 else []
        while shields:
            q, yes = yield Ask(p, "take the blow?", shields, kind="shield")
            shields.remove(q)
            if yes:
                self.suffer(q, "physical", 1)
                return
        self.suffer(p, "physical", 1)
        for q in powers if MISTAKE != 9 else []:
            self.suffer(q, "physical", 1)

    def retreat(self, p, foe, m, shown):                            # D115-D117, D122
        if foe not in self.foes:
            return "defeated"
        if FOES[foe].lethal:
            return "beaten off"
        home = self.at[p]
        way = COMPASS[((shown - 1) // 2 + (MISTAKE == 2)) % 6]
        h = home
        for _ in range(FOES[foe].strides):
            if self.refuge(step(h, way)):
                h = step(h, way)
            else:
                break
        if h == home:
            chooser = p if self.alive[p] else self.leader
            far = self.distances(home)
            free = [x for x in far if self.refuge(x)]
            least = min((far[x] for x in free), default=None)
            # A survivor's own space is no refuge; that of one who has just died may be.
            goals = [x for x in free if far[x] == 1] or [x for x in free if far[x] == least]
            if goals:
                h = yield Ask(chooser, "go?", goals, kind="hex")
        self.spot[m] = h
        return "beaten off"

    # actions

    def acts(self, p):
        h, out = self.at[p], self.sorting(p) | {"done"}
        tired = self.stamina[p] < 1
        if tired:
            return out
        if self.lying[h] or +self.heap[h] or any(x == h and t in NESTS for t, x in self.spot.items()):
            out.add("gather")
        out |= {f"trade({q})" for q in self.here(h) if q != p}
        out |= {f"recover({q}, {x})" for q in self.here(h) for x, g in REMEDY.items() if self.harm[q][x] and self.owned(p, g)}
        out |= {"restart(hearth)"} if h in self.unlit and self.owned(p, "wood") else set()
        if "x_sack_plan" in self.plans[p] + self.known and self.shelf and all(self.owned(p, g) >= n for g, n in PRICE):
            out.add("craft(x_sack_plan)")
        return out

    def act(self, p, choice):
        name, _, rest = choice.partition("(")
        words = rest.rstrip(")").split(", ")
        if name in ("stow", "unload", "split"):
            yield from self.sort(p, choice)
        elif name == "gather":
            self.stamina[p] -= 1
            yield from self.gather(p)
        elif name == "move_on":
            self.stamina[p] -= 1
            self.at[p] = self.named[words[0]]
            yield from self.meet(p)
            h = self.at[p]
            if self.alive[p] and (self.lying[h] or +self.heap[h] or any(x == h and t in NESTS for t, x in self.spot.items())):
                yes = yield Ask(p, "Gather here, for nothing?", ["yes", "no"])
                if yes == "yes":
                    yield from self.gather(p)
        elif name == "restart":                                     # D073
            self.stamina[p] -= 1
            yield from self.spend(p, "wood", 1)
            self.unlit.discard(self.at[p])
        elif name == "recover":                                     # D074
            self.stamina[p] -= 1
            yield from self.spend(p, REMEDY[words[1]], 1)
            if self.alive[words[0]] and self.harm[words[0]][words[1]]:
                self.harm[words[0]][words[1]] -= 1
        elif name == "craft":                                       # D064, D065, D080
            self.stamina[p] -= 1
            if "x_sack_plan" in self.plans[p]:
                self.plans[p].remove("x_sack_plan")
                self.known.append("x_sack_plan")
            for g, n in PRICE:
                yield from self.spend(p, g, n)
            self.shelf -= 1
            yield from self.receive(p, Bag("x_sack"))
        elif name == "trade":
            yield from self.trade(p, words[0])
        yield from self.settle()

    def gather(self, p):                                            # D050, D053-D055
        h = self.at[p]
        tokens = self.lying[h] + [t for t, x in self.spot.items() if x == h and t in NESTS]
        ways = (["gather_a_token"] if tokens else []) + (["take_what_was_left_here"] if +self.heap[h] else [])
        way = yield Ask(p, "Gather a token or Take what was left here?", ways)
        if way == "gather_a_token":
            t = yield Ask(p, "Gather what?", tokens)
            if t in NESTS:
                yield from self.face(p, t)
            else:
                self.lying[h].remove(t)
                self.goods[p].append(t)
        else:
            g = yield Ask(p, "Take what?", +self.heap[h])
            self.heap[h][g] -= 1
            self.goods[p].append(CHIP[g])

    def receive(self, p, item):                                     # D080
        old = next((i for i in self.items[p] if i.face == item.face), None)
        self.items[p].append(item)
        if old is not None:
            heir = yield Ask(p, "Give the old", self.here(self.at[p]))
            if heir == p:
                self.lose_item(p, old)
            else:
                self.items[p].remove(old)
                yield from self.receive(heir, old)

    def trade(self, p, q):                                          # D062, D063, D091
        wares = {x: subsets(self.purse(x) + [i.face for i in self.items[x]], range(30)) for x in (p, q)}
        mine = yield Ask(p, "You give", wares[p], kind="subset")
        plans = yield Ask(p, "Which of your projects", subsets(self.plans[p], range(len(self.plans[p]) + 1)), kind="subset")
        theirs = yield Ask(p, "You ask for", wares[q], kind="subset")
        asked = yield Ask(p, "And how many", {str(n) for n in range(len(self.plans[q]) + 1)})
        more = yield Ask(q, "Which projects would you let go?", subsets(self.plans[q], [int(asked)]), kind="subset")
        first = yield Ask(p, "Agreed?", ["agree", "decline"])
        second = yield Ask(q, "Agreed?", ["agree", "decline"])
        if (first, second) == ("agree", "agree"):
            self.stamina[p] -= 1
            for giver, taker, chosen in ((p, q, plans), (q, p, more)):
                for plan in chosen:
                    self.plans[giver].remove(plan)
                    self.plans[taker].append(plan)
            bags = [(giver, taker, next(i for i in self.items[giver] if i.face == x))
                    for giver, taker, chosen in ((p, q, mine), (q, p, theirs)) for x in chosen if x not in GOOD]
            new = {}
            for giver, taker, chosen in ((p, q, mine), (q, p, theirs)):
                new[taker] = [x for x in chosen if x in GOOD]
                for x in new[taker]:
                    self.take_from(giver, x)
            for taker, tokens in new.items():
                self.goods[taker] += tokens
            for giver, _, bag in bags:
                self.items[giver].remove(bag)
            for _, taker, bag in bags:
                yield from self.receive(taker, bag)


# ---- the program that plays ----

class Table:
    def __init__(self, program, game, seats):
        mod = pathlib.Path(__file__).with_suffix(".rules")
        self.run = subprocess.Popen([program, "play", game, "--json", "--scenario", "cry", "--mod", mod, "--players", str(seats), "--names", ",".join(NAMES[:seats])],
                                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.receive()
        self.state = self.receive()

    def receive(self):
        line = self.run.stdout.readline()
        if not line:
            sys.exit("the game cannot be played")
        return json.loads(line)

    def ask(self, **request):
        print(json.dumps(request), file=self.run.stdin, flush=True)
        return self.receive()

    def begin(self, text, seed):
        hello = self.ask(do="start", given=text, seed=seed)
        assert hello["type"] == "hello", f"{hello}\n{text}"
        self.state, self.lines = self.receive(), 0

    def news(self):
        """The new lines of the log."""
        lines = self.log()
        new, self.lines = lines[self.lines:], len(lines)
        return new

    def log(self):
        return [line["text"] for line in self.ask(do="log")["lines"]]

    def view(self):
        return self.ask(do="view", seat=0)["view"]

    def choices(self, decision):
        if decision["count"] is None or decision["count"] > len(decision["choices"]):
            return [o["words"] for o in self.ask(do="options", question=decision["question"], most=10000)["options"]]
        return decision["choices"]

    def choose(self, decision, choice):
        self.state = self.ask(do="choose", question=decision["question"], seat=decision["seats"][0], choice=choice)
        assert self.state["type"] == "state", f"{choice} is refused: {self.state['message']}"

    def leave(self):
        self.ask(do="quit")
        self.run.wait()


def attribute(thing, name):
    return next(a["word"] for a in thing["attrs"] if a["name"] == name)


def pile(thing, zone):
    return sorted(c["face"]["word"] if c["face"] else "face down" for p in thing["piles"] if p["zone"] == zone for c in p["cards"])


KNOWN = {"gather", "stow", "unload", "split", "recover", "restart", "craft", "trade", "done"}
FIGHTING = {"use_wood", "use_stone", "use_poison", "use_salvage", "aim", "slip", "charge", "parry", "pass"}


class Match:
    """A position that is played: answers questions at random and compares each with what the rules say."""

    def __init__(self, table, model, chance, counts):
        self.table, self.model, self.chance, self.counts = table, model, chance, counts
        self.said = []

    def listen(self):
        for line in self.table.news():
            if rolled := re.fullmatch(r"(?:\w+ rolls )?(?:The (gray|red) die|(D12)) (\d+)", line):
                self.model.rolls.append((rolled[1] or rolled[2], int(rolled[3])))
            elif moved := re.fullmatch(r"(.+) goes from (.+)'s (goods|load) to .+", line):
                self.model.moves.append((moved[1], moved[3]))

    def follow(self, script):
        """Lets the generator of the rules and the program run side by side."""
        self.listen()
        answer = None
        while True:
            try:
                question = script.send(answer)
            except StopIteration:
                break
            answer = self.answer(question)
        assert not self.model.rolls, f"rolled besides: {self.model.rolls}"

    def answer(self, ask):
        only = next(iter(ask.options)) if ask.single() else None
        if ask.kind == "shield":
            only = None
        found = [d for d in self.table.state["decisions"] if d["name"] == ask.who and ask.prompt in d["prompt"] and (ask.prompt or not d["prompt"])]
        if not found:
            assert only is not None, f"{ask}, not {self.open()}"
            return only
        assert not self.model.rolls, f"rolled before {ask}: {self.model.rolls}"
        decision = found[0]
        choices = self.table.choices(decision)
        told, words = self.told(ask, decision, choices)
        if only is not None and told is not None and told != ask.options:
            return only                                             # the question behind it
        assert told is None or told == ask.options, f"{ask}, not {sorted(told)}; more: {sorted(told - ask.options)}, less: {sorted(ask.options - told)}"
        if ask.prompt == "By day":
            return decision
        self.counts["questions"] += 1
        choice = self.pick(ask, choices)
        self.said.append(f"{ask.who}: {choice}")
        if ask.kind == "menu":
            self.model.moves = []
        self.table.choose(decision, choice)
        self.listen()
        return words(choice)

    def open(self):
        return [(d["name"], d["prompt"], d["choices"][:12]) for d in self.table.state["decisions"]] or self.table.state["result"]

    def told(self, ask, decision, choices):
        """What is on offer, in the words of the rules, and how an answer is read."""
        if ask.kind == "subset":
            return {members(c) for c in choices}, members
        if ask.kind == "hex":
            at = lambda c: self.model.named[c]
            return {at(c) for c in choices}, at
        if ask.kind == "shield":
            name = next(q for q in ask.options if f"Let {q} take" in decision["prompt"])
            return None, lambda c: (name, c == "yes")
        if ask.kind == "menu":
            wanted = FIGHTING if ask.prompt == "Change the dice" else KNOWN
            return {plain(c).removesuffix("()") for c in choices if c.split("(")[0] in wanted}, plain
        if ask.kind == "beast" and len(choices) == 1:
            return None, lambda c: next(iter(ask.options))
        if ask.prompt == "Gather what?" and any("_" not in c for c in choices):
            return None, plain
        return {plain(c) for c in choices}, plain

    def pick(self, ask, choices):
        if ask.prompt in ("Change the dice", "What your bags hold"):
            stop = [c for c in choices if c in ("pass", "done")]
            if self.chance.random() < 0.4 or len(choices) == 1:
                return stop[0]
            return self.chance.choice([c for c in choices if c not in stop])
        return self.chance.choice(choices)

    def compare(self):
        """Everything that lies open."""
        m, view = self.model, self.table.view()
        players = {p["name"]["word"]: p for p in view["players"]}
        spaces = {s["name"]["word"]: s for s in view["maps"][0]["spaces"]}
        said, true = {}, {}
        for p in m.players():
            v = players[p]
            said[p] = (attribute(v, "at"), attribute(v, "standing"), [int(attribute(v, f"harm {x}")) for x in HARMS], int(attribute(v, "stamina")),
                       pile(v, "goods"), pile(v, "items"), pile(v, "aid"), len(pile(v, "support")))
            true[p] = (m.names[m.at[p]], "surviving" if m.alive[p] else "casualty", [m.harm[p][x] for x in HARMS], m.stamina[p],
                       sorted(m.goods[p]), sorted(i.face for i in m.items[p]), [], 3 if len(m.at) > 1 else 0)
        for h, name in m.names.items():
            s = spaces[name]
            said[name] = (pile(s, "beasts"), pile(s, "finds"), pile(s, "goods"), [int(attribute(s, f"heap {g}")) for g in GOODS])
            true[name] = (sorted("face down" if t in m.down else t for t, x in m.spot.items() if x == h and t in TOKENS), sorted(t for t, x in m.spot.items() if x == h and t in NESTS),
                          sorted(m.lying[h]), [m.heap[h][g] for g in GOODS])
        foes = next(p["cards"] for p in view["table"]["piles"] if p["zone"] == "foes")
        said["foes"] = {c["face"]["word"]: int(attribute(c, "counters")) for c in foes}
        true["foes"] = m.foes
        said["leader"], true["leader"] = attribute(view["table"], "leader"), m.leader
        for key in true:
            assert said[key] == true[key], f"{key}: {said[key]}, foretold {true[key]}"
        self.counts["compared"] += 1


# ---- mistakes for --plant: file of the rules, what stands there, what stands there instead ----

PLANTS = [
    ("combat", "result(gray) >= combat.foe.defense", "result(gray) > combat.foe.defense"),
    ("combat", "result(red) >= combat.foe.attack", "result(red) > combat.foe.attack"),
    ("combat", "if hurts {", "if hurts and combat.foe in foes {"),
    ("combat", "value shielding: bool               = yes", "value shielding: bool = no"),
    ("combat", "modify force += 1", "modify force += 0"),
    ("combat", "when p == combat.fighter { suffer(owner, physical, 1) }", "when no { suffer(owner, physical, 1) }"),
    ("combat", "d.plus += 1", "d.plus += 2"),
    ("combat", "d.plus -= 1", "d.plus += 1"),
    ("combat", "cost 1 wood { roll own_die(me) }", "cost 1 wood { roll foe_die(me) }"),
    ("combat", "near(it.at, combat.fighter.at) <= 2", "near(it.at, combat.fighter.at) <= 3"),
    ("combat", "after combat(p, e, m) { for q in players { move q.aid to q.support } }", "after deal_damage() { for q in players { move q.aid to q.support } }"),
    ("combat", "repeat foe.strides times {", "repeat 1 times {"),
    ("combat", "heading(red.value)", "heading(gray.value)"),
    ("combat", "needs h is some and refuge(h)", "needs h is some and explored(h)"),
    ("combat", "  if m.at == home { give_way(m, least(h in Hex where refuge(it): near(h, home))) }\n", ""),
    ("combat", "beaten_off and not foe.lethal)", "beaten_off)"),
    ("combat", "if foe.lethal or m is none { give beaten_off }", "if m is none { give beaten_off }"),
    ("combat", "from: left(who))", "from: who)"),
    ("combat", "if not lethal { move me", "if havens(my.at) is not empty { move me"),
    ("combat", "known_land(h) where it.beasts is empty", "known_land(h)"),
    ("combat", "(survivors where it == me or it.aid is not empty)", "survivors"),
    ("discover", "1: northeast, 2: east, 3: southeast, 4: southwest, 5: west, else: northwest", "1: east, 2: southeast, 3: southwest, 4: west, 5: northwest, else: northeast"),
    ("discover", "plus: -30..30 = 0 per combat", "plus: -30..30 = 0"),
    ("discover", "value limit(p: player): 0..99             = 10", "value limit(p: player): 0..99 = 11"),
    ("discover", "count(p.goods) + count(p.items)", "count(p.goods)"),
    ("discover", "count(p.goods) + count(p.items)", "count(purse(p)) + count(p.items)"),
    ("discover", "explored(h) and survivors_at(h) is empty", "explored(h)"),
    ("actions", "  if change is some { take(1, change) }\n", ""),
    ("actions", "count(it.load) < it.pockets", "count(it.load) <= it.pockets"),
    ("actions", "if g is some { take(2, g) }", "if g is some { take(1, g) }"),
    ("actions", "if x is Item { lose_item(x) } else { leave(x) }", "if x is Item { lose_item(x) } else { discard x }"),
    ("actions", "(my.items where not it.quest)", "my.items"),
    ("actions", "for t in o.load { leave(t) }", "for t in o.load { discard t }"),
    ("actions", "after acts when settle is not running", "after acts when no"),
    ("actions", "roll(D12) <= 3", "roll(D12) <= 4"),
    ("actions", "if hurt(p) >= 4", "if hurt(p) > 4"),
    ("actions", "if leader == p { leader = next_leader(p) }                  # D047", "if leader == p { leader = first of survivors }"),
]


# ---- random positions ----

def weigh(chance, *pairs):
    things, weights = zip(*pairs)
    return chance.choices(things, weights)[0]


def strew(hexes, seats, fights, chance):
    """A position, what it is as a given state, and where its first player goes."""
    m = Position()
    m.names, m.named = {h: name for h, (name, _) in hexes.items()}, {name: h for h, (name, _) in hexes.items()}
    sites = sorted({site for _, site in hexes.values()})
    open_sites = {"g"} | {s for s in sites if chance.random() < chance.choice([0.2, 0.5, 0.9])}
    m.land = {h for h, (_, site) in hexes.items() if site in open_sites}
    people = NAMES[:seats]
    p = chance.choice(people)
    m.leader = p
    text = ["move Resource to bank", "move D12 to dice", f"leader = {p}"]
    text += [f"move first of box where x_plain to {s}.tile" + ("" if s in open_sites else " face down") for s in sites if s in open_sites or chance.random() < 0.5]
    if seats > 1:
        text.append("for p in players { move Support of p to p.support }")
    while True:
        start = chance.choice(sorted(m.land))
        if not fights or m.beside(start):
            break
    goal = chance.choice(m.beside(start)) if fights else start
    near = [h for h, n in m.distances(goal).items() if n <= 3]
    crowd = chance.random() < 0.3
    for q in people:
        m.at[q] = start if q == p else weigh(chance, (goal, 1 + 2 * (not fights)), (start, 1), (chance.choice(m.beside(goal) or [start]), 9 if crowd else 2), (chance.choice(near), 2))
        m.alive[q], m.stamina[q], m.plans[q], m.goods[q], m.items[q] = True, {1: 12, 2: 10}.get(seats, 8), [], [], []
        m.harm[q] = dict.fromkeys(HARMS, 0)
        for _ in range(chance.choice([0, 0, 1, 2, 3])):
            m.harm[q][chance.choice(HARMS)] += 1
        text += [f"move {q} to {m.names[m.at[q]]}"] + [f"{q}.harm += {n} * {x}" for x, n in m.harm[q].items() if n]
    stock = collections.Counter({t: 3 for t in DOUBLE})

    def give(q, most, kinds):
        """Tokens, first those that go into the bag."""
        for pile_, n in [(i.load, chance.randint(0, 3)) for i in m.items[q] if i.face in POCKETS] + [(m.goods[q], most)]:
            for _ in range(n):
                t = CHIP[chance.choice(kinds)]
                if chance.random() < 0.3:
                    t = chance.choice([x for x in DOUBLE if GOOD[x] in kinds])
                    if not stock[t]:
                        continue
                    stock[t] -= 1
                where = "goods" if pile_ is m.goods[q] else None
                text.append(f"move {t} to {q}.goods" if t in DOUBLE else f"as {q} {{ take(1, {GOOD[t]}) }}")
                if where is None:
                    text.append(f"move first of {q}.goods where {t} to (first of {q}.items where x_sack).load")
                pile_.append(t)

    owners = [q for q in people if chance.random() < 0.6]
    sacks = chance.sample(owners, min(len(owners), 2)) if not fights or chance.random() < 0.5 else []
    for q in people:
        faces = ["x_sack"] if q in sacks else []
        if q == p:
            faces += [x for x in ("x_sling", "x_veil", "x_logbook") if chance.random() < 0.4]
        for x in faces:
            m.items[q].append(Bag(x))
            text.append(f"move {x} to {q}.items")
    fuel = ["wood", "stone", "poison", "salvage"]
    if fights:
        give(p, chance.randint(0, 6), fuel)
        for q in people:
            if q != p and chance.random() < 0.3:
                give(q, chance.randint(0, 3), fuel)
    else:
        kinds = chance.sample(GOODS, 4) + ["wood", "wood", "pelt"] + chance.sample(["clean_water", "dirty_water", "medicine", "food"], 2)
        give(p, chance.randint(4, 10) - len(m.items[p]), kinds)
        for q in people:
            if q != p:
                give(q, chance.randint(0, 9) - len(m.items[q]), kinds)
        for _ in range(chance.randint(0, 4)):
            g = chance.choice(kinds)
            m.heap[start][g] += 1
            text.append(f"{m.names[start]}.heap += 1 * {g}")
        for t in [t for t in DOUBLE if stock[t] and chance.random() < 0.3]:
            m.lying[start].append(t)
            text.append(f"move {t} to {m.names[start]}.goods face up")
        if chance.random() < 0.5:
            m.unlit.add(start)
            text += [f"move hearth to {m.names[start]}.fires", "hearth.lit = no"]
        if chance.random() < 0.6:
            q = p if chance.random() < 0.8 else chance.choice(people)
            m.plans[q].append("x_sack_plan")
            text.append(f"move x_sack_plan to {q}.plans")
    m.shelf = 2 - sum(i.face == "x_sack" for q in people for i in m.items[q])
    text += ["for c in box where x_sack { move c to decks[crafted] }"]
    actions = None
    if fights:
        nest = chance.random() < 0.25
        if nest:
            tokens = [chance.choice(sorted(NESTS))]
            m.spot[tokens[0]] = start
            actions = ["gather"]
        else:
            tokens = chance.sample(sorted(TOKENS), chance.choice([1, 1, 1, 2]))
            m.spot.update({t: goal for t in tokens})
            actions = [f"move_on({m.names[goal]})"]
        # Others stand about, and one of them may lie where the enemy goes or where somebody wants to run.
        for t in TOKENS:
            if t not in tokens and chance.random() < 0.15:
                free = [h for h in near if m.refuge(h) and h not in (start, goal)]
                if free:
                    m.spot[t] = chance.choice(free)
        for t, h in m.spot.items():
            down = " face down" if t in TOKENS and (len(tokens) == 1 or t not in tokens) and chance.random() < 0.4 else " face up"
            text.append(f"move {t} to {m.names[h]}.{'beasts' if t in TOKENS else 'finds'}{down}")
            m.down |= {t} if down == " face down" else set()
            foe = TOKENS.get(t) or NESTS[t]
            if down == " face up" and chance.random() < 0.5 and foe not in m.foes:
                m.foes[foe] = chance.randrange(FOES[foe].health)
                m.token[foe] = t
                text += [f"move {foe} to foes", f"{foe}.token = {t}", f"{foe}.counters = {m.foes[foe]}"]
    text += ["for c in box where " + " or ".join(FOES) + " { move c to decks[enemies] }", "start at day"]
    return m, p, actions, f"given on cry with {', '.join(people)} {{\n  " + "\n  ".join(text) + "\n}\n"


def one(table, hexes, seats, fights, seed, counts):
    chance = random.Random(seed)
    m, p, actions, text = strew(hexes, seats, fights, chance)
    table.begin(text, chance.randrange(1 << 30))
    match = Match(table, m, chance, counts)
    try:
        m.rolls.clear()
        decision = match.answer(Ask(p, "By day", m.acts(p), kind="menu"))
        match.compare()
        for k in range(1 if fights else 8):
            choices = actions or [c for c in table.choices(decision) if c.split("(")[0] in KNOWN - {"done"}]
            if not choices:
                break
            choice = choices[0] if fights else weigh_actions(choices, chance)
            match.said.append(f"{p}: {choice}")
            m.moves = []
            table.choose(decision, choice)
            counts["actions"] += 1
            try:
                match.follow(m.act(p, plain(choice).removesuffix("()")))
            except Over:
                assert table.state["over"], "nobody is left, and the game goes on"
                break
            assert not table.state["over"], "the game is over, and somebody is left"
            if not m.alive[p]:
                match.compare()
                break
            decision = match.answer(Ask(p, "By day", m.acts(p), kind="menu"))
            match.compare()
    except (AssertionError, LookupError, ValueError, StopIteration) as wrong:
        raise AssertionError(f"position {seed}: {wrong}\n" + "\n".join(match.said + text.splitlines() + table.log()[-25:])) from wrong


def weigh_actions(choices, chance):
    """A sort of action first, so that many alike do not push the others aside."""
    sort = chance.choice(sorted({c.split("(")[0] for c in choices}))
    return chance.choice([c for c in choices if c.split("(")[0] == sort])


def run(program, game, wanted, seed):
    counts, tables, hexes = collections.Counter(), {}, {}
    try:
        for k in range(seed, seed + wanted):
            seats = 1 + k % 4
            if seats not in tables:
                tables[seats] = Table(program, game, seats)
                shown = tables[seats].view()["maps"][0]
                hexes = {tuple(at): (s["name"]["word"], attribute(s, "slot")) for at, s in zip(shown["at"], shown["spaces"])}
            one(tables[seats], hexes, seats, k // 4 % 3 < 2, k, counts)
    finally:
        for table in tables.values():
            table.leave()
    return counts


def plant(program, game, wanted, seed):
    """Whether the oracle finds each planted mistake. GAME is the folder of the rules, with the scenarios in a folder of the same name beside `rules`."""
    rules = pathlib.Path(game)
    missed = 0
    for file, old, new in PLANTS:
        with tempfile.TemporaryDirectory() as folder:
            for source in [*rules.glob("*.rules"), *(rules.parent.parent / "scenarios" / rules.name).glob("*.scenario")]:
                shutil.copy(source, folder)
            changed = pathlib.Path(folder, file + ".rules")
            text = changed.read_text()
            assert old in text, f"{file}.rules has no {old}"
            changed.write_text(text.replace(old, new, 1))
            try:
                run(program, folder, wanted, seed)
                missed += 1
                found = f"not found in {wanted} positions"
            except AssertionError as wrong:
                found = "found: " + str(wrong).splitlines()[0][:150]
            except SystemExit as wrong:
                missed += 1
                found = str(wrong)
        print(f"{file}: {' '.join(old.split())} -> {' '.join(new.split()) or 'nothing'}\n  {found}", flush=True)
    print(f"{len(PLANTS) - missed} of {len(PLANTS)} planted mistakes found")
    return missed


def main():
    global MISTAKE
    said = argparse.ArgumentParser()
    said.add_argument("program")
    said.add_argument("game")
    said.add_argument("wanted", type=int)
    said.add_argument("seed", type=int, nargs="?", default=1)
    said.add_argument("--mistake", type=int, default=0, choices=[0, *MISTAKES])
    said.add_argument("--plant", action="store_true")
    said = said.parse_args()
    MISTAKE = said.mistake
    if said.plant:
        sys.exit(plant(said.program, said.game, said.wanted, said.seed) > 0)
    try:
        counts = run(said.program, said.game, said.wanted, said.seed)
    except AssertionError as wrong:
        sys.exit(str(wrong))
    print(f"{said.wanted} positions as foretold: {counts['actions']} actions, {counts['questions']} questions, {counts['compared']} comparisons")


main()
