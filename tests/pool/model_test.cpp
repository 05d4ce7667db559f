// Every operation is mirrored into a plain std::map; the pool must agree with it after each one.
#include <map>
#include <vector>

#include "storage_kinds.hpp"

namespace spellpool::pool {
namespace {

#if !defined(NDEBUG) || defined(SPELLPOOL_ASSERTS)
constexpr bool kAssertStops = true;
#else
constexpr bool kAssertStops = false;
#endif

constexpr u32 kMost = 300;  // the policy grow goes no further

/// What a pool promises, written the slow and obvious way. Ages are serials: they rise with each birth.
template <class P>
class Model {
 public:
  using HandleType = typename P::HandleType;
  using Value = typename P::Value;

  Model(P& pool, u64 seed) : pool_(pool), rng_(seed), capacity_(pool.capacity()) { pool_.set_growth(0, kMost); }

  void acquire() {
    const u64 serial = next_serial_++;
    const PoolStats before = pool_.stats();
    u64 victim = 0;
    bool refused = false;
    const u32 live = static_cast<u32>(by_age_.size());
    if (live > capacity_) {
      refused = true;  // above the capacity nobody is stolen and nothing grows: new ones wait, whatever the policy
    } else if (live == capacity_) {
      switch (policy_) {
        case PolicyId::StealOldest: victim = by_age_.begin()->first; break;
        case PolicyId::StealLeast: victim = least(); break;
        case PolicyId::Grow:
          refused = capacity_ >= kMost;
          if (!refused) {
            capacity_ = std::min(kMost, capacity_ + std::max(64u, capacity_ / 2));
            ++grown_;
          }
          break;
        case PolicyId::Reject:
        case PolicyId::Pressure:
        case PolicyId::Assert: refused = true; break;
      }
    }
    if (refused && policy_ == PolicyId::Assert && kAssertStops) return;  // the pool would stop the program
    const HandleType handle = pool_.acquire(serial);
    const PoolStats after = pool_.stats();
    ASSERT_EQ(handle.is_null(), refused);
    ASSERT_EQ(after.stolen - before.stolen, victim != 0 ? 1u : 0u);
    ASSERT_EQ(after.grown, grown_);
    if (refused) {
      ++rejected_;
      return;
    }
    if (victim != 0) {
      ASSERT_EQ(by_age_.count(victim), 1u);
      end(victim, by_age_[victim]);
      ++stolen_;
    }
    ASSERT_EQ(handle.generation % 2, 1) << "an object's generation is odd";
    ASSERT_EQ(slots_.count(handle.index), 0u) << "a slot has one object";
    auto& last = last_generation_[handle.index];
    ASSERT_GT(handle.generation, last) << "generations only go up";
    last = handle.generation;
    slots_[handle.index] = serial;
    by_age_[serial] = handle;
    ++spawned_;
    peak_ = std::max(peak_, static_cast<u32>(by_age_.size()));
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
    const bool last = last_generation_[handle.index] == handle.generation;
    ASSERT_EQ(pool_.release(handle), last ? ReleaseResult::DoubleRelease : ReleaseResult::StaleHandle);
    ++(last ? double_releases_ : stale_handles_);
  }
  void get_dead() {
    if (dead_.empty()) return;
    ASSERT_TRUE(pool_.get(dead_[rng_.below(static_cast<u32>(dead_.size()))]) == nullptr);
    ++stale_handles_;
  }
  void release_foreign() {
    HandleType handle;
    handle.index = rng_.below(2) == 0 ? 1'000'000u : rng_.below(20);
    handle.generation = static_cast<decltype(handle.generation)>(4);  // even: nobody's
    ASSERT_EQ(pool_.release(handle), ReleaseResult::ForeignHandle);
    ++foreign_handles_;
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
    ASSERT_EQ(release_if_in([&](const Value& value) { return value.serial % modulus == 0; }), expected);
  }
  template <class Clear>
  void clear(Clear&& clear_it) {
    clear_it();
    released_ += by_age_.size();
    while (!by_age_.empty()) end(by_age_.begin()->first, by_age_.begin()->second);
  }
  void set_policy() {
    const auto policy = static_cast<PolicyId>(rng_.below(kPolicyCount));
    ASSERT_TRUE(pool_.set_policy(policy));
    if (policy != policy_) ranked_ = false;
    policy_ = policy;
  }
  template <class Batch>
  void batch(Batch&& set_batch) {
    in_batch_ = !in_batch_;
    ranked_ = false;
    rng_.below(40);
    set_batch(in_batch_);
  }
  void set_capacity(u32 most) {
    capacity_ = 1 + rng_.below(most);
    (void)pool_.set_capacity(capacity_);
  }
  void trim() {
    const u32 keep = rng_.below(30);
    const u32 live = static_cast<u32>(by_age_.size());
    pool_.trim(keep);
    capacity_ = std::min(capacity_, std::max(1u, live + keep));
  }
  void fill_bytes() { pool_.set_fill(rng_.below(2) == 0); }

