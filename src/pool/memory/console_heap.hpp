#pragma once
#include <bit>
#include <cstdint>
#include <cstring>
#include <new>
#include <string_view>
#include <utility>

#include "core/assert.hpp"
#include "core/types.hpp"
#include "pool/base.hpp"

namespace spellpool::pool {

/// What deallocate() did. Everything but Freed leaves the heap as it was, in every build.
enum class FreeResult : u8 {
  Freed,
  NullPointer,     ///< As in C: nothing to do, no fault.
  DoubleFree,      ///< A block started there and was freed.
  ForeignPointer,  ///< Not from this heap, or into the middle of a block. (An overrun of 16 bytes or more looks the same.)
  DamagedTags,     ///< Something wrote over the tags of this block, of a neighbour, or over the links of a hole.
};

/// What a ConsoleHeap holds now, and what happened in it. Always true: total == used + free + tags.
struct ConsoleHeapStats {
  u64 total_bytes = 0;
  u64 used_bytes = 0;    ///< Inside live blocks, what rounding adds included.
  u64 free_bytes = 0;    ///< Inside holes: all of them together.
  u64 tag_bytes = 0;     ///< 16 for every block, live or hole, and 16 for the end.
  u64 largest_free = 0;  ///< Inside the largest hole: the maximum that one allocate() can get now.
  u32 holes = 0;
  u32 live_blocks = 0;
  u64 allocate_calls = 0;
  u64 free_calls = 0;
  u64 failures = 0;                    ///< allocate() that gave nullptr.
  u64 failures_while_enough_free = 0;  ///< Of these: the holes together would have had room. Fragmentation.
  u64 steps = 0;                       ///< Holes looked at by all searches.
  u64 longest_search = 0;              ///< Most holes looked at by one.
  u64 double_frees = 0;
  u64 foreign_pointers = 0;
  u64 damaged_tags = 0;  ///< Met by deallocate(), or by a search, which ends there and fails.
};

/// A heap as a small console had it: one block of fixed size, boundary tags, first fit. It is here to be compared
/// with: it does what such a heap can do (holes that touch become one at once), and still fragments.
///
/// Layout   Units of 16 bytes. Before each block, and at the end, stands one unit of tags: the footer of the block to
///          its left and the header of the block to its right. A block of n units is its tags and n - 1 units to use.
///
///            unit   0     1 … 7     8     9 10     11    12 … 18    19
///                 [·|H]   hole    [F|H]   live   [F|H]    hole     [F|·]      14 units are free, and 12 are refused
///
///          tag    u32 units << 1 | live, u32 seal of these, of the place and of the side
///          hole   its first 8 bytes are the list: u32 next, u32 previous
///          So 16 bytes a block besides rounding up to 16, and 16 once.
/// Fit      First fit: the first hole in the list that is large enough, however bad; cut from its front, and what is
///          left takes the hole's place in the list. Less than two units are not left but given along.
/// Order    The list is LIFO, the hole freed last is tried first. So free needs no search: the tags find the
///          neighbours. In order of address the heap would fragment less, but each free would have to walk to its
///          place in the list: O(holes) for the half that is O(1) here.
/// Cost     allocate O(holes), deallocate O(1), stats() O(holes), validate() and for_each_block() O(blocks).
/// Aligned  16 always. For a larger align the block's units are rounded up to a multiple of it (a small object with a
///          large alignment is dear), so that equal blocks follow each other without gaps; the gap before the first
///          stays a hole. Up to 64, where a block lands does not depend on where the system put the heap.
/// Full     allocate() gives nullptr and counts it; the heap never grows. One operator new at construction, none after.
/// Errors   Each free checks, in O(1): the pointer's range and alignment, this block's tags against each other, those
///          of both neighbours, and that a hole's links lead back to it. Tags of a block that merges are wiped, so a
///          second free is still detected until something writes there. A 32-bit seal finds accidents, not attacks.
/// Poison   Under AddressSanitizer all is poisoned but the bytes that were asked for: tags and rounding too.
/// Threads  One owner.   Ends  The memory goes back at once; blocks that still live are the user's to mourn.
/// Source   Knuth, The Art of Computer Programming 1, 2.5: first fit (A), liberation with boundary tags (C). Wilson and
///          others, "Dynamic Storage Allocation: A Survey": LIFO against order of address. Nystrom, Game Programming
///          Patterns, "Object Pool": the fourteen bytes.
class ConsoleHeap {
 public:
  static constexpr std::size_t kAlign = 16;  ///< Of every block, and one unit.
  static constexpr u64 kMaxBytes = u64{0x7fffffff} * kAlign;

