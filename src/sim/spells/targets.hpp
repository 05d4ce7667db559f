#pragma once
#include <array>
#include <memory>
#include <memory_resource>
#include <span>
#include <vector>

#include "core/state_hash.hpp"
#include "pool/exhibits.hpp"
#include "pool/memory/frame_array.hpp"
#include "sim/core/pool_choice.hpp"
#include "sim/core/pool_port.hpp"
#include "sim/particles/effects.hpp"
#include "sim/spells/challenge.hpp"

namespace spellpool::sim {

/// A light that drifts over the arena. Hit, it scatters and comes back after a while. Lives in a pool of its own:
/// homing sparks hold its handle, which stays good through every switch of strategy, policy and capacity.
struct Wisp {
  float x = 0, y = 0, previous_x = 0, previous_y = 0, vx = 0, vy = 0;
  float flash = 0;
  float there = 1;              ///< 0 scattered … 1 whole.
  float away_s = 0;             ///< Until it gathers again.
  float phase = 0;              ///< Of its wandering, turns.
  float carry = 0;
  u64 spawn_id = 0;

  float importance() const { return there; }
};
using WispHandle = Handle<Wisp>;

}  // namespace spellpool::sim

template <>
struct spellpool::pool::FieldsOf<spellpool::sim::Wisp> {
  using W = spellpool::sim::Wisp;
  using Hot = FieldList<&W::x, &W::y, &W::previous_x, &W::previous_y, &W::vx, &W::vy, &W::flash, &W::there, &W::away_s,
                        &W::phase, &W::carry>;
  using Cold = FieldList<&W::spawn_id>;
};

namespace spellpool::sim {

/// A straw dummy or a crystal: what stands in the arena.
struct Standing {
  enum class Kind : u8 { Dummy, Crystal };
  Kind kind{};
  float x = 0, y = 0;
  float flash = 0;              ///< 1 when hit, decays.
  float sway = 0, sway_speed = 0;  ///< Dummy: leans −1 … 1, a damped spring.
  float frost = 0;              ///< Dummy: 1 when frozen, decays.
  float poison = 0;             ///< Dummy: 1 when in fog, decays.
  float health = 5;             ///< Crystal.
  float growth = 1;             ///< Crystal: 0 when shattered, grows back to 1.
  bool mending = false;         ///< Crystal: healed, it grows back in a third of a second.
  float carry = 0;              ///< Of its twinkle.
};

/// Names a target for as long as it exists.
struct TargetRef {
  static constexpr u32 kWisp = 0xffffffffu;
  u32 standing = kWisp;         ///< Index of a dummy or crystal, or kWisp.
  WispHandle wisp{};
  friend bool operator==(const TargetRef&, const TargetRef&) = default;
};
/// A target that can be hit in this step.
struct TargetView {
  TargetRef ref;
  float x = 0, y = 0;           ///< Middle of the body, where spells aim.
  float radius = 0;
};

/// One blow of a spell.
struct Blow {
  u8 spell = 0;
  float from_x = 0, from_y = 0;
  float power = 1;
  bool freezes = false, poisons = false;
  float r = 1, g = 1, b = 1;    ///< The spell's hue, for the light of a shattering.
};

/// All that spells can hit: five dummies, four crystals, and the wisps. A hit is worth 10 points on a dummy, 15 on a
/// crystal and 100 as it shatters, 60 on a wisp. There are kWisps of them at every moment, or as many as their pool's
/// capacity lets live; one that cannot be made now is made as soon as there is room. Nothing allocates but
/// construction and the three set_…().
class Targets {
 public:
  static constexpr u32 kWisps = 6;

  /// What can be hit is listed in `memory` (null: new and delete) at each step().
  Targets(u64 seed, const PoolChoice& wisps, std::pmr::memory_resource* memory = nullptr);
  Targets(Targets&&) noexcept;
  ~Targets();

  void set_strategy(pool::StrategyId strategy);
  void set_policy(pool::PolicyId policy);
  void set_capacity(u32 capacity);
  void trim(u32 keep_free);
  void set_fill(bool on);

  /// Flinches, regrows, drifts, returns. First in a step: views() are of after it.
  void step(u64 step, Effects& effects);
  /// What can be hit: dummies and crystals by index, then wisps by spawn id. Good until the next step().
  std::span<const TargetView> views() const { return {views_.data(), view_count_}; }
  /// Before a new step of the memory begins.
  void forget_views() {
    views_.give_back();
    view_count_ = 0;
  }
  /// False if it could not be hit any more.
  bool hit(const TargetRef& ref, const Blow& blow, Effects& effects, Challenge& challenge);
  /// Where a target is now. False if it is scattered, shattered or gone.
  bool place_of(const TargetRef& ref, float& x, float& y) const;
  /// Pushes a dummy's lean, and a wisp's velocity, toward (x, y): vortex.
  void draw_toward(const TargetRef& ref, float x, float y, float strength);
  /// Makes shattered crystals within the radius whole again; how many.
  u32 heal(float x, float y, float radius, Effects& effects);
  /// Shattered and cracked crystals grow whole, frost and poison leave, scattered wisps gather: the start of a
  /// challenge.
  void make_whole(Effects& effects);

  std::span<const Standing> standing() const { return standing_; }
  pool::ConstFieldRef<Wisp> wisp(WispHandle handle) const;
  /// f(WispHandle, const Wisp&) for each, by spawn id, as of the last step().
  template <class F>
  void for_each_wisp(F&& f) const {
    for (u32 i = 0; i < order_count_; ++i) {
      if (const auto there = wisp(order_[i].handle)) f(order_[i].handle, *there);
    }
  }
  pool::ExhibitPool<Wisp>& wisps() { return wisps_; }
  const pool::ExhibitPool<Wisp>& wisps() const { return wisps_; }
  void add_to(StateHash& hash) const;

 private:
  struct Ordered {
    u64 spawn_id;
    WispHandle handle;
  };

 public:
  struct State {
    std::vector<Standing> standing;
    pool::ExhibitPool<Wisp>::Snapshot wisps;
    std::array<Ordered, kWisps> order{};
    u32 order_count = 0;
    u64 next_spawn_id = 1;
  };
  void save(State& state) const;
  void restore(const State& state);

 private:

  void step_standing(Effects& effects);
  void step_wisps(u64 step, Effects& effects);
  void keep_wisps(u64 step);
  void put_in_order();
  void gather(Wisp& wisp, u64 step, Effects& effects);
  bool hit_standing(u32 index, const Blow& blow, Effects& effects, Challenge& challenge);
  bool hit_wisp(WispHandle handle, const Blow& blow, Effects& effects, Challenge& challenge);
  /// Wisps near a blow shy away from it.
  void startle(float x, float y);

  u64 seed_;
  std::vector<Standing> standing_;
  pool::ExhibitPool<Wisp> wisps_;
  std::array<Ordered, kWisps> order_{};  // living wisps by spawn id: storages visit them in orders of their own
  u32 order_count_ = 0;
  std::pmr::memory_resource* memory_;
  pool::FrameArray<TargetView> views_;
  u32 view_count_ = 0;
  u64 next_spawn_id_ = 1;
};

/// The port of that pool. `targets` outlives it and does not move.
std::unique_ptr<PoolPort> wisp_port(Targets& targets);

}  // namespace spellpool::sim
