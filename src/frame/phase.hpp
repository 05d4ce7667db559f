#pragma once
#include <array>
#include <string_view>

#include "core/types.hpp"

namespace spellpool::frame {

/// The parts of a frame that are timed apart. Milliseconds per phase add up; frames per second do not.
enum class Phase : u8 { Spawn, Update, Collide, Despawn, Render, Ui, Swap };
inline constexpr std::size_t kPhaseCount = 7;
inline constexpr std::array<std::string_view, kPhaseCount> kPhaseNames = {"spawn",  "update", "collide", "despawn",
                                                                          "render", "ui",     "swap"};

/// Receives a call when a phase begins; the previous phase ends there. The simulation reads no clock, so the
/// receiver takes the time. A handful of calls per step.
class PhaseSink {
 public:
  virtual ~PhaseSink() = default;
  virtual void enter(Phase phase) = 0;
  /// The running phase ends, and none begins.
  virtual void leave() {}
  /// Whether slot() shall be called. True only in a frame whose timeline is recorded.
  virtual bool wants_slots() const { return false; }
  /// The particles' pool acquired or released a slot. A slot that is stolen is acquired again, and never released in
  /// between.
  virtual void slot(bool /*acquired*/, u32 /*slot*/) {}
};

}  // namespace spellpool::frame
