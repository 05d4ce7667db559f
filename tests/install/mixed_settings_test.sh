#!/usr/bin/env bash
# mixed_settings_test.sh SOURCE_FOLDER CXX
# Two files with different layouts of a handle do not link, also where no mangled name contains a Handle.
set -euo pipefail
source=$1 cxx=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/other_compiler.bash"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
fail() { echo "FAILED: $*"; exit 1; }

cat >target.hpp <<'CODE'
#include "core/handle.hpp"
struct Object { int value; };
struct Target { spellpool::Handle<Object> handle; int value; };
int value_of(const Target& target);
CODE
printf '#include "target.hpp"\nint value_of(const Target& target) { return target.value; }\n' >callee.cpp
printf '#include "target.hpp"\nint main() { return value_of(Target{{}, 7}) == 7 ? 0 : 1; }\n' >caller.cpp

for compiler in "$cxx" $(other_compiler "$cxx"); do
  lto=""
  if ! "$compiler" --version | grep -q clang; then lto=-flto; fi
  for options in "" -fPIC -Wl,--gc-sections $lto; do
    for setting in "" -DNDEBUG; do
      for file in callee caller; do
        # shellcheck disable=SC2086
        "$compiler" -std=c++20 -Wall -Wextra -Wpedantic -Werror -O1 ${options##-Wl,*} $setting -I "$source/src" \
          -c $file.cpp -o "$file$setting.o"
      done
      "$compiler" $options "callee$setting.o" "caller$setting.o" -o program || fail "$compiler $options $setting does not link"
      ./program || fail "$compiler $options $setting: a wrong value"
    done
    for pair in "callee.o caller-DNDEBUG.o" "callee-DNDEBUG.o caller.o"; do
      # shellcheck disable=SC2086
      if "$compiler" $options $pair -o program >out.txt 2>&1; then fail "$compiler $options: $pair link"; fi
      grep -q 'SPELLPOOL_CHECK_OWNERS.*in.every.file' out.txt || { cat out.txt; fail "the linker does not name the setting"; }
    done
  done
done
