#pragma once
// Frame times out of other tools' recordings, of any game:
//
//   MangoHud       two lines about the system, then fps,frametime,… (ms; older ones µs, detected by fps ×
//                  frametime)
//   PresentMon 1   Application,…,TimeInSeconds,msBetweenPresents,…
//   PresentMon 2   Application,…,FrameTime,… or MsBetweenPresents; NA where nothing is known
//   CapFrameX      the same as PresentMon 1 under lines //Key=Value
//   Spellpool      frames.csv
//
// A file of PresentMon or CapFrameX names the process of each frame. One process is read: the one that is asked for, or
// the one with the most frames.
//
// Columns are found by name, never by place. A value that is NA, empty or not above 0 is left out and counted: it is
// not 0.
// Source  the tools' own files and readers: github.com/flightlessmango/MangoHud, GameTechDev/PresentMon,
//         CXWorld/CapFrameX.
#include <string>
#include <utility>
#include <vector>

#include "frame/frame_record.hpp"

namespace spellpool::measure {

/// A longer name is cut where it is shown.
inline constexpr std::size_t kMostNameCharacters = 100;

/// A process that a file names, and how many frames with a time it has there.
struct ProcessFrames {
  std::string name;
  std::size_t frames = 0;
};
/// "game.exe (1,200 frames), dwm.exe (1 frame)"; of a long list the first twelve.
std::string processes_text(const std::vector<ProcessFrames>& processes);

struct ImportedRecording {
  std::string path;
  std::string tool;                ///< "MangoHud", "PresentMon 1", "PresentMon 2", "CapFrameX", "Spellpool".
  std::string program;             ///< The game, or the file's name.
  std::vector<double> frame_us;    ///< In order.
  std::vector<frame::FrameRecord> records;  ///< Of Spellpool's own: with phases and counters. Else empty.
  u64 left_out = 0;                ///< Rows without a time.
  u64 dropped = 0;                 ///< Presented and never shown, as PresentMon says.
  std::vector<std::pair<std::string, std::string>> system;  ///< What the file says of the machine.
  std::vector<std::string> notes;  ///< For people: units guessed, other processes left out.
  bool names_processes = false;
  std::vector<ProcessFrames> others;  ///< Processes that were not read, the one with the most frames first.
  std::string error;               ///< "" or "FILE: line 12: …".
};
/// `process`: the name as the file has it, in capitals or not; "" the one with the most frames. It is an error if the
/// file names processes and this one is not among them.
ImportedRecording import_recording(const std::string& path, const std::string& process = {});

}  // namespace spellpool::measure
