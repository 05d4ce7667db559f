// The reader of recordings under any bytes: no crash, errors of one line, and samples that can be played.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "content/media/recording_file.hpp"

namespace {

using namespace spellpool;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "recording_fuzz: %s\n", what);
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const content::RecordingResult result = content::parse_recording(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.wav");
  if (!result.recording) {
    expect(result.error.rfind("fuzz.wav: ", 0) == 0, "the error does not name the file");
    expect(result.error.size() < 500 && result.error.find_first_of("\n\r\x1b") == std::string::npos, "the error is no line");
    return 0;
  }
  expect(result.error.empty(), "a recording and an error");
  const content::Recording& recording = *result.recording;
  expect(recording.rate_hz >= 8'000 && recording.rate_hz <= 192'000, "a rate out of range");
  expect(!recording.left.empty() && (recording.right.empty() || recording.right.size() == recording.left.size()), "sides of two lengths");
  expect(static_cast<double>(recording.left.size()) <= content::kLongestRecording_s * recording.rate_hz, "too long");
  for (const std::vector<float>* side : {&recording.left, &recording.right}) {
    for (const float sample : *side) expect(std::abs(sample) <= 1.0f, "a sample that is no sample");
  }
  return 0;
}
