#include "render/gl/read_queue.hpp"

#include "core/assert.hpp"

namespace spellpool::render {

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
  batches_[(first_ + count_) % kMost].fence.set();
  ++count_;
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
}

bool ReadQueue::has_arrived() const {
  // Where has_passed() cannot tell, fetch() waits itself: else the queue would stay full for ever.
  return !is_empty() && batches_[first_].fence.has_passed();
}

void ReadQueue::fetch(void* to) {
  SPELLPOOL_ASSERT(!is_empty());
  Batch& batch = batches_[first_];
  glBindBuffer(GL_PIXEL_PACK_BUFFER, batch.buffer.get());
  glGetBufferSubData(GL_PIXEL_PACK_BUFFER, 0, static_cast<GLsizeiptr>(batch.bytes), to);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  remove_oldest();
}

void ReadQueue::drop() {
  while (!is_empty()) remove_oldest();
}

void ReadQueue::remove_oldest() {
  batches_[first_].fence.clear();
  first_ = (first_ + 1) % kMost;
  --count_;
}

}  // namespace spellpool::render
