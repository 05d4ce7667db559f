#!/usr/bin/env bash
# Compares four builds of the game: g++ and clang, optimised and not. Every step's hash must be the same in
# all of them, with every strategy, and with the strategy switched while the game runs.
#   tools/four_builds.sh [STEPS]        3600 steps by default
# Exit codes: 0 all are equal; 1 they differ, and the first step that differs is printed.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
source "$root/tools/setup.bash"
steps=${1:-3600}

build_preset release "$root/build/release" spellpool
build_preset debug "$root/build/debug" spellpool
build_preset clang "$root/build/clang" spellpool
build_preset clang "$root/build/clang_debug" spellpool -DCMAKE_BUILD_TYPE=Debug
builds=(release debug clang clang_debug)

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export XDG_CONFIG_HOME=$scratch XDG_DATA_HOME=$scratch

mapfile -t strategies < <("$root/build/release/spellpool" --list strategies --json | sed -nE 's/.*"name": *"([^"]+)".*/\1/p')
((${#strategies[@]} >= 2)) || fail "--list strategies --json names fewer than two strategies"

different=0 compared=0
# compare WHAT ARGS…: all builds and all strategies agree on every step.
compare() {
  local what=$1 expected= expected_by= build strategy hashes
  shift
  for build in "${builds[@]}"; do
    for strategy in "${strategies[@]}"; do
      hashes=$scratch/$build.$strategy
      "$root/build/$build/spellpool" --headless --sim-only --autoplay --steps "$steps" --strategy "$strategy" \
        --hash-out "$hashes" "$@" >/dev/null
      [[ $(wc -l <"$hashes") == "$steps" ]] || fail "$build $strategy: $hashes does not have $steps lines"
      compared=$((compared + 1))
      if [[ -z $expected ]]; then
        expected=$hashes expected_by="$build $strategy"
      elif ! cmp -s "$expected" "$hashes"; then
        different=$((different + 1))
        echo "DIFFERENT  $what: $build $strategy is not $expected_by, first at step" \
          "$(diff "$expected" "$hashes" | sed -nE 's/^< ([0-9]+) .*/\1/p' | head -n 1)"
      fi
    done
  done
  echo "compared   $what"
  rm -f "$scratch"/*.*
}

for seed in 1 2 3; do
  compare "seed $seed" --seed "$seed"
  compare "seed $seed, full pool that steals" --seed "$seed" --overflow particles=steal_oldest --capacity particles=500
done
compare "seed 1, strategy switched every 100 steps" --seed 1 --switch-every 100

echo "$compared runs of $steps steps, $different different"
((different == 0))
