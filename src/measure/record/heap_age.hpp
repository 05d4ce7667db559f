#pragma once
// A heap as it is after hours of use: many blocks of many sizes, with holes between them. A fresh heap
// returns neighbouring blocks, which makes new and delete look faster than they are. Blocks left by
// age_heap() are never freed.
#include <array>
#include <string_view>

#include "core/enum_table.hpp"

namespace spellpool::measure {

enum class HeapAge : u8 { Fresh, AgedLight, AgedHeavy };
struct HeapAgeRow {
  HeapAge id;
  std::string_view name, description;
};
inline constexpr std::array kHeapAges = {
    HeapAgeRow{HeapAge::Fresh, "fresh", "as a program starts with it"},
    HeapAgeRow{HeapAge::AgedLight, "aged_light", "200,000 blocks of 24 to 224 bytes, every second one freed"},
    HeapAgeRow{HeapAge::AgedHeavy, "aged_heavy", "1.5 million blocks of 16 to 5,000 bytes, 3 million replaced at random, half of them freed at random; takes 1.4 GB"},
};
static_assert(rows_in_order(kHeapAges));

/// Makes this process's heap so old, the same way each time. False: there is not enough memory.
/// Cost  aged_light some 20 ms, aged_heavy about a second.
bool age_heap(HeapAge age);

}  // namespace spellpool::measure
