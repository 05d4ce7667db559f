#pragma once
#include <array>
#include <string_view>

#include "core/enum_table.hpp"

namespace spellpool::frame {

/// The load "stones" of the shooter: stones float past, and cranes search for a way round them. Open and closed sets
/// of a search come from an arena of their own. When it is full, either the heap serves the rest, or the search ends
/// and the crane does not know a way.
enum class CraneSearch : u8 { Off, Heap, Null };
struct CraneSearchRow {
  CraneSearch id;
  std::string_view name, title;
};
inline constexpr std::array kCraneSearches = {
    CraneSearchRow{CraneSearch::Off, "off", "Off"},
    CraneSearchRow{CraneSearch::Heap, "heap", "Then the heap"},
    CraneSearchRow{CraneSearch::Null, "null", "Then nullptr"},
};
static_assert(rows_in_order(kCraneSearches));

}  // namespace spellpool::frame
