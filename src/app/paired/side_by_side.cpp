#include "app/paired/side_by_side.hpp"

#include <algorithm>

namespace spellpool::app {
namespace {

constexpr u32 kHeavyChurn = 20;  // 40,000 motes

/// Those of the game, as far as a duet reads them: no files but the layout's, and no end.
PlayOptions duet_options(const PlayOptions& game, frame::SceneId scene) {
  PlayOptions options;
  options.world.scene = scene;
  options.layout_out = game.layout_out;
  return options;
}

DuetPlan plan_against_heap(pool::StrategyId pooled, const sim::WorldState* from = nullptr) {
  DuetPlan plan;
  plan.from = from;
  plan.strategies = {pool::StrategyId::Heap, pooled};
  return plan;
}

}  // namespace

sim::WorldConfig heavy_load(sim::WorldConfig like) {
  frame::Load load = like.load;
  load.churn = std::max(load.churn, kHeavyChurn);
  apply_load(like, load);
  return like;
}

SideBySide::SideBySide(const Screen& screen, const PlayOptions& options, const sim::WorldConfig& like,
                       pool::StrategyId pooled, const frame::Settings& settings, const sim::WorldState& from)
    : options_(duet_options(options, like.scene)), duet_(like, plan_against_heap(pooled, &from)),
      hud_(plan_against_heap(pooled).strategies, settings),
      stage_([&] {
        const auto capacity = [&](frame::PoolId id) { return like.pools[static_cast<std::size_t>(id)].capacity; };
        screen.renderer.reserve(capacity(frame::PoolId::Particles),
                                capacity(frame::PoolId::Bullets) + capacity(frame::PoolId::Shots));
        DuetStage stage;
        stage.borrow(screen.window, screen.renderer, screen.panels, settings);
        return stage;
      }()),
      window_(options_, duet_, stage_, hud_, screen.events) {
  hud_.in_game = true;
}

void SideBySide::close() {
  window_.close();
  stage_.renderer().show_view(0);
  duet_.check();
}

}  // namespace spellpool::app
