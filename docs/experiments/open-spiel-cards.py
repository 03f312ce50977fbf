#!/usr/bin/env python3
"""Hearts and Hanabi beside OpenSpiel's, card by card. Run by `open-spiel.sh cards`; exits with 1 if anything differs.

Our program deals. OpenSpiel gets the same cards, and then both play the same random game: before each choice the legal moves are compared, and at the end the scores.
"""
import argparse
import json
import os
import random
import subprocess
import sys

import pyspiel

HOUSERULE = os.environ.get("HOUSERULE", "houserule")


class Ours:
    """A game of our program, driven by JSON."""

    def __init__(self, game, *options):
        self.program = subprocess.Popen(
            [HOUSERULE, "play", game, "--json", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.read(), self.read()

    def read(self):
        told = json.loads(self.program.stdout.readline())
        if told["type"] == "error":
            sys.exit(f"{told}")
        return told

    def ask(self, do, **more):
        self.program.stdin.write(json.dumps({"do": do, **more}) + "\n")
        self.program.stdin.flush()
        return self.read()

    def start(self, seed):
        self.ask("start", seed=seed)
        return self.read()

    def options(self):
        return [o["words"] for o in self.ask("options")["options"]]

    def hand(self, of, seen_by):
        """The faces of a hand, from the top."""
        piles = self.ask("view", seat=seen_by)["view"]["players"][of]["piles"]
        return [c["face"]["title"] for pile in piles if pile["zone"] == "hand" for c in pile["cards"]]

    def close(self):
        self.program.stdin.close()
        self.program.wait()


def deal(s, card):
    """Chance deals this card."""
    for action in s.legal_actions():
        if card in s.action_to_string(action):
            s.apply_action(action)
            return
    sys.exit(f"OpenSpiel cannot deal {card}")


def compare(game, seed, step, ours, theirs):
    if set(ours) != set(theirs) or len(ours) != len(theirs):
        sys.exit(f"{game}, seed {seed}, choice {step}: ours {sorted(ours)}, theirs {sorted(theirs)}")


RANKS = {"jack": "J", "queen": "Q", "king": "K", "ace": "A", "10": "T"}


def heart_card(title):
    """`queen of spades` as OpenSpiel calls it: `QS`."""
    rank, suit = title.split(" of ")
    return RANKS.get(rank, rank) + suit[0].upper()


def hearts(games, queen_breaks):
    flag = "true" if queen_breaks else "false"
    load = pyspiel.load_game(f"hearts(pass_cards=false,qs_breaks_hearts={flag})")
    ours = Ours("hearts", *("--option passing=no --option goal=1 --option queen_breaks=" + ("yes" if queen_breaks else "no")).split())
    compared = 0
    for seed in range(games):
        rnd = random.Random(seed)
        state = ours.start(seed)
        hands = [[heart_card(c) for c in ours.hand(p, p)] for p in range(4)]
        s = load.new_initial_state()
        s.apply_action(0)  # nothing is passed
        while s.is_chance_node():
            deal(s, hands[-sum(map(len, hands)) % 4].pop())
        while not state["over"]:
            titles = {heart_card(o["title"][5:-1]): o["words"] for o in ours.ask("options")["options"]}
            legal = {s.action_to_string(a): a for a in s.legal_actions()}
            if state["decisions"][0]["player"] != s.current_player():
                sys.exit(f"hearts, seed {seed}: another player acts")
            compare("hearts", seed, state["step"], titles, legal)
            compared += 1
            card = rnd.choice(sorted(legal))
            s.apply_action(legal[card])
            state = ours.ask("choose", choice=titles[card])
        points = [score[0] for score in state["result"]["scores"]]
        if not s.is_terminal() or points != [26 - r for r in s.returns()]:
            sys.exit(f"hearts, seed {seed}: ours {points}, theirs {s.returns()}")
    ours.close()
    return compared


COLORS = {"red": "R", "yellow": "Y", "green": "G", "white": "W", "blue": "B"}


def hanabi_card(title):
    color, rank = title.split()
    return COLORS[color] + rank


def hanabi(games, players):
    load = pyspiel.load_game(f"hanabi(players={players})")
    ours = Ours("hanabi", "--players", str(players))
    compared = 0
    for seed in range(games):
        rnd = random.Random(seed)
        state = ours.start(seed)
        hand = lambda p: [hanabi_card(c) for c in ours.hand(p, (p + 1) % players)]
        s = load.new_initial_state()
        for p in range(players):
            for card in reversed(hand(p)):
                deal(s, card)
        while not state["over"]:
            me = s.current_player()
            if state["decisions"][0]["player"] != me:
                sys.exit(f"hanabi, seed {seed}: another player acts")
            size = len(hand(me))
            legal = {s.action_to_string(a): a for a in s.legal_actions()}
            moves = {}
            for words in ours.options():
                name, arguments = words[:-1].split("(")
                arguments = arguments.split(",")
                if name in ("play", "throw_away"):
                    # Ours counts from the card drawn last, theirs from the first.
                    moves[f"({'Play' if name == 'play' else 'Discard'} {size - int(arguments[0])})"] = words
                else:
                    away = (int(arguments[0].strip()[len("Player"):]) - 1 - me) % players
                    what = arguments[1].strip()
                    what = f"rank {what}" if name == "tell_rank" else f"color {COLORS[what]}"
                    moves[f"(Reveal player +{away} {what})"] = words
            compare("hanabi", seed, state["step"], moves, legal)
            compared += 1
            # Few cards are played, so that games come to their last round.
            names = sorted(legal)
            calm = [n for n in names if not n.startswith("(Play")]
            name = rnd.choice(calm if calm and rnd.random() < 0.9 else names)
            s.apply_action(legal[name])
            state = ours.ask("choose", choice=moves[name])
            if s.is_chance_node():
                deal(s, hand(me)[0])
        result = state["result"]
        won = result["verdicts"][0] == "won"
        score = result["scores"][0][0] if won else 0
        if not s.is_terminal() or any(r != score for r in s.returns()):
            sys.exit(f"hanabi, seed {seed}: ours {score}, theirs {s.returns()}")
    ours.close()
    return compared


def main():
    args = argparse.ArgumentParser(description=__doc__)
    args.add_argument("--games", type=int, default=200)
    n = args.parse_args().games
    for queen_breaks in (False, True):
        print(f"hearts, the queen of spades breaks hearts: {queen_breaks}: {n} games, {hearts(n, queen_breaks)} sets of moves alike", flush=True)
    for players in range(2, 6):
        print(f"hanabi for {players}: {n} games, {hanabi(n, players)} sets of moves alike", flush=True)


main()
