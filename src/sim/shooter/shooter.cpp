#include "sim/shooter/shooter.hpp"

#include "frame/defs/stage_needs.hpp"
#include "sim/core/pool_switch.hpp"
#include "sim/core/world_parts.hpp"
#include "sim/particles/particle_port.hpp"
#include "sim/particles/style_rows.hpp"
#include "sim/shooter/shooter_autoplay.hpp"

namespace spellpool::sim {
namespace {

using frame::EmitterRole;
using frame::Phase;
using frame::PoolId;
using frame::ShooterState;

const PoolChoice& choice_of(const WorldConfig& config, PoolId id) { return config.pools[static_cast<std::size_t>(id)]; }
/// Of a step: the grid of enemies and shots.
constexpr std::size_t kGrid_bytes = 64 * 1024;
/// The row in `now` of the pattern that is `row` in `then`; −1 if it has gone.
i32 same_pattern(const frame::PatternBook& then, i32 row, const frame::PatternBook& now) {
  if (row < 0) return row;
  const std::string& name = then[static_cast<std::size_t>(row)].name;
  const auto at =
      std::find_if(now.begin(), now.end(), [&](const frame::PatternDef& pattern) { return pattern.name == name; });
  return at == now.end() ? -1 : static_cast<i32>(at - now.begin());
}
constexpr u32 kResultRest_steps = 60;  // before a press leaves the result

}  // namespace

ShooterWorld::ShooterWorld(const WorldConfig& config)
    : config_(config),
      memory_(choice_of(config, PoolId::Particles).capacity, kGrid_bytes),
      particles_(config.seed, choice_of(config, PoolId::Particles), &memory_),
      effects_(config.seed),
      next_stage_(config.stage),
      needs_(frame::stage_needs(*config.stage).enemies),
      next_needs_(needs_),
      bullets_(config.seed, choice_of(config, PoolId::Bullets)),
      shots_(choice_of(config, PoolId::Shots)),
      enemies_(choice_of(config, PoolId::Enemies)),
      pickups_(choice_of(config, PoolId::Pickups)),
      texts_(choice_of(config, PoolId::Texts)),
      garden_(config.seed, choice_of(config, PoolId::Chunks)),
      play_{.difficulty = config.difficulty} {
  for (const frame::DifficultyRow& row : frame::kDifficulties) {
    flights_[static_cast<std::size_t>(row.id)] = std::make_shared<FlightTable>(*config.patterns, row.id);
  }
  bullets_.use(*flights_[static_cast<std::size_t>(play_.difficulty)]);
  enemies_.use(*config_.stage);
  effects_.use(particles_);
  bake_all_styles(particles_, effects_, config_);
  make_layer();
  bullets_.objects().live_on(play_.budget);
  shots_.objects().live_on(play_.budget);
  enemies_.objects().live_on(play_.budget);
  pickups_.objects().live_on(play_.budget);
  texts_.objects().live_on(play_.budget);
  add_pool(particle_port(particles_));
  add_pool(bullets_.objects().port());
  add_pool(shots_.objects().port());
  add_pool(enemies_.objects().port());
  add_pool(pickups_.objects().port());
  add_pool(texts_.objects().port());
  add_pool(garden_.objects().port());
}
ShooterWorld::~ShooterWorld() = default;

struct ShooterWorld::State final : WorldState {
  u64 steps() const override { return play.step; }
  std::size_t bytes() const override {
    return sizeof play + sizeof fading + sizeof flower + particles.particles.bytes() + bullets.bullets.objects.bytes() +
           shots.objects.bytes() + enemies.enemies.objects.bytes() + pickups.objects.bytes() + texts.objects.bytes() +
           garden.chunks.objects.bytes();
  }

