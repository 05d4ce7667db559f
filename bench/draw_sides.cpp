#include "draw_sides.hpp"

#include <SDL.h>
#include <epoxy/gl.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "core/rng.hpp"
#include "goals.hpp"

namespace spellpool::bench {

void stop(int code, const std::string& line) {
  std::fflush(stdout);
  std::fprintf(stderr, "bench_draw: %s\n", line.c_str());
  std::exit(code);
}

Cloud make_cloud(u32 count, float diameter_px) {
  Cloud cloud{diameter_px, {}};
  cloud.dots.reserve(count);
  // A dot moves by at most 7 × 0.5 px each way.
  const float margin = 0.5f * diameter_px + 5.0f;
  Rng rng(7);
  for (u32 i = 0; i < count; ++i) {
    Dot dot{};
    dot.x = rng.range(margin, kWidth_px - margin);
    dot.y = rng.range(margin, kHeight_px - margin);
    dot.dx = 0.5f * rng.signed_unit();
    dot.dy = 0.5f * rng.signed_unit();
    dot.r = static_cast<u8>(96 + rng.below(64));
    dot.g = static_cast<u8>(64 + rng.below(48));
    dot.b = static_cast<u8>(32 + rng.below(64));
    cloud.dots.push_back(dot);
  }
  return cloud;
}

float glow(float d2) {
  const float halo = std::fmax(0.0f, 1.0f - d2);
  const float core = std::fmax(0.0f, 1.0f - 9.0f * d2);
  return std::fmin(1.0f, 0.22f * halo * halo * halo + core * (2.0f - core));
}

double lit_share(const std::vector<u8>& rgba, const std::vector<u8>& dark) {
  std::size_t lit = 0;
  for (std::size_t i = 0; i + 3 < rgba.size(); i += 4) {
    bool is_lit = false;
    for (std::size_t c = i; c < i + 3; ++c) is_lit |= rgba[c] >= (dark.empty() ? 0 : dark[c]) + kLitFrom;
    lit += is_lit;
  }
  return rgba.empty() ? 0.0 : static_cast<double>(lit) / static_cast<double>(rgba.size() / 4);
}

std::vector<u8> read_rgba() {
  std::vector<u8> rgba(std::size_t{4} * kWidth_px * kHeight_px);
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glReadPixels(0, 0, kWidth_px, kHeight_px, GL_RGBA, GL_UNSIGNED_BYTE, rgba.data());
  return rgba;
}

void gl_finish() { glFinish(); }

// ------------------------------------------------------------------------------------------------------- the window

GlWindow::GlWindow() {
  SDL_GL_ResetAttributes();
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
  window_ = SDL_CreateWindow("Spellpool benchmark", 0, 0, kWidth_px, kHeight_px, SDL_WINDOW_OPENGL | SDL_WINDOW_HIDDEN);
  if (window_) context_ = SDL_GL_CreateContext(window_);
  if (!context_) error_ = SDL_GetError();
}

GlWindow::~GlWindow() {
  if (context_) SDL_GL_DeleteContext(context_);
  if (window_) SDL_DestroyWindow(window_);
}

void GlWindow::enter() { SDL_GL_MakeCurrent(window_, context_); }

// ------------------------------------------------------------------------------------------------------------- ours

namespace {

/// Renderers that tell what the finishing of the picture cost: more than nothing where the processor did it.
template <class R>
double told_post_ms(R& renderer) {
  if constexpr (requires { renderer.post_ms(); }) return renderer.post_ms();
  return 0.0;
}

}  // namespace

OurSide::OurSide(std::string name, frame::DrawPath path, u32 most) : DrawSide(std::move(name), true), error_(window_.error()) {
  if (!error_.empty()) return;
  renderer_ = render::Renderer::create({}, error_);
  if (!renderer_) return;
  frame::LookSettings looks;
  looks.draw = path;
  renderer_->resize(kWidth_px, kHeight_px);
  renderer_->reserve(most);
  renderer_->set_looks(looks);
  renderer_->warm_up();
}

void OurSide::make(const Cloud& cloud) {
  cloud_ = cloud;
  instances_.resize(cloud.count());
  snapshot_ = {};
  snapshot_.additive_layer = instances_;
  frame_ = 0;
  post_ms_.clear();
}

double OurSide::frame_ns() {
  constexpr float kHalf = 0.5f;  // alpha: between two steps, as most frames are
  const float way = way_in(frame_++);
  const float step = way_in(frame_) - way;
  for (u32 i = 0; i < cloud_.count(); ++i) {
    const Dot& dot = cloud_.dots[i];
    frame::ParticleInstance& p = instances_[i];
    const auto told = [](float units) { return static_cast<i16>(std::lrint(units * frame::kPositionScale)); };
    p = {told(dot.x - kHalf * kWidth_px + (way + step) * dot.dx), told(dot.y - kHalf * kHeight_px + (way + step) * dot.dy),
         told(step * dot.dx), told(step * dot.dy), dot.r, dot.g, dot.b, 255,
         static_cast<u16>(cloud_.diameter_px * frame::kSizeScale), static_cast<u8>(4 << 3), 0};
  }
  ++snapshot_.step;
  snapshot_.time_s = static_cast<float>(snapshot_.step) / 60.0f;
  const auto from = std::chrono::steady_clock::now();
  renderer_->draw(snapshot_, kHalf);
  glFinish();
  const auto to = std::chrono::steady_clock::now();
  if (const double post = told_post_ms(*renderer_); post > 0) post_ms_.push_back(post);
  return std::chrono::duration<double, std::nano>(to - from).count();
}

double OurSide::lit() {
  frame_ns();
  const std::vector<u8> full = read_rgba();
  snapshot_.additive_layer = {};
  renderer_->draw(snapshot_, 0.5f);
  const std::vector<u8> dark = read_rgba();
  snapshot_.additive_layer = instances_;
  return lit_share(full, dark);
}

// ------------------------------------------------------------------------------------------------------------- LÖVE

Love::Love(const std::vector<std::string>& command) : process_(command) {
  const std::optional<std::string> hello = process_.read_line();
  if (!hello || hello->rfind("ready ", 0) != 0) return;
  const std::size_t space = hello->find(' ', 6);
  version_ = hello->substr(6, space - 6);
  renderer_ = space == std::string::npos ? "?" : hello->substr(space + 1);
  alive_ = true;
}

std::string Love::ask(const std::string& line) {
  const std::optional<std::string> answer = process_.ask(line);
  if (!answer) stop(2, "LÖVE ended at '" + line + "' (its own words are above)");
  return *answer;
}

namespace {

class LoveSide : public DrawSide {
 public:
  LoveSide(Love& love, const std::string& kind)
      : DrawSide("LÖVE " + love.version() + (kind == "system" ? " ParticleSystem" : " SpriteBatch")), love_(love), kind_(kind) {}
  void make(const Cloud& cloud) override {
    const std::string answer = love_.ask(text("make %s %u %g", kind_.c_str(), cloud.count(), static_cast<double>(cloud.diameter_px)));
    if (answer != text("made %u", cloud.count())) stop(3, name() + " did not make what was asked for: " + answer);
  }
  double frame_ns() override { return std::atof(love_.ask("frame " + kind_).c_str()); }
  double lit() override { return std::atof(love_.ask("lit " + kind_).c_str()); }

 private:
  Love& love_;
  std::string kind_;
};

}  // namespace

std::unique_ptr<DrawSide> make_love(Love& love, const std::string& kind) { return std::make_unique<LoveSide>(love, kind); }

}  // namespace spellpool::bench
