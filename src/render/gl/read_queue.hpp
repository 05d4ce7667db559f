#pragma once
// Copies of what OpenGL has drawn, asked for in one picture and fetched in a later one, so that no picture waits for
// OpenGL. A few batches are on their way at a time; they arrive in the order in which they were asked for.
#include <array>
#include <cstddef>

#include "render/gl/fence.hpp"
#include "render/gl/gl.hpp"
#include "render/gl/render_target.hpp"

namespace spellpool::render {

class ReadQueue {
 public:
  static constexpr std::size_t kMost = 3;

  ReadQueue() = default;
  ReadQueue(const ReadQueue&) = delete;
  ReadQueue& operator=(const ReadQueue&) = delete;

  bool is_full() const { return count_ == kMost; }
  bool is_empty() const { return count_ == 0; }
  /// Until end(), glReadPixels() writes into the batch, at the byte that it gets as a pointer. Not when full. Returns
  /// the batch's place, below kMost.
  std::size_t begin(std::size_t bytes);
  void end();
  /// The oldest batch has arrived. Does not wait.
  bool has_arrived() const;
  /// Where begin() has put the oldest one. Not when empty.
  std::size_t oldest() const { return first_; }
  /// Copies the oldest one and removes it.
  void fetch(void* to);
  /// Removes all, unread.
  void drop();

 private:
  struct Batch {
    Buffer buffer;
    std::size_t room = 0, bytes = 0;
    Fence fence;
  };
  void remove_oldest();

  std::array<Batch, kMost> batches_;
  std::size_t first_ = 0, count_ = 0;
};

}  // namespace spellpool::render
