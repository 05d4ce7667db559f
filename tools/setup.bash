# Sourced by ./play, ./check and ./bench/run: what they share to install packages and to build.
# Expects $root, the folder of the source tree.

fail() {
  echo "${0##*/}: $*" >&2
  exit 2
}

# The package names in the given lists of third_party/, one a line.
listed_packages() {
  local list
  for list in "$@"; do sed 's/#.*//' "$root/third_party/$list"; done | tr -s ' \t' '\n' | sed '/^$/d' | sort -u
}

# Installs what is missing from the given lists. Quick, and without apt, when nothing is.
# SPELLPOOL_SKIP_INSTALL=1 leaves the packages to you.
install_packages() {
  [[ -z ${SPELLPOOL_SKIP_INSTALL:-} ]] || return 0
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "No apt here. third_party/README.md names what the build needs." >&2
    return 0
  fi
  local -a wanted missing
  mapfile -t wanted < <(listed_packages "$@")
  mapfile -t missing < <(comm -23 <(printf '%s\n' "${wanted[@]}") \
    <(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null | sed -n 's/^installed //p' | sort -u))
  ((${#missing[@]})) || return 0

  local -a as_root=()
  if [[ $(id -u) != 0 ]]; then
    command -v sudo >/dev/null ||
      fail "packages are missing, and this is neither root nor is there sudo. As root: apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  echo "Installing ${#missing[@]} packages: ${missing[*]}" >&2
  mkdir -p "$root/build"
  local log=$root/build/install.log
  local -a apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3)
  local -a install=("${apt[@]}" install -y --no-install-recommends "${missing[@]}")
  # The package index is fetched only where the one at hand does not do.
  if ! "${install[@]}" >"$log" 2>&1 </dev/null; then
    "${apt[@]}" update >>"$log" 2>&1 </dev/null || echo "apt-get update failed; trying with what it has" >&2
    if ! "${install[@]}" >>"$log" 2>&1 </dev/null; then
      tail -n 15 "$log" >&2
      fail "could not install ${missing[*]} (all of apt's output: $log)"
    fi
  fi
}

# run_logged LOG WHAT COMMAND…: all output goes to LOG. The terminal sees one line, which counts along in a terminal,
# and on failure the errors and LOG's end.
run_logged() {
  local log=$1 what=$2 line status=0 said=2
  shift 2
  "$@" </dev/null 2>&1 | while IFS= read -r line; do
    printf '%s\n' "$line" >&3
    # A build of one or two steps only looks for changed files. Where CMake runs again first, a larger count follows.
    if [[ $line =~ ^\[([0-9]+)/([0-9]+)\] && ${BASH_REMATCH[2]} -gt 2 ]]; then
      if [[ -t 2 ]]; then
        printf '\r\033[K%s %s of %s' "$what" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" >&2
      elif ((BASH_REMATCH[2] > said)); then
        said=${BASH_REMATCH[2]}
        echo "$what: ${BASH_REMATCH[2]} steps (log: $log)" >&2
      fi
    fi
  done 3>>"$log" || status=$?
  if [[ -t 2 ]]; then printf '\r\033[K' >&2; fi
  if ((status)); then
    { grep -nE '(error|FAILED):|^CMake Error' "$log" || true; } | head -n 10 >&2
    echo '…' >&2
    tail -n 25 "$log" >&2
    fail "$what failed (the whole log: $log)"
  fi
}

# is_configured FOLDER [-DNAME=VALUE…]: by this tree, as the presets are now, with these options.
is_configured() {
  local folder=$1 option
  shift
  [[ -f $folder/build.ninja && ! $root/CMakePresets.json -nt $folder/build.ninja ]] || return 1
  for option in "CMAKE_HOME_DIRECTORY=$root" "${@#-D}"; do
    grep -q "^${option%%=*}:[A-Z]*=${option#*=}\$" "$folder/CMakeCache.txt" || return 1
  done
}

# build_preset PRESET FOLDER TARGET [-DNAME=VALUE…]: configures where that is needed, then builds TARGET.
# Options that are not named stay as the folder has them, so that ./play and ./check share build/release.
build_preset() {
  local preset=$1 folder=$2 target=$3
  shift 3
  if ! is_configured "$folder" "$@"; then
    # A tree that was moved or copied brings a folder that points elsewhere.
    is_configured "$folder" || rm -rf "$folder/CMakeCache.txt" "$folder/CMakeFiles"
    mkdir -p "$folder"
    : >"$folder/build.log"
    (cd "$root" && run_logged "$folder/build.log" "Configuring $preset" cmake --preset "$preset" -B "$folder" "$@") || exit
  else
    : >"$folder/build.log"
  fi
  # One compiler for each processor: Ninja's two more only take the caches from each other.
  run_logged "$folder/build.log" "Building $preset" cmake --build "$folder" --target "$target" --parallel "$(nproc)"
}
