#include "app/cli/catalog.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "frame/action.hpp"
#include "frame/defs/pattern_def.hpp"
#include "frame/sim_command.hpp"
#include "pool/strategy.hpp"
#include "sim/core/preset.hpp"
#include "sim/particles/particle_system.hpp"

namespace spellpool::app {
namespace {

using Json = nlohmann::ordered_json;

template <class Table, class Extra>
Json rows(const Table& table, Extra extra) {
  Json list = Json::array();
  for (const auto& row : table) {
    Json entry;
    entry["name"] = row.name;
    extra(entry, row);
    entry["description"] = row.description;
    list.push_back(std::move(entry));
  }
  return list;
}
constexpr auto kNothing = [](Json&, const auto&) {};
constexpr auto kTitle = [](Json& entry, const auto& row) { entry["title"] = row.title; };

Json catalog(frame::SceneId scene) {
  Json all;
  all["scenes"] = rows(frame::kScenes, kTitle);
  all["difficulties"] = rows(frame::kDifficulties, kTitle);
  all["strategies"] = rows(pool::kStrategies, [](Json& entry, const pool::StrategyRow& row) {
    entry["title"] = row.title;
    entry["letter"] = std::string(1, row.letter);
    entry["colour"] = fmt::format("#{:02x}{:02x}{:02x}", row.r, row.g, row.b);
    entry["layout"] = row.layout;
    entry["spawn"] = row.spawn;
    entry["release"] = row.release;
    entry["walk"] = row.walk;
    entry["order"] = row.order;
    entry["stable_addresses"] = row.stable;
    entry["slow"] = row.slow;
    entry["bytes_per_slot"] = std::round(sim::particle_bytes_per_slot(row.id) * 1000.0) / 1000.0;
    entry["object_bytes"] = sizeof(sim::Particle);
  });
  all["policies"] = rows(pool::kPolicies, kTitle);
  all["pools"] = rows(frame::pools_of(scene), [&](Json& entry, const frame::PoolName& row) {
    entry["default_capacity"] = row.default_capacity(scene);
  });
  all["presets"] =
      rows(sim::kPresets, [](Json& entry, const sim::PresetRow& row) { entry["capacity"] = row.capacity; });
  Json spells = Json::array();
  for (std::size_t i = 0; i < frame::kSpellCount; ++i) {
    spells.push_back({{"name", frame::kSpellFiles[i]}, {"key", frame::kSpells[i].key},
                      {"description", fmt::format("assets/spells/{}.toml", frame::kSpellFiles[i])}});
  }
  all["spells"] = spells;
  all["sounds"] = rows(frame::kSounds, kNothing);
  constexpr auto kLettered = [](Json& entry, const auto& row) {
    entry["title"] = row.title;
    entry["letter"] = std::string(1, row.letter);
  };
  all["voice-policies"] = rows(frame::kVoicePolicies, kLettered);
  all["voice-storages"] = rows(frame::kVoiceStorages, kLettered);
  all["hotkeys"] = rows(frame::kHotkeys, [](Json& entry, const frame::Hotkey& row) {
    entry["action"] = row.name;
    entry["key"] = row.key;
    entry["gamepad"] = row.pad;
    entry["group"] = row.group;
  });
  return all;
}

}  // namespace

std::string list_text(const std::string& topic, frame::SceneId scene, bool json) {
  const Json all = catalog(scene);
  if (json) return (topic.empty() ? all : all.at(topic)).dump(2) + "\n";
  std::string text;
  for (const auto& [name, list] : all.items()) {
    if (!topic.empty() && name != topic) continue;
    if (topic.empty()) text += name + "\n";
    for (const Json& entry : list) {
      const std::string key = entry.contains("key") ? entry["key"].get<std::string>() : "";
      text += fmt::format("  {:<16} {}{}\n", entry["name"].get<std::string>(),
                          key.empty() ? "" : fmt::format("{:<8} ", key), entry["description"].get<std::string>());
      if (name == "strategies" && !topic.empty()) {
        for (const char* what : {"layout", "spawn", "release", "walk", "order"})
          text += fmt::format("    {:<9} {}\n", what, entry[what].get<std::string>());
        text += fmt::format("    {:<9} {}\n    {:<9} {:.1f} bytes a slot, of which the particle is {}\n", "addresses",
                            entry["stable_addresses"].get<bool>() ? "stable" : "objects move", "memory",
                            entry["bytes_per_slot"].get<double>(), entry["object_bytes"].get<u64>());
      }
    }
  }
  return text;
}

}  // namespace spellpool::app
