#include "app/shell/imgui_host.hpp"

#include <SDL.h>
#include <imgui.h>

#include <backends/imgui_impl_opengl3.h>
#if __has_include(<backends/imgui_impl_sdl2.h>)
#include <backends/imgui_impl_sdl2.h>
#else
#include <backends/imgui_impl_sdl.h>
#endif

#include <algorithm>

#include "measure/record/allocation_counter.hpp"
#include "platform/display_loss.hpp"
#include "platform/window.hpp"
#include "render/renderer.hpp"
#include "ui/kit/theme.hpp"

namespace spellpool::app {
namespace {

/// More than all panels together: nothing is allocated when one opens.
constexpr std::size_t kMostVertices = 40'000;
constexpr std::size_t kMostCommands = 400;

}  // namespace

void EarlyFonts::Free::operator()(ImFontAtlas* atlas) const { IM_DELETE(atlas); }

EarlyFonts::EarlyFonts(float scale) : scale_(scale) {
  ImGui::SetAllocatorFunctions(measure::counted_malloc, measure::counted_free);
  atlas_.emplace([scale] {
    Atlas atlas(IM_NEW(ImFontAtlas)());
    ui::load_fonts(*atlas, scale);
    return atlas;
  });
}

ImGuiHost::ImGuiHost(const platform::Window& window, bool input, EarlyFonts* fonts) : window_(window), input_(input) {
  ImGui::SetAllocatorFunctions(measure::counted_malloc, measure::counted_free);
  if (fonts != nullptr) atlas_ = fonts->take();
  ImGui::CreateContext(atlas_.get());
  if (atlas_) {
    ImGui::GetIO().FontDefault = atlas_->Fonts[0];
    scale_ = fonts->scale();
    ui::apply_theme(scale_);
  }
  ImGui::GetIO().IniFilename = nullptr;
  ImGui::GetIO().LogFilename = nullptr;
  ImGui::GetIO().ConfigMemoryCompactTimer = 1e9f;  // a closed panel keeps its memory for when it opens again
  ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NoMouseCursorChange;
  if (input_) ImGui_ImplSDL2_InitForOpenGL(window_.native(), window_.context());
  ImGui_ImplOpenGL3_Init(platform::kGlslVersion);
  // Now, since the backend asks whether its program links: later it would wait for what the renderer draws, too.
  if (atlas_) ImGui_ImplOpenGL3_CreateDeviceObjects();
  vertices_.reserve(kMostVertices);
  indices_.reserve(2 * kMostVertices);
  commands_.reserve(kMostCommands);
}

ImGuiHost::~ImGuiHost() {
  ImGui_ImplOpenGL3_Shutdown();
  if (input_) ImGui_ImplSDL2_Shutdown();
  ImGui::DestroyContext();
}

bool ImGuiHost::comes_later(const SDL_Event& released) {
  const i32 key = released.key.keysym.scancode;
  const auto end = pressed_keys_.begin() + static_cast<std::ptrdiff_t>(pressed_count_);
  if (std::find(pressed_keys_.begin(), end, key) == end || late_count_ == late_keys_.size()) return false;
  late_keys_[late_count_++] = key;
  return true;
}

/// Dear ImGui before 1.87 looks at its keys once a frame: without this a short tap in a slow frame is lost.
void ImGuiHost::release_late_keys() {
  for (std::size_t i = 0; i < late_count_; ++i) {
    SDL_Event event{};
    event.type = SDL_KEYUP;
    event.key.keysym.scancode = static_cast<SDL_Scancode>(late_keys_[i]);
    event.key.keysym.sym = SDL_GetKeyFromScancode(event.key.keysym.scancode);
    ImGui_ImplSDL2_ProcessEvent(&event);
#if IMGUI_VERSION_NUM < 18700
    // The same key may be tapped again before the next frame; else that looks as if it was held.
    ImGui::GetIO().KeysDownDuration[late_keys_[i]] = -1.0f;
#endif
  }
  pressed_count_ = late_count_ = 0;
}

platform::UiWants ImGuiHost::process(const SDL_Event& event) {
  forward(event);
  platform::UiWants wants{ui::wants_mouse(), ui::wants_text()};
  if (event.type == SDL_MOUSEBUTTONDOWN) {
    wants.mouse = ui::wants_press(static_cast<float>(event.button.x), static_cast<float>(event.button.y),
                                  held_buttons_ != 0);
    held_buttons_ |= SDL_BUTTON(event.button.button);
  }
  if (event.type == SDL_MOUSEBUTTONUP) held_buttons_ &= ~static_cast<u32>(SDL_BUTTON(event.button.button));
  if (event.type == SDL_WINDOWEVENT && event.window.event == SDL_WINDOWEVENT_FOCUS_LOST) held_buttons_ = 0;
  return wants;
}

void ImGuiHost::forward(const SDL_Event& event) {
  if (event.type == SDL_KEYDOWN && pressed_count_ < pressed_keys_.size())
    pressed_keys_[pressed_count_++] = event.key.keysym.scancode;
  if (input_ && !(event.type == SDL_KEYUP && comes_later(event))) ImGui_ImplSDL2_ProcessEvent(&event);
  if (event.type == SDL_MOUSEMOTION) {
    mouse_inside_ = true;
    mouse_x_ = static_cast<float>(event.motion.x);
    mouse_y_ = static_cast<float>(event.motion.y);
  }
  if (event.type == SDL_WINDOWEVENT && event.window.event == SDL_WINDOWEVENT_LEAVE) mouse_inside_ = false;
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

void ImGuiHost::restore_graphics() {
  ImGui_ImplOpenGL3_DestroyDeviceObjects();
  ImGui_ImplOpenGL3_CreateDeviceObjects();
}

void ImGuiHost::fit(float scale) {
  if (scale == scale_ || !(scale > 0)) return;
  scale_ = scale;
  ui::apply_theme(scale_);
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ui::load_fonts(scale_);
  ImGui_ImplOpenGL3_CreateFontsTexture();
}

void ImGuiHost::lay_out(const frame::PanelModel& model, frame::PanelRequests& requests, int width_px,
                        int height_px) {
  ImGui_ImplOpenGL3_NewFrame();
  ImGuiIO& io = ImGui::GetIO();
  if (input_) {
    ImGui_ImplSDL2_NewFrame();
    // It asks X for the pointer, and SDL's answer is an old one where a script has moved it: the events know.
#if IMGUI_VERSION_NUM >= 18700
    if (mouse_inside_) io.AddMousePosEvent(mouse_x_, mouse_y_);
#else
    if (mouse_inside_) io.MousePos = ImVec2(mouse_x_, mouse_y_);
#endif
  } else {
    io.DisplaySize = ImVec2(static_cast<float>(width_px), static_cast<float>(height_px));
    io.DisplayFramebufferScale = ImVec2(1, 1);
    io.DeltaTime = 1.0f / 60.0f;
  }
  fit(ui::design_scale(io.DisplaySize.x, io.DisplaySize.y, model.text_scale));
  ImGui::NewFrame();
  ui::draw_panels(model, state_, requests);
  ImGui::Render();
  if (input_) release_late_keys();
}

void ImGuiHost::draw(const frame::PanelModel& model, frame::PanelRequests& requests, int width_px, int height_px) {
  lay_out(model, requests, width_px, height_px);
  painted_ = false;
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

bool ImGuiHost::draw_alone(const frame::PanelModel& model, int width_px, int height_px) {
  for (int pass = 0; pass < 2; ++pass) {  // Dear ImGui shows a window in its second frame
    frame::PanelRequests unheard;
    lay_out(model, unheard, width_px, height_px);
  }
  return gather_mesh() && render::show_panels(mesh_, width_px, height_px);
}

void ImGuiHost::warm_up(const render::Renderer& renderer, const frame::PanelModel& model) {
  frame::PanelRequests unheard;
  lay_out(model, unheard, renderer.width_px(), renderer.height_px());
  if (!gather_mesh() || !renderer.paints_panels()) ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

void ImGuiHost::draw_over(render::Renderer& renderer, const frame::PanelModel& model, frame::PanelRequests& requests,
                          frame::PhaseSink* phases) {
  lay_out(model, requests, renderer.width_px(), renderer.height_px());
  painted_ = gather_mesh() && renderer.paint_panels(mesh_);
  if (phases != nullptr) phases->enter(frame::Phase::Render);
  in_pixels_ = false;
  if (input_ && (renderer.holds_pixels() ? platform::window_lost() : platform::window_lost_now())) return;
  in_pixels_ = renderer.present();
  if (phases != nullptr) phases->enter(frame::Phase::Ui);
  if (!painted_) ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

bool ImGuiHost::paint_onto(render::Renderer& renderer, const frame::PanelModel& model, frame::PanelRequests& requests,
                           const frame::PixelFrame& frame) {
  lay_out(model, requests, frame.width, frame.height);
  painted_ = gather_mesh();
  if (!painted_) return false;
  renderer.paint_panels(mesh_, frame);
  return true;
}

void ImGuiHost::know_image(u64 texture, const frame::PanelImage& image) {
  image_texture_ = texture;
  image_ = image;
}

bool ImGuiHost::gather_mesh() {
  const ImDrawData& data = *ImGui::GetDrawData();
  ImFontAtlas& fonts = *ImGui::GetIO().Fonts;
  const ImVec2 corner = data.DisplayPos, scale = data.FramebufferScale;
  vertices_.clear();
  indices_.clear();
  commands_.clear();
  for (int i = 0; i < data.CmdListsCount; ++i) {
    const ImDrawList& list = *data.CmdLists[i];
    const u32 first_vertex = static_cast<u32>(vertices_.size()), first_index = static_cast<u32>(indices_.size());
    for (const ImDrawVert& v : list.VtxBuffer) {
      vertices_.push_back({(v.pos.x - corner.x) * scale.x, (v.pos.y - corner.y) * scale.y, v.uv.x, v.uv.y, v.col});
    }
    indices_.insert(indices_.end(), list.IdxBuffer.begin(), list.IdxBuffer.end());
    for (const ImDrawCmd& command : list.CmdBuffer) {
      const bool plain = command.GetTexID() == fonts.TexID;
      const bool known = image_.texels != nullptr && (u64)(std::uintptr_t)command.GetTexID() == image_texture_;
      if (command.UserCallback != nullptr || (!plain && !known)) return false;
      u32* index = indices_.data() + first_index + command.IdxOffset;
      for (u32 n = 0; n < command.ElemCount; ++n) index[n] += first_vertex + command.VtxOffset;
      // Whole pixels as ImGui's own drawing by OpenGL makes them.
      const auto whole = [](float px) { return static_cast<int>(std::clamp(px, -1e6f, 1e6f)); };
      const ImVec4& clip = command.ClipRect;
      const int left = whole((clip.x - corner.x) * scale.x), bottom = whole((clip.w - corner.y) * scale.y);
      const int right = whole((clip.z - corner.x) * scale.x), top = whole((clip.y - corner.y) * scale.y);
      commands_.push_back(
          {left, top, right, bottom, first_index + command.IdxOffset, command.ElemCount, plain ? -1 : 0});
    }
  }
  mesh_ = {vertices_, indices_, commands_};
  unsigned char* texels = nullptr;
  fonts.GetTexDataAsAlpha8(&texels, &mesh_.atlas_width, &mesh_.atlas_height);
  mesh_.atlas = texels;
  mesh_.images = {&image_, 1};
  return true;
}

}  // namespace spellpool::app
