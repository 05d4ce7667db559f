#pragma once
// Everything that lies over the game: status chip, spell bar, hint, pool panel, frame-time graph, help, messages.
//
//   ui::apply_theme(scale); ui::load_fonts(scale);        // once, and when the text scale changes
//   ImGui::NewFrame();
//   ui::draw_panels(model, ui_state, requests);           // fills requests with what the player asked for
//   ImGui::Render();
//
// Sizes   follow model.text_scale, but never past what fits: the canvas is at least 640 × 360 design units.
// Cost    closed: about 0.05 ms; with graph and pool panel about 0.4 ms. Nothing is allocated after the first frames.
// Input   only the pool panel, the graph and the help take the mouse; the rest lets it through. No keyboard navigation:
//         ask wants_text() and not io.WantCaptureKeyboard whether a key belongs to a text field.
// Errors  none: a display of no size, an empty history or NaN times draw less, never crash.
// Threads the one that owns the ImGui context.
#include "frame/panel_model.hpp"
#include "ui/graph.hpp"
#include "ui/layout.hpp"

namespace spellpool::ui {

/// What the panels remember between frames. One per ImGui context; about 300 KB, reserved by the constructor.
struct UiState {
  Graph graph;
  Layout layout;  ///< What the last frame drew, and where.

  std::array<char, 256> notice{};  ///< Copy of the last notice, so that it can fade after the model drops it.
  std::size_t notice_size = 0;
  float notice_age_s = 1e9f;
  float recording_s = 0;        ///< Since model.recording became true.
  u32 rejected_per_s = 0;       ///< Last count above zero,
  float rejected_age_s = 1e9f;  ///< held for a second so that the badge does not flicker.
  std::size_t pool = 0;         ///< Which row of model.pools the pool panel shows.
  std::array<char, 16> capacity_text{};
  bool capacity_typing = false;
  u32 slider_capacity = 0;  ///< While the slider is held: its value; else 0.
};

/// Draws one frame of panels and appends the player's wishes to `requests`. Between ImGui::NewFrame() and Render().
void draw_panels(const frame::PanelModel& model, UiState& state, frame::PanelRequests& requests);

/// For the Escape key: lets a frozen graph run on. True if there was one, so that Escape does nothing else.
bool release_frozen_graph(UiState& state);

/// A text field has the keyboard: game keys wait.
bool wants_text();
/// The mouse is over a panel or holds one of its controls: the game does not cast.
bool wants_mouse();

}  // namespace spellpool::ui
