// Real windows on a private Xvfb, closed, destroyed, killed and bereft of their server. The client is this test program
// itself, started with SPELLPOOL_WINDOW_CLIENT set: it opens a window, draws, and writes what it sees into a file.
#include "platform/display_loss.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <memory>
#include <thread>

#include "../support/scratch_folder.hpp"
#include "../support/until.hpp"
#include "platform/clock.hpp"
#include "platform/events.hpp"
#include "platform/stop_signals.hpp"
#include "platform/window.hpp"
#include "x_server.hpp"

namespace spellpool::platform {
namespace {

using test::read_file;
using test::ScratchFolder;
using ::testing::HasSubstr;
using ::testing::Not;

std::optional<std::string> save_client(void* context) {
  const auto* path = static_cast<const std::string*>(context);
  std::ofstream(*path + ".saved") << "saved";
  return *path + ".saved";
}

/// What the game's main does, in small. 0 after a normal end, 3 if the window could not be opened.
int run_client(std::string path) {
  ::alarm(60);
  install_stop_signals();
  WindowOptions options;
  options.title = "spellpool window client";
  options.width = 320;
  options.height = 240;
  WindowResult result = Window::open(options);
  std::ofstream out(path);
  if (result.window == nullptr) {
    out << result.error << std::endl;
    return 3;
  }
  Window& window = *result.window;
  Events events;
  if (!watch_display(window, save_client, &path)) out << "not watched" << std::endl;
  const auto clear = reinterpret_cast<void (*)(unsigned)>(gl_function("glClear"));
  out << "scale " << window.dpi_scale() << std::endl;
  bool held = false;
  for (int frame = 0;; ++frame) {
    const FrameEvents& got = events.poll(window);
    for (std::size_t i = 0; i < got.action_count; ++i) {
      out << frame::kHotkeys[static_cast<std::size_t>(got.actions[i])].name << std::endl;
      if (got.actions[i] == frame::Action::Fullscreen) window.set_fullscreen(!window.fullscreen());
      if (got.actions[i] == frame::Action::Settings) events.listen(true);
    }
    if (!got.heard_key.empty()) out << "heard " << got.heard_key << std::endl;
    if (got.rapid_pressed) out << "rapid" << std::endl;
    if (held != got.cast_held) out << (got.cast_held ? "holds" : "lets go") << std::endl;
    held = got.cast_held;
    if (got.move_x != 0) out << "walks " << got.move_x << std::endl;
    if (got.cast_pressed) out << "cast " << got.mouse_x_px << ' ' << got.mouse_y_px << std::endl;
    if (got.wheel != 0) out << "wheel " << got.wheel << std::endl;
    if (got.resized) {
      out << "size " << window.drawable_px().width << ' ' << window.drawable_px().height << ", to remember "
          << window.window_size().width << ' ' << window.window_size().height << std::endl;
    }
    if (got.quit) break;
    clear(0x4000);
    window.swap();
    if (frame == 3) out << "drawing" << std::endl;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  save_client(&path);
  forget_save(&path);
  out << "forgot" << std::endl;
  if (std::getenv("SPELLPOOL_WINDOW_CLIENT_WAITS") != nullptr) {
    while (!std::filesystem::exists(path + ".go")) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  result.window.reset();
  out << "ended" << std::endl;
  return 0;
}

// Before main, so that GoogleTest has no part in the client's run.
[[maybe_unused]] const bool kClient = [] {
  if (const char* path = std::getenv("SPELLPOOL_WINDOW_CLIENT")) std::exit(run_client(path));
  return false;
}();

class DisplayLossTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!on_path("Xvfb") || !on_path("xdotool")) GTEST_SKIP() << "Xvfb and xdotool are not installed";
    server = std::make_unique<XServer>(scratch / "server.log");
    ASSERT_NE(server->display(), "") << read_file(scratch / "server.log");
    start_client();
  }

  void start_client(std::vector<std::string> variables = {}) {
    variables.insert(variables.end(), {"SPELLPOOL_WINDOW_CLIENT=" + (scratch / "out").string(),
                                       "DISPLAY=" + server->display(), "SDL_VIDEODRIVER=x11", "WAYLAND_DISPLAY=",
                                       "LIBGL_ALWAYS_SOFTWARE=1"});
    client =
        std::make_unique<Process>(std::vector<std::string>{std::filesystem::read_symlink("/proc/self/exe").string()},
                                  variables, scratch / "client.log");
    const bool drawing = says("drawing");
    if (has_said("no OpenGL")) GTEST_SKIP() << read_file(scratch / "out");
    ASSERT_TRUE(drawing) << server->display() << all_output();
    ASSERT_FALSE(has_said("not watched")) << all_output();
  }

  /// The client's file contains the text.
  bool has_said(const std::string& text) { return read_file(scratch / "out").find(text) != std::string::npos; }
  /// True as soon as it does.
  bool says(const std::string& text) {
    return test::until([&] { return has_said(text); });
  }
  std::string all_output() { return read_file(scratch / "out") + read_file(scratch / "client.log"); }
  bool saved() { return std::filesystem::exists(scratch / "out.saved"); }
  bool xdotool(const std::string& arguments) { return server->shell("xdotool " + arguments) == 0; }
  bool xdotool_window(const std::string& command) {
    return xdotool("search --sync --onlyvisible --name 'spellpool window client' " + command);
  }

