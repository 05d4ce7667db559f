#pragma once
// Memory for pixels.
#include <cstddef>
#include <memory>

namespace spellpool::render {

/// Memory aligned to 64 bytes at least. Large ones ask the system for large pages: of small ones a tile touches another
/// every eight rows, of the finished picture every row, and each has to be looked up.
void* new_raw(std::size_t bytes);
void delete_raw(void* memory, std::size_t bytes);

/// Numbers that are not set to anything when they are made.
template <class T>
class RawBuffer {
 public:
  /// What was there is lost. Memory is kept while a fifth of it is used, so that a picture whose resolution falls to a
  /// half, which is a quarter of the pixels, and rises again allocates nothing.
  void resize(std::size_t count) {
    if (count > room_ || count < room_ / 5) {
      data_.reset();
      count_ = room_ = 0;
      data_ = {static_cast<T*>(new_raw(count * sizeof(T))), Free{count * sizeof(T)}};
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
  struct Free {
    std::size_t bytes = 0;
    void operator()(T* p) const { delete_raw(p, bytes); }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t count_ = 0, room_ = 0;
};

}  // namespace spellpool::render
