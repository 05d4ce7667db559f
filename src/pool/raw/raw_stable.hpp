#pragma once
#include <bit>
#include <memory>
#include <utility>

#include "core/assert.hpp"
#include "pool/dense.hpp"

namespace spellpool::pool {

/// Field-wise like RawDense, but a row keeps its number for life: others may remember it (a quest giver, a
/// target, an index on the graphics card). Raw: nothing shows that a remembered row holds a new object.
/// Where that matters, keep a serial in a cold field, or use a pool with handles.
///
/// Layout   Columns<T> (dense.hpp), rows rounded up to 64
///          occupied_[rows / 64] × u64          one bit a row: the row is live
///          open_[rows / 4096] × u64            one bit for each word above that has a free row
/// Cost     update() O(rows up to the highest live one): a group of 64 rows runs as one loop, free rows included,
///          which is cheaper than asking; a group with fewer than 4 live rows runs row by row, an empty one not at
///          all. spawn O(1) but for finding the word: 4,096 rows a step. kill O(1).
/// Order    By row. The lowest free row is taken first, so that live rows crowd at the front and full groups stay full.
/// Moves    Nothing.
/// Full     spawn() gives kNoRow, spawn_n() makes as many as fit. Nothing is allocated after construction.
/// Beware   A block also computes on free rows: keep it to arithmetic, and set flush-to-zero if numbers decay towards
///          0.
/// Threads  One owner.
/// Source   A bitmap with a summary is the bottom of a van Emde Boas tree; two levels of 64 do for some ten million
///          rows.
template <FieldWise T>
class RawStable {
 public:
  static constexpr u32 kNoRow = 0xffffffffu;

  /// A capacity above kMaxCapacity is refused through misuse(): the capacity is then 0.
  explicit RawStable(u32 capacity)
      : capacity_(refuses_capacity(capacity) ? 0 : capacity),
        words_((capacity_ + kLanes - 1) / kLanes),
        columns_(words_ * kLanes),
        occupied_(std::make_unique<u64[]>(words_)),
        open_(std::make_unique<u64[]>((words_ + kLanes - 1) / kLanes)) {
    for (u32 w = 0; w < words_; ++w) open_[w / kLanes] |= u64{1} << (w % kLanes);
  }
  /// The moved-from pool is empty and has capacity 0.
  RawStable(RawStable&& other) noexcept { swap(other); }
  RawStable& operator=(RawStable&& other) noexcept {
    RawStable its(std::move(other));
    swap(its);
    return *this;
  }

  /// Calls block(first, count) for groups of rows that hold a live object, rising. A group is 64 rows, which
  /// may include free ones, or one row. The answer has a bit set for each row that dies, bit 0 for `first`;
  /// the bits of free rows are dropped. Returns how many died.
  template <class Block>
  u32 update(Block&& block) {
    const u32 before = live_;
    u32 used = 0;
    for (u32 w = 0; w < used_words_; ++w) {
      const u64 bits = occupied_[w];
      if (bits == 0) continue;
      const u32 first = w * kLanes;
      u64 dead = 0;
      if (std::popcount(bits) >= kFewLive) {
        dead = block(first, kLanes);
      } else {
        for (u64 rest = bits; rest != 0; rest &= rest - 1) {
          const u32 lane = static_cast<u32>(std::countr_zero(rest));
          dead |= (block(first + lane, 1u) & 1u) << lane;
        }
      }
      dead &= bits;  // the rest without a branch: whether one of 64 died is a coin toss
      occupied_[w] = bits & ~dead;
      open_[w / kLanes] |= u64{dead != 0} << (w % kLanes);
      live_ -= static_cast<u32>(std::popcount(dead));
      used = dead != bits ? w + 1 : used;
    }
    used_words_ = used;
    lowest_open_ = 0;
    return before - live_;
  }

