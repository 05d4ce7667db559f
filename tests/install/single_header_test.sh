#!/usr/bin/env bash
# single_header_test.sh SOURCE_FOLDER VERSION CXX
# tools/single_header makes a header that stands alone: in two files of one program, with every compiler that is here, with and
# without exceptions and type information, and next to macros named min and max, as windows.h has them.
set -euo pipefail
source=$1 version=$2 cxx=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/other_compiler.bash"

fail() { echo "FAILED: $*"; exit 1; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
mkdir made
header=made/spellpool_pool.hpp

"$source/tools/single_header" "$header"
"$source/tools/single_header" | cmp - "$header" || fail "what is printed and what is written differ"
grep -qF "version $version," "$header" || fail "it does not say that it is version $version"
IFS=. read -r major minor patch <<<"$version"
for part in "MAJOR $major" "MINOR $minor" "PATCH $patch"; do
  grep -qx "#define SPELLPOOL_VERSION_$part" "$header" || fail "the macros do not say version $version: src/pool/base.hpp, CMakeLists.txt"
done
grep -q '^// Copyright (c) .* MIT License' "$header" || fail "no line about the licence"
if grep -nE '^ *# *(pragma once|include *")' "$header"; then fail "it includes files of the source tree, or has #pragma once"; fi
# Comments, macros, and each file once.
grep -q '^/// An object pool: ' "$header" || fail "the comments are gone"
grep -q '^#define SPELLPOOL_ASSERT' "$header" || fail "the macros are gone"
for name in $(sed -n 's/^#include "\(.*\)"/\1/p' "$source/src/pool/pools.hpp") pool/pools.hpp core/types.hpp; do
  [[ $(grep -c "^// ==== $name\$" "$header") == 1 ]] || fail "$name is not in it once"
done
# A tree with a file missing gives no header.
mkdir -p broken/tools broken/src/pool
cp "$source/tools/single_header" broken/tools
cp "$source/CMakeLists.txt" "$source/LICENSE" broken
echo '#include "pool/gone.hpp"' >broken/src/pool/pools.hpp
if broken/tools/single_header never.hpp 2>error.txt; then fail "a missing file went unnoticed"; fi
grep -q 'gone.hpp' error.txt || fail "a missing file is not named: $(cat error.txt)"
[[ -z $(compgen -G 'never.hpp*') ]] || fail "a broken header was left behind"

# Alone: only the folder with the one header is searched.
warnings=(-std=c++20 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -I made)
other=$(other_compiler "$cxx")
[[ -n $other ]] || echo "no second compiler here"
for compiler in "$cxx" $other; do
  for mode in "" "-fno-exceptions -fno-rtti"; do
    echo "$compiler $mode"
    for unit in everything other_unit; do
      # shellcheck disable=SC2086
      "$compiler" "${warnings[@]}" $mode -DONE_HEADER -c "$here/outside_project/$unit.cpp" -o "$unit.o" || fail "$unit.cpp"
    done
    "$compiler" everything.o other_unit.o -o everything
    ./everything || fail "the program says that something does not hold"
  done
done

{
  sed -n '/^#include </p' "$header"
  echo '#define min(a, b) (((a) < (b)) ? (a) : (b))'
  echo '#define max(a, b) (((a) > (b)) ? (a) : (b))'
  echo '#include <spellpool_pool.hpp>'
  echo '#include <spellpool_pool.hpp>'
  echo 'spellpool::pool::VariantPool<int, double> pool(2);'
} >macros.cpp
"$cxx" "${warnings[@]}" -fsyntax-only macros.cpp || fail "macros min and max break it"
