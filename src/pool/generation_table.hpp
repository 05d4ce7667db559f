#pragma once
#include <vector>

#include "core/assert.hpp"
#include "pool/generation.hpp"
#include "pool/tables.hpp"

namespace spellpool::pool {

/// The generation of every slot that a storage has or ever had: what makes a handle stale (see generation.hpp).
/// Layout   Generation[known]. A slot that a smaller capacity dropped keeps its generation, so that handles to it stay stale
///          when it comes back.
template <std::unsigned_integral Generation>
class GenerationTable {
  using Rule = GenerationRule<Generation>;

 public:
  /// For `slots` slots, those that `known` knows as they are there.
  GenerationTable(u32 slots, const GenerationTable& known) {
    of_.reserve(known.of_.size() > slots ? known.of_.size() : slots);
    of_ = known.of_;
    if (slots > of_.size()) of_.resize(slots, Rule::kFresh);
    use(slots);
  }
  GenerationTable() = default;

  /// Room for what extend() will ask for.
  u32 reserve(u32 slots) { return reserve_exactly(of_, slots); }
  /// More slots. Returns the allocations made.
  u32 extend(u32 slots) {
    const u32 calls = slots > of_.size() ? resize_exactly(of_, slots, Rule::kFresh) : 0;
    for (u32 slot = in_use_; slot < slots; ++slot) retired_ += of_[slot] == Rule::kRetired;
    in_use_ = slots;
    return calls;
  }
  /// Fewer: the rest stays known.
  void shrink(u32 slots) { use(slots); }
  bool resolves(u32 slot, Generation generation) const { return slot < of_.size() && holds(slot, generation); }
  /// The same for a slot that is known.
  bool holds(u32 slot, Generation generation) const { return Rule::is_live(generation) && of_[slot] == generation; }
  bool is_live(u32 slot) const { return slot < of_.size() && Rule::is_live(of_[slot]); }
  bool is_usable(u32 slot) const { return Rule::is_usable(of_[slot]); }
  Generation begin_tenancy(u32 slot) { return of_[slot] = Rule::tenant_in(of_[slot]); }
  /// False: the slot is worn out and must not be given to anybody again.
  bool end_tenancy(u32 slot) {
    of_[slot] = Rule::tenant_out(of_[slot]);
    if (of_[slot] != Rule::kRetired) return true;
    ++retired_;
    return false;
  }

  /// The same where the slot's generation is known, and is not the last one.
  void end_tenancy(u32 slot, Generation now) { of_[slot] = Rule::tenant_out(now); }

  Generation operator[](u32 slot) const { return of_[slot]; }
  u32 known() const { return static_cast<u32>(of_.size()); }
  u32 retired() const { return retired_; }  ///< Of the slots in use.
  u64 bytes() const { return of_.capacity() * sizeof(Generation); }

 private:
  void use(u32 slots) {
    retired_ = 0;
    for (u32 slot = 0; slot < slots; ++slot) retired_ += of_[slot] == Rule::kRetired;
    in_use_ = slots;
  }

  std::vector<Generation> of_;
  u32 retired_ = 0, in_use_ = 0;
};

}  // namespace spellpool::pool
