// One simulation step of a fountain in steady state: update, deaths, births. The game's own ParticleSystem,
// with each pool strategy, against LÖVE's ParticleSystem. Unit: ns per live particle. The rounds of all
// sides alternate; the minimum counts.
//
//   bench_particles [--rounds N] [--goals FILE] [-- LOVE COMMAND…]     without the command: our sides alone
//
// Both get the same numbers: count, rate, life, speed, gravity, drag, spin, curve keys. Only features of
// both are used: no curl and no attractors (ours), no radial acceleration (LÖVE's). One thing is unequal.
// LÖVE computes size and colour of every particle in its update. Ours looks them up when it packs the
// particles for drawing, in the same update, if a snapshot is requested; LÖVE packs them in its draw. So
// there are two rows. "step" holds the goal and leaves our curves out. "step and snapshot" has everything
// and does more than LÖVE's update.
// Exit codes: 0 done, 1 our strategies disagree, 2 bad usage or no peer, 3 the sides did not have equal work.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "core/det_math.hpp"
#include "goals.hpp"
#include "peer_process.hpp"
#include "sim/particles/particle_system.hpp"

namespace spellpool::bench {
namespace {

constexpr double kGoal = 8.0;
constexpr float kMeanLife_s = 1.0f;

struct Size {
  u32 live;
  u32 steps;  ///< In a round.
};
constexpr Size kSizes[] = {{5'000, 120}, {50'000, 16}};
constexpr u32 kWarmUpSteps = 240;

/// Room for the swing of a random life, so that neither side ever refuses a birth.
u32 capacity_for(u32 live) { return live + live / 4; }

frame::EmitterDef fountain(u32 live) {
  frame::EmitterDef def;
  def.name = "fountain";
  def.shape = frame::EmitShape::Disc;
  def.radius = 8.0f;
  def.rate_per_s = static_cast<float>(live) / kMeanLife_s;
  def.life_s = {kMeanLife_s * 0.8f, kMeanLife_s * 1.2f};
  def.speed = {60.0f, 180.0f};
  def.gravity_x = 20.0f;
  def.gravity_y = 120.0f;
  def.drag_per_s = 1.5f;
  def.size = {8.0f, 8.0f};
  // LÖVE spaces its keys evenly.
  def.size_curve = {{0.0f, 0.4f}, {1.0f / 3, 1.0f}, {2.0f / 3, 0.7f}, {1.0f, 0.0f}};
  def.colour_curve = {{0.0f, 1.0f, 0.9f, 0.6f, 0.0f},
                      {1.0f / 3, 1.0f, 0.6f, 0.2f, 1.0f},
                      {2.0f / 3, 0.8f, 0.2f, 0.1f, 0.7f},
                      {1.0f, 0.2f, 0.1f, 0.1f, 0.0f}};
  return def;
}

/// The same emitter as LÖVE's side reads it.
std::string lua_table(const frame::EmitterDef& def, u32 live) {
  std::string sizes, colours;
  for (const frame::CurveKey& k : def.size_curve) sizes += text("%g,", static_cast<double>(k.value));
  for (const frame::ColourKey& k : def.colour_curve) {
    colours += text("{%g,%g,%g,%g},", static_cast<double>(k.r), static_cast<double>(k.g), static_cast<double>(k.b),
                    static_cast<double>(k.a));
  }
  auto pair = [](const char* name, float a, float b) {
    return text("%s={%g,%g},", name, static_cast<double>(a), static_cast<double>(b));
  };
  std::string table = text("{capacity=%u,rate=%g,radius=%g,drag=%g,", capacity_for(live), static_cast<double>(def.rate_per_s),
                           static_cast<double>(def.radius), static_cast<double>(def.drag_per_s));
  table += pair("life", def.life_s.low, def.life_s.high);
  table += pair("speed", def.speed.low, def.speed.high);
  table += pair("gravity", def.gravity_x, def.gravity_y);
  return table.append("sizes={").append(sizes).append("},colours={").append(colours).append("}}");
}

struct Round {
  double ns = 0;  ///< Of all its steps.
  u32 live = 0;   ///< At its end.
};

/// Our particle system with one emitter, stepped as World::step does it.
class Fountain {
 public:
  Fountain(pool::StrategyId strategy, u32 live, bool drawable)
      : system_(1, strategy, pool::PolicyId::Reject, capacity_for(live)), drawable_(drawable) {
    system_.set_style(0, sim::bake_style(fountain(live)));
  }

