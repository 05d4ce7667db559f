#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pool/pool.hpp"

namespace spellpool::pool {

/// A place in the source: acquire_at(pool, Site::here(), …) remembers where an object was made.
struct Site {
  const char* file = nullptr;
  u32 line = 0;

#if defined(__has_builtin)
#define SPELLPOOL_HAS_SITE __has_builtin(__builtin_FILE)
#else
#define SPELLPOOL_HAS_SITE 1
#endif
#if SPELLPOOL_HAS_SITE
  static constexpr Site here(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return {file, line};
  }
#else
  static constexpr Site here() { return {}; }
#endif
#undef SPELLPOOL_HAS_SITE
  friend bool operator==(const Site&, const Site&) = default;
};

/// Where each live object was made: 16 bytes a slot, kept only while track_sites() asks for it.
class SpawnSites final : public SlotListener {
 public:
  static const void* kind_id() {
    static const char id = 0;
    return &id;
  }
  SpawnSites() : SlotListener(kind_id(), true) {}
  void resized(u32 slots) override {
    if (slots > of_slot_.size()) of_slot_.resize(slots);
  }
  void acquired(u32 slot) override { of_slot_[slot] = Site{}; }
  u64 bytes() const override { return of_slot_.bytes(); }
  void set(u32 slot, Site site) { of_slot_[slot] = site; }
  Site at(u32 slot) const { return slot < of_slot_.size() ? of_slot_[slot] : Site{}; }

 private:
  Table<Site> of_slot_;
};

/// Objects still alive by the place that made them, the largest group first:
///   "3 objects are alive:\n  2 from bolt.cpp:12\n  1 from an unknown place\n". Empty if there are none.
class LeakReport {
 public:
  void add(Site site) {
    ++all_;
    for (Row& row : rows_) {
      if (row.site == site) return static_cast<void>(++row.count);
    }
    rows_.push_back({site, 1});
  }
  std::string text() const {
    if (all_ == 0) return {};
    std::vector<Row> rows = rows_;
    for (std::size_t i = 1; i < rows.size(); ++i) {
      for (std::size_t k = i; k > 0 && rows[k].count > rows[k - 1].count; --k) std::swap(rows[k], rows[k - 1]);
    }
    std::string text = std::to_string(all_) + (all_ == 1 ? " object is alive:\n" : " objects are alive:\n");
    for (const Row& row : rows) {
      text.append("  ").append(std::to_string(row.count)).append(" from ");
      if (row.site.file) {
        text.append(row.site.file).append(":").append(std::to_string(row.site.line)).append("\n");
      } else {
        text.append("an unknown place\n");
      }
    }
    return text;
  }

 private:
  struct Row {
    Site site;
    u64 count;
  };
  std::vector<Row> rows_;
  u64 all_ = 0;
};

/// Keeps, from now on, where each object was made (acquire_at).
template <class P>
void track_sites(P& pool, bool on) {
  if (on == (pool.template listener<SpawnSites>() != nullptr)) return;
  if (on) {
    pool.attach(new SpawnSites);
  } else {
    pool.template detach<SpawnSites>();
  }
}
/// As pool.acquire(), and remembers the place in the source if track_sites(pool, true): acquire_at(pool,
/// Site::here(), …).
template <class P, class... Args>
typename P::HandleType acquire_at(P& pool, Site site, Args&&... args) {
  const typename P::HandleType handle = pool.acquire(std::forward<Args>(args)...);
  SpawnSites* const sites = pool.template listener<SpawnSites>();
  if (sites && handle) sites->set(handle.index, site);
  return handle;
}
/// What is still alive and where it was made; for the end of a level, when nothing should be.
template <class P>
LeakReport leaks(const P& pool) {
  LeakReport report;
  const SpawnSites* const sites = pool.template listener<SpawnSites>();
  for (u32 slot = 0; (slot = pool.storage().next_live(slot)) != kNoSlot; ++slot)
    report.add(sites ? sites->at(slot) : Site{});
  return report;
}

}  // namespace spellpool::pool
