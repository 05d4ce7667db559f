#pragma once
// The other strategies as pools, to be compared with those of pool.hpp.
#include <variant>

#include "pool/pool.hpp"
#include "pool/strategies/active_flag.hpp"
#include "pool/strategies/book.hpp"
#include "pool/strategies/heap_memory.hpp"
#include "pool/strategies/heap_storage.hpp"
#include "pool/strategies/index_stack.hpp"
#include "pool/strategies/random_slot.hpp"
#include "pool/strategies/slot_queue.hpp"
#include "pool/strategies/std_find.hpp"
#include "pool/strategy.hpp"
#include "pool/switchable_pool.hpp"

namespace spellpool::pool {

template <class T, std::unsigned_integral Generation = u32>
using ActiveFlagPool = Pool<ActiveFlagStorage<T, Generation>>;
template <class T, std::unsigned_integral Generation = u32>
using IndexStackPool = Pool<IndexStackStorage<T, Generation>>;
template <class T, std::unsigned_integral Generation = u32>
using QueuePool = Pool<QueueStorage<T, Generation>>;
template <class T, std::unsigned_integral Generation = u32>
using RandomPool = Pool<RandomStorage<T, Generation>>;
template <class T, std::unsigned_integral Generation = u32>
using SoaPool = Pool<SoaStorage<T, Generation>>;
template <class T, std::unsigned_integral Generation = u32>
using BookPool = Pool<BookStorage<T, Generation>>;
template <class T, std::unsigned_integral Generation = u32>
using StdFindPool = Pool<StdFindStorage<T, Generation>>;
template <class T, std::unsigned_integral Generation = u32>
using PmrPool = Pool<HeapStorage<T, Generation, PmrMemory>>;
template <class T, std::unsigned_integral Generation = u32>
using ConsoleHeapPool = Pool<HeapStorage<T, Generation, ConsoleMemory>>;

/// What a SwitchablePool offers that has them all.
struct AllStrategies {
  template <class T, class Generation, class... FieldWisePools>
  using Variant = std::variant<HeapPool<T, Generation>, FreeListPool<T, Generation>, ActiveFlagPool<T, Generation>,
                               IndexStackPool<T, Generation>, PackedPool<T, Generation>, QueuePool<T, Generation>,
                               RandomPool<T, Generation>, BookPool<T, Generation>, StdFindPool<T, Generation>,
                               BitmapPool<T, Generation>, PmrPool<T, Generation>, ConsoleHeapPool<T, Generation>,
                               FieldWisePools...>;
  template <class T, class Generation>
  using Plain = Variant<T, Generation>;
  template <class T, class Generation>
  using FieldWise = Variant<T, Generation, SoaPool<T, Generation>, DensePool<T, Generation>>;
};
static_assert(std::variant_size_v<AllStrategies::Plain<int, u32>> + 2 == kStrategyCount,
              "every row of kStrategies needs its pool here");

template <class T, std::unsigned_integral Generation = u32>
using ExhibitPool = SwitchablePool<T, Generation, AllStrategies>;

}  // namespace spellpool::pool
