#pragma once
#include <algorithm>
#include <array>

#include "core/types.hpp"

namespace spellpool::frame {

/// The load dial: what a scene computes beside its play, so that a difference between strategies can be seen. Sparks
/// neither hit nor score. It is set by commands, so a replay carries it, and the hash is the same with every
/// strategy.
struct Load {
  u32 sparks = 1;           ///< 1 … kMostSparks: every burst and stream of sparks gives so many times as many.
  u32 churn = 0;            ///< 0 … kMostChurn: so many times kChurnMotes motes, each of which lives a fifth of a second.
  bool aged_heap = false;   ///< new and delete find a heap with holes. It changes times and addresses alone.
  friend bool operator==(const Load&, const Load&) = default;
};
/// The game alone.
constexpr bool is_usual(const Load& load) { return load.sparks == 1 && load.churn == 0; }
inline constexpr u32 kMostSparks = 50, kMostChurn = 50;
inline constexpr u32 kChurnMotes = 2'000;
inline constexpr float kChurnLife_s = 0.2f;

/// What the dial's keys step through.
inline constexpr std::array<u32, 6> kSparkSteps = {1, 2, 5, 10, 20, 50};
inline constexpr std::array<u32, 4> kChurnSteps = {0, 10, 20, 50};
/// The next step above, or the last; the next below, or the first.
template <std::size_t kCount>
constexpr u32 step_up(const std::array<u32, kCount>& steps, u32 now) {
  const auto next = std::upper_bound(steps.begin(), steps.end(), now);
  return next == steps.end() ? steps.back() : *next;
}
template <std::size_t kCount>
constexpr u32 step_down(const std::array<u32, kCount>& steps, u32 now) {
  const auto next = std::lower_bound(steps.begin(), steps.end(), now);
  return next == steps.begin() ? steps.front() : *(next - 1);
}
constexpr Load more_sparks(Load load) { return load.sparks = step_up(kSparkSteps, load.sparks), load; }
constexpr Load fewer_sparks(Load load) { return load.sparks = step_down(kSparkSteps, load.sparks), load; }
/// The next step of the churn; after the last one none.
constexpr Load next_churn(Load load) {
  load.churn = load.churn >= kChurnSteps.back() ? kChurnSteps.front() : step_up(kChurnSteps, load.churn);
  return load;
}

/// The particles' pool gets no larger by the dial: 600,000 take 113 MB with what a step and a picture note of them.
/// The spells' finale alone would want a million at × 50.
inline constexpr u32 kMostLoadedParticles = 600'000;
/// How many sparks would want room, if `usual` is enough without the dial.
constexpr u64 wanted_particles(u32 usual, const Load& load) {
  return u64{usual} * load.sparks + u64{load.churn} * kChurnMotes * 5 / 4;
}
/// The capacity that the dial sets; never below the usual one.
constexpr u32 loaded_capacity(u32 usual, const Load& load) {
  return static_cast<u32>(std::clamp<u64>(wanted_particles(usual, load), usual, std::max(usual, kMostLoadedParticles)));
}

}  // namespace spellpool::frame
