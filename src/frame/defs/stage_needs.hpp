#pragma once
// How many enemies a stage can show at once: the size of their pool, which must never refuse one.
#include <algorithm>
#include <string>
#include <vector>

#include "frame/defs/stage_def.hpp"

namespace spellpool::frame {

inline constexpr u32 kMostEnemies = 200;

inline float path_s(const std::vector<PathPoint>& path) {
  float seconds = 0;
  for (std::size_t i = 1; i < path.size(); ++i) seconds += path[i].time_s;
  return seconds;
}

struct StageNeeds {
  u32 enemies = 0;       ///< Peak number alive if none is killed.
  i32 crowded_wave = -1; ///< The first wave that raises the number above kMostEnemies, or −1.
};

/// Nothing that the player does makes them more: bosses count as gone at once, so that no wave is held up by one, and
/// their parts are added to what lives as they come.
inline StageNeeds stage_needs(const StageDef& stage) {
  constexpr float kSlack_s = 0.1f;  // A step or two of rounding, on each side.
  struct Arrival {
    float at_s;
    i32 wave;            // −1: a boss.
    u32 count;
    bool operator<(const Arrival& other) const { return at_s < other.at_s; }
  };
  std::vector<Arrival> arrivals;
  std::vector<float> ends_s;
  for (std::size_t w = 0; w < stage.waves.size(); ++w) {
    const WaveDef& wave = stage.waves[w];
    for (u32 i = 0; i < wave.count; ++i) {
      const float at_s = wave.at_s + static_cast<float>(i) * wave.every_s;
      arrivals.push_back({at_s, static_cast<i32>(w), 1});
      ends_s.push_back(at_s + path_s(wave.path) + kSlack_s);
    }
  }
  for (const BossDef& boss : stage.bosses) arrivals.push_back({boss.at_s, -1, row(boss.kind).parts});
  std::stable_sort(arrivals.begin(), arrivals.end());
  std::sort(ends_s.begin(), ends_s.end());

  StageNeeds needs;
  u32 came = 0;
  i32 latest_wave = 0;
  std::size_t gone = 0;
  for (const Arrival& arrival : arrivals) {
    while (gone < ends_s.size() && ends_s[gone] < arrival.at_s) ++gone;
    if (arrival.wave >= 0) {
      ++came;
      latest_wave = arrival.wave;
    }
    const u32 alive = came - static_cast<u32>(gone) + (arrival.wave < 0 ? arrival.count : 0);
    needs.enemies = std::max(needs.enemies, alive);
    if (alive > kMostEnemies && needs.crowded_wave < 0) needs.crowded_wave = latest_wave;
  }
  return needs;
}

/// Why a pool of enemies may not be smaller: "the stage night_garden shows up to 63 enemies at once".
inline std::string needs_text(const StageDef& stage, u32 enemies) {
  return "the stage " + stage.name + " shows up to " + std::to_string(enemies) + " enemies at once";
}
/// Why it has no other policy.
inline constexpr const char* kEnemiesNeverFail = "enemies never fail to appear: their policy is assert";

}  // namespace spellpool::frame
