#pragma once
// Fixed pool of voices that, when full, steals the one the ear will miss least.
//
// Words    voice slot: a place to play one sound. Steal: take a slot from a playing voice. Reject: refuse the newcomer.
// Layout   voices_[capacity] 48 B each | meta_[capacity] {serial, generation} 16 B | one occupancy bit a slot.
// Order    of audibility = gain × distance × loudness still to come; the least is the victim. Equal ones: the lower
//          start serial, 64 bits wide, which never wraps. A newcomer below the least audible voice is rejected.
// Cost     start O(capacity/64) with a free slot, O(capacity) when full; find and stop O(1); walks
//          O(live + capacity/64).
// Slots    the lowest free one is taken, so which slot a voice gets depends on what is live and not on the order of
//          releases; the mixer adds voices in slot order, hence the same float sum for every block size.
// Handles  {index, generation}; odd generation: live. A handle goes stale when its voice ends or is stolen, silently
//          and harmlessly.
// Full     start() says what happened: Started, StoleQuietest with a copy of the victim, or Rejected. Nothing
//          allocates after construction.
// Threads  one owner: the thread that mixes.
// Source   Nystrom, "Object Pool". The order is from our own measure, a pool of 32 at 60 starts/s, error of (limited −
//          unlimited mix): −1.9 dB for "oldest", −13.5 for gain × distance, −19 with the loudness still to come.
#include <bit>
#include <vector>

#include "audio/sound_bank.hpp"
#include "core/assert.hpp"
#include "core/handle.hpp"

namespace spellpool::audio {

/// One sound being played.
struct Voice {
  const Sound* sound = nullptr;
  u64 position = 0;         ///< In the sound, frames · 2^32.
  u64 step = u64{1} << 32;  ///< Added per frame: the pitch ratio · 2^32.
  float gain_left = 0.0f;   ///< Event gain × attenuation × pan.
  float gain_right = 0.0f;
  float loudness = 0.0f;  ///< Event gain × attenuation: two factors of the audibility.
  float low_pass = 1.0f;
  float low_pass_state = 0.0f;
  bool finished = false;  ///< Set by the mixer at the last frame; release_finished() then frees the slot.

  u64 frame() const { return position >> 32; }
};

static_assert(sizeof(Voice) == 48 || sizeof(void*) != 8);

using VoiceHandle = Handle<Voice>;

/// What stealing this voice now would cost the ear; 0 for nonsense.
inline float audibility(const Voice& voice) {
  if (voice.sound == nullptr) return 0.0f;
  const float value = voice.loudness * voice.sound->loudness_from(voice.frame());
  return value > 0.0f ? value : 0.0f;
}

enum class StartOutcome : u8 { Started, StoleQuietest, Rejected };

struct StartResult {
  StartOutcome outcome = StartOutcome::Rejected;
  VoiceHandle handle;  ///< Null if rejected.
  Voice victim;        ///< As it was when stolen; sound == nullptr otherwise.
};

struct VoicePoolStats {
  u32 active = 0;
  u32 peak = 0;
  u64 started = 0;  ///< = ended + stolen + active.
  u64 ended = 0;    ///< Played to their end or stopped.
  u64 stolen = 0;
  u64 rejected = 0;
};

class VoicePool {
 public:
  /// capacity ≥ 1 (0 counts as 1).
  explicit VoicePool(u32 capacity)
      : voices_(capacity > 0 ? capacity : 1), meta_(voices_.size()), occupied_((voices_.size() + 63) / 64, 0) {}

  StartResult start(const Voice& voice) {
    StartResult result;
    u32 slot = lowest_free();
    if (slot == capacity()) {
      slot = least_audible();
      if (audibility(voice) < audibility(voices_[slot])) {
        ++stats_.rejected;
        return result;
      }
      result.outcome = StartOutcome::StoleQuietest;
      result.victim = voices_[slot];
      vacate(slot);
      ++stats_.stolen;
    } else {
      result.outcome = StartOutcome::Started;
    }
    occupied_[slot / 64] |= u64{1} << (slot % 64);
    voices_[slot] = voice;
    voices_[slot].finished = false;
    meta_[slot].serial = next_serial_++;
    ++meta_[slot].generation;
    ++stats_.started;
    ++stats_.active;
    stats_.peak = stats_.active > stats_.peak ? stats_.active : stats_.peak;
    result.handle = VoiceHandle{slot, meta_[slot].generation};
    return result;
  }

  /// The voice, or nullptr if the handle is null or stale.
  Voice* find(VoiceHandle handle) { return is_live(handle) ? &voices_[handle.index] : nullptr; }
  const Voice* find(VoiceHandle handle) const { return is_live(handle) ? &voices_[handle.index] : nullptr; }

  /// Ends a voice at once (with a click: the mixer fades what it steals). False, and no effect, for a stale handle.
  bool stop(VoiceHandle handle) {
    if (!is_live(handle)) return false;
    vacate(handle.index);
    ++stats_.ended;
    return true;
  }

  /// Calls visit(Voice&) in slot order. The walk never erases: mark `finished`, then release_finished().
  template <class Visit>
  void for_each(Visit&& visit) {
    for_each_slot([&](u32 slot) { visit(voices_[slot]); });
  }

  void release_finished() {
    for_each_slot([&](u32 slot) {
      if (!voices_[slot].finished) return;
      vacate(slot);
      ++stats_.ended;
    });
  }

  u32 capacity() const { return static_cast<u32>(voices_.size()); }
  const VoicePoolStats& stats() const { return stats_; }

 private:
  struct Meta {
    u64 serial = 0;
    u32 generation = 0;
  };

  bool is_live(VoiceHandle handle) const {
    return handle.index < voices_.size() && (handle.generation & 1u) != 0 &&
           meta_[handle.index].generation == handle.generation;
  }

  u32 lowest_free() const {
    for (std::size_t word = 0; word < occupied_.size(); ++word) {
      if (occupied_[word] == ~u64{0}) continue;
      const u32 slot = static_cast<u32>(word * 64) + static_cast<u32>(std::countr_one(occupied_[word]));
      return slot < capacity() ? slot : capacity();
    }
    return capacity();
  }

  /// Only when every slot is live.
  u32 least_audible() const {
    u32 best = 0;
    float least = audibility(voices_[0]);
    for (u32 slot = 1; slot < capacity(); ++slot) {
      const float value = audibility(voices_[slot]);
      if (value < least || (value == least && meta_[slot].serial < meta_[best].serial)) {
        best = slot;
        least = value;
      }
    }
    return best;
  }

  void vacate(u32 slot) {
    SPELLPOOL_ASSERT((meta_[slot].generation & 1u) != 0);
    occupied_[slot / 64] &= ~(u64{1} << (slot % 64));
    ++meta_[slot].generation;
    --stats_.active;
  }

  /// Reads each word of the occupancy once, so that visit may vacate the slot it is given.
  template <class Visit>
  void for_each_slot(Visit&& visit) {
    for (std::size_t word = 0; word < occupied_.size(); ++word) {
      for (u64 bits = occupied_[word]; bits != 0; bits &= bits - 1) {
        visit(static_cast<u32>(word * 64) + static_cast<u32>(std::countr_zero(bits)));
      }
    }
  }

  std::vector<Voice> voices_;
  std::vector<Meta> meta_;
  std::vector<u64> occupied_;
  u64 next_serial_ = 1;
  VoicePoolStats stats_;
};

}  // namespace spellpool::audio
