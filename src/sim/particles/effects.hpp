#pragma once
#include <array>
#include <span>
#include <vector>

#include "core/rng.hpp"
#include "frame/audio_event.hpp"
#include "frame/defs/arena_emitters.hpp"
#include "frame/views/challenge_view.hpp"
#include "sim/particles/particle_system.hpp"
#include "sim/particles/small_console.hpp"

namespace spellpool::sim {

using frame::ArenaEmitter;
using frame::kArenaEmitterCount;

/// Row of the particle system's style table: the first eight spells, kMaxEmitters each, then the arena's own, then
/// further spells. Rows are hashed: so a ninth spell leaves the hashes of older replays as they are.
inline constexpr u32 kStylesPerSpell = static_cast<u32>(frame::kMaxEmitters);
inline constexpr u32 kArenaStyles = kStylesPerSpell * static_cast<u32>(frame::kFirstSpellCount);
constexpr u32 first_style_of(u32 spell) {
  return spell * kStylesPerSpell + (spell < frame::kFirstSpellCount ? 0u : u32{kArenaEmitterCount});
}
static_assert(first_style_of(static_cast<u32>(frame::kSpellCount)) <= ParticleSystem::kStyleRows &&
              kArenaStyles + kArenaEmitterCount <= ParticleSystem::kStyleRows);
constexpr bool is_arena_style(u32 row) { return row >= kArenaStyles && row < kArenaStyles + kArenaEmitterCount; }
constexpr u32 arena_row(ArenaEmitter which) { return kArenaStyles + static_cast<u32>(which); }

/// Where something emits: its way in this step, its direction and velocity.
struct EmitPlace {
  float from_x = 0, from_y = 0, to_x = 0, to_y = 0;
  float direction_turns = 0;
  float vx = 0, vy = 0;
  static EmitPlace at(float x, float y, float direction_turns = 0, float vx = 0, float vy = 0) {
    return {x, y, x, y, direction_turns, vx, vy};
  }
};

/// A light on the ground that fades.
struct Flash {
  float x = 0, y = 0, radius = 0, r = 0, g = 0, b = 0, life_s = 0, age_s = 0;
};

/// How far the camera is off, units.
struct Shake {
  float x = 0, y = 0;
};

/// What the parts of the world ask for during one step: particles to be born, attractors, sounds, lights, shaking. The
/// world hands the first two to the particle system; the rest is for ears and eyes, and no step ever reads it.
/// Reserved once; a step allocates nothing. What does not fit is dropped: 1,024 emissions, 64 sounds.
class Effects {
 public:
  explicit Effects(u64 seed);

  /// Empties requests, attractors and sounds for step `step`.
  void begin_step(u64 step);
  /// Tells which style row plays a spell's role: called whenever a spell's definition changes.
  void set_roles(u32 spell, const frame::SpellDef& def);

  /// The burst of one emitter. `share` scales the number (charge); 1 as written.
  void burst(u8 spell, frame::EmitterRole role, const EmitPlace& place, float share = 1.0f);
  void burst(ArenaEmitter which, const EmitPlace& place, float share = 1.0f);
  /// This step's share of a running emitter; `carry` is its fraction of a particle left over, kept by the caller and
  /// part of its hash. A carry below 0 means that it starts now (prewarm).
  void run(u8 spell, frame::EmitterRole role, float& carry, const EmitPlace& place, float share = 1.0f);
  void run(ArenaEmitter which, float& carry, const EmitPlace& place, float share = 1.0f);
  void attract(const Attractor& attractor);

  /// `gain` 0 … 1; level and pitch vary a little by the looks' own RNG, `vary_steps` at most.
  void sound(frame::SoundId id, float gain, float x, float y, float pitch_steps = 0.0f, float vary_steps = 0.0f);
  void flash(float x, float y, float radius, float r, float g, float b, float life_s);
  void flash(float x, float y, float radius, const frame::SpellDef& spell, float intensity, float life_s);
  /// Adds camera trauma, 0 … 1.
  void shake(float trauma);
  static constexpr float kMostShake = 6.0f;

  /// Damage to be shown at (x, y). What comes to one place within a few steps is one number.
  void number(float x, float y, float damage, float r, float g, float b);
  static constexpr std::size_t kMostNumbers = 32;
  static constexpr float kNumber_s = 0.9f;     ///< How long one is seen.
  static constexpr float kNumberUnit = 10.0f;  ///< A tenth of a crystal's health point is 1.
  /// Those that are seen now, oldest first; how many.
  std::size_t show_numbers(std::span<frame::HitNumber> into) const;

  /// Lets flashes age and trauma fade; once a step, after everything.
  void end_step();

  /// Needed by burst() and run() to know rates; the world's own table.
  void use(const ParticleSystem& particles) { particles_ = &particles; }
  /// Bursts and lights of spells live there, if it is on; it outlives this.
  void live_on(SmallConsole& console) { console_ = &console; }
  /// From now on every burst and stream gives so many times as many particles; the arena's dust and motes do not.
  void multiply(u32 times) { times_ = static_cast<float>(times); }
  std::span<const EmitRequest> requests() const { return requests_; }
  std::span<const Attractor> attractors() const { return attractors_; }
  std::span<const frame::AudioEvent> sounds() const { return sounds_; }
  std::span<const Flash> flashes() const { return fading_.flashes; }
  float trauma() const { return fading_.trauma; }
  /// Trauma², kMostShake at most, another way in each step: looks alone.
  Shake shaken(u64 step) const;

  struct Number {
    float x = 0, y = 0, damage = 0, r = 1, g = 1, b = 1, age_s = kNumber_s;
  };
  /// What outlives a step. No step reads it: for ears and eyes.
  struct Fading {
    Rng vary{0};                   ///< Pitch and level of sounds.
    std::array<Flash, 32> flashes{};
    u32 next_flash = 0;
    std::array<Number, kMostNumbers> numbers{};
    u32 next_number = 0;
    float trauma = 0;
  };
  const Fading& fading() const { return fading_; }
  void restore(const Fading& fading) { fading_ = fading; }

 private:
  void burst_row(u32 row, const EmitPlace& place, float share);
  void run_row(u32 row, float& carry, const EmitPlace& place, float share);
  /// Null if there is no room for one more.
  EmitRequest* ask(u32 row, float count, const EmitPlace& place);

  u64 step_ = 0;
  Fading fading_;
  const ParticleSystem* particles_ = nullptr;
  SmallConsole* console_ = nullptr;
  std::array<std::array<i32, frame::kEmitterRoleNames.size()>, frame::kSpellCount> roles_{};
  std::vector<EmitRequest> requests_;
  std::vector<Attractor> attractors_;
  std::vector<frame::AudioEvent> sounds_;
  float times_ = 1;
};

}  // namespace spellpool::sim
