#pragma once
// What the CPU path's kernels ask of a processor: 16 u16 and 8 floats that one word of code handles together. Three
// files give them (cpu_lanes_avx2.hpp, cpu_lanes_sse2.hpp, cpu_lanes_portable.hpp), and each operation gives the same
// bits in all three: wrapping or saturating whole numbers, and single IEEE operations, no reciprocals and no FMA.
//
// Order of lanes. Packing and unpacking on AVX2 work on halves of a register, so eight pixels lie in the order
// 0 1 4 5 2 3 6 7 and sixteen as those, then the same plus 8, half by half. Tables are laid out that way (kLanePixel).
#include "core/types.hpp"

namespace spellpool::render {

/// Which of eight pixels is in a lane of F32.
inline constexpr int kLanePixel[8] = {0, 1, 4, 5, 2, 3, 6, 7};

}  // namespace spellpool::render
