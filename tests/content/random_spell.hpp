#pragma once
// Any spell that a file can hold, and whether two are the same to the last bit.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <type_traits>

#include "content/colour_text.hpp"
#include "content/game/spell_keys.hpp"
#include "core/rng.hpp"

namespace spellpool::content {

using namespace frame;

inline bool same(float a, float b) { return std::memcmp(&a, &b, sizeof a) == 0; }
inline bool same(const Range& a, const Range& b) { return same(a.low, b.low) && same(a.high, b.high); }
inline bool same(const CurveKey& a, const CurveKey& b) { return same(a.t, b.t) && same(a.value, b.value); }
inline bool same(const ColourKey& a, const ColourKey& b) {
  return same(a.t, b.t) && same(a.r, b.r) && same(a.g, b.g) && same(a.b, b.b) && same(a.a, b.a);
}
template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!same(a[i], b[i])) return false;
  }
  return true;
}
template <class T>
bool same(const T& a,
          const T& b) requires std::is_enum_v<T> || std::is_same_v<T, u32> || std::is_same_v<T, std::string> {
  return a == b;
}
template <class Keys, class Owner>
std::string difference(const Keys& keys, const Owner& a, const Owner& b) {
  for (const auto& key : keys) {
    const bool equal = std::visit(
        [&](auto member) {
          if constexpr (std::is_member_object_pointer_v<decltype(member)>) {
            return same(a.*member, b.*member);
          } else {
            return true;
          }
        },
        key.member);
    if (!equal) return std::string(key.name);
  }
  return "";
}
inline void expect_same(const SpellDef& a, const SpellDef& b) {
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(difference(kSpellKeys, a, b), "");
  EXPECT_TRUE(same(a.colour_r, b.colour_r) && same(a.colour_g, b.colour_g) && same(a.colour_b, b.colour_b));
  ASSERT_EQ(a.emitters.size(), b.emitters.size());
  for (std::size_t i = 0; i < a.emitters.size(); ++i) {
    EXPECT_EQ(a.emitters[i].name, b.emitters[i].name);
    EXPECT_EQ(difference(kEmitterKeys, a.emitters[i], b.emitters[i]), "") << a.emitters[i].name;
  }
}

/// A random value of each kind that a key can have, inside its range.
class RandomSpell {
 public:
  explicit RandomSpell(u64 seed) : rng_(seed) {}

  SpellDef make() {
    SpellDef spell;
    spell.id = "random";
    fill(kSpellKeys, spell);
    const LinearColour hue = colour(255);
    spell.colour_r = hue.r;
    spell.colour_g = hue.g;
    spell.colour_b = hue.b;
    const u32 count = 1 + rng_.below(kMaxEmitters);
    for (u32 i = 0; i < count; ++i) {
      EmitterDef emitter;
      fill(kEmitterKeys, emitter);
      emitter.name = "e" + std::to_string(i * 7919 % 100) + "_" + std::to_string(i);
      // Towards earlier emitters only, so that no chain is a circle.
      for (std::string EmitterDef::*link :
           {&EmitterDef::on_birth, &EmitterDef::on_death, &EmitterDef::on_hit, &EmitterDef::trail}) {
        emitter.*link = i > 0 && rng_.below(3) == 0 ? spell.emitters[rng_.below(i)].name : "";
      }
      spell.emitters.push_back(std::move(emitter));
    }
    return spell;
  }

 private:
  template <class Keys, class Owner>
  void fill(const Keys& keys, Owner& owner) {
    for (const auto& key : keys) {
      std::visit(
          [&](auto member) {
            if constexpr (std::is_member_object_pointer_v<decltype(member)>) value(owner.*member, key.low, key.high);
          },
          key.member);
    }
  }
  float number(double low, double high) {
    switch (rng_.below(4)) {
      case 0:
        return static_cast<float>(low);
      case 1:
        return static_cast<float>(high);
      case 2:
        return static_cast<float>(low + (high - low) * 1e-6 * rng_.unit());
      default:
        return static_cast<float>(low + (high - low) * rng_.unit());
    }
  }
  LinearColour colour(u32 alpha) {
    LinearColour out;
    out.r = linear_from_srgb(static_cast<u8>(rng_.below(256)));
    out.g = linear_from_srgb(static_cast<u8>(rng_.below(256)));
    out.b = linear_from_srgb(static_cast<u8>(rng_.below(256)));
    out.a = static_cast<float>(alpha) / 255.0f;
    return out;
  }
  void value(float& out, double low, double high) { out = number(low, high); }
  void value(u32& out, double low, double high) {
    out = static_cast<u32>(low) + rng_.below(static_cast<u32>(high - low) + 1);
  }
  void value(Range& out, double low, double high) {
    out.low = number(low, high);
    out.high = number(low, high);
    if (out.low > out.high) std::swap(out.low, out.high);
  }
  void value(std::string& out, double, double) {
    static constexpr std::string_view kLetters[] = {"a", "Z", "\"", "\\", "#", "'", "é", "火", " ", "=", "]", "\\n"};
    out.assign(1, 't');
    for (u32 i = rng_.below(12); i > 0; --i) out += kLetters[rng_.below(std::size(kLetters))];
  }
  void value(SpellBehaviour& out, double, double) {
    out = static_cast<SpellBehaviour>(rng_.below(kSpellBehaviours.size()));
  }
  void value(SoundId& out, double, double) { out = static_cast<SoundId>(rng_.below(kSoundCount)); }
  void value(EmitShape& out, double, double) { out = static_cast<EmitShape>(rng_.below(kEmitShapes.size())); }
  void value(ParticleShape& out, double, double) {
    out = static_cast<ParticleShape>(rng_.below(kParticleShapes.size()));
  }
  void value(ParticleLayer& out, double, double) {
    out = static_cast<ParticleLayer>(rng_.below(kParticleLayers.size()));
  }
  float rising(u32 i, u32 count) { return (static_cast<float>(i) + 0.9f * rng_.unit()) / static_cast<float>(count); }
  void value(BounceOn& out, double, double) { out = static_cast<BounceOn>(rng_.below(kBounces.size())); }
  void value(std::vector<CurveKey>& out, double low, double high) {
    out.clear();
    const u32 count = 1 + rng_.below(kMaxCurveKeys);
    for (u32 i = 0; i < count; ++i) {
      const float t = rising(i, count);
      out.push_back({t, number(low, high)});
    }
  }
  void value(std::vector<ColourKey>& out, double, double) {
    out.clear();
    const u32 count = 1 + rng_.below(kMaxCurveKeys);
    for (u32 i = 0; i < count; ++i) {
      const float t = rising(i, count);
      const LinearColour c = colour(rng_.below(256));
      out.push_back({t, c.r, c.g, c.b, c.a});
    }
  }

  Rng rng_;
};

}  // namespace spellpool::content
