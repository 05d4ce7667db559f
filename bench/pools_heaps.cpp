#include "pools_heaps.hpp"

#include <dlfcn.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <new>
#include <utility>

#include "core/rng.hpp"

namespace {
spellpool::u64 g_new_calls = 0;
}

void* operator new(std::size_t bytes) {
  ++g_new_calls;
  if (void* p = std::malloc(bytes ? bytes : 1)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void* operator new(std::size_t bytes, std::align_val_t align) {
  ++g_new_calls;
  const std::size_t a = static_cast<std::size_t>(align);
  if (void* p = std::aligned_alloc(a, (bytes + a - 1) / a * a)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace spellpool::bench {
namespace {

void add(std::vector<Heap>& found, const char* name, std::initializer_list<const char*> libraries, const char* allocate,
         const char* release) {
  void* handle = nullptr;
  for (const char* library : libraries) {
    if (!handle) handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  }
  void* const a = handle ? dlsym(handle, allocate) : nullptr;
  void* const r = handle ? dlsym(handle, release) : nullptr;
  if (!a || !r) {
    const char* why = dlerror();
    std::fprintf(stderr, "bench_pools: without %s (%s)\n", name, why ? why : "?");
    return;
  }
  found.push_back({name, reinterpret_cast<void* (*)(std::size_t)>(a), reinterpret_cast<void (*)(void*)>(r)});
}

}  // namespace

u64 new_calls() { return g_new_calls; }

const std::vector<Heap>& heaps() {
  static const std::vector<Heap> all = [] {
    std::vector<Heap> found = {{"glibc", &std::malloc, &std::free}};
    add(found, "mimalloc", {"libmimalloc.so.2", "libmimalloc.so.3"}, "mi_malloc", "mi_free");
    add(found, "jemalloc", {"libjemalloc.so.2"}, "malloc", "free");
    add(found, "tcmalloc", {"libtcmalloc_minimal.so.4"}, "tc_malloc", "tc_free");
    add(found, "tbbmalloc", {"libtbbmalloc.so.2"}, "scalable_malloc", "scalable_free");
    return found;
  }();
  return all;
}

void age_heap() {
  constexpr u32 kBlocks = 1'500'000;
  Rng rng(77);
  auto size = [&rng] {
    return static_cast<std::size_t>(16.0f * std::exp(rng.unit() * 5.745f));
  };  // to 5000, every doubling alike
  auto make = [&size] {
    const std::size_t bytes = size();
    void* const p = std::malloc(bytes);
    if (!p) std::abort();
    *static_cast<volatile char*>(p) = 1;
    return p;
  };
  static std::vector<void*> blocks(kBlocks);
  for (void*& p : blocks) p = make();
  for (u32 i = 0; i < 2 * kBlocks; ++i) {
    void*& p = blocks[rng.below(kBlocks)];
    std::free(p);
    p = make();
  }
  for (u32 i = kBlocks - 1; i > 0; --i) std::swap(blocks[i], blocks[rng.below(i + 1)]);
  for (u32 i = 0; i < kBlocks / 2; ++i) std::free(blocks[i]);
}

}  // namespace spellpool::bench
