#pragma once
#include "core/types.hpp"

namespace spellpool::pool {

/// What shall happen beside construction and destruction, known when the pool is compiled, so that hooks that are not there
/// cost nothing. Specialise it with any of these:
///
///   template <>
///   struct spellpool::pool::HooksOf<Voice> {
///     static void created(u32 slots);      // room for so many more was made: at the start, and when the pool grows
///     static void acquired(Voice& voice);  // begins: after its constructor
///     static void released(Voice& voice);  // ends because somebody said so: before its destructor
///     static void discarded(Voice& voice); // ends because the policy needed its place, likewise
///     static void destroyed(u32 slots);    // room was given back: by trim, a smaller capacity, or the pool's end
///   };
///
/// Hooks neither acquire nor release in the pool that calls them. An object that owns things gives them up in its destructor,
/// which runs at release: a dead slot holds nothing.
template <class T>
struct HooksOf {};

}  // namespace spellpool::pool
