// Every operation is mirrored into a plain std::map; the pool must agree with it after each one.
#include <map>
#include <vector>

#include "storage_kinds.hpp"

namespace spellpool::pool {
namespace {

/// What a pool promises, written the slow and obvious way. Ages are serials: they rise with each birth.
template <class P>
class Model {
 public:
  using HandleType = typename P::HandleType;

  Model(P& pool, u64 seed, bool slots_wear_out) : pool_(pool), rng_(seed), wears_(slots_wear_out), capacity_(pool.capacity()) {}

  void acquire() {
    const u64 serial = next_serial_++;
    const PoolStats before = pool_.stats();
    const HandleType handle = pool_.acquire(serial);
    const PoolStats after = pool_.stats();

    const bool full = live_.size() >= capacity_;
    // Above the capacity nobody is stolen: new ones wait, whatever the policy.
    const bool steal = policy_ == PolicyId::StealOldest && live_.size() <= capacity_;
    if (!wears_) {
      ASSERT_EQ(after.stolen - before.stolen, full && steal && !live_.empty() ? 1u : 0u);
      ASSERT_EQ(handle.is_null(), full && !steal);
    } else {
      const bool worn = after.retired_slots > 0;
      ASSERT_TRUE(!full || steal || handle.is_null());
      ASSERT_TRUE(full || worn || (!handle.is_null() && after.stolen == before.stolen));
      ASSERT_TRUE(!full || !steal || after.stolen == before.stolen + 1);
      ASSERT_TRUE(!full || !steal || !handle.is_null() || after.retired_slots > before.retired_slots);
    }
    if (after.stolen != before.stolen) {
      ASSERT_EQ(after.stolen, before.stolen + 1);
      const u64 oldest = by_age_.begin()->first;
      const HandleType victim = by_age_.begin()->second;
      end(oldest, victim);
      ++stolen_;
    }
    if (handle.is_null()) {
      ++rejected_;
      return;
    }
    ASSERT_EQ(handle.generation % 2, 1) << "a tenant's generation is odd";
    ASSERT_EQ(live_.count(handle.index), 0u) << "a slot has one tenant";
    auto& last = last_tenant_[handle.index];
    ASSERT_GT(handle.generation, last) << "generations only go up";
    last = handle.generation;
    live_[handle.index] = serial;
    by_age_[serial] = handle;
    ++spawned_;
    peak_ = std::max(peak_, static_cast<u32>(live_.size()));
  }

  void release_one() {
    if (by_age_.empty()) return;
    auto it = by_age_.lower_bound(rng_.below(static_cast<u32>(next_serial_)));
    if (it == by_age_.end()) it = by_age_.begin();
    const auto [serial, handle] = *it;
    ASSERT_EQ(pool_.release(handle), ReleaseResult::Released);
    end(serial, handle);
    ++released_;
  }
  void release_dead() {
    if (dead_.empty()) return;
    const HandleType handle = dead_[rng_.below(static_cast<u32>(dead_.size()))];
    const bool last = last_tenant_[handle.index] == handle.generation;
    ASSERT_EQ(pool_.release(handle), last ? ReleaseResult::DoubleRelease : ReleaseResult::StaleHandle);
    ++(last ? double_releases_ : stale_handles_);
  }
  void get_dead() {
    if (dead_.empty()) return;
    ASSERT_EQ(pool_.get(dead_[rng_.below(static_cast<u32>(dead_.size()))]), nullptr);
    ++stale_handles_;
  }
  template <class ReleaseIf>
  void release_if(ReleaseIf&& release_if_in) {
    const u64 modulus = 2 + rng_.below(5);
    u32 expected = 0;
    for (auto it = by_age_.begin(); it != by_age_.end();) {
      const auto [serial, handle] = *it++;
      if (serial % modulus != 0) continue;
      end(serial, handle);
      ++expected;
    }
    released_ += expected;
    ASSERT_EQ(release_if_in([&](const Tracked& value) { return value.serial % modulus == 0; }), expected);
  }
  template <class Clear>
  void clear(Clear&& clear_it) {
    clear_it();
    released_ += by_age_.size();
    while (!by_age_.empty()) end(by_age_.begin()->first, by_age_.begin()->second);
  }
  void set_policy() {
    policy_ = rng_.below(2) == 0 ? PolicyId::Reject : PolicyId::StealOldest;
    pool_.set_policy(policy_, [](const Tracked& value) { return value.serial; });
  }
  void set_capacity(u32 most) {
    capacity_ = 1 + rng_.below(most);
    pool_.set_capacity(capacity_);
  }

