#include "render/cpu/rune_masks.hpp"

#include <algorithm>
#include <cmath>

#include "render/cpu/shader_noise.hpp"

namespace spellpool::render {
namespace {

using shader::noise, shader::smooth;

// shaders/runes.glsl and rune.vert.
constexpr float kTurn = 6.2831853f, kRuneRadius = 300.0f, kRuneHeight = 36.0f, kQuad = 0.98f, kInside = 0.984f;
/// Masks are made anew when the arena's middle lies at another part of a pixel.
constexpr float kSamePart_px = 1.0f / 64.0f;

// shaders/ring_glow.frag.
constexpr float kRingInner = 256.0f, kRingOuter = 352.0f;
constexpr float kGlowOne = 16384.0f;

}  // namespace

void RuneMasks::set_distances(std::vector<float> strip) {
  strip_ = std::move(strip);
  px_per_unit_ = 0;
}

/// As rune_distance() of shaders/runes.glsl: the strip is filtered as a texture is.
float RuneMasks::distance(int rune, float x, float y) const {
  const float qx = std::clamp(x, -kInside, kInside), qy = std::clamp(y, -kInside, kInside);
  const float u = (static_cast<float>(rune) + qx * 0.5f + 0.5f) * kRuneSide - 0.5f;
  const float v = (qy * 0.5f + 0.5f) * kRuneSide - 0.5f;
  const float left = std::floor(u), low = std::floor(v);
  const auto texel = [&](int i, int j) {
    const int column = std::clamp(static_cast<int>(left) + i, 0, kRuneStripWidth - 1),
              row = std::clamp(static_cast<int>(low) + j, 0, kRuneSide - 1);
    return strip_[static_cast<std::size_t>(row) * kRuneStripWidth +
                  static_cast<std::size_t>(column)];
  };
  const float s = u - left, t = v - low;
  const float lower = texel(0, 0) + (texel(1, 0) - texel(0, 0)) * s,
              upper = texel(0, 1) + (texel(1, 1) - texel(0, 1)) * s;
  return lower + (upper - lower) * t + std::hypot(x - qx, y - qy);
}

void RuneMasks::make_one(int rune, float px_per_unit, Point middle) {
  const float turn = static_cast<float>(rune) * (kTurn / kRunes);
  const Point up{std::sin(turn), -std::cos(turn)}, right{-up.y, up.x};
  const float half = kQuad * kRuneHeight * (std::fabs(up.x) + std::fabs(up.y)) * px_per_unit;
  const Point at{middle.x + up.x * kRuneRadius * px_per_unit, middle.y + up.y * kRuneRadius * px_per_unit};
  Mask& mask = masks_[static_cast<std::size_t>(rune)];
  mask.left = static_cast<int>(std::floor(at.x - half));
  mask.top = static_cast<int>(std::floor(at.y - half));
  mask.width = static_cast<int>(std::ceil(at.x + half)) - mask.left;
  mask.height = static_cast<int>(std::ceil(at.y + half)) - mask.top;
  mask.texels.assign(static_cast<std::size_t>(mask.width) * static_cast<std::size_t>(mask.height), {});
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
}

void RuneMasks::begin_picture(const View& view, float lit, float finale, float time_s) {
  burning_ = strip_.empty() ? 0 : std::min(kRunes, static_cast<int>(std::ceil(lit)));
  glows_ = !strip_.empty() && finale > 0.0f;
  if (strip_.empty()) return;
  const Point middle = world_to_screen(view, {0.0f, 0.0f});
  // The view is snapped to whole pixels, so this part stays as it is while the camera moves.
  middle_x_ = static_cast<int>(std::floor(middle.x + 0.25f));
  middle_y_ = static_cast<int>(std::floor(middle.y + 0.25f));
  const Point part{middle.x - static_cast<float>(middle_x_), middle.y - static_cast<float>(middle_y_)};
  const float scale = view.px_per_unit();
  const bool same =
      scale == px_per_unit_ && std::fabs(part.x - part_.x) < kSamePart_px && std::fabs(part.y - part_.y) < kSamePart_px;
  if (!same) {
    px_per_unit_ = scale;
    part_ = part;
    for (int rune = 0; rune < kRunes; ++rune) make_one(rune, scale, part);
    ring_.clear();
  }
  if (glows_) {
    if (ring_.empty()) make_ring();
    light_ring(finale, time_s);
  }
  const float all_lit = std::clamp(lit - 11.0f, 0.0f, 1.0f);
  for (int rune = 0; rune < burning_; ++rune) {
    const float own = std::clamp(lit - static_cast<float>(rune), 0.0f, 1.0f);
    const float breath = 0.88f + 0.12f * std::sin(time_s * 2.1f + static_cast<float>(rune) * 1.7f);
    const float strength = own * own * (3.0f - 2.0f * own) * breath * (1.0f + 1.6f * (1.0f - own) * own * 4.0f);
    const float white = finale * finale * (3.0f - 2.0f * finale);
    const float core = strength * (1.5f + 0.9f * all_lit + 1.6f * white);
    const float halo = strength * (0.34f + 0.20f * all_lit + 0.38f * white);
    const float gold[3] = {1.0f, 0.50f + 0.24f * white, 0.13f + 0.25f * white};
    const float ember[3] = {1.0f, 0.33f + 0.07f * white, 0.05f + 0.03f * white};
    Fire& fire = fires_[static_cast<std::size_t>(rune)];
    for (int c = 0; c < 3; ++c) {
      // At most 4 times light 1, which is 2048: a product with a mask fits into 32 bits.
      fire.core[c] = static_cast<u32>(gold[c] * core * kLightOne + 0.5f);
      fire.halo[c] = static_cast<u32>(ember[c] * halo * kLightOne + 0.5f);
    }
  }
}

/// What of the ring's glow does not change.
void RuneMasks::make_ring() {
  const float scale = px_per_unit_;
  const int reach = static_cast<int>(std::ceil(kRingOuter * scale)) + 1;
  ring_top_ = -reach;
  ring_rows_.assign(static_cast<std::size_t>(2 * reach), {});
  ring_.clear();
  const auto texel = [&](int column, int row) {
    const float x = (static_cast<float>(column) + 0.5f - part_.x) / scale,
                y = (static_cast<float>(row) + 0.5f - part_.y) / scale;
    const float r = std::hypot(x, y);
    Glow glow;
    if (r < kRingInner || r > kRingOuter) return glow;
    const float angle = std::atan2(x, -y), turn = angle / kTurn * 12.0f;
    const float along = (turn - std::floor(turn + 0.5f)) * kTurn * r / 12.0f;
    const float joint = std::fabs(std::fabs(along) - 56.0f * r / 300.0f);
    const float inner = std::fabs(r - 264.0f), outer = std::fabs(r - 339.0f);
    float lines = std::exp(-joint * joint * 0.16f) * smooth(258.0f, 268.0f, r) * 0.55f;
    lines *= 1.0f - smooth(330.0f, 342.0f, r);
    lines += std::exp(-inner * inner * 0.26f) + std::exp(-outer * outer * 0.20f) * 0.9f;
    float soft = std::exp(-joint * 0.14f) * smooth(256.0f, 272.0f, r) * (1.0f - smooth(328.0f, 344.0f, r)) * 0.5f +
                 std::exp(-inner * 0.12f) * smooth(256.0f, 262.0f, r);
    soft += std::exp(-outer * 0.11f) * (1.0f - smooth(344.0f, 352.0f, r));
    glow.gold = static_cast<i16>(std::lround(std::clamp(lines * (1.0f - lines), -1.9f, 1.9f) * kGlowOne));
    glow.white = static_cast<u16>(std::lround(std::clamp(lines * lines, 0.0f, 3.9f) * kGlowOne));
    glow.soft = static_cast<u16>(std::lround(std::clamp(soft, 0.0f, 3.9f) * kGlowOne));
    glow.angle =
        static_cast<u16>(static_cast<int>((angle / kTurn + 0.5f) * static_cast<float>(kAngles)) & (kAngles - 1));
    return glow;
  };
  for (int row = ring_top_; row < -ring_top_; ++row) {
    const float y = (std::fabs(static_cast<float>(row) + 0.5f) - 1.0f) / scale,
                below = (std::fabs(static_cast<float>(row) + 0.5f) + 1.0f) / scale;
    RingRow& own = ring_rows_[static_cast<std::size_t>(row - ring_top_)];
    own.first = ring_.size();
    const float far = kRingOuter * kRingOuter - y * y, near = kRingInner * kRingInner - below * below;
    own.outer = far > 0.0f ? std::min(reach, static_cast<int>(std::ceil(std::sqrt(far) * scale)) + 1) : 0;
    own.inner = near > 0.0f ? std::max(0, static_cast<int>(std::sqrt(near) * scale) - 1) : 0;
    for (int column = -own.outer; column < -own.inner; ++column) ring_.push_back(texel(column, row));
    for (int column = own.inner; column < own.outer; ++column) ring_.push_back(texel(column, row));
  }
}

/// What of it changes: how bright it is in each direction.
void RuneMasks::light_ring(float finale, float time_s) {
  for (int i = 0; i < kAngles; ++i) {
    const float angle = ((static_cast<float>(i) + 0.5f) / kAngles - 0.5f) * kTurn;
    const float reached = smooth(0.0f, 0.25f, finale * 1.30f - std::fabs(angle) / (0.5f * kTurn));
    AngleLight& own = angle_light_[static_cast<std::size_t>(i)];
    own = {};
    if (reached <= 0.0f) continue;
    const float x = std::sin(angle), y = std::cos(angle);
    const float waves = noise(x * 3.0f + time_s * 0.7f, y * 3.0f - time_s * 0.4f) * 0.7f +
                        noise(x * 11.0f - time_s * 0.9f, y * 11.0f - time_s * 0.9f) * 0.3f;
    const float run = smooth(0.25f, 0.85f, waves);
    own.line = reached * (0.16f + 1.5f * run * run) * (kLightOne / kGlowOne);
    own.soft = reached * (0.03f + 0.22f * run * run) * (kLightOne / kGlowOne);
  }
}

void RuneMasks::add_ring(const TileCanvas& tile) const {
  constexpr float kGold[3] = {1.0f, 0.44f, 0.09f}, kWhite[3] = {1.0f, 0.70f, 0.34f};
  const int top = std::max(tile.top_px, middle_y_ + ring_top_),
            bottom = std::min(tile.top_px + kTile_px, middle_y_ - ring_top_);
  for (int y = top; y < bottom; ++y) {
    const RingRow& row = ring_rows_[static_cast<std::size_t>(y - middle_y_ - ring_top_)];
    const auto part = [&](int from, int to, const Glow* first) {
      const int left = std::max(tile.left_px, middle_x_ + from),
                right = std::min(tile.left_px + kTile_px, middle_x_ + to);
      const Glow* glow = first + (left - middle_x_ - from);
      u16* pixel = tile.pixels + ((y - tile.top_px) * kTile_px + left - tile.left_px) * 4;
      for (int x = left; x < right; ++x, ++glow, pixel += 4) {
        const AngleLight& light = angle_light_[glow->angle];
        const float gold = static_cast<float>(glow->gold) * light.line + static_cast<float>(glow->soft) * light.soft;
        const float white = static_cast<float>(glow->white) * light.line;
        for (int c = 0; c < 3; ++c) {
          const int made = static_cast<int>(kGold[c] * gold + kWhite[c] * white + 0.5f);
          pixel[c] = static_cast<u16>(std::clamp(pixel[c] + made, 0, 65535));
        }
      }
    };
    const Glow* first = ring_.data() + row.first;
    part(-row.outer, -row.inner, first);
    part(row.inner, row.outer, first + (row.outer - row.inner));
  }
}

RuneMasks::Box RuneMasks::box(int part) const {
  if (part == kRing && glows_) {
    return {middle_x_ + ring_top_, middle_y_ + ring_top_, middle_x_ - ring_top_, middle_y_ - ring_top_};
  }
  if (part >= burning_) return {};
  const Mask& mask = masks_[static_cast<std::size_t>(part)];
  const int left = middle_x_ + mask.left, top = middle_y_ + mask.top;
  return {left, top, left + mask.width, top + mask.height};
}

bool RuneMasks::touches(int part, int left_px, int top_px) const {
  const Box own = box(part);
  if (left_px >= own.right || top_px >= own.bottom || left_px + kTile_px <= own.left || top_px + kTile_px <= own.top)
    return false;
  if (part != kRing) return true;
  // From the arena's middle to the square's farthest corner: within the ring there is nothing.
  const auto far = [](int from, int middle) {
    return static_cast<float>(std::max(std::abs(from - middle), std::abs(from + kTile_px - middle)) + 1);
  };
  return std::hypot(far(left_px, middle_x_), far(top_px, middle_y_)) > kRingInner * px_per_unit_;
}

void RuneMasks::add(int part, const TileCanvas& tile) const {
  if (part == kRing)
    add_ring(tile);
  else
    add_rune(part, tile);
}

void RuneMasks::add_rune(int rune, const TileCanvas& tile) const {
  const Box own = box(rune);
  const Mask& mask = masks_[static_cast<std::size_t>(rune)];
  const Fire& fire = fires_[static_cast<std::size_t>(rune)];
  const int left = std::max(own.left, tile.left_px), right = std::min(own.right, tile.left_px + kTile_px);
  const int top = std::max(own.top, tile.top_px), bottom = std::min(own.bottom, tile.top_px + kTile_px);
  for (int y = top; y < bottom; ++y) {
    const Texel* texel = mask.texels.data() + static_cast<std::ptrdiff_t>(y - own.top) * mask.width + (left - own.left);
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
