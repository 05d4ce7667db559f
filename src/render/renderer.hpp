#pragma once
// Draws a frame::RenderSnapshot: the whole picture of the game, without panels.
//
// Two paths, equal to the eye, chosen by frame::LookSettings::draw; Auto is the CPU path on a software renderer.
//
// GPU path, in passes (px: target pixels; n: 4 on a software renderer, 2 on hardware; twice that below
// frame::Quality::High):
//   light      px/n²  baked sky light + every spell's light on the ground, with its direction → two small textures
//   scene      px     lit runes, smoke, figures, light particles; premultiplied: one blend mode does all → RGBA16F
//   bloom      px/n²  what is bright, shrunk to 1/64 and spread again (not for Quality::Low)
//   night      px/n²  the bloom and, beyond the ring, the night; in the finale its aurora → the second small one
//   composite  px     baked stone × light under the scene, bloom, filmic curve, vignette, dither → the caller's target
//   dust       –      stars and motes, specks on the finished picture
//   bullets    –      over all that: neither lit nor bloomed, so that nothing outshines them
// Particles are streamed as the snapshot's own 16 bytes and drawn in its order, one call a layer
// (render/gl/particle_layers.hpp).
//
// CPU path: OpenGL draws figures alone, into a sheet of images that the next picture reads, or into a target of which
// only the tiles that they touch are read back. Light, particles, bloom, night, tone and dust are the processor's
// (render/cpu/cpu_canvas.hpp); the finished picture goes into the target as one upload and one copy. n is 4 or 8
// there. Its parts are made at its first picture.
//
// On both the ground itself (render/ground.hpp, for the shooter render/garden.hpp) is baked when a picture first shows
// it, and anew when the size has changed.
//
// Cost   GPU path, for the processor: a copy of 16 bytes a particle; the number of GL calls does not grow with them.
//        CPU path: by the pixels of the picture and those that particles cover; all cores work, 8 at most.
// Memory by their formats some 22 bytes a pixel of the target, 36 more for the CPU path. A particle: up to 48 bytes,
// and
//        on the CPU path room for 90 more. No operator new in a steady frame.
// Threads the one whose GL context is current; the CPU path's others work only within draw() and warm_up(). Leaves the
//        target bound, blending and depth test off.
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frame/panel_mesh.hpp"
#include "frame/pixel_frame.hpp"
#include "frame/render_snapshot.hpp"
#include "frame/settings.hpp"

namespace spellpool::render {

struct CpuKernels;
class Film;

struct RendererOptions {
  /// Folder with the shader files; "" uses those built in. They are built in too, so a missing folder is no failure.
  std::string shader_dir;
  /// 0 none … 2; 1 is as painted.
  float bloom_strength = 1.0f;
  /// True: OpenGL runs on the CPU, so the bloom is smaller. Empty: detected from GL_RENDERER (llvmpipe,
  /// softpipe, swrast, SwiftShader).
  std::optional<bool> software;
  /// Particles go straight into memory that the GPU reads, where it can (render/gl/stream_buffer.hpp).
  bool map_particles = true;
  /// Of the CPU path (render/cpu/cpu_kernels.hpp); null: the fastest that this processor can run.
  const CpuKernels* kernels = nullptr;
  /// Threads of the CPU path with the caller's; 0: as many as there are cores, 8 at most.
  int threads = 0;
  /// For a window, whose pictures follow each other: on the CPU path a figure may look as it did in the last picture
  /// while it differs by what cannot be seen. Without it a picture depends on its snapshot alone.
  bool figures_may_be_late = false;
  /// With figures_may_be_late: a picture does not wait for images of figures, lightning and lasers; it shows the last
  /// ones that have arrived, or none yet. Empty: where OpenGL is another process, as in a browser.
  std::optional<bool> reads_may_be_late;
  /// With figures_may_be_late, on the CPU path: a figure is left out until its program is there (advance_programs()).
  /// Empty: as for reads_may_be_late.
  std::optional<bool> programs_may_be_late;
};

/// What the last picture of the CPU path took, ms: particles put into tiles, tiles painted, bloom and tone.
struct RenderTimes {
  float sort_ms = 0, paint_ms = 0, post_ms = 0;
};

/// What a pass of the CPU path took of a picture, in the mean: milliseconds of the calling thread, and the tiles of
/// 64×64 pixels that it went through.
struct PassMean {
  std::string_view name;
  double ms = 0, tiles = 0;
};
using PassMeans = std::vector<PassMean>;

/// When the ground is baked for a new size: for the next picture (which is exact), or once the size has stayed
/// the same for about twelve pictures. Until then the old ground is drawn scaled, or a coarse one where the
/// old one does not reach the window's edges, so that a window can be dragged larger without a halt.
enum class Settle : u8 { Now, Later };

class Renderer {
 public:
  static constexpr int kLargestWidth_px = 7680;
  static constexpr int kLargestHeight_px = 4320;

