#pragma once
// Emitters that belong to no spell: what content/ reads from assets/arena.toml and sim/ plays.
#include "frame/defs/spell_def.hpp"

namespace spellpool::frame {

/// Their style rows follow those of the spells.
enum class ArenaEmitter : u8 {
  Straw, Chaff, CrystalSpark, CrystalShard, CrystalMend, Twinkle, Dust, Ambient,
  WispTail, WispScatter, WispGather,
  RuneLight, RuneEmber, RuneFade,
  FinaleFountainGold, FinaleFountainBlue, FinaleSpiralBlue, FinaleSpiralMagenta,
  FinaleBurstGold, FinaleBurstMagenta, FinaleBurstBlue, FinaleStar, FinaleRain, FinaleRing,
};
inline constexpr std::array<std::string_view, 24> kArenaEmitterNames = {
    "straw", "chaff", "crystal_spark", "crystal_shard", "crystal_mend", "twinkle", "dust", "ambient",
    "wisp_tail", "wisp_scatter", "wisp_gather",
    "rune_light", "rune_ember", "rune_fade",
    "finale_fountain_gold", "finale_fountain_blue", "finale_spiral_blue", "finale_spiral_magenta",
    "finale_burst_gold", "finale_burst_magenta", "finale_burst_blue", "finale_star",
    "finale_rain", "finale_ring"};
inline constexpr std::size_t kArenaEmitterCount = kArenaEmitterNames.size();
static_assert(kArenaEmitterCount == static_cast<std::size_t>(ArenaEmitter::FinaleRing) + 1);

/// One for each ArenaEmitter, in that order.
using ArenaDef = std::vector<EmitterDef>;

}  // namespace spellpool::frame
