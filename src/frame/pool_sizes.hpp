#pragma once
#include <array>

#include "frame/sim_command.hpp"

namespace spellpool::frame {

/// How large a pool is: what assets/pools.toml says of each pool of each scene.
struct PoolSize {
  u32 capacity = 1;        ///< How many may live.
  u32 prewarm = ~u32{0};   ///< Slots made ready before the first frame; the window makes the rest ready bit by bit. ~0: all.
  u32 grow_by = 0;         ///< What the policy grow adds; 0: half of the capacity.
  u32 keep_free = 64;      ///< Free slots that a trim leaves.
  u32 trim_after_s = 0;    ///< A pool that stayed smaller than that for so long is trimmed; 0: never by itself.
  friend bool operator==(const PoolSize&, const PoolSize&) = default;
};
/// One per PoolId, in its order; those of pools that a scene has not mean nothing.
using PoolSizes = std::array<PoolSize, kPoolCount>;

inline PoolSizes default_sizes(SceneId scene) {
  PoolSizes sizes;
  for (const PoolName& pool : pools_of(scene))
    sizes[static_cast<std::size_t>(pool.id)].capacity = pool.default_capacity(scene);
  return sizes;
}

}  // namespace spellpool::frame
