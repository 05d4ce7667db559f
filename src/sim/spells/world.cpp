#include "sim/spells/world.hpp"

#include "sim/core/pool_switch.hpp"
#include "sim/core/world_parts.hpp"
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
      seekers_(choice_of(config, PoolId::Seekers)),
      decals_(config.seed, choice_of(config, PoolId::Decals)) {
  effects_.use(particles_);
  effects_.live_on(console_);
  decals_.live_on(console_);
  bake_all_styles(particles_, effects_, config_);
  add_pool(particle_port(particles_));
  add_pool(seeker_port(seekers_));
  add_pool(wisp_port(targets_));
  add_pool(decal_port(decals_));
}
World::~World() = default;

struct World::State final : WorldState {
  u64 steps() const override { return play.step; }
  std::size_t bytes() const override {
    return sizeof play + sizeof fading + particles.particles.bytes() + targets.wisps.bytes() + seekers.seekers.bytes() +
           decals.decals.bytes() + targets.standing.size() * sizeof(Standing);
  }

  Choices choices;
  ParticleSystem::State particles;
  Effects::Fading fading;
  Targets::State targets;
  Seekers::State seekers;
  Decals::State decals;
  SmallConsole console;
  Play play;
};

std::unique_ptr<WorldState> World::new_state() const { return std::make_unique<State>(); }

/// A row for each part: how it is saved, restored and compared. `differs` tells the part, or a member of it, or "".
struct World::Part {
  std::string_view name;
  void (*save)(const World& world, State& state);
  void (*restore)(World& world, const State& state);
  std::string_view (*differs)(const World& a, const World& b);  ///< Null: it is of looks alone, which no hash has.
};

std::span<const World::Part> World::all_parts() {
  static constexpr std::array kParts = {
      Part{"load", [](const World& w, State& s) { s.choices = choices_of(w.config_); },
           [](World& w, const State& s) { restore_choices(s.choices, w.config_, w.particles_, w.effects_); },
           [](const World& a, const World& b) -> std::string_view {
             const WorldConfig &one = a.config_, &other = b.config_;
             return same_load(one.load, other.load) && one.spells == other.spells && one.arena == other.arena
                        ? ""
                        : "load";
           }},
      Part{"particles", [](const World& w, State& s) { w.particles_.save(s.particles); },
           [](World& w, const State& s) { w.particles_.restore(s.particles); },
           [](const World& a, const World& b) -> std::string_view {
             return a.particles_.hash() == b.particles_.hash() ? "" : "particles";
           }},
      Part{"looks",
           [](const World& w, State& s) {
             s.fading = w.effects_.fading();
             w.decals_.save(s.decals);
           },
           [](World& w, const State& s) {
             w.effects_.restore(s.fading);
             w.decals_.restore(s.decals);
           },
           nullptr},
      Part{"targets", [](const World& w, State& s) { w.targets_.save(s.targets); },
           [](World& w, const State& s) { w.targets_.restore(s.targets); },
           [](const World& a, const World& b) -> std::string_view {
             return hashes_differ(a.targets_, b.targets_) ? "targets" : "";
           }},
      Part{"seekers", [](const World& w, State& s) { w.seekers_.save(s.seekers); },
           [](World& w, const State& s) { w.seekers_.restore(s.seekers); },
           [](const World& a, const World& b) -> std::string_view {
             return hashes_differ(a.seekers_, b.seekers_) ? "seekers" : "";
           }},
      Part{"rules",
           [](const World& w, State& s) {
             s.console.copy(w.console_);
             s.play = w.play_;
           },
           [](World& w, const State& s) {
             w.console_.copy(s.console);
             w.play_ = s.play;
           },
           [](const World& a, const World& b) {
             const std::string_view rules = rules_differ(a.play_, b.play_);
             return rules.empty() && hashes_differ(a.console_, b.console_) ? std::string_view("rules: console") : rules;
           }},
  };
  return kParts;
}

std::span<const std::string_view> World::parts() const {
  static const std::vector<std::string_view> names = names_of_parts(all_parts());
  return names;
}

