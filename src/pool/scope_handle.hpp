#pragma once
#include <utility>

namespace spellpool::pool {

/// Owns one object of a pool for as long as a scope: releases it at the end, unless detach() was called. Move-only.
/// A pool that was told to end the object before is not disturbed: the handle is stale then, and counted as such.
///
///   ScopeHandle flare(flares, flares.acquire(x, y));
///   if (flare) flare.get()->brightness = 1;      // released here
template <class P>
class ScopeHandle {
 public:
  using HandleType = typename P::HandleType;

  ScopeHandle(P& pool, HandleType handle) : pool_(&pool), handle_(handle) {}
  ScopeHandle(ScopeHandle&& other) noexcept : pool_(other.pool_), handle_(std::exchange(other.handle_, HandleType{})) {}
  ScopeHandle& operator=(ScopeHandle&& other) noexcept {
    if (this != &other) {
      reset();
      pool_ = other.pool_;
      handle_ = std::exchange(other.handle_, HandleType{});
    }
    return *this;
  }
  ~ScopeHandle() { reset(); }

  explicit operator bool() const { return !handle_.is_null(); }  ///< There was room for it.
  HandleType handle() const { return handle_; }
  auto get() const { return pool_->get(handle_); }
  /// The object lives on; who gets the handle releases it.
  HandleType detach() { return std::exchange(handle_, HandleType{}); }
  void reset() {
    if (!handle_.is_null()) pool_->release(std::exchange(handle_, HandleType{}));
  }

 private:
  P* pool_;
  HandleType handle_;
};

}  // namespace spellpool::pool
