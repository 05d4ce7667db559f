#include "app/play/hud.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "app/play/summary.hpp"
#include "app/scene_hooks.hpp"

namespace spellpool::app {
namespace {

/// What is compared first: new and delete, and the pools to choose from.
bool is_usual(pool::StrategyId id) {
  return id == pool::StrategyId::Heap || id == pool::StrategyId::FreeList || id == pool::StrategyId::Bitmap ||
         id == pool::StrategyId::Dense;
}

}  // namespace

Hud::Hud(const PlayOptions& options, const frame::Settings& settings) {
  state.settings = settings;
  state.show(settings.hud);
  state.pool_panel = state.pool_panel || options.pool_panel;
  state.graph = state.graph || options.graph;
  state.slot_map_open = options.slot_map;
  state.memory_open = options.memory;
  state.help = options.help;
  state.settings_open = options.settings;
  state.editor_open = options.editor;
  state.scores_open = options.scores;
  state.voices_open = options.voice_panel;
  state.sound_editor.open = options.sounds;
  state.lab_open = options.lab;
  state.hint = !options.autoplay && settings.newcomer;
  state.autoplay = options.autoplay;
  if (const std::string_view option = options.ignores_remembered_by(); !option.empty()) {
    state.settings_unkept = fmt::format("{} neither reads nor writes the settings file", option);
  }
  state.build_note = build_note();
  for (const pool::StrategyRow& row : pool::kStrategies) {
    const std::size_t i = static_cast<std::size_t>(row.id);
    costs_[i] = fmt::format("spawn {} · release {} · walk {}", row.spawn, row.release, row.walk);
    strategies_[i] = {row.name, row.title, row.description, row.letter,       row.r,   row.g,
                      row.b,    costs_[i], row.slow,        is_usual(row.id), row.kind};
  }
  for (const pool::PolicyRow& row : pool::kPolicies) {
    policies_[static_cast<std::size_t>(row.id)] = {row.name, row.title, row.description, row.title[0], 200, 205, 225};
  }
}

void Hud::fill_pool(const sim::GameWorld& world, frame::PoolId id, frame::PoolRow& row) {
  const std::size_t i = static_cast<std::size_t>(id);
  const pool::PoolStats stats = world.pool(id).stats();
  row.pool = id;
  row.strategy = static_cast<u8>(world.pool(id).strategy());
  row.policy = static_cast<u8>(world.pool(id).policy());
  row.capacity = stats.capacity;
  row.slots = stats.slots;
  row.live = stats.live;
  row.peak = stats.peak;
  row.spawned = stats.spawned;
  row.released = stats.released;
  row.rejected = stats.rejected;
  row.stolen = stats.stolen;
  row.grown = stats.grown;
  row.trimmed = stats.trimmed;
  row.accelerated = stats.accelerated;
  row.new_calls = stats.new_calls;
  row.bytes = stats.bytes;
  row.fills = world.pool(id).fills();
  // The adviser hears of a step once, however often it is shown; more slots than it proposes are waste.
  pool::CapacityAdviser& adviser = advisers_[i];
  if (world.steps() < last_step_) adviser.reset();
  if (world.steps() != last_step_) adviser.note(stats.live);
  const u32 advised = adviser.knows() ? std::clamp(adviser.proposal(), frame::kMinCapacity, frame::kMaxCapacity) : 0;
  row.advised_capacity = advised;
  row.average_live = static_cast<u32>(adviser.average());
  row.advised_less_bytes = stats.slots == 0 ? 0
                                            : (static_cast<i64>(stats.capacity) - static_cast<i64>(advised)) *
                                                  static_cast<i64>(stats.bytes / stats.slots);
  if (world.steps() != last_step_) {  // where a display is faster than the steps, the frames between show the last one that had a step
    row.new_calls_this_frame = static_cast<u32>(stats.new_calls - std::min(stats.new_calls, last_new_calls_[i]));
    last_new_calls_[i] = stats.new_calls;
  }
  const u64 step = world.steps();
  const u64 since = step - std::min(step, std::min(kSecond_steps, step - std::min(step, last_step_)));
  const u64 acts = stats.rejected + stats.stolen + stats.grown;
  for (u64 s = since; s < step; ++s) {
    acts_[i][s % kSecond_steps] = acts;
    rejected_[i][s % kSecond_steps] = stats.rejected;
  }
  row.rejected_this_second =
      static_cast<u32>(stats.rejected - std::min(stats.rejected, rejected_[i][step % kSecond_steps]));
  row.acts_this_second = static_cast<u32>(acts - std::min(acts, acts_[i][step % kSecond_steps]));
}

void Hud::follow(const sim::GameWorld& world) {
  pool_count_ = 0;
  for (const frame::PoolName& pool : frame::pools_of(world.scene())) fill_pool(world, pool.id, pools_[pool_count_++]);
  last_step_ = world.steps();
}

void Hud::begin_world(const sim::GameWorld& world) {
  for (const frame::PoolName& pool : frame::pools_of(world.scene())) {
    const std::size_t i = static_cast<std::size_t>(pool.id);
    const pool::PoolStats stats = world.pool(pool.id).stats();
    last_new_calls_[i] = stats.new_calls;
    acts_[i].fill(stats.rejected + stats.stolen + stats.grown);
    rejected_[i].fill(stats.rejected);
    advisers_[i].reset();
  }
  for (frame::PoolRow& row : pools_) row.new_calls_this_frame = 0;
  last_step_ = world.steps();
}

const frame::PanelModel& Hud::model(Game& game, int height_px) {
  const sim::GameWorld& world = game.world();
  follow(world);

  frame::PanelModel& m = model_;
  static_cast<frame::PanelState&>(m) = state;
  m.timeline = state.timeline_open ? game.timeline() : frame::TimelineView{};
  m.timeline.open = state.timeline_open;
  m.key_row = !state.autoplay;
  m.steps = world.steps();
  m.pools = std::span(pools_).first(pool_count_);
  m.load = world.load();
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
  m.shooter = nullptr;
  m.hit_numbers = {};
  scene_hooks(world).show(world, state, m);
  m.high_scores = &state.high_scores;
  m.settings = &state.settings;
  m.settings_path = state.settings_path;
  m.settings_unkept = state.settings_unkept;
  m.lab.open = state.lab_open;
  m.muted = state.settings.muted;
  m.fullscreen = state.settings.fullscreen;
  m.recording = game.csv().recording();
  m.recorded_frames = game.csv().frames();
  m.recording_path = game.csv().path();
  m.forgetful = scene_hooks(world).forgetful(world);
  m.notice = state.notice;
  m.error = state.error;
  m.build_note = state.build_note;
  m.text_scale = text_scale(height_px);
  return m;
}

float Hud::text_scale(int height_px) const {
  return app::text_scale(state.settings.text_scale, height_px, state.desktop_scale);
}

float text_scale(float wanted, int height_px, float desktop_scale) {
  constexpr float kLeast = 0.75f;
  return wanted * std::max(static_cast<float>(height_px) / frame::kViewHeight, kLeast * desktop_scale);
}

}  // namespace spellpool::app
