#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "frame/pool_sizes.hpp"

namespace spellpool::content {

struct PoolsFileResult {
  std::optional<frame::PoolSizes> sizes;
  std::optional<u32> voice_slots;  ///< Of the scene, if the file says so.
  std::string error;  ///< "pools.toml:7: spells.particles.capacity: 0 is not a whole number from 1 to 2097152".
};
inline constexpr std::size_t kMaxPoolsFile_bytes = 64 * 1024;

/// The stage that is played.
struct PlayedStage {
  std::string_view name = {};
  std::span<const std::string> known = {};  ///< The names of all that there are.
  u32 least_enemies = 0;                    ///< That their pool must hold,
  std::string_view reason = {};             ///< for this reason.
};

/// The pool sizes of one scene: a table [SCENE.POOL] for each pool, and on top of it [SCENE.stages.STAGE.POOL] for
/// the stage that is played; what is missing is as default_sizes() has it. [SCENE.voices] has the voice slots. Every
/// scene and stage of the file is checked. Never throws, whatever the text is.
PoolsFileResult parse_pools(std::string_view text, std::string_view file_name, frame::SceneId scene,
                            const PlayedStage& stage = {});

}  // namespace spellpool::content
