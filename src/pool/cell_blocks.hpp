#pragma once
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "core/types.hpp"
#include "pool/poison.hpp"
#include "pool/tables.hpp"

namespace spellpool::pool {

/// Cells start on 8 bytes, which is how finely ASan can poison.
template <class T>
inline constexpr std::size_t kCellAlign = alignof(T) < 8 ? 8 : alignof(T);
/// Bytes of a T in such steps: where nothing stands behind the object in its cell.
template <class T>
inline constexpr std::size_t kCellRoom = (sizeof(T) + 7) / 8 * 8;

/// Which bytes of a free cell say what is free next.
struct FreeLink {
  u32 at, bytes;
};

/// Raw cells in blocks that never move: the addresses of objects in them stay good while a pool grows.
/// Layout   The first block holds what was asked for at the start, contiguous and on a cache line; later blocks are what was
///          added. A cell of the first block costs one compare more than in a plain array; of a later one, a search.
/// Throws   std::bad_alloc; then nothing has changed.
/// Cells are bytes, zero at first: whoever owns the blocks begins and ends the lives of objects in them.
template <class Cell>
class CellBlocks {
 public:
  CellBlocks() = default;
  CellBlocks(CellBlocks&& other) noexcept { swap(other); }
  CellBlocks& operator=(CellBlocks&& other) noexcept {
    swap(other);
    return *this;
  }
  ~CellBlocks() {
    while (!blocks_.empty()) drop_last();
  }

  Cell& operator[](u32 slot) const {
    if (slot < first_count_) [[likely]] return first_[slot];
    return later(slot);
  }
  /// The first block alone: for code that knows that there is no other.
  struct First {
    Cell* cells;
    Cell& operator[](u32 slot) const { return cells[slot]; }
  };
  First first() const { return {first_}; }

  /// The cells slot … slot + count as one run, or nullptr if they are not.
  Cell* run(u32 slot, u32 count) const { return slot + count <= first_count_ ? first_ + slot : nullptr; }

  /// Takes the memory of so many cells in one piece, but touches none of it: add() does, as far as it reaches. Only for the first block.
  /// Returns the allocations made.
  u32 reserve(u32 cells) {
    if (!blocks_.empty() || cells == 0) return 0;
    const u32 calls = 1 + reserve_exactly(blocks_, 1);
    first_ = static_cast<Cell*>(::operator new(bytes_of(cells), std::align_val_t{kAlign}));
    poison(first_, bytes_of(cells));
    blocks_.push_back({first_, 0, 0});
    reserved_ = cells;
    return calls;
  }
  /// Returns the allocations made.
  u32 add(u32 cells) {
    const u32 left = blocks_.size() == 1 && reserved_ > first_count_ ? reserved_ - first_count_ : 0;
    if (cells <= left) {
      use_reserve(cells);
      return 0;
    }
    cells -= left;
    const u32 calls = 1 + reserve_exactly(blocks_, blocks_.size() + 1);
    Cell* block = static_cast<Cell*>(::operator new(bytes_of(cells), std::align_val_t{kAlign}));
    std::memset(static_cast<void*>(block), 0, bytes_of(cells));  // touches every page: no fault is left for a frame
    use_reserve(left);
    blocks_.push_back({block, count_, cells});
    count_ += cells;
    bytes_ += sizeof(Cell) * cells;
    if (blocks_.size() == 1) {
      first_ = block;
      first_count_ = cells;
    }
    return calls;
  }
  /// Gives the last block back. Its cells hold no objects.
  void drop_last() {
    const Block last = blocks_.back();
    unpoison(last.cells, bytes_of(blocks_.size() == 1 && reserved_ > last.count ? reserved_ : last.count));
    ::operator delete(last.cells, std::align_val_t{kAlign});
    blocks_.pop_back();
    count_ = last.first;
    bytes_ -= sizeof(Cell) * last.count;
    if (blocks_.empty()) {
      first_ = nullptr;
      first_count_ = reserved_ = 0;
    }
  }
  /// How many cells are left when all last blocks are dropped that begin at `keep` or later; the first block stays.
  u32 count_without(u32 keep) const {
    u32 count = count_;
    for (std::size_t i = blocks_.size(); i > 1 && blocks_[i - 1].first >= keep; --i) count = blocks_[i - 1].first;
    return count;
  }
  std::size_t blocks() const { return blocks_.size(); }
  u32 count() const { return count_; }
  u64 bytes() const { return bytes_; }

  void swap(CellBlocks& other) noexcept {
    std::swap(first_, other.first_);
    std::swap(first_count_, other.first_count_);
    std::swap(reserved_, other.reserved_);
    std::swap(count_, other.count_);
    std::swap(bytes_, other.bytes_);
    blocks_.swap(other.blocks_);
  }

 private:
  struct Block {
    Cell* cells;
    u32 first, count;
  };
  static constexpr std::size_t kAlign = alignof(Cell) < 64 ? 64 : alignof(Cell);
  static std::size_t bytes_of(u32 cells) { return sizeof(Cell) * (cells > 0 ? cells : 1); }

  void use_reserve(u32 cells) {
    if (cells == 0) return;
    unpoison(first_ + first_count_, sizeof(Cell) * cells);
    std::memset(static_cast<void*>(first_ + first_count_), 0, sizeof(Cell) * cells);
    first_count_ += cells;
    count_ += cells;
    bytes_ += sizeof(Cell) * cells;
    blocks_[0].count = first_count_;
  }
  Cell& later(u32 slot) const {
    std::size_t low = 1, high = blocks_.size() - 1;  // blocks are in order of their first cell
    while (low < high) {
      const std::size_t middle = (low + high + 1) / 2;
      if (blocks_[middle].first <= slot) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return blocks_[low].cells[slot - blocks_[low].first];
  }

  Cell* first_ = nullptr;
  u32 first_count_ = 0;
  u32 reserved_ = 0;  // cells that the first block has memory for; 0 if it has no more than it counts
  u32 count_ = 0;
  u64 bytes_ = 0;
  std::vector<Block> blocks_;
};

}  // namespace spellpool::pool
