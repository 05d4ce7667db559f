#pragma once
// The keys of a stage file: its top, [[wave]], [[boss]] and [[boss.phase]]. Reading, range checks, "did you mean" and
// the tables of docs/shooter.md are all made from these rows; {waves} and {bosses} in a row's help stand for the
// names of frame::kEnemyKinds.
#include <array>
#include <string>

#include "frame/defs/file_key.hpp"
#include "frame/defs/stage_def.hpp"

namespace spellpool::content {

/// Keys that are no plain member: a pattern by name, a list of them, a list of tables below.
struct PatternKey {
  i32 frame::WaveDef::*row;
};
struct PatternListKey {
  std::vector<i32> frame::BossPhase::*rows;
};
struct TablesKey {};

using StageKey = frame::FileKey<frame::StageDef, std::string frame::StageDef::*, TablesKey>;
using WaveKey = frame::FileKey<frame::WaveDef, float frame::WaveDef::*, u32 frame::WaveDef::*, bool frame::WaveDef::*,
                               frame::EnemyKind frame::WaveDef::*, frame::PickupKind frame::WaveDef::*,
                               std::vector<frame::PathPoint> frame::WaveDef::*, PatternKey>;
using BossKey = frame::FileKey<frame::BossDef, float frame::BossDef::*, std::string frame::BossDef::*,
                               frame::EnemyKind frame::BossDef::*, TablesKey>;
using PhaseKey = frame::FileKey<frame::BossPhase, float frame::BossPhase::*, std::string frame::BossPhase::*,
                         std::vector<frame::PathPoint> frame::BossPhase::*, PatternListKey>;

inline constexpr std::size_t kMaxStageTitle_bytes = 60;
inline constexpr double kLeastPathTime_s = 0.1, kMostPathTime_s = 60, kMostPathPlace = 600;
inline constexpr std::size_t kMostPhases = 8, kMostPhasePatterns = 4;

inline const std::array kStageKeys = {
    StageKey{"title", &frame::StageDef::title, 0, 0, true, "up to 60 bytes, shown as the stage begins"},
    StageKey{"wave", TablesKey{}, 0, 0, true, "`[[wave]]`: 1 … 512 of them, in any order"},
    StageKey{"boss", TablesKey{}, 0, 0, false, "`[[boss]]`: up to 4"},
};
inline const std::array kWaveKeys = {
    WaveKey{"at_s", &frame::WaveDef::at_s, 0, 3600, true, "time of the first enemy on the stage's clock"},
    WaveKey{"kind", &frame::WaveDef::kind, 0, 0, true, "kind of enemy: {waves}"},
    WaveKey{
        "path", &frame::WaveDef::path, 0, 0, true,
        "path: `[[x, y], [x, y, s], …]`, 2 … 16 absolute positions; each is reached `s` seconds after the one before, "
        "and enemies disappear after the last"},
    WaveKey{"count", &frame::WaveDef::count, 1, 100, false, "number of enemies"},
    WaveKey{"every_s", &frame::WaveDef::every_s, 0, 60, false, "interval between enemies, in seconds"},
    WaveKey{"step_x", &frame::WaveDef::step_x, -600, 600, false,
            "each enemy's path is this far to the right of the one before …"},
    WaveKey{"step_y", &frame::WaveDef::step_y, -600, 600, false, "… and this far below it"},
    WaveKey{"mirror", &frame::WaveDef::mirror, 0, 0, false, "every other enemy flies the path mirrored left to right"},
    WaveKey{"pattern", PatternKey{&frame::WaveDef::pattern}, 0, 0, false,
            "name of the pattern that each of them fires"},
    WaveKey{"fire_s", &frame::WaveDef::fire_s, 0, 60, false,
            "delay from an enemy's appearance to the start of its pattern"},
    WaveKey{"health", &frame::WaveDef::health, 0.1, 100, false, "factor on the health of its kind"},
    WaveKey{"drops", &frame::WaveDef::drops, 0, 0, false,
            "what it drops: `power`, `magnet`, `shield`, `bomb`, `star` or `none`"},
    WaveKey{"drop_every", &frame::WaveDef::drop_every, 1, 100, false, "only every n-th enemy drops it"},
};
inline const std::array kBossKeys = {
    BossKey{"at_s", &frame::BossDef::at_s, 0, 3600, true, "when it appears; the stage's clock stops while it lives"},
    BossKey{"kind", &frame::BossDef::kind, 0, 0, true, "{bosses}"},
    BossKey{"title", &frame::BossDef::title, 0, 0, true, "its name, up to 60 bytes"},
    BossKey{"phase", TablesKey{}, 0, 0, true, "`[[boss.phase]]`: 1 … 8, in the order in which they are fought"},
};
inline const std::array kPhaseKeys = {
    PhaseKey{"title", &frame::BossPhase::title, 0, 0, true, "up to 60 bytes, shown as the phase begins"},
    PhaseKey{"patterns", PatternListKey{&frame::BossPhase::patterns}, 0, 0, true, "1 … 4 patterns, played together from 1 s on"},
    PhaseKey{"path", &frame::BossPhase::path, 0, 0, true, "1 … 16 positions as above: it starts at the first and loops through the others"},
    PhaseKey{"health", &frame::BossPhase::health, 1, 100000, false, "the ship's shots deal 60 to 140 per second"},
    PhaseKey{"time_s", &frame::BossPhase::time_s, 5, 300, false, "time limit; the phase then ends without its bonus"},
};

}  // namespace spellpool::content
