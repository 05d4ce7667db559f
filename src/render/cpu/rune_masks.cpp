#include "render/cpu/rune_masks.hpp"

#include <algorithm>
#include <cmath>

namespace spellpool::render {
namespace {

// shaders/runes.glsl and rune.vert.
constexpr float kTurn = 6.2831853f, kRuneRadius = 300.0f, kRuneHeight = 36.0f, kQuad = 0.98f,
                kInside = 0.984f;
/// Masks are made anew when the arena's middle lies at another part of a pixel.
constexpr float kSamePart_px = 1.0f / 64.0f;

float smooth(float from, float to, float x) {
  const float t = std::clamp((x - from) / (to - from), 0.0f, 1.0f);
  return t * t * (3.0f - 2.0f * t);
}

}  // namespace

void RuneMasks::set_strip(int width, int height, std::span<const float> rgba) {
  strip_width_ = width;
  strip_height_ = height;
  strip_.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  for (std::size_t i = 0; i < strip_.size(); ++i) strip_[i] = rgba[i * 4];
  px_per_unit_ = 0;
}

/// As rune_distance() of shaders/runes.glsl: the strip is filtered as a texture is.
float RuneMasks::distance(int rune, float x, float y) const {
  const float qx = std::clamp(x, -kInside, kInside), qy = std::clamp(y, -kInside, kInside);
  const float u = (static_cast<float>(rune) + qx * 0.5f + 0.5f) / static_cast<float>(kRuneCount) *
                      static_cast<float>(strip_width_) -
                  0.5f;
  const float v = (qy * 0.5f + 0.5f) * static_cast<float>(strip_height_) - 0.5f;
  const float left = std::floor(u), low = std::floor(v);
  const auto texel = [&](int i, int j) {
    const int column = std::clamp(static_cast<int>(left) + i, 0, strip_width_ - 1),
              row = std::clamp(static_cast<int>(low) + j, 0, strip_height_ - 1);
    return strip_[static_cast<std::size_t>(row) * static_cast<std::size_t>(strip_width_) +
                  static_cast<std::size_t>(column)];
  };
  const float s = u - left, t = v - low;
  const float lower = texel(0, 0) + (texel(1, 0) - texel(0, 0)) * s,
              upper = texel(0, 1) + (texel(1, 1) - texel(0, 1)) * s;
  return lower + (upper - lower) * t + std::hypot(x - qx, y - qy);
}

RuneMasks::Mask RuneMasks::make_one(int rune, float px_per_unit, Point middle) const {
  const float turn = static_cast<float>(rune) * (kTurn / kRuneCount);
  const Point up{std::sin(turn), -std::cos(turn)}, right{-up.y, up.x};
  const float half = kQuad * kRuneHeight * (std::fabs(up.x) + std::fabs(up.y)) * px_per_unit;
  const Point at{middle.x + up.x * kRuneRadius * px_per_unit, middle.y + up.y * kRuneRadius * px_per_unit};
  Mask mask;
  mask.left = static_cast<int>(std::floor(at.x - half));
  mask.top = static_cast<int>(std::floor(at.y - half));
  mask.width = static_cast<int>(std::ceil(at.x + half)) - mask.left;
  mask.height = static_cast<int>(std::ceil(at.y + half)) - mask.top;
  mask.texels.resize(static_cast<std::size_t>(mask.width) * static_cast<std::size_t>(mask.height));
  const float per_px = 1.0f / (px_per_unit * kRuneHeight);
  for (int row = 0; row < mask.height; ++row) {
    for (int column = 0; column < mask.width; ++column) {
      const float dx = static_cast<float>(mask.left + column) + 0.5f - at.x,
                  dy = static_cast<float>(mask.top + row) + 0.5f - at.y;
      const float x = (dx * right.x + dy * right.y) * per_px, y = (dx * up.x + dy * up.y) * per_px;
      const float far = std::max(std::fabs(x), std::fabs(y));
      if (far > kQuad) continue;
      const float d = distance(rune, x, y);
      const float core = 1.0f - smooth(0.030f - per_px, 0.046f + per_px, d);
      const float halo = std::exp(-d * 11.0f) * (1.0f - smooth(0.6f, 0.98f, far));
      const auto part = [](float p) { return static_cast<u16>(std::clamp(p, 0.0f, 1.0f) * 65535.0f + 0.5f); };
      mask.texels[static_cast<std::size_t>(row) * static_cast<std::size_t>(mask.width) +
                  static_cast<std::size_t>(column)] = {part(core), part(halo)};
    }
  }
  return mask;
}

void RuneMasks::begin_picture(const View& view, float lit, float time_s) {
  burning_ = strip_.empty() ? 0 : std::min(kRuneCount, static_cast<int>(std::ceil(lit)));
  if (strip_.empty()) return;
  const Point middle = world_to_screen(view, {0.0f, 0.0f});
  // The view is snapped to whole pixels, so this part stays as it is while the camera moves.
  middle_x_ = static_cast<int>(std::floor(middle.x + 0.25f));
  middle_y_ = static_cast<int>(std::floor(middle.y + 0.25f));
  const Point part{middle.x - static_cast<float>(middle_x_), middle.y - static_cast<float>(middle_y_)};
  const float scale = view.px_per_unit();
  const bool same = scale == px_per_unit_ && std::fabs(part.x - part_.x) < kSamePart_px &&
                    std::fabs(part.y - part_.y) < kSamePart_px;
  if (!same) {
    px_per_unit_ = scale;
    part_ = part;
    for (int rune = 0; rune < kRuneCount; ++rune)
      masks_[static_cast<std::size_t>(rune)] = make_one(rune, scale, part);
  }
  const float all_lit = std::clamp(lit - 11.0f, 0.0f, 1.0f);
  for (int rune = 0; rune < burning_; ++rune) {
    const float own = std::clamp(lit - static_cast<float>(rune), 0.0f, 1.0f);
    const float breath = 0.88f + 0.12f * std::sin(time_s * 2.1f + static_cast<float>(rune) * 1.7f);
    const float strength =
        own * own * (3.0f - 2.0f * own) * breath * (1.0f + 1.6f * (1.0f - own) * own * 4.0f);
    const float core = strength * (1.5f + 0.9f * all_lit), halo = strength * (0.34f + 0.20f * all_lit);
    const float gold[3] = {1.0f, 0.50f, 0.13f}, ember[3] = {1.0f, 0.33f, 0.05f};
    Fire& fire = fires_[static_cast<std::size_t>(rune)];
    for (int c = 0; c < 3; ++c) {
      // At most 4 times light 1, which is 2048: a product with a mask fits into 32 bits.
      fire.core[c] = static_cast<u32>(gold[c] * core * kLightOne + 0.5f);
      fire.halo[c] = static_cast<u32>(ember[c] * halo * kLightOne + 0.5f);
    }
  }
}

RuneMasks::Box RuneMasks::box(int rune) const {
  if (rune >= burning_) return {};
  const Mask& mask = masks_[static_cast<std::size_t>(rune)];
  const int left = middle_x_ + mask.left, top = middle_y_ + mask.top;
  return {left, top, left + mask.width, top + mask.height};
}

void RuneMasks::add(int rune, const TileCanvas& tile) const {
  const Box own = box(rune);
  const Mask& mask = masks_[static_cast<std::size_t>(rune)];
  const Fire& fire = fires_[static_cast<std::size_t>(rune)];
  const int left = std::max(own.left, tile.left_px), right = std::min(own.right, tile.left_px + kTile_px);
  const int top = std::max(own.top, tile.top_px), bottom = std::min(own.bottom, tile.top_px + kTile_px);
  for (int y = top; y < bottom; ++y) {
    const Texel* texel =
        mask.texels.data() + static_cast<std::ptrdiff_t>(y - own.top) * mask.width + (left - own.left);
    u16* pixel = tile.pixels + ((y - tile.top_px) * kTile_px + left - tile.left_px) * 4;
    for (int x = left; x < right; ++x, ++texel, pixel += 4) {
      if (texel->halo == 0 && texel->core == 0) continue;
      for (int c = 0; c < 3; ++c) {
        const u32 light = (texel->core * fire.core[c] + texel->halo * fire.halo[c] + 32768u) >> 16;
        pixel[c] = static_cast<u16>(std::min(65535u, pixel[c] + light));
      }
    }
  }
}

}  // namespace spellpool::render
