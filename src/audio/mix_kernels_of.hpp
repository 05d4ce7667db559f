#pragma once
// What the loops of mix_kernels.hpp have in common: which loop a run needs, plain runs many at a time, the odd frames
// at the end. Loops is a struct of one instruction set in the unnamed namespace of the file that is compiled for it,
// so that nothing made here is shared between such files; and nothing here may call what is (no std, no inline
// functions of other headers).
#include "audio/mix_kernels.hpp"

namespace spellpool::audio {

/// How far a run goes in its sound with each frame.
enum class Pace : u8 {
  Whole,  ///< One sample a frame and none between: no interpolation.
  Slow,   ///< step ≤ 2.
  Fast,   ///< step ≤ 4.
};

/// A run that says no more than its loop needs.
struct MixSource {
  const float* left;
  const float* right;
  const float* dull_left;
  const float* dull_right;
  u64 position, step;
  float dullness;
  const float* soon;  ///< What will be read after this run: many voices are more than the nearest cache holds.
};

/// Where its sum goes. counter: the frame counter of the gains at the first of them.
struct MixTarget {
  u32 counter, frames;
  float* left;
  float* right;
};

/// The loop of one run, of any kind, by registers of several lanes. Lanes: kCount; F32, a vector that g++ and clang
/// reckon with by + and ×; all(x); load, store; counters(c), which is c, c + 1, …; and Walk<Pace>, so many frames of
/// a sound at a time.
template <class Lanes>
struct LaneLoops {
  static constexpr u32 kLanes = Lanes::kCount;
  using F32 = typename Lanes::F32;

  template <Pace kPace, bool kDull, bool kStereo, bool kRamps>
  static void one(const VoiceRun& run, const MixSource& source, const MixTarget& target) {
    typename Lanes::template Walk<kPace> walk(source.position, source.step);
    const F32 gain_left = Lanes::all(run.left), gain_right = Lanes::all(run.right);
    const F32 slope_left = Lanes::all(run.left_slope), slope_right = Lanes::all(run.right_slope);
    const F32 dullness = Lanes::all(source.dullness), step = Lanes::all(float{kLanes});
    F32 counter = Lanes::counters(target.counter);
    const auto sample = [&](const float* bright, const float* dull) __attribute__((always_inline)) {
      const F32 near = walk.read(bright);
      if constexpr (!kDull) return near;
      return near + (walk.read(dull) - near) * dullness;
    };
    float* const out_left = target.left;
    float* const out_right = target.right;
    const std::size_t frames = target.frames;
    for (std::size_t i = 0; i < frames; i += kLanes) {
      walk.place();
      walk.fetch(source.soon, source.position);
      const F32 left = sample(source.left, source.dull_left);
      const F32 right = kStereo ? sample(source.right, source.dull_right) : left;
      const F32 loud_left = left * (kRamps ? gain_left + slope_left * counter : gain_left);
      const F32 loud_right = right * (kRamps ? gain_right + slope_right * counter : gain_right);
      Lanes::store(out_left + i, Lanes::load(out_left + i) + loud_left);
      Lanes::store(out_right + i, Lanes::load(out_right + i) + loud_right);
      counter = counter + step;
      walk.go_on();
    }
  }
};

/// Loops::kLanes: frames that its loops take at a time; they get multiples of it.
template <class Loops>
struct MixKernelsOf {
  static void mix(const VoiceRun* runs, u32 count, u32 first, u32 frames, float* left, float* right) {
    by_lanes({first, frames, left, right},
             [&](u32 done, const MixTarget& target) { mix_all(runs, count, done, target); });
  }
  static void mix_plain(const PlainRun* runs, u32 count, u32 first, u32 frames, float* left, float* right) {
    by_lanes({first, frames, left, right},
             [&](u32 done, const MixTarget& target) { mix_together(runs, count, done, target); });
  }

