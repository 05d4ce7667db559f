#!/usr/bin/env bash
# pools_table_test.sh SOURCE_FOLDER
# The tables of docs/POOLS.md say what docs/measurements/pools.json says, and tools/pools_table notices where they do not.
set -euo pipefail
tool=$1/tools/pools_table
document=$1/docs/POOLS.md
kept=$1/docs/measurements/pools.json
fail() { echo "FAILED: $*"; exit 1; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$tool" --check || fail "the document and the kept figures differ"

# differs WHAT FIGURES DOCUMENT
differs() {
  local status=0
  "$tool" --check "$2" "$3" >"$scratch/said" 2>&1 || status=$?
  ((status == 1)) || fail "$1: ended with $status: $(cat "$scratch/said")"
}
figures=$scratch/pools.json changed=$scratch/POOLS.md
sed 's/\("row": "DensePool".*"value": \)/\19/' "$kept" >"$figures"
differs "other figures" "$figures" "$document"
grep -v '"row": "std::list"' "$kept" >"$figures"
differs "a losing row left out" "$figures" "$document"
sed 's/, missed/, nearly/' "$document" >"$changed"
if ! cmp -s "$document" "$changed"; then differs "a missed goal talked away" "$kept" "$changed"; fi
sed '/^| .*plf::colony/d' "$document" >"$changed"
differs "a row deleted by hand" "$kept" "$changed"

# What is no such file, or no such document, is refused.
refused() {
  local status=0
  "$tool" --check "$2" "$3" >"$scratch/said" 2>&1 || status=$?
  ((status == 2)) || fail "$1: ended with $status: $(cat "$scratch/said")"
}
echo '{}' >"$figures"
refused "an empty object" "$figures" "$document"
refused "no file" "$scratch/none.json" "$document"
grep -vF 'measured: end' "$document" >"$changed"
refused "a document without its mark" "$kept" "$changed"

# Numbers as they shall be read.
{
  echo '<!-- measured: begin; made by tools/pools_table -->'
  echo '<!-- measured: end -->'
} >"$changed"
cat >"$figures" <<'JSON'
{
"measured": {"machine": "M", "os": "O", "libc": "L", "compiler": "C", "vectors": "none", "rounds": 15, "quick": true, "date": "D", "source": "S"},
"rows": [
  {"table": "T. ns", "column": "50000", "row": "DensePool", "kind": "safe", "value": 2},
  {"table": "T. ns", "column": "50000", "row": "RawDense", "kind": "raw", "value": 1234.5},
  {"table": "T. ns", "column": "50000", "row": "(checksum of all)", "kind": "peer", "value": "0a"},
  {"table": "T. ns", "column": "50000", "row": "std::list", "kind": "peer", "value": 10.06}
],
"goals": [
  {"id": "pools.G1.1000", "what": "w", "goal": 3, "value": 4.5, "unit": "x", "better": "higher", "ok": true},
  {"id": "pools.G1s.1000", "what": "w", "goal": 1.5, "value": 1.25, "unit": "x", "better": "higher", "ok": false}
]
}
JSON
differs "another table" "$figures" "$changed"
for line in '| | 50,000 |' '| **`DensePool`** | 2.00 |' '| std::list | 10.1 |' '| `RawDense` | 1234 |' \
  '| G1 steady frame, `std::vector` ÷ ours: 1,000 | 4.50 (≥ 3) | **1.25, missed** (≥ 1.5) |'; do
  grep -qxF -e "+$line" "$scratch/said" || fail "no line '$line' in $(cat "$scratch/said")"
done
if grep -q checksum "$scratch/said"; then fail "a checksum is shown as a figure"; fi
