#include "render/figure_images.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace spellpool::render {
namespace {

using frame::SpriteInstance;
using frame::SpriteKind;

/// Of a figure's state, which runs from 0 to 1: a dummy sways by 0.06 pixels, a flash is 1 % brighter.
constexpr float kSameState = 0.01f;
/// Of a pixel.
constexpr float kSamePlace_px = 1.0f / 32.0f;
/// Parts of the light, and of its direction, that are not seen: less than a display level on a figure's
/// brightest spot.
constexpr float kSameLight = 0.02f, kLeastLight = 0.0005f, kSameDirection = 0.03f;
/// The figure of the last picture that is taken for this one: of its kind, near, of about its size and tint.
constexpr float kNear_units = 80.0f, kLikeSize = 0.25f, kLikeTint = 0.08f;
/// Pixels of figures that one picture draws, and of a figure that is drawn with half the pixels each way if it is
/// soft: parts of a picture.
constexpr float kBudget = 0.15f, kLarge = 0.08f;
/// A change of its state that the player waits for: a hit.
constexpr float kHit = 0.25f;
constexpr u64 kNewRank = u64{1} << 32, kHitRank = kNewRank - 1;
/// Room in the lists.
constexpr std::size_t kMostFigures = 4096;

bool is(u32 kind, SpriteKind one) { return kind == static_cast<u32>(one); }
/// All light, without an edge.
bool soft(u32 kind) {
  return is(kind, SpriteKind::NovaRing) || is(kind, SpriteKind::ShockRing) || is(kind, SpriteKind::Aura) ||
         is(kind, SpriteKind::VortexCore) || is(kind, SpriteKind::Pillar) || is(kind, SpriteKind::Mark);
}
/// Pictures from one image of a figure to the next: what grows fast, and whom the player steers, changes with each.
u64 pictures_between(u32 kind) {
  switch (static_cast<SpriteKind>(kind)) {
    case SpriteKind::NovaRing:
    case SpriteKind::ShockRing:
    case SpriteKind::Mage:
    case SpriteKind::Reticle:
    case SpriteKind::Ship:
    case SpriteKind::Hitbox:
      return 1;
    case SpriteKind::Wisp:
    case SpriteKind::Aura:
    case SpriteKind::Star:
    case SpriteKind::VortexCore:
      return 3;
    default:
      return 2;
  }
}

bool near(float a, float b, float most) { return std::fabs(a - b) <= most; }

/// Whether a figure looks as it did, but for where it stands.
bool looks_like(const SeenFigure& now, const SeenFigure& then) {
  const SpriteInstance &a = now.sprite, &b = then.sprite;
  const auto light = [](float x, float y) { return near(x, y, kSameLight * std::max(x, y) + kLeastLight); };
  return a.size == b.size && a.angle_turns == b.angle_turns && near(a.p0, b.p0, kSameState) &&
         near(a.p1, b.p1, kSameState) && near(a.p2, b.p2, kSameState) && near(a.r, b.r, kSameState) &&
         near(a.g, b.g, kSameState) && near(a.b, b.b, kSameState) && light(now.light.r, then.light.r) &&
         light(now.light.g, then.light.g) && light(now.light.b, then.light.b) &&
         near(now.light.towards_x, then.light.towards_x, kSameDirection) &&
         near(now.light.towards_y, then.light.towards_y, kSameDirection);
}

/// Whole pixels from where a figure was drawn to where it is.
Point moved_px(const SeenFigure& now, const SeenFigure& then) {
  return {std::round(now.screen.x - then.screen.x), std::round(now.screen.y - then.screen.y)};
}

bool stands(const SeenFigure& now, const SeenFigure& then) {
  const Point moved = moved_px(now, then);
  return near(now.screen.x - then.screen.x, moved.x, kSamePlace_px) &&
         near(now.screen.y - then.screen.y, moved.y, kSamePlace_px);
}

u64 bits(int count) { return count >= 64 ? ~u64{0} : (u64{1} << count) - 1; }

}  // namespace

void FigureImages::set(frame::FigureStore store, frame::FigurePolicy policy) {
  is_sized_ = is_sized_ && store == store_;
  store_ = store;
  policy_ = policy;
}

void FigureImages::set_capacity(float pictures) {
  if (pictures == capacity_pictures_) return;
  capacity_pictures_ = pictures;
  is_sized_ = false;
}

