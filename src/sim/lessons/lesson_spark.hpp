#pragma once
// The object of the lessons' pools, and how a pool of it becomes a figure.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>

#include "core/rng.hpp"
#include "core/state_hash.hpp"
#include "frame/views/lesson_view.hpp"
#include "pool/inspect/slot_map.hpp"

namespace spellpool::sim {

struct LessonSpark {
  float x = 0, y = 0;
  u32 hue = 0;      ///< An index of frame::kLessonHues.
  float light = 1;  ///< What is left of its life, 1 … 0.
  u64 spawn_id = 0;

  float importance() const { return light; }
};
static_assert(sizeof(LessonSpark) == 24);

inline constexpr std::array kLessonSparkFields = {
    frame::SlotField{offsetof(LessonSpark, x), 4, "x", frame::SlotFieldKind::Float},
    frame::SlotField{offsetof(LessonSpark, y), 4, "y", frame::SlotFieldKind::Float},
    frame::SlotField{offsetof(LessonSpark, hue), 4, "hue", frame::SlotFieldKind::Unsigned},
    frame::SlotField{offsetof(LessonSpark, light), 4, "light", frame::SlotFieldKind::Float},
    frame::SlotField{offsetof(LessonSpark, spawn_id), 8, "spawn_id", frame::SlotFieldKind::Unsigned},
};

/// The next spark: everything but its number by the model's random numbers.
inline LessonSpark next_lesson_spark(Rng& rng, u64 spawn_id) {
  LessonSpark spark;
  spark.x = static_cast<float>(rng.below(640));
  spark.y = static_cast<float>(rng.below(360));
  spark.hue = rng.below(static_cast<u32>(frame::kLessonHues.size()));
  spark.light = 1.0f - 0.01f * static_cast<float>(rng.below(66));
  spark.spawn_id = spawn_id;
  return spark;
}

inline u8 percent_of(float light) { return static_cast<u8>(std::max(0.0f, light) * 100 + 0.5f); }

inline std::string join(std::initializer_list<std::string_view> parts) {
  std::string whole;
  for (const std::string_view part : parts) whole += part;
  return whole;
}

inline void add_to(StateHash& hash, const LessonSpark& spark) {
  hash.add(spark.x, spark.y, spark.hue, spark.light, spark.spawn_id);
}

/// The pool's cells, by place: what pool::map_slots() and the free cells' own bytes say.
template <class P>
void show_pool(const P& pool, u8 links, frame::LessonFigure& figure) {
  pool::SlotMap map;
  const auto age = [](const LessonSpark& spark) { return 1.0f - spark.light; };
  pool::map_slots(pool, map, static_cast<u32>(pool.storage().slots()), age);
  figure.kind = frame::LessonFigure::Kind::Cells;
  figure.cells.resize(map.cells.size());
  for (u32 place = 0; place < map.cells.size(); ++place) {
    frame::LessonCell& cell = figure.cells[place];
    const pool::SlotDetail detail = pool::look_at_place(pool, place, age);
    cell.slot = detail.slot;
    cell.cell = map.cells[place];
    cell.generation = detail.generation;
    if (pool.storage().generations().is_live(detail.slot)) {
      const auto spark = pool.peek(pool.handle_at(detail.slot));
      cell.hue = static_cast<u8>(spark->hue);
      cell.serial = spark->spawn_id;
      cell.light = percent_of(spark->light);
    } else if (links != 0 && detail.link_bytes == sizeof(u32) && cell.cell != kSlotRetired) {
      std::memcpy(&cell.link, detail.bytes.data() + detail.link_at, sizeof cell.link);
    }
  }
  if (links != 0) figure.chain.assign(map.next.begin(), map.next.end());
}

/// Of all live sparks with their slots and generations, and of the free slots' order.
template <class P>
void add_pool(StateHash& hash, const P& pool) {
  const auto& storage = pool.storage();
  for (u32 slot = 0; slot < storage.slots(); ++slot) {
    hash.add(storage.generations()[slot]);
    if (storage.generations().is_live(slot)) add_to(hash, *pool.peek(pool.handle_at(slot)));
  }
  if constexpr (requires { storage.for_each_next(1u, [](u32) {}); }) {
    storage.for_each_next(storage.slots(), [&](u32 place) { hash.add(place); });
  }
  const pool::PoolStats stats = pool.stats();
  hash.add(stats.spawned, stats.released, stats.rejected, stats.stolen, stats.grown);
  hash.add(stats.double_releases, stats.stale_handles, stats.foreign_handles);
}

}  // namespace spellpool::sim
