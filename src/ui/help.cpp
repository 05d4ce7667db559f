#include <algorithm>

#include "ui/controls.hpp"
#include "ui/parts.hpp"

namespace spellpool::ui {
namespace {

using frame::Hotkey;
using frame::kHotkeys;

constexpr std::array<std::string_view, 3> kSentences = {
    "Every spark you see is an object that lives for a second or two; a busy fight makes thousands of them each "
    "second.",
    "A pool strategy decides where their memory comes from: new/delete asks the system for each spark, a pool takes "
    "one "
    "block at the start and hands out its slots again and again.",
    "Switch it while sparks are in the air and watch the frame times: the game plays exactly the same, only the cost "
    "changes."};

// What is held rather than pressed, so no row of the hotkey table; platform/events.cpp reads it.
struct HeldRow {
  std::string_view key, pad, description;
};
constexpr std::array<HeldRow, 3> kHeldRows = {{{"Mouse", "right stick", "aim"},
                                               {"Click", "A", "hold the left button to cast"},
                                               {"WASD", "left stick", "walk (the arrow keys too)"}}};
constexpr std::string_view kPlayGroup = "Play";

// The groups in the order of the table, the game's own first.
struct Groups {
  std::array<std::string_view, frame::kActionCount> names;
  std::size_t count = 0;
};
Groups groups() {
  Groups found;
  found.names[found.count++] = kPlayGroup;
  for (const Hotkey& hotkey : kHotkeys) {
    const auto end = found.names.begin() + static_cast<std::ptrdiff_t>(found.count);
    if (std::find(found.names.begin(), end, hotkey.group) == end) found.names[found.count++] = hotkey.group;
  }
  return found;
}

class Sheet {
 public:
  Sheet(const Pen& pen, const Rect& column) : pen_(pen), inside_(column) {}

  // Draws everything below the header; returns the y where it ends.
  float run(float y) const {
    for (std::string_view sentence : kSentences) {
      pen_.text_wrapped(Cut::Small, inside_.x0, y, inside_.width(), kMuted, sentence);
      y += pen_.wrapped_height(Cut::Small, sentence, inside_.width()) + pen_.px(3);
    }
    y += pen_.px(6);
    pen_.fill({inside_.x0, y, inside_.x1, y + 1}, kRule);
    y += pen_.px(8);
    const float between = pen_.px(28), wide = std::floor((inside_.width() - between) * 0.5f);
    // The split of the groups over two columns that is least high; the first group stays at the left.
    const Groups all = groups();
    const Sheet dry(Pen(nullptr, pen_.scale(), pen_.layout()), inside_);
    std::array<float, frame::kActionCount> heights{};
    for (std::size_t i = 0; i < all.count; ++i) heights[i] = dry.group(all.names[i], 0, wide, 0) + pen_.px(8);
    unsigned best = 0;
    float least = 1e9f;
    for (unsigned split = 0; split < 1u << std::min<std::size_t>(all.count, 12); split += 2) {
      std::array<float, 2> sums{};
      for (std::size_t i = 0; i < all.count; ++i) sums[split >> i & 1u] += heights[i];
      if (const float tall = std::max(sums[0], sums[1]); tall < least) {
        least = tall;
        best = split;
      }
    }
    std::array<float, 2> bottom = {y, y};
    for (std::size_t i = 0; i < all.count; ++i) {
      const std::size_t side = best >> i & 1u;
      const float x = inside_.x0 + static_cast<float>(side) * (wide + between);
      if (bottom[side] <= y) pen_.text_right(Cut::Small, x + wide, y + pen_.px(2), kMuted, "gamepad");
      bottom[side] = group(all.names[i], x, x + wide, bottom[side]) + pen_.px(8);
    }
    return std::max(bottom[0], bottom[1]) - pen_.px(8);
  }