u32 FigureImages::live() const {
  return static_cast<u32>(
      std::count_if(images_.begin(), images_.end(), [](const Image& image) { return image.ready || image.pending; }));
}

frame::FigurePoolView FigureImages::stats() const {
  constexpr u64 kPixels = kBlock_px * kBlock_px;
  frame::FigurePoolView view = counters_;
  view.live = live();
  view.live_px = static_cast<u64>(used_blocks_) * kPixels;
  view.capacity_px = static_cast<u64>(width_ * height_) * kPixels;
  return view;
}

void FigureImages::reset_counts() {
  counters_ = {};
  counters_.peak = live();
  counters_.peak_px = static_cast<u64>(used_blocks_) * kBlock_px * kBlock_px;
}

void FigureImages::forget() {
  for (Image& image : images_) image = {};
  retired_.clear();
  used_blocks_ = 0;
  std::fill(free_.begin(), free_.end(), bits(width_));
  fresh_ = true;
}

void FigureImages::resize(const View& view) {
  constexpr int kWidestBlocks = 64, kMostRows = 128;
  const auto blocks = [](float px) { return static_cast<int>(std::ceil(px / kBlock_px)); };
  width_ = std::clamp(blocks(view.width_px), 16, kWidestBlocks);
  height_ =
      std::clamp(blocks(capacity_pictures_ * view.width_px * view.height_px / static_cast<float>(width_ * kBlock_px)),
                 1, kMostRows);
  sheet_ = {};
  pixels_ = {};
  if (store_ == frame::FigureStore::Pool) {
    bool complete = true;
    sheet_ = make_target(PixelFormat::Rgba16f, width_ * kBlock_px, height_ * kBlock_px, Filter::Nearest, complete);
    pixels_.resize(static_cast<std::size_t>(width_ * height_) * kBlock_px * kBlock_px * 4);
    ++counters_.made;
  }
  is_sized_ = true;
  free_.resize(static_cast<std::size_t>(height_));
  wanted_.reserve(kMostImages);
  image_of_.reserve(kMostFigures);
  direct_.reserve(kMostFigures);
  reads_.reserve(kMostImages);
  placed_.reserve(2 * kMostImages);
  draws_.reserve(kMostImages);
  retired_.reserve(2 * kMostImages);
  forget();
}

// ---------------------------------------------------------------------------------------------- the sheet's blocks

void FigureImages::set_free(const Blocks& blocks, bool free) {
  const u64 mask = bits(blocks.width) << blocks.x;
  for (int y = blocks.y; y < blocks.y + blocks.height; ++y) {
    u64& row = free_[static_cast<std::size_t>(y)];
    row = free ? row | mask : row & ~mask;
  }
}

/// The first place, from the top, that is free for it.
bool FigureImages::allocate_in_sheet(Blocks& blocks) {
  for (int y = 0; y + blocks.height <= height_; ++y) {
    u64 starts = ~u64{0};
    for (int i = 0; i < blocks.height; ++i) starts &= free_[static_cast<std::size_t>(y + i)];
    u64 run = starts;
    for (int i = 1; i < blocks.width && run != 0; ++i) run &= starts >> i;
    if (run == 0) continue;
    blocks.x = std::countr_zero(run);
    blocks.y = y;
    if (blocks.x + blocks.width > width_) continue;
    set_free(blocks, false);
    return true;
  }
  return false;
}

bool FigureImages::make_surface(Shot& shot) {
  if (used_blocks_ + shot.blocks.count() > width_ * height_) return false;
  const int width = shot.blocks.width * kBlock_px, height = shot.blocks.height * kBlock_px;
  shot.surface = std::make_shared<Surface>();
  bool complete = true;
  shot.surface->target = make_target(PixelFormat::Rgba16f, width, height, Filter::Nearest, complete);
  shot.surface->pixels.resize(static_cast<std::size_t>(width * height) * 4);
  ++counters_.made;
  return true;
}

bool FigureImages::allocate(Shot& shot) {
  if (!(store_ == frame::FigureStore::Pool ? allocate_in_sheet(shot.blocks) : make_surface(shot))) return false;
  used_blocks_ += shot.blocks.count();
  ++counters_.spawned;
  return true;
}

void FigureImages::release(Shot& shot) {
  if (store_ == frame::FigureStore::Pool) set_free(shot.blocks, true);
  used_blocks_ -= shot.blocks.count();
  if (shot.surface) retired_.push_back(std::move(shot.surface));
  shot.surface = {};
}

