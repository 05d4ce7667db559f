#pragma once
#include <memory_resource>

#include "pool/base.hpp"

namespace spellpool::pool {

/// Adapts a std::pmr::memory_resource to the memory source of a pool. The resource and this object must
/// outlive the pool.
///
///   std::pmr::monotonic_buffer_resource level(1 << 20);
///   PmrSource memory(&level);
///   FreeListPool<Bullet> bullets(PoolSize{.capacity = 1000, .memory = &memory});
class PmrSource final : public PoolMemory {
 public:
  explicit PmrSource(std::pmr::memory_resource* resource) : resource_(resource) {}
  void* allocate(std::size_t bytes, std::size_t align) override { return resource_->allocate(bytes, align); }
  void deallocate(void* memory, std::size_t bytes, std::size_t align) noexcept override {
    resource_->deallocate(memory, bytes, align);
  }

 private:
  std::pmr::memory_resource* resource_;
};

}  // namespace spellpool::pool
