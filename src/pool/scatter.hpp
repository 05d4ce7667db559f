#pragma once
#include "pool/fields.hpp"
#include "pool/lanes.hpp"

namespace spellpool::pool {

/// How far ahead scatter() looks, in rows. Hot fields were read a moment ago and come from L2 or L3; cold ones were last touched
/// when their row was born and come from wherever. Without prefetching a frame of 50,000 takes 1.1 times as long, one of 500,000
/// 1.25 times (bench/pools_frame.cpp); the distances matter less.
inline constexpr u32 kHotAhead = 8;
inline constexpr u32 kColdAhead = 24;

/// Stores make(0) … make(n - 1) in the rows row_at(0) … row_at(n - 1), which lie anywhere. row_at is asked up to n + 23 and
/// may then give any number, for it is only prefetched.
template <class T, class RowAt, class Make>
void scatter(Columns<T>& columns, u32 n, RowAt&& row_at, Make&& make) {
  auto prefetch = [](const std::byte* first, const std::byte* last) {
    prefetch_line(first);
    if (last - first >= 8) prefetch_line(last);  // may lie in two lines
  };
  for (u32 i = 0; i < n; ++i) {
    columns.for_cold_bytes(row_at(i + kColdAhead), prefetch);
    columns.for_hot_bytes(row_at(i + kHotAhead), prefetch);
    columns.store(row_at(i), make(i));
  }
}

}  // namespace spellpool::pool
