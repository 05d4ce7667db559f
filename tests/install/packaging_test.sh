#!/usr/bin/env bash
# packaging_test.sh SOURCE_FOLDER VERSION CMAKE GENERATOR CXX
# The recipes for vcpkg and Conan, run step by step with stand-ins for the two tools; a program builds
# against each result.
set -euo pipefail
source=$1 version=$2 cmake=$3 generator=$4 cxx=$5
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
fail() { echo "FAILED: $*"; exit 1; }
command -v python3 >/dev/null || { echo "skipped: no python3 here"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export PYTHONDONTWRITEBYTECODE=1

port=$source/packaging/vcpkg/ports/spellpool-pool
ported=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["version"])' "$port/vcpkg.json")
[[ $ported == "$version" ]] || fail "vcpkg.json says version $ported, CMakeLists.txt $version"
"$cmake" -DPORT_FOLDER="$port" -DPACKAGES="$scratch/vcpkg" -DBUILD="$scratch/vcpkg-build" \
  -DGENERATOR="$generator" -P "$here/packaging/vcpkg.cmake"
# What vcpkg's own check after a port asks for.
for file in spellpool-pool/copyright spellpool-pool/usage spellpool/spellpoolConfig.cmake; do
  [[ -f $scratch/vcpkg/share/$file ]] || fail "the port leaves no share/$file"
done
for folder in lib debug share/doc; do
  [[ ! -e $scratch/vcpkg/$folder ]] || fail "the port leaves $folder"
done
"$cmake" -S "$source/packaging/conan/test_package" -B "$scratch/vcpkg-test" -G "$generator" \
  -DCMAKE_PREFIX_PATH="$scratch/vcpkg" -DCMAKE_CXX_COMPILER="$cxx"
"$cmake" --build "$scratch/vcpkg-test"
"$scratch/vcpkg-test/package_test"

recipe=$source/packaging/conan
for file in "$recipe/conanfile.py" "$recipe/test_package/conanfile.py"; do
  python3 -c 'import sys; compile(open(sys.argv[1]).read(), sys.argv[1], "exec")' "$file"
done
python3 "$here/packaging/fake_conan.py" "$recipe/conanfile.py" "$scratch/conan" "$cmake" "$generator" >"$scratch/made.txt"
read -r name recipe_version include <"$scratch/made.txt"
[[ $name/$recipe_version == "spellpool-pool/$version" ]] ||
  fail "the Conan recipe makes $name/$recipe_version"
[[ -f $scratch/conan/package/licenses/LICENSE ]] || fail "the Conan package has no licence"
"$cxx" -std=c++20 -I "$include" "$recipe/test_package/main.cpp" -o "$scratch/conan-test"
"$scratch/conan-test"
