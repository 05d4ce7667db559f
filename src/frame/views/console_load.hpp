#pragma once
#include <array>
#include <string_view>

#include "core/enum_table.hpp"

namespace spellpool::frame {

/// The load "small console": whatever the spells need lives in a few kilobytes, of one heap or of pools.
enum class ConsoleMode : u8 { Off, Heap, Pools };
struct ConsoleModeRow {
  ConsoleMode id;
  std::string_view name, title;
};
inline constexpr std::array kConsoleModes = {
    ConsoleModeRow{ConsoleMode::Off, "off", "Off"},
    ConsoleModeRow{ConsoleMode::Heap, "heap", "One heap"},
    ConsoleModeRow{ConsoleMode::Pools, "pools", "Pools"},
};
static_assert(rows_in_order(kConsoleModes));

}  // namespace spellpool::frame
