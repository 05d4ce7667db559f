#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "content/game/pattern_file.hpp"
#include "frame/defs/pattern_def.hpp"
#include "frame/defs/stage_def.hpp"
#include "sim/replay/replay.hpp"

namespace spellpool::app {

/// The patterns and the stage that were last read without error. They belong together: a stage names rows of
/// its pattern book. A world that plays them shares ownership of both, so a later reload does not change
/// them. Files have their names in replays, such as "assets/patterns/rings.toml". Errors give their path in
/// the data folder.
class StageLibrary {
 public:
  /// Reads all of DATA_DIR/assets/patterns and assets/stages/NAME.toml. "" or the error line; then nothing is changed.
  std::string load(const std::string& data_dir, const std::string& stage_name = "night_garden");
  /// Loads from texts that are already in memory. They must include the stage of load(). Other stages and
  /// files that are not patterns are skipped. "" or the error line; then nothing is changed.
  std::string parse(const std::string& data_dir, const std::vector<sim::ReplayText>& texts);
  /// Applies these changes to the texts in use. "" or the error line; then nothing is changed.
  /// `refuse` may return a reason to reject the stage, or "".
  using Refuse = std::function<std::string(const frame::StageDef&)>;
  std::string update(const std::vector<sim::ReplayText>& changes, const Refuse& refuse = {});

  /// What became of a file on the disk: its text, none if it is gone, or why it cannot be read. It waits for
  /// take_changes().
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
  /// Of all stages in the folder, by name.
  static std::vector<std::string> stage_names(const std::string& data_dir);
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
