#pragma once
// --clip FILE.webp|.gif|.mp4: a moving picture of a run. Pictures go raw through a socket to ffmpeg, which scales and
// encodes them; no shell, and no other program, is involved. Without ffmpeg everything else works.
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/enum_table.hpp"
#include "measure/experiment/child_process.hpp"

namespace spellpool::app {

enum class ClipFormat : u8 { Webp, Gif, Mp4 };

struct ClipFormatRow {
  ClipFormat id;
  std::string_view extension;
  u32 every_steps;              ///< Of which one is shown: 60 / every_steps pictures a second.
  u32 most_width_px;            ///< Wider pictures are scaled down to it, their height alike.
};
/// Ten seconds of sparks are to stay below 6 MB as WebP and GIF, for a README. A GIF needs more bytes for less, and
/// counts time in 1/100 s.
inline constexpr std::array kClipFormats = {
    ClipFormatRow{ClipFormat::Webp, ".webp", 2, 640},
    ClipFormatRow{ClipFormat::Gif, ".gif", 3, 360},
    ClipFormatRow{ClipFormat::Mp4, ".mp4", 1, 1920},
};
static_assert(rows_in_order(kClipFormats));
/// By the name's ending; null: none of them.
const ClipFormatRow* clip_format(const std::string& path);

inline constexpr std::string_view kNoFfmpeg = "ffmpeg is not installed; install ffmpeg: sudo apt-get install ffmpeg";

/// What the options say.
struct ClipPlan {
  std::string path;              ///< Its ending tells the format.
  u32 seconds = 10;
  std::optional<u64> from_step;  ///< None: where the first finale begins.
};

/// Pictures into a file, by ffmpeg. The file appears under its name when it is whole, and replaces an older one; half
/// a file is never left behind.
/// Cost  a write of width·height·3 bytes a picture, which waits while ffmpeg encodes.   Threads  one.
class Clip {
 public:
  /// `option`: begins every error line. Pictures wider than `most_width_px` are scaled down to it; 0: as the format
  /// has it.
  explicit Clip(std::string option = "--clip", u32 most_width_px = 0)
      : option_(std::move(option)), most_width_px_(most_width_px) {}
  ~Clip();  ///< Without close() nothing is kept.
  Clip(const Clip&) = delete;
  Clip& operator=(const Clip&) = delete;

  /// Starts ffmpeg. "" or an error line. Sizes are those of the pictures to come.
  std::string open(const std::string& path, u32 width_px, u32 height_px);
  /// One picture, top row first, 3 bytes a pixel. "" or an error line; then the clip is lost.
  std::string add(std::span<const u8> rgb);
  /// Waits for ffmpeg and puts the file in place. "" or an error line.
  std::string close();
  u64 pictures() const { return pictures_; }

 private:
  std::string give_up(const std::string& reason);
  std::string ffmpeg_end(const measure::ChildResult& result) const;

  std::string option_;
  u32 most_width_px_;
  std::string path_, staged_, log_;
  measure::FedChild ffmpeg_;
  std::size_t picture_bytes_ = 0;
  u64 pictures_ = 0;
};

/// The run that is filmed.
class ClipSource {
 public:
  virtual ~ClipSource() = default;
  /// Plays one step. False: the run is over, or was interrupted.
  virtual bool step() = 0;
  virtual u64 steps() const = 0;
  virtual bool in_finale() const = 0;
  /// Draws the world as it stands and reads the picture back. False: it could not be had.
  virtual bool picture(std::vector<u8>& rgb) = 0;
};

/// For a finale a clip waits no longer than this, ten minutes of the game: without --autoplay or a replay there is
/// none.
inline constexpr u64 kLongestWait_steps = 36'000;

/// Plays until the clip begins, films it, and returns with the run standing after its last picture. A run that ends
/// sooner gives a shorter clip, and a line in the log. "" or an error line.
std::string run_clip(const ClipPlan& plan, ClipSource& source, u32 width_px, u32 height_px);

}  // namespace spellpool::app
