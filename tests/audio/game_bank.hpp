#pragma once
#include <memory>

#include "audio/sound_bank.hpp"

namespace spellpool::audio {

/// The sounds of assets/sounds, read and rendered once for each rate.
std::shared_ptr<const SoundBank> game_bank(u32 sample_rate_hz);

}  // namespace spellpool::audio
