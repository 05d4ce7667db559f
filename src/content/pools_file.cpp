#include "content/pools_file.hpp"

#include <algorithm>

#include "content/toml_reading.hpp"

namespace spellpool::content {
namespace {

using frame::PoolSize;

struct Word {
  std::string_view name;
  u32 PoolSize::*member;
  double low;
};
constexpr std::array kWords = {Word{"capacity", &PoolSize::capacity, frame::kMinCapacity}, Word{"prewarm", &PoolSize::prewarm, 0},
                               Word{"grow_by", &PoolSize::grow_by, 0}, Word{"keep_free", &PoolSize::keep_free, 0}};

const toml::table& table_of(const toml::node& node, std::string_view path) {
  const toml::table* table = node.as_table();
  if (table == nullptr) refuse(node, path, fmt::format("{} is not a table such as [spells.particles]", shown(node)));
  return *table;
}

frame::PoolSizes read_scene(const toml::table& scene, const std::string& scene_path, frame::SceneId id) {
  frame::PoolSizes sizes = frame::default_sizes(id);
  const frame::PoolsOf pools(id);
  for (const auto& [pool_key, pool_node] : scene) {
    const std::string path = scene_path + "." + std::string(pool_key.str());
    const auto row = std::ranges::find(pools, pool_key.str(), &frame::PoolName::name);
    if (row == pools.end()) {
      refuse(pool_node, path, "the scene has no such pool; " + suggestion(pool_key.str(), pools, [](const frame::PoolName& pool) { return pool.name; }));
    }
    PoolSize& size = sizes[static_cast<std::size_t>(row->id)];
    for (const auto& [key, node] : table_of(pool_node, path)) {
      const std::string word_path = path + "." + std::string(key.str());
      const auto word = std::ranges::find(kWords, key.str(), &Word::name);
      if (word == kWords.end()) refuse(node, word_path, "unknown; " + suggestion(key.str(), kWords, [](const Word& known) { return known.name; }));
      size.*(word->member) = read_whole(node, word_path, word->low, frame::kMaxCapacity);
    }
  }
  return sizes;
}

}  // namespace

PoolsFileResult parse_pools(std::string_view text, std::string_view file_name, frame::SceneId scene, u32 least_enemies, std::string_view reason) {
  PoolsFileResult result;
  result.sizes = read_or_explain(file_name, result.error, [&] {
    frame::PoolSizes wanted = frame::default_sizes(scene);
    const toml::table file = parse_toml(text, file_name, kMaxPoolsFile_bytes);
    for (const auto& [key, node] : file) {
      const std::string name(key.str());
      const auto id = find_by_name<frame::SceneId>(frame::kKnownScenes, name);
      if (!id) refuse(node, name, "there is no such scene; " + suggestion(name, frame::kKnownScenes, [](const frame::SceneRow& known) { return known.name; }));
      const frame::PoolSizes sizes = read_scene(table_of(node, name), name, *id);
      if (*id != scene) continue;
      wanted = sizes;
      const u32 enemies = sizes[static_cast<std::size_t>(frame::PoolId::Enemies)].capacity;
      if (const auto capacity = node.as_table()->at_path("enemies.capacity"); capacity && enemies < least_enemies) {
        refuse(*capacity.node(), name + ".enemies.capacity", fmt::format("{} is too few: {}", enemies, reason));
      }
    }
    return wanted;
  });
  return result;
}

}  // namespace spellpool::content