  Choices choices;
  std::shared_ptr<const frame::PatternBook> patterns;
  std::shared_ptr<const frame::StageDef> stage, next_stage;
  u32 needs = 0, next_needs = 0;
  std::array<std::shared_ptr<const FlightTable>, frame::kDifficultyCount> flights;
  const FlightTable* flown_by = nullptr;  ///< One of these; null: the flower's.
  ParticleSystem::State particles;
  Effects::Fading fading;
  BulletFlower::State flower;
  Bullets::State bullets;
  PooledObjects<Shot>::State shots;
  Enemies::State enemies;
  PooledObjects<Pickup>::State pickups;
  PooledObjects<Text>::State texts;
  Garden::State garden;
  Play play;
};

std::unique_ptr<WorldState> ShooterWorld::new_state() const { return std::make_unique<State>(); }

/// A row for each part: how it is saved, restored and compared. `differs` tells the part, or a member of it, or "".
struct ShooterWorld::Part {
  using W = ShooterWorld;
  std::string_view name;
  void (*save)(const W& world, State& state);
  void (*restore)(W& world, const State& state);
  std::string_view (*differs)(const W& a, const W& b);  ///< Null: it is of looks alone, which no hash has.
};

std::span<const ShooterWorld::Part> ShooterWorld::all_parts() {
  using W = ShooterWorld;
  using Name = std::string_view;
  static constexpr std::array kParts = {
      Part{"load", [](const W& w, State& s) { s.choices = choices_of(w.config_); },
           [](W& w, const State& s) { restore_choices(s.choices, w.config_, w.particles_, w.effects_); },
           [](const W& a, const W& b) -> Name { return same_load(a.config_.load, b.config_.load) ? "" : "load"; }},
      Part{"stage",
           [](const W& w, State& s) {
             s.patterns = w.config_.patterns;
             s.stage = w.config_.stage;
             s.next_stage = w.next_stage_;
             s.needs = w.needs_;
             s.next_needs = w.next_needs_;
             s.flights = w.flights_;
           },
           [](W& w, const State& s) {
             w.config_.patterns = s.patterns;
             w.config_.stage = s.stage;
             w.next_stage_ = s.next_stage;
             w.needs_ = s.needs;
             w.next_needs_ = s.next_needs;
             w.flights_ = s.flights;
           },
           [](const W& a, const W& b) -> Name {
             const bool same = a.config_.patterns == b.config_.patterns && a.config_.stage == b.config_.stage &&
                               a.next_stage_ == b.next_stage_;
             return same ? "" : "stage";
           }},
      Part{
          "particles", [](const W& w, State& s) { w.particles_.save(s.particles); },
          [](W& w, const State& s) { w.particles_.restore(s.particles); },
          [](const W& a, const W& b) -> Name { return a.particles_.hash() == b.particles_.hash() ? "" : "particles"; }},
      Part{"looks", [](const W& w, State& s) { s.fading = w.effects_.fading(); },
           [](W& w, const State& s) { w.effects_.restore(s.fading); }, nullptr},
      Part{"flower", [](const W& w, State& s) { s.flower = w.flower_.state(); },
           [](W& w, const State& s) { w.flower_.restore(s.flower); },
           [](const W& a, const W& b) -> Name { return hashes_differ(a.flower_, b.flower_) ? "flower" : ""; }},
      Part{"bullets",
           [](const W& w, State& s) {
             w.bullets_.save(s.bullets);
             s.flown_by = &w.bullets_.table() == &w.flower_.table() ? nullptr : &w.bullets_.table();
           },
           [](W& w, const State& s) {
             w.bullets_.restore(s.bullets);
             w.bullets_.use(s.flown_by ? *s.flown_by : w.flower_.table());
           },
           [](const W& a, const W& b) -> Name { return hashes_differ(a.bullets_, b.bullets_) ? "bullets" : ""; }},
      Part{"shots", [](const W& w, State& s) { w.shots_.objects().save(s.shots); },
           [](W& w, const State& s) { w.shots_.objects().restore(s.shots); },
           [](const W& a, const W& b) -> Name { return hashes_differ(a.shots_, b.shots_) ? "shots" : ""; }},
      Part{"enemies", [](const W& w, State& s) { w.enemies_.save(s.enemies); },
           [](W& w, const State& s) {
             w.enemies_.restore(s.enemies);
             w.enemies_.use(*w.config_.stage);
           },
           [](const W& a, const W& b) -> Name { return hashes_differ(a.enemies_, b.enemies_) ? "enemies" : ""; }},
      Part{"pickups", [](const W& w, State& s) { w.pickups_.objects().save(s.pickups); },
           [](W& w, const State& s) { w.pickups_.objects().restore(s.pickups); },
           [](const W& a, const W& b) -> Name { return hashes_differ(a.pickups_, b.pickups_) ? "pickups" : ""; }},
      Part{"texts", [](const W& w, State& s) { w.texts_.objects().save(s.texts); },
           [](W& w, const State& s) { w.texts_.objects().restore(s.texts); },
           [](const W& a, const W& b) -> Name { return hashes_differ(a.texts_, b.texts_) ? "texts" : ""; }},
      Part{"garden", [](const W& w, State& s) { w.garden_.save(s.garden); },
           [](W& w, const State& s) { w.garden_.restore(s.garden); },
           [](const W& a, const W& b) -> Name { return hashes_differ(a.garden_, b.garden_) ? "garden" : ""; }},
      Part{"rules", [](const W& w, State& s) { s.play = w.play_; }, [](W& w, const State& s) { w.play_ = s.play; },
           [](const W& a, const W& b) { return rules_differ(a.play_, b.play_); }},
  };
  return kParts;
}

std::span<const std::string_view> ShooterWorld::parts() const {
  static const std::vector<std::string_view> names = names_of_parts(all_parts());
  return names;
}

void ShooterWorld::save(WorldState& into) const {
  for (const Part& part : all_parts()) part.save(*this, static_cast<State&>(into));
}

void ShooterWorld::restore_without(const WorldState& from, std::string_view without) {
  const State& state = static_cast<const State&>(from);
  effects_.begin_step(state.play.step);
  for (const Part& part : all_parts()) {
    if (part.name != without) part.restore(*this, state);
  }
  make_layer();
}

std::string ShooterWorld::refusal(const frame::SimCommand& command) const {
  const u32 holds = enemies_.objects().capacity();
  if (command.kind == frame::SimCommandKind::SetStage) {
    const u32 needs = frame::stage_needs(*command.stage).enemies;
    return needs <= holds ? std::string{}
                          : frame::needs_text(*command.stage, needs) + "; their pool holds " + std::to_string(holds);
  }
  if (command.pool != PoolId::Enemies) return {};
  u32 wanted = holds;
  switch (command.kind) {
    case frame::SimCommandKind::SetPolicy:
      return command.choice == static_cast<u8>(pool::PolicyId::Assert) ? "" : frame::kEnemiesNeverFail;
    case frame::SimCommandKind::SetCapacity: wanted = command.capacity; break;
    case frame::SimCommandKind::Trim:
      wanted = std::min(holds, std::max(1u, enemies_.objects().live() + command.capacity));
      break;
    default: return {};
  }
  if (wanted >= std::max(needs_, next_needs_)) return {};
  return needs_ >= next_needs_ ? frame::needs_text(*config_.stage, needs_)
                               : frame::needs_text(*next_stage_, next_needs_);
}

/// Who fires goes on by the new book, what flies by the old one; the waves are the next start's.
void ShooterWorld::take_stage(const frame::SimCommand& command) {
  for (const frame::DifficultyRow& row : frame::kDifficulties) {
    std::shared_ptr<const FlightTable>& table = flights_[static_cast<std::size_t>(row.id)];
    const auto next = std::make_shared<FlightTable>(*command.patterns, row.id);
    if (table.get() == &bullets_.table()) {
      bullets_.fly_on_by(*next);
      bullets_.use(*next);
    }
    table = next;
  }
  next_stage_ = command.stage;
  next_needs_ = frame::stage_needs(*next_stage_).enemies;
  if (play_.state == ShooterState::Title) {
    open_stage();
  } else {
    frame::StageDef played = *config_.stage;
    const auto follow = [&](i32& pattern) { pattern = same_pattern(*config_.patterns, pattern, *command.patterns); };
    for (frame::WaveDef& wave : played.waves) follow(wave.pattern);
    for (frame::BossDef& boss : played.bosses) {
      for (frame::BossPhase& phase : boss.phases) std::for_each(phase.patterns.begin(), phase.patterns.end(), follow);
    }
    config_.stage = std::make_shared<const frame::StageDef>(std::move(played));
    enemies_.use(*config_.stage);
  }
  config_.patterns = command.patterns;
}

/// Call it only when no enemy of the previous stage is left, or all of them are about to leave.
void ShooterWorld::open_stage() {
  config_.stage = next_stage_;
  needs_ = next_needs_;
  enemies_.use(*config_.stage);
}

void ShooterWorld::apply(const frame::SimCommand& command) {
  if (!refusal(command).empty()) return;
  if (apply_choice(command, config_, particles_, effects_)) return;
  if (command.kind == frame::SimCommandKind::SetStage) return take_stage(command);
  if (command.kind == frame::SimCommandKind::SetMemory)
    return memory_.choose(static_cast<pool::MemorySource>(command.choice));
  if (command.kind == frame::SimCommandKind::SetStress) return want_bullets(command.capacity);
  if (command.kind == frame::SimCommandKind::SetSharing)
    return play_.budget.choose(static_cast<frame::SlotSharing>(command.choice));
  if (command.kind == frame::SimCommandKind::SetCranes)
    return play_.cranes.choose(static_cast<frame::CraneSearch>(command.choice));
  switch (command.pool) {
    case PoolId::Bullets:
      bullets_.apply(command);
      return make_layer();
    case PoolId::Shots:
      shots_.objects().apply(command);
      return make_layer();
    case PoolId::Enemies: return enemies_.objects().apply(command);
    case PoolId::Pickups: return pickups_.objects().apply(command);
    case PoolId::Texts: return texts_.objects().apply(command);
    case PoolId::Chunks: return garden_.objects().apply(command);
    case PoolId::Particles: return turn_switch(particles_, command);
    default: return;
  }
}

void ShooterWorld::make_layer() {
  const auto most = [](const auto& objects) { return std::size_t{std::max(objects.capacity(), objects.live())}; };
  layer_.resize(most(bullets_.objects()) + most(shots_.objects()) + 1);
}

// ------------------------------------------------------------------------------------------------------- rules

void ShooterWorld::clear_field() {
  bullets_.objects().change_each([](Bullet& b) { b.gone = true; });
  enemies_.leave();
  pickups_.objects().change_each([](Pickup& p) { p.gone = true; });
  shots_.objects().change_each([](Shot& s) { s.gone = true; });
}

void ShooterWorld::begin_stage() {
  clear_field();
  open_stage();
  play_.ship.reset();
  bullets_.use(*flights_[static_cast<std::size_t>(play_.difficulty)]);
  play_.state = ShooterState::Playing;
  play_.clock = 0;
  play_.score = 0;
  play_.stage_steps = play_.graze = play_.chain = play_.chain_steps = play_.continues = play_.continue_steps =
      play_.rest_steps = play_.slow_steps = play_.cleared = 0;
  play_.stop_steps = 1;  // the field is empty before anything happens
  effects_.sound(frame::SoundId::ChallengeStart, 0.9f, 0.0f, 0.0f);
}

void ShooterWorld::to_title() {
  play_.rest_steps = play_.stop_steps = play_.slow_steps = 0;
  clear_field();
  play_.ship.reset();
  play_.state = ShooterState::Title;
}

/// Begins the game of "how many bullets?", changes how many there shall be, or with 0 ends it.
void ShooterWorld::want_bullets(u32 count) {
  const bool on = play_.state == ShooterState::Stress;
  if (count == 0) {
    if (on) to_title();
    return;
  }
  flower_.want(count);
  if (on) return;
  clear_field();
  play_.ship.reset();
  bullets_.use(flower_.table());
  play_.state = ShooterState::Stress;
  play_.rest_steps = play_.slow_steps = play_.hits = 0;
  play_.stop_steps = 1;  // bullets of another table are gone before any moves
}

void ShooterWorld::rule(const frame::InputFrame& input, u8 pressed) {
  const bool start = (pressed & frame::kButtonStart) != 0;
  if ((pressed & frame::kButtonChallenge) != 0 && play_.state != ShooterState::Title) return to_title();
  const i8 aside = input.move_x > 64 ? i8{1} : input.move_x < -64 ? i8{-1} : i8{0};
  const i8 moved = aside != play_.aside ? aside : i8{0};
  play_.aside = aside;
  switch (play_.state) {
    case ShooterState::Title:
      play_.difficulty = static_cast<frame::Difficulty>(
          std::clamp(static_cast<int>(play_.difficulty) + moved, 0, static_cast<int>(frame::kDifficultyCount) - 1));
      if (start) begin_stage();
      break;
    case ShooterState::Playing:
      if (play_.ship.out_of_lives()) {
        play_.state = ShooterState::Continue;
        play_.continue_steps = kContinue_steps;
      } else if (enemies_.done(play_.clock) && play_.slow_steps == 0) {
        if (++play_.rest_steps < 2 * kResultRest_steps) break;
        play_.rest_steps = 0;
        win(play_.ship.lives() * 100'000 + play_.ship.bombs() * 20'000, play_.ship.x(), play_.ship.y());
        play_.state = ShooterState::Won;
        effects_.sound(frame::SoundId::StageClear, 1.0f, 0.0f, 0.0f);
      }
      break;
    case ShooterState::Continue:
      if (start) {
        ++play_.continues;
        play_.score = 0;
        play_.chain = 0;
        play_.ship.revive();
        play_.state = ShooterState::Playing;
      } else {
        if (play_.continue_steps % 60 == 0) effects_.sound(frame::SoundId::ContinueTick, 0.8f, 0.0f, 0.0f);
        if (--play_.continue_steps > 0) break;
        play_.state = ShooterState::Lost;
        play_.rest_steps = 0;
      }
      break;
    case ShooterState::Won:
    case ShooterState::Lost:
      if (play_.rest_steps < kResultRest_steps) {
        ++play_.rest_steps;
      } else if (start) {
        to_title();
      }
      break;
    case ShooterState::Stress: break;
  }
}

void ShooterWorld::win(u32 points, float x, float y) {
  play_.score += points;
  texts_.add(points, x, y);
}

void ShooterWorld::count_slots() {
  SlotBudget& budget = play_.budget;
  if (!budget.on()) return;
  budget.note(PoolId::Particles, particles_.stats().live);
  budget.note(PoolId::Bullets, bullets_.objects().live());
  budget.note(PoolId::Shots, shots_.objects().live());
  budget.note(PoolId::Enemies, enemies_.objects().live());
  budget.note(PoolId::Pickups, pickups_.objects().live());
  budget.note(PoolId::Texts, texts_.objects().live());
}

void ShooterWorld::step(const frame::InputFrame& input, std::span<const frame::SimCommand> commands,
                        frame::PhaseSink* phases, std::optional<frame::Amount> shown) {
  const FloatControlScope float_control;
  const auto enter = [&](Phase phase) {
    if (phases) phases->enter(phase);
  };
  enter(Phase::Update);
  effects_.begin_step(play_.step);
  for (const frame::SimCommand& command : commands) apply(command);
  memory_.step.begin_frame();
  fade_steals();
  particles_.report_slots_to(phases != nullptr && phases->wants_slots() ? phases : nullptr);
  const u8 pressed = static_cast<u8>(input.buttons & ~play_.last_buttons);
  play_.last_buttons = input.buttons;
  rule(input, pressed);
  play_.budget.begin_step(play_.step, play_.state != ShooterState::Stress);
  count_slots();

  const bool stopped = play_.stop_steps > 0 || (play_.slow_steps > 0 && play_.step % 3 != 0);
  play_.stop_steps -= play_.stop_steps > 0;
  play_.slow_steps -= play_.slow_steps > 0;
  const bool plays = play_.state == ShooterState::Playing, runs = plays && !stopped;
  const bool blooms = play_.state == ShooterState::Stress && !stopped;
  const bool flies = runs || blooms || play_.state == ShooterState::Title;
  garden_.step(!stopped);
  if (flies) play_.ship.step(input, plays, shots_, enemies_, effects_);
  else play_.ship.stand();
  if (runs) {
    if (enemies_.boss_due(play_.clock)) effects_.sound(frame::SoundId::BossAppear, 1.0f, 0.0f, -200.0f);
    enemies_.arrive(play_.clock);
    if (!enemies_.boss().there) ++play_.clock;
    ++play_.stage_steps;
    if (play_.chain_steps > 0 && --play_.chain_steps == 0) play_.chain = 0;
  }
  cranes_.begin_step(play_.cranes, play_.step, play_.stage_steps);
  enemies_.move(bullets_, runs, cranes_, play_.cranes);
  bullets_.move(play_.ship.place(), runs || blooms);
  shots_.move(enemies_, runs);
  pickups_.step(play_.ship, runs, [&](frame::PickupKind kind, float x, float y) {
    play_.ship.take(kind);
    win(kind == frame::PickupKind::Star ? 50 * multiplier() : 500, x, y);
    effects_.burst(6, EmitterRole::Heal, EmitPlace::at(x, y), kind == frame::PickupKind::Star ? 0.12f : 0.6f);
    effects_.sound(kind == frame::PickupKind::Power ? frame::SoundId::PowerUp : frame::SoundId::Pickup, 1.0f, x, y,
                   0.0f, 1.0f);
  });
  texts_.step();
  effects_.run(ArenaEmitter::Dust, play_.dust_carry, EmitPlace::at(0.0f, 0.0f));
  if (config_.load.churn > 0) effects_.run(ArenaEmitter::Ambient, play_.churn_carry, EmitPlace::at(0.0f, 0.0f));
  particles_.update(play_.step, effects_.attractors(), shown);

  enter(Phase::Collide);
  if (runs) {
    bomb_clears();
    meet_bullets();
    meet_enemies();
    phase_ends();
    if (const u32 lost = play_.ship.take_losses(); lost > 0) {
      play_.chain = play_.chain_steps = 0;
      turn_bullets_into_stars(play_.ship.x(), play_.ship.y(), 150.0f);
      effects_.sound(frame::SoundId::ShipLost, 1.0f, play_.ship.x(), play_.ship.y());
    }
  }

  if (blooms) meet_flower();

  enter(Phase::Despawn);
  const u32 flew = bullets_.objects().live();
  if (blooms) flower_.thin(bullets_, play_.step);
  bullets_.despawn();
  shots_.despawn();
  enemies_.despawn();
  pickups_.despawn();
  texts_.despawn();
  garden_.despawn();
  particles_.despawn();

  enter(Phase::Spawn);
  count_slots();
  // Where slots are few, what was asked for first gets them first: the sparks of this step's blows, before the
  // enemies that come.
  const bool sparks_first = play_.budget.on();
  if (sparks_first) {
    const u64 refused = particles_.stats().rejected;
    particles_.spawn(effects_.requests(), play_.budget.room(PoolId::Particles));
    play_.budget.refuse(PoolId::Particles, particles_.stats().rejected - refused);
    play_.budget.note(PoolId::Particles, particles_.stats().live);
  }
  enemies_.spawn();
  bullets_.spawn(play_.ship.place());
  for (const LaserCue& cue : bullets_.laser_cues())
    effects_.sound(cue.burns ? frame::SoundId::LaserBurn : frame::SoundId::LaserWarn, 0.8f, cue.x, cue.y);
  if (blooms) flower_.open(bullets_, flew - bullets_.objects().live(), play_.step);
  shots_.spawn();
  pickups_.spawn();
  garden_.spawn();
  if (!sparks_first) particles_.spawn(effects_.requests());
  effects_.end_step();
  play_.shake = effects_.shaken(play_.step);
  ++play_.step;
  if (phases) phases->leave();
}

// ------------------------------------------------------------------------------------------------------- who meets whom

void ShooterWorld::turn_bullets_into_stars(float x, float y, float radius) {
  bullets_.clear_within(x, y, radius, [&](float at_x, float at_y, u64) {
    // Every sixth becomes a star; all leave a glint.
    effects_.burst(ArenaEmitter::CrystalMend, EmitPlace::at(at_x, at_y), 0.05f);
    if (play_.cleared++ % 6 == 0) pickups_.ask(frame::PickupKind::Star, at_x, at_y, true);
    play_.score += 10;
  });
}

void ShooterWorld::bomb_clears() {
  if (!play_.ship.bombing()) return;
  turn_bullets_into_stars(play_.ship.bomb_x(), play_.ship.bomb_y(), play_.ship.bomb_radius());
  if (play_.step % 6 != 0) return;
  for (const auto& entry : enemies_.objects().list()) {
    const auto held = enemies_.objects().peek(entry.handle);
    const Enemy enemy = *held;
    const float dx = enemy.x - play_.ship.bomb_x(), dy = enemy.y - play_.ship.bomb_y();
    if (enemy.gone || enemy.y < -frame::kFieldHalfHeight ||
        dx * dx + dy * dy > play_.ship.bomb_radius() * play_.ship.bomb_radius())
      continue;
    if (enemies_.hurt(entry.handle, enemy.part == EnemyPart::Whole ? 6.0f : 8.0f) && enemy.part == EnemyPart::Whole)
      enemy_falls(enemy);
  }
}

void ShooterWorld::meet_bullets() {
  for (const BulletMeeting& meeting : bullets_.meetings()) {
    if (!play_.ship.there()) return;
    if (!meeting.hit) {
      bullets_.graze(meeting.bullet);
      ++play_.graze;
      play_.score += 25 * multiplier();
      if (play_.chain > 0) play_.chain_steps = std::min(kChain_steps, play_.chain_steps + 6);
      effects_.burst(ArenaEmitter::CrystalSpark, EmitPlace::at(play_.ship.x(), play_.ship.y()), 0.08f);
      effects_.sound(frame::SoundId::Graze, 1.0f, play_.ship.x(), play_.ship.y(), 2.0f, 2.0f);
    } else if (play_.ship.strike(effects_)) {
      bullets_.end(meeting.bullet);
      play_.stop_steps = kHitStop_steps;
    }
  }
}

/// Nothing hurts the ship: what meets it ends in a spark, and is counted.
void ShooterWorld::meet_flower() {
  for (const BulletMeeting& meeting : bullets_.meetings()) {
    if (!meeting.hit) continue;
    bullets_.end(meeting.bullet);
    ++play_.hits;
    effects_.burst(ArenaEmitter::CrystalSpark, EmitPlace::at(play_.ship.x(), play_.ship.y()), 0.08f);
  }
}

void ShooterWorld::meet_enemies() {
  shots_.collide(enemies_, memory_.step, [&](const Shot& shot, Handle<Enemy> handle) { strike_enemy(shot, handle); });
  if (!play_.ship.there() || play_.ship.safe()) return;
  for (const auto& entry : enemies_.objects().list()) {
    const auto held = enemies_.objects().peek(entry.handle);
    const Enemy& enemy = *held;
    if (enemy.gone || enemy.there < 1.0f) continue;
    const float reach = 0.7f * frame::row(enemy.kind).radius + Ship::kBodyRadius * 0.5f;
    const float dx = enemy.x - play_.ship.x(), dy = enemy.y - play_.ship.y();
    if (dx * dx + dy * dy > reach * reach) continue;
    if (play_.ship.strike(effects_)) play_.stop_steps = kHitStop_steps;
    return;
  }
}

void ShooterWorld::strike_enemy(const Shot& shot, Handle<Enemy> handle) {
  const auto held = enemies_.objects().peek(handle);
  if (!held || (*held).gone) return;
  const Enemy enemy = *held;
  play_.score += 5;
  effects_.sound(frame::SoundId::EnemyHit, 0.7f, shot.x, shot.y, 0.0f, 1.0f);
  effects_.burst(ArenaEmitter::CrystalSpark, EmitPlace::at(shot.x, shot.y, 0.25f), 0.08f);
  if (!enemies_.hurt(handle, shot.damage)) return;
  if (enemy.part == EnemyPart::Whole) enemy_falls(enemy);
}

void ShooterWorld::enemy_falls(const Enemy& enemy) {
  const frame::EnemyKindRow& kind = frame::row(enemy.kind);
  ++play_.chain;
  play_.chain_steps = kChain_steps;
  win(kind.points * multiplier(), enemy.x, enemy.y);
  effects_.burst(kind.spell, EmitterRole::Burst, EmitPlace::at(enemy.x, enemy.y),
                 std::min(1.0f, 0.25f + kind.radius * 0.015f));
  effects_.burst(0, EmitterRole::Embers, EmitPlace::at(enemy.x, enemy.y), 0.5f);
  effects_.flash(enemy.x, enemy.y, 70.0f + 4.0f * kind.radius, 1.0f, 0.7f, 0.4f, 0.35f);
  effects_.sound(frame::SoundId::EnemyPop, 0.75f + 0.015f * kind.radius, enemy.x, enemy.y, 0.0f, 2.0f);
  if (kind.radius > 22.0f) {
    effects_.shake(0.3f);
    play_.stop_steps = std::max(play_.stop_steps, 2u);
  }
  const frame::WaveDef& wave = config_.stage->waves[enemy.wave];
  if (wave.drops != frame::PickupKind::None && (enemy.ordinal + 1u) % wave.drop_every == 0)
    pickups_.ask(wave.drops, enemy.x, enemy.y);
}

void ShooterWorld::phase_ends() {
  if (!enemies_.phase_over()) return;
  const BossFight before = enemies_.boss();
  const bool beaten = before.health <= 0.0f;
  float x = before.from_x, y = before.from_y;
  if (const auto heart = enemies_.objects().peek(before.heart)) {
    x = (*heart).x;
    y = (*heart).y;
  }
  const frame::BossDef& def = config_.stage->bosses[before.boss];
  if (beaten)
    win((frame::row(def.kind).points + 10 * static_cast<u32>(enemies_.phase_left_s() * 60.0f)) * multiplier(), x, y);
  turn_bullets_into_stars(x, y, 2000.0f);
  effects_.burst(4, EmitterRole::Burst, EmitPlace::at(x, y), 0.8f);
  effects_.burst(7, EmitterRole::Burst, EmitPlace::at(x, y), 2.0f);
  effects_.sound(frame::SoundId::PhaseClear, 1.0f, x, y);
  play_.stop_steps = kHitStop_steps;
  if (enemies_.end_phase(effects_)) {
    play_.slow_steps = kSlow_steps;
    effects_.burst(4, EmitterRole::Ring, EmitPlace::at(x, y), 2.0f);
    effects_.burst(2, EmitterRole::Burst, EmitPlace::at(x, y), 3.0f);
    effects_.sound(frame::SoundId::Finale, 0.9f, x, y);
  }
}

std::string_view ShooterWorld::rules_differ(const Play& a, const Play& b) {
  if (a.step != b.step) return "rules: step";
  if (a.state != b.state || a.clock != b.clock || a.stage_steps != b.stage_steps) return "rules: the stage's clock";
  if (a.score != b.score || a.graze != b.graze || a.chain != b.chain || a.chain_steps != b.chain_steps)
    return "rules: score";
  if (hashes_differ(a.ship, b.ship)) return "rules: ship";
  if (hashes_differ(a.budget, b.budget)) return "rules: slots";
  if (hashes_differ(a.cranes, b.cranes)) return "rules: cranes";
  const auto counters = [](const Play& p) {
    return std::tuple(p.difficulty, p.last_buttons, p.aside, p.continues, p.continue_steps, p.rest_steps, p.stop_steps,
                      p.slow_steps, p.cleared, p.hits, p.dust_carry, p.churn_carry);
  };
  return counters(a) == counters(b) ? "" : "rules: counters of the stage";
}

std::string_view ShooterWorld::part_that_differs(const GameWorld& other) const {
  return first_difference(all_parts(), *this, static_cast<const ShooterWorld&>(other));
}

u64 ShooterWorld::hash() const {
  StateHash h;
  h.add(play_.step, config_.seed, play_.difficulty, play_.aside, play_.state, play_.last_buttons, play_.clock,
        play_.score, play_.stage_steps, play_.graze);
  h.add(play_.chain, play_.chain_steps, play_.continues, play_.continue_steps, play_.rest_steps,
        play_.stop_steps, play_.slow_steps, play_.cleared);
  h.add(play_.dust_carry);
  if (config_.load.churn > 0) h.add(play_.churn_carry);
  if (play_.state == ShooterState::Stress) {
    flower_.add_to(h);
    h.add(play_.hits);
  }
  play_.ship.add_to(h);
  play_.budget.add_to(h);
  play_.cranes.add_to(h);
  bullets_.add_to(h);
  shots_.add_to(h);
  enemies_.add_to(h);
  pickups_.add_to(h);
  texts_.add_to(h);
  garden_.add_to(h);
  h.add(particles_.hash());
  return h.value();
}

std::unique_ptr<ScriptedPlayer> ShooterWorld::scripted_player(u64) const {
  return std::make_unique<PlayerOf<ShooterAutoplayer, ShooterWorld>>(ShooterAutoplayer{}, *this);
}

const frame::ShooterView* ShooterWorld::shooter_view() const {
  frame::ShooterView& v = view_;
  v = {};
  v.state = play_.state;
  v.difficulty = play_.difficulty;
  v.stage_title = config_.stage->title;
  v.stage_s = static_cast<float>(play_.stage_steps) * kStep_s;
  v.score = play_.score;
  v.lives = play_.ship.lives();
  v.bombs = play_.ship.bombs();
  v.continues = play_.continues;
  v.graze = play_.graze;
  v.chain = play_.chain;
  v.chain_left = static_cast<float>(play_.chain_steps) / static_cast<float>(kChain_steps);
  v.power = play_.ship.power();
  v.magnet_left = play_.ship.magnet_left();
  v.shield = play_.ship.shield();
  v.focus = play_.ship.focus();
  v.bullets = bullets_.objects().live();
  const BossFight& boss = enemies_.boss();
  if (boss.there) {
    const frame::BossDef& def = config_.stage->bosses[boss.boss];
    v.boss_title = def.title;
    v.phase_title = def.phases[boss.phase].title;
    v.boss_health = std::max(0.0f, boss.health / boss.full);
    v.phases_left = static_cast<u32>(def.phases.size()) - boss.phase - 1;
    v.phase_left_s = enemies_.phase_left_s();
  }
  v.continue_s = static_cast<float>(play_.continue_steps) * kStep_s;
  v.texts = {shown_texts_.data(), texts_.show(shown_texts_)};
  if (play_.cranes.on()) {
    std::size_t count = 0;
    for (const auto& entry : enemies_.objects().list()) {
      const auto held = enemies_.objects().peek(entry.handle);
      if ((*held).way != CraneWay::Unknown || count == lost_cranes_.size()) continue;
      lost_cranes_[count++] = {(*held).x, (*held).y};
    }
    v.lost_cranes = {lost_cranes_.data(), count};
  }
  if (garden_by_slot_) v.garden = snapshot_.garden;
  return &v;
}

}  // namespace spellpool::sim
