#pragma once
#include <array>
#include <string_view>
#include <vector>

#include "core/rng.hpp"
#include "frame/views/memory_view.hpp"
#include "pool/inspect/line_map.hpp"
#include "pool/memory/console_heap.hpp"
#include "pool/memory/size_class_pool.hpp"
#include "pool/memory/variant_pool.hpp"
#include "sim/core/game_world.hpp"

namespace spellpool::app {

/// What the memory panel shows beside the game's own figures: a small console heap that is worn by blocks of many
/// sizes, and objects of three sizes in trays and in slots of one size. Both are the library's own, at work; only the
/// load is made up. Allocates in its constructor alone.
class MemoryLab {
 public:
  MemoryLab();

  /// One round: some objects go, some come; in both kinds of pool the same ones.
  void tick();
  /// The stories of fragmentation begin anew; each ends with the refusal.
  void replay_stories();
  /// The view's spans point into the lab until the next tick() or view().
  frame::MemoryView view(const sim::GameWorld& world);
  /// Where the objects of this pool lie; anew in every 30th call.
  const frame::ObjectLinesView& lines_of(const sim::PoolPort& pool);
  /// Of that only the loads of the world that are on: small console, cranes, few slots.
  void fill_loads(const sim::GameWorld& world, frame::MemoryView& view);

 private:
  static constexpr u32 kHeapBytes = 16 * 1024, kAsked = 640, kMostBlocks = 256;
  struct Spark {
    float numbers[6];
  };
  struct Bolt {
    float numbers[24];
  };
  struct Boss {
    float numbers[110];
  };
  /// One of the texts' examples, on a heap whose unit stands for a byte of the text.
  struct Story {
    static constexpr u32 kStages = 7, kStage_ticks = 45, kWanted = 12;
    std::string_view source;
    std::array<u32, 3> sizes{};
    pool::ConsoleHeap heap;
    std::array<void*, 3> held{};
    u32 stage = 0, ticks = 0;
    bool refused = false;
    std::vector<frame::HeapBlockView> shown;

    Story(std::string_view from, std::array<u32, 3> three);
    void begin();
    void act();
    void tick();
    frame::HeapStoryView view();
  };
  struct Pair {
    pool::CellHandle<void> tray, variant;
  };

  template <class T>
  void make_both();

  Rng rng_{0x1ab};
  pool::ConsoleHeap heap_;
  std::vector<void*> blocks_;
  std::vector<frame::HeapBlockView> shown_;
  pool::SizeClassPool trays_;
  pool::VariantPool<Spark, Bolt, Boss> one_size_;
  std::vector<Pair> objects_;
  std::array<Story, 2> stories_;
  std::vector<frame::HeapBlockView> console_shown_;
  pool::LineMap line_map_;
  frame::ObjectLinesView lines_;
  u32 lines_age_ = 0;  ///< Calls since they were counted.
};

}  // namespace spellpool::app