  Round run(u32 steps) {
    const auto from = std::chrono::steady_clock::now();
    for (u32 i = 0; i < steps; ++i) step();
    const auto to = std::chrono::steady_clock::now();
    seen_ = mix64(seen_ ^ system_.hash());
    return {std::chrono::duration<double, std::nano>(to - from).count(), system_.stats().live};
  }
  u32 live() const { return system_.stats().live; }
  /// Of the state after every round.
  u64 checksum() const { return seen_; }
  /// Of the last step's picture; independent of the order of particles.
  u64 picture_checksum() const {
    u64 sum = 0;
    for (const frame::ParticleInstance& instance : snapshot_.additive_layer) {
      u64 halves[2];
      std::memcpy(halves, &instance, sizeof halves);
      sum += mix64(halves[0] ^ mix64(halves[1]));
    }
    return sum;
  }

 private:
  void step() {
    const FloatControlScope float_control;
    carry_ += system_.style(0).def.rate_per_s * kStep_s;
    sim::EmitRequest request;
    request.count = static_cast<u32>(carry_);
    request.spread_in_time = true;
    carry_ -= static_cast<float>(request.count);
    system_.update(step_++, {}, drawable_ ? std::optional(frame::Amount::Full) : std::nullopt);
    system_.despawn();
    system_.spawn({&request, 1});
    if (drawable_) system_.build_snapshot(snapshot_);
  }

  sim::ParticleSystem system_;
  frame::RenderSnapshot snapshot_;
  float carry_ = 0;
  u64 step_ = 0;
  u64 seen_ = 0;
  bool drawable_;
};

/// The rounds of one side, in ns per live particle and step.
struct Side {
  std::string name;
  std::vector<double> rounds{};
  u32 live = 0;
  u64 checksum = 0;

  void add(const Round& round, u32 steps) {
    rounds.push_back(round.ns / steps / std::max(round.live, 1u));
    live = round.live;
  }
  double least() const { return *std::min_element(rounds.begin(), rounds.end()); }
  double median() const {
    std::vector<double> sorted = rounds;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
};

struct Options {
  u32 rounds = 60;
  std::string goals_path;
  std::vector<std::string> peer;
};

/// Ends the program with a line that says what to do about it.
[[noreturn]] void stop(int code, const std::string& line) {
  std::fflush(stdout);
  std::fprintf(stderr, "bench_particles: %s\n", line.c_str());
  std::exit(code);
}

Options read_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--") {
      options.peer.assign(argv + i + 1, argv + argc);
      break;
    }
    if ((word != "--rounds" && word != "--goals") || i + 1 == argc) {
      stop(2, "cannot use '" + word + "': bench_particles [--rounds N] [--goals FILE] [-- LOVE COMMAND…]");
    }
    const char* value = argv[++i];
    if (word == "--goals") options.goals_path = value;
    if (word == "--rounds") {
      const int rounds = std::atoi(value);
      if (rounds < 1 || rounds > 100'000) stop(2, "--rounds wants 1 … 100000, not '" + std::string(value) + "'");
      options.rounds = static_cast<u32>(rounds);
    }
  }
  return options;
}

/// LÖVE at the other end of two pipes.
class Love {
 public:
  explicit Love(const std::vector<std::string>& command) : process_(command) {
    const std::optional<std::string> hello = process_.read_line();
    if (!hello || hello->rfind("ready ", 0) != 0) stop(2, "LÖVE did not start (its own words are above); it comes with: apt-get install love");
    version_ = hello->substr(6);
  }
  const std::string& version() const { return version_; }
  void make(const std::string& table) {
    if (process_.ask("emitter " + table) != "made") stop(2, "LÖVE did not make the emitter (its own words are above)");
  }
  Round run(u32 steps) {
    const std::optional<std::string> answer = process_.ask(text("run %u", steps));
    Round round;
    if (!answer || std::sscanf(answer->c_str(), "%lf %u", &round.ns, &round.live) != 2) stop(2, "LÖVE ended in a round");
    return round;
  }

