#pragma once
#include <memory>
#include <span>
#include <utility>

#include "core/assert.hpp"
#include "pool/dense.hpp"

namespace spellpool::pool {

/// Many small objects that live and die independently, as fast as the memory allows: sparks, smoke, rain.
/// Rows 0 … live() - 1 are all alive, each field in an array of its own. Raw: there are no handles, and a
/// row must not be referenced from outside, since rows move. For objects that others must find again, use a
/// pool with handles.
///
///   RawDense<Spark> sparks(50'000);
///   sparks.spawn_n(500, [&](u32 i) { return spark(i); });
///   float* y = sparks.column<&Spark::y>();                            // good until the pool is moved or ends
///   float* life = sparks.column<&Spark::life>();
///   sparks.update([&](u32 first, u32) {
///     for (u32 i = first; i < first + 64; ++i) y[i] += dt, life[i] -= dt;
///     return lane_mask(64, [&](u32 i) { return life[first + i] <= 0; });   // which died
///   });
///   sparks.spawn_n(emitted, …);                                       // fills the holes first
///   sparks.settle();                                                  // before anything else looks at the rows
///
/// Layout   Columns<T> (dense.hpp): hot fields, then cold ones, an array each, rows rounded up to 64
///          holes_[capacity + 28] × u32        rows that died in the last update(), rising
/// Cost     update() O(live): the block's own loop, plus an eighth of a multiplication and a few bit operations a
///          row. Deaths cost four bytes each until spawn_n() or settle() deals with them. spawn_n() O(n): holes
///          first, highest first, since that end of the arrays is the one still in the cache; what remains goes
///          behind the last row. settle() O(holes left): each is filled with the last row.
/// Order    None that lasts.
/// Moves    settle() moves rows into holes; update(), append() and kill() settle first. spawn_n() moves nothing.
/// Vectors  With several columns, hand them to a function with __restrict parameters, or the compiler asks for each
///          group whether they overlap: 0.40 ns a row in place of 0.24 (bench/pools_particle.hpp shows how).
/// Full     spawn_n() makes as many as fit and says how many. Nothing is allocated after construction.
/// Frames   update, then spawn_n, then settle: spawns then refill holes where compaction would have moved other rows
///          into them. Where about as many are born as die, almost no row ever moves.
/// Threads  One owner.
/// Source   The parts are old (structure of arrays; swap-and-pop); the order of a frame, the death mask and its
///          decoding come from bench/pools_frame.cpp.
template <FieldWise T>
class RawDense {
 public:
  /// A capacity above kMaxCapacity is refused through misuse(): the capacity is then 0.
  explicit RawDense(u32 capacity)
      : capacity_(refuses_capacity(capacity) ? 0 : capacity),
        columns_((capacity_ + kLanes - 1) / kLanes * kLanes),
        holes_(std::make_unique<u32[]>(kColdAhead + capacity_ + kLaneSlack)),
        first_hole_(holes_.get() + kColdAhead) {}
  /// The moved-from pool is empty and has capacity 0.
  RawDense(RawDense&& other) noexcept { swap(other); }
  RawDense& operator=(RawDense&& other) noexcept {
    RawDense its(std::move(other));
    swap(its);
    return *this;
  }

  /// Calls block(first, count) for each group of rows first … first + count - 1, count ≤ 64, rising. The
  /// answer has a bit set for each row that dies: bit 0 for `first`. Rows up to first + 63 always exist and
  /// may be computed on, even if count is less; those rows and their bits are ignored. Returns how many
  /// died.
  template <class Block>
  u32 update(Block&& block) {
    settle();
    u32* const holes = first_hole_;
    u32* out = holes;
    const u32 end = end_;
    for (u32 first = 0; first < end; first += kLanes) {
      const u32 count = end - first < kLanes ? end - first : kLanes;
      out = write_lanes(block(first, count) & low_lanes(count), first, out);
    }
    hole_count_ = static_cast<u32>(out - holes);
    return hole_count_;
  }

  /// The rows that died in the last update() and were not refilled yet. Their fields still hold the last values.
  std::span<const u32> holes() const { return {first_hole_, hole_count_}; }

  /// Stores make(0), make(1) … make(n - 1), or as many as there is room for; returns how many.
  template <class Make>
  u32 spawn_n(u32 n, Make&& make) {
    const u32 room = capacity_ - live();
    if (n > room) n = room;
    const u32 refill = n < hole_count_ ? n : hole_count_;
    const u32* const end = first_hole_ + hole_count_;
    scatter(
        columns_, refill, [end](u32 i) { return *(end - i - 1); }, make);
    hole_count_ -= refill;
    for (u32 i = refill; i < n; ++i) columns_.store(end_ + i - refill, make(i));
    end_ += n - refill;
    return n;
  }
  /// Adds n rows behind the last one, for loops of your own over the columns; returns the first. Their fields hold
  /// anything until then. Needs live() + n ≤ capacity(). Settles first.
  u32 append(u32 n) {
    settle();
    SPELLPOOL_ASSERT(n <= capacity_ - end_);
    const u32 first = end_;
    end_ += n;
    return first;
  }
  bool spawn(const T& value) {
    return spawn_n(1, [&](u32) -> const T& { return value; }) == 1;
  }

  /// Ends one row: the last row takes its place. For a walk that does so, go backwards. Settles first.
  void kill(u32 row) {
    settle();
    SPELLPOOL_ASSERT(row < end_);
    columns_.copy(row, --end_);
  }
  void clear() { end_ = hole_count_ = 0; }

  /// Closes the holes. After it the rows 0 … live() - 1 are those that live.
  void settle() {
    const u32* lowest = first_hole_;
    const u32* end = lowest + hole_count_;
    while (lowest != end) {
      --end_;
      if (end[-1] == end_) {
        --end;
      } else {
        columns_.copy(*lowest++, end_);
      }
    }
    hole_count_ = 0;
  }

  /// The array of one field.
  template <auto Member>
  auto* column() const {
    return columns_.template column<Member>();
  }
  T load(u32 row) const { return columns_.load(row); }
  void store(u32 row, const T& value) { columns_.store(row, value); }

  u32 live() const { return end_ - hole_count_; }
  u32 capacity() const { return capacity_; }
  u64 bytes() const { return columns_.bytes() + sizeof(u32) * (kColdAhead + capacity_ + kLaneSlack); }

 private:
  void swap(RawDense& other) noexcept {
    std::swap(capacity_, other.capacity_);
    columns_.swap(other.columns_);
    holes_.swap(other.holes_);
    std::swap(first_hole_, other.first_hole_);
    std::swap(end_, other.end_);
    std::swap(hole_count_, other.hole_count_);
  }

  u32 capacity_ = 0;
  Columns<T> columns_;
  std::unique_ptr<u32[]> holes_;
  u32* first_hole_ = nullptr;  // in holes_: scatter() looks at 24 holes below the lowest one
  u32 end_ = 0;
  u32 hole_count_ = 0;
};

}  // namespace spellpool::pool
