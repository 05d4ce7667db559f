// Short random sequences of operations, each mirrored into a std::map. model_test.cpp drives long ones; these shrink:
// what is printed when one fails is the shortest sequence found that still fails.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <ostream>
#include <utility>
#include <vector>

#include "storage_kinds.hpp"

namespace spellpool::pool {
namespace {

#if !defined(NDEBUG) || defined(SPELLPOOL_ASSERTS)
constexpr bool kAssertStops = true;
#else
constexpr bool kAssertStops = false;
#endif

/// The same cases every time. RC_PARAMS="seed=7 max_success=10000" in the environment tries others, and the line that a
/// failure prints goes there to see it again.
[[maybe_unused]] const int kSettings = setenv("RC_PARAMS", "seed=1 max_success=3000 max_size=80", 0);

using TestedPool = ExhibitPool<Grain>;
using TestedHandle = TestedPool::HandleType;

constexpr u32 kGrowBy = 5, kMost = 40;

enum class Verb {
  Acquire,
  Release,
  ReleaseDead,
  GetDead,
  ReleaseForeign,
  ReleaseIf,
  Clear,
  Write,
  Change,
  Policy,
  Capacity,
  Trim,
  Fill,
  BeginBatch,
  EndBatch,
  Strategy,
  Prewarm,
  Save,
  Restore
};

/// What `number` means is the verb's business; 0 is always the simplest.
struct Operation {
  Verb verb;
  u32 number;
};
struct Start {
  u32 strategy, policy, capacity, ready;
};

StrategyId strategy_of(u32 number) { return static_cast<StrategyId>(number % kStrategyCount); }
PolicyId policy_of(u32 number) { return static_cast<PolicyId>(number % kPolicyCount); }
u32 capacity_of(u32 number) { return 1 + number % 12; }
u64 modulus_of(u32 number) { return 2 + number % 4; }

// RapidCheck prints with these.
void showValue(const Operation& operation, std::ostream& out) {
  const u32 number = operation.number;
  out << "\n  ";
  switch (operation.verb) {
    case Verb::Acquire:
      out << "acquire";
      break;
    case Verb::Release:
      out << "release living object " << number << " (modulo how many live), by age";
      break;
    case Verb::ReleaseDead:
      out << "release dead handle " << number << " (modulo how many died)";
      break;
    case Verb::GetDead:
      out << "get dead handle " << number << " (modulo how many died)";
      break;
    case Verb::ReleaseForeign:
      out << "release a foreign handle to slot " << number;
      break;
    case Verb::ReleaseIf:
      out << "release_if serial % " << modulus_of(number) << " == 0";
      break;
    case Verb::Clear:
      out << "clear";
      break;
    case Verb::Write:
      out << "write to living object " << number << " (modulo how many live), by age";
      break;
    case Verb::Change:
      out << "change all in a walk";
      break;
    case Verb::Policy:
      out << "set_policy " << row(policy_of(number)).name;
      break;
    case Verb::Capacity:
      out << "set_capacity " << capacity_of(number);
      break;
    case Verb::Trim:
      out << "trim to " << number % 8 << " free";
      break;
    case Verb::Fill:
      out << "set_fill " << number % 2;
      break;
    case Verb::BeginBatch:
      out << "begin_batch";
      break;
    case Verb::EndBatch:
      out << "end_batch";
      break;
    case Verb::Strategy:
      out << "set_strategy " << row(strategy_of(number)).name;
      break;
    case Verb::Prewarm:
      out << "prewarm " << number % 6;
      break;
    case Verb::Save:
      out << "save";
      break;
    case Verb::Restore:
      out << "restore, if something was saved";
      break;
  }
}
void showValue(const Start& start, std::ostream& out) {
  out << row(strategy_of(start.strategy)).name << ", " << row(policy_of(start.policy)).name << ", capacity "
      << capacity_of(start.capacity) << ", " << start.ready << " of it ready";
}

/// What the pool should be.
struct Model {
  u32 capacity_ = 1;
  PolicyId policy_ = PolicyId::Reject;
  std::map<u64, TestedHandle> living_;  // by serial, and so by age
  std::vector<TestedHandle> dead_;
  std::map<u32, u32> last_generation_;  // slot → generation
  bool in_batch_ = false, ranked_ = false;
  std::map<std::pair<float, u64>, u64> ranking_;
  u64 next_serial_ = 1, spawned_ = 0, released_ = 0, rejected_ = 0, stolen_ = 0, grown_ = 0;
  u64 double_releases_ = 0, stale_handles_ = 0, foreign_handles_ = 0;
  u32 peak_ = 0;
};

/// The pool, and what it should be.
class Mirrored : private Model {
 public:
  explicit Mirrored(const Start& start)
      : pool_(strategy_of(start.strategy),
              PoolSize{.capacity = capacity_of(start.capacity), .prewarm = start.ready, .grow_by = kGrowBy, .max_capacity = kMost}) {
    capacity_ = capacity_of(start.capacity);
    set_policy(policy_of(start.policy));
  }

