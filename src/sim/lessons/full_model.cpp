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
constexpr u8 kMeteorHue = 0, kSoundHue = 2;
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
        return op.kind == LessonOpKind::Hear;
    }
  }

  void know(const frame::LessonResults& results, std::optional<frame::LessonMeasure>) override {
    voices_ = results[static_cast<std::size_t>(frame::LessonMeasure::Voices)];
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
      case LessonAsk::LoudestRejected: {
        const frame::LessonVoiceRow* const reject = voices_of(frame::VoicePolicy::Reject);
        return reject == nullptr ? std::nullopt : std::optional<i64>(reject->loudest_heard ? 1 : 0);
      }
      case LessonAsk::LeastSoundLost:
        return least_sound_lost();
      default:
        return std::nullopt;
    }
  }

  const std::vector<u32>& took() const override { return basins_[1]->took; }

  void show(u8 shows, std::vector<frame::LessonFigure>& figures) const override {
    if ((shows & kShowVoices) != 0) return show_voices((shows & kShowTable) != 0, figures);
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
      table.rows.push_back(
          {std::string(pool::row(kPolicies[i]).title),
           {std::to_string(basin.lost), join({std::to_string(tenths / 10), ".", std::to_string(tenths % 10)}),
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
  static constexpr std::array kHeardPolicies = {frame::VoicePolicy::Reject, frame::VoicePolicy::StealOldest,
                                                frame::VoicePolicy::StealQuietest,
                                                frame::VoicePolicy::Virtual};

  const frame::LessonVoiceRow* voices_of(frame::VoicePolicy policy) const {
    if (voices_ == nullptr) return nullptr;
    for (const frame::LessonVoiceRow& row : voices_->voices) {
      if (row.policy == policy) return &row;
    }
    return nullptr;
  }
  std::optional<i64> least_sound_lost() const {
    std::optional<i64> best;
    for (std::size_t i = 0; i < kHeardPolicies.size(); ++i) {
      const frame::LessonVoiceRow* const row = voices_of(kHeardPolicies[i]);
      if (row == nullptr) return std::nullopt;
      if (!best || row->lost < voices_of(kHeardPolicies[static_cast<std::size_t>(*best)])->lost)
        best = static_cast<i64>(i);
    }
    return best;
  }

  /// Before the flood the slots are free; after it they are as the loudest sound found or made them.
  void show_voices(bool after, std::vector<frame::LessonFigure>& figures) const {
    frame::LessonFigure table;
    table.kind = frame::LessonFigure::Kind::Table;
    table.title = "What is lost to the ear; the numbers come from a real voice pool";
    table.header = {"", "refused", "stolen", "silenced", "came back", "sound lost"};
    for (const frame::VoicePolicy policy : kHeardPolicies) {
      const frame::LessonVoiceRow* const row = voices_of(policy);
      if (row == nullptr) continue;
      const std::string_view title = frame::kVoicePolicies[static_cast<std::size_t>(policy)].title;
      frame::LessonFigure& cells = figures.emplace_back();
      cells.kind = frame::LessonFigure::Kind::Cells;
      cells.serials = true;
      cells.title = after
                        ? join({title, row->loudest_heard ? ": the meteor, #" : ": no slot for the meteor, #",
                                std::to_string(voices_->loudest)})
                        : std::string(title);
      for (u32 slot = 0; slot < row->slots.size(); ++slot) {
        frame::LessonCell& cell = cells.cells.emplace_back();
        const frame::LessonVoiceSlot& voice = row->slots[slot];
        cell.slot = slot;
        if (!after || voice.sound == 0) continue;
        const float quiet = 1.0f - std::clamp(voice.loudness, 0.0f, 1.0f);
        cell.cell = static_cast<u8>(kSlotLive + static_cast<u32>(quiet * static_cast<float>(kSlotAges - 1)));
        cell.hue = voice.sound == voices_->loudest ? kMeteorHue : kSoundHue;
        cell.serial = voice.sound;
      }
      const auto permille = static_cast<u32>(row->lost * 1'000.0 + 0.5);
      table.rows.push_back({std::string(title),
                            {std::to_string(row->rejected), std::to_string(row->stolen),
                             std::to_string(row->silenced), std::to_string(row->resumed),
                             join({std::to_string(permille / 10), ".", std::to_string(permille % 10), " %"})},
                            false});
    }
    if (after) figures.push_back(std::move(table));
  }

  /// Which of these pools has the lowest figure: its place in `rows`, the first of equals.
  template <class Figure>
  i64 least(std::initializer_list<std::size_t> rows, const Figure& figure) const {
    const auto best = std::min_element(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
      return figure(*basins_[a]) < figure(*basins_[b]);
    });
    return best - rows.begin();
  }

  std::vector<std::unique_ptr<Basin>> basins_;
  std::shared_ptr<const frame::LessonMeasurement> voices_;
  Rng rng_{4};
  u64 made_ = 0;
};

}  // namespace

std::unique_ptr<LessonModel> make_full_model() { return std::make_unique<FullModel>(); }

}  // namespace spellpool::sim
