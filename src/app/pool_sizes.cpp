#include "app/pool_sizes.hpp"

#include <filesystem>

#include "content/pools_file.hpp"
#include "content/text_file.hpp"

namespace spellpool::app {

std::string load_pool_sizes(const std::string& data_dir, WorldOptions& world) {
  const std::string path = data_dir + "/assets/pools.toml";
  std::error_code gone;
  if (!std::filesystem::exists(path, gone) && !gone) return {};
  const content::TextResult file = content::read_text(path, content::kMaxPoolsFile_bytes);
  if (!file.text) return file.error;
  content::PoolsFileResult result = content::parse_pools(*file.text, path, world.scene);
  if (!result.sizes) return result.error;
  world.sizes = *result.sizes;
  return {};
}

}  // namespace spellpool::app
