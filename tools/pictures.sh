#!/usr/bin/env bash
# Makes the README's pictures anew, with the program alone: docs/images/*.png, card.png's quick sister and finale.webp.
#   tools/pictures.sh          what needs no window
#   tools/pictures.sh --all    the quick A/B's card too (Xvfb, xdotool) and the clips (ffmpeg)
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
program=$root/build/release/spellpool
images=$root/docs/images
[[ -x $program ]] || { echo "pictures: build first: ./play --build-only" >&2; exit 2; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export XDG_CONFIG_HOME=$scratch/config XDG_DATA_HOME=$scratch/data SDL_AUDIODRIVER=dummy

# reduce FROM NAME: in 960×540 and 256 colours, for pictures that are mostly text.
reduce() {
  convert "$1" -filter Lanczos -resize 960x540 -dither FloydSteinberg -colors 256 "PNG8:$images/$2.png"
  echo "$images/$2.png"
}
shot() { "$program" --headless --screenshot "$images/$1.png" "${@:2}"; echo "$images/$1.png"; }
small=(--width 640 --height 360 --no-ui)
shot finale --autoplay --steps 2120 --no-ui
shot firebolt --cast firebolt --steps 104 "${small[@]}"
shot frost_nova --cast frost_nova --steps 103 "${small[@]}"
shot chain_lightning --cast chain_lightning --steps 82 "${small[@]}"
shot arcane_vortex --cast arcane_vortex --steps 140 "${small[@]}"
shot meteor --cast meteor --steps 168 "${small[@]}"
shot poison_fog --cast poison_fog --steps 150 "${small[@]}"
shot healing_motes --cast healing_motes --steps 155 "${small[@]}"
shot starfall --cast starfall --steps 156 "${small[@]}"
printf '%s\n' '2040 strategy particles heap' '2100 strategy particles free_list' >"$scratch/switches"
"$program" --headless --screenshot "$scratch/panels.png" --autoplay --steps 2150 --panels pool,graph --commands "$scratch/switches"
reduce "$scratch/panels.png" panels
shot slot_map --autoplay --steps 716 --capacity particles=5000 --panels pool,slots
shot voices --autoplay --steps 2103 --voices 20 --panels voices
shot stress --preset stress --autoplay --steps 420 --seed 3 --quality high --no-ui --width 960 --height 540
shot shooter --scene shooter --difficulty hard --seed 3 --autoplay --steps 7300 --width 960 --height 540
shot result --autoplay --steps 4140 --panels scores
lunatic=(--scene shooter --difficulty lunatic --seed 1 --autoplay)
shot moth_dusk "${lunatic[@]}" --steps 15240 "${small[@]}"
shot moth_lamplight "${lunatic[@]}" --steps 16500 "${small[@]}"
shot moth_petals "${lunatic[@]}" --steps 18300 "${small[@]}"
shot shooter_result --scene shooter --difficulty normal --seed 1 --autoplay --steps 19000 --width 960 --height 540
"$program" --duet heap free_list --preset heavy_churn --headless --steps 600 --screenshot "$images/duet.png"
echo "$images/duet.png"
[[ ${1:-} == --all ]] || exit 0

"$program" --headless --autoplay --clip "$images/finale.webp" --clip-from 1880 --clip-seconds 10
echo "$images/finale.webp"

# All kinds of enemies in a row, on a stage of their own.
mkdir "$scratch/row"
cp -r "$root/assets" "$root/shaders" "$scratch/row"
stage=$scratch/row/assets/stages/night_garden.toml
echo 'title = "Who comes"' >"$stage"
while read -r kind x pattern; do
  printf '[[wave]]\nat_s = 0.1\nkind = "%s"\npath = [[%s, -410], [%s, -200, 1.2], [%s, -190, 20]]\nhealth = 50\n' "$kind" "$x" "$x" "$x"
  [[ -z $pattern ]] || printf 'pattern = "%s"\nfire_s = 1.3\n' "$pattern"
done >>"$stage" <<<'lantern -240 fans.aimed
firefly -120
umbrella 0 rings.plain
crane 120 needles.aimed
drum 240 fans.ribs'
"$program" --data-dir "$scratch/row" --headless --scene shooter --difficulty hard --seed 1 --autoplay --steps 175 --no-ui --width 1920 --height 1080 \
  --screenshot "$scratch/row.png"
ffmpeg -v error -y -i "$scratch/row.png" -vf crop=900:330:510:90 "$images/enemies.png"
echo "$images/enemies.png"

Xvfb -screen 0 1400x900x24 -nolisten tcp -displayfd 1 >"$scratch/display" 2>/dev/null &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$scratch"' EXIT
for _ in $(seq 100); do [[ -s $scratch/display ]] && break; sleep 0.1; done
DISPLAY=:$(cat "$scratch/display")
export DISPLAY

# open_window OPTION…: a game whose controls stand in $scratch/layout.
open_window() {
  local -a size=(--width 1280 --height 720)
  [[ $* != *--width* ]] || size=()
  rm -f "$scratch/layout"
  "$program" "${size[@]}" --layout-out "$scratch/layout" "$@" 2>/dev/null &
  game=$!
  for _ in $(seq 200); do [[ -s $scratch/layout ]] && break; sleep 0.1; done
  window=$(xdotool search --pid "$game" --name Spellpool | head -n 1)
  xdotool windowfocus "$window"
}
# until_shown WORD: waits until the layout names it.
until_shown() { for _ in $(seq 300); do grep -q "\"$1\"" "$scratch/layout" && return; sleep 0.4; done; }
# press_control KIND INDEX: a click on the middle of a control.
press_control() {
  local -a box
  for _ in $(seq 100); do
    mapfile -t box < <(sed -nE 's/.*"kind":"'"$1"'","index":'"$2"',"rect":\[([0-9]+),([0-9]+),([0-9]+),([0-9]+).*/\1\n\2\n\3\n\4/p' "$scratch/layout")
    ((${#box[@]} >= 4)) && break
    sleep 0.1
  done
  xdotool mousemove --window "$window" $(((box[0] + box[2]) / 2)) $(((box[1] + box[3]) / 2)) click 1
  sleep 1
}
# take NAME: F12, then the end of the game; its picture becomes docs/images/NAME.png.
take() {
  xdotool key F12
  for _ in $(seq 100); do compgen -G "$scratch/data/spellpool/recordings/*.png" >/dev/null && break; sleep 0.1; done
  sleep 2
  kill -INT "$game"
  wait "$game" || true
  mv "$scratch"/data/spellpool/recordings/*.png "$images/$1.png"
  echo "$images/$1.png"
}

# Time that is turned back, in a window of 960×540: three seconds of play, three backward, one and a half of play.
open_window --width 960 --height 540 --autoplay --seed 3 --quality high
until_step() { for _ in $(seq 900); do [[ $(<"$scratch/layout") =~ \"step\":([0-9]+) ]] && ((BASH_REMATCH[1] >= $1)) && return; sleep 0.1; done; }
eval "$(xdotool getwindowgeometry --shell "$window")"
until_step 1980
ffmpeg -v error -y -f x11grab -draw_mouse 0 -framerate 12.5 -video_size 960x540 -t 7.5 -i "$DISPLAY+$X,$Y" -an \
  -vf scale=640:-2:flags=area,format=yuv420p -c:v libwebp -quality 50 -compression_level 6 -loop 0 -f webp "$images/rewind.webp" &
filming=$!
sleep 3
xdotool keydown BackSpace
sleep 3
xdotool keyup BackSpace
wait $filming
kill -INT "$game"
wait "$game" || true
echo "$images/rewind.webp"

open_window --hud off
xdotool key 1 key F6
until_shown editor
press_control editor_part 6
press_control editor_page 2
press_control curve_point 1
xdotool mousemove --window "$window" 420 180 keydown f
sleep 2.2
take editor
xdotool keyup f

open_window
xdotool key F7
until_shown settings
sleep 1
take settings

open_window
xdotool key minus key minus key F8
until_shown ab_card
take quick_ab

# Demonstrations, by the test that drives each of them.
mkdir "$scratch/shots"
SPELLPOOL_PICTURES=$scratch/shots "$root/build/release/tests/test_app" --gtest_brief=1 --gtest_filter='Demonstrations.*'
while read -r shot name; do reduce "$scratch/shots/$shot.png" "$name"; done <<'shots'
small_console small_console
shared_pool shared_pool
timeline_both timeline
forgetful_fill forgetful
cranes_null cranes
garden_queue garden
decals decals
voices_12 twelve_voices
trimmed trimmed
story story
small_pool small_pool
shots
