#!/usr/bin/env bash
# misuse_messages_test.sh SOURCE_FOLDER CXX
# Common mistakes do not compile, and the compiler says what to write instead: in at most 3 errors, one of
# which is the library's own.
set -euo pipefail
source=$1 cxx=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/other_compiler.bash"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
failed=0
fail() { echo "FAILED: $compiler: $*"; cat out.txt; failed=1; }

# What every case begins with, compiled once by each compiler.
cat >common.hpp <<'TYPES'
#include <mutex>
#include <string>
#include "pool/pool.hpp"
#include "pool/switchable_pool.hpp"
using namespace spellpool::pool;
struct Bullet { float x, y; };
struct Fixed { std::mutex mutex; };
struct Named { std::string name; float x; };
struct Throwing { Throwing(Throwing&&); int value; };
struct Half { float x, y; };
struct OnlyHot { float x, y; };
template <> struct spellpool::pool::FieldsOf<OnlyHot> { using Hot = FieldList<&OnlyHot::x, &OnlyHot::y>; };
template <> struct spellpool::pool::FieldsOf<Named> {
  using Hot = FieldList<&Named::x>;
  using Cold = FieldList<&Named::name>;
};
template <> struct spellpool::pool::FieldsOf<Half> {
  using Hot = FieldList<&Half::x>;
  using Cold = FieldList<>;
};
inline void write(Bullet& bullet) { bullet.x += 1; }
TYPES
precompile() {
  local made=common.hpp.gch
  if "$compiler" --version | grep -q clang; then made=common.hpp.pch; fi
  rm -f common.hpp.?ch
  "$compiler" -std=c++20 -I "$source/src" -x c++-header common.hpp -o $made
}
compile() {
  printf '%s\n' "$1" >unit.cpp
  "$compiler" -std=c++20 -I "$source/src" -include common.hpp -Winvalid-pch -Werror=unused-result -fsyntax-only unit.cpp >out.txt 2>&1
}
# refuses "TEXT OF THE MESSAGE" 'CODE'
refuses() {
  if compile "$2"; then fail "this compiles: $2"; return; fi
  local -i errors
  errors=$(grep -c 'error:' out.txt)
  ((errors <= 3)) || fail "$errors errors for: $2"
  grep -q -- "$1" out.txt || fail "no word of '$1' for: $2"
}
accepts() { compile "$1" || fail "this does not compile: $1"; }

for compiler in "$cxx" $(other_compiler "$cxx"); do
  precompile
  fields="Specialise spellpool::pool::FieldsOf<T>"
  refuses "$fields" 'void f() { DensePool<Bullet> pool(10); pool.acquire(1.0f, 2.0f); pool.for_each(write); }'
  refuses "$fields" 'void f(DensePool<Bullet>& pool) { pool.column<&Bullet::x>()[0] = 1; }'
  refuses "$fields" 'void f(DensePool<Bullet>& pool) { pool.update_rows([](int, int) { return 0; }); }'
  refuses "FieldsOf<T> must list every member of T once" 'DensePool<Half> pool(10);'
  refuses "trivially copyable, default-constructible T. Use PackedPool<T>" 'DensePool<Named> pool(10);'
  refuses "align the array of each member to 64 bytes" 'struct alignas(128) Wide { float x[32]; }; struct Field { Wide wide; };
    template <> struct spellpool::pool::FieldsOf<Field> { using Hot = FieldList<&Field::wide>; using Cold = FieldList<>; };
    DensePool<Field> pool(10);'
  refuses "the pooled type must not be const" 'FreeListPool<const Bullet> pool(10);'
  refuses "the pooled type must not be const" 'void f(PackedPool<const Bullet>& pool) { pool.acquire(1.0f, 2.0f); }'
  moves="Give T a noexcept move constructor, or use FreeListPool<T>"
  refuses "$moves" 'void f() { PackedPool<Fixed> pool(10); pool.acquire(); }'
  refuses "$moves" 'void f(PackedPool<Throwing>& pool) { pool.clear(); }'
  refuses "$moves" 'void f(SwitchablePool<Fixed>& pool) { pool.acquire(); }'
  refuses "Write: using Cold = FieldList<>;" 'DensePool<OnlyHot> pool(10);'
  refuses "more of them than members" 'void f(BitmapPool<Bullet>& pool) { pool.acquire(1.0f, 2.0f, 3.0f); }'
  refuses "or one has another type" 'void f(BitmapPool<Bullet>& pool) { pool.acquire("text"); }'
  refuses "Objects never move here. Use PackedPool" 'void f(BitmapPool<Bullet>& pool) { pool.sort([](auto&, auto&) { return true; }); }'
  refuses "this type cannot be copied" 'void f(FreeListPool<Fixed>& pool) { auto saved = pool.save(); }'
  refuses "this type cannot be copied" 'void f(FreeListPool<Fixed>& pool) { FreeListPool<Fixed>::Snapshot saved; pool.save(saved); }'
  refuses "nodiscard" 'void f(FreeListPool<Bullet>& pool) { pool.set_policy(PolicyId::StealOldest); }'
  refuses "nodiscard" 'void f(FreeListPool<Bullet>& pool) { pool.set_capacity(20); }'
  refuses "nodiscard" 'void f(SwitchablePool<Bullet>& pool) { pool.set_policy(PolicyId::Grow); pool.set_capacity(20); }'
  refuses "SwitchablePool<T> pool(StrategyId::Bitmap, 1000)" 'SwitchablePool<Bullet> bullets(1000);'
  refuses "Name the first strategy" 'SwitchablePool<Bullet> bullets(PoolSize{.capacity = 10});'
  mend="Take const T& in the lambda"
  refuses "$mend" 'void f(const FreeListPool<Bullet>& pool) { pool.for_each([](Bullet& b) { b.x += 1; }); }'
  refuses "$mend" 'void f(const BitmapPool<Bullet>& pool) { pool.for_each_handle([](auto, Bullet&) {}); }'
  refuses "$mend" 'void f(const SwitchablePool<Bullet>& pool) { pool.for_each(write); }'
  # The error stands in the body of the lambda itself; the name of the function that called it says why.
  refuses "a_const_pool_gives_const_objects" \
    'void f(const PackedPool<Bullet>& pool) { pool.for_each([](auto& b) { b.x += 1; }); }'

  accepts 'void f(const FreeListPool<Bullet>& pool, float& sum) { pool.for_each([&](auto& b) { sum += b.x; }); }'
  accepts 'void f(const FreeListPool<Bullet>& pool) { pool.for_each_handle([](auto, Bullet b) { write(b); }); }'
  accepts 'void f() { FreeListPool<Fixed> pool(10); pool.acquire(); }'
  accepts 'struct Nested { float heat; Bullet at; float size[2]; };
    void f(BitmapPool<Nested>& pool) { pool.acquire(1.0f, Bullet{1.0f, 2.0f}); pool.acquire(1.0f, 2.0f, 3.0f, 4.0f, 5.0f); pool.acquire(); }'
  accepts 'struct Entity { FreeListPool<Entity>* world; DensePool<Entity>* others; };
    void f(FreeListPool<Entity>& world) { world.acquire(&world); }'
done
exit $failed
