#include "render/cpu/decal_painter.hpp"

#include <algorithm>
#include <cmath>

namespace spellpool::render {
namespace {

constexpr int kSheetWidth = kDecalSide * kDecalLooks;
constexpr float kTurn = 6.2831853f;
constexpr float kBytesPerPixel = 2.5f;
/// Pixels of masks that one frame makes.
constexpr int kMostMade_px = 30'000;
constexpr int kMostSide_px = 1024;
constexpr std::size_t kMostMasks = 2 * frame::kMostDecals;
/// Zeros around the rows of a mask, as MarkJob wants them.
constexpr int kBefore = 4, kAfter = 20;
/// A mask that lies this near to whole pixels from its mark is good for it.
constexpr float kSamePlace_px = 1.0f / 32.0f;
/// Embers below this are not seen: a half of a tile's unit of light.
constexpr float kLeastGlow = 0.5f / kLightOne;

/// Both bytes of a texel, 32 bits apart; mixed they get eight bits more each time.
u64 spread(u16 texel) { return (texel & 0xFFu) | u64{texel & 0xFF00u} << 24; }
u64 mixed(u64 a, u64 b, u32 part) { return a * (256u - part) + b * part; }

}  // namespace

void DecalPainter::set_sheet(std::vector<u16> texels) {
  texels_ = std::move(texels);
  placed_.reserve(frame::kMostDecals);
}

void DecalPainter::begin_picture(const View& view, std::span<const frame::DecalInstance> decals, bool keeps) {
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
    placed.shown = std::min(decal.shown, 1.0f);
    placed.cover = static_cast<u32>(placed.shown * (65535.0f / 255.0f) + 0.5f);
    const float glow[3] = {decal.glow_r, decal.glow_g, decal.glow_b};
    for (int c = 0; c < 3; ++c) {
      placed.light[c] = std::clamp(glow[c], 0.0f, 15.0f);
      placed.glow[c] =
          static_cast<u32>(std::clamp(glow[c], 0.0f, 16.0f) * placed.shown * kLightOne * (256.0f / 255.0f) + 0.5f);
    }
    placed.cell = texels_.data() + static_cast<std::ptrdiff_t>(decal.look) * kDecalSide;
  }
  if (keeps) find_masks(view, decals);
}

// ---------------------------------------------------------------------------------------------------- masks

/// Those that there are; then, of the others, as many as a frame may make.
void DecalPainter::find_masks(const View& view, std::span<const frame::DecalInstance> decals) {
  const std::size_t room = static_cast<std::size_t>(kBytesPerPixel * view.width_px * view.height_px);
  if (bytes_.size() != room || px_per_unit_ != view.px_per_unit()) {
    bytes_.resize(room);
    px_per_unit_ = view.px_per_unit();
    masks_.clear();
    masks_.reserve(kMostMasks + frame::kMostDecals);
    next_ = 0;
  }
  // Those of marks that have gone.
  if (masks_.size() >= kMostMasks) std::erase_if(masks_, [&](const Mask& mask) { return mask.used != picture_; });
  ++picture_;
  std::size_t expected = 0;  // Marks keep their order.
  for (std::size_t i = 0; i < decals.size(); ++i) {
    placed_[i].mask = find(decals[i], placed_[i], expected);
    if (placed_[i].mask < 0) continue;
    masks_[static_cast<std::size_t>(placed_[i].mask)].used = picture_;
    expected = static_cast<std::size_t>(placed_[i].mask) + 1;
  }
  int made_px = 0;
  for (std::size_t i = 0; i < decals.size() && made_px < kMostMade_px; ++i) {
    if (placed_[i].mask >= 0 || !make_mask(decals[i], placed_[i])) continue;
    made_px += (placed_[i].box.right - placed_[i].box.left) * (placed_[i].box.bottom - placed_[i].box.top);
  }
  // Making one may have moved others in the list.
  const bool moved = made_px > 0;
  expected = 0;
  for (std::size_t i = 0; i < decals.size(); ++i) {
    Placed& placed = placed_[i];
    if (moved) placed.mask = find(decals[i], placed, expected);
    if (placed.mask < 0) continue;
    expected = static_cast<std::size_t>(placed.mask) + 1;
    const Mask& mask = masks_[static_cast<std::size_t>(placed.mask)];
    placed.mask_x = mask.box.left + static_cast<int>(std::lround(placed.x - mask.x));
    placed.mask_y = mask.box.top + static_cast<int>(std::lround(placed.y - mask.y));
  }
}

