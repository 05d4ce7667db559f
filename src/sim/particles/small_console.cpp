#include "sim/particles/small_console.hpp"

#include <algorithm>
#include <bit>

#include "core/rng.hpp"

namespace spellpool::sim {
namespace {

using frame::ConsoleMode;

constexpr u32 kSparkBytes = 4, kSparksHead = 16;

static_assert(
    [] {
      u32 bytes = 0;
      for (const SmallConsole::Tray& tray : SmallConsole::kTrays) {
        if (tray.slots > 64) return false;
        bytes += tray.bytes * tray.slots;
      }
      return bytes <= SmallConsole::kBytes;
    }(),
    "the pools take no more than the heap");

/// How long a part needs its memory; bursts differ.
u32 life_steps(ConsolePart part, u64 serial) {
  switch (part) {
    case ConsolePart::Bolt:
      return 48;
    case ConsolePart::Ring:
      return 27;
    case ConsolePart::Sparks:
      return 24 + static_cast<u32>(mix64(serial * 0x737061726bull) % 54);
    case ConsolePart::Mark:
      break;
  }
  return 0;
}

}  // namespace

void SmallConsole::choose(ConsoleMode mode) {
  if (mode == mode_) return;
  mode_ = mode;
  heap_ = mode == ConsoleMode::Heap ? pool::ConsoleHeap(kBytes) : pool::ConsoleHeap();
  used_ = {};
  count_ = 0;
  taken_ = marks_ = fizzled_ = 0;
  refused_ = {};
  last_ = {};
}

void SmallConsole::begin_step(u64 step) {
  step_ = step;
  if (!on()) return;
  u32 kept = 0;
  for (u32 i = 0; i < count_; ++i) {
    const Block& block = blocks_[i];
    const bool over = block.part == ConsolePart::Mark ? marks_ >= block.until : step >= block.until;
    if (over)
      give_back(block);
    else
      blocks_[kept++] = block;
  }
  count_ = kept;
}

u32 SmallConsole::bytes_of(ConsolePart part, u32 sparks) const {
  const u32 most = kConsoleParts[static_cast<std::size_t>(part)].bytes;
  return part == ConsolePart::Sparks ? std::min(most, kSparksHead + kSparkBytes * sparks) : most;
}

bool SmallConsole::find_room(u32 bytes, u32& place) {
  if (count_ == kMostBlocks) return false;
  if (mode_ == ConsoleMode::Heap) {
    const void* const found = heap_.allocate(bytes);
    if (found != nullptr) place = static_cast<u32>(heap_.offset_of(found));
    return found != nullptr;
  }
  for (std::size_t tray = 0; tray < kTrays.size(); ++tray) {
    if (kTrays[tray].bytes < bytes) continue;
    // The smallest that fits, and no larger one: else sparks would take the slots of spells.
    const u32 slot = static_cast<u32>(std::countr_one(used_[tray]));
    if (slot >= kTrays[tray].slots) return false;
    used_[tray] |= u64{1} << slot;
    place = static_cast<u32>(tray) << 8 | slot;
    return true;
  }
  return false;
}

void SmallConsole::give_back(const Block& block) {
  if (mode_ == ConsoleMode::Heap)
    heap_.deallocate(heap_.at(block.place));
  else
    used_[block.place >> 8] &= ~(u64{1} << (block.place & 255u));
}

bool SmallConsole::take(ConsolePart part, u32 sparks) {
  if (!on()) return true;
  const u32 bytes = bytes_of(part, sparks);
  Block block;
  block.part = part;
  if (!find_room(bytes, block.place)) {
    ++refused_[static_cast<std::size_t>(part)];
    if (part != ConsolePart::Bolt) return false;
    ++fizzled_;
    last_ = {step_ + 1, part, bytes, free_bytes(), largest_bytes()};
    return false;
  }
  ++taken_;
  if (part == ConsolePart::Mark)
    block.until = ++marks_ + kMarks - 1;
  else
    block.until = step_ + life_steps(part, taken_);
  blocks_[count_++] = block;
  return true;
}

u32 SmallConsole::free_bytes() const {
  if (mode_ == ConsoleMode::Heap) return static_cast<u32>(heap_.stats().free_bytes);
  u32 bytes = 0;
  for (std::size_t tray = 0; on() && tray < kTrays.size(); ++tray) {
    bytes += kTrays[tray].bytes * (kTrays[tray].slots - static_cast<u32>(std::popcount(used_[tray])));
  }
  return bytes;
}

u32 SmallConsole::largest_bytes() const {
  if (mode_ == ConsoleMode::Heap) return static_cast<u32>(heap_.stats().largest_free);
  u32 largest = 0;
  for (std::size_t tray = 0; on() && tray < kTrays.size(); ++tray) {
    if (static_cast<u32>(std::popcount(used_[tray])) < kTrays[tray].slots) largest = kTrays[tray].bytes;
  }
  return largest;
}

void SmallConsole::copy(const SmallConsole& other) {
  mode_ = other.mode_;
  heap_.assign(other.heap_);
  used_ = other.used_;
  blocks_ = other.blocks_;
  count_ = other.count_;
  step_ = other.step_;
  taken_ = other.taken_;
  marks_ = other.marks_;
  fizzled_ = other.fizzled_;
  refused_ = other.refused_;
  last_ = other.last_;
}

void SmallConsole::add_to(StateHash& hash) const {
  if (!on()) return;
  hash.add(mode_, taken_, marks_, fizzled_, count_);
  for (u32 i = 0; i < count_; ++i) hash.add(blocks_[i].until, blocks_[i].place, blocks_[i].part);
}

}  // namespace spellpool::sim
