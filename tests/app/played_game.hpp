#pragma once
// The game's own loop in this process, offscreen, with keys that the test presses.
#include <SDL.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "../support/pictures.hpp"
#include "../support/scratch_folder.hpp"
#include "app/play/pool_sizes.hpp"
#include "app/window/window_game.hpp"

namespace spellpool::app {

/// An event of this key: SDL_KEYDOWN or SDL_KEYUP.
inline void push_key(SDL_Scancode code, Uint32 type) {
  SDL_Event event{};
  event.type = type;
  event.key.keysym.scancode = code;
  event.key.keysym.sym = SDL_GetKeyFromScancode(code);
  event.key.state = type == SDL_KEYDOWN ? SDL_PRESSED : SDL_RELEASED;
  SDL_PushEvent(&event);
}

class PlayedGame : public testing::Test {
 protected:
  /// Options beside those of open().
  virtual void change(PlayOptions&) {}
  /// What an earlier run left, beside its size.
  virtual void change(Remembered&) {}
  void open(frame::SceneId scene, u32 width = 640, u32 height = 360, bool title = false) {
    PlayOptions options;
    options.title = title;
    if (writes_layout_) options.layout_out = layout_path().string();
    options.world.scene = scene;
    options.world.sizes = frame::default_sizes(scene);
    change(options);
    ASSERT_EQ(load_texts(SPELLPOOL_SOURCE_DIR, library_, options.world), "");
    Remembered remembered;
    remembered.settings.window_width = width;
    remembered.settings.window_height = height;
    remembered.scores_path = (scratch_ / "scores.toml").string();
    remembered.lessons_path = (scratch_ / "lessons.toml").string();
    change(remembered);
    close_window();
    shell_ = std::make_unique<Shell>();
    game_ = std::make_unique<WindowGame>(options, library_, sounds_, SPELLPOOL_SOURCE_DIR, *shell_,
                                         std::make_unique<platform::FileWatch>(watched_, std::size_t{1} << 20), remembered,
                                         std::vector<std::string>{SPELLPOOL_PROGRAM});
    if (const std::string error = game_->open(); !error.empty()) GTEST_SKIP() << "skipped: " << error;
    frames(3);
  }
  /// Closes the window.
  void close_window() {
    game_.reset();
    shell_.reset();
  }
  std::vector<frame::PanelSound> frames(int count) {
    std::vector<frame::PanelSound> heard;
    for (test::Pictures pictures(count); pictures.more();) {
      EXPECT_TRUE(game_->frame());
      heard.insert(heard.end(), game_->clicks().begin(), game_->clicks().end());
    }
    return heard;
  }
  /// All that a key sounds like, from its press until a while after it was let go.
  std::vector<frame::PanelSound> key(SDL_Scancode code, int held_frames = 3) {
    push_key(code, SDL_KEYDOWN);
    std::vector<frame::PanelSound> heard = frames(held_frames);
    push_key(code, SDL_KEYUP);
    const std::vector<frame::PanelSound> after = frames(3);
    heard.insert(heard.end(), after.begin(), after.end());
    return heard;
  }
  const frame::ShooterView* shooter() const { return game_->game().session().world().shooter_view(); }
  std::filesystem::path layout_path() const { return scratch_ / "layout.json"; }
  /// What lies where, as of a frame or two ago.
  nlohmann::json layout() const { return nlohmann::json::parse(test::read_file(layout_path()), nullptr, false); }
  bool shows(const char* part) const {
    const nlohmann::json all = layout();
    return all.contains("parts") && all["parts"].contains(part);
  }
  static frame::PanelRequests asks(frame::SimCommandKind kind, frame::PoolId pool, u8 choice) {
    frame::PanelRequests requests;
    frame::SimCommand command;
    command.kind = kind;
    command.pool = pool;
    command.choice = choice;
    requests.ask(command);
    return requests;
  }

  test::ScopedVariable video_{"SDL_VIDEODRIVER", "offscreen"}, audio_{"SDL_AUDIODRIVER", "dummy"};
  test::ScratchFolder scratch_;
  SpellLibrary library_;
  SoundLibrary sounds_{sound_folders(SPELLPOOL_SOURCE_DIR, Own::No)};
  std::unique_ptr<Shell> shell_;
  std::unique_ptr<WindowGame> game_;
  std::vector<std::filesystem::path> watched_;  ///< The spells' files, in their order.
  bool writes_layout_ = true;  ///< Each layout that is written is an allocation of the game's.
};

}  // namespace spellpool::app