 private:
  float group(std::string_view name, float x0, float x1, float y) const {
    pen_.text(Cut::Strong, x0, y, kAccent, name);
    y += pen_.line_px(Cut::Strong) + pen_.px(3);
    if (name == kPlayGroup) {
      for (const HeldRow& row : kHeldRows) y = line(row.key, row.pad, row.description, x0, x1, y);
    }
    for (const Hotkey& hotkey : kHotkeys) {
      if (hotkey.group == name) y = line(key_label(hotkey.id), pad_label(hotkey.id), hotkey.description, x0, x1, y);
    }
    return y;
  }

  float line(std::string_view key, std::string_view pad, std::string_view words, float x0, float x1, float y) const {
    const float key_wide = pen_.px(66), pad_wide = pen_.px(86);
    const float left = x0 + key_wide, room = x1 - pad_wide - left;
    const float text_high = pen_.wrapped_height(Cut::Small, words, room);
    const float high = std::max(pen_.key_cap_height(), text_high) + pen_.px(3);
    pen_.key_cap(x0, y, y + high, key);
    pen_.text_wrapped(Cut::Small, left, y + std::floor((high - text_high) * 0.5f), room, kText, words);
    if (!pad.empty()) {
      const float wide = pen_.width(Cut::Small, pad) + pen_.px(12), cap = pen_.key_cap_height();
      const Rect pill{x1 - wide, std::floor(y + (high - cap) * 0.5f), x1, std::floor(y + (high - cap) * 0.5f) + cap};
      pen_.frame(pill, kControlEdge, cap * 0.5f);
      pen_.text_centred(Cut::Small, pill, kMuted, pad);
    }
    return y + high;
  }

  Pen pen_;
  Rect inside_;
};

float height_at(const Pen& dry, float width) {
  const float pad = dry.px(16);
  const Rect column{pad, 0, width - pad, 0};
  return Sheet(dry, column).run(dry.px(12) + dry.px(24) + dry.px(8)) + dry.px(14);
}

}  // namespace

Rect draw_help(const Rect& free, const frame::PanelModel&, const Pen& outer, frame::PanelRequests& requests) {
  // As large as fits: a smaller scale gives shorter lines and more of them in a row.
  float scale = outer.scale();
  float wide = std::min(free.width(), std::floor(980 * scale));
  float high = height_at(Pen(nullptr, scale, outer.layout()), wide);
  while (high > free.height() && scale * kCutUnits[1] > kLeastTextPx) {
    scale *= 0.97f;
    wide = std::min(free.width(), std::floor(980 * scale));
    high = height_at(Pen(nullptr, scale, outer.layout()), wide);
  }
  const bool scrolls = high > free.height() + 0.5f;
  const float whole = high;
  high = std::min(high, free.height());
  const float x0 = std::floor(free.middle_x() - wide * 0.5f), y0 = std::floor(free.middle_y() - high * 0.5f);
  const Rect box{x0, y0, x0 + wide, y0 + high};
  outer.fill(box, kPanelFill, outer.px(8));
  outer.panel(box);
  begin_window("##help", box, scrolls);
  const Pen pen(ImGui::GetWindowDrawList(), scale, outer.layout());
  const float top = box.y0 - ImGui::GetScrollY();
  const float pad = pen.px(16);
  const Rect header{box.x0 + pad, top + pen.px(12), box.x1 - pad, top + pen.px(12) + pen.px(24)};
  if (panel_header(pen, header, "Spellpool: spells, and where their sparks live", key_label(frame::Action::Help), 2)) {
    requests.ask(frame::Action::Help);
  }
  Sheet(pen, {box.x0 + pad, box.y0, box.x1 - pad, box.y1}).run(header.y1 + pen.px(8));
  if (scrolls) {
    ImGui::SetCursorScreenPos(ImVec2(box.x0, top));
    ImGui::Dummy(ImVec2(1, whole));
  }
  end_window();
  return box;
}

}  // namespace spellpool::ui
