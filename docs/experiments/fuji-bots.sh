#!/bin/sh
# How often random and greedy bots win Fuji: scenario 1 with fixed skills (equipment manager, scout, survivalist, gatherer in seat order), levels 1 to 4,
# 2 to 4 seats; two seats play variant A. A line a row of the table: level, seats, bot, share of wins with its 95 % interval.
#
#   docs/experiments/fuji-bots.sh [GAMES] [LEVELS] [SEATS] [BOTS]      300 "1 2 3 4" "2 3 4" "random greedy" unless said
#
# HOUSERULE names the program, unless it is the one on the path.
set -eu
games=${1:-300}
for seats in ${3:-2 3 4}; do
  variant=
  [ "$seats" = 2 ] && variant="--variant third_screen"
  for level in ${2:-1 2 3 4}; do
    for bot in ${4:-random greedy}; do
      who=$bot
      i=1
      while [ "$i" -lt "$seats" ]; do who=$who,$bot; i=$((i + 1)); done
      # shellcheck disable=SC2086
      won=$("${HOUSERULE:-houserule}" sim fuji --scenario bench_skills $variant --option "level=level_$level" --seats "$who" --games "$games" --no-uses --seed 1 | sed -n 's/.*won *\([^,]*\).*/\1/p' | head -1)
      echo "level $level  seats $seats  $bot  $games games  won $won"
    done
  done
done
