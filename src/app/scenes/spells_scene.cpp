// The scene "spells": a mage with eight spells and a challenge of 60 seconds.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "app/attempt.hpp"
#include "app/play/hud.hpp"
#include "app/scenes/scenes.hpp"
#include "app/shell/input_latch.hpp"
#include "app/shell/persistence.hpp"
#include "core/fixed_step.hpp"
#include "sim/spells/showcase.hpp"
#include "sim/spells/world.hpp"

namespace spellpool::app {
namespace {

using Json = nlohmann::ordered_json;
using Phase = frame::ChallengeView::Phase;

constexpr u64 kRetryChallenge_steps = 10 * kStepsPerSecond;

const sim::World& spells_of(const sim::GameWorld& world) { return *world.spells_world(); }

class SpellsPlay final : public ScenePlay {
 public:
  void begin(const sim::GameWorld& world, InputLatch& latch) override {
    turn_back(world, latch);
    pending_ = false;
    fizzle_seen_ = spells_of(world).console().last_fizzle().step;
  }
  void turn_back(const sim::GameWorld& world, InputLatch& latch) override {
    latch.follow_spell(spells_of(world).selected_spell());
    const frame::ChallengeView challenge = spells_of(world).challenge().view();
    phase_ = challenge.phase;
    finished_ = challenge.finished;
  }
  void map_input(const platform::FrameEvents&, const SceneContext& context,
                 frame::InputFrame& input) override {
    if (context.hud.settings.looks.motion != frame::Amount::Full) input.buttons |= frame::kButtonNoHitStop;
  }
  void step_done(const sim::GameWorld& world, InputLatch& latch) override {
    latch.follow_spell(spells_of(world).selected_spell());
  }
  bool perform(frame::Action action, SceneContext& context) override {
    if (action != frame::Action::Challenge) return false;
    context.hud.scores_open = false;
    // While the last round's sparks settle the next one waits for its turn.
    if (phase_ == Phase::Over) pending_ = !pending_;
    else context.latch.pressed.challenge = true;
    return true;
  }
  void watch(SceneContext& context) override {
    watch_challenge(context);
    watch_console(context);
  }
  void retry() override { pending_ = false; }

 private:
  /// A challenge that the player began and ended goes into the table as soon as its time is up; a few seconds
  /// later its sheet opens.
  void watch_challenge(SceneContext& context) {
    HudState& hud = context.hud;
    Attempt& attempt = context.attempt;
    const frame::ChallengeView challenge = spells_of(context.world).challenge().view();
    const Phase before = std::exchange(phase_, challenge.phase);
    if (challenge.phase == Phase::Countdown && before != Phase::Countdown)
      attempt.begin(context.world.steps());
    if (hud.title.shown || context.scripted) attempt.hand_over();
    if (challenge.phase == Phase::Over && before != Phase::Over && attempt.played()) {
      attempt.lost_at = context.world.steps();
      if (attempt.by_hand) keep_score(challenge.result, context);
      else hud.new_score = frame::kMostHighScores;
    }
    if (pending_ && challenge.phase == Phase::Free) {
      pending_ = false;
      context.latch.pressed.challenge = true;
    }
    if (challenge.finished == finished_) return;
    finished_ = challenge.finished;
    hud.scores_open = hud.scores_open || (attempt.played() && !context.latch.pressed.challenge);
  }
  static void keep_score(const frame::ChallengeResult& result, SceneContext& context) {
    HudState& hud = context.hud;
    hud.new_score = frame::insert_score(hud.high_scores, {result, time_stamp().substr(0, 10), context.seed});
    context.scores_changed = hud.new_score != frame::kMostHighScores;
  }
  /// A spell got no memory.
  void watch_console(SceneContext& context) {
    const sim::World& world = spells_of(context.world);
    if (!world.console().on()) return;
    const sim::ConsoleRefusal& last = world.console().last_fizzle();
    if (last.step <= std::exchange(fizzle_seen_, last.step)) return;  // earlier: time was turned back
    const auto bytes = [](u32 count) {
      return count < 1024 ? fmt::format("{} B", count) : fmt::format("{:.1f} KiB", count / 1024.0);
    };
    const auto toggle = static_cast<std::size_t>(frame::Action::ToggleStrategy);
    context.hud.show_alert(
        frame::AlertView::Tone::Bad, "The spell fizzled",
        "{} free, largest hole {}, {} wanted. {}: to the pools",
        bytes(last.free_bytes), bytes(last.largest_bytes), bytes(last.wanted_bytes),
        context.hud.settings.bindings[toggle].key);
  }

  Phase phase_ = Phase::Free;
  u32 finished_ = 0;       // challenges that have been looked at
  bool pending_ = false;   // begin one as soon as the last is over
  u64 fizzle_seen_ = 0;    // the step in which the last spell without memory fizzled
};

/// The heap of 12 KiB that all spells share.
Json console_json(const sim::SmallConsole& console) {
  const sim::ConsoleRefusal& last = console.last_fizzle();
  Json json = {{"mode", frame::kConsoleModes[static_cast<std::size_t>(console.mode())].name},
               {"bytes", sim::SmallConsole::kBytes},
               {"free_bytes", console.free_bytes()},
               {"largest_bytes", console.largest_bytes()},
               {"fizzled", console.fizzled()}};
  for (const sim::ConsolePartRow& part : sim::kConsoleParts) {
    json["refused"][std::string(part.name)] = console.refused(part.id);
  }
  if (last.step > 0) {
    json["last"] = {{"step", last.step},
                    {"wanted_bytes", last.wanted_bytes},
                    {"free_bytes", last.free_bytes},
                    {"largest_bytes", last.largest_bytes}};
  }
  return json;
}

class SpellsScene final : public SceneHooks {
 public:
  std::unique_ptr<ScenePlay> new_play() const override { return std::make_unique<SpellsPlay>(); }
  frame::Scenes keys() const override { return frame::Scenes::Spells; }
  std::optional<frame::TitleItem> title_item() const override { return frame::TitleItem::Arena; }
  bool has_spells() const override { return true; }

