#pragma once
// What both worlds do with the table of their parts: rows with a name, save, restore and differs.
#include <span>
#include <string_view>
#include <vector>

#include "frame/load.hpp"

namespace spellpool::sim {

/// The age of the heap is not part of a saved world.
inline bool same_load(const frame::Load& a, const frame::Load& b) { return a.sparks == b.sparks && a.churn == b.churn; }

template <class Part>
std::vector<std::string_view> names_of_parts(std::span<const Part> parts) {
  std::vector<std::string_view> names;
  for (const Part& part : parts) names.push_back(part.name);
  return names;
}

/// What the first part that differs is called, or "".
template <class Part, class W>
std::string_view first_difference(std::span<const Part> parts, const W& a, const W& b) {
  for (const Part& part : parts) {
    if (!part.differs) continue;
    if (const std::string_view name = part.differs(a, b); !name.empty()) return name;
  }
  return {};
}

}  // namespace spellpool::sim
