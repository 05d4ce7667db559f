#!/usr/bin/env bash
# Makes the README's pictures anew, with the program alone: docs/images/*.png, card.png's quick sister and finale.webp.
#   tools/pictures.sh          what needs no window
#   tools/pictures.sh --all    the quick A/B's card too (Xvfb, xdotool) and the clip (ffmpeg)
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
program=$root/build/release/spellpool
images=$root/docs/images
[[ -x $program ]] || { echo "pictures: build first: ./play --build-only" >&2; exit 2; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export XDG_CONFIG_HOME=$scratch/config XDG_DATA_HOME=$scratch/data SDL_AUDIODRIVER=dummy

shot() { "$program" --headless --screenshot "$images/$1.png" "${@:2}"; echo "$images/$1.png"; }
small=(--width 640 --height 360 --no-ui)
shot finale --autoplay --steps 2180 --no-ui
shot firebolt --cast firebolt --steps 104 "${small[@]}"
shot frost_nova --cast frost_nova --steps 103 "${small[@]}"
shot chain_lightning --cast chain_lightning --steps 82 "${small[@]}"
shot arcane_vortex --cast arcane_vortex --steps 140 "${small[@]}"
shot meteor --cast meteor --steps 168 "${small[@]}"
shot poison_fog --cast poison_fog --steps 150 "${small[@]}"
shot healing_motes --cast healing_motes --steps 155 "${small[@]}"
shot starfall --cast starfall --steps 156 "${small[@]}"
printf '%s\n' '2040 strategy particles heap' '2100 strategy particles free_list' >"$scratch/switches"
shot panels --autoplay --steps 2150 --panels pool,graph --commands "$scratch/switches"
shot editor --cast meteor --steps 152 --panels editor
shot settings --autoplay --steps 900 --panels settings
shot result --autoplay --steps 4140 --panels scores
[[ ${1:-} == --all ]] || exit 0

"$program" --headless --autoplay --clip "$images/finale.webp" --clip-from 1880 --clip-seconds 10
echo "$images/finale.webp"

Xvfb -screen 0 1400x900x24 -nolisten tcp -displayfd 1 >"$scratch/display" 2>/dev/null &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$scratch"' EXIT
for _ in $(seq 100); do [[ -s $scratch/display ]] && break; sleep 0.1; done
DISPLAY=:$(cat "$scratch/display")
export DISPLAY
"$program" --layout-out "$scratch/layout" 2>/dev/null &
game=$!
for _ in $(seq 200); do [[ -s $scratch/layout ]] && break; sleep 0.1; done
window=$(xdotool search --pid "$game" --name Spellpool | head -n 1)
xdotool windowfocus "$window" key F8
for _ in $(seq 200); do grep -q '"ab_card"' "$scratch/layout" && break; sleep 0.5; done
xdotool key F12
sleep 3
kill -INT "$game"
wait "$game" || true
mv "$scratch"/data/spellpool/recordings/*.png "$images/quick_ab.png"
echo "$images/quick_ab.png"
