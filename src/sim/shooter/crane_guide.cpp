#include "sim/shooter/crane_guide.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/det_math.hpp"
#include "pool/memory/arena_resource.hpp"

namespace spellpool::sim {
namespace {

constexpr float kLeft = -frame::kFieldHalfWidth, kTop = -frame::kFieldHalfHeight;
constexpr u32 kPeriod_steps = 1'800;       // until a stone is where it was
constexpr float kPeriod = 900.0f;          // units that it floats in that time
static_assert(kPeriod == CraneGuide::kDrift * kPeriod_steps);
constexpr u16 kBeside = 10, kDiagonal = 14;  // costs of a step of the search
constexpr std::size_t kFirstEntries = 32;

// Bowls that are open at the top, in which a crane that flies straight at a goal below is caught; two of them are
// where cranes come in. And three single stones.
struct Bowl {
  float x, y, radius;
};
constexpr std::array kBowls = {Bowl{-200.0f, 790.0f, 80.0f}, Bowl{200.0f, 790.0f, 80.0f}, Bowl{-60.0f, 230.0f, 90.0f}};
constexpr u32 kBowlStones = 7;
constexpr std::array kSingles = {Stone{170.0f, 40.0f, 28.0f}, Stone{-210.0f, 450.0f, 28.0f},
                                 Stone{0.0f, 640.0f, 28.0f}};
static_assert(kBowls.size() * kBowlStones + kSingles.size() == CraneGuide::kStones);

struct Place {
  i32 column, row;
};
Place place_of(float x, float y) {
  return {std::clamp(static_cast<i32>((x - kLeft) / CraneGuide::kCell), 0, CraneGuide::kColumns - 1),
          std::clamp(static_cast<i32>((y - kTop) / CraneGuide::kCell), 0, CraneGuide::kRows - 1)};
}
i32 cell_of(Place place) { return place.row * CraneGuide::kColumns + place.column; }
Place place_of(i32 cell) { return {cell % CraneGuide::kColumns, cell / CraneGuide::kColumns}; }
float x_of(i32 cell) { return kLeft + (static_cast<float>(place_of(cell).column) + 0.5f) * CraneGuide::kCell; }
float y_of(i32 cell) { return kTop + (static_cast<float>(place_of(cell).row) + 0.5f) * CraneGuide::kCell; }
/// The cost of a way without stones.
u16 least_cost(i32 from, i32 to) {
  const Place a = place_of(from), b = place_of(to);
  const i32 dx = std::abs(a.column - b.column), dy = std::abs(a.row - b.row);
  return static_cast<u16>(kBeside * std::max(dx, dy) + (kDiagonal - kBeside) * std::min(dx, dy));
}

/// A cell that was reached. The closed set is sorted by cell.
struct Reached {
  u16 cell, from, cost, closed;
};
/// A cell from which the search may go on.
struct Open {
  u16 guess, cost, cell;
  /// For a heap whose top is the least: by guess, then by cell, so that equal guesses have an order.
  bool operator<(const Open& other) const { return guess != other.guess ? guess > other.guess : cell > other.cell; }
};

}  // namespace

void CraneRules::add_to(StateHash& hash) const {
  if (!on()) return;
  hash.add(mode, searches, overflowed, ended, last_step, last_wanted_bytes, last_free_bytes);
}

void CraneGuide::begin_step(const CraneRules& rules, u64 step, u32 clock) {
  if (!rules.on()) return;
  step_ = step;
  if (arena_ == nullptr) arena_ = std::make_unique<pool::FrameArena>(kArena_bytes);
  arena_->begin_frame();
  const float floated = static_cast<float>(clock % kPeriod_steps) * (kPeriod / static_cast<float>(kPeriod_steps));
  const auto height = [&](float y) {
    const float moved = y + floated;
    return (moved >= kPeriod ? moved - kPeriod : moved) - 0.5f * kPeriod;
  };
  std::size_t count = 0;
  for (const Bowl& bowl : kBowls) {
    const float y = height(bowl.y);
    for (u32 i = 0; i < kBowlStones; ++i) {
      const float turns = 0.5f * static_cast<float>(i) / static_cast<float>(kBowlStones - 1);
      stones_[count++] = {bowl.x + bowl.radius * cos_turns(turns), y + bowl.radius * sin_turns(turns), 26.0f};
    }
  }
  for (const Stone& stone : kSingles) stones_[count++] = {stone.x, height(stone.y), stone.radius};
  blocked_known_ = false;
}

void CraneGuide::find_blocked() {
  if (blocked_known_) return;
  blocked_known_ = true;
  for (std::size_t cell = 0; cell < blocked_.size(); ++cell) {
    blocked_[cell] = inside(x_of(static_cast<i32>(cell)), y_of(static_cast<i32>(cell)), kReach);
  }
}

bool CraneGuide::inside(float x, float y, float margin) const {
  return std::any_of(stones_.begin(), stones_.end(), [&](const Stone& stone) {
    const float dx = stone.x - x, dy = stone.y - y, reach = stone.radius + margin;
    return dx * dx + dy * dy < reach * reach;
  });
}

bool CraneGuide::clear(float x, float y, float to_x, float to_y) const {
  const float dx = to_x - x, dy = to_y - y, length2 = dx * dx + dy * dy;
  return std::none_of(stones_.begin(), stones_.end(), [&](const Stone& stone) {
    const float along = length2 > 0.0f ? clamp01(((stone.x - x) * dx + (stone.y - y) * dy) / length2) : 0.0f;
    const float away_x = stone.x - (x + along * dx), away_y = stone.y - (y + along * dy), reach = stone.radius + kReach;
    return away_x * away_x + away_y * away_y < reach * reach;
  });
}

bool CraneGuide::may_take(CraneRules& rules, std::size_t bytes) {
  const std::size_t left = arena_->capacity_bytes() - arena_->used_bytes();
  if (bytes <= left) return true;
  rules.last_step = step_ + 1;
  rules.last_wanted_bytes = static_cast<u32>(bytes);
  rules.last_free_bytes = static_cast<u32>(left);
  return rules.mode == frame::CraneSearch::Heap;
}

CraneGuide::Outcome CraneGuide::search(CraneRules& rules, float x, float y, float& to_x, float& to_y) {
  using Memory = pool::ArenaAllocator<Reached>;
  ++rules.searches;
  find_blocked();
  const u64 overflows_before = arena_->overflow_calls();
  std::vector<Reached, Memory> reached(Memory{*arena_});
  std::vector<Open, pool::ArenaAllocator<Open>> open(pool::ArenaAllocator<Open>{*arena_});
  // Room for one more, or no memory.
  const auto grows = [&](auto& set) {
    if (set.size() < set.capacity()) return true;
    const std::size_t entries = std::max(kFirstEntries, 2 * set.capacity());
    if (!may_take(rules, entries * sizeof set.front())) return false;
    set.reserve(entries);
    return true;
  };
  const auto find = [&](i32 cell) {
    return std::lower_bound(reached.begin(), reached.end(), cell,
                            [](const Reached& one, i32 wanted) { return one.cell < wanted; });
  };
  const i32 start = cell_of(place_of(x, y)), goal = cell_of(place_of(to_x, to_y));
  const auto no_memory = [&] {
    ++rules.ended;
    return Outcome::NoMemory;
  };
  if (!grows(reached) || !grows(open)) return no_memory();
  reached.push_back({static_cast<u16>(start), static_cast<u16>(start), 0, 0});
  open.push_back({least_cost(start, goal), 0, static_cast<u16>(start)});
  i32 nearest = start;
  while (!open.empty() && nearest != goal) {
    std::pop_heap(open.begin(), open.end());
    const Open now = open.back();
    open.pop_back();
    const auto here = find(now.cell);
    if (here->closed != 0 || here->cost < now.cost) continue;  // it was reached more cheaply since
    here->closed = 1;
    const bool nearer = blocked(nearest) || least_cost(now.cell, goal) < least_cost(nearest, goal);
    if (nearer && !blocked(now.cell)) nearest = now.cell;
    const Place place = place_of(i32{now.cell});
    for (i32 way = 0; way < 9; ++way) {
      const Place next{place.column + way % 3 - 1, place.row + way / 3 - 1};
      if (way == 4 || next.column < 0 || next.row < 0 || next.column >= kColumns || next.row >= kRows) continue;
      const i32 cell = cell_of(next);
      if (blocked(cell) && !blocked(now.cell)) continue;  // one that a stone has reached may leave it
      const bool diagonal = way % 2 == 0;
      // Not between two stones that touch.
      if (diagonal && blocked(cell_of({place.column, next.row})) && blocked(cell_of({next.column, place.row})))
        continue;
      const u16 cost = static_cast<u16>(now.cost + (diagonal ? kDiagonal : kBeside));
      auto known = find(cell);
      if (known != reached.end() && known->cell == cell) {
        if (known->cost <= cost) continue;
        *known = {static_cast<u16>(cell), now.cell, cost, 0};
      } else {
        const auto at = known - reached.begin();
        if (!grows(reached)) return no_memory();
        reached.insert(reached.begin() + at, {static_cast<u16>(cell), now.cell, cost, 0});
      }
      if (!grows(open)) return no_memory();
      open.push_back({static_cast<u16>(cost + least_cost(cell, goal)), cost, static_cast<u16>(cell)});
      std::push_heap(open.begin(), open.end());
    }
  }
  rules.overflowed += arena_->overflow_calls() > overflows_before;
  // Back from the end to the first cell that the crane can fly to in a straight line.
  i32 cell = nearest;
  while (cell != start && !clear(x, y, x_of(cell), y_of(cell))) {
    const i32 before = find(cell)->from;
    if (before == start) break;
    cell = before;
  }
  if (cell == start) return Outcome::NoWay;
  to_x = x_of(cell);
  to_y = y_of(cell);
  return Outcome::Found;
}

CraneWay CraneGuide::lead(CraneRules& rules, float& x, float& y, float goal_x, float goal_y) {
  CraneWay way = CraneWay::Straight;
  const bool in_field = std::fabs(x) < frame::kFieldHalfWidth && std::fabs(y) < frame::kFieldHalfHeight;
  if (in_field && !clear(x, y, goal_x, goal_y)) {
    const Outcome outcome = search(rules, x, y, goal_x, goal_y);
    way = outcome == Outcome::NoMemory ? CraneWay::Unknown : CraneWay::Found;
    if (outcome == Outcome::NoWay) return way;  // it is as near as it can be
  }
  const float dx = goal_x - x, dy = goal_y - y, away = std::sqrt(dx * dx + dy * dy);
  if (away <= 0.0f) return way;
  const float part = std::min(1.0f, kSpeed / away);
  const float next_x = x + dx * part, next_y = y + dy * part;
  // A crane without a way is stopped by a stone; one that is inside a stone already may leave it.
  if (way == CraneWay::Unknown && inside(next_x, next_y, kReach) && !inside(x, y, kReach)) return way;
  x = next_x;
  y = next_y;
  return way;
}

}  // namespace spellpool::sim
