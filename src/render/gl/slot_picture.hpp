#pragma once
#include <memory>
#include <span>

#include "core/types.hpp"

namespace spellpool::render {

/// The slot map as a texture: one texel a place of a pool, in the colours of frame::slot_colour(). One rectangle a
/// place would be 400,000 vertices for a pool of 100,000.
/// Needs the GL context from its first update() to its end.
class SlotPicture {
 public:
  SlotPicture();
  ~SlotPicture();
  SlotPicture(const SlotPicture&) = delete;
  SlotPicture& operator=(const SlotPicture&) = delete;

  /// `columns` texels a row, 1 … 4096, each the most telling of `per_texel` places. What is left of the last row is clear. Allocates
  /// only where the picture gets another size.
  void update(std::span<const u8> cells, u32 columns, u32 per_texel);
  /// OpenGL's name of the texture, 0 before the first update. Nearest filter, top row first.
  u64 texture() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace spellpool::render
