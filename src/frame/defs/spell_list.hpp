#pragma once
// The spells of the spell bar, one row each, in the order of the bar.
#include <array>
#include <cstddef>
#include <string_view>

namespace spellpool::frame {

struct SpellRow {
  std::string_view file;         ///< assets/spells/FILE.toml.
  std::string_view action;       ///< As Hotkey::name, key and pad (action.hpp).
  std::string_view key, pad;
  std::string_view description;
};
inline constexpr std::array kSpells = {
    SpellRow{"firebolt", "spell_1", "1", "lt+a", "firebolt"},
    SpellRow{"frost_nova", "spell_2", "2", "lt+b", "frost nova"},
    SpellRow{"chain_lightning", "spell_3", "3", "lt+x", "chain lightning"},
    SpellRow{"arcane_vortex", "spell_4", "4", "lt+y", "arcane vortex"},
    SpellRow{"meteor", "spell_5", "5", "lt+dpup", "meteor"},
    SpellRow{"poison_fog", "spell_6", "6", "lt+dpright", "poison fog"},
    SpellRow{"healing_motes", "spell_7", "7", "lt+dpdown", "healing motes"},
    SpellRow{"starfall", "spell_8", "8", "lt+dpleft", "starfall"},
};
inline constexpr std::size_t kSpellCount = kSpells.size();
/// Every replay has these; a row behind them may be missing in one. What a spell behind them has not done is not in
/// the hash, so replays stay valid when a row is added at the end.
inline constexpr std::size_t kFirstSpellCount = 8;
static_assert(kSpellCount >= kFirstSpellCount);
inline constexpr auto kSpellFiles = [] {
  std::array<std::string_view, kSpellCount> files{};
  for (std::size_t i = 0; i < kSpellCount; ++i) files[i] = kSpells[i].file;
  return files;
}();

}  // namespace spellpool::frame
