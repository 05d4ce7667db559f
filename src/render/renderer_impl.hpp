#pragma once
// What render/renderer.hpp hides: the GL objects of one renderer and the passes of one picture. Spread over
// renderer.cpp (making, options), renderer_targets.cpp (what depends on the size), renderer_passes.cpp,
// renderer_figures.cpp and renderer_warm_up.cpp.
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "render/colour_vision.hpp"
#include "render/figures.hpp"
#include "render/gl.hpp"
#include "render/ground.hpp"
#include "render/particle_layers.hpp"
#include "render/picture_cells.hpp"
#include "render/render_target.hpp"
#include "render/renderer.hpp"
#include "render/shader_library.hpp"
#include "render/view.hpp"

namespace spellpool::render {

inline constexpr std::size_t kMostLights = 512;
inline constexpr std::size_t kMostSprites = 4096;
inline constexpr int kRunes = 12;
inline constexpr int kMostBloomLevels = 7;
/// How many pictures of one size must follow each other before the ground is baked for it (Settle::Later).
inline constexpr int kSettlingDraws = 12;

// The Frame block of shaders/frame.glsl, std140.
struct FrameBlock {
  float camera[4];
  float view[4];
  float clock[4];
  float vortex[4];
  float ground[4];
  float vision[3][4];
};

/// The light textures and the bloom's levels, all much smaller than the picture.
struct SmallTargets {
  RenderTarget light, direction;
  Framebuffer light_pair;
  std::array<RenderTarget, kMostBloomLevels> bloom;
  int bloom_levels = 0;
  float gather_px = 1.0f;  ///< How far from a small pixel's middle the bloom looks, in pixels of the picture.
};

inline void bind(TextureUnit unit, const Texture& texture) {
  glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
  glBindTexture(GL_TEXTURE_2D, texture.get());
}
inline const void* buffer_offset(std::size_t bytes) { return reinterpret_cast<const void*>(bytes); }
inline void float_attribute(GLuint place, GLint numbers, std::size_t stride, std::size_t at) {
  glEnableVertexAttribArray(place);
  glVertexAttribPointer(place, numbers, GL_FLOAT, GL_FALSE, static_cast<GLsizei>(stride), buffer_offset(at));
}

struct Renderer::Impl {
  explicit Impl(const RendererOptions& options) : shaders(options.shader_dir), bloom_strength(options.bloom_strength) {}

  ShaderLibrary shaders;
  float bloom_strength = 1.0f;
  std::string name;
  bool software = false;
  bool half_floats = true;
  int largest_px = 4096;
  int width_px = 0, height_px = 0;
  int draws_until_bake = 0;  // 0: the ground is as it should be.
  int passes = 0;            // Targets drawn into by the last picture.
  frame::LookSettings looks;

  VertexArray empty_array, light_array, sprite_array;
  Buffer light_buffer, sprite_buffer, frame_buffer;
  ParticleLayers particles;
  Texture smoke_noise;
  GroundArea area;
  GroundTextures ground;
  RenderTarget scene;
  SmallTargets fine, coarse;  // Both are there at any time, so that a change of quality makes nothing.

  std::vector<frame::LightInstance> lights;
  PictureCells cells;
  FrameBlock block{};

  // renderer_targets.cpp
  void make_arrays();
  bool probe_half_floats();
  void set_size(int width, int height, Settle settle);
  void make_targets();
  SmallTargets make_small(int divisor, int levels, float gather_px) const;
  void bake();
  void bake_if_settled();
  const SmallTargets& small() const { return looks.quality >= frame::Quality::High ? fine : coarse; }
  bool blooms() const { return looks.quality != frame::Quality::Low; }

  // renderer_passes.cpp
  void draw(const frame::RenderSnapshot& snapshot, float alpha, GLuint target);
  View fill_block(const frame::RenderSnapshot& snapshot, float alpha);
  void upload_block();
  void plain_state();
  void begin(const RenderTarget& target);
  void gather_lights(const frame::RenderSnapshot& snapshot);
  void add_light(float x, float y, float radius, float r, float g, float b);
  void light_pass();
  void begin_scene();
  void scene_pass(const frame::RenderSnapshot& snapshot);
  void bloom_pass();
  void join_pass(bool with_bloom);
  void composite_pass(GLuint target);
  void draw_dust();

  // renderer_figures.cpp
  void mark_figures(const frame::RenderSnapshot& snapshot);
  void draw_runes();
  void draw_sprites(const frame::RenderSnapshot& snapshot);

  // renderer_warm_up.cpp
  void warm_up(GLuint target);
};

}  // namespace spellpool::render
