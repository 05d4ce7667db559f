#include "render/cpu/decal_painter.hpp"

#include <algorithm>
#include <cmath>

namespace spellpool::render {
namespace {

constexpr int kSheetWidth = kDecalSide * kDecalLooks;
constexpr float kTurn = 6.2831853f;

/// Both bytes of a texel, 32 bits apart; mixed they get eight bits more each time.
u64 spread(u16 texel) { return (texel & 0xFFu) | u64{texel & 0xFF00u} << 24; }
u64 mixed(u64 a, u64 b, u32 part) { return a * (256u - part) + b * part; }

}  // namespace

void DecalPainter::set_sheet(std::vector<u16> texels) {
  texels_ = std::move(texels);
  placed_.reserve(frame::kMostDecals);
}

void DecalPainter::begin_picture(const View& view, std::span<const frame::DecalInstance> decals) {
  placed_.clear();
  for (const frame::DecalInstance& decal : decals) {
    const Point middle = world_to_screen(view, {decal.x, decal.y});
    Placed& placed = placed_.emplace_back();
    placed.x = middle.x;
    placed.y = middle.y;
    placed.radius = std::min(decal.radius * view.px_per_unit(), 4096.0f);
    const auto pixel = [](float px) { return static_cast<int>(std::clamp(px, -16384.0f, 16384.0f)); };
    placed.box = {pixel(std::floor(middle.x - placed.radius)), pixel(std::floor(middle.y - placed.radius)),
                  pixel(std::ceil(middle.x + placed.radius)), pixel(std::ceil(middle.y + placed.radius))};
    const float angle = decal.turn * kTurn, per_px = 0.5f * kDecalSide / placed.radius;
    placed.cos_texels = std::cos(angle) * per_px;
    placed.sin_texels = std::sin(angle) * per_px;
    placed.right_s = static_cast<i32>(placed.cos_texels * 65536.0f);
    placed.right_t = static_cast<i32>(-placed.sin_texels * 65536.0f);
    const float shown = std::min(decal.shown, 1.0f);
    placed.cover = static_cast<u32>(shown * (65535.0f / 255.0f) + 0.5f);
    const float glow[3] = {decal.glow_r, decal.glow_g, decal.glow_b};
    for (int c = 0; c < 3; ++c) {
      placed.glow[c] =
          static_cast<u32>(std::clamp(glow[c], 0.0f, 16.0f) * shown * kLightOne * (256.0f / 255.0f) + 0.5f);
    }
    placed.cell = texels_.data() + static_cast<std::ptrdiff_t>(decal.look) * kDecalSide;
  }
}

void DecalPainter::lay(std::size_t decal, const TileCanvas& tile) const {
  const Placed& p = placed_[decal];
  const int top = std::max(p.box.top, tile.top_px), bottom = std::min(p.box.bottom, tile.top_px + kTile_px);
  for (int row = top; row < bottom; ++row) {
    const float dy = static_cast<float>(row) + 0.5f - p.y, half2 = p.radius * p.radius - dy * dy;
    if (half2 <= 0.0f) continue;
    // Within the circle, beyond which a cell is empty.
    const float half = std::sqrt(half2);
    const int left = std::max({p.box.left, tile.left_px, static_cast<int>(std::ceil(p.x - half - 0.5f))});
    const int right =
        std::min({p.box.right, tile.left_px + kTile_px, static_cast<int>(std::floor(p.x + half - 0.5f)) + 1});
    if (left >= right) continue;
    const float dx = static_cast<float>(left) + 0.5f - p.x, middle = 0.5f * kDecalSide - 0.5f;
    i32 s = static_cast<i32>((middle + p.cos_texels * dx + p.sin_texels * dy) * 65536.0f);
    i32 t = static_cast<i32>((middle - p.sin_texels * dx + p.cos_texels * dy) * 65536.0f);
    u16* pixel = tile.pixels + ((row - tile.top_px) * kTile_px + left - tile.left_px) * 4;
    for (int x = left; x < right; ++x, pixel += 4, s += p.right_s, t += p.right_t) {
      const i32 i = s >> 16, j = t >> 16;
      if (i < 0 || j < 0 || i > kDecalSide - 2 || j > kDecalSide - 2) continue;
      const u16* texel = p.cell + static_cast<std::ptrdiff_t>(j) * kSheetWidth + i;
      if ((texel[0] | texel[1] | texel[kSheetWidth] | texel[kSheetWidth + 1]) == 0) continue;
      const u32 across = static_cast<u32>(s) >> 8 & 255u, down = static_cast<u32>(t) >> 8 & 255u;
      const u64 mark = mixed(mixed(spread(texel[0]), spread(texel[1]), across),
                             mixed(spread(texel[kSheetWidth]), spread(texel[kSheetWidth + 1]), across), down);
      const u32 cover = static_cast<u32>((mark & 0xFFFFFFFFu) * p.cover >> 16), hot = static_cast<u32>(mark >> 40);
      for (int c = 0; c < 3; ++c) {
        const u32 light = pixel[c] - (pixel[c] * cover >> 16) + (hot * p.glow[c] >> 16);
        pixel[c] = static_cast<u16>(std::min(light, 65535u));
      }
      const u32 covered = pixel[3];
      pixel[3] = static_cast<u16>(
          covered + ((static_cast<u32>(kCoverOne) - std::min(covered, static_cast<u32>(kCoverOne))) * cover >> 16));
    }
  }
}

}  // namespace spellpool::render
