#pragma once
#include "core/types.hpp"

namespace spellpool {

/// SplitMix64's finaliser: every input bit reaches every output bit. The base of our hashes and of keyed RNGs.
/// Source  Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
constexpr u64 mix64(u64 x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ull;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebull;
  x ^= x >> 31;
  return x;
}

/// SplitMix64 generator, 8 bytes of state. One draw is an add and a mix64. Same numbers on every platform.
/// An object's own stream is Rng{mix64(seed ^ spawn_id)}: keyed by what it is, not by when it was visited.
/// Never put two draws into one argument list: compilers evaluate arguments in different orders.
class Rng {
 public:
  constexpr explicit Rng(u64 seed) : state_(seed) {}

  constexpr u64 next_u64() { return mix64(state_ += 0x9e3779b97f4a7c15ull); }
  constexpr u32 next_u32() { return static_cast<u32>(next_u64() >> 32); }
  /// Uniform in [0, 1): 24 bits, so that the conversion to float is exact.
  constexpr float unit() { return static_cast<float>(next_u64() >> 40) * (1.0f / 16777216.0f); }
  constexpr float range(float low, float high) { return low + (high - low) * unit(); }
  /// Uniform in [-1, 1).
  constexpr float signed_unit() { return unit() * 2.0f - 1.0f; }
  /// Uniform in [0, count); count > 0. Bias below 2^-32·count.
  constexpr u32 below(u32 count) { return static_cast<u32>((static_cast<u64>(next_u32()) * count) >> 32); }
  constexpr u64 state() const { return state_; }

 private:
  u64 state_;
};

}  // namespace spellpool
