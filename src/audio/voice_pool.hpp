#pragma once
// The voice slots: a fixed number of slots, each of which plays one sound. When every slot is taken and
// another sound starts, the policy picks a victim.
//
// Words    slot: plays one sound. Real voice: it has a slot and is mixed. Virtual voice: it has no slot and
//          is silent; its position in the sound still advances. Steal: end a voice to take its slot. Reject:
//          refuse the newcomer.
// State    a voice has next to none: its position is (now − start) · step. So a virtual voice costs nothing
//          while it waits, and it resumes at the exact frame.
// Layout   by slot: Playing 128 B | rank, 16 B with its share of the tree | serial u64 | an occupancy bit.
//          Virtual voices: a dense array. Ages: an old serial's age is its index in a sorted array, made
//          when ages were last renumbered; a newer serial's age is its distance from there.
// Keys     the victim is the slot with the minimum rank. A rank is 64 bits: the voice's key, then its age,
//          then the slot. A tournament tree (least_tree.hpp) yields the minimum. Keys:
//            reject                  none; there is no victim, the newcomer is rejected
//            steal_oldest            none: the age decides
//            steal_quietest_literal  level at this moment
//            steal_quietest          priority, then audibility = gain × distance × fade × group × loudness still to come.
//            and virtual               A newcomer whose key is below all is rejected (or begins virtual), unless it is
//                                      the player's own: that takes the slot of the lowest.
//          A kept voice has a key above all of these and is never a victim. If all are kept, the newcomer is
//          rejected.
// Grid     levels, audibility and gains are taken at multiples of kCellFrames of the stream (for a newcomer: at its
//          start), never at a block's edge. So decisions are the same for every block size.
// Virtual  at each cell, virtual voices fill free slots, loudest first. Then a virtual voice takes the
//          slot of a real one if it is more than kHysteresis (3 dB) louder or has a higher priority.
// Slots    the lowest free slot is taken, so a voice's slot does not depend on the order of releases. The
//          mixer adds voices in slot order, hence the same float sum for every block size.
// Changes  changes() lists what a call did to other voices than its own. The mixer reads the list to fade
//          voices, resume them and return their records. Entries are copies, because the slot may already
//          play another voice. A steal that ends a voice is reported by callback instead, because there may
//          be hundreds at once.
// Cost     start O(log slots), and O(slots/64) with a free slot. Once a cell, if anything starts in it while
//          the pool is full: all keys anew. Once in a million plays: all ages anew, a sort. find O(slots).
//          set_slots O(most_slots). Nothing allocates after construction.
// Threads  one owner: the thread that mixes.
// Source   Nystrom, "Object Pool". The order is from our own measure, docs/VOICES.md.
// Threads  one owner: the thread that mixes.
// Source   Nystrom, "Object Pool". The order is from our own measure, docs/VOICES.md.
#include <bit>
#include <concepts>
#include <span>
#include <vector>

#include "audio/least_tree.hpp"
#include "audio/mix_kernels.hpp"
#include "audio/sound_bank.hpp"
#include "audio/voice.hpp"
#include "core/assert.hpp"

namespace spellpool::audio {

inline constexpr u32 kCellFrames = 256;
inline constexpr u32 kMostSlots = 4'096;
inline constexpr u32 kMostVirtual = 4'096;
static_assert(kMostSlots <= u32{1} << LeastTree::kSlotBits);
/// A virtual voice must be so much louder than a real one to take its slot: 3 dB.
inline constexpr float kHysteresis = 1.4125375f;

/// A sound being played. Two lines of the cache, of which mixing reads the first alone.
struct alignas(64) Playing {
  const float *bright_left = nullptr, *bright_right = nullptr;  ///< The sound's; these four are set by VoicePool::start.
  const float *dull_left = nullptr, *dull_right = nullptr;
  u64 start = 0;                           ///< Frame of the stream of its first sample, audible or not.
  u32 step_grains = static_cast<u32>(kUnityStep / kStepGrain);
  float dullness = 0.0f;
  float left = 0.0f, left_slope = 0.0f;    ///< Gain at frame i of the cell: left + left_slope · i …
  float right = 0.0f, right_slope = 0.0f;

