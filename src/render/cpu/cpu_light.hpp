#pragma once
// The light on the ground for the CPU renderer: the baked sky, every spell's light with its direction, and
// the night beyond the ring. It computes what shaders/surround.frag, light.frag and night.frag draw (the
// last without its bloom). The result goes into the small planes, and as half floats to the figures that
// OpenGL lights by it.
//
// A texel is divisor × divisor pixels, counted from the upper left corner of the frame. The threads of a
// pool share the rows. Each texel sums its lights in their order, so the result does not depend on the
// number of threads.
//
// Cost   proportional to the texels inside the lights' circles, plus a little for each texel of the frame.
// Memory 16 bytes a texel and 12 bytes a texel of the baked sky. Buffers grow when a frame needs more; a
//        steady frame allocates nothing.
#include <span>
#include <vector>

#include "frame/render_snapshot.hpp"
#include "render/cpu/cpu_kernels.hpp"
#include "render/cpu/thread_pool.hpp"
#include "render/ground.hpp"
#include "render/view.hpp"

namespace spellpool::render {

/// What lights a picture. Every number of a light is finite.
struct LightScene {
  View view;
  float alpha = 1;
  std::span<const frame::LightInstance> lights;
  float time_s = 0;
  float finale = 0;  ///< 0 … 1: how bright the aurora is, its root.
  bool garden = false;  ///< No ring and no mist: the garden's sky lies over all.
};

class CpuLight {
 public:
  /// A light as texels need it. Its own units: radii from its middle.
  struct Lamp {
    float x, y, radius, per_radius;
    float r, g, b, bright;
    int first_row, end_row;
  };

  explicit CpuLight(std::size_t most_lights);

  /// The baked sky: RGBA floats, top row first.
  void set_sky(const GroundArea& area, int width, int height, std::span<const float> rgba);
  void set_garden_sky(const GroundArea& area, int width, int height, std::span<const float> rgba);

  /// Fills width × height texels of all planes (not their borders), which are `small`'s own.
  void fill(const LightScene& scene, const SmallPlanes& small, float* const (&planes)[SmallPlanes::kChannels],
            ThreadPool& thread_pool);

  /// What fill() made, RGBA half floats, lowest row first, without gaps: light and its direction's x …
  const u16* light_halves() const { return reinterpret_cast<const u16*>(light_halves_.data()); }
  /// … and of the direction its y, as alpha; else 0.
  const u16* direction_halves() const { return reinterpret_cast<const u16*>(direction_halves_.data()); }

 private:
  /// By the distance from the arena: how far the aurora's rays lean there (their cosine and sine), how bright it is.
  struct AuroraReach {
    float cosine, sine, height, unused;
  };
  /// By the direction: the curtain's brightness and its rays.
  struct AuroraTurn {
    float curtain, rays;
  };

  void place_texels(const LightScene& scene, const SmallPlanes& small);
  void gather_lamps(const LightScene& scene);
  void make_aurora(const LightScene& scene, ThreadPool& thread_pool);
  void fill_rows(int piece);
  void add_lamp(const Lamp& lamp, int row);
  void blend_sky(float y, float* scratch) const;
  void finish_row(int row, const float* sky);
  void add_aurora(int row, int from, int to);
  void look_up_aurora(const float* across, float y, int count, float* rays, float* bright, float* far) const;
  float* at(int channel, int row) const { return plane_[channel] + static_cast<std::ptrdiff_t>(row) * stride_; }

  struct Sky {
    GroundArea area;
    std::vector<float> texels;  // Three planes; the last texel of each row is stored twice.
    int width = 0, height = 0;
  };
  static void fill_sky(Sky& sky, const GroundArea& area, int width, int height, std::span<const float> rgba);
  Sky arena_sky_, garden_sky_;

  // Of the picture being filled.
  const Sky* sky_ = nullptr;
  int width_ = 0, height_ = 0, stride_ = 0;
  float* plane_[SmallPlanes::kChannels] = {};
  float top_ = 0, step_ = 0;               // World: the first row's middle, a texel's side.
  std::vector<float> across_;              // By column: its middle in the world.
  std::vector<int> column_;                // By column: the sky's texel …
  std::vector<float> part_;                // … and how much of the next.
  bool columns_run_ = false;               // One column's texel of the sky lies next to the next one's.
  std::vector<Lamp> lamps_;
  bool finale_ = false;
  std::vector<AuroraReach> reach_;
  std::vector<AuroraTurn> turn_;
  std::vector<float> scratch_;             // A piece's row of the sky, three channels.
  std::vector<u32> light_halves_, direction_halves_;
};

}  // namespace spellpool::render
