#include "app/learn/lesson_listening.hpp"

#include "app/learn/lesson_voices.hpp"

namespace spellpool::app {
namespace {

constexpr i64 kListening_ns = 3'500'000'000;

}  // namespace

void LessonListening::start(GameAudio& audio, frame::VoicePolicy policy, i64 now_ns) {
  audio::Mixer& mixer = audio.mixer();
  mixer.set_slots(kFloodVoices);
  mixer.set_policy(policy);
  mixer.set_muted(false);
  plays_ = true;
  begun_ns_ = now_ns;
  next_ = 0;
}

void LessonListening::go_on(GameAudio& audio, i64 now_ns) {
  if (!plays_) return;
  const i64 passed_ms = (now_ns - begun_ns_) / 1'000'000;
  for (; next_ < kVoiceFlood.size() && kVoiceFlood[next_].at_ms <= passed_ms; ++next_) {
    frame::AudioEvent event;
    event.sound = kVoiceFlood[next_].sound;
    event.gain = kVoiceFlood[next_].gain;
    event.unmerged = true;
    audio.mixer().play(event);
  }
  audio.mixer().update();
  if (now_ns - begun_ns_ > kListening_ns) end(audio);
}

void LessonListening::end(GameAudio& audio) {
  if (!plays_) return;
  plays_ = false;
  audio.mute();
  audio.mixer().set_slots(audio.choice().slots);
  audio.mixer().set_policy(audio.choice().policy);
}

}  // namespace spellpool::app