  /// An empty heap: every allocate() fails.
  ConsoleHeap() = default;
  /// Tags included; rounded down to 16, and at least 48. bytes_for() tells what some objects need.
  explicit ConsoleHeap(std::size_t bytes) : units_(units_in(bytes)) {
    block_ = static_cast<std::byte*>(::operator new(total_bytes(), std::align_val_t{kBaseAlign}));
    std::memset(block_, 0xCD, total_bytes());  // touches every page, and wipes the tags of a heap that stood here before
    poison(block_, total_bytes());
    store(footer_at(0), sealed(kFooter, 0, kLive));  // to the left of the first block, and to the right of the last:
    store(header_at(units_ - 1), sealed(kHeader, units_ - 1, kLive));  // blocks without units that are never free
    write_block(0, units_ - 1, kFree);
    push_hole(0);
  }
  ConsoleHeap(ConsoleHeap&& other) noexcept { swap(other); }
  ConsoleHeap& operator=(ConsoleHeap&& other) noexcept {
    swap(other);
    return *this;
  }
  ~ConsoleHeap() {
    if (!block_) return;
    unpoison(block_, total_bytes());
    ::operator delete(block_, std::align_val_t{kBaseAlign});
  }

  /// The size of a heap that surely holds `count` blocks of this size and alignment, whatever order they come and go
  /// in, as long as nothing else lives there: blocks of one size leave holes of that size.
  static constexpr std::size_t bytes_for(std::size_t count, std::size_t bytes, std::size_t align = kAlign) {
    const std::size_t gap = align > kAlign ? align + kAlign : 0;  // before the first block, at worst
    return gap + count * block_units(bytes, align) * kAlign + kAlign;
  }

  /// nullptr if no hole is large enough. 0 bytes are a block too. `align` is a power of two.
  void* allocate(std::size_t bytes, std::size_t align = kAlign) {
    SPELLPOOL_ASSERT(std::has_single_bit(align));
    ++counters_.allocate_calls;
    if (bytes >= total_bytes() || u64{align} > kMaxBytes || !std::has_single_bit(align)) return fail(false);
    const u64 units = block_units(bytes, align);

    u64 steps = 0;
    u32 previous = kNone;
    for (u32 hole = first_hole_; hole != kNone;) {
      ++steps;
      // With a link back in every hole the list cannot be a ring, whatever was written into it.
      if (!is_hole(hole) || links(hole).previous != previous) return fail_damaged(steps);
      const u64 gap = gap_before(hole, align);
      if (gap + units <= header(hole).units()) {
        if (!sound_hole(hole)) return fail_damaged(steps);
        count_steps(steps);
        return take(hole, static_cast<u32>(gap), static_cast<u32>(units), bytes);
      }
      previous = hole;
      hole = links(hole).next;
    }
    if (previous != last_hole_) return fail_damaged(steps);  // the list was cut short
    count_steps(steps);
    const u64 surely = (units - 1) * kAlign + (align > kAlign ? align + kAlign : 0);
    return fail(surely <= free_bytes());
  }

  FreeResult deallocate(void* pointer) {
    ++counters_.free_calls;
    if (!pointer) return FreeResult::NullPointer;
    const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(pointer) - reinterpret_cast<std::uintptr_t>(block_);
    if (offset >= total_bytes() || offset < kAlign || offset % kAlign != 0) return refuse(FreeResult::ForeignPointer);
    const u32 start = static_cast<u32>(offset / kAlign) - 1;

    const Tag tag = header(start);
    if (!is_sealed(kHeader, start, tag)) {
      return refuse(is_sealed(kFooter, start, footer(start)) ? FreeResult::DamagedTags : FreeResult::ForeignPointer);
    }
    if (!tag.live()) return refuse(FreeResult::DoubleFree);
    if (!is_block(start, tag) || !has_footer(start, tag)) return refuse(FreeResult::DamagedTags);
    const u32 end = start + tag.units();

    const Tag left = footer(start), right = header(end);
    if (!is_sealed(kFooter, start, left) || !is_sealed(kHeader, end, right)) return refuse(FreeResult::DamagedTags);
    const u32 left_start = start - left.units();
    if (!left.live() && (left.units() > start || header(left_start).word != left.word || !sound_hole(left_start))) {
      return refuse(FreeResult::DamagedTags);
    }
    if (!right.live() && !sound_hole(end)) return refuse(FreeResult::DamagedTags);

    u32 hole = start, hole_end = end;
    if (!left.live()) {
      hole = left_start;
      pull_hole(left_start);
      wipe(start);
    }
    if (!right.live()) {
      hole_end = end + right.units();
      pull_hole(end);
      wipe(end);
    }
    used_units_ -= tag.units();
    --counters_.live_blocks;
    poison(block_ + hole * kAlign, (hole_end - hole) * kAlign);
    write_block(hole, hole_end - hole, kFree);
    push_hole(hole);
    return FreeResult::Freed;
  }
  /// The same, for those who know what they asked for.
  void deallocate(void* pointer, std::size_t, std::size_t) { deallocate(pointer); }

