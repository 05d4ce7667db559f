#pragma once
// Samples at one rate to samples at another, for recordings: once when they are loaded, never while they play.
//
// Band-limited interpolation: each new sample is a sum of old ones, weighted by a sinc under a Kaiser window. The
// kernel is kept as a table of 512 phases and read along a line between two, so any pair of rates works, 44,101 →
// 48,000 too.
// Quality  flat to 0.1 dB below 0.42 of the lower rate; what would fold back from above it, and images, below −80 dB
//          (resample_test.cpp).
// Level    a constant stays itself: the weights of each sample sum to 1.
// Cost     about 100 ns a sample and channel at equal rates, more when the rate falls; allocates the result.
// Same     bits with every compiler.
// Source   J. O. Smith, "Digital Audio Resampling", 1984 … 2020.
#include <span>
#include <vector>

#include "core/types.hpp"

namespace spellpool::audio {

/// Rates 1,000 … 384,000. ceil(size · to / from) samples; at equal rates a copy.
std::vector<float> resample(std::span<const float> samples, u32 from_hz, u32 to_hz);

}  // namespace spellpool::audio
