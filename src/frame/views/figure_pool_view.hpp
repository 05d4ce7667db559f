#pragma once
// The pool of the CPU renderer's images of figures (render/figure_images.hpp), as panels and summaries show it.
#include "core/types.hpp"

namespace spellpool::frame {

/// Where the pixels of an image come from: a rectangle of one sheet, or a texture and a framebuffer of its own.
enum class FigureStore : u8 { Pool, MakeDestroy };
/// What happens if a figure finds no room: as pool::PolicyId of these names.
enum class FigurePolicy : u8 { Reject, StealOldest, StealLeast };
/// Pixels that all images have together.
enum class FigureRoom : u8 { Half, ThreeQuarters, Whole, FiveQuarters };
/// In pictures of the window's size.
constexpr float pictures_of(FigureRoom room) { return 0.25f * static_cast<float>(static_cast<u8>(room) + 2); }

struct FigurePoolView {
  FigureStore store{};
  FigurePolicy policy{};
  FigureRoom room{};
  u32 live = 0, peak = 0;               ///< Images that have pixels.
  u64 live_px = 0, peak_px = 0, capacity_px = 0;  ///< In whole blocks of 32×32.
  u64 spawned = 0;                      ///< Images that were given pixels,
  u64 made = 0;                         ///< and textures with framebuffers that were made for them.
  u64 stolen = 0;                       ///< Images that the policy took the pixels from.
  u64 rejected = 0;                     ///< Searches for room that found none.
  u64 direct = 0;                       ///< Figures without an image that were drawn with the picture; each counts once a picture.
  u64 drawn_px = 0;                     ///< Pixels that OpenGL drew into images,
  u64 pictures = 0;                     ///< in so many pictures.
  u64 reused() const { return spawned > made ? spawned - made : 0; }
  bool shown() const { return capacity_px > 0; }
  void add(const FigurePoolView& other) {
    live += other.live, peak += other.peak;
    live_px += other.live_px, peak_px += other.peak_px, capacity_px += other.capacity_px;
    spawned += other.spawned, made += other.made, stolen += other.stolen, rejected += other.rejected,
        direct += other.direct;
    drawn_px += other.drawn_px, pictures += other.pictures;
  }
};

}  // namespace spellpool::frame
