#include "sim/spells/world.hpp"

#include "sim/core/pool_switch.hpp"
#include "sim/particles/particle_port.hpp"
#include "sim/particles/style_rows.hpp"

#include "sim/spells/autoplay.hpp"

namespace spellpool::sim {
namespace {

using frame::Phase;
using frame::PoolId;

const PoolChoice& choice_of(const WorldConfig& config, PoolId id) { return config.pools[static_cast<std::size_t>(id)]; }

}  // namespace

World::World(const WorldConfig& config)
    : config_(config),
      memory_(choice_of(config, PoolId::Particles).capacity),
      particles_(config.seed, choice_of(config, PoolId::Particles), &memory_),
      effects_(config.seed),
      targets_(config.seed, choice_of(config, PoolId::Wisps), &memory_.step),
      seekers_(choice_of(config, PoolId::Seekers)) {
  effects_.use(particles_);
  for (u32 i = 0; i < frame::kSpellCount; ++i) bake_spell_styles(particles_, effects_, i, *config_.spells[i]);
  bake_arena_styles(particles_, config.preset, config.load);
  effects_.multiply(config.load.sparks);
  add_pool(particle_port(particles_));
  add_pool(seeker_port(seekers_));
  add_pool(wisp_port(targets_));
}
World::~World() = default;

void World::apply(const frame::SimCommand& command) {
  if (apply_load(command, config_.preset, config_.load, particles_, effects_)) return;
  switch (command.kind) {
    case frame::SimCommandKind::SetMemory:
      return memory_.choose(static_cast<pool::MemorySource>(command.choice));
    case frame::SimCommandKind::SetSpell:
      config_.spells[command.spell] = command.definition;
      return bake_spell_styles(particles_, effects_, command.spell, *command.definition);
    default:
      break;
  }
  // Three systems with the same switches, and no common base.
  if (command.pool == PoolId::Particles) turn_switch(particles_, command);
  if (command.pool == PoolId::Seekers) turn_switch(seekers_, command);
  if (command.pool == PoolId::Wisps) turn_switch(targets_, command);
}

SpellScope World::scope() {
  return {config_.spells, config_.seed, mage_.x(), mage_.y(), effects_,
          targets_,       challenge_,   seekers_,  hit_stop_};
}

void World::step(const frame::InputFrame& input, std::span<const frame::SimCommand> commands,
                 frame::PhaseSink* phases, std::optional<frame::Amount> shown) {
  const FloatControlScope float_control;
  auto enter = [&](Phase phase) {
    if (phases) phases->enter(phase);
  };
  enter(Phase::Update);
  effects_.begin_step(step_);
  targets_.forget_views();
  for (const frame::SimCommand& command : commands) apply(command);
  memory_.step.begin_frame();
  fade_steals();
  const u8 pressed = static_cast<u8>(input.buttons & ~last_buttons_);
  last_buttons_ = input.buttons;
  if ((pressed & frame::kButtonChallenge) != 0 && challenge_.press(effects_)) targets_.make_whole(effects_);
  SpellScope around = scope();
  stands_ = hit_stop_.step((input.buttons & frame::kButtonNoHitStop) == 0);
  if (stands_) {
    missed_buttons_ |= input.buttons;
    if (input.select_spell != frame::InputFrame::kKeepSpell) missed_spell_ = input.select_spell;
  } else {
    play(input, around);
  }
  challenge_.step(step_, effects_);
  effects_.run(ArenaEmitter::Dust, dust_carry_, EmitPlace::at(0.0f, 0.0f));
  effects_.run(ArenaEmitter::Ambient, ambient_carry_, EmitPlace::at(0.0f, 0.0f));
  particles_.update(step_, effects_.attractors(), shown);

  enter(Phase::Collide);
  if (!stands_) {
    spells_.collide(around);
    seekers_.collide(around);
  }

  enter(Phase::Despawn);
  seekers_.despawn();
  particles_.despawn();

  enter(Phase::Spawn);
  seekers_.spawn();
  particles_.spawn(effects_.requests());
  effects_.end_step();
  look_after();
  ++step_;
  if (phases) phases->leave();
}

void World::play(frame::InputFrame input, SpellScope& around) {
  input.buttons |= std::exchange(missed_buttons_, u8{0});
  const u8 missed = std::exchange(missed_spell_, frame::InputFrame::kKeepSpell);
  if (input.select_spell == frame::InputFrame::kKeepSpell) input.select_spell = missed;
  targets_.step(step_, effects_);
  Cast cast;
  const bool released = mage_.step(input, config_.spells, effects_, cast);
  around.mage_x = mage_.x();
  around.mage_y = mage_.y();
  if (released) spells_.cast(cast, around);
  spells_.move(around);
  seekers_.move(around);
}

void World::look_after() {
  Camera& c = camera_;
  c.previous_follow_x = c.follow_x;
  c.previous_follow_y = c.follow_y;
  c.previous_lead_x = c.lead_x;
  c.previous_lead_y = c.lead_y;
  c.follow_x = lerp(c.follow_x, mage_.x() * 0.10f, 0.05f);
  c.follow_y = lerp(c.follow_y, mage_.y() * 0.10f, 0.05f);
  c.lead_x = lerp(c.lead_x, std::clamp((mage_.aim_x() - mage_.x()) * 0.06f, -24.0f, 24.0f), 0.05f);
  c.lead_y = lerp(c.lead_y, std::clamp((mage_.aim_y() - mage_.y()) * 0.06f, -18.0f, 18.0f), 0.05f);
  const Shake shake = effects_.shaken(step_);
  c.shake_x = shake.x;
  c.shake_y = shake.y;
}

std::unique_ptr<ScriptedPlayer> World::scripted_player(u64 seed) const {
  return std::make_unique<PlayerOf<Autoplayer, World>>(Autoplayer(seed), *this);
}

u64 World::hash() const {
  StateHash h;
  h.add(step_).add(config_.seed).add(last_buttons_).add(dust_carry_).add(ambient_carry_);
  mage_.add_to(h);
  spells_.add_to(h);
  seekers_.add_to(h);
  targets_.add_to(h);
  hit_stop_.add_to(h);
  h.add(missed_buttons_).add(missed_spell_);
  challenge_.add_to(h);
  h.add(particles_.hash());
  return h.value();
}

}  // namespace spellpool::sim
