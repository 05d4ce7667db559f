#pragma once
// The pieces of the settings panel.
#include "ui/kit/fields.hpp"
#include "ui/kit/parts.hpp"

namespace spellpool::ui {

/// What every piece needs; `changed` becomes true when state.copy was.
struct SettingsController {
  const Pen& pen;
  const frame::PanelModel& model;
  SettingsState& state;
  FieldState& fields;
  bool& changed;
  float x0 = 0, x1 = 0;  ///< The column, px.
};

/// A row's name at the left; returns the x where its control begins.
float setting_label(const SettingsController& controller, std::string_view words, float y, float high);
/// A quiet line below a control; returns the y where it ends.
float setting_note(const SettingsController& controller, float x, float y, std::string_view words);

/// All actions with the key and the button that ask for them, each of which can be chosen anew.
float draw_key_table(const SettingsController& controller, float y);

/// An action in two or three words: "Pool panel", "Frost nova".
Line<64> action_title(const frame::PanelModel& model, frame::Action action);
/// What it switches is on.
bool action_is_on(const frame::PanelModel& model, frame::Action action);

}  // namespace spellpool::ui