  float left_to = 0.0f, right_to = 0.0f;   ///< … and at the next cell.
  float gain = 0.0f;                       ///< Event's gain × distance.
  float fade = 1.0f;                       ///< 1 … 0.
  float fade_per_cell = 0.0f;              ///< ≤ 0: so much is taken off at each cell.
  float pan_left = 0.0f, pan_right = 0.0f;
  frame::SoundId id{};
  frame::SoundGroup group{};
  u8 priority = 1;
  bool kept : 1 = false;
  bool own : 1 = false;                    ///< Takes the slot of a voice of higher rank, too.
  u64 serial = 0;                          ///< Rises by order of start.
  u64 end = 0;                             ///< First frame of the stream past its sound; set by VoicePool::start.
  const Sound* sound = nullptr;
  Voice* record = nullptr;                 ///< The voice's record; null in tests that have none.

  /// Becomes what `asked` says, which has no samples, end and gains yet. Field by field, not as a whole: see
  /// VoicePool::start.
  void begin(const Playing& asked, float group_gain);

  /// As loud as it is to be, without a ramp.
  void rest(float group_gain) {
    const float loud = gain * fade * group_gain;
    left = left_to = loud * pan_left;
    right = right_to = loud * pan_right;
    left_slope = right_slope = 0.0f;
  }

  /// Per frame, 32.32.
  u64 step() const { return u64{step_grains} * kStepGrain; }
  void set_step(u64 step) { step_grains = static_cast<u32>(good_step(step) / kStepGrain); }
  /// Frames of the stream until nothing of a sound of so many frames is left.
  u64 frames_of(u32 frames) const {
    if (step() == kUnityStep) return frames;
    return ((u64{frames} << 32) + step() - 1) / step();
  }
  u64 position(u64 now) const { return (now - start) * step(); }
  u64 frame(u64 now) const { return position(now) >> 32; }
  /// Needs no more than plain_run() says.
  bool is_plain() const {
    return step_grains == kUnityStep / kStepGrain && bright_left == bright_right && !(dullness > 0.0f);
  }
  PlainRun plain_run(u64 now) const { return {bright_left + (now - start), left, left_slope, right, right_slope}; }
  VoiceRun run(u64 now) const {
    return {bright_left, bright_right, dull_left,  dull_right, position(now), step(),
            dullness,    left,         left_slope, right,      right_slope};
  }
};

static_assert(sizeof(Playing) == 128);

inline void Playing::begin(const Playing& asked, float group_gain) {
  bright_left = asked.sound->bright_left();
  bright_right = asked.sound->bright_right();
  dull_left = asked.sound->dull_left();
  dull_right = asked.sound->dull_right();
  start = asked.start;
  step_grains = asked.step_grains;
  dullness = asked.dullness;
  gain = asked.gain;
  fade = asked.fade;
  fade_per_cell = asked.fade_per_cell;
  pan_left = asked.pan_left;
  pan_right = asked.pan_right;
  rest(group_gain);
  id = asked.id;
  group = asked.group;
  priority = asked.priority;
  kept = asked.kept;
  own = asked.own;
  serial = asked.serial;
  end = asked.start + asked.frames_of(asked.sound->frames());
  sound = asked.sound;
  record = asked.record;
}

/// Faders of the groups, linear.
using GroupGains = std::array<float, frame::kSoundGroupCount>;

/// What a listener would miss: gain × distance × fade × group × loudness still to come; 0 for nonsense.
inline float audibility(const Playing& voice, float group_gain, u64 now) {
  const float value = voice.gain * voice.fade * group_gain * voice.sound->loudness_from(voice.frame(now));
  return value > 0.0f ? value : 0.0f;
}
/// What it adds to the mix at this moment, RMS.
inline float level(const Playing& voice, float group_gain, u64 now) {
  const float value = voice.gain * voice.fade * group_gain * voice.sound->level_at(voice.frame(now));
  return value > 0.0f ? value : 0.0f;
}

/// What happened to a voice other than the one that was to start.
struct VoiceChange {
  enum class Kind : u8 {
    Gone,      ///< It left its slot, or was virtual, for good: `end` says why.
    Silenced,  ///< It left its slot and is virtual now.
    Resumed,   ///< It has a slot again.
  };
  VoiceChange(Kind its_kind, VoiceEnd its_end, bool is_real, const Playing& as_it_was)
      : kind(its_kind), end(its_end), was_real(is_real), voice(as_it_was) {}
  Kind kind;
  VoiceEnd end;
  bool was_real;
  Playing voice;  ///< As it was.
};

enum class StartOutcome : u8 { Started, StartedVirtual, Rejected };

struct StartResult {
  StartOutcome outcome = StartOutcome::Rejected;
  u32 slot = 0;         ///< If Started.
  u64 stole_from = 0;   ///< Serial of the victim, stolen or made virtual; 0: none.
};

struct VoicePoolStats {
  u32 active = 0;
  u32 virtual_voices = 0;
  u32 peak = 0;
  u64 started = 0;       ///< = ended + stopped + stolen + active + virtual_voices.
  u64 ended = 0;
  u64 stopped = 0;       ///< stop(), faded out, or replaced by a louder start of the same sound.
  u64 stolen = 0;
  u64 rejected = 0;
  u64 made_virtual = 0;  ///< Began virtual, or became so.
  u64 resumed = 0;
};

class VoicePool {
 public:
  /// slots is moved to 1 … most_slots, most_slots to 1 … kMostSlots, most_virtual to 1 … kMostVirtual.
  VoicePool(u32 slots, u32 most_slots, u32 most_virtual, frame::VoicePolicy policy);

