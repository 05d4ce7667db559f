#include "measure/report/card_canvas.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/leak_check.hpp"
#include "core/one_line.hpp"
#include "measure/record/output_file.hpp"

namespace spellpool::measure {
namespace {

constexpr double kPi = 3.14159265358979323846;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

cairo_status_t write_to_file(void* file, const unsigned char* bytes, unsigned int count) {
  const std::string_view chunk(reinterpret_cast<const char*>(bytes), count);
  return static_cast<OutputFile*>(file)->write(chunk) ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

}  // namespace

Canvas::Canvas(int width, int height, double scale) {
  surface_ = cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(std::lround(width * scale)),
                                        static_cast<int>(std::lround(height * scale)));
  cairo_ = cairo_create(surface_);
  cairo_scale(cairo_, scale, scale);
  cairo_font_options_t* options = cairo_font_options_create();
  cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  cairo_set_font_options(cairo_, options);
  cairo_font_options_destroy(options);
}

Canvas::~Canvas() {
  cairo_destroy(cairo_);
  cairo_surface_destroy(surface_);
}

void Canvas::rounded(const Rect& r, double radius) {
  radius = std::min({radius, r.w / 2, r.h / 2});
  cairo_new_sub_path(cairo_);
  cairo_arc(cairo_, r.right() - radius, r.y + radius, radius, -kPi / 2, 0);
  cairo_arc(cairo_, r.right() - radius, r.bottom() - radius, radius, 0, kPi / 2);
  cairo_arc(cairo_, r.x + radius, r.bottom() - radius, radius, kPi / 2, kPi);
  cairo_arc(cairo_, r.x + radius, r.y + radius, radius, kPi, 1.5 * kPi);
  cairo_close_path(cairo_);
}

void Canvas::fill(const Rect& r, Colour c, double opacity) {
  cairo_rectangle(cairo_, r.x, r.y, r.w, r.h);
  cairo_set_source_rgba(cairo_, c.r, c.g, c.b, opacity);
  cairo_fill(cairo_);
}

void Canvas::panel(const Rect& r) {
  rounded(r, 8);
  cairo_set_source_rgba(cairo_, 0.043, 0.051, 0.094, 0.82);
  cairo_fill_preserve(cairo_);
  cairo_set_source_rgba(cairo_, 0.59, 0.65, 0.86, 0.18);
  cairo_set_line_width(cairo_, 1);
  cairo_stroke(cairo_);
}

void Canvas::line(double x0, double y0, double x1, double y1, Colour c, double opacity, double width) {
  cairo_move_to(cairo_, x0, y0);
  cairo_line_to(cairo_, x1, y1);
  cairo_set_source_rgba(cairo_, c.r, c.g, c.b, opacity);
  cairo_set_line_width(cairo_, width);
  cairo_stroke(cairo_);
}

void Canvas::pattern(const Rect& r, Pattern pattern, Colour c, double opacity) {
  cairo_save(cairo_);
  cairo_rectangle(cairo_, r.x, r.y, r.w, r.h);
  cairo_clip(cairo_);
  cairo_set_source_rgba(cairo_, c.r, c.g, c.b, opacity);
  if (pattern == Pattern::Diagonal) {
    constexpr double kStep = 7;
    cairo_set_line_width(cairo_, 1.6);
    for (double x = std::floor((r.x - r.h) / kStep) * kStep; x < r.right(); x += kStep) {
      cairo_move_to(cairo_, x, r.bottom());
      cairo_line_to(cairo_, x + r.h, r.y);
    }
    cairo_stroke(cairo_);
  } else {
    constexpr double kStep = 6;
    u32 row = 0;
    for (double y = r.bottom() - 2.5; y > r.y - 2; y -= kStep, ++row) {
      const double shift = row % 2 == 0 ? 0.0 : kStep / 2;
      for (double x = std::floor(r.x / kStep) * kStep + shift; x < r.right() + 2; x += kStep) {
        cairo_new_sub_path(cairo_);
        cairo_arc(cairo_, x, y, 1.25, 0, 2 * kPi);
      }
    }
    cairo_fill(cairo_);
  }
  cairo_restore(cairo_);
}

void Canvas::tick_mark(double x, double y, double size, Colour c) {
  cairo_move_to(cairo_, x, y - size * 0.38);
  cairo_line_to(cairo_, x + size * 0.32, y - size * 0.04);
  cairo_line_to(cairo_, x + size * 0.9, y - size * 0.76);
  cairo_set_source_rgba(cairo_, c.r, c.g, c.b, 1);
  cairo_set_line_width(cairo_, size * 0.15);
  cairo_set_line_cap(cairo_, CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join(cairo_, CAIRO_LINE_JOIN_ROUND);
  cairo_stroke(cairo_);
  cairo_set_line_cap(cairo_, CAIRO_LINE_CAP_BUTT);
}

void Canvas::select(const TextStyle& style) {
  const ForeignAllocations of_fontconfig;
  cairo_select_font_face(cairo_, "Inter", CAIRO_FONT_SLANT_NORMAL,
                         style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(cairo_, style.size_px);
  cairo_text_extents_t extents;
  cairo_text_extents(cairo_, "0", &extents);
  digit_advance_ = style.tabular ? extents.x_advance : 0;
}

/// Runs of non-digits at their own width, each digit in a cell as wide as "0".
double Canvas::measure(const std::string& text) {
  double width = 0;
  std::string run;
  cairo_text_extents_t extents;
  const auto end_run = [&] {
    if (run.empty()) return;
    cairo_text_extents(cairo_, run.c_str(), &extents);
    width += extents.x_advance;
    run.clear();
  };
  for (const char c : text) {
    if (digit_advance_ > 0 && is_digit(c)) {
      end_run();
      width += digit_advance_;
    } else {
      run += c;
    }
  }
  end_run();
  return width;
}

/// As outlines: cairo would round each glyph of show_text to whole pixels, and words would fall apart.
void Canvas::show(double x, double y, const std::string& text) {
  std::string run;
  cairo_text_extents_t extents;
  const auto end_run = [&] {
    if (run.empty()) return;
    cairo_move_to(cairo_, x, y);
    cairo_text_path(cairo_, run.c_str());
    cairo_text_extents(cairo_, run.c_str(), &extents);
    x += extents.x_advance;
    run.clear();
  };
  for (const char c : text) {
    if (digit_advance_ <= 0 || !is_digit(c)) {
      run += c;
      continue;
    }
    end_run();
    const char digit[2] = {c, 0};
    cairo_text_extents(cairo_, digit, &extents);
    cairo_move_to(cairo_, x + (digit_advance_ - extents.x_advance) / 2, y);
    cairo_text_path(cairo_, digit);
    x += digit_advance_;
  }
  end_run();
}

double Canvas::text_width(std::string_view text, const TextStyle& style) {
  select(style);
  return measure(one_line(text));
}

std::string Canvas::elided(std::string_view wanted, const TextStyle& style, double max_width) {
  select(style);
  const std::string text = one_line(wanted);
  if (measure(text) <= max_width) return text;
  // Where characters begin; the longest start that fits with the dots is found by halving.
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<u8>(text[i]) & 0xC0) != 0x80) starts.push_back(i);
  }
  const auto cut = [&](std::size_t characters) {
    std::string head = text.substr(0, starts[characters]);
    while (!head.empty() && head.back() == ' ') head.pop_back();
    return head + "…";
  };
  std::size_t fits = 0, too_many = starts.size();
  while (too_many - fits > 1) {
    const std::size_t middle = (fits + too_many) / 2;
    (measure(cut(middle)) <= max_width ? fits : too_many) = middle;
  }
  return cut(fits);
}

