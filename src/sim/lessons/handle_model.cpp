// A pool whose handles know when their object is gone, and beside it an array with plain indices that does
// not.
#include <algorithm>

#include "pool/inspect/spawn_sites.hpp"
#include "pool/pool.hpp"
#include "sim/lessons/lesson_model.hpp"
#include "sim/lessons/lesson_spark.hpp"

namespace spellpool::sim {
namespace {

using ByteHandlePool = pool::FreeListPool<LessonSpark, u8>;  // 8 bits: its generations end while one watches
constexpr u32 kSlots = 8, kFewSlots = 4, kMostCalls = 8;

/// What a game writes before it knows better: objects that are made once and set anew by hand, found by
/// their index. It checks nothing. A second release puts the slot into the stack twice, which is no error
/// to the language: every index stays within the arrays.
class PlainArray {
 public:
  PlainArray() {
    for (u32 slot = kSlots; slot-- > 0;) free_.push_back(slot);
  }
  /// pool::kNoSlot: the stack is empty.
  u32 spawn(const LessonSpark& spark, bool sets_hue) {
    if (free_.empty()) return pool::kNoSlot;
    const u32 slot = free_.back();
    free_.pop_back();
    live_[slot] = true;
    const u32 old_hue = sparks_[slot].hue;
    sparks_[slot] = spark;
    if (!sets_hue) sparks_[slot].hue = old_hue;
    return slot;
  }
  void release(u32 slot) {
    live_[slot] = false;
    free_.push_back(slot);
  }
  LessonSpark& at(u32 slot) { return sparks_[slot]; }
  const LessonSpark& at(u32 slot) const { return sparks_[slot]; }
  bool live(u32 slot) const { return live_[slot]; }
  const std::vector<u32>& free() const { return free_; }

 private:
  std::array<LessonSpark, kSlots> sparks_{};
  std::array<bool, kSlots> live_{};
  std::vector<u32> free_;
};

std::string_view name_of(pool::ReleaseResult result) {
  switch (result) {
    case pool::ReleaseResult::Released:
      return "Released";
    case pool::ReleaseResult::NullHandle:
      return "NullHandle";
    case pool::ReleaseResult::DoubleRelease:
      return "DoubleRelease";
    case pool::ReleaseResult::StaleHandle:
      return "StaleHandle";
    case pool::ReleaseResult::ForeignHandle:
      return "ForeignHandle";
    case pool::ReleaseResult::Refused:
      return "Refused";
  }
  return "";
}

class HandleModel final : public LessonModel {
 public:
  HandleModel() : sparks_(kSlots), few_(kFewSlots) {
    pool::track_sites(sparks_, true);
    // Its slots have been used, too: slot 0 by its second spark, slots 1 and 3 by their first, slot 2 is
    // free.
    std::array<ByteHandlePool::HandleType, kFewSlots> handles;
    for (auto& handle : handles) handle = few_.acquire(LessonSpark{.hue = 5});
    (void)few_.release(handles[0]);
    (void)few_.acquire(LessonSpark{.hue = 5});
    (void)few_.release(handles[2]);
  }

  bool apply(const LessonOp& op) override {
    const bool array = op.b == 1;
    const auto slot = static_cast<u32>(op.a);
    switch (op.kind) {
      case LessonOpKind::Spawn:
        spawn(slot, array);
        return true;
      case LessonOpKind::Keep:
        keep(slot, array);
        return true;
      case LessonOpKind::ReleaseKept:
        release_kept(array);
        return true;
      case LessonOpKind::PaintKept:
        paint_kept(slot, array);
        return true;
      case LessonOpKind::ForeignKept:
        release_elsewhere();
        return true;
      case LessonOpKind::NoReset:
        resets_ = false;
        return true;
      case LessonOpKind::Wear:
        wear();
        return true;
      default:
        return false;
    }
  }

