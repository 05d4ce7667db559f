#pragma once
// The mixer: sounds asked for on the game's thread, stereo samples out on the audio thread.
//
//   play() ─ ring of commands ─► render(): start voices (a free slot, steal, go virtual, reject: voice_pool.hpp)
//     → voices at pitch, place and gain, summed in slot order (mix_kernels.hpp)
//     → tails of voices that lost a slot → master gain → NaN guard → look-ahead limiter → clamp
//   update() ◄─ ring of reports ─ each voice that was lent, once, when it is over
//
// Real time  render allocates nothing, locks nothing, logs nothing and reads no clock. It takes at most as many
//            commands as were in the ring when it began, so a busy producer cannot hold it.
// Same PCM   commands with a frame (…_at) act at exactly that frame; gains and decisions are taken on the stream's own
//            grid of 256 frames; voices are added in slot order; the limiter counts in integers. The same commands give
//            the same samples for every block size, storage and compiler, as long as volume and faders rest.
// Full       Ring of commands: play returns a null handle and counts a drop; moves are dropped and counted; a stop or
//            a change of pool waits on the game's side for the next update(), and is never lost. Ring of reports: as
//            large as all voices that can be out at once, so it is never full. Slots: voice_pool.hpp.
// Merge      a sound that starts again within its retrigger_ms is heard once, the louder of the two: a nova that hits
//            five targets in a step is one sound at its level and not a buzz at five times that. The softer newcomer
//            is dropped; before a louder one the playing voice fades as if stolen.
// Bad event  non-finite gain, place or pitch, or an unknown sound: counted as invalid, never played. Gain is clamped
//            to 0 … 1, pitch to ± kMaxPitchSteps and drawn to the notes of the scale (in_tune).
// Clicks     a voice that loses its slot before its end leaves a tail: tail_frames that fall as a raised
//            cosine (tail_ring.hpp). A voice that resumes in the middle of its sound rises along the
//            mirrored curve. A voice that was not mixed yet leaves no tail: 300 starts in one frame are 8
//            voices and not 300 clicks.
// Delay      latency_frames(): the limiter looks 127 frames ahead.
// Threads    play, stop, set_*, update, board: one game thread. render: one audio thread. stats: any. Construct and
//            destroy while no other thread uses it (close the device first).
#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "audio/limiter.hpp"
#include "audio/sound_bank.hpp"
#include "audio/tail_ring.hpp"
#include "audio/voice_pool.hpp"
#include "audio/voice_store.hpp"
#include "core/spsc_ring.hpp"
#include "core/triple_buffer.hpp"
#include "frame/views/voices_view.hpp"

namespace spellpool::audio {

/// Values out of range are moved to the nearest good one.
struct MixerOptions {
  u32 voices = 32;                ///< Slots of the pool; 1 … most_voices.
  u32 most_voices = kMostSlots;   ///< Up to which set_slots may go; 1 … 4,096.
  u32 most_virtual = 1'024;       ///< 1 … 4,096.
  frame::VoicePolicy policy = frame::VoicePolicy::StealQuietest;
  frame::VoiceStorage storage = frame::VoiceStorage::Pool;
  float master_gain = 0.9f;       ///< Linear, 0 … 4.
  u32 tail_frames = 128;          ///< Fade of a voice that loses its slot; 1 … 256.
  u32 command_ring = 1'024;       ///< Commands between two renders; rounded up to a power of two, at most 2^20.
  bool merge = true;              ///< False: retrigger_ms and most_at_once of the sounds do not count.
  MixLevel level = best_mix_level();
};

using frame::MixerStats;

/// The rows of the voice panel, as of the end of a render.
struct VoiceBoard {
  std::vector<frame::VoiceRow> rows;  ///< Has room for all from the start.
  u32 count = 0;
};

class Mixer {
 public:
  /// Reserves everything. The bank's rate is the mixer's.
  Mixer(const MixerOptions& options, std::shared_ptr<const SoundBank> bank);
  Mixer(const Mixer&) = delete;
  Mixer& operator=(const Mixer&) = delete;
  ~Mixer();

  // ---- Game thread ----
  /// The sound starts with the next render. A null handle if the ring is full (counted). The handle names the voice
  /// until update() has heard that it is over, whatever became of it; after that it names nothing, harmlessly.
  VoiceHandle play(const frame::AudioEvent& event) { return play_at(event, 0); }
  /// The sound starts at this frame of the stream, or at once if that has passed. Frames may not fall from one call of
  /// an …_at to the next: commands are taken in order.
  VoiceHandle play_at(const frame::AudioEvent& event, u64 frame);
  /// Ends a voice with a tail. False for a handle that names nothing.
  bool stop(VoiceHandle voice, u64 frame = 0);
  /// Fades a voice out over `seconds`, linearly. False for a handle that names nothing.
  bool fade_out(VoiceHandle voice, float seconds, u64 frame = 0);
  /// A voice's new gain (0 … 1) and place, reached in 256 frames. False if the handle names nothing or the ring is
  /// full.
  bool move(VoiceHandle voice, float gain, float x, float y, u64 frame = 0);
  /// False for a null handle and for one whose voice is over, as far as update() has heard.
  bool is_live(VoiceHandle voice) const { return store_.serial_of(voice) != 0; }
  /// Voices lent out or waiting in the ring.
  u32 voices_out() const { return store_.out(); }

  void set_slots(u32 slots, u64 frame = 0);
  void set_policy(frame::VoicePolicy policy, u64 frame = 0);
  /// For voices made from now on.
  void set_storage(frame::VoiceStorage storage) { store_.set_storage(storage); }
  frame::VoiceStorage storage() const { return store_.storage(); }
  /// Other sounds, of the same rate. Voices whose sound is another one now leave a tail. Allocates on this thread.
  void set_bank(std::shared_ptr<const SoundBank> bank);
  const SoundBank& bank() const { return *banks_.back(); }
  std::shared_ptr<const SoundBank> shared_bank() const { return banks_.back(); }
  /// Takes back what is over, and sends what found the ring full. Once a frame or step.
  void update();

