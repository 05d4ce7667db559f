#include "sim/particles/particle_style.hpp"

#include <algorithm>

#include "core/det_math.hpp"
#include "frame/render_snapshot.hpp"

namespace spellpool::sim {
namespace {

template <class Key, class Value>
Value sample(const std::vector<Key>& keys, float t, Value (*value_of)(const Key&), Value (*mix)(Value, Value, float)) {
  if (keys.empty()) return Value{};
  if (t <= keys.front().t) return value_of(keys.front());
  for (std::size_t i = 1; i < keys.size(); ++i) {
    if (t < keys[i].t) {
      const float span = keys[i].t - keys[i - 1].t;
      return mix(value_of(keys[i - 1]), value_of(keys[i]), span > 0.0f ? (t - keys[i - 1].t) / span : 1.0f);
    }
  }
  return value_of(keys.back());
}

float sample(const std::vector<frame::CurveKey>& keys, float t) {
  return sample<frame::CurveKey, float>(
      keys, t, [](const frame::CurveKey& k) { return k.value; },
      [](float a, float b, float u) { return lerp(a, b, u); });
}

u8 to_byte(float x) { return static_cast<u8>(clamp01(x) * 255.0f + 0.5f); }

}  // namespace

ParticleStyle bake_style(const frame::EmitterDef& def) {
  ParticleStyle style;
  style.def = def;
  style.add_vx = def.gravity_x * kStep_s;
  style.add_vy = def.gravity_y * kStep_s;
  // Implicit drag: stable however strong, and never turns a particle round.
  style.keep = 1.0f / (1.0f + def.drag_per_s * kStep_s);
  style.curl = def.curl * kStep_s;
  style.paced = !def.speed_curve.empty();
  style.alpha_layer = def.layer == frame::ParticleLayer::Alpha;
  const float quarters = def.glow * 4.0f + 0.5f;
  const u32 glow = static_cast<u32>(quarters < 0.0f ? 0.0f : (quarters > 31.0f ? 31.0f : quarters));
  style.glow_shape = static_cast<u8>(static_cast<u32>(def.particle) | (glow << 3));
  for (u32 i = 0; i < ParticleStyle::kSamples; ++i) {
    const float t = static_cast<float>(i) / static_cast<float>(ParticleStyle::kSamples - 1);
    using frame::ColourKey;
    const ColourKey c = sample<ColourKey, ColourKey>(
        def.colour_curve, t, [](const ColourKey& k) { return k; },
        [](ColourKey a, ColourKey b, float u) {
          return ColourKey{0, lerp(a.r, b.r, u), lerp(a.g, b.g, u), lerp(a.b, b.b, u), lerp(a.a, b.a, u)};
        });
    const float light = style.alpha_layer ? 1.0f : c.a;
    style.looks[i] = {to_byte(c.r * light), to_byte(c.g * light), to_byte(c.b * light), to_byte(c.a),
                      frame::kSizeScale * std::max(0.0f, sample(def.size_curve, t))};
    style.paces[i] = style.paced ? sample(def.speed_curve, t) : 1.0f;
  }
  return style;
}

std::vector<ParticleStyle> bake_styles(std::span<const frame::EmitterDef> emitters, u32 first_row) {
  auto row_of = [&](const std::string& name) -> i32 {
    for (std::size_t i = 0; i < emitters.size() && !name.empty(); ++i) {
      if (emitters[i].name == name) return static_cast<i32>(first_row + i);
    }
    return -1;
  };
  std::vector<ParticleStyle> styles;
  styles.reserve(emitters.size());
  for (const frame::EmitterDef& emitter : emitters) {
    ParticleStyle& style = styles.emplace_back(bake_style(emitter));
    style.on_birth = row_of(style.def.on_birth);
    style.on_death = row_of(style.def.on_death);
    style.on_hit = row_of(style.def.on_hit);
    style.trail = row_of(style.def.trail);
  }
  return styles;
}

std::vector<ParticleStyle> bake_styles(const frame::SpellDef& spell, u32 first_row) {
  const std::span<const frame::EmitterDef> all(spell.emitters);
  return bake_styles(all.first(std::min(all.size(), frame::kMaxEmitters)), first_row);
}

}  // namespace spellpool::sim
