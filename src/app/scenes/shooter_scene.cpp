// The scene "shooter": a ship, waves, bosses, and a table of scores for each difficulty.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/attempt.hpp"
#include "app/play/hud.hpp"
#include "app/replay/replay_marks.hpp"
#include "app/scenes/scenes.hpp"
#include "app/shell/input_latch.hpp"
#include "app/shell/persistence.hpp"
#include "core/fixed_step.hpp"
#include "measure/record/number_text.hpp"
#include "render/renderer.hpp"
#include "sim/shooter/crane_guide.hpp"
#include "sim/shooter/slot_budget.hpp"

namespace spellpool::app {
namespace {

using Json = nlohmann::ordered_json;
using frame::ShooterState;
using frame::ShooterView;

constexpr std::array kShooterStates = {"title", "playing", "continue", "won", "lost", "stress"};
static_assert(kShooterStates.size() == static_cast<std::size_t>(ShooterState::Stress) + 1);

constexpr u64 kRetryShooter_steps = 5 * kStepsPerSecond;

std::string grouped(u64 number) { return measure::grouped_text(static_cast<double>(number), 0); }

const ShooterView& view_of(const sim::GameWorld& world) { return *world.shooter_view(); }

frame::ShooterScore score_of(const ShooterView& view, std::string date) {
  return {view.score, view.graze, static_cast<u32>(view.stage_s), view.continues, std::move(date)};
}

bool is_over(ShooterState state) { return state == ShooterState::Won || state == ShooterState::Lost; }

class ShooterPlay final : public ScenePlay {
 public:
  void begin(const sim::GameWorld& world, InputLatch&) override {
    state_ = view_of(world).state;
    difficulty_shown_ = view_of(world).difficulty;
    follows_mouse_ = false;
    wanted_.reset();
    const sim::SlotBudget* const budget = world.slot_budget();
    loss_seen_ = budget != nullptr ? budget->last_loss().step : 0;
    const sim::CraneRules* const cranes = world.crane_rules();
    search_seen_ = cranes != nullptr ? cranes->last_step : 0;
  }
  void turn_back(const sim::GameWorld& world, InputLatch&) override { state_ = view_of(world).state; }
  void map_input(const platform::FrameEvents& events, const SceneContext& context,
                 frame::InputFrame& input) override;
  bool takes_start(const platform::FrameEvents& events, SceneContext& context) override;
  bool perform(frame::Action action, SceneContext& context) override {
    InputLatch::Presses& pressed = context.latch.pressed;
    if (action == frame::Action::Challenge) pressed.challenge = true;  // back to its title
    else if (action == frame::Action::Bomb) pressed.bomb = true;
    else return false;
    return true;
  }
  void choose_difficulty(frame::Difficulty difficulty) override { wanted_ = difficulty; }
  void watch(SceneContext& context) override {
    watch_stage(context);
    watch_slots(context);
    watch_cranes(context);
    const ShooterView& view = view_of(context.world);
    const bool chosen = std::exchange(difficulty_shown_, view.difficulty) != view.difficulty;
    if (chosen && view.state == ShooterState::Title && !context.scripted)
      context.sound = frame::PanelSound::Move;
  }

 private:
  void watch_stage(SceneContext& context);
  /// A wave loses an enemy.
  void watch_slots(SceneContext& context) {
    const sim::SlotBudget* budget = context.world.slot_budget();
    if (budget == nullptr || !budget->on()) return;
    const sim::SlotBudget::Loss& last = budget->last_loss();
    if (last.step <= std::exchange(loss_seen_, last.step)) return;  // earlier: time was turned back
    context.hud.show_alert(
        frame::AlertView::Tone::Bad, "No slot for an enemy",
        "{} slots are taken, {} by particles. Enemies missing so far: {}", grouped(last.taken),
        grouped(last.sparks), grouped(budget->refused(frame::PoolId::Enemies)));
  }

  /// A crane got no memory to search its way.
  void watch_cranes(SceneContext& context) {
    const sim::CraneRules* cranes = context.world.crane_rules();
    if (cranes == nullptr || cranes->mode != frame::CraneSearch::Null) return;
    if (cranes->last_step <= std::exchange(search_seen_, cranes->last_step)) return;
    context.hud.show_alert(frame::AlertView::Tone::Bad, "A crane finds no way",
                           "nullptr: {} B wanted, {} of {} B free. Searches that ended so: {}",
                           grouped(cranes->last_wanted_bytes), grouped(cranes->last_free_bytes),
                           grouped(sim::CraneGuide::kArena_bytes), grouped(cranes->ended));
  }