int DecalPainter::find(const frame::DecalInstance& decal, const Placed& placed, std::size_t from) const {
  for (std::size_t n = 0; n < masks_.size(); ++n) {
    const std::size_t i = (from + n) % masks_.size();
    const Mask& mask = masks_[i];
    const frame::DecalInstance& of = mask.of;
    if (of.x != decal.x || of.y != decal.y || of.radius != decal.radius || of.look != decal.look ||
        of.turn != decal.turn)
      continue;
    const float dx = placed.x - mask.x, dy = placed.y - mask.y;
    if (std::fabs(dx - std::round(dx)) > kSamePlace_px || std::fabs(dy - std::round(dy)) > kSamePlace_px) continue;
    return static_cast<int>(i);
  }
  return -1;
}

bool DecalPainter::make_mask(const frame::DecalInstance& decal, const Placed& placed) {
  Mask mask;
  mask.of = decal;
  mask.x = placed.x;
  mask.y = placed.y;
  mask.box = placed.box;
  mask.used = picture_;
  const int width = placed.box.right - placed.box.left, height = placed.box.bottom - placed.box.top;
  mask.stride = kBefore + width + kAfter;
  mask.bytes = static_cast<std::size_t>(mask.stride) * static_cast<std::size_t>(height);
  const std::size_t wanted = 2 * mask.bytes;
  if (width > kMostSide_px || height > kMostSide_px || wanted > bytes_.size()) return false;
  const std::size_t first = next_ + wanted > bytes_.size() ? 0 : next_;
  const auto overlaps = [&](const Mask& other) {
    return other.first < first + wanted && first < other.first + 2 * other.bytes;
  };
  const auto in_use = [&](const Mask& other) { return other.used == picture_ && overlaps(other); };
  if (std::any_of(masks_.begin(), masks_.end(), in_use)) return false;
  std::erase_if(masks_, overlaps);
  mask.first = first;
  next_ = first + wanted;
  u8* const cover = bytes_.data() + first;
  u8* const hot = cover + mask.bytes;
  std::fill_n(cover, wanted, u8{0});
  for (int y = 0; y < height; ++y) {
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(y) * mask.stride + kBefore;
    sample_row(placed, placed.box.top + y, placed.box.left, placed.box.right, [&](int x, u64 mark) {
      constexpr u32 kHalf = 0x8000u;
      cover[row + x] = static_cast<u8>(((mark & 0xFFFFFFFFu) + kHalf) >> 16);
      hot[row + x] = static_cast<u8>(((mark >> 32) + kHalf) >> 16);
      mask.hot = mask.hot || hot[row + x] != 0;
    });
  }
  masks_.push_back(mask);
  return true;
}

// ---------------------------------------------------------------------------------------------------- pixels