  void apply(const Operation& operation) {
    const u32 number = operation.number;
    switch (operation.verb) {
      case Verb::Acquire:
        return acquire();
      case Verb::Release:
        return release(number);
      case Verb::ReleaseDead:
        return release_dead(number);
      case Verb::GetDead:
        return get_dead(number);
      case Verb::ReleaseForeign:
        return release_foreign(number);
      case Verb::ReleaseIf:
        return release_if(modulus_of(number));
      case Verb::Clear:
        return clear();
      case Verb::Write:
        return write(number);
      case Verb::Change:
        return change();
      case Verb::Policy:
        return set_policy(policy_of(number));
      case Verb::Capacity:
        return static_cast<void>(pool_.set_capacity(capacity_ = capacity_of(number)));
      case Verb::Trim:
        return trim(number % 8);
      case Verb::Fill:
        return pool_.set_fill(number % 2 != 0);
      case Verb::BeginBatch:
        return begin_batch();
      case Verb::EndBatch:
        return end_batch();
      case Verb::Strategy:
        RC_ASSERT(pool_.set_strategy(strategy_of(number)));
        return;
      case Verb::Prewarm:
        return prewarm(number % 6);
      case Verb::Save:
        return save();
      case Verb::Restore:
        return restore();
    }
  }

  void check() {
    std::map<u64, TestedHandle> visited;
    std::as_const(pool_).visit([&](const auto& pool) {
      pool.for_each_handle([&](TestedHandle handle, const Grain& grain) {
        RC_ASSERT(grain.sound());
        RC_ASSERT(visited.emplace(grain.serial, handle).second);
      });
    });
    RC_ASSERT(visited == living_);
    for (const auto& [serial, handle] : living_) {
      const auto grain = pool_.peek(handle);
      RC_ASSERT(bool(grain));
      RC_ASSERT(grain->serial == serial);
      RC_ASSERT(grain->sound());
    }
    for (const TestedHandle handle : dead_) RC_ASSERT(!pool_.peek(handle));
    const PoolStats stats = pool_.stats();
    RC_ASSERT(stats.live == living_.size());
    RC_ASSERT(stats.capacity == capacity_);
    RC_ASSERT(stats.slots >= stats.live);
    RC_ASSERT(stats.peak == peak_);
    RC_ASSERT(stats.spawned == spawned_);
    RC_ASSERT(stats.released == released_);
    RC_ASSERT(stats.rejected == rejected_);
    RC_ASSERT(stats.stolen == stolen_);
    RC_ASSERT(stats.grown == grown_);
    RC_ASSERT(stats.double_releases == double_releases_);
    RC_ASSERT(stats.stale_handles == stale_handles_);
    RC_ASSERT(stats.foreign_handles == foreign_handles_);
    RC_ASSERT(pool_.policy() == policy_);
  }

