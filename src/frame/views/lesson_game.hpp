#pragma once
// What a picture of the 8-bit lesson shows: a copy of its sprite table, its slots and its counters.
#include <array>
#include <string_view>
#include <vector>

#include "core/enum_table.hpp"
#include "core/types.hpp"

namespace spellpool::frame {

enum class EightBitPattern : u8 { Flag, IndexStack, Compaction };
struct EightBitPatternRow {
  EightBitPattern id;
  std::string_view name, title;
};
inline constexpr std::array kEightBitPatterns = {
    EightBitPatternRow{EightBitPattern::Flag, "flag", "Active flag"},
    EightBitPatternRow{EightBitPattern::IndexStack, "index_stack", "Index stack"},
    EightBitPatternRow{EightBitPattern::Compaction, "compaction", "Compaction"},
};
static_assert(rows_in_order(kEightBitPatterns));

inline constexpr u32 kEightBitSlots = 16, kEightBitSprites = 64;
inline constexpr u32 kEightBitWidth = 256, kEightBitHeight = 240;

enum class EightBitTile : u8 { Ship, LanternUp, LanternDown, Owl, OwlBlink, Shot, Bomb, Spark, SparkFading };
inline constexpr std::size_t kEightBitTileCount = 9;

struct EightBitSprite {
  u8 x = 0, y = 0;  ///< Of its upper left corner; 8×8 px.
  EightBitTile tile{};
};

/// Keys of the game, as bits.
enum EightBitKeys : u8 { kKeyLeft = 1, kKeyRight = 2, kKeyFire = 4 };

/// Slots that were looked at in a frame.
struct EightBitVisits {
  u32 spawn = 0;   ///< By searches for a free slot.
  u32 update = 0;  ///< By the walk that moves them.
};

struct EightBitView {
  std::vector<EightBitSprite> sprites;  ///< The table without gaps, as the picture chip gets it.
  std::array<bool, kEightBitSlots> active{};
  std::array<EightBitTile, kEightBitSlots> tiles{};
  std::vector<u8> free_stack;  ///< Index stack: the top is last.
  EightBitPattern pattern{};
  bool shows_find = true, shows_move = true;  ///< The counters of searches; those of the walk and the most.
  u32 live = 0, score = 0, frame = 0, refused = 0;
  std::array<EightBitVisits, kEightBitPatterns.size()>
      last{};  ///< Of the last frame, by pattern; 0 where it was not used.
  std::array<EightBitVisits, kEightBitPatterns.size()> most{};  ///< The most in a frame so far.
};

}  // namespace spellpool::frame
