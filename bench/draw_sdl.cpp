// SDL's own 2D renderer. The quads are made untimed: what is timed is the one call that draws them all, and its end.
#include <SDL.h>

#include <chrono>
#include <cmath>

#include "draw_sides.hpp"

namespace spellpool::bench {
namespace {

constexpr int kTexture_px = 64;

class SdlSide : public DrawSide {
 public:
  SdlSide(const std::string& driver, std::string& error) : DrawSide("SDL_RenderGeometry, " + driver), on_gl_(driver == "opengl") {
    SDL_SetHint(SDL_HINT_RENDER_DRIVER, driver.c_str());
    SDL_SetHint(SDL_HINT_RENDER_BATCHING, "1");
    SDL_SetHint(SDL_HINT_RENDER_SCALE_QUALITY, "linear");
    if (on_gl_) {
      SDL_GL_ResetAttributes();
      window_ = SDL_CreateWindow("Spellpool benchmark", 0, 0, kWidth_px, kHeight_px, SDL_WINDOW_OPENGL | SDL_WINDOW_HIDDEN);
      if (window_) renderer_ = SDL_CreateRenderer(window_, -1, 0);
    } else {
      surface_ = SDL_CreateRGBSurfaceWithFormat(0, kWidth_px, kHeight_px, 32, SDL_PIXELFORMAT_ARGB8888);
      if (surface_) renderer_ = SDL_CreateSoftwareRenderer(surface_);
    }
    SDL_RendererInfo info{};
    if (!renderer_ || SDL_GetRendererInfo(renderer_, &info) != 0 || info.name != driver) {
      error = renderer_ ? "SDL took another driver" : SDL_GetError();
      return;
    }
    if (on_gl_) context_ = SDL_GL_GetCurrentContext();
    make_texture();
    if (!texture_) error = SDL_GetError();
  }
  ~SdlSide() override {
    if (texture_) SDL_DestroyTexture(texture_);
    if (renderer_) SDL_DestroyRenderer(renderer_);
    if (surface_) SDL_FreeSurface(surface_);
    if (window_) SDL_DestroyWindow(window_);
  }

  void enter() override {
    if (on_gl_) SDL_GL_MakeCurrent(window_, context_);
  }
  void make(const Cloud& cloud) override {
    cloud_ = cloud;
    vertices_.resize(std::size_t{4} * cloud.count());
    indices_.clear();
    for (int first = 0; first < static_cast<int>(vertices_.size()); first += 4) {
      for (const int corner : {0, 1, 2, 2, 1, 3}) indices_.push_back(first + corner);
    }
    frame_ = 0;
  }
  double frame_ns() override {
    move();
    const auto from = std::chrono::steady_clock::now();
    SDL_SetRenderDrawColor(renderer_, 0, 0, 0, 255);
    SDL_RenderClear(renderer_);
    if (!indices_.empty() && SDL_RenderGeometry(renderer_, texture_, vertices_.data(), static_cast<int>(vertices_.size()),
                                                indices_.data(), static_cast<int>(indices_.size())) != 0) {
      stop(2, name() + ": " + SDL_GetError());
    }
    SDL_RenderFlush(renderer_);
    if (on_gl_) gl_finish();
    const auto to = std::chrono::steady_clock::now();
    return std::chrono::duration<double, std::nano>(to - from).count();
  }
  double lit() override {
    frame_ns();
    std::vector<u8> rgba(std::size_t{4} * kWidth_px * kHeight_px);
    SDL_RenderReadPixels(renderer_, nullptr, SDL_PIXELFORMAT_RGBA32, rgba.data(), 4 * kWidth_px);
    return lit_share(rgba);
  }

 private:
  void make_texture() {
    std::vector<u8> rgba(std::size_t{4} * kTexture_px * kTexture_px, 255);
    for (int y = 0; y < kTexture_px; ++y) {
      for (int x = 0; x < kTexture_px; ++x) {
        const float u = (static_cast<float>(x) + 0.5f) / (0.5f * kTexture_px) - 1.0f;
        const float v = (static_cast<float>(y) + 0.5f) / (0.5f * kTexture_px) - 1.0f;
        rgba[4 * static_cast<std::size_t>(y * kTexture_px + x) + 3] = static_cast<u8>(std::lrint(255.0f * glow(u * u + v * v)));
      }
    }
    texture_ = SDL_CreateTexture(renderer_, SDL_PIXELFORMAT_RGBA32, SDL_TEXTUREACCESS_STATIC, kTexture_px, kTexture_px);
    if (!texture_) return;
    SDL_UpdateTexture(texture_, nullptr, rgba.data(), 4 * kTexture_px);
    SDL_SetTextureBlendMode(texture_, SDL_BLENDMODE_ADD);
  }
  void move() {
    const float way = way_in(frame_++);
    const float half = 0.5f * cloud_.diameter_px;
    for (u32 i = 0; i < cloud_.count(); ++i) {
      const Dot& dot = cloud_.dots[i];
      for (u32 corner = 0; corner < 4; ++corner) {
        const auto u = static_cast<float>(corner & 1), v = static_cast<float>(corner >> 1);
        vertices_[4 * i + corner] = {{dot.x + way * dot.dx + (2 * u - 1) * half, dot.y + way * dot.dy + (2 * v - 1) * half},
                                     {dot.r, dot.g, dot.b, 255}, {u, v}};
      }
    }
  }

  bool on_gl_;
  SDL_Window* window_ = nullptr;
  SDL_Surface* surface_ = nullptr;
  SDL_Renderer* renderer_ = nullptr;
  SDL_Texture* texture_ = nullptr;
  SDL_GLContext context_ = nullptr;
  Cloud cloud_;
  std::vector<SDL_Vertex> vertices_;
  std::vector<int> indices_;
  u32 frame_ = 0;
};

}  // namespace

std::unique_ptr<DrawSide> make_sdl(const std::string& driver, std::string& error) {
  auto side = std::make_unique<SdlSide>(driver, error);
  if (!error.empty()) return nullptr;
  return side;
}

}  // namespace spellpool::bench