 private:
  /// part(frames done before, target) for as many frames as there are whole lanes, then for the odd ones at the end.
  template <class Part>
  static void by_lanes(const MixTarget& all, const Part& part) {
    constexpr u32 kLanes = Loops::kLanes;
    const u32 whole = all.frames & ~(kLanes - 1), rest = all.frames - whole;
    if (whole > 0) part(0, {all.counter, whole, all.left, all.right});
    if (rest == 0) return;
    alignas(64) float last_left[kLanes] = {}, last_right[kLanes] = {};
    for (u32 i = 0; i < rest; ++i) {
      last_left[i] = all.left[whole + i];
      last_right[i] = all.right[whole + i];
    }
    part(whole, {all.counter + whole, kLanes, last_left, last_right});
    for (u32 i = 0; i < rest; ++i) {
      all.left[whole + i] = last_left[i];
      all.right[whole + i] = last_right[i];
    }
  }

  static u32 bits(float x) { return __builtin_bit_cast(u32, x); }

  static bool plain(const VoiceRun& run) {
    return ((run.step ^ kUnityStep) | static_cast<u32>(run.position)) == 0 && !(run.dullness > 0.0f) &&
           run.bright_left == run.bright_right;
  }
  /// Of slopes that are ± 0 all bits but the first are.
  static bool ramps(u32 slopes) { return slopes << 1 != 0; }

  static void mix_all(const VoiceRun* runs, u32 count, u32 done, const MixTarget& target) {
    PlainRun plains[kMostPlain];
    for (u32 i = 0; i < count;) {
      u32 together = 0;
      for (; together < kMostPlain && i < count && plain(runs[i]); ++i) {
        const VoiceRun& run = runs[i];
        plains[together++] = {first_sample(run, 0), run.left, run.left_slope, run.right, run.right_slope};
      }
      if (together > 0) {
        mix_together(plains, together, done, target);
      } else {
        one(runs[i], first_sample(runs[i + 1 < count ? i + 1 : i], done), done, target);
        ++i;
      }
    }
  }

  static void mix_together(const PlainRun* runs, u32 count, u32 done, const MixTarget& target) {
    u32 slopes = 0;
    for (u32 i = 0; i < count; ++i) slopes |= bits(runs[i].left_slope) | bits(runs[i].right_slope);
    PlainRun later[kMostPlain];
    if (done > 0) {
      for (u32 i = 0; i < count; ++i) {
        later[i] = runs[i];
        later[i].samples += done;
      }
      runs = later;
    }
    ramps(slopes) ? Loops::template plain<true>(runs, count, target)
                  : Loops::template plain<false>(runs, count, target);
  }

  /// Where a run's loop begins to read; of the bright ones, which most voices hear.
  static const float* first_sample(const VoiceRun& run, u32 done) {
    return run.bright_left + ((run.position + done * run.step) >> 32);
  }

  static void one(const VoiceRun& run, const float* soon, u32 done, const MixTarget& target) {
    MixSource source{run.bright_left, run.bright_right, run.dull_left, run.dull_right, run.position + done * run.step,
                     run.step,        run.dullness,     soon};
    if (source.dullness >= 1.0f) {
      source.left = source.dull_left;
      source.right = source.dull_right;
      source.dullness = 0.0f;
    }
    const bool whole = source.step == kUnityStep && static_cast<u32>(source.position) == 0;
    if (whole) {
      paced<Pace::Whole>(run, source, target);
    } else if (source.step <= 2 * kUnityStep) {
      paced<Pace::Slow>(run, source, target);
    } else {
      paced<Pace::Fast>(run, source, target);
    }
  }

  template <Pace kPace>
  static void paced(const VoiceRun& run, const MixSource& source, const MixTarget& target) {
    const bool dull = source.dullness > 0.0f, stereo = source.left != source.right;
    if (dull) {
      stereo ? ramped<kPace, true, true>(run, source, target) : ramped<kPace, true, false>(run, source, target);
    } else {
      stereo ? ramped<kPace, false, true>(run, source, target) : ramped<kPace, false, false>(run, source, target);
    }
  }

  template <Pace kPace, bool kDull, bool kStereo>
  static void ramped(const VoiceRun& run, const MixSource& source, const MixTarget& target) {
    if (ramps(bits(run.left_slope) | bits(run.right_slope))) {
      Loops::template one<kPace, kDull, kStereo, true>(run, source, target);
    } else {
      Loops::template one<kPace, kDull, kStereo, false>(run, source, target);
    }
  }
};

}  // namespace spellpool::audio
