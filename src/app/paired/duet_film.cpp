#include "app/paired/duet_film.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "app/play/clip.hpp"
#include "app/play/progress_bar.hpp"
#include "content/staged_file.hpp"
#include "core/one_line.hpp"
#include "measure/experiment/child_process.hpp"
#include "platform/paths.hpp"
#include "platform/stop_signals.hpp"

namespace spellpool::app {
namespace {

namespace fs = std::filesystem;

constexpr double kStepsASecond = 60.0;

/// Panels are to be read in it: wider than a clip of the game.
u32 most_width_px(const ClipFormatRow& format) {
  switch (format.id) {
    case ClipFormat::Gif: return 960;
    case ClipFormat::Webp: return 1280;
    case ClipFormat::Mp4: break;
  }
  return 1920;
}

fs::path free_path(const std::string& wanted) {
  const fs::path path(wanted);
  return platform::free_name(path.parent_path(), path.stem().string(), path.extension().string());
}

}  // namespace

std::string probe_film(const std::string& path) {
  const std::string error = content::StagedFile(free_path(path), content::Overwrite::No).error();
  if (!error.empty()) return error;
  return measure::program_exists("ffmpeg") ? std::string{}
                                           : one_line("--export " + path + ": " + std::string(kNoFfmpeg));
}

FilmResult film_duet(const std::string& path, Duet& again, const Duet& measured, DuetStage& stage, DuetHud& hud) {
  const ClipFormatRow& format = *clip_format(path);
  FilmResult result;
  const std::string free = free_path(path).string();
  const platform::Size size = stage.size_px();
  Clip clip("--export", most_width_px(format));
  result.error = clip.open(free, static_cast<u32>(size.width), static_cast<u32>(size.height));
  if (!result.error.empty()) return result;
  hud.film = true;
  hud.count_anew();
  ProgressBar bar;
  std::vector<u8> rgb;
  const u64 steps = measured.steps();
  for (u64 step = 0; step < steps && !platform::stop_requested(); ++step) {
    const bool shown = step % format.every_steps == 0;
    again.step(nullptr, shown ? std::optional(hud.settings.looks.density) : std::nullopt);
    if (!again.end_step()) break;
    if (!shown) continue;
    stage.fit(hud.strip && !hud.hidden);
    for (std::size_t side = 0; side < 2; ++side)
      stage.draw(side, again.world(side).build_snapshot(hud.settings.looks), 1.0f);
    frame::PanelRequests unheard;
    stage.finish(hud.model(again, measured.record(), stage.text_scale()), unheard);
    if (!stage.read(rgb)) {
      result.error = one_line("--export " + free + ": a picture could not be read back from OpenGL");
      return result;
    }
    result.error = clip.add(rgb);
    if (!result.error.empty()) return result;
    result.steps = step + 1;
    bar.show(static_cast<double>(step + 1) / static_cast<double>(steps),
             fmt::format("filming {}, {:.1f} of {:.1f} s", fs::path(free).filename().string(),
                         static_cast<double>(step + 1) / kStepsASecond, static_cast<double>(steps) / kStepsASecond));
  }
  const bool whole = again.steps() == steps && again.check();
  if (whole && again.equal_hash() != measured.equal_hash()) {
    result.error = one_line("--export " + free + ": what was filmed is not what was measured; no film was kept");
    return result;
  }
  if (clip.pictures() == 0) return result;  // stopped at once
  result.error = clip.close();
  if (result.error.empty()) result.path = free;
  return result;
}

}  // namespace spellpool::app
