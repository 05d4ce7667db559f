#pragma once
// Which cache lines objects lie in and which of them a walk touches, counted from true addresses.
//
//   LineMap map;
//   map_lines(pool, map);
//
// Memory  a MemoryPage for each page with an object, in rising order.
// Cost    O(log pages) for each line, and O(pages) for a page that is new: meant for inspection, not for play.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/memory_page.hpp"
#include "pool/base.hpp"

namespace spellpool::pool {

class LineMap {
 public:
  void hold(const void* object, std::size_t bytes) { each_line(object, bytes, &MemoryPage::held); }
  void touch(const void* object, std::size_t bytes) { each_line(object, bytes, &MemoryPage::touched); }
  const std::vector<MemoryPage>& pages() const { return pages_; }
  u64 held() const { return count(&MemoryPage::held); }
  u64 touched() const { return count(&MemoryPage::touched); }
  /// The memory stays, so that counting again allocates nothing.
  void clear() { pages_.clear(); }
  void reserve(std::size_t pages) { pages_.reserve(pages); }

 private:
  u64 count(u64 MemoryPage::*bits) const {
    u64 lines = 0;
    for (const MemoryPage& page : pages_) lines += static_cast<u64>(std::popcount(page.*bits));
    return lines;
  }
  SPELLPOOL_APART void each_line(const void* object, std::size_t bytes, u64 MemoryPage::*bits) {
    if (bytes == 0) return;
    const auto address = static_cast<u64>(reinterpret_cast<std::uintptr_t>(object));
    const u64 last = (address + bytes - 1) / kCacheLineBytes;
    for (u64 line = address / kCacheLineBytes; line <= last; ++line) {
      constexpr u64 kLines = kMemoryPageBytes / kCacheLineBytes;
      page_of(line / kLines).*bits |= u64{1} << (line % kLines);
    }
  }
  MemoryPage& page_of(u64 number) {
    if (!pages_.empty() && pages_.back().number == number) return pages_.back();
    auto page = std::lower_bound(pages_.begin(), pages_.end(), number,
                                 [](const MemoryPage& a, u64 wanted) { return a.number < wanted; });
    if (page == pages_.end() || page->number != number) page = pages_.insert(page, {number, 0, 0});
    return *page;
  }
  std::vector<MemoryPage> pages_;
};

/// Where the pool's objects lie, and which lines a walk over all of them touches: the objects, or of storages that
/// keep fields in columns the hot ones; of storages that ask every slot also the flags of free slots.
/// O(live · log pages), and O(slots) for the latter.
template <class P>
void map_lines(const P& pool, LineMap& map) {
  const auto& storage = pool.storage();
  const auto take = [&](const auto* first, const auto* last) {
    map.touch(first, static_cast<std::size_t>(last - first) + 1);
  };
  if constexpr (requires { storage.columns().for_hot_bytes(u32{}, take); }) {
    const auto keep = [&](const auto* first, const auto* last) {
      map.hold(first, static_cast<std::size_t>(last - first) + 1);
    };
    storage.for_each_slot([&](u32 slot, const auto&) {
      const u32 row = storage.place_of(slot);
      storage.columns().for_hot_bytes(row, take);
      storage.columns().for_hot_bytes(row, keep);
      storage.columns().for_cold_bytes(row, keep);
    });
  } else {
    using Value = typename P::Value;
    storage.for_each_slot([&](u32, const Value& value) {
      map.hold(&value, sizeof(Value));
      map.touch(&value, sizeof(Value));
    });
    if constexpr (requires { storage.for_each_flag([](const void*, std::size_t) {}); })
      storage.for_each_flag([&](const void* flag, std::size_t bytes) { map.touch(flag, bytes); });
  }
}

}  // namespace spellpool::pool
