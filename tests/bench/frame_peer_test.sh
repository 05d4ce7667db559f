#!/usr/bin/env bash
# frame_peer_test.sh SOURCE_FOLDER BUILD_FOLDER
# bench/frame_peer plays a few frames with the game and with LÖVE, writes both goals, and LÖVE's picture resembles the game's.
# Skipped without LÖVE or Xvfb; the pictures are compared where ImageMagick is.
set -euo pipefail
fail() { echo "FAILED: $*"; exit 1; }
for needed in love xvfb-run; do
  command -v "$needed" >/dev/null || { echo "skipped: no $needed"; exit 77; }
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
peer() { "$1/bench/frame_peer" --program "$2/spellpool" --frames-program "$2/bench/bench_frame_peer" --quick "${@:3}"; }

peer "$1" "$2" --steps 180 --play-from 90 --count 8 --shots "$scratch" --goals "$scratch/goals" >"$scratch/said" 2>&1 || fail "it ended with $?: $(cat "$scratch/said")"
python3 - "$scratch/goals" <<'PYTHON' || fail "goals: $(cat "$scratch/goals")"
import json, sys
goals = [json.loads(line) for line in open(sys.argv[1])]
assert [goal["id"] for goal in goals] == ["peer.play", "peer.finale"], goals
assert all(goal["value"] > 0 and goal["ok"] == (goal["value"] >= goal["goal"]) for goal in goals), goals
PYTHON

# A missing program is named.
status=0
"$1/bench/frame_peer" --frames-program "$scratch/none" >"$scratch/said" 2>&1 || status=$?
((status == 2)) && grep -q "$scratch/none" "$scratch/said" || fail "no program: ended with $status: $(cat "$scratch/said")"

command -v compare >/dev/null || exit 0
for moment in play finale; do
  for format in rgba16f rgba8; do
    # 0 is equal, 1 is black against white.
    difference=$(compare -metric RMSE "$scratch/${moment}_game.png" "$scratch/${moment}_love_$format.png" null: 2>&1 | sed 's/.*(\(.*\))/\1/' || true)
    echo "$moment, $format: pictures differ by $difference"
    awk -v d="$difference" 'BEGIN { exit !(d > 0 && d < 0.06) }' || fail "$moment, $format: LÖVE's picture differs by $difference"
  done
done
