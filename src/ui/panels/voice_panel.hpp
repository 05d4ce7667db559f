#pragma once
// The voice panel: at one side what can be done (policy, storage, slots, burst, two policies side by side) with
// counters, at the other a row for each voice; the game is seen between them. Where that is too narrow, one box that
// scrolls.
#include "ui/kit/pen.hpp"
#include "ui/panels.hpp"

namespace spellpool::ui {

inline constexpr float kVoicePanelWidth = 336.0f;     ///< Design units, of each box.
inline constexpr float kVoiceLeastBetween = 400.0f;   ///< Design units: less between two boxes, and they become one.
inline constexpr std::size_t kMostVoiceRows = 64;     ///< More slots are shown as cells.
inline constexpr float kStealShown_s = 0.6f;

/// Tells the panel's clocks what this frame shows: which voice stole from which, and levels that fall slowly.
void follow_voices(const frame::VoicesView& voices, float dt_s, VoicePanelState& state);

/// Height that the controls take at the pen's scale and `width` px, with every policy's description if that is not
/// above `most`; `rows`: with the rows below them.
float voice_controls_height(const frame::PanelModel& model, UiState& state, const Pen& pen, float width, float most,
                            bool rows);
/// Height that the rows alone take at the pen's scale and `width` px, at most `most`.
float voice_rows_height(const frame::PanelModel& model, UiState& state, const Pen& pen, float width, float most);
void draw_voice_controls(const Rect& box, const frame::PanelModel& model, UiState& state, const Pen& pen, bool rows,
                         frame::PanelRequests& requests);
void draw_voice_rows(const Rect& box, const frame::PanelModel& model, UiState& state, const Pen& pen,
                     frame::PanelRequests& requests);

}  // namespace spellpool::ui
