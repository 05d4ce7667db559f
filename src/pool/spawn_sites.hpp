#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/types.hpp"

namespace spellpool::pool {

/// A place in the source: acquire_at(Site::here(), …) remembers where an object was begun.
struct Site {
  const char* file = nullptr;
  u32 line = 0;

#if defined(__has_builtin)
#define SPELLPOOL_HAS_SITE __has_builtin(__builtin_FILE)
#else
#define SPELLPOOL_HAS_SITE 1
#endif
#if SPELLPOOL_HAS_SITE
  static constexpr Site here(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) { return {file, line}; }
#else
  static constexpr Site here() { return {}; }
#endif
#undef SPELLPOOL_HAS_SITE
  friend bool operator==(const Site&, const Site&) = default;
};

/// Where each live object was begun: 16 bytes a slot, kept only while somebody asks for it.
class SpawnSites {
 public:
  void resize(u32 slots) { of_slot_.resize(slots); }
  void set(u32 slot, Site site) { of_slot_[slot] = site; }
  Site at(u32 slot) const { return slot < of_slot_.size() ? of_slot_[slot] : Site{}; }
  u64 bytes() const { return of_slot_.capacity() * sizeof(Site); }

 private:
  std::vector<Site> of_slot_;
};

/// Objects still alive by the place that began them, most first:
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

}  // namespace spellpool::pool
