// One pool of any strategy: its slots, its chain of free slots, and the bytes of one slot.

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
        if (!op.goes_on) took_.clear();
        for (i32 i = 0; i < op.a; ++i) acquire();
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
        took_ = free_slots(slot);
        return true;
      default:
        return false;
    }
  }

  std::optional<i64> value(LessonAsk ask) const override {
    switch (ask) {
      case LessonAsk::ThirdFree: {
        const std::vector<u32> next = free_slots(3);
        return next.size() == 3 ? i64{next.back()} : -1;
      }
      case LessonAsk::LinkOfFocus: {
        const pool::SlotDetail detail = look_at(focus_);
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
    const bool chain = (shows & kShowChain) != 0, firsts = (shows & kShowFirstBytes) != 0 && !chain;
    const bool hidden = (shows & kHideKind) != 0 && !chain;
    const u32 held = pool_->live();
    cells.title = join({hidden ? "A pool" : pool::row(pool_->strategy()).title, ": ", std::to_string(held),
                        " of ", std::to_string(pool_->capacity()), held == 1 ? " slots holds" : " slots hold",
                        " a spark"});
    cells.bits = chain && pool_->strategy() == StrategyId::Bitmap;
    if (firsts) {
      for (frame::LessonCell& cell : cells.cells) {
        const pool::SlotDetail detail = look_at(cell.slot);
        std::memcpy(cell.first_bytes.data(), detail.bytes.data() + detail.object_at, cell.first_bytes.size());
      }
    }
    cells.first_bytes = firsts;
    if (!firsts) cells.title += past();
    if ((shows & kShowBytes) == 0) return;
    const pool::SlotDetail detail = look_at(focus_);
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
    hash.add(pool_->strategy(), focus_, made_, rng_.state());
    pool_->visit([&](const auto& pool) { add_pool(hash, pool); });
    for (const u32 slot : took_) hash.add(slot);
  }

 private:
  void begin(StrategyId strategy, u32 capacity) {
    pool_.emplace(strategy, capacity);
    took_.clear();
    past_.clear();
    focus_ = 0;
  }
  void acquire() {
    const auto handle = pool_->acquire(next_lesson_spark(rng_, ++made_));
    if (!handle) return;
    took_.push_back(handle.index);
    note(handle.index, true);
    if (pool_->live() == pool_->capacity()) past_.clear();
  }
  void note(u32 slot, bool acquired) {
    if (past_.size() == kMostPast) past_.erase(past_.begin());
    past_.push_back({slot, acquired});
  }
  /// "; released 7, 2; acquired 2".
  std::string past() const {
    std::string words;
    for (std::size_t i = 0; i < past_.size(); ++i) {
      const bool same = i > 0 && past_[i].acquired == past_[i - 1].acquired;
      words += same ? ", " : past_[i].acquired ? "; acquired " : "; released ";
      words += std::to_string(past_[i].slot);
    }
    return words;
  }
  /// The first of the free slots, in the order of use.
  std::vector<u32> free_slots(u32 count) const {
    std::vector<u32> slots;
    pool_->visit([&](const auto& pool) {
      if constexpr (requires { pool.storage().for_each_next(1u, [](u32) {}); })
        pool.storage().for_each_next(count, [&](u32 place) { slots.push_back(place); });
    });
    return slots;
  }
  void release(u32 slot) {
    pool_->visit([&](auto& pool) {
      if (slot < pool.storage().slots() && pool.storage().generations().is_live(slot)) {
        (void)pool.release(pool.handle_at(slot));
        note(slot, false);
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
  pool::SlotDetail look_at(u32 slot) const {
    return pool_->visit([&](const auto& pool) {
      return pool::look_at_place(pool, slot, [](const LessonSpark&) { return 0.0f; });
    });
  }

  std::optional<SparkPool> pool_;
  Rng rng_{26};
  u64 made_ = 0;
  u32 focus_ = 0;
  std::vector<u32> took_;  ///< By the last Acquire.
  struct Event {
    u32 slot = 0;
    bool acquired = false;
  };
  static constexpr std::size_t kMostPast = 9;
  std::vector<Event> past_;  ///< Since the pool was full.
};

}  // namespace

std::unique_ptr<LessonModel> make_pool_model() { return std::make_unique<PoolModel>(); }

}  // namespace spellpool::sim
