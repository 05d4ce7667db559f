#!/usr/bin/env bash
# hashes_test.sh [--if-quick] SOURCE_FOLDER NATIVE_STEP_HASHES [STEPS [SEEDS…]]
# The world's hash after every step is the same in WebAssembly, under node, as in the native build: both scenes, four strategies, and
# every strategy in turn, 100 steps each. 900 steps and seed 1 by default.
# --if-quick: where emscripten lies in a chroot, nothing is compiled; the test is skipped unless web/build has compiled what is there now.
# Exit codes: 0 all are equal; 1 they differ, and the first step that differs is printed; 77 no emscripten is installed here, or not quick.
set -euo pipefail
quick=false
if [[ $1 == --if-quick ]]; then
  quick=true
  shift
fi
root=$1 native=$2 steps=${3:-900}
seeds=("${@:4}")
((${#seeds[@]})) || seeds=(1)
source "$root/tools/setup.bash"
source "$root/web/toolchain.bash"
source "$root/tests/web/step_hashes.bash"

if [[ $(web_where) == none || ! -d $web_cache/shared/sources/zlib || ! -d $web_cache/shared/include ]]; then
  echo "No emscripten $web_least_emscripten or newer, with its libraries: web/build installs them."
  exit 77
fi
if $quick && [[ $(web_where) == chroot ]] && ! web_is_built; then
  echo "The browser build in build/web-objects is older than the sources, or missing: web/build makes it."
  exit 77
fi
web_build step_hashes

compare_step_hashes "in WebAssembly" "$root" "$steps" "${seeds[*]}" "$native" web_run node "$root/build/web-objects/step_hashes.js"
