#pragma once
#include <filesystem>
#include <span>
#include <string>

#include "content/staged_file.hpp"
#include "core/types.hpp"

namespace spellpool::content {

enum class WavFormat : u8 { Pcm16, Float32 };

/// Stereo WAV file, written block by block. The bytes depend on the samples alone (no date, no PEAK chunk), so a
/// deterministic mix gives the same file every time. Samples beyond ±1 are clipped in Pcm16, kept in Float32.
/// The file appears under its name at finish(); without it nothing is left behind.
/// Cost    append copies to the disk: off the audio thread and outside measured frames.
/// Errors  the first one is kept, a line that names the path; later calls do nothing.
class WavWriter {
 public:
  WavWriter(const std::filesystem::path& path, u32 rate_hz, WavFormat format, Overwrite overwrite = Overwrite::No);
  ~WavWriter();
  WavWriter(const WavWriter&) = delete;
  WavWriter& operator=(const WavWriter&) = delete;

  const std::string& error() const { return file_.error(); }
  /// Interleaved left, right; an even number of samples.
  void append(std::span<const float> interleaved);
  /// Completes the file and puts it in place. "" or the error line.
  const std::string& finish();

 private:
  StagedFile file_;
  void* sound_ = nullptr;  ///< libsndfile's SNDFILE.
};

/// The whole file at once. "" or the error line.
std::string write_wav(const std::filesystem::path& path, u32 rate_hz, std::span<const float> interleaved,
                      WavFormat format = WavFormat::Pcm16, Overwrite overwrite = Overwrite::No);

}  // namespace spellpool::content
