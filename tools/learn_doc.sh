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
*Learn* on the title screen, `spellpool --learn all` or `--learn NAME` ([playing.md](playing.md#learn)). The program draws every picture from the state of a real pool
(`src/pool`) in a small world of its own. Most steps ask first; each answer below is what then happened. Lessons 1 to 8 have 24 questions
and take about ten minutes; lesson 9 is an extra. Times of lessons 6 and 8 hold for
the machine that made this page; yours will differ. Made by
`tools/learn_doc.sh`.

| claim | where it is measured or tested |
|---|---|
| a pool allocates nothing in play | the counting test of [ARCHITECTURE.md](ARCHITECTURE.md#tests); columns `new_calls` of every [recording](recording.md) |
| packed objects are faster to walk | [POOLS.md, the loop above, measured](POOLS.md#the-loop-above-measured) |
| acquire and release cost the same at any size | [POOLS.md, measured](POOLS.md#measured) |
| whether a pool pays, and where it does not | [RESULTS.md](RESULTS.md), with the recordings in [results/](results/) |
| published claims, and what is left of them here | [CLAIMS.md](CLAIMS.md) |
| policies of a full pool, also of voices | [POOLS.md, a full pool](POOLS.md#a-full-pool), [VOICES.md](VOICES.md) |
| memory layout matters beyond the caches | lesson 6, measured when this page was made: the picture names machine, build and method; [POOLS.md](POOLS.md#the-loop-above-measured) |
| a pool pays under churn, changes little in play, and loses where it visits every slot | lesson 8, measured the same way; recordings `churn_aged`, `game`, `book` in [RESULTS.md](RESULTS.md) |
| slots that each pattern of an 8-bit console looks at | counted by `src/sim/lessons/eight_bit_model.cpp`; `tests/sim/lesson_eight_bit_test.cpp` |
| what a voice pool loses under each policy | counted from `src/audio/voice_pool.hpp`; `tests/app/lesson_bench_test.cpp` |
| drawn cells, chains, heap maps and cache lines are correct | `tests/sim/lessons_test.cpp`, `tests/sim/lessons_measured_test.cpp` |
| every right answer | recomputed independently by `tests/sim/lesson_questions_test.cpp` |

HEAD
  sed -e 's|](\([^)]*\.png\))$|](images/learn/\1)|' -e 's/^# /\\&/' "$scratch/steps.md"  # a text that begins with # is no heading
} >docs/LEARN.md
# One blank line at most, none at the end.
sed -i -e :a -e '/^\n*$/{$d;N;ba' -e '}' docs/LEARN.md