  /// Starts a voice at its frame `start`; computes its samples, end and gains. Releases the voices that
  /// ended by then first. Calls stolen(slot, const Playing& victim, bool for_good) while the victim is still
  /// in its slot. for_good: the victim has ended, and changes() does not list it.
  /// Inline, so that the mixer's values go into the slot from registers. Written to memory and copied from
  /// there by cache line, they would wait for the cache.
  template <std::invocable<u32, const Playing&, bool> Stolen>
  StartResult start(const Playing& voice, Stolen&& stolen);
  /// Starts a voice at `now`; changes() lists a steal, too.
  StartResult start(const Playing& asked, u64 now) {
    Playing voice = asked;
    voice.start = now;
    return start(voice, [&](u32, const Playing& victim, bool for_good) {
      if (for_good) changes_.emplace_back(VoiceChange::Kind::Gone, VoiceEnd::Stolen, true, victim);
    });
  }
  /// To be called at each multiple of kCellFrames, before anything starts there: ends, gains, fades, virtual voices.
  void begin_cell(u64 now, const GroupGains& groups);
  /// Releases the voices whose sound has ended by now.
  void release_ended(u64 now) {
    if (now >= next_end_) let_go_ended(now);
  }

  /// Takes a voice out, real or virtual. False, and no effect, if there is none of this serial.
  bool stop(u64 serial, VoiceEnd end);
  /// Lets a voice fade to nothing in so many cells, then it is stopped.
  bool fade_out(u64 serial, u32 cells);
  /// Another place: reached along a line in the cell that comes.
  bool move(u64 serial, float gain, float pan_left, float pan_right, float dullness);
  /// Takes out what plays another sound than the one that `bank` has under its name.
  void keep_only(const SoundBank& bank);

  /// If `slots` is less than the live voices, those of lowest rank lose their slots. Kept voices keep theirs
  /// until they end, so the pool stays that large.
  void set_slots(u32 slots, u64 now);
  void set_policy(frame::VoicePolicy policy);
  frame::VoicePolicy policy() const { return policy_; }

  /// Since the last clear_changes().
  std::span<const VoiceChange> changes() const { return changes_; }
  void clear_changes() { changes_.clear(); }

