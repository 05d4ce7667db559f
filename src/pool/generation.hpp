#pragma once
#include <concepts>

#include "core/handle.hpp"
#include "pool/stats.hpp"

namespace spellpool::pool {

/// The life of a slot as one number. Odd: somebody lives here. Even: free. It only goes up: 2 (fresh), 3 (first tenant),
/// 4 (free again), 5 … After the last odd value it becomes kRetired and the slot is never used again, so a stale
/// handle cannot come back to life, however long the game runs. A 32-bit generation allows 2^31 - 1 tenants per slot.
template <std::unsigned_integral Generation>
struct GenerationRule {
  static constexpr Generation kRetired = 0;
  static constexpr Generation kFresh = 2;
  static constexpr Generation kLast = static_cast<Generation>(~Generation{0});  ///< Its tenant is the slot's last one.

  static constexpr bool is_live(Generation g) { return (g & 1u) != 0; }
  static constexpr bool is_usable(Generation g) { return !is_live(g) && g != kRetired; }
  static constexpr Generation tenant_in(Generation g) { return static_cast<Generation>(g + 1u); }
  static constexpr Generation tenant_out(Generation g) { return static_cast<Generation>(g + 1u); }  // 255 + 1 wraps to kRetired

  /// Why a handle with generation `asked` does not match a slot that holds `now`. An even generation names no tenant, and one
  /// above `now` nobody has had yet: such a handle is another pool's, or forged.
  static constexpr ReleaseResult mismatch(Generation asked, Generation now) {
    if (asked == 0) return ReleaseResult::NullHandle;
    if (!is_live(asked) || (now != kRetired && asked > now)) return ReleaseResult::ForeignHandle;
    return static_cast<Generation>(asked + 1u) == now ? ReleaseResult::DoubleRelease : ReleaseResult::StaleHandle;
  }
};

/// End of a list of slot indices.
inline constexpr u32 kNoSlot = 0xffffffffu;

}  // namespace spellpool::pool