  std::optional<i64> value(LessonAsk ask) const override {
    switch (ask) {
      case LessonAsk::GenerationAtKept:
        return static_cast<i64>(sparks_.storage().generations()[kept_.index]);
      case LessonAsk::ArrayLive: {
        i64 live = 0;
        for (u32 slot = 0; slot < kSlots; ++slot) live += array_.live(slot) ? 1 : 0;
        return live;
      }
      case LessonAsk::ForeignMatch:
        return accepted_ ? 1 : 0;
      default:
        return std::nullopt;
    }
  }

  const std::vector<u32>& took() const override { return took_; }

  void show(u8 shows, std::vector<frame::LessonFigure>& figures) const override {
    frame::LessonFigure& cells = figures.emplace_back();
    show_pool(sparks_, 0, cells);
    cells.generations = (shows & kShowGenerations) != 0;
    cells.title = "Pool with handles";
    if (kept_ && (shows & kShowArray) != 0) cells.title += join({". The kept handle: ", handle_text("")});
    if ((shows & kShowArray) != 0) {
      frame::LessonFigure& plain = figures.emplace_back();
      plain.kind = frame::LessonFigure::Kind::Cells;
      plain.title = index_ != pool::kNoSlot
                        ? join({"Array with plain indices. The kept index: ", std::to_string(index_)})
                        : std::string("Array with plain indices");
      for (u32 slot = 0; slot < kSlots; ++slot) {
        frame::LessonCell& cell = plain.cells.emplace_back();
        cell.slot = slot;
        cell.hue = static_cast<u8>(array_.at(slot).hue);
        cell.serial = array_.at(slot).spawn_id;
        cell.cell = array_.live(slot) ? kSlotLive : kSlotFree;
      }
      const std::vector<u32>& free = array_.free();
      if ((shows & kShowChain) != 0) plain.chain.assign(free.rbegin(), free.rend());
    }
    if ((shows & kShowOther) != 0) {
      frame::LessonFigure& other = figures.emplace_back();
      show_pool(few_, 0, other);
      other.generations = true;
      other.title = "The other pool";
    }
    frame::LessonFigure& calls = figures.emplace_back();
    calls.kind = frame::LessonFigure::Kind::Calls;
    calls.title = "Calls, and what they returned";
    calls.rows = calls_;
  }

  void add_to(StateHash& hash) const override {
    add_pool(hash, sparks_);
    add_pool(hash, few_);
    for (u32 slot = 0; slot < kSlots; ++slot) {
      sim::add_to(hash, array_.at(slot));
      hash.add(array_.live(slot));
    }
    for (const u32 slot : array_.free()) hash.add(slot);
    hash.add(kept_.index, kept_.generation, index_, made_, rng_.state(), resets_, accepted_, calls_.size());
  }

 private:
  std::string handle_text(std::string_view before) const {
    return join({before, "{slot ", std::to_string(kept_.index), ", generation ",
                 std::to_string(kept_.generation), "}"});
  }
  /// The line in which the call stands is the reader's way to the code; it is no part of the state.
  void note(std::string call, pool::Site site, std::string_view result) {
    std::string_view file = site.file != nullptr ? site.file : "";
    if (const std::size_t slash = file.rfind('/'); slash != std::string_view::npos)
      file.remove_prefix(slash + 1);
    if (calls_.size() == kMostCalls) calls_.erase(calls_.begin());
    calls_.push_back(
        {std::move(call), {std::string(result), join({file, ":", std::to_string(site.line)})}, false});
  }

