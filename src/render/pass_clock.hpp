#pragma once
// Where the CPU path's time goes: a row for each pass of a picture, summed since the last reset. Cost: one
// read of the clock a pass.
#include <array>
#include <chrono>

#include "core/enum_table.hpp"
#include "render/renderer.hpp"

namespace spellpool::render {

enum class Pass : u8 {
  Light,
  Sort,
  Figures,
  Plain,
  ReadBack,
  Figured,
  Bloom,
  Tone,
  Dust,
  Bullets,
  Enlarge,
  Panels,
  Present
};

struct PassRow {
  Pass id;
  std::string_view name;
};
inline constexpr std::array kPasses = {
    PassRow{Pass::Light, "light"},
    PassRow{Pass::Sort, "sort"},
    PassRow{Pass::Figures, "figures"},
    PassRow{Pass::Plain, "plain"},
    PassRow{Pass::ReadBack, "read_back"},
    PassRow{Pass::Figured, "figured"},
    PassRow{Pass::Bloom, "bloom"},
    PassRow{Pass::Tone, "tone"},
    PassRow{Pass::Dust, "dust"},
    PassRow{Pass::Bullets, "bullets"},
    PassRow{Pass::Enlarge, "enlarge"},
    PassRow{Pass::Panels, "panels"},
    PassRow{Pass::Present, "present"},
};
static_assert(rows_in_order(kPasses));

class PassClock {
 public:
  using Clock = std::chrono::steady_clock;

  void reset() { *this = {}; }
  void begin_picture() {
    ++pictures_;
    last_ = Clock::now();
  }
  void begin() { last_ = Clock::now(); }
  /// The time since begin() or the last end() was this pass's, but for `other_ms` of it.
  void end(Pass pass, i64 tiles = 0, double other_ms = 0) {
    const Clock::time_point now = Clock::now();
    Sum& sum = sums_[static_cast<std::size_t>(pass)];
    sum.ms += std::chrono::duration<double, std::milli>(now - last_).count() - other_ms;
    sum.tiles += tiles;
    last_ = now;
  }
  /// A part of another pass, which end() was told to leave out.
  void add(Pass pass, double ms) { sums_[static_cast<std::size_t>(pass)].ms += ms; }
  PassMeans means() const {
    PassMeans means;
    if (pictures_ == 0) return means;
    const double per_picture = 1.0 / static_cast<double>(pictures_);
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      const Sum& sum = sums_[i];
      means.push_back({kPasses[i].name, sum.ms * per_picture, static_cast<double>(sum.tiles) * per_picture});
    }
    return means;
  }

 private:
  struct Sum {
    double ms = 0;
    i64 tiles = 0;
  };
  std::array<Sum, kPasses.size()> sums_{};
  i64 pictures_ = 0;
  Clock::time_point last_{};
};

}  // namespace spellpool::render