  /// Needs a current OpenGL 3.3 core (or ES 3.0) context. Null with one line in `error` if that cannot draw.
  static std::unique_ptr<Renderer> create(const RendererOptions& options, std::string& error);
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  /// Size of the pictures to come. If it changed, targets are made, and the next picture bakes the ground that it shows.
  /// A size with a 0 or negative side (a minimised window) is ignored, a larger one than 7680×4320 is cut to it. 1280×720
  /// until the first call. Now also ends the wait of an earlier Later.
  void resize(int width_px, int height_px, Settle settle = Settle::Now);
  /// Quality and colour vision of the pictures to come; the rest of the settings is the simulation's to mind. Makes
  /// nothing: the targets of each quality are there, and warm_up() has drawn with them.
  void set_looks(const frame::LookSettings& looks);
  /// Light leaves trails in the pictures to come: each shows what was brighter in the one before, times `keep`. 0:
  /// none, as at first; below 1. The first picture with trails makes room for one more picture.
  void set_trails(float keep);
  /// Room for this many particles (both layers) and bullets up front, so that even a first burst makes no buffer.
  void reserve(u32 particles, u32 bullets = 0);
  /// Makes the programs of the scene that the next pictures show, or asks for them where a picture need not wait for
  /// programs (those of figures one by one, by advance_programs()); a later warm_up() has them too. Drawn without it, a
  /// scene's first picture makes them. False: they were there, as the arena's are from the start where pictures wait.
  bool ready_arena();
  bool ready_shooter();
  /// Between frames, as it allocates: asks for the next of the programs that figures are waiting for. Nothing happens
  /// where pictures wait for programs.
  void advance_programs();
  /// Has OpenGL bake the ground that a picture of this snapshot shows, and does not wait for it: the caller has other
  /// work before it draws that picture.
  void begin_ground(const frame::RenderSnapshot& snapshot);
  /// As ready_arena(), for the figures of its spells; and makes the looks of their marks.
  /// Nothing happens in a game that shows no arena.
  void begin_spells();
  /// Draws one of everything, at the present size, into the framebuffer that will be drawn to. Drivers finish a program
  /// at its first use with a given state: done here it is no hitch at the first cast, and no allocation in a measured
  /// frame. Takes longest on llvmpipe without Mesa's shader cache.
  void warm_up(unsigned target_framebuffer = 0);
  /// What warm_up() is to the arena, for the shooter's garden: bakes all of it for the present size and draws each part.
  /// Else the first picture that has one bakes what it shows, and each later one a strip of the rest: for play, as this
  /// takes half a second and more on a software renderer.
  void prepare_garden(unsigned target_framebuffer = 0);
  /// Draws the picture at time alpha (0 the step before, 1 the last step) into lower left 0, 0 of the framebuffer.
  /// The snapshot is read during the call only. NaN or infinite places are drawn nowhere.
  void draw(const frame::RenderSnapshot& snapshot, float alpha, unsigned target_framebuffer = 0);
  /// The same in three steps, so that panels can be painted before OpenGL gets the picture: on the CPU path
  /// draw_held() keeps it in memory, and nothing is in the framebuffer before present(). Its last pass, tone mapping,
  /// goes on while the caller lays out its panels; the next call finishes it. On the GPU path draw_held() is draw().
  void draw_held(const frame::RenderSnapshot& snapshot, float alpha, unsigned target_framebuffer = 0);
  /// Paints over the picture that is held. False: there is none, and OpenGL has to draw the panels after present().
  bool paint_panels(const frame::PanelMesh& mesh);
  /// It does so in the pictures that draw_held() will draw with the present looks.
  bool paints_panels() const;
  /// True: it is in the memory of paint_into(), and the framebuffer is as it was.
  bool present();
  /// On the CPU path, memory that pictures are painted into from now on, until the next call; its size is that of
  /// resize(). OpenGL shows a picture all the same if its panels were not painted. Without pixels: OpenGL shows all
  /// of them.
  void paint_into(const frame::PixelFrame& pixels);
  /// Panels over any memory, on all threads of the CPU path, which has drawn a picture before.
  void paint_panels(const frame::PanelMesh& mesh, const frame::PixelFrame& pixels);
  /// present() will leave the picture that is held in the memory of paint_into().
  bool holds_pixels() const;
  /// Which of two views the pictures to come are of, drawn in turns as the halves of a duet are. Each keeps images of
  /// its own figures: with one set, a figure that changes would look older in the half that is drawn first. 0 at
  /// first.
  static constexpr std::size_t kViews = 2;
  void show_view(std::size_t view);
  /// The last picture that was presented, wherever it is: as render::read_rgb().
  bool read_rgb(std::vector<u8>& rgb) const;
  /// Puts the picture that draw_held() drew, small, into a place of the film (render/gl/film.hpp): before
  /// paint_panels().
  void add_to(Film& film, u32 place);
  /// Reads the shader folder again and bakes anew. True if all are good; else warning() says what is wrong.
  bool reload_shaders();

