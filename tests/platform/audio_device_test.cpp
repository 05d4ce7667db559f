#include "platform/audio_device.hpp"

#include <SDL.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "../support/scratch_folder.hpp"
#include "../support/until.hpp"
#include "platform/events.hpp"

namespace spellpool::platform {
namespace {

using test::ScopedVariable;
using test::ScratchFolder;
using test::until;

constexpr i64 kSecond_ns = 1'000'000'000;

void count_frames(void* context, float* samples, int frames) {
  for (int i = 0; i < frames * 2; ++i) samples[i] = 0;
  static_cast<std::atomic<int>*>(context)->fetch_add(frames);
}

bool becomes_positive(const std::atomic<int>& count) {
  return until([&] { return count.load() > 0; });
}

void count_bytes(void* count, u8*, int bytes) { static_cast<std::atomic<int>*>(count)->fetch_add(bytes); }

/// Until a microphone has delivered three buffers. A device that plays would have asked for as many.
void let_buffers_pass() {
  std::atomic<int> bytes{0};
  SDL_AudioSpec wanted{}, got{};
  wanted.freq = 48'000;
  wanted.format = AUDIO_F32SYS;
  wanted.channels = 2;
  wanted.samples = 512;
  wanted.callback = count_bytes;
  wanted.userdata = &bytes;
  const SDL_AudioDeviceID microphone = SDL_OpenAudioDevice(nullptr, 1, &wanted, &got, 0);
  ASSERT_NE(microphone, 0u) << SDL_GetError();
  SDL_PauseAudioDevice(microphone, 0);
  for (int buffers = 0; buffers < 3; ++buffers) {
    bytes = 0;
    EXPECT_TRUE(becomes_positive(bytes));
  }
  SDL_CloseAudioDevice(microphone);
}

FrameEvents removed(u32 id) {
  FrameEvents events;
  events.audio_removed[0] = id;
  events.audio_removed_count = 1;
  return events;
}

TEST(AudioDevice, CallsBackOnlyAfterStartAndNotAfterClose) {
  const ScopedVariable driver("SDL_AUDIODRIVER", "dummy");
  std::atomic<int> frames{0};
  AudioDevice device(count_frames, &frames);
  ASSERT_TRUE(device.open()) << device.warning();
  EXPECT_GT(device.rate_hz(), 8000u);
  let_buffers_pass();
  EXPECT_EQ(frames.load(), 0);
  device.start();
  EXPECT_TRUE(becomes_positive(frames));
  device.close();
  const int at_close = frames.load();
  let_buffers_pass();
  EXPECT_EQ(frames.load(), at_close);
  EXPECT_FALSE(device.is_open());
}

TEST(AudioDevice, LostDeviceIsOpenedAnewAtTheSameRate) {
  const ScopedVariable driver("SDL_AUDIODRIVER", "dummy");
  std::atomic<int> frames{0};
  AudioDevice device(count_frames, &frames);
  ASSERT_TRUE(device.open());
  device.start();
  const u32 first = device.id(), rate_hz = device.rate_hz();
  device.update(removed(first + 100), 0);
  device.update(removed(0), 0);
  EXPECT_EQ(device.id(), first) << "another device went away";
  device.update(removed(first), kSecond_ns);
  ASSERT_TRUE(device.is_open());
  EXPECT_EQ(device.rate_hz(), rate_hz);
  frames = 0;
  EXPECT_TRUE(becomes_positive(frames));
}

// SDL's disk driver opens exactly when its file can be written: a device that comes and goes at will.
TEST(AudioDevice, RetriesMoreAndMoreSlowlyAndAtOnceWhenADeviceAppears) {
  const ScratchFolder scratch;
  const ScopedVariable driver("SDL_AUDIODRIVER", "disk");
  const std::string good = (scratch / "out.raw").string();
  const ScopedVariable file("SDL_DISKAUDIOFILE", good.c_str());
  std::atomic<int> frames{0};
  AudioDevice device(count_frames, &frames);
  ASSERT_TRUE(device.open()) << device.warning();
  device.start();
  {
    const ScopedVariable broken("SDL_DISKAUDIOFILE", "/nonexistent/out.raw");
    device.update(removed(device.id()), 0);
    EXPECT_FALSE(device.is_open());
    EXPECT_THAT(device.warning(), ::testing::StartsWith("no sound: "));
    device.update({}, kSecond_ns);  // The second try fails too: the third waits two seconds.
  }
  device.update({}, 2 * kSecond_ns);
  EXPECT_FALSE(device.is_open());
  device.update({}, 3 * kSecond_ns);
  EXPECT_TRUE(device.is_open());
  {
    const ScopedVariable broken("SDL_DISKAUDIOFILE", "/nonexistent/out.raw");
    device.update(removed(device.id()), 10 * kSecond_ns);
  }
  FrameEvents added;
  added.audio_added = true;
  device.update(added, 10 * kSecond_ns + 1);
  EXPECT_TRUE(device.is_open());
}

TEST(AudioDevice, ADeviceThatAppearsAndIsNotReadyIsTriedAgain) {
  const ScratchFolder scratch;
  const ScopedVariable driver("SDL_AUDIODRIVER", "disk");
  const std::string good = (scratch / "out.raw").string();
  std::atomic<int> frames{0};
  AudioDevice device(count_frames, &frames);
  {
    const ScopedVariable broken("SDL_DISKAUDIOFILE", "/nonexistent/out.raw");
    EXPECT_FALSE(device.open());
    device.start();
    FrameEvents added;
    added.audio_added = true;
    device.update(added, kSecond_ns);
    EXPECT_FALSE(device.is_open());
  }
  const ScopedVariable file("SDL_DISKAUDIOFILE", good.c_str());
  device.update({}, 2 * kSecond_ns - 1);
  EXPECT_FALSE(device.is_open());
  device.update({}, 2 * kSecond_ns);
  EXPECT_TRUE(device.is_open());
}

// A machine that slept, a driver that hangs: the device is there, and asks for nothing.
TEST(AudioDevice, DeviceThatStopsAskingForSoundIsOpenedAnew) {
  const ScopedVariable driver("SDL_AUDIODRIVER", "dummy");
  std::atomic<int> frames{0};
  AudioDevice device(count_frames, &frames);
  ASSERT_TRUE(device.open());
  device.start();
  ASSERT_TRUE(becomes_positive(frames));
  i64 now_ns = kSecond_ns;
  device.update({}, now_ns);
  for (int second = 0; second < 20; ++second) {  // it plays: however much time passes between two looks, nothing happens
    frames = 0;
    ASSERT_TRUE(becomes_positive(frames));
    device.update({}, now_ns += kSecond_ns);
  }
  SDL_PauseAudioDevice(device.id(), 1);
  let_buffers_pass();
  device.update({}, now_ns += kSecond_ns);
  frames = 0;
  device.update({}, now_ns += 2 * kSecond_ns);
  let_buffers_pass();
  EXPECT_EQ(frames.load(), 0) << "a short pause is none of our business";
  device.update({}, now_ns += 2 * kSecond_ns);
  EXPECT_TRUE(device.is_open());
  EXPECT_TRUE(becomes_positive(frames));
}

TEST(AudioDevice, TellsWhatItIs) {
  const ScopedVariable driver("SDL_AUDIODRIVER", "dummy");
  std::atomic<int> frames{0};
  AudioDevice device(count_frames, &frames);
  std::string text;
  device.describe(text);
  EXPECT_EQ(text, "no sound device");
  ASSERT_TRUE(device.open());
  device.describe(text);
  EXPECT_EQ(text, std::to_string(device.rate_hz()) + " Hz, " + std::to_string(device.block_frames()) + " frames");
}

TEST(AudioDevice, NoDeviceIsSilentAndNoError) {
  const ScopedVariable driver("SDL_AUDIODRIVER", "there_is_none");
  std::atomic<int> frames{0};
  AudioDevice device(count_frames, &frames);
  EXPECT_FALSE(device.open());
  EXPECT_THAT(device.warning(), ::testing::StartsWith("no sound: "));
  device.start();
  for (i64 t = 0; t < 100; ++t) device.update({}, t * kSecond_ns);
  EXPECT_FALSE(device.is_open());
}

}  // namespace
}  // namespace spellpool::platform
