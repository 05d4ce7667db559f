#include "audio/voice_pool.hpp"

#include <algorithm>

namespace spellpool::audio {
namespace {

constexpr u64 kNever = ~u64{0};

u32 bounded(u32 value, u32 low, u32 high) { return value < low ? low : (value > high ? high : value); }
std::size_t padded(std::size_t count, std::size_t to) { return (count + to - 1) / to * to; }

/// First frame of the stream at which nothing of the sound is left.
u64 end_of(const Playing& voice) {
  const u64 length = u64{voice.sound->frames()} << 32;
  return voice.start + (length + voice.step() - 1) / voice.step();
}

}  // namespace

VoicePool::VoicePool(u32 slots, u32 most_slots, u32 most_virtual, frame::VoicePolicy policy, MixLevel level)
    : playing_(bounded(most_slots, 1, kMostSlots)),
      keys_(padded(playing_.size(), KeyBlocks::kSize), kFreeKey),
      serials_(keys_.size(), kNever),
      block_keys_(padded(keys_.size() / KeyBlocks::kSize, 8), kFreeKey),
      changed_blocks_(padded(block_keys_.size(), 64) / 64, 0),
      occupied_((playing_.size() + 63) / 64, 0),
      least_key_(least_key_of(level)),
      policy_(policy),
      slots_(bounded(slots, 1, static_cast<u32>(playing_.size()))),
      wanted_slots_(slots_),
      most_virtual_(bounded(most_virtual, 1, kMostVirtual)) {
  groups_.fill(1.0f);
  virtual_.reserve(most_virtual_);
  const std::size_t most = playing_.size() + most_virtual_;
  virtual_keys_.resize(most_virtual_, kFreeKey);
  order_.reserve(most);
  changes_.reserve(2 * most + 2);
}

// ---- Keys -----------------------------------------------------------------------------------------------------------

// A positive float's bits order as an integer. Half of them leaves two bits on top for the priority.
u32 VoicePool::audible_key(const Playing& voice, float factor, u64 now) const {
  const u32 bits = std::bit_cast<u32>(factor * audibility(voice, group_gain(voice), now)) >> 1;
  const u32 priority = voice.priority < 3 ? voice.priority : 3;
  return (priority << 30) | bits;
}

u32 VoicePool::key_of(const Playing& voice, u64 now) const {
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

void VoicePool::refresh_keys(u64) {
  if (keys_cell_ == cell_) return;
  keys_cell_ = cell_;
  const bool by_audibility = policy_ == frame::VoicePolicy::StealQuietest || policy_ == frame::VoicePolicy::Virtual;
  for_each([&](u32 slot, const Playing& voice) {
    const u64 at = voice.start > cell_ ? voice.start : cell_;
    // The same as key_of, which would ask for the policy anew each time.
    keys_[slot] = by_audibility ? (voice.kept ? kKeptKey : audible_key(voice, 1.0f, at)) : key_of(voice, at);
  });
  for (u32 block = 0; block * KeyBlocks::kSize < slots_; ++block) changed_blocks_[block / 64] |= u64{1} << (block % 64);
}

void VoicePool::set_key(u32 slot, u32 key, u64 serial) {
  keys_[slot] = key;
  serials_[slot] = serial;
  const u32 block = slot / KeyBlocks::kSize;
  changed_blocks_[block / 64] |= u64{1} << (block % 64);
}

u32 VoicePool::least_slot(u64 now) {
  refresh_keys(now);
  return least_key_({keys_.data(), serials_.data(), block_keys_.data(), changed_blocks_.data()}, slots_);
}

// ---- Slots ----------------------------------------------------------------------------------------------------------

u32 VoicePool::lowest_free() const {
  for (std::size_t word = 0; word < occupied_.size(); ++word) {
    if (occupied_[word] == ~u64{0}) continue;
    const u32 slot = static_cast<u32>(word * 64) + static_cast<u32>(std::countr_one(occupied_[word]));
    return slot < slots_ ? slot : kNoSlot;
  }
  return kNoSlot;
}

u32 VoicePool::slot_of(u64 serial) const {
  const auto found = std::find(serials_.begin(), serials_.begin() + slots_, serial);
  const u32 slot = static_cast<u32>(found - serials_.begin());
  return slot < slots_ ? slot : kNoSlot;
}

u32 VoicePool::virtual_of(u64 serial) const {
  for (u32 i = 0; i < virtual_.size(); ++i) {
    if (virtual_[i].serial == serial) return i;
  }
  return kNoSlot;
}

const Playing* VoicePool::find(u64 serial) const {
  if (const u32 slot = slot_of(serial); slot != kNoSlot) return &playing_[slot];
  const u32 at = virtual_of(serial);
  return at != kNoSlot ? &virtual_[at] : nullptr;
}

/// As loud as it is to be, without a ramp.
void VoicePool::set_at_rest(Playing& voice) const {
  const float gain = voice.gain * voice.fade * group_gain(voice);
  voice.left = voice.left_to = gain * voice.pan_left;
  voice.right = voice.right_to = gain * voice.pan_right;
  voice.left_slope = voice.right_slope = 0.0f;
}

void VoicePool::occupy(u32 slot, const Playing& voice, u32 key) {
  SPELLPOOL_ASSERT((occupied_[slot / 64] >> (slot % 64) & 1u) == 0);
  occupied_[slot / 64] |= u64{1} << (slot % 64);
  playing_[slot] = voice;
  set_key(slot, key, voice.serial);
  next_end_ = voice.end < next_end_ ? voice.end : next_end_;
  ++stats_.active;
  stats_.peak = stats_.active > stats_.peak ? stats_.active : stats_.peak;
}

void VoicePool::vacate(u32 slot) {
  SPELLPOOL_ASSERT((occupied_[slot / 64] >> (slot % 64) & 1u) != 0);
  occupied_[slot / 64] &= ~(u64{1} << (slot % 64));
  set_key(slot, kFreeKey, kNever);
  --stats_.active;
}

void VoicePool::remove_virtual(u32 at) {
  virtual_[at] = virtual_.back();
  virtual_.pop_back();
  stats_.virtual_voices = static_cast<u32>(virtual_.size());
}

void VoicePool::leave(VoiceChange::Kind kind, VoiceEnd end, bool was_real, const Playing& voice) {
  changes_.emplace_back(kind, end, was_real, voice);
  if (kind != VoiceChange::Kind::Gone) return;
  --instances_[static_cast<std::size_t>(voice.id)];
  switch (end) {
    case VoiceEnd::Ended: ++stats_.ended; break;
    case VoiceEnd::Stolen: ++stats_.stolen; break;
    default: ++stats_.stopped; break;
  }
}

void VoicePool::take_out(u32 slot, VoiceEnd end) {
  leave(VoiceChange::Kind::Gone, end, true, playing_[slot]);
  vacate(slot);
}

void VoicePool::take_out_virtual(u32 at, VoiceEnd end) {
  leave(VoiceChange::Kind::Gone, end, false, virtual_[at]);
  remove_virtual(at);
}

// ---- Start ----------------------------------------------------------------------------------------------------------

StartResult VoicePool::start(Playing& voice, u64 now) {
  release_ended(now);
  voice.start = now;
  voice.end = end_of(voice);
  voice.bright_left = voice.sound->bright_left();
  voice.bright_right = voice.sound->bright_right();
  voice.dull_left = voice.sound->dull_left();
  voice.dull_right = voice.sound->dull_right();
  set_at_rest(voice);
  StartResult result;
  u32 slot = lowest_free();
  const bool full = slot == kNoSlot;
  const u32 key = key_of(voice, now);
  if (full) {
    const bool rejects = policy_ == frame::VoicePolicy::Reject;
    slot = rejects ? kNoSlot : least_slot(now);
    const bool all_kept = rejects || keys_[slot] >= kKeptKey;
    // Oldest and literal always take the newcomer; the others only if it would be missed at least as much.
    const bool too_quiet = !all_kept && key < keys_[slot] && policy_ != frame::VoicePolicy::StealQuietestLiteral;
    if (all_kept || too_quiet) {
      if (policy_ == frame::VoicePolicy::Virtual && !voice.kept && add_virtual(voice, now)) {
        ++stats_.started;
        ++stats_.made_virtual;
        ++instances_[static_cast<std::size_t>(voice.id)];
        result.outcome = StartOutcome::StartedVirtual;
        return result;
      }
      ++stats_.rejected;
      return result;
    }
    result.stole_from = playing_[slot].serial;
    if (policy_ == frame::VoicePolicy::Virtual) {
      silence(slot);
    } else {
      take_out(slot, VoiceEnd::Stolen);
    }
  }
  occupy(slot, voice, key);
  ++instances_[static_cast<std::size_t>(voice.id)];
  ++stats_.started;
  result.outcome = StartOutcome::Started;
  result.slot = slot;
  return result;
}

const Playing* VoicePool::least_instance(frame::SoundId id, u64 now) {
  refresh_keys(now);
  const Playing* least = nullptr;
  u32 least_key = kKeptKey;
  const auto consider = [&](const Playing& voice, u32 key) {
    if (voice.id != id || key >= kKeptKey) return;
    if (least != nullptr && (key > least_key || (key == least_key && voice.serial > least->serial))) return;
    least = &voice;
    least_key = key;
  };
  for (const Playing& voice : virtual_) consider(voice, key_of(voice, voice.start > cell_ ? voice.start : cell_));
  for_each([&](u32 slot, const Playing& voice) { consider(voice, keys_[slot]); });
  return least;
}

// ---- Virtual voices -------------------------------------------------------------------------------------------------

/// A real voice loses its slot and waits unheard.
void VoicePool::silence(u32 slot) {
  const Playing voice = playing_[slot];
  vacate(slot);
  if (add_virtual(voice, voice.start > cell_ ? voice.start : cell_)) {
    leave(VoiceChange::Kind::Silenced, VoiceEnd::None, true, voice);
    ++stats_.made_virtual;
  } else {
    leave(VoiceChange::Kind::Gone, VoiceEnd::Stolen, true, voice);
  }
}

/// False if even among the virtual ones there is no room for it: then the least of all gives way, and that is it.
bool VoicePool::add_virtual(const Playing& voice, u64 now) {
  if (virtual_.size() == most_virtual_) {
    u32 least = 0;
    u32 least_key = kFreeKey;
    for (u32 i = 0; i < virtual_.size(); ++i) {
      const u32 key = key_of(virtual_[i], virtual_[i].start > cell_ ? virtual_[i].start : cell_);
      if (key < least_key || (key == least_key && virtual_[i].serial < virtual_[least].serial)) {
        least = i;
        least_key = key;
      }
    }
    if (key_of(voice, now) < least_key) return false;
    take_out_virtual(least, VoiceEnd::Stolen);
  }
  virtual_.push_back(voice);
  stats_.virtual_voices = static_cast<u32>(virtual_.size());
  return true;
}

/// Its entries of virtual_ and virtual_keys_ are filled by the last.
Playing VoicePool::taken_virtual(u32 at) {
  const Playing voice = virtual_[at];
  remove_virtual(at);
  virtual_keys_[at] = virtual_keys_[virtual_.size()];
  return voice;
}

void VoicePool::resume(const Playing& unheard, u32 slot, u64 now) {
  Playing voice = unheard;
  set_at_rest(voice);
  occupy(slot, voice, key_of(voice, now));
  leave(VoiceChange::Kind::Resumed, VoiceEnd::None, false, voice);
  ++stats_.resumed;
}

void VoicePool::settle_virtual(u64 now) {
  for (u32 i = 0; i < virtual_.size();) {
    if (virtual_[i].end <= now) {
      take_out_virtual(i, VoiceEnd::Ended);
    } else {
      ++i;
    }
  }
  if (virtual_.empty()) return;
  if (policy_ != frame::VoicePolicy::Virtual) {  // the policy was changed: what is unheard stays so, and ends
    while (!virtual_.empty()) take_out_virtual(static_cast<u32>(virtual_.size()) - 1, VoiceEnd::Stolen);
    return;
  }
  for (u32 i = 0; i < virtual_.size(); ++i) virtual_keys_[i] = audible_key(virtual_[i], 1.0f, now);
  const auto loudest = [&] {
    u32 best = 0;
    for (u32 i = 1; i < virtual_.size(); ++i) {
      const bool more = virtual_keys_[i] > virtual_keys_[best] ||
                        (virtual_keys_[i] == virtual_keys_[best] && virtual_[i].serial < virtual_[best].serial);
      best = more ? i : best;
    }
    return best;
  };
  while (!virtual_.empty()) {
    const u32 best = loudest();
    u32 slot = lowest_free();
    if (slot == kNoSlot) {
      slot = least_slot(now);
      if (keys_[slot] >= kKeptKey || audible_key(playing_[slot], kHysteresis, now) >= virtual_keys_[best]) return;
      const Playing coming = taken_virtual(best);
      silence(slot);  // there is room for it: one has just left
      virtual_keys_[virtual_.size() - 1] = audible_key(virtual_.back(), 1.0f, now);
      resume(coming, slot, now);
    } else {
      resume(taken_virtual(best), slot, now);
    }
  }
}

// ---- Cells ----------------------------------------------------------------------------------------------------------

void VoicePool::release_ended(u64 now) {
  if (now < next_end_) return;
  next_end_ = kNever;
  for (std::size_t word = 0; word < occupied_.size(); ++word) {
    for (u64 bits = occupied_[word]; bits != 0; bits &= bits - 1) {
      const u32 slot = static_cast<u32>(word * 64) + static_cast<u32>(std::countr_zero(bits));
      const u64 end = playing_[slot].end;
      if (end <= now) {
        take_out(slot, VoiceEnd::Ended);
      } else {
        next_end_ = end < next_end_ ? end : next_end_;
      }
    }
  }
}

void VoicePool::begin_cell(u64 now, const GroupGains& groups) {
  cell_ = now;
  bool some_faded = false;
  // Ramps have come to their ends. Those who go are to be seen so; for those who stay it is done below, in one go.
  if (unsettled_ && (fading_ || next_end_ <= now || slots_ != wanted_slots_)) {
    for_each([&](u32 slot, const Playing&) {
      Playing& voice = playing_[slot];
      voice.left = voice.left_to;
      voice.right = voice.right_to;
      voice.left_slope = voice.right_slope = 0.0f;
      some_faded = some_faded || voice.fade <= 0.0f;
    });
  }
  release_ended(now);
  const GroupGains before = groups_;
  const bool faders_moved = groups != before;
  groups_ = groups;
  if (slots_ != wanted_slots_) give_way_to_fewer(now);
  if (unsettled_ || faders_moved) {
    // A fade that came to its end is over; it was ramped to nothing in the cell before.
    for (u32 slot = 0; some_faded && slot < slots_; ++slot) {
      if ((occupied_[slot / 64] >> (slot % 64) & 1u) != 0 && playing_[slot].fade <= 0.0f) {
        take_out(slot, VoiceEnd::Stopped);
      }
    }
    for (u32 i = 0; i < virtual_.size();) {
      if (virtual_[i].fade <= 0.0f) {
        take_out_virtual(i, VoiceEnd::Stopped);
      } else {
        ++i;
      }
    }
    bool moving = false;
    fading_ = false;
    const auto fade = [&](Playing& voice) {
      if (voice.fade_per_cell < 0.0f) {
        voice.fade = voice.fade + voice.fade_per_cell > 0.0f ? voice.fade + voice.fade_per_cell : 0.0f;
        moving = fading_ = true;
      }
    };
    for (Playing& voice : virtual_) fade(voice);
    for_each([&](u32 slot, const Playing&) {
      Playing& voice = playing_[slot];
      fade(voice);
      voice.left = voice.left_to;
      voice.right = voice.right_to;
      const float gain = voice.gain * voice.fade * group_gain(voice);
      voice.left_to = gain * voice.pan_left;
      voice.right_to = gain * voice.pan_right;
      voice.left_slope = (voice.left_to - voice.left) * (1.0f / static_cast<float>(kCellFrames));
      voice.right_slope = (voice.right_to - voice.right) * (1.0f / static_cast<float>(kCellFrames));
      if (voice.left_slope != 0.0f || voice.right_slope != 0.0f) moving = true;
    });
    unsettled_ = moving;
  }
  settle_virtual(now);
}

// ---- Commands -------------------------------------------------------------------------------------------------------

bool VoicePool::stop(u64 serial, VoiceEnd end) {
  if (const u32 slot = slot_of(serial); slot != kNoSlot) {
    take_out(slot, end);
    return true;
  }
  const u32 at = virtual_of(serial);
  if (at == kNoSlot) return false;
  take_out_virtual(at, end);
  return true;
}

bool VoicePool::fade_out(u64 serial, u32 cells) {
  const u32 slot = slot_of(serial);
  const u32 at = slot == kNoSlot ? virtual_of(serial) : kNoSlot;
  if (slot == kNoSlot && at == kNoSlot) return false;
  Playing& voice = slot != kNoSlot ? playing_[slot] : virtual_[at];
  voice.fade_per_cell = -voice.fade / static_cast<float>(cells > 0 ? cells : 1);
  unsettled_ = fading_ = true;
  return true;
}

bool VoicePool::move(u64 serial, float gain, float pan_left, float pan_right, float dullness) {
  const u32 slot = slot_of(serial);
  const u32 at = slot == kNoSlot ? virtual_of(serial) : kNoSlot;
  if (slot == kNoSlot && at == kNoSlot) return false;
  Playing& voice = slot != kNoSlot ? playing_[slot] : virtual_[at];
  voice.gain = gain;
  voice.pan_left = pan_left;
  voice.pan_right = pan_right;
  voice.dullness = dullness;
  unsettled_ = true;
  return true;
}

void VoicePool::keep_only(const SoundBank& bank) {
  for (u32 slot = 0; slot < slots_; ++slot) {
    if ((occupied_[slot / 64] >> (slot % 64) & 1u) == 0) continue;
    if (playing_[slot].sound != &bank[playing_[slot].id]) take_out(slot, VoiceEnd::Stopped);
  }
  for (u32 i = 0; i < virtual_.size();) {
    if (virtual_[i].sound != &bank[virtual_[i].id]) {
      take_out_virtual(i, VoiceEnd::Stopped);
    } else {
      ++i;
    }
  }
}

void VoicePool::set_slots(u32 slots, u64 now) {
  wanted_slots_ = bounded(slots, 1, static_cast<u32>(playing_.size()));
  release_ended(now);
  if (wanted_slots_ >= slots_) {
    slots_ = wanted_slots_;
  } else {
    give_way_to_fewer(now);
  }
}

/// The least give way until wanted_slots_ are enough; who stays beyond them moves to a lower slot.
void VoicePool::give_way_to_fewer(u64 now) {
  refresh_keys(now);
  order_.clear();
  for_each([&](u32 slot, const Playing&) { order_.push_back(slot); });
  if (order_.size() > wanted_slots_) {
    const auto stays_longer = [&](u32 a, u32 b) {
      return keys_[a] != keys_[b] ? keys_[a] > keys_[b]
                                  : serials_[a] > serials_[b];  // the one that began first gives way first
    };
    std::nth_element(order_.begin(), order_.begin() + wanted_slots_, order_.end(), stays_longer);
    std::sort(order_.begin() + wanted_slots_, order_.end());  // changes come in slot order
    for (std::size_t i = wanted_slots_; i < order_.size(); ++i) {
      if (keys_[order_[i]] >= kKeptKey) continue;
      if (policy_ == frame::VoicePolicy::Virtual) {
        silence(order_[i]);
      } else {
        take_out(order_[i], VoiceEnd::Stolen);
      }
    }
  }
  slots_ = wanted_slots_ > stats_.active ? wanted_slots_ : stats_.active;
  for (u32 slot = slots_; slot < playing_.size(); ++slot) {
    if ((occupied_[slot / 64] >> (slot % 64) & 1u) == 0) continue;
    const Playing voice = playing_[slot];
    const u32 key = keys_[slot];
    vacate(slot);
    occupy(lowest_free(), voice, key);
  }
}

void VoicePool::set_policy(frame::VoicePolicy policy, u64) {
  policy_ = policy;
  keys_cell_ = kNever;
}

}  // namespace spellpool::audio
