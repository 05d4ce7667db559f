#pragma once
#include <algorithm>
#include <boost/pool/object_pool.hpp>
#include <boost/pool/pool.hpp>
#include <deque>
#include <foonathan/memory/memory_pool.hpp>
#include <list>
#include <memory_resource>
#include <plf_colony.h>
#include <type_traits>
#include <vector>

#include "pool/pools.hpp"
#include "pool/raw/raw_dense.hpp"
#include "pool/raw/raw_free_list.hpp"
#include "pool/raw/raw_stable.hpp"
#include "pools_heaps.hpp"
#include "pools_particle.hpp"

// The containers that the tables compare, each behind the same few functions:
//   explicit Store(u32 capacity)
//   u32 update()                  one frame for all; who dies leaves; returns how many did
//   void spawn(u32 n, make)       n particles: make(0), make(1) …
//   void settle()                 whatever it still owes before others may look at the particles
//   void each(f)                  f(const Particle&)
namespace spellpool::bench {

// ---- ours, raw

class DenseStore {
 public:
  explicit DenseStore(u32 capacity) : pool_(capacity) {}
  u32 update() {
    const HotColumns columns(pool_);
    return pool_.update([columns](u32 first, u32) { return columns.step<64>(first); });
  }
  template <class Make>
  void spawn(u32 n, Make make) {
    const u32 refills = std::min(n, static_cast<u32>(pool_.holes().size()));
    pool_.spawn_n(refills, make);
    if (refills == n) return;
    const u32 rest = n - refills, first = pool_.append(rest);
    Look* const looks = pool_.column<&Particle::look>();
    const HotColumns c(pool_);
    for (u32 i = 0; i < rest; i += 128) {
      const u32 count = std::min(128u, rest - i);
      write_hot(c, first + i, count, refills + i, make);
      for (u32 k = i; k < i + count; ++k) looks[first + k] = make(refills + k).look;
    }
  }
  void settle() { pool_.settle(); }
  template <class F>
  void each(F f) {
    pool_.settle();
    for (u32 row = 0; row < pool_.live(); ++row) f(pool_.load(row));
  }

 private:
  /// Column-wise, for what lies in a row: vector code. (The cold column has a loop of its own.)
  template <class Make>
  static void write_hot(const HotColumns& c, u32 first, u32 n, u32 from, Make make) {
    write_columns(c.x + first, c.y + first, c.vx + first, c.vy + first, c.life + first, n, from, make);
  }
  template <class Make>
  static void write_columns(float* __restrict x, float* __restrict y, float* __restrict vx, float* __restrict vy,
                            float* __restrict life, u32 n, u32 from, Make make) {
    for (u32 i = 0; i < n; ++i) {
      const Particle p = make(from + i);
      x[i] = p.x;
      y[i] = p.y;
      vx[i] = p.vx;
      vy[i] = p.vy;
      life[i] = p.life;
    }
  }
  pool::RawDense<Particle> pool_;
};

class StableStore {
 public:
  explicit StableStore(u32 capacity) : pool_(capacity) {}
  u32 update() {
    const HotColumns columns(pool_);
    return pool_.update(
        [columns](u32 first, u32 count) { return count == 64 ? columns.step<64>(first) : columns.step<1>(first); });
  }
  template <class Make>
  void spawn(u32 n, Make make) {
    pool_.spawn_n(n, make);
  }
  void settle() {}
  template <class F>
  void each(F f) {
    pool_.for_each([&](u32 row) { f(pool_.load(row)); });
  }
  pool::RawStable<Particle>& pool() { return pool_; }

 private:
  pool::RawStable<Particle> pool_;
};

class FreeListStore {
 public:
  explicit FreeListStore(u32 capacity) : pool_(capacity) {}
  u32 update() {
    return pool_.update([](Particle& p) { return step(p); });
  }
  template <class Make>
  void spawn(u32 n, Make make) {
    pool_.spawn_n(n, make);
  }
  void settle() {}
  template <class F>
  void each(F f) {
    pool_.for_each(f);
  }

