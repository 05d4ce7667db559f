#pragma once
// What lies in the folder of recordings: comparisons, quick A/Bs and recordings by key, newest first, a line each.
//
// Names    a folder with run.json (of several the newest), with all.json (many comparisons at once), or with blocks
//          that were begun; a table of frames. Anything else that looks like one of these and is none gets a line
//          that says why. Pictures and sounds are passed over.
// Cost     about a millisecond a folder: of run.json without its blocks, of a table the first line.
// Errors   none: a line of the list. Nothing is written, and no program's lock is held but for a moment.
// Threads  any; `stop` ends it early.
#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "measure/experiment/stored_comparison.hpp"
#include "measure/report/report.hpp"

namespace spellpool::measure {

struct RecordingEntry {
  enum class Kind : u8 {
    Comparison,
    QuickAb,
    Several,    ///< `compare --all`, or the matrix.
    Recording,  ///< A table of frames by itself.
    Report,     ///< Of recordings.
    Unknown,    ///< Damaged, or written by another program.
  };
  enum class State : u8 { Done, Running, Killed, Interrupted, Unequal, Failed, Damaged };
  Kind kind = Kind::Unknown;
  State state = State::Damaged;
  std::string path;               ///< The folder, or the table.
  std::string name;               ///< Its last part.
  i64 date_s = 0;                 ///< Since 1970, UTC: when it began as far as it says so, else when it was last written.
  std::string what;               ///< "heap : free_list"
  std::string where;              ///< "spells, stress, simulation only"
  std::string sentence;           ///< What came of it, in a sentence.
  Badge badge;                    ///< Empty where there is no comparison.
  bool can_resume = false;
  std::string report, card;       ///< Paths of report.html and card.png; "" where there is none.
  StoredRun run;                  ///< Of Comparison and QuickAb.
};

/// "killed", "unequal work".
std::string_view recording_state_text(RecordingEntry::State state);

std::vector<RecordingEntry> read_index(const std::string& folder, const std::atomic<bool>& stop);
/// One folder or table. Nothing for what belongs into no list.
std::optional<RecordingEntry> read_index_entry(const std::string& path);

/// A spike, with what its frame was busy with.
struct RecordingSpike {
  std::size_t arm = 0;            ///< 0 A, 1 B.
  i32 block = -1;                 ///< −1: of a recording.
  frame::FrameRecord record;
  double usual_us = kUnknown;     ///< Median of its block, or of the recording.
  std::string trace_name;         ///< As trace.json has it; "" for a recording.
};
inline constexpr std::size_t kRecordingSpikes = 5;

struct RecordingDetails {
  std::vector<RecordingSpike> spikes;  ///< The longest kRecordingSpikes of both arms, longest first.
  u64 spike_count = 0;
  DetailedFigures figures;         ///< Of a recording; a comparison's are in its entry.
  std::string strategies;          ///< Of a recording: those that its frames had.
  std::string error;               ///< "" or a line; what was read before it is there.
};
/// Reads the frames, a block at a time. Seconds for an hour's comparison; `stop` ends it early.
RecordingDetails read_recording_details(const RecordingEntry& entry, const std::atomic<bool>& stop);

}  // namespace spellpool::measure
