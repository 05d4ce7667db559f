#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/det_math.hpp"
#include "frame/render_snapshot.hpp"
#include "frame/settings.hpp"
#include "sim/spells/spell_cast.hpp"

namespace spellpool::sim {

/// Where the parts of the world put what a snapshot shows besides particles. Bounded by what was reserved: 2,048
/// sprites, 384 lights; more are left out.
class Canvas {
 public:
  static constexpr std::size_t kMostSprites = 2048, kMostLights = 384;

  Canvas() {
    sprites_.reserve(kMostSprites);
    lights_.reserve(kMostLights);
  }
  /// `dim` 0 … 1 on every light: in the finale the runes are what shines.
  void begin(const SpellSet& spells, const frame::LookSettings& looks, float dim = 1.0f) {
    spells_ = &spells;
    looks_ = looks;
    dim_ = dim;
    sprites_.clear();
    lights_.clear();
  }

  const frame::SpellDef& def(u8 spell) const { return *(*spells_)[spell]; }
  /// What settings leave of a shake or the camera's lead, and of a flash.
  float motion() const { return share(looks_.motion); }
  float flash() const { return share(looks_.flash); }

  /// To be filled in by the caller; good until the next call.
  frame::SpriteInstance& sprite(frame::SpriteKind kind, float x, float y, float size) {
    frame::SpriteInstance made;
    made.x = made.previous_x = x;
    made.y = made.previous_y = y;
    made.size = size;
    made.kind = static_cast<u32>(kind);
    if (sprites_.size() >= kMostSprites) return spare_ = made;
    sprites_.push_back(made);
    return sprites_.back();
  }
  frame::SpriteInstance& sprite(frame::SpriteKind kind, float x, float y, float size, const frame::SpellDef& hue) {
    frame::SpriteInstance& made = sprite(kind, x, y, size);
    made.r = hue.colour_r;
    made.g = hue.colour_g;
    made.b = hue.colour_b;
    return made;
  }
  /// On stone a hue is paler than in the air: pure red light would leave nothing to see by.
  void light(float x, float y, float previous_x, float previous_y, float radius, float r, float g, float b) {
    constexpr float kPale = 0.13f, kOnStone = 0.75f;
    const float most = std::max(r, std::max(g, b)), strength = dim_ * kOnStone;
    if (lights_.size() >= kMostLights) return;
    lights_.push_back({x, y, previous_x, previous_y, radius, lerp(r, most, kPale) * strength,
                       lerp(g, most, kPale) * strength, lerp(b, most, kPale) * strength});
  }
  void light(float x, float y, float radius, const frame::SpellDef& hue, float intensity) {
    light(x, y, x, y, radius, hue.colour_r * intensity, hue.colour_g * intensity, hue.colour_b * intensity);
  }
  void light(float x, float y, float previous_x, float previous_y, float radius, const frame::SpellDef& hue,
             float intensity) {
    light(x, y, previous_x, previous_y, radius, hue.colour_r * intensity, hue.colour_g * intensity,
          hue.colour_b * intensity);
  }
  /// Lights that fade. With the flash setting reduced they are weaker and slower, and rise softly.
  void flashes(std::span<const Flash> all) {
    const float share = flash();
    if (share <= 0.0f) return;
    const bool gentle = share < 1.0f;
    for (const Flash& flash : all) {
      const float life_s = gentle ? flash.life_s * 1.6f : flash.life_s;
      if (life_s <= 0.0f || flash.age_s >= life_s) continue;
      const float left = 1.0f - flash.age_s / life_s;
      const float rise = gentle ? smooth(clamp01(flash.age_s / 0.12f)) : 1.0f;
      const float k = left * left * rise * share;
      light(flash.x, flash.y, flash.x, flash.y, flash.radius, flash.r * k, flash.g * k, flash.b * k);
    }
  }

  /// Nothing has moved since the last step: between two steps of a world that is stopped.
  void stand() {
    for (frame::SpriteInstance& s : sprites_) {
      s.previous_x = s.x;
      s.previous_y = s.y;
    }
    for (frame::LightInstance& l : lights_) {
      l.previous_x = l.x;
      l.previous_y = l.y;
    }
  }

  const std::vector<frame::SpriteInstance>& sprites() const { return sprites_; }
  const std::vector<frame::LightInstance>& lights() const { return lights_; }

 private:
  static float share(frame::Amount amount) {
    return amount == frame::Amount::Full ? 1.0f : (amount == frame::Amount::Reduced ? 1.0f / 3.0f : 0.0f);
  }

  const SpellSet* spells_ = nullptr;
  frame::LookSettings looks_;
  float dim_ = 1.0f;
  std::vector<frame::SpriteInstance> sprites_;
  std::vector<frame::LightInstance> lights_;
  frame::SpriteInstance spare_;
};

}  // namespace spellpool::sim
