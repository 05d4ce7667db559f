# Sourced by tests that run a program in the background: waits for what it does. The caller sets $PID, its process. Every
# wait returns when its condition holds or the program has ended. After $limit_s it stops the program and exits with 98.
limit_s=150

# A pause of 20 ms without a new process.
nap() {
  [[ -n ${never-} ]] || exec {never}<> <(:)
  read -rt 0.02 -u "$never"
}

# await COMMAND…: repeats the command until it succeeds.
await() {
  local -i end=$((SECONDS + limit_s))
  until "$@"; do
    kill -0 $PID 2>/dev/null || return
    if ((SECONDS >= end)); then
      echo "still waiting after $limit_s s: $*" >&2
      kill $PID
      exit 98
    fi
    nap
  done
}

# appeared PATTERN: until there is a file with such a name.
appeared() { await compgen -G "$1" >/dev/null; }
# wrote PATTERN TEXT: until a file with such a name contains the text.
wrote() { await contains "$1" "$2"; }
contains() { grep -qsF -- "$2" $1; }
# as_long_as COMMAND…: until the command fails.
as_long_as() { await fails "$@"; }
fails() { ! "$@"; }
