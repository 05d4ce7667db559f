#include "render/gl/stream_buffer.hpp"

#include <cstring>

#include "core/assert.hpp"

namespace spellpool::render {
namespace {

// Far longer than any picture takes: a GPU that is silent for so long hangs.
constexpr GLuint64 kLongestWait_ns = 1'000'000'000;
// Regions start at whole multiples of this, so that no two share a cache line or a page of the GPU's.
constexpr std::size_t kRegionStep_bytes = 4096;

}  // namespace

bool StreamBuffer::can_map() {
  return epoxy_is_desktop_gl() && (epoxy_gl_version() >= 44 || epoxy_has_gl_extension("GL_ARB_buffer_storage"));
}

void StreamBuffer::start(bool mapped) {
  mapped_ = mapped && can_map();
  make(kLeastRoom_bytes);
}

void StreamBuffer::make(std::size_t bytes) {
  for (Fence& fence : fences_) fence.clear();
  room_bytes_ = (bytes + kRegionStep_bytes - 1) / kRegionStep_bytes * kRegionStep_bytes;
  region_ = 0;
  // The old buffer's storage lives until the GPU has drawn with it; its mapping ends with its name.
  buffer_ = make_buffer();
  if (!mapped_) return;
  glBindBuffer(GL_ARRAY_BUFFER, buffer_.get());
  const GLsizeiptr all = static_cast<GLsizeiptr>(kRegions * room_bytes_);
  constexpr GLbitfield kFlags = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
  glBufferStorage(GL_ARRAY_BUFFER, all, nullptr, kFlags);
  memory_ = static_cast<std::byte*>(glMapBufferRange(GL_ARRAY_BUFFER, 0, all, kFlags));
  if (memory_ != nullptr) return;
  while (glGetError() != GL_NO_ERROR) {
  }
  mapped_ = false;
  buffer_ = make_buffer();  // Such storage cannot be orphaned.
}

void StreamBuffer::reserve(std::size_t bytes) {
  if (bytes > room_bytes_) make(bytes);
}

void StreamBuffer::begin(std::size_t bytes) {
  if (bytes > room_bytes_) make(bytes + bytes / 2);
  glBindBuffer(GL_ARRAY_BUFFER, buffer_.get());
  if (mapped_) {
    wait_for(fences_[region_]);
    at_ = region_ * room_bytes_;
  } else {
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(room_bytes_), nullptr, GL_STREAM_DRAW);
    at_ = 0;
  }
  end_ = at_ + bytes;
}

std::size_t StreamBuffer::append(std::span<const std::byte> data) {
  SPELLPOOL_ASSERT(data.size() <= end_ - at_);
  const std::size_t place = at_;
  if (data.empty()) return place;
  if (mapped_) {
    std::memcpy(memory_ + place, data.data(), data.size());
  } else {
    glBufferSubData(GL_ARRAY_BUFFER, static_cast<GLintptr>(place), static_cast<GLsizeiptr>(data.size()), data.data());
  }
  at_ += data.size();
  return place;
}

void StreamBuffer::end() {
  if (!mapped_) return;
  fences_[region_].set();
  if (!fences_[region_].is_set()) glFinish();
  region_ = (region_ + 1) % kRegions;
}

void StreamBuffer::wait_for(Fence& fence) {
  if (!fence.is_set()) return;
  GLenum state = glClientWaitSync(fence.get(), 0, 0);
  if (state == GL_TIMEOUT_EXPIRED) {
    ++waits_;
    state = glClientWaitSync(fence.get(), GL_SYNC_FLUSH_COMMANDS_BIT, kLongestWait_ns);
  }
  // Failed or hanging: the plain way to wait, which also returns when the context is lost.
  if (state != GL_ALREADY_SIGNALED && state != GL_CONDITION_SATISFIED) glFinish();
  fence.clear();
}

}  // namespace spellpool::render
