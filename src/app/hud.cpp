#include "app/hud.hpp"

#include <algorithm>
#include <limits>

#include "app/summary.hpp"

namespace spellpool::app {

Hud::Hud(const PlayOptions& options) {
  state.pool_panel = options.pool_panel;
  state.graph = options.graph;
  state.help = options.help;
  state.hidden = options.no_ui;
  state.hint = !options.autoplay;
  state.muted = options.mute;
  state.fullscreen = options.fullscreen;
  state.user_text_scale = options.text_scale;
  state.build_note = build_note();
  for (const pool::StrategyRow& row : pool::kStrategies) {
    strategies_[static_cast<std::size_t>(row.id)] = {row.name, row.title, row.description, row.letter, row.r, row.g, row.b};
  }
  for (const pool::PolicyRow& row : pool::kPolicies) {
    policies_[static_cast<std::size_t>(row.id)] = {row.name, row.title, row.description, row.title[0], 200, 205, 225};
  }
}

const frame::PanelModel& Hud::model(Game& game, int height_px) {
  const sim::World& world = game.world();
  const pool::PoolStats stats = world.particles().stats();
  frame::PoolRow& row = pools_[0];
  row.pool = frame::PoolId::Particles;
  row.strategy = static_cast<u8>(world.particles().strategy());
  row.policy = static_cast<u8>(world.particles().policy());
  row.capacity = stats.capacity;
  row.live = stats.live;
  row.peak = stats.peak;
  row.spawned = stats.spawned;
  row.released = stats.released;
  row.rejected = stats.rejected;
  row.stolen = stats.stolen;
  row.new_calls = stats.new_calls;
  row.bytes = stats.bytes;
  row.new_calls_this_frame = static_cast<u32>(stats.new_calls - last_new_calls_);
  last_new_calls_ = stats.new_calls;
  row.rejected_this_second = static_cast<u32>(stats.rejected - rejected_[next_rejected_]);
  rejected_[next_rejected_] = stats.rejected;
  next_rejected_ = (next_rejected_ + 1) % rejected_.size();

  frame::PanelModel& m = model_;
  m.help = state.help;
  m.pool_panel = state.pool_panel;
  m.graph = state.graph;
  m.hidden = state.hidden;
  m.hint = state.hint;
  m.pools = pools_;
  m.strategies = strategies_;
  m.policies = policies_;
  m.history = game.recorder().history();
  if (state.shown_frames < m.history.count) {
    m.history.first = (m.history.first + m.history.count - state.shown_frames) % m.history.frames.size();
    m.history.count = state.shown_frames;
  }
  m.figures = game.recorder().figures(std::min<std::size_t>(600, state.shown_frames));
  m.fps = game.recorder().fps();
  if (state.shown_frames == 0) {
    constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
    m.figures = {};
    m.figures.median_us = m.figures.p95_us = m.figures.p99_us = m.figures.p999_us = kUnknown;
    m.figures.average_fps = m.figures.low_1_percent_fps = m.fps = kUnknown;
  }
  m.graph_scale = state.graph_scale;
  for (std::size_t i = 0; i < frame::kSpellCount; ++i) {
    const frame::SpellDef& spell = *world.spells()[i];
    m.spell_titles[i] = spell.title;
    m.spell_colours[i] = {spell.colour_r, spell.colour_g, spell.colour_b};
  }
  m.selected_spell = world.selected_spell();
  m.cooldown = world.cooldown();
  m.combo = world.combo();
  m.paused = state.paused;
  m.slow_motion = state.slow_motion;
  m.muted = state.muted;
  m.fullscreen = state.fullscreen;
  m.autoplay = game.options().autoplay;
  m.recording = game.csv().recording();
  m.recorded_frames = game.csv().frames();
  m.recording_path = game.csv().path();
  m.notice = state.notice;
  m.error = state.error;
  m.build_note = state.build_note;
  m.text_scale = state.user_text_scale * static_cast<float>(height_px) / frame::kViewHeight;
  return m;
}

}  // namespace spellpool::app
