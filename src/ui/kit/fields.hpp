#pragma once
// Controls for numbers and choices: sliders, text fields, lists that drop down. What they remember lies in FieldState;
// all of them report the value that the player wants and change nothing themselves.
#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "ui/kit/controls.hpp"

namespace spellpool::ui {

/// A text that is being typed. Two of them, since one field ends in the frame in which the next begins.
struct Typing {
  u32 id = 0;  ///< 0: none.
  std::array<char, 48> text{};
};
struct FieldState {
  std::array<Typing, 2> typing;
  u32 open_drop = 0;        ///< The list that hangs open, 0 none.
  bool close_drop = false;  ///< It is to close at its next drawing.
  bool any_held = false;    ///< A slider, curve point or colour is held in this frame.
};

/// How a slider's way relates to its value: value = low + (high − low) · way^power; with low < 0 < high both sides of 0
/// go that way.
struct Scale {
  float low = 0, high = 1;
  float power = 1;
};
float way_of(const Scale& scale, float value);
float value_at(const Scale& scale, float way);
/// Rounded to three leading digits, so that files stay readable; `whole` to an integer.
float tidy(float value, bool whole);

/// A slider; true in each frame in which it is held: `value` is then what the player wants.
bool slider(const Pen& pen, FieldState& state, ControlKind kind, std::size_t index, const Rect& box, const Scale& scale,
            float& value);
/// One track with two knobs; the nearer one is taken. Pushes the other along.
bool range_slider(const Pen& pen, FieldState& state, ControlKind kind, std::size_t index, const Rect& box,
                  const Scale& scale, float& low, float& high);

/// Shows `shown`; true in the frame in which the player ends typing something else, which is then in `typed`.
bool text_field(const Pen& pen, FieldState& state, ControlKind kind, std::size_t index, const Rect& box,
                std::string_view shown, std::array<char, 48>& typed);
/// A text field for a number within least … most; other text is dropped.
bool number_field(const Pen& pen, FieldState& state, ControlKind kind, std::size_t index, const Rect& box, float least,
                  float most, bool whole, float& value);

/// What a slider spans, and what may be typed beside it.
struct NumberSpan {
  Scale scale;
  float least = 0, most = 1;
  bool whole = false;
  float step = 0;  ///< The value is a multiple of it, if above 0.
};
enum class Edited : u8 { No, Held, Typed };
/// A slider with a number field at its right end: FieldSlider `index` and FieldText 2 · `index`. `value` becomes what
/// the player wants; Held in each frame in which the slider is held and the value is another one.
Edited number_row(const Pen& pen, FieldState& state, std::size_t index, const Rect& box, const NumberSpan& span,
                  float& value);

/// A list of choices that opens on a click. Returns the picked one, or -1.
int drop_down(const Pen& pen, FieldState& state, ControlKind kind, std::size_t index, const Rect& box,
              std::string_view shown, std::span<const std::string_view> items);

}  // namespace spellpool::ui
