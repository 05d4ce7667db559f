#include <algorithm>
#include <array>

#include "ui/kit/parts.hpp"

namespace spellpool::ui {
namespace {

using frame::Action;
using frame::Hotkey;
using frame::kHotkeys;
using frame::Scenes;

constexpr float kWidthUnits = 1000, kTwoColumnUnits = 760, kBetweenUnits = 30;
constexpr std::size_t kMostColumns = 2;

/// What is on: the scene, or a replay that is watched, which has keys of its own.
Scenes scene_of(const frame::PanelModel& model) {
  if (model.replay.shown) return Scenes::Replay;
  return model.shooter != nullptr ? Scenes::Shooter : Scenes::Spells;
}

constexpr bool is_spell_choice(Action action) {
  return action >= Action::Spell1 && action <= Action::PreviousSpell;
}
constexpr bool opens_a_tool(Action action) {
  return action == Action::Voices || action == Action::SoundEditor || action == Action::Lab ||
         action == Action::Editor || action == Action::Settings;
}

/// A heading with its rows. It stays whole in one column, and without rows it is left out.
struct Section {
  HelpPage page;
  std::string_view title;
  bool (*has)(const Hotkey&);
};
constexpr std::array kSections = {
    Section{HelpPage::Play, "Move and act",
            [](const Hotkey& h) { return h.group == "Play" && !is_spell_choice(h.id); }},
    Section{HelpPage::Play, "Choose a spell", [](const Hotkey& h) { return is_spell_choice(h.id); }},
    Section{HelpPage::Replay, "Watch a replay", [](const Hotkey& h) { return h.group == "Replay"; }},
    Section{HelpPage::Pools, "Switch pools while you play",
            [](const Hotkey& h) { return h.group == "Pool"; }},
    Section{HelpPage::Measure, "Measure", [](const Hotkey& h) { return h.group == "Measure"; }},
    Section{HelpPage::Measure, "Time", [](const Hotkey& h) { return h.group == "Time"; }},
    Section{HelpPage::Panels, "Over the game",
            [](const Hotkey& h) { return h.group == "Panels" && !opens_a_tool(h.id); }},
    Section{HelpPage::Panels, "Tools",
            [](const Hotkey& h) { return h.group == "Panels" && opens_a_tool(h.id); }},
    Section{HelpPage::Window, "Window", [](const Hotkey& h) { return h.group == "Window"; }},
    Section{HelpPage::Window, "Sound", [](const Hotkey& h) { return h.group == "Sound"; }},
};

struct Page {
  HelpPage id;
  std::string_view title;
  Scenes scene;  ///< Where it is shown.
  std::string_view words;
};
constexpr std::array kPages = {
    Page{HelpPage::Play, "Play", Scenes::Spells,
         "Aim with the mouse or the right stick, and hold to charge: a charged spell is stronger. Hits that "
         "follow each other are a combo. "
         "The challenge counts them for 60 seconds."},
    Page{HelpPage::Play, "Play", Scenes::Shooter,
         "Fly, fire, and stay between the bullets: only the dot in the middle of the ship can be hit. A "
         "bullet that passes close is a "
         "graze; it scores and keeps the chain alive."},
    Page{HelpPage::Replay, "Replay", Scenes::Replay,
         "A replay repeats every step as it was recorded. The bar at the bottom is its time: click or drag "
         "there."},
    Page{HelpPage::Pools, "Pools", Scenes::All,
         "Every spark you see is an object that lives for a second or two; a busy fight makes thousands of "
         "them each second. A pool "
         "strategy decides where their memory comes from: new/delete asks the system for each spark, a pool "
         "takes one block at the start "
         "and hands out its slots again and again."},
    Page{HelpPage::Measure, "Measure", Scenes::All,
         "Switch strategies while sparks are in the air and watch the frame times: the game plays exactly "
         "the same, only the cost changes. "
         "One look proves little. The quick A/B compares two strategies; the lab does so with care."},
    Page{HelpPage::Panels, "Panels", Scenes::All,
         "Every control of a panel can be clicked. On a gamepad hold the left trigger: the right stick then "
         "moves the pointer, and the "
         "right trigger clicks."},
    Page{HelpPage::Window, "Window", Scenes::All,
         "Mouse buttons, wheel and sticks always work. Every key and every gamepad button can be chosen in "
         "the settings."},
};
constexpr std::size_t kMostTabs = 5;

/// The pages of a scene, in the order of the tabs.
struct Tabs {
  std::array<const Page*, kMostTabs> pages{};
  std::array<std::string_view, kMostTabs> titles{};
  std::size_t count = 0, chosen = 0;

