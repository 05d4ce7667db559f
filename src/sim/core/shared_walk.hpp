#pragma once
// A walk over a pool for code that is not measured. The pool's own for_each() compiles its callable for every
// strategy; here it is compiled once and called through a pointer, and the walk is compiled once for each strategy
// and type: include this where the type's pool is compiled.
#include <type_traits>

#include "core/state_hash.hpp"
#include "pool/exhibits.hpp"

namespace spellpool::sim {

template <class T>
using HandleOf = typename pool::ExhibitPool<T>::HandleType;
template <class T>
using CallForEach = void(void* its, HandleOf<T> handle, const T& object);

template <class T>
void call_for_each(const pool::ExhibitPool<T>& objects, void* its, CallForEach<T>* f) {
  objects.visit_rarely([=](const auto& pool) {
    pool.for_each_handle([=](HandleOf<T> handle, const T& object) { f(its, handle, object); });
  });
}

/// f(handle, const T&) with each live object, in the storage's order.
template <class T, class F>
void look_at_each(const pool::ExhibitPool<T>& objects, F&& f) {
  call_for_each<T>(objects, &f, [](void* its, HandleOf<T> handle, const T& object) {
    (*static_cast<std::remove_reference_t<F>*>(its))(handle, object);
  });
}

/// Adds to `hash` what does not depend on the order of the objects: the sum of their hashes. fields(StateHash&, const
/// T&) adds one's fields.
template <class T, class Fields>
void add_objects(StateHash& hash, const pool::ExhibitPool<T>& objects, Fields&& fields) {
  SetHash set;
  look_at_each(objects, [&](HandleOf<T>, const T& object) {
    StateHash one;
    fields(one, object);
    set.add(one.value());
  });
  hash.add(set.value());
}

}  // namespace spellpool::sim