std::vector<std::string> Canvas::wrapped(const std::string& text, const TextStyle& style, double max_width) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!lines.empty() && text_width(lines.back() + " " + word, style) <= max_width) {
      lines.back() += " " + word;
    } else {
      lines.push_back(word);
    }
    at = end + 1;
  }
  return lines;
}

double Canvas::text(double x, double y, std::string_view wanted, const TextStyle& style, Align align,
                    double max_width) {
  const std::string text = elided(wanted, style, max_width);
  const double width = measure(text);
  const double left = align == Align::Left ? x : align == Align::Right ? x - width : x - width / 2;
  show(left, y, text);
  cairo_set_source_rgba(cairo_, style.colour.r, style.colour.g, style.colour.b, style.opacity);
  cairo_fill(cairo_);
  return width;
}

std::string Canvas::save(const std::string& path) {
  const cairo_status_t drawn = cairo_status(cairo_);
  if (drawn != CAIRO_STATUS_SUCCESS) return "cannot draw " + path + ": " + cairo_status_to_string(drawn);
  OutputFile file;
  if (!file.create(path, OnFailure::Remove)) return file.error();
  const cairo_status_t saved = cairo_surface_write_to_png_stream(surface_, write_to_file, &file);
  file.close();
  if (file.error().empty() && saved != CAIRO_STATUS_SUCCESS) {
    return "cannot write " + path + ": " + cairo_status_to_string(saved);
  }
  return file.error();
}

}  // namespace spellpool::measure
