#pragma once
#include <memory>
#include <string>
#include <vector>

#include "app/play/game.hpp"

namespace spellpool::app {

/// Offscreen drawing for headless runs: a GL context without a window, the renderer and the panels.
class Picture {
 public:
  Picture();
  ~Picture();

  /// "" or why there is no picture to be had.
  std::string open(const PlayOptions& options, const std::string& data_dir);
  std::string renderer_name() const;
  /// After each step: what the panels will have to say of it.
  void follow(Game& game);
  /// With which it draws: for the step before it.
  frame::Amount density() const;
  /// Draws the game as it stands (phases Render and Swap), without panels and without reading it back.
  void draw(Game& game);
  /// Draws, without panels, and reads it back: top row first, 3 bytes a pixel. False if OpenGL refuses.
  bool read(Game& game, std::vector<u8>& rgb);
  int width_px() const;
  int height_px() const;
  /// Draws and writes a PNG. "" or an error line.
  std::string save(Game& game, const std::string& path);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace spellpool::app