  /// "" when all is well; else one line: file:line: reason, and what is drawn instead.
  std::string_view warning() const;
  std::string_view name() const;  ///< GL_RENDERER.
  bool software() const;
  std::string_view path() const;     ///< Who draws the next picture: "processor" or "OpenGL".
  std::string_view kernels() const;  ///< Instruction set of the CPU path: "AVX2", "SSE2" or "portable".
  RenderTimes times() const;         ///< Zero on the GPU path.
  float post_ms() const;             ///< times().post_ms.
  /// The images of figures of all views: current sizes, and counts since warm_up(). Zero on the GPU path.
  frame::FigurePoolView figure_pool() const;
  PassMeans pass_means() const;      ///< Of all pictures since warm_up(), in their order; empty on the GPU path.
  int passes() const;  ///< Targets that the last picture was drawn into, one after the other.
  int width_px() const;
  int height_px() const;

 private:
  struct Impl;
  explicit Renderer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

/// Panels on black in the window of the current context, painted on the CPU: before there is a Renderer, and without
/// compiling a shader. False if OpenGL refuses.
bool show_panels(const frame::PanelMesh& mesh, int width_px, int height_px);

/// The lower left w×h pixels of the bound read framebuffer as 8-bit RGB, top row first. False (rgb empty) if GL refuses
/// or a side is not positive. Waits for the picture. `rgb` is used as scratch of 4 bytes a pixel on the way; where it
/// has that room already, nothing is allocated.
bool read_rgb(int width_px, int height_px, std::vector<u8>& rgb);
/// The same of a frame in memory.
void read_rgb(const frame::PixelFrame& frame, std::vector<u8>& rgb);

/// The same of the lower left from_width × from_height pixels, scaled to to_width × to_height: each pixel is the mean
/// of those that it covers, nearly (halved step by step, then one filtered copy). For clips.
bool read_rgb_scaled(int from_width_px, int from_height_px, int to_width_px, int to_height_px, std::vector<u8>& rgb);

}  // namespace spellpool::render