void FigureImages::release(Image& image) {
  if (image.pending && !(image.ready && image.next.same_place(image.now))) release(image.next);
  if (image.ready) release(image.now);
  image = {};
}

/// What a picture shows of it stays until the next one begins.
void FigureImages::give_up(Image& image) {
  release(image.now);
  image.ready = false;
}

void FigureImages::steal(Image& from) {
  give_up(from);
  ++counters_.stolen;
}

/// No image that OpenGL draws is stolen, and none for its own figure.
bool FigureImages::may_steal(const Image& from, const Image& image) const {
  return policy_ != frame::FigurePolicy::Reject && &from != &image && from.ready && !from.pending;
}

/// Room for `shot` of `image`, by the policy if there is none. The image's own pixels are free for it.
bool FigureImages::make_room(Shot& shot, Image& image) {
  if (allocate(shot)) return true;
  if (searches_ == 0 || shot.blocks.width > width_ || shot.blocks.height > height_) return false;
  --searches_;
  return store_ == frame::FigureStore::Pool ? make_room_in_sheet(shot, image) : make_room_for_surface(shot, image);
}

/// Of all places, the one whose images cost least, or of which the last was drawn longest ago.
bool FigureImages::make_room_in_sheet(Shot& shot, Image& image) {
  const bool least = policy_ == frame::FigurePolicy::StealLeast;
  u64 best = least ? shot.cost_px() : picture_;
  Blocks at = shot.blocks, found;
  for (at.y = 0; at.y + at.height <= height_; ++at.y) {
    for (at.x = 0; at.x + at.width <= width_; ++at.x) {
      u64 key = 0;
      for (const Image& other : images_) {
        const bool meets =
            (other.ready && other.now.blocks.meets(at)) || (other.pending && other.next.blocks.meets(at));
        if (!meets || &other == &image) continue;
        if (!may_steal(other, image)) key = best;
        else key = least ? key + other.now.cost_px() : std::max(key, other.now.made);
        if (key >= best) break;
      }
      if (key >= best) continue;
      best = key;
      found = at;
    }
  }
  if (found.width == 0) return false;
  if (image.ready && image.now.blocks.meets(found)) give_up(image);
  for (Image& other : images_) {
    if (may_steal(other, image) && other.now.blocks.meets(found)) steal(other);
  }
  shot.blocks = found;
  set_free(found, false);
  used_blocks_ += found.count();
  ++counters_.spawned;
  return true;
}

bool FigureImages::make_room_for_surface(Shot& shot, Image& image) {
  const bool least = policy_ == frame::FigurePolicy::StealLeast;
  const auto key = [&](int i) {
    const Shot& of = images_[static_cast<std::size_t>(i)].now;
    return least ? of.cost_px() : of.made;
  };
  std::array<int, kMostImages> from;
  std::size_t count = 0, stolen = 0;
  for (int i = 0; i < kMostImages; ++i) {
    if (may_steal(images_[static_cast<std::size_t>(i)], image)) from[count++] = i;
  }
  std::sort(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(count),
            [&](int a, int b) { return key(a) < key(b); });
  int lacking = used_blocks_ + shot.blocks.count() - width_ * height_ - (image.ready ? image.now.blocks.count() : 0);
  u64 cost_px = 0;
  for (; lacking > 0 && stolen < count; ++stolen) {
    const Shot& of = images_[static_cast<std::size_t>(from[stolen])].now;
    lacking -= of.blocks.count();
    cost_px += of.cost_px();
  }
  if (lacking > 0 || (least && stolen > 0 && cost_px >= shot.cost_px())) return false;
  if (image.ready) give_up(image);
  for (std::size_t i = 0; i < stolen; ++i) steal(images_[static_cast<std::size_t>(from[i])]);
  return allocate(shot);
}

/// Its first pixel, and the step from row to row.
const u16* FigureImages::pixels_of(const Shot& shot, int& stride_px) const {
  if (shot.surface) {
    stride_px = shot.blocks.width * kBlock_px;
    return shot.surface->pixels.data();
  }
  stride_px = width_ * kBlock_px;
  return pixels_.data() + static_cast<std::size_t>((shot.blocks.y * stride_px + shot.blocks.x) * kBlock_px) * 4;
}

// ---------------------------------------------------------------------------------------------- one picture

