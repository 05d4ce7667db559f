#include "audio/voice_pool.hpp"

#include <algorithm>

namespace spellpool::audio {
namespace {

constexpr u64 kNever = ~u64{0};

u32 bounded(u32 value, u32 low, u32 high) { return value < low ? low : (value > high ? high : value); }

}  // namespace

VoicePool::VoicePool(u32 slots, u32 most_slots, u32 most_virtual, frame::VoicePolicy policy)
    : playing_(bounded(most_slots, 1, kMostSlots)),
      ranks_(static_cast<u32>(playing_.size())),
      serials_(playing_.size(), kNever),
      occupied_((playing_.size() + 63) / 64, 0),
      policy_(policy),
      slots_(bounded(slots, 1, static_cast<u32>(playing_.size()))),
      wanted_slots_(slots_),
      most_virtual_(bounded(most_virtual, 1, kMostVirtual)) {
  ranks_.clear(slots_);
  groups_.fill(1.0f);
  virtual_.reserve(most_virtual_);
  const std::size_t most = playing_.size() + most_virtual_;
  virtual_keys_.resize(most_virtual_);
  order_.reserve(most);
  old_.reserve(most + 1);
  changes_.reserve(2 * most + 2);
}

// ---- Keys -----------------------------------------------------------------------------------------------------------

void VoicePool::make_keys() {
  const bool by_audibility = policy_ == frame::VoicePolicy::StealQuietest || policy_ == frame::VoicePolicy::Virtual;
  for_each([&](u32 slot, const Playing& voice) {
    const u64 at = voice.start > cell_ ? voice.start : cell_;
    // The same as key_of, which would ask for the policy anew each time.
    const u32 key = by_audibility ? (voice.kept ? kKeptKey : audible_key(voice, 1.0f, at)) : key_of(voice, at);
    ranks_.put(slot, rank(key, age_of(voice.serial), slot));
  });
  ranks_.build();
  keys_cell_ = cell_;
}

/// Of a serial that is below young_, or too far beyond: then all that live are old from now on, and so is this one.
u32 VoicePool::old_age_of(u64 serial) {
  const auto place = [&] { return std::lower_bound(old_.begin(), old_.end(), serial); };
  if (place() == old_.end() || *place() != serial) {
    old_.assign(1, serial);
    for_each([&](u32, const Playing& voice) { old_.push_back(voice.serial); });
    for (const Playing& voice : virtual_) old_.push_back(voice.serial);
    std::sort(old_.begin(), old_.end());
    young_ = old_.back() + 1;
    keys_cell_ = kNever;  // all ranks are stale
  }
  return static_cast<u32>(place() - old_.begin());
}

u32 VoicePool::least_slot() {
  refresh_keys();
  return LeastTree::slot_of(ranks_.least());
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

void VoicePool::seat(u32 slot, const Playing& voice, u32 key) {
  occupy(slot, rank(key, age_of(voice.serial), slot), voice.serial);
  playing_[slot] = voice;
  next_end_ = voice.end < next_end_ ? voice.end : next_end_;
}

void VoicePool::vacate(u32 slot) {
  SPELLPOOL_ASSERT((occupied_[slot / 64] >> (slot % 64) & 1u) != 0);
  occupied_[slot / 64] &= ~(u64{1} << (slot % 64));
  ranks_.set(slot, LeastTree::kNobody);
  serials_[slot] = kNever;
  --stats_.active;
}

void VoicePool::remove_virtual(u32 at) {
  virtual_[at] = virtual_.back();
  virtual_.pop_back();
  stats_.virtual_voices = static_cast<u32>(virtual_.size());
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

/// No slot for it: it begins virtual, if there is room.
StartOutcome VoicePool::start_unheard(const Playing& voice, u64 now) {
  if (!add_virtual(voice, now)) {
    ++stats_.rejected;
    return StartOutcome::Rejected;
  }
  ++stats_.started;
  ++stats_.made_virtual;
  ++instances_[static_cast<std::size_t>(voice.id)];
  return StartOutcome::StartedVirtual;
}

const Playing* VoicePool::least_instance(frame::SoundId id) {
  refresh_keys();
  const Playing* least = nullptr;
  u32 least_key = kKeptKey;
  const auto consider = [&](const Playing& voice, u32 key) {
    if (voice.id != id || key >= kKeptKey) return;
    if (least != nullptr && (key > least_key || (key == least_key && voice.serial > least->serial))) return;
    least = &voice;
    least_key = key;
  };
  for (const Playing& voice : virtual_) consider(voice, key_of(voice, voice.start > cell_ ? voice.start : cell_));
  for_each([&](u32 slot, const Playing& voice) { consider(voice, key_in(ranks_.rank_of(slot))); });
  return least;
}

// ---- Virtual voices -------------------------------------------------------------------------------------------------

/// A real voice loses its slot and becomes virtual, or ends if there is no room.
void VoicePool::silence(const Playing& voice) {
  if (add_virtual(voice, voice.start > cell_ ? voice.start : cell_)) {
    leave(VoiceChange::Kind::Silenced, VoiceEnd::None, true, voice);
    ++stats_.made_virtual;
  } else {
    leave(VoiceChange::Kind::Gone, VoiceEnd::Stolen, true, voice);
  }
}

/// If the virtual voices are full, steals the one with the minimum key. Returns false, and steals none, if
/// the newcomer's key is below that minimum.
bool VoicePool::add_virtual(const Playing& voice, u64 now) {
  if (virtual_.size() == most_virtual_) {
    u32 least = 0;
    u32 least_key = kNoKey;
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
  voice.rest(group_gain(voice));
  seat(slot, voice, key_of(voice, now));
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
      slot = least_slot();
      if (key_in(ranks_.rank_of(slot)) >= kKeptKey ||
          audible_key(playing_[slot], kHysteresis, now) >= virtual_keys_[best])
        return;
      const Playing coming = taken_virtual(best);
      const Playing going = playing_[slot];
      vacate(slot);
      silence(going);  // there is room for it: one has just left
      virtual_keys_[virtual_.size() - 1] = audible_key(virtual_.back(), 1.0f, now);
      resume(coming, slot, now);
    } else {
      resume(taken_virtual(best), slot, now);
    }
  }
}

// ---- Cells ----------------------------------------------------------------------------------------------------------

void VoicePool::let_go_ended(u64 now) {
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
  // Ramps have reached their targets. Voices that leave now need that state; the loop below sets it for the
  // others.
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
  if (slots_ != wanted_slots_) give_way_to_fewer();
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
    fading_ = false;
    const auto fade = [&](Playing& voice) {
      if (voice.fade_per_cell < 0.0f) {
        voice.fade = voice.fade + voice.fade_per_cell > 0.0f ? voice.fade + voice.fade_per_cell : 0.0f;
        fading_ = true;
      }
    };
    u32 slopes = 0;
    for (Playing& voice : virtual_) fade(voice);
    for_each([&](u32 slot, const Playing&) {
      Playing& voice = playing_[slot];
      fade(voice);
      const float gain = voice.gain * voice.fade * group_gain(voice);
      const float left = voice.left_to, right = voice.right_to, left_to = gain * voice.pan_left,
                  right_to = gain * voice.pan_right;
      const float left_slope = (left_to - left) * (1.0f / static_cast<float>(kCellFrames));
      const float right_slope = (right_to - right) * (1.0f / static_cast<float>(kCellFrames));
      voice.left = left;
      voice.left_slope = left_slope;
      voice.right = right;
      voice.right_slope = right_slope;
      voice.left_to = left_to;
      voice.right_to = right_to;
      slopes |= std::bit_cast<u32>(left_slope) | std::bit_cast<u32>(right_slope);
    });
    unsettled_ = fading_ || slopes << 1 != 0;  // all bits but the first of ± 0 are 0
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
  if (wanted_slots_ < slots_) return give_way_to_fewer();
  slots_ = wanted_slots_;
  rank_anew();
}

/// After a change of slots.
void VoicePool::rank_anew() {
  ranks_.clear(slots_);
  keys_cell_ = kNever;
}

/// Takes the slots of the lowest ranks until wanted_slots_ are enough. A voice that stays beyond them moves
/// to a lower slot.
void VoicePool::give_way_to_fewer() {
  refresh_keys();
  order_.clear();
  for_each([&](u32 slot, const Playing&) { order_.push_back(slot); });
  if (order_.size() > wanted_slots_) {
    const auto stays_longer = [&](u32 a, u32 b) { return ranks_.rank_of(a) > ranks_.rank_of(b); };
    std::nth_element(order_.begin(), order_.begin() + wanted_slots_, order_.end(), stays_longer);
    std::sort(order_.begin() + wanted_slots_, order_.end());  // changes come in slot order
    for (std::size_t i = wanted_slots_; i < order_.size(); ++i) {
      if (key_in(ranks_.rank_of(order_[i])) >= kKeptKey) continue;
      if (policy_ == frame::VoicePolicy::Virtual) {
        const Playing going = playing_[order_[i]];
        vacate(order_[i]);
        silence(going);
      } else {
        take_out(order_[i], VoiceEnd::Stolen);
      }
    }
  }
  keys_cell_ = kNever;  // at a cell's begin, its fades are still to come
  const u32 slots = wanted_slots_ > stats_.active ? wanted_slots_ : stats_.active;
  if (slots == slots_) return;
  slots_ = slots;
  for (u32 slot = slots_; slot < playing_.size(); ++slot) {
    if ((occupied_[slot / 64] >> (slot % 64) & 1u) == 0) continue;
    const Playing voice = playing_[slot];
    vacate(slot);
    seat(lowest_free(), voice, 0);
  }
  rank_anew();
}

void VoicePool::set_policy(frame::VoicePolicy policy) {
  policy_ = policy;
  keys_cell_ = kNever;
}

}  // namespace spellpool::audio
