#pragma once
#include <concepts>

#include "core/types.hpp"

namespace spellpool::pool {

/// What a pool asks of its objects when it is full and one of them has to go. Specialise it, or give T a member `spawn_id`
/// (rising with each birth) and, for steal_least, a const member function `importance()`.
///
///   template <>
///   struct spellpool::pool::OrderOf<Voice> {
///     static u64 serial(const Voice& voice) { return voice.started; }         // who is older: lower
///     static float score(const Voice& voice) { return voice.loudness; }       // who is least missed: lower
///   };
///
/// Both depend on the object alone, not on where it is stored: then every strategy decides alike.
template <class T>
struct OrderOf {
  static u64 serial(const T& value)
    requires requires { { value.spawn_id } -> std::convertible_to<u64>; }
  {
    return value.spawn_id;
  }
  static float score(const T& value)
    requires requires { { value.importance() } -> std::convertible_to<float>; }
  {
    return value.importance();
  }
};

template <class T>
concept HasSerial = requires(const T& value) { { OrderOf<T>::serial(value) } -> std::same_as<u64>; };
template <class T>
concept HasScore = HasSerial<T> && requires(const T& value) { { OrderOf<T>::score(value) } -> std::same_as<float>; };

}  // namespace spellpool::pool
