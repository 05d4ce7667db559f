#pragma once
#include <memory>
#include <span>

#include "core/types.hpp"

namespace spellpool::render {

/// The slot map as a texture: one texel for one or more slots of a pool, in the colours of
/// frame::slot_colour(). One rectangle per slot would be 400,000 vertices for a pool of 100,000.
/// Needs the GL context from its first update() to its end.
class SlotPicture {
 public:
  SlotPicture();
  ~SlotPicture();
  SlotPicture(const SlotPicture&) = delete;
  SlotPicture& operator=(const SlotPicture&) = delete;

  /// Writes `columns` texels a row, 1 … 4096. A texel shows one of its `per_texel` slots: the one with the
  /// highest frame::slot_rank(). The rest of the last row is clear. Allocates only when the texture changes
  /// its size.
  void update(std::span<const u8> cells, u32 columns, u32 per_texel);
  /// OpenGL's name of the texture, 0 before the first update. Nearest filter, top row first.
  u64 texture() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace spellpool::render
