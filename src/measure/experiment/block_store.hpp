#pragma once
// The finished blocks of a comparison on disk, while it runs and after it was interrupted or killed.
//
//   OUT/blocks/plan.json    what is compared, on what machine, and the caller's note
//   OUT/blocks/check.json   the result of the check pass: the work was equal, and its hashes
//   OUT/blocks/0007.csv     frames of block 7, as in frames.csv
//   OUT/blocks/0007.json    its report. Written last: a block is finished when this file exists.
//
// Each file is written whole, flushed, and renamed once to its final name. After SIGKILL every named file is
// whole, and at most one is left under a working name. The process that measures into the folder holds a
// lock on it.
#include <string>

#include "measure/experiment/comparison.hpp"

namespace spellpool::measure {

class BlockStore {
 public:
  BlockStore() = default;
  ~BlockStore();
  BlockStore(const BlockStore&) = delete;
  BlockStore& operator=(const BlockStore&) = delete;

  /// A new folder blocks, blocks-2 … in out_dir, with a number that none of a comparison's files has yet. "" or the
  /// error.
  std::string create(const std::string& out_dir);
  /// Opens the newest folder in out_dir. "" or the error: there is none, or another process holds its lock.
  std::string open(const std::string& out_dir);
  /// Which it would be, or "".
  static std::string newest(const std::string& out_dir);
  /// True: a process holds the lock of the newest folder, so its comparison is still running.
  static bool in_use(const std::string& out_dir);

  /// What the comparison's other files share with the folder: "", "-2" …
  const std::string& suffix() const { return suffix_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

  std::string keep(const std::string& name, std::string_view text) const;
  std::string read(const std::string& name, std::string& text) const;

  /// Where a block is to write, before it is finished.
  std::string working_frames() const { return file("frames.part"); }
  std::string working_report() const { return file("report.part"); }
  /// Its frames and report become files of the store, the report last.
  std::string finish(const BlockResult& block) const;
  /// A finished block that is all there: its place, frames, figures and report. False: it is to be measured again.
  bool load(const ScheduledBlock& scheduled, u64 steps, BlockResult& block) const;

  /// Takes the folder and all that is in it away.
  void remove();

 private:
  std::string lock();

  std::string path_, suffix_;
  int lock_ = -1;
};

}  // namespace spellpool::measure
