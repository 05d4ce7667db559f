#pragma once
// Counts what a program asks of OpenGL, by calls that stand in front of the loader's own.
#include "core/types.hpp"

namespace spellpool::test {

struct GlCounts {
  u32 draws = 0;          ///< Draw calls; each may draw many instances.
  u32 targets = 0;        ///< Framebuffers that were bound.
  u32 state_changes = 0;  ///< Programs, textures, buffers, vertex arrays, uniforms, blending and the like that were set.
  u32 read_backs = 0;     ///< Pixels read into memory, buffers mapped for reading: the caller waits for OpenGL.
  u32 finishes = 0;       ///< glFinish.
  u32 compiled = 0;       ///< Shaders compiled and programs linked.
  u64 bytes = 0;          ///< Uploaded into buffers and textures. Not: what is written into a mapped buffer.
};

/// Counts from its construction to its destruction. One at a time, on the context's thread.
class GlCalls {
 public:
  GlCalls();
  ~GlCalls();
  GlCalls(const GlCalls&) = delete;
  GlCalls& operator=(const GlCalls&) = delete;
  GlCounts& counts() { return counts_; }

 private:
  GlCounts counts_;
};

}  // namespace spellpool::test
