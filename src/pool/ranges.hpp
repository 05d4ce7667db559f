#pragma once
#include <iterator>
#include <ranges>

#include "pool/pool.hpp"

namespace spellpool::pool {

/// Checks that pools of whole objects are sized forward ranges of T&, usable with std::ranges algorithms
/// and views. (The iterator of a field-wise pool returns a RowRef, which cannot be copied: range-for only.)
namespace detail {
struct RangeProbe {
  int value;
};
template <class P>
concept PoolRange =
    std::ranges::forward_range<P> && std::ranges::forward_range<const P> && std::ranges::sized_range<P> &&
    std::ranges::common_range<P> && std::same_as<std::ranges::range_reference_t<P>, RangeProbe&>;
static_assert(PoolRange<FreeListPool<RangeProbe>> && PoolRange<BitmapPool<RangeProbe>> &&
              PoolRange<PackedPool<RangeProbe>>);
}  // namespace detail

}  // namespace spellpool::pool
