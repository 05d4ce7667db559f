// ns per block allocated and given back, in frames of blocks of 16 … 256 bytes, aligned to 16. Equal for all sides: the sizes,
// and a write of 8 bytes to each block. Heaps free the oldest first. The slices of all sides alternate, the least counts. All
// memory is made and touched before the clock starts. foonathan is Debian's build, its debugging options off.
//
// std::pmr::monotonic_buffer_resource stands there twice. Through memory_resource* is how every pmr container calls it, and
// that row holds the goal; bound by hand it can be inlined, which ordinary code does not get. Ours stands there twice too.
#include "arena_rows.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <foonathan/memory/iteration_allocator.hpp>
#include <foonathan/memory/memory_stack.hpp>
#include <functional>
#include <memory_resource>
#include <string>

#include "core/rng.hpp"
#include "pool/arena_resource.hpp"

namespace spellpool::bench {
namespace {

constexpr std::size_t kAlign = 16;
constexpr int kSlices = 8;  ///< Of a round: short ones, of which some meet no disturbance.

/// A frame's blocks are a list: the first 8 bytes of each point to the next. That is what is written, and how heaps find them.
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

struct Side {
  std::string name;
  int frames;                                 ///< In a slice.
  std::function<void(const Frame&)> frame;    ///< Allocates all, gives all back.
  std::function<u64(const Frame&)> checksum;  ///< The same, and reads every block in between.
  double least_ns = 1e30;
  u64 seen = 0;
};

/// release(first block) gives the whole frame back.
template <class Allocate, class Release>
Side side(std::string name, int frames, Allocate allocate, Release release) {
  return {std::move(name), frames, [=](const Frame& frame) { release(allocate_frame<false>(frame, allocate)); },
          [=](const Frame& frame) {
            Block* const first = allocate_frame<true>(frame, allocate);
            u64 sum = 0;
            for (const Block* block = first; block; block = block->next) sum = mix64(sum ^ block->serial);
            release(first);
            return sum;
          }};
}

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

/// mimalloc beside glibc in one program: linked, it would take malloc's place.
struct Mimalloc {
  void* (*allocate)(std::size_t) = nullptr;
  void (*release)(void*) = nullptr;

