#!/usr/bin/env bash
# The game on 64-bit ARM: cross-compiles core, pool, frame and sim, and plays them under qemu-user. Every step's hash must be that of
# this machine's build: both scenes, four strategies, and every strategy in turn, 100 steps each.
#   tools/arm_hashes.sh [STEPS [SEEDS…]]        3600 steps of the seeds 1, 2 and 3 by default
# Installs the cross compiler and qemu if they are missing (third_party/apt-packages-arm.txt).
# Exit codes: 0 all are equal; 1 they differ, and the first step that differs is printed.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
source "$root/tools/setup.bash"
source "$root/tests/web/step_hashes.bash"
steps=${1:-3600}
seeds=("${@:2}")
((${#seeds[@]})) || seeds=(1 2 3)

install_packages apt-packages.txt apt-packages-check.txt apt-packages-arm.txt
build_preset release "$root/build/release" step_hashes -DSPELLPOOL_TESTS=ON
arm=$root/build/arm
mkdir -p "$arm"
: >"$arm/build.log"
if [[ ! -f $arm/build.ninja ]]; then
  run_logged "$arm/build.log" "Configuring for ARM" cmake -G Ninja -S "$root/tests/arm" -B "$arm" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++
fi
run_logged "$arm/build.log" "Building for ARM" cmake --build "$arm"
compare_step_hashes "on ARM" "$root" "$steps" "${seeds[*]}" "$root/build/release/step_hashes" qemu-aarch64 "$arm/step_hashes"
