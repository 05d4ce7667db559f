#!/usr/bin/env bash
# Fuzzes the readers of spell, pattern, stage, sound, recording, settings, score and replay files with
# clang's libFuzzer, ASan and UBSan.
#   tools/fuzz.sh [SECONDS] [NAME…]      60 seconds each by default; all eight if none is named:
#                                        spell pattern stage sound recording settings scores replay
# Starts from tests/fuzz/corpus/NAME and from the inputs that earlier runs left in build/fuzz/found/NAME.
# Copies nothing into the tree. Exit codes: 0 every check held; 1 a check failed, and the path of the input
# is printed.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
source "$root/tools/setup.bash"

seconds=${1:-60}
[[ $seconds =~ ^[1-9][0-9]*$ ]] || fail "'$seconds' is no number of seconds (tools/fuzz.sh [SECONDS] [NAME…])"
shift $(($# > 0 ? 1 : 0))
names=("$@")
((${#names[@]})) || names=(spell pattern stage sound recording settings scores replay)
for name in "${names[@]}"; do
  [[ -f $root/tests/fuzz/${name}_fuzz.cpp ]] || fail "there is no tests/fuzz/${name}_fuzz.cpp"
done

build=$root/build/fuzz
for name in "${names[@]}"; do
  build_preset clang "$build" "fuzz_$name" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DSPELLPOOL_TESTS=ON -DSPELLPOOL_FUZZ=ON
done

# figure LOG WORD: the last figure that libFuzzer wrote after WORD.
figure() { grep -oE "$2:? *[0-9]+" "$1" | tail -n 1 | grep -oE '[0-9]+' || true; }

broken=()
for name in "${names[@]}"; do
  log=$build/$name.log found=$build/found/$name
  mkdir -p "$found" "$build/broken"
  "$build/tests/fuzz/fuzz_$name" -max_total_time="$seconds" -max_len=8192 -timeout=10 -print_final_stats=1 \
    -artifact_prefix="$build/broken/$name-" "$found" "$root/tests/fuzz/corpus/$name" >"$log" 2>&1 </dev/null &
  pid=$! start=$SECONDS
  trap 'kill "$pid" 2>/dev/null || true' EXIT
  while kill -0 "$pid" 2>/dev/null; do
    sleep 1
    [[ -t 2 ]] && printf '\r\033[K%s: %s of %s s, coverage %s, %s inputs kept' "$name" "$((SECONDS - start))" "$seconds" \
      "$(figure "$log" cov)" "$(figure "$log" corp)" >&2
  done
  status=0
  wait "$pid" || status=$?
  trap - EXIT
  [[ -t 2 ]] && printf '\r\033[K' >&2
  if ((status)); then
    broken+=("$name")
    echo "$name: BROKEN: $(grep -m 1 -E "^(${name}_fuzz: |==[0-9]+==ERROR|SUMMARY|.*runtime error)" "$log" || echo "exit code $status")"
    echo "  input: $(grep -oE "$build/broken/[^ ]+" "$log" | tail -n 1)   log: $log"
  else
    echo "$name: $(figure "$log" stat::number_of_executed_units) runs in $((SECONDS - start)) s, coverage $(figure "$log" cov), nothing found"
  fi
done
((${#broken[@]} == 0))