 private:
  PeerProcess process_;
  std::string version_;
};

void print_table(const Size& size, const std::vector<Side>& sides, const Side* peer) {
  std::printf("\n%u particles: %zu rounds of %u steps\n", size.live, sides.front().rounds.size(), size.steps);
  std::printf("  %-34s %10s %10s %9s %8s  %s\n", "ns per live particle", "least", "median", "× faster", "live", "checksum");
  for (const Side& side : sides) {
    const std::string faster = peer ? text("%.2f", peer->least() / side.least()) : "–";
    const std::string checksum = side.checksum ? text("%016llx", static_cast<unsigned long long>(side.checksum)) : "–";
    std::printf("  %-34s %10.3f %10.3f %9s %8u  %s\n", side.name.c_str(), side.least(), side.median(), faster.c_str(),
                side.live, checksum.c_str());
  }
}

std::vector<Goal> measure(const Size& size, u32 rounds, Love* love) {
  struct Ours {
    Side side;
    std::unique_ptr<Fountain> fountain;
    bool drawable;
  };
  std::vector<Ours> ours;
  for (const pool::StrategyId strategy : {pool::StrategyId::FreeList, pool::StrategyId::Heap}) {
    for (const bool drawable : {false, true}) {
      const std::string name = std::string(pool::row(strategy).name) + (drawable ? ", step and snapshot" : ", step");
      ours.push_back({Side{name}, std::make_unique<Fountain>(strategy, size.live, drawable), drawable});
    }
  }
  Side theirs{love ? "LÖVE " + love->version() + " ParticleSystem" : ""};

  for (Ours& o : ours) o.fountain->run(kWarmUpSteps);
  if (love) {
    love->make(lua_table(fountain(size.live), size.live));
    love->run(kWarmUpSteps);
  }
  for (u32 round = 0; round < rounds; ++round) {
    for (Ours& o : ours) o.side.add(o.fountain->run(size.steps), size.steps);
    if (love) theirs.add(love->run(size.steps), size.steps);
  }

  std::vector<Side> sides;
  for (Ours& o : ours) {
    o.side.checksum = o.drawable ? o.fountain->picture_checksum() : o.fountain->checksum();
    sides.push_back(o.side);
  }
  if (love) sides.push_back(theirs);
  print_table(size, sides, love ? &theirs : nullptr);

  for (const Ours& o : ours) {
    const Ours& first = o.drawable ? ours[1] : ours[0];
    if (o.side.checksum != first.side.checksum) stop(1, first.side.name + " and " + o.side.name + " differ in what they computed");
  }
  for (const Side& side : sides) {
    if (std::fabs(side.live - static_cast<double>(size.live)) > 0.03 * size.live) {
      stop(3, side.name + text(": %u live particles instead of about %u, so the work was not equal", side.live, size.live));
    }
  }

  if (!love) return {};
  const Side& step = sides[0];
  const Side& everything = sides[1];
  return {{text("particles.step.%u", size.live),
           text("%u live particles, update with emission: LÖVE %s %.2f ns each, ours (%s) %.2f; with snapshot %.2f", size.live,
                love->version().c_str(), theirs.least(), std::string(pool::row(pool::StrategyId::FreeList).name).c_str(),
                step.least(), everything.least()),
           kGoal, theirs.least() / step.least(), "x"}};
}

int run(const Options& options) {
  std::unique_ptr<Love> love;
  if (!options.peer.empty()) love = std::make_unique<Love>(options.peer);
  std::vector<Goal> goals;
  for (const Size& size : kSizes) {
    const std::vector<Goal> some = measure(size, options.rounds, love.get());
    goals.insert(goals.end(), some.begin(), some.end());
  }
  if (!goals.empty()) std::printf("\n");
  for (const Goal& g : goals) {
    std::printf("  %-30s goal ≥ %.1f×   measured %6.2f×   %s\n", g.id.c_str(), g.goal, g.value, g.ok() ? "reached" : "MISSED");
  }
  if (!options.goals_path.empty() && !append_goals(options.goals_path, goals)) {
    stop(2, "cannot write " + options.goals_path);
  }
  return 0;
}

}  // namespace
}  // namespace spellpool::bench

int main(int argc, char** argv) { return spellpool::bench::run(spellpool::bench::read_options(argc, argv)); }
