# Sourced by web/build and web/test: emscripten, and the libraries that it compiles for the browser.
# Expects $root, the folder of the source tree, and tools/setup.bash.
#
# Debian 13 (emscripten 3.1.69) has what is needed. On an older system the same packages are put into a Debian 13 chroot
# in $web_cache, made by mmdebstrap from the package mirror that apt is configured to use here.

web_cache=${XDG_CACHE_HOME:-$HOME/.cache}/spellpool/web
web_chroot=$web_cache/trixie
web_release=trixie
# Debian 12's 3.1.6 lacks too much of C++20's library; before 3.1.61 IDBFS has no autoPersist, so nothing would be kept.
web_least_emscripten=3.1.61
web_sources=(libsdl2 imgui libpng1.6 zlib)

# is_new_enough VERSION: for emscripten.
is_new_enough() { [[ -n $1 && $(printf '%s\n' "$web_least_emscripten" "$1" | sort -V | head -n 1) == "$web_least_emscripten" ]]; }

# native, chroot, or none: where an emscripten that is new enough is ready now.
web_where() {
  if command -v em++ >/dev/null && is_new_enough "$(em++ -dumpversion 2>/dev/null)"; then
    echo native
  elif [[ -f $web_chroot/spellpool-ready && $(id -u) == 0 ]]; then
    echo chroot
  else
    echo none
  fi
}

# The mirror of Debian's main archive that apt uses here.
web_mirror() {
  apt-get indextargets --format '$(REPO_URI) $(ORIGIN) $(COMPONENT) $(CODENAME)' 'Created-By: Packages' |
    awk '$2 == "Debian" && $3 == "main" && $4 !~ /-security|-updates|-backports/ {print $1; exit}'
}

# web_run COMMAND…: in the chroot, or here where emscripten is native. The source tree, the cache and the current folder
# have the same paths in both.
web_run() {
  if [[ $(web_where) == native ]]; then
    "$@"
    return
  fi
  # The mounts are private to this command and go with it. In a machine that is a chroot itself / may be no mount point.
  unshare --mount --propagation unchanged bash -c '
    set -euo pipefail
    system=$1 folder=$2
    shift 2
    mount --make-rprivate / 2>/dev/null || true
    while [[ $1 != -- ]]; do
      mkdir -p "$system$1"
      mount --bind "$1" "$system$1"
      shift
    done
    shift
    mount -t proc proc "$system/proc"
    mount --rbind /dev "$system/dev"
    exec chroot "$system" /usr/bin/env -i HOME=/root PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin LANG=C.UTF-8 \
      TERM="${TERM:-dumb}" bash -c "cd \"\$0\" && exec \"\$@\"" "$folder" "$@"
  ' web_run "$web_chroot" "$PWD" "$root" "$web_cache/shared" -- "$@"
}

make_chroot() {
  local mirror log=$web_cache/chroot.log
  [[ $(id -u) == 0 ]] || fail "emscripten $web_least_emscripten or newer is needed. This system has none, and only root can make a chroot for it"
  install_packages apt-packages-web-chroot.txt
  [[ -n $(web_mirror) ]] || apt-get update >/dev/null 2>&1 || true
  mirror=$(web_mirror)
  [[ -n $mirror ]] || fail "apt has no mirror of Debian's main archive (apt-get indextargets)"
  echo "This system's emscripten is too old: making a Debian 13 chroot in $web_chroot (log: $log)" >&2
  rm -rf --one-file-system "$web_chroot"
  mkdir -p "$web_cache"
  mmdebstrap --mode=root --variant=apt --include="$(listed_packages apt-packages-web.txt | paste -sd,)" "$web_release" \
    "$web_chroot" "deb $mirror $web_release main" "deb-src $mirror $web_release main" >"$log" 2>&1 </dev/null || {
    tail -n 15 "$log" >&2
    fail "could not make the chroot (all output: $log)"
  }
  listed_packages apt-packages-web.txt >"$web_chroot/spellpool-ready"
}

