#pragma once
#include <bit>
#include <vector>

#include "core/types.hpp"
#include "pool/tables.hpp"

namespace spellpool::pool {

/// One bit a slot, set while an object lives there: what makes a walk skip the free slots.
/// Cost   set, clear O(1). A walk is O(live + slots/64): an empty word costs one test, a full one is a plain loop.
class Occupancy {
 public:
  /// Slots 0 … slots - 1; bits that are there stay. Returns the allocations made.
  u32 resize(u32 slots) { return resize_exactly(words_, (std::size_t{slots} + 63) / 64); }

  void set(u32 slot) { words_[slot / 64] |= u64{1} << (slot % 64); }
  void clear(u32 slot) { words_[slot / 64] &= std::rotl(~u64{1}, static_cast<int>(slot % 64)); }

  /// f(slot, cell) for each set bit, by slot number. f may clear the bit that it is called for.
  template <class Cells, class F>
  void for_each(const Cells& cells, F&& f) const {
    const u32 count = static_cast<u32>(words_.size());
    for (u32 w = 0; w < count; ++w) {
      u64 bits = words_[w];
      const u32 base = w * 64;
      if (bits == ~u64{0}) {
        if (auto* run = cells.run(base, 64)) [[likely]] {
          for (u32 i = 0; i < 64; ++i) f(base + i, run[i]);
          continue;
        }
      }
      for (; bits != 0; bits &= bits - 1) {
        const u32 slot = base + static_cast<u32>(std::countr_zero(bits));
        f(slot, cells[slot]);
      }
    }
  }
  u64 bytes() const { return words_.capacity() * sizeof(u64); }

 private:
  std::vector<u64> words_;
};

}  // namespace spellpool::pool
