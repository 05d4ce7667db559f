#pragma once
#include <bit>
#include <type_traits>

#include "core/rng.hpp"

namespace spellpool {

/// 64-bit hash of a sequence of plain values, in order. Floats count by bit pattern (so -0 and 0 differ).
class StateHash {
 public:
  template <class T>
    requires std::is_integral_v<T> || std::is_enum_v<T>
  constexpr StateHash& add(T value) {
    state_ = mix64(state_ ^ (static_cast<u64>(value) + 0x9e3779b97f4a7c15ull));
    return *this;
  }
  constexpr StateHash& add(float value) { return add(std::bit_cast<u32>(value)); }
  /// One after another, from the left.
  template <class... T>
  requires(sizeof...(T) > 1) constexpr StateHash& add(T... values) {
    (add(values), ...);
    return *this;
  }
  constexpr u64 value() const { return state_; }

 private:
  u64 state_ = 0x5350454c4c504f4full;
};

/// Of two parts that have `add_to(StateHash&)`.
template <class Part>
bool hashes_differ(const Part& a, const Part& b) {
  StateHash of_a, of_b;
  a.add_to(of_a);
  b.add_to(of_b);
  return of_a.value() != of_b.value();
}

/// Hash of a set: the sum of the members' hashes, so the order of the visit does not count. Each member must hash its
/// own identity (spawn id) too, so that two members cannot trade places unseen.
class SetHash {
 public:
  constexpr void add(u64 member_hash) {
    sum_ += member_hash;
    ++count_;
  }
  constexpr u64 value() const { return mix64(sum_ ^ mix64(count_)); }

 private:
  u64 sum_ = 0;
  u64 count_ = 0;
};

}  // namespace spellpool
