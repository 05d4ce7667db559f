#!/usr/bin/env bash
# install_test.sh library|subproject|program BUILD_FOLDER CMAKE GENERATOR CXX
# library: an outside project finds the package, links spellpool::pool and runs, with a second compiler too
# if there is one; so do the
#          installed examples.
# subproject: a project that adds this source tree gets the library and nothing else.
# program: the installed program runs from another folder, with nothing of the source tree in reach.
set -euo pipefail
part=$1 build=$2 cmake=$3 generator=$4 cxx=$5
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/other_compiler.bash"

fail() { echo "FAILED: $*"; exit 1; }
needs() { for file in "$@"; do [[ -e $prefix/$file ]] || fail "$file was not installed"; done; }

# Far from the source tree, whose assets the program would find above itself.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# The installed tree is moved before it is used: nothing in it may know where it was put.
install_part() {
  "$cmake" --install "$build" --prefix "$scratch/first" --component "$1" >"$scratch/install.log" 2>&1 ||
    { cat "$scratch/install.log"; fail "cmake --install --component $1"; }
  mv "$scratch/first" "$scratch/moved"
  prefix=$scratch/moved
}

# project SOURCE FOLDER OPTION…: configures, builds and tests it.
project() {
  local source=$1 folder=$2
  shift 2
  "$cmake" -S "$source" -B "$folder" -G "$generator" "$@"
  "$cmake" --build "$folder"
  (cd "$folder" && "${cmake%cmake}ctest" --output-on-failure --no-tests=error)
}

case $part in
  library)
    install_part library
    for header in $(cd "$here/../../src" && find pool -name '*.hpp') core/handle.hpp spellpool_pool.hpp; do
      needs "include/spellpool/$header"
    done
    needs share/doc/spellpool/examples/bullets.cpp share/spellpool/debug/spellpool.natvis \
      share/spellpool/debug/spellpool_gdb.py
    # The first compiler optimises, which finds more to warn of; the second one has the assertions.
    build_type=Release
    for compiler in "$cxx" $(other_compiler "$cxx"); do
      for source in "$here/outside_project" "$prefix/share/doc/spellpool/examples"; do
        project "$source" "$scratch/$build_type-$(basename "$source")" -DCMAKE_PREFIX_PATH="$prefix" \
          -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=$build_type
      done
      build_type=Debug
    done
    # The program of docs/POOLS.md, "As an installed package", prints what stands there.
    mkdir "$scratch/rain"
    block() {  # block LANGUAGE LINE: the first block of that language after the line
      awk -v from="$2" -v start="\`\`\`$1" '
        index($0, from) == 1 { found = 1 }
        inside && /^```/ { exit }
        inside
        found && $0 == start { inside = 1 }' "$here/../../docs/POOLS.md"
    }
    block cmake "### As an installed package" >"$scratch/rain/CMakeLists.txt"
    block cpp '`rain.cpp`:' >"$scratch/rain/rain.cpp"
    block "" "It prints" >"$scratch/rain/expected.txt"
    "$cmake" -S "$scratch/rain" -B "$scratch/rain/build" -G "$generator" -DCMAKE_PREFIX_PATH="$prefix" \
      -DCMAKE_CXX_COMPILER="$cxx"
    "$cmake" --build "$scratch/rain/build"
    "$scratch/rain/build/rain" | diff "$scratch/rain/expected.txt" - ||
      fail "docs/POOLS.md promises another output"
    ;;
  subproject)
    project "$here/subproject" "$scratch/game" -DSPELLPOOL_SOURCE="$(cd "$here/../.." && pwd)" \
      -DCMAKE_CXX_COMPILER="$cxx"
    "$cmake" --install "$scratch/game" --prefix "$scratch/installed"
    [[ $(cd "$scratch/installed" && find . -type f) == ./bin/bullets ]] ||
      fail "the game installs files of the library"
    ;;
  program)
    if ! grep -q '^SPELLPOOL_GAME:BOOL=ON$' "$build/CMakeCache.txt"; then
      echo "skipped: this build has no game"
      exit 77
    fi
    install_part game
    needs bin/spellpool share/spellpool/assets/spells/firebolt.toml share/spellpool/shaders \
      share/applications/spellpool.desktop share/doc/spellpool/LICENSE
    mkdir -p "$scratch/elsewhere" "$scratch/home"
    cd "$scratch/elsewhere"
    clean=(env -i HOME="$scratch/home" PATH=/usr/bin:/bin LANG=C)
    # A sanitizer build brings its own exit codes; its options come along.
    for name in ASAN_OPTIONS UBSAN_OPTIONS TSAN_OPTIONS LSAN_OPTIONS; do
      if [[ -n ${!name:-} ]]; then clean+=("$name=${!name}"); fi
    done
    "${clean[@]}" "$prefix/bin/spellpool" --version
    # Nothing but the installed files can answer: spells are read, the world runs, the summary says so.
    "${clean[@]}" "$prefix/bin/spellpool" --headless --sim-only --autoplay --steps 120 --json run.json
    grep -Eq '"steps": *120' run.json || { cat run.json; fail "run.json does not tell of 120 steps"; }
    # And without them it says what is missing.
    mv "$prefix/share/spellpool" "$prefix/share/spellpool-away"
    status=0
    "${clean[@]}" "$prefix/bin/spellpool" --headless --sim-only --autoplay --steps 1 2>missing.txt || status=$?
    [[ $status == 2 ]] || fail "without its assets the program ended with $status, not 2: $(cat missing.txt)"
    grep -q assets missing.txt || fail "no word about the assets: $(cat missing.txt)"
    ;;
  *) fail "unknown part $part" ;;
esac
