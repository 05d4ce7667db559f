#include "content/media/recording_file.hpp"

#include <fmt/format.h>
#include <sndfile.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>

#include "content/text_file.hpp"
#include "core/leak_check.hpp"

namespace spellpool::content {
namespace {

constexpr int kLowestRate_hz = 8'000, kHighestRate_hz = 192'000;

/// libsndfile reads from here.
struct Source {
  std::string_view bytes;
  sf_count_t at = 0;

  sf_count_t size() const { return static_cast<sf_count_t>(bytes.size()); }
};
Source& source_of(void* user) { return *static_cast<Source*>(user); }

sf_count_t length_of(void* user) { return source_of(user).size(); }
sf_count_t seek_in(sf_count_t offset, int whence, void* user) {
  Source& source = source_of(user);
  const sf_count_t base = whence == SEEK_CUR ? source.at : whence == SEEK_END ? source.size() : 0;
  // Written so that no sum overflows, whatever a header says.
  if (offset < -base || offset > source.size() - base) return -1;
  return source.at = base + offset;
}
sf_count_t read_from(void* out, sf_count_t count, void* user) {
  Source& source = source_of(user);
  const sf_count_t got = std::clamp<sf_count_t>(count, 0, source.size() - source.at);
  std::memcpy(out, source.bytes.data() + source.at, static_cast<std::size_t>(got));
  source.at += got;
  return got;
}
sf_count_t write_nowhere(const void*, sf_count_t, void*) { return 0; }
sf_count_t tell(void* user) { return source_of(user).at; }

struct File {
  SNDFILE* handle;
  ~File() {
    if (handle != nullptr) sf_close(handle);
  }
};

SNDFILE* open(SF_VIRTUAL_IO& io, SF_INFO& info, Source& source) {
  const ForeignAllocations of_libsndfile;  // It loses some where an Ogg file breaks off (1.2.0).
  return sf_open_virtual(&io, SFM_READ, &info, &source);
}

/// "" or what is wrong with it.
std::string read_into(std::string_view bytes, Recording& recording) {
  if (bytes.size() > kMaxRecording_bytes) return fmt::format("is larger than {} MiB", kMaxRecording_bytes >> 20);
  Source source{bytes};
  SF_VIRTUAL_IO io{length_of, seek_in, read_from, write_nowhere, tell};
  SF_INFO info{};
  const File file{open(io, info, source)};
  if (file.handle == nullptr) {
    std::string reason = sf_strerror(nullptr);
    while (!reason.empty() && (reason.back() == '.' || reason.back() == '\n' || reason.back() == ' '))
      reason.pop_back();
    return fmt::format("is no sound that can be read ({}); WAV, OGG and FLAC are", reason);
  }
  if (info.channels != 1 && info.channels != 2)
    return fmt::format("has {} channels; mix it down to 1 or 2", info.channels);
  if (info.samplerate < kLowestRate_hz || info.samplerate > kHighestRate_hz) {
    return fmt::format("has {} samples a second; {} … {} can be played", info.samplerate, kLowestRate_hz,
                       kHighestRate_hz);
  }
  const bool stereo = info.channels == 2;
  recording.rate_hz = static_cast<u32>(info.samplerate);
  const std::size_t most = static_cast<std::size_t>(kLongestRecording_s * info.samplerate);
  constexpr std::size_t kBlock = 4096;  // frames; what a header says about the length is not trusted
  std::vector<float> block(kBlock * static_cast<std::size_t>(info.channels));
  float peak = 0.0f;
  for (;;) {
    const sf_count_t got = sf_readf_float(file.handle, block.data(), static_cast<sf_count_t>(kBlock));
    if (got <= 0) break;
    for (std::size_t i = 0; i < static_cast<std::size_t>(got); ++i) {
      for (std::size_t side = 0; side < static_cast<std::size_t>(info.channels); ++side) {
        const float sample = block[i * static_cast<std::size_t>(info.channels) + side];
        if (!std::isfinite(sample))
          return fmt::format("holds samples that are no numbers, the first after {:.3f} s",
                             static_cast<double>(recording.left.size()) / info.samplerate);
        peak = std::max(peak, std::abs(sample));
        (side == 0 ? recording.left : recording.right).push_back(sample);
      }
    }
    if (recording.left.size() > most) {
      const double told_s = static_cast<double>(info.frames) / info.samplerate;
      if (told_s > kLongestRecording_s && told_s < 1e5)
        return fmt::format("is {:.1f} s long; {} is the most", told_s, kLongestRecording_s);
      return fmt::format("is longer than {} s", kLongestRecording_s);
    }
  }
  if (const int wrong = sf_error(file.handle); wrong != SF_ERR_NO_ERROR)
    return fmt::format("is damaged after {:.1f} s: {}", static_cast<double>(recording.left.size()) / info.samplerate,
                       sf_error_number(wrong));
  if (recording.left.empty()) return "holds no samples";
  if (stereo && recording.right.size() != recording.left.size()) return "is cut off in the middle of a frame";
  if (peak > 1.0f) {
    for (std::vector<float>* side : {&recording.left, &recording.right}) {
      for (float& sample : *side) sample /= peak;
    }
  }
  return {};
}

}  // namespace

RecordingResult parse_recording(std::string_view bytes, std::string_view file_name) {
  RecordingResult result;
  std::string wrong;
  Recording recording;
  try {
    wrong = read_into(bytes, recording);
  } catch (const std::exception& e) {
    wrong = e.what();
  }
  if (wrong.empty()) result.recording = std::move(recording);
  else result.error = one_line(fmt::format("{}: {}", file_name, wrong));
  return result;
}

}  // namespace spellpool::content
