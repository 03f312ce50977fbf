#!/usr/bin/env bash
# Pictures of the real window, made without a display: what docs/editor/ shows. Not run by the tests.
#
#   tests/screens.sh [FOLDER]        docs/editor unless said; EDITOR_BIN names the program, target/debug/houserule-editor unless said
#   tests/screens.sh --compare       makes them elsewhere and says which are other than those in docs/editor; fails if one is
#
# Needs Xvfb with a software OpenGL driver, xdotool and ImageMagick's import. Works on a copy of the shipped games in a folder of its own.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
compare=no
if [ "${1:-}" = --compare ]; then
    compare=yes
    set -- "$(mktemp -d)"
fi
out=$(mkdir -p "${1:-$root/docs/editor}" && cd "${1:-$root/docs/editor}" && pwd)
editor=${EDITOR_BIN:-$root/target/debug/houserule-editor}
[ -x "$editor" ] || { echo "build the editor first: cargo build -p houserule-editor" >&2; exit 2; }

# The same path in every run: the window shows it.
work=/tmp/houserule-screens
[ ! -e "$work" ] || { echo "$work is there already: pictures are being made, or were not ended" >&2; exit 2; }
mkdir -p "$work"
display=:$((90 + RANDOM % 900))
Xvfb "$display" -screen 0 2560x1440x24 +extension GLX +render -noreset >/dev/null 2>&1 &
server=$!
trap 'kill "${window:-0}" 2>/dev/null || true; kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
export DISPLAY=$display HOUSERULE_HOME="$work/home" LIBGL_ALWAYS_SOFTWARE=1
sleep 1

# Opens the editor with a file of a fresh copy of the shipped games, in a window so large, with these settings.
open() {
    local size=${2:-1500x940}
    rm -rf "$work/games" "$work/home"
    mkdir -p "$work/games" "$work/home"
    cp -r "$root/rules" "$root/scenarios" "$work/games/"
    [ -z "${3:-}" ] || echo "$3" >"$work/home/settings.ron"
    "$editor" "$work/games/$1" 2>"$work/errors" &
    window=$!
    for _ in $(seq 60); do
        id=$(xdotool search --onlyvisible --pid "$window" --name Houserule 2>/dev/null | head -1) && [ -n "$id" ] && break
        sleep 0.5
    done
    xdotool windowsize "$id" "${size%x*}" "${size#*x}"
    xdotool windowfocus --sync "$id"
    sleep "${SETTLE:-6}"
}
close() {
    kill "$window" 2>/dev/null || true
    wait "$window" 2>/dev/null || true
}
keys() { for k in "$@"; do xdotool key --window "$id" "$k"; sleep 0.4; done; }
click() { xdotool mousemove --window "$id" "$1" "$2" sleep 0.3 click "${3:-1}"; sleep 0.6; }
shot() { sleep "${2:-1.5}"; import -window "$id" -define png:compression-level=9 "$out/$1.png"; echo "$1"; }

# Where one begins, and the tour that begins there.
open ""
shot start 12
click 320 101
shot tour 3
close

# Fuji's slope, drawn.
open scenarios/fuji/fuji_1.scenario
keys alt+2
shot draw-fuji 3
# The same in play, behind the first choice: everybody has dice that the others do not see.
keys alt+3 F5
sleep 6
keys 1 alt+3
shot play-fuji 6
close

# The FOG's bay.
open scenarios/fog/xappalo.scenario
keys alt+2
shot draw-fog 3
keys alt+3 F5 alt+3
shot play-fog 8
close

# Discover's tiles, one of them picked.
open scenarios/discover/cry.scenario
keys alt+2
click 1336 147
click 1305 428
shot draw-discover 3
close

# A game of cards, behind a few choices: the others beyond the table, the own cards on this side; two cards are ticked.
open rules/classics/hearts/hearts.rules
keys alt+3 F5 alt+3
sleep 3
keys 2 5
shot play-hearts 3
close

# Chess.
open rules/classics/chess/chess.rules
keys alt+3 F5 alt+3
shot play-chess 5
# With all panes: why the rook in the corner stays where it is.
keys alt+3
click 990 572 3
shot why-not
# The text with findings: a word that there is not.
keys alt+1 ctrl+Home
xdotool type --window "$id" --delay 30 "value oops: int = nonesuch + 1"
keys Return
shot write-findings 4
close

# Two hundred games of a card game between bots, beside two hundred with another bot.
open rules/classics/love-letter/love-letter.rules
keys alt+4 alt+4
click 119 241
keys ctrl+a 2 0 0 F5
sleep "${MEASURED:-14}"
keys alt+k
click 130 163
click 130 210
keys F5
shot measure "${MEASURED:-25}"
close

# Discover's cards with one word in them, and one of them open.
open rules/discover/discover.rules
keys alt+5 alt+5 ctrl+f
xdotool type --window "$id" --delay 30 "item"
shot cards 3
keys Return Down Right Return
shot card 2
close

# The cards of Fuji's slopes: what each requires, with signs in the place of words.
open rules/fuji/terrain.rules
keys alt+5 alt+5 ctrl+f
xdotool type --window "$id" --delay 30 "terrain"
shot requirements 3
close

# The other classics, as they are played: each behind its first choice.
for game in backgammon breakthrough connect-four dominion draughts go goofspiel hex kalah love-letter othello tic-tac-toe; do
    open "rules/classics/$game/$game.rules" 1100x720
    keys alt+3 F5 alt+3
    sleep 3
    keys 1
    shot "play-$game" 4
    close
done

# Discover in play, small and in the light theme.
open scenarios/discover/cry.scenario 1100x720 '(theme: Light)'
keys alt+3 F5 alt+3
shot play-discover 8
close

# The FOG in a small window, in a large one, and with everything half as large again.
open scenarios/fog/solo_1.scenario 1024x700
keys alt+3 F5 alt+3
shot small 6
close
open scenarios/fog/solo_1.scenario 2560x1440
keys alt+3 F5
shot large 6
close
open scenarios/fog/solo_1.scenario 1500x940 '(zoom: 150)'
keys alt+3 F5 alt+3
shot zoomed 6
close

# A rule is edited while its game is played: where the match parts.
open rules/classics/kalah/kalah.rules
keys alt+3 F5
sleep 3
keys 1
sleep 2
xdotool mousemove --window "$id" 700 250 sleep 0.3 click 1
keys End BackSpace BackSpace BackSpace
xdotool type --window "$id" --delay 30 "5 }"
shot edit-in-play 4
close

# A card is tried again and again.
open rules/classics/dominion/dominion.rules
keys alt+5 alt+5 Down Return
sleep 1
keys alt+t
shot try-it 5
close

# A two-hundredth of a picture may be other: a cursor that blinks, a shade of a letter's edge.
[ "$compare" = yes ] || exit 0
bad=0
for old in "$root"/docs/editor/*.png; do
    name=$(basename "$old")
    points=$(command compare -metric AE -fuzz 8% "$old" "$out/$name" null: 2>&1 || true)
    share=$(awk -v n="${points%% *}" -v size="$(identify -format '%[fx:w*h]' "$old")" 'BEGIN { printf "%.2f", 100 * n / size }')
    if awk -v s="$share" 'BEGIN { exit !(s > 0.5) }'; then
        echo "$name: $share % is other; the new one is $out/$name"
        bad=1
    else
        echo "$name: as it was ($share %)"
    fi
done
exit $bad
