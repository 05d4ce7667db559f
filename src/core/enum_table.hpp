#pragma once
// Look-up in the constexpr tables of named things (strategies, policies, scenes, hotkeys, sounds): the row's place in
// the table is the enum's value.
#include <array>
#include <optional>
#include <string_view>

#include "core/types.hpp"

namespace spellpool {

/// The enum value whose row has this name, or nothing.
template <class Enum, class Row, std::size_t N>
constexpr std::optional<Enum> find_by_name(const std::array<Row, N>& table, std::string_view name) {
  for (std::size_t i = 0; i < N; ++i) {
    if (table[i].name == name) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

/// True if row i describes enum value i, for static_assert beside each table.
template <class Row, std::size_t N>
constexpr bool rows_in_order(const std::array<Row, N>& table) {
  for (std::size_t i = 0; i < N; ++i) {
    if (static_cast<std::size_t>(table[i].id) != i) return false;
  }
  return true;
}

}  // namespace spellpool
