#!/usr/bin/env bash
# results_table_test.sh SOURCE_FOLDER
# The README's results and docs/CLAIMS.md say what docs/results says, and tools/results_table notices where they do not.
set -u
root=$1
tool=$root/tools/results_table
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0
wrong() {
  echo "results_table_test: $*" >&2
  failed=1
}
# expect STATUS WORDS COMMAND…: how it ends, and what it says.
expect() {
  local status=$1 words=$2 said got=0
  shift 2
  said=$("$@" 2>&1) || got=$?
  [[ $got == "$status" ]] || wrong "$* ends with $got, not $status: $said"
  [[ $said == *"$words"* ]] || wrong "$* does not say '$words': $said"
}
tree() {
  rm -rf "$scratch/tree"
  mkdir -p "$scratch/tree/docs/measurements"
  cp "$root/README.md" "$scratch/tree"
  cp "$root/docs/CLAIMS.md" "$scratch/tree/docs"
  cp -r "$root/docs/results" "$scratch/tree/docs"
  cp "$root/docs/measurements/pools.json" "$scratch/tree/docs/measurements"
}

expect 0 "" "$tool" --check
tree
expect 0 "" "$tool" --check "$scratch/tree"

# A figure that somebody bettered by hand, in either document.
sed -i '/results: begin/,/results: end/s/ 0\.\([0-9]\)/ 0.0\1/' "$scratch/tree/README.md"
expect 1 "README.md" "$tool" --check "$scratch/tree"
tree
sed -i '0,/[0-9]× |/s//99× |/' "$scratch/tree/docs/CLAIMS.md"
expect 1 "99×" "$tool" --check "$scratch/tree"
expect 0 "" "$tool" "$scratch/tree"
expect 0 "" "$tool" --check "$scratch/tree"
cmp -s "$root/docs/CLAIMS.md" "$scratch/tree/docs/CLAIMS.md" || wrong "made again, docs/CLAIMS.md is another"

# Recordings that are no such thing.
tree
sed -i 's/"equal": true/"equal": false/' "$scratch/tree/docs/results/game.json"
expect 2 "equal work" "$tool" "$scratch/tree"
tree
sed -i 's/"comparable": true/"comparable": false/' "$scratch/tree/docs/results/game.json"
expect 2 "game.json" "$tool" "$scratch/tree"
tree
sed -i 's/^game | \(.*\) --steps 4200/game | \1 --steps 4201/' "$scratch/tree/docs/results/list"
expect 2 "another command" "$tool" "$scratch/tree"
tree
rm "$scratch/tree/docs/results/stress.json"
expect 2 "tools/record_results stress" "$tool" "$scratch/tree"
tree
echo '{{us("game","a","dance")}}' >>"$scratch/tree/docs/results/claims.md"
expect 2 "dance" "$tool" "$scratch/tree"
expect 2 "usage" "$tool" --chek
# At least two cases in which the pool does not win.
lost=$(sed -n '/results: begin/,/results: end/p' "$root/README.md" | grep -c -e '\*\*slower\*\*' -e '\*\*no difference\*\*')
((lost >= 2)) || wrong "the README has $lost cases in which the pool does not win"
exit $failed