 private:
  void acquire() {
    const u64 serial = next_serial_;
    u64 victim = 0;
    bool refused = living_.size() > capacity_;
    if (living_.size() == capacity_) {
      switch (policy_) {
        case PolicyId::StealOldest:
          victim = living_.begin()->first;
          break;
        case PolicyId::StealLeast:
          victim = least();
          break;
        case PolicyId::Grow:
          refused = capacity_ >= kMost;
          if (!refused) {
            capacity_ = std::min(kMost, capacity_ + kGrowBy);
            ++grown_;
          }
          break;
        case PolicyId::Reject:
        case PolicyId::Pressure:
        case PolicyId::Assert:
          refused = true;
          break;
      }
    }
    if (refused && policy_ == PolicyId::Assert && kAssertStops) return;  // the pool would stop the program
    ++next_serial_;
    const TestedHandle handle = pool_.acquire(serial);
    RC_ASSERT(handle.is_null() == refused);
    if (refused) {
      ++rejected_;
      return;
    }
    if (victim != 0) {
      end(victim);
      ++stolen_;
    }
    for (const auto& [other, its_handle] : living_) RC_ASSERT(its_handle.index != handle.index);
    for (const TestedHandle before : dead_) RC_ASSERT(!(before == handle));
    living_[serial] = handle;
    last_generation_[handle.index] = handle.generation;
    ++spawned_;
    peak_ = std::max(peak_, static_cast<u32>(living_.size()));
  }
  void release(u32 number) {
    if (living_.empty()) return;
    const auto chosen = std::next(living_.begin(), number % static_cast<u32>(living_.size()));
    RC_ASSERT(pool_.release(chosen->second) == ReleaseResult::Released);
    end(chosen->first);
    ++released_;
  }
  void release_dead(u32 number) {
    if (dead_.empty()) return;
    const TestedHandle handle = dead_[number % dead_.size()];
    const bool last = last_generation_[handle.index] == handle.generation;
    RC_ASSERT(pool_.release(handle) == (last ? ReleaseResult::DoubleRelease : ReleaseResult::StaleHandle));
    ++(last ? double_releases_ : stale_handles_);
  }
  void get_dead(u32 number) {
    if (dead_.empty()) return;
    RC_ASSERT(!pool_.get(dead_[number % dead_.size()]));
    ++stale_handles_;
  }
  /// Of an object that the slot has not had yet.
  void release_foreign(u32 slot) {
    const auto last = last_generation_.find(slot);
    const u32 next = last == last_generation_.end() ? 3 : last->second + 2;
    RC_ASSERT(pool_.release({slot, next}) == ReleaseResult::ForeignHandle);
    ++foreign_handles_;
  }
  void release_if(u64 modulus) {
    u32 expected = 0;
    for (auto at = living_.begin(); at != living_.end();) {
      const u64 serial = at++->first;
      if (serial % modulus != 0) continue;
      end(serial);
      ++expected;
    }
    released_ += expected;
    const u32 ended = pool_.visit(
        [&](auto& pool) { return pool.release_if([&](const Grain& grain) { return grain.serial % modulus == 0; }); });
    RC_ASSERT(ended == expected);
  }
  void clear() {
    pool_.visit([](auto& pool) { pool.clear(); });
    released_ += living_.size();
    while (!living_.empty()) end(living_.begin()->first);
  }
  /// What is written to an object is there afterwards; then it is taken back.
  void write(u32 number) {
    if (living_.empty()) return;
    const TestedHandle handle = std::next(living_.begin(), number % static_cast<u32>(living_.size()))->second;
    const Grain before = *pool_.peek(handle);
    {
      const auto grain = pool_.get(handle);
      grain->x += 0.5f;
      grain->low = static_cast<u16>(~grain->low);
    }
    RC_ASSERT(pool_.peek(handle)->x == before.x + 0.5f);
    RC_ASSERT(pool_.peek(handle)->low == static_cast<u16>(~before.low));
    *pool_.get(handle) = before;
  }
  /// A walk may write; here it writes what is there, so that a row that goes to the wrong place shows.
  void change() {
    u32 visited = 0;
    pool_.visit([&](auto& pool) {
      pool.for_each([&](Grain& grain) {
        ++visited;
        const Grain again(grain.serial);
        grain.x = again.x;
        grain.twice = again.twice;
      });
    });
    RC_ASSERT(visited == living_.size());
  }
  void set_policy(PolicyId policy) {
    RC_ASSERT(pool_.set_policy(policy));
    if (policy != policy_) ranked_ = false;
    policy_ = policy;
  }
  void trim(u32 keep) {
    pool_.trim(keep);
    const u32 now = pool_.capacity();
    RC_ASSERT(now == std::min(capacity_, std::max(1u, static_cast<u32>(living_.size()) + keep)));
    capacity_ = now;
  }
  void begin_batch() {
    pool_.visit([&](auto& pool) { pool.begin_batch(); });
    in_batch_ = true;
    ranked_ = false;
  }
  void end_batch() {
    pool_.visit([](auto& pool) { pool.end_batch(); });
    in_batch_ = false;
  }

