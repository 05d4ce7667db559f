#pragma once
// The sounds of assets/sounds, as the program has them built in.
#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "audio/recipes.hpp"
#include "content/game/sound_file.hpp"

namespace spellpool::audio {

inline Samples render_recipe(const frame::SoundDef& def, frame::SoundId id, u32 rate_hz) { return RecipeRenderer().render(def, id, rate_hz); }

inline Samples render_shipped(frame::SoundId id, u32 rate_hz) { return render_recipe(content::builtin_sound(id), id, rate_hz); }

inline std::shared_ptr<const SoundBank> make_shipped_bank(u32 rate_hz) {
  SoundBank::Sounds sounds;
  RecipeRenderer renderer;
  for (const frame::SoundName& row : frame::kSounds) {
    sounds[static_cast<std::size_t>(row.id)] = renderer.make_sound(content::builtin_sound(row.id), row.id, rate_hz);
  }
  return std::make_shared<const SoundBank>(rate_hz, std::move(sounds));
}

/// At 48 kHz, rendered once for all tests.
inline const std::shared_ptr<const SoundBank>& shipped_bank() {
  static const std::shared_ptr<const SoundBank> kBank = make_shipped_bank(48'000);
  return kBank;
}

/// Both sides as one, as loud as both together: what a test of level and time looks at.
inline std::vector<float> both_sides(const Samples& samples) {
  std::vector<float> both = samples.left;
  for (std::size_t i = 0; i < samples.right.size(); ++i) {
    const float l = samples.left[i], r = samples.right[i];
    both[i] = std::copysign(std::sqrt(0.5f * (l * l + r * r)), l);
  }
  return both;
}

/// The sum of both sides, for spectra.
inline std::vector<float> middle(const Samples& samples) {
  std::vector<float> mid = samples.left;
  for (std::size_t i = 0; i < samples.right.size(); ++i) mid[i] = 0.5f * (samples.left[i] + samples.right[i]);
  return mid;
}

inline std::vector<float> middle(const Sound& sound) {
  std::vector<float> mid(sound.frames());
  for (std::size_t i = 0; i < mid.size(); ++i) mid[i] = 0.5f * (sound.bright_left()[i] + sound.bright_right()[i]);
  return mid;
}

}  // namespace spellpool::audio
