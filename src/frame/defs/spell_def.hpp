#pragma once
// Spells as plain data: what content/ reads from assets/spells/*.toml and sim/ plays.
#include <array>
#include <string>
#include <vector>

#include "core/enum_table.hpp"
#include "frame/defs/sound_id.hpp"
#include "frame/defs/spell_list.hpp"

namespace spellpool::frame {

/// Where new particles appear, relative to the emitter's position and direction.
enum class EmitShape : u8 { Point, Disc, Ring, Cone, Box, Line };
/// How a particle looks; the renderer draws one distance field for each.
enum class ParticleShape : u8 { Glow, Spark, Shard, Star, Smoke };
/// Additive light, or alpha-blended matter drawn beneath it.
enum class ParticleLayer : u8 { Additive, Alpha };
/// What a particle bounces off: the ground beneath it, the arena's ring, or both.
enum class BounceOn : u8 { Nothing, Floor, Walls, Both };
/// What a cast does in the world.
enum class SpellBehaviour : u8 { Bolt, Nova, Chain, Vortex, Meteor, Fog, Motes, Starfall };

template <class Enum>
struct EnumName {
  Enum id;
  std::string_view name;
};
inline constexpr std::array kEmitShapes = {
    EnumName<EmitShape>{EmitShape::Point, "point"}, EnumName<EmitShape>{EmitShape::Disc, "disc"},
    EnumName<EmitShape>{EmitShape::Ring, "ring"},   EnumName<EmitShape>{EmitShape::Cone, "cone"},
    EnumName<EmitShape>{EmitShape::Box, "box"},     EnumName<EmitShape>{EmitShape::Line, "line"}};
inline constexpr std::array kParticleShapes = {
    EnumName<ParticleShape>{ParticleShape::Glow, "glow"}, EnumName<ParticleShape>{ParticleShape::Spark, "spark"},
    EnumName<ParticleShape>{ParticleShape::Shard, "shard"}, EnumName<ParticleShape>{ParticleShape::Star, "star"},
    EnumName<ParticleShape>{ParticleShape::Smoke, "smoke"}};
inline constexpr std::array kParticleLayers = {EnumName<ParticleLayer>{ParticleLayer::Additive, "additive"},
                                               EnumName<ParticleLayer>{ParticleLayer::Alpha, "alpha"}};
inline constexpr std::array kSpellBehaviours = {EnumName<SpellBehaviour>{SpellBehaviour::Bolt, "bolt"},
                                                EnumName<SpellBehaviour>{SpellBehaviour::Nova, "nova"},
                                                EnumName<SpellBehaviour>{SpellBehaviour::Chain, "chain"},
                                                EnumName<SpellBehaviour>{SpellBehaviour::Vortex, "vortex"},
                                                EnumName<SpellBehaviour>{SpellBehaviour::Meteor, "meteor"},
                                                EnumName<SpellBehaviour>{SpellBehaviour::Fog, "fog"},
                                                EnumName<SpellBehaviour>{SpellBehaviour::Motes, "motes"},
                                                EnumName<SpellBehaviour>{SpellBehaviour::Starfall, "starfall"}};
inline constexpr std::array kBounces = {
    EnumName<BounceOn>{BounceOn::Nothing, "nothing"}, EnumName<BounceOn>{BounceOn::Floor, "floor"},
    EnumName<BounceOn>{BounceOn::Walls, "walls"}, EnumName<BounceOn>{BounceOn::Both, "both"}};
static_assert(rows_in_order(kEmitShapes) && rows_in_order(kParticleShapes) && rows_in_order(kParticleLayers) &&
              rows_in_order(kSpellBehaviours) && rows_in_order(kBounces));

struct Range {
  float low = 0.0f;
  float high = 0.0f;
};

/// One key of a size or speed curve: at life fraction t, 0 … 1, the factor on the particle's birth size or on its
/// motion.
struct CurveKey {
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
  float radius = 0.0f;                    ///< Of the disc, ring or cone.
  float width = 0.0f, height = 0.0f;      ///< Box: its sides, along and across the direction. Line: its length, across the direction.
  float rate_per_s = 0.0f;                ///< While the emitter runs, spread evenly inside each step.
  float per_unit = 0.0f;                  ///< Per unit of distance that the emitter travels.
  u32 burst = 0;                          ///< At once, when it is triggered.
  float prewarm_s = 0.0f;                 ///< When it starts to run, it has already run for so long.
  u32 seed = 0;                           ///< 0: every particle differs; else every burst of this emitter is the same.
  u32 rays = 0;                           ///< >0: directions gather in this many rays, each spread_turns / rays wide; 6 for frost.
  Range life_s{0.5f, 1.0f};
  Range speed{0.0f, 0.0f};                ///< Along the direction.
  Range swirl{0.0f, 0.0f};                ///< Start speed across the direction.
  Range lift{0.0f, 0.0f};                 ///< Start speed upwards. With a floor, the particle lands where it would have come on the flat.
  float spread_turns = 1.0f;              ///< Directions within ± spread/2 of the emitter's.
  float inherit = 0.0f;                   ///< Share of the emitter's own velocity.
  float gravity_x = 0.0f, gravity_y = 0.0f;  ///< Units/s²; +y is down, so fire rises with a negative one.
  float drag_per_s = 0.0f;                ///< v' = −drag · v.
  float curl = 0.0f;                      ///< Acceleration by a drifting curl-noise field, units/s².
  float pull = 0.0f;                      ///< Acceleration toward the place where this emitter fired last, units/s²; below 0 away.
  float turn = 0.0f;                      ///< Acceleration round that place.
  BounceOn bounce_on = BounceOn::Nothing;
  float bounce = 0.5f;                    ///< Share of the speed into the surface that comes back.
  float friction = 0.2f;                  ///< Share of the speed along the surface that a bounce takes.
  Range size{4.0f, 8.0f};                 ///< Diameter of the halo at birth, in units.
  std::vector<CurveKey> size_curve{{0.0f, 1.0f}, {1.0f, 0.0f}};
  std::vector<CurveKey> speed_curve{};    ///< Factor on its motion over its life; empty is 1.
  std::vector<ColourKey> colour_curve{{}};
  float glow = 1.0f;                      ///< HDR factor on the colour, 0 … 7.75, in quarters.
  ParticleShape particle = ParticleShape::Glow;
  ParticleLayer layer = ParticleLayer::Additive;
  // Emitters of this spell, or "":
  std::string on_birth;                   ///< its burst fires where each particle is born;
  std::string on_death;                   ///< … where each dies;
  std::string on_hit;                     ///< … where each bounces;
  std::string trail;                      ///< it runs (rate_per_s, per_unit) behind each particle.
};

/// Most emitters that a spell may have.
inline constexpr std::size_t kMaxEmitters = 16;

/// The roles of a spell's emitters. An emitter's name is its role. An emitter of another name fires only as
/// the on_birth, on_death, on_hit or trail of an emitter. A missing emitter emits nothing. The list gives
/// the fields that count for each role:
///   all       gather (burst at its start, then rate: wind-up at the staff), charge (rate, while the button is held on, the
///             more the fuller), ready (burst, when the charge is full), cast (burst, at the staff), follow (rate, for
///             follow_s at the staff)
///   bolt      trail and smoke (rate and per_unit, in flight), core, burst, embers and smoke (burst, at the hit)
///   nova      burst, mist, shards (burst, at the mage's feet)
///   chain     arc (per_unit, along each leap), burst and embers (burst, at each target struck)
///   vortex    burst (as it opens), spiral and core (rate, while it lives), close (burst, at its end)
///   meteor    mark (rate, on the ring where it will fall), trail and smoke (rate, per_unit: falling), burst, ring, stones and
///             embers (burst, at the impact)
///   fog       burst (as it opens), fog and bubbles (rate, while it lives), close (burst)
///   motes     burst (as they are called), motes (rate, while they rise round the mage), seek (rate, per_unit: behind each
///             homing spark), heal (burst, where one arrives)
///   starfall  mark (rate, over the aim), trail (rate, per_unit: behind each falling star), burst and embers (burst, where
///             one lands)
///   of a fully charged one: full (burst; bolt, chain, starfall: at each hit; meteor: at the impact; else as
///             it opens), halo (rate; meteor: round its mark; fog, motes, starfall: while it lives)
enum class EmitterRole : u8 {
  Gather,
  Charge,
  Ready,
  Cast,
  Follow,
  Trail,
  Burst,
  Embers,
  Smoke,
  Mist,
  Shards,
  Spiral,
  Core,
  Close,
  Arc,
  Mark,
  Ring,
  Stones,
  Fog,
  Bubbles,
  Motes,
  Seek,
  Heal,
  Full,
  Halo,
};
inline constexpr std::array<std::string_view, 25> kEmitterRoleNames = {
    "gather", "charge", "ready", "cast", "follow", "trail",  "burst", "embers",  "smoke", "mist", "shards", "spiral",
    "core",   "close",  "arc",   "mark", "ring",   "stones", "fog",   "bubbles", "motes", "seek", "heal",
    "full",   "halo"};
static_assert(kEmitterRoleNames.size() == static_cast<std::size_t>(EmitterRole::Halo) + 1);

/// A spell: its behaviour, numbers and emitters.
struct SpellDef {
  std::string id;                         ///< File name without .toml.
  std::string title;
  SpellBehaviour behaviour = SpellBehaviour::Bolt;
  float colour_r = 1.0f, colour_g = 1.0f, colour_b = 1.0f;  ///< The spell's hue: lights, HUD, staff.
  float cooldown_s = 0.25f;
  float windup_s = 0.05f;                 ///< Anticipation: gather runs, then the spell happens.
  float charge_s = 0.8f;                  ///< Holding the button this much longer charges it fully.
  float charged = 2.0f;                   ///< Factor of a full charge on power, radius (its square root) and count.
  float follow_s = 0.5f;                  ///< Follow-through: how long `follow` runs at the staff after the cast.
  float speed = 600.0f;                   ///< bolt, motes, starfall, meteor: units/s of what flies or falls.
  float radius = 12.0f;                   ///< bolt: hit radius; nova: reach; chain: longest leap; vortex: pull radius; meteor: shock
                                          ///< ring's reach; fog: of the cloud; motes: of the circle; starfall: where stars may land.
  float duration_s = 1.5f;                ///< bolt: longest flight; nova, meteor: ring's time to full reach; vortex, fog, motes,
                                          ///< starfall: life; chain: how long the after-image stays.
  float power = 1.0f;                     ///< Damage to dummies, crystals and wisps; a second's worth for vortex and fog.
  u32 count = 1;                          ///< chain: leaps; motes: homing sparks; starfall: stars.
  float pull = 0.0f;                      ///< vortex: acceleration of particles inside the radius, units/s².
  float light = 1.0f;                     ///< Light on the ground.
  float shake = 0.0f;                     ///< Camera trauma on a hit, 0 … 1.
  SoundId sound_cast = SoundId::FireCast;
  SoundId sound_hit = SoundId::FireHit;
  std::vector<EmitterDef> emitters;
};

}  // namespace spellpool::frame
