#pragma once
#include <nlohmann/json.hpp>

#include "frame/settings.hpp"

namespace spellpool::app {

/// The pool of the CPU renderer's images of figures, as --json writes it. Null without one.
inline nlohmann::ordered_json figure_pool_json(const frame::FigurePoolView& pool) {
  if (!pool.shown()) return nullptr;
  return {{"images", frame::kFigureStores[static_cast<std::size_t>(pool.store)].name},
          {"policy", frame::kFigurePolicies[static_cast<std::size_t>(pool.policy)].name},
          {"room", frame::kFigureRooms[static_cast<std::size_t>(pool.room)].name},
          {"capacity_px", pool.capacity_px},
          {"live_px", pool.live_px},
          {"peak_px", pool.peak_px},
          {"live", pool.live},
          {"peak", pool.peak},
          {"spawned", pool.spawned},
          {"made", pool.made},
          {"stolen", pool.stolen},
          {"rejected", pool.rejected},
          {"direct", pool.direct},
          {"drawn_px", pool.drawn_px},
          {"frames", pool.pictures}};
}

}  // namespace spellpool::app
