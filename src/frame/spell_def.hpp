#pragma once
// Spells as plain data: what content/ reads from assets/spells/*.toml and sim/ plays.
#include <array>
#include <string>
#include <vector>

#include "core/enum_table.hpp"
#include "frame/sound_id.hpp"

namespace spellpool::frame {

/// Where new particles appear, relative to the emitter's position and direction.
enum class EmitShape : u8 { Point, Disc, Ring, Cone };
/// How a particle looks; the renderer draws one distance field for each.
enum class ParticleShape : u8 { Glow, Spark, Shard, Star, Smoke };
/// Additive light, or alpha-blended matter drawn beneath it.
enum class ParticleLayer : u8 { Additive, Alpha };
/// What a cast does in the world.
enum class SpellBehaviour : u8 { Bolt, Nova, Vortex };

template <class Enum>
struct EnumName {
  Enum id;
  std::string_view name;
};
inline constexpr std::array kEmitShapes = {EnumName<EmitShape>{EmitShape::Point, "point"}, EnumName<EmitShape>{EmitShape::Disc, "disc"},
                                           EnumName<EmitShape>{EmitShape::Ring, "ring"}, EnumName<EmitShape>{EmitShape::Cone, "cone"}};
inline constexpr std::array kParticleShapes = {
    EnumName<ParticleShape>{ParticleShape::Glow, "glow"}, EnumName<ParticleShape>{ParticleShape::Spark, "spark"},
    EnumName<ParticleShape>{ParticleShape::Shard, "shard"}, EnumName<ParticleShape>{ParticleShape::Star, "star"},
    EnumName<ParticleShape>{ParticleShape::Smoke, "smoke"}};
inline constexpr std::array kParticleLayers = {EnumName<ParticleLayer>{ParticleLayer::Additive, "additive"},
                                               EnumName<ParticleLayer>{ParticleLayer::Alpha, "alpha"}};
inline constexpr std::array kSpellBehaviours = {EnumName<SpellBehaviour>{SpellBehaviour::Bolt, "bolt"},
                                                EnumName<SpellBehaviour>{SpellBehaviour::Nova, "nova"},
                                                EnumName<SpellBehaviour>{SpellBehaviour::Vortex, "vortex"}};
static_assert(rows_in_order(kEmitShapes) && rows_in_order(kParticleShapes) && rows_in_order(kParticleLayers) &&
              rows_in_order(kSpellBehaviours));

struct Range {
  float low = 0.0f;
  float high = 0.0f;
};

/// One key of a size curve: at life fraction t, 0 … 1, the factor on the particle's birth size.
struct SizeKey {
  float t = 0.0f;
  float value = 1.0f;
};
/// One key of a colour curve. r, g, b are linear light, 0 … 1; a is 0 … 1. `glow` in EmitterDef scales all to HDR.
struct ColourKey {
  float t = 0.0f;
  float r = 1.0f, g = 1.0f, b = 1.0f, a = 1.0f;
};

/// One kind of particle and how it is emitted. Units: world units (1 = one pixel at 1280×720), seconds, turns.
struct EmitterDef {
  std::string name;                       ///< "trail", "burst", …; unique within the spell.
  EmitShape shape = EmitShape::Point;
  float radius = 0.0f;                    ///< Of the disc or ring.
  float rate_per_s = 0.0f;                ///< While the emitter runs, spread evenly inside each step.
  float per_unit = 0.0f;                  ///< Per unit of distance that the emitter travels.
  u32 burst = 0;                          ///< At once, when it is triggered.
  u32 rays = 0;                           ///< >0: directions gather in this many rays, each spread_turns / rays wide; 6 for frost.
  Range life_s{0.5f, 1.0f};
  Range speed{0.0f, 0.0f};                ///< Along the direction.
  Range swirl{0.0f, 0.0f};                ///< Start speed across the direction.
  float spread_turns = 1.0f;              ///< Directions within ± spread/2 of the emitter's.
  float inherit = 0.0f;                   ///< Share of the emitter's own velocity.
  float gravity_x = 0.0f, gravity_y = 0.0f;  ///< Units/s²; +y is down, so fire rises with a negative one.
  float drag_per_s = 0.0f;                ///< v' = −drag · v.
  float curl = 0.0f;                      ///< Acceleration by a drifting curl-noise field, units/s².
  Range size{4.0f, 8.0f};                 ///< Diameter of the halo at birth, in units.
  std::vector<SizeKey> size_curve{{0.0f, 1.0f}, {1.0f, 0.0f}};
  std::vector<ColourKey> colour_curve{{}};
  float glow = 1.0f;                      ///< HDR factor on the colour, 0 … 7.75, in quarters.
  ParticleShape particle = ParticleShape::Glow;
  ParticleLayer layer = ParticleLayer::Additive;
  std::string on_death;                   ///< Emitter of this spell whose burst fires where each particle dies, or "".

};

/// Most emitters that a spell may have.
inline constexpr std::size_t kMaxEmitters = 16;

/// A spell: its behaviour, numbers and emitters. The emitter names that a behaviour triggers, with what of them counts:
///   all     gather (rate, and burst at its start; wind-up at the staff), cast (burst, at the staff)
///   bolt    trail and smoke (rate and per_unit, in flight), burst, embers and smoke (burst, at the hit)
///   nova    burst, mist, shards (burst, at the mage's feet)
///   vortex  burst (as it opens), spiral and core (rate, while it lives), close (burst, at its end)
/// Others fire only as somebody's on_death. A missing one is simply not emitted.
struct SpellDef {
  std::string id;                         ///< File name without .toml.
  std::string title;
  SpellBehaviour behaviour = SpellBehaviour::Bolt;
  float colour_r = 1.0f, colour_g = 1.0f, colour_b = 1.0f;  ///< The spell's hue: lights, HUD, staff.
  float cooldown_s = 0.25f;
  float windup_s = 0.05f;                 ///< Anticipation: gather runs, then the spell happens.
  float speed = 600.0f;                   ///< bolt: units/s.
  float radius = 12.0f;                   ///< bolt: hit radius; nova: reach; vortex: pull radius.
  float duration_s = 1.5f;                ///< bolt: longest flight; nova: ring's time to full reach; vortex: life.
  float power = 1.0f;                     ///< Damage to dummies and crystals; a second's worth for the vortex.
  float pull = 0.0f;                      ///< vortex: acceleration of particles inside the radius, units/s².
  float light = 1.0f;                     ///< Light on the ground.
  float shake = 0.0f;                     ///< Camera trauma on a hit, 0 … 1.
  SoundId sound_cast = SoundId::FireCast;
  SoundId sound_hit = SoundId::FireHit;
  std::vector<EmitterDef> emitters;
};

inline constexpr std::size_t kSpellCount = 3;
/// Files that make the spell bar, in the order of the keys 1, 2, 3.
inline constexpr std::array<std::string_view, kSpellCount> kSpellFiles = {"firebolt", "frost_nova", "arcane_vortex"};

}  // namespace spellpool::frame