std::span<const FigureImages::Read> FigureImages::to_read() {
  reads_.clear();
  for (int i = 0; i < kMostImages; ++i) {
    Image& image = images_[static_cast<std::size_t>(i)];
    if (!image.pending || image.requested) continue;
    const Shot& shot = image.next;
    Read read;
    read.framebuffer = shot.surface ? shot.surface->target.framebuffer.get() : sheet_.framebuffer.get();
    read.x = shot.blocks.x * kBlock_px;
    read.y = shot.blocks.y * kBlock_px;
    read.width = (shot.width + 3) / 4 * 4;
    read.height = shot.height;
    read.pixels = const_cast<u16*>(pixels_of(shot, read.stride_px));
    read.image = i;
    read.made = shot.made;
    reads_.push_back(read);
  }
  return reads_;
}

void FigureImages::set_requested() {
  for (Image& image : images_) image.requested = image.pending;
}

bool FigureImages::awaits(const Read& read) const {
  const Image& image = images_[static_cast<std::size_t>(read.image)];
  return image.requested && image.next.made == read.made;
}

void FigureImages::set_read(const Read& read, int left, int top, int right, int bottom) {
  Image& image = images_[static_cast<std::size_t>(read.image)];
  if (image.ready && !image.next.same_place(image.now)) release(image.now);
  image.now = std::move(image.next);
  image.next = {};
  image.ready = true;
  image.pending = image.requested = false;
  image.kept_left = left;
  image.kept_top = top;
  image.kept_right = std::min(right, image.now.width);
  image.kept_bottom = bottom;
}

FigureImages::Shot FigureImages::shot_of(const SeenFigure& figure) const {
  Shot shot;
  shot.figure = figure;
  shot.made = picture_;
  // What lies beyond the picture is not drawn.
  constexpr float kSpare_px = 2.0f;
  const auto cut = [](float px, float end) { return static_cast<int>(std::clamp(std::floor(px), 0.0f, end)); };
  const float wide = view_.width_px, high = view_.height_px;
  int left = cut(figure.screen.x + figure.box.left - kSpare_px, wide);
  int right = cut(figure.screen.x + figure.box.right + kSpare_px + 1.0f, wide);
  int top = cut(figure.screen.y + figure.box.top - kSpare_px, high);
  int bottom = cut(figure.screen.y + figure.box.bottom + kSpare_px + 1.0f, high);
  shot.halved = soft(figure.sprite.kind) && static_cast<float>((right - left) * (bottom - top)) > kLarge * wide * high;
  if (shot.halved) {
    // OpenGL counts rows from below: whole pairs of pixels there.
    left -= left % 2;
    bottom += (static_cast<int>(high) - bottom) % 2;
    right += (right - left) % 2;
    top -= (bottom - top) % 2;
  }
  const int part = shot.halved ? 2 : 1;
  shot.left = left;
  shot.top = top;
  shot.width = (right - left) / part;
  shot.height = (bottom - top) / part;
  shot.blocks.width = (shot.width + kBlock_px - 1) / kBlock_px;
  shot.blocks.height = (shot.height + kBlock_px - 1) / kBlock_px;
  return shot;
}

/// The nearest of the images that may be this figure's and that no other figure of the picture has. −1: none.
int FigureImages::find(const SeenFigure& figure) const {
  const SpriteInstance& sprite = figure.sprite;
  int nearest = -1;
  float least = kNear_units * kNear_units;
  for (int i = 0; i < kMostImages; ++i) {
    const Image& image = images_[static_cast<std::size_t>(i)];
    if (!image.taken || image.used == picture_) continue;
    const SpriteInstance& other = (image.pending && !image.ready ? image.next : image.now).figure.sprite;
    if (other.kind != sprite.kind || !near(sprite.size, other.size, kLikeSize * other.size) ||
        !near(sprite.r, other.r, kLikeTint) || !near(sprite.g, other.g, kLikeTint) ||
        !near(sprite.b, other.b, kLikeTint)) {
      continue;
    }
    const float dx = figure.place.x - image.seen.x, dy = figure.place.y - image.seen.y, far = dx * dx + dy * dy;
    if (far >= least) continue;
    least = far;
    nearest = i;
  }
  return nearest;
}

int FigureImages::take() {
  for (int i = 0; i < kMostImages; ++i) {
    Image& image = images_[static_cast<std::size_t>(i)];
    if (image.taken) continue;
    image = {};
    image.taken = true;
    return i;
  }
  return -1;
}

