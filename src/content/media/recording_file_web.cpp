#include "content/media/recording_file.hpp"

#include <fmt/format.h>

namespace spellpool::content {

RecordingResult parse_recording(std::string_view, std::string_view file_name) {
  return {{}, fmt::format("{}: the browser build reads no sound files: it has no libsndfile", file_name)};
}

}  // namespace spellpool::content
