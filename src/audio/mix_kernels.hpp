#pragma once
// The inner loops of the mixer: many voices into one stretch of stereo.
//
// A voice has no state of its own here. Where it stands in its sound and how loud it is are functions of the frame, so
// a voice that was not mixed for a while (virtual) goes on as if it had been, and a stretch can be cut anywhere.
//   place      position = start + frame · step, 32.32 fixed point; between samples a line
//   dullness   near: the bright samples; far: the dull ones (the same sound low-passed at load); in between both
//   gain       gain + slope · frame, left and right
//              near + (dull − near) · dullness; from 1 on the dull ones alone
// Same       All loops give the same bits: each frame's sum is made in the order of the voices, with the same
//            operations, none fused. Old processors get the portable ones, four frames at a time where the compiler can
//            (SSE2), so there is no set for those.
// Cost       docs/VOICES.md (./bench/run voices).
// Threads    pure functions.
#include <cstddef>

#include "core/types.hpp"

namespace spellpool::audio {

/// Samples behind a sound's end that may be read and are zero: a run may go on past the end.
inline constexpr std::size_t kPadFrames = 4 * 256 + 64;
inline constexpr u64 kUnityStep = u64{1} << 32;
inline constexpr u64 kMaxStep = 4 * kUnityStep;
/// Positions and steps are multiples of this: 24 bits of a fraction, as many as a float holds, so places can be
/// worked out in lanes of 32 bits.
inline constexpr u64 kStepGrain = 256;
/// The step that is meant by a wanted one.
constexpr u64 good_step(u64 step) { return step > kMaxStep ? kMaxStep : step & ~(kStepGrain - 1); }
/// A run is at most so long.
inline constexpr u32 kMaxRunFrames = 256;

/// One voice's part in a run.
struct VoiceRun {
  const float* bright_left;   ///< Samples of the sound, from its first on; kPadFrames zeros follow the last.
  const float* bright_right;  ///< The same pointer for a mono sound.
  const float* dull_left;     ///< As long; only read if dullness > 0.
  const float* dull_right;
  u64 position;               ///< At the run's first frame, 32.32; a multiple of kStepGrain.
  u64 step;                   ///< ≤ kMaxStep; a multiple of kStepGrain.
  float dullness;             ///< 0 … 1.
  float left, left_slope;     ///< Gain at frame i: left + left_slope · float(first + i).
  float right, right_slope;
};

/// A voice's part in a run if it is plain: mono, not dull, at its original pitch.
struct PlainRun {
  const float* samples;  ///< At the run's first frame.
  float left, left_slope, right, right_slope;
};
/// So many of them at a time. More streams than this, and what was asked for early is gone before it is read.
inline constexpr u32 kMostPlain = 32;

/// Adds `count` voices to left and right, frames samples each. first: what the frame counter of the gains is at the
/// run's first frame (0 … 255). frames ≤ kMaxRunFrames.
using MixVoices = void (*)(const VoiceRun* runs, u32 count, u32 first, u32 frames, float* left, float* right);
/// Adds `count` plain voices, with the same bits as MixVoices. count ≤ kMostPlain.
using MixPlain = void (*)(const PlainRun* runs, u32 count, u32 first, u32 frames, float* left, float* right);

struct MixLoops {
  MixVoices voices;
  MixPlain plain;
};

enum class MixLevel : u8 { Portable, Avx2, Avx512 };
/// "portable", "AVX2" or "AVX-512".
const char* mix_level_name(MixLevel level);
/// The best that this processor has; it has those below, too.
MixLevel best_mix_level();
/// Of a level that this processor lacks: the best that it has.
const MixLoops& mix_loops(MixLevel level);

}  // namespace spellpool::audio
