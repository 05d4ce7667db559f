#!/usr/bin/env bash
# learn_doc.sh [SPELLPOOL]: makes docs/LEARN.md and docs/images/learn from the lessons themselves: the program takes every lesson headless and
# leaves a picture and the words of each step. What docs/LEARN.md says before the lessons and after them stands in this file.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-build/release/spellpool}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$program" --learn all --headless --width 960 --height 540 --screenshot-dir "$scratch"
mkdir -p docs/images/learn
rm -f docs/images/learn/*.png
# A picture for each step: where it asks, the one that shows what happened.
for picture in $(sed -n 's/^!\[.*](\(.*\.png\))$/\1/p' "$scratch/steps.md"); do cp "$scratch/$picture" docs/images/learn/; done
{
  cat <<'HEAD'
# Learn: object pools in short lessons

This page is the course *Learn* for readers without the program. With it, take the lessons yourself:
*Learn* on the title screen, `spellpool --learn all` or `--learn NAME` ([playing.md](playing.md#learn)). Every picture is made by the program, and every drawn thing is the state of a real pool
(`src/pool`) in a small world of its own. Each step asks before it shows; the answers below come from what happened then. Made by
`tools/learn_doc.sh`.

| claim | where it is measured or tested |
|---|---|
| a pool allocates nothing in play | the counting test of [ARCHITECTURE.md](ARCHITECTURE.md#tests); columns `new_calls` of every [recording](recording.md) |
| packed objects are faster to walk | [POOLS.md, the loop above, measured](POOLS.md#the-loop-above-measured) |
| acquire and release cost the same at any size | [POOLS.md, measured](POOLS.md#measured) |
| whether a pool pays, and where it does not | [RESULTS.md](RESULTS.md), with the recordings in [results/](results/) |
| published claims, and what is left of them here | [CLAIMS.md](CLAIMS.md) |
| policies of a full pool, also of voices | [POOLS.md, a full pool](POOLS.md#a-full-pool), [VOICES.md](VOICES.md) |
| drawn cells, chains, heap maps and cache lines are true | `tests/sim/lessons_test.cpp` |

HEAD
  sed 's|](\([^)]*\.png\))$|](images/learn/\1)|' "$scratch/steps.md"
} >docs/LEARN.md
# One blank line at most, none at the end.
sed -i -e :a -e '/^\n*$/{$d;N;ba' -e '}' docs/LEARN.md
