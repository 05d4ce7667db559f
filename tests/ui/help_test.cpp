#include <set>

#include "drawn_text.hpp"
#include "panel_fixture.hpp"

namespace spellpool::ui {
namespace {

using frame::Action;
using frame::Hotkey;
using frame::kHotkeys;

constexpr std::array<std::string_view, 10> kHeadings = {
    "Move and act", "Choose a spell", "Watch a replay", "Switch pools while you play",
    "Measure",      "Time",           "Over the game",  "Tools",
    "Window",       "Sound"};

class Help : public Panels {
 protected:
  enum class What { Spells, Shooter, Replay };
  frame::PanelModel& model_of(What what, Scene& scene) {
    scene.model.help = true;
    scene.model.shooter = what == What::Shooter ? &scene.view : nullptr;
    scene.model.replay.shown = what == What::Replay;
    return scene.model;
  }
  std::vector<DrawnLine> lines(const frame::PanelModel& model) {
    draw(model);
    draw(model);  // a scroll bar is known in the second frame
    return drawn_lines(*ImGui::GetDrawData());
  }
  static void key(ImGuiKey which, bool down) {
    ImGuiIO& io = ImGui::GetIO();
#if IMGUI_VERSION_NUM >= 18700
    io.AddKeyEvent(which, down);
#else
    io.KeyMap[which] = 100 + which;
    io.KeysDown[100 + which] = down;
#endif
  }
  std::size_t tab_count() const {
    std::size_t count = 0;
    while (state_.layout.find(ControlKind::HelpTab, count) != nullptr) ++count;
    return count;
  }
  void open(const frame::PanelModel& model, std::size_t tab) {
    const Control* control = state_.layout.find(ControlKind::HelpTab, tab);
    ASSERT_NE(control, nullptr) << tab;
    const float x = control->rect.middle_x(), y = control->rect.middle_y();
    for (const bool down : {false, true, false}) {
      mouse(x, y, down);
      draw(model);
    }
    mouse(-100, -100, false);
    draw(model);
  }
};

bool is_heading(const DrawnLine& line) {
  return std::find(kHeadings.begin(), kHeadings.end(), line.text) != kHeadings.end();
}

TEST_F(Help, HasNoHeadingWithoutRowsAndEachSectionStandsWholeInAColumn) {
  for (const What what : {What::Spells, What::Shooter, What::Replay}) {
    Scene scene;
    const frame::PanelModel& model = model_of(what, scene);
    show(1280, 720);
    draw(model);
    ASSERT_EQ(tab_count(), 5u);
    for (std::size_t tab = 0; tab < 5; ++tab) {
      open(model, tab);
      const float bar = state_.layout.find(ControlKind::HelpTab, 0)->rect.y1;
      std::vector<DrawnLine> headings, rows;
      for (const DrawnLine& line : lines(model)) {
        if (line.y < bar) continue;
        (is_heading(line) ? headings : rows).push_back(line);
      }
      ASSERT_FALSE(headings.empty()) << tab;
      EXPECT_EQ(std::any_of(headings.begin(), headings.end(),
                            [](const DrawnLine& l) { return l.text == "Watch a replay"; }),
                what == What::Replay && tab == 0);
      // Below each heading, in its own column and before the next heading there, comes a row.
      for (const DrawnLine& heading : headings) {
        float next = 1e9f;
        for (const DrawnLine& other : headings) {
          if (std::abs(other.x0 - heading.x0) < 4 && other.y > heading.y) next = std::min(next, other.y);
        }
        const bool any = std::any_of(rows.begin(), rows.end(), [&](const DrawnLine& row) {
          return row.y > heading.y + 4 && row.y < next && row.x0 >= heading.x0 - 2 &&
                 row.x0 < heading.x0 + 470;
        });
        EXPECT_TRUE(any) << heading.text << " is empty";
      }
      // The rows of a section stand in one column: each section has one left edge of its descriptions.
      std::set<long> lefts;
      for (const DrawnLine& row : rows) {
        const bool is_description = std::any_of(kHotkeys.begin(), kHotkeys.end(), [&](const Hotkey& hotkey) {
          return row.text.size() >= 14 && hotkey.description.starts_with(row.text.substr(0, 14));
        });
        if (is_description) lefts.insert(std::lround(row.x0));
      }
      EXPECT_LE(lefts.size(), headings.size()) << "a section is in two columns on page " << tab;
      // Every column begins with a heading: no row of keys is above the first heading of its column.
      float top = 1e9f;
      for (const DrawnLine& heading : headings) top = std::min(top, heading.y);
      for (const DrawnLine& heading : headings) {
        bool first = true;
        for (const DrawnLine& other : headings)
          first = first && !(std::abs(other.x0 - heading.x0) < 4 && other.y < heading.y);
        if (first) {
          EXPECT_NEAR(heading.y, top, 2) << heading.text << " begins a column in its middle";
        }
      }
    }
  }
}

TEST_F(Help, NamesEveryActiveKeyOnce) {
  for (const What what : {What::Spells, What::Shooter, What::Replay}) {
    Scene scene;
    const frame::PanelModel& model = model_of(what, scene);
    const frame::Scenes wanted = what == What::Replay    ? frame::Scenes::Replay
                                 : what == What::Shooter ? frame::Scenes::Shooter
                                                         : frame::Scenes::Spells;
    show(1920, 1080);
    draw(model);
    std::string all;
    for (std::size_t tab = 0; tab < tab_count(); ++tab) {
      open(model, tab);
      const float bar = state_.layout.find(ControlKind::HelpTab, 0)->rect.y1;
      for (const DrawnLine& line : lines(model)) {
        if (line.y > bar) all += line.text + "\n";
      }
    }
    for (const Hotkey& hotkey : kHotkeys) {
      const bool spell = frame::spell_of(hotkey.id).has_value();
      const bool moves = hotkey.id >= Action::MoveUp && hotkey.id <= Action::MoveRight;
      if (spell || moves) continue;  // drawn with the title of the spell, and in one row
      const std::string words(hotkey.description.substr(0, 14));
      std::size_t count = 0;
      for (std::size_t at = 0; (at = all.find(words, at)) != std::string::npos; ++at) ++count;
      const bool play_in_a_replay = hotkey.group == "Play" && what == What::Replay;
      const bool active = meet(hotkey.scenes, wanted) && !play_in_a_replay;
      EXPECT_EQ(count > 0, active) << hotkey.name << " in " << static_cast<int>(wanted);
    }
  }
}

TEST_F(Help, FitsEveryWindowAndScrollsWhatDoesNot) {
  using Size = std::pair<float, float>;
  for (const auto& [width, height] : {Size{640, 400}, Size{1280, 720}, Size{1920, 1080}, Size{2560, 1440}}) {
    for (const float scale : {1.0f, 2.0f}) {
      for (const What what : {What::Spells, What::Shooter, What::Replay}) {
        ImGui::DestroyContext();  // with its scrolled pages
        SetUp();
        state_ = UiState();
        Scene scene;
        frame::PanelModel& model = model_of(what, scene);
        model.text_scale = scale * height / 720.0f;
        show(width, height);
        use_fonts(true, design_scale(width, height, model.text_scale));
        draw(model);
        const std::string where =
            std::to_string(width) + " × " + std::to_string(height) + ", " + std::to_string(scale);
        const Rect box = state_.layout.of(Part::Help);
        ASSERT_FALSE(box.empty()) << where;
        EXPECT_TRUE(box.x0 >= 0 && box.y0 >= 0 && box.x1 <= width && box.y1 <= height) << where;
        for (std::size_t tab = 0; tab < tab_count(); ++tab) {
          open(model, tab);
          const Rect control = state_.layout.find(ControlKind::HelpTab, tab)->rect;
          EXPECT_TRUE(control.x0 >= box.x0 && control.x1 <= box.x1 && control.y0 >= box.y0 &&
                      control.y1 <= box.y1)
              << where;
          // Read down to the end: every letter is whole at some point, and no text is shortened.
          std::set<std::string> whole, seen;
          const HelpPage page = state_.help_page;
          for (int turn = 0; turn < 60 && state_.help_page == page; ++turn) {
            for (const DrawnLine& line : lines(model)) {
              if (line.y < control.y1) continue;
              seen.insert(line.text);
              if (!line.clipped) whole.insert(line.text);
              EXPECT_TRUE(line.x0 >= box.x0 && line.x1 <= box.x1 + 0.5f) << where << ": " << line.text;
            }
            EXPECT_EQ(state_.layout.shortened_texts, 0u) << where << ", tab " << tab;
            const HelpPage before = state_.help_page;
            key(ImGuiKey_PageDown, true);
            draw(model);
            key(ImGuiKey_PageDown, false);
            draw(model);
            if (state_.help_page == before && tab + 1 == tab_count() && turn > 20) break;
          }
          for (const std::string& text : seen)
            EXPECT_EQ(whole.count(text), 1u) << where << ", tab " << tab << ": clipped: " << text;
        }
      }
    }
  }
}

TEST_F(Help, PagesTurnByKeyAndStopAtBothEnds) {
  Scene scene;
  const frame::PanelModel& model = model_of(What::Spells, scene);
  show(1920, 1080);
  draw(model);
  const auto press = [&](ImGuiKey which) {
    key(which, true);
    draw(model);
    key(which, false);
    draw(model);
  };
  EXPECT_EQ(state_.help_page, HelpPage::Play);
  press(ImGuiKey_PageUp);
  EXPECT_EQ(state_.help_page, HelpPage::Play);
  for (const HelpPage page :
       {HelpPage::Pools, HelpPage::Measure, HelpPage::Panels, HelpPage::Window, HelpPage::Window}) {
    press(ImGuiKey_PageDown);
    EXPECT_EQ(state_.help_page, page);
  }
  press(ImGuiKey_PageUp);
  EXPECT_EQ(state_.help_page, HelpPage::Panels);
}

}  // namespace
}  // namespace spellpool::ui
