#pragma once
#include <algorithm>
#include <vector>

#include "core/types.hpp"

namespace spellpool::pool {

/// Who is least missed, exactly: the data of PolicyId::StealLeast. A batch of spawns ranks the living once, by (score, serial),
/// and takes victims from the front; only as many as the batch may need are sorted (one selection, O(live)), more when they
/// run out. Objects born in the batch stand behind all that were there before it.
/// Layout   one entry a live object, 24 bytes; allocated when the policy is chosen and when the pool is enlarged.
class VictimList {
 public:
  struct Entry {
    float score;
    u32 slot;
    u64 serial;
    u64 generation;
  };

  void reserve(u32 objects) { entries_.reserve(objects); }
  void begin() {
    entries_.clear();
    next_ = sorted_ = 0;
  }
  void add(float score, u64 serial, u32 slot, u64 generation) {
    entries_.push_back({score == score ? score : -1e38f, slot, serial, generation});  // not a number: the first to go
  }
  /// The next victim, or nullptr if all of this ranking have been named. `likely` more will be asked for.
  const Entry* next(u32 likely) {
    if (next_ == sorted_) {
      if (next_ == entries_.size()) return nullptr;
      const std::size_t left = entries_.size() - next_;
      const std::size_t wanted = std::min<std::size_t>(left, likely < 16 ? 16 : likely);
      const auto first = entries_.begin() + static_cast<std::ptrdiff_t>(next_);
      const auto end = first + static_cast<std::ptrdiff_t>(wanted);
      if (wanted < left) std::nth_element(first, end, entries_.end(), before);
      std::sort(first, end, before);
      sorted_ = next_ + wanted;
    }
    return &entries_[next_++];
  }
  u64 bytes() const { return entries_.capacity() * sizeof(Entry); }

 private:
  static bool before(const Entry& a, const Entry& b) { return a.score != b.score ? a.score < b.score : a.serial < b.serial; }

  std::vector<Entry> entries_;
  std::size_t next_ = 0, sorted_ = 0;
};

}  // namespace spellpool::pool
