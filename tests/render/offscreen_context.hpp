#pragma once
// A GL context without a window, for tests: EGL's surfaceless platform, as SDL's offscreen driver uses it.
#include "core/types.hpp"

namespace spellpool::render::test {

/// Makes a context current for its life; made() is false where there is none (then tests are skipped, not passed).
class OffscreenContext {
 public:
  enum class Api : u8 { Desktop33, Es30 };
  explicit OffscreenContext(Api api = Api::Desktop33);
  ~OffscreenContext();
  OffscreenContext(const OffscreenContext&) = delete;
  OffscreenContext& operator=(const OffscreenContext&) = delete;
  bool made() const { return context_ != nullptr; }

 private:
  void* display_ = nullptr;
  void* context_ = nullptr;
};

}  // namespace spellpool::render::test
