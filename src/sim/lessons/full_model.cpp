// The same flood into pools that differ in their overflow policy alone.
#include <algorithm>

#include "pool/pool.hpp"
#include "pool/strategy.hpp"
#include "sim/lessons/lesson_model.hpp"
#include "sim/lessons/lesson_spark.hpp"

namespace spellpool::sim {
namespace {

using pool::PolicyId;
using SparkPool = pool::FreeListPool<LessonSpark>;

constexpr std::array kPolicies = {PolicyId::Reject, PolicyId::StealOldest, PolicyId::StealLeast,
                                  PolicyId::Grow, PolicyId::Pressure};
constexpr u32 kCapacity = 12, kGrowBy = 6, kMostSlots = 36;
constexpr float kFade = 0.02f;  ///< Light that a spark loses in a step.
constexpr float kHaste = 3.0f;  ///< How much faster a spark fades under full pressure.

/// A pool, and what the floods into it have cost.
struct Basin {
  explicit Basin(PolicyId policy)
      : sparks(pool::PoolSize{.capacity = kCapacity, .grow_by = kGrowBy, .max_capacity = kMostSlots}) {
    (void)sparks.set_policy(policy);
    pool::watch_steals(sparks, true);
  }

  /// Spawns it; what is lost is counted with its light: a spark that is refused, or the one that is stolen.
  void spawn(const LessonSpark& spark) {
    std::vector<LessonSpark> before;
    sparks.for_each([&](const LessonSpark& other) { before.push_back(other); });
    const u64 stolen = sparks.stats().stolen;
    const auto handle = sparks.acquire(spark);
    if (!handle) return lose(spark);
    took.push_back(handle.index);
    if (sparks.stats().stolen == stolen) return;
    for (const LessonSpark& other : before) {
      bool still = false;
      sparks.for_each([&](const LessonSpark& one) { still = still || one.spawn_id == other.spawn_id; });
      if (!still) lose(other);
    }
  }
  void lose(const LessonSpark& spark) {
    ++lost;
    light_lost += spark.light;
  }
  void step() {
    const float fade = kFade * (1.0f + kHaste * sparks.pressure());
    if (sparks.pressure() > 0) sparks.count_accelerated(sparks.live());
    sparks.release_if([fade](LessonSpark& spark) {
      spark.light -= fade;
      return spark.light <= 0;
    });
  }

  SparkPool sparks;
  std::vector<u32> took;  ///< By the last flood.
  u64 lost = 0;
  float light_lost = 0;
};

class FullModel final : public LessonModel {
 public:
  FullModel() {
    for (const PolicyId policy : kPolicies) basins_.push_back(std::make_unique<Basin>(policy));
  }

  bool apply(const LessonOp& op) override {
    switch (op.kind) {
      case LessonOpKind::Flood:
        for (const auto& basin : basins_) {
          if (op.goes_on) break;
          basin->took.clear();
          for (u32 i = 0; i < pool::StealMarks::kShown; ++i) pool::fade_steals(basin->sparks);
        }
        for (i32 i = 0; i < op.a; ++i) {
          const LessonSpark spark = next_lesson_spark(rng_, ++made_);
          for (const auto& basin : basins_) basin->spawn(spark);
        }
        return true;
      case LessonOpKind::Steps:
        for (i32 i = 0; i < op.a; ++i) {
          for (const auto& basin : basins_) basin->step();
        }
        return true;
      default:
        return false;
    }
  }

  std::optional<i64> value(LessonAsk ask) const override {
    switch (ask) {
      case LessonAsk::RejectTook:
        return static_cast<i64>(basins_[0]->took.size());
      case LessonAsk::LeastLightLost:
        return least({0, 1, 2}, [](const Basin& basin) { return basin.light_lost; });
      case LessonAsk::MostBytes:
        return least({0, 1, 2, 3},
                     [](const Basin& basin) { return -static_cast<double>(basin.sparks.stats().bytes); });
      case LessonAsk::FewestLive:
        return least({0, 1, 2, 4},
                     [](const Basin& basin) { return static_cast<double>(basin.sparks.live()); });
      default:
        return std::nullopt;
    }
  }

  const std::vector<u32>& took() const override { return basins_[1]->took; }

  void show(u8 shows, std::vector<frame::LessonFigure>& figures) const override {
    for (std::size_t i = 0; i < basins_.size(); ++i) {
      const Basin& basin = *basins_[i];
      frame::LessonFigure& figure = figures.emplace_back();
      show_pool(basin.sparks, 0, figure);
      figure.title = join({pool::row(kPolicies[i]).title, ": ", std::to_string(basin.sparks.live()), " of ",
                           std::to_string(basin.sparks.capacity()),
                           basin.sparks.stats().stolen > 0 ? "; red: just stolen" : ""});
      figure.serials = (shows & kShowAge) != 0;
    }
    if ((shows & kShowTable) == 0) return;
    frame::LessonFigure& table = figures.emplace_back();
    table.kind = frame::LessonFigure::Kind::Table;
    table.title = join({"After ", std::to_string(made_), " sparks"});
    table.header = {"", "sparks lost", "light lost", "slots", "bytes"};
    for (std::size_t i = 0; i < basins_.size(); ++i) {
      const Basin& basin = *basins_[i];
      const pool::PoolStats stats = basin.sparks.stats();
      const auto tenths = static_cast<u32>(basin.light_lost * 10.0f + 0.5f);
      table.rows.push_back({std::string(pool::row(kPolicies[i]).title),
                            {std::to_string(basin.lost),
                             join({std::to_string(tenths / 10), ".", std::to_string(tenths % 10)}),
                             std::to_string(stats.slots), std::to_string(stats.bytes)},
                            false});
    }
  }

  void add_to(StateHash& hash) const override {
    hash.add(made_).add(rng_.state());
    for (const auto& basin : basins_) {
      add_pool(hash, basin->sparks);
      hash.add(basin->lost).add(basin->light_lost);
      for (const u32 slot : basin->took) hash.add(slot);
    }
  }

 private:
  /// Which of these pools has the lowest figure: its place in `rows`, the first of equals.
  template <class Figure>
  i64 least(std::initializer_list<std::size_t> rows, const Figure& figure) const {
    const auto best = std::min_element(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
      return figure(*basins_[a]) < figure(*basins_[b]);
    });
    return best - rows.begin();
  }

  std::vector<std::unique_ptr<Basin>> basins_;
  Rng rng_{4};
  u64 made_ = 0;
};

}  // namespace

std::unique_ptr<LessonModel> make_full_model() { return std::make_unique<FullModel>(); }

}  // namespace spellpool::sim
