#pragma once
#include <bit>
#include <cstring>

#include "core/types.hpp"

namespace spellpool::pool {

// Walks in groups of 64 lanes. One u64 says what 64 neighbours have in common: who lives, who died in this step. A loop over
// the lanes then needs no branch: the compiler makes vector code of it, and only the mask is looked at.

inline constexpr u32 kLanes = 64;

/// The lowest `count` ≤ 64 bits.
constexpr u64 low_lanes(u32 count) { return count >= kLanes ? ~u64{0} : (u64{1} << count) - 1; }

/// Bit i of the result is dead(i), for the lanes i < count ≤ 64; the bits above are 0.
/// The answers go through 64 bytes of memory: a loop that writes bytes is one that compilers vectorise. Eight bytes of 0 or 1
/// then become eight bits with one multiplication. Beside intrinsics (a movemask for each eight) this costs nothing.
template <class Dead>
u64 lane_mask(u32 count, Dead&& dead) {
  alignas(64) u8 answers[kLanes] = {};
  if (count == kLanes) {
    for (u32 i = 0; i < kLanes; ++i) answers[i] = dead(i) ? u8{1} : u8{0};
  } else {
    for (u32 i = 0; i < count; ++i) answers[i] = dead(i) ? u8{1} : u8{0};
  }
  u64 mask = 0;
  if constexpr (std::endian::native == std::endian::little) {
    for (u32 i = 0; i < kLanes; i += 8) {
      u64 eight;
      std::memcpy(&eight, answers + i, sizeof eight);
      mask |= ((eight * 0x0102040810204080ull) >> 56) << i;
    }
  } else {
    for (u32 i = 0; i < kLanes; ++i) mask |= u64{answers[i]} << i;
  }
  return mask;
}

/// write_lanes() may write this many numbers past the end that it returns.
inline constexpr u32 kLaneSlack = 4;

/// Writes first + i to `out` for every set bit i, lowest first, and returns the end.
/// The first four are written whether they are there or not. "Is there another?" is mispredicted once a group, and that was
/// 40 % of an update where one in 64 dies (bench/pools_frame.cpp); more than four in a group are rare.
inline u32* write_lanes(u64 mask, u32 first, u32* out) {
  constexpr u64 kTop = u64{1} << 63;  // keeps countr_zero from testing for 0
  u32* const end = out + std::popcount(mask);
  for (u32 i = 0; i < kLaneSlack; ++i) {
    out[i] = first + static_cast<u32>(std::countr_zero(mask | kTop));
    mask &= mask - 1;
  }
  if (mask != 0) [[unlikely]] {
    for (out += kLaneSlack; mask != 0; mask &= mask - 1) *out++ = first + static_cast<u32>(std::countr_zero(mask));
  }
  return end;
}

/// Asks for the cache line of `address`, to write to it soon. Any address will do.
inline void prefetch_line([[maybe_unused]] const void* address) {
#if defined(__GNUC__)
  __builtin_prefetch(address, 1);
#endif
}

}  // namespace spellpool::pool