# What the list has gained since the chroot was made.
update_chroot() {
  local -a missing
  mapfile -t missing < <(listed_packages apt-packages-web.txt | comm -23 - "$web_chroot/spellpool-ready")
  ((${#missing[@]})) || return 0
  echo "Installing in $web_chroot: ${missing[*]}" >&2
  web_run bash -c 'apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"' install "${missing[@]}" \
    >"$web_cache/chroot.log" 2>&1 </dev/null || fail "could not install ${missing[*]} (all output: $web_cache/chroot.log)"
  listed_packages apt-packages-web.txt >"$web_chroot/spellpool-ready"
}

# The source packages, unpacked in $web_cache/shared/sources/NAME.
fetch_sources() {
  local sources=$web_cache/shared/sources apt=$web_cache/shared/apt name log=$web_cache/sources.log
  local folder=$sources.new
  for name in "${web_sources[@]}"; do [[ -d $sources/$name ]] || break; done
  [[ ! -d $sources/$name ]] || return 0
  echo "Fetching the source packages ${web_sources[*]} (log: $log)" >&2
  rm -rf "$folder"
  mkdir -p "$folder" "$apt/lists/partial"
  local -a options=()
  if [[ $(web_where) == native ]]; then
    # apt's own lists seldom have source packages.
    echo "deb-src $(web_mirror) $(. /etc/os-release && echo "$VERSION_CODENAME") main" >"$apt/sources.list"
    options=(-o "Dir::Etc::SourceList=$apt/sources.list" -o Dir::Etc::SourceParts=- -o "Dir::State::Lists=$apt/lists")
  fi
  # Upstream's part alone: some mirrors lack Debian's part of a security update. No patch of Debian's concerns the browser.
  (
    web_run apt-get "${options[@]}" -o Acquire::Retries=3 update &&
      (cd "$folder" && web_run apt-get "${options[@]}" -o APT::Sandbox::User=root -o Acquire::Retries=3 source --download-only --tar-only "${web_sources[@]}") &&
      for name in "${web_sources[@]}"; do
        mkdir "$folder/$name" && (cd "$folder/$name" && web_run tar --strip-components=1 -xf ../"$name"_*.orig.tar.*) || exit
      done
  ) >"$log" 2>&1 </dev/null || {
    tail -n 15 "$log" >&2
    fail "could not fetch the source packages (all output: $log)"
  }
  rm -rf "$sources"
  mv "$folder" "$sources"
}

# Header-only libraries in one folder: /usr/include itself holds headers of this system's C library.
link_headers() {
  local folder=$web_cache/shared/include header
  mkdir -p "$folder"
  for header in glm toml++ nlohmann CLI fmt; do ln -sfn "/usr/include/$header" "$folder/$header"; done
}

# The version that apt would install.
offered_emscripten() { apt-cache policy emscripten 2>/dev/null | sed -nE 's/^ *Candidate: ([0-9.]+).*/\1/p'; }

# Sets up all that is missing. Quick when nothing is.
web_setup() {
  if [[ $(web_where) == none ]]; then
    [[ -n $(offered_emscripten) || $(id -u) != 0 ]] || apt-get update >/dev/null 2>&1 || true
    if is_new_enough "$(offered_emscripten)"; then install_packages apt-packages-web.txt; else make_chroot; fi
  fi
  case $(web_where) in
    native) install_packages apt-packages-web.txt ;;
    chroot) update_chroot ;;
  esac
  [[ $(web_where) != none ]] || fail "no emscripten: em++ is not in PATH"
  mkdir -p "$web_cache/shared"
  fetch_sources
  link_headers
}

# web_build TARGET…: configures build/web-objects where that is needed, and builds.
web_build() {
  local folder=$root/build/web-objects
  mkdir -p "$folder"
  touch "$folder/started"
  : >"$folder/build.log"
  if ! is_configured "$folder" "-DSPELLPOOL_WEB_LIBRARIES=$web_cache/shared"; then
    is_configured "$folder" || rm -rf "$folder/CMakeCache.txt" "$folder/CMakeFiles"  # of a tree that was copied
    (cd "$root" && run_logged "$folder/build.log" "Configuring for the browser" web_run emcmake cmake -G Ninja -B "$folder" \
      -DCMAKE_BUILD_TYPE=Release "-DSPELLPOOL_WEB_LIBRARIES=$web_cache/shared") || exit
  fi
  (cd "$root" && run_logged "$folder/build.log" "Building for the browser" web_run cmake --build "$folder" --parallel "$(nproc)" --target "$@") || exit
  mv "$folder/started" "$folder/built"
}

# Whether the last web_build succeeded and began after the last change of the sources.
web_is_built() {
  [[ -f $root/build/web-objects/built ]] || return 1
  [[ -z $(find "$root"/{CMakeLists.txt,cmake,src,tests/web,third_party} -newer "$root/build/web-objects/built" -type f -print -quit) ]]
}
