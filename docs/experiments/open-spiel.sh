#!/bin/sh
# Random games of ours beside OpenSpiel's: how many ways there are to go on, how long games are, who wins. Not run by CI: it installs open_spiel from PyPI into an environment of its own.
#
#   docs/experiments/open-spiel.sh [--games N] [--only NAME,NAME]      100,000 games of each unless said
#   docs/experiments/open-spiel.sh cards [--games N]                   Hearts and Hanabi with the same cards, move by move; 200 games of each unless said
#
# HOUSERULE names the program, unless it is the one on the path. VENV says where the environment is (to be).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
venv=${VENV:-${XDG_CACHE_HOME:-$HOME/.cache}/houserule/open-spiel}
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/python" -c 'import pyspiel' 2>/dev/null || "$venv/bin/pip" install -q 'open_spiel==2.0.2'
program=open-spiel.py
if [ "${1:-}" = cards ]; then program=open-spiel-cards.py; shift; fi
exec "$venv/bin/python" "$here/$program" "$@"
