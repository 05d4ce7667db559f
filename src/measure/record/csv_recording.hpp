#pragma once
#include <atomic>
#include <string>
#include <thread>

#include "core/spsc_ring.hpp"
#include "measure/record/frames_csv.hpp"
#include "measure/record/output_file.hpp"

namespace spellpool::measure {

struct RecordingResult {
  std::string path;
  u64 frames = 0;     ///< Rows that are in the file.
  u64 dropped = 0;    ///< Frames that came faster than the disk took them.
  std::string error;  ///< "" or one line that names the file and the mend. Rows written before it are kept.
};

/// Records every frame to a frames.csv from start() to stop(), while the game goes on.
///
/// push() copies the record into a ring; a thread of its own makes the rows and writes them in whole lines, so a file
/// never ends in the middle of one. In a browser, which has no threads, push() writes when the ring is full. On a
/// full disk the recording ends by itself: failed() turns true, stop() says why.
/// Cost     push() copies 160 bytes; no lock, no allocation, no disk. start() and stop() do all three.
/// Memory   a ring of 8,192 records (1.3 MB, over two minutes at 60 Hz), taken once by the constructor.
/// Threads  all calls from one thread.
class CsvRecording {
 public:
  explicit CsvRecording(std::size_t ring_frames = 8192);
  ~CsvRecording();
  CsvRecording(const CsvRecording&) = delete;
  CsvRecording& operator=(const CsvRecording&) = delete;

  /// Makes the file (and its folders) and begins. Returns "" or the error. Never writes over a file: choose the name
  /// with unique_path(dir, "frames", ".csv").
  std::string start(const std::string& path);
  /// Does nothing while nothing is being recorded, or after a failure.
  void push(const frame::FrameRecord& record) {
    if (!recording_ || failed()) return;
    if (ring_.push(record) || (make_room() && ring_.push(record))) {
      ++pushed_;
    } else {
      ++dropped_;
    }
  }
  /// Writes what is left, closes the file, and tells the outcome. Called twice, it tells the same outcome again.
  /// Also for a program that is ended from outside: after SIGINT (from the loop, not in the handler), in X's
  /// lost-display handler. Waits for the writer, some milliseconds.
  RecordingResult stop();

  bool recording() const { return recording_; }
  /// The disk refused. Look once a frame, and call stop() for the line to show.
  bool failed() const { return failed_.load(std::memory_order_acquire); }
  u64 frames() const { return pushed_; }
  const std::string& path() const { return result_.path; }

 private:
  void write_rows();
  bool write_batch();
  bool make_room();

  SpscRing<frame::FrameRecord> ring_;
  std::string rows_;  ///< The writer's: rows on their way to the disk.
  OutputFile file_;
  std::thread writer_;
  std::atomic<bool> finish_{false};
  std::atomic<bool> failed_{false};
  bool recording_ = false;
  u64 pushed_ = 0, dropped_ = 0;
  RecordingResult result_;
};

}  // namespace spellpool::measure
