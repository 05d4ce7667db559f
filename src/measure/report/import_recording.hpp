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
// Columns are found by name, never by place. A value that is NA, empty or not above 0 is left out and counted: it is not 0.
// Source  the tools' own files and readers: github.com/flightlessmango/MangoHud, GameTechDev/PresentMon, CXWorld/CapFrameX.
#include <string>
#include <utility>
#include <vector>

#include "frame/frame_record.hpp"

namespace spellpool::measure {

struct ImportedRecording {
  std::string path;
  std::string tool;                ///< "MangoHud", "PresentMon 1", "PresentMon 2", "CapFrameX", "Spellpool".
  std::string program;             ///< The game, or the file's name.
  std::vector<double> frame_us;    ///< In order.
  std::vector<frame::FrameRecord> records;  ///< Of Spellpool's own: with phases and counters. Else empty.
  u64 left_out = 0;                ///< Rows without a time.
  u64 dropped = 0;                 ///< Presented and never shown, as PresentMon says.
  std::vector<std::pair<std::string, std::string>> system;  ///< What the file says of the machine.
  std::vector<std::string> notes;  ///< For people: units guessed, other programs left out.
  std::string error;               ///< "" or "FILE: line 12: …".
};
ImportedRecording import_recording(const std::string& path);

}  // namespace spellpool::measure
