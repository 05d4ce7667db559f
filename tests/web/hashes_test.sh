#!/usr/bin/env bash
# hashes_test.sh SOURCE_FOLDER NATIVE_STEP_HASHES [STEPS [SEEDS…]]
# The world's hash after every step is the same in WebAssembly, under node, as in the native build: both scenes, four strategies, and
# every strategy in turn, 100 steps each. 900 steps and seed 1 by default.
# Exit codes: 0 all are equal; 1 they differ, and the first step that differs is printed; 77 no emscripten is installed here.
set -euo pipefail
root=$1 native=$2 steps=${3:-900}
seeds=("${@:4}")
((${#seeds[@]})) || seeds=(1)
source "$root/tools/setup.bash"
source "$root/web/toolchain.bash"

if [[ $(web_where) == none || ! -d $web_cache/shared/sources/zlib || ! -d $web_cache/shared/include ]]; then
  echo "No emscripten $web_least_emscripten or newer, with its libraries: web/build installs them."
  exit 77
fi
web_build step_hashes

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
different=0 compared=0
# compare SCENE SEED STRATEGY [SWITCH_EVERY]
compare() {
  local expected=$scratch/native hashes=$scratch/wasm
  "$native" "$root" "$1" "$2" "$steps" "${@:3}" >"$expected"
  web_run node "$root/build/web-objects/step_hashes.js" "$root" "$1" "$2" "$steps" "${@:3}" >"$hashes"
  [[ $(wc -l <"$expected") == "$steps" ]] || fail "$native printed $(wc -l <"$expected") lines for $steps steps"
  [[ $(cut -d ' ' -f 2 "$expected" | sort -u | wc -l) -gt $((steps / 2)) ]] || fail "$native: the hash does not change from step to step"
  compared=$((compared + 1))
  cmp -s "$expected" "$hashes" && return
  different=$((different + 1))
  echo "DIFFERENT  $*: first at step $(diff "$expected" "$hashes" | sed -nE 's/^< ([0-9]+) .*/\1/p' | head -n 1)"
}

for scene in spells shooter; do
  for seed in "${seeds[@]}"; do
    for strategy in heap free_list bitmap dense; do compare "$scene" "$seed" "$strategy"; done
    compare "$scene" "$seed" free_list 100
  done
done
echo "$compared runs of $steps steps in WebAssembly, $different different from the native ones"
((different == 0))
