#pragma once
#include <cstddef>
#include <vector>

#include "core/types.hpp"

namespace spellpool::pool {

// Tables are vectors that grow to the size asked for and not beyond, so that bytes() is what a pool needs; and they tell whether
// they allocated, so that new_calls() is right.

template <class T>
u32 reserve_exactly(std::vector<T>& table, std::size_t rows) {
  if (rows <= table.capacity()) return 0;
  table.reserve(rows);
  return 1;
}
template <class T>
u32 resize_exactly(std::vector<T>& table, std::size_t rows, T value = T{}) {
  const u32 calls = reserve_exactly(table, rows);
  table.resize(rows, value);
  return calls;
}

}  // namespace spellpool::pool
