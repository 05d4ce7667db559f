#pragma once
#include <array>

#include "render/cpu/cpu_kernels.hpp"
#include "render/gl/render_target.hpp"

namespace spellpool::render {

/// 128×128 texels of soft, tileable cloud, 0 … 1 in red: what breaks up the round shape of smoke. Made on the CPU,
/// always the same. Source: value noise on a wrapping lattice, four octaves.
std::array<u8, kNoiseSide * kNoiseSide> smoke_noise_texels();
Texture make_smoke_noise();

}  // namespace spellpool::render
