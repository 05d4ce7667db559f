#pragma once
// A player's own sound: the bytes of a WAV, OGG or FLAC file to samples, by libsndfile.
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/types.hpp"

namespace spellpool::content {

inline constexpr double kLongestRecording_s = 30.0;
inline constexpr std::size_t kMaxRecording_bytes = std::size_t{64} << 20;
/// Whose stems name sounds.
inline constexpr std::array<std::string_view, 3> kRecordingEndings = {".wav", ".ogg", ".flac"};

struct Recording {
  u32 rate_hz = 0;                 ///< 8,000 … 192,000.
  std::vector<float> left, right;  ///< Right is empty in a mono file. Finite, within ±1.
};

struct RecordingResult {
  std::optional<Recording> recording;
  /// "" on success; else one line: "assets/sounds/bomb.wav: is longer than 30 s".
  std::string error;
};

/// Reads the bytes of a sound file; `file_name` stands in errors. What is louder than full scale is scaled down to
/// it. Never throws.
/// Errors  no sound file, more than two channels, a rate or length out of range, samples that are no numbers.
RecordingResult parse_recording(std::string_view bytes, std::string_view file_name);

}  // namespace spellpool::content
