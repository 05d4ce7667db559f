#!/usr/bin/env bash
# Formats C++ by .clang-format.
#   tools/format.sh             the files that differ from the last commit
#   tools/format.sh FILE…       these
#   tools/format.sh --check […] changes nothing; names what is not formatted and ends with 1
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
command -v clang-format >/dev/null || { echo "format: needs clang-format: apt-get install clang-format" >&2; exit 2; }

mode=(-i)
if [[ ${1:-} == --check ]]; then mode=(--dry-run --Werror); shift; fi
files=("$@")
if ((${#files[@]} == 0)); then
  mapfile -t files < <({ git diff --name-only --diff-filter=d HEAD; git ls-files --others --exclude-standard; } |
    grep -E '\.(cpp|hpp)$' | sort -u)
fi
((${#files[@]})) || exit 0
clang-format "${mode[@]}" "${files[@]}"