  /// Calls visit(slot, const Playing&) in slot order.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t word = 0; word < occupied_.size(); ++word) {
      for (u64 bits = occupied_[word]; bits != 0; bits &= bits - 1) {
        const u32 slot = static_cast<u32>(word * 64) + static_cast<u32>(std::countr_zero(bits));
        visit(slot, playing_[slot]);
      }
    }
  }
  std::span<const Playing> virtual_voices() const { return virtual_; }
  /// Real or virtual; nullptr if there is none.
  const Playing* find(u64 serial) const;
  /// Voices of this sound, virtual ones included.
  u32 instances(frame::SoundId id) const { return instances_[static_cast<std::size_t>(id)]; }
  /// The voice of this sound that is stolen first; nullptr if all are kept or there is none.
  const Playing* least_instance(frame::SoundId id);
  /// The key by which the policy compares; higher stays. For a voice that starts at `now`, or as of this cell.
  u32 key_of(const Playing& voice, u64 now) const;

  u32 slots() const { return slots_; }
  const VoicePoolStats& stats() const { return stats_; }
  const GroupGains& group_gains() const { return groups_; }

 private:
  static constexpr u32 kNoSlot = ~u32{0};
  static constexpr u32 kNoKey = ~u32{0}, kKeptKey = kNoKey - 1;
  /// Ages below are of those that were old when ages were counted anew.
  static constexpr u32 kOldAges = kMostSlots + kMostVirtual + 1, kMostAge = (u32{1} << 20) - 1;

  u32 lowest_free() const;
  u32 slot_of(u64 serial) const;
  u32 virtual_of(u64 serial) const;
  u32 audible_key(const Playing& voice, float factor, u64 now) const;
  void refresh_keys() {
    if (keys_cell_ != cell_) make_keys();
  }
  void make_keys();
  void rank_anew();
  static u64 rank(u32 key, u32 age, u32 slot) { return u64{key} << 32 | u64{age} << LeastTree::kSlotBits | slot; }
  static u32 key_in(u64 rank) { return static_cast<u32>(rank >> 32); }
  u32 age_of(u64 serial);
  u32 old_age_of(u64 serial);
  u32 least_slot();
  StartOutcome start_unheard(const Playing& voice, u64 now);
  void let_go_ended(u64 now);
  void occupy(u32 slot, u64 rank, u64 serial);
  void seat(u32 slot, const Playing& voice, u32 key);
  void vacate(u32 slot);
  void remove_virtual(u32 at);
  void count_gone(VoiceEnd end, frame::SoundId id);
  void leave(VoiceChange::Kind kind, VoiceEnd end, bool was_real, const Playing& voice);
  void take_out(u32 slot, VoiceEnd end);
  void take_out_virtual(u32 at, VoiceEnd end);
  void silence(const Playing& voice);
  Playing taken_virtual(u32 at);
  void resume(const Playing& unheard, u32 slot, u64 now);
  bool add_virtual(const Playing& voice, u64 now);
  void settle_virtual(u64 now);
  void give_way_to_fewer();
  float group_gain(const Playing& voice) const { return groups_[static_cast<std::size_t>(voice.group)]; }

  std::vector<Playing> playing_;
  LeastTree ranks_;
  std::vector<u64> serials_;   ///< By slot; all ones where the slot is free.
  std::vector<u64> old_;       ///< Serials that lived when ages were counted anew, in order; their places are their ages.
  u64 young_ = 0;              ///< From this serial on, ages are counted.
  std::vector<u64> occupied_;
  std::vector<Playing> virtual_;
  std::vector<u32> virtual_keys_, order_;  ///< Scratch.
  std::vector<VoiceChange> changes_;
  std::array<u32, frame::kSoundCount> instances_{};
  GroupGains groups_;
  frame::VoicePolicy policy_;
  u32 slots_, wanted_slots_, most_virtual_;
  u64 cell_ = 0;               ///< Frame at which this cell began.
  u64 keys_cell_ = ~u64{0};    ///< Cell for which ranks_ hold.
  u64 next_end_ = ~u64{0};     ///< No real voice ends before it.
  bool unsettled_ = true;      ///< Some voice's gain changes, or did in the cell before.
  bool fading_ = false;        ///< Some voice's fade falls, or did in the cell before.
  VoicePoolStats stats_;
};

// ---- Inline ---------------------------------------------------------------------------------------------------------

// A positive float's bits order as an integer. Half of them leaves two bits on top for the priority.
inline u32 VoicePool::audible_key(const Playing& voice, float factor, u64 now) const {
  const u32 bits = std::bit_cast<u32>(factor * audibility(voice, group_gain(voice), now)) >> 1;
  const u32 priority = voice.priority < 3 ? voice.priority : 3;
  return (priority << 30) | bits;
}

