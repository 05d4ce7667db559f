#!/usr/bin/env bash
# results_table_test.sh SOURCE_FOLDER
# README.md, docs/RESULTS.md and docs/CLAIMS.md show what docs/results holds. tools/results_table detects
# differences, and refuses a README table that hides the losing rows, and figures that do not name their
# strategies, conditions and processor.
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
  cp "$root/docs/measurements/"*.json "$scratch/tree/docs/measurements"
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

# No figure stands alone: a recording or a benchmark without its strategy, its conditions or its processor.
# nameless FILE PATTERN REPLACEMENT WORDS: the tool refuses FILE after the substitution, and prints WORDS.
nameless() {
  tree
  sed -i "s/$2/$3/" "$scratch/tree/$1"
  cmp -s "$root/$1" "$scratch/tree/$1" && wrong "$1 has no $2"
  expect 2 "$4" "$tool" "$scratch/tree"
}
nameless docs/results/game.json '"cpu": "[^"]*"' '"cpu": null' "conditions or processor: cpu"
nameless docs/results/voices.json '"compiler": "[^"]*"' '"compiler": null' "conditions or processor: compiler"
nameless docs/results/book.json '"warmup_steps": [0-9]*' '"warmup_steps": null' "conditions: warmup_steps"
nameless docs/results/churn.json '"name": "free_list"' '"name": ""' "strategy: name"
nameless docs/measurements/pools.json '"machine": "[^"]*"' '"machine": ""' "machine"
nameless docs/measurements/small_pools.json '"compiler": "[^"]*"' '"compiler": ""' "compiler"
# In claims.md: a figure without the link to its recording, or without its strategy. There and in README.md:
# a figure that no recording says.
refused() {
  tree
  printf '\n%s\n' "$2" >>"$scratch/tree/$1"
  expect 2 "$3" "$tool" "$scratch/tree"
}
refused docs/results/claims.md '{{ratio("game"):.2f}} with `heap` and `free_list`' "results/game.json)"
page=docs/results/claims.md
refused $page '{{us("game","b","spawn")}} ([game](results/game.json))' "does not name free_list"
refused $page '{{bench("Arena","1000 a frame","Arena")}} ([p](measurements/pools.json))' "not name Arena"
refused docs/results/claims.md 'A pool is 12 times faster.' "no recording says '12 times'"
refused docs/results/claims.md 'A pool takes 3.5 µs.' "no recording says '3.5 µs'"
refused README.md 'A pool saves 40 % of the time.' "no recording says '40 %'"
tree
printf '\n%s\n' 'A text says {{given("10×")}}; "1800×" is quoted.' >>"$scratch/tree/docs/results/claims.md"
expect 0 "" "$tool" "$scratch/tree"
grep -q 'A text says 10×; "1800×"' "$scratch/tree/docs/CLAIMS.md" || wrong "a given figure is not printed"
# The page ends with the processor of each recording that it uses.
for name in game std_find_100; do
  cpu=$(sed -n 's/^"environment": .*"cpu": "\([^"]*\)".*/\1/p' "$root/docs/results/$name.json")
  [[ -n $cpu ]] && grep -F "| [$name](results/$name.json) |" "$root/docs/CLAIMS.md" | grep -qF "$cpu" ||
    wrong "docs/CLAIMS.md does not name the processor of $name: $cpu"
done
# A recording of a busy machine has no verdict, and is counted.
tree
sed -i 's/^"verdict": "[^"]*"/"verdict": "Too noisy to decide: other programs took 48 % of the processor time."/' "$scratch/tree/docs/results/fifo.json"
expect 0 "" "$tool" "$scratch/tree"
grep -q '| too noisy to decide | .*fifo.json' "$scratch/tree/docs/RESULTS.md" || wrong "docs/RESULTS.md says not what was too noisy"
noisy=$(grep -l '^"verdict": "Too noisy' "$scratch"/tree/docs/results/*.json | wc -l)
grep -q "; $noisy were too noisy to decide" "$scratch/tree/README.md" || wrong "README.md does not count what was too noisy"

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
rows=$(table docs/RESULTS.md | grep -c '(results/[a-z0-9_]*\.json) |$')
recordings=$(grep -c '^[^#]' "$root/docs/results/list")
[[ $rows == "$recordings" ]] || wrong "docs/RESULTS.md has $rows rows for $recordings recordings"
exit $failed
