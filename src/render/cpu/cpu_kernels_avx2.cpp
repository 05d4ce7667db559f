// Compiled with AVX2 (src/CMakeLists.txt); called only where the processor has it.
#if defined(__AVX2__)
#include "render/cpu/cpu_kernels_of.hpp"
#include "render/cpu/cpu_lanes_avx2.hpp"

namespace spellpool::render {

extern const CpuKernels kAvx2Kernels;
constexpr CpuKernels kAvx2Kernels = KernelsOf<Avx2>::table("AVX2");

}  // namespace spellpool::render
#endif
