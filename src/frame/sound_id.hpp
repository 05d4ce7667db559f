#pragma once
#include <array>
#include <string_view>

#include "core/enum_table.hpp"

namespace spellpool::frame {

/// Every sound that the simulation may ask for. audio/ has one recipe per row, spell files name them.
enum class SoundId : u8 {
  FireCast, FireHit, FrostCast, FrostHit, VortexOpen, VortexClose, CrystalChime, CrystalShatter, DummyHit, SpellSelect,
};

struct SoundName {
  SoundId id;
  std::string_view name;
  std::string_view description;
};

inline constexpr std::array kSounds = {
    SoundName{SoundId::FireCast, "fire_cast", "a short warm whoosh with a crackle"},
    SoundName{SoundId::FireHit, "fire_hit", "a low soft burst"},
    SoundName{SoundId::FrostCast, "frost_cast", "an airy glass swell"},
    SoundName{SoundId::FrostHit, "frost_hit", "a bright icy tick"},
    SoundName{SoundId::VortexOpen, "vortex_open", "a deep slow hum that bends upward"},
    SoundName{SoundId::VortexClose, "vortex_close", "the hum folding in on itself"},
    SoundName{SoundId::CrystalChime, "crystal_chime", "a bell from the pentatonic scale"},
    SoundName{SoundId::CrystalShatter, "crystal_shatter", "a falling handful of bells"},
    SoundName{SoundId::DummyHit, "dummy_hit", "a dry thump of straw"},
    SoundName{SoundId::SpellSelect, "spell_select", "a small tick"},
};
inline constexpr std::size_t kSoundCount = kSounds.size();
static_assert(rows_in_order(kSounds));

}  // namespace spellpool::frame
