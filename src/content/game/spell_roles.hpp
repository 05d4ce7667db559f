#pragma once
// Which emitters fire by themselves, and when: the roles of frame::EmitterRole per behaviour. The help at the head of
// every spell file is made from these rows.
#include <array>
#include <string_view>

#include "frame/defs/spell_def.hpp"

namespace spellpool::content {

struct RoleUse {
  std::string_view behaviour;  ///< "all", or as frame::kSpellBehaviours names it.
  frame::EmitterRole role;
  std::string_view counts;  ///< The keys that count: "burst", "rate", "rate, per_unit".
  std::string_view when;
};

using Role = frame::EmitterRole;
inline constexpr std::array kRoleUses = {
    RoleUse{"all", Role::Gather, "burst, rate", "wind-up, at the staff"},
    RoleUse{"all", Role::Charge, "rate", "while held on, the more the fuller"},
    RoleUse{"all", Role::Ready, "burst", "the charge is full"},
    RoleUse{"all", Role::Cast, "burst", "at the staff"},
    RoleUse{"all", Role::Follow, "rate", "at the staff, for follow_s"},
    RoleUse{"bolt", Role::Trail, "rate, per_unit", "in flight"},
    RoleUse{"bolt", Role::Smoke, "rate, per_unit, burst", "in flight, and at the hit"},
    RoleUse{"bolt", Role::Core, "burst", "at the hit"},
    RoleUse{"bolt", Role::Burst, "burst", "at the hit"},
    RoleUse{"bolt", Role::Embers, "burst", "at the hit"},
    RoleUse{"bolt", Role::Full, "burst", "a fully charged hit"},
    RoleUse{"nova", Role::Burst, "burst", "the ring, from the mage's feet"},
    RoleUse{"nova", Role::Mist, "burst", "the ring, from the mage's feet"},
    RoleUse{"nova", Role::Shards, "burst", "the ring, from the mage's feet"},
    RoleUse{"nova", Role::Full, "burst", "fully charged, from the feet"},
    RoleUse{"chain", Role::Arc, "per_unit", "along each leap"},
    RoleUse{"chain", Role::Burst, "burst", "at each target struck"},
    RoleUse{"chain", Role::Embers, "burst", "at each target struck"},
    RoleUse{"chain", Role::Full, "burst", "at each target of a full one"},
    RoleUse{"vortex", Role::Burst, "burst", "as it opens"},
    RoleUse{"vortex", Role::Spiral, "rate", "while it lives"},
    RoleUse{"vortex", Role::Core, "rate", "while it lives"},
    RoleUse{"vortex", Role::Close, "burst", "at its end"},
    RoleUse{"vortex", Role::Full, "burst", "as a fully charged one opens"},
    RoleUse{"meteor", Role::Mark, "rate", "on the ring where it will fall"},
    RoleUse{"meteor", Role::Trail, "rate, per_unit", "falling"},
    RoleUse{"meteor", Role::Smoke, "rate, per_unit", "falling"},
    RoleUse{"meteor", Role::Burst, "burst", "at the impact"},
    RoleUse{"meteor", Role::Ring, "burst", "at the impact"},
    RoleUse{"meteor", Role::Stones, "burst", "at the impact"},
    RoleUse{"meteor", Role::Embers, "burst", "at the impact"},
    RoleUse{"meteor", Role::Full, "burst", "a fully charged impact"},
    RoleUse{"meteor", Role::Halo, "rate", "round the mark of a full one"},
    RoleUse{"fog", Role::Burst, "burst", "as it opens"},
    RoleUse{"fog", Role::Fog, "rate", "while it lives"},
    RoleUse{"fog", Role::Bubbles, "rate", "while it lives"},
    RoleUse{"fog", Role::Close, "burst", "at its end"},
    RoleUse{"fog", Role::Full, "burst", "as a fully charged one opens"},
    RoleUse{"fog", Role::Halo, "rate", "while a fully charged one lives"},
    RoleUse{"motes", Role::Burst, "burst", "as they are called"},
    RoleUse{"motes", Role::Motes, "rate", "while they rise round the mage"},
    RoleUse{"motes", Role::Seek, "rate, per_unit", "behind each homing spark"},
    RoleUse{"motes", Role::Heal, "burst", "where one arrives"},
    RoleUse{"motes", Role::Full, "burst", "as fully charged ones are called"},
    RoleUse{"motes", Role::Halo, "rate", "while fully charged ones rise"},
    RoleUse{"starfall", Role::Mark, "rate", "over the aim"},
    RoleUse{"starfall", Role::Trail, "rate, per_unit", "behind each falling star"},
    RoleUse{"starfall", Role::Burst, "burst", "where one lands"},
    RoleUse{"starfall", Role::Embers, "burst", "where one lands"},
    RoleUse{"starfall", Role::Full, "burst", "where a fully charged one lands"},
    RoleUse{"starfall", Role::Halo, "rate", "over the aim of a full one"},
};

}  // namespace spellpool::content