  /// Everything that can be asked of the pool, against the model.
  template <class Walk>
  void check(Walk&& walk) {
    for (const auto& [serial, handle] : by_age_) {
      const Tracked* value = pool_.get(handle);
      ASSERT_NE(value, nullptr);
      ASSERT_EQ(value->serial, serial);
      ASSERT_TRUE(value->sound());
    }
    std::map<u64, u32> visits;
    walk([&](HandleType handle, const Tracked& value) {
      ++visits[value.serial];
      ASSERT_EQ(by_age_.at(value.serial), handle);
    });
    ASSERT_EQ(visits.size(), by_age_.size());
    for (const auto& [serial, count] : visits) ASSERT_EQ(count, 1u) << serial;
    for (const HandleType handle : dead_) {
      ASSERT_EQ(pool_.get(handle), nullptr);
      ++stale_handles_;
    }
    const PoolStats stats = pool_.stats();
    ASSERT_EQ(stats.live, by_age_.size());
    ASSERT_EQ(stats.peak, peak_);
    ASSERT_EQ(stats.capacity, capacity_);
    ASSERT_EQ(stats.spawned, spawned_);
    ASSERT_EQ(stats.released, released_);
    ASSERT_EQ(stats.rejected, rejected_);
    ASSERT_EQ(stats.stolen, stolen_);
    ASSERT_EQ(stats.spawned, stats.released + stats.stolen + stats.live);
    ASSERT_EQ(stats.double_releases, double_releases_);
    ASSERT_EQ(stats.stale_handles, stale_handles_);
    ASSERT_EQ(pool_.policy(), policy_);
    ASSERT_EQ(Tracked::alive, static_cast<i64>(by_age_.size()));
  }
  u32 below(u32 count) { return rng_.below(count); }
  u32 capacity() const { return capacity_; }
  u64 rejected() const { return rejected_; }
  u64 stolen() const { return stolen_; }

 private:
  void end(u64 serial, HandleType handle) {
    live_.erase(handle.index);
    by_age_.erase(serial);
    if (dead_.size() < 400) {
      dead_.push_back(handle);
    } else {
      dead_[rng_.below(400)] = handle;
    }
  }

