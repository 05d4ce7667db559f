// What stands on the screen, read back letter by letter.
#include "drawn_text.hpp"

#include "../support/hostile_names.hpp"
#include "panel_fixture.hpp"
#include "ui/kit/pen.hpp"

namespace spellpool::ui {
namespace {

class DrawnText : public Panels {
 protected:
  /// The lines that `text` becomes in a room of `room` px.
  std::vector<DrawnLine> wrapped(std::string_view text, float room) {
    ImGui::NewFrame();
    const Pen pen(ImGui::GetForegroundDrawList(), 1.0f, layout_);
    pen.text_wrapped(Cut::Small, 100, 100, room, IM_COL32_WHITE, text);
    height_ = pen.wrapped_height(Cut::Small, text, room);
    line_px_ = pen.font_px(Cut::Small);
    ImGui::Render();
    return drawn_lines(*ImGui::GetDrawData());
  }
  Layout layout_;
  float height_ = 0, line_px_ = 1;
};

TEST_F(DrawnText, BreaksNeitherANumberNorItsUnit) {
  constexpr std::string_view kText =
      "32.0 KiB are free in 12 holes; the largest has 7.77 KiB. An object of 1,024 B was refused 1,234,567 "
      "times in 16.67 ms.";
  for (float room = 90; room < 700; room += 7) {
    const std::vector<DrawnLine> lines = wrapped(kText, room);
    std::string all;
    for (const DrawnLine& line : lines) {
      EXPECT_LE(line.x1, 100 + room + 1) << line.text;
      all += (all.empty() ? "" : " ") + line.text;
    }
    EXPECT_EQ(all, kText) << room << ": a line ends between words, and loses nothing";
    for (const char* whole : {"32.0 KiB", "7.77 KiB.", "1,024 B", "1,234,567", "16.67 ms."}) {
      const bool found = std::any_of(lines.begin(), lines.end(), [&](const DrawnLine& line) {
        return line.text.find(whole) != std::string::npos;
      });
      EXPECT_TRUE(found) << whole << " in " << room << " px";
    }
    EXPECT_NEAR(height_, std::ceil(static_cast<float>(lines.size()) * line_px_), 0.5f);
  }
}

TEST_F(DrawnText, CutsAWordThatIsWiderThanItsRoom) {
  const std::string word(300, 'x'), text = word + "  end";
  const std::vector<DrawnLine> lines = wrapped(text, 200);
  std::string all;
  for (const DrawnLine& line : lines) {
    EXPECT_LE(line.x1, 301);
    all += line.text;
  }
  EXPECT_EQ(all, word + "end");
  for (const float room : {0.0f, -5.0f, 1.0f}) EXPECT_EQ(wrapped("abc", room).size(), 3u);
  EXPECT_TRUE(wrapped("   ", 50).empty());
}

TEST_F(DrawnText, OfTheSettingsSaysWhyTheyAreNotKept) {
  Scene scene;
  frame::PanelModel& model = scene.model;
  model.settings_open = true;
  model.settings = &scene.settings;
  const struct {
    std::string_view path, unkept, says;
  } cases[] = {
      {"/home/a/settings.toml", "", "Kept in /home/a/settings.toml"},
      {"", "--autoplay neither reads nor writes the settings file",
       "Kept until you quit: --autoplay neither reads nor writes the settings file"},
      {"", "there is no home folder: set HOME", "Kept until you quit: there is no home folder: set HOME"},
      {"", "", "Kept until you quit"}};
  for (const auto& one : cases) {
    model.settings_path = one.path;
    model.settings_unkept = one.unkept;
    draw(model);
    draw(model);
    const std::vector<DrawnLine> lines = drawn_lines(*ImGui::GetDrawData());
    EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), [&](const DrawnLine& line) {
      return line.text == one.says;
    })) << one.says;
  }
}

TEST_F(DrawnText, OfHostileNamesStaysOnItsLine) {
  for (const test::HostileName& name : test::hostile_names()) {
    if (name.text.size() > 1'000) continue;
    ImGui::NewFrame();
    const Pen pen(ImGui::GetForegroundDrawList(), 1.0f, layout_);
    pen.text(Cut::Small, 100, 100, IM_COL32_WHITE, name.text);
    pen.text_right(Cut::Small, 900, 200, IM_COL32_WHITE, name.text);
    pen.text_within(Cut::Small, 100, 300, 5'000, IM_COL32_WHITE, name.text);
    EXPECT_EQ(pen.wrapped_height(Cut::Small, name.text, 1e6f), pen.line_px(Cut::Small)) << name.what;
    ImGui::Render();
    for (const DrawnLetter& letter : drawn_letters(*ImGui::GetDrawData())) {
      const bool on_a_line = letter.line_y == 100 || letter.line_y == 200 || letter.line_y == 300;
      EXPECT_TRUE(on_a_line) << name.what << ": " << letter.line_y;
    }
  }
}

}  // namespace
}  // namespace spellpool::ui
