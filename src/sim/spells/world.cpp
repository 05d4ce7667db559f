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

struct World::State final : WorldState {
  u64 steps() const override { return play.step; }
  std::size_t bytes() const override {
    return sizeof play + sizeof fading + particles.particles.bytes() + targets.wisps.bytes() + seekers.seekers.bytes() +
           targets.standing.size() * sizeof(Standing);
  }

  SpellSet spells;
  frame::Load load;
  ParticleSystem::State particles;
  Effects::Fading fading;
  Targets::State targets;
  Seekers::State seekers;
  Play play;
};

std::unique_ptr<WorldState> World::new_state() const { return std::make_unique<State>(); }

void World::save(WorldState& into) const {
  State& state = static_cast<State&>(into);
  state.spells = config_.spells;
  state.load = config_.load;
  particles_.save(state.particles);
  state.fading = effects_.fading();
  targets_.save(state.targets);
  seekers_.save(state.seekers);
  state.play = play_;
}

void World::restore(const WorldState& from) {
  const State& state = static_cast<const State&>(from);
  restore_choices(state.spells, state.load, config_, particles_, effects_);
  particles_.restore(state.particles);
  effects_.begin_step(state.play.step);
  effects_.restore(state.fading);
  targets_.restore(state.targets);
  seekers_.restore(state.seekers);
  play_ = state.play;
}

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
  return {config_.spells, config_.seed, play_.mage.x(), play_.mage.y(), effects_, targets_, play_.challenge, seekers_, play_.hit_stop};
}

void World::step(const frame::InputFrame& input, std::span<const frame::SimCommand> commands,
                 frame::PhaseSink* phases, std::optional<frame::Amount> shown) {
  const FloatControlScope float_control;
  auto enter = [&](Phase phase) {
    if (phases) phases->enter(phase);
  };
  enter(Phase::Update);
  effects_.begin_step(play_.step);
  targets_.forget_views();
  for (const frame::SimCommand& command : commands) apply(command);
  memory_.step.begin_frame();
  fade_steals();
  const u8 pressed = static_cast<u8>(input.buttons & ~play_.last_buttons);
  play_.last_buttons = input.buttons;
  if ((pressed & frame::kButtonChallenge) != 0 && play_.challenge.press(effects_)) targets_.make_whole(effects_);
  SpellScope around = scope();
  stands_ = play_.hit_stop.step((input.buttons & frame::kButtonNoHitStop) == 0);
  if (stands_) {
    play_.missed_buttons |= input.buttons;
    if (input.select_spell != frame::InputFrame::kKeepSpell) play_.missed_spell = input.select_spell;
  } else {
    play(input, around);
  }
  play_.challenge.step(play_.step, effects_);
  effects_.run(ArenaEmitter::Dust, play_.dust_carry, EmitPlace::at(0.0f, 0.0f));
  effects_.run(ArenaEmitter::Ambient, play_.ambient_carry, EmitPlace::at(0.0f, 0.0f));
  particles_.update(play_.step, effects_.attractors(), shown);

  enter(Phase::Collide);
  if (!stands_) {
    play_.spells.collide(around);
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
  ++play_.step;
  if (phases) phases->leave();
}

void World::play(frame::InputFrame input, SpellScope& around) {
  input.buttons |= std::exchange(play_.missed_buttons, u8{0});
  const u8 missed = std::exchange(play_.missed_spell, frame::InputFrame::kKeepSpell);
  if (input.select_spell == frame::InputFrame::kKeepSpell) input.select_spell = missed;
  targets_.step(play_.step, effects_);
  Cast cast;
  const bool released = play_.mage.step(input, config_.spells, effects_, cast);
  around.mage_x = play_.mage.x();
  around.mage_y = play_.mage.y();
  if (released) play_.spells.cast(cast, around);
  play_.spells.move(around);
  seekers_.move(around);
}

void World::look_after() {
  Camera& c = play_.camera;
  c.previous_follow_x = c.follow_x;
  c.previous_follow_y = c.follow_y;
  c.previous_lead_x = c.lead_x;
  c.previous_lead_y = c.lead_y;
  c.follow_x = lerp(c.follow_x, play_.mage.x() * 0.10f, 0.05f);
  c.follow_y = lerp(c.follow_y, play_.mage.y() * 0.10f, 0.05f);
  c.lead_x = lerp(c.lead_x, std::clamp((play_.mage.aim_x() - play_.mage.x()) * 0.06f, -24.0f, 24.0f), 0.05f);
  c.lead_y = lerp(c.lead_y, std::clamp((play_.mage.aim_y() - play_.mage.y()) * 0.06f, -18.0f, 18.0f), 0.05f);
  const Shake shake = effects_.shaken(play_.step);
  c.shake_x = shake.x;
  c.shake_y = shake.y;
}

std::unique_ptr<ScriptedPlayer> World::scripted_player(u64 seed) const {
  return std::make_unique<PlayerOf<Autoplayer, World>>(Autoplayer(seed), *this);
}

std::string World::part_that_differs(const GameWorld& other) const {
  const World& world = static_cast<const World&>(other);
  const Play &a = play_, &b = world.play_;
  if (a.step != b.step) return "step";
  if (a.last_buttons != b.last_buttons) return "last_buttons";
  if (a.dust_carry != b.dust_carry) return "dust_carry";
  if (a.ambient_carry != b.ambient_carry) return "ambient_carry";
  if (a.missed_buttons != b.missed_buttons || a.missed_spell != b.missed_spell || hashes_differ(a.hit_stop, b.hit_stop)) return "hit_stop";
  if (hashes_differ(a.mage, b.mage)) return "mage";
  if (hashes_differ(a.spells, b.spells)) return "spells";
  if (hashes_differ(a.challenge, b.challenge)) return "challenge";
  if (hashes_differ(targets_, world.targets_)) return "targets";
  if (hashes_differ(seekers_, world.seekers_)) return "seekers' next spawn id";
  if (particles_.hash() != world.particles_.hash()) return "particles' next spawn id or origins";
  return {};
}

u64 World::hash() const {
  StateHash h;
  h.add(play_.step).add(config_.seed).add(play_.last_buttons).add(play_.dust_carry).add(play_.ambient_carry);
  play_.mage.add_to(h);
  play_.spells.add_to(h);
  seekers_.add_to(h);
  targets_.add_to(h);
  play_.hit_stop.add_to(h);
  h.add(play_.missed_buttons).add(play_.missed_spell);
  play_.challenge.add_to(h);
  h.add(particles_.hash());
  return h.value();
}

}  // namespace spellpool::sim