  /// Where a pointer of allocate() lies, bytes from the heap's start; and the pointer to it.
  std::size_t offset_of(const void* pointer) const {
    return reinterpret_cast<std::uintptr_t>(pointer) - reinterpret_cast<std::uintptr_t>(block_);
  }
  void* at(std::size_t offset) { return block_ + offset; }

  /// Becomes a copy of another heap: the same blocks and holes at the same offsets, with the bytes that are in them.
  /// Takes new memory only if the sizes differ. Under AddressSanitizer what rounding added to a copied block is not
  /// poisoned.
  void assign(const ConsoleHeap& other) {
    if (this == &other) return;
    if (units_ != other.units_) *this = other.units_ == 0 ? ConsoleHeap() : ConsoleHeap(other.total_bytes());
    if (units_ == 0) return;
    unpoison(block_, total_bytes());
    copy_words(block_, other.block_, total_bytes());
    poison(block_, total_bytes());
    first_hole_ = other.first_hole_;
    last_hole_ = other.last_hole_;
    used_units_ = other.used_units_;
    counters_ = other.counters_;
    for_each_block([this](std::size_t at, std::size_t bytes, bool free) {
      if (!free) unpoison(block_ + at + kAlign, bytes - kAlign);
    });
  }

  ConsoleHeapStats stats() const {
    ConsoleHeapStats stats = counters_;
    stats.total_bytes = total_bytes();
    stats.used_bytes = (used_units_ - counters_.live_blocks) * kAlign;
    stats.free_bytes = free_bytes();
    stats.tag_bytes = stats.total_bytes - stats.used_bytes - stats.free_bytes;
    u32 previous = kNone;
    for (u32 hole = first_hole_; hole != kNone && is_hole(hole) && links(hole).previous == previous;
         hole = links(hole).next) {
      const u64 bytes = u64{header(hole).units() - 1} * kAlign;
      if (bytes > stats.largest_free) stats.largest_free = bytes;
      previous = hole;
    }
    return stats;
  }

  /// f(offset, bytes, is_free) for every block from left to right, its tags included: together all but the last 16
  /// bytes. Ends at damaged tags. f must neither allocate nor free.
  template <class F>
  void for_each_block(F&& f) const {
    for (u32 block = 0; block + 1 < units_;) {
      const Tag tag = header(block);
      if (!is_sealed(kHeader, block, tag) || !is_block(block, tag)) return;
      f(std::size_t{block} * kAlign, std::size_t{tag.units()} * kAlign, !tag.live());
      block += tag.units();
    }
  }

  /// Walks all blocks and the list, and says what is wrong with them; "" if nothing is. For tests.
  std::string_view validate() const {
    if (!block_) return units_ == 0 ? "" : "units without memory";
    if (!is_sealed(kFooter, 0, footer(0)) || footer(0).word != kLive) return "the tag before the first block";
    const u32 end = units_ - 1;
    if (!is_sealed(kHeader, end, header(end)) || header(end).word != kLive) return "the tag behind the last block";
    u32 holes = 0, live_blocks = 0;
    u64 used = 0;
    bool after_hole = false;
    for (u32 block = 0; block < end; block += header(block).units()) {
      const Tag tag = header(block);
      if (!is_sealed(kHeader, block, tag)) return "a header's seal";
      if (!is_block(block, tag)) return "a block's size";
      if (!has_footer(block, tag)) return "a footer that is not its header's";
      if (!tag.live() && after_hole) return "two holes that touch";
      after_hole = !tag.live();
      ++(tag.live() ? live_blocks : holes);
      if (tag.live()) used += tag.units();
    }
    if (live_blocks != counters_.live_blocks || used != used_units_) return "the count of live blocks";
    if (holes != counters_.holes) return "the count of holes";
    u32 listed = 0;
    u32 previous = kNone;
    for (u32 hole = first_hole_; hole != kNone; hole = links(hole).next) {
      if (!is_hole(hole)) return "a link that leads to no hole";
      if (links(hole).previous != previous) return "a link back";
      previous = hole;
      if (++listed > holes) return "a list longer than the holes";
    }
    return listed == holes && previous == last_hole_ ? "" : "a hole that is not in the list";
  }

