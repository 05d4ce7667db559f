// Mixing many voices: our whole mixer beside Debian's OpenAL Soft (its loopback) and SDL2_mixer, and a start in a full pool.
//
//   bench_voices [--rounds N] [--quick] [--mix portable|AVX2|AVX-512] [--goals FILE]
//
// --mix: limits our loops to less than this processor has.
// Mixing: 256 mono voices play 60 sounds of one second (11.5 MB); they start one after another. Unit: ns per
// voice and frame, the minimum of all windows of 1,024 frames in rounds of 16,384. Ours is Mixer::render in
// cells of 256 frames. Its fader never rests, so every gain is on a ramp in every frame. The master gain,
// the NaN guard and the limiter are included. OpenAL and SDL2_mixer get blocks of 1,024 frames, which suit
// them, and none of their gains moves. A round counts if all voices play to its end.
// Steals: ours is play, render and update of a cell with the given number of starts, minus a cell without
// starts. SDL2_mixer's is Mix_GroupOldest and Mix_PlayChannel alone, with a lock for which it never waits;
// it leaves a click and no tail.
// The rounds of all sides alternate; the minimum counts.
// Exit codes: 0 done, 2 bad usage or no peer, 3 the sides did not have equal work.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "built.hpp"
#include "goals.hpp"
#include "voices_sides.hpp"

