#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "app/play/session.hpp"
#include "audio/mixer.hpp"
#include "measure/record/frame_recorder.hpp"
#include "render/renderer.hpp"

namespace spellpool::app {

class StressRun;

/// What the pictures of a run came from, and what was measured beside.
struct Shown {
  std::string renderer;
  std::string_view drawn_by;
  std::optional<double> first_frame_ms;
  const StressRun* stress = nullptr;
  render::PassMeans passes;
  frame::FigurePoolView figure_pool{};
};
/// The JSON that --json writes at the end of a run. Figures that are not known are null.
std::string summary_json(const Session& session, const WorldOptions& world, measure::FrameRecorder& recorder,
                         const Shown& shown, const audio::MixerStats* audio);

/// "" or why this build's times are not comparable.
std::string build_note();

}  // namespace spellpool::app