 private:
  pool::RawFreeList<Particle> pool_;
};

// ---- ours, safe: as the game uses them

/// One frame for all particles of a DensePool; the dead ones are released. Returns how many. docs/POOLS.md
/// prints the call between the marks (tests/install/docs_samples_test.sh).
inline u32 step_rows(pool::DensePool<Particle>& sparks) {
  using Spark = Particle;
  using pool::lane_mask;
  return
      // printed: begin
      sparks.update_rows<&Spark::x, &Spark::y, &Spark::vx, &Spark::vy, &Spark::life>(
          [](unsigned count, float* x, float* y, float* vx, float* vy, float* life) {
            for (unsigned i = 0; i < count; ++i) {
              vx[i] *= 0.99f;
              vy[i] = vy[i] * 0.99f + 1.0f;
              x[i] += vx[i] * kDt;
              y[i] += vy[i] * kDt;
              life[i] -= kDt;
            }
            return lane_mask(count, [=](unsigned i) { return life[i] <= 0; });  // a bit for each dead row
          });
  // printed: end
}

template <class Pool>
class SafeStore {
 public:
  explicit SafeStore(u32 capacity) : pool_(capacity) {}
  u32 update() {
    if constexpr (std::is_same_v<Pool, pool::DensePool<Particle>>) {
      return step_rows(pool_);
    } else {
      return pool_.release_if([](Particle& p) { return step(p); });
    }
  }
  template <class Make>
  void spawn(u32 n, Make make) {
    pool_.acquire_n(n, make);
  }
  void settle() {}
  template <class F>
  void each(F f) {
    pool_.for_each([&](const Particle& p) { f(p); });
  }

 private:
  Pool pool_;
};

/// The same pools without column kernels and batches, as a newcomer writes the frame: for_each, release_if, and
/// acquire() for each spawn.
template <class Pool>
class TwoPassStore {
 public:
  explicit TwoPassStore(u32 capacity) : pool_(capacity) {}
  u32 update() {
    pool_.for_each([](Particle& p) { step(p); });
    return pool_.release_if([](const Particle& p) { return p.life <= 0; });
  }
  template <class Make>
  void spawn(u32 n, Make make) {
    for (u32 i = 0; i < n; ++i) pool_.acquire(make(i));
  }
  void settle() {}
  template <class F>
  void each(F f) {
    pool_.for_each([&](const Particle& p) { f(p); });
  }

 protected:
  Pool pool_;
};
/// One pass: a predicate that takes Particle& updates the object too.
template <class Pool>
class OnePassStore : public TwoPassStore<Pool> {
 public:
  using TwoPassStore<Pool>::TwoPassStore;
  u32 update() {
    return this->pool_.release_if([](Particle& p) { return step(p); });
  }
};

/// The tuned update, and acquire() for each spawn: what the simple loops could reach if their walks were free.
class TunedOneByOneStore : public TwoPassStore<pool::DensePool<Particle>> {
 public:
  using TwoPassStore::TwoPassStore;
  u32 update() { return step_rows(pool_); }
};

/// add(Pool type, name) for each safe pool that has a row in every table.
template <class Add>
void for_each_safe_pool(Add add) {
  add(std::type_identity<pool::DensePool<Particle>>{}, "DensePool");
  add(std::type_identity<pool::BitmapPool<Particle>>{}, "BitmapPool");
  add(std::type_identity<pool::FreeListPool<Particle>>{}, "FreeListPool");
  add(std::type_identity<pool::PackedPool<Particle>>{}, "PackedPool");
}

// ---- containers

/// vector, deque: the last one takes the place of one that died.
template <class Container>
class SwapRemoveStore {
 public:
  explicit SwapRemoveStore(u32 capacity) {
    if constexpr (requires { items_.reserve(capacity); }) items_.reserve(capacity);
  }
  u32 update() {
    u32 died = 0;
    for (std::size_t i = 0; i < items_.size();) {
      if (step(items_[i])) {
        items_[i] = items_.back();
        items_.pop_back();
        ++died;
      } else {
        ++i;
      }
    }
    return died;
  }
  template <class Make>
  void spawn(u32 n, Make make) {
    for (u32 i = 0; i < n; ++i) items_.push_back(make(i));
  }
  void settle() {}
  template <class F>
  void each(F f) {
    for (const Particle& p : items_) f(p);
  }