 private:
  static constexpr std::size_t kBaseAlign = 64;
  static constexpr u32 kNone = 0xffffffffu;
  static constexpr u32 kFree = 0, kLive = 1;
  static constexpr u32 kHeader = 0x48656164u, kFooter = 0x466f6f74u;  // sides of a seal

  struct Tag {
    u32 word;
    u32 seal;
    u32 units() const { return word >> 1; }
    bool live() const { return (word & kLive) != 0; }
  };
  struct Links {
    u32 next;
    u32 previous;
  };
  static_assert(sizeof(Tag) == 8 && sizeof(Links) == 8);

  // A block is named by the unit of its tags. Everything below is in units, but for the offsets of these three.
  static constexpr std::size_t footer_at(u32 block) { return std::size_t{block} * kAlign; }
  static constexpr std::size_t header_at(u32 block) { return std::size_t{block} * kAlign + 8; }
  static constexpr std::size_t links_at(u32 block) { return std::size_t{block} * kAlign + kAlign; }

  static constexpr u32 units_in(std::size_t bytes) {
    SPELLPOOL_ASSERT(u64{bytes} <= kMaxBytes);
    if (u64{bytes} > kMaxBytes) return static_cast<u32>(kMaxBytes / kAlign);
    return bytes < 3 * kAlign ? 3 : static_cast<u32>(bytes / kAlign);
  }
  static constexpr std::size_t block_units(std::size_t bytes, std::size_t align) {
    const std::size_t units = 1 + (bytes == 0 ? 1 : (bytes - 1) / kAlign + 1);
    const std::size_t step = align > kAlign ? align / kAlign : 1;
    return (units + step - 1) / step * step;
  }
  /// Units from the hole's start to the first block in it that is aligned; a gap has to be a hole, so never 1.
  u64 gap_before(u32 hole, std::size_t align) const {
    if (align <= kAlign) return 0;
    const std::uintptr_t past = reinterpret_cast<std::uintptr_t>(block_ + links_at(hole)) & (align - 1);
    const u64 gap = past == 0 ? 0 : (align - past) / kAlign;
    return gap == 1 ? 1 + align / kAlign : gap;
  }

  template <class Stored>
  Stored load(std::size_t offset) const {
    Stored stored;
    unpoison(block_ + offset, sizeof(Stored));
    std::memcpy(&stored, block_ + offset, sizeof(Stored));
    poison(block_ + offset, sizeof(Stored));
    return stored;
  }
  template <class Stored>
  void store(std::size_t offset, Stored stored) {
    unpoison(block_ + offset, sizeof(Stored));
    std::memcpy(block_ + offset, &stored, sizeof(Stored));
    poison(block_ + offset, sizeof(Stored));
  }
  Tag header(u32 block) const { return load<Tag>(header_at(block)); }
  /// Of the block that ends where this one starts.
  Tag footer(u32 block) const { return load<Tag>(footer_at(block)); }
  Links links(u32 hole) const { return load<Links>(links_at(hole)); }

  // Odd factors: any change of the word or of the place alone changes the seal.
  static constexpr Tag sealed(u32 side, u32 place, u32 word) {
    return {word, (place * 0x9e3779b1u) ^ (word * 0x85ebca77u) ^ side};
  }
  static constexpr bool is_sealed(u32 side, u32 place, Tag tag) {
    return sealed(side, place, tag.word).seal == tag.seal;
  }

  void write_block(u32 block, u32 units, u32 state) {
    const u32 word = units << 1 | state;
    store(header_at(block), sealed(kHeader, block, word));
    store(footer_at(block + units), sealed(kFooter, block + units, word));
  }
  /// These tags are inside a hole now. A header without units says: a block started here and was freed.
  void wipe(u32 block) {
    store(footer_at(block), Tag{0, 0});
    store(header_at(block), sealed(kHeader, block, kFree));
  }
  /// The size is possible: the block has something to use and ends inside the heap.
  bool is_block(u32 block, Tag tag) const { return tag.units() >= 2 && tag.units() <= units_ - 1 - block; }
  bool has_footer(u32 block, Tag tag) const {
    const u32 end = block + tag.units();
    const Tag last = footer(end);
    return last.word == tag.word && is_sealed(kFooter, end, last);
  }
  bool is_hole(u32 block) const {
    if (block >= units_ - 2) return false;
    const Tag tag = header(block);
    return !tag.live() && is_sealed(kHeader, block, tag) && is_block(block, tag);
  }
  /// Nothing of this hole that taking it would read or write has been damaged.
  bool sound_hole(u32 hole) const {
    if (!is_hole(hole) || !has_footer(hole, header(hole))) return false;
    const Links at = links(hole);
    if (at.previous == kNone ? first_hole_ != hole : !is_hole(at.previous) || links(at.previous).next != hole)
      return false;
    return at.next == kNone ? last_hole_ == hole : is_hole(at.next) && links(at.next).previous == hole;
  }

