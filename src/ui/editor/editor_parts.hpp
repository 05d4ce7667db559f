#pragma once
// The pieces of the spell editor's panel. Each draws from `y` downwards and returns the y where it ends.
#include "ui/editor/editor.hpp"
#include "ui/kit/fields.hpp"
#include "ui/kit/parts.hpp"

namespace spellpool::ui {

/// What every piece needs.
struct EditorController {
  const Pen& pen;
  Editor& editor;
  FieldState& fields;
  const frame::PanelModel& model;
  float x0 = 0, x1 = 0;  ///< The column, px.
};

/// Numbers, choices and sounds of the spell itself.
float draw_spell_fields(const EditorController& controller, float y);
/// One page of an emitter, without curves and colours.
float draw_emitter_fields(const EditorController& controller, frame::EmitterDef& emitter, EditorPage page, float y);
/// A curve over life with points to drag. `which`: 0 size, 1 speed.
float draw_curve(const EditorController& controller, std::vector<frame::CurveKey>& keys, int which,
                 std::string_view title, float y);
/// A colour gradient over life with stops to drag, and the picker for the chosen one.
float draw_gradient(const EditorController& controller, std::vector<frame::ColourKey>& keys, float y);
/// The picker alone: true in each frame in which the colour changes. `alpha`: with opacity.
bool draw_picker(const EditorController& controller, const Rect& box, ColourBytes& colour, bool alpha);
float picker_height(const Pen& pen);

/// Content rules for points of a curve: t rises by at least this.
inline constexpr float kLeastStep = 0.01f;
inline constexpr std::size_t kMostCurvePoints = 8;

}  // namespace spellpool::ui
