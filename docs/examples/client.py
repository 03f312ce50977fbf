#!/usr/bin/env python3
"""Plays a game of Houserule by always taking the middle choice, and says who has won.

usage: client.py HOUSERULE GAME [arguments of `houserule play` …]
"""
import json
import subprocess
import sys


def main():
    command = [sys.argv[1], "play", sys.argv[2], "--json", *sys.argv[3:]]
    game = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def receive():
        return json.loads(game.stdout.readline())

    def ask(**request):
        print(json.dumps(request), file=game.stdin, flush=True)
        return receive()

    hello, state = receive(), receive()
    assert hello["protocol"] == 2
    while not state["over"]:
        decision = state["decisions"][0]
        choice = decision["choices"][len(decision["choices"]) // 2]
        state = ask(do="choose", question=decision["question"], seat=decision["seats"][0], choice=choice)
        if state["type"] == "error":
            sys.exit(state["message"])
    verdicts = state["result"].get("verdicts", [])
    told = ", ".join(f"{name} {verdict}" for name, verdict in zip(hello["players"], verdicts))
    print(f"{hello['title']}: {told} after {state['step']} choices")
    ask(do="quit")
    sys.exit(game.wait())


main()
