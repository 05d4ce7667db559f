#pragma once
// Made-up comparisons and frame records for the tests of this room.
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "core/rng.hpp"
#include "measure/experiment/comparison.hpp"

namespace spellpool::measure {

/// A folder of its own under the system's temporary one; gone at the end.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "spellpool-measure-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline std::string text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

inline frame::FrameRecord frame_of(double us, u64 step = 1) {
  frame::FrameRecord record;
  record.frame_us = static_cast<float>(us);
  record.step = step;
  return record;
}

struct Shape {
  double median_us = 50;
  double b_over_a = 0.95;
  double spike_us = 0;  ///< One frame of this length in one block of arm A.
  bool drawn = false;   ///< Render, ui and swap take time too.
};

/// A whole comparison with plausible frames, summarised.
inline Comparison synthetic_comparison(u32 quads, u64 steps, const Shape& shape) {
  Comparison c;
  c.plan.quads = quads;
  c.plan.steps = steps;
  c.plan.sim_only = !shape.drawn;
  c.plan.capacity = 20'000;
  c.state = ComparisonState::Done;
  c.final_hash = 0x0123456789abcdefull;
  c.hashed_steps = steps + 240;
  Environment& e = c.environment;
  e.version = "0.1.0";
  e.build_type = "release";
  e.flags = "-O3";
  e.command_line = "spellpool compare --scene spells --a heap --b free_list --out results";
  e.compiler = "g++ 12.2.0";
  e.optimised = true;
  e.libc = "glibc 2.36";
  e.allocator = "glibc malloc";
  e.os = "Debian GNU/Linux 12 (bookworm)";
  e.cpu = "AMD EPYC 7B13";
  e.cpus = 2;
  e.date = "2026-11-21T03:42:21Z";
  e.renderer = shape.drawn ? "llvmpipe (LLVM 15.0.6, 256 bits)" : "none (simulation only)";
  Rng rng{11};
  for (const ScheduledBlock& scheduled : schedule_blocks(quads)) {
    BlockResult block;
    block.place = scheduled.place;
    block.arm = scheduled.arm;
    block.report.final_hash = c.final_hash;
    const double drift = 1.0 + 0.03 * static_cast<double>(rng.signed_unit());
    const double factor = (scheduled.arm == 'A' ? 1.0 : shape.b_over_a) * drift * shape.median_us;
    for (u64 i = 0; i < steps; ++i) {
      const double wave =
          1.0 + 0.35 * std::sin(static_cast<double>(i) * 0.013) * std::sin(static_cast<double>(i) * 0.0031);
      double us = factor * wave * (1.0 + 0.04 * static_cast<double>(rng.unit()));
      if (rng.unit() < 0.004f) us *= 1.0 + 0.6 * static_cast<double>(rng.unit());
      if (shape.spike_us > 0 && scheduled.arm == 'A' && scheduled.place.block == 0 && i == steps / 3)
        us = shape.spike_us;
      frame::FrameRecord record = frame_of(us, 240 + i + 1);
      record.frame = 240 + i;
      record.t_ns = static_cast<u64>(static_cast<double>(i) * us * 1000.0);
      const std::array<double, 7> shares = shape.drawn ? std::array<double, 7>{0.02, 0.11, 0.01, 0.02, 0.62, 0.0, 0.2}
                                                       : std::array<double, 7>{0.18, 0.58, 0.06, 0.15, 0, 0, 0};
      for (std::size_t p = 0; p < 7; ++p) record.phase_us[p] = static_cast<float>(us * shares[p]);
      record.new_calls = scheduled.arm == 'A' ? 300 + rng.below(120) : 0;
      record.strategy = scheduled.arm == 'A' ? 0 : 1;
      record.live = 9000;
      block.frames.push_back(record);
    }
    block.figures = detailed_figures_of(block.frames);
    c.blocks.push_back(std::move(block));
  }
  summarise(c);
  return c;
}

}  // namespace spellpool::measure
