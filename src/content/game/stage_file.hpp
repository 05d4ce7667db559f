#pragma once
// Stages: assets/stages/*.toml to frame::StageDef. docs/shooter.md explains the format, stage_keys.hpp has every key.
#include <optional>
#include <string>
#include <string_view>

#include "frame/defs/pattern_def.hpp"
#include "frame/defs/stage_def.hpp"

namespace spellpool::content {

inline constexpr std::size_t kMaxStageFile_bytes = std::size_t{1} << 20;

struct StageFileResult {
  std::optional<frame::StageDef> stage;
  std::string error;  ///< "" on success; else one line: "assets/stages/night_garden.toml:12: wave.count: 600 is out of range (1 … 100)".
};

/// Reads the text of a stage file; `path` stands in errors, its stem becomes the stage's name. The stage's patterns
/// are rows of `book`. Refused is a stage that could show more than frame::kMostEnemies at once. Waves and bosses may
/// stand in any order and come out by rising time. Never throws, whatever the text is; allocates.
StageFileResult read_stage(std::string_view text, std::string_view path, const frame::PatternBook& book);

/// The tables of all keys, as they stand in docs/shooter.md: the top, [[wave]], [[boss]], [[boss.phase]].
std::string stage_keys_table();
std::string wave_keys_table();
std::string boss_keys_table();
std::string phase_keys_table();

}  // namespace spellpool::content