  /// By (score, serial): outside a batch of all that live, in it of those that lived when it first stole, then of the
  /// rest.
  u64 least() {
    if (!in_batch_ || !ranked_) rank();
    for (;;) {
      while (!ranking_.empty()) {
        const u64 first = ranking_.begin()->second;
        ranking_.erase(ranking_.begin());
        if (living_.count(first) != 0) return first;
      }
      rank();
    }
  }
  void rank() {
    ranking_.clear();
    for (const auto& [serial, handle] : living_) ranking_[{score_of_serial(serial), serial}] = serial;
    ranked_ = true;
  }
  void end(u64 serial) {
    dead_.push_back(living_.at(serial));
    living_.erase(serial);
  }

  void prewarm(u32 most) {
    const u32 before = pool_.stats().slots, missing = pool_.prewarm(most);
    RC_ASSERT(pool_.stats().slots >= before);
    RC_ASSERT(missing > 0 || pool_.stats().slots >= capacity_);
  }
  void save() {
    std::as_const(pool_).visit([&](const auto& pool) { pool.save(snapshot_); });
    saved_ = static_cast<const Model&>(*this);
    saved_->in_batch_ = saved_->ranked_ = false;  // a batch does not outlive a restore
  }
  void restore() {
    if (!saved_) return;
    pool_.visit([&](auto& pool) { pool.restore(snapshot_); });
    static_cast<Model&>(*this) = *saved_;
  }

  TestedPool pool_;
  PoolSnapshot<Grain, u32> snapshot_;
  std::optional<Model> saved_;
};

}  // namespace
}  // namespace spellpool::pool

template <>
struct rc::Arbitrary<spellpool::pool::Operation> {
  static Gen<spellpool::pool::Operation> arbitrary() {
    using spellpool::pool::Operation;
    using spellpool::pool::Verb;
    return gen::build<Operation>(gen::set(&Operation::verb, gen::weightedElement<Verb>({{30, Verb::Acquire},
                                                                                        {12, Verb::Release},
                                                                                        {3, Verb::ReleaseDead},
                                                                                        {2, Verb::GetDead},
                                                                                        {1, Verb::ReleaseForeign},
                                                                                        {3, Verb::ReleaseIf},
                                                                                        {1, Verb::Clear},
                                                                                        {2, Verb::Write},
                                                                                        {2, Verb::Change},
                                                                                        {3, Verb::Policy},
                                                                                        {3, Verb::Capacity},
                                                                                        {2, Verb::Trim},
                                                                                        {1, Verb::Fill},
                                                                                        {2, Verb::BeginBatch},
                                                                                        {2, Verb::EndBatch},
                                                                                        {3, Verb::Strategy},
                                                                                        {2, Verb::Prewarm},
                                                                                        {2, Verb::Save},
                                                                                        {2, Verb::Restore}})),
                                 gen::set(&Operation::number, gen::inRange(0u, 60u)));
  }
};
template <>
struct rc::Arbitrary<spellpool::pool::Start> {
  static Gen<spellpool::pool::Start> arbitrary() {
    using spellpool::pool::Start;
    return gen::build<Start>(
        gen::set(&Start::strategy, gen::inRange(0u, static_cast<spellpool::u32>(spellpool::pool::kStrategyCount))),
        gen::set(&Start::policy, gen::inRange(0u, static_cast<spellpool::u32>(spellpool::pool::kPolicyCount))),
        gen::set(&Start::capacity, gen::inRange(0u, 12u)), gen::set(&Start::ready, gen::inRange(0u, 14u)));
  }
};

namespace spellpool::pool {
namespace {

RC_GTEST_PROP(PoolProperty, AnySequenceOfOperationsAgreesWithAMap,
              (const Start& start, const std::vector<Operation>& operations)) {
  Mirrored mirrored(start);
  for (const Operation& operation : operations) {
    mirrored.apply(operation);
    mirrored.check();
  }
}

}  // namespace
}  // namespace spellpool::pool