  Tabs(Scenes scene, HelpPage wanted) {
    for (const Page& page : kPages) {
      if (!meet(page.scene, scene) || count == kMostTabs) continue;
      if (page.id == wanted) chosen = count;
      titles[count] = page.title;
      pages[count++] = &page;
    }
  }
  const Page& page() const { return *pages[chosen]; }
};

/// The rows of one page: each section whole in a column.
class Rows {
 public:
  Rows(const frame::PanelModel& model, const Pen& pen, HelpPage page) : model_(model), pen_(pen) {
    const Scenes scene = scene_of(model);
    for (const Section& section : kSections) {
      if (section.page != page) continue;
      const std::size_t first = row_count_;
      for (const Hotkey& hotkey : kHotkeys) {
        // The four directions share a row.
        const bool shares =
            hotkey.id == Action::MoveLeft || hotkey.id == Action::MoveDown || hotkey.id == Action::MoveRight;
        if (meet(hotkey.scenes, scene) && section.has(hotkey) && !shares) rows_[row_count_++] = &hotkey;
      }
      if (row_count_ == first) continue;
      const auto begin = rows_.begin() + static_cast<std::ptrdiff_t>(first),
                 end = rows_.begin() + static_cast<std::ptrdiff_t>(row_count_);
      // To move is the first thing to know.
      const auto moves =
          std::find_if(begin, end, [](const Hotkey* hotkey) { return hotkey->id == Action::MoveUp; });
      if (moves != end) std::rotate(begin, moves, moves + 1);
      float key_wide = 0;
      for (auto row = begin; row != end; ++row) key_wide = std::max(key_wide, keys_width(**row));
      blocks_[block_count_++] = {section.title, first, row_count_, key_wide + pen_.px(10)};
    }
  }

  /// Draws between x0 and x1 from y on; returns where it ends.
  float run(float x0, float x1, float y) const {
    const std::size_t columns = block_count_ > 1 && x1 - x0 >= pen_.px(kTwoColumnUnits) ? kMostColumns : 1;
    const float between = pen_.px(kBetweenUnits), count = static_cast<float>(columns);
    const float wide = std::floor((x1 - x0 - between * (count - 1)) / count);
    std::array<float, kMostColumns> ends;
    ends.fill(y);
    for (std::size_t i = 0; i < block_count_; ++i) {
      // The next section comes below the shortest column.
      const auto column = static_cast<std::size_t>(
          std::min_element(ends.begin(), ends.begin() + static_cast<std::ptrdiff_t>(columns)) - ends.begin());
      const float left = x0 + static_cast<float>(column) * (wide + between);
      ends[column] = section(blocks_[i], left, left + wide, ends[column]) + pen_.px(10);
    }
    return *std::max_element(ends.begin(), ends.end());
  }

 private:
  struct Block {
    std::string_view title;
    std::size_t first = 0, end = 0;
    float key_wide = 0;
  };

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

  float section(const Block& block, float x0, float x1, float y) const {
    pen_.text(Cut::Strong, x0, y, kAccent, block.title);
    y += pen_.line_px(Cut::Strong) + pen_.px(5);
    for (std::size_t i = block.first; i < block.end; ++i) y = row(*rows_[i], block.key_wide, x0, x1, y);
    return y;
  }

  float row(const Hotkey& hotkey, float key_wide, float x0, float x1, float y) const {
    const float left = x0 + key_wide, room = x1 - pad_width(hotkey) - left;
    const float text_high = pen_.wrapped_height(Cut::Small, words(hotkey), room);
    const float bottom = y + std::max(pen_.key_cap_height(), text_high);
    if (hotkey.id == Action::MoveUp) {
      float x = x0;
      for (const Action action : kMoves)
        x += pen_.key_cap(x, y, bottom, key_label(model_, action)) + pen_.px(2);
    } else {
      pen_.key_cap(x0, y, bottom, key_label(model_, hotkey.id));
    }
    pen_.text_wrapped(Cut::Small, left, y + std::floor((bottom - y - text_high) * 0.5f), room, kText,
                      words(hotkey));
    if (const Line<32> pad = pad_label(model_, hotkey.id); pad.c_str()[0] != 0) {
      const float wide = pen_.width(Cut::Small, pad) + pen_.px(12), cap = pen_.key_cap_height();
      const float top = std::floor((y + bottom - cap) * 0.5f);
      const Rect pill{x1 - wide, top, x1, top + cap};
      pen_.frame(pill, kControlEdge, cap * 0.5f);
      pen_.text_centred(Cut::Small, pill, kMuted, pad);
    }
    return bottom + pen_.px(4);
  }

