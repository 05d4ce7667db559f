#include "app/play/clip.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "content/staged_file.hpp"
#include "content/text_file.hpp"
#include "core/log.hpp"
#include "core/one_line.hpp"

namespace spellpool::app {
namespace {

namespace fs = std::filesystem;

/// Encoders take even sizes only.
u32 even(double size) { return std::max(2u, static_cast<u32>(std::lround(size / 2)) * 2); }

std::vector<std::string> ffmpeg_command(const ClipFormatRow& format, const std::string& out, u32 width, u32 height,
                                        u32 most_width) {
  const double scale = std::min(1.0, static_cast<double>(most_width > 0 ? most_width : format.most_width_px) / width);
  const std::string sized = fmt::format("scale={}:{}:flags=area", even(width * scale), even(height * scale));
  std::vector<std::string> argv = {"ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-f", "rawvideo",
                                   "-pixel_format", "rgb24", "-video_size", fmt::format("{}x{}", width, height),
                                   "-framerate", std::to_string(60 / format.every_steps), "-i", "pipe:0", "-an"};
  const auto add = [&](std::initializer_list<std::string> more) { argv.insert(argv.end(), more); };
  switch (format.id) {
    case ClipFormat::Webp:
      // Every picture whole: libwebp_anim leaves out what hardly changed, and glows end in blocks.
      add({"-vf", sized + ",format=yuv420p", "-c:v", "libwebp", "-quality", "55", "-compression_level", "4"});
      add({"-loop", "0", "-f", "webp"});
      break;
    case ClipFormat::Gif:
      // One palette for all pictures; what does not change from one to the next is not written again, so its flicker
      // goes.
      add({"-vf", sized + ",hqdn3d=2:2:5:5,split[a][b];[a]palettegen=max_colors=128[p];"
                          "[b][p]paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle"});
      add({"-loop", "0", "-f", "gif"});
      break;
    case ClipFormat::Mp4:
      add({"-vf", sized, "-c:v", "libx264", "-preset", "medium", "-crf", "18", "-pix_fmt", "yuv420p"});
      add({"-movflags", "+faststart", "-f", "mp4"});
      break;
  }
  argv.push_back("file:" + out);  // a name may begin with a dash or hold a colon
  return argv;
}

}  // namespace

const ClipFormatRow* clip_format(const std::string& path) {
  std::string extension = fs::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  for (const ClipFormatRow& row : kClipFormats) {
    if (row.extension == extension) return &row;
  }
  return nullptr;
}

Clip::~Clip() {
  if (!staged_.empty()) give_up("");
}

std::string Clip::open(const std::string& path, u32 width_px, u32 height_px) {
  const ClipFormatRow* format = clip_format(path);
  if (format == nullptr) return one_line(option_ + " " + path + ": the name has to end in .webp, .gif or .mp4");
  path_ = path;
  std::error_code ignored;
  const fs::file_type type = fs::status(path, ignored).type();  // first: opening a FIFO would wait for its reader
  if (type != fs::file_type::regular && type != fs::file_type::directory && type != fs::file_type::not_found &&
      type != fs::file_type::none) {
    return one_line(option_ + " " + path + ": it is no ordinary file; give another name");
  }
  if (const std::string error = content::StagedFile(path, content::Overwrite::Yes).error(); !error.empty())
    return error;
  // Through a link, the file it points to is replaced, not the link.
  if (const fs::path target = fs::canonical(path, ignored); !ignored) path_ = target.string();
  staged_ = fmt::format("{}.part-{}", path_, ::getpid());
  log_ = staged_ + ".log";
  picture_bytes_ = std::size_t{width_px} * height_px * 3;
  const int error = ffmpeg_.start(ffmpeg_command(*format, staged_, width_px, height_px, most_width_px_), log_);
  if (error == ENOENT || error == EACCES) return give_up(std::string(kNoFfmpeg));
  if (error != 0) return give_up(fmt::format("ffmpeg could not be started: {}", std::strerror(error)));
  return {};
}

std::string Clip::add(std::span<const u8> rgb) {
  if (staged_.empty()) return {};
  if (rgb.size() != picture_bytes_) return give_up("a picture of another size came");
  if (ffmpeg_.write({reinterpret_cast<const char*>(rgb.data()), rgb.size()})) {
    ++pictures_;
    return {};
  }
  return give_up(ffmpeg_end(ffmpeg_.finish()));
}

std::string Clip::close() {
  if (staged_.empty()) return {};
  if (pictures_ == 0) return give_up("there was no picture to write");
  if (const measure::ChildResult result = ffmpeg_.finish(); !result.succeeded()) return give_up(ffmpeg_end(result));
  std::error_code error;
  fs::rename(staged_, path_, error);
  if (error) return give_up(error.message());
  fs::remove(log_, error);
  staged_.clear();
  return {};
}

std::string Clip::ffmpeg_end(const measure::ChildResult& result) const {
  const std::string last = measure::last_line_of(log_);
  return fmt::format("ffmpeg {}{}", result.text(), last.empty() ? "" : " (its last line: " + last + ")");
}

std::string Clip::give_up(const std::string& reason) {
  ffmpeg_.stop();
  std::error_code ignored;
  fs::remove(staged_, ignored);
  fs::remove(log_, ignored);
  staged_.clear();
  return one_line(option_ + " " + path_ + ": " + reason);
}

std::string run_clip(const ClipPlan& plan, ClipSource& source, u32 width_px, u32 height_px) {
  Clip clip;
  // First of all: what is wrong with ffmpeg or the path is better said before a minute is played.
  if (std::string error = clip.open(plan.path, width_px, height_px); !error.empty()) return error;
  const u64 longest = source.steps() + kLongestWait_steps;
  while (plan.from_step ? source.steps() < *plan.from_step : !source.in_finale()) {
    if ((plan.from_step || source.steps() < longest) && source.step()) continue;
    const std::string start = plan.from_step ? fmt::format("step {}", *plan.from_step) : "a finale";
    return one_line(
        fmt::format("--clip {}: the run ended at step {}, before {}; give --autoplay, more --steps or --clip-from STEP",
                    plan.path, source.steps(), start));
  }
  const u32 every = clip_format(plan.path)->every_steps;
  const u64 pictures = std::max<u64>(1, u64{plan.seconds} * 60 / every);
  std::vector<u8> rgb;
  for (bool more = true; more && clip.pictures() < pictures;) {
    if (!source.picture(rgb)) return one_line("--clip " + plan.path + ": a picture could not be read back from OpenGL");
    if (std::string error = clip.add(rgb); !error.empty()) return error;
    for (u32 i = 0; more && i < every && clip.pictures() < pictures; ++i) more = source.step();
  }
  if (clip.pictures() < pictures) {
    log(LogLevel::Warning, one_line(fmt::format("--clip {}: the run ended after {:.1f} of {} seconds", plan.path,
                                                static_cast<double>(clip.pictures()) * every / 60.0, plan.seconds)));
  }
  return clip.close();
}

}  // namespace spellpool::app
