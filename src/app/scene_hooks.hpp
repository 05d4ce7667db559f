#pragma once
// What only one scene has, for the code that plays any of them: src/app/scenes has one SceneHooks for each
// scene. The rest of app calls these a few times a frame and never asks which scene it is.
#include <functional>
#include <memory>
#include <optional>

#include <nlohmann/json_fwd.hpp>

#include "frame/action.hpp"
#include "frame/views/panel_model.hpp"
#include "render/view.hpp"
#include "sim/core/game_world.hpp"
#include "sim/core/world_config.hpp"

namespace spellpool::platform {
struct FrameEvents;
}
namespace spellpool::render {
class Renderer;
}
namespace spellpool::sim {
class SmallConsole;
}

namespace spellpool::app {

class InputLatch;
class ReplayMarks;
struct Attempt;
struct HudState;

/// The window's parts that a scene reads and changes.
struct SceneContext {
  sim::GameWorld& world;
  HudState& hud;
  InputLatch& latch;
  Attempt& attempt;
  u64 seed = 0;
  bool scripted = false;                             ///< The run is played by a script or a replay.
  // Out:
  bool scores_changed = false;
  frame::PanelSound sound = frame::PanelSound::None;
};

/// A scene in a window: input, title, pause, score and notices. It follows one world at a time.
class ScenePlay {
 public:
  virtual ~ScenePlay() = default;
  /// Another world is played from now on.
  virtual void begin(const sim::GameWorld& world, InputLatch& latch) = 0;
  /// The same world, at another moment.
  virtual void turn_back(const sim::GameWorld& world, InputLatch& latch) = 0;
  /// Completes what InputLatch::read() made of the frame's events, for the next step.
  virtual void map_input(const platform::FrameEvents& events, const SceneContext& context,
                         frame::InputFrame& input) = 0;
  /// After each step.
  virtual void step_done(const sim::GameWorld&, InputLatch&) {}
  /// True: the scene took the Start button, so it does not pause.
  virtual bool takes_start(const platform::FrameEvents&, SceneContext&) { return false; }
  /// False: it is not an action of this scene alone.
  virtual bool perform(frame::Action action, SceneContext& context) = 0;
  virtual void choose_difficulty(frame::Difficulty) {}
  /// After the frame's steps: what began and ended, scores, notices, sounds.
  virtual void watch(SceneContext& context) = 0;
  /// A lost game is tried again: what was asked for before is void.
  virtual void retry() {}
};

class SceneHooks {
 public:
  virtual ~SceneHooks() = default;
  virtual std::unique_ptr<ScenePlay> new_play() const = 0;
  /// The rows of frame::kHotkeys that it uses.
  virtual frame::Scenes keys() const = 0;
  /// The item of the title that begins a game of it.
  virtual std::optional<frame::TitleItem> title_item() const { return std::nullopt; }
  /// Spells to cast and to edit, presets, a small console.
  virtual bool has_spells() const { return false; }
  /// Stages with waves, difficulties, and bullets that can be counted: frame::StressView.
  virtual bool has_stages() const { return false; }

  // --- a world of this scene
  /// Where a stick aims from.
  virtual render::Point stick_origin(const sim::GameWorld&) const { return {}; }
  /// A challenge or a stage runs: the title does not come by itself.
  virtual bool in_progress(const sim::GameWorld& world) const = 0;
  /// Escape pauses it rather than leaving it.
  virtual bool pauses_first(const sim::GameWorld&) const { return false; }
  /// While the board of a lost game is shown: how many steps before the loss it is tried again from.
  virtual std::optional<u64> retry_steps(const sim::GameWorld& world, const HudState& hud) const = 0;
  virtual bool in_stress_test(const sim::GameWorld&) const { return false; }
  /// Fills the scene's part of the model.
  virtual void show(const sim::GameWorld& world, const HudState& hud, frame::PanelModel& model) const = 0;
  /// What is not part of every configuration: a copy of this world starts with it.
  virtual void complete(const sim::GameWorld&, sim::WorldConfig&) const {}
  virtual void note_marks(const sim::GameWorld&, ReplayMarks&) const {}
  /// 0 calm … 1 all voices.
  virtual float music_intensity(const sim::GameWorld& world) const = 0;
  /// A clip without a start begins here.
  virtual bool in_finale(const sim::GameWorld&) const { return false; }
  /// Its part of --json.
  virtual void describe(const sim::GameWorld&, nlohmann::ordered_json&) const {}
  /// Headless: the score panel shows the result of this world where its table is empty.
  virtual void show_score(const sim::GameWorld&, u64, HudState&) const {}
  /// Null: the scene has none.
  virtual const sim::SmallConsole* console(const sim::GameWorld&) const { return nullptr; }
  /// A forgetful constructor is planted.
  virtual bool forgetful(const sim::GameWorld&) const { return false; }
  /// For --plant-difference: removes one particle, which a comparison of two worlds must detect. False: no
  /// particle is alive yet, or the scene does not offer it.
  virtual bool drop_one_particle(sim::GameWorld&) const { return false; }
  /// Casts this spell alone. Null: the scene has no spells.
  virtual std::unique_ptr<sim::ScriptedPlayer> showcase_player(const sim::GameWorld&, u8) const {
    return nullptr;
  }
  /// The spell that is selected, if there is one.
  virtual std::optional<u8> selected_spell(const sim::GameWorld&) const { return std::nullopt; }
  /// A duet has neither title nor pause: what is held now, and what was pressed for its next step.
  struct Buttons {
    u8 held = 0, pressed = 0;
  };
  virtual Buttons duet_buttons(const sim::GameWorld& world, const platform::FrameEvents& events,
                               bool& follows_mouse) const = 0;

  // --- a renderer and panels
  /// What the scene's first frame needs, before Renderer::warm_up(). True: it was not there yet.
  virtual bool make_figures(render::Renderer&) const { return false; }
  /// Begins the ground of its first frame, where that is known before there is a world.
  virtual void begin_ground(render::Renderer&) const {}
  /// The same, after it. Draws into this framebuffer.
  virtual void bake(render::Renderer&, unsigned /*target_framebuffer*/) const {}
  /// Draws panels that the scene will show sooner or later, each as a change of the model.
  using DrawPanels = std::function<void(const std::function<void(frame::PanelModel&)>&)>;
  virtual void warm_up_panels(const sim::GameWorld&, const DrawPanels&) const {}
};

const SceneHooks& scene_hooks(frame::SceneId scene);
inline const SceneHooks& scene_hooks(const sim::GameWorld& world) { return scene_hooks(world.scene()); }

}  // namespace spellpool::app
