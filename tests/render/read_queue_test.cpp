#include "render/gl/read_queue.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "offscreen_context.hpp"

namespace spellpool::render::test {
namespace {

class ReadQueueTest : public ::testing::Test {
 protected:
  static constexpr int kSide = 4;
  using Pixels = std::array<u8, kSide * kSide * 4>;

  void SetUp() override {
    context_ = std::make_unique<OffscreenContext>();
    if (!context_->made()) GTEST_SKIP() << "skipped: no GL";
    bool complete = true;
    target_ = make_target(PixelFormat::Rgba8, kSide, kSide, Filter::Nearest, complete);
    ASSERT_TRUE(complete);
    queue_ = std::make_unique<ReadQueue>();
  }
  void TearDown() override {
    glFenceSync = fence_sync_;
    EXPECT_TRUE(queue_ == nullptr || glGetError() == GL_NO_ERROR);
    queue_.reset();
    target_ = {};
    context_.reset();
  }

  /// Draws a picture of this red, and asks for it.
  std::size_t ask(u8 red) {
    glBindFramebuffer(GL_FRAMEBUFFER, target_.framebuffer.get());
    glClearColor(static_cast<float>(red) / 255.0f, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    const std::size_t place = queue_->begin(sizeof(Pixels));
    glReadPixels(0, 0, kSide, kSide, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    queue_->end();
    return place;
  }
  /// The red of the oldest picture, once it has arrived.
  int fetch() {
    glFlush();
    for (int tries = 0; tries < 1'000'000 && !queue_->has_arrived(); ++tries) continue;
    if (!queue_->has_arrived()) return -1;
    Pixels pixels{};
    queue_->fetch(pixels.data());
    for (std::size_t i = 0; i < pixels.size(); i += 4) {
      if (pixels[i] != pixels[0]) return -1;
    }
    return pixels[0];
  }

  std::unique_ptr<OffscreenContext> context_;
  RenderTarget target_;
  std::unique_ptr<ReadQueue> queue_;
  decltype(glFenceSync) fence_sync_ = glFenceSync;
};

TEST_F(ReadQueueTest, PicturesArriveInTheOrderInWhichTheyWereAskedFor) {
  EXPECT_TRUE(queue_->is_empty());
  EXPECT_FALSE(queue_->has_arrived());
  u8 next = 1, oldest = 1;
  for (int round = 0; round < 5; ++round) {
    std::array<std::size_t, ReadQueue::kMost> places{};
    for (std::size_t& place : places) place = ask(next++);
    EXPECT_TRUE(queue_->is_full());
    for (const std::size_t place : places) {
      EXPECT_EQ(queue_->oldest(), place);
      EXPECT_EQ(fetch(), oldest++);
      EXPECT_FALSE(queue_->is_full());
    }
    EXPECT_TRUE(queue_->is_empty());
    ask(next++);  // so that the next round begins at another place
    EXPECT_EQ(fetch(), oldest++);
  }
}

/// A driver without memory for a fence returns null. The pictures still arrive: fetch() waits for them.
TEST_F(ReadQueueTest, PicturesArriveWithoutAFence) {
  glFenceSync = [](GLenum, GLbitfield) -> GLsync { return nullptr; };
  ask(7);
  ask(8);
  EXPECT_TRUE(queue_->has_arrived());
  EXPECT_EQ(fetch(), 7);
  EXPECT_EQ(fetch(), 8);
  EXPECT_TRUE(queue_->is_empty());
}

}  // namespace
}  // namespace spellpool::render::test
