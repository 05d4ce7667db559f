// ns per block allocated and given back, in frames of blocks of 16 … 256 bytes, aligned to 16. Equal for all sides: the
// sizes, and a write of 8 bytes to each block. Heaps free the oldest first. The slices of all sides alternate, the
// least counts. All memory is made and touched before the clock starts. foonathan is Debian's build, its debugging
// options off.
//
// std::pmr::monotonic_buffer_resource stands there twice. Through memory_resource* is how every pmr container calls it,
// and that row holds the goal; bound by hand it can be inlined, which ordinary code does not get. Ours stands there
// twice too.
#include <foonathan/memory/iteration_allocator.hpp>
#include <foonathan/memory/memory_stack.hpp>
#include <memory_resource>

#include "core/rng.hpp"
#include "pool/memory/arena_resource.hpp"
#include "pools_heaps.hpp"
#include "pools_measure.hpp"

namespace spellpool::bench {
namespace {

constexpr std::size_t kAlign = 16;
constexpr u32 kSlices = 8;  ///< Of a round: short ones, of which some meet no disturbance.

/// A frame's blocks are a list: the first 8 bytes of each point to the next. That is what is written, and how heaps
/// find them.
struct Block {
  Block* next;
  u64 serial;  ///< Written and read in the frames that are not timed.
};

struct Frame {
  std::vector<u32> sizes;
  std::size_t bytes = 0;  ///< With alignment.

  explicit Frame(u32 count) {
    Rng rng(2024);
    for (u32 i = 0; i < count; ++i) {
      sizes.push_back(16 + rng.below(241));
      bytes += (sizes.back() + kAlign - 1) / kAlign * kAlign;
    }
  }
};

template <bool kWithSerials, class Allocate>
__attribute__((noinline)) Block* allocate_frame(const Frame& frame, Allocate allocate) {
  const std::size_t count = frame.sizes.size();
  const u32* const sizes = frame.sizes.data();
  Block* first = nullptr;
  Block** link = &first;
  for (std::size_t i = 0; i < count; ++i) {
    auto* const block = static_cast<Block*>(allocate(std::size_t{sizes[i]}));
    if constexpr (kWithSerials) block->serial = i;
    *link = block;
    link = &block->next;
  }
  *link = nullptr;
  return first;
}

/// Its work() is `n` times all blocks allocated and given back; its checksum() the same, and reads every block in
/// between. release(first block) gives the whole frame back.
template <class Allocate, class Release>
class ArenaSide : public Side {
 public:
  ArenaSide(std::string its_name, Kind its_kind, const Frame& frame, Allocate allocate, Release release)
      : Side(std::move(its_name), its_kind), frame_(frame), allocate_(allocate), release_(release) {}
  void work(u32 n) override {
    for (u32 i = 0; i < n; ++i) release_(allocate_frame<false>(frame_, allocate_));
  }
  u64 checksum() override {
    Block* const first = allocate_frame<true>(frame_, allocate_);
    u64 sum = 0;
    for (const Block* block = first; block; block = block->next) sum = mix64(sum ^ block->serial);
    release_(first);
    return sum;
  }

