#pragma once
// What the panels show and what they ask for. ui/ draws a const PanelModel& and fills a PanelRequests&; it holds no pool,
// no recorder and no window.
#include <span>
#include <string_view>

#include "frame/action.hpp"
#include "frame/frame_record.hpp"
#include "frame/sim_command.hpp"

namespace spellpool::frame {

/// A choice that a panel offers: a strategy or a policy, from the table that defines it.
struct ChoiceRow {
  std::string_view name;         ///< "free_list"
  std::string_view title;        ///< "Union free list"
  std::string_view description;  ///< One line.
  char letter = '?';             ///< Stands beside the colour, which never means anything alone.
  u8 r = 255, g = 255, b = 255;
};

struct PoolRow {
  PoolId pool{};
  u8 strategy = 0, policy = 0;
  u32 capacity = 0, live = 0, peak = 0;
  u64 spawned = 0, released = 0, rejected = 0, stolen = 0, new_calls = 0, bytes = 0;
  u32 new_calls_this_frame = 0;
  u32 rejected_this_second = 0;
};

/// The ring of recent frames, oldest first: frame i of `count` is frames[(first + i) % frames.size()].
struct FrameHistory {
  std::span<const FrameRecord> frames;
  std::size_t first = 0;
  std::size_t count = 0;
  const FrameRecord& at(std::size_t i) const { return frames[(first + i) % frames.size()]; }
};

enum class GraphScale : u8 { Automatic, SquareRoot };

struct PanelModel {
  // What is open.
  bool help = false, pool_panel = false, graph = false, hidden = false;
  bool hint = true;                     ///< The newcomer's line at the bottom.
  // The pools.
  std::span<const PoolRow> pools;
  std::span<const ChoiceRow> strategies;
  std::span<const ChoiceRow> policies;
  // Frame times.
  FrameHistory history;
  FrameFigures figures;                 ///< Over the visible range.
  double fps = 0;                       ///< n/T over the last half second.
  GraphScale graph_scale = GraphScale::Automatic;
  // The game.
  std::array<std::string_view, kSpellCount> spell_titles{};
  std::array<std::array<float, 3>, kSpellCount> spell_colours{};
  u8 selected_spell = 0;
  float cooldown = 0;                   ///< 0 ready … 1 just cast.
  u32 combo = 0;
  bool paused = false, slow_motion = false, muted = false, fullscreen = false;
  bool autoplay = false;
  // Recording.
  bool recording = false;
  u64 recorded_frames = 0;
  std::string_view recording_path;
  // One line each, "" for none.
  std::string_view notice;              ///< Recent event: "Saved recordings/….csv".
  std::string_view error;               ///< A file that is broken: stays until it is mended.
  std::string_view build_note;          ///< "debug build: times are not comparable", or "".
  float text_scale = 1.0f;              ///< 1 at 720 px of height.
};

/// What the player asked for through panels in this frame. Bounded, so that a frame allocates nothing.
struct PanelRequests {
  std::array<SimCommand, 8> commands;
  std::size_t command_count = 0;
  std::array<Action, 8> actions{};
  std::size_t action_count = 0;

  void ask(const SimCommand& command) {
    if (command_count < commands.size()) commands[command_count++] = command;
  }
  void ask(Action action) {
    if (action_count < actions.size()) actions[action_count++] = action;
  }
};

}  // namespace spellpool::frame