 private:
  Container items_;
};

/// list, colony: erase while walking.
template <class Container>
class EraseStore {
 public:
  explicit EraseStore(u32 capacity) {
    if constexpr (requires { items_.reserve(capacity); }) items_.reserve(capacity);
  }
  u32 update() {
    u32 died = 0;
    for (auto it = items_.begin(); it != items_.end();) {
      if (step(*it)) {
        it = items_.erase(it);
        ++died;
      } else {
        ++it;
      }
    }
    return died;
  }
  template <class Make>
  void spawn(u32 n, Make make) {
    for (u32 i = 0; i < n; ++i) {
      if constexpr (requires { items_.insert(make(i)); }) {
        items_.insert(make(i));
      } else {
        items_.push_back(make(i));
      }
    }
  }
  void settle() {}
  template <class F>
  void each(F f) {
    for (const Particle& p : items_) f(p);
  }

 private:
  Container items_;
};
using ColonyStore = EraseStore<plf::colony<Particle>>;

// ---- pointers to particles of an allocator

struct HeapMemory {
  const Heap& heap;
  explicit HeapMemory(const Heap& h, u32) : heap(h) {}
  void* allocate() { return heap.allocate(sizeof(Particle)); }
  void release(void* p) { heap.release(p); }
};
struct BoostPoolMemory {
  boost::pool<> pool;
  explicit BoostPoolMemory(const Heap&, u32 capacity) : pool(sizeof(Particle), capacity) {}
  void* allocate() { return pool.malloc(); }
  void release(void* p) { pool.free(p); }
};
/// free() keeps the free list in order of address, and walks it to do so.
struct BoostObjectPoolMemory {
  boost::object_pool<Particle> pool;
  explicit BoostObjectPoolMemory(const Heap&, u32 capacity) : pool(capacity) {}
  void* allocate() { return pool.malloc(); }
  void release(void* p) { pool.free(static_cast<Particle*>(p)); }
};
struct PmrMemory {
  std::pmr::unsynchronized_pool_resource pool;
  explicit PmrMemory(const Heap&, u32) {}
  void* allocate() { return pool.allocate(sizeof(Particle), alignof(Particle)); }
  void release(void* p) { pool.deallocate(p, sizeof(Particle), alignof(Particle)); }
};
struct FoonathanMemory {
  foonathan::memory::memory_pool<foonathan::memory::node_pool> pool;
  explicit FoonathanMemory(const Heap&, u32 capacity) : pool(sizeof(Particle), sizeof(Particle) * (capacity + 64)) {}
  void* allocate() { return pool.allocate_node(); }
  void release(void* p) { pool.deallocate_node(p); }
};

template <class Memory>
class PointerStore {
 public:
  PointerStore(u32 capacity, const Heap& heap) : memory_(heap, capacity) { items_.reserve(capacity); }
  explicit PointerStore(u32 capacity) : PointerStore(capacity, heaps()[0]) {}
  ~PointerStore() {
    for (Particle* p : items_) memory_.release(p);
  }
  u32 update() {
    u32 died = 0;
    for (std::size_t i = 0; i < items_.size();) {
      if (step(*items_[i])) {
        memory_.release(items_[i]);
        items_[i] = items_.back();
        items_.pop_back();
        ++died;
      } else {
        ++i;
      }
    }
    return died;
  }
  template <class Make>
  void spawn(u32 n, Make make) {
    for (u32 i = 0; i < n; ++i) items_.push_back(::new (memory_.allocate()) Particle(make(i)));
  }
  void settle() {}
  template <class F>
  void each(F f) {
    for (const Particle* p : items_) f(*p);
  }

