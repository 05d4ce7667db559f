#include "app/pools/storage_load.hpp"

#include <algorithm>
#include <vector>

#include "core/state_hash.hpp"
#include "pool/exhibits.hpp"

namespace spellpool::app {
namespace {

/// 32 bytes that a step reads and writes, and as many more that only lie there.
template <u32 kBytes>
struct Object {
  float x = 0, y = 0, vx = 0, vy = 0;
  u32 life = 0;   ///< Steps that are left.
  u32 stamp = 0;
  u64 spawn_id = 0;
  std::array<u32, (kBytes - 32) / 4> rest{};
  float importance() const { return static_cast<float>(life); }
};
template <>
struct Object<32> {
  float x = 0, y = 0, vx = 0, vy = 0;
  u32 life = 0, stamp = 0;
  u64 spawn_id = 0;
  float importance() const { return static_cast<float>(life); }
};
static_assert(sizeof(Object<32>) == 32 && sizeof(Object<64>) == 64 && sizeof(Object<256>) == 256);

template <class T>
class World final : public StorageWorld {
 public:
  World(const StorageLoad& load, pool::StrategyId strategy, pool::PolicyId policy)
      : load_(load),
        life_steps_(kChurns[static_cast<std::size_t>(load.churn)].life_steps),
        pool_(strategy, capacity_of(load)),
        states_(load.rollback_steps > 0 ? load.rollback_steps + 1 : 0) {
    (void)pool_.set_policy(policy);
    // As it is in the middle of things: lives of all ages.
    pool_.visit_rarely([&](auto& pool) {
      for (u32 i = 0; i < std::min(load_.objects, pool.capacity()); ++i) {
        T born = newborn();
        if (load_.order == DeathOrder::Fifo) born.life = 1 + i % life_steps_;
        (void)pool.acquire(born);
      }
    });
    keep();
  }

  void step(frame::PhaseSink* phases) override {
    const u64 next = steps_ + 1;
    if (!states_.empty()) {
      if (phases) phases->enter(frame::Phase::Update);
      go_back(steps_ - std::min<u64>(load_.rollback_steps, steps_));
    }
    while (steps_ < next) {
      advance(phases);
      keep();
    }
  }

  u64 hash() const override {
    SetHash all;
    pool_.visit([&](const auto& pool) {
      pool.for_each([&](const T& object) {
        all.add(StateHash()
                    .add(object.spawn_id)
                    .add(object.x)
                    .add(object.y)
                    .add(object.vx)
                    .add(object.vy)
                    .add(object.life)
                    .add(object.stamp)
                    .value());
      });
    });
    return StateHash().add(all.value()).add(serial_).add(steps_).value();
  }
  u64 steps() const override { return steps_; }

  bool drop_one() override {
    u64 first = ~u64{0};
    pool_.visit_rarely(
        [&](auto& pool) { pool.for_each([&](const T& object) { first = std::min(first, object.spawn_id); }); });
    return pool_.visit_rarely([&](auto& pool) {
      return pool.release_if([&](const T& object) { return object.spawn_id == first; });
    }) > 0;
  }

  void describe(frame::FrameRecord& record) const override {
    record.step = steps_;
    record.seed = load_.seed;
    record.live = pool_.live();
    record.spawned = spawned_;
    record.despawned = despawned_;
    record.rejected = rejected_;
    record.stolen = stolen_;
    record.strategy = static_cast<u8>(pool_.strategy());
  }

 private:
  struct State {
    typename pool::ExhibitPool<T>::Snapshot pool;
    u64 serial = 0;
  };

  static u32 capacity_of(const StorageLoad& load) {
    return std::max(1u, load.full ? load.objects - load.objects / 10 : load.objects + load.objects / 8);
  }

  State& state(u64 step) { return states_[step % states_.size()]; }
  void keep() {
    if (states_.empty()) return;
    pool_.save(state(steps_).pool);
    state(steps_).serial = serial_;
  }
  void go_back(u64 step) {
    pool_.restore(state(step).pool);
    serial_ = state(step).serial;
    steps_ = step;
  }

  void advance(frame::PhaseSink* phases) {
    const auto enter = [&](frame::Phase phase) {
      if (phases) phases->enter(phase);
    };
    const pool::PoolStats before = pool_.stats();
    pool_.visit([&](auto& pool) {
      enter(frame::Phase::Update);
      pool.for_each([](T& object) {
        object.x += object.vx * (1.0f / 60.0f);
        object.y += object.vy * (1.0f / 60.0f);
        if (object.x < 0.0f || object.x > 1.0f) object.vx = -object.vx;
        if (object.y < 0.0f || object.y > 1.0f) object.vy = -object.vy;
        --object.life;
      });
      enter(frame::Phase::Despawn);
      pool.release_if([](const T& object) { return object.life == 0; });
      enter(frame::Phase::Spawn);
      const u32 live = pool.live();
      const u32 wanted = load_.objects > live ? load_.objects - live : 0;
      for (u32 i = 0; i < wanted; ++i) (void)pool.acquire(newborn());
    });
    const pool::PoolStats after = pool_.stats();
    spawned_ = static_cast<u32>(after.spawned - before.spawned);
    despawned_ = static_cast<u32>(after.released - before.released);
    rejected_ = static_cast<u32>(after.rejected - before.rejected);
    stolen_ = static_cast<u32>(after.stolen - before.stolen);
    ++steps_;
  }

  T newborn() {
    Rng rng{mix64(load_.seed ^ (serial_ + 1))};
    T object;
    object.spawn_id = serial_++;
    object.x = rng.unit();
    object.y = rng.unit();
    object.vx = rng.signed_unit();
    object.vy = rng.signed_unit();
    object.stamp = rng.next_u32();
    object.life = load_.order == DeathOrder::Fifo ? life_steps_ : 1 + rng.below(2 * life_steps_ - 1);
    return object;
  }

  StorageLoad load_;
  u32 life_steps_;
  pool::ExhibitPool<T> pool_;
  std::vector<State> states_;  // of the last steps, by step % their number
  u64 serial_ = 0, steps_ = 0;
  u32 spawned_ = 0, despawned_ = 0, rejected_ = 0, stolen_ = 0;
};

}  // namespace

bool storage_load_has(pool::StrategyId strategy) { return pool::ExhibitPool<Object<64>>::offers(strategy); }

std::unique_ptr<StorageWorld> make_storage_world(const StorageLoad& load, pool::StrategyId strategy,
                                                 pool::PolicyId policy) {
  if (load.size_bytes == 32) return std::make_unique<World<Object<32>>>(load, strategy, policy);
  if (load.size_bytes == 256) return std::make_unique<World<Object<256>>>(load, strategy, policy);
  return std::make_unique<World<Object<64>>>(load, strategy, policy);
}

}  // namespace spellpool::app