  Mimalloc() {
    for (const char* file : {"libmimalloc.so.2", "libmimalloc.so.3", "libmimalloc.so"}) {
      void* const library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
      if (!library) continue;
      allocate = reinterpret_cast<void* (*)(std::size_t)>(dlsym(library, "mi_malloc"));
      release = reinterpret_cast<void (*)(void*)>(dlsym(library, "mi_free"));
      if (allocate && release) return;
    }
    allocate = nullptr;
  }
};

double slice_ns(const Side& side, const Frame& frame) {
  const auto from = std::chrono::steady_clock::now();
  for (int i = 0; i < side.frames; ++i) side.frame(frame);
  const auto to = std::chrono::steady_clock::now();
  return std::chrono::duration<double, std::nano>(to - from).count() / side.frames / static_cast<double>(frame.sizes.size());
}

/// Bound by hand to the one implementation, so that it can be inlined.
struct DirectMonotonic final : std::pmr::monotonic_buffer_resource {
  using std::pmr::monotonic_buffer_resource::monotonic_buffer_resource;
  void* get(std::size_t bytes) { return std::pmr::monotonic_buffer_resource::do_allocate(bytes, kAlign); }
};

struct Least {
  double arena = 0, monotonic = 0, stack = 0, iteration = 0, glibc = 0;
};

Least measure(u32 count, int frames, int rounds) {
  const Frame frame(count);
  const std::size_t room = frame.bytes + 4096;

  pool::Arena arena(room);
  pool::ArenaResource arena_resource(arena);
  std::pmr::memory_resource* volatile hidden_arena = &arena_resource;  // volatile: the compiler must not know whose it is
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
  const Mimalloc mimalloc;

  pool::Arena* const arena_of = &arena;
  DirectMonotonic* const monotonic_of = &monotonic;
  auto* const stack_of = &stack;
  auto* const iteration_of = &iteration;
  std::pmr::memory_resource* const pmr_arena = hidden_arena;
  std::pmr::memory_resource* const pmr_monotonic = hidden_monotonic;
  const int heap_frames = std::max(frames / 10, 1);

  std::vector<Side> sides;
  sides.push_back(side(
      "Arena", frames, [=](std::size_t n) { return arena_of->allocate(n, kAlign); }, [=](Block*) { arena_of->reset(); }));
  sides.push_back(side(
      "pmr::monotonic, memory_resource*", frames, [=](std::size_t n) { return pmr_monotonic->allocate(n, kAlign); },
      [=](Block*) { monotonic_of->release(); }));
  sides.push_back(side(
      "foonathan memory_stack", frames, [=](std::size_t n) { return stack_of->allocate(n, kAlign); },
      [=](Block*) { stack_of->unwind(bottom); }));
  sides.push_back(side(
      "foonathan iteration_allocator", frames, [=](std::size_t n) { return iteration_of->allocate(n, kAlign); },
      [=](Block*) { iteration_of->next_iteration(); }));
  sides.push_back(side(
      "glibc malloc, free", heap_frames, [](std::size_t n) { return std::malloc(n); },
      [](Block* first) { free_all(first, [](void* block) { std::free(block); }); }));
  sides.push_back(side(
      "pmr::monotonic, bound by hand", frames, [=](std::size_t n) { return monotonic_of->get(n); },
      [=](Block*) { monotonic_of->release(); }));
  sides.push_back(side(
      "ArenaResource, memory_resource*", frames, [=](std::size_t n) { return pmr_arena->allocate(n, kAlign); },
      [=](Block*) { arena_of->reset(); }));
  if (mimalloc.allocate) {
    sides.push_back(side(
        "mimalloc", heap_frames, [mimalloc](std::size_t n) { return mimalloc.allocate(n); },
        [mimalloc](Block* first) { free_all(first, mimalloc.release); }));
  }

  for (int slice = 0; slice < rounds * kSlices; ++slice) {
    for (Side& s : sides) {
      s.seen = s.checksum(frame);  // warms what the others pushed out of the cache
      s.least_ns = std::min(s.least_ns, slice_ns(s, frame));
    }
  }

  std::printf("\n%u blocks a frame, 16 … 256 bytes, %zu KiB: least of %d rounds of %d slices\n", count, frame.bytes / 1024,
              rounds, kSlices);
  std::printf("  %-34s %10s %9s  %s\n", "ns per block", "least", "÷ Arena", "checksum");
  for (const Side& s : sides) {
    std::printf("  %-34s %10.3f %9.2f  %016llx\n", s.name.c_str(), s.least_ns, s.least_ns / sides[0].least_ns,
                static_cast<unsigned long long>(s.seen));
    if (s.seen != sides[0].seen) {
      std::fflush(stdout);
      std::fprintf(stderr, "bench_pools: the blocks of %s and %s hold different bytes\n", s.name.c_str(), sides[0].name.c_str());
      std::exit(1);
    }
  }
  if (!mimalloc.allocate) std::printf("  %-34s %10s  (apt-get install libmimalloc-dev)\n", "mimalloc", "NA");
  if (arena.stats().overflow_calls != 0) std::printf("  the arena overflowed: its row is not what it says\n");
  return {sides[0].least_ns, sides[1].least_ns, sides[2].least_ns, sides[3].least_ns, sides[4].least_ns};
}

Goal goal(const char* id, const char* peer, double wanted, double arena_ns, double peer_ns) {
  char what[160];
  std::snprintf(what, sizeof what, "1,000 blocks a frame, allocated, touched, given back: %s %.2f ns each, Arena %.2f", peer,
                peer_ns, arena_ns);
  return {id, what, wanted, peer_ns / arena_ns, "x"};
}

}  // namespace

void arena_rows(int rounds, std::vector<Goal>& goals) {
  const Least least = measure(1000, 100, rounds);
  measure(10'000, 10, rounds);
  goals.push_back(goal("pools.G11.monotonic", "std::pmr::monotonic_buffer_resource through memory_resource*", 2.3, least.arena,
                       least.monotonic));
  const bool stack_is_faster = least.stack < least.iteration;
  goals.push_back(goal("pools.G11.foonathan", stack_is_faster ? "foonathan memory_stack" : "foonathan iteration_allocator", 1.4,
                       least.arena, std::min(least.stack, least.iteration)));
  goals.push_back(goal("pools.G11.glibc", "glibc malloc and free", 18, least.arena, least.glibc));
}

}  // namespace spellpool::bench
