#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <utility>

#include "core/assert.hpp"
#include "core/types.hpp"

namespace spellpool {

/// What radix_order() moves about: a half of a key, and whose it is.
struct RadixEntry {
  u32 key;
  u32 index;
};

/// The order of things 0 … count − 1 by rising key_of(i), a u64; equal keys stay as they stood. Nothing but the
/// entries moves: the caller reads its things in the order of their `index`.
///
///   const std::span<const RadixEntry> order = radix_order(count, [&](u32 i) { return puffs[i].spawn_id; }, scratch, more_scratch);
///   for (const RadixEntry& next : order) draw(puffs[next.index]);
///
/// Method   Least significant byte first, of key − least key, so that ids which lie together need few passes: one for
///          each byte in which they differ, 3 for 16 million neighbours. Keys farther than 2^32 apart go through
///          twice, lower half first.
/// Cost     O(count) a pass, 8 bytes an entry; key_of twice a thing.
/// Memory   Two arrays of count entries, not initialised, of which the answer is one; 4 KiB of stack. Nothing is
///          allocated.
template <class KeyOf>
std::span<const RadixEntry> radix_order(u32 count, KeyOf&& key_of, std::span<RadixEntry> scratch,
                                        std::span<RadixEntry> more_scratch) {
  SPELLPOOL_ASSERT(scratch.size() >= count && more_scratch.size() >= count);
  constexpr u32 kDigits = 256, kBytes = 4;
  RadixEntry* from = scratch.data();
  RadixEntry* to = more_scratch.data();
  u64 least = ~u64{0}, greatest = 0;
  for (u32 i = 0; i < count; ++i) {
    const u64 key = key_of(i);
    least = std::min(least, key);
    greatest = std::max(greatest, key);
    from[i].index = i;
  }
  for (u64 spread = count > 0 ? greatest - least : 0, low_bit = 0; spread != 0; spread >>= 32, low_bit += 32) {
    const u32 bytes = std::min((static_cast<u32>(std::bit_width(spread)) + 7) / 8, kBytes);
    std::array<std::array<u32, kDigits>, kBytes> counts{};
    for (u32 i = 0; i < count; ++i) {
      const u32 key = static_cast<u32>((key_of(from[i].index) - least) >> low_bit);
      from[i].key = key;
      for (u32 b = 0; b < bytes; ++b) ++counts[b][key >> (8 * b) & 0xffu];
    }
    for (u32 b = 0; b < bytes; ++b) {
      std::array<u32, kDigits>& places = counts[b];
      if (places[from[0].key >> (8 * b) & 0xffu] == count) continue;  // all keys share this byte
      u32 place = 0;
      for (u32& digit : places) place += std::exchange(digit, place);
      for (u32 i = 0; i < count; ++i) to[places[from[i].key >> (8 * b) & 0xffu]++] = from[i];
      std::swap(from, to);
    }
  }
  return {from, count};
}

}  // namespace spellpool