 private:
  Memory memory_;
  std::vector<Particle*> items_;
};

// ---- pools as they are often printed

/// Robert Nystrom's: a free particle holds the link to the next, every slot is visited.
class BookStore {
 public:
  explicit BookStore(u32 capacity) : cells_(capacity) {
    for (u32 i = 0; i < capacity; ++i) cells_[i].next = i + 1 < capacity ? &cells_[i + 1] : nullptr;
    free_ = cells_.data();
  }
  u32 update() {
    u32 died = 0;
    for (Cell& c : cells_) {
      if (c.live && step(c.particle)) {
        c.live = false;
        c.next = free_;
        free_ = &c;
        ++died;
      }
    }
    return died;
  }
  template <class Make>
  void spawn(u32 n, Make make) {
    for (u32 i = 0; i < n; ++i) {
      Cell* const c = free_;
      free_ = c->next;
      c->particle = make(i);
      c->live = true;
    }
  }
  void settle() {}
  template <class F>
  void each(F f) {
    for (const Cell& c : cells_) {
      if (c.live) f(c.particle);
    }
  }

 private:
  struct Cell {
    union {
      Particle particle;
      Cell* next;
    };
    bool live = false;
    Cell() : next(nullptr) {}
  };
  std::vector<Cell> cells_;
  Cell* free_ = nullptr;
};

/// A flag in each particle; a spawn looks for the first that is not set.
class FlagStore {
 public:
  explicit FlagStore(u32 capacity) : items_(capacity) {
    for (Particle& p : items_) p.look.flags = 0;
  }
  u32 update() {
    u32 died = 0;
    for (Particle& p : items_) {
      if (p.look.flags != 0 && step(p)) {
        p.look.flags = 0;
        ++died;
      }
    }
    return died;
  }
  template <class Make>
  void spawn(u32 n, Make make) {
    for (u32 i = 0; i < n; ++i) {
      for (Particle& p : items_) {
        if (p.look.flags != 0) continue;
        p = make(i);
        break;
      }
    }
  }
  void settle() {}
  template <class F>
  void each(F f) {
    for (const Particle& p : items_) {
      if (p.look.flags != 0) f(p);
    }
  }
  /// For tables that start full: without looking for each place from the front.
  template <class Make>
  void fill(u32 n, Make make) {
    for (u32 i = 0; i < n; ++i) items_[i] = make(i);
  }

 private:
  std::vector<Particle> items_;
};

/// A vector of those in use and one of those that are free; release looks the object up with std::find.
class FindStore {
 public:
  explicit FindStore(u32 capacity) : items_(capacity) {
    in_use_.reserve(capacity);
    for (u32 i = capacity; i-- > 0;) free_.push_back(&items_[i]);
  }
  u32 update() {
    dead_.clear();
    for (Particle* p : in_use_) {
      if (step(*p)) dead_.push_back(p);
    }
    for (Particle* p : dead_) {
      in_use_.erase(std::find(in_use_.begin(), in_use_.end(), p));
      free_.push_back(p);
    }
    return static_cast<u32>(dead_.size());
  }
  template <class Make>
  void spawn(u32 n, Make make) {
    for (u32 i = 0; i < n; ++i) {
      Particle* const p = free_.back();
      free_.pop_back();
      *p = make(i);
      in_use_.push_back(p);
    }
  }
  void settle() {}
  template <class F>
  void each(F f) {
    for (const Particle* p : in_use_) f(*p);
  }

 private:
  std::vector<Particle> items_;
  std::vector<Particle*> in_use_, free_, dead_;
};

}  // namespace spellpool::bench
