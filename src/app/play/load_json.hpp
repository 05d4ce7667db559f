#pragma once
#include <cmath>

#include <nlohmann/json.hpp>

#include "frame/load.hpp"

namespace spellpool::app {

// What every summary has in the same form.

/// Rounded to so many decimals; null for what is not finite.
inline nlohmann::ordered_json number_json(double value, int decimals) {
  if (!std::isfinite(value)) return nullptr;
  const double scale = std::pow(10.0, decimals);
  return std::round(value * scale) / scale;
}

inline nlohmann::ordered_json load_json(const frame::Load& load) {
  return {{"sparks", load.sparks}, {"churn", load.churn}, {"heap", load.aged_heap ? "aged" : "fresh"}};
}

}  // namespace spellpool::app
