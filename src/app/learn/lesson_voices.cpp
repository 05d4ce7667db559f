#include "app/learn/lesson_voices.hpp"

#include <algorithm>
#include <cmath>

#include "audio/voice_pool.hpp"

namespace spellpool::app {
namespace {

constexpr audio::GroupGains kFloodGains = {1.0f, 1.0f, 1.0f};
constexpr u32 kFloodLength_s = 5;  ///< Then every sound of it has ended.
constexpr float kCentrePan = 0.7071068f;

double energy_of(const audio::Playing& voice, u64 now) {
  const auto loudness = static_cast<double>(audio::audibility(voice, 1.0f, now));
  return loudness * loudness;
}

/// One pool, one policy, the whole flood.
class Flood {
 public:
  Flood(const audio::SoundBank& bank, frame::VoicePolicy policy)
      : bank_(bank), pool_(kFloodVoices, kFloodVoices, static_cast<u32>(kVoiceFlood.size()), policy) {
    row_.policy = policy;
  }

  frame::LessonVoiceRow run(u32 loudest) {
    const u64 rate = bank_.sample_rate_hz();
    std::size_t next = 0;
    for (u64 now = 0; now < kFloodLength_s * rate; now += audio::kCellFrames) {
      pool_.begin_cell(now, kFloodGains);
      hear(now);
      for (; next < kVoiceFlood.size() && kVoiceFlood[next].at_ms * rate / 1'000 <= now; ++next) {
        begin(kVoiceFlood[next], next + 1, now);
        if (next + 1 == loudest) look(loudest, now);
      }
    }
    const audio::VoicePoolStats& stats = pool_.stats();
    row_.rejected = stats.rejected;
    row_.stolen = stats.stolen;
    row_.silenced = stats.made_virtual;
    row_.resumed = stats.resumed;
    row_.lost = all_ > 0 ? std::clamp(lost_ / all_, 0.0, 1.0) : 0;
    return row_;
  }

 private:
  void begin(const FloodSound& asked, u64 serial, u64 now) {
    audio::Playing voice;
    voice.id = asked.sound;
    voice.sound = &bank_[asked.sound];
    voice.serial = serial;
    voice.start = now;
    voice.gain = asked.gain;
    voice.priority = voice.sound->traits().priority;
    voice.kept = voice.sound->traits().kept;
    voice.own = voice.sound->traits().own;
    voice.pan_left = voice.pan_right = kCentrePan;
    const double energy = energy_of(voice, now);
    all_ += energy;
    loudest_energy_ = std::max(loudest_energy_, energy);
    const audio::StartResult started = pool_.start(voice, now);
    // Begun virtual: lost from its beginning, like a voice that was rejected, until it comes back.
    if (started.outcome != audio::StartOutcome::Started) lost_ += energy;
    if (started.outcome == audio::StartOutcome::Rejected && row_.first_refused == 0)
      row_.first_refused = static_cast<u32>(serial);
    hear(now);
  }

  /// What changed for voices other than the one that was to start.
  void hear(u64 now) {
    for (const audio::VoiceChange& change : pool_.changes()) {
      const bool cut = change.kind == audio::VoiceChange::Kind::Gone && change.end == audio::VoiceEnd::Stolen;
      if (cut || change.kind == audio::VoiceChange::Kind::Silenced) lost_ += energy_of(change.voice, now);
      if (change.kind == audio::VoiceChange::Kind::Resumed) lost_ -= energy_of(change.voice, now);
    }
    pool_.clear_changes();
  }

  /// The slots as they are now.
  void look(u64 loudest, u64 now) {
    row_.slots.assign(kFloodVoices, {});
    pool_.for_each([&](u32 slot, const audio::Playing& voice) {
      row_.slots[slot] = {static_cast<u32>(voice.serial),
                          static_cast<float>(std::sqrt(energy_of(voice, now) / loudest_energy_))};
      row_.loudest_heard = row_.loudest_heard || voice.serial == loudest;
    });
  }

  const audio::SoundBank& bank_;
  audio::VoicePool pool_;
  frame::LessonVoiceRow row_;
  double all_ = 0, lost_ = 0, loudest_energy_ = 0;  ///< The last one of a sound at its beginning.
};

/// The number of the sound with the most energy, from 1.
u32 loudest_of(const audio::SoundBank& bank) {
  u32 best = 1;
  double most = 0;
  for (u32 i = 0; i < kVoiceFlood.size(); ++i) {
    const double loudness =
        static_cast<double>(kVoiceFlood[i].gain * bank[kVoiceFlood[i].sound].loudness_from(0));
    if (loudness <= most) continue;
    most = loudness;
    best = i + 1;
  }
  return best;
}

}  // namespace

frame::LessonMeasurement flood_voices(const audio::SoundBank& bank) {
  frame::LessonMeasurement found;
  found.id = frame::LessonMeasure::Voices;
  found.sounds = static_cast<u32>(kVoiceFlood.size());
  found.loudest = loudest_of(bank);
  for (const frame::VoicePolicyRow& row : frame::kVoicePolicies)
    found.voices.push_back(Flood(bank, row.id).run(found.loudest));
  return found;
}

}  // namespace spellpool::app
