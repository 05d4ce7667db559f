#include <algorithm>
#include <array>

#include "ui/kit/parts.hpp"
#include "ui/kit/sheet.hpp"

namespace spellpool::ui {
namespace {

using frame::Action;
using frame::Hotkey;
using frame::kHotkeys;

constexpr std::array<std::string_view, 2> kSentences = {
    "Every spark you see is an object that lives for a second or two; a busy fight makes thousands of them each "
    "second. "
    "A pool strategy decides where their memory comes from: new/delete asks the system for each spark, a pool takes "
    "one "
    "block at the start and hands out its slots again and again.",
    "Switch it while sparks are in the air and watch the frame times: the game plays exactly the same, only the cost "
    "changes. Left and right mouse buttons, wheel and sticks always work; every key can be chosen in the settings."};

constexpr std::string_view kPlayGroup = "Play";
constexpr std::size_t kMostLines = frame::kActionCount + 12;
constexpr std::size_t kMostColumns = 3;

// A line of the list: a heading, or an action. The four directions share one line.
struct Entry {
  std::string_view heading;
  const Hotkey* hotkey = nullptr;
};
struct Entries {
  std::array<Entry, kMostLines> rows;
  std::size_t count = 0;
};

Entries entries(const frame::PanelModel& model) {
  const frame::Scenes scene = model.shooter != nullptr ? frame::Scenes::Shooter : frame::Scenes::Spells;
  Entries all;
  std::array<std::string_view, 12> groups;
  std::size_t group_count = 0;
  groups[group_count++] = kPlayGroup;
  for (const Hotkey& hotkey : kHotkeys) {
    const auto end = groups.begin() + static_cast<std::ptrdiff_t>(group_count);
    if (std::find(groups.begin(), end, hotkey.group) == end && group_count < groups.size())
      groups[group_count++] = hotkey.group;
  }
  for (std::size_t group = 0; group < group_count; ++group) {
    all.rows[all.count++].heading = groups[group];
    for (const Hotkey& hotkey : kHotkeys) {
      if (!meet(hotkey.scenes, scene) || hotkey.group != groups[group] || all.count == all.rows.size()) continue;
      if (hotkey.id == Action::MoveLeft || hotkey.id == Action::MoveDown || hotkey.id == Action::MoveRight) continue;
      all.rows[all.count++].hotkey = &hotkey;
    }
  }
  return all;
}

class Keys {
 public:
  Keys(const frame::PanelModel& model, const Pen& pen) : model_(model), pen_(pen), all_(entries(model)) {
    for (std::size_t i = 0; i < all_.count; ++i) {
      if (all_.rows[i].hotkey == nullptr) continue;
      key_wide_ = std::max(key_wide_, keys_width(*all_.rows[i].hotkey));
    }
    key_wide_ += pen_.px(10);
  }

  // Lines in `columns` columns between x0 and x1, split where the highest is least high; returns where it ends.
  float run(float x0, float x1, float y, std::size_t columns) {
    const float between = pen_.px(26);
    const auto count = static_cast<float>(columns);
    const float wide = std::floor((x1 - x0 - between * (count - 1)) / count);
    std::array<float, kMostLines> heights{};
    float total = 0;
    for (std::size_t i = 0; i < all_.count; ++i) total += heights[i] = height(all_.rows[i], wide);
    std::array<std::size_t, kMostColumns + 1> first{};
    float limit = total / count;
    while (!split(heights, limit, columns, first)) limit += pen_.px(4);
    float lowest = y;
    for (std::size_t column = 0; column < columns; ++column) {
      const float left = x0 + static_cast<float>(column) * (wide + between);
      float at = y;
      for (std::size_t i = first[column]; i < first[column + 1]; ++i) {
        line(all_.rows[i], left, left + wide, at, heights[i]);
        at += heights[i];
      }
      lowest = std::max(lowest, at);
    }
    return lowest;
  }

 private:
  float keys_width(const Hotkey& hotkey) const {
    if (hotkey.id != Action::MoveUp) return pen_.key_cap_width(key_label(model_, hotkey.id));
    float wide = 0;
    for (const Action action : kMoves) wide += pen_.key_cap_width(key_label(model_, action)) + pen_.px(2);
    return wide;
  }

  float pad_width(const Hotkey& hotkey) const {
    const Line<32> pad = pad_label(model_, hotkey.id);
    return pad.c_str()[0] != 0 ? pen_.width(Cut::Small, pad) + pen_.px(20) : 0.0f;
  }

  std::string_view words(const Hotkey& hotkey) const {
    if (hotkey.id == Action::MoveUp) return "walk or fly (arrow keys and left stick too)";
    const auto spell = static_cast<std::size_t>(hotkey.id) - static_cast<std::size_t>(Action::Spell1);
    if (spell < frame::kSpellCount && !model_.spell_titles[spell].empty()) return model_.spell_titles[spell];
    return hotkey.description;
  }