  void spawn(u32 hue, bool array) {
    LessonSpark spark = next_lesson_spark(rng_, ++made_);
    spark.hue = hue;
    spark.light = 1;
    u32 slot = pool::kNoSlot;
    const std::string_view name = frame::kLessonHues[hue].name;
    if (array) {
      slot = array_.spawn(spark, resets_);
      if (resets_)
        note(join({"array.spawn(", name, ")"}), pool::Site::here(), slot_text(slot));
      else
        note(join({"array.reuse(", name, ")"}), pool::Site::here(), reuse_text(slot));
      resets_ = true;
    } else {
      const auto handle = pool::acquire_at(sparks_, pool::Site::here(), spark);
      if (handle) slot = handle.index;
      note(join({"pool.acquire(", name, ")"}), pool::Site::here(), slot_text(slot));
    }
  }
  static std::string slot_text(u32 slot) {
    return slot == pool::kNoSlot ? std::string("full") : join({"slot ", std::to_string(slot)});
  }
  /// The hue that a spark was not given: that of the spark before it.
  std::string reuse_text(u32 slot) const {
    return slot == pool::kNoSlot
               ? slot_text(slot)
               : join({slot_text(slot), ", still ", frame::kLessonHues[array_.at(slot).hue].name});
  }
  /// An empty slot of the pool has no handle.
  void keep(u32 slot, bool array) {
    if (array) {
      index_ = slot;
      note(join({"const unsigned index = ", std::to_string(slot)}), pool::Site::here(), "");
      return;
    }
    const bool live = slot < sparks_.storage().slots() && sparks_.storage().generations().is_live(slot);
    kept_ = live ? sparks_.handle_at(slot) : ByteHandlePool::HandleType();
    note(live ? handle_text("const auto handle = ") : std::string("const auto handle = none"),
         pool::Site::here(), "");
  }
  void release_elsewhere() {
    accepted_ = kept_ && matches_in_few(kept_.index);
    const pool::ReleaseResult result = few_.release(kept_);
    const bool lost = result == pool::ReleaseResult::Released;
    note("other.release(handle)", pool::Site::here(),
         lost ? std::string_view("Released: the wrong spark") : name_of(result));
  }
  /// The slot is live in both pools with the same generation: only the number of a handle's pool would tell.
  bool matches_in_few(u32 slot) const {
    const auto &mine = sparks_.storage().generations(), &others = few_.storage().generations();
    return mine.is_live(slot) && others.is_live(slot) && mine[slot] == others[slot];
  }
  void release_kept(bool array) {
    if (array) {
      if (index_ < kSlots) array_.release(index_);
      note("array.release(index)", pool::Site::here(), "(checks nothing)");
      return;
    }
    const pool::ReleaseResult result = sparks_.release(kept_);
    note("pool.release(handle)", pool::Site::here(), name_of(result));
  }
  void paint_kept(u32 hue, bool array) {
    if (array) {
      if (index_ >= kSlots) return;
      const std::string_view before = frame::kLessonHues[array_.at(index_).hue].name;
      array_.at(index_).hue = hue;
      note(join({"array[index].hue = ", frame::kLessonHues[hue].name}), pool::Site::here(),
           join({"painted the ", before, " spark"}));
      return;
    }
    LessonSpark* const spark = sparks_.get(kept_);
    if (spark != nullptr) spark->hue = hue;
    note("pool.get(handle)", pool::Site::here(), spark == nullptr ? "null: the spark is gone" : "the spark");
  }
  /// Spawns and releases, until a slot has no generation left.
  void wear() {
    const u32 before = sparks_.stats().retired_slots;
    u32 worn = pool::kNoSlot;
    while (sparks_.stats().retired_slots == before) {
      const auto handle = sparks_.acquire(next_lesson_spark(rng_, ++made_));
      if (!handle) return;
      worn = handle.index;
      (void)sparks_.release(handle);
    }
    note("for (;;) pool.release(pool.acquire())", pool::Site::here(),
         join({"slot ", std::to_string(worn), " retired"}));
  }

  ByteHandlePool sparks_, few_;
  PlainArray array_;
  ByteHandlePool::HandleType kept_{};
  u32 index_ = pool::kNoSlot;
  std::vector<u32> took_;
  Rng rng_{5};
  u64 made_ = 0;
  bool resets_ = true;
  bool accepted_ = false;  ///< LessonAsk::ForeignMatch.
  std::vector<frame::LessonTableRow> calls_;
};

}  // namespace

std::unique_ptr<LessonModel> make_handle_model() { return std::make_unique<HandleModel>(); }

}  // namespace spellpool::sim
