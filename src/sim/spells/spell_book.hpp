#pragma once
#include <tuple>

#include "sim/spells/spell_bolt.hpp"
#include "sim/spells/spell_chain.hpp"
#include "sim/spells/spell_fog.hpp"
#include "sim/spells/spell_meteor.hpp"
#include "sim/spells/spell_motes.hpp"
#include "sim/spells/spell_nova.hpp"
#include "sim/spells/spell_seekers.hpp"
#include "sim/spells/spell_starfall.hpp"
#include "sim/spells/spell_vortex.hpp"

namespace spellpool::sim {

/// The eight behaviours together, in the order of frame::SpellBehaviour. Each has the same six functions:
///   cast         a spell of this kind leaves the staff                        update phase
///   move         flies, opens, creeps, falls; asks for emission               update phase
///   collide      strikes targets                                              collide phase
///   draw_ground  sprites and lights beneath standing things
///   draw_air     … and above them
///   add_to       everything that steps read goes into the hash
class SpellBook {
 public:
  void cast(const Cast& cast, SpellScope& scope) {
    const std::size_t behaviour = static_cast<std::size_t>(scope.def(cast.spell).behaviour);
    std::size_t i = 0;
    each([&](auto& kind) {
      if (i++ == behaviour) kind.cast(cast, scope);
    });
  }
  void move(SpellScope& scope) {
    each([&](auto& kind) { kind.move(scope); });
  }
  void collide(SpellScope& scope) {
    each([&](auto& kind) { kind.collide(scope); });
  }
  void draw_ground(Canvas& canvas) {
    each([&](const auto& kind) { kind.draw_ground(canvas); });
  }
  void draw_air(Canvas& canvas) {
    each([&](const auto& kind) { kind.draw_air(canvas); });
  }
  void add_to(StateHash& hash) const {
    std::apply([&](const auto&... kind) { (kind.add_to(hash), ...); }, kinds_);
  }
  const Vortices& vortices() const { return std::get<Vortices>(kinds_); }

 private:
  template <class F>
  void each(F&& f) {
    std::apply([&](auto&... kind) { (f(kind), ...); }, kinds_);
  }

  std::tuple<Bolts, Novas, Chains, Vortices, Meteors, Fogs, MoteCircles, Starfalls> kinds_;
  static_assert(std::tuple_size_v<decltype(kinds_)> == frame::kSpellBehaviours.size());
};

}  // namespace spellpool::sim
