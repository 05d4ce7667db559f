#pragma once
#include "render/gl/gl.hpp"

namespace spellpool::render {

/// A point among OpenGL's calls. Freed with its GL context current.
class Fence {
 public:
  Fence() = default;
  ~Fence() { clear(); }
  Fence(const Fence&) = delete;
  Fence& operator=(const Fence&) = delete;

  /// Behind all calls so far. Stays unset where the driver makes none.
  void set() {
    clear();
    sync_ = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  }
  void clear() {
    if (sync_ != nullptr) glDeleteSync(sync_);
    sync_ = nullptr;
  }
  bool is_set() const { return sync_ != nullptr; }
  /// OpenGL has executed the calls before it. Does not wait. Also true where it is not set, or where waiting for it
  /// fails: else one would ask for ever.
  bool has_passed() const {
    return sync_ == nullptr || glClientWaitSync(sync_, GL_SYNC_FLUSH_COMMANDS_BIT, 0) != GL_TIMEOUT_EXPIRED;
  }
  GLsync get() const { return sync_; }

 private:
  GLsync sync_ = nullptr;
};

}  // namespace spellpool::render
