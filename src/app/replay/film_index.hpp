#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <span>

#include "core/fixed_step.hpp"
#include "frame/views/panel_model.hpp"
#include "render/gl/film.hpp"

namespace spellpool::app {

/// Which moments of the past have a small picture in the film, and in which of its places: one a second of the game,
/// the last kPlaces. When there are enough, the oldest gives its place to the next.
class FilmIndex {
 public:
  static constexpr u64 kEvery_steps = kStepsPerSecond;

  /// The place for the picture of the present, if one is due. What was taken after it is of a game that was turned
  /// back, and is forgotten.
  std::optional<u32> due(u64 step) {
    while (count_ > 0 && pictures_[count_ - 1].step > step) drop(count_ - 1);
    if (count_ > 0 && step < pictures_[count_ - 1].step + kEvery_steps) return std::nullopt;
    if (count_ == pictures_.size()) drop(0);
    const auto place = static_cast<u32>(std::countr_zero(free_));
    const render::Film::Part part = render::Film::part(place);
    free_ &= ~(u64{1} << place);
    places_[count_] = place;
    pictures_[count_++] = {step, part.u0, part.v0, part.u1, part.v1};
    return place;
  }
  void forget() {
    while (count_ > 0) drop(count_ - 1);
  }
  /// Those of first … last, by rising step.
  std::span<const frame::FilmPicture> pictures(u64 first, u64 last) const {
    const std::span<const frame::FilmPicture> all(pictures_.data(), count_);
    const auto from = std::ranges::lower_bound(all, first, {}, &frame::FilmPicture::step);
    return {from, std::ranges::upper_bound(from, all.end(), last, {}, &frame::FilmPicture::step)};
  }

 private:
  void drop(std::size_t at) {
    free_ |= u64{1} << places_[at];
    std::copy(pictures_.begin() + static_cast<std::ptrdiff_t>(at) + 1,
              pictures_.begin() + static_cast<std::ptrdiff_t>(count_),
              pictures_.begin() + static_cast<std::ptrdiff_t>(at));
    std::copy(places_.begin() + static_cast<std::ptrdiff_t>(at) + 1,
              places_.begin() + static_cast<std::ptrdiff_t>(count_), places_.begin() + static_cast<std::ptrdiff_t>(at));
    --count_;
  }

  std::array<frame::FilmPicture, render::Film::kPlaces> pictures_{};
  std::array<u32, render::Film::kPlaces> places_{};
  std::size_t count_ = 0;
  u64 free_ = ~u64{0};  // a bit of each place
};
static_assert(render::Film::kPlaces == 64);

}  // namespace spellpool::app
