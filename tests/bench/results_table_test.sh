#!/usr/bin/env bash
# results_table_test.sh SOURCE_FOLDER
# README.md, docs/RESULTS.md and docs/CLAIMS.md show what docs/results holds. tools/results_table detects
# differences, and refuses a README table that hides the losing rows.
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
# expect STATUS WORDS COMMAND…: the command exits with STATUS, and its output contains WORDS.
expect() {
  local status=$1 words=$2 said got=0
  shift 2
  said=$("$@" 2>&1) || got=$?
  [[ $got == "$status" ]] || wrong "$* exits with $got, expected $status: $said"
  [[ $said == *"$words"* ]] || wrong "$* does not print '$words': $said"
}
tree() {
  rm -rf "$scratch/tree"
  mkdir -p "$scratch/tree/docs/measurements"
  cp "$root/README.md" "$scratch/tree"
  cp "$root/docs/CLAIMS.md" "$root/docs/RESULTS.md" "$scratch/tree/docs"
  cp -r "$root/docs/results" "$scratch/tree/docs"
  cp "$root/docs/measurements/pools.json" "$scratch/tree/docs/measurements"
}

expect 0 "" "$tool" --check
tree
expect 0 "" "$tool" --check "$scratch/tree"

# A figure edited by hand, in each document.
sed -i '/results: begin/,/results: end/s/ 0\.\([0-9]\)/ 0.0\1/' "$scratch/tree/README.md"
expect 1 "README.md" "$tool" --check "$scratch/tree"
tree
sed -i '/results: begin/,/results: end/s/ 0\.\([0-9]\)/ 0.0\1/' "$scratch/tree/docs/RESULTS.md"
expect 1 "RESULTS.md" "$tool" --check "$scratch/tree"
tree
sed -i '0,/[0-9]× |/s//99× |/' "$scratch/tree/docs/CLAIMS.md"
expect 1 "99×" "$tool" --check "$scratch/tree"
expect 0 "" "$tool" "$scratch/tree"
expect 0 "" "$tool" --check "$scratch/tree"
cmp -s "$root/docs/CLAIMS.md" "$scratch/tree/docs/CLAIMS.md" || wrong "a new docs/CLAIMS.md differs"

# Unusable recordings.
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
# README selections that hide losing rows: no slower row; too few rows that are not faster; an unknown name.
for names in '"stress", "game", "shooter"' '"stress", "book"' '"book", "no_such_recording"'; do
  sed "s/^IN_README = .*/IN_README = ($names)/" "$tool" >"$scratch/results_table"
  expect 2 "IN_README" python3 "$scratch/results_table" --check "$root"
done
# table DOCUMENT: the lines between its markers.
table() { sed -n '/results: begin/,/results: end/p' "$root/$1"; }
# The README has at least two rows in which the pool does not win; docs/RESULTS.md has one per recording.
lost=$(table README.md | grep -c -e '\*\*slower\*\*' -e '\*\*no difference\*\*')
((lost >= 2)) || wrong "the README has $lost rows in which the pool does not win"
rows=$(table docs/RESULTS.md | grep -c '(results/[a-z_]*\.json) |$')
recordings=$(grep -c '^[^#]' "$root/docs/results/list")
[[ $rows == "$recordings" ]] || wrong "docs/RESULTS.md has $rows rows for $recordings recordings"
exit $failed
