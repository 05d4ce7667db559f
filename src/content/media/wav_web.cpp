#include "content/media/wav.hpp"

namespace spellpool::content {

WavWriter::WavWriter(const std::filesystem::path& path, u32, WavFormat, Overwrite overwrite) : file_(path, overwrite) {
  if (file_.ok()) file_.fail("the browser build writes no sound files: it has no libsndfile");
}

WavWriter::~WavWriter() = default;

void WavWriter::append(std::span<const float>) {}

const std::string& WavWriter::finish() { return file_.commit(); }

std::string write_wav(const std::filesystem::path& path, u32 rate_hz, std::span<const float>, WavFormat format, Overwrite overwrite) {
  WavWriter writer(path, rate_hz, format, overwrite);
  return writer.finish();
}

}  // namespace spellpool::content
