// The stage reader under any bytes: no crash, errors of one line, and a stage that keeps what frame/defs/stage_def.hpp promises and whose
// enemies have room.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "content/game/stage_file.hpp"
#include "content/game/stage_keys.hpp"
#include "frame/defs/stage_needs.hpp"

namespace {

using namespace spellpool;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "stage_fuzz: %s\n", what);
  std::abort();
}

/// The names that the corpus says.
frame::PatternBook small_book() {
  frame::PatternBook book;
  for (const char* name : {"carp.scales", "carp.waterfall", "fans.aimed", "fans.spread", "moth.dusk", "needles.aimed", "rings.plain"}) {
    book.emplace_back().name = name;
  }
  return book;
}

template <class Owner, class Keys>
void check_numbers(const Owner& owner, const Keys& keys) {
  for (const auto& key : keys) {
    std::visit(
        [&](auto member) {
          using Member = decltype(member);
          if constexpr (std::is_same_v<Member, float Owner::*>) {
            expect(owner.*member >= static_cast<float>(key.low) && owner.*member <= static_cast<float>(key.high), "a number is out of its range");
          } else if constexpr (std::is_same_v<Member, u32 Owner::*>) {
            expect(owner.*member >= key.low && owner.*member <= key.high, "a whole number is out of its range");
          } else if constexpr (std::is_same_v<Member, std::vector<frame::PathPoint> Owner::*>) {
            const auto& path = owner.*member;
            expect(!path.empty() && path.size() <= frame::kMostPathPoints, "a path of too few or too many places");
            for (const frame::PathPoint& point : path) {
              expect(std::abs(point.x) <= 600 && std::abs(point.y) <= 600, "a place out of its range");
              expect(point.time_s >= 0.1f && point.time_s <= 60, "a time out of its range");
            }
          }
        },
        key.member);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const frame::PatternBook book = small_book();
  const auto rows = static_cast<i32>(book.size());
  const content::StageFileResult result = content::read_stage(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.toml", book);
  if (!result.stage) {
    expect(result.error.rfind("fuzz.toml:", 0) == 0, "the error does not name the file");
    expect(result.error.size() < 1500 && result.error.find_first_of("\n\r\x1b") == std::string::npos, "the error is no line");
    return 0;
  }
  expect(result.error.empty(), "a stage and an error");
  const frame::StageDef& stage = *result.stage;
  expect(!stage.waves.empty() && stage.waves.size() <= frame::kMostWaves && stage.bosses.size() <= frame::kMostBosses, "too few or too many");
  for (std::size_t i = 0; i < stage.waves.size(); ++i) {
    check_numbers(stage.waves[i], content::kWaveKeys);
    expect(stage.waves[i].path.size() >= 2, "a wave without a way");
    expect(stage.waves[i].pattern >= -1 && stage.waves[i].pattern < rows, "a wave fires what is not there");
    expect(i == 0 || stage.waves[i - 1].at_s <= stage.waves[i].at_s, "the waves are not by time");
  }
  for (std::size_t i = 0; i < stage.bosses.size(); ++i) {
    const frame::BossDef& boss = stage.bosses[i];
    check_numbers(boss, content::kBossKeys);
    expect(i == 0 || stage.bosses[i - 1].at_s < boss.at_s, "the bosses are not by time");
    expect(!boss.phases.empty() && boss.phases.size() <= content::kMostPhases, "a boss of too few or too many phases");
    for (const frame::BossPhase& phase : boss.phases) {
      check_numbers(phase, content::kPhaseKeys);
      expect(!phase.patterns.empty() && phase.patterns.size() <= content::kMostPhasePatterns, "a phase of too few or too many patterns");
      for (const i32 row : phase.patterns) expect(row >= 0 && row < rows, "a phase plays what is not there");
    }
  }
  expect(frame::stage_needs(stage).enemies <= frame::kMostEnemies, "enemies without room");
  return 0;
}