  P& pool_;
  Rng rng_;
  const bool wears_;
  u32 capacity_;
  PolicyId policy_ = PolicyId::Reject;
  std::map<u32, u64> live_;  // slot → serial
  std::map<u64, HandleType> by_age_;
  std::map<u32, u64> last_tenant_;
  std::vector<HandleType> dead_;
  u64 next_serial_ = 1, spawned_ = 0, released_ = 0, rejected_ = 0, stolen_ = 0, double_releases_ = 0, stale_handles_ = 0;
  u32 peak_ = 0;
};

constexpr u32 kSeeds = 6;


/// Phases that mostly fill and phases that mostly empty, so that both ends are reached.
template <class P, class Other>
void drive(P& pool, Model<P>& model, u32 most, u32 operations, Other&& other) {
  for (u32 i = 0; i < operations; ++i) {
    const bool filling = i / 150 % 3 != 2;
    const u32 dice = model.below(100);
    if (dice < (filling ? 62u : 25u)) {
      model.acquire();
    } else if (dice < 84) {
      model.release_one();
    } else if (dice < 88) {
      model.release_dead();
    } else if (dice < 92) {
      model.get_dead();
    } else if (dice < 94) {
      model.release_if([&](auto dead) { return other.release_if(pool, dead); });
    } else if (dice < 96) {
      model.set_policy();
    } else if (dice < 98) {
      model.set_capacity(most);
    } else if (dice == 98 && i % 7 == 0) {
      model.clear([&] { other.clear(pool); });
    } else {
      other.turn(pool, model.below(2));
    }
    if (::testing::Test::HasFatalFailure()) return;
    if (i % 25 == 0) {
      model.check([&](auto f) { other.walk(pool, f); });
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
  // Fill to the brim, and beyond.
  for (u32 i = 0; i < model.capacity() + 20; ++i) model.acquire();
  model.check([&](auto f) { other.walk(pool, f); });
}

struct Plain {
  template <class P, class Dead>
  u32 release_if(P& pool, Dead dead) { return pool.release_if(dead); }
  template <class P>
  void clear(P& pool) { pool.clear(); }
  template <class P, class F>
  void walk(P& pool, F& f) { pool.for_each_handle(f); }
  template <class P>
  void turn(P&, u32) {}
};
struct Switching {
  template <class P, class Dead>
  u32 release_if(P& pool, Dead dead) {
    return pool.visit([&](auto& p) { return p.release_if(dead); });
  }
  template <class P>
  void clear(P& pool) { pool.visit([](auto& p) { p.clear(); }); }
  template <class P, class F>
  void walk(P& pool, F& f) { pool.visit([&](auto& p) { p.for_each_handle(f); }); }
  template <class P>
  void turn(P& pool, u32 choice) { pool.set_strategy(static_cast<StrategyId>(choice)); }
};

template <class P, class Other>
void agree_with_the_model(P& pool, u64 seed, bool wears, Other other) {
  Model<P> model(pool, seed, wears);
  drive(pool, model, wears ? 10u : 70u, wears ? 8'000u : 2'500u, other);
  EXPECT_GT(model.rejected(), 0u) << "the run never met a full pool";
  EXPECT_GT(model.stolen(), 0u) << "the run never stole";
  EXPECT_EQ(pool.stats().retired_slots > 0, wears);
}

template <class Kind>
class PoolModel : public ::testing::Test {};
TYPED_TEST_SUITE(PoolModel, StorageKinds, KindNames);

TYPED_TEST(PoolModel, AgreesWithAMap) {
  for (u64 seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    typename TypeParam::template PoolOf<Tracked> pool(40);
    agree_with_the_model(pool, seed, false, Plain{});
  }
  EXPECT_EQ(Tracked::alive, 0);
}

TYPED_TEST(PoolModel, AgreesWithAMapWhileSlotsWearOut) {
  for (u64 seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    typename TypeParam::template PoolOf<Tracked, u8> pool(6);
    agree_with_the_model(pool, seed * 77, true, Plain{});
  }
  EXPECT_EQ(Tracked::alive, 0);
}

TEST(SwitchablePoolModel, AgreesWithAMapThroughSwitches) {
  for (u64 seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    SwitchablePool<Tracked> pool(static_cast<StrategyId>(seed % kStrategyCount), 40);
    agree_with_the_model(pool, seed * 1009, false, Switching{});
  }
  EXPECT_EQ(Tracked::alive, 0);
}

TEST(SwitchablePoolModel, AgreesWithAMapThroughSwitchesWhileSlotsWearOut) {
  for (u64 seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    SwitchablePool<Tracked, u8> pool(static_cast<StrategyId>(seed % kStrategyCount), 6);
    agree_with_the_model(pool, seed * 31337, true, Switching{});
  }
  EXPECT_EQ(Tracked::alive, 0);
}

}  // namespace
}  // namespace spellpool::pool
