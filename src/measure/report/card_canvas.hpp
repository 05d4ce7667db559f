#pragma once
// The few shapes and the text that the result card is drawn with, on a cairo image. Coordinates are card pixels, y
// down.
#include <cairo.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/types.hpp"

namespace spellpool::measure {

struct Colour {
  double r = 1, g = 1, b = 1;  ///< sRGB, 0 … 1.
};
constexpr Colour rgb(int r, int g, int b) { return {r / 255.0, g / 255.0, b / 255.0}; }

struct Rect {
  double x = 0, y = 0, w = 0, h = 0;
  constexpr double right() const { return x + w; }
  constexpr double bottom() const { return y + h; }
};

enum class Align : u8 { Left, Right, Centre };
/// What tells areas apart where colour does not.
enum class Pattern : u8 { Diagonal, Dots };

struct TextStyle {
  double size_px = 16;
  Colour colour;
  double opacity = 1.0;
  bool bold = false;
  bool tabular = true;  ///< Digits of one width; off for titles.
};

/// Draws into an image that it owns. After a failure every call does nothing and save() tells.
/// Text is Inter, or what fontconfig puts in its place; digits all have one width, so columns of numbers stand
/// straight.
class Canvas {
 public:
  /// Size in card pixels; scale makes each of them that many pixels wide.
  Canvas(int width, int height, double scale);
  ~Canvas();
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  cairo_t* cairo() { return cairo_; }

  void rounded(const Rect& rect, double radius);  ///< Path only.
  void fill(const Rect& rect, Colour colour, double opacity = 1.0);
  /// Dark translucent, 8 px rounding, thin edge.
  void panel(const Rect& rect);
  void line(double x0, double y0, double x1, double y1, Colour colour, double opacity, double width = 1.0);
  /// Covers rect, clipped to the current clip, with lines or dots.
  void pattern(const Rect& rect, Pattern pattern, Colour colour, double opacity);
  void tick_mark(double x, double y, double size, Colour colour);

  double text_width(std::string_view text, const TextStyle& style);
  /// The text, or as much of its start as fits into max_width with "…" behind it.
  std::string elided(std::string_view text, const TextStyle& style, double max_width);
  /// The text in lines of at most max_width, broken at blanks; a longer word stays whole.
  std::vector<std::string> wrapped(const std::string& text, const TextStyle& style, double max_width);
  /// y is the base line. Text wider than max_width is cut and ends in "…". Returns the width drawn.
  double text(double x, double y, std::string_view text, const TextStyle& style, Align align = Align::Left,
              double max_width = 1e9);

  /// The image as a new file. Returns "" or the error.
  std::string save(const std::string& path);

 private:
  void select(const TextStyle& style);
  double measure(const std::string& text);
  void show(double x, double y, const std::string& text);

  cairo_surface_t* surface_ = nullptr;
  cairo_t* cairo_ = nullptr;
  double digit_advance_ = 0;  ///< Of the selected font; 0 for digits at their own width.
};

}  // namespace spellpool::measure
