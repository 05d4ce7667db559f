// A game as an 8-bit console had it: no heap. Shots, bombs and sparks share sixteen slots in parallel arrays,
// found and walked by one of three patterns, which can be switched while it runs. Every look at a slot is
// counted.
//
//   flag         active_[slot]; a spawn searches from slot 0, the walk visits all slots
//   index stack  a stack of free slots; a spawn pops one, the walk visits all slots and skips free ones
//   compaction   live slots lie in front; a spawn takes the next, the walk visits live ones, a release moves
//   the
//                last one into the gap
//
// The sprite table is made anew in each frame, without gaps: what is live, and nothing else.
#include <algorithm>

#include "sim/lessons/lesson_model.hpp"
#include "sim/lessons/lesson_spark.hpp"

namespace spellpool::sim {
namespace {

using frame::EightBitPattern;
using frame::EightBitTile;
using frame::kEightBitSlots;

constexpr u32 kColumns = 6, kRows = 3, kLanterns = kColumns * kRows;
constexpr i32 kShipY = 208, kStep_px = 14, kRow_px = 16, kTop_px = 40, kMarch_px = 2;
constexpr u32 kMarchFrames = 16, kReloadFrames = 10, kSparkFrames = 14, kBombFrames = 50;
constexpr u8 kNoEightBitSlot = 0xff;

class EightBitModel final : public LessonModel {
 public:
  EightBitModel() { begin(EightBitPattern::Flag); }

  bool apply(const LessonOp& op) override {
    switch (op.kind) {
      case LessonOpKind::Console:
        begin(static_cast<EightBitPattern>(op.a));
        return true;
      case LessonOpKind::Pattern:
        switch_to(static_cast<EightBitPattern>(op.a));
        return true;
      case LessonOpKind::Frames:
        for (i32 i = 0; i < op.a; ++i) frame(static_cast<u32>(op.b));
        return true;
      case LessonOpKind::EndSlot:
        end(static_cast<u32>(op.a));
        return true;
      default:
        return false;
    }
  }

  std::optional<i64> value(LessonAsk ask) const override {
    const frame::EightBitVisits& visits = last_[static_cast<std::size_t>(pattern_)];
    switch (ask) {
      case LessonAsk::SpawnVisits:
        return i64{visits.spawn};
      case LessonAsk::UpdateVisits:
        return i64{visits.update};
      case LessonAsk::MovedFrom:
        return moved_from_;
      default:
        return std::nullopt;
    }
  }

  const std::vector<u32>& took() const override { return took_; }

  void show(u8 shows, std::vector<frame::LessonFigure>& figures) const override {
    frame::LessonFigure& figure = figures.emplace_back();
    figure.kind = frame::LessonFigure::Kind::Console;
    figure.title =
        join({frame::kEightBitPatterns[static_cast<std::size_t>(pattern_)].title, ": ", std::to_string(live_),
              " of 16 slots live; ", std::to_string(sprites_.size()), " sprites"});
    frame::EightBitView& view = figure.console;
    view.sprites = sprites_;
    for (u32 slot = 0; slot < kEightBitSlots; ++slot) {
      view.active[slot] = active_[slot];
      view.tiles[slot] = tile_of(slot);
    }
    if (pattern_ == EightBitPattern::IndexStack)
      view.free_stack.assign(stack_.begin(), stack_.begin() + stack_size_);
    view.pattern = pattern_;
    view.shows_find = (shows & (kShowFind | kShowTable)) != 0;
    view.shows_move = (shows & kShowTable) != 0;
    view.live = live_;
    view.score = score_;
    view.frame = frames_;
    view.refused = refused_;
    view.last = last_;
    view.most = most_;
  }

  void add_to(StateHash& hash) const override {
    hash.add(pattern_, live_, score_, frames_, refused_, rng_.state(), ship_x_);
    hash.add(moved_from_, reload_, march_, direction_, down_, stack_size_);
    for (u32 slot = 0; slot < kEightBitSlots; ++slot) {
      hash.add(active_[slot]);
      if (active_[slot]) hash.add(x_[slot], y_[slot], kind_[slot], age_[slot], speed_x_[slot]);
    }
    for (const bool lantern : lanterns_) hash.add(lantern);
    for (const frame::EightBitVisits& visits : most_) hash.add(visits.spawn, visits.update);
  }

 private:
  enum class Object : u8 { Shot, Bomb, Spark };

  void begin(EightBitPattern pattern) {
    *this = EightBitModel(pattern);
    lanterns_.fill(true);
    make_stack();
    make_sprites();
  }
  explicit EightBitModel(EightBitPattern pattern) : pattern_(pattern) {}