  /// Fades to silence or back in 10 ms. Sounds go on, unheard.
  void set_muted(bool muted) { muted_.store(muted, std::memory_order_relaxed); }
  bool muted() const { return muted_.load(std::memory_order_relaxed); }
  /// The player's volume, 0 … 1, linear in amplitude; on top of the master gain. Reached by a ramp of 10 ms per unit of
  /// gain. 1 until set, and then the samples are the same as without it. NaN counts as 0.
  void set_volume(float volume);
  float volume() const { return volume_.load(std::memory_order_relaxed); }
  /// The master gain, 0 … 4, with the volume's ramp. NaN counts as 0.
  void set_master_gain(float gain);
  /// A group's fader, 0 … 1; its voices reach it along a line of 256 frames. It counts in which voice is quiet.
  void set_group_volume(frame::SoundGroup group, float volume);

  /// Whether render makes the panel's rows; off at first.
  void show_board(bool shown) { board_shown_.store(shown, std::memory_order_relaxed); }
  /// The latest rows.
  std::span<const frame::VoiceRow> board();

  // ---- Audio thread ----
  /// Fills interleaved stereo, left first. An odd last sample is zeroed.
  void render(std::span<float> interleaved_stereo);

  // ---- Any thread ----
  MixerStats stats() const;
  u32 sample_rate_hz() const { return sample_rate_hz_; }
  static constexpr u32 latency_frames() { return Limiter::kDelay_frames; }

  /// Only for tests: the next voice's serial.
  void set_next_serial(u64 serial) { store_.set_next_serial(serial); }

 private:
  struct Command {
    enum class Kind : u8 { Play, Stop, Fade, Move, Slots, Policy, Bank };
    Kind kind{};
    u32 number = 0;      ///< Slots, policy, cells of a fade.
    u64 frame = 0;
    u64 serial = 0;      ///< Of the voice that is meant; not for Play, whose record says it.
    union {
      Voice* voice = nullptr;
      const SoundBank* bank;
    };
    float gain = 0.0f, x = 0.0f, y = 0.0f;
  };
  /// A voice that is over, or a bank that no voice plays from.
  struct Report {
    Voice* voice = nullptr;
    const SoundBank* bank = nullptr;
  };

  bool send(const Command& command) { return waiting_.empty() && commands_.push(command); }
  void send_surely(const Command& command);

  u64 take_due_commands(std::size_t& budget);
  void act(const Command& command);
  void start(Voice& record);
  void give_back(Voice* record, VoiceEnd end);
  void settle_changes();
  bool was_heard(const Playing& voice) const;
  void end_real(const Playing& voice, VoiceEnd end);
  VoiceRun run_now(const Playing& voice) const;
  void begin_cell();
  void mix_segment(std::span<float> interleaved_stereo);
  void publish();
  void publish_board();

  MixerOptions options_;
  u32 sample_rate_hz_;
  // Game thread.
  std::vector<std::shared_ptr<const SoundBank>> banks_;  ///< The last is the current; others are still played from.
  VoiceStore store_;
  std::vector<Command> waiting_;  ///< What must not be lost and found the ring full.
  // Between.
  SpscRing<Command> commands_;
  SpscRing<Report> reports_;
  TripleBuffer<VoiceBoard> board_;
  // Audio thread.
  const SoundBank* bank_;
  VoicePool pool_;
  TailRing tails_;
  Limiter limiter_;
  const MixLoops& mix_;
  std::array<PlainRun, kMostPlain> plains_;
  std::array<VoiceRun, 64> runs_;  ///< So many at a time: they stay in the nearest cache.
  alignas(64) std::array<float, kMaxRunFrames> left_{}, right_{};  ///< One segment.
  u64 position_ = 0;  ///< Frames rendered.
  u64 invalid_ = 0;
  u64 merged_ = 0;
  /// What a sound's last start left, for merging.
  struct LastStart {
    u64 serial = 0;
    u64 frame = 0;
    float gain = -1.0f;  ///< Below 0: never started.
  };
  std::array<LastStart, frame::kSoundCount> last_starts_{};
  /// The latest steal of each slot: for the board.
  struct Steal {
    u64 stealing_voice = 0, victim = 0;
    frame::SoundId sound{};
  };
  std::vector<Steal> steals_;
  float gain_ = 0.0f;        ///< Master gain as ramped so far.
  float gain_slope_ = 0.0f;  ///< Largest change a frame.
  float peak_left_ = 0.0f, peak_right_ = 0.0f;  ///< Of this render.
  // Game thread → audio thread.
  std::atomic<bool> muted_{false}, board_shown_{false};
  std::atomic<float> master_gain_;
  std::atomic<float> volume_{1.0f};
  std::array<std::atomic<float>, frame::kSoundGroupCount> group_volumes_;
  // Audio thread → anyone.
  struct Published {
    std::atomic<u32> voices{0}, active{0}, virtual_voices{0}, peak{0};
    std::atomic<u64> started{0}, ended{0}, stopped{0}, stolen{0}, rejected{0}, made_virtual{0}, resumed{0}, merged{0},
        invalid{0}, limited{0}, frames{0};
    std::atomic<float> left_peak{0}, right_peak{0};
  };
  alignas(64) Published published_;
  alignas(64) std::atomic<u64> dropped_{0};  ///< Written by the game thread.
  std::atomic<u64> dropped_moves_{0};
};

}  // namespace spellpool::audio
