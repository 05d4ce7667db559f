#include "measure/experiment/walk_curve.hpp"

#include <algorithm>
#include <array>

#include "core/rng.hpp"

namespace spellpool::measure {
namespace {

constexpr std::size_t kMovingFloats = kWalkMovingBytes / sizeof(float);
constexpr float kWalkStep_s = 1.0f / 60.0f;
constexpr std::size_t kRounds = 9;
static_assert(kLeastWalkObjects % 4 == 0);
/// Objects that are made by new, or brought into order, in one piece of the work: about a millisecond.
constexpr std::size_t kPiece = 16'384;

}  // namespace

namespace walked {

struct WalkObject {
  float x = 0, y = 0, speed_x = 1, speed_y = 1, life = 1;
  std::array<float, (kWalkObjectBytes - kWalkMovingBytes) / sizeof(float)> rest{};
};
static_assert(sizeof(WalkObject) == kWalkObjectBytes);
struct alignas(kWalkObjectBytes) PackedObject : WalkObject {};
/// Four floats in a register: what compilers make of a loop over columns at -O3, here at every level.
using Four [[gnu::vector_size(16)]] = float;
using Columns = std::array<std::vector<Four>, kMovingFloats>;

/// Not inlined, and its results count as used: no pass is left out.
[[gnu::noinline]] void pass(std::vector<std::unique_ptr<WalkObject>>& objects) {
  for (const std::unique_ptr<WalkObject>& object : objects) {
    object->x += object->speed_x * kWalkStep_s;
    object->y += object->speed_y * kWalkStep_s;
    object->life -= kWalkStep_s;
  }
  asm volatile("" : : : "memory");
}
[[gnu::noinline]] void pass(std::vector<PackedObject>& objects) {
  for (WalkObject& object : objects) {
    object.x += object.speed_x * kWalkStep_s;
    object.y += object.speed_y * kWalkStep_s;
    object.life -= kWalkStep_s;
  }
  asm volatile("" : : : "memory");
}
[[gnu::noinline]] void pass(Columns& columns) {
  Four* const x = columns[0].data();
  Four* const y = columns[1].data();
  Four* const life = columns[4].data();
  const Four* const speed_x = columns[2].data();
  const Four* const speed_y = columns[3].data();
  const std::size_t count = columns[0].size();
  for (std::size_t i = 0; i < count; ++i) {
    x[i] += speed_x[i] * kWalkStep_s;
    y[i] += speed_y[i] * kWalkStep_s;
    life[i] -= kWalkStep_s;
  }
  asm volatile("" : : : "memory");
}

}  // namespace walked

u64 walk_bytes_for(u64 last_cache_bytes) {
  constexpr u64 kLeast = u64{8} << 20, kMost = u64{128} << 20, kUnknownCache = u64{64} << 20;
  return last_cache_bytes == 0 ? kUnknownCache : std::clamp(4 * last_cache_bytes, kLeast, kMost);
}

/// The objects of one size in one arrangement, and the rounds over them.
class WalkCurve::Field {
 public:
  Field(frame::LessonWalk walk, u64 objects, const WalkCurveOptions& options)
      : walk_(walk), count_(objects), options_(options) {
    times_ns_.reserve(kRounds);
    if (walk_ == frame::LessonWalk::Packed) packed_.resize(count_);
    if (walk_ == frame::LessonWalk::Columns) {
      for (std::size_t i = 0; i < columns_.size(); ++i)
        columns_[i].assign(count_ / 4, i < 2 ? walked::Four{} : walked::Four{1, 1, 1, 1});
    }
    if (walk_ == frame::LessonWalk::Scattered) scattered_.reserve(count_);
  }