/// It was drawn where the picture's edge cuts it, and stands elsewhere now.
bool FigureImages::comes_in(const SeenFigure& now, const Shot& shot) const {
  const SeenFigure& then = shot.figure;
  const bool cut = then.screen.x + then.box.left < 0 || then.screen.y + then.box.top < 0 ||
                   then.screen.x + then.box.right > view_.width_px || then.screen.y + then.box.bottom > view_.height_px;
  const Point moved = moved_px(now, then);
  return cut && (moved.x != 0 || moved.y != 0);
}

void FigureImages::place(const Image& image, const SeenFigure& figure) {
  if (image.kept_left >= image.kept_right || image.kept_top >= image.kept_bottom) return;
  const Shot& shot = image.now;
  const Point moved = moved_px(figure, shot.figure);
  const int part = shot.halved ? 2 : 1;
  PlacedFigure placed;
  const u16* pixels = pixels_of(shot, placed.stride_px);
  placed.halved = shot.halved;
  placed.from_x = shot.left + static_cast<int>(moved.x);
  placed.from_y = shot.top + static_cast<int>(moved.y);
  // A halved image's pixels reach into their neighbours.
  const int spill = shot.halved ? 1 : 0;
  placed.left = placed.from_x + image.kept_left * part - spill;
  placed.top = placed.from_y + image.kept_top * part - spill;
  placed.right = placed.from_x + image.kept_right * part + spill;
  placed.bottom = placed.from_y + image.kept_bottom * part + spill;
  const int first_x = shot.halved ? 0 : image.kept_left, first_y = shot.halved ? 0 : image.kept_top;
  placed.pixels = pixels + static_cast<std::ptrdiff_t>(first_y * placed.stride_px + first_x) * 4;
  placed.width = shot.width;
  placed.height = shot.height;
  if (shot.halved) {
    placed.left = std::max(placed.left, placed.from_x);
    placed.top = std::max(placed.top, placed.from_y);
    placed.right = std::min(placed.right, placed.from_x + 2 * shot.width);
    placed.bottom = std::min(placed.bottom, placed.from_y + 2 * shot.height);
  }
  placed_.push_back(placed);
  if (!shot.halved) extend(placed, image, static_cast<int>(moved.y));
}

/// A figure that was cut at the picture's upper or lower edge and has come in since: the rows that are not known yet
/// look like the last one that is. Of a star that falls these are a few rows of its glow.
void FigureImages::extend(const PlacedFigure& placed, const Image& image, int moved_y) {
  const Shot& shot = image.now;
  const SeenFigure& then = shot.figure;
  PlacedFigure rows = placed;
  rows.stride_px = 0;
  const int above = std::min(moved_y, static_cast<int>(std::ceil(-then.screen.y - then.box.top)));
  if (shot.top == 0 && image.kept_top == 0 && above > 0) {
    rows.top = placed.top - above;
    rows.bottom = placed.top;
    placed_.push_back(rows);
  }
  const float high = view_.height_px;
  const int below = std::min(-moved_y, static_cast<int>(std::ceil(then.screen.y + then.box.bottom - high)));
  if (shot.top + shot.height == static_cast<int>(high) && image.kept_bottom == shot.height && below > 0) {
    rows.pixels =
        placed.pixels + static_cast<std::ptrdiff_t>(image.kept_bottom - image.kept_top - 1) * placed.stride_px * 4;
    rows.top = placed.bottom;
    rows.bottom = placed.bottom + below;
    placed_.push_back(rows);
  }
}

void FigureImages::fit(const View& view) {
  const bool other = !is_sized_ || view.width_px != view_.width_px || view.height_px != view_.height_px;
  view_ = view;
  if (other) resize(view);
}

