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
    times_stolen.resize(std::max<std::size_t>(times_stolen.size(), handle.index + 1));
    ++times_stolen[handle.index];
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
    pool::fade_steals(sparks);
    const float fade = kFade * (1.0f + kHaste * sparks.pressure());
    if (sparks.pressure() > 0) sparks.count_accelerated(sparks.live());
    sparks.release_if([fade](LessonSpark& spark) {
      spark.light -= fade;
      return spark.light <= 0;
    });
  }

  SparkPool sparks;
  std::vector<u32> took;  ///< By the last flood.
  std::vector<u32> times_stolen;  ///< In the last flood, by slot.
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
          if (op.b == 1) continue;
          basin->times_stolen.clear();
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
      case LessonAsk::InBoth: {
        i64 common = 0;
        basins_[0]->sparks.for_each([&](const LessonSpark& one) {
          basins_[1]->sparks.for_each(
              [&](const LessonSpark& other) { common += one.spawn_id == other.spawn_id ? 1 : 0; });
        });
        return common;
      }
      case LessonAsk::FirstRefused:
        return first_refused();
      default:
        return std::nullopt;
    }
  }

  /// Those of the pool that steals the least.
  const std::vector<u32>& took() const override { return basins_[2]->took; }

  void show(u8 shows, std::vector<frame::LessonFigure>& figures) const override {
    if ((shows & kShowVoices) != 0) return show_voices((shows & kShowTable) != 0, figures);
    const std::size_t few = shows & (kShowTwo | kShowThree), count = few > 0 ? few + 1 : basins_.size();
    for (std::size_t i = 0; i < count; ++i) {
      const Basin& basin = *basins_[i];
      frame::LessonFigure& figure = figures.emplace_back();
      show_pool(basin.sparks, 0, figure);
      figure.serials = (shows & kShowAge) != 0;
      figure.lights = (shows & kShowLight) != 0;
      figure.title = join({pool::row(kPolicies[i]).title, ": ", std::to_string(basin.sparks.live()), " of ",
                           std::to_string(basin.sparks.capacity()), show_steals(basin, figure)});
    }
    if ((shows & (kShowTable | kShowComing)) == kShowComing) show_coming(figures.emplace_back());
    if ((shows & kShowTable) == 0) return;
    frame::LessonFigure& table = figures.emplace_back();
    table.kind = frame::LessonFigure::Kind::Table;
    table.title = join({"After ", std::to_string(made_), " sparks"});
    table.header = {"", "sparks lost", "light lost", "slots", "bytes"};
    for (std::size_t i = 0; i < count; ++i) {
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
    hash.add(made_, rng_.state());
    for (const auto& basin : basins_) {
      add_pool(hash, basin->sparks);
      hash.add(basin->lost, basin->light_lost);
      for (const u32 slot : basin->took) hash.add(slot);
    }
  }

 private:
  static constexpr std::array kHeardPolicies = {frame::VoicePolicy::Reject, frame::VoicePolicy::StealOldest,
                                                frame::VoicePolicy::StealQuietest,
                                                frame::VoicePolicy::Virtual};

  /// Marked cells say how often they were stolen. Returns how often all of them, for the title.
  static std::string show_steals(const Basin& basin, frame::LessonFigure& figure) {
    u32 slots = 0, steals = 0;
    for (std::size_t slot = 0; slot < figure.cells.size() && slot < basin.times_stolen.size(); ++slot) {
      if ((figure.cells[slot].cell & kSlotStolen) == 0) continue;
      figure.cells[slot].times_stolen = basin.times_stolen[slot];
      ++slots;
      steals += basin.times_stolen[slot];
    }
    if (slots == 0) return {};
    std::string words = join({"; stolen: ", std::to_string(slots), slots == 1 ? " slot (red)" : " slots (red)"});
    if (steals > slots) words += join({", ", std::to_string(steals), " times in all"});
    return words;
  }
  /// What the next two sparks will be: the same random numbers.
  void show_coming(frame::LessonFigure& figure) const {
    Rng rng = rng_;
    figure.kind = frame::LessonFigure::Kind::Cells;
    figure.title = "Coming: the first, the second";
    figure.lights = true;
    for (u32 i = 0; i < 2; ++i) {
      const LessonSpark spark = next_lesson_spark(rng, made_ + i + 1);
      frame::LessonCell& cell = figure.cells.emplace_back();
      cell.slot = frame::kNoCell;
      cell.cell = kSlotLive;
      cell.hue = static_cast<u8>(spark.hue);
      cell.serial = spark.spawn_id;
      cell.light = percent_of(spark.light);
    }
  }

  const frame::LessonVoiceRow* voices_of(frame::VoicePolicy policy) const {
    if (voices_ == nullptr) return nullptr;
    for (const frame::LessonVoiceRow& row : voices_->voices) {
      if (row.policy == policy) return &row;
    }
    return nullptr;
  }
  std::optional<i64> first_refused() const {
    const frame::LessonVoiceRow* const reject = voices_of(frame::VoicePolicy::Reject);
    if (reject == nullptr) return std::nullopt;
    const auto asked =
        std::find(frame::kAskedSounds.begin(), frame::kAskedSounds.end(), reject->first_refused);
    return asked == frame::kAskedSounds.end() ? std::nullopt
                                              : std::optional<i64>(asked - frame::kAskedSounds.begin());
  }

  /// Before the flood the slots are free; after it they are as the loudest sound found or made them.
  void show_voices(bool after, std::vector<frame::LessonFigure>& figures) const {
    frame::LessonFigure table;
    table.kind = frame::LessonFigure::Kind::Table;
    table.title =
        join({"Above: when the meteor, #", std::to_string(voices_ == nullptr ? 0 : voices_->loudest),
              ", has begun. Below: what is lost to the ear"});
    table.header = {"", "refused", "stolen", "silenced", "came back", "sound lost"};
    for (const frame::VoicePolicy policy : kHeardPolicies) {
      const frame::LessonVoiceRow* const row = voices_of(policy);
      if (row == nullptr) continue;
      const std::string_view title = frame::kVoicePolicies[static_cast<std::size_t>(policy)].title;
      frame::LessonFigure& cells = figures.emplace_back();
      cells.kind = frame::LessonFigure::Kind::Cells;
      cells.serials = true;
      cells.title = after && !row->loudest_heard ? join({title, ": no meteor"}) : std::string(title);
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

  std::vector<std::unique_ptr<Basin>> basins_;
  std::shared_ptr<const frame::LessonMeasurement> voices_;
  Rng rng_{4};
  u64 made_ = 0;
};

}  // namespace

std::unique_ptr<LessonModel> make_full_model() { return std::make_unique<FullModel>(); }

}  // namespace spellpool::sim
