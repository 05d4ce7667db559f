#pragma once
#include <array>
#include <string_view>

#include "core/enum_table.hpp"

namespace spellpool::frame {

/// What is played: each scene is a world of its own, with its own pools.
enum class SceneId : u8 { Spells, Shooter };
struct SceneRow {
  SceneId id;
  std::string_view name, title, description;
};
/// All that files may name.
inline constexpr std::array kKnownScenes = {
    SceneRow{SceneId::Spells, "spells", "Night arena", "a mage with eight spells, straw dummies, crystals and wisps; runes, a finale, a 60-second challenge"},
    SceneRow{SceneId::Shooter, "shooter", "Lantern night", "a small ship against waves that fill the screen; bosses, grazing, high scores"},
};
static_assert(rows_in_order(kKnownScenes));
inline constexpr std::size_t kSceneCount = kKnownScenes.size();
/// Those that can be chosen: the ones that sim/make_world.cpp has a world for.
inline constexpr std::array kScenes = kKnownScenes;

constexpr const SceneRow& row(SceneId id) { return kKnownScenes[static_cast<std::size_t>(id)]; }

}  // namespace spellpool::frame
