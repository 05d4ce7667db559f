// Sparks made by new, at their true addresses, and the same sparks in a pool that packs them. What an
// update touches is counted from the addresses. They differ from run to run, so no hash and no question has
// them: questions ask for what an allocator cannot change.
#include <algorithm>
#include <cstdint>

#include "pool/inspect/line_map.hpp"
#include "pool/pool.hpp"
#include "sim/lessons/lesson_model.hpp"
#include "sim/lessons/lesson_spark.hpp"

namespace spellpool::sim {
namespace {

using pool::LineMap;

constexpr u32 kMostSparks = 96, kMostTaken = 100'000, kFreshRun = 32;

class MemoryModel final : public LessonModel {
 public:
  MemoryModel() : pooled_(kMostSparks) {
    // No block of these tables comes between two sparks.
    sparks_.reserve(kMostSparks);
    handles_.reserve(kMostSparks);
    others_.reserve(kMostSparks);
    find_fresh_memory();
  }

  bool apply(const LessonOp& op) override {
    switch (op.kind) {
      case LessonOpKind::New:
        for (i32 i = 0; i < op.a; ++i) spawn();
        return true;
      case LessonOpKind::Age:
        for (i32 i = 0; i < op.a && !sparks_.empty(); ++i) age();
        return true;
      case LessonOpKind::Touch:
        touch();
        return true;
      default:
        return false;
    }
  }

  std::optional<i64> value(LessonAsk ask) const override {
    switch (ask) {
      case LessonAsk::Spacing:
        return spacing();
      case LessonAsk::LinesRatio:
        return 5 * lines_ < 6 * fresh_lines_ ? 0 : lines_ < 3 * fresh_lines_ ? 1 : 2;
      case LessonAsk::PoolLines:
        return static_cast<i64>(pool_map().touched());
      case LessonAsk::HeapLines:
        return static_cast<i64>(map().touched());
      default:
        return std::nullopt;
    }
  }

  const std::vector<u32>& took() const override { return took_; }

  void show(u8 shows, std::vector<frame::LessonFigure>& figures) const override {
    const LineMap heap = map();
    show_map("Sparks by new", heap, figures.emplace_back());
    const LineMap pool = pool_map();
    if ((shows & kShowArray) != 0) show_map("Sparks in a pool", pool, figures.emplace_back());
    if ((shows & kShowTable) == 0) return;
    frame::LessonFigure& table = figures.emplace_back();
    table.kind = frame::LessonFigure::Kind::Table;
    table.title = "An update of all sparks touches";
    table.header = {"", "lines", "pages"};
    if (touches_ > 1) {
      table.rows.push_back(
          {"by new, at first", {std::to_string(fresh_lines_), std::to_string(fresh_pages_)}, false});
    }
    table.rows.push_back(
        {"by new, now", {std::to_string(heap.touched()), std::to_string(heap.pages().size())}, false});
    if ((shows & kShowArray) != 0) {
      table.rows.push_back(
          {"in a pool", {std::to_string(pool.touched()), std::to_string(pool.pages().size())}, false});
    }
  }

  void add_to(StateHash& hash) const override {
    hash.add(made_, rng_.state(), sparks_.size(), others_.size());
    for (const auto& spark : sparks_) sim::add_to(hash, *spark);
    add_pool(hash, pooled_);
  }

 private:
  /// The first update is kept: it shows the sparks as a fresh heap has placed them.
  void touch() {
    const LineMap now = map();
    lines_ = now.touched();
    if (touches_++ > 0) return;
    fresh_lines_ = lines_;
    fresh_pages_ = now.pages().size();
  }
  using Block = std::array<std::byte, sizeof(LessonSpark)>;

  /// Takes blocks of a spark's size until a run of them lie one behind the other, and gives the end of that
  /// run back: so the first sparks lie as they do in a program that has just started. The rest stays taken,
  /// or the next model would find holes again.
  static void find_fresh_memory() {
    static std::vector<std::unique_ptr<Block>> taken;
    taken.reserve(kMostTaken);
    std::uintptr_t last = 0, step = 0;
    for (u32 run = 0; run < kFreshRun && taken.size() < kMostTaken;) {
      taken.push_back(std::make_unique<Block>());
      const auto place = reinterpret_cast<std::uintptr_t>(taken.back().get());
      run = place > last && place - last == step ? run + 1 : 0;
      step = place - last;
      last = place;
    }
    for (u32 i = 0; i < kFreshRun && !taken.empty(); ++i) taken.pop_back();
  }
  void spawn() {
    if (sparks_.size() >= kMostSparks) return;
    const LessonSpark spark = next_lesson_spark(rng_, ++made_);
    sparks_.push_back(std::make_unique<LessonSpark>(spark));
    handles_.push_back(pooled_.acquire(spark));
  }
  /// The place that a spark leaves goes to something else of its size, as it does in a game of many
  /// systems.
  void age() {
    const std::size_t gone = rng_.below(static_cast<u32>(sparks_.size()));
    sparks_[gone].reset();
    (void)pooled_.release(handles_[gone]);
    others_.push_back(std::make_unique<Block>());
    if (others_.size() > 64 && rng_.below(2) == 0) others_.erase(others_.begin() + rng_.below(48));
    const LessonSpark spark = next_lesson_spark(rng_, ++made_);
    sparks_[gone] = std::make_unique<LessonSpark>(spark);
    handles_[gone] = pooled_.acquire(spark);
  }

  LineMap map() const {
    LineMap map;
    for (const auto& spark : sparks_) {
      map.hold(spark.get(), sizeof(LessonSpark));
      map.touch(spark.get(), sizeof(LessonSpark));
    }
    return map;
  }
  LineMap pool_map() const {
    LineMap map;
    pooled_.for_each([&](const LessonSpark& spark) {
      map.hold(&spark, sizeof spark);
      map.touch(&spark, sizeof spark);
    });
    return map;
  }
  i64 spacing() const {
    std::vector<std::uintptr_t> places;
    for (const auto& spark : sparks_) places.push_back(reinterpret_cast<std::uintptr_t>(spark.get()));
    std::sort(places.begin(), places.end());
    std::uintptr_t least = ~std::uintptr_t{0};
    for (std::size_t i = 1; i < places.size(); ++i) least = std::min(least, places[i] - places[i - 1]);
    return static_cast<i64>(least);
  }
  static void show_map(std::string_view what, const LineMap& map, frame::LessonFigure& figure) {
    figure.kind = frame::LessonFigure::Kind::Pages;
    figure.title = join({what, ": ", std::to_string(map.touched()), " lines on ",
                         std::to_string(map.pages().size()), map.pages().size() == 1 ? " page" : " pages"});
    figure.pages = map.pages();
  }

  std::vector<std::unique_ptr<LessonSpark>> sparks_;
  std::vector<std::unique_ptr<Block>> others_;
  pool::PackedPool<LessonSpark> pooled_;
  std::vector<pool::PackedPool<LessonSpark>::HandleType> handles_;
  std::vector<u32> took_;
  Rng rng_{1};
  u64 made_ = 0;
  u64 lines_ = 0, fresh_lines_ = 0, fresh_pages_ = 0;
  u32 touches_ = 0;
};

}  // namespace

std::unique_ptr<LessonModel> make_memory_model() { return std::make_unique<MemoryModel>(); }

}  // namespace spellpool::sim