  /// Everything that can be asked of the pool, against the model.
  template <class Walk>
  void check(Walk&& walk) {
    for (const auto& [serial, handle] : by_age_) {
      const auto value = pool_.get(handle);
      ASSERT_FALSE(value == nullptr);
      ASSERT_EQ(value->serial, serial);
      ASSERT_TRUE(value->sound());
      ASSERT_EQ(pool_.peek(handle)->serial, serial);
    }
    std::map<u64, u32> visits;
    walk([&](HandleType handle, const Value& value) {
      ++visits[value.serial];
      ASSERT_TRUE(value.sound());
      ASSERT_EQ(by_age_.at(value.serial), handle);
    });
    ASSERT_EQ(visits.size(), by_age_.size());
    for (const auto& [serial, count] : visits) ASSERT_EQ(count, 1u) << serial;
    for (const HandleType handle : dead_) {
      ASSERT_TRUE(pool_.get(handle) == nullptr);
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
    ASSERT_EQ(stats.live + stats.free_slots + stats.retired_slots, stats.slots);
    ASSERT_EQ(stats.double_releases, double_releases_);
    ASSERT_EQ(stats.stale_handles, stale_handles_);
    ASSERT_EQ(stats.foreign_handles, foreign_handles_);
    ASSERT_EQ(pool_.policy(), policy_);
    if constexpr (std::is_same_v<Value, Tracked>) {
      ASSERT_EQ(Tracked::alive, static_cast<i64>(by_age_.size()));
    }
  }
  u32 below(u32 count) { return rng_.below(count); }
  u32 capacity() const { return capacity_; }
  u64 rejected() const { return rejected_; }
  u64 stolen() const { return stolen_; }
  u64 grown() const { return grown_; }

 private:
  /// By (score, serial): outside a batch of all that live, in it of those that lived when it first stole, then of the rest.
  u64 least() {
    if (!in_batch_ || !ranked_) rank();
    for (;;) {
      while (!ranking_.empty()) {
        const u64 first = ranking_.begin()->second;
        ranking_.erase(ranking_.begin());
        if (by_age_.count(first) != 0) return first;
      }
      rank();
    }
  }
  void rank() {
    ranking_.clear();
    for (const auto& [serial, handle] : by_age_) ranking_[{score_of_serial(serial), serial}] = serial;
    ranked_ = true;
  }
  void end(u64 serial, HandleType handle) {
    slots_.erase(handle.index);
    by_age_.erase(serial);
    if (dead_.size() < 400) {
      dead_.push_back(handle);
    } else {
      dead_[rng_.below(400)] = handle;
    }
  }

  P& pool_;
  Rng rng_;
  u32 capacity_;
  PolicyId policy_ = PolicyId::Reject;
  bool in_batch_ = false, ranked_ = false;
  std::map<std::pair<float, u64>, u64> ranking_;
  std::map<u32, u64> slots_;  // slot → serial
  std::map<u64, HandleType> by_age_;
  std::map<u32, u64> last_generation_;
  std::vector<HandleType> dead_;
  u64 next_serial_ = 1, spawned_ = 0, released_ = 0, rejected_ = 0, stolen_ = 0, grown_ = 0;
  u64 double_releases_ = 0, stale_handles_ = 0, foreign_handles_ = 0;
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
    } else if (dice < 82) {
      model.release_one();
    } else if (dice < 85) {
      model.release_dead();
    } else if (dice < 87) {
      model.get_dead();
    } else if (dice < 88) {
      model.release_foreign();
    } else if (dice < 90) {
      model.release_if([&](auto dead) { return other.release_if(pool, dead); });
    } else if (dice < 92) {
      model.set_policy();
    } else if (dice < 94) {
      model.set_capacity(most);
    } else if (dice < 95) {
      model.trim();
    } else if (dice < 97) {
      model.batch([&](bool on) { other.batch(pool, on); });
    } else if (dice == 97) {
      model.fill_bytes();
    } else if (dice == 98 && i % 7 == 0) {
      model.clear([&] { other.clear(pool); });
    } else {
      other.turn(pool, model.below(kStrategyCount));
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
  void walk(P& pool, F& f) {
    std::as_const(pool).for_each_handle(f);  // first, while what the last releases left is still there
    u32 visited = 0;
    pool.for_each_handle([&](auto, const auto&) { ++visited; });
    ASSERT_EQ(visited, pool.live());
  }
  template <class P>
  void batch(P& pool, bool on) {
    if (on) pool.begin_batch();
    if (!on) pool.end_batch();
  }
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
  void batch(P& pool, bool on) {
    pool.visit([&](auto& p) { Plain{}.batch(p, on); });
  }
  template <class P>
  void turn(P& pool, u32 choice) {
    const auto strategy = static_cast<StrategyId>(choice);
    if (kDebugChecks && !P::offers(strategy)) return;  // it is reported: owners/debug_checks_test.cpp
    ASSERT_EQ(pool.set_strategy(strategy), P::offers(strategy));
    ASSERT_TRUE(!P::offers(strategy) || pool.strategy() == strategy);
  }
};

template <class P, class Other>
void agree_with_the_model(P& pool, u64 seed, bool wears, Other other) {
  Model<P> model(pool, seed);
  drive(pool, model, wears ? 10u : 70u, wears ? 8'000u : 2'500u, other);
  EXPECT_GT(model.rejected(), 0u) << "the run never met a full pool";
  EXPECT_GT(model.stolen(), 0u) << "the run never stole";
  EXPECT_GT(model.grown(), 0u) << "the run never grew";
  EXPECT_EQ(pool.stats().retired_slots > 0, wears);
}

template <class Kind>
class PoolModel : public ::testing::Test {};
TYPED_TEST_SUITE(PoolModel, StorageKinds, KindNames);

TYPED_TEST(PoolModel, AgreesWithAMap) {
  for (u64 seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    typename TypeParam::template PoolOf<Grain> pool(40);
    agree_with_the_model(pool, seed, false, Plain{});
  }
}

TYPED_TEST(PoolModel, AgreesWithAMapWhileSlotsWearOut) {
  for (u64 seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    typename TypeParam::template PoolOf<Grain, u8> pool(6);
    agree_with_the_model(pool, seed * 77, true, Plain{});
  }
}

template <class Kind>
class PoolOfOwnersModel : public ::testing::Test {};
TYPED_TEST_SUITE(PoolOfOwnersModel, WholeObjectKinds, KindNames);

TYPED_TEST(PoolOfOwnersModel, AgreesWithAMap) {
  for (u64 seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    typename TypeParam::template PoolOf<Tracked> pool(40);
    agree_with_the_model(pool, seed, false, Plain{});
  }
  EXPECT_EQ(Tracked::alive, 0);
}

TYPED_TEST(PoolOfOwnersModel, AgreesWithAMapWhileSlotsWearOut) {
  for (u64 seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    typename TypeParam::template PoolOf<Tracked, u8> pool(6);
    agree_with_the_model(pool, seed * 77, true, Plain{});
  }
  EXPECT_EQ(Tracked::alive, 0);
}

#if !defined(SPELLPOOL_ONLY_KIND)  // these have all kinds in them
template <class T>
class SwitchablePoolModel : public ::testing::Test {};
using SwitchedTypes = ::testing::Types<Grain, Tracked>;
struct TypeNames {
  template <class T>
  static std::string GetName(int) {
    return std::is_same_v<T, Grain> ? "Grain" : "Tracked";
  }
};
TYPED_TEST_SUITE(SwitchablePoolModel, SwitchedTypes, TypeNames);

TYPED_TEST(SwitchablePoolModel, AgreesWithAMapThroughSwitches) {
  for (u64 seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    ExhibitPool<TypeParam> pool(static_cast<StrategyId>(seed % kStrategyCount), 40);
    agree_with_the_model(pool, seed * 1009, false, Switching{});
  }
  EXPECT_EQ(Tracked::alive, 0);
}

TYPED_TEST(SwitchablePoolModel, AgreesWithAMapThroughSwitchesWhileSlotsWearOut) {
  for (u64 seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    ExhibitPool<TypeParam, u8> pool(static_cast<StrategyId>(seed % kStrategyCount), 6);
    agree_with_the_model(pool, seed * 31337, true, Switching{});
  }
  EXPECT_EQ(Tracked::alive, 0);
}
#endif

}  // namespace
}  // namespace spellpool::pool
