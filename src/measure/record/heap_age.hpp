#pragma once
// A heap as it is after hours of use: many blocks of many sizes, with holes between them. A fresh heap
// returns neighbouring blocks, which makes new and delete look faster than they are.
#include <array>
#include <string_view>
#include <vector>

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

/// Keeps this process's heap old: the blocks between its holes are freed with it.
class AgedHeap {
 public:
  AgedHeap() = default;
  AgedHeap(const AgedHeap&) = delete;
  AgedHeap& operator=(const AgedHeap&) = delete;
  ~AgedHeap() { free_all(); }

  /// Makes the heap so old, the same way each time. False: there is not enough memory; then the heap is as it was.
  /// Cost  aged_light some 20 ms, aged_heavy about a second; as much to free it.
  bool age(HeapAge age);
  /// Fresh again, as far as a heap ever is: its holes grow together.
  void free_all();

 private:
  bool age_lightly();
  bool age_heavily();

  std::vector<void*> blocks_;
};

}  // namespace spellpool::measure
