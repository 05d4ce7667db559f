#!/usr/bin/env bash
# debugger_test.sh SOURCE_FOLDER CXX
# GDB prints pools and handles by tools/debug/spellpool_gdb.py, in builds that check owners and in those
# that do not. The members that spellpool.natvis names exist. Says skipped (77) if there is no GDB, or it
# may not start programs.
set -euo pipefail
source=$1 cxx=$2
fail() { echo "FAILED: $*"; exit 1; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

natvis=$source/tools/debug/spellpool.natvis
python3 -c "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])" "$natvis"
for member in $(grep -oE '\b[a-z]+(_[a-z]+)*_\b' "$natvis" | sort -u); do
  grep -rqE "\b$member\b( =|[;({,])" "$source/src/pool" || fail "spellpool.natvis: no $member in src/pool"
done

command -v gdb >/dev/null || { echo "skipped: no gdb here"; exit 77; }
options=(-std=c++20 -g -O0 -I "$source/src")
if "$cxx" --version | grep -q clang; then options+=(-fstandalone-debug); fi
for checks in 0 1; do
  "$cxx" "${options[@]}" -DSPELLPOOL_CHECK_OWNERS=$checks "$source/tests/install/debugger/pools.cpp" \
    -o "$scratch/pools"
  names=(handle null free_list reference grown narrow narrow_handle packed heap book empty table dense)
  commands=()
  for name in "${names[@]}"; do commands+=(-ex "echo $name = " -ex "output $name" -ex 'echo \n'); done
  out=$scratch/out.txt error=$scratch/error.txt
  gdb -nx -batch -ex "set print pretty off" -ex "set disable-randomization off" \
    -ex "source $source/tools/debug/spellpool_gdb.py" -ex "break look" -ex run -ex up "${commands[@]}" \
    "$scratch/pools" >"$out" 2>"$error" || true
  if grep -qiE 'ptrace: Operation not permitted|During startup program' "$error" "$out"; then
    echo "skipped: gdb may not start a program here"
    exit 77
  fi
  # Addresses differ from run to run; so do the columns of dense.
  grep -E '^[a-z_]+ =' "$out" | grep -v '^dense =' >"$scratch/got.txt" || true
  diff "$source/tests/install/debugger/expected.txt" "$scratch/got.txt" ||
    { cat "$error"; fail "gdb prints something else"; }
  grep -qE '^dense = ?DensePool of 3/4 = \{rows = 3, columns = ' "$out" || fail "$(grep ^dense "$out")"
  if grep -q 'Python Exception' "$error"; then fail "$(cat "$error")"; fi
done
