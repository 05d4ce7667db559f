// The same sparks three times: each by new in no order, side by side, and with an array for each member. What
// an update of a few touches is counted from true addresses; what it costs with many is measured elsewhere
// and shown here. Addresses differ from run to run, so no hash has them.
#include <algorithm>

#include "pool/inspect/line_map.hpp"
#include "sim/lessons/lesson_model.hpp"
#include "sim/lessons/lesson_spark.hpp"

namespace spellpool::sim {
namespace {

/// As large as a particle of a game usually is. An update reads and writes the members that move.
struct WideSpark {
  std::array<float, 5> moving{};  ///< Place, velocity, life.
  std::array<float, 11> rest{};   ///< Size, colours, turn …: for drawing alone.
};
struct alignas(kCacheLineBytes) PackedSpark : WideSpark {};
/// A part of a column, which begins on a line as the columns of a pool do.
struct alignas(kCacheLineBytes) ColumnLine {
  std::array<float, kCacheLineBytes / sizeof(float)> values{};
};
static_assert(sizeof(WideSpark) == kCacheLineBytes && sizeof(PackedSpark) == kCacheLineBytes);
constexpr u32 kMoving = 5, kMostWide = 64;

class WalkModel final : public LessonModel {
 public:
  bool apply(const LessonOp& op) override {
    switch (op.kind) {
      case LessonOpKind::Lay:
        lay(std::min(static_cast<u32>(op.a), kMostWide));
        return true;
      case LessonOpKind::Touch:
        touched_ = true;
        return true;
      default:
        return false;
    }
  }

  std::optional<i64> value(LessonAsk ask) const override {
    using Walk = frame::LessonWalk;
    switch (ask) {
      case LessonAsk::ColumnLines:
        return static_cast<i64>(columns_map().touched());
      case LessonAsk::FarScattered:
        return range_at_most(Walk::Scattered, Walk::Columns);
      default:
        return std::nullopt;
    }
  }

  const std::vector<u32>& took() const override { return took_; }

  void show(u8 shows, std::vector<frame::LessonFigure>& figures) const override {
    if ((shows & kShowCurve) != 0) {
      frame::LessonFigure& curve = figures.emplace_back();
      curve.kind = frame::LessonFigure::Kind::Curve;
      curve.measured[0] = found_;
      curve.title =
          "Time of an update for each spark, by the number of sparks. Dashed: packed sparks fill a cache";
      if (found_ != nullptr && (shows & kShowFar) != 0) curve.reach.fill(found_->points.size());
      return;
    }
    show_map("Scattered: each by new", scattered_map(), figures);
    show_map("Packed: one array of sparks", packed_map(), figures);
    if ((shows & kShowArray) != 0)
      show_map("Columns: an array for each member that moves", columns_map(), figures);
  }

  void know(const frame::LessonResults& results, std::optional<frame::LessonMeasure>) override {
    found_ = results[static_cast<std::size_t>(frame::LessonMeasure::Walks)];
  }

  void add_to(StateHash& hash) const override { hash.add(count_, touched_); }

 private:
  void lay(u32 count) {
    count_ = count;
    touched_ = false;
    scattered_.clear();
    packed_.assign(count, {});
    constexpr u32 kPerLine = sizeof(ColumnLine) / sizeof(float);
    for (std::vector<ColumnLine>& column : columns_) column.assign((count + kPerLine - 1) / kPerLine, {});
    // Something else lies between two of them, as in a game of many systems.
    std::vector<std::unique_ptr<WideSpark>> others;
    Rng rng(6);
    for (u32 i = 0; i < count; ++i) {
      for (u32 k = rng.below(4); k > 0; --k) others.push_back(std::make_unique<WideSpark>());
      scattered_.push_back(std::make_unique<WideSpark>());
    }
  }

  /// `held`: all of an object. Touched by the update: the members that move.
  static void add(pool::LineMap& map, const WideSpark& spark) {
    map.hold(&spark, sizeof(WideSpark));
    map.touch(&spark.moving, sizeof spark.moving);
  }
  pool::LineMap scattered_map() const {
    pool::LineMap map;
    for (const auto& spark : scattered_) add(map, *spark);
    return map;
  }
  pool::LineMap packed_map() const {
    pool::LineMap map;
    for (const PackedSpark& spark : packed_) add(map, spark);
    return map;
  }
  pool::LineMap columns_map() const {
    pool::LineMap map;
    for (const std::vector<ColumnLine>& column : columns_) {
      map.hold(column.data(), count_ * sizeof(float));
      map.touch(column.data(), count_ * sizeof(float));
    }
    return map;
  }
  void show_map(std::string_view what, const pool::LineMap& map,
                std::vector<frame::LessonFigure>& figures) const {
    frame::LessonFigure& figure = figures.emplace_back();
    figure.kind = frame::LessonFigure::Kind::Pages;
    figure.pages = map.pages();
    const bool rests = std::any_of(figure.pages.begin(), figure.pages.end(),
                                   [](const MemoryPage& page) { return page.held != page.touched; });
    figure.title = touched_ ? join({what, ": an update touches ", std::to_string(map.touched()), " lines",
                                    rests ? " (bright; dim ones hold the rest)" : ""})
                            : std::string(what);
    if (touched_) return;
    for (MemoryPage& page : figure.pages) page.touched = 0;
  }

  /// With the most objects.
  std::optional<i64> range_at_most(frame::LessonWalk above, frame::LessonWalk below) const {
    if (found_ == nullptr || !found_->has_walks()) return std::nullopt;
    const frame::LessonWalkPoint& point = found_->points.back();
    const u32 found = frame::walk_range(*found_, point.ns[static_cast<std::size_t>(above)],
                                        point.ns[static_cast<std::size_t>(below)]);
    return found == frame::kNoRange ? std::nullopt : std::optional<i64>(found);
  }

  std::vector<std::unique_ptr<WideSpark>> scattered_;
  std::vector<PackedSpark> packed_;
  std::array<std::vector<ColumnLine>, kMoving> columns_;
  u32 count_ = 0;
  bool touched_ = false;
  std::shared_ptr<const frame::LessonMeasurement> found_;
  std::vector<u32> took_;
};

}  // namespace

std::unique_ptr<LessonModel> make_walk_model() { return std::make_unique<WalkModel>(); }

}  // namespace spellpool::sim