  // ---- slots
  frame::EightBitVisits& visits() { return last_[static_cast<std::size_t>(pattern_)]; }
  void make_stack() {
    stack_size_ = 0;
    for (u32 slot = kEightBitSlots; slot-- > 0;) {
      if (!active_[slot]) stack_[stack_size_++] = static_cast<u8>(slot);
    }
  }
  /// The same objects in the new pattern's order: compaction wants them in front.
  void switch_to(EightBitPattern pattern) {
    pattern_ = pattern;
    if (pattern == EightBitPattern::Compaction) {
      u32 to = 0;
      for (u32 slot = 0; slot < kEightBitSlots; ++slot) {
        if (active_[slot]) move_slot(slot, to++);
      }
    }
    make_stack();
  }
  void move_slot(u32 from, u32 to) {
    if (from == to) return;
    moved_from_ = from;
    x_[to] = x_[from];
    y_[to] = y_[from];
    kind_[to] = kind_[from];
    age_[to] = age_[from];
    speed_x_[to] = speed_x_[from];
    active_[to] = true;
    active_[from] = false;
  }
  u8 find_free() {
    switch (pattern_) {
      case EightBitPattern::Flag:
        for (u32 slot = 0; slot < kEightBitSlots; ++slot) {
          ++visits().spawn;
          if (!active_[slot]) return static_cast<u8>(slot);
        }
        return kNoEightBitSlot;
      case EightBitPattern::IndexStack:
        if (stack_size_ == 0) return kNoEightBitSlot;
        ++visits().spawn;
        return stack_[--stack_size_];
      case EightBitPattern::Compaction:
        if (live_ == kEightBitSlots) return kNoEightBitSlot;
        ++visits().spawn;
        return static_cast<u8>(live_);
    }
    return kNoEightBitSlot;
  }
  void spawn(Object kind, i32 x, i32 y, i32 speed_x = 0) {
    const u8 slot = find_free();
    if (slot == kNoEightBitSlot) {
      ++refused_;
      return;
    }
    x_[slot] = static_cast<i16>(x);
    y_[slot] = static_cast<i16>(y);
    kind_[slot] = kind;
    age_[slot] = 0;
    speed_x_[slot] = static_cast<i8>(speed_x);
    active_[slot] = true;
    ++live_;
  }
  void release(u32 slot) {
    active_[slot] = false;
    --live_;
    if (pattern_ == EightBitPattern::IndexStack) stack_[stack_size_++] = static_cast<u8>(slot);
    if (pattern_ == EightBitPattern::Compaction) move_slot(live_, slot);
  }

  void end(u32 slot) {
    moved_from_ = -1;
    if (slot < kEightBitSlots && active_[slot]) release(slot);
    make_sprites();
  }

  // ---- the game
  void frame(u32 keys) {
    last_ = {};
    ++frames_;
    steer(keys);
    march();
    drop_bomb();
    walk();
    make_sprites();
    for (std::size_t i = 0; i < last_.size(); ++i) {
      most_[i].spawn = std::max(most_[i].spawn, last_[i].spawn);
      most_[i].update = std::max(most_[i].update, last_[i].update);
    }
  }
  void steer(u32 keys) {
    if ((keys & frame::kKeyLeft) != 0) ship_x_ = std::max(8, ship_x_ - 2);
    if ((keys & frame::kKeyRight) != 0) ship_x_ = std::min(240, ship_x_ + 2);
    if (reload_ > 0) --reload_;
    if ((keys & frame::kKeyFire) != 0 && reload_ == 0) {
      spawn(Object::Shot, ship_x_, kShipY - 8);
      reload_ = kReloadFrames;
    }
  }
  i32 lantern_x(u32 i) const { return 40 + march_ + static_cast<i32>(i % kColumns) * (kStep_px + 14); }
  i32 lantern_y(u32 i) const { return kTop_px + down_ + static_cast<i32>(i / kColumns) * (kRow_px + 6); }
  void march() {
    if (frames_ % kMarchFrames != 0) return;
    march_ += direction_ * kMarch_px;
    if (march_ > 48 || march_ < -32) {
      direction_ = -direction_;
      down_ = std::min(down_ + 4, 80);
    }
    if (std::none_of(lanterns_.begin(), lanterns_.end(), [](bool lit) { return lit; })) {
      lanterns_.fill(true);
      down_ = 0;
    }
  }
  void drop_bomb() {
    if (frames_ % kBombFrames != 0) return;
    const u32 lantern = rng_.below(kLanterns);
    if (lanterns_[lantern]) spawn(Object::Bomb, lantern_x(lantern), lantern_y(lantern) + 8);
  }
  /// A release in compaction brings another object into the slot, which is visited next.
  void walk() {
    const bool packed = pattern_ == EightBitPattern::Compaction;
    std::array<std::array<i32, 2>, kEightBitSlots> bursts{};
    u32 burst_count = 0;
    for (u32 slot = 0; slot < (packed ? live_ : kEightBitSlots);) {
      ++visits().update;
      const bool ends = active_[slot] && advance(slot, bursts, burst_count);
      if (ends) release(slot);
      if (!ends || !packed) ++slot;
    }
    for (u32 i = 0; i < burst_count; ++i) {
      for (const i32 speed : {-2, 0, 2}) spawn(Object::Spark, bursts[i][0], bursts[i][1], speed);
    }
  }
  bool advance(u32 slot, std::array<std::array<i32, 2>, kEightBitSlots>& bursts, u32& burst_count) {
    ++age_[slot];
    switch (kind_[slot]) {
      case Object::Shot: {
        y_[slot] = static_cast<i16>(y_[slot] - 4);
        const u32 hit = lantern_at(x_[slot] + 4, y_[slot] + 4);
        if (hit == kLanterns) return y_[slot] < 8;
        lanterns_[hit] = false;
        score_ += 10;
        bursts[burst_count++] = {lantern_x(hit), lantern_y(hit)};
        return true;
      }
      case Object::Bomb:
        y_[slot] = static_cast<i16>(y_[slot] + 2);
        return y_[slot] > kShipY + 8;
      case Object::Spark:
        x_[slot] = static_cast<i16>(x_[slot] + speed_x_[slot]);
        y_[slot] = static_cast<i16>(y_[slot] + age_[slot] / 6);
        return age_[slot] >= kSparkFrames || x_[slot] < 0 || x_[slot] > 247;
    }
    return true;
  }
  u32 lantern_at(i32 x, i32 y) const {
    for (u32 i = 0; i < kLanterns; ++i) {
      const i32 dx = x - lantern_x(i), dy = y - lantern_y(i);
      if (lanterns_[i] && dx >= 0 && dx < 8 && dy >= 0 && dy < 8) return i;
    }
    return kLanterns;
  }

