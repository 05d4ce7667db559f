#pragma once
// The panels, and in which order the player asked for those that are open: where two have no room beside each
// other, the last one asked for is seen.
#include <array>
#include <optional>
#include <string_view>

#include "frame/views/panel_model.hpp"
#include "ui/kit/layout.hpp"

namespace spellpool::ui {

/// A panel that the player can open.
struct PanelRow {
  ClosePanel id;
  std::string_view name;
  frame::Action action;  ///< Opens and closes it.
  bool alone;            ///< It covers the game, and all panels beside it.
  bool (*asked)(const frame::PanelModel& model);
};
/// Of those that begin to be asked for in one frame, the later row counts as asked for later.
inline constexpr std::array kPanels = {
    PanelRow{ClosePanel::Graph, "frame-time graph", frame::Action::Graph, false,
             [](const frame::PanelModel& m) { return m.graph && !m.hidden; }},
    PanelRow{ClosePanel::Pool, "pool panel", frame::Action::PoolPanel, false,
             [](const frame::PanelModel& m) { return m.pool_panel && !m.hidden; }},
    PanelRow{ClosePanel::SlotMap, "slot map", frame::Action::SlotMap, false,
             [](const frame::PanelModel& m) { return m.slot_map_open && !m.hidden; }},
    PanelRow{ClosePanel::Voices, "voices", frame::Action::Voices, false,
             [](const frame::PanelModel& m) { return m.voices_open && !m.hidden; }},
    PanelRow{ClosePanel::SoundEditor, "sound editor", frame::Action::SoundEditor, false,
             [](const frame::PanelModel& m) { return m.sound_editor.open; }},
    PanelRow{ClosePanel::Editor, "spell editor", frame::Action::Editor, false,
             [](const frame::PanelModel& m) { return m.editor_open; }},
    PanelRow{ClosePanel::Scores, "scores", frame::Action::Challenge, true,
             [](const frame::PanelModel& m) { return m.scores_open && !m.hidden; }},
    PanelRow{ClosePanel::AbCard, "quick A/B", frame::Action::QuickAb, true,
             [](const frame::PanelModel& m) {
               return m.ab_card_open && m.ab.state == frame::QuickAbView::State::Done;
             }},
    PanelRow{ClosePanel::Memory, "memory", frame::Action::Memory, true,
             [](const frame::PanelModel& m) { return m.memory_open && !m.hidden; }},
    PanelRow{ClosePanel::FrameTimeline, "timeline of a frame", frame::Action::FrameTimeline, true,
             [](const frame::PanelModel& m) { return m.timeline.open && !m.hidden; }},
    PanelRow{ClosePanel::Lab, "lab", frame::Action::Lab, true,
             [](const frame::PanelModel& m) { return m.lab.open; }},
    PanelRow{ClosePanel::Settings, "settings", frame::Action::Settings, true,
             [](const frame::PanelModel& m) { return m.settings_open && m.settings != nullptr; }},
    PanelRow{ClosePanel::Help, "help", frame::Action::Help, true,
             [](const frame::PanelModel& m) { return m.help; }},
};

/// Some of the panels.
class PanelSet {
 public:
  bool has(ClosePanel panel) const { return (bits_ & bit(panel)) != 0; }
  bool empty() const { return bits_ == 0; }
  void add(ClosePanel panel) { bits_ |= bit(panel); }

 private:
  static constexpr u32 bit(ClosePanel panel) { return u32{1} << static_cast<u32>(panel); }
  u32 bits_ = 0;
};

/// The rows of the panels that are asked for, the last one first.
class PanelOrder {
 public:
  /// Once a frame.
  void follow(const frame::PanelModel& model);
  const PanelRow* const* begin() const { return rows_.data(); }
  const PanelRow* const* end() const { return rows_.data() + count_; }
  /// The panel that covers the game; null if none does.
  const PanelRow* covering() const;

 private:
  std::array<const PanelRow*, kPanels.size()> rows_{};
  std::size_t count_ = 0;
};

}  // namespace spellpool::ui
