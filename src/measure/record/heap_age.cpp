#include "measure/record/heap_age.hpp"

#include <cmath>
#include <cstdlib>
#include <utility>

#include "core/rng.hpp"

namespace spellpool::measure {
namespace {

/// Touched, so that the page behind it is there.
void* block_of(std::size_t bytes) {
  void* const block = std::malloc(bytes);
  if (block) *static_cast<volatile char*>(block) = 1;
  return block;
}

}  // namespace

bool AgedHeap::age_lightly() {
  Rng rng{77};
  blocks_.resize(200'000);
  for (void*& block : blocks_) {
    block = block_of(24 + rng.below(201));
    if (!block) return false;
  }
  for (std::size_t i = 0; i < blocks_.size(); i += 2) std::free(std::exchange(blocks_[i], nullptr));
  return true;
}

bool AgedHeap::age_heavily() {
  constexpr u32 kBlocks = 1'500'000;
  Rng rng{77};
  const auto make = [&rng] {
    return block_of(static_cast<std::size_t>(16.0f * std::exp(rng.unit() * 5.745f)));  // every doubling alike
  };
  blocks_.resize(kBlocks);
  for (void*& block : blocks_) {
    if (!(block = make())) return false;
  }
  for (u32 i = 0; i < 2 * kBlocks; ++i) {
    void*& block = blocks_[rng.below(kBlocks)];
    std::free(block);
    if (!(block = make())) return false;
  }
  for (u32 i = kBlocks - 1; i > 0; --i) std::swap(blocks_[i], blocks_[rng.below(i + 1)]);
  for (u32 i = 0; i < kBlocks / 2; ++i) std::free(std::exchange(blocks_[i], nullptr));
  return true;
}

bool AgedHeap::age(HeapAge age) {
  free_all();
  if (age == HeapAge::Fresh || (age == HeapAge::AgedLight ? age_lightly() : age_heavily())) return true;
  free_all();
  return false;
}

void AgedHeap::free_all() {
  for (void* block : blocks_) std::free(block);
  blocks_ = {};
}

}  // namespace spellpool::measure
