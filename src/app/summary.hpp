#pragma once
#include <string>

#include "app/session.hpp"
#include "audio/mixer.hpp"
#include "measure/frame_recorder.hpp"

namespace spellpool::app {

/// The JSON that --json writes at the end of a run. Figures that are not known are null.
std::string summary_json(const Session& session, const WorldOptions& world, measure::FrameRecorder& recorder, const std::string& renderer,
                         const audio::MixerStats* audio);

/// "" or why this build's times are not comparable.
std::string build_note();

}  // namespace spellpool::app
