#pragma once
// Memory for pixels and samples.
#include <cstddef>
#include <memory>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace spellpool {

/// Numbers that are not set to anything when they are made, aligned to 64 bytes at least. Large ones ask the system for
/// large pages: of small ones a tile of the picture touches another every eight rows, of the finished picture every row,
/// and each has to be looked up; and 512 of them are made one by one where a large one is made at once.
template <class T>
class RawBuffer {
 public:
  /// What was there is lost. Memory is kept while a fifth of it is used, so that a picture whose resolution falls to a
  /// half, which is a quarter of the pixels, and rises again allocates nothing.
  void resize(std::size_t count) {
    if (count > room_ || count < room_ / 5) {
      data_.reset();
      count_ = room_ = 0;
      data_ = {static_cast<T*>(allocate(count * sizeof(T))), Free{count * sizeof(T)}};
      room_ = count;
    }
    count_ = count;
  }
  /// Room for `count`, with some to spare if it must grow. What was there is lost.
  void make_room(std::size_t count) {
    if (count > count_) resize(count <= room_ ? room_ : count + count / 4);
  }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  std::size_t size() const { return count_; }

 private:
#if defined(__linux__)
  static constexpr std::size_t kLargePage = std::size_t{2} << 20;
  static std::align_val_t alignment_of(std::size_t bytes) {
    return std::align_val_t{bytes < kLargePage ? 64 : kLargePage};
  }
#else
  static std::align_val_t alignment_of(std::size_t) { return std::align_val_t{64}; }
#endif
  static void* allocate(std::size_t bytes) {
    void* const memory = ::operator new(bytes, alignment_of(bytes));
#if defined(__linux__)
    if (bytes >= kLargePage) madvise(memory, bytes / kLargePage * kLargePage, MADV_HUGEPAGE);
#endif
    return memory;
  }
  struct Free {
    std::size_t bytes = 0;
    void operator()(T* p) const { ::operator delete(p, alignment_of(bytes)); }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t count_ = 0, room_ = 0;
};

}  // namespace spellpool
