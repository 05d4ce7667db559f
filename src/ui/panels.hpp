#pragma once
// Everything that lies over the game: status chip, spell bar, hint, challenge, the shooter's HUD and screens, pool
// panel, frame-time graph, editor, settings, help, results, messages.
//
//   ui::apply_theme(scale); ui::load_fonts(scale);        // once, and when the text scale changes
//   ImGui::NewFrame();
//   ui::draw_panels(model, ui_state, requests);           // fills requests with what the player asked for
//   ImGui::Render();
//
// Sizes   follow model.text_scale, but never past what fits: the canvas is at least 640 × 360 design units.
//         What is higher than its place scrolls (ui/kit/sheet.hpp).
// Order   help, settings, the lab, memory, the quick A/B, its card and the challenge's result stand alone,
//         the one that was asked for last; an error stays above them. Beside the game stand as many panels as
//         have room there, the last ones asked for; a line names the others.
//         model.hidden leaves out the rest, and the results; what a key has opened is still shown.
// Cost    closed: about 0.1 ms; with graph and pool panel about 0.5 ms. Nothing is allocated after the first frames,
//         except while a text is typed, a list hangs open, a setting changes or the editor is shown.
// Input   parts with controls take the mouse; the rest lets it through. Ask wants_press()
//         for whom a button of the mouse went down. No keyboard navigation: ask wants_text() and
//         not io.WantCaptureKeyboard whether a key belongs to a text field. While requests.listening is true no key
//         means an action: the app gives the next one to bind_heard().
// Errors  none: a display of no size, an empty history or NaN times draw less, never crash.
// Threads the one that owns the ImGui context.
#include <vector>

#include "frame/views/panel_model.hpp"
#include "ui/editor/editor.hpp"
#include "ui/editor/sound_editor.hpp"
#include "ui/kit/fields.hpp"
#include "ui/kit/layout.hpp"
#include "ui/panel_order.hpp"
#include "ui/panels/graph.hpp"

namespace spellpool::ui {

using frame::SettingsPage;

/// What the settings panel remembers.
struct SettingsState {
  frame::Settings copy;  ///< What it shows; requests.settings points here when it changed.
  bool changed = false;  ///< By bind_heard(), since the last frame.
  SettingsPage page = SettingsPage::Comfort;
  bool listening = false;
  bool for_pad = false;          ///< The waiting row wants a button, else a key.
  frame::Action row{};           ///< Which row waits.
  float text_scale = 0;          ///< While its slider is held: the value; else 0.
  std::array<char, 256> note{};  ///< What the last change of a key did.
};

/// Something that moves between the game and the slot map for a moment.
struct SlotFlight {
  float from_x = 0, from_y = 0;  ///< Pixels.
  float age_s = 0;
  u32 place = 0;
  bool born = false;             ///< From the slot to its object; else from the object into the chain of free slots.
};
/// What the slot map remembers.
struct SlotMapState {
  frame::SlotMapRequest wanted;                    ///< Of the frame that is being drawn.
  u32 pinned = frame::SlotMapView::kNoPlace;       ///< The place that is followed,
  std::size_t pool = 0;                            ///< in this pool.
  bool follow = false;                             ///< The place that is looked at shall be, or no longer be, followed.
  // The single places as the last frame showed them, and what has begun to move since.
  std::array<frame::SlotCell, frame::kSlotWindow> before{};
  std::size_t before_count = 0;
  u8 before_strategy = 0;
  std::array<SlotFlight, 32> flights{};
  std::size_t flight_count = 0;
};

/// What the shooter's HUD remembers.
struct ShooterHudState {
  frame::ShooterState shown{};   ///< Of the last frame,
  float shown_s = 0;             ///< for so long.
  std::array<char, 64> phase{};  ///< The title of the boss's phase in the last frame,
  std::size_t phase_size = 0;
  float phase_s = 0;             ///< for so long.
};

/// What the voice panel remembers of a slot.
struct VoiceSlotMemory {
  u64 serial = 0;                 ///< Seen last.
  float steal_s = 1e9f;           ///< Since `stealing_voice` took it from `victim`.
  frame::SoundId stealing_voice{}, victim{};
  float level = 0;                ///< Linear; falls back slowly, so that a tick can be seen.
};
/// What the voice panel remembers.
struct VoicePanelState {
  std::vector<VoiceSlotMemory> slots = std::vector<VoiceSlotMemory>(frame::kMostVoiceSlots);
  std::array<u32, 3> steals{};    ///< The slots that were stolen last, newest first.
  frame::VoicePolicy other = frame::VoicePolicy::StealOldest;  ///< To record beside the one that plays.
  u32 slider_slots = 0;           ///< While the slider is held: its value; else 0.
};

/// What the comparison lab remembers.
struct LabPanelState {
  bool results = false;         ///< Which page it shows.
};

/// The pages of the help.
enum class HelpPage : u8 { Play, Pools, Measure, Panels, Window, Replay };

/// What the banner of a switched strategy remembers.
struct SwitchBannerState {
  bool known = false;           ///< A strategy was seen: another one is a switch.
  u8 strategy = 0;              ///< Of the first pool, in the last frame.
  float age_s = 1e9f;           ///< Since the last switch, or since it is shown again.
  bool quiet =
      false;  ///< Hardly anything was created as it switched: it says what to do, and is shown again once there is.
  u64 calls = 0, frames = 0;    ///< The pools' calls of new since then, in so many frames that had a step. The past fades.
  u64 new_calls = 0, steps = 0; ///< Of all pools, and of the world, up to the last frame.
  double calls_before = 0;      ///< In a frame before the switch, on average.
  u64 spawned = 0;              ///< Of all pools, up to the last frame.
};

/// The last alert, so that it can fade after the model has another.
struct AlertState {
  u64 serial = 0;
  float age_s = 1e9f;
  frame::AlertView::Tone tone{};
  std::array<char, 64> title_bytes{};
  std::array<char, 192> text_bytes{};
  std::size_t title_size = 0, text_size = 0;
  std::string_view title() const { return {title_bytes.data(), title_size}; }
  std::string_view text() const { return {text_bytes.data(), text_size}; }
};

/// What the panels remember between frames. One per ImGui context; about 600 KB, reserved by the constructor.
struct UiState {
  Graph graph;
  Layout layout;  ///< What the last frame drew, and where.
  PanelOrder order;
  FieldState fields;
  SettingsState settings;
  Editor editor;

