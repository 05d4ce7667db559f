#pragma once
// What render/renderer.hpp hides: the GL objects of one renderer and the passes of one picture. Spread over
// renderer.cpp (making, options), renderer_targets.cpp (what depends on the size), renderer_passes.cpp (OpenGL's path),
// renderer_cpu.cpp (the processor's), renderer_figures.cpp and renderer_warm_up.cpp.
#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "render/colour_vision.hpp"
#include "render/cpu/cpu_canvas.hpp"
#include "render/cpu/cpu_light.hpp"
#include "render/cpu/decal_painter.hpp"
#include "render/cpu/enlarge.hpp"
#include "render/dust.hpp"
#include "render/figure_images.hpp"
#include "render/figures.hpp"
#include "render/garden.hpp"
#include "render/gl/gl.hpp"
#include "render/gl/particle_layers.hpp"
#include "render/gl/read_queue.hpp"
#include "render/gl/render_target.hpp"
#include "render/gl/shader_library.hpp"
#include "render/gl/window_image.hpp"
#include "render/ground.hpp"
#include "render/pass_clock.hpp"
#include "render/renderer.hpp"
#include "render/rune_strip.hpp"
#include "render/view.hpp"

namespace spellpool::render {

inline constexpr std::size_t kMostLights = 512;
inline constexpr std::size_t kMostSprites = 4096;
/// Layout of sprite_buffer: kMostSprites SpriteInstance, then kMostSprites FigureLight.
inline constexpr std::size_t kFigureLightsAt = kMostSprites * sizeof(frame::SpriteInstance),
                             kSpriteBufferBytes = kFigureLightsAt + kMostSprites * sizeof(FigureLight);
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
  float garden[4];
  float small[4];
};

/// The light textures and the bloom's levels, all much smaller than the picture. A texel is a whole square of pixels,
/// or of the level before: where those do not divide a side, the last texels reach over the right and lower edge.
struct SmallTargets {
  RenderTarget light, direction;
  Framebuffer light_pair;
  std::array<RenderTarget, kMostBloomLevels> bloom;
  int bloom_levels = 0;
  int divisor = 4;         ///< Pixels of the picture in one of theirs, both ways.
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

/// Points attributes 4 and 5 at the light of figure `first` in the bound sprite_buffer.
inline void light_attributes(std::size_t first) {
  const std::size_t at = kFigureLightsAt + first * sizeof(FigureLight);
  float_attribute(4, 3, sizeof(FigureLight), at + offsetof(FigureLight, r));
  float_attribute(5, 2, sizeof(FigureLight), at + offsetof(FigureLight, towards_x));
}

struct Renderer::Impl {
  explicit Impl(const RendererOptions& options) : shaders(options.shader_dir), bloom_strength(options.bloom_strength) {}

  ShaderLibrary shaders;
  float bloom_strength = 1.0f;
  std::string name;
  bool software = false;
  bool finishes_light = false;  // Drawn light, before a vertex shader reads it: llvmpipe (Mesa 22.3) does not wait there.
  bool half_floats = true;
  bool clears_parts = false;  ///< Of a texture: glClearTexSubImage.
  int largest_px = 4096;
  int width_px = 0, height_px = 0;                // Of the picture …
  int window_width_px = 0, window_height_px = 0;  // … and of the window, which may have more pixels.
  int draws_until_bake = 0;  // 0: the ground is as it should be.
  int passes = 0;            // Targets drawn into by the last picture.
  frame::LookSettings looks;

  VertexArray empty_array, light_array, sprite_array, dust_array, decal_array;
  Buffer light_buffer, sprite_buffer, dust_buffer, decal_buffer, frame_buffer;
  ParticleLayers particles;
  Texture smoke_noise;
  Texture decal_sheet;       // Made when OpenGL first draws a mark.
  Texture rune_strip;        // Made when the arena is first drawn.
  GroundArea area;
  GroundTextures ground;
  GardenPlace garden_at;
  static constexpr int kGardenStrips = 8;  // of each image
  GardenTextures garden;     // Baked from the first picture on that has one.
  GardenRows garden_read{};     // Of each image, which rows the CPU renderer has.
  GardenPlace canvas_garden_at;  // Where it has them: garden_at, or fitted by garden_fit.
  GardenFit garden_fit;
  GardenBands garden_room;
  std::span<const GardenBand> garden_now;  // Of the present picture; empty: it shows the arena.
  RenderTarget scene;
  SmallTargets fine, coarse;  // Both are there at any time, so that a change of quality makes nothing.

