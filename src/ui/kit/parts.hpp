#pragma once
// The larger parts that draw_panels() puts together. `pen` draws behind all windows; parts that take clicks open their
// own window. Sizes in px unless their names say design units.
#include "ui/kit/pen.hpp"
#include "ui/panels.hpp"

namespace spellpool::ui {

inline constexpr float kPoolPanelWidth = 324.0f;  ///< Design units.
inline constexpr float kEditorWidth = 372.0f;     ///< Design units.
inline constexpr float kNoticeShown_s = 4.0f, kNoticeFade_s = 0.6f, kRejectedHeld_s = 1.0f;

// --- Status, upper left. Each cuts its room off `rest` and writes its Part. ------------------------------------------
void draw_error(Rect& free, std::string_view error, const Pen& pen);
void draw_chip(Rect& rest, const frame::PanelModel& model, const Pen& pen);
/// "new/delete: 1,109 allocations a frame", for two seconds after the strategy changed; in
/// `free`, nothing if it is too small.
void draw_switch_banner(const Rect& free, const frame::PanelModel& model, const SwitchBannerState& state,
                        const Pen& pen);
/// What a demonstration of memory has just shown, in the upper middle of `free`; not while the banner above stands.
void draw_alert(const Rect& free, const UiState& state, const Pen& pen);
/// Whether small console, few slots or cranes are on.
bool has_load_board(const frame::PanelModel& model);
/// The memory of the demonstration that is on: small console, few slots, cranes. Nothing where there is no room.
void draw_load_board(Rect& rest, const frame::PanelModel& model, const Pen& pen);
/// In the field: cranes without memory, and the slot of each piece of a garden that looks like its slots.
void draw_field_marks(const frame::ShooterView& view, const Pen& pen);
void draw_badges(Rect& rest, const frame::PanelModel& model, const UiState& state, const Pen& pen);
void draw_notice(Rect& rest, const UiState& state, const Pen& pen);
/// The line about panels that cannot be seen, at the bottom of `free`, from which it cuts its room; height in
/// px.
float waiting_height(std::string_view words, const Pen& pen, float width);
void draw_waiting(Rect& free, std::string_view words, const Pen& pen);
/// Centred at `middle`, at the bottom of `rest`.
void draw_combo(Rect& rest, float middle, u32 combo, bool wants_spell, const Pen& pen);

// --- The bottom row ----------------------------------------------------------------------------------------
/// The spell's own colour, as bright as a sign on a dark panel must be.
ImU32 spell_colour(const frame::PanelModel& model, std::size_t spell);
/// Its sign in a circle of `radius`, drawn by shapes.
void draw_spell_icon(const Pen& pen, std::size_t spell, ImVec2 centre, float radius, ImU32 colour);
/// Width of the spell bar with keys and the selected spell's title.
float spell_bar_width(const frame::PanelModel& model, const Pen& pen);
/// Spells, centred at the bottom of `rest`; without the title, or small, where it is narrow. Returns the box, empty if
/// there is no room.
Rect draw_spell_bar(Rect& rest, const frame::PanelModel& model, const Pen& pen, frame::PanelRequests& requests);
/// Small icons at the lower left of `rest`, in the margin of `side` px that the arena leaves there.
Rect draw_small_spell_bar(Rect& rest, float side, const frame::PanelModel& model, const Pen& pen,
                          frame::PanelRequests& requests);
/// The newcomer's lines, centred in `row`; broken in two where they must be, height 0 where even that is too wide.
float hint_height(const frame::PanelModel& model, const Pen& pen, float width);
Rect draw_hint(const Rect& row, const frame::PanelModel& model, const Pen& outer, frame::PanelRequests& requests);

/// The bar of a replay that is watched, along the lower edge of the window; cuts its room off `free`.
void draw_rewind_bar(Rect& free, const frame::PanelModel& model, const Pen& pen, frame::PanelRequests& requests);
void draw_replay_bar(Rect& free, const frame::PanelModel& model, const Pen& pen, frame::PanelRequests& requests);

// --- The challenge -----------------------------------------------------------------------------------------
/// Score, time, multiplier, combo and runes at the top of `stage`, beside the chip or below it; then the banner.
void draw_challenge(const Rect& stage, const frame::PanelModel& model, const Pen& pen);
/// Damage where targets took it, over the game and under everything else.
void draw_hit_numbers(const frame::PanelModel& model, const Pen& pen);
/// The quiet "60-second challenge" control in `room`, at its right end; nothing if it is too narrow.
void draw_challenge_start(const Rect& room, const frame::PanelModel& model, const Pen& pen,
                          frame::PanelRequests& requests);

// --- The shooter -------------------------------------------------------------------------------------------
/// Tells the HUD's clocks what this frame shows.
void follow_shooter(const frame::ShooterView& view, ShooterHudState& state);
/// Darkens the field where "continue?" and the result will stand. Comes first, below everything.
void draw_shooter_veil(const frame::ShooterView& view, float age_s, const Pen& pen);
/// All that belongs to model.shooter, which is not null: HUD beside the field, boss, texts, or the screen of its state.
/// `whole` is `rest` with the status chip's row. Leaves in `rest` what badges and notices may take.
void draw_shooter(Rect& rest, const Rect& whole, const frame::PanelModel& model, UiState& state, const Pen& pen,
                  frame::PanelRequests& requests);
/// What to press to see what the pools do, while the shooter is played: at the lower end of the supplies' column, if
/// that is beside the field and nothing else is there. Nothing to click, because the mouse flies the ship.
void draw_shooter_keys(const Rect& whole, const frame::PanelModel& model, const Pen& pen);
/// The field's place in the window, px: 600 × 720 units in its middle.
Rect shooter_field();
/// Title, "continue?" and the result, in `rest`; `age_s`: since the screen appeared.
void draw_shooter_title(Rect& rest, const frame::PanelModel& model, float age_s, const Pen& pen,
                        frame::PanelRequests& requests);
void draw_shooter_continue(Rect& rest, const Rect& whole, const frame::PanelModel& model, const Pen& pen,
                           frame::PanelRequests& requests);
void draw_shooter_result(Rect& rest, const frame::PanelModel& model, float age_s, const Pen& pen,
                         frame::PanelRequests& requests);
/// "How many bullets?": progress or card, as model.stress has it.
void draw_stress(Rect& rest, const frame::PanelModel& model, const Pen& pen, frame::PanelRequests& requests);

// --- Panels at the side ------------------------------------------------------------------------------------
/// Height in px that the pool panel takes at the pen's scale and `width` px, with or without descriptions.
float pool_panel_height(const frame::PanelModel& model, UiState& state, const Pen& pen, float width, bool compact);
/// Draws it into `box`; when that is too low, with a scroll bar.
void draw_pool_panel(const Rect& box, const frame::PanelModel& model, UiState& state, const Pen& pen, bool compact,
                     frame::PanelRequests& requests);
void draw_editor(const Rect& box, const frame::PanelModel& model, UiState& state, const Pen& pen,
                 frame::PanelRequests& requests);

// --- Panels in the middle, alone. Each returns its box. ----------------------------------------------------
Rect draw_help(const Rect& free, const frame::PanelModel& model, UiState& state, const Pen& pen,
               frame::PanelRequests& requests);
Rect draw_settings(const Rect& free, const frame::PanelModel& model, UiState& state, const Pen& pen,
                   frame::PanelRequests& requests);
Rect draw_memory(const Rect& free, const frame::PanelModel& model, const Pen& pen, frame::PanelRequests& requests);
Rect draw_frame_timeline(const Rect& free, const frame::PanelModel& model, const Pen& pen,
                         frame::PanelRequests& requests);
Rect draw_lab(const Rect& free, const frame::PanelModel& model, UiState& state, const Pen& pen,
              frame::PanelRequests& requests);
Rect draw_scores(const Rect& free, const frame::PanelModel& model, const Pen& pen, frame::PanelRequests& requests);
Rect draw_ab_progress(const Rect& free, const frame::PanelModel& model, const Pen& pen);
Rect draw_ab_card(const Rect& free, const frame::PanelModel& model, const Pen& pen, frame::PanelRequests& requests);

/// Name, one sentence and the menu, in the middle of `free`. `age_s`: since it appeared. Returns its box.
Rect draw_title(const Rect& free, const frame::PanelModel& model, float age_s, const Pen& pen,
                frame::PanelRequests& requests);

}  // namespace spellpool::ui
