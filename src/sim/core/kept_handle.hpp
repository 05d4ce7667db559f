#pragma once
#include "core/handle.hpp"

namespace spellpool::sim {

/// A handle as the objects of a world keep it: without the number of the issuing pool, which debug builds store. A
/// saved world is also restored into other worlds, whose pools have other numbers.
template <class Tag, class Index, class Generation>
constexpr Handle<Tag, Index, Generation> kept(const Handle<Tag, Index, Generation>& handle) {
  return {handle.index, handle.generation};
}

}  // namespace spellpool::sim
