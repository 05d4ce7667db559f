#include "measure/record/heap_age.hpp"

#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#include "core/rng.hpp"

namespace spellpool::measure {
namespace {

/// Touched, so that the page behind it is there.
void* block_of(std::size_t bytes) {
  void* const block = std::malloc(bytes);
  if (block) *static_cast<volatile char*>(block) = 1;
  return block;
}

bool age_lightly() {
  Rng rng{77};
  static std::vector<void*> blocks(200'000);
  for (void*& block : blocks) {
    block = block_of(24 + rng.below(201));
    if (!block) return false;
  }
  for (std::size_t i = 0; i < blocks.size(); i += 2) std::free(blocks[i]);
  return true;
}

bool age_heavily() {
  constexpr u32 kBlocks = 1'500'000;
  Rng rng{77};
  const auto make = [&rng] {
    return block_of(static_cast<std::size_t>(16.0f * std::exp(rng.unit() * 5.745f)));  // every doubling alike
  };
  static std::vector<void*> blocks(kBlocks);
  for (void*& block : blocks) {
    if (!(block = make())) return false;
  }
  for (u32 i = 0; i < 2 * kBlocks; ++i) {
    void*& block = blocks[rng.below(kBlocks)];
    std::free(block);
    if (!(block = make())) return false;
  }
  for (u32 i = kBlocks - 1; i > 0; --i) std::swap(blocks[i], blocks[rng.below(i + 1)]);
  for (u32 i = 0; i < kBlocks / 2; ++i) std::free(blocks[i]);
  return true;
}

}  // namespace

bool age_heap(HeapAge age) {
  switch (age) {
    case HeapAge::Fresh:
      return true;
    case HeapAge::AgedLight:
      return age_lightly();
    case HeapAge::AgedHeavy:
      break;
  }
  return age_heavily();
}

}  // namespace spellpool::measure
