#pragma once
#include <chrono>
#include <thread>

namespace spellpool::test {

/// Asks until it holds; false if it does not within a minute.
template <class Condition>
bool until(const Condition& holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

}  // namespace spellpool::test
