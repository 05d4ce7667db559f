#!/usr/bin/env bash
# suites_test.sh SOURCE_FOLDER PLANTED_SUITES CMAKE CTEST
# CTest says of each planted suite what is true of it, also where paths have spaces (cmake/list_suites.cmake).
set -euo pipefail
source=$1 planted=$2 cmake=$3 ctest=$4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/a folder"
cd "$folder/a folder"
cp "$planted" "planted suites"
"$cmake" -DPROGRAM="$PWD/planted suites" -DPREFIX=planted -DFOLDER="$PWD" -DLIST="$PWD/CTestTestfile.cmake" -P "$source/cmake/list_suites.cmake"
"$ctest" >said 2>&1 || true
expected='Fails Failed
FailsAndSkips Failed
IsDisabled Skipped
Large/Numbers Failed
OfTypes Failed
Passes Passed
PassesAndSkips Passed
Skips Skipped
SkipsAndEnds Failed
SkipsAndIsDisabled Skipped
Small/Numbers Passed'
seen=$(sed -nE 's/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: planted\.([^ ]+) \.*[ *]*(Passed|Failed|Skipped) .*/\1 \2/p' said | LC_ALL=C sort)
if [[ $seen != "$expected" ]]; then
  echo "suites_test: expected < and seen >:" >&2
  diff <(echo "$expected") <(echo "$seen") >&2 || true
  cat said >&2
  exit 1
fi
