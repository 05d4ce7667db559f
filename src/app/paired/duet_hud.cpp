#include "app/paired/duet_hud.hpp"

#include <algorithm>

#include "app/play/game.hpp"
#include "app/play/summary.hpp"

namespace spellpool::app {

std::array<frame::DuetSide, 2> duet_sides(const std::array<pool::StrategyId, 2>& strategies) {
  std::array<frame::DuetSide, 2> sides;
  for (std::size_t side = 0; side < 2; ++side) {
    const pool::StrategyRow& row = pool::row(strategies[side]);
    sides[side] = {row.title, row.letter, row.r, row.g, row.b, row.kind};
  }
  if (strategies[0] != strategies[1]) return sides;
  // One strategy against itself: paler on the right.
  const auto pale = [](u8 value) { return static_cast<u8>(value + (255 - value) * 6 / 10); };
  sides[0].letter = 'A';
  sides[1] = {sides[1].title, 'B', pale(sides[1].r), pale(sides[1].g), pale(sides[1].b), sides[1].kind};
  return sides;
}

DuetHud::DuetHud(const std::array<pool::StrategyId, 2>& strategies, const frame::Settings& chosen)
    : settings(chosen), build_note_(build_note()) {
  view_.sides = duet_sides(strategies);
}

void DuetHud::count_calls(Duet& duet) {
  const bool begins = duet.steps() < steps_before_;
  if (begins) steps_before_ = duet.steps();
  for (std::size_t side = 0; side < 2; ++side) {
    u64 calls = 0;
    for (const auto& pool : duet.world(side).pools()) calls += pool->stats().new_calls;
    if (begins) calls_before_[side] = calls;
    const u64 steps = duet.steps() - steps_before_;
    view_.sides[side].calls_a_step =
        steps > 0 ? static_cast<double>(calls - calls_before_[side]) / static_cast<double>(steps) : -1.0;
  }
}

const frame::PanelModel& DuetHud::model(Duet& duet, const measure::DuetRecord& record, float text_scale) {
  view_.clock = clock;
  view_.played = record.steps().first(static_cast<std::size_t>(std::min<u64>(record.steps().size(), duet.steps())));
  view_.steps = duet.steps();
  view_.equal_steps = duet.equal_steps();
  view_.differs_at = duet.differs_at();
  count_calls(duet);
  view_.live = 0;
  for (const frame::PoolName& pool : frame::pools_of(duet.world(0).scene()))
    view_.live += duet.world(0).pool(pool.id).stats().live;
  view_.load = duet.load();
  view_.preset = duet.preset() == sim::PresetId::Default
                     ? std::string_view{}
                     : sim::kPresets[static_cast<std::size_t>(duet.preset())].description;
  view_.strip = strip;
  view_.by_hand = by_hand;
  view_.may_play = may_play;
  view_.film = film;
  view_.in_game = in_game;
  model_.duet = &view_;
  model_.timeline = timeline_open ? duet.timelines() : frame::TimelineView{};
  model_.timeline.open = timeline_open;
  for (std::size_t side = 0; side < model_.timeline.count; ++side) {
    title_timeline(view_.sides[side], model_.timeline.rows[side]);
  }
  model_.settings = &settings;
  model_.help = help;
  model_.hidden = hidden;
  model_.hint = false;
  model_.paused = paused;
  model_.slow_motion = slow_motion;
  model_.notice = notice;
  model_.build_note = build_note_;
  model_.text_scale = text_scale;
  return model_;
}

}  // namespace spellpool::app
