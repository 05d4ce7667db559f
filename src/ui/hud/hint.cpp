#include <algorithm>
#include <cmath>
#include <optional>

#include "ui/kit/controls.hpp"
#include "ui/kit/parts.hpp"

namespace spellpool::ui {
namespace {

struct HintWord {
  std::string_view text;
  bool key = false;
  bool ends = false;  ///< The last word of a segment: a dot or a new line may follow.
  std::optional<frame::Action> action{};  ///< Of the last word: a click on the segment does it.
};

constexpr std::size_t kMostWords = 24;
using HintWords = std::array<HintWord, kMostWords>;

HintWords hint_words(const frame::PanelModel& model) {
  using frame::Action;
  const auto key = [&model](Action action) { return HintWord{key_label(model, action), true}; };
  HintWords words;
  std::size_t count = 0;
  const auto add = [&](std::initializer_list<HintWord> segment) {
    for (const HintWord& word : segment) words[count++] = word;
    words[count - 1].ends = true;
  };
  const auto ask = [&](Action action, std::string_view what) { add({key(action), {what, false, true, action}}); };
  if (model.hint) {
    add({key(Action::MoveUp), key(Action::MoveLeft), key(Action::MoveDown), key(Action::MoveRight), {"walk"}});
    add({{"mouse aims"}});
    add({{"click or"}, key(Action::Cast), {"casts, hold to charge"}});
    add({key(Action::Spell1), {"–"}, key(frame::spell_action(frame::kSpellCount - 1)), {"spells"}});
  }
  ask(Action::ToggleStrategy, "pool off and on");
  if (!model.hint) ask(Action::LoadDown, "less");
  ask(Action::LoadUp, "more load");
  ask(Action::SideBySide, "side by side");
  if (!model.hint) ask(Action::QuickAb, "measure");
  ask(Action::Challenge, "60-second challenge");
  ask(Action::Help, "help");
  return words;
}

constexpr std::size_t kMostLines = 8;
struct HintLines {
  std::array<float, kMostLines> widths{};
  std::array<std::size_t, kMostLines + 1> first{};  // Index of each line's first word; one more for the end.
  std::size_t count = 0;
};

float word_width(const Pen& pen, const HintWord& word) {
  return word.key ? pen.key_cap_width(word.text) : pen.width(Cut::Small, word.text);
}

/// Of the words from `first` to `last`, with the spaces between them.
float segment_width(const Pen& pen, const HintWords& words, std::size_t first, std::size_t last) {
  float wide = pen.px(6) * static_cast<float>(last - first);
  for (std::size_t word = first; word <= last; ++word) wide += word_width(pen, words[word]);
  return wide;
}

HintLines break_hint(const Pen& pen, const HintWords& words, float room) {
  HintLines lines;
  const float dot = pen.px(20);
  float line = 0;
  std::size_t start = 0, segment = 0;
  for (std::size_t i = 0; i < words.size() && !words[i].text.empty(); ++i) {
    if (!words[i].ends) continue;
    const float wide = segment_width(pen, words, segment, i);
    if (line > 0 && line + dot + wide > room && lines.count + 1 < kMostLines) {
      lines.first[lines.count] = start;
      lines.widths[lines.count++] = line;
      start = segment;
      line = wide;
    } else {
      line += (line > 0 ? dot : 0) + wide;
    }
    segment = i + 1;
  }
  lines.first[lines.count] = start;
  lines.widths[lines.count++] = line;
  std::size_t end = 0;
  while (end < words.size() && !words[end].text.empty()) ++end;
  lines.first[lines.count] = end;
  return lines;
}

}  // namespace

float hint_height(const frame::PanelModel& model, const Pen& pen, float width) {
  const std::size_t lines = break_hint(pen, hint_words(model), width - pen.px(24)).count;
  return lines <= 2 ? static_cast<float>(lines) * pen.px(24) + pen.px(6) : 0.0f;
}

Rect draw_hint(const Rect& row, const frame::PanelModel& model, const Pen& outer, frame::PanelRequests& requests) {
  const HintWords words = hint_words(model);
  const HintLines lines = break_hint(outer, words, row.width() - outer.px(24));
  const float widest = *std::max_element(lines.widths.begin(), lines.widths.end()) + outer.px(24);
  const float x0 = std::floor(row.middle_x() - widest * 0.5f);
  const Rect box{x0, row.y0, x0 + widest, row.y1};
  begin_window("##hint", box);
  const Pen pen(ImGui::GetWindowDrawList(), outer.scale(), outer.layout());
  pen.fill(box, faded(kPanelFill, 0.72f), pen.px(8));
  const float high = pen.px(24), space = pen.px(6), dot = pen.px(20);
  float y = box.y0 + pen.px(3);
  for (std::size_t line = 0; line < lines.count; ++line, y += high) {
    float x = std::floor(box.middle_x() - lines.widths[line] * 0.5f);
    const float text_y = pen.centre_y(Cut::Small, y, y + high);
    for (std::size_t i = lines.first[line]; i < lines.first[line + 1];) {
      std::size_t last = i;
      while (!words[last].ends) ++last;
      if (const std::optional<frame::Action> action = words[last].action) {
        const Rect area{x - space, y, x + segment_width(pen, words, i, last) + space, y + high};
        const Press press = press_area(pen, ControlKind::Ask, static_cast<std::size_t>(*action), area);
        if (press.hovered) pen.fill(area, kControl, pen.px(6));
        if (press.pressed) requests.ask(*action);
      }
      for (; i <= last; ++i) {
        x += words[i].key ? pen.key_cap(x, y, y + high, words[i].text)
                          : pen.text(Cut::Small, x, text_y, kText, words[i].text);
        if (i < last) x += space;
      }
      if (i < lines.first[line + 1]) {
        pen.list()->AddCircleFilled(ImVec2(x + dot * 0.5f, y + high * 0.5f), std::max(1.0f, pen.scale() * 1.5f), kMuted,
                                    8);
        x += dot;
      }
    }
  }
  end_window();
  return box;
}

}  // namespace spellpool::ui
