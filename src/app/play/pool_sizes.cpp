#include "app/play/pool_sizes.hpp"

#include <filesystem>

#include "app/scene_hooks.hpp"
#include "content/game/pools_file.hpp"
#include "content/text_file.hpp"
#include "frame/defs/stage_needs.hpp"

namespace spellpool::app {

std::string load_texts(const std::string& data_dir, SpellLibrary& library, WorldOptions& world) {
  if (std::string error = library.load(data_dir); !error.empty()) return error;
  content::PlayedStage played;
  std::string reason;
  std::vector<std::string> stages;
  if (scene_hooks(world.scene).has_stages()) {
    if (std::string error = library.stages().load(data_dir); !error.empty()) return error;
    const frame::StageDef& stage = *library.stages().stage();
    played.name = stage.name;
    played.least_enemies = frame::stage_needs(stage).enemies;
    reason = frame::needs_text(stage, played.least_enemies);
    played.reason = reason;
  }
  const std::string path = data_dir + "/assets/pools.toml";
  std::error_code gone;
  if (!std::filesystem::exists(path, gone) && !gone) return {};
  const content::TextResult file = content::read_text(path, content::kMaxPoolsFile_bytes);
  if (!file.text) return file.error;
  stages = StageLibrary::stage_names(data_dir);
  played.known = stages;
  content::PoolsFileResult result = content::parse_pools(*file.text, path, world.scene, played);
  if (!result.sizes) return result.error;
  world.sizes = *result.sizes;
  world.voice_slots = result.voice_slots;
  return {};
}

}  // namespace spellpool::app
