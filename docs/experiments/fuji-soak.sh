#!/usr/bin/env bash
# Random games of Fuji over all scenarios, levels, numbers of seats and variants: none may end in a rule error or break an invariant.
#
# usage: docs/experiments/fuji-soak.sh [GAMES]      about so many in all; 20000 unless said, some three minutes on two cores
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
games=${1:-20000}
cargo build --release --quiet

set_ups=()
for scenario in 1 2 3 4 5 6 7; do
    for level in 1 2 3 4; do
        for seats in "3" "4" "3 --variant extra_thrill" "4 --variant drowned_village" "2 --variant third_screen" "2 --variant third_meeple"; do
            set_ups+=("--scenario fuji_$scenario --option level=level_$level --players $seats")
        done
    done
done
each=$(((games + ${#set_ups[@]} - 1) / ${#set_ups[@]}))
played=0
told=$(mktemp)
for set_up in "${set_ups[@]}"; do
    # The words of a set-up are arguments of their own.
    # shellcheck disable=SC2086
    if ! ./target/release/houserule sim fuji --games "$each" --seed 7 --no-uses $set_up >"$told" 2>&1; then
        cat "$told"
        rm -f "$told"
        echo "failed: $set_up" >&2
        exit 1
    fi
    played=$((played + each))
done
rm -f "$told"
echo "$played games in ${#set_ups[@]} set-ups: no rule error, no broken invariant"
