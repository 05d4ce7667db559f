#pragma once
#include <nlohmann/json.hpp>

#include "frame/load.hpp"

namespace spellpool::app {

/// As every summary has it.
inline nlohmann::ordered_json load_json(const frame::Load& load) {
  return {{"sparks", load.sparks}, {"churn", load.churn}, {"heap", load.aged_heap ? "aged" : "fresh"}};
}

}  // namespace spellpool::app
