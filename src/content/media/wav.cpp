#include "content/media/wav.hpp"

#include <sndfile.h>

namespace spellpool::content {
namespace {

SNDFILE* handle(void* sound) { return static_cast<SNDFILE*>(sound); }

}  // namespace

WavWriter::WavWriter(const std::filesystem::path& path, u32 rate_hz, WavFormat format, Overwrite overwrite)
    : file_(path, overwrite) {
  if (!file_.ok()) return;
  SF_INFO info{};
  info.samplerate = static_cast<int>(rate_hz);
  info.channels = 2;
  info.format = SF_FORMAT_WAV | (format == WavFormat::Pcm16 ? SF_FORMAT_PCM_16 : SF_FORMAT_FLOAT);
  sound_ = sf_open_fd(file_.descriptor(), SFM_WRITE, &info, SF_FALSE);
  if (sound_ == nullptr) {
    file_.fail(sf_strerror(nullptr));
    return;
  }
  sf_command(handle(sound_), SFC_SET_CLIPPING, nullptr, SF_TRUE);
  sf_command(handle(sound_), SFC_SET_ADD_PEAK_CHUNK, nullptr, SF_FALSE);  // It holds the time of day.
}

WavWriter::~WavWriter() {
  if (sound_ != nullptr) sf_close(handle(sound_));
}

void WavWriter::append(std::span<const float> interleaved) {
  if (!file_.ok() || sound_ == nullptr) return;
  const auto frames = static_cast<sf_count_t>(interleaved.size() / 2);
  if (sf_writef_float(handle(sound_), interleaved.data(), frames) == frames) return;
  const std::string reason = sf_strerror(handle(sound_));
  sf_close(handle(sound_));
  sound_ = nullptr;
  file_.fail(reason);
}

const std::string& WavWriter::finish() {
  if (sound_ != nullptr) {
    sf_write_sync(handle(sound_));
    const int closed = sf_close(handle(sound_));
    sound_ = nullptr;
    if (closed != 0) file_.fail(sf_error_number(closed));
  }
  return file_.commit();
}

std::string write_wav(const std::filesystem::path& path, u32 rate_hz, std::span<const float> interleaved,
                      WavFormat format, Overwrite overwrite) {
  WavWriter writer(path, rate_hz, format, overwrite);
  writer.append(interleaved);
  return writer.finish();
}

}  // namespace spellpool::content
