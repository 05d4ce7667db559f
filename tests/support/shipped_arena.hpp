#pragma once
// The emitters of assets/arena.toml, for tests that make a world without files.
#include <memory>

#include "content/game/spell_file.hpp"

namespace spellpool::test {

inline std::shared_ptr<const frame::ArenaDef> shipped_arena() {
  static const auto arena = std::make_shared<const frame::ArenaDef>(
      content::parse_arena(content::builtin_arena(), "arena.toml").arena.value());
  return arena;
}

}  // namespace spellpool::test
