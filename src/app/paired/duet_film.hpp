#pragma once
// The film of a duet: the same steps played again and drawn with its panels, as slowly as reading back and encoding
// make it. So the times that the panels show are those of the pass before, which was measured, at the same steps.
#include <string>

#include "app/paired/duet.hpp"
#include "app/paired/duet_hud.hpp"
#include "app/paired/duet_stage.hpp"

namespace spellpool::app {

/// "" or why no film at this path can be begun: its name, its folder, no ffmpeg.
std::string probe_film(const std::string& path);

struct FilmResult {
  std::string path;     ///< Where it lies; "" there is none. Never over another file: a name that is taken gets a number.
  std::string error;    ///< "" or one line.
  u64 steps = 0;        ///< Of which it tells: fewer than asked for after a stop signal.
};
/// `again`: fresh worlds, as those that were measured began. As long as the measured pass.
FilmResult film_duet(const std::string& path, Duet& again, const Duet& measured, DuetStage& stage, DuetHud& hud);

}  // namespace spellpool::app
