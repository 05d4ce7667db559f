# Sourced after wait.bash by tests that drive a program in a window with xdotool. The caller starts the program with
# `--layout-out ready.json`.

# ---- the layout, as it was written last: $layout, $frame, $step

look() {
  read -rd '' layout 2>/dev/null <ready.json
  [[ $layout =~ \"frame\":([0-9]+),.\"step\":([0-9]+) ]] && frame=${BASH_REMATCH[1]} step=${BASH_REMATCH[2]}
}
another_frame() { local was=$frame; look; ((frame != was)); }
step_reached() { look; ((step >= $1)); }
has_part() { look; [[ $layout == *"\"$1\":["* ]]; }
lacks_part() { ! has_part "$1"; }
# has_control KIND INDEX: $rect is where it lies: x0 y0 x1 y1.
has_control() {
  look
  [[ $layout =~ \"kind\":\"$1\",\"index\":$2,\"rect\":\[([0-9]+),([0-9]+),([0-9]+),([0-9]+)\] ]] &&
    rect=("${BASH_REMATCH[@]:1:4}")
}

# ---- waits

# Until all input sent so far is handled and its result shown. The layout that is being written now may be older than
# the input; the second one is newer; the third one is some frames later, as a click takes two.
drawn() { look; await another_frame; await another_frame; await another_frame; }
# steps N: until the world has made N more steps after the input sent so far.
steps() { drawn; await step_reached $((step + $1)); }
shown() { await has_part "$1"; }
gone() { await lacks_part "$1"; }
# told TEXT: until a notice with this text is shown.
told() { await has_notice "$1"; }
# alerted TEXT: until the alert in the middle has this text.
alerted() { await has_alert "$1"; }
has_alert() { look; [[ $layout =~ \"alert\":\"([^$'\n']*) && ${BASH_REMATCH[1]} == *"$1"* ]]; }
has_notice() { look; [[ $layout =~ \"notice\":\"([^$'\n']*) && ${BASH_REMATCH[1]} == *"$1"* ]]; }
# until_gone PART COMMAND: repeats the command until the part is gone.
until_gone() { await gone_after "$1" "$2"; }
gone_after() { lacks_part "$1" || { eval "$2"; drawn; lacks_part "$1"; }; }

# ---- mouse

# Where the control lies; again if it has moved meanwhile, as it does when a line appears above it.
point() {
  local was
  while :; do
    await has_control "$1" "$2"
    kill -0 $PID 2>/dev/null || return
    was="${rect[*]}"
    xdotool mousemove --window $W $(((rect[0] + rect[2]) / 2)) $(((rect[1] + rect[3]) / 2)); drawn
    has_control "$1" "$2" && [[ $was == "${rect[*]}" ]] && return
  done
}
press() { point "$1" "$2"; xdotool click 1; drawn; }

# ---- pictures

# picture NAME: what the window shows, as $SPELLPOOL_PICTURES/NAME.png; nothing where that is not set.
picture() { [[ -z ${SPELLPOOL_PICTURES-} ]] || { import -window $W "$SPELLPOOL_PICTURES/$1.png"; }; }

# ---- start

# Sets $W, the program's window. Exits with 99 if there is none.
find_window() {
  await window_there
  [[ -n $W ]] || { echo 'no window' >&2; kill $PID 2>/dev/null; exit 99; }
}
window_there() { W=$(xdotool search --pid $PID --name Spellpool 2>/dev/null | head -1); [[ -n $W ]]; }
# The same for a program that writes ready.json: until its first frames are drawn and it has the keyboard. Its window is
# asked for once the first frame is drawn: each question is a process.
take_window() { await test -s ready.json; find_window; xdotool windowfocus --sync $W; drawn; }
