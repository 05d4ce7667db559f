#include "ui/kit/pen.hpp"

#include <algorithm>
#include <array>
#include <cfloat>
#include <string>

#include "core/one_line.hpp"

namespace spellpool::ui {
namespace {

const char* begin_of(std::string_view text) { return text.data(); }
const char* end_of(std::string_view text) { return text.data() + text.size(); }

/// Text from anywhere, as it is drawn: on one line, without control characters. Allocates only for text that has some.
class Shown {
 public:
  explicit Shown(std::string_view text) : text_(text) {
    if (is_one_line(text)) return;
    held_ = one_line(text);
    text_ = held_;
  }
  Shown(const Shown&) = delete;
  Shown& operator=(const Shown&) = delete;
  std::string_view text() const { return text_; }

 private:
  std::string held_;
  std::string_view text_;
};

/// A word that belongs to the number before it, with the sign that may follow it.
bool is_unit(std::string_view word) {
  constexpr std::array<std::string_view, 16> kUnits = {"B",  "KiB", "MiB", "GiB", "TiB", "%",  "s",   "ms",
                                                       "µs", "ns",  "px",  "dB",  "Hz",  "kHz", "FPS", "bytes"};
  while (!word.empty() && std::string_view(".,;:!?)").find(word.back()) != std::string_view::npos)
    word.remove_suffix(1);
  return std::find(kUnits.begin(), kUnits.end(), word) != kUnits.end();
}

/// Where a line may end: the first blank from `from` on that does not part a number from its unit, else the text's end.
std::size_t next_break(std::string_view text, std::size_t from) {
  for (std::size_t at = text.find(' ', from); at != std::string_view::npos; at = text.find(' ', at + 1)) {
    const bool number = at > 0 && text[at - 1] >= '0' && text[at - 1] <= '9';
    const std::size_t end = std::min(text.find(' ', at + 1), text.size());
    if (!number || !is_unit(text.substr(at + 1, end - at - 1))) return at;
  }
  return text.size();
}

/// Bytes of `text` on its first line of `room` px. ImGui itself also breaks after '.' and ',', in the middle of a
/// number.
std::size_t first_line(const ImFont& font, float size, std::string_view text, float room) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  std::size_t fits = 0;
  float wide = 0;
  while (fits < text.size()) {
    const std::size_t end = next_break(text, fits > 0 ? fits + 1 : begin);
    wide += font.CalcTextSizeA(size, FLT_MAX, 0.0f, text.data() + fits, text.data() + end).x;
    if (wide > room) break;
    fits = end;
  }
  if (fits > 0) return fits;
  // A word that is wider than the line is cut at a character.
  const char* cut = text.data();
  font.CalcTextSizeA(size, std::max(room, 0.0f), 0.0f, text.data(), text.data() + text.size(), &cut);
  const auto bytes = static_cast<std::size_t>(cut - text.data());
  return std::min(std::max(bytes, character_bytes(text)), next_break(text, begin));
}

/// f(line, i) for each line of `text` broken at `room` px. Returns how many there are.
template <class F>
std::size_t each_line(const ImFont& font, float size, std::string_view text, float room, const F& f) {
  std::size_t lines = 0;
  while (!text.empty()) {
    const std::size_t bytes = first_line(font, size, text, room);
    f(text.substr(0, bytes), lines++);
    text.remove_prefix(bytes);
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  }
  return lines;
}

}  // namespace

Line<32> count_text(u64 count) {
  std::array<char, 24> digits{};
  const int length = std::snprintf(digits.data(), digits.size(), "%llu", static_cast<unsigned long long>(count));
  std::array<char, 32> grouped{};
  std::size_t to = 0;
  for (int i = 0; i < length; ++i) {
    if (i > 0 && (length - i) % 3 == 0) grouped[to++] = ',';
    grouped[to++] = digits[static_cast<std::size_t>(i)];
  }
  return Line<32>("%s", grouped.data());
}

Line<32> bytes_text(u64 bytes) {
  constexpr std::array<const char*, 4> kUnits = {"KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024) return Line<32>("%u B", static_cast<unsigned>(bytes));
  double value = static_cast<double>(bytes) / 1024.0;
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < kUnits.size()) {
    value /= 1024.0;
    ++unit;
  }
  return Line<32>(value < 9.995 ? "%.2f %s" : value < 99.95 ? "%.1f %s" : "%.0f %s", value, kUnits[unit]);
}

