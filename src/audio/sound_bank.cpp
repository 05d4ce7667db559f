#include "audio/sound_bank.hpp"

#include <cmath>
#include <utility>

namespace spellpool::audio {

void Sound::assign(std::vector<float> new_samples, i32 new_degree) {
  samples = std::move(new_samples);
  degree = new_degree;
  const std::size_t rows = (samples.size() + kTableStepFrames - 1) / kTableStepFrames;
  loudness_to_come.assign(rows, 0.0f);
  double energy = 0.0;
  for (std::size_t i = samples.size(); i-- > 0;) {
    energy += static_cast<double>(samples[i]) * static_cast<double>(samples[i]);
    if (i % kTableStepFrames == 0) loudness_to_come[i / kTableStepFrames] = static_cast<float>(std::sqrt(energy));
  }
}

SoundBank::SoundBank(u32 sample_rate_hz) : sample_rate_hz_(sample_rate_hz) {
  for (const Recipe& recipe : kRecipes) {
    Sound& sound = (*this)[recipe.id];
    sound.assign(render_recipe(recipe, sample_rate_hz), recipe.degree);
    sound.fixed_pitch = recipe.fixed_pitch;
  }
}

}  // namespace spellpool::audio
