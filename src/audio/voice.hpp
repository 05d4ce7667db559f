#pragma once
// A voice's record: what the game asked for and what became of it.
//
//   game thread   play() makes it, in the storage of the moment (voice_store.hpp), and lends it out by ring
//   audio thread  plays, then writes `end` and gives it back by another ring: exactly once, whatever happened
//   game thread   update() takes it back; only now its handle goes stale and its bytes are free
//
// So the audio thread never allocates or frees, in either storage, and no record has two owners at a time.
#include "core/handle.hpp"
#include "frame/audio_event.hpp"
#include "frame/voice_choice.hpp"

namespace spellpool::audio {

/// What became of a voice.
enum class VoiceEnd : u8 {
  None,      ///< It plays, or waits in the ring.
  Ended,     ///< Played to its end, perhaps unheard.
  Stopped,   ///< stop(), or a fade that came to its end.
  Stolen,    ///< Its slot was taken by another voice.
  Rejected,  ///< Never started: no slot for it.
  Merged,    ///< Never started, or was replaced: the same sound, as loud or louder, began at nearly the same time.
  Invalid,   ///< Never started: not a sound, or not a number.
};

struct Voice {
  frame::AudioEvent event;
  u64 serial = 0;      ///< Counted from 1; 64 bits: it never wraps around.
  u32 row = 0;         ///< In the store's table.
  frame::VoiceStorage storage{};
  VoiceEnd end = VoiceEnd::None;  ///< The audio thread's, until it is given back.
};
static_assert(sizeof(Voice) <= 64);

using VoiceHandle = Handle<Voice>;

}  // namespace spellpool::audio