Line<32> ms_text(double us) {
  if (!std::isfinite(us)) return Line<32>("-");
  const double ms = us / 1000.0;
  return Line<32>(ms < 99.995 ? "%.2f" : ms < 999.95 ? "%.1f" : "%.0f", std::min(ms, 999'999.0));
}

ImFont* Pen::font(Cut cut) const {
  const ImVector<ImFont*>& fonts = ImGui::GetIO().Fonts->Fonts;
  if (fonts.Size < kFontCount) return ImGui::GetFont();
  ImFont* usual = fonts[static_cast<int>(cut)];
  if (cut != Cut::Small) return usual;
  // A shrunken panel takes the font that was baked nearest to its size.
  ImFont* tiny = fonts[kFontCount - 1];
  return font_px(cut) * 2 < tiny->FontSize + usual->FontSize ? tiny : usual;
}

float Pen::font_px(Cut cut) const {
  // ImGui's own font has no dash.
  const bool own = ImGui::GetIO().Fonts->Fonts[0]->FindGlyphNoFallback(static_cast<ImWchar>(0x2013)) == nullptr;
  const float units = kCutUnits[static_cast<std::size_t>(cut)];
  if (!own) return units * scale_;
  return (cut == Cut::Title ? kOwnFontUnits * 3 : kOwnFontUnits) * scale_;
}

float Pen::width(Cut cut, std::string_view words) const {
  if (words.empty()) return 0;
  const Shown shown(words);
  const std::string_view text = shown.text();
  return std::ceil(font(cut)->CalcTextSizeA(font_px(cut), FLT_MAX, 0.0f, begin_of(text), end_of(text)).x);
}

float Pen::wrapped_height(Cut cut, std::string_view words, float width) const {
  if (words.empty()) return 0;
  const Shown shown(words);
  const std::string_view text = shown.text();
  const std::size_t lines = each_line(*font(cut), font_px(cut), text, width, [](std::string_view, std::size_t) {});
  return std::ceil(static_cast<float>(lines) * font_px(cut));
}

bool Pen::has_glyph(unsigned int code_point) const {
  return font(Cut::Body)->FindGlyphNoFallback(static_cast<ImWchar>(code_point)) != nullptr;
}

float Pen::text(Cut cut, float x, float y, ImU32 colour, std::string_view words) const {
  if (words.empty()) return 0;
  const Shown shown(words);
  const std::string_view text = shown.text();
  if (list_ != nullptr) {
    list_->AddText(font(cut), font_px(cut), ImVec2(std::floor(x), std::floor(y)), colour, begin_of(text), end_of(text));
  }
  return width(cut, text);
}

float Pen::text_right(Cut cut, float x, float y, ImU32 colour, std::string_view words) const {
  const float wide = width(cut, words);
  text(cut, x - wide, y, colour, words);
  return wide;
}

float Pen::text_within(Cut cut, float x, float y, float room, ImU32 colour, std::string_view wanted) const {
  const Shown shown(wanted);
  const std::string_view words = shown.text();
  const float wide = width(cut, words);
  if (wide <= room + 0.5f) return text(cut, x, y, colour, words);
  if (!dry()) ++layout_->shortened_texts;
  const std::string_view dots = has_glyph(0x2026) ? "…" : "...";
  const float left = room - width(cut, dots);
  if (left <= 0) return 0;
  const char* cut_at = begin_of(words);
  font(cut)->CalcTextSizeA(font_px(cut), left, 0.0f, begin_of(words), end_of(words), &cut_at);
  const float head = text(cut, x, y, colour, words.substr(0, static_cast<std::size_t>(cut_at - begin_of(words))));
  return head + text(cut, x + head, y, colour, dots);
}

void Pen::text_centred(Cut cut, const Rect& box, ImU32 colour, std::string_view words) const {
  const float wide = std::min(width(cut, words), box.width());
  text_within(cut, box.middle_x() - wide * 0.5f, centre_y(cut, box.y0, box.y1), box.width(), colour, words);
}

void Pen::text_wrapped(Cut cut, float x, float y, float room, ImU32 colour, std::string_view wanted) const {
  if (dry() || wanted.empty()) return;
  const Shown shown(wanted);
  const std::string_view words = shown.text();
  const float size = font_px(cut);
  each_line(*font(cut), size, words, room, [&](std::string_view line, std::size_t i) {
    const float top = std::floor(std::floor(y) + static_cast<float>(i) * size);
    list_->AddText(font(cut), size, ImVec2(std::floor(x), top), colour, begin_of(line), end_of(line));
  });
}

void Pen::fill(const Rect& box, ImU32 colour, float rounding_px) const {
  if (!dry() && !box.empty()) list_->AddRectFilled(ImVec2(box.x0, box.y0), ImVec2(box.x1, box.y1), colour, rounding_px);
}

void Pen::frame(const Rect& box, ImU32 colour, float rounding_px, float thickness_px) const {
  if (dry() || box.empty()) return;
  list_->AddRect(ImVec2(box.x0, box.y0), ImVec2(box.x1, box.y1), colour, rounding_px, 0, thickness_px);
}

float Pen::title_width(float units, float spread, std::string_view wanted) const {
  const Shown shown(wanted);
  const std::string_view words = shown.text();
  const float size = units * font_px(Cut::Title) / kCutUnits[static_cast<std::size_t>(Cut::Title)];
  float wide = 0;
  for (std::size_t i = 0; i < words.size();) {
    std::size_t next = i + 1;
    while (next < words.size() && (static_cast<unsigned char>(words[next]) & 0xC0u) == 0x80u) ++next;
    const char* letter = words.data() + i;
    wide += font(Cut::Title)->CalcTextSizeA(size, FLT_MAX, 0.0f, letter, words.data() + next).x;
    if (next < words.size()) wide += spread * scale_;
    i = next;
  }
  return wide;
}

float Pen::title(float units, float spread, float x, float y, ImU32 colour, std::string_view wanted) const {
  const Shown shown(wanted);
  const std::string_view words = shown.text();
  const float size = units * font_px(Cut::Title) / kCutUnits[static_cast<std::size_t>(Cut::Title)];
  const float wide = title_width(units, spread, words);
  if (dry()) return wide;
  float left = std::floor(x - wide * 0.5f);
  for (std::size_t i = 0; i < words.size();) {
    std::size_t next = i + 1;
    while (next < words.size() && (static_cast<unsigned char>(words[next]) & 0xC0u) == 0x80u) ++next;
    const char *begin = words.data() + i, *end = words.data() + next;
    list_->AddText(font(Cut::Title), size, ImVec2(left, std::floor(y)), colour, begin, end);
    left += font(Cut::Title)->CalcTextSizeA(size, FLT_MAX, 0.0f, begin, end).x + spread * scale_;
    i = next;
  }
  return wide;
}

void Pen::arc(ImVec2 centre, float radius, float from, float to, ImU32 colour, float thickness_px) const {
  if (dry() || !(to - from > 0.002f)) return;
  constexpr float kTurn = 6.2831853f;
  const int pieces = std::max(3, static_cast<int>(48 * std::min(1.0f, to - from)));
  list_->PathArcTo(centre, radius, from * kTurn, to * kTurn, pieces);
  list_->PathStroke(colour, ImDrawFlags_None, thickness_px);
}

void Pen::panel(const Rect& box) const {
  fill(box, kPanelFill, px(8));
  frame(box, kPanelEdge, px(8));
}

float Pen::key_cap_width(std::string_view key) const {
  if (key.empty()) return 0;
  return std::fmax(key_cap_height(), width(Cut::Small, key) + px(10));
}

float Pen::key_cap(float x, float y0, float y1, std::string_view key) const {
  if (key.empty()) return 0;
  const float wide = key_cap_width(key), high = key_cap_height();
  const float top = std::floor((y0 + y1 - high) * 0.5f);
  const Rect cap{std::floor(x), top, std::floor(x) + wide, top + high};
  fill(cap, IM_COL32(148, 160, 214, 40), px(4));
  frame(cap, IM_COL32(168, 180, 230, 110), px(4));
  fill({cap.x0 + px(3), cap.y1 - px(2), cap.x1 - px(3), cap.y1}, IM_COL32(168, 180, 230, 110));
  text_centred(Cut::Small, {cap.x0, cap.y0, cap.x1, cap.y1 - px(1)}, kText, key);
  return wide;
}

void Pen::letter_box(const Rect& box, ImU32 colour, char letter) const {
  fill(box, colour, px(4));
  text_centred(Cut::Strong, box, kInk, std::string_view(&letter, 1));
}

std::string_view fitting(const Pen& pen, Cut cut, float room, std::initializer_list<std::string_view> words) {
  for (const std::string_view one : words) {
    if (pen.width(cut, one) <= room) return one;
  }
  return *(words.end() - 1);
}

}  // namespace spellpool::ui
