// A heap of fixed size that falls into holes, and beside it a pool for each size of object, with as many
// bytes together.
#include <algorithm>

#include "pool/memory/console_heap.hpp"
#include "pool/pool.hpp"
#include "sim/lessons/lesson_model.hpp"
#include "sim/lessons/lesson_spark.hpp"

namespace spellpool::sim {
namespace {

/// An object of one of the three sizes; its spark says which hue it has.
template <std::size_t Bytes>
struct Sized {
  LessonSpark spark;
  std::array<std::byte, Bytes - sizeof(LessonSpark)> rest{};
};

struct SizeRow {
  std::string_view name;
  u32 bytes, slots, often;  ///< `often`: of 100 requests.
};
/// 2,048 bytes in all. A game never has more of a size than there are slots, so the pools refuse nothing.
constexpr std::array kSizes = {SizeRow{"sparks", 32, 16, 50}, SizeRow{"bolts", 96, 8, 30},
                               SizeRow{"meteors", 192, 4, 20}};
constexpr u32 kGameBytes = 2'048;

class HeapModel final : public LessonModel {
 public:
  HeapModel() : small_(kSizes[0].slots), medium_(kSizes[1].slots), large_(kSizes[2].slots) { heap_of(20); }

  bool apply(const LessonOp& op) override {
    switch (op.kind) {
      case LessonOpKind::HeapOf:
        heap_of(static_cast<u32>(op.a));
        return true;
      case LessonOpKind::Allocate:
        allocate(static_cast<u32>(op.a), static_cast<u32>(op.b));
        return true;
      case LessonOpKind::FreeBlock:
        free_block(static_cast<u32>(op.a));
        return true;
      case LessonOpKind::Play:
        if (!op.goes_on || !ended_) play(static_cast<u32>(op.a));
        return true;
      default:
        return false;
    }
  }

  bool ended() const override { return ended_; }

  std::optional<i64> value(LessonAsk ask) const override {
    switch (ask) {
      case LessonAsk::Fitted:
        return fitted_ ? 1 : 0;
      case LessonAsk::LargestHole:
        return static_cast<i64>(heap_.stats().largest_free);
      case LessonAsk::SparksThatFit:
        return sparks_that_fit();
      default:
        return std::nullopt;
    }
  }

  const std::vector<u32>& took() const override { return took_; }

  void show(u8 shows, std::vector<frame::LessonFigure>& figures) const override {
    const pool::ConsoleHeapStats stats = heap_.stats();
    frame::LessonFigure& map = figures.emplace_back();
    map.kind = frame::LessonFigure::Kind::Blocks;
    map.title =
        join({"Heap of ", std::to_string(stats.total_bytes), " bytes: ", std::to_string(stats.free_bytes),
              " free in ", std::to_string(stats.holes), stats.holes == 1 ? " hole" : " holes"});
    if (refused_ > 0) map.title += join({"; refused: ", std::to_string(refused_), " bytes"});
    map.total_bytes = stats.total_bytes;
    heap_.for_each_block([&](std::size_t offset, std::size_t bytes, bool free) {
      frame::LessonBlock& block = map.blocks.emplace_back();
      block = {offset, bytes, free, 0, frame::LessonMark::None};
      for (const Request& request : live_) {
        if (!free && request.block == offset + pool::ConsoleHeap::kAlign)
          block.hue = static_cast<u8>(request.hue);
      }
    });
    if ((shows & kShowArray) != 0) {
      show_size_pool(small_, 0, figures.emplace_back());
      show_size_pool(medium_, 1, figures.emplace_back());
      show_size_pool(large_, 2, figures.emplace_back());
    }
    if ((shows & kShowTable) == 0) return;
    frame::LessonFigure& table = figures.emplace_back();
    table.kind = frame::LessonFigure::Kind::Table;
    table.title = join({"After ", std::to_string(requests_), " requests"});
    table.header = {"", "refused", "bytes free", "largest hole"};
    table.rows.push_back({"heap",
                          {std::to_string(stats.failures), std::to_string(stats.free_bytes),
                           std::to_string(stats.largest_free)},
                          false});
    const u64 pool_refusals =
        small_.stats().rejected + medium_.stats().rejected + large_.stats().rejected;
    const u64 slots = small_.stats().free_slots * kSizes[0].bytes +
                      medium_.stats().free_slots * kSizes[1].bytes +
                      large_.stats().free_slots * kSizes[2].bytes;
    table.rows.push_back(
        {"pools", {std::to_string(pool_refusals), std::to_string(slots), "-"}, false});
  }

  void add_to(StateHash& hash) const override {
    const pool::ConsoleHeapStats stats = heap_.stats();
    hash.add(stats.total_bytes, stats.used_bytes, stats.holes, stats.failures, stats.steps);
    heap_.for_each_block(
        [&](std::size_t offset, std::size_t bytes, bool free) { hash.add(offset, bytes, free); });
    for (const Request& request : live_) hash.add(request.size, request.hue, request.block, request.slot);
    hash.add(small_.live(), medium_.live(), large_.live(), requests_, rng_.state(), refused_, fitted_);
  }

 private:
  struct Request {
    u32 size = 0;  ///< A row of kSizes, or pool::kNoSlot: an Allocate of its own.
    u32 hue = 0;
    std::size_t block = 0;     ///< In the heap; 0: it was refused.
    u32 slot = pool::kNoSlot;  ///< In its pool.
  };

