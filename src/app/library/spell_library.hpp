#pragma once
#include <array>
#include <string>
#include <vector>

#include "app/library/stage_library.hpp"
#include "sim/core/world_config.hpp"

namespace spellpool::app {

/// The spells of the bar and the arena's emitters as they were last read without error, and their texts
/// (replays carry them).
class SpellLibrary {
 public:
  static constexpr std::string_view kArenaFile = "assets/arena.toml";

  /// Reads DATA_DIR/assets/arena.toml and all files of DATA_DIR/assets/spells that kSpellFiles names. "" or
  /// the first error line.
  std::string load(const std::string& data_dir);
  /// From texts, as a replay has them. One from before there was the arena's has "" there: it plays by the
  /// emitters that the program was built with. "" or the first error line.
  std::string parse(const std::array<std::string, frame::kSpellCount>& texts, const std::string& arena_text);
  /// A file's new text. If it is good, it replaces spell `index`; if not, the last good one stays. "" or the error
  /// line.
  std::string update(u32 index, const std::string& text);

  /// The same for the arena's emitters.
  std::string update_arena(const std::string& text);

  static std::string path(const std::string& data_dir, u32 index);
  std::string path(u32 index) const { return path(data_dir_, index); }
  static std::string arena_path(const std::string& data_dir) {
    return data_dir + "/" + std::string(kArenaFile);
  }
  /// "" before load().
  const std::string& data_dir() const { return data_dir_; }
  const sim::SpellSet& spells() const { return spells_; }
  const std::array<std::string, frame::kSpellCount>& texts() const { return texts_; }
  const std::shared_ptr<const frame::ArenaDef>& arena() const { return arena_; }
  const std::string& arena_text() const { return arena_text_; }
  /// What a replay of the shooter that begins now names: these texts' files, and those of the patterns and the stage,
  /// by rising name.
  std::vector<sim::ReplayFile> files() const;
  /// For the scene that has stages. The library does not load it; the game that plays the scene does.
  StageLibrary& stages() { return stages_; }
  const StageLibrary& stages() const { return stages_; }

 private:
  StageLibrary stages_;
  std::string data_dir_;
  sim::SpellSet spells_;
  std::array<std::string, frame::kSpellCount> texts_;
  std::shared_ptr<const frame::ArenaDef> arena_;
  std::string arena_text_;
};

}  // namespace spellpool::app
