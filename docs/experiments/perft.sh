#!/bin/sh
# Counts as deep as published ones go: docs/experiments/perft.sh. It takes minutes, and says which are wrong. The tests count the first plies of each (tests/perft.rs).
set -u
cd "$(dirname "$0")/../.." || exit 2
cargo build --release --quiet || exit 2
wrong=0

# count GAME DEPTH NODES [SCENARIO]
count() {
  got=$(target/release/houserule perft "$1" --depth "$2" ${4:+--scenario "$4"} --format json | tr -d ' \n' | grep -o "\"depth\":$2,\"finished\":[0-9]*,\"nodes\":[0-9]*" | grep -o '[0-9]*$')
  if [ "$got" = "$3" ]; then echo "$1, $2 plies: $3"; else
    echo "$1, $2 plies: $got, and it is $3"
    wrong=1
  fi
}

count tic-tac-toe 9 127872
count connect-four 9 39394572
count othello 9 3005288
count breakthrough 5 6182818
count hex 3 1727880
count morris 5 5140800
count oware 8 711414
count chess 5 4865609
count chess 4 4085603 kiwipete
exit $wrong
