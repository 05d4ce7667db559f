#!/usr/bin/env bash
# Saves, restores and goes on in four builds (g++ and clang, optimised and not): every strategy with every policy, both scenes.
#   tools/synctests.sh [STEPS]     10000 steps of each game in the optimised builds, a twentieth of that in the others
# With small pools, so that the policies decide something; and once with pools that hold everything, for the policy `assert` too.
# Exit codes: 0 all are equal; 1 a step differs after a restoration, and pool, slot and field are printed.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
source "$root/tools/setup.bash"
steps=${1:-10000}

build_preset release "$root/build/release" spellpool
build_preset debug "$root/build/debug" spellpool
build_preset clang "$root/build/clang" spellpool
build_preset clang "$root/build/clang_debug" spellpool -DCMAKE_BUILD_TYPE=Debug

failed=0 games=0
# try BUILD STEPS ARGS…
try() {
  local build=$1 count=$2 said
  shift 2
  if said=$("$root/build/$build/spellpool" synctest --data-dir "$root" --distance 8 --strategy all --steps "$count" "$@"); then
    games=$((games + $(grep -c ' steps equal at a distance of 8$' <<<"$said")))
  else
    failed=1
    echo "DIFFERENT  $build, $*:"
    grep -v ' steps equal ' <<<"$said" || true
  fi
}

for build in release clang debug clang_debug; do
  count=$steps
  [[ $build != *debug ]] || count=$(((steps + 19) / 20))
  try "$build" "$count" --scene spells --overflow all --capacity particles=300
  try "$build" "$count" --scene shooter --difficulty lunatic --overflow all --capacity particles=300 --capacity bullets=150
  for scene in spells 'shooter --difficulty lunatic'; do
    # shellcheck disable=SC2086
    try "$build" "$count" --scene $scene --overflow assert
  done
  echo "compared   $build, $count steps"
done
echo "$games games, $([[ $failed == 0 ]] && echo none || echo some) different"
exit $failed
