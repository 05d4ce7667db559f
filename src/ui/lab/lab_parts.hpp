#pragma once
// What both pages of the comparison lab draw with.
#include <algorithm>
#include <cmath>
#include <string_view>

#include "ui/kit/controls.hpp"
#include "ui/kit/fields.hpp"
#include "ui/kit/pen.hpp"
#include "ui/panels.hpp"

namespace spellpool::ui {

/// printf's "%.*s".
inline int count_of(std::string_view text) { return static_cast<int>(std::min<std::size_t>(text.size(), 400)); }

/// One page of the lab, from top to bottom. A dry pen only moves y.
struct LabColumn {
  const Pen& pen;
  float x0, x1, y;

  float width() const { return x1 - x0; }
  void gap(float units) { y += pen.px(units); }
  void wrapped(Cut cut, std::string_view words, ImU32 ink = kMuted) {
    pen.text_wrapped(cut, x0, y, width(), ink, words);
    y += pen.wrapped_height(cut, words, width());
  }
  void heading(std::string_view words) {
    pen.text(Cut::Strong, x0, y, kText, words);
    y += pen.line_px(Cut::Strong) + pen.px(3);
  }
};

/// The sign of a line's tone: a letter in a box, so that colour never says it alone.
struct ToneSign {
  char letter;
  ImU32 colour;
};
ToneSign sign_of(frame::LabTone tone);

/// How far a result can be trusted: words in a frame, green where it is a verdict. Returns the width.
float badge_pill(const Pen& pen, float x, float y, std::string_view words);
float badge_pill_height(const Pen& pen);

/// The ratio with its interval on a line from half to twice, 1 marked; a diamond where the interval leaves 1, a ring
/// where it does not.
void ratio_bar(const Pen& pen, const Rect& box, double ratio, double low, double high);

/// Both pages, below the tabs; return where they end.
float lab_compare_page(const Pen& pen, const Rect& column, const frame::PanelModel& model, UiState& state,
                       frame::PanelRequests& requests);
/// The list in `list`, the chosen line in `details`: each scrolls by itself.
void lab_results(const Pen& pen, const Rect& list, const Rect& details, const frame::PanelModel& model,
                 frame::PanelRequests& requests);

}  // namespace spellpool::ui
