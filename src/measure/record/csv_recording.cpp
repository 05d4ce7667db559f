#include "measure/record/csv_recording.hpp"

#include <chrono>
#include <system_error>

namespace spellpool::measure {
namespace {

constexpr std::size_t kBatchBytes = 256 * 1024;
/// How long the writer sleeps when the ring is empty. Waking it would cost the game a system call per frame.
constexpr std::chrono::milliseconds kIdle{20};

}  // namespace

CsvRecording::CsvRecording(std::size_t ring_frames) : ring_(ring_frames) {
  rows_.reserve(kBatchBytes + kMaxCsvRowBytes);
}

CsvRecording::~CsvRecording() { stop(); }

std::string CsvRecording::start(const std::string& path) {
  stop();
  result_ = {};
  result_.path = path;
  pushed_ = dropped_ = 0;
  finish_ = false;
  failed_ = false;
  if (!file_.create(path) || !file_.write(frames_csv_header())) return result_.error = file_.error();
#if !defined(__EMSCRIPTEN__)
  try {
    writer_ = std::thread([this] { write_rows(); });
  } catch (const std::system_error& refused) {
    file_.close();
    return result_.error = "cannot record to " + path + ": no thread to write it (" + refused.what() + ")";
  }
#endif
  recording_ = true;
  return "";
}

/// False: the ring was empty, or the disk refused.
bool CsvRecording::write_batch() {
  frame::FrameRecord record;
  rows_.clear();
  char row[kMaxCsvRowBytes];
  while (rows_.size() < kBatchBytes && ring_.pop(record)) {
    rows_.append(row, format_csv_row(record, {}, row));
  }
  if (rows_.empty()) return false;
  if (file_.write(rows_)) return true;
  failed_.store(true, std::memory_order_release);
  return false;
}

void CsvRecording::write_rows() {
  for (;;) {
    // Read before the ring is emptied: what was pushed before stop() is then sure to be in this round or an earlier
    // one.
    const bool last_round = finish_.load(std::memory_order_acquire);
    if (write_batch()) continue;
    if (last_round || failed()) break;
    std::this_thread::sleep_for(kIdle);
  }
}

/// Of a full ring: false where a thread does it.
bool CsvRecording::make_room() { return !writer_.joinable() && write_batch(); }

RecordingResult CsvRecording::stop() {
  if (!recording_) return result_;
  finish_.store(true, std::memory_order_release);
  if (writer_.joinable()) {
    writer_.join();
  } else {
    write_rows();
  }
  recording_ = false;
  failed_.store(false, std::memory_order_release);
  // After a failure the ring may still hold frames; the next recording must not begin with them.
  frame::FrameRecord unwritten;
  while (ring_.pop(unwritten)) {
  }
  file_.close();
  result_.frames = file_.lines() > 0 ? file_.lines() - 1 : 0;
  result_.dropped = dropped_;
  result_.error = file_.error();
  return result_;
}

}  // namespace spellpool::measure
