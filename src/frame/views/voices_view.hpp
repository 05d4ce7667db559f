#pragma once
// What the voice panel shows: one row a voice slot, counters, the load of the sound's thread, and the two recordings
// that set one policy beside another.
#include <span>
#include <string_view>

#include "core/types.hpp"
#include "frame/defs/sound_id.hpp"
#include "frame/voice_choice.hpp"

namespace spellpool::frame {

/// A slot of the voice pool, or a virtual voice.
struct VoiceRow {
  enum class State : u8 { Free, Playing, Virtual };
  State state = State::Free;
  SoundId sound{};
  u8 priority = 0;
  bool kept = false;
  float level = 0;      ///< Linear RMS that it adds to the mix now, 0 … about 1.
  float score = 0;      ///< Audibility: what the policy compares (its oldest-first twin is the serial).
  float age_s = 0;
  u64 serial = 0;       ///< Of its start, counted from 1.
  u64 stole_from = 0;   ///< Serial of the voice that it stole from; 0: none.
  SoundId victim{};     ///< Whose, if stole_from is not 0.
};

/// The two WAV files of one log of sounds under two policies.
struct VoiceRecordView {
  enum class State : u8 { None, Recording, Writing, Done, Failed };
  State state = State::None;
  float progress = 0;         ///< 0 … 1, while it records.
  std::string_view text;      ///< One line: what it does, or where the files are.
};

/// Counts of audio::Mixer since its construction.
/// posted = dropped + waiting in the ring + started + merged + rejected + invalid;
/// started = ended + stopped + stolen + active + virtual_voices.
/// Read from another thread while sound plays, the fields may be of two moments.
struct MixerStats {
  u32 voices = 0;  ///< Slots.
  u32 active = 0, virtual_voices = 0, peak = 0;
  u64 started = 0, ended = 0, stopped = 0, stolen = 0, rejected = 0, made_virtual = 0, resumed = 0;
  u64 merged = 0;            ///< Too soon after a louder start of the same sound, or one more of it than may be.
  u64 invalid_events = 0;
  u64 dropped_events = 0;    ///< The ring of commands was full.
  u64 dropped_moves = 0;
  u64 limited_frames = 0;    ///< In which the limiter held the level down: they would have clipped.
  u64 frames = 0;            ///< Rendered so far.
  float left_peak = 0, right_peak = 0;  ///< Of the last render, after the limiter.
};

struct VoicesView {
  std::span<const VoiceRow> rows;  ///< Slots first, by their number; then virtual voices, loudest first, as many as fit.
  MixerStats mixer;
  VoicePolicy policy = VoicePolicy::StealQuietest;
  VoiceStorage storage = VoiceStorage::Pool;
  float load = 0, peak_load = 0;   ///< Time in the callback over the time that it fills, of late and most; 1: it would stutter.
  bool device_open = false;
  std::string_view device;         ///< "48,000 Hz, 512 frames", or why there is none.
  VoiceRecordView record;
};

/// What the voice panel asks for in a frame.
struct VoiceRequests {
  bool set_policy = false, set_storage = false, set_slots = false;
  VoicePolicy policy{};
  VoiceStorage storage{};
  u32 slots = 0;
  bool burst = false;              ///< 200 sounds at once.
  bool record = false;             ///< Begin, or end early, the recording of policy beside other_policy.
  VoicePolicy other_policy{};
  friend bool operator==(const VoiceRequests&, const VoiceRequests&) = default;
};

}  // namespace spellpool::frame