void FigureImages::plan(std::span<const SeenFigure> figures, bool may_draw) {
  may_draw = may_draw || fresh_;  // a first picture shows all, and waits for it
  constexpr int kMostSearches = 4;  // Each looks at all places and images.
  searches_ = kMostSearches;
  ++picture_;
  ++counters_.pictures;
  retired_.clear();
  placed_.clear();
  draws_.clear();
  direct_.clear();
  wanted_.clear();
  image_of_.assign(figures.size(), -1);
  for (std::size_t i = 0; i < figures.size(); ++i) {
    if (!keeps(figures[i].sprite.kind)) continue;
    const int found = find(figures[i]);
    image_of_[i] = found;
    if (found < 0) continue;
    Image& image = images_[static_cast<std::size_t>(found)];
    image.used = picture_;
    image.seen = figures[i].place;
  }
  for (Image& image : images_) {
    if (image.taken && image.used != picture_) release(image);
  }
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const SeenFigure& figure = figures[i];
    int& at = image_of_[i];
    if (at < 0 && keeps(figure.sprite.kind)) at = take();
    if (at < 0) {
      if (keeps(figure.sprite.kind)) ++counters_.rejected;
      direct_.push_back(i);
      continue;
    }
    Image& image = images_[static_cast<std::size_t>(at)];
    image.used = picture_;
    image.seen = figure.place;
    if (image.ready) {
      place(image, figure);
      image.shown = true;
    } else {
      if (image.shown) direct_.push_back(i);
      if (!image.pending) image.now.figure = figure;  // to find it by
    }
    if (image.pending || !may_draw) continue;
    if (image.ready) {
      const u64 age = picture_ - image.now.made;
      const bool hit = std::fabs(figure.sprite.p0 - image.now.figure.sprite.p0) > kHit && !soft(figure.sprite.kind);
      const bool enters = comes_in(figure, image.now);
      const u64 between = hit || enters ? 1 : pictures_between(figure.sprite.kind);
      if (age < between || (!enters && looks_like(figure, image.now.figure) && stands(figure, image.now.figure)))
        continue;
      wanted_.push_back({hit ? kHitRank : age * 6 / between, i, at});
    } else {
      wanted_.push_back({kNewRank, i, at});
    }
  }
  std::sort(wanted_.begin(), wanted_.end(),
            [](const Wanted& a, const Wanted& b) { return a.rank != b.rank ? a.rank > b.rank : a.figure < b.figure; });
  const float budget_px = kBudget * view_.width_px * view_.height_px;
  float drawn_px = 0;
  for (const Wanted& wanted : wanted_) {
    Image& image = images_[static_cast<std::size_t>(wanted.image)];
    Shot shot = shot_of(figures[wanted.figure]);
    const float px = static_cast<float>(shot.width * shot.height);
    const bool room = fresh_ || drawn_px == 0.0f || drawn_px + px <= budget_px;
    // OpenGL's rectangle may be the image's own: what is shown is the copy of it.
    const bool own = image.ready && image.now.blocks.same_size(shot.blocks);
    if (px <= 0.0f || !room) {
      if (image.ready || image.shown) continue;
      // There is none yet, and none is begun in this picture.
      image_of_[wanted.figure] = -1;
      image = {};
      continue;
    }
    if (own) {
      shot.blocks = image.now.blocks;
      shot.surface = image.now.surface;
    } else if (!make_room(shot, image)) {
      ++counters_.rejected;
      // An image of another size is not kept: it would show its figure as it was.
      if (image.ready) give_up(image);
      else if (!image.shown) direct_.push_back(wanted.figure);
      image.shown = true;
      continue;
    }
    drawn_px += px;
    image.next = std::move(shot);
    image.pending = true;
    const Shot& next = image.next;
    Draw draw;
    draw.target = next.surface ? &next.surface->target : &sheet_;
    draw.figure = wanted.figure;
    draw.x = next.blocks.x * kBlock_px;
    draw.y = next.blocks.y * kBlock_px;
    draw.width = next.blocks.width * kBlock_px;
    draw.height = next.blocks.height * kBlock_px;
    const int part = next.halved ? 2 : 1, wide = static_cast<int>(view_.width_px),
              high = static_cast<int>(view_.height_px);
    draw.viewport_x = draw.x - next.left / part;
    draw.viewport_y = draw.y - (high - next.top - next.height * part) / part;
    draw.viewport_width = wide / part;
    draw.viewport_height = high / part;
    draws_.push_back(draw);
  }
  std::sort(direct_.begin(), direct_.end());
  for (const std::size_t i : direct_) counters_.direct += keeps(figures[i].sprite.kind) ? 1 : 0;
  counters_.drawn_px += static_cast<u64>(drawn_px);
  counters_.peak = std::max(counters_.peak, live());
  counters_.peak_px = std::max(counters_.peak_px, static_cast<u64>(used_blocks_) * kBlock_px * kBlock_px);
}

void FigureImages::place_fresh(std::span<const SeenFigure> figures) {
  fresh_ = false;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const int at = image_of_[i];
    if (at < 0 || !images_[static_cast<std::size_t>(at)].ready) continue;
    place(images_[static_cast<std::size_t>(at)], figures[i]);
    images_[static_cast<std::size_t>(at)].shown = true;
  }
}

}  // namespace spellpool::render