  /// False: all its rounds are there.
  bool advance() {
    if (walk_ == frame::LessonWalk::Scattered && shuffled_ < count_) {
      scatter();
      return true;
    }
    if (passes_ == 0) {
      once();
      const u64 begin = options_.now();
      once();
      const double one_us = static_cast<double>(options_.now() - begin) * 1e-3;
      passes_ = static_cast<u64>(std::clamp(options_.round_us / std::max(one_us, 0.05), 1.0, 100'000.0));
      return true;
    }
    const u64 begin = options_.now();
    for (u64 i = 0; i < passes_; ++i) once();
    const auto took_ns = static_cast<double>(options_.now() - begin);
    times_ns_.push_back(took_ns / static_cast<double>(passes_ * count_));
    return times_ns_.size() < kRounds;
  }
  /// Gives memory back in pieces; false: nothing is left.
  bool end() {
    scattered_.resize(scattered_.size() - std::min(scattered_.size(), kPiece));
    return !scattered_.empty();
  }

  frame::LessonSpread spread() {
    std::sort(times_ns_.begin(), times_ns_.end());
    return {times_ns_[kRounds / 2], times_ns_[kRounds / 4], times_ns_[kRounds - 1 - kRounds / 4]};
  }
  float progress() const { return static_cast<float>(times_ns_.size()) / static_cast<float>(kRounds); }

 private:
  void scatter() {
    if (scattered_.size() < count_) {
      const std::size_t end = std::min<std::size_t>(count_, scattered_.size() + kPiece);
      while (scattered_.size() < end) scattered_.push_back(std::make_unique<walked::WalkObject>());
      return;
    }
    const std::size_t end = std::min<std::size_t>(count_, shuffled_ + kPiece);
    for (; shuffled_ < end; ++shuffled_) {
      std::swap(scattered_[shuffled_],
                scattered_[shuffled_ + rng_.below(static_cast<u32>(count_ - shuffled_))]);
    }
  }
  void once() {
    switch (walk_) {
      case frame::LessonWalk::Scattered:
        return walked::pass(scattered_);
      case frame::LessonWalk::Packed:
        return walked::pass(packed_);
      case frame::LessonWalk::Columns:
        return walked::pass(columns_);
    }
  }

  frame::LessonWalk walk_;
  std::size_t count_, shuffled_ = 0;
  const WalkCurveOptions& options_;
  Rng rng_{12};
  std::vector<std::unique_ptr<walked::WalkObject>> scattered_;
  std::vector<walked::PackedObject> packed_;
  walked::Columns columns_;
  u64 passes_ = 0;
  std::vector<double> times_ns_;
};

WalkCurve::WalkCurve(const WalkCurveOptions& options) : options_(options) {
  for (u64 objects = kLeastWalkObjects; objects * kWalkObjectBytes <= options_.most_bytes; objects *= 2)
    points_.push_back({objects, {}});
  next_field();
}

WalkCurve::~WalkCurve() = default;

void WalkCurve::next_field() {
  field_.reset();
  if (point_ < points_.size())
    field_ =
        std::make_unique<Field>(static_cast<frame::LessonWalk>(walk_), points_[point_].objects, options_);
}

bool WalkCurve::advance() {
  if (!field_) return false;
  frame::LessonSpread& spread = points_[point_].ns[walk_];
  if (!(spread.median > 0)) {
    if (!field_->advance()) spread = field_->spread();
    return true;
  }
  if (field_->end()) return true;
  if (++walk_ == frame::kLessonWalkCount) {
    walk_ = 0;
    ++point_;
  }
  next_field();
  return field_ != nullptr;
}

float WalkCurve::progress() const {
  if (points_.empty() || !field_) return 1;
  // The last sizes take most of the time.
  double done = 0, all = 0;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const double weight = 20'000.0 + static_cast<double>(points_[i].objects);
    all += weight * static_cast<double>(frame::kLessonWalkCount);
    done += weight * static_cast<double>(i < point_ ? frame::kLessonWalkCount : i == point_ ? walk_ : 0);
    if (i == point_) done += weight * static_cast<double>(field_->progress());
  }
  return static_cast<float>(done / all);
}

}  // namespace spellpool::measure