  std::vector<frame::LightInstance> lights;
  std::vector<frame::DecalInstance> decals;  // Those of the picture that are seen.
  std::array<DustDot, kDustDots> dust;
  FrameBlock block{};
  bool drew_on_processor = false;
  bool held = false;         // A picture of the CPU path waits for present() …
  GLuint held_for = 0;       // … into this framebuffer.
  frame::PixelFrame output;  // Where it is to be shown from instead; without pixels: nowhere.
  bool panels_painted = false;  // Over the picture that is held.
  bool is_complete = true;   // The picture that is held.
  float vision_rows[9] = {};
  bool in_output = false;    // The last picture that present() showed is there.

  float trails = 0.0f;       // What stays of the picture before.
  bool has_trail = false;    // It was drawn with trails, by the same path and in the same size …
  RenderTarget trail;        // … and lies here,
  RawBuffer<u32> trail_pixels;  // or here: rows of the canvas' stride.

  // The CPU path's own, made at its first picture.
  const CpuKernels* kernels = cpu_kernels().front();
  int hands = 0;
  std::unique_ptr<CpuCanvas> canvas;
  CpuLight ground_light{kMostLights};
  std::size_t reserved_particles = 0, reserved_bullets = 0;
  WindowImage finished;
  Enlarger enlarger;
  RawBuffer<u32> enlarged;  // The picture with the window's pixels, if it has fewer itself.
  RawBuffer<u32> whole_stone;  // The arena's floor in the window's resolution, while the frame's is lower.
  RawBuffer<u32> unfitted;     // Rows of the garden in the window's resolution, read to be fitted to such a frame.
  TileMarks figure_marks;
  RuneMasks rune_masks;
  DecalPainter decal_painter;
  PassClock pass_clock;
  std::vector<ScreenDot> dots;
  bool figures_may_be_late = false, reads_may_be_late = false, late_programs = false;
  std::array<FigureImages, Renderer::kViews> figure_images;  // Of each view; used if figures may be late.
  std::size_t view_shown = 0;
  struct LateReads {
    std::size_t view = 0;  // That asked for them.
    std::vector<FigureImages::Read> reads;
  };
  ReadQueue read_queue;  // Used if reads may be late, too.
  std::array<LateReads, ReadQueue::kMost> late_reads;  // By the queue's places.
  std::vector<SeenFigure> seen_figures;
  std::vector<frame::SpriteInstance> direct_figures;
  std::vector<FigureLight> figure_lights;  // Of the figures that OpenGL draws next, on the CPU path.
  /// Tiles of lightning and lasers, which OpenGL draws into the picture itself, if reads may be late.
  struct LateTiles {
    ReadQueue queue;
    std::array<TileMarks, ReadQueue::kMost> requested;  // By the queue's places.
    TileMarks shown;                                    // The newest that have arrived …
    RawBuffer<u16> halves;                              // … and their pixels.
  };
  std::array<LateTiles, Renderer::kViews> late_tiles;
  std::vector<const u16*> tile_figures;  // Pixels of the figures in it, by tile; null: none.
  RawBuffer<u16> figure_halves;
  bool ground_is_read = false, garden_is_read = false, garden_sky_is_read = false;
  enum class StoneCopy : u8 { None, Canvas, Whole } stone_copy = StoneCopy::None;  // Where the baked floor is.

  // renderer_targets.cpp
  void make_arrays();
  bool probe_half_floats();
  /// The CPU renderer where OpenGL is another process, as in a browser: a program of the ground is waited for at its
  /// first use, and a figure whose program is not there yet is left out.
  bool programs_may_be_late() const { return late_programs && on_processor(); }
  /// False: they were made or asked for before.
  bool ready_programs(std::initializer_list<MadeFor> groups);
  /// Without waiting; where programs may be late, those of figures one by one.
  void ask_for_programs(MadeFor group);
  /// Before the first of several draws: asked for between them, a program would wait for the draw before it, too.
  void wait_for_programs(std::initializer_list<ProgramId> programs);
  void set_size(int width, int height, Settle settle);
  /// Targets of the picture's size, which the looks give.
  void fit_picture();
  bool is_enlarged() const { return width_px != window_width_px || height_px != window_height_px; }
  void make_targets();
  SmallTargets make_small(int divisor, int levels) const;
  /// Where the ground of the next pictures lies. Nothing is baked before a picture shows it.
  void place_ground();
  void place_ground_for_size();
  void place_ground_at(const GroundArea& wanted);
  void forget_figures();
  /// Bakes the arena's floor and sky if they are not there.
  void ready_ground();
  /// Bakes of the garden what the picture shows, at once; when that is there, a strip of the rest, those of `next`
  /// first.
  void ready_garden(std::span<const frame::GardenChunk> next);
  /// The processor knows no texels of 2 pixels, which a graphics card has at its finest.
  const SmallTargets& small() const {
    return looks.quality >= frame::Quality::High && (software || !on_processor()) ? fine : coarse;
  }
  bool blooms() const { return looks.quality != frame::Quality::Low; }