  ShooterState state_{};
  frame::Difficulty difficulty_shown_{};
  bool follows_mouse_ = false;
  bool press_aside_ = false;                 // in the last step, towards wanted_
  std::optional<frame::Difficulty> wanted_;  // clicked on the shooter's title
  u64 loss_seen_ = 0;                        // the step in which an enemy got no slot
  u64 search_seen_ = 0;                      // the step in which a crane got no memory
};

/// The ship follows the mouse from when the player moves it until a key or a stick says where to fly.
void ShooterPlay::map_input(const platform::FrameEvents& events, const SceneContext& context,
                            frame::InputFrame& input) {
  const ShooterView& view = view_of(context.world);
  if (input.move_x != 0 || input.move_y != 0) follows_mouse_ = false;
  else if (events.mouse_travelled) follows_mouse_ = true;
  u32 buttons = input.buttons & ~u32{frame::kButtonRapid};
  if (events.focus_held || events.rapid_held) buttons |= frame::kButtonFocus;
  if (context.latch.pressed.bomb) buttons |= frame::kButtonBomb;
  if (follows_mouse_) buttons |= frame::kButtonFollow;
  if (view.state != ShooterState::Playing) {
    if (context.latch.pressed.cast) buttons |= frame::kButtonStart;
    // A click on the title chooses a difficulty: to the world that is so many presses to the side.
    if (view.state != ShooterState::Title || wanted_ == view.difficulty) wanted_.reset();
    if (wanted_) {
      press_aside_ = !press_aside_;
      input.move_x = static_cast<i8>(!press_aside_ ? 0 : *wanted_ > view.difficulty ? 127 : -127);
    }
  }
  input.buttons = static_cast<u8>(buttons);
}

/// Between the stages Enter and a gamepad's Start go on as the fire button does; it also ends a pause there,
/// which nothing shows.
bool ShooterPlay::takes_start(const platform::FrameEvents& events, SceneContext& context) {
  const ShooterState state = view_of(context.world).state;
  if (state == ShooterState::Playing) return false;
  const bool counts_down = state == ShooterState::Continue;
  const bool begins = events.start_pressed && !(counts_down && context.hud.paused);
  context.latch.pressed.cast = context.latch.pressed.cast || begins;
  if ((events.cast_pressed || begins) && !counts_down) context.hud.paused = false;
  return begins;
}

/// A stage that the player ended goes into its difficulty's table.
void ShooterPlay::watch_stage(SceneContext& context) {
  const ShooterView& view = view_of(context.world);
  const ShooterState before = std::exchange(state_, view.state);
  HudState& hud = context.hud;
  Attempt& attempt = context.attempt;
  if (before == ShooterState::Title && view.state == ShooterState::Playing)
    attempt.begin(context.world.steps());
  if (hud.title.shown || context.scripted) attempt.hand_over();
  const bool lost = view.state == ShooterState::Continue || view.state == ShooterState::Lost;
  if (lost && before == ShooterState::Playing && attempt.played()) attempt.lost_at = context.world.steps();
  if (!is_over(view.state)) {
    hud.new_score = frame::kMostHighScores;
    return;
  }
  if (is_over(before) || !attempt.by_hand) return;
  auto& table = hud.high_scores.shooter[static_cast<std::size_t>(view.difficulty)];
  hud.new_score = frame::insert_score(table, score_of(view, time_stamp().substr(0, 10)));
  context.scores_changed = hud.new_score != frame::kMostHighScores;
}

class ShooterScene final : public SceneHooks {
 public:
  std::unique_ptr<ScenePlay> new_play() const override { return std::make_unique<ShooterPlay>(); }
  frame::Scenes keys() const override { return frame::Scenes::Shooter; }
  std::optional<frame::TitleItem> title_item() const override { return frame::TitleItem::Shooter; }
  bool has_stages() const override { return true; }

