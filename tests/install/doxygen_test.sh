#!/usr/bin/env bash
# doxygen_test.sh SOURCE_FOLDER
# Doxygen makes the pages of the pool library without a warning. Says skipped (77) if there is no Doxygen.
set -euo pipefail
source=$1
fail() { echo "FAILED: $*"; exit 1; }
command -v doxygen >/dev/null || { echo "skipped: no doxygen here"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$source"

{ cat docs/Doxyfile; echo "OUTPUT_DIRECTORY = $scratch"; } | doxygen - || fail "doxygen warns"
page=$scratch/html/classspellpool_1_1pool_1_1Pool.html
grep -q 'An object pool: a Storage' "$page" || fail "the page of Pool does not describe it"
grep -q '<li><b>Moved</b>' "$page" || fail "the lists in comments are not shown as lists"
grep -q 'class="fragment"' "$page" || fail "the examples are not shown as code"
grep -q 'release_if' "$page" || fail "the page of Pool has no release_if()"
grep -q 'pool/switchable_pool.hpp' "$scratch/html/index.html" || fail "there is no main page"

# It would notice: an unknown command, and a parameter that is not there.
mkdir "$scratch/bad"
printf '#pragma once\n/// \\file\n/// Does it. \\parm x\n/// @param gone nothing\nvoid does_it();\n' \
  >"$scratch/bad/bad.hpp"
bad_settings() { cat docs/Doxyfile; echo "OUTPUT_DIRECTORY = $scratch/bad"; echo "INPUT = $scratch/bad"; }
if bad_settings | doxygen - >/dev/null 2>&1; then
  fail "a broken comment goes unnoticed"
fi
