#include "app/imgui_host.hpp"

#include <SDL.h>
#include <imgui.h>

#include <backends/imgui_impl_opengl3.h>
#if __has_include(<backends/imgui_impl_sdl2.h>)
#include <backends/imgui_impl_sdl2.h>
#else
#include <backends/imgui_impl_sdl.h>
#endif

#include "measure/allocation_counter.hpp"
#include "platform/window.hpp"
#include "ui/theme.hpp"

namespace spellpool::app {

ImGuiHost::ImGuiHost(const platform::Window& window, bool input) : window_(window), input_(input) {
  ImGui::SetAllocatorFunctions(measure::counted_malloc, measure::counted_free);
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  ImGui::GetIO().LogFilename = nullptr;
  ImGui::GetIO().ConfigMemoryCompactTimer = 1e9f;  // a closed panel keeps its memory for when it opens again
  ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NoMouseCursorChange;
  if (input_) ImGui_ImplSDL2_InitForOpenGL(window_.native(), window_.context());
  ImGui_ImplOpenGL3_Init("#version 330 core");
}

ImGuiHost::~ImGuiHost() {
  ImGui_ImplOpenGL3_Shutdown();
  if (input_) ImGui_ImplSDL2_Shutdown();
  ImGui::DestroyContext();
}

void ImGuiHost::process(const SDL_Event& event) {
  if (input_) ImGui_ImplSDL2_ProcessEvent(&event);
  if (event.type != SDL_KEYDOWN || (event.key.keysym.mod & KMOD_CTRL) == 0) return;
  const bool shift = (event.key.keysym.mod & KMOD_SHIFT) != 0;
  switch (event.key.keysym.sym) {
    case SDLK_s:
      if (event.key.repeat == 0) ui::press_shortcut(state_.editor, ui::Shortcut::Save);
      break;
    case SDLK_z: ui::press_shortcut(state_.editor, shift ? ui::Shortcut::Redo : ui::Shortcut::Undo); break;
    case SDLK_y: ui::press_shortcut(state_.editor, ui::Shortcut::Redo); break;
    default: break;
  }
}

void ImGuiHost::fit(float text_scale) {
  if (text_scale == scale_) return;
  scale_ = text_scale;
  ui::apply_theme(scale_);
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ui::load_fonts(scale_);
  ImGui_ImplOpenGL3_CreateFontsTexture();
}

void ImGuiHost::draw(const frame::PanelModel& model, frame::PanelRequests& requests, int width_px, int height_px) {
  fit(model.text_scale);
  ImGui_ImplOpenGL3_NewFrame();
  ImGuiIO& io = ImGui::GetIO();
  if (input_) {
    ImGui_ImplSDL2_NewFrame();
  } else {
    io.DisplaySize = ImVec2(static_cast<float>(width_px), static_cast<float>(height_px));
    io.DisplayFramebufferScale = ImVec2(1, 1);
    io.DeltaTime = 1.0f / 60.0f;
  }
  ImGui::NewFrame();
  ui::draw_panels(model, state_, requests);
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace spellpool::app
