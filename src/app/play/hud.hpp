#pragma once
#include <fmt/format.h>

#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "app/play/game.hpp"
#include "frame/views/panel_model.hpp"
#include "pool/inspect/capacity_adviser.hpp"

namespace spellpool::app {

/// What the panels show beside the game, and what else is kept for them.
struct HudState : frame::PanelState {
  static constexpr std::size_t kLongestNotice = 256;  ///< In bytes.

  bool has_cast = false, has_compared = false;  ///< The hint stays until both: a spell, and Tab or side by side.
  bool lab_open = false, timeline_open = false;
  frame::LessonProgresses lessons{};
  float desktop_scale = 1;  ///< How much larger than usual the desktop wants things drawn.
  /// Frames whose times are shown, at most: a headless run knows only those that it drew.
  std::size_t shown_frames = ~std::size_t{0};
  frame::Settings settings;
  std::string settings_path, settings_unkept;
  frame::HighScores high_scores;
  std::string notice, error, build_note;
  sim::SpellSet filed;  ///< The spells as their files have them; none set in a headless run.

  std::string alert_text;  ///< What alert.text points to.

  HudState() {
    notice.reserve(kLongestNotice);
    alert_text.reserve(kLongestNotice);
  }
  /// `heading`: a constant. Both this and a notice allocate nothing up to kLongestNotice bytes.
  template <class... Values>
  void show_alert(frame::AlertView::Tone tone, std::string_view heading,
                  fmt::format_string<const Values&...> figures, const Values&... values) {
    alert_text.clear();
    fmt::format_to(std::back_inserter(alert_text), figures, values...);
    alert = {alert.serial + 1, tone, heading, alert_text};
  }
  /// Opens what a level of detail shows.
  void show(frame::HudLevel level) {
    hidden = level == frame::HudLevel::Off;
    graph = level == frame::HudLevel::Graph || level == frame::HudLevel::Full;
    pool_panel = level == frame::HudLevel::Full;
  }
  /// The level that what is open comes nearest to.
  frame::HudLevel level() const {
    if (hidden) return frame::HudLevel::Off;
    if (graph) return pool_panel ? frame::HudLevel::Full : frame::HudLevel::Graph;
    return frame::HudLevel::Fps;
  }
};

/// Scale of the panels' text; `wanted` is Settings::text_scale. It grows with the window, but on a dense display the
/// text of a small window must be readable too.
float text_scale(float wanted, int height_px, float desktop_scale);

/// Gathers a PanelModel each frame, without allocating.
class Hud {
 public:
  Hud(const PlayOptions& options, const frame::Settings& settings);
  HudState state;

  /// The model's spans and strings point into the hud, the game and constant tables: use it before either changes.
  const frame::PanelModel& model(Game& game, int height_px);
  float text_scale(int height_px) const;
  /// For steps that are not drawn. The one-second statistics and the adviser's figures cover every step.
  void follow(const sim::GameWorld& world);
  /// Another world is followed from now on: its counters begin here.
  void begin_world(const sim::GameWorld& world);

 private:
  static constexpr u64 kSecond_steps = 60;
  void fill_pool(const sim::GameWorld& world, frame::PoolId id, frame::PoolRow& row);

  std::array<std::string, pool::kStrategyCount> costs_;  // what the rows below point to
  std::array<frame::ChoiceRow, pool::kStrategyCount> strategies_{};
  std::array<frame::ChoiceRow, pool::kPolicyCount> policies_{};
  std::array<frame::PoolRow, frame::kPoolCount> pools_{};  // of the scene, in order
  std::size_t pool_count_ = 0;
  std::array<std::array<u64, kSecond_steps>, frame::kPoolCount> acts_{};  // totals after each of the last steps
  std::array<std::array<u64, kSecond_steps>, frame::kPoolCount> rejected_{};  // totals after each of the last steps
  std::array<pool::CapacityAdviser, frame::kPoolCount> advisers_{};
  std::array<u64, frame::kPoolCount> last_new_calls_{};
  u64 last_step_ = 0;
  frame::PanelModel model_;
};

}  // namespace spellpool::app
