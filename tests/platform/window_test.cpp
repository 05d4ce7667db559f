#include "platform/window.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "../support/scratch_folder.hpp"
#include "platform/desktop_scale.hpp"
#include "platform/display_loss.hpp"

namespace spellpool::platform {
namespace {

using test::ScopedVariable;
using ::testing::HasSubstr;

WindowOptions headless(int width, int height) {
  WindowOptions options;
  options.headless = true;
  options.width = width;
  options.height = height;
  return options;
}

TEST(Window, HeadlessSurfaceHasTheAskedSizeAndAContext) {
  const WindowResult result = Window::open(headless(321, 123));
  if (result.window == nullptr) GTEST_SKIP() << result.error;
  EXPECT_EQ(result.window->drawable_px(), (Size{321, 123}));
  EXPECT_NE(gl_function("glClear"), nullptr);
  EXPECT_FALSE(result.window->minimised());
  result.window->swap();
  EXPECT_FALSE(watch_display(*result.window, nullptr, nullptr)) << "no X server is involved";
}

TEST(Window, HeadlessSurfaceIsDrawnAtNaturalSize) {
  const WindowResult result = Window::open(headless(800, 600));
  if (result.window == nullptr) GTEST_SKIP() << result.error;
  EXPECT_EQ(result.window->dpi_scale(), 1.0f) << "a picture must not depend on anybody's display";
  EXPECT_EQ(result.window->window_size(), (Size{800, 600}));
}

TEST(Window, CanBeOpenedAgain) {
  for (int i = 0; i < 2; ++i) {
    const WindowResult result = Window::open(headless(64, 64));
    if (result.window == nullptr) GTEST_SKIP() << result.error;
  }
}

// A suite of their own: builds that look for leaks keep a driver that has drawn for the rest of their process.
TEST(NoWindow, WithoutADisplayTheErrorNamesTheMend) {
  const ScopedVariable driver("SDL_VIDEODRIVER", nullptr), x("DISPLAY", nullptr), wayland("WAYLAND_DISPLAY", nullptr),
      runtime("XDG_RUNTIME_DIR", "/nonexistent");
  const WindowResult result = Window::open({});
  EXPECT_EQ(result.window, nullptr);
  EXPECT_EQ(result.error, "no display: set DISPLAY or use --headless");
}

TEST(NoWindow, DisplayThatDoesNotAnswerIsNamed) {
  const ScopedVariable driver("SDL_VIDEODRIVER", nullptr), x("DISPLAY", ":4711"), wayland("WAYLAND_DISPLAY", nullptr),
      runtime("XDG_RUNTIME_DIR", "/nonexistent");
  const WindowResult result = Window::open({});
  EXPECT_EQ(result.window, nullptr);
  EXPECT_EQ(result.error, "no display: nothing answers at DISPLAY=:4711; mend it or use --headless");
}

TEST(NoWindow, DriversWithoutOpenGlAreRefusedInOneLine) {
  const ScopedVariable driver("SDL_VIDEODRIVER", "dummy");
  const WindowResult result = Window::open(headless(64, 64));
  EXPECT_EQ(result.window, nullptr);
  EXPECT_THAT(result.error, HasSubstr("no OpenGL 3.3 on the video driver 'dummy'"));
  EXPECT_EQ(result.error.find('\n'), std::string::npos);
}

TEST(NoWindow, UsersOwnDriverIsRespected) {
  const ScopedVariable driver("SDL_VIDEODRIVER", "there_is_none");
  const WindowResult result = Window::open({});
  EXPECT_EQ(result.window, nullptr);
  EXPECT_THAT(result.error, HasSubstr("SDL_VIDEODRIVER=there_is_none"));
}

TEST(DesktopScale, DesktopsWishComesBeforeTheDisplaysDensity) {
  EXPECT_EQ(scale_of(96, 220), 1.0f);
  EXPECT_EQ(scale_of(192, 90), 2.0f);
  EXPECT_EQ(scale_of(120, 0), 1.25f);
  EXPECT_EQ(scale_of(0, 0), 1.0f);
  EXPECT_EQ(scale_of(0, 109), 1.0f);
  EXPECT_EQ(scale_of(0, 157), 1.5f);
  EXPECT_EQ(scale_of(0, 220), 2.0f);
  EXPECT_EQ(scale_of(-5, 1e9f), 3.0f);
  EXPECT_EQ(scale_of(NAN, INFINITY), 1.0f);
  EXPECT_EQ(scale_of(48, 220), 1.0f);
}

}  // namespace
}  // namespace spellpool::platform
