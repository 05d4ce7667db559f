#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "content/pattern_file.hpp"
#include "frame/pattern_def.hpp"
#include "frame/stage_def.hpp"
#include "sim/replay/replay.hpp"

namespace spellpool::app {

/// The patterns and the stage as they were last read without error, together: a stage names rows of its book. Whoever plays them
/// holds on to both, so that a later reload changes nothing beneath it. Files have the names that replays give them,
/// "assets/patterns/rings.toml"; errors name them below the data folder.
class StageLibrary {
 public:
  /// Reads all of DATA_DIR/assets/patterns and assets/stages/NAME.toml. "" or the error line; then nothing is changed.
  std::string load(const std::string& data_dir, const std::string& stage_name = "night_garden");
  /// From texts that somebody has read, the stage of load() among them; what is no pattern and not that stage is left out. Likewise.
  std::string parse(const std::string& data_dir, const std::vector<sim::ReplayText>& texts);
  /// With these changes to the texts in use. Likewise; `refuse` may have a reason against the stage, "" if not.
  using Refuse = std::function<std::string(const frame::StageDef&)>;
  std::string update(const std::vector<sim::ReplayText>& changes, const Refuse& refuse = {});

  /// What became of a file on the disk: its text, none if it is gone, or why it cannot be read. It waits for take_changes().
  void note(const std::string& name, std::optional<std::string> text, const std::string& error = {});
  struct Taken {
    std::vector<sim::ReplayText> texts;  ///< What is in use from now on; none: all is as it was.
    std::string error;                   ///< "" or what is wrong with the files as they are now.
  };
  /// All that was noted at once, since files may fit together only; what is bad waits until it is mended.
  Taken take_changes(const Refuse& refuse = {});

  const std::shared_ptr<const frame::PatternBook>& patterns() const { return patterns_; }
  const std::shared_ptr<const frame::StageDef>& stage() const { return stage_; }
  /// What a replay that begins now names: by rising name, of the texts in use.
  std::vector<sim::ReplayFile> files() const;
  static std::string pattern_folder(const std::string& data_dir) { return data_dir + "/assets/patterns"; }
  static std::string stage_path(const std::string& data_dir, const std::string& stage_name = "night_garden");
  /// For errors about the whole stage.
  std::string stage_path() const { return stage_path(data_dir_, stage_name_); }
  /// Of the same texts, whose errors name them as a replay does.
  StageLibrary as_in_replay() const;

 private:
  using Texts = std::map<std::string, std::string>;  // by name
  std::string use(Texts texts, const Refuse& refuse);
  std::string path_of(const std::string& name) const { return data_dir_.empty() ? name : data_dir_ + "/" + name; }

  std::string data_dir_, stage_name_ = "night_garden";
  std::shared_ptr<const frame::PatternBook> patterns_;
  std::shared_ptr<const frame::StageDef> stage_;
  Texts texts_;
  std::map<std::string, sim::ReplayText> noted_;     // what differs from texts_
  std::map<std::string, std::string> unreadable_;    // error by name
};

}  // namespace spellpool::app
