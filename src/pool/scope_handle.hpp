#pragma once
#include <utility>

namespace spellpool::pool {

/// Owns one object of a pool: releases it at the end of the scope, unless detach() was called. Move-only.
/// The pool must outlive it. If the object was already released, the release changes nothing and is counted
/// as for any stale handle.
///
///   ScopeHandle flare(flares, flares.acquire(x, y));
///   if (flare) flare.get()->brightness = 1;      // released at the end of the scope
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

  explicit operator bool() const { return !handle_.is_null(); }  ///< False if acquire() was refused, or after detach().
  HandleType handle() const { return handle_; }
  auto get() const { return pool_->get(handle_); }
  /// Gives up ownership: the caller must release the returned handle.
  HandleType detach() { return std::exchange(handle_, HandleType{}); }
  void reset() {
    if (!handle_.is_null()) pool_->release(std::exchange(handle_, HandleType{}));
  }

 private:
  P* pool_;
  HandleType handle_;
};

}  // namespace spellpool::pool
