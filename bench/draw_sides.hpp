#pragma once
// The sides of bench_draw: the cloud of glowing dots that all of them draw, and one class for each way to
// draw it.
#include <memory>
#include <string>
#include <vector>

#include "core/types.hpp"
#include "peer_process.hpp"
#include "render/renderer.hpp"

struct SDL_Window;

namespace spellpool::bench {

inline constexpr int kWidth_px = 1280, kHeight_px = 720;

/// One dot: its place in pixels from the upper left corner, its way in one frame, its light.
struct Dot {
  float x, y, dx, dy;
  u8 r, g, b;
};

/// Spread evenly at random, at all subpixel places, in no order, each entirely in view wherever it moves.
struct Cloud {
  float diameter_px = 0;
  std::vector<Dot> dots;
  u32 count() const { return static_cast<u32>(dots.size()); }
};
Cloud make_cloud(u32 count, float diameter_px);

/// How many times (dx, dy) a dot is from its first place in this frame: to and fro, 0 … 7.
inline float way_in(u32 frame) { return static_cast<float>(frame % 14 < 8 ? frame % 14 : 14 - frame % 14); }
/// The light of a dot at d² (1 is the rim): a core in a halo, as glow() in shaders/particle.frag has it.
float glow(float d2);

/// One way to draw a cloud. A frame begins with an empty picture and is over when the picture is finished.
class DrawSide {
 public:
  explicit DrawSide(std::string name, bool ours = false) : name_(std::move(name)), ours_(ours) {}
  virtual ~DrawSide() = default;
  DrawSide(const DrawSide&) = delete;
  DrawSide& operator=(const DrawSide&) = delete;

  const std::string& name() const { return name_; }
  bool ours() const { return ours_; }
  /// Before frames of this side that follow on another's.
  virtual void enter() {}
  virtual void make(const Cloud& cloud) = 0;
  /// Moves the dots, untimed; the time of one frame.
  virtual double frame_ns() = 0;
  /// Draws a frame; the share of its pixels that the cloud lit. Tells whether all was drawn, and where it should be.
  virtual double lit() = 0;

 private:
  std::string name_;
  bool ours_;
};

/// A hidden window with an OpenGL 3.3 core context, current from the start. error() says why there is none.
class GlWindow {
 public:
  GlWindow();
  ~GlWindow();
  GlWindow(const GlWindow&) = delete;
  GlWindow& operator=(const GlWindow&) = delete;
  const std::string& error() const { return error_; }
  void enter();

 private:
  SDL_Window* window_ = nullptr;
  void* context_ = nullptr;
  std::string error_;
};

/// Light above which a pixel counts as lit, of 255.
inline constexpr int kLitFrom = 6;
/// Of two RGBA pictures of equal size, the share of pixels that are this much lighter in the first. No second one: black.
double lit_share(const std::vector<u8>& rgba, const std::vector<u8>& dark = {});
/// The framebuffer that is current, as RGBA.
std::vector<u8> read_rgba();
void gl_finish();

/// Spellpool's own renderer with all of its passes: HDR, bloom, tone-map, the lit arena.
class OurSide : public DrawSide {
 public:
  OurSide(std::string name, frame::DrawPath path, u32 most);
  ~OurSide() override { window_.enter(); }  // the renderer ends in its own context
  const std::string& error() const { return error_; }
  void enter() override { window_.enter(); }
  void make(const Cloud& cloud) override;
  double frame_ns() override;
  double lit() override;
  render::Renderer& renderer() { return *renderer_; }
  /// What the frames since the last make() spent on what follows the particles; empty where the renderer does not tell.
  const std::vector<double>& post_ms() const { return post_ms_; }

 private:
  GlWindow window_;
  std::unique_ptr<render::Renderer> renderer_;
  std::string error_;
  Cloud cloud_;
  std::vector<frame::ParticleInstance> instances_;
  frame::RenderSnapshot snapshot_;
  u32 frame_ = 0;
  std::vector<double> post_ms_;
};

// A side that cannot be had leaves its reason in `error` and is null.

/// OpenGL 3.3 with nothing around it: 16 bytes a dot, uploaded anew and drawn by one call into 8 bits a channel.
enum class PlainShape : u8 { Quads, Points };
std::unique_ptr<DrawSide> make_plain(PlainShape shape, std::string& error);
/// SDL_RenderGeometry: one call, a textured quad of two triangles a dot.
std::unique_ptr<DrawSide> make_sdl(const std::string& driver, std::string& error);

/// LÖVE at the other end of two pipes (love_drawing/main.lua).
class Love {
 public:
  explicit Love(const std::vector<std::string>& command);
  bool alive() const { return alive_; }
  const std::string& version() const { return version_; }
  const std::string& renderer() const { return renderer_; }
  /// One line out, one in. A peer that ends in a round ends the benchmark.
  std::string ask(const std::string& line);

 private:
  PeerProcess process_;
  bool alive_ = false;
  std::string version_, renderer_;
};
std::unique_ptr<DrawSide> make_love(Love& love, const std::string& kind);

/// Ends the program with a line that says what to do about it.
[[noreturn]] void stop(int code, const std::string& line);

}  // namespace spellpool::bench
