#pragma once
// A pool for each strategy, by name.
#include "pool/active_flag.hpp"
#include "pool/book.hpp"
#include "pool/column_storage.hpp"
#include "pool/free_list.hpp"
#include "pool/heap_storage.hpp"
#include "pool/index_stack.hpp"
#include "pool/lowest_slot.hpp"
#include "pool/packed_storage.hpp"
#include "pool/pool.hpp"
#include "pool/random_slot.hpp"
#include "pool/slot_queue.hpp"
#include "pool/stats.hpp"
#include "pool/std_find.hpp"
#include "pool/strategy.hpp"

namespace spellpool::pool {

template <class T, std::unsigned_integral Generation = u32>
using HeapPool = Pool<HeapStorage<T, Generation, NewDelete>>;
template <class T, std::unsigned_integral Generation = u32>
using FreeListPool = Pool<FreeListStorage<T, Generation>>;
template <class T, std::unsigned_integral Generation = u32>
using ActiveFlagPool = Pool<ActiveFlagStorage<T, Generation>>;
template <class T, std::unsigned_integral Generation = u32>
using IndexStackPool = Pool<IndexStackStorage<T, Generation>>;
template <class T, std::unsigned_integral Generation = u32>
using PackedPool = Pool<PackedStorage<T, Generation>>;
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
using DensePool = Pool<DenseStorage<T, Generation>>;
template <class T, std::unsigned_integral Generation = u32>
using BitmapPool = Pool<BitmapStorage<T, Generation>>;
template <class T, std::unsigned_integral Generation = u32>
using PmrPool = Pool<HeapStorage<T, Generation, PmrMemory>>;
template <class T, std::unsigned_integral Generation = u32>
using ConsoleHeapPool = Pool<HeapStorage<T, Generation, ConsoleMemory>>;

}  // namespace spellpool::pool
