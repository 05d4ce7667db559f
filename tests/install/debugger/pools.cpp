// What the debugger's printers are tried on: stopped in look(), one frame up.
#include "pool/exhibits.hpp"
#include "pool/pool.hpp"

using namespace spellpool::pool;

struct Bullet {
  int x, y;
};
template <>
struct spellpool::pool::FieldsOf<Bullet> {
  using Hot = FieldList<&Bullet::x>;
  using Cold = FieldList<&Bullet::y>;
};

void look() {}

template <class P>
typename P::HandleType fill(P& pool) {
  pool.acquire(1, 2);
  const auto second = pool.acquire(3, 4);
  pool.acquire(5, 6);
  pool.release(second);
  pool.release(pool.acquire(7, 8));
  return pool.acquire(9, 10);
}

int main() {
  FreeListPool<Bullet> free_list(4);
  const auto handle = fill(free_list);
  const FreeListPool<Bullet>::HandleType null;
  const FreeListPool<Bullet>& reference = free_list;
  FreeListPool<Bullet> grown(1);
  (void)grown.set_policy(PolicyId::Grow);
  grown.acquire(1, 2);
  grown.acquire(3, 4);
  BitmapPool<Bullet, spellpool::u8> narrow(4);
  const auto narrow_handle = fill(narrow);
  PackedPool<Bullet> packed(4);
  fill(packed);
  DensePool<Bullet> dense(4);
  fill(dense);
  HeapPool<Bullet> heap(4);
  fill(heap);
  BookPool<Bullet> book(4);
  fill(book);
  FreeListPool<Bullet> empty(0);
  Table<int> table;
  table.resize(3, 7);
  look();
  return handle && !null && reference.size() && narrow_handle && empty.empty() ? 0 : 1;
}
