#pragma once
#include <memory>
#include <string>
#include <vector>

#include "content/pattern_file.hpp"
#include "frame/pattern_def.hpp"
#include "frame/stage_def.hpp"

namespace spellpool::app {

/// The patterns and the stage as they were last read without error, together: a stage names rows of its book. Whoever plays them
/// holds on to both, so that a later reload changes nothing beneath it.
class StageLibrary {
 public:
  /// What a replay keeps of a file, to tell whether it is still the one that was played.
  struct FileSum {
    std::string name;  ///< "patterns/rings.toml": below assets/.
    u64 checksum = 0;
    bool operator==(const FileSum&) const = default;
  };

  /// Reads all of DATA_DIR/assets/patterns and assets/stages/NAME.toml. "" or the error line; then nothing is changed.
  std::string load(const std::string& data_dir, const std::string& stage_name = "night_garden");
  /// The same files again, with those that are new in the folder. "" or the error line; then the last good ones stay.
  std::string reload() { return load(data_dir_, stage_name_); }

  const std::shared_ptr<const frame::PatternBook>& patterns() const { return patterns_; }
  const std::shared_ptr<const frame::StageDef>& stage() const { return stage_; }
  /// By rising name, of the texts that are in use.
  const std::vector<FileSum>& checksums() const { return checksums_; }
  /// All of them in one number.
  u64 checksum() const;
  /// Of the files in use, in the order of checksums().
  const std::vector<std::string>& paths() const { return paths_; }

 private:
  std::string data_dir_, stage_name_;
  std::shared_ptr<const frame::PatternBook> patterns_;
  std::shared_ptr<const frame::StageDef> stage_;
  std::vector<FileSum> checksums_;
  std::vector<std::string> paths_;
};

}  // namespace spellpool::app
