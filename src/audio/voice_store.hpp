#pragma once
// Where voices' records live, and the handles to them. All on the game's thread.
//
// Layout  rows_[capacity] {record, serial, generation, next free row} 24 B | the free list's cells, 64 B each.
// Two storages, switched at any time: `heap` news and deletes each record; `pool` takes a cell of a union free list. A
//         record goes back to the storage that it came from.
// Cost    make, give_back and find O(1); heap adds a new and a delete.
// Full    make() returns nullptr. capacity bounds all records that are out, so that a ring of that size can always give
//         every one of them back.
// Threads one owner. The record's `end` belongs to the audio thread until give_back().
// Source  Nystrom, Game Programming Patterns, "Object Pool".
#include <memory>
#include <vector>

#include "audio/voice.hpp"
#include "core/assert.hpp"
#include "pool/raw/raw_free_list.hpp"

namespace spellpool::audio {

class VoiceStore {
 public:
  explicit VoiceStore(u32 capacity) : rows_(capacity), cells_(capacity) {
    for (u32 i = 0; i < capacity; ++i) rows_[i].next_free = i + 1;
  }
  VoiceStore(const VoiceStore&) = delete;
  VoiceStore& operator=(const VoiceStore&) = delete;
  ~VoiceStore() {
    for (const Row& row : rows_) {
      if (row.voice != nullptr) destroy(row.voice);
    }
  }

  /// A record for this event; nullptr when all are out. Serials count from 1.
  Voice* make(const frame::AudioEvent& event) {
    if (first_free_ == rows_.size()) return nullptr;
    Row& row = rows_[first_free_];
    const u64 serial = next_serial_++;
    Voice* const voice = storage_ == frame::VoiceStorage::Heap ? new Voice{event, serial, first_free_, storage_}
                                                               : cells_.acquire(event, serial, first_free_, storage_);
    first_free_ = row.next_free;
    row.voice = voice;
    row.serial = serial;
    ++row.generation;
    ++out_;
    return voice;
  }

  /// The record's handle goes stale and its memory is free.
  void give_back(Voice* voice) {
    Row& row = rows_[voice->row];
    SPELLPOOL_ASSERT(row.voice == voice && (row.generation & 1u) != 0);
    row.voice = nullptr;
    ++row.generation;
    row.next_free = first_free_;
    first_free_ = voice->row;
    --out_;
    destroy(voice);
  }

  VoiceHandle handle_of(const Voice& voice) const { return {voice.row, rows_[voice.row].generation}; }
  /// Serial of the voice, 0 for a null or stale handle.
  u64 serial_of(VoiceHandle handle) const {
    const bool live = handle.index < rows_.size() && (handle.generation & 1u) != 0 &&
                      rows_[handle.index].generation == handle.generation;
    return live ? rows_[handle.index].serial : 0;
  }

  void set_storage(frame::VoiceStorage storage) { storage_ = storage; }
  frame::VoiceStorage storage() const { return storage_; }
  /// The next voice's serial; only for tests, which let it start late.
  void set_next_serial(u64 serial) { next_serial_ = serial; }
  u32 out() const { return out_; }
  u32 capacity() const { return static_cast<u32>(rows_.size()); }

 private:
  struct Row {
    Voice* voice = nullptr;
    u64 serial = 0;
    u32 generation = 0;
    u32 next_free = 0;
  };

  void destroy(Voice* voice) {
    if (voice->storage == frame::VoiceStorage::Heap) {
      delete voice;
    } else {
      cells_.release(voice);
    }
  }

  std::vector<Row> rows_;
  pool::RawFreeList<Voice, false> cells_;
  frame::VoiceStorage storage_ = frame::VoiceStorage::Pool;
  u32 first_free_ = 0;
  u32 out_ = 0;
  u64 next_serial_ = 1;
};

}  // namespace spellpool::audio
