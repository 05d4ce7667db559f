#pragma once
// The pictures of marks on the floor (frame::DecalInstance), for both drawing paths: scorch marks and cracks, painted
// once. OpenGL reads them as a texture, the CPU renderer as they are.
//
// Layout  kDecalLooks cells of kDecalSide² texels side by side, upper row first. A texel: low byte how much of the
//         stone is covered with soot or gone, high byte how much of it glows while the mark is fresh. Both are 0
//         outside the circle that a cell's edges touch, so a cell can be turned and filtered without its neighbours.
// Cost    about 10 ms, once.
#include <vector>

#include "core/types.hpp"
#include "frame/render_snapshot.hpp"
#include "render/gl/render_target.hpp"

namespace spellpool::render {

inline constexpr int kDecalSide = 128;
inline constexpr int kDecalLooks = frame::kDecalKinds * frame::kDecalVariants;

std::vector<u16> decal_sheet_texels();
Texture make_decal_sheet(const std::vector<u16>& texels);

/// In place of numbers that cannot be drawn, and of looks that are not there. False: nothing of it is seen.
bool is_seen(const frame::DecalInstance& decal);

}  // namespace spellpool::render
