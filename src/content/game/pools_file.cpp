#include "content/game/pools_file.hpp"

#include <algorithm>

#include "content/toml_reading.hpp"
#include "frame/voice_choice.hpp"

namespace spellpool::content {
namespace {

using frame::PoolSize;

struct Word {
  std::string_view name;
  u32 PoolSize::*member;
  double low;
};
constexpr std::array kWords = {Word{"capacity", &PoolSize::capacity, frame::kMinCapacity},
                               Word{"prewarm", &PoolSize::prewarm, 0}, Word{"grow_by", &PoolSize::grow_by, 0},
                               Word{"keep_free", &PoolSize::keep_free, 0},
                               Word{"trim_after_s", &PoolSize::trim_after_s, 0}};

const toml::table& table_of(const toml::node& node, std::string_view path) {
  const toml::table* table = node.as_table();
  if (table == nullptr) refuse(node, path, fmt::format("{} is not a table such as [spells.particles]", shown(node)));
  return *table;
}

/// A pool's table, over what `sizes` has.
void read_pool(const toml::key& key, const toml::node& node, const std::string& scene_path, frame::SceneId id,
               frame::PoolSizes& sizes) {
  const frame::PoolsOf pools(id);
  const std::string path = scene_path + "." + std::string(key.str());
  const auto row = std::ranges::find(pools, key.str(), &frame::PoolName::name);
  if (row == pools.end()) {
    refuse(node, path, "the scene has no such pool; " + suggestion(key.str(), pools, [](const frame::PoolName& pool) {
                         return pool.name;
                       }));
  }
  PoolSize& size = sizes[static_cast<std::size_t>(row->id)];
  for (const auto& [word_key, word_node] : table_of(node, path)) {
    const std::string word_path = path + "." + std::string(word_key.str());
    const auto word = std::ranges::find(kWords, word_key.str(), &Word::name);
    if (word == kWords.end())
      refuse(word_node, word_path,
             "unknown; " + suggestion(word_key.str(), kWords, [](const Word& known) { return known.name; }));
    size.*(word->member) = read_whole(word_node, word_path, word->low, frame::kMaxCapacity);
  }
}

constexpr std::string_view kStages = "stages", kVoices = "voices", kSlots = "slots";

u32 read_voices(const toml::table& voices, const std::string& path) {
  std::optional<u32> slots;
  for (const auto& [key, node] : voices) {
    if (key.str() != kSlots) refuse(node, path + "." + std::string(key.str()), "unknown; known is slots");
    slots = read_whole(node, path + ".slots", frame::kLeastVoiceSlots, frame::kMostVoiceSlots);
  }
  if (!slots) refuse(voices, path, "there is no key slots");
  return *slots;
}

struct Scene {
  frame::PoolSizes sizes;
  std::optional<u32> voice_slots;
};

Scene read_scene(const toml::table& table, const std::string& path, frame::SceneId id, const PlayedStage& played) {
  Scene scene{frame::default_sizes(id), {}};
  for (const auto& [key, node] : table) {
    if (key.str() == kVoices) scene.voice_slots = read_voices(table_of(node, path + ".voices"), path + ".voices");
    else if (key.str() != kStages || id == frame::SceneId::Spells) read_pool(key, node, path, id, scene.sizes);
  }
  const toml::node* stages = id == frame::SceneId::Spells ? nullptr : table.get(kStages);
  if (stages == nullptr) return scene;
  for (const auto& [key, node] : table_of(*stages, path + ".stages")) {
    const std::string stage_path = path + ".stages." + std::string(key.str());
    const auto as_view = [](const std::string& name) { return std::string_view(name); };
    if (!played.known.empty() && std::ranges::find(played.known, key.str()) == played.known.end()) {
      refuse(node, stage_path, "there is no such stage; " + suggestion(key.str(), played.known, as_view));
    }
    frame::PoolSizes sizes = scene.sizes;
    for (const auto& [pool_key, pool_node] : table_of(node, stage_path))
      read_pool(pool_key, pool_node, stage_path, id, sizes);
    if (key.str() == played.name) scene.sizes = sizes;
  }
  return scene;
}

/// Where the file says how many enemies there may be in the stage that is played. Null: nowhere.
const toml::node* enemies_in(const toml::table& scene, const PlayedStage& played, std::string& path) {
  const auto capacity = [&](const std::string& at) {
    path = at + "enemies.capacity";
    return scene.at_path(path).node();
  };
  const toml::node* of_stage = played.name.empty() ? nullptr : capacity("stages." + std::string(played.name) + ".");
  return of_stage ? of_stage : capacity("");
}

}  // namespace

PoolsFileResult parse_pools(std::string_view text, std::string_view file_name, frame::SceneId scene,
                            const PlayedStage& stage) {
  PoolsFileResult result;
  result.sizes = read_or_explain(file_name, result.error, [&] {
    frame::PoolSizes wanted = frame::default_sizes(scene);
    const toml::table file = parse_toml(text, file_name, kMaxPoolsFile_bytes);
    for (const auto& [key, node] : file) {
      const std::string name(key.str());
      const auto id = find_by_name<frame::SceneId>(frame::kKnownScenes, name);
      if (!id)
        refuse(node, name,
               "there is no such scene; " +
                   suggestion(name, frame::kKnownScenes, [](const frame::SceneRow& known) { return known.name; }));
      const Scene read = read_scene(table_of(node, name), name, *id, stage);
      if (*id != scene) continue;
      wanted = read.sizes;
      result.voice_slots = read.voice_slots;
      const u32 enemies = wanted[static_cast<std::size_t>(frame::PoolId::Enemies)].capacity;
      std::string path;
      if (const toml::node* capacity = enemies_in(*node.as_table(), stage, path);
          capacity && enemies < stage.least_enemies) {
        refuse(*capacity, name + "." + path, fmt::format("{} is too few: {}", enemies, stage.reason));
      }
    }
    return wanted;
  });
  return result;
}

}  // namespace spellpool::content
