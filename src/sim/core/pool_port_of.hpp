#pragma once
// Most functions here are compiled for every strategy: include it in one .cpp file for each pooled type.
#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "pool/exhibits.hpp"
#include "pool/prewarm.hpp"
#include "sim/core/pool_port.hpp"
#include "sim/core/shared_walk.hpp"

#define SPELLPOOL_FIELD(type, member)                                                                       \
  frame::SlotField {                                                                                        \
    offsetof(type, member), sizeof(type::member), #member, frame::slot_field_kind<decltype(type::member)>() \
  }

namespace spellpool::sim {

template <class T>
class PoolPortOf final : public PoolPort {
 public:
  using Pool = pool::ExhibitPool<T>;
  /// 0 … 1 of its life, for the colour of its slot.
  using Age = float (*)(const T&);

  /// The pool outlives the port.
  PoolPortOf(frame::PoolId id, Pool& pool, std::span<const frame::SlotField> fields, Age age)
      : PoolPort(id), pool_(pool), fields_(fields), age_(age) {}

  pool::PoolStats stats() const override { return pool_.stats(); }
  pool::StrategyId strategy() const override { return pool_.strategy(); }
  pool::PolicyId policy() const override { return pool_.policy(); }
  bool fills() const override {
    return read([](const auto& pool) { return pool.fill(); });
  }
  std::optional<pool::ConsoleHeapStats> console_heap() const override {
    return read([](const auto& pool) -> std::optional<pool::ConsoleHeapStats> {
      if constexpr (requires { pool.storage().memory().heap().stats(); }) return pool.storage().memory().heap().stats();
      return std::nullopt;
    });
  }
  void map_slots(u32 next_limit, pool::SlotMap& map) const override {
    read([&](const auto& pool) { pool::map_slots(pool, map, next_limit, age_); });
  }
  pool::SlotDetail look_at_place(u32 place) const override {
    return read([&](const auto& pool) { return pool::look_at_place(pool, place, age_); });
  }
  void map_lines(pool::LineMap& map) const override {
    read([&](const auto& pool) { pool::map_lines(pool, map); });
  }
  u32 object_bytes() const override { return sizeof(T); }
  std::optional<u32> place_near(float x, float y, float within) const override {
    if constexpr (requires(const T& object) { object.x, object.y; }) {
      Nearest nearest{x, y, within * within, {}};
      look_at_each(pool_,
                   [&](HandleOf<T> handle, const T& object) { nearest.look_at(handle.index, object.x, object.y); });
      if (nearest.slot) nearest.slot = read([&](const auto& pool) { return pool.storage().place_of(*nearest.slot); });
      return nearest.slot;
    } else {
      return std::nullopt;
    }
  }
  std::span<const frame::SlotField> fields() const override { return fields_; }
  void watch_steals(bool on) override {
    pool_.visit_rarely([&](auto& pool) { pool::watch_steals(pool, on); });
  }
  void fade_steals() override {
    pool_.visit_rarely([](auto& pool) { pool::fade_steals(pool); });
  }
  void for_each_object(const std::function<bool(u32 slot, std::byte* object)>& f) override {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<HandleOf<T>> handles;
    handles.reserve(pool_.live());
    look_at_each(pool_, [&](HandleOf<T> handle, const T&) { handles.push_back(handle); });
    for (const HandleOf<T> handle : handles) {
      auto held = pool_.get(handle);
      T object = *held;
      if (f(handle.index, reinterpret_cast<std::byte*>(&object))) *held = object;
    }
  }
  bool prewarm(double budget_us) override { return pool::prewarm_within(pool_, budget_us); }

 private:
  struct Nearest {
    float x, y, apart;
    std::optional<u32> slot;
    void look_at(u32 other, float its_x, float its_y) {
      const float dx = its_x - x, dy = its_y - y, its_apart = dx * dx + dy * dy;
      if (!(its_apart <= apart)) return;
      apart = its_apart;
      slot = other;
    }
  };
  template <class F>
  decltype(auto) read(F&& f) const {
    return std::as_const(pool_).visit_rarely(f);
  }

  Pool& pool_;
  std::span<const frame::SlotField> fields_;
  Age age_;
};

}  // namespace spellpool::sim
