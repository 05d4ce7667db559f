#pragma once
#include <array>
#include <atomic>

#include "core/types.hpp"

namespace spellpool {

/// The latest value from one writing thread to one reading thread: neither ever waits, and what is between is skipped.
///
///   writer: fill(buffer.writing()); buffer.publish();        reader: if (buffer.fetch()) show(buffer.reading());
///
/// Layout  T[3]: one is the writer's, one the reader's, one lies between; publish and fetch swap theirs with that one.
/// Cost    publish O(1): one exchange. fetch O(1): one load, and an exchange if there is something new. No copies.
/// Threads writing and publish: one. fetch and reading: one.
/// Source  folklore of renderers.
template <class T>
class TripleBuffer {
 public:
  TripleBuffer() = default;
  /// All three begin as copies of this.
  explicit TripleBuffer(const T& first) : values_{first, first, first} {}

  T& writing() { return values_[writing_]; }
  /// What writing() held is the reader's next; writing() is now an older one, to be filled anew.
  void publish() { writing_ = between_.exchange(writing_ | kFresh, std::memory_order_acq_rel) & kIndex; }

  /// True if reading() is another value now.
  bool fetch() {
    if ((between_.load(std::memory_order_relaxed) & kFresh) == 0) return false;
    reading_ = between_.exchange(reading_, std::memory_order_acq_rel) & kIndex;
    return true;
  }
  const T& reading() const { return values_[reading_]; }

 private:
  static constexpr u32 kFresh = 4, kIndex = 3;
  std::array<T, 3> values_{};
  alignas(64) std::atomic<u32> between_{1};
  alignas(64) u32 writing_ = 0;
  alignas(64) u32 reading_ = 2;
};

}  // namespace spellpool
