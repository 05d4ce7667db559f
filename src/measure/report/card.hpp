#pragma once
#include <string>

#include "measure/experiment/comparison.hpp"

namespace spellpool::measure {

inline constexpr int kCardWidth = 1600;
inline constexpr int kCardHeight = 900;
/// False in the browser build, which has no cairo: a comparison there has no card.
#if defined(__EMSCRIPTEN__)
inline constexpr bool kDrawsCards = false;
#else
inline constexpr bool kDrawsCards = true;
#endif

/// Draws the result card: both frame-time graphs on one scale, the figures, the phases, the ratio with its interval,
/// and what it was measured on. Needs a summarised comparison with at least one whole block of each arm; what is not
/// known is shown as n/a. scale 2 makes 3200×1800 pixels. Returns "" or the error. Never writes over a file. Allocates;
/// some 100 ms.
std::string draw_card(const Comparison& comparison, const std::string& path, double scale = 1.0);

}  // namespace spellpool::measure