  /// Stores make(0) … make(n - 1), or as many as there is room for, each in the lowest free row, and tells made(i,
  /// row) where; returns how many.
  template <class Make, class Made>
  u32 spawn_n(u32 n, Make&& make, Made&& made) {
    if (n > capacity_ - live_) n = capacity_ - live_;
    u32 rows[kBatch + kColdAhead];
    for (u32 done = 0; done < n;) {
      const u32 batch = take_rows(rows, n - done < kBatch ? n - done : kBatch);
      for (u32 i = 0; i < kColdAhead; ++i) rows[batch + i] = rows[batch - 1];
      scatter(
          columns_, batch, [&](u32 i) { return rows[i]; }, [&](u32 i) -> decltype(auto) { return make(done + i); });
      for (u32 i = 0; i < batch; ++i) made(done + i, rows[i]);
      done += batch;
    }
    return n;
  }
  template <class Make>
  u32 spawn_n(u32 n, Make&& make) {
    return spawn_n(n, make, [](u32, u32) {});
  }
  /// The row, or kNoRow.
  u32 spawn(const T& value) {
    if (live_ == capacity_) return kNoRow;
    u32 row[1 + kLaneSlack];
    take_rows(row, 1);
    columns_.store(row[0], value);
    return row[0];
  }

  /// Kills the object of a live row.
  void kill(u32 row) {
    SPELLPOOL_ASSERT(is_live(row));
    const u32 w = row / kLanes;
    occupied_[w] &= ~(u64{1} << (row % kLanes));
    open_[w / kLanes] |= u64{1} << (w % kLanes);
    if (w / kLanes < lowest_open_) lowest_open_ = w / kLanes;
    --live_;
  }
  bool is_live(u32 row) const { return row < capacity_ && (occupied_[row / kLanes] >> (row % kLanes) & 1) != 0; }

  /// f(row) for each live row, rising. f may kill that row.
  template <class F>
  void for_each(F&& f) const {
    for (u32 w = 0; w < used_words_; ++w) {
      for (u64 bits = occupied_[w]; bits != 0; bits &= bits - 1)
        f(w * kLanes + static_cast<u32>(std::countr_zero(bits)));
    }
  }

  /// The array of one field.
  template <auto Member>
  auto* column() const {
    return columns_.template column<Member>();
  }
  T load(u32 row) const { return columns_.load(row); }
  void store(u32 row, const T& value) { columns_.store(row, value); }

  u32 live() const { return live_; }
  u32 capacity() const { return capacity_; }
  u64 bytes() const { return columns_.bytes() + sizeof(u64) * (words_ + (words_ + kLanes - 1) / kLanes); }

 private:
  static constexpr int kFewLive = 4;
  static constexpr u32 kBatch = 256;

  /// Occupies n of the lowest free rows, which must be there, and writes their numbers.
  u32 take_rows(u32* out, u32 n) {
    u32* const begin = out;
    u32 taken = 0;
    while (taken < n) {
      while (open_[lowest_open_] == 0) ++lowest_open_;
      const u32 w = lowest_open_ * kLanes + static_cast<u32>(std::countr_zero(open_[lowest_open_]));
      u64 free = ~occupied_[w];  // rows past the capacity too: n lower ones are free
      if (static_cast<u32>(std::popcount(free)) > n - taken) {
        u64 rest = free;
        for (u32 i = taken; i < n; ++i) rest &= rest - 1;
        free &= ~rest;  // the lowest n - taken of them
      } else {
        open_[lowest_open_] &= open_[lowest_open_] - 1;
      }
      occupied_[w] |= free;
      if (w >= used_words_) used_words_ = w + 1;
      taken = static_cast<u32>(write_lanes(free, w * kLanes, begin + taken) - begin);
    }
    live_ += taken;
    return taken;
  }

  void swap(RawStable& other) noexcept {
    std::swap(capacity_, other.capacity_);
    std::swap(words_, other.words_);
    columns_.swap(other.columns_);
    occupied_.swap(other.occupied_);
    open_.swap(other.open_);
    std::swap(live_, other.live_);
    std::swap(used_words_, other.used_words_);
    std::swap(lowest_open_, other.lowest_open_);
  }

  u32 capacity_ = 0;
  u32 words_ = 0;
  Columns<T> columns_;
  std::unique_ptr<u64[]> occupied_;
  std::unique_ptr<u64[]> open_;
  u32 live_ = 0;
  u32 used_words_ = 0;   // one past the highest word with a live row, or more
  u32 lowest_open_ = 0;  // no word of open_ below it has a bit set
};

}  // namespace spellpool::pool