 private:
  const Frame& frame_;
  Allocate allocate_;
  Release release_;
};

template <class Free>
void free_all(Block* block, Free free_one) {
  while (block) {
    Block* const next = block->next;
    free_one(block);
    block = next;
  }
}

void touch(void* memory, std::size_t bytes) {
  volatile std::byte* const page = static_cast<std::byte*>(memory);
  for (std::size_t at = 0; at < bytes; at += 4096) page[at] = std::byte{1};
}

/// Bound by hand to the one implementation, so that it can be inlined.
struct DirectMonotonic final : std::pmr::monotonic_buffer_resource {
  using std::pmr::monotonic_buffer_resource::monotonic_buffer_resource;
  void* get(std::size_t bytes) { return std::pmr::monotonic_buffer_resource::do_allocate(bytes, kAlign); }
};

void table(Report& report, u32 count, u32 frames) {
  const Frame frame(count);
  const std::size_t room = frame.bytes + 4096;

  pool::Arena arena(room);
  pool::ArenaResource arena_resource(arena);
  std::pmr::memory_resource* volatile hidden_arena =
      &arena_resource;  // volatile: the compiler must not know whose it is
  std::vector<std::byte> buffer(room);
  DirectMonotonic monotonic(buffer.data(), buffer.size());
  std::pmr::memory_resource* volatile hidden_monotonic = &monotonic;
  foonathan::memory::memory_stack<> stack(room);
  const auto bottom = stack.top();
  touch(stack.allocate(frame.bytes, kAlign), frame.bytes);
  stack.unwind(bottom);
  foonathan::memory::iteration_allocator<1> iteration(room);
  touch(iteration.allocate(frame.bytes, kAlign), frame.bytes);
  iteration.next_iteration();

  pool::Arena* const arena_of = &arena;
  DirectMonotonic* const monotonic_of = &monotonic;
  auto* const stack_of = &stack;
  auto* const iteration_of = &iteration;
  std::pmr::memory_resource* const pmr_arena = hidden_arena;
  std::pmr::memory_resource* const pmr_monotonic = hidden_monotonic;

  Sides sides;
  auto add = [&](const char* name, Kind kind, auto allocate, auto release) {
    sides.push_back(
        std::make_unique<ArenaSide<decltype(allocate), decltype(release)>>(name, kind, frame, allocate, release));
  };
  add(
      "Arena", Kind::Raw, [=](std::size_t n) { return arena_of->allocate(n, kAlign); },
      [=](Block*) { arena_of->reset(); });
  add(
      "ArenaResource, memory_resource*", Kind::Raw, [=](std::size_t n) { return pmr_arena->allocate(n, kAlign); },
      [=](Block*) { arena_of->reset(); });
  add(
      "pmr::monotonic, memory_resource*", Kind::Peer, [=](std::size_t n) { return pmr_monotonic->allocate(n, kAlign); },
      [=](Block*) { monotonic_of->release(); });
  add(
      "pmr::monotonic, bound by hand", Kind::Peer, [=](std::size_t n) { return monotonic_of->get(n); },
      [=](Block*) { monotonic_of->release(); });
  add(
      "foonathan memory_stack", Kind::Peer, [=](std::size_t n) { return stack_of->allocate(n, kAlign); },
      [=](Block*) { stack_of->unwind(bottom); });
  add(
      "foonathan iteration_allocator", Kind::Peer, [=](std::size_t n) { return iteration_of->allocate(n, kAlign); },
      [=](Block*) { iteration_of->next_iteration(); });
  for (const Heap& heap : heaps()) {
    add(
        heap.name, Kind::Peer, [&heap](std::size_t n) { return heap.allocate(n); },
        [&heap](Block* first) { free_all(first, heap.release); });
  }

  Shape shape;
  shape.warm = 1;
  shape.lead_in = 1;
  shape.timed = frames;
  shape.rounds = pools_options.rounds * kSlices;
  measure(sides, shape);
  const std::string title = "Arena: blocks of 16 … 256 bytes, allocated, touched and given back in frames. ns a block";
  check_equal(title, sides);
  if (arena.stats().overflow_calls != 0) stop(3, "the arena overflowed: its row would not be what it says");
  report.add(title, text("%u a frame", count), sides, count);
  if (count != 1000) return;
  const Side* const stack_side = find(sides, "foonathan memory_stack");
  const Side* const iteration_side = find(sides, "foonathan iteration");
  const Side* const foonathan = stack_side->least_ns < iteration_side->least_ns ? stack_side : iteration_side;
  ratio_goal(report, "G11", "monotonic", 2.3, find(sides, "Arena"), find(sides, "pmr::monotonic, memory_resource*"),
             count, "ns");
  ratio_goal(report, "G11", "foonathan", 1.4, find(sides, "Arena"), foonathan, count, "ns");
  ratio_goal(report, "G11", "glibc", 18, find(sides, "Arena"), find(sides, "glibc"), count, "ns");
}

}  // namespace

void arena_tables(Report& report) {
  in_child(report, [](Report& r) {
    table(r, 1000, 50);
    table(r, 10'000, 5);
  });
}

}  // namespace spellpool::bench
