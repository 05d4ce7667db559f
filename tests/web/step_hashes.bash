# Sourced by tests/web/hashes_test.sh and tools/arm_hashes.sh, which have sourced tools/setup.bash and set no trap.

# compare_step_hashes WHERE ROOT STEPS "SEEDS…" NATIVE_STEP_HASHES OTHER…: the world's hash after every step is the same by both programs
# (step_hashes.cpp): both scenes, four strategies, and every strategy in turn, 100 steps each. OTHER is a command; WHERE names it in
# messages. Fails if they differ, and prints the first step that does.
compare_step_hashes() {
  local where=$1 root=$2 steps=$3 seeds=$4 native=$5 scene seed run different=0 compared=0
  shift 5
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  for scene in spells shooter; do
    for seed in $seeds; do
      for run in heap free_list bitmap dense "free_list 100"; do
        local -a arguments=("$root" "$scene" "$seed" "$steps" $run)
        "$native" "${arguments[@]}" >"$scratch/native"
        "$@" "${arguments[@]}" >"$scratch/other"
        [[ $(wc -l <"$scratch/native") == "$steps" ]] || fail "$native printed $(wc -l <"$scratch/native") lines for $steps steps"
        [[ $(cut -d ' ' -f 2 "$scratch/native" | sort -u | wc -l) -gt $((steps / 2)) ]] || fail "$native: the hash does not change from step to step"
        compared=$((compared + 1))
        cmp -s "$scratch/native" "$scratch/other" && continue
        different=$((different + 1))
        echo "DIFFERENT  $scene, seed $seed, $run: first at step $(diff "$scratch/native" "$scratch/other" | sed -nE 's/^< ([0-9]+) .*/\1/p' | head -n 1)"
      done
    done
  done
  echo "$compared runs of $steps steps $where, $different different from the native ones"
  ((different == 0))
}
