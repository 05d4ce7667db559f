// One pool of any strategy: its slots, its chain of free slots, and the bytes of one slot.
#include <utility>

#include "pool/exhibits.hpp"
#include "sim/lessons/lesson_model.hpp"
#include "sim/lessons/lesson_spark.hpp"

namespace spellpool::sim {
namespace {

using pool::StrategyId;
using SparkPool = pool::ExhibitPool<LessonSpark>;

class PoolModel final : public LessonModel {
 public:
  PoolModel() { begin(StrategyId::FreeList, 8); }

  bool apply(const LessonOp& op) override {
    const auto slot = static_cast<u32>(op.a);
    switch (op.kind) {
      case LessonOpKind::Begin:
        begin(static_cast<StrategyId>(op.a), static_cast<u32>(op.b));
        return true;
      case LessonOpKind::Acquire:
        if (!op.goes_on) {
          took_.clear();
          released_.clear();
        }
        for (i32 i = 0; i < op.a; ++i) {
          const auto handle = pool_->acquire(next_lesson_spark(rng_, ++made_));
          if (handle) took_.push_back(handle.index);
        }
        return true;
      case LessonOpKind::Release:
        release(slot);
        return true;
      case LessonOpKind::ReleaseAny:
        for (i32 i = 0; i < op.a && pool_->live() > 0; ++i) release_any();
        return true;
      case LessonOpKind::Focus:
        focus_ = slot;
        return true;
      case LessonOpKind::Chain:
        took_.clear();
        pool_->visit([&](const auto& pool) {
          if constexpr (requires { pool.storage().for_each_next(1u, [](u32) {}); }) {
            pool.storage().for_each_next(slot, [&](u32 place) { took_.push_back(place); });
          }
        });
        return true;
      default:
        return false;
    }
  }

  std::optional<i64> value(LessonAsk ask) const override {
    switch (ask) {
      case LessonAsk::FirstBytes:
        return first_bytes();
      case LessonAsk::LinkOfFocus: {
        const pool::SlotDetail detail = focus();
        u32 link = pool::kNoSlot;
        if (detail.link_bytes != sizeof link) return -1;
        std::memcpy(&link, detail.bytes.data() + detail.link_at, sizeof link);
        return link == pool::kNoSlot ? -1 : i64{link};
      }
      default:
        return std::nullopt;
    }
  }

  const std::vector<u32>& took() const override { return took_; }

  void show(u8 shows, std::vector<frame::LessonFigure>& figures) const override {
    frame::LessonFigure& cells = figures.emplace_back();
    pool_->visit([&](const auto& pool) { show_pool(pool, shows & kShowChain, cells); });
    cells.title = join({pool::row(pool_->strategy()).title, ": ", std::to_string(pool_->live()), " of ",
                        std::to_string(pool_->capacity()), " slots hold a spark"});
    cells.bits = (shows & kShowChain) != 0 && pool_->strategy() == StrategyId::Bitmap;
    if (!released_.empty()) {
      cells.title += "; released, in this order: ";
      for (const u32 slot : released_)
        cells.title += (slot == released_.front() ? "" : ", ") + std::to_string(slot);
    }
    if ((shows & kShowBytes) == 0) return;
    const pool::SlotDetail detail = focus();
    frame::LessonFigure& bytes = figures.emplace_back();
    bytes.kind = frame::LessonFigure::Kind::Bytes;
    const bool live = detail.cell >= kSlotLive;
    bytes.title = join({"The ", std::to_string(sizeof(LessonSpark)), " bytes of slot ",
                        std::to_string(focus_), live ? ": a spark" : ": free"});
    const auto first = detail.bytes.begin() + detail.object_at;
    bytes.bytes.resize(sizeof(LessonSpark));
    std::memcpy(bytes.bytes.data(), &*first, sizeof(LessonSpark));
    if (live) {
      bytes.fields.assign(kLessonSparkFields.begin(), kLessonSparkFields.end());
    } else if (detail.link_bytes > 0 && (shows & kShowChain) != 0) {
      bytes.fields = {{detail.link_at - detail.object_at, detail.link_bytes, "next free slot",
                       frame::SlotFieldKind::Unsigned}};
    }
  }

  void add_to(StateHash& hash) const override {
    hash.add(pool_->strategy()).add(focus_).add(made_).add(rng_.state());
    pool_->visit([&](const auto& pool) { add_pool(hash, pool); });
    for (const u32 slot : took_) hash.add(slot);
  }

 private:
  void begin(StrategyId strategy, u32 capacity) {
    pool_.emplace(strategy, capacity);
    took_.clear();
    released_.clear();
    focus_ = 0;
  }
  void release(u32 slot) {
    pool_->visit([&](auto& pool) {
      if (slot < pool.storage().slots() && pool.storage().generations().is_live(slot)) {
        (void)pool.release(pool.handle_at(slot));
        released_.push_back(slot);
      }
    });
  }
  void release_any() {
    u32 left = rng_.below(pool_->live());
    u32 chosen = pool::kNoSlot;
    pool_->visit([&](auto& pool) {
      for (u32 slot = 0; slot < pool.storage().slots() && chosen == pool::kNoSlot; ++slot) {
        if (pool.storage().generations().is_live(slot) && left-- == 0) chosen = slot;
      }
    });
    release(chosen);
  }
  pool::SlotDetail focus() const {
    return pool_->visit([&](const auto& pool) {
      return pool::look_at_place(pool, focus_, [](const LessonSpark&) { return 0.0f; });
    });
  }
  /// LessonAsk::FirstBytes.
  i64 first_bytes() const {
    const pool::SlotDetail detail = focus();
    u32 number = 0;
    std::memcpy(&number, detail.bytes.data() + detail.object_at, sizeof number);
    u32 next = pool::kNoSlot;
    pool_->visit([&](const auto& pool) {
      if constexpr (requires { pool.storage().for_each_next(1u, [](u32) {}); }) {
        bool found = false;
        pool.storage().for_each_next(pool.storage().slots(), [&](u32 place) {
          if (std::exchange(found, place == focus_)) next = place;
        });
      }
    });
    return number == next ? 2 : number == pool_->live() ? 0 : 1;
  }

  std::optional<SparkPool> pool_;
  Rng rng_{26};
  u64 made_ = 0;
  u32 focus_ = 0;
  std::vector<u32> took_, released_;  ///< By the last Acquire, and since then.
};

}  // namespace

std::unique_ptr<LessonModel> make_pool_model() { return std::make_unique<PoolModel>(); }

}  // namespace spellpool::sim
