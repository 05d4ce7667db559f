#pragma once
#include <span>

#include "core/types.hpp"

namespace spellpool::frame {

struct PanelVertex {
  float x = 0, y = 0;      ///< Pixels from the picture's upper left.
  float u = 0, v = 0;      ///< Of the atlas or the image, 0 … 1.
  u32 rgba = 0;            ///< Red in the lowest byte; not premultiplied.
};

/// A small picture in panels. Opaque; bytes in the window's order, top row first; read with a bilinear filter.
struct PanelImage {
  const u32* texels = nullptr;
  int width = 0, height = 0, stride = 0;         ///< Stride in texels.
};

/// Triangles that are drawn one after the other, inside a rectangle of pixels.
struct PanelCommand {
  int left = 0, top = 0, right = 0, bottom = 0;  ///< Right and bottom are the first outside.
  u32 first_index = 0, index_count = 0;
  int image = -1;                                ///< Of PanelMesh::images; −1: the atlas.
};

/// What all panels come to, for a renderer that knows nothing of them. Points into its maker's memory, until the next
/// frame.
struct PanelMesh {
  std::span<const PanelVertex> vertices;
  std::span<const u32> indices;
  std::span<const PanelCommand> commands;
  const u8* atlas = nullptr;                     ///< Letters and lines: cover, one byte a texel, top row first.
  int atlas_width = 0, atlas_height = 0;
  std::span<const PanelImage> images;
};

}  // namespace spellpool::frame
