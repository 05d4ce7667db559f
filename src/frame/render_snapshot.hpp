#pragma once
#include <span>

#include "core/types.hpp"
#include "frame/defs/spell_def.hpp"

namespace spellpool::frame {

// The world's axes: x right, y down, one unit = one pixel at 1280×720, the arena's centre at (0, 0). Every window shows
// 720 units of height; a wider window shows more to the sides.
inline constexpr float kViewHeight = 720.0f;
/// Positions are stored in 1/32 unit. The range is −1024 … 1024; the snapshot omits particles outside it.
inline constexpr float kPositionScale = 32.0f;
/// A place in the words of an instance.
inline i16 position_word(float units) {
  return static_cast<i16>(units * kPositionScale + (units < 0.0f ? -0.5f : 0.5f));
}
/// Particle diameters travel in 1/64 unit (at most 1023).
inline constexpr float kSizeScale = 64.0f;

/// A particle as drawn: 16 bytes, and the only thing that drawing reads of it. The image at time alpha in [0, 1]
/// between the last two steps has it at (x, y) − (1 − alpha)·(dx, dy), so any refresh rate is smooth.
struct ParticleInstance {
  i16 x, y;       ///< Position after the last step, 1/32 unit.
  i16 dx, dy;     ///< How far it moved in that step, 1/32 unit (0 for one that was born in it). Sparks stretch along it.
  u8 r, g, b, a;  ///< Linear light × alpha curve; r, g, b already multiplied by a in the additive layer.
  u16 size;       ///< Halo diameter, 1/64 unit.
  u8 glow_shape;  ///< Low 3 bits: ParticleShape. High 5 bits: HDR factor in quarters, 0 … 31 (so 0 … 7.75).
  u8 angle;       ///< Orientation of shards and stars, 1/256 turn.
};
static_assert(sizeof(ParticleInstance) == 16);

/// Things drawn as signed-distance shapes, one per row of the renderer's table.
enum class SpriteKind : u8 {
  Mage,      ///< p0 cast progress 0…1 (staff flare), p1 walk phase in turns, p2 hurt/flash 0…1; tint = spell's hue.
  Dummy,     ///< p0 hit flash 0…1, p1 sway −1…1, p2 frost cover 0…1.
  Crystal,   ///< p0 hit flash 0…1, p1 growth 0…1 (0 shattered, regrows), p2 cracks 0…1; tint = its own hue.
  Bolt,      ///< A fire bolt's head; p0 age in s.
  NovaRing,  ///< p0 radius in units, p1 fade 1…0; tint.
  VortexCore,  ///< p0 pull radius in units (the eye is about a fifth of it), p1 spin in turns, p2 open 0…1.
  Reticle,  ///< Where the player aims; p0 cooldown 0…1, p1 charge 0…1 (a second arc that fills), p2 1 while full; tint.
  Wisp,    ///< A drifting light with a tail; p0 hit flash 0…1, p1 there 0…1 (0 scattered), p2 phase in turns; tint.
  Arc,     ///< Lightning from (x, y) to (p0, p1) in the world; p2 age 0…1 (bright, then blue after-image, gone at 1);
           ///< angle_turns seeds its branches, size its width in units; tint.
  Mark,    ///< Telegraph on the ground, seen flat; p0 radius, p1 time 0…1 (the inner ring shrinks as it nears 1), p2
           ///< fade; tint.
  Meteor,  ///< Falling rock of `size`, flying along angle_turns; p0 heat 0…1; tint.
  ShockRing,  ///< p0 radius in units, p1 fade 1…0: a thick wave of bent light on the ground; tint.
  Aura,    ///< Soft circle on the ground; p0 radius, p1 fade 0…1, p2 slow turn in turns: rings and small signs; tint.
  Star,    ///< Head of a falling star, flying along angle_turns; p0 twinkle in turns; tint.
  Seeker,  ///< Head of a homing spark, along angle_turns; tint.
  Pillar,  ///< Light standing on a rune in the finale; p0 height in units, p1 fade 0…1; tint.

