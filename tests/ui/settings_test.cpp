#include "panel_fixture.hpp"
#include "ui/kit/controls.hpp"

namespace spellpool::ui {
namespace {

using frame::Action;
using frame::PanelRequests;

std::size_t row(Action action) { return static_cast<std::size_t>(action); }

class SettingsPanel : public Panels {
 protected:
  // The app's part: what was asked for is taken over at once.
  PanelRequests frame_of(bool down = false, float x = -1, float y = -1) {
    mouse(x, y, down);
    const PanelRequests requests = draw(scene_.model);
    if (requests.settings != nullptr) scene_.settings = *requests.settings;
    return requests;
  }
  PanelRequests press(ControlKind kind, std::size_t index = 0) {
    frame_of();
    const Control* control = state_.layout.find(kind, index);
    EXPECT_NE(control, nullptr) << static_cast<int>(kind) << " " << index;
    if (control == nullptr) return {};
    const float x = control->rect.middle_x(), y = control->rect.middle_y();
    PanelRequests result;
    for (const bool down : {false, true, false, false}) {
      const PanelRequests some = frame_of(down, x, y);
      if (some.settings != nullptr) result.settings = some.settings;
      result.listening = some.listening;
      for (std::size_t i = 0; i < some.action_count; ++i) result.ask(some.actions[i]);
    }
    return result;
  }
  void open(SettingsPage page) {
    scene_.model.settings_open = true;
    state_.settings.page = page;
  }
  Scene scene_;
};

TEST_F(SettingsPanel, EachControlChangesTheSettingOfItsRow) {
  for (const frame::SettingRow& row : frame::kSettings) {
    const bool shown = row.control.label != nullptr || row.control.beside;
    if (!shown) continue;
    open(row.control.page);
    const auto stops = row.control.stops.empty() ? row.value.names : row.control.stops;
    for (std::size_t i = stops.size(); i-- > 0;) {
      scene_.settings = {};
      row.value.set(scene_.settings, stops[(i + 1) % stops.size()].id);
      frame::Settings wanted = scene_.settings;
      row.value.set(wanted, stops[i].id);
      press(ControlKind::Choice, row.control.index * std::size_t{16} + i);
      EXPECT_EQ(scene_.settings, wanted) << row.name << " " << i;
    }
    if (!stops.empty()) continue;
    scene_.settings = {};
    frame::Settings wanted = scene_.settings;
    press(ControlKind::SettingSlider, row.control.index);
    frame_of();
    EXPECT_NEAR(row.value.get(scene_.settings), (row.value.low + row.value.high) / 2, 0.03) << row.name;
    row.value.set(wanted, row.value.get(scene_.settings));
    EXPECT_EQ(scene_.settings, wanted) << row.name;
  }
}

TEST_F(SettingsPanel, AsksForWhatIsChosen) {
  open(SettingsPage::Comfort);
  EXPECT_EQ(frame_of().settings, nullptr);
  EXPECT_NE(press(ControlKind::Choice, 0).settings, nullptr);
  EXPECT_EQ(scene_.settings.looks.motion, frame::Amount::Off);
  press(ControlKind::Choice, 16 + 1);
  EXPECT_EQ(scene_.settings.looks.flash, frame::Amount::Reduced);
  press(ControlKind::Choice, 32);
  EXPECT_EQ(scene_.settings.looks.density, frame::Amount::Off);
  press(ControlKind::Choice, 48 + 2);
  EXPECT_EQ(scene_.settings.looks.colour_vision, frame::ColourVision::Deutan);
  press(ControlKind::Choice, 64 + 3);
  EXPECT_EQ(scene_.settings.hud, frame::HudLevel::Full);
  EXPECT_EQ(press(ControlKind::Choice, 64 + 3).settings, nullptr) << "what it is already";
  state_.settings.page = SettingsPage::Picture;
  press(ControlKind::Choice, 80);
  EXPECT_EQ(scene_.settings.looks.quality, frame::Quality::Low);
  press(ControlKind::Choice, 80 + 3);
  EXPECT_EQ(scene_.settings.looks.quality, frame::Quality::Auto);
  press(ControlKind::Choice, 160 + 2);
  EXPECT_EQ(scene_.settings.looks.draw, frame::DrawPath::Cpu);
  press(ControlKind::Choice, 160);
  EXPECT_EQ(scene_.settings.looks.draw, frame::DrawPath::Auto);
  press(ControlKind::Choice, 96 + 1);
  EXPECT_TRUE(scene_.settings.fullscreen);
  press(ControlKind::Choice, 112);
  EXPECT_FALSE(scene_.settings.vsync);
  press(ControlKind::Choice, 128 + 4);
  EXPECT_EQ(scene_.settings.frame_cap, 144u);
  state_.settings.page = SettingsPage::Sound;
  press(ControlKind::Choice, 144);
  EXPECT_TRUE(scene_.settings.muted);
  press(ControlKind::SettingSlider, 1);
  EXPECT_NEAR(scene_.settings.volume, 0.5f, 0.03f);
  for (const frame::GroupSetting& group : frame::kGroupSettings) {
    const std::size_t place = static_cast<std::size_t>(group.id);
    press(ControlKind::SettingSlider, 2 + place);
    EXPECT_NEAR(scene_.settings.*group.volume, 0.5f, 0.03f);
    press(ControlKind::Choice, (11 + place) * 16);
    EXPECT_TRUE(scene_.settings.*group.muted);
    EXPECT_EQ(group_volume(scene_.settings, group.id), 0.0f);
    press(ControlKind::Choice, (11 + place) * 16 + 1);
    EXPECT_FALSE(scene_.settings.*group.muted);
    EXPECT_NEAR(group_volume(scene_.settings, group.id), 0.5f, 0.03f);
  }
}

TEST_F(SettingsPanel, TextGrowsWhenTheSliderIsLetGo) {
  open(SettingsPage::Comfort);
  frame_of();
  const Rect slider = state_.layout.find(ControlKind::SettingSlider, 0)->rect;
  frame_of(false, slider.x1 - 1, slider.middle_y());
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(frame_of(true, slider.x1 - 1, slider.middle_y()).settings, nullptr);
    EXPECT_FLOAT_EQ(scene_.settings.text_scale, 1.0f);
  }
  frame_of(false, slider.x1 - 1, slider.middle_y());
  frame_of();
  EXPECT_FLOAT_EQ(scene_.settings.text_scale, frame::kMostTextScale);
}

TEST_F(SettingsPanel, WaitsForAKeyAndGivesItToTheRow) {
  open(SettingsPage::Keys);
  EXPECT_TRUE(press(ControlKind::BindKey, row(Action::Record)).listening);
  bind_heard(state_, "", "a");
  EXPECT_TRUE(frame_of().listening) << "a button is no key";
  bind_heard(state_, "J", "");
  const PanelRequests requests = frame_of();
  EXPECT_FALSE(requests.listening);
  ASSERT_NE(requests.settings, nullptr);
  EXPECT_EQ(scene_.settings.bindings[row(Action::Record)].key, "J");
  EXPECT_EQ(frame_of().settings, nullptr) << "asked once";
}

TEST_F(SettingsPanel, EscapeKeepsTheKey) {
  open(SettingsPage::Keys);
  press(ControlKind::BindKey, row(Action::Record));
  bind_heard(state_, "Escape", "");
  EXPECT_FALSE(frame_of().listening);
  EXPECT_EQ(scene_.settings.bindings[row(Action::Record)].key, "R");
  press(ControlKind::BindKey, row(Action::Record));
  EXPECT_TRUE(release_held(state_));
  EXPECT_FALSE(frame_of().listening);
  bind_heard(state_, "J", "");
  frame_of();
  EXPECT_EQ(scene_.settings.bindings[row(Action::Record)].key, "R");
}

TEST_F(SettingsPanel, AKeyThatIsTakenChangesPlaces) {
  open(SettingsPage::Keys);
  press(ControlKind::BindKey, row(Action::Record));
  bind_heard(state_, "Tab", "");
  frame_of();
  EXPECT_EQ(scene_.settings.bindings[row(Action::Record)].key, "Tab");
  EXPECT_EQ(scene_.settings.bindings[row(Action::ToggleStrategy)].key, "R");
  EXPECT_NE(std::string(state_.settings.note.data()).find("Toggle strategy"), std::string::npos);
  press(ControlKind::BindDefault, row(Action::Record));
  EXPECT_EQ(scene_.settings.bindings, frame::Settings::default_bindings());
}

TEST_F(SettingsPanel, AKeyOfTheOtherSceneIsNotTaken) {
  open(SettingsPage::Keys);
  const auto bind_key = [&](Action action, std::string_view key) {
    state_.settings.listening = true;  // As a click would; the row lies further down.
    state_.settings.row = action;
    bind_heard(state_, key, "");
    frame_of();
  };
  bind_key(Action::Bomb, "F");
  EXPECT_EQ(scene_.settings.bindings[row(Action::RapidCast)].key, "F");
  EXPECT_EQ(scene_.settings.bindings[row(Action::Bomb)].key, "F");
  // What counts in both is taken in both.
  bind_key(Action::Record, "F");
  EXPECT_EQ(scene_.settings.bindings[row(Action::RapidCast)].key, "R");
  EXPECT_EQ(scene_.settings.bindings[row(Action::Bomb)].key, "R");
}

TEST_F(SettingsPanel, APadButtonIsBoundToo) {
  open(SettingsPage::Keys);
  press(ControlKind::BindPad, row(Action::Record));
  bind_heard(state_, "K", "");
  EXPECT_TRUE(frame_of().listening);
  bind_heard(state_, "", "lt+y");
  frame_of();
  EXPECT_EQ(scene_.settings.bindings[row(Action::Record)].pad, "lt+y");
  EXPECT_EQ(scene_.settings.bindings[row(frame::spell_action(3))].pad, "paddle2");
  press(ControlKind::BindDefault, frame::kActionCount);
  EXPECT_EQ(scene_.settings.bindings, frame::Settings::default_bindings());
}

TEST_F(SettingsPanel, ClosingItEndsTheWaiting) {
  open(SettingsPage::Keys);
  press(ControlKind::BindKey, row(Action::Record));
  scene_.model.settings_open = false;
  EXPECT_FALSE(frame_of().listening);
  scene_.model.settings_open = true;
  EXPECT_FALSE(frame_of().listening);
}

TEST_F(SettingsPanel, EveryActionThatIsNotHeldHasAButton) {
  show(1280, 1900);
  open(SettingsPage::Controls);
  scene_.model.text_scale = 1;
  frame_of();
  EXPECT_EQ(state_.layout.find(ControlKind::Ask, row(Action::ReplayBack)), nullptr) << "no replay is watched";
  for (const frame::Hotkey& hotkey : frame::kHotkeys) {
    if (hotkey.held || hotkey.scenes == frame::Scenes::Replay) continue;
    ASSERT_NE(state_.layout.find(ControlKind::Ask, row(hotkey.id)), nullptr) << hotkey.name;
    const PanelRequests requests = press(ControlKind::Ask, row(hotkey.id));
    ASSERT_EQ(requests.action_count, 1u) << hotkey.name;
    EXPECT_EQ(requests.actions[0], hotkey.id);
  }
}

TEST_F(SettingsPanel, HelpAndHintShowThePlayersOwnKeys) {
  EXPECT_EQ(key_label(scene_.model, Action::Record), "R");
  scene_.settings.bindings[row(Action::Record)] = {"Escape", "lt+dpup"};
  EXPECT_EQ(key_label(scene_.model, Action::Record), "Esc");
  EXPECT_EQ(std::string_view(pad_label(scene_.model, Action::Record)), "LT + D-pad up");
  scene_.settings.bindings[row(Action::Help)].key = "";
  scene_.model.help = true;
  frame_of();
  EXPECT_NE(state_.layout.find(ControlKind::Close, static_cast<std::size_t>(ClosePanel::Help)), nullptr)
      << "still closed by a click";
}

}  // namespace
}  // namespace spellpool::ui