  void push_hole(u32 hole) {
    store(links_at(hole), Links{first_hole_, kNone});
    if (first_hole_ == kNone) {
      last_hole_ = hole;
    } else {
      store(links_at(first_hole_), Links{links(first_hole_).next, hole});
    }
    first_hole_ = hole;
    ++counters_.holes;
  }
  void pull_hole(u32 hole) {
    const Links at = links(hole);
    point_at(at, at.next, at.previous);
    --counters_.holes;
  }
  /// The neighbours `at` of a hole in the list get `next` and `previous` as theirs.
  void point_at(Links at, u32 next, u32 previous) {
    if (at.previous == kNone) {
      first_hole_ = next;
    } else {
      store(links_at(at.previous), Links{next, links(at.previous).previous});
    }
    if (at.next == kNone) {
      last_hole_ = previous;
    } else {
      store(links_at(at.next), Links{links(at.next).next, previous});
    }
  }

  /// A live block out of this hole, `gap` units from its start.
  void* take(u32 hole, u32 gap, u32 units, std::size_t bytes) {
    const u32 start = hole + gap;
    const u32 rest = header(hole).units() - gap - units;
    if (rest == 1) ++units;
    if (gap > 0) write_block(hole, gap, kFree);
    if (rest > 1) {
      const u32 left_over = start + units;
      write_block(left_over, rest, kFree);
      if (gap > 0) {
        push_hole(left_over);
      } else {
        const Links at = links(hole);
        store(links_at(left_over), at);
        point_at(at, left_over, left_over);
      }
    } else if (gap == 0) {
      pull_hole(hole);
    }
    write_block(start, units, kLive);
    used_units_ += units;
    ++counters_.live_blocks;
    std::byte* const payload = block_ + links_at(start);
    unpoison(payload, bytes);
    return payload;
  }

  /// Poisoned ones too.
#if defined(SPELLPOOL_POISON)
  __attribute__((no_sanitize_address))
#endif
  static void copy_words(std::byte* to, const std::byte* from, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; i += sizeof(u64))
      *reinterpret_cast<u64*>(to + i) = *reinterpret_cast<const u64*>(from + i);
  }

  void count_steps(u64 steps) {
    counters_.steps += steps;
    if (steps > counters_.longest_search) counters_.longest_search = steps;
  }
  void* fail(bool enough_free) {
    ++counters_.failures;
    if (enough_free) ++counters_.failures_while_enough_free;
    return nullptr;
  }
  void* fail_damaged(u64 steps) {
    count_steps(steps);
    ++counters_.damaged_tags;
    return fail(false);
  }
  FreeResult refuse(FreeResult why) {
    ++(why == FreeResult::DoubleFree       ? counters_.double_frees
       : why == FreeResult::ForeignPointer ? counters_.foreign_pointers
                                           : counters_.damaged_tags);
    return why;
  }

  std::size_t total_bytes() const { return std::size_t{units_} * kAlign; }
  u64 free_bytes() const { return units_ == 0 ? 0 : (u64{units_} - 1 - used_units_ - counters_.holes) * kAlign; }
  void swap(ConsoleHeap& other) noexcept {
    std::swap(block_, other.block_);
    std::swap(units_, other.units_);
    std::swap(first_hole_, other.first_hole_);
    std::swap(last_hole_, other.last_hole_);
    std::swap(used_units_, other.used_units_);
    std::swap(counters_, other.counters_);
  }

  std::byte* block_ = nullptr;
  u32 units_ = 0;
  u32 first_hole_ = kNone;
  u32 last_hole_ = kNone;  // only to know that a list ends where it should
  u64 used_units_ = 0;     // of live blocks, tags included
  ConsoleHeapStats counters_;  // bytes and largest_free are worked out by stats()
};

}  // namespace spellpool::pool
