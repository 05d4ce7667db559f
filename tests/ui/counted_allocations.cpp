#include "counted_allocations.hpp"

#include <imgui.h>

#include <cstdlib>
#include <new>

namespace {
spellpool::ui::AllocationCount g_count;
}

// In a file of its own, so that no caller sees through it.
void* operator new(std::size_t size) {
  ++g_count.new_calls;
  if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace spellpool::ui {

AllocationCount allocation_count() { return g_count; }

void count_imgui_allocations() {
  ImGui::SetAllocatorFunctions(
      [](std::size_t size, void*) {
        ++g_count.imgui_calls;
        return std::malloc(size);
      },
      [](void* memory, void*) { std::free(memory); });
}

}  // namespace spellpool::ui