  render::Point stick_origin(const sim::GameWorld& world) const override {
    return {spells_of(world).mage_x(), spells_of(world).mage_y()};
  }
  bool in_progress(const sim::GameWorld& world) const override {
    return spells_of(world).challenge().view().phase != Phase::Free;
  }
  std::optional<u64> retry_steps(const sim::GameWorld&, const HudState& hud) const override {
    return hud.scores_open ? std::optional(kRetryChallenge_steps) : std::nullopt;
  }
  void show(const sim::GameWorld& game, const HudState& hud, frame::PanelModel& m) const override {
    const sim::World& world = spells_of(game);
    for (std::size_t i = 0; i < frame::kSpellCount; ++i) {
      const frame::SpellDef& spell = *world.spells()[i];
      m.spell_titles[i] = spell.title;
      m.spell_colours[i] = {spell.colour_r, spell.colour_g, spell.colour_b};
      m.spells[i] = &spell;
      m.filed[i] = hud.filed[i].get();
      m.cooldowns[i] = world.cooldown(static_cast<u8>(i));
    }
    m.selected_spell = world.selected_spell();
    m.cooldown = m.cooldowns[m.selected_spell];
    m.charge = world.charge();
    m.challenge = world.challenge().view();
    m.combo = world.challenge().combo();
    m.hit_numbers = world.hit_numbers();
  }
  void complete(const sim::GameWorld& world, sim::WorldConfig& config) const override {
    config.spells = spells_of(world).spells();
    config.arena = spells_of(world).config().arena;
  }
  bool in_finale(const sim::GameWorld& world) const override {
    return spells_of(world).challenge().in_finale();
  }
  void describe(const sim::GameWorld& world, Json& json) const override;
  void show_score(const sim::GameWorld& world, u64 seed, HudState& hud) const override {
    const frame::ChallengeView challenge = spells_of(world).challenge().view();
    if (!hud.scores_open || challenge.finished == 0 || !hud.high_scores.rows.empty()) return;
    hud.new_score = frame::insert_score(hud.high_scores, {challenge.result, "", seed});
  }
  const sim::SmallConsole* console(const sim::GameWorld& world) const override {
    const sim::World* const spells = world.spells_world();
    return spells ? &spells->console() : nullptr;
  }
  bool forgetful(const sim::GameWorld& world) const override {
    return spells_of(world).particles().forgetful();
  }
  bool drop_one_particle(sim::GameWorld& world) const override;
  std::unique_ptr<sim::ScriptedPlayer> showcase_player(const sim::GameWorld& world, u8 spell) const override {
    return std::make_unique<sim::PlayerOf<sim::Showcase, sim::World>>(sim::Showcase(spell), spells_of(world));
  }
  std::optional<u8> selected_spell(const sim::GameWorld& world) const override {
    return spells_of(world).selected_spell();
  }
  Buttons duet_buttons(const sim::GameWorld&, const platform::FrameEvents& events, bool&) const override {
    Buttons buttons;
    if (events.rapid_held) buttons.held = frame::kButtonRapid;
    if (events.rapid_pressed) buttons.pressed = frame::kButtonRapid;
    return buttons;
  }
  bool make_figures(render::Renderer& renderer) const override { return renderer.ready_arena(); }
  void begin_ground(render::Renderer& renderer) const override { renderer.begin_ground({}); }
  float music_intensity(const sim::GameWorld& world) const override {
    return spells_of(world).challenge().view().phase == Phase::Running ? 1.0f : 0.0f;
  }
};

/// The one born first, so that every strategy loses the same.
bool SpellsScene::drop_one_particle(sim::GameWorld& world) const {
  sim::ParticleSystem& particles = world.spells_world()->particles();
  u64 first = ~u64{0};
  sim::ParticleHandle oldest{};
  particles.look_at_each([&](sim::ParticleHandle handle, const sim::Particle& particle) {
    if (particle.spawn_id >= first) return;
    first = particle.spawn_id;
    oldest = handle;
  });
  return first != ~u64{0} && particles.pool().release(oldest) == pool::ReleaseResult::Released;
}

void SpellsScene::describe(const sim::GameWorld& game, Json& json) const {
  const sim::World& world = spells_of(game);
  for (u8 i = 0; i < frame::kSpellCount; ++i) {
    const sim::Mage::CastCount count = world.casts(i);
    json["casts"][std::string(frame::kSpellFiles[i])] = {{"casts", count.casts}, {"charged", count.charged}};
  }
  if (world.console().on()) json["console"] = console_json(world.console());
  const frame::ChallengeView challenge = world.challenge().view();
  json["challenge"] = {{"finished", challenge.finished},
                       {"score", challenge.result.score},
                       {"hits", challenge.result.hits},
                       {"best_combo", challenge.result.best_combo},
                       {"finales", challenge.result.finales},
                       {"runes", challenge.runes}};
}

}  // namespace

const SceneHooks& spells_scene() {
  static const SpellsScene scene;
  return scene;
}

}  // namespace spellpool::app