inline u32 VoicePool::key_of(const Playing& voice, u64 now) const {
  if (voice.kept) return kKeptKey;
  switch (policy_) {
    case frame::VoicePolicy::Reject:
    case frame::VoicePolicy::StealOldest:
      return 0;  // the serial decides
    case frame::VoicePolicy::StealQuietestLiteral:
      return std::bit_cast<u32>(level(voice, group_gain(voice), now)) >> 1;
    case frame::VoicePolicy::StealQuietest:
    case frame::VoicePolicy::Virtual:
      break;
  }
  return audible_key(voice, 1.0f, now);
}

inline void VoicePool::count_gone(VoiceEnd end, frame::SoundId id) {
  --instances_[static_cast<std::size_t>(id)];
  switch (end) {
    case VoiceEnd::Ended: ++stats_.ended; break;
    case VoiceEnd::Stolen: ++stats_.stolen; break;
    default: ++stats_.stopped; break;
  }
}

inline void VoicePool::leave(VoiceChange::Kind kind, VoiceEnd end, bool was_real, const Playing& voice) {
  changes_.emplace_back(kind, end, was_real, voice);
  if (kind == VoiceChange::Kind::Gone) count_gone(end, voice.id);
}

/// Ages order as serials do, in 20 bits. Once in a million plays they are counted anew.
inline u32 VoicePool::age_of(u64 serial) {
  const u64 age = serial - young_;
  return age <= kMostAge - kOldAges ? kOldAges + static_cast<u32>(age) : old_age_of(serial);
}

inline void VoicePool::occupy(u32 slot, u64 rank, u64 serial) {
  SPELLPOOL_ASSERT((occupied_[slot / 64] >> (slot % 64) & 1u) == 0);
  occupied_[slot / 64] |= u64{1} << (slot % 64);
  ranks_.set(slot, rank);
  serials_[slot] = serial;
  ++stats_.active;
  stats_.peak = stats_.active > stats_.peak ? stats_.active : stats_.peak;
}

template <std::invocable<u32, const Playing&, bool> Stolen>
[[gnu::always_inline]] inline StartResult VoicePool::start(const Playing& voice, Stolen&& stolen) {
  const u64 now = voice.start;
  release_ended(now);
  const u32 key = key_of(voice, now), age = age_of(voice.serial);
  StartResult result;
  if (stats_.active < slots_) {
    result.slot = lowest_free();
    occupy(result.slot, rank(key, age, result.slot), voice.serial);
  } else if (policy_ == frame::VoicePolicy::Reject) {
    ++stats_.rejected;
    return result;
  } else {
    refresh_keys();
    const u64 least = ranks_.least();
    // Oldest and literal always take the newcomer; the others only if it would be missed at least as much, or is the
    // player's own. No one takes a kept one's slot.
    const bool loud_enough = key >= key_in(least) || voice.own || policy_ == frame::VoicePolicy::StealQuietestLiteral;
    if (!loud_enough || key_in(least) >= kKeptKey) {
      if (policy_ != frame::VoicePolicy::Virtual || voice.kept) {
        ++stats_.rejected;
      } else {
        Playing unheard;
        unheard.begin(voice, group_gain(voice));
        result.outcome = start_unheard(unheard, now);
      }
      return result;
    }
    result.slot = LeastTree::slot_of(least);
    ranks_.set(result.slot, rank(key, age, result.slot));
    result.stole_from = serials_[result.slot];
    serials_[result.slot] = voice.serial;
    const Playing& victim = playing_[result.slot];
    const bool for_good = policy_ != frame::VoicePolicy::Virtual;
    stolen(result.slot, victim, for_good);
    for_good ? count_gone(VoiceEnd::Stolen, victim.id) : silence(victim);
  }
  Playing& seated = playing_[result.slot];
  seated.begin(voice, group_gain(voice));
  next_end_ = seated.end < next_end_ ? seated.end : next_end_;
  ++instances_[static_cast<std::size_t>(voice.id)];
  ++stats_.started;
  result.outcome = StartOutcome::Started;
  return result;
}

}  // namespace spellpool::audio
