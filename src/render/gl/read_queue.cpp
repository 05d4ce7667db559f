#include "render/gl/read_queue.hpp"

#include "core/assert.hpp"

namespace spellpool::render {

ReadQueue::~ReadQueue() {
  for (const Batch& batch : batches_) {
    if (batch.fence != nullptr) glDeleteSync(batch.fence);
  }
}

std::size_t ReadQueue::begin(std::size_t bytes) {
  SPELLPOOL_ASSERT(!is_full());
  const std::size_t place = (first_ + count_) % kMost;
  Batch& batch = batches_[place];
  if (!batch.buffer) batch.buffer = make_buffer();
  glBindBuffer(GL_PIXEL_PACK_BUFFER, batch.buffer.get());
  if (batch.room < bytes) {
    batch.room = bytes + bytes / 2;
    // Not GL_STREAM_READ: Chromium keeps a copy of such a buffer for the page, drops it unread here, and warns of
    // that each time.
    glBufferData(GL_PIXEL_PACK_BUFFER, static_cast<GLsizeiptr>(batch.room), nullptr, GL_STREAM_COPY);
  }
  batch.bytes = bytes;
  return place;
}

void ReadQueue::end() {
  batches_[(first_ + count_) % kMost].fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  ++count_;
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
}

bool ReadQueue::has_arrived() const {
  if (is_empty()) return false;
  const GLsync fence = batches_[first_].fence;
  // Without a fence, or where waiting for it fails, fetch() waits itself: else the queue would stay full for ever.
  return fence == nullptr || glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, 0) != GL_TIMEOUT_EXPIRED;
}

void ReadQueue::fetch(void* to) {
  SPELLPOOL_ASSERT(!is_empty());
  Batch& batch = batches_[first_];
  glBindBuffer(GL_PIXEL_PACK_BUFFER, batch.buffer.get());
  glGetBufferSubData(GL_PIXEL_PACK_BUFFER, 0, static_cast<GLsizeiptr>(batch.bytes), to);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  if (batch.fence != nullptr) glDeleteSync(batch.fence);
  batch.fence = nullptr;
  first_ = (first_ + 1) % kMost;
  --count_;
}

}  // namespace spellpool::render