  void heap_of(u32 units) {
    heap_ = pool::ConsoleHeap(std::size_t{units} * pool::ConsoleHeap::kAlign);
    live_.clear();
    small_.clear();
    medium_.clear();
    large_.clear();
    requests_ = 0;
    refused_ = 0;
    fitted_ = false;
    took_.clear();
  }
  void allocate(u32 bytes, u32 hue) {
    ++requests_;
    const void* const block = heap_.allocate(bytes);
    fitted_ = block != nullptr;
    refused_ = fitted_ ? 0 : bytes;
    if (block != nullptr) live_.push_back({pool::kNoSlot, hue, heap_.offset_of(block), pool::kNoSlot});
  }
  /// By its number from the left among all blocks, holes included: that is what a click names.
  void free_block(u32 number) {
    std::size_t found = 0;
    u32 i = 0;
    heap_.for_each_block([&](std::size_t offset, std::size_t, bool free) {
      if (i++ == number && !free) found = offset + pool::ConsoleHeap::kAlign;
    });
    if (found == 0) return;
    heap_.deallocate(heap_.at(found));
    std::erase_if(live_, [&](const Request& request) { return request.block == found; });
  }

  /// A hole of so many bytes holds one spark, and another one for each 48 bytes more: its tag comes with it.
  i64 sparks_that_fit() const {
    const u64 spark = kSizes[0].bytes, tag = pool::ConsoleHeap::kAlign;
    u64 count = 0;
    heap_.for_each_block([&](std::size_t, std::size_t bytes, bool free) {
      if (free) count += bytes / (spark + tag);
    });
    return static_cast<i64>(count);
  }

  void play(u32 most) {
    ended_ = false;
    for (u32 i = 0; i < most && !ended_; ++i) {
      const u64 before = heap_.stats().failures_while_enough_free;
      turn();
      ended_ = heap_.stats().failures_while_enough_free != before;
    }
  }
  /// One request or one release of a game: the same for heap and pools.
  void turn() {
    const u32 dice = rng_.below(100), kind = rng_.below(100);
    u32 size = 0;
    for (u32 sum = kSizes[0].often; kind >= sum; sum += kSizes[size].often) ++size;
    u32 of_size = 0;
    for (const Request& request : live_) of_size += request.size == size ? 1 : 0;
    const u32 hue = size;
    if (dice < 58 && of_size < kSizes[size].slots) {
      ++requests_;
      Request request{size, hue, 0, pool::kNoSlot};
      const void* const block = heap_.allocate(kSizes[size].bytes);
      if (block != nullptr) request.block = heap_.offset_of(block);
      fitted_ = block != nullptr;
      refused_ = fitted_ ? 0 : kSizes[size].bytes;
      const LessonSpark spark{.hue = hue, .spawn_id = requests_};
      if (size == 0)
        request.slot = small_.acquire(spark).index;
      else if (size == 1)
        request.slot = medium_.acquire(spark).index;
      else
        request.slot = large_.acquire(spark).index;
      live_.push_back(request);
    } else if (!live_.empty()) {
      const auto gone = live_.begin() + rng_.below(static_cast<u32>(live_.size()));
      if (gone->block != 0) heap_.deallocate(heap_.at(gone->block));
      if (gone->size == 0)
        (void)small_.release(small_.handle_at(gone->slot));
      else if (gone->size == 1)
        (void)medium_.release(medium_.handle_at(gone->slot));
      else if (gone->size == 2)
        (void)large_.release(large_.handle_at(gone->slot));
      live_.erase(gone);
    }
  }

  template <class P>
  void show_size_pool(const P& pool, u32 size, frame::LessonFigure& figure) const {
    const SizeRow& row = kSizes[size];
    figure.kind = frame::LessonFigure::Kind::Cells;
    figure.title = join({"Pool of ", row.name, ", ", std::to_string(row.bytes),
                         " bytes: ", std::to_string(pool.live()), " of ", std::to_string(pool.capacity())});
    u32 refused = 0;
    for (const Request& request : live_) refused += request.size == size && request.block == 0 ? 1 : 0;
    if (refused > 0) figure.title += join({"; the heap refused ", std::to_string(refused), " of these"});
    figure.cells.resize(pool.storage().slots());
    for (u32 slot = 0; slot < figure.cells.size(); ++slot) {
      frame::LessonCell& cell = figure.cells[slot];
      cell.slot = slot;
      cell.generation = pool.storage().generations()[slot];
      if (!pool.storage().generations().is_live(slot)) continue;
      cell.cell = kSlotLive;
      cell.hue = static_cast<u8>(pool.peek(pool.handle_at(slot))->spark.hue);
    }
  }

  pool::ConsoleHeap heap_;
  pool::FreeListPool<Sized<32>> small_;
  pool::FreeListPool<Sized<96>> medium_;
  pool::FreeListPool<Sized<192>> large_;
  std::vector<Request> live_;
  std::vector<u32> took_;
  Rng rng_{7};
  u64 requests_ = 0;
  u32 refused_ = 0;                      ///< Bytes that the last request asked for in vain; 0: it fitted.
  bool fitted_ = false, ended_ = false;  ///< ended_: the last Play, where the heap refused.
};
static_assert(kSizes[0].bytes * kSizes[0].slots + kSizes[1].bytes * kSizes[1].slots +
                  kSizes[2].bytes * kSizes[2].slots ==
              kGameBytes);

}  // namespace

std::unique_ptr<LessonModel> make_heap_model() { return std::make_unique<HeapModel>(); }

}  // namespace spellpool::sim
