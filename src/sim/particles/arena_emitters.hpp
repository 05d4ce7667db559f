#pragma once
#include "frame/spell_def.hpp"
#include "sim/core/preset.hpp"

namespace spellpool::sim {

/// Particles that belong to the arena and not to a spell. Their style rows follow those of the spells.
enum class ArenaEmitter : u8 {
  Straw, Chaff, CrystalSpark, CrystalShard, CrystalMend, Twinkle, Dust, Ambient,
  WispTail, WispScatter, WispGather,
  RuneLight, RuneEmber, RuneFade,
  // The finale: fountains on the runes, streams that spiral inwards, bursts above, rain over all, a low fire along the ring.
  FinaleFountainGold, FinaleFountainBlue, FinaleSpiralBlue, FinaleSpiralMagenta,
  FinaleBurstGold, FinaleBurstMagenta, FinaleBurstBlue, FinaleStar, FinaleRain, FinaleRing,
};
inline constexpr std::size_t kArenaEmitterCount = static_cast<std::size_t>(ArenaEmitter::FinaleRing) + 1;

frame::EmitterDef arena_emitter(ArenaEmitter which, const PresetRow& preset);

}  // namespace spellpool::sim
