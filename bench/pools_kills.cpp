// Kills by handle: 50,000 move, none dies of age; 1.5 % are killed one by one through what their owner remembers of them, in
// random order, and as many are born. ns per live particle and frame.
#include <optional>

#include "pools_measure.hpp"
#include "pools_sides.hpp"

namespace spellpool::bench {
namespace {

Particle immortal(u32 serial) {
  Particle p = make_particle(serial);
  p.life = kForever;
  return p;
}

// Each of these owns the particles and knows them by an id in 0 … live - 1:
//   void update();  void kill(id);  void spawn(id, particle);  void each(f)
//   void spawn_n(ids, n, serial)     where it makes many at once

/// A row and the serial of the particle in it. A serial that differs means that another particle has taken
/// the row.
class StableById {
 public:
  explicit StableById(u32 live) : pool_(live + live / 8), handles_(live) {}
  void update() {
    const HotColumns columns(pool_);
    pool_.update([columns](u32 first, u32 count) { return count == 64 ? columns.step<64>(first) : columns.step<1>(first); });
  }
  void kill(u32 id) {
    const Handle handle = handles_[id];
    if (pool_.column<&Particle::look>()[handle.row].serial == handle.serial && pool_.is_live(handle.row)) pool_.kill(handle.row);
  }
  void spawn(u32 id, const Particle& p) { handles_[id] = {pool_.spawn(p), p.look.serial}; }
  void spawn_n(const u32* ids, u32 n, u32 serial) {
    pool_.spawn_n(
        n, [serial](u32 i) { return immortal(serial + i); },
        [&](u32 i, u32 row) {
          handles_[ids[i]] = {row, serial + i};
        });
  }
  template <class F>
  void each(F f) {
    pool_.for_each([&](u32 row) { f(pool_.load(row)); });
  }

 private:
  struct Handle {
    u32 row, serial;
  };
  pool::RawStable<Particle> pool_;
  std::vector<Handle> handles_;
};

template <class Pool>
class SafeById {
 public:
  explicit SafeById(u32 live) : pool_(live + live / 8), handles_(live) {}
  void update() {
    if constexpr (std::is_same_v<Pool, pool::DensePool<Particle>>) {
      step_rows(pool_);
    } else {
      pool_.for_each([](Particle& p) { step(p); });
    }
  }
  void kill(u32 id) { pool_.release(handles_[id]); }
  void spawn(u32 id, const Particle& p) { handles_[id] = pool_.acquire(p); }
  void spawn_n(const u32* ids, u32 n, u32 serial) {
    pool_.acquire_n(
        n, [serial](u32 i) { return immortal(serial + i); },
        [&](u32 i, auto handle) { handles_[ids[i]] = handle; });
  }
  template <class F>
  void each(F f) {
    pool_.for_each([&](const Particle& p) { f(p); });
  }

 private:
  Pool pool_;
  std::vector<typename Pool::HandleType> handles_;
};

/// A table says where each particle is now; no check.
class VectorById {
 public:
  explicit VectorById(u32 live) : place_(live) { items_.reserve(live + live / 8); }
  void update() {
    for (Particle& p : items_) step(p);
  }
  void kill(u32 id) {
    const u32 place = place_[id];
    items_[place] = items_.back();
    place_[items_[place].look.owner] = place;
    items_.pop_back();
  }
  void spawn(u32 id, Particle p) {
    p.look.owner = id;
    place_[id] = static_cast<u32>(items_.size());
    items_.push_back(p);
  }
  template <class F>
  void each(F f) {
    for (const Particle& p : items_) f(p);
  }

 private:
  std::vector<Particle> items_;
  std::vector<u32> place_;
};

class ColonyById {
 public:
  explicit ColonyById(u32 live) : handles_(live) { items_.reserve(live + live / 8); }
  void update() {
    for (Particle& p : items_) step(p);
  }
  void kill(u32 id) { items_.erase(handles_[id]); }
  void spawn(u32 id, const Particle& p) { handles_[id] = items_.insert(p); }
  template <class F>
  void each(F f) {
    for (const Particle& p : items_) f(p);
  }