  // renderer_passes.cpp
  /// On the CPU path the picture is held until present().
  void draw(const frame::RenderSnapshot& snapshot, float alpha, GLuint target);
  /// Where the picture is seen from, and its ground, which is baked if it is not there.
  View begin_picture(const frame::RenderSnapshot& snapshot, float alpha);
  View snapped_view(const frame::RenderSnapshot& snapshot, float alpha) const;
  void fill_block(const frame::RenderSnapshot& snapshot, const View& view, float alpha);
  void upload_block();
  void plain_state();
  void release_state();
  void begin(const RenderTarget& target);
  void gather_lights(const frame::RenderSnapshot& snapshot);
  void add_light(float x, float y, float radius, float r, float g, float b);
  void light_pass();
  void begin_scene(const RenderTarget& target);
  void begin_scene(const RenderTarget& target, const TileMarks& marks);
  void ready_scene();
  void scene_pass(const frame::RenderSnapshot& snapshot);
  void bloom_pass();
  void join_pass(bool with_bloom);
  void composite_pass(GLuint target);
  void composite_garden(ProgramId program);
  void draw_dust();
  /// Pixels above, and as many below, the shooter's field in a tall window: the garden ends there, so they
  /// stay black.
  int beyond_field_px() const;
  void blacken_beyond_field();
  void draw_gpu(const frame::RenderSnapshot& snapshot, GLuint target);
  void lay_trails(GLuint target);

  // renderer_cpu.cpp
  bool on_processor() const;
  /// The programs of figures for the present path; another path compiles those that are there again.
  void choose_programs() {
    shaders.set_figure_light(on_processor() ? FigureLightFrom::Attributes : FigureLightFrom::Textures);
  }
  void draw_cpu(const frame::RenderSnapshot& snapshot, const View& view, float alpha);
  /// What draw_cpu() has left to the workers, and what comes after it. For all that read the picture or begin another.
  void complete();
  void lay_trails_on_canvas();
  void ready_canvas();
  void read_ground();
  static void read_texture(const Texture& texture, int first, int width, int height, GLenum type, void* to);
  void read_baked_ground(RawBuffer<u32>& stone);
  GardenPlace garden_of_picture() const;
  void read_garden();
  void upload_light();
  void read_figures();
  void read_tiles(const TileMarks& marks, u16* to);
  void place_tiles(const TileMarks& marks, const u16* halves);
  void fetch_tiles();
  void request_tiles();
  void place_dots(const View& view);
  bool paint_panels(const frame::PanelMesh& mesh);
  void paint_panels(const frame::PanelMesh& mesh, const PixelPlane& onto);
  /// The picture that is held goes to `output`, without OpenGL.
  bool has_output() const {
    return output.pixels != nullptr && output.width == window_width_px && output.height == window_height_px &&
           !red_first();
  }
  /// The finished picture, with the window's pixels.
  PixelPlane shown();
  bool present();

  // renderer_figures.cpp
  void mark_sprites(std::span<const frame::SpriteInstance> sprites, const View& view, float alpha,
                    TileMarks& marks) const;
  void ready_decals();
  void gather_decals(const frame::RenderSnapshot& snapshot);
  void draw_decals();
  void draw_runes();
  void draw_sprites(std::span<const frame::SpriteInstance> sprites);
  void use_sprites(std::span<const frame::SpriteInstance> sprites);
  void gather_figure_lights(std::span<const frame::SpriteInstance> sprites, const View& view, float alpha);
  void clear_drawn() {
    direct_figures.clear();
    figure_lights.clear();
  }
  void add_drawn(const SeenFigure& seen) {
    direct_figures.push_back(seen.sprite);
    figure_lights.push_back(seen.light);
  }
  void draw_run(ProgramId program, const FigureRow& row, std::size_t first, std::size_t end);
  void read_images();
  void request_images();
  void fetch_images();
  void draw_images();
  std::span<const frame::SpriteInstance> place_images(std::span<const frame::SpriteInstance> sprites, const View& view,
                                                      float alpha);

  // renderer_warm_up.cpp
  void warm_up(GLuint target);
  void prepare_garden(GLuint target);
};

}  // namespace spellpool::render