  std::array<char, 256> notice{};  ///< Copy of the last notice, so that it can fade after the model drops it.
  std::size_t notice_size = 0;
  float notice_age_s = 1e9f;
  float recording_s = 0;        ///< Since model.recording became true.
  u32 rejected_per_s = 0;       ///< Last count above zero,
  float rejected_age_s = 1e9f;  ///< held for a second so that the badge does not flicker.
  float title_s = 0;            ///< Since the title screen appeared.
  SwitchBannerState switched;
  AlertState alert;
  std::size_t pool = 0;         ///< Which row of model.pools the pool panel shows.
  bool figure_pool = false;     ///< It shows the images of figures instead.
  SlotMapState slots;
  VoicePanelState voices;
  LabPanelState lab;
  HelpPage help_page = HelpPage::Play;
  SoundEditor sound;
  ShooterHudState shooter;
  bool all_strategies = false;  ///< The pool panel shows more than the usual ones.
  u32 slider_capacity = 0;      ///< While the slider is held: its value; else 0.
};

/// Draws one frame of panels and appends the player's requests to `requests`. Between ImGui::NewFrame() and Render().
/// What requests.settings and requests.edited point to belongs to `state` and stays until the next call.
void draw_panels(const frame::PanelModel& model, UiState& state, frame::PanelRequests& requests);

/// For the app while requests.listening: the key or the button that the player pressed, "" for the other one; names as
/// in frame::Hotkey. Escape keeps what was. If another action had it, the two swap. The next draw_panels() then asks to
/// keep the settings.
void bind_heard(UiState& state, std::string_view key, std::string_view pad);

/// For the Escape key: ends, in this order, waiting for a key, an open list, a frozen graph. True if there was one, so
/// that Escape does nothing else.
bool release_held(UiState& state);
/// The last of these alone.
bool release_frozen_graph(UiState& state);

/// The panel that covers the game, for the Escape key; none, or what the last frame showed.
std::optional<ClosePanel> covering_panel(const UiState& state);

/// A text field has the keyboard: game keys wait.
bool wants_text();
/// The mouse is over a panel or holds one of its controls: the game does not cast.
bool wants_mouse();
/// The same for a button that goes down at x, y, in the units of ImGui's mouse; `held`: another one is down. Dear ImGui
/// knows where the mouse was in the last frame, and a finger was elsewhere then.
bool wants_press(float x, float y, bool held);

}  // namespace spellpool::ui
