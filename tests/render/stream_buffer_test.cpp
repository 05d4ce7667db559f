#include "render/gl/stream_buffer.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "offscreen_context.hpp"

namespace spellpool::render::test {
namespace {

std::vector<std::byte> bytes_of(std::size_t count, int picture) {
  std::vector<std::byte> made(count);
  for (std::size_t i = 0; i < count; ++i)
    made[i] = static_cast<std::byte>((i * 7 + static_cast<std::size_t>(picture) * 31) & 255);
  return made;
}

/// With and without a mapping.
class StreamBufferTest : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    context_ = std::make_unique<OffscreenContext>();
    if (!context_->made()) GTEST_SKIP() << "skipped: no GL";
    if (GetParam() && !StreamBuffer::can_map()) GTEST_SKIP() << "skipped: no ARB_buffer_storage";
    stream_ = std::make_unique<StreamBuffer>();
    stream_->start(GetParam());
    ASSERT_EQ(stream_->mapped(), GetParam());
  }
  void TearDown() override {
    EXPECT_TRUE(stream_ == nullptr || glGetError() == GL_NO_ERROR);
    stream_.reset();
    context_.reset();
  }

  /// As the GPU has it: copied there, then read.
  std::vector<std::byte> content(std::size_t at, std::size_t count) const {
    const Buffer copy = make_buffer();
    glBindBuffer(GL_COPY_READ_BUFFER, stream_->buffer());
    glBindBuffer(GL_COPY_WRITE_BUFFER, copy.get());
    const GLsizeiptr size = static_cast<GLsizeiptr>(count);
    glBufferData(GL_COPY_WRITE_BUFFER, size, nullptr, GL_STREAM_READ);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, static_cast<GLintptr>(at), 0, size);
    const auto* memory =
        static_cast<const std::byte*>(glMapBufferRange(GL_COPY_WRITE_BUFFER, 0, size, GL_MAP_READ_BIT));
    if (memory == nullptr) return {};
    return {memory, memory + count};
  }

  /// One picture's data; returns where it lies.
  std::size_t stream(const std::vector<std::byte>& data) {
    stream_->begin(data.size());
    const std::size_t at = stream_->append(data);
    stream_->end();
    return at;
  }

  std::unique_ptr<OffscreenContext> context_;
  std::unique_ptr<StreamBuffer> stream_;
};

INSTANTIATE_TEST_SUITE_P(Render, StreamBufferTest, ::testing::Bool(),
                         [](const auto& way) { return way.param ? "Mapped" : "Orphaned"; });

TEST_P(StreamBufferTest, HoldsTheDataOfEachPictureInTurn) {
  for (int picture = 0; picture < 10; ++picture) {
    const std::vector<std::byte> data = bytes_of(1000 + static_cast<std::size_t>(picture) * 100, picture);
    const std::size_t at = stream(data);
    EXPECT_EQ(content(at, data.size()), data) << picture;
  }
}

TEST_P(StreamBufferTest, TwoAppendsLieBehindEachOther) {
  const std::vector<std::byte> first = bytes_of(160, 1), second = bytes_of(320, 2);
  stream_->begin(first.size() + second.size());
  const std::size_t a = stream_->append(first);
  EXPECT_EQ(stream_->append({}), a + 160);
  const std::size_t b = stream_->append(second);
  stream_->end();
  EXPECT_EQ(b, a + 160);
  EXPECT_EQ(content(a, first.size()), first);
  EXPECT_EQ(content(b, second.size()), second);
}

TEST_P(StreamBufferTest, AMappedOneLeavesTheLastTwoPicturesAlone) {
  if (!GetParam()) GTEST_SKIP() << "skipped: an orphaned storage is the driver's";
  const std::size_t full = stream_->room();
  std::vector<std::size_t> at;
  for (int picture = 0; picture < 10; ++picture) {
    at.push_back(stream(bytes_of(full, picture)));
    for (int back = 0; back < 3 && back <= picture; ++back) {
      const int other = picture - back;
      EXPECT_EQ(content(at[static_cast<std::size_t>(other)], full), bytes_of(full, other)) << picture << "-" << back;
    }
  }
  EXPECT_EQ(at[0], at[3]) << "three regions, and no more";
}

TEST_P(StreamBufferTest, GrowsInMidRunAndKeepsItsRoom) {
  stream(bytes_of(100, 0));
  const std::size_t small = stream_->room();
  EXPECT_GE(small, StreamBuffer::kLeastRoom_bytes);
  const std::vector<std::byte> data = bytes_of(small + 1, 1);
  const std::size_t at = stream(data);
  const std::size_t large = stream_->room();
  EXPECT_GE(large, data.size() + data.size() / 4) << "with some to spare, so that it does not grow at every picture";
  EXPECT_EQ(content(at, data.size()), data);
  const GLuint buffer = stream_->buffer();
  for (int picture = 2; picture < 8; ++picture) {
    const std::vector<std::byte> next = bytes_of(picture % 2 == 0 ? 16 : large, picture);
    EXPECT_EQ(content(stream(next), next.size()), next) << picture;
  }
  EXPECT_EQ(stream_->room(), large);
  EXPECT_EQ(stream_->buffer(), buffer) << "made once";
}

TEST_P(StreamBufferTest, WhatIsReservedNeedsNoOtherBuffer) {
  stream_->reserve(3'000'000);
  const GLuint buffer = stream_->buffer();
  const std::vector<std::byte> data = bytes_of(3'000'000, 4);
  EXPECT_EQ(content(stream(data), data.size()), data);
  EXPECT_EQ(stream_->buffer(), buffer);
  stream_->reserve(10);
  EXPECT_EQ(stream_->buffer(), buffer) << "never smaller";
}

TEST_P(StreamBufferTest, WaitsForNoGpuThatKeepsUp) {
  for (int picture = 0; picture < 12; ++picture) {
    stream(bytes_of(5000, picture));
    glFinish();
  }
  EXPECT_EQ(stream_->waits(), 0u);
}

TEST(StreamBufferEmbedded, OrphansUnderEs30) {
  const OffscreenContext context(OffscreenContext::Api::Es30);
  if (!context.made()) GTEST_SKIP() << "skipped: no GL ES 3.0";
  StreamBuffer stream;
  stream.start(true);
  EXPECT_FALSE(stream.mapped());
  stream.begin(64);
  stream.append(bytes_of(64, 0));
  stream.end();
  EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
}

}  // namespace
}  // namespace spellpool::render::test