  bool in_progress(const sim::GameWorld& world) const override {
    return view_of(world).state != ShooterState::Title;
  }
  bool pauses_first(const sim::GameWorld& world) const override {
    const ShooterState state = view_of(world).state;
    return state == ShooterState::Playing || state == ShooterState::Continue;
  }
  std::optional<u64> retry_steps(const sim::GameWorld& world, const HudState&) const override {
    const ShooterState state = view_of(world).state;
    const bool board = state == ShooterState::Continue || state == ShooterState::Lost;
    return board ? std::optional(kRetryShooter_steps) : std::nullopt;
  }
  bool in_stress_test(const sim::GameWorld& world) const override {
    return view_of(world).state == ShooterState::Stress;
  }
  void show(const sim::GameWorld& world, const HudState&, frame::PanelModel& model) const override {
    model.shooter = &view_of(world);
  }
  void note_marks(const sim::GameWorld& world, ReplayMarks& marks) const override {
    if (const ShooterView* const view = world.shooter_view()) marks.note(world.steps(), *view);
  }
  float music_intensity(const sim::GameWorld& world) const override {
    return view_of(world).boss_title.empty() ? 0.0f : 1.0f;  // more of it while a boss is here
  }
  void describe(const sim::GameWorld& world, Json& json) const override;
  void show_score(const sim::GameWorld& world, u64, HudState& hud) const override {
    const ShooterView& view = view_of(world);
    auto& table = hud.high_scores.shooter[static_cast<std::size_t>(view.difficulty)];
    if (is_over(view.state) && table.empty()) hud.new_score = frame::insert_score(table, score_of(view, ""));
  }
  Buttons duet_buttons(const sim::GameWorld& world, const platform::FrameEvents& events,
                       bool& follows_mouse) const override;
  bool make_figures(render::Renderer& renderer) const override { return renderer.ready_shooter(); }
  void bake(render::Renderer& renderer, unsigned target) const override { renderer.prepare_garden(target); }
  void warm_up_panels(const sim::GameWorld& world, const DrawPanels& draw) const override {
    ShooterView view = view_of(world);
    for (const ShooterState state :
         {ShooterState::Playing, ShooterState::Continue, ShooterState::Won, ShooterState::Lost}) {
      view = view_of(world);
      view.state = state;
      view.boss_title = view.phase_title = view.stage_title;
      draw([&view](frame::PanelModel& m) { m.shooter = &view; });
    }
    view = view_of(world);
    view.state = ShooterState::Stress;
    for (const auto state : {frame::StressView::State::Running, frame::StressView::State::Done}) {
      draw([&](frame::PanelModel& m) {
        m.shooter = &view;
        m.stress.state = state;
      });
    }
  }
};

void ShooterScene::describe(const sim::GameWorld& world, Json& json) const {
  if (world.shooter_view() == nullptr) return;  // a world that only tests have
  const ShooterView& view = view_of(world);
  json["shooter"] = {{"state", kShooterStates[static_cast<std::size_t>(view.state)]},
                     {"stage", view.stage_title},
                     {"stage_s", std::round(static_cast<double>(view.stage_s) * 1000.0) / 1000.0},
                     {"score", view.score},
                     {"graze", view.graze},
                     {"chain", view.chain},
                     {"lives", view.lives},
                     {"bombs", view.bombs},
                     {"power", view.power},
                     {"continues", view.continues}};
  json["difficulty"] = frame::row(view.difficulty).name;  // the title's choice
  if (const sim::SlotBudget* budget = world.slot_budget(); budget != nullptr && budget->on()) {
    json["slots"] = {{"sharing", frame::kSlotSharings[static_cast<std::size_t>(budget->sharing())].name},
                     {"slots", frame::kSharedSlots}};
    for (const sim::SlotBudget::Share& share : sim::SlotBudget::kShares) {
      json["slots"]["refused"][std::string(frame::row(share.pool).name)] = budget->refused(share.pool);
    }
  }
  if (const sim::CraneRules* cranes = world.crane_rules(); cranes != nullptr && cranes->on()) {
    json["cranes"] = {{"search", frame::kCraneSearches[static_cast<std::size_t>(cranes->mode)].name},
                      {"arena_bytes", sim::CraneGuide::kArena_bytes},
                      {"searches", cranes->searches},
                      {"overflowed", cranes->overflowed},
                      {"ended", cranes->ended}};
  }
}

SceneHooks::Buttons ShooterScene::duet_buttons(const sim::GameWorld& world,
                                               const platform::FrameEvents& events,
                                               bool& follows_mouse) const {
  Buttons buttons;
  if (events.move_x != 0 || events.move_y != 0) follows_mouse = false;
  else if (events.mouse_travelled) follows_mouse = true;
  if (events.focus_held || events.rapid_held) buttons.held |= frame::kButtonFocus;
  if (follows_mouse) buttons.held |= frame::kButtonFollow;
  const bool starts = events.cast_pressed || events.start_pressed;
  if (starts && view_of(world).state != ShooterState::Playing) buttons.pressed = frame::kButtonStart;
  return buttons;
}

}  // namespace

const SceneHooks& shooter_scene() {
  static const ShooterScene scene;
  return scene;
}

}  // namespace spellpool::app