void World::save(WorldState& into) const {
  for (const Part& part : all_parts()) part.save(*this, static_cast<State&>(into));
}

void World::restore_without(const WorldState& from, std::string_view without) {
  const State& state = static_cast<const State&>(from);
  effects_.begin_step(state.play.step);
  for (const Part& part : all_parts()) {
    if (part.name != without) part.restore(*this, state);
  }
}

void World::apply(const frame::SimCommand& command) {
  if (apply_choice(command, config_, particles_, effects_)) return;
  switch (command.kind) {
    case frame::SimCommandKind::SetMemory:
      return memory_.choose(static_cast<pool::MemorySource>(command.choice));
    case frame::SimCommandKind::SetConsole:
      return console_.choose(static_cast<frame::ConsoleMode>(command.choice));
    case frame::SimCommandKind::SetForgetful:
      return particles_.set_forgetful(command.choice != 0);
    default:
      break;
  }
  // Four systems with the same switches, and no common base.
  if (command.pool == PoolId::Particles) turn_switch(particles_, command);
  if (command.pool == PoolId::Seekers) turn_switch(seekers_, command);
  if (command.pool == PoolId::Wisps) turn_switch(targets_, command);
  if (command.pool == PoolId::Decals) turn_switch(decals_, command);
}

SpellScope World::scope() {
  return {config_.spells,  config_.seed, play_.mage.x(),  play_.mage.y(), effects_, targets_,
          play_.challenge, seekers_,     play_.hit_stop, decals_};
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
  console_.begin_step(play_.step);
  memory_.step.begin_frame();
  fade_steals();
  particles_.report_slots_to(phases != nullptr && phases->wants_slots() ? phases : nullptr);
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
  decals_.step();

  enter(Phase::Collide);
  if (!stands_) {
    play_.spells.collide(around);
    seekers_.collide(around);
  }

  enter(Phase::Despawn);
  seekers_.despawn();
  particles_.despawn();
  decals_.despawn();

  enter(Phase::Spawn);
  seekers_.spawn();
  decals_.spawn();
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
  if (released && console_.take(ConsolePart::Bolt)) play_.spells.cast(cast, around);
  else if (released) fizzle(cast);
  play_.spells.move(around);
  seekers_.move(around);
}

void World::fizzle(const Cast& cast) {
  effects_.burst(ArenaEmitter::Chaff, EmitPlace::at(cast.x, cast.y, cast.direction_turns));
  effects_.sound(frame::SoundId::RuneFade, 0.9f, cast.x, cast.y, 4.0f, 1.0f);
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

std::string_view World::rules_differ(const Play& a, const Play& b) {
  if (a.step != b.step) return "rules: step";
  if (a.last_buttons != b.last_buttons) return "rules: last_buttons";
  if (a.dust_carry != b.dust_carry) return "rules: dust_carry";
  if (a.ambient_carry != b.ambient_carry) return "rules: ambient_carry";
  if (a.missed_buttons != b.missed_buttons || a.missed_spell != b.missed_spell || hashes_differ(a.hit_stop, b.hit_stop))
    return "rules: hit_stop";
  if (hashes_differ(a.mage, b.mage)) return "rules: mage";
  if (hashes_differ(a.spells, b.spells)) return "rules: spells";
  return hashes_differ(a.challenge, b.challenge) ? "rules: challenge" : "";
}

std::string_view World::part_that_differs(const GameWorld& other) const {
  return first_difference(all_parts(), *this, static_cast<const World&>(other));
}

u64 World::hash() const {
  StateHash h;
  h.add(play_.step, config_.seed, play_.last_buttons, play_.dust_carry, play_.ambient_carry);
  play_.mage.add_to(h);
  play_.spells.add_to(h);
  seekers_.add_to(h);
  targets_.add_to(h);
  play_.hit_stop.add_to(h);
  h.add(play_.missed_buttons, play_.missed_spell);
  play_.challenge.add_to(h);
  console_.add_to(h);
  h.add(particles_.hash());
  return h.value();
}

}  // namespace spellpool::sim