  ScratchFolder scratch;
  std::unique_ptr<XServer> server;
  std::unique_ptr<Process> client;
};

TEST_F(DisplayLossTest, WindowDestroyedFromOutsideEndsAsIfClosed) {
  ASSERT_TRUE(xdotool_window("windowclose"));
  EXPECT_EQ(client->wait(), 0) << all_output();
  EXPECT_TRUE(saved());
  EXPECT_THAT(all_output(), HasSubstr("ended"));
}

TEST_F(DisplayLossTest, KilledClientSavesAndSaysSo) {
  ASSERT_TRUE(xdotool_window("windowkill"));
  EXPECT_EQ(client->wait(), 2) << all_output();
  EXPECT_TRUE(saved());
  EXPECT_THAT(all_output(), HasSubstr("spellpool: error: the display was lost; what was recorded is saved in " +
                                      (scratch / "out.saved").string()));
}

TEST_F(DisplayLossTest, DeadServerSavesAndSaysSo) {
  server->process().send(SIGKILL);
  EXPECT_EQ(client->wait(), 2) << all_output();
  EXPECT_TRUE(saved());
  EXPECT_THAT(all_output(), HasSubstr("the display was lost; what was recorded is saved in"));
}

TEST_F(DisplayLossTest, ServerThatDiesWhileTheWindowClosesCallsNobodyWhoIsGone) {
  client->send(SIGKILL);
  client->wait();
  std::filesystem::remove(scratch / "out");
  start_client({"SPELLPOOL_WINDOW_CLIENT_WAITS=1"});
  client->send(SIGINT);
  ASSERT_TRUE(says("forgot")) << all_output();
  std::filesystem::remove(scratch / "out.saved");
  server->process().send(SIGKILL);
  server->process().wait();
  std::ofstream(scratch / "out.go") << "go";
  EXPECT_EQ(client->wait(), 2) << all_output();
  EXPECT_FALSE(saved()) << "its context may be gone";
  EXPECT_THAT(all_output(), HasSubstr("lost while the window closed; everything was saved before"));
}

TEST_F(DisplayLossTest, InterruptEndsNormally) {
  client->send(SIGINT);
  EXPECT_EQ(client->wait(), 0) << all_output();
  EXPECT_TRUE(saved());
}

TEST_F(DisplayLossTest, CloseButtonEndsNormally) {
  if (!on_path("openbox") || !on_path("wmctrl")) GTEST_SKIP() << "openbox and wmctrl are not installed";
  const Process window_manager({"openbox"}, {"DISPLAY=" + server->display()}, scratch / "openbox.log");
  ASSERT_TRUE(test::until([&] { return server->shell("wmctrl -F -c 'spellpool window client'") == 0; }));
  EXPECT_EQ(client->wait(), 0) << all_output();
  EXPECT_TRUE(saved());
}

TEST_F(DisplayLossTest, WindowDestroyedWhileFullscreenEndsAsIfClosed) {
  ASSERT_TRUE(xdotool_window("windowfocus mousemove 160 120"));
  ASSERT_TRUE(xdotool("key F11"));
  ASSERT_TRUE(says("fullscreen")) << all_output();
  ASSERT_TRUE(xdotool_window("windowclose"));
  EXPECT_EQ(client->wait(), 0) << all_output();
  EXPECT_TRUE(saved());
}

TEST_F(DisplayLossTest, RealKeysMouseAndResizeArrive) {
  ASSERT_TRUE(xdotool_window("windowfocus windowmove 0 0 mousemove --window %1 100 50"));
  ASSERT_TRUE(xdotool("key Tab click 1 click 4"));
  EXPECT_TRUE(says("toggle_strategy")) << all_output();
  EXPECT_TRUE(says("cast 100 50")) << all_output();
  EXPECT_TRUE(says("wheel 1")) << all_output();
  ASSERT_TRUE(xdotool_window("windowsize 500 400"));
  EXPECT_TRUE(says("size 500 400, to remember 500 400")) << all_output();
  client->send(SIGTERM);
  EXPECT_EQ(client->wait(), 0) << all_output();
  EXPECT_THAT(all_output(), Not(HasSubstr("error")));
}

TEST_F(DisplayLossTest, RealKeysAreHeldAndHeard) {
  ASSERT_TRUE(xdotool_window("windowfocus windowmove 0 0 mousemove --window %1 100 50"));
  ASSERT_TRUE(xdotool("keydown space keydown d"));
  EXPECT_TRUE(says("holds")) << all_output();
  EXPECT_TRUE(says("walks 1")) << all_output();
  ASSERT_TRUE(xdotool("keyup space keyup d click 3"));
  EXPECT_TRUE(says("lets go")) << all_output();
  EXPECT_TRUE(says("rapid")) << all_output();
  ASSERT_TRUE(xdotool("key F7"));
  EXPECT_TRUE(says("settings")) << all_output();
  ASSERT_TRUE(xdotool("key comma"));
  EXPECT_TRUE(says("heard ,")) << all_output();
}

TEST_F(DisplayLossTest, FullscreenKeepsTheWindowsSizeInMind) {
  ASSERT_TRUE(xdotool_window("windowfocus mousemove 160 120"));
  ASSERT_TRUE(xdotool("key F11"));
  EXPECT_TRUE(says("size 640 480, to remember 480 270")) << all_output();
}

TEST_F(DisplayLossTest, OrdinaryDisplayIsDrawnAtNaturalSize) { EXPECT_TRUE(says("scale 1\n")) << all_output(); }

TEST_F(DisplayLossTest, DesktopsOwnScaleIsTaken) {
  if (!on_path("xprop")) GTEST_SKIP() << "xprop is not installed";
  ASSERT_EQ(server->shell("xprop -root -f RESOURCE_MANAGER 8s -set RESOURCE_MANAGER 'Xft.dpi:192'"), 0);
  client.reset();
  std::filesystem::remove(scratch / "out");
  start_client();
  EXPECT_TRUE(says("scale 2\n")) << all_output();
}

}  // namespace
}  // namespace spellpool::platform
