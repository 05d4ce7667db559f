#include "ui/editor/editor.hpp"

#include <memory>

#include "panel_fixture.hpp"
#include "ui/kit/fields.hpp"

namespace spellpool::ui {
namespace {

using frame::PanelRequests;
using frame::SpellDef;

TEST(ColourBytesTest, GoToLinearLightAndBackToThemselves) {
  for (int byte = 0; byte < 256; ++byte) EXPECT_EQ(srgb_byte_of(linear_of(byte)), byte);
  EXPECT_EQ(srgb_byte_of(-1.0f), 0);
  EXPECT_EQ(srgb_byte_of(7.0f), 255);
  const ColourBytes colour = {12, 200, 99, 128};
  EXPECT_EQ(bytes_of(key_of(colour, 0.5f)), colour);
  EXPECT_EQ(bytes_of(hsv_of(colour), 128), colour);
}

TEST(ContentHash, SeesEveryKindOfChangeAndNoRounding) {
  Scene scene;
  const SpellDef& spell = scene.spells[0];
  const u64 before = content_hash(spell);
  const auto differs = [&](auto change) {
    SpellDef other = spell;
    change(other);
    return content_hash(other) != before;
  };
  EXPECT_TRUE(differs([](SpellDef& s) { s.power += 0.01f; }));
  EXPECT_TRUE(differs([](SpellDef& s) { s.colour_g += 0.1f; }));
  EXPECT_TRUE(differs([](SpellDef& s) { s.count = 5; }));
  EXPECT_TRUE(differs([](SpellDef& s) { s.emitters.pop_back(); }));
  EXPECT_TRUE(differs([](SpellDef& s) { s.emitters[2].size_curve[1].t += 0.01f; }));
  EXPECT_TRUE(differs([](SpellDef& s) { s.emitters[2].speed_curve = {{0, 1}, {1, 1}}; }));
  EXPECT_TRUE(differs([](SpellDef& s) { s.emitters[2].colour_curve[1].a = 0.5f; }));
  EXPECT_TRUE(differs([](SpellDef& s) { s.emitters[2].trail = "smoke"; }));
  EXPECT_TRUE(differs([](SpellDef& s) { s.emitters[2].bounce_on = frame::BounceOn::Walls; }));
  EXPECT_FALSE(differs([](SpellDef& s) { s.emitters[2].radius *= 1.0000001f; }));
}

TEST(Sliders, GoBackToTheValueTheyShow) {
  for (const Scale& scale : {Scale{0, 1'000, 2.5f}, Scale{-900, 900, 1.6f}, Scale{0.05f, 5, 2}, Scale{1, 24, 1}}) {
    for (float way = 0; way <= 1.0f; way += 0.125f) {
      const float value = value_at(scale, way);
      EXPECT_GE(value, scale.low);
      EXPECT_LE(value, scale.high);
      EXPECT_NEAR(value_at(scale, way_of(scale, value)), value, 0.01f * (scale.high - scale.low));
    }
    EXPECT_EQ(value_at(scale, -3), scale.low);
    EXPECT_NEAR(value_at(scale, 3), scale.high, 1e-3f);
  }
  EXPECT_FLOAT_EQ(tidy(123.456f, false), 123.0f);
  EXPECT_FLOAT_EQ(tidy(0.0123456f, false), 0.0123f);
}

// The editor with an app that plays every change one frame later, as a step would.
class SpellEditor : public Panels {
 protected:
  void SetUp() override {
    Panels::SetUp();
    for (std::size_t i = 0; i < frame::kSpellCount; ++i) filed_[i] = played_[i] = std::make_shared<SpellDef>(scene_.spells[i]);
    scene_.model.editor_open = true;
    scene_.model.hint = false;
    state_.editor.emitter = 3;
    frame_at(-1, -1, false);
    if (ImGui::GetIO().KeyMap[ImGuiKey_Delete] < 0) {
      for (int key = 0; key < ImGuiKey_COUNT; ++key) ImGui::GetIO().KeyMap[key] = 100 + key;
    }
  }
  PanelRequests frame_at(float x, float y, bool down) {
    for (std::size_t i = 0; i < frame::kSpellCount; ++i) {
      scene_.model.spells[i] = played_[i].get();
      scene_.model.filed[i] = filed_[i].get();
    }
    mouse(x, y, down);
    const PanelRequests requests = draw(scene_.model);
    if (requests.edited != nullptr) {
      ++edits_;
      kept_.push_back(played_[requests.edited_spell]);  // Old ones live on for a while, so that addresses differ.
      played_[requests.edited_spell] = std::make_shared<SpellDef>(*requests.edited);
    }
    saves_ += requests.save_spell ? 1 : 0;
    if (requests.save_spell && disk_works_) filed_[requests.edited_spell] = std::make_shared<SpellDef>(*requests.edited);
    return requests;
  }
  Rect rect(ControlKind kind, std::size_t index = 0) {
    frame_at(-1, -1, false);
    const Control* control = state_.layout.find(kind, index);
    EXPECT_NE(control, nullptr) << static_cast<int>(kind) << " " << index;
    return control != nullptr ? control->rect : Rect{};
  }
  void press(ControlKind kind, std::size_t index = 0) {
    const Rect box = rect(kind, index);
    for (const bool down : {false, true, false, false}) frame_at(box.middle_x(), box.middle_y(), down);
  }
  // Presses at one place and lets go at another, over several frames.
  void drag(float x0, float y0, float x1, float y1) {
    frame_at(x0, y0, false);
    frame_at(x0, y0, true);
    for (int i = 1; i <= 4; ++i) {
      const float share = static_cast<float>(i) / 4;
      frame_at(x0 + (x1 - x0) * share, y0 + (y1 - y0) * share, true);
    }
    frame_at(x1, y1, false);
    frame_at(x1, y1, false);
  }
  const SpellDef& played(std::size_t i = 0) const { return *played_[i]; }

  Scene scene_;
  std::array<std::shared_ptr<SpellDef>, frame::kSpellCount> played_;
  std::array<std::shared_ptr<SpellDef>, frame::kSpellCount> filed_;
  std::vector<std::shared_ptr<SpellDef>> kept_;
  bool disk_works_ = true;
  std::size_t edits_ = 0, saves_ = 0;
};

TEST_F(SpellEditor, ADragOfASliderIsPlayedAllAlongAndIsOneStep) {
  const Rect slider = rect(ControlKind::FieldSlider, 0);
  drag(slider.x0 + 10, slider.middle_y(), slider.x1 - 1, slider.middle_y());
  EXPECT_GE(edits_, 3u);
  EXPECT_EQ(played().emitters[3].burst, 1'000u);
  ASSERT_EQ(state_.editor.past.size(), 1u);
  EXPECT_TRUE(state_.editor.dirty(0));
  press(ControlKind::EditorUndo);
  EXPECT_EQ(played().emitters[3].burst, 260u);
  EXPECT_FALSE(state_.editor.dirty(0));
  press(ControlKind::EditorRedo);
  EXPECT_EQ(played().emitters[3].burst, 1'000u);
}

TEST_F(SpellEditor, ANumberCanBeTypedBeyondTheSlider) {
  const auto type = [&](ControlKind kind, std::size_t index, const char* text) {
    press(kind, index);
    EXPECT_TRUE(wants_text());
    ImGui::GetIO().AddInputCharactersUTF8(text);
    frame_at(300, 300, false);
    frame_at(300, 300, true);
    frame_at(300, 300, false);
    frame_at(300, 300, false);
    EXPECT_FALSE(wants_text());
  };
  type(ControlKind::FieldText, 0, "5000");
  EXPECT_EQ(played().emitters[3].burst, 5'000u);
  type(ControlKind::FieldText, 0, "99999999");
  EXPECT_EQ(played().emitters[3].burst, 100'000u);
  type(ControlKind::FieldText, 0, "nonsense");
  EXPECT_EQ(played().emitters[3].burst, 100'000u);
  state_.editor.page = EditorPage::Move;
  type(ControlKind::FieldText, 2, "500");  // The lower end of speed passes the upper.
  EXPECT_FLOAT_EQ(played().emitters[3].speed.low, 500);
  EXPECT_FLOAT_EQ(played().emitters[3].speed.high, 500);
  EXPECT_EQ(state_.editor.past.size(), 3u);
}

TEST_F(SpellEditor, LeavingOneFieldForTheNextKeepsWhatWasTyped) {
  const Rect next = rect(ControlKind::FieldText, 2);
  press(ControlKind::FieldText, 0);
  ImGui::GetIO().AddInputCharactersUTF8("77");
  frame_at(next.middle_x(), next.middle_y(), false);
  frame_at(next.middle_x(), next.middle_y(), true);
  frame_at(next.middle_x(), next.middle_y(), false);
  EXPECT_EQ(played().emitters[3].burst, 77u);
  const Rect before = rect(ControlKind::FieldText, 0);
  ImGui::GetIO().AddInputCharactersUTF8("88");
  frame_at(before.middle_x(), before.middle_y(), false);
  frame_at(before.middle_x(), before.middle_y(), true);
  frame_at(before.middle_x(), before.middle_y(), false);
  frame_at(before.middle_x(), before.middle_y(), false);
  EXPECT_FLOAT_EQ(played().emitters[3].rate_per_s, 88);
}

TEST_F(SpellEditor, CurvePointsAreAddedDraggedAndRemoved) {
  state_.editor.page = EditorPage::Look;
  const Rect plot = rect(ControlKind::Curve, 0);
  const std::size_t before = played().emitters[3].size_curve.size();
  drag(plot.x0 + plot.width() * 0.75f, plot.y0 + 12, plot.x0 + plot.width() * 0.8f, plot.y0 + 20);
  const std::vector<frame::CurveKey>& curve = played().emitters[3].size_curve;
  ASSERT_EQ(curve.size(), before + 1);
  EXPECT_EQ(state_.editor.past.size(), 1u) << "added and moved in one step";
  EXPECT_NEAR(curve[3].t, 0.8f, 0.05f);
  EXPECT_FLOAT_EQ(curve.front().t, 0);
  EXPECT_FLOAT_EQ(curve.back().t, 1);
  // A point cannot pass its neighbours, and ends only go up and down.
  const Rect point = rect(ControlKind::CurvePoint, 3);
  drag(point.middle_x(), point.middle_y(), plot.x0, plot.y1);
  EXPECT_GT(played().emitters[3].size_curve[3].t, played().emitters[3].size_curve[2].t);
  const Rect first = rect(ControlKind::CurvePoint, 0);
  drag(first.middle_x(), first.middle_y(), plot.x1, plot.y0);
  EXPECT_FLOAT_EQ(played().emitters[3].size_curve[0].t, 0);
  EXPECT_GT(played().emitters[3].size_curve[0].value, 1.0f);
  // The right button removes.
  const Rect inner = rect(ControlKind::CurvePoint, 1);
  frame_at(inner.middle_x(), inner.middle_y(), false);
  frame_at(inner.middle_x(), inner.middle_y(), false);
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().AddMouseButtonEvent(1, true);
#else
  ImGui::GetIO().MouseDown[1] = true;
#endif
  frame_at(inner.middle_x(), inner.middle_y(), false);
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().AddMouseButtonEvent(1, false);
#else
  ImGui::GetIO().MouseDown[1] = false;
#endif
  frame_at(inner.middle_x(), inner.middle_y(), false);
  EXPECT_EQ(played().emitters[3].size_curve.size(), before);
}

TEST_F(SpellEditor, AnEmptySpeedCurveBecomesOneAndNeverHoldsMoreThanEight) {
  state_.editor.page = EditorPage::Look;
  const Rect plot = rect(ControlKind::Curve, 1);
  for (int i = 1; i < 12; ++i) {
    const float x = plot.x0 + plot.width() * static_cast<float>(i) / 12;
    for (const bool down : {false, true, false, false}) frame_at(x, plot.y0 + 14, down);
  }
  const std::vector<frame::CurveKey>& curve = played().emitters[3].speed_curve;
  EXPECT_EQ(curve.size(), 8u);
  for (std::size_t i = 1; i < curve.size(); ++i) EXPECT_LT(curve[i - 1].t, curve[i].t);
}

TEST_F(SpellEditor, ColoursAreStopsThatKeepTheirBytes) {
  state_.editor.page = EditorPage::Look;
  const Rect bar = rect(ControlKind::ColourBar);
  const float x = bar.x0 + bar.width() * 0.7f, y = bar.y0 + 8;
  for (const bool down : {false, true, false, false}) frame_at(x, y, down);
  ASSERT_EQ(played().emitters[3].colour_curve.size(), 5u);
  press(ControlKind::ColourText);
  ImGui::GetIO().AddInputCharactersUTF8("#1a2b3c80");
  frame_at(300, 300, false);
  frame_at(300, 300, true);
  frame_at(300, 300, false);
  frame_at(300, 300, false);
  const ColourBytes expected = {0x1a, 0x2b, 0x3c, 0x80};
  EXPECT_EQ(bytes_of(played().emitters[3].colour_curve[3]), expected);
  const std::size_t steps = state_.editor.past.size();
  const Rect square = rect(ControlKind::ColourSquare);
  drag(square.x0 + 20, square.y0 + 20, square.x1 - 4, square.y0 + 4);
  EXPECT_NE(bytes_of(played().emitters[3].colour_curve[3]), expected);
  EXPECT_EQ(state_.editor.past.size(), steps + 1);
}

TEST_F(SpellEditor, EmittersAreAddedCopiedAndRemovedWithTheirLinks) {
  press(ControlKind::EditorAdd);
  EXPECT_NE(state_.fields.open_drop, 0u);
  press(ControlKind::DropItem, 0);
  ASSERT_EQ(played().emitters.size(), 7u);
  EXPECT_EQ(played().emitters[6].name, frame::kEmitterRoleNames[1]) << "the first role that was free";
  press(ControlKind::EditorPart, 4);  // "burst", whose particles die into smoke.
  press(ControlKind::EditorCopy);
  ASSERT_EQ(played().emitters.size(), 8u);
  EXPECT_EQ(played().emitters[7].on_death, "smoke");
  EXPECT_NE(played().emitters[7].name, "burst");
  press(ControlKind::EditorPart, 6);  // "smoke"
  press(ControlKind::EditorRemove);
  ASSERT_EQ(played().emitters.size(), 7u);
  EXPECT_EQ(played().emitters[3].on_death, "");
  for (int i = 0; i < 3; ++i) press(ControlKind::EditorUndo);
  EXPECT_EQ(content_hash(played()), content_hash(scene_.spells[0]));
}

TEST_F(SpellEditor, SavesTheSpellThatIsShown) {
  press(ControlKind::EditorSpell);
  press(ControlKind::DropItem, 5);
  EXPECT_EQ(state_.editor.spell, 5);
  const Rect save = rect(ControlKind::EditorSave);
  PanelRequests asked;
  for (const bool down : {false, true, false, false}) {
    const PanelRequests some = frame_at(save.middle_x(), save.middle_y(), down);
    if (some.save_spell) asked = some;
  }
  EXPECT_EQ(saves_, 1u);
  EXPECT_EQ(asked.edited_spell, 5);
  EXPECT_EQ(asked.edited, &state_.editor.working[5]);
}

TEST_F(SpellEditor, AFileThatChangesOnDiskIsAStepThatCanBeUndone) {
  const Rect slider = rect(ControlKind::FieldSlider, 0);
  drag(slider.x0 + 10, slider.middle_y(), slider.x1 - 1, slider.middle_y());
  frame_at(-1, -1, false);
  auto loaded = std::make_shared<SpellDef>(scene_.spells[0]);
  loaded->emitters[3].burst = 42;
  kept_.push_back(played_[0]);
  filed_[0] = played_[0] = loaded;
  frame_at(-1, -1, false);
  EXPECT_EQ(state_.editor.working[0].emitters[3].burst, 42u);
  EXPECT_FALSE(state_.editor.dirty(0));
  EXPECT_EQ(state_.editor.past.size(), 2u);
  press(ControlKind::EditorUndo);
  EXPECT_EQ(played().emitters[3].burst, 1'000u);
  EXPECT_TRUE(state_.editor.dirty(0));
}

TEST_F(SpellEditor, ItsOwnChangesComingBackLateAreNoStep) {
  // The app is paused: what it plays stays behind, then catches up.
  const std::shared_ptr<SpellDef> before = played_[0];
  const Rect slider = rect(ControlKind::FieldSlider, 0);
  frame_at(slider.x0 + 10, slider.middle_y(), false);
  std::vector<std::shared_ptr<SpellDef>> late;
  for (int i = 0; i < 5; ++i) {
    frame_at(slider.x0 + 20.0f + 20.0f * static_cast<float>(i), slider.middle_y(), true);
    late.push_back(played_[0]);
    played_[0] = before;
  }
  frame_at(slider.x0 + 100, slider.middle_y(), false);
  const u64 mine = content_hash(state_.editor.working[0]);
  for (const std::shared_ptr<SpellDef>& each : late) {
    played_[0] = each;
    frame_at(-1, -1, false);
  }
  EXPECT_EQ(content_hash(state_.editor.working[0]), mine);
  EXPECT_EQ(state_.editor.past.size(), 1u);
}

TEST_F(SpellEditor, KeepsAtLeastAHundredSteps) {
  for (u32 i = 0; i < 300; ++i) {
    state_.editor.begin_step(false);
    state_.editor.current().count = i;
  }
  std::size_t steps = 0;
  while (state_.editor.undo()) ++steps;
  EXPECT_GE(steps, 100u);
  EXPECT_LE(steps, Editor::kMostSteps);
  while (state_.editor.redo()) {
  }
  EXPECT_EQ(state_.editor.current().count, 299u);
}

TEST_F(SpellEditor, ShortcutsSaveAndUndo) {
  const auto shortcut = [&](Shortcut which) {
    press_shortcut(state_.editor, which);
    frame_at(-1, -1, false);
    frame_at(-1, -1, false);
  };
  const Rect slider = rect(ControlKind::FieldSlider, 0);
  drag(slider.x0 + 10, slider.middle_y(), slider.x1 - 1, slider.middle_y());
  shortcut(Shortcut::Undo);
  EXPECT_EQ(played().emitters[3].burst, 260u);
  shortcut(Shortcut::Redo);
  EXPECT_EQ(played().emitters[3].burst, 1'000u);
  shortcut(Shortcut::Save);
  EXPECT_EQ(saves_, 1u);
  frame_at(-1, -1, false);
  EXPECT_EQ(saves_, 1u);
  // Pressed while it is closed: forgotten, not kept for when it opens.
  scene_.model.editor_open = false;
  shortcut(Shortcut::Save);
  scene_.model.editor_open = true;
  frame_at(-1, -1, false);
  EXPECT_EQ(saves_, 1u);
}

TEST_F(SpellEditor, StaysDirtyUntilTheFileHasIt) {
  const Rect slider = rect(ControlKind::FieldSlider, 0);
  drag(slider.x0 + 10, slider.middle_y(), slider.x1 - 1, slider.middle_y());
  disk_works_ = false;
  press(ControlKind::EditorSave);
  EXPECT_EQ(saves_, 1u);
  EXPECT_TRUE(state_.editor.dirty(0));
  disk_works_ = true;
  press(ControlKind::EditorSave);
  frame_at(-1, -1, false);
  EXPECT_FALSE(state_.editor.dirty(0));
}

TEST_F(SpellEditor, KnowsWhatLeadsInACircle) {
  SpellDef spell;
  for (const char* name : {"a", "b", "c", "d"}) {
    spell.emitters.emplace_back();
    spell.emitters.back().name = name;
  }
  spell.emitters[0].on_death = "b";
  spell.emitters[1].trail = "c";
  EXPECT_TRUE(leads_to(spell, "a", "a"));
  EXPECT_TRUE(leads_to(spell, "a", "c"));
  EXPECT_FALSE(leads_to(spell, "c", "a"));
  EXPECT_FALSE(leads_to(spell, "d", "a"));
  spell.emitters[2].on_hit = "a";  // now it goes round, and must end all the same
  EXPECT_TRUE(leads_to(spell, "c", "b"));
  EXPECT_FALSE(leads_to(spell, "c", "d"));
}

TEST_F(SpellEditor, SurvivesSpellsThatAreMissingOrEmpty) {
  for (auto& each : played_) each = std::make_shared<SpellDef>();
  frame_at(-1, -1, false);
  for (int page = 0; page < 4; ++page) {
    state_.editor.page = static_cast<EditorPage>(page);
    state_.editor.emitter = 9;
    frame_at(-1, -1, false);
  }
  scene_.model.spells = {};
  Scene other;
  other.model.editor_open = true;
  other.model.spells = {};
  UiState fresh;
  std::swap(state_, fresh);
  draw(other.model);
  draw(other.model);
}

}  // namespace
}  // namespace spellpool::ui
