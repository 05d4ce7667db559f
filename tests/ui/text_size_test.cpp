// Every panel at usual sizes of window and text: it is there, its text follows the text size, nothing
// overlaps, and what does not fit scrolls.
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "drawn_text.hpp"
#include "panel_fixture.hpp"

namespace spellpool::ui {
namespace {

using frame::Action;

/// A scene in which every panel has something to show.
struct FullScene : Scene {
  std::vector<u8> cells = std::vector<u8>(200, kSlotFree);
  std::vector<u32> next = {121, 140, 130};
  std::vector<u8> bytes = std::vector<u8>(48, 0xDD);
  std::vector<frame::VoiceRow> voices;
  std::array<frame::HeapBlockView, 3> blocks = {{{0, 20, true}, {20, 30, false}, {50, 974, true}}};
  frame::SoundDef sound;
  std::vector<float> samples = std::vector<float>(4'800, 0.25f);
  std::array<frame::LabOption, 2> options = {{{"spells", "Spells"}, {"shooter", "Shooter"}}};

  FullScene() {
    const char* const names[] = {"active_flag", "index_stack", "packed", "queue", "random", "console_heap"};
    for (std::size_t i = 0; i < std::size(names); ++i) {
      strategies.push_back({names[i], "Another strategy",
                            "A block at the start, searched from its first slot for one that is free.",
                            static_cast<char>('A' + i), 120, 160, 90,
                            "spawn 12 ns · release 9 ns · walk 3 ns"});
    }
    point();
    for (std::size_t i = 0; i < 120; ++i) cells[i] = static_cast<u8>(kSlotLive + i % kSlotAges);
    frame::SlotMapView& map = model.slot_map;
    map.ready = true;
    map.cells = cells;
    map.next = next;
    map.live = 120;
    map.free = 80;
    map.place = map.slot = 121;
    map.cell = kSlotFree;
    map.bytes = bytes;
    map.link_bytes = 4;
    fill_voices(32);
    model.voices.device_open = true;
    model.voices.device = "48,000 Hz, 512 frames";
    model.voices.record.text =
        "Written: "
        "/home/player/.local/share/spellpool/recordings/voices_2026-11-22_12-00-00_steal_quietest.wav";
    frame::MemoryView& memory = model.memory;
    memory.rows[0] = {"step", 900'000, 40'000, 90'000, 1'234'567, 1'200'004, 1'012};
    memory.rows[1] = {"picture", 1'400'000, 80'000, 80'000, 3, 0, 2};
    memory.lab_units = 1024;
    memory.lab_blocks = blocks;
    memory.lab = {16'384, 480, 480, 3, 1, 700, 12};
    memory.console = {.mode = frame::ConsoleMode::Heap,
                      .total_bytes = 12'288,
                      .free_bytes = 3'888,
                      .largest_bytes = 272,
                      .holes = 41,
                      .units = 768,
                      .blocks = blocks,
                      .fizzled = 1'234,
                      .last_wanted_bytes = 320,
                      .last_free_bytes = 3'888,
                      .last_largest_bytes = 272};
    for (frame::HeapStoryView& story : memory.stories) {
      story = {"notes", "12 are wanted: refused.", 19, 14, 8, 12, true, blocks};
    }
    memory.trays = {{{"small", 32, 240, 36, 10'000, 288},
                     {"middle", 96, 120, 80, 30'000, 1'288},
                     {"large", 336, 60, 60, 41'000, 0}}};
    memory.one_size = {"", 336, 420, 176, 141'120, 31'000};
    sound.tones.resize(2);
    sound.noises.resize(1);
    model.sound_editor.def = model.sound_editor.filed = &sound;
    model.sound_editor.left = model.sound_editor.right = samples;
    model.sound_editor.sample_rate_hz = 48'000;
    frame::LabView& lab = model.lab;
    lab.scenes = lab.presets = lab.plans = lab.heaps = lab.policies = lab.allocators = lab.memories =
        lab.voices = options;
    lab.plan_told = "a minute, simulation only, 20 quads";
    lab.estimate = "160 blocks of 240 + 300 steps: about 55 s";
    lab.folder = "/home/player/.local/share/spellpool/recordings";
    model.hint = false;
  }
  void fill_voices(u32 slots) {
    voices.assign(slots, {});
    for (std::size_t i = 0; i < voices.size(); ++i) {
      voices[i].state = frame::VoiceRow::State::Playing;
      voices[i].sound = static_cast<frame::SoundId>(i % frame::kSoundCount);
      voices[i].level = voices[i].score = 0.5f / static_cast<float>(i + 1);
      voices[i].age_s = 1;
      voices[i].serial = i + 1;
    }
    model.voices.rows = voices;
    model.voices.mixer.voices = model.voices.mixer.active = slots;
  }
};

struct Opened {
  std::string name;
  Part part;
  std::function<void(FullScene&, UiState&)> open;
};
std::vector<Opened> all_panels() {
  std::vector<Opened> all = {
      {"pool panel", Part::PoolPanel, [](FullScene& s, UiState&) { s.model.pool_panel = true; }},
      {"the shooter's pools", Part::PoolPanel,
       [](FullScene& s, UiState&) {
         s.show_pools(frame::SceneId::Shooter);
         s.model.pool_panel = true;
       }},
      {"graph", Part::Graph, [](FullScene& s, UiState&) { s.model.graph = true; }},
      {"slot map", Part::SlotMap, [](FullScene& s, UiState&) { s.model.slot_map_open = true; }},
      {"voices", Part::Voices, [](FullScene& s, UiState&) { s.model.voices_open = true; }},
      {"many voices", Part::Voices,
       [](FullScene& s, UiState&) {
         s.fill_voices(1'024);
         s.model.voices_open = true;
       }},
      {"memory", Part::Memory, [](FullScene& s, UiState&) { s.model.memory_open = true; }},
      {"timeline of a frame", Part::FrameTimeline,
       [](FullScene& s, UiState&) {
         static const std::array<frame::TimelineBlock, 2> blocks = {frame::TimelineBlock{0, 40'000, 0, 0, false, true},
                                                                    frame::TimelineBlock{9'000, 90'000, 1, 64, true, false}};
         s.model.timeline.open = true;
         s.model.timeline.count = 2;
         for (frame::TimelineRow& row : s.model.timeline.rows) {
           row.title = "free list";
           row.memory = row.slots = blocks;
           row.memory_rows = row.slot_rows = 2;
           row.length_ns = 100'000;
         }
       }},
      {"the shooter's memory", Part::Memory,
       [](FullScene& s, UiState&) {
         static const frame::ShooterView shooter;
         s.model.shooter = &shooter;
         s.model.memory.cranes.mode = frame::CraneSearch::Null;
         s.model.memory.cranes.last_wanted_bytes = 512;
         s.model.memory_open = true;
       }},
      {"scores", Part::Scores, [](FullScene& s, UiState&) { s.model.scores_open = true; }},
      {"quick A/B", Part::AbCard,
       [](FullScene& s, UiState&) {
         s.model.ab.state = frame::QuickAbView::State::Done;
         s.model.ab_card_open = true;
       }},
      {"lab", Part::Lab, [](FullScene& s, UiState&) { s.model.lab.open = true; }},
  };
  for (std::size_t page = 0; page < 5; ++page) {
    const std::string number = " " + std::to_string(page);
    all.push_back({"spell editor" + number, Part::Editor, [page](FullScene& s, UiState& state) {
                     s.model.editor_open = true;
                     state.editor.emitter = page == 4 ? -1 : 3;
                     state.editor.page = static_cast<EditorPage>(page % 4);
                   }});
    all.push_back({"help" + number, Part::Help, [page](FullScene& s, UiState& state) {
                     s.model.help = true;
                     state.help_page = static_cast<HelpPage>(page);
                   }});
    all.push_back({"settings" + number, Part::Settings, [page](FullScene& s, UiState& state) {
                     s.model.settings_open = true;
                     state.settings.page = static_cast<SettingsPage>(page);
                   }});
    if (page >= 4) continue;
    all.push_back({"sound editor" + number, Part::SoundEditor, [page](FullScene& s, UiState& state) {
                     s.model.sound_editor.open = true;
                     state.sound.part = page;
                   }});
  }
  return all;
}

class TextSize : public Panels {
 protected:
  /// The window, and the text as the app scales it.
  void show_at(float width, float height, float text) {
    show(width, height);
    text_scale_ = text * std::max(height / 720.0f, 0.75f);
    scale_ = design_scale(width, height, text_scale_);
    use_fonts(true, scale_);
  }

  static std::vector<ImGuiWindow*> scrolling() {
    std::vector<ImGuiWindow*> found;
    for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
      if (window->Active && window->ScrollMax.y > 0) found.push_back(window);
    }
    return found;
  }

  /// Looks at the panel from its top to its end. Returns the size of its smallest text.
  float read(const Opened& panel, FullScene& scene, const std::string& where) {
    for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) ImGui::SetScrollY(window, 0);
    for (int i = 0; i < 3; ++i) draw(scene.model);
    const Rect box = state_.layout.of(panel.part);
    EXPECT_FALSE(box.empty()) << where << ": it is not shown";
    EXPECT_EQ(state_.layout.shortened_texts, 0u) << where;
    EXPECT_TRUE(state_.layout.of(Part::Waiting).empty()) << where;
    expect_in_order(state_.layout, where);
    float smallest = 1e9f;
    std::set<std::string> seen, whole;
    for (int turn = 0; turn < 60; ++turn) {
      const std::vector<DrawnLine> lines = drawn_lines(*ImGui::GetDrawData());
      const auto begin = state_.layout.controls.begin(),
                 end = begin + static_cast<std::ptrdiff_t>(state_.layout.control_count);
      EXPECT_TRUE(std::any_of(begin, end,
                              [](const Control& c) { return c.kind == ControlKind::Close && c.index < 16; }))
          << where << ": what closes it is always in sight";
      for (std::size_t i = 0; i < lines.size(); ++i) {
        const DrawnLine& line = lines[i];
        if (!line.window.starts_with("##")) continue;  // behind all windows
        smallest = std::min(smallest, line.size);
        seen.insert(line.text);
        if (!line.clipped) whole.insert(line.text);
        EXPECT_TRUE(!line.clipped || scrolls(line.window))
            << where << ": cut off, and nothing scrolls: " << line.text;
        for (std::size_t j = i + 1; j < lines.size(); ++j) expect_apart(line, lines[j], where);
      }
      bool further = false;
      for (ImGuiWindow* window : scrolling()) {
        EXPECT_TRUE(window->ScrollbarY) << where << ": no scroll bar in " << window->Name;
        EXPECT_GT(window->InnerRect.GetHeight(), 95 * scale_)
            << where << ": a few lines at once in " << window->Name;
        if (window->Scroll.y >= window->ScrollMax.y - 0.5f) continue;
        ImGui::SetScrollY(
            window, std::min(window->ScrollMax.y, window->Scroll.y + window->InnerRect.GetHeight() * 0.5f));
        further = true;
      }
      if (!further || HasFailure()) break;
      draw(scene.model);
      draw(scene.model);
    }
    for (const std::string& text : seen)
      EXPECT_TRUE(whole.contains(text)) << where << ": never seen whole: " << text;
    EXPECT_LT(smallest, 1e8f) << where << ": no text";
    return smallest;
  }

  static bool scrolls(std::string_view name) {
    for (const ImGuiWindow* window : scrolling()) {
      if (name == window->Name) return true;
    }
    return false;
  }
  static void expect_apart(const DrawnLine& a, const DrawnLine& b, const std::string& where) {
    if (a.window != b.window) return;
    const float high = std::min(a.size, b.size) * 0.6f;
    const bool overlap = a.x0 < b.x1 - 1 && b.x0 < a.x1 - 1 && std::abs(a.y - b.y) < high;
    EXPECT_FALSE(overlap) << where << ": '" << a.text << "' and '" << b.text << "' overlap";
  }

  float text_scale_ = 1, scale_ = 1;
};

constexpr std::array kSizes = {std::pair{640.0f, 400.0f}, std::pair{1280.0f, 720.0f},
                               std::pair{1920.0f, 1080.0f}, std::pair{2560.0f, 1440.0f}};

TEST_F(TextSize, EachPanelFollowsItAndScrollsWhatDoesNotFit) {
  for (const auto& [width, height] : kSizes) {
    std::map<std::string, float> size_px, scale;
    for (const float text : {1.0f, 2.0f}) {
      show_at(width, height, text);
      for (const Opened& panel : all_panels()) {
        FullScene scene;
        state_ = UiState();
        scene.model.text_scale = text_scale_;
        panel.open(scene, state_);
        const std::string where = panel.name + " at " + std::to_string(static_cast<int>(width)) + "x" +
                                  std::to_string(static_cast<int>(height)) + ", text " +
                                  std::to_string(static_cast<int>(text));
        const float px = read(panel, scene, where);
        if (text > 1) {
          EXPECT_GE(px, size_px[panel.name] * 0.9f * scale_ / scale[panel.name]) << where;
          EXPECT_GT(px, size_px[panel.name] * 1.15f) << where;
        }
        size_px[panel.name] = px;
        scale[panel.name] = scale_;
        if (HasFailure()) return;
      }
    }
  }
}

/// The panels beside the game, with what opens and closes them.
struct Beside {
  Part part;
  std::string_view name;
  void (*show)(frame::PanelModel&, bool);
};
constexpr std::array kBeside = {
    Beside{Part::PoolPanel, "pool panel", [](frame::PanelModel& m, bool on) { m.pool_panel = on; }},
    Beside{Part::Graph, "frame-time graph", [](frame::PanelModel& m, bool on) { m.graph = on; }},
    Beside{Part::SlotMap, "slot map", [](frame::PanelModel& m, bool on) { m.slot_map_open = on; }},
    Beside{Part::Voices, "voices", [](frame::PanelModel& m, bool on) { m.voices_open = on; }},
    Beside{Part::SoundEditor, "sound editor",
           [](frame::PanelModel& m, bool on) { m.sound_editor.open = on; }},
    Beside{Part::Editor, "spell editor", [](frame::PanelModel& m, bool on) { m.editor_open = on; }},
};

class AskedPanels : public TextSize {
 protected:
  /// The line that names panels that are not seen.
  std::string waiting() const {
    const Rect box = state_.layout.of(Part::Waiting);
    std::string words;
    for (const DrawnLine& line : drawn_lines(*ImGui::GetDrawData())) {
      if (box.contains(line.x0 + 1, line.y + 1)) words += line.text + " ";
    }
    return words;
  }
};

TEST_F(AskedPanels, AreShownOrNamedAndTheLastOneIsAlwaysShown) {
  for (const auto& [width, height] : kSizes) {
    for (const float text : {1.0f, 2.0f}) {
      show_at(width, height, text);
      for (std::size_t last = 0; last < kBeside.size(); ++last) {
        for (unsigned bits = 0; bits < 1u << kBeside.size(); ++bits) {
          if ((bits >> last & 1u) == 0) continue;
          FullScene scene;
          state_ = UiState();
          scene.model.text_scale = text_scale_;
          std::string where = std::to_string(static_cast<int>(width)) + "x" +
                              std::to_string(static_cast<int>(height)) + ", text " +
                              std::to_string(static_cast<int>(text)) + ":";
          for (std::size_t i = 0; i < kBeside.size(); ++i) {
            if (i == last || (bits >> i & 1u) == 0) continue;
            kBeside[i].show(scene.model, true);
            where += " " + std::string(kBeside[i].name);
            draw(scene.model);
          }
          kBeside[last].show(scene.model, true);
          where += ", last " + std::string(kBeside[last].name);
          for (int i = 0; i < 3; ++i) draw(scene.model);
          expect_in_order(state_.layout, where);
          EXPECT_FALSE(state_.layout.of(kBeside[last].part).empty()) << where;
          const std::string line = waiting();
          for (std::size_t i = 0; i < kBeside.size(); ++i) {
            const bool asked = bits >> i & 1u, shown = !state_.layout.of(kBeside[i].part).empty();
            const bool named = line.find(kBeside[i].name) != std::string::npos;
            EXPECT_EQ(shown || named, asked) << where << ": " << kBeside[i].name << ", told: " << line;
            EXPECT_FALSE(shown && named) << where << ": " << kBeside[i].name;
          }
          if (HasFailure()) return;
        }
      }
    }
  }
}

TEST_F(AskedPanels, ComeBackWhenThereIsRoom) {
  show_at(1280, 720, 2);
  FullScene scene;
  scene.model.text_scale = text_scale_;
  scene.model.pool_panel = true;
  draw(scene.model);
  scene.model.voices_open = true;
  draw(scene.model);
  EXPECT_TRUE(state_.layout.of(Part::PoolPanel).empty());
  EXPECT_NE(waiting().find("pool panel (F2)"), std::string::npos) << waiting();
  scene.model.voices_open = false;
  draw(scene.model);
  EXPECT_FALSE(state_.layout.of(Part::PoolPanel).empty());
  EXPECT_TRUE(state_.layout.of(Part::Waiting).empty());
  scene.model.voices_open = true;
  scene.model.text_scale = 1;
  draw(scene.model);
  EXPECT_FALSE(state_.layout.of(Part::PoolPanel).empty()) << "one at each side";
  EXPECT_FALSE(state_.layout.of(Part::Voices).empty());
}

TEST_F(AskedPanels, OfThoseThatCoverTheGameTheLastIsSeen) {
  FullScene scene;
  frame::PanelModel& model = scene.model;
  model.help = true;
  draw(model);
  model.settings_open = true;
  draw(model);
  EXPECT_FALSE(state_.layout.of(Part::Settings).empty());
  EXPECT_EQ(covering_panel(state_), ClosePanel::Settings);
  model.memory_open = true;
  draw(model);
  EXPECT_FALSE(state_.layout.of(Part::Memory).empty());
  EXPECT_TRUE(state_.layout.of(Part::Settings).empty());
  model.memory_open = false;
  draw(model);
  EXPECT_FALSE(state_.layout.of(Part::Settings).empty()) << "the one before it comes back";
  model.settings_open = false;
  draw(model);
  EXPECT_EQ(covering_panel(state_), ClosePanel::Help);
  EXPECT_TRUE(state_.layout.of(Part::Waiting).empty());
  model.graph = true;
  draw(model);
  draw(model);
  EXPECT_FALSE(state_.layout.of(Part::Help).empty());
  EXPECT_NE(waiting().find("behind this panel: frame-time graph (F3)"), std::string::npos) << waiting();
}

}  // namespace
}  // namespace spellpool::ui
