#!/usr/bin/env bash
# docs_samples_test.sh SOURCE_FOLDER CXX
# Every C++ sample of docs/POOLS.md compiles. (rain.cpp, which is a program, is run by install_test.sh.) The printed
# loop of update_rows() is the one that the benchmark times, and a user's lambda is compiled for a constant 64.
set -euo pipefail
source=$1 cxx=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/other_compiler.bash"
document=$source/docs/POOLS.md

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
failed=0
fail() { echo "FAILED: $*"; failed=1; }

# sample_01.cpp …: one file for each block, where it can be compiled.
awk '
  /^```cpp$/ { inside = 1; name = sprintf("block_%02d.txt", ++blocks); line = FNR + 1; next }
  /^```$/ && inside { inside = 0; close(name); next }
  inside { print > name }' "$document"
blocks=(block_*.txt)
((${#blocks[@]} >= 5)) || fail "only ${#blocks[@]} samples found"
fields=$(grep -l 'struct spellpool::pool::FieldsOf<Spark>' "${blocks[@]}" | head -1)

cat >before.hpp <<'TYPES'
#include <cstdio>
#include "pool/pool.hpp"
using namespace spellpool::pool;
struct Spark { float x, y, vx, vy, life; unsigned colour = 0; unsigned long long spawn_id = 0; };
TYPES
cat "$fields" >>before.hpp
cat >>before.hpp <<'TYPES'
inline constexpr float kDt = 1.0f / 64;
void draw(float x, float y);
struct Workers { unsigned size() const; template <class F> void run(F f) { for (unsigned i = 0; i < size(); ++i) f(i); } };
TYPES

for block in "${blocks[@]}"; do
  if [[ $block == "$fields" ]] || grep -q 'int main()' "$block"; then continue; fi
  unit=${block%.txt}.cpp
  parameters='float x, float y, float vx, float vy, float life, Workers& workers'
  grep -Eq '> sparks[({]' "$block" || parameters+=', DensePool<Spark>& sparks'
  {
    echo '#include "before.hpp"'
    grep -E '^(#include|using namespace)' "$block" || true
    echo "void sample([[maybe_unused]] ${parameters//, /, [[maybe_unused]] }) {"
    grep -Ev '^(#include|using namespace)' "$block"
    echo '}'
  } >"$unit"
  for compiler in "$cxx" $(other_compiler "$cxx"); do
    "$compiler" -std=c++20 -Wall -Wextra -Werror -I "$source/src" -I . -fsyntax-only "$unit" || { cat "$unit"; fail "$compiler: $block"; }
  done
done

# What is printed is what is timed.
printed=$(grep -l '^sparks.update_rows<' "${blocks[@]}" | head -1)
squeeze() { tr -d ' \n'; }
if [[ $(squeeze <"$printed") != "$(sed -n '/printed: begin/,/printed: end/p' "$source/bench/pools_sides.hpp" | grep -v 'printed: ' | squeeze)" ]]; then
  fail "the loop in docs/POOLS.md is not the one in bench/pools_sides.hpp"
fi

# g++ answers __builtin_constant_p after inlining.
cat >constant.cpp <<'PROGRAM'
#include "before.hpp"
int main() {
  DensePool<Spark> sparks(200);
  for (unsigned i = 0; i < 200; ++i) sparks.acquire(0.0f, 0.0f, 0.0f, 0.0f, static_cast<float>(i % 10));
  unsigned constant = 0, groups = 0;
  sparks.update_rows<&Spark::life>([&](unsigned count, float* life) {
    if (__builtin_constant_p(count)) ++constant;
    ++groups;
    for (unsigned i = 0; i < count; ++i) life[i] -= 1;
    return lane_mask(count, [=](unsigned i) { return life[i] < 0; });
  });
  sparks.update_rows([&](unsigned, unsigned count) {
    if (__builtin_constant_p(count)) ++constant;
    ++groups;
    return 0;
  });
  std::printf("%u of %u groups, live %u\n", constant, groups, sparks.live());
}
PROGRAM
if ! "$cxx" --version | grep -q clang; then
  "$cxx" -std=c++20 -O2 -DNDEBUG -I "$source/src" -I . constant.cpp -o constant
  [[ $(./constant) == "5 of 7 groups, live 180" ]] || fail "update_rows: a constant count in $(./constant)"  # 200 and 180 rows
  # Row numbers: the loop that starts at `first` becomes vector code too.
  cat >rows.cpp <<'PROGRAM'
#include "before.hpp"
void sample(DensePool<Spark>& sparks) {
  float* const life = sparks.column<&Spark::life>();
  sparks.update_rows([=](unsigned first, unsigned count) {
    for (unsigned i = first; i < first + count; ++i) life[i] -= 1;  // the line
    return lane_mask(count, [=](unsigned i) { return life[first + i] <= 0; });
  });
}
PROGRAM
  "$cxx" -std=c++20 -O3 -DNDEBUG -I "$source/src" -I . -c rows.cpp -fopt-info-vec-optimized=rows.txt
  line=$(grep -n '// the line' rows.cpp | cut -d: -f1)
  grep -q "^rows.cpp:$line:.*vectorized" rows.txt || { cat rows.txt; fail "a loop over row numbers is not vectorised"; }
  # No test for arrays that overlap, and no loop that stays scalar.
  { echo '#include "before.hpp"'; echo 'void sample(DensePool<Spark>& sparks) {'; cat "$printed"; echo '}'; } >tuned.cpp
  "$cxx" -std=c++20 -O3 -DNDEBUG -I "$source/src" -I . -c tuned.cpp -fopt-info-vec-optimized=loops.txt
  if grep -q 'versioned' loops.txt; then cat loops.txt; fail "the printed loop tests whether arrays overlap"; fi
  grep -q '^tuned.cpp:.*optimized: .*vectorized' loops.txt || { cat loops.txt; fail "the printed loop is not vectorised"; }
fi
exit $failed
