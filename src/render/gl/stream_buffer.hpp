#pragma once
// A buffer of vertex data that the processor fills anew for each picture while the GPU still reads the last ones.
//
// Mapped   three regions of one buffer, mapped for good (OpenGL 4.4 or ARB_buffer_storage): each picture's data is
//          copied straight into the next region. A fence after the picture's last draw call guards its region, so the
//          processor waits only for a GPU that is three pictures behind.
// Orphaned anywhere else (OpenGL 3.3, ES 3.0, WebGL 2): the old storage is given up, and the driver finds another.
//
// Cost    one copy of the data; no operator new, and no GL object made unless it must grow.
// Memory  room() bytes, three times that when mapped.
// Invalidates  growth makes another buffer: buffer() must be asked after begin(). What was drawn stays whole.
// Threads the one whose GL context is current, from start() to the destructor.
#include <array>
#include <cstddef>
#include <span>

#include "core/types.hpp"
#include "render/gl/fence.hpp"
#include "render/gl/gl.hpp"
#include "render/gl/render_target.hpp"

namespace spellpool::render {

class StreamBuffer {
 public:
  static constexpr std::size_t kRegions = 3;
  /// No buffer is smaller: 32,768 particles.
  static constexpr std::size_t kLeastRoom_bytes = 512 * 1024;

  StreamBuffer() = default;
  StreamBuffer(const StreamBuffer&) = delete;
  StreamBuffer& operator=(const StreamBuffer&) = delete;

  /// Whether the current context can map a buffer for good.
  static bool can_map();
  /// Makes the buffer. `mapped` is a request: without can_map(), or where mapping fails, it is orphaned.
  void start(bool mapped);

  /// Room for this many bytes a picture, up front. Nothing may be between begin() and end().
  void reserve(std::size_t bytes);
  /// A picture that will append at most this many bytes in all. Binds the buffer to GL_ARRAY_BUFFER.
  void begin(std::size_t bytes);
  /// Copies to the buffer, which must still be bound; returns where it lies from the buffer's start.
  std::size_t append(std::span<const std::byte> data);
  /// After the last draw call that reads what was appended.
  void end();

  GLuint buffer() const { return buffer_.get(); }
  bool mapped() const { return mapped_; }
  std::size_t room() const { return room_bytes_; }
  /// How often the GPU was so far behind that begin() had to wait.
  u64 waits() const { return waits_; }

 private:
  void make(std::size_t bytes);
  void wait_for(Fence& fence);

  Buffer buffer_;
  bool mapped_ = false;
  std::byte* memory_ = nullptr;  ///< All regions, when mapped.
  std::size_t room_bytes_ = 0;
  std::size_t region_ = 0;
  std::size_t at_ = 0, end_ = 0;  ///< From the buffer's start: the next byte, and where this picture's room ends.
  std::array<Fence, kRegions> fences_;
  u64 waits_ = 0;
};

}  // namespace spellpool::render