namespace spellpool::bench {
namespace {

constexpr u32 kVoices = 256;
constexpr u32 kRoundFrames = 16'384;
constexpr u32 kWindowFrames = 1'024;  ///< A multiple of every side's block.
constexpr u32 kSettleFrames = 1'024;
constexpr u32 kFewVoices = 128, kManyVoices = 2'048;
constexpr u32 kSteals = 200;       ///< In a cell of 256 frames: what the panel's burst button fires.
constexpr u32 kStealCells = 32;    ///< Of each kind in a round.

[[noreturn]] void stop(int code, const std::string& why) {
  std::fprintf(stderr, "bench_voices: %s\n", why.c_str());
  std::exit(code);
}

struct Row {
  std::unique_ptr<MixSide> side;
  u32 voices;
  double least_ns = 1e18;  ///< Per voice and frame.
  float level = 0.0f;
};

double now_ns() { return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

void take_round(Row& row) {
  row.side->begin();
  row.side->mix(kSettleFrames);
  for (u32 done = 0; done < kRoundFrames; done += kWindowFrames) {
    const double from_ns = now_ns();
    row.side->mix(kWindowFrames);
    row.least_ns = std::min(row.least_ns, (now_ns() - from_ns) / kWindowFrames / row.voices);
  }
  if (row.side->playing() != row.voices) {
    stop(3, text("%s plays %u of %u voices", row.side->name().c_str(), row.side->playing(), row.voices));
  }
  double energy = 0;
  for (const float x : row.side->out()) energy += static_cast<double>(x) * static_cast<double>(x);
  row.level = static_cast<float>(std::sqrt(energy / static_cast<double>(row.side->out().size())));
}

std::vector<Row> measured(std::vector<Row> rows, const char* what, u32 rounds) {
  for (u32 round = 0; round < rounds; ++round) {
    for (Row& row : rows) take_round(row);
  }
  std::printf("\n%s\n", what);
  for (const Row& row : rows) {
    std::printf("  %-34s %5u voices  %7.3f ns  %5.1fx   level %.4f\n", row.side->name().c_str(), row.voices, row.least_ns, row.least_ns / rows[0].least_ns,
                static_cast<double>(row.level));
    // Pan laws differ, and SDL2_mixer's volume has 128 steps; silence or a voice at another gain is no equal work.
    if (!(row.level > 0.4f * rows[0].level && row.level < 2.5f * rows[0].level)) stop(3, row.side->name() + " is not as loud as ours");
  }
  std::fflush(stdout);
  return rows;
}

/// Ours mixes in cells, the peers in blocks of their choice: a table's first row is ours.
void add(std::vector<Row>& rows, std::unique_ptr<MixSide> side, const Crowd& crowd, const std::string& error) {
  if (!side) stop(2, "a peer does not play: " + error);
  rows.push_back({std::move(side), static_cast<u32>(crowd.voices.size())});
}

/// Ns of a start. A round takes the mean of kStealCells cells with starts and of as many without. The
/// minimum of each over all rounds counts; ns() is their difference for one start.
struct StealTimes {
  u32 starts;  ///< In a cell.
  double with_ns = 1e18, without_ns = 1e18;

  void take_round(StealSide& side) {
    double with = 0, without = 0;
    const u64 before = side.stolen();
    for (u32 cell = 0; cell < kStealCells; ++cell) {
      with += side.cell_ns(starts);
      without += side.cell_ns(0);
    }
    if (side.stolen() - before != u64{starts} * kStealCells) stop(3, "not every start stole a slot");
    with_ns = std::min(with_ns, with / kStealCells);
    without_ns = std::min(without_ns, without / kStealCells);
  }
  double ns() const { return (with_ns - without_ns) / starts; }
};

audio::MixLevel level_named(std::string_view name) {
  for (std::size_t i = 0; i <= static_cast<std::size_t>(audio::best_mix_level()); ++i) {
    if (audio::mix_level_name(static_cast<audio::MixLevel>(i)) == name) return static_cast<audio::MixLevel>(i);
  }
  stop(2, "no loops of that name on this processor: " + std::string(name));
}

int run(int argc, char** argv) {
  u32 rounds = 30;
  std::string goals_path;
  audio::MixLevel level = audio::best_mix_level();
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--rounds") == 0 && i + 1 < argc) rounds = static_cast<u32>(std::max(1, std::atoi(argv[++i])));
    else if (std::strcmp(argv[i], "--goals") == 0 && i + 1 < argc) goals_path = argv[++i];
    else if (std::strcmp(argv[i], "--mix") == 0 && i + 1 < argc) level = level_named(argv[++i]);
    else if (std::strcmp(argv[i], "--quick") == 0) rounds = 5;
    else stop(2, text("cannot use '%s': bench_voices [--rounds N] [--quick] [--mix portable|AVX2|AVX-512] [--goals FILE]", argv[i]));
  }
  std::printf("mixing, ns per voice and frame, least window of %u frames in %u rounds; %s\n", kWindowFrames, rounds, built_by().c_str());
  std::string error;

  const Crowd plain = make_crowd(kVoices, false), pitched = make_crowd(kVoices, true);
  std::vector<Row> rows;
  add(rows, make_ours(plain, level), plain, error);
  add(rows, make_openal(plain, error), plain, error);
  add(rows, make_sdl_mixer(plain, error), plain, error);
  rows = measured(std::move(rows), "1:1; ours with gain ramps", rounds);
  const double plain_ns = rows[0].least_ns, plain_openal_ns = rows[1].least_ns, sdl_ns = rows[2].least_ns;
  const std::string openal = rows[1].side->name(), sdl = rows[2].side->name();
  double sdl_steal_ns = 1e18, sdl_placed_ns = 1e18;
  const std::unique_ptr<StealSide> steals = make_steals(kVoices, level);
  StealTimes burst{kSteals}, single{1};
  for (u32 round = 0; round < rounds; ++round) {
    rows[2].side->begin();
    sdl_steal_ns = std::min(sdl_steal_ns, sdl_mixer_steal_ns(*rows[2].side, 512, false));
    burst.take_round(*steals);
    rows[2].side->begin();
    sdl_placed_ns = std::min(sdl_placed_ns, sdl_mixer_steal_ns(*rows[2].side, 512, true));
    single.take_round(*steals);
  }
  const double burst_ns = burst.ns(), single_ns = single.ns();

  rows.clear();
  add(rows, make_ours(pitched, level), pitched, error);
  add(rows, make_openal(pitched, error), pitched, error);
  rows = measured(std::move(rows), "pitched, a line between samples; ours with gain ramps", rounds);
  const double pitched_ns = rows[0].least_ns, pitched_openal_ns = rows[1].least_ns;

  const Crowd few = make_crowd(kFewVoices, false), many = make_crowd(kManyVoices, false);
  rows.clear();
  add(rows, make_ours(few, level), few, error);
  add(rows, make_ours(many, level), many, error);
  rows = measured(std::move(rows), "ours, 1:1, with gain ramps", rounds);
  const double few_ns = rows[0].least_ns, many_ns = rows[1].least_ns;

  std::printf("\na start in a full pool of %u\n  %-34s %7.0f ns in a burst of %u, %.0f ns alone in 256 frames, tail included\n  %-34s %7.0f ns, with a click; %.0f ns with volume and place, which ours has\n", kVoices,
              "ours, play + render + update", burst_ns, kSteals, single_ns, sdl.c_str(), sdl_steal_ns, sdl_placed_ns);

  const char* const by = audio::mix_level_name(level);
  const std::vector<Goal> goals = {
      {"voices.V1", text("%u voices 1:1: %s %.3f ns a voice and frame, ours with ramps by %s %.3f", kVoices, sdl.c_str(), sdl_ns, by, plain_ns), 20.0, sdl_ns / plain_ns, "x"},
      {"voices.V2", text("%u voices 1:1: %s %.3f ns a voice and frame, ours with ramps by %s %.3f", kVoices, openal.c_str(), plain_openal_ns, by, plain_ns), 6.0,
       plain_openal_ns / plain_ns, "x"},
      {"voices.V3", text("%u voices pitched: %s %.3f ns a voice and frame, ours with ramps by %s %.3f", kVoices, openal.c_str(), pitched_openal_ns, by, pitched_ns), 2.5,
       pitched_openal_ns / pitched_ns, "x"},
      {"voices.V4", text("a steal with its tail, pool of %u, %u of them in 256 frames; alone %.0f ns", kVoices, kSteals, single_ns), 100.0, burst_ns, "ns",
       Goal::Better::Lower},
      {"voices.V5", text("a start in a full pool of %u: %s %.0f ns, ours %.0f", kVoices, sdl.c_str(), sdl_steal_ns, burst_ns), 8.0, sdl_steal_ns / burst_ns, "x"},
      {"voices.V6", text("a voice and frame: %.3f ns of %u voices, %.3f of %u", many_ns, kManyVoices, few_ns, kFewVoices), 1.3, many_ns / few_ns, "x",
       Goal::Better::Lower}};
  std::printf("\n");
  for (const Goal& goal : goals) {
    std::printf("  %-9s goal %s %5.1f %-2s  measured %7.2f %-2s  %s  %s\n", goal.id.c_str(), goal.better == Goal::Better::Higher ? "≥" : "≤", goal.goal,
                goal.unit.c_str(), goal.value, goal.unit.c_str(), goal.ok() ? "reached" : "MISSED ", goal.what.c_str());
  }
  if (!goals_path.empty() && !append_goals(goals_path, goals)) stop(2, "cannot write " + goals_path);
  return 0;
}

}  // namespace
}  // namespace spellpool::bench

int main(int argc, char** argv) { return spellpool::bench::run(argc, argv); }
