#pragma once
// Drawing in design units on an ImDrawList: text in four cuts, key caps, boxes. A pen without a list only measures: the
// same code runs once dry for its height and once to draw, so the two cannot drift apart. Text may come from a
// file: control characters are drawn as '?'. Allocates nothing but a copy of such text.
#include <initializer_list>
#include <imgui.h>

#include <array>
#include <cmath>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <string_view>

#include "ui/kit/layout.hpp"
#include "ui/kit/palette.hpp"

namespace spellpool::ui {

/// printf into a fixed buffer; what does not fit is cut off at a whole UTF-8 character.
template <std::size_t N>
class Line {
 public:
#if defined(__GNUC__)
  __attribute__((format(printf, 2, 3)))
#endif
  explicit Line(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int wanted = std::vsnprintf(text_.data(), N, format, arguments);
    va_end(arguments);
    size_ = wanted < 0 ? 0 : static_cast<std::size_t>(wanted);
    if (size_ < N) return;
    size_ = N - 1;
    std::size_t lead = size_;
    while (lead > 0 && (static_cast<unsigned char>(text_[lead - 1]) & 0xC0u) == 0x80u) --lead;
    if (lead > 0 && static_cast<unsigned char>(text_[lead - 1]) >= 0xC0u) size_ = lead - 1;
    text_[size_] = 0;
  }
  operator std::string_view() const { return {text_.data(), size_}; }
  const char* c_str() const { return text_.data(); }

 private:
  std::array<char, N> text_{};
  std::size_t size_ = 0;
};

/// "12,345,678".
Line<32> count_text(u64 count);
/// "960 B", "1.25 MiB".
Line<32> bytes_text(u64 bytes);
/// Milliseconds with a sensible number of digits: "6.94", "128.5"; "-" if the time is not a finite number.
Line<32> ms_text(double us);

/// The cuts of the text, in the order of the font atlas that load_fonts() fills; one more font there is the body cut
/// at kTinyUnits, for panels that had to shrink. Mono has hexadecimal digits only, all of one width. Title has
/// capitals, digits and a few signs only, and is meant to be drawn at any size: see Pen::title().
enum class Cut : u8 { Body, Small, Strong, Large, Title, Mono };
inline constexpr int kCutCount = 6;
inline constexpr int kFontCount = 7;
/// Sizes in design units. ImGui counts from ascender to descender: Inter's letters are 0.83 of it.
inline constexpr std::array<float, kCutCount> kCutUnits = {17.0f, 14.5f, 17.0f, 22.0f, 60.0f, 13.5f};
inline constexpr float kTinyUnits = 10.5f;
/// ImGui's own font, which stands in for Inter, loses dots at any other size.
inline constexpr float kOwnFontUnits = 13.0f;
/// Text smaller than this is not read: panels scroll instead.
inline constexpr float kLeastTextPx = 9.5f;

class Pen {
 public:
  /// `scale`: pixels per design unit. `list` may be null: the pen then measures.
  Pen(ImDrawList* list, float scale, Layout& layout) : list_(list), scale_(scale), layout_(&layout) {}

  /// The same pen; what lies outside `clip` takes no clicks. For the inside of a part that scrolls.
  Pen within(const Rect& clip) const {
    Pen pen = *this;
    pen.clip_ = clip;
    return pen;
  }
  const Rect& clip() const { return clip_; }
  bool dry() const { return list_ == nullptr; }
  ImDrawList* list() const { return list_; }
  Layout& layout() const { return *layout_; }
  float scale() const { return scale_; }
  /// Design units to whole pixels, at least one.
  float px(float units) const { return std::fmax(1.0f, std::floor(units * scale_ + 0.5f)); }

  ImFont* font(Cut cut) const;
  float font_px(Cut cut) const;
  float line_px(Cut cut) const { return std::ceil(font_px(cut)); }
  float width(Cut cut, std::string_view text) const;
  /// Height of `text` broken at `width` px.
  float wrapped_height(Cut cut, std::string_view text, float width) const;
  bool has_glyph(unsigned int code_point) const;

  /// Left end at x, top at y. Returns the width.
  float text(Cut cut, float x, float y, ImU32 colour, std::string_view text) const;
  /// The same with its right end at x.
  float text_right(Cut cut, float x, float y, ImU32 colour, std::string_view text) const;
  /// Within x … x + room; shortened with "…" and counted if it is wider.
  float text_within(Cut cut, float x, float y, float room, ImU32 colour, std::string_view text) const;
  /// Centred in `box`, shortened if it must be.
  void text_centred(Cut cut, const Rect& box, ImU32 colour, std::string_view text) const;
  void text_wrapped(Cut cut, float x, float y, float room, ImU32 colour, std::string_view text) const;
  /// Capitals, digits and signs in the title's cut, `units` high, with `spread` units between letters; centred at x,
  /// top at y. Returns the width.
  float title(float units, float spread, float x, float y, ImU32 colour, std::string_view text) const;
  float title_width(float units, float spread, std::string_view text) const;
  /// Top of a line of this cut that stands centred in y0 … y1.
  float centre_y(Cut cut, float y0, float y1) const { return std::floor((y0 + y1 - font_px(cut)) * 0.5f + 0.5f); }

  void fill(const Rect& box, ImU32 colour, float rounding_px = 0) const;
  /// Part of a circle from `from` to `to` turns, clockwise from three o'clock.
  void arc(ImVec2 centre, float radius, float from, float to, ImU32 colour, float thickness_px) const;
  void frame(const Rect& box, ImU32 colour, float rounding_px = 0, float thickness_px = 1) const;
  /// Panel background with its edge.
  void panel(const Rect& box) const;
  /// A key as drawn on a keyboard, left end at x, centred on y0 … y1. Returns its width.
  float key_cap(float x, float y0, float y1, std::string_view key) const;
  float key_cap_width(std::string_view key) const;
  float key_cap_height() const { return px(20); }
  /// A square with a letter, the sign of a strategy or policy.
  void letter_box(const Rect& box, ImU32 colour, char letter) const;

 private:
  ImDrawList* list_;
  float scale_;
  Layout* layout_;
  Rect clip_{-1e9f, -1e9f, 1e9f, 1e9f};
};

/// The first of these words that is no wider than `room`; else the last.
std::string_view fitting(const Pen& pen, Cut cut, float room, std::initializer_list<std::string_view> words);

}  // namespace spellpool::ui