  // The shooter's.
  Ship,  ///< A paper swallow of pale light, nose up; p0 bank −1…1, p1 focus 0…1 (wings drawn in), p2 blink 0…1 (1
         ///< hardly there); tint = trim.
  Hitbox,  ///< The dot that hits, 1/7 of `size` wide, and two thin arcs; p0 there 0…1, p1 their turn in turns; tint =
           ///< arcs.
  MothWing,  ///< Like an enemy (below). (x, y) is the wing's middle, `size` its span: it spreads along angle_turns, 0
             ///< the right one, 0.5 the left one, its root half a size behind (so a wing's place is 0.54 of its size
             ///< beside the heart); p2 its beat.
  Pickup,  ///< p0 which frame::PickupKind, as a number, p1 there 0…1, p2 its bobbing in turns. No tint: kinds have
           ///< their own.
  Beam,  ///< Laser from (x, y) to (p0, p1), `size` units wide; p2 0…1 warning (a dashed line grows clear), 1…2 burning,
         ///< 2…3 fading, else nothing; tint = rim.
  Boulder,     ///< A stone that floats past; p0 which one, 0…1, p1 there 0…1. No tint.
  FirstEnemy,  ///< From here on a figure for each row of kEnemyKinds (enemy_kinds.hpp), paper with a lamp inside: p0
               ///< hit flash 0…1, p1 there 0…1 (0 gone; it unfolds and fades in), p2 its idle motion in turns (a spin,
               ///< a wing-beat, a whole turn from one beat of a drum to the next); tint the paper's hue. What flies
               ///< does so along angle_turns. A moth is `size` high with its feelers; wings of 0.95 of this size belong
               ///< to it.
};

struct SpriteInstance {
  float x = 0, y = 0;            ///< After the last step.
  float previous_x = 0, previous_y = 0;
  float size = 0;                ///< Height of the figure in units.
  float angle_turns = 0;         ///< 0 faces +x, 0.25 faces +y (down).
  float p0 = 0, p1 = 0, p2 = 0;  ///< Meaning per SpriteKind.
  float r = 1, g = 1, b = 1;     ///< Tint, linear.
  u32 kind = 0;                  ///< SpriteKind.
};

/// Light that a spell throws on the ground: radial, additive, linear colour × intensity.
struct LightInstance {
  float x = 0, y = 0;
  float previous_x = 0, previous_y = 0;
  float radius = 0;
  float r = 0, g = 0, b = 0;
};

/// A piece of the shooter's garden, drawn beneath everything: one of a few pictures, kGardenChunk units high, as wide
/// as the window.
struct GardenChunk {
  float y = 0;                   ///< Its upper edge after the last step, world units.
  u8 variant = 0;                ///< 0 … kGardenVariants − 1.
  u32 slot = 0;                  ///< Of the pool.
};
inline constexpr float kGardenChunk = 240.0f;
inline constexpr u8 kGardenVariants = 8;

/// Marks that spells leave on the arena's floor.
enum class DecalKind : u8 {
  Scorch,  ///< Soot, with rays.
  Crack,   ///< Broken stone.
};
inline constexpr u32 kDecalKinds = 2;
inline constexpr u32 kDecalVariants = 4;  ///< Pictures of each kind.
inline constexpr u32 kMostDecals = 256;   ///< In one picture: the newest.

/// A mark as drawn, beneath everything else: it covers stone, and glows while it is fresh.
struct DecalInstance {
  float x = 0, y = 0;
  float radius = 0;
  float shown = 0;                              ///< 0 … 1: how much of it is seen.
  float glow_r = 0, glow_g = 0, glow_b = 0;     ///< Linear light of its embers.
  float look = 0;                               ///< Kind × kDecalVariants + variant.
  float turn = 0;                               ///< How far it is turned, turns.
};

/// All that drawing needs to know of one step. The spans point into buffers that the simulation owns and fills anew
/// after each step; they are valid until the next.
struct RenderSnapshot {
  u64 step = 0;
  float time_s = 0;                               ///< step / 60; the shader adds alpha / 60.
  std::span<const ParticleInstance> alpha_layer;  ///< Smoke and matter, drawn first.
  std::span<const ParticleInstance> additive_layer;
  std::span<const SpriteInstance> sprites;        ///< In drawing order.
  std::span<const LightInstance> lights;
  /// The shooter's bullets, above everything, in drawing order (large ones first). The shape bits are a BulletShape,
  /// r g b the rim's colour, a how much of it is there (it fades in), size the outline's diameter, angle the way it
  /// flies.
  std::span<const ParticleInstance> bullet_layer;
  std::span<const DecalInstance> decals;          ///< On the arena's floor, the oldest first; at most kMostDecals.
  /// The shooter's ground, from top to bottom without gaps, covering the view; empty: the arena's stone.
  std::span<const GardenChunk> garden;
  float garden_step = 0;                          ///< How far the garden moved down in the last step, units.
  float camera_x = 0, camera_y = 0;
  float previous_camera_x = 0, previous_camera_y = 0;
  float shake_x = 0, shake_y = 0;                 ///< Units, at most 6.
  float runes_lit = 0;                            ///< 0 … 12 of the arena's runes burn.
  float finale = 0;                               ///< 0 none … 1: all runes burn white, the whole ring glows.
  float vortex_x = 0, vortex_y = 0;               ///< Strongest vortex, for the background's bend.
  float vortex_strength = 0;                      ///< 0 none … 1.
};

}  // namespace spellpool::frame
