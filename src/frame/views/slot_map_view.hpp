#pragma once
#include <array>
#include <span>
#include <string_view>
#include <type_traits>

#include "core/slot_cell.hpp"
#include "frame/sim_command.hpp"

namespace spellpool::frame {

/// How the bytes of a member are read as a value. Bytes: they are not.
enum class SlotFieldKind : u8 { Bytes, Float, Unsigned, Signed };
template <class T>
constexpr SlotFieldKind slot_field_kind() {
  if constexpr (std::is_same_v<T, float>) return SlotFieldKind::Float;
  if constexpr (std::is_enum_v<T>) return SlotFieldKind::Unsigned;
  if constexpr (std::is_integral_v<T>) return std::is_signed_v<T> ? SlotFieldKind::Signed : SlotFieldKind::Unsigned;
  return SlotFieldKind::Bytes;
}

/// A member of the pooled objects, for the view of their bytes.
struct SlotField {
  u32 offset, bytes;
  std::string_view name;
  SlotFieldKind kind = SlotFieldKind::Bytes;
};

/// A place of the window of single slots: the pool's state after the last step.
struct SlotCell {
  u32 place = 0, slot = 0;
  u64 generation = 0;
  u8 cell = kSlotFree;
  bool seen = false;            ///< An object lives there, at this place of the screen.
  float x_px = 0, y_px = 0;
  u32 link = 0xffffffffu;       ///< Of a free cell that links: the place that its bytes name.
};
/// So many places are shown one by one.
inline constexpr u32 kSlotWindow = 64;

/// The slot map as the panel shows it: every place of one pool, and one of them in full.
struct SlotMapView {
  static constexpr u32 kNoPlace = 0xffffffffu;

  bool ready = false;           ///< False in the first frame after it was asked for.
  PoolId pool{};
  PlaceKind places = PlaceKind::Cells;
  std::span<const u8> cells;    ///< By place: core/slot_cell.hpp.
  std::span<const u32> next;    ///< Places that the next spawns get, in order; empty if they are not known.
  bool chained = false;         ///< Each free cell links to the next free one.
  u32 live = 0, free = 0, filled = 0, retired = 0, stolen = 0;
  // The image: `columns` texels a row. Each texel covers `per_texel` places and shows the cell of the
  // highest slot_rank().
  u64 texture = 0;              ///< OpenGL's name of it; 0: none.
  u32 columns = 0, per_texel = 1;
  // The place that the player looks at.
  u32 place = kNoPlace, slot = kNoPlace;
  u64 generation = 0;
  u8 cell = kSlotFree;
  std::span<const u8> bytes;    ///< Empty: there is nothing that could be read.
  u32 object_at = 0;            ///< Where in the bytes the object begins.
  u32 link_at = 0, link_bytes = 0;
  std::span<const SlotField> fields;
  bool seen = false;            ///< Its object is at this place of the screen:
  float x_px = 0, y_px = 0;
  // The object under the pointer in the game.
  u32 pointed = kNoPlace;
  float pointed_x_px = 0, pointed_y_px = 0;
  /// Places one by one, beginning at SlotMapRequest::window.
  std::span<const SlotCell> window;
};

/// What the panel wants to be shown in the next frame.
struct SlotMapRequest {
  bool shown = false;
  PoolId pool{};
  u32 columns = 0, per_texel = 1;
  /// None: the one under the pointer in the game, or else the one that the next spawn gets.
  u32 place = SlotMapView::kNoPlace;
  u32 window = 0;               ///< The first of the places that are shown one by one.
  bool points = false;          ///< The pointer is in the game, there:
  float point_x_px = 0, point_y_px = 0;
};

struct SlotColour {
  u8 r, g, b;
};
/// Of one cell: free ones nearly dark, the living from glowing (young) to dull (old), stolen places red.
constexpr SlotColour slot_colour(u8 cell) {
  if ((cell & kSlotStolen) != 0) return {255, 58, 96};
  if (cell == kSlotFilled) return {104, 44, 96};
  if (cell == kSlotRetired) return {120, 124, 134};
  if (cell < kSlotLive) return {33, 38, 58};
  // Three points of a ramp: gold, orange, violet.
  struct Point {
    float r, g, b;
  };
  constexpr Point kYoung{255, 240, 186}, kMiddle{242, 136, 72}, kOld{98, 64, 150};
  const float t = static_cast<float>(cell - kSlotLive) / static_cast<float>(kSlotAges - 1);
  const Point& a = t < 0.5f ? kYoung : kMiddle;
  const Point& b = t < 0.5f ? kMiddle : kOld;
  const float share = t < 0.5f ? t * 2 : t * 2 - 1;
  const auto mixed = [share](float from, float to) { return static_cast<u8>(from + (to - from) * share + 0.5f); };
  return {mixed(a.r, b.r), mixed(a.g, b.g), mixed(a.b, b.b)};
}
/// Of several that share a texel the one with the highest rank is seen.
constexpr u32 slot_rank(u8 cell) {
  if ((cell & kSlotStolen) != 0) return 64;
  if (cell >= kSlotLive) return 32u - (cell - kSlotLive);  // the younger the brighter
  return cell;
}

}  // namespace spellpool::frame