  float height(const Entry& entry, float wide) const {
    if (entry.hotkey == nullptr) return pen_.line_px(Cut::Strong) + pen_.px(10);
    const float room = wide - key_wide_ - pad_width(*entry.hotkey);
    return std::max(pen_.key_cap_height(), pen_.wrapped_height(Cut::Small, words(*entry.hotkey), room)) + pen_.px(3);
  }

  // The next two lines end a group: too few to begin a column with.
  bool near_end(std::size_t i) const {
    for (std::size_t next = i; next < i + 2; ++next) {
      if (next >= all_.count || all_.rows[next].hotkey == nullptr) return next > i;
    }
    return i + 2 >= all_.count || all_.rows[i + 2].hotkey == nullptr;
  }

  // Fills columns from the top; false if the lines need more of them. A heading never ends a column.
  bool split(const std::array<float, kMostLines>& heights, float limit, std::size_t columns,
             std::array<std::size_t, kMostColumns + 1>& first) const {
    std::size_t column = 0;
    float used = 0;
    first[0] = 0;
    for (std::size_t i = 0; i < all_.count; ++i) {
      const bool heading = all_.rows[i].hotkey == nullptr;
      const float needed = heights[i] + (heading && i + 1 < all_.count ? heights[i + 1] : 0.0f);
      if (used > 0 && used + needed > limit && (heading || !near_end(i))) {
        if (++column == columns) return false;
        first[column] = i;
        used = 0;
      }
      used += heights[i];
    }
    for (std::size_t left = column + 1; left <= columns; ++left) first[left] = all_.count;
    return true;
  }

  void line(const Entry& entry, float x0, float x1, float y, float high) const {
    if (entry.hotkey == nullptr) {
      pen_.text(Cut::Strong, x0, y + pen_.px(6), kAccent, entry.heading);
      return;
    }
    const Hotkey& hotkey = *entry.hotkey;
    const float bottom = y + high - pen_.px(3);
    if (hotkey.id == Action::MoveUp) {
      float x = x0;
      for (const Action action : kMoves) x += pen_.key_cap(x, y, bottom, key_label(model_, action)) + pen_.px(2);
    } else {
      pen_.key_cap(x0, y, bottom, key_label(model_, hotkey.id));
    }
    const float left = x0 + key_wide_, room = x1 - pad_width(hotkey) - left;
    const float text_high = pen_.wrapped_height(Cut::Small, words(hotkey), room);
    pen_.text_wrapped(Cut::Small, left, y + std::floor((bottom - y - text_high) * 0.5f), room, kText, words(hotkey));
    const Line<32> pad = pad_label(model_, hotkey.id);
    if (pad.c_str()[0] == 0) return;
    const float wide = pen_.width(Cut::Small, pad) + pen_.px(12), cap = pen_.key_cap_height();
    const float top = std::floor((y + bottom - cap) * 0.5f);
    const Rect pill{x1 - wide, top, x1, top + cap};
    pen_.frame(pill, kControlEdge, cap * 0.5f);
    pen_.text_centred(Cut::Small, pill, kMuted, pad);
  }

  static constexpr std::array<Action, 4> kMoves = {Action::MoveUp, Action::MoveLeft, Action::MoveDown,
                                                   Action::MoveRight};
  const frame::PanelModel& model_;
  const Pen& pen_;
  Entries all_;
  float key_wide_ = 0;
};

}  // namespace

Rect draw_help(const Rect& free, const frame::PanelModel& model, const Pen& outer, frame::PanelRequests& requests) {
  return draw_sheet("##help", free, 1240, outer, [&](const Pen& pen, const Rect& column) {
    float y = column.y0;
    if (panel_header(pen, {column.x0, y, column.x1, y + pen.px(24)}, "Spellpool: spells, and where their sparks live",
                     key_label(model, Action::Help), ClosePanel::Help)) {
      requests.ask(Action::Help);
    }
    y += pen.px(24) + pen.px(8);
    for (std::string_view sentence : kSentences) {
      pen.text_wrapped(Cut::Small, column.x0, y, column.x1 - column.x0, kMuted, sentence);
      y += pen.wrapped_height(Cut::Small, sentence, column.x1 - column.x0) + pen.px(3);
    }
    y += pen.px(6);
    pen.fill({column.x0, y, column.x1, y + 1}, kRule);
    y += pen.px(4);
    const float wide = column.x1 - column.x0;
    return Keys(model, pen).run(column.x0, column.x1, y, wide >= pen.px(960) ? 3 : 2);
  });
}

}  // namespace spellpool::ui
