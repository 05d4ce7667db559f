#pragma once
#include "pool/memory/frame_array.hpp"
#include "pool/memory/switchable_memory.hpp"

namespace spellpool::sim {

/// The memory of what lives no longer than a step (what died, what happened to it, what can be hit) and of what
/// lives no longer than a picture (instances, sort keys): two arenas, or new and delete, by the player's choice.
struct FrameMemory {
  /// `more_bytes`: of a step, for whatever else a scene keeps for so long.
  explicit FrameMemory(u32 particles, std::size_t more_bytes = 0)
      : step(step_bytes(particles) + more_bytes), picture(picture_bytes(particles)), more_bytes_(more_bytes) {}

  void choose(pool::MemorySource source) {
    step.choose(source);
    picture.choose(source);
  }
  /// From the next step and picture on they have room for so many.
  void reserve(u32 particles) {
    step.reserve(step_bytes(particles) + more_bytes_);
    picture.reserve(picture_bytes(particles));
  }

  pool::SwitchableMemory step, picture;

 private:
  // A particle of the step: its slot if it dies, an event, its copy. Of the picture: its instance in either layer,
  // and sorted; two sort entries.
  static constexpr std::size_t kStepParticle = 4 + 16 + 16, kPictureParticle = 16 + 24 + 16 + 2 * 8, kRest = 8192;
  static std::size_t step_bytes(u32 particles) { return std::size_t{particles} * kStepParticle + kRest; }
  static std::size_t picture_bytes(u32 particles) { return std::size_t{particles} * kPictureParticle + kRest; }

  std::size_t more_bytes_;
};

}  // namespace spellpool::sim
