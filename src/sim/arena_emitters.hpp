#pragma once
#include "frame/spell_def.hpp"
#include "sim/preset.hpp"

namespace spellpool::sim {

/// Particles that belong to the arena and not to a spell. Their style rows follow those of the spells.
enum class ArenaEmitter : u8 { Straw, Chaff, CrystalSpark, CrystalShard, Twinkle, Dust, Ambient };
inline constexpr std::size_t kArenaEmitterCount = 7;

frame::EmitterDef arena_emitter(ArenaEmitter which, const PresetRow& preset);

}  // namespace spellpool::sim