/// use(x − from, mark) for the pixels from … to of a row where a mark is: 24 bits of cover, and 24 of heat from bit
/// 32 on.
template <class Use>
void DecalPainter::sample_row(const Placed& p, int row, int from, int to, Use&& use) {
  const float dy = static_cast<float>(row) + 0.5f - p.y, half2 = p.radius * p.radius - dy * dy;
  if (half2 <= 0.0f) return;
  // Within the circle, beyond which a cell is empty.
  const float half = std::sqrt(half2);
  const int left = std::max({p.box.left, from, static_cast<int>(std::ceil(p.x - half - 0.5f))});
  const int right = std::min({p.box.right, to, static_cast<int>(std::floor(p.x + half - 0.5f)) + 1});
  if (left >= right) return;
  const float dx = static_cast<float>(left) + 0.5f - p.x, middle = 0.5f * kDecalSide - 0.5f;
  i32 s = static_cast<i32>((middle + p.cos_texels * dx + p.sin_texels * dy) * 65536.0f);
  i32 t = static_cast<i32>((middle - p.sin_texels * dx + p.cos_texels * dy) * 65536.0f);
  for (int x = left; x < right; ++x, s += p.right_s, t += p.right_t) {
    const i32 i = s >> 16, j = t >> 16;
    if (i < 0 || j < 0 || i > kDecalSide - 2 || j > kDecalSide - 2) continue;
    const u16* texel = p.cell + static_cast<std::ptrdiff_t>(j) * kSheetWidth + i;
    if ((texel[0] | texel[1] | texel[kSheetWidth] | texel[kSheetWidth + 1]) == 0) continue;
    const u32 across = static_cast<u32>(s) >> 8 & 255u, down = static_cast<u32>(t) >> 8 & 255u;
    use(x - from, mixed(mixed(spread(texel[0]), spread(texel[1]), across),
                        mixed(spread(texel[kSheetWidth]), spread(texel[kSheetWidth + 1]), across), down));
  }
}

void DecalPainter::lay(std::size_t decal, const TileCanvas& tile, const CpuKernels& kernels) const {
  const Placed& p = placed_[decal];
  const int top = std::max(p.box.top, tile.top_px), bottom = std::min(p.box.bottom, tile.top_px + kTile_px);
  if (p.mask >= 0) {
    const Mask& mask = masks_[static_cast<std::size_t>(p.mask)];
    const int width = mask.box.right - mask.box.left, height = mask.box.bottom - mask.box.top;
    MarkJob job;
    job.tile = tile.pixels;
    job.left = std::max(p.mask_x - tile.left_px, 0);
    job.right = std::min(p.mask_x + width - tile.left_px, kTile_px);
    job.top = std::max(p.mask_y - tile.top_px, 0);
    job.bottom = std::min(p.mask_y + height - tile.top_px, kTile_px);
    job.cover = bytes_.data() + mask.first + kBefore;
    job.hot = mask.hot && p.light[0] + p.light[1] + p.light[2] > kLeastGlow ? job.cover + mask.bytes : nullptr;
    job.stride = mask.stride;
    job.from_x = tile.left_px - p.mask_x;
    job.from_y = tile.top_px - p.mask_y;
    job.shown = p.shown;
    std::copy(std::begin(p.light), std::end(p.light), std::begin(job.glow));
    if (job.left < job.right) kernels.lay_mark(job);
    return;
  }
  for (int row = top; row < bottom; ++row) {
    u16* const first = tile.pixels + (row - tile.top_px) * kTile_px * 4;
    sample_row(p, row, tile.left_px, tile.left_px + kTile_px, [&](int x, u64 mark) {
      u16* const pixel = first + x * 4;
      const u32 cover = static_cast<u32>((mark & 0xFFFFFFFFu) * p.cover >> 16), hot = static_cast<u32>(mark >> 40);
      for (int c = 0; c < 3; ++c) {
        const u32 light = pixel[c] - (pixel[c] * cover >> 16) + (hot * p.glow[c] >> 16);
        pixel[c] = static_cast<u16>(std::min(light, 65535u));
      }
      const u32 covered = pixel[3];
      pixel[3] = static_cast<u16>(
          covered + ((static_cast<u32>(kCoverOne) - std::min(covered, static_cast<u32>(kCoverOne))) * cover >> 16));
    });
  }
}

}  // namespace spellpool::render
