#pragma once
#include <cstddef>

namespace spellpool::ui {

/// Allocations of this test program since it began.
struct AllocationCount {
  std::size_t new_calls = 0;    ///< operator new.
  std::size_t imgui_calls = 0;  ///< ImGui's, since count_imgui_allocations().
};
AllocationCount allocation_count();

/// From here on ImGui allocates through a counter. Before ImGui::CreateContext().
void count_imgui_allocations();

}  // namespace spellpool::ui