  static constexpr std::array<Action, 4> kMoves = {Action::MoveUp, Action::MoveLeft, Action::MoveDown,
                                                   Action::MoveRight};
  const frame::PanelModel& model_;
  const Pen& pen_;
  std::array<const Hotkey*, frame::kActionCount> rows_{};
  std::size_t row_count_ = 0;
  std::array<Block, kSections.size()> blocks_{};
  std::size_t block_count_ = 0;
};

float draw_page(const Pen& pen, const frame::PanelModel& model, const Page& page, float x0, float x1,
                float y) {
  pen.text_wrapped(Cut::Small, x0, y, x1 - x0, kMuted, page.words);
  y += pen.wrapped_height(Cut::Small, page.words, x1 - x0) + pen.px(12);
  return Rows(model, pen, page.id).run(x0, x1, y);
}

bool is_pressed(ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key), true); }

}  // namespace

Rect draw_help(const Rect& free, const frame::PanelModel& model, UiState& state, const Pen& outer,
               frame::PanelRequests& requests) {
  const Tabs tabs(scene_of(model), state.help_page);
  const float side = outer.px(18), wide = std::min(free.width(), outer.px(kWidthUnits));
  const float head = outer.px(12) + outer.px(24) + outer.px(8) + outer.px(30) + outer.px(12);
  constexpr std::string_view kFoot = "Pg up and Pg down turn the pages.";
  const float foot_high = outer.line_px(Cut::Small) + outer.px(18);
  // As high as the longest page needs, so that the tabs stay where they are.
  const Pen dry(nullptr, outer.scale(), outer.layout());
  float longest = 0;
  for (std::size_t i = 0; i < tabs.count; ++i)
    longest = std::max(longest, draw_page(dry, model, *tabs.pages[i], side, wide - side, 0));
  const float high = std::min(free.height(), head + longest + outer.px(6) + foot_high);
  const float x0 = std::floor(free.middle_x() - wide * 0.5f), y0 = std::floor(free.middle_y() - high * 0.5f);
  const Rect box{x0, y0, x0 + wide, y0 + high};
  outer.fill(box, kPanelFill, outer.px(8));
  outer.panel(box);
  begin_window("##help", box);
  const Pen pen = Pen(ImGui::GetWindowDrawList(), outer.scale(), outer.layout()).within(box);
  const float left = box.x0 + side, right = box.x1 - side;
  float y = box.y0 + pen.px(12);
  if (panel_header(pen, {left, y, right, y + pen.px(24)}, "Help", key_label(model, Action::Help),
                   ClosePanel::Help)) {
    requests.ask(Action::Help);
  }
  y += pen.px(24) + pen.px(8);
  const int clicked = segments(pen, ControlKind::HelpTab, 0, {left, y, right, y + pen.px(30)},
                               {tabs.titles.data(), tabs.count}, tabs.chosen);
  y += pen.px(30) + pen.px(12);
  std::size_t page = clicked >= 0 ? static_cast<std::size_t>(clicked) : tabs.chosen;

  const float foot = box.y1 - foot_high + pen.px(9);
  const Rect room{box.x0, y, box.x1, foot - pen.px(8)};
  if (room.height() >= pen.px(20)) {
    // Each page keeps its own place.
    constexpr std::array<const char*, kMostTabs> kNames = {"##play", "##pools", "##measure", "##panels",
                                                           "##window"};
    const float scrolled = begin_scroll(kNames[tabs.chosen], room);
    const Pen inner = Pen(ImGui::GetWindowDrawList(), outer.scale(), outer.layout()).within(room);
    const float end = draw_page(inner, model, tabs.page(), left, right, room.y0 - scrolled);
    // A page that is longer than its room is read to its end before the next one comes.
    const float lowest = ImGui::GetScrollMaxY(), part = room.height() * 0.8f;
    const int way = is_pressed(ImGuiKey_PageDown) - is_pressed(ImGuiKey_PageUp);
    const bool inside = way > 0 ? scrolled < lowest - 1 : scrolled > 1;
    if (way != 0 && inside)
      ImGui::SetScrollY(std::clamp(scrolled + static_cast<float>(way) * part, 0.0f, lowest));
    else if (way > 0)
      page = std::min(tabs.chosen + 1, tabs.count - 1);
    else if (way < 0)
      page = tabs.chosen - std::min<std::size_t>(tabs.chosen, 1);
    end_scroll(room, end + pen.px(4));
  }
  pen.fill({left, foot - pen.px(5), right, foot - pen.px(5) + 1}, kRule);
  pen.text_within(Cut::Small, left, foot, right - left, kMuted, kFoot);
  end_window();
  state.help_page = tabs.pages[page]->id;
  return box;
}

}  // namespace spellpool::ui