 private:
  plf::colony<Particle> items_;
  std::vector<plf::colony<Particle>::iterator> handles_;
};

/// Pointers; the particle knows its place in the list of all. No check.
class HeapById {
 public:
  HeapById(u32 live, const Heap& heap) : heap_(heap), handles_(live) { items_.reserve(live); }
  ~HeapById() {
    for (Particle* p : items_) heap_.release(p);
  }
  void update() {
    for (Particle* p : items_) step(*p);
  }
  void kill(u32 id) {
    Particle* const p = handles_[id];
    items_[p->look.owner] = items_.back();
    items_.back()->look.owner = p->look.owner;
    items_.pop_back();
    heap_.release(p);
  }
  void spawn(u32 id, Particle p) {
    p.look.owner = static_cast<u32>(items_.size());
    handles_[id] = ::new (heap_.allocate(sizeof(Particle))) Particle(p);
    items_.push_back(handles_[id]);
  }
  template <class F>
  void each(F f) {
    for (const Particle* p : items_) f(*p);
  }

 private:
  const Heap& heap_;
  std::vector<Particle*> items_;
  std::vector<Particle*> handles_;
};

template <class Store>
class KillSide : public Side {
 public:
  template <class... Args>
  KillSide(const char* its_name, Kind its_kind, u32 live, const Args&... args)
      : Side(its_name, its_kind), store_(live, args...), order_(live), serial_(live) {
    Rng rng(5);
    for (u32 id = 0; id < live; ++id) {
      store_.spawn(id, immortal(id));
      order_[id] = id;
    }
    for (u32 i = live - 1; i > 0; --i) std::swap(order_[i], order_[rng.below(i + 1)]);
  }
  void work(u32 frames) override {
    if (use_fast()) {
      fast(frames);
    } else {
      plain(frames);
    }
  }
  u64 checksum() override {
    u64 sum = 0;
    store_.each([&](const Particle& p) { sum += checksum_of(p); });
    return sum;
  }

 private:
  SPELLPOOL_FAST void fast(u32 frames) { run(frames); }
  SPELLPOOL_PLAIN void plain(u32 frames) { run(frames); }
  void run(u32 frames) {
    const u32 live = static_cast<u32>(order_.size());
    const u32 kills = live * 3 / 200;
    for (u32 f = 0; f < frames; ++f) {
      store_.update();
      if (next_ + kills > live) next_ = 0;
      for (u32 k = 0; k < kills; ++k) store_.kill(order_[next_ + k]);
      if constexpr (requires { store_.spawn_n(order_.data(), kills, serial_); }) {
        store_.spawn_n(order_.data() + next_, kills, serial_);
      } else {
        for (u32 k = 0; k < kills; ++k) store_.spawn(order_[next_ + k], immortal(serial_ + k));
      }
      serial_ += kills;
      next_ += kills;
    }
  }

  Store store_;
  std::vector<u32> order_;
  u32 serial_;
  u32 next_ = 0;
};

void table(Report& report, u32 live) {
  Sides sides;
  auto add = [&]<class Store>(std::type_identity<Store>, const char* name, Kind kind, const auto&... args) {
    sides.push_back(std::make_unique<KillSide<Store>>(name, kind, live, args...));
  };
  add(std::type_identity<StableById>{}, "RawStable, row and serial", Kind::Raw);
  for_each_safe_pool([&]<class Pool>(std::type_identity<Pool>, const char* name) { add(std::type_identity<SafeById<Pool>>{}, name, Kind::Safe); });
  add(std::type_identity<VectorById>{}, "std::vector, table of places", Kind::Peer);
  add(std::type_identity<ColonyById>{}, "plf::colony, iterators", Kind::Peer);
  for (const Heap& heap : heaps()) {
    const std::string name = std::string("pointers + ") + heap.name;
    add(std::type_identity<HeapById>{}, name.c_str(), Kind::Peer, heap);
  }
  Shape shape;
  shape.warm = 100;
  shape.lead_in = 3;
  shape.timed = 3;
  shape.rounds = pools_options.rounds;
  measure(sides, shape);
  const std::string title = "Kills by handle: all move, 1.5 % are killed by their owners, as many are born. ns per live particle";
  check_equal(title, sides);
  report.add(title, text("%u", live), sides, live);
  const Side* const raw = fastest(sides, Kind::Raw);
  const Side* const safe = fastest(sides, Kind::Safe);
  ratio_goal(report, "G5", "colony", 2.8, raw, find(sides, "plf::colony"), live, "ns");
  ratio_goal(report, "G5", "glibc", 2.5, raw, find(sides, "pointers + glibc"), live, "ns");
  ratio_goal(report, "G5s", "colony", 2.8, safe, find(sides, "plf::colony"), live, "ns");
  ratio_goal(report, "G5s", "glibc", 2.5, safe, find(sides, "pointers + glibc"), live, "ns");
}

}  // namespace

void kill_tables(Report& report) {
  in_child(report, [](Report& r) { table(r, 50'000); });
}

}  // namespace spellpool::bench