  // ---- the sprite table
  EightBitTile tile_of(u32 slot) const {
    if (kind_[slot] == Object::Shot) return EightBitTile::Shot;
    if (kind_[slot] == Object::Bomb) return EightBitTile::Bomb;
    return age_[slot] * 2 < kSparkFrames ? EightBitTile::Spark : EightBitTile::SparkFading;
  }
  void add_sprite(i32 x, i32 y, EightBitTile tile) {
    if (sprites_.size() < frame::kEightBitSprites)
      sprites_.push_back(
          {static_cast<u8>(std::clamp(x, 0, 248)), static_cast<u8>(std::clamp(y, 0, 232)), tile});
  }
  void make_sprites() {
    sprites_.clear();
    add_sprite(ship_x_, kShipY, EightBitTile::Ship);
    const bool second = frames_ / kMarchFrames % 2 == 1;
    for (u32 i = 0; i < kLanterns; ++i) {
      if (!lanterns_[i]) continue;
      const bool owl = i / kColumns == 0;
      const EightBitTile tile = owl ? (second ? EightBitTile::OwlBlink : EightBitTile::Owl)
                                    : (second ? EightBitTile::LanternDown : EightBitTile::LanternUp);
      add_sprite(lantern_x(i), lantern_y(i), tile);
    }
    for (u32 slot = 0; slot < kEightBitSlots; ++slot) {
      if (active_[slot]) add_sprite(x_[slot], y_[slot], tile_of(slot));
    }
  }

  EightBitPattern pattern_;
  // The sixteen slots: parallel arrays, as a processor with an 8-bit index reads them best.
  std::array<i16, kEightBitSlots> x_{}, y_{};
  std::array<i8, kEightBitSlots> speed_x_{};
  std::array<Object, kEightBitSlots> kind_{};
  std::array<u8, kEightBitSlots> age_{};
  std::array<bool, kEightBitSlots> active_{};
  std::array<u8, kEightBitSlots> stack_{};
  u32 stack_size_ = 0, live_ = 0;
  i64 moved_from_ = -1;  ///< The slot whose object moved last.
  std::array<bool, kLanterns> lanterns_{};
  std::vector<frame::EightBitSprite> sprites_;
  std::array<frame::EightBitVisits, frame::kEightBitPatterns.size()> last_{}, most_{};
  i32 ship_x_ = 110, march_ = 0, direction_ = 1, down_ = 0;
  u32 frames_ = 0, reload_ = 0, score_ = 0, refused_ = 0;
  Rng rng_{16};
  std::vector<u32> took_;
};

}  // namespace

std::unique_ptr<LessonModel> make_eight_bit_model() { return std::make_unique<EightBitModel>(); }

}  // namespace spellpool::sim
