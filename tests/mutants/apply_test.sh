#!/usr/bin/env bash
# apply_test.sh SOURCE_FOLDER
# Every planted bug still applies to the code, as tools/mutate applies it. (Whether the tests kill it takes longer: ./check --all.)
set -u
cd "$1" || exit 1
failed=0
for patch in tests/mutants/*.patch; do
  GIT_CEILING_DIRECTORIES=$(dirname "$PWD") GIT_DIR=/nonexistent git apply -C1 --check "$patch" || { echo "mend $patch: the code that it changes has changed" >&2; failed=1; }
done
exit $failed
