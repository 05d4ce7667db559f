#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "frame/pool_sizes.hpp"

namespace spellpool::content {

struct PoolsFileResult {
  std::optional<frame::PoolSizes> sizes;
  std::string error;  ///< "pools.toml:7: spells.particles.capacity: 0 is not a whole number from 1 to 2097152".
};
inline constexpr std::size_t kMaxPoolsFile_bytes = 64 * 1024;

/// The pool sizes of one scene: a table [SCENE.POOL] for each pool; what is missing is as default_sizes() has it. Every scene of the
/// file is checked. Enemies need a capacity of `least_enemies`, for that `reason`. Never throws, whatever the text is.
PoolsFileResult parse_pools(std::string_view text, std::string_view file_name, frame::SceneId scene, u32 least_enemies = 0, std::string_view reason = {});

}  // namespace spellpool::content
