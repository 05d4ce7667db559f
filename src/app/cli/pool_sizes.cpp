#include "app/cli/pool_sizes.hpp"

#include <filesystem>

#include "content/pools_file.hpp"
#include "content/text_file.hpp"
#include "frame/stage_needs.hpp"

namespace spellpool::app {

std::string load_texts(const std::string& data_dir, SpellLibrary& library, WorldOptions& world) {
  if (std::string error = library.load(data_dir); !error.empty()) return error;
  u32 enemies = 0;
  std::string reason;
  if (world.scene == frame::SceneId::Shooter) {
    if (std::string error = library.stages().load(data_dir); !error.empty()) return error;
    enemies = frame::stage_needs(*library.stages().stage()).enemies;
    reason = frame::needs_text(*library.stages().stage(), enemies);
  }
  const std::string path = data_dir + "/assets/pools.toml";
  std::error_code gone;
  if (!std::filesystem::exists(path, gone) && !gone) return {};
  const content::TextResult file = content::read_text(path, content::kMaxPoolsFile_bytes);
  if (!file.text) return file.error;
  content::PoolsFileResult result = content::parse_pools(*file.text, path, world.scene, enemies, reason);
  if (!result.sizes) return result.error;
  world.sizes = *result.sizes;
  return {};
}

}  // namespace spellpool::app
