#pragma once
// The kernels of cpu_kernels.hpp over any set of lanes. Included by one file per set, which is compiled for it; so
// nothing here may call what is shared with other files and not inlined (no std, no inline functions of other headers),
// or a program for old processors could end up with a function that was compiled for new ones.
//
// Numbers. A mask is how much of its colour a particle gives to a pixel, in 1/16384, so 1.99 at most. A colour is
// multiplied by (mask · colour + 2^14) >> 15, so it stands in 1/4096 of light (2 × kLightOne) and may be 7.99. Of a
// star, whose rays cross, the mask is halved and the colour doubled.
#include "render/cpu/cpu_kernels.hpp"
#include "render/cpu/cpu_lanes.hpp"

namespace spellpool::render {

template <class L>
struct KernelsOf {
  using U16 = typename L::U16;
  using F32 = typename L::F32;
  using I32 = typename L::I32;
  using Particle = frame::ParticleInstance;
  using Shape = frame::ParticleShape;

  static constexpr float kMaskOne = 16384.0f;
  static constexpr float kColourOne = 2.0f * kLightOne;

  // ------------------------------------------------------------------------------------------- small tools
  static int least(int a, int b) { return a < b ? a : b; }
  static float least(float a, float b) { return a < b ? a : b; }
  static float most(float a, float b) { return a > b ? a : b; }
  static float size_of(float a) { return a < 0.0f ? -a : a; }
  /// Cut to low … high; no number becomes low. Written so that it is two instructions and no jump.
  static float cut(float x, float low, float high) {
    const float above = x > low ? x : low;
    return above < high ? above : high;
  }
  /// The first pixel of a tile whose middle lies beyond x, cut to the tile.
  static int pixel_after(float x) { return static_cast<int>(cut(x + 0.5f, 0.0f, static_cast<float>(kTile_px))); }
  alignas(32) static constexpr float kOrderedLanes[8] = {0, 1, 4, 5, 2, 3, 6, 7};  // kLanePixel

  // ------------------------------------------------------------------------------------------- what a mask does
  struct AddLight {
    static constexpr bool kHalvesPeaks = true;  // See kPeak.
    U16 colour;
    explicit AddLight(u64 rgb) : colour(U16::pixels(rgb)) {}
    U16 operator()(U16 under, U16 mask) const { return L::add_saturated(under, L::multiply_round(mask, colour)); }
  };
  struct LayMatter {
    static constexpr bool kHalvesPeaks = false;  // What covers all needs no more.
    U16 colour, cover;
    LayMatter(u64 rgba, float alpha) : colour(U16::pixels(rgba)), cover(U16::all(static_cast<u16>(alpha * 32767.0f))) {}
    U16 operator()(U16 under, U16 mask) const {
      const U16 over = L::least(L::multiply_round(mask, cover), U16::all(16383)).times4();
      return L::add_saturated(under - L::multiply_high(under, over), L::multiply_round(mask, colour));
    }
  };

  /// What one group of masks of matter does to as many rows as are given.
  struct LaidMatter {
    U16 keep_less, colour;
    void operator()(u16* at) const {
      const U16 under = U16::load(at);
      L::add_saturated(under - L::multiply_high(under, keep_less), colour).store(at);
    }
  };
  static LaidMatter prepared(const LayMatter& blend, U16 mask) {
    return {L::least(L::multiply_round(mask, blend.cover), U16::all(16383)).times4(),
            L::multiply_round(mask, blend.colour)};
  }
  /// Gives the first groups of four pixels, of 16 masks for two pixels each, to two rows from `at` on.
  template <int First = 0>
  static void give_twice(u16* at, U16 masks, int groups, const LayMatter& blend) {
    if constexpr (First < 8) {
      if (groups <= First) return;
      const auto laid = prepared(blend, L::template channels_of_pair<First>(masks));
      laid(at + 16 * First);
      laid(at + 16 * First + kTile_px * 4);
      give_twice<First + 1>(at, masks, groups, blend);
    }
  }

  /// Gives the first N groups of four of 16 masks to the pixels from `at` on.
  template <int N, class Blend>
  static void give(u16* at, U16 masks, const Blend& blend) {
    give_group<0>(at, masks, blend);
    if constexpr (N > 1) give_group<1>(at + 16, masks, blend);
    if constexpr (N > 2) give_group<2>(at + 32, masks, blend);
    if constexpr (N > 3) give_group<3>(at + 48, masks, blend);
  }
  template <int Group, class Blend>
  static void give_group(u16* at, U16 masks, const Blend& blend) {
    blend(U16::load(at), L::template channels<Group>(masks)).store(at);
  }
  template <class Blend>
  static void give(u16* at, U16 masks, int groups, const Blend& blend) {
    switch (groups) {
      case 1: return give<1>(at, masks, blend);
      case 2: return give<2>(at, masks, blend);
      case 3: return give<3>(at, masks, blend);
      default: return give<4>(at, masks, blend);
    }
  }

  // ------------------------------------------------------------------------------------------- glows
  // Most particles are glows, so glows use whole numbers only. The unit is the squared distance
  // from the middle in 1/65536 of the radius. The halo takes it as it is, the core nine times as large; both
  // saturate, which draws nothing.
  static U16 nine_times(U16 squares) {
    const U16 twice = L::add_saturated(squares, squares), four = L::add_saturated(twice, twice);
    return L::add_saturated(L::add_saturated(four, four), squares);
  }
  /// h: 1 − the squared distance; c: nine times that distance.
  static U16 glow_masks(U16 h, U16 c) {
    const U16 halo = L::multiply_high(L::multiply_high(L::multiply_high(h, h), h), U16::all(3604));  // 0.22
    const U16 core = (~L::multiply_high(c, c)).quarter();
    return halo + core;
  }
  struct GlowRows {
    const u16* halo;  // By row.
    const u16* core;
    int count;
  };
  template <int N, class Blend>
  static void glow_rows(u16* at, U16 halo_x, U16 core_x, GlowRows rows, const Blend& blend) {
    for (int i = 0; i < rows.count; ++i, at += kTile_px * 4) {
      const U16 far = ~L::add_saturated(halo_x, U16::all(rows.halo[i]));
      give<N>(at, glow_masks(far, L::add_saturated(core_x, U16::all(rows.core[i]))), blend);
    }
  }

  /// Where a glow lies in its tile: the pixels that it can touch, and how it falls off.
  struct GlowBox {
    float x, y, per_pixel;  // Its middle, pixels of the tile; √65535 / radius.
    i32 left, top, right, bottom;
  };

  /// A glow that is ready to be drawn. A batch of glows is prepared before the first is drawn. A branch
  /// misprediction while drawing then costs little: it does not delay the whole way from the particle to its
  /// masks.
  struct ReadyGlow {
    static constexpr int kSmall = 16;  // Rows and columns of one whose squares are here; those of others are made on the way.
    U16 halo_x, core_x;
    alignas(32) u16 halo_y[kSmall], core_y[kSmall];
    u64 colour;
    u16* at;         // Of its upper left group of four pixels.
    float x, y;      // From its middle to that of the first pixel there, pixels.
    float per_pixel;
    i32 columns, rows;
    bool small() const { return (columns <= kSmall) & (rows <= kSmall); }
  };
  /// Sixteen squared distances from the middle in one direction, and nine times those.
  static void squares(F32 first, F32 second, float from, F32 per_pixel, U16& halo, U16& core) {
    const F32 start = F32::all(from), most = F32::all(65535.0f);
    const F32 a = (first + start) * per_pixel, b = (second + start) * per_pixel;
    halo = L::narrow(L::whole(L::least(a * a, most)), L::whole(L::least(b * b, most)));
    core = nine_times(halo);
  }
  static void squares_of_rows(float from, F32 per_pixel, u16* halo, u16* core) {
    U16 h, c;
    squares(F32::load(kFirstRows), F32::load(kOtherRows), from, per_pixel, h, c);
    h.store(halo);
    c.store(core);
  }
  static void squares_of_columns(float from, F32 per_pixel, U16& halo, U16& core) {
    const F32 lanes = F32::load(kOrderedLanes);
    squares(lanes, lanes + F32::all(8.0f), from, per_pixel, halo, core);
  }
  static constexpr float kSquareOne = 255.998047f;  // √65535, a hair less.
  /// Places that narrow() brings into their natural order.
  alignas(32) static constexpr float kFirstRows[8] = {0, 1, 2, 3, 8, 9, 10, 11};
  alignas(32) static constexpr float kOtherRows[8] = {4, 5, 6, 7, 12, 13, 14, 15};

  static void make_ready(const TileCanvas& tile, const GlowBox& box, u64 colour, ReadyGlow& glow) {
    const int left = box.left & ~3;
    glow.colour = colour;
    glow.at = tile.pixels + (box.top * kTile_px + left) * 4;
    glow.x = static_cast<float>(left) + 0.5f - box.x;
    glow.y = static_cast<float>(box.top) + 0.5f - box.y;
    glow.per_pixel = box.per_pixel;
    glow.columns = box.right - left;
    glow.rows = box.bottom - box.top;
    const F32 per_pixel = F32::all(box.per_pixel);
    squares_of_columns(glow.x, per_pixel, glow.halo_x, glow.core_x);
    squares_of_rows(glow.y, per_pixel, glow.halo_y, glow.core_y);
  }

  /// One of up to 4×4 pixels: all its masks at once, and no jump that could be guessed wrong. `at`: its first pixel;
  /// x, y: from its middle to that pixel's, in 256ths of the radius, as is per_pixel.
  template <class Blend>
  static void draw_tiny(u16* at, float x, float y, float per_pixel, const Blend& blend) {
    alignas(32) static constexpr float kColumns[8] = {0, 1, 0, 1, 2, 3, 2, 3}, kRows[8] = {0, 0, 1, 1, 0, 0, 1, 1};
    const F32 pixel = F32::all(per_pixel), most = F32::all(65535.0f);
    const F32 across = F32::load(kColumns) * pixel + F32::all(x), upper = F32::load(kRows) * pixel + F32::all(y);
    const F32 lower = upper + pixel + pixel, across2 = across * across;
    const U16 squares =
        L::narrow(L::whole(L::least(across2 + upper * upper, most)), L::whole(L::least(across2 + lower * lower, most)));
    const U16 masks = glow_masks(~squares, nine_times(squares));
    give_anywhere<0>(at, masks, blend);
    give_anywhere<1>(at + kTile_px * 4, masks, blend);
    give_anywhere<2>(at + kTile_px * 8, masks, blend);
    give_anywhere<3>(at + kTile_px * 12, masks, blend);
  }
  /// The last pixel of a row or column that begins four of the tile.
  static constexpr int kTinyEnd = kTile_px - 4;
  template <int Group, class Blend>
  static void give_anywhere(u16* at, U16 masks, const Blend& blend) {
    blend(U16::load_anywhere(at), L::template channels<Group>(masks)).store_anywhere(at);
  }

  template <class Blend>
  static void glow_columns(u16* at, U16 halo_x, U16 core_x, const GlowRows& rows, int groups, const Blend& blend) {
    switch (groups) {
      case 1: return glow_rows<1>(at, halo_x, core_x, rows, blend);
      case 2: return glow_rows<2>(at, halo_x, core_x, rows, blend);
      case 3: return glow_rows<3>(at, halo_x, core_x, rows, blend);
      default: return glow_rows<4>(at, halo_x, core_x, rows, blend);
    }
  }
  template <class Blend>
  static void draw_glow(const ReadyGlow& glow, const Blend& blend) {
    if (glow.small()) {
      return glow_columns(glow.at, glow.halo_x, glow.core_x, {glow.halo_y, glow.core_y, glow.rows},
                          (glow.columns + 3) >> 2, blend);
    }
    alignas(32) u16 halo_y[kTile_px + 16], core_y[kTile_px + 16];
    const F32 per_pixel = F32::all(glow.per_pixel);
    for (int row = 0; row < glow.rows; row += 16)
      squares_of_rows(glow.y + static_cast<float>(row), per_pixel, halo_y + row, core_y + row);
    for (int column = 0; column < glow.columns; column += 16) {
      U16 halo_x, core_x;
      squares_of_columns(glow.x + static_cast<float>(column), per_pixel, halo_x, core_x);
      glow_columns(glow.at + column * 4, halo_x, core_x, {halo_y, core_y, glow.rows}, (glow.columns - column + 3) >> 2,
                   blend);
    }
  }

  // ------------------------------------------------------------------------------------------- other shapes
  // Each says how much of its colour eight places get, as the fragment shader of its name does. Places are −1 … 1 over
  // the particle, y down; (ax, ay) its axis.
  static F32 number(float x) { return F32::all(x); }
  static F32 above_zero(F32 x) { return L::most(x, number(0.0f)); }

  struct Spark {
    static constexpr float kPeak = 1.0f;
    float ax, ay, width, inverse_width;  // Width: of the streak, as a part of its length.
    F32 operator()(F32 x, F32 y) const {
      const F32 along = x * number(ax) + y * number(ay);
      const F32 across = (y * number(ax) - x * number(ay)) * number(inverse_width);
      const F32 over = above_zero(L::size_of(along) - number(1.0f - width)) * number(inverse_width);
      const F32 d2 = across * across + over * over;
      const F32 taper =
          number(0.30f) + number(0.70f) * L::least(above_zero(number(0.5f) + number(0.5f) * along), number(1.0f));
      const F32 taper2 = taper * taper;
      const F32 halo = above_zero(number(1.0f) - d2);
      const F32 core = above_zero(number(1.0f) - number(8.0f) * d2 / taper2);
      return (number(0.20f) * halo * halo + core * (number(2.0f) - core)) * taper2;
    }
  };
  struct Shard {
    static constexpr float kPeak = 1.0f;
    float ax, ay;
    F32 operator()(F32 x, F32 y) const {
      const F32 along = x * number(ax) + y * number(ay), across = y * number(ax) - x * number(ay);
      const F32 inside = number(1.0f) - L::size_of(along) * number(1.05f) - L::size_of(across) * number(3.6f);
      const F32 body = L::least(above_zero(inside * number(4.0f)), number(1.0f));
      const F32 facet = L::least(L::most(number(0.725f) + number(8.0f) * across, number(0.45f)), number(1.0f));
      const F32 halo = above_zero(number(1.0f) - (x * x + y * y));
      return number(0.72f) * body * (facet + number(0.5f) * above_zero(inside)) + number(0.10f) * halo * halo * halo;
    }
  };
  struct Star {
    static constexpr float kPeak = 2.0f;
    float ax, ay;
    static F32 ray(F32 far, F32 aside) {
      const F32 thin = above_zero(number(1.0f) - aside * (number(6.0f) + number(9.0f) * far));
      return thin * thin * above_zero(number(1.0f) - far);
    }
    F32 operator()(F32 x, F32 y) const {
      const F32 along = L::size_of(x * number(ax) + y * number(ay)),
                across = L::size_of(y * number(ax) - x * number(ay));
      const F32 d2 = x * x + y * y;
      const F32 halo = above_zero(number(1.0f) - d2), core = above_zero(number(1.0f) - number(18.0f) * d2);
      return ray(along, across) + ray(across, along) + core + number(0.14f) * halo * halo * halo;
    }
  };
  struct Smoke {
    static constexpr float kPeak = 1.0f;
    /// Where even the brightest noise leaves nothing: round·(0.35 + 1.5) = 0.18·(1 − round).
    static constexpr float kReach = 0.956f;
    /// From this diameter on a mask changes so little from pixel to pixel that it does for 2×2.
    static constexpr float kSoft_px = 36.0f;
    float ax, ay;
    const u32* noise;
    static F32 byte(I32 word) { return L::real(word & I32::all(255)); }
    F32 operator()(F32 x, F32 y) const {
      // In texels, and far enough from zero that whole() rounds down.
      constexpr float kSpan = 0.22f * kNoiseSide, kShift = 0.37f * kNoiseSide, kAway = 4.0f * kNoiseSide - 0.5f;
      const F32 u = (x * number(ax) - y * number(ay)) * number(kSpan) + number(ay * kShift + kAway);
      const F32 v = (x * number(ay) + y * number(ax)) * number(kSpan) + number(ax * kShift + kAway);
      const I32 i = L::whole(u), j = L::whole(v);
      const F32 s = u - L::real(i), t = v - L::real(j);
      const I32 side = I32::all(kNoiseSide - 1);
      const I32 four = L::gather(noise, (j & side).template left<7>() | (i & side));
      static_assert(kNoiseSide == 128);
      const F32 a = byte(four), b = byte(four.template right<8>()), c = byte(four.template right<16>()),
                d = byte(four.template right<24>());
      const F32 upper = a + (b - a) * s, lower = c + (d - c) * s;
      const F32 n = (upper + (lower - upper) * t) * number(1.0f / 255.0f);
      const F32 round_part = above_zero(number(1.0f) - (x * x + y * y));
      const F32 rough = round_part * (number(0.35f) + number(1.5f) * n) - number(0.18f) * (number(1.0f) - round_part);
      const F32 mask = L::least(above_zero(rough), number(1.0f));
      return mask * mask * (number(3.0f) - number(2.0f) * mask);
    }
  };
  /// Nothing of most shapes lies outside a disc.
  struct DiscSpan {
    float x, radius;
    void operator()(float from_middle_y, float& left, float& right) const {
      const float rest = radius * radius - from_middle_y * from_middle_y;
      const float reach = rest > 0.0f ? __builtin_sqrtf(rest) : 0.0f;
      left = x - reach;
      right = x + reach;
    }
  };
  /// A streak crosses a row in a short piece only.
  struct StreakSpan {
    float x, slope, reach;  // Of its middle line; |reach| < 0: it lies too flat for this.
    void operator()(float from_middle_y, float& left, float& right) const {
      if (reach < 0.0f) return;
      const float middle = x + from_middle_y * slope;
      left = most(left, middle - reach);
      right = least(right, middle + reach);
    }
  };

  /// Half the side of its square, and how far it really reaches in x and y, in pixels.
  template <class Mask, class Span, class Blend>
  static void draw_shape(const TileCanvas& tile, float x, float y, float half, float reach_x, float reach_y,
                         const Mask& mask, const Span& span, const Blend& blend) {
    const int top = pixel_after(y - reach_y), bottom = pixel_after(y + reach_y);
    const float inverse = 1.0f / half;
    const F32 lanes = F32::load(kOrderedLanes);
    const F32 per_pixel = F32::all(inverse);
    const F32 one = F32::all(kMaskOne / (Blend::kHalvesPeaks ? Mask::kPeak : 1.0f));
    const F32 half_up = F32::all(0.5f), most = F32::all(32767.0f);
    for (int row = top; row < bottom; ++row) {
      const float from_y = static_cast<float>(row) + 0.5f - y;
      float from = x - reach_x, to = x + reach_x;
      span(from_y, from, to);
      const int left = pixel_after(from) & ~3, right = pixel_after(to);
      const F32 place_y = F32::all(from_y * inverse);
      for (int column = left; column < right; column += 16) {
        const F32 from_x = F32::all(static_cast<float>(column) + 0.5f - x);
        const F32 a = mask((lanes + from_x) * per_pixel, place_y);
        const F32 b = mask((lanes + F32::all(8.0f) + from_x) * per_pixel, place_y);
        const U16 masks =
            L::narrow(L::whole(L::least(a * one + half_up, most)), L::whole(L::least(b * one + half_up, most)));
        give(tile.pixels + (row * kTile_px + column) * 4, masks, (right - column + 3) >> 2, blend);
      }
    }
  }

  /// The same for what is so soft that a mask does for 2×2 pixels: a quarter of the work.
  template <class Mask, class Span>
  static void draw_soft(const TileCanvas& tile, float x, float y, float half, float reach, const Mask& mask,
                        const Span& span, const LayMatter& blend) {
    const int top = pixel_after(y - reach) & ~1, bottom = pixel_after(y + reach);
    const float inverse = 1.0f / half;
    const F32 lanes = F32::load(kPairLanes), per_pixel = F32::all(inverse);
    const F32 one = F32::all(kMaskOne), half_up = F32::all(0.5f), most = F32::all(32767.0f);
    for (int row = top; row < bottom; row += 2) {
      const float from_y = static_cast<float>(row) + 1.0f - y;
      float from, to;
      span(from_y, from, to);
      const int left = pixel_after(from) & ~3, right = pixel_after(to);
      const F32 place_y = F32::all(from_y * inverse);
      for (int column = left; column < right; column += 32) {
        const F32 from_x = F32::all(static_cast<float>(column) + 1.0f - x);
        const F32 a = mask((lanes + from_x) * per_pixel, place_y);
        const F32 b = mask((lanes + F32::all(16.0f) + from_x) * per_pixel, place_y);
        const U16 masks =
            L::narrow(L::whole(L::least(a * one + half_up, most)), L::whole(L::least(b * one + half_up, most)));
        give_twice(tile.pixels + (row * kTile_px + column) * 4, masks, (right - column + 3) >> 2, blend);
      }
    }
  }
  /// Pixels of eight masks for two pixels each, as channels_of_pair() takes them.
  alignas(32) static constexpr float kPairLanes[8] = {0, 4, 8, 12, 2, 6, 10, 14};

  // ------------------------------------------------------------------------------------------- particles
  /// A particle on the picture: its middle in pixels of the tile.
  struct Placed {
    float x, y, size, drawn, dim;
  };
  static Placed place(const TileCanvas& tile, const Particle& p, const ParticleView& view) {
    Placed at;
    at.x = (static_cast<float>(p.x) - view.past * static_cast<float>(p.dx)) * view.px_per_place + view.left_px -
           static_cast<float>(tile.left_px);
    at.y = (static_cast<float>(p.y) - view.past * static_cast<float>(p.dy)) * view.px_per_place + view.top_px -
           static_cast<float>(tile.top_px);
    at.size = static_cast<float>(p.size) * view.px_per_size;
    at.drawn = most(at.size, 2.0f);  // Below two pixels it stays so wide and gets dimmer.
    at.dim = at.size < 2.0f ? at.size * at.size * 0.25f : 1.0f;
    return at;
  }

  template <class Blend>
  [[gnu::noinline]] static void draw_other(const TileCanvas& tile, const Particle& p, const Placed& at,
                                           const ParticleView& view, Shape shape, const Blend& blend) {
    const float half = 0.5f * at.drawn;
    if (shape == Shape::Spark) {
      const float dx = p.dx, dy = p.dy;
      const float way = __builtin_sqrtf(dx * dx + dy * dy);
      const float streak = way * kStreakSteps * view.px_per_place;
      const bool moves = way > 0.0f;
      const float ax = moves ? dx / way : 1.0f, ay = moves ? dy / way : 0.0f;
      const float x = at.x - 0.5f * streak * ax, y = at.y - 0.5f * streak * ay;
      const float whole = at.drawn + streak, width = at.drawn / whole;
      const float slope = size_of(ay) > 0.05f ? ax / ay : 0.0f;
      const StreakSpan span{x, slope, size_of(ay) > 0.05f ? half / size_of(ay) : -1.0f};
      return draw_shape(tile, x, y, 0.5f * whole, half + 0.5f * streak * size_of(ax),
                        half + 0.5f * streak * size_of(ay), Spark{ax, ay, width, 1.0f / width}, span, blend);
    }
    const float ax = kAxes.cosine[p.angle], ay = kAxes.cosine[static_cast<u8>(p.angle - 64)];
    switch (shape) {
      case Shape::Shard:
        return draw_shape(tile, at.x, at.y, half, half, half, Shard{ax, ay}, DiscSpan{at.x, half}, blend);
      case Shape::Star:
        return draw_shape(tile, at.x, at.y, half, half, half, Star{ax, ay}, DiscSpan{at.x, half * 1.01f}, blend);
      default: {
        const float reach = half * Smoke::kReach;
        if constexpr (!Blend::kHalvesPeaks) {  // Smoke of light may be too bright for that.
          if (at.drawn >= Smoke::kSoft_px) {
            return draw_soft(tile, at.x, at.y, half, reach, Smoke{ax, ay, view.noise}, DiscSpan{at.x, reach}, blend);
          }
        }
        return draw_shape(tile, at.x, at.y, half, reach, reach, Smoke{ax, ay, view.noise}, DiscSpan{at.x, reach},
                          blend);
      }
    }
  }

  /// cos of 256ths of a turn, worked out by the compiler.
  struct Axes {
    float cosine[256];
    constexpr Axes() : cosine() {
      for (int i = 0; i < 256; ++i) {
        // Of an eighth of a turn at most, by its series; the rest by symmetry.
        const int quarter = (i + 32) / 64 % 4;
        const double rest = (((i + 32) % 64) - 32) * (6.283185307179586 / 256.0), r2 = rest * rest;
        const double c = 1.0 - r2 / 2 * (1.0 - r2 / 12 * (1.0 - r2 / 30 * (1.0 - r2 / 56 * (1.0 - r2 / 90))));
        const double s = rest * (1.0 - r2 / 6 * (1.0 - r2 / 20 * (1.0 - r2 / 42 * (1.0 - r2 / 72))));
        const double of[4] = {c, -s, -c, s};
        cosine[i] = static_cast<float>(of[quarter]);
      }
    }
  };
  static constexpr Axes kAxes{};

  /// Of how many particles the places are worked out before the first is drawn.
  static constexpr std::size_t kBatch = 32;

  /// Eight particles' words, a field to a variable. `rest` particles are there, the others are nothing.
  struct Eight {
    I32 place, way, rgba, looks;
    Eight(const Particle* particles, std::size_t rest) {
      if (rest >= 8) L::eight(particles, place, way, rgba, looks);
      else of_fewer(particles, rest);
    }
    [[gnu::noinline]] void of_fewer(const Particle* particles, std::size_t rest) {
      Particle some[8] = {};
      for (std::size_t i = 0; i < rest; ++i) some[i] = particles[i];
      L::eight(some, place, way, rgba, looks);
    }
    static F32 low(I32 word) { return L::real(word.template left<16>().template signed_right<16>()); }
    static F32 high(I32 word) { return L::real(word.template signed_right<16>()); }
    F32 x(F32 past, F32 scale) const { return (low(place) - past * low(way)) * scale; }
    F32 y(F32 past, F32 scale) const { return (high(place) - past * high(way)) * scale; }
    F32 size(F32 scale) const { return L::real(looks & I32::all(0xFFFF)) * scale; }
    I32 shape() const { return looks.template right<16>() & I32::all(7); }
    F32 glow() const { return L::real(looks.template right<19>() & I32::all(31)); }
  };

  /// Particles of a batch, a field to an array.
  struct Batch {
    alignas(32) float x[kBatch], y[kBatch], per_pixel[kBatch], tiny_x[kBatch], tiny_y[kBatch];
    alignas(32) u32 left[kBatch], top[kBatch], right[kBatch], bottom[kBatch], tiny_at[kBatch], red_green[kBatch],
        blue[kBatch];
    alignas(32) u32 is_tiny[kBatch], is_larger[kBatch], is_other[kBatch];  // All bits or none.
    GlowBox box(std::size_t i) const {
      return {x[i],
              y[i],
              per_pixel[i],
              static_cast<i32>(left[i]),
              static_cast<i32>(top[i]),
              static_cast<i32>(right[i]),
              static_cast<i32>(bottom[i])};
    }
    u64 colour(std::size_t i) const { return red_green[i] | u64{blue[i]} << 32; }
  };
  static I32 pixels_after(F32 places) {
    return L::whole(L::least(L::most(places + number(0.5f), number(0.0f)), number(static_cast<float>(kTile_px))));
  }
  static void place_eight(const TileCanvas& tile, const Eight& p, const ParticleView& view, Batch& batch,
                          std::size_t at) {
    const F32 past = number(view.past), scale = number(view.px_per_place);
    const F32 x = p.x(past, scale) + number(view.left_px) - number(static_cast<float>(tile.left_px));
    const F32 y = p.y(past, scale) + number(view.top_px) - number(static_cast<float>(tile.top_px));
    const F32 size = p.size(number(view.px_per_size));
    const F32 radius = number(0.5f) * L::most(size, number(2.0f)),
              dim = L::least(size * size * number(0.25f), number(1.0f));
    const F32 shine = p.glow() * number(kShine) * dim;
    const auto channel = [&](I32 byte) {
      return L::whole(L::least(L::real(byte & I32::all(255)) * shine + number(0.5f), number(32767.0f)));
    };
    const I32 red = channel(p.rgba), green = channel(p.rgba.template right<8>()),
              blue = channel(p.rgba.template right<16>());
    const F32 strongest = L::most(L::most(L::real(red), L::real(green)), L::real(blue));
    const F32 far = radius * L::gather(view.glow_reach, L::whole(strongest).template right<8>());
    const F32 per_pixel = number(kSquareOne) / radius;
    x.store(batch.x + at);
    y.store(batch.y + at);
    per_pixel.store(batch.per_pixel + at);
    (red | green.template left<16>()).store(batch.red_green + at);
    blue.store(batch.blue + at);
    const I32 left = pixels_after(x - far), right = pixels_after(x + far), top = pixels_after(y - far),
              bottom = pixels_after(y + far);
    left.store(batch.left + at);
    right.store(batch.right + at);
    top.store(batch.top + at);
    bottom.store(batch.bottom + at);
    const F32 first = L::real(left), upper = L::real(top), columns = L::real(right) - first,
              rows = L::real(bottom) - upper;
    const F32 tiny_left = L::least(first, number(kTinyEnd)), tiny_top = L::least(upper, number(kTinyEnd));
    ((tiny_left + number(0.5f) - x) * per_pixel).store(batch.tiny_x + at);
    ((tiny_top + number(0.5f) - y) * per_pixel).store(batch.tiny_y + at);
    L::whole((tiny_top * number(kTile_px) + tiny_left) * number(4)).store(batch.tiny_at + at);
    const F32 zero = number(0.0f);
    const I32 other = L::below_zero(zero - L::real(p.shape())),
              seen = L::below_zero(zero - columns) & L::below_zero(zero - rows);
    const I32 larger = L::below_zero(number(4) - columns) | L::below_zero(number(4) - rows);
    const I32 glows = seen & ~other & L::below_zero(zero - strongest);
    (glows & ~larger).store(batch.is_tiny + at);
    (glows & larger).store(batch.is_larger + at);
    other.store(batch.is_other + at);
  }
  static constexpr float kShine = 0.25f * 0.62f * kColourOne / 255.0f;

  // Light may be added in any order: of each batch first the tiny glows, then other glows, then what has another shape.
  static void add_light(const TileCanvas& tile, const Particle* particles, std::size_t count,
                        const ParticleView& view) {
    static_assert(static_cast<int>(Shape::Glow) == 0);
    Batch batch;
    ReadyGlow glows[kBatch];
    for (std::size_t first = 0; first < count; first += kBatch) {
      const std::size_t size = count - first < kBatch ? count - first : kBatch;
      for (std::size_t i = 0; i < size; i += 8)
        place_eight(tile, Eight(particles + first + i, size - i), view, batch, i);
      u8 tiny[kBatch], larger[kBatch], other[kBatch];
      u32 tinies = 0, larges = 0, others = 0;
      for (std::size_t i = 0; i < size; ++i) {
        tiny[tinies] = larger[larges] = other[others] = static_cast<u8>(i);
        tinies -= batch.is_tiny[i];
        larges -= batch.is_larger[i];
        others -= batch.is_other[i];
      }
      for (u32 k = 0; k < tinies; ++k) {
        const u8 i = tiny[k];
        draw_tiny(tile.pixels + batch.tiny_at[i], batch.tiny_x[i], batch.tiny_y[i], batch.per_pixel[i],
                  AddLight(batch.colour(i)));
      }
      for (u32 k = 0; k < larges; ++k) make_ready(tile, batch.box(larger[k]), batch.colour(larger[k]), glows[k]);
      for (u32 k = 0; k < larges; ++k) draw_glow(glows[k], AddLight(glows[k].colour));
      for (u32 k = 0; k < others; ++k) add_other(tile, particles[first + other[k]], view);
    }
  }
  [[gnu::noinline]] static void add_other(const TileCanvas& tile, const Particle& p, const ParticleView& view) {
    const Placed at = place(tile, p, view);
    const Shape shape = static_cast<Shape>(p.glow_shape & 7u);
    const float scale =
        static_cast<float>(p.glow_shape >> 3) * kShine * at.dim * (shape == Shape::Star ? Star::kPeak : 1.0f);
    const u64 colour = L::scaled(&p.r, scale, scale, scale, 0.0f);
    if (colour != 0) draw_other(tile, p, at, view, shape, AddLight(colour));
  }

  // ------------------------------------------------------------------------------------------- where they lie
  static void tile_ranges(const Particle* particles, std::size_t count, const ParticleView& view, int columns, int rows,
                          u32* ranges) {
    ranges_of<false>(particles, count, view, columns, rows, ranges);
  }
  static void bullet_ranges(const Particle* bullets, std::size_t count, const ParticleView& view, int columns, int rows,
                            u32* ranges) {
    ranges_of<true>(bullets, count, view, columns, rows, ranges);
  }
  template <bool kBullets>
  static void ranges_of(const Particle* particles, std::size_t count, const ParticleView& view, int columns, int rows,
                        u32* ranges) {
    const F32 past = number(view.past), scale = number(view.px_per_place), zero = number(0.0f),
              per_tile = number(1.0f / kTile_px);
    const F32 end_x = number(static_cast<float>(columns)), end_y = number(static_cast<float>(rows));
    for (std::size_t i = 0; i < count; i += 8) {
      const Eight p(particles + i, count - i);
      const F32 x = p.x(past, scale) + number(view.left_px), y = p.y(past, scale) + number(view.top_px);
      const F32 size = p.size(number(view.px_per_size));
      const F32 kind = L::real(p.shape()) -
                       number(static_cast<float>(kBullets ? BulletLook::kLong : static_cast<int>(Shape::Spark)));
      const F32 is_long = above_zero(number(1.0f) - kind * kind);
      // A spark's streak lies behind it: no further than that.
      const F32 steps = is_long * number(kBullets ? 0.0f : kStreakSteps) * scale;
      const F32 there = kBullets ? L::real(p.rgba.template right<24>()) * number(1.0f / 255.0f) : number(1.0f);
      const F32 reach = kBullets ? bullet_reach(size, is_long, there) : number(0.5f) * L::most(size, number(2.0f));
      const F32 tail_x = Eight::low(p.way) * steps, tail_y = Eight::high(p.way) * steps;
      const F32 left = (x - reach - L::most(tail_x, zero)) * per_tile,
                right = (x + reach - L::least(tail_x, zero)) * per_tile;
      const F32 top = (y - reach - L::most(tail_y, zero)) * per_tile,
                bottom = (y + reach - L::least(tail_y, zero)) * per_tile;
      const I32 seen = L::below_zero(left - end_x) & L::below_zero(top - end_y) & L::below_zero(zero - right) &
                       L::below_zero(zero - bottom) & L::below_zero(zero - size * there);
      const auto tile = [&](F32 at, F32 end) { return L::whole(L::least(L::most(at, zero), end - number(1.0f))); };
      const I32 range = tile(left, end_x) | tile(top, end_y).template left<8>() |
                        tile(right, end_x).template left<16>() | tile(bottom, end_y).template left<24>();
      const I32 made = (range & seen) | ~seen;
      if (count - i >= 8) {
        made.store_anywhere(ranges + i);
      } else {
        alignas(32) u32 some[8];
        made.store(some);
        for (std::size_t k = i; k < count; ++k) ranges[k] = some[k - i];
      }
    }
  }

  static float plane_at(const SmallPlanes& planes, int channel, float x, float y) {
    const int i = static_cast<int>(x + 1.0f) - 1, j = static_cast<int>(y + 1.0f) - 1;
    const float s = x - static_cast<float>(i), t = y - static_cast<float>(j);
    const float* at = planes.plane[channel] + j * planes.stride + i;
    const float upper = at[0] + (at[1] - at[0]) * s;
    const float lower = at[planes.stride] + (at[planes.stride + 1] - at[planes.stride]) * s;
    return upper + (lower - upper) * t;
  }

  static void lay_matter(const TileCanvas& tile, const Particle* particles, std::size_t count,
                         const ParticleView& view) {
    const SmallPlanes& light = *view.light;
    const float per_texel = 1.0f / static_cast<float>(light.divisor);
    for (std::size_t i = 0; i < count; ++i) {
      const Particle& p = particles[i];
      const Placed at = place(tile, p, view);
      const float alpha = static_cast<float>(p.a) * at.dim * (1.0f / 255.0f);
      const float u = cut((at.x + static_cast<float>(tile.left_px)) * per_texel - 0.5f, -0.999f,
                          static_cast<float>(light.width) - 0.001f);
      const float v = cut((at.y + static_cast<float>(tile.top_px)) * per_texel - 0.5f, -0.999f,
                          static_cast<float>(light.height) - 0.001f);
      const float factor = static_cast<float>(p.glow_shape >> 3) * 0.25f * alpha * (kColourOne / 255.0f);
      const auto lit = [&](int channel) {
        const float falls = plane_at(light, channel, u, v);
        return factor * (0.09f + 1.1f * falls / (1.0f + 1.6f * falls));
      };
      const u64 colour = L::scaled(&p.r, lit(SmallPlanes::LightRed), lit(SmallPlanes::LightGreen),
                                   lit(SmallPlanes::LightBlue), at.dim * (2.0f * kCoverOne / 255.0f));
      if (colour == 0) continue;
      const LayMatter blend(colour, least(alpha, 1.0f));
      const Shape shape = static_cast<Shape>(p.glow_shape & 7u);
      if (shape != Shape::Glow) {
        draw_other(tile, p, at, view, shape, blend);
        continue;
      }
      const float radius = 0.5f * at.drawn;
      const GlowBox box{at.x,
                        at.y,
                        kSquareOne / radius,
                        pixel_after(at.x - radius),
                        pixel_after(at.y - radius),
                        pixel_after(at.x + radius),
                        pixel_after(at.y + radius)};
      if (box.right <= box.left || box.bottom <= box.top) continue;
      if (box.right - box.left <= 4 && box.bottom - box.top <= 4) {
        const int left = least(box.left, kTinyEnd), upper = least(box.top, kTinyEnd);
        draw_tiny(tile.pixels + (upper * kTile_px + left) * 4,
                  (static_cast<float>(left) + 0.5f - box.x) * box.per_pixel,
                  (static_cast<float>(upper) + 0.5f - box.y) * box.per_pixel, box.per_pixel, blend);
      } else {
        ReadyGlow glow;
        make_ready(tile, box, colour, glow);
        draw_glow(glow, blend);
      }
    }
  }

  // ------------------------------------------------------------------------------------------- figures
  /// Sixteen numbers of a tile from half floats.
  static U16 figure_of(const u16* halves) {
    alignas(32) static constexpr float kScale[8] = {kLightOne, kLightOne, kLightOne, kCoverOne,
                                                    kLightOne, kLightOne, kLightOne, kCoverOne};
    const F32 scale = F32::load(kScale), half_up = F32::all(0.5f), zero = F32::all(0.0f), top = F32::all(65535.0f);
    const auto whole = [&](const u16* low, const u16* high) {
      return L::whole(L::least(L::most(L::halves(low, high) * scale + half_up, zero), top));
    };
    return L::narrow(whole(halves, halves + 8), whole(halves + 4, halves + 12));
  }
  static U16 figure_over(U16 under, U16 figure) {
    const U16 over = L::least(figure.fourths(), U16::all(16383)).times4();
    return L::add_saturated(under - L::multiply_high(under, over), figure);
  }
  static void lay_figures(u16* tile, const u16* halves, int rows) {
    for (int row = 0; row < rows; ++row) {
      const u16* from = halves + (rows - 1 - row) * kTile_px * 4;
      u16* to = tile + row * kTile_px * 4;
      for (int i = 0; i < kTile_px * 4; i += 16) {
        if (L::all_zero(from + i)) continue;  // Most of a tile that a figure touches.
        figure_over(U16::load(to + i), figure_of(from + i)).store(to + i);
      }
    }
  }

  static bool read_figure(u16* out, const u16* halves, int pixels) {
    bool any = false;
    for (int i = 0; i < pixels * 4; i += 16) {
      const bool empty = L::all_zero(halves + i);
      (empty ? U16::all(0) : figure_of(halves + i)).store_anywhere(out + i);
      any = any || !empty;
    }
    return any;
  }

  /// `count` pixels of a figure over those of a tile.
  static void lay_row(u16* to, const u16* from, int count) {
    int i = 0;
    for (; i + 4 <= count; i += 4, to += 16, from += 16) {
      if (!L::all_zero(from)) figure_over(U16::load_anywhere(to), U16::load_anywhere(from)).store_anywhere(to);
    }
    if (i == count) return;
    alignas(32) u16 under[16] = {}, figure[16] = {};
    const int numbers = (count - i) * 4;
    for (int n = 0; n < numbers; ++n) {
      under[n] = to[n];
      figure[n] = from[n];
    }
    figure_over(U16::load(under), U16::load(figure)).store(under);
    for (int n = 0; n < numbers; ++n) to[n] = under[n];
  }

  /// A row of the picture from two rows of an image with half the pixels: each is three quarters of the nearest and a
  /// quarter of the next, both ways. `first` is the row's first pixel in the image, in pixels of the picture.
  static bool widen_row(u16* out, const u16* near_row, const u16* far_row, int first, int count, int width) {
    constexpr int kMostHalved = kTile_px / 2 + 4;
    alignas(32) u16 mixed[(kMostHalved + 4) * 4];
    const int begin = (first + 1) / 2 - 1;  // The leftmost pixel of the image that counts, −1 for its edge.
    const int wanted = (first + count) / 2 - begin + 1;
    bool any = false;
    for (int i = 0; i < wanted; ++i) {
      const int x = begin + i < 0 ? 0 : begin + i >= width ? width - 1 : begin + i;
      for (int c = 0; c < 4; ++c) {
        const u32 mean = (u32{near_row[x * 4 + c]} * 3u + far_row[x * 4 + c] + 2u) >> 2;
        mixed[i * 4 + c] = static_cast<u16>(mean);
        any = any || mean != 0;
      }
    }
    if (!any) return false;
    for (int i = 0; i < count; ++i) {
      const int x = first + i, nearest = (x >> 1) - begin, next = (x & 1) == 0 ? nearest - 1 : nearest + 1;
      for (int c = 0; c < 4; ++c) {
        out[i * 4 + c] = static_cast<u16>((u32{mixed[nearest * 4 + c]} * 3u + mixed[next * 4 + c] + 2u) >> 2);
      }
    }
    return true;
  }

  static void lay_figure(const FigureJob& job) {
    const int count = job.right - job.left;
    for (int y = job.top; y < job.bottom; ++y) {
      u16* to = job.tile + (y * kTile_px + job.left) * 4;
      const int x = job.left + job.from_x, row = y + job.from_y;
      if (job.halved_width == 0) {
        lay_row(to, job.pixels + (static_cast<std::ptrdiff_t>(row) * job.stride_px + x) * 4, count);
        continue;
      }
      const int nearest = row >> 1, beside = (row & 1) == 0 ? nearest - 1 : nearest + 1;
      const int next = beside < 0 ? 0 : beside >= job.halved_height ? job.halved_height - 1 : beside;
      const auto row_at = [&](int at) { return job.pixels + static_cast<std::ptrdiff_t>(at) * job.stride_px * 4; };
      alignas(32) u16 wide[kTile_px * 4];
      if (widen_row(wide, row_at(nearest), row_at(next), x, count, job.halved_width)) lay_row(to, wide, count);
    }
  }

  // ------------------------------------------------------------------------------------------- marks on the floor
  static void lay_mark(const MarkJob& job) {
    constexpr float kWhole = kMaskOne / (255.0f * 64.0f);  // U16::masks() makes a little less of a byte.
    const float shown = job.shown < 1.0f ? job.shown : 1.0f;
    const u64 covers = static_cast<u64>(least(shown * kWhole * 2.0f * kCoverOne + 0.5f, 32767.0f)) << 48;
    const LayMatter dark(covers, least(shown * kWhole, 1.0f));
    // A colour ends at 7.99: what is brighter is added twice.
    const float most_glow = most(most(job.glow[0], job.glow[1]), job.glow[2]) * shown * kWhole;
    const int times = job.hot == nullptr ? 0 : most_glow > 7.9f ? 2 : 1;
    u64 colour = 0;
    for (int c = 0; c < 3; ++c) {
      const float light =
          cut(job.glow[c] * shown * kWhole * kColourOne / (times == 2 ? 2.0f : 1.0f) + 0.5f, 0.0f, 32767.0f);
      colour |= static_cast<u64>(light) << (16 * c);
    }
    const AddLight embers(colour);
    const int first = job.left & ~3;
    for (int y = job.top; y < job.bottom; ++y) {
      const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(y + job.from_y) * job.stride + job.from_x;
      for (int x = first; x < job.right; x += 16) {
        u16* const at = job.tile + (y * kTile_px + x) * 4;
        const int groups = (job.right - x + 3) >> 2;
        if (!empty(job.cover + row + x)) give(at, U16::masks(job.cover + row + x), groups, dark);
        if (times == 0 || empty(job.hot + row + x)) continue;
        const U16 hot = U16::masks(job.hot + row + x);
        for (int i = 0; i < times; ++i) give(at, hot, groups, embers);
      }
    }
  }
  static bool empty(const u8* sixteen) {
    u64 low, high;
    __builtin_memcpy(&low, sixteen, 8);
    __builtin_memcpy(&high, sixteen + 8, 8);
    return (low | high) == 0;
  }

  // ------------------------------------------------------------------------------------------- bloom
  /// The bright part of eight pixels' light, in units of light.
  static void keep_bright(F32& r, F32& g, F32& b) {
    const F32 unit = F32::all(1.0f / kLightOne), cap = F32::all(24.0f);
    r = L::least(r * unit, cap);
    g = L::least(g * unit, cap);
    b = L::least(b * unit, cap);
    const F32 top = L::most(L::most(r, g), b);
    const F32 part = above_zero(top - F32::all(0.12f)) / (top + F32::all(0.45f));
    r = r * part;
    g = g * part;
    b = b * part;
  }
  /// Of four rows the mean of the upper two and of the lower two, then of each two pixels: four squares for each texel.
  static U16 squares_of(const u16* at) {
    constexpr int kRow = kTile_px * 4;
    const U16 upper = L::average(U16::load(at), U16::load(at + kRow));
    const U16 lower = L::average(U16::load(at + 2 * kRow), U16::load(at + 3 * kRow));
    return L::firsts(L::average(upper, upper.neighbours()), L::average(lower, lower.neighbours()));
  }
  /// Four squares of a texel of 8×8 pixels: one pixel out from its middle's diagonals, two by two.
  static U16 squares_of8(const u16* at) {
    constexpr int kRow = kTile_px * 4;
    alignas(32) u16 four[16];
    for (int square = 0; square < 4; ++square) {
      const u16* p = at + (square & 1 ? 5 : 1) * 4 + (square & 2 ? 5 : 1) * kRow;
      for (int c = 0; c < 4; ++c) {
        const u32 left = (u32{p[c]} + p[kRow + c] + 1u) >> 1, right = (u32{p[4 + c]} + p[kRow + 4 + c] + 1u) >> 1;
        four[4 * square + c] = static_cast<u16>((left + right + 1u) >> 1);
      }
    }
    return U16::load(four);
  }
  static void gather_bright(const u16* tile, int divisor, float* out, int stride) {
    const int texels = kTile_px / divisor;
    for (int j = 0; j < texels; ++j) {
      for (int i = 0; i < texels; i += 2) {
        const u16* at = tile + (j * divisor * kTile_px + i * divisor) * 4;
        F32 rgb[3], cover;
        const U16 first = divisor == 4 ? squares_of(at) : squares_of8(at);
        const U16 second = divisor == 4 ? squares_of(at + 16) : squares_of8(at + 32);
        L::split(first, second, rgb[0], rgb[1], rgb[2], cover);
        keep_bright(rgb[0], rgb[1], rgb[2]);
        L::means_of_four(rgb[0], rgb[1], rgb[2], out + (j * stride + i) * 4);
      }
    }
  }

  // ------------------------------------------------------------------------------------------- tone
  /// Texels spread over a tile's 64 pixels, in the lanes' order: the row above, and how far it is from there to the
  /// next.
  struct TexelRow {
    alignas(32) float at[SmallPlanes::kChannels][kTile_px];
    alignas(32) float way[SmallPlanes::kChannels][kTile_px];
    alignas(32) float next[SmallPlanes::kChannels][kTile_px];
  };

  static void spread(const SmallPlanes& small, int row, int first_texel, int first_channel,
                     float (&out)[SmallPlanes::kChannels][kTile_px]) {
    alignas(32) static constexpr float kWeights4[8] = {0.625f, 0.875f, 0.625f, 0.875f, 0.125f, 0.375f, 0.125f, 0.375f};
    alignas(32) static constexpr float kWeights8[8] = {0.5625f, 0.6875f, 0.0625f, 0.1875f,
                                                       0.8125f, 0.9375f, 0.3125f, 0.4375f};
    const bool fine = small.divisor == 4;
    const F32 weight = F32::load(fine ? kWeights4 : kWeights8);
    const int texels = fine ? 2 : 1;
    for (int c = first_channel; c < SmallPlanes::kChannels; ++c) {
      const float* from = small.plane[c] + least(row, small.height) * small.stride + first_texel - 1;
      for (int i = 0; i < kTile_px / 8; ++i) {
        F32 a, b;
        if (fine) L::pairs4(from + i * texels, a, b);
        else L::pairs8(from + i * texels, a, b);
        (a + (b - a) * weight).store(out[c] + 8 * i);
      }
    }
  }
  /// On to the next row of texels, which `rows.next` has; `row` is the one after that.
  static void next_row(const SmallPlanes& small, int row, int first_texel, int first_channel, TexelRow& rows) {
    for (int c = first_channel; c < SmallPlanes::kChannels; ++c) {
      for (int i = 0; i < kTile_px; i += 8) F32::load(rows.next[c] + i).store(rows.at[c] + i);
    }
    spread(small, row, first_texel, first_channel, rows.next);
    for (int c = first_channel; c < SmallPlanes::kChannels; ++c) {
      for (int i = 0; i < kTile_px; i += 8)
        (F32::load(rows.next[c] + i) - F32::load(rows.at[c] + i)).store(rows.way[c] + i);
    }
  }

  enum class Kind { NightScene, Floor, Scene, TintedFloor, TintedScene };
  template <Kind kKind, bool kShifted>
  static void tone_rows(const ToneJob& job) {
    constexpr bool kTinted = kKind == Kind::TintedFloor || kKind == Kind::TintedScene;
    constexpr bool kGround = kKind == Kind::Floor || kKind == Kind::Scene || kTinted;
    constexpr bool kLit = kKind == Kind::Scene || kKind == Kind::NightScene || kKind == Kind::TintedScene;
    constexpr int kFirst = kGround ? 0 : int{SmallPlanes::AddRed};
    const SmallPlanes& small = *job.small;
    const int divisor = small.divisor;
    const int first_texel = job.left_px / divisor;
    TexelRow texels;
    // The row of texels above a row of pixels; the planes' border makes −1 and height good.
    int upper = job.top_px / divisor - 1;
    spread(small, upper, first_texel, kFirst, texels.next);
    next_row(small, upper + 1, first_texel, kFirst, texels);
    const F32 lane = F32::load(kOrderedLanes);
    alignas(32) float row[3][kTile_px];
    for (int y = 0; y < job.rows; ++y) {
      const int wanted = (job.top_px + y + divisor / 2) / divisor - 1;
      if (wanted != upper) {
        next_row(small, wanted + 1, first_texel, kFirst, texels);
        for (int c = kFirst; c < SmallPlanes::kChannels; ++c) {  // Eight planes are more streams than a processor follows.
          const float* soon = small.plane[c] + least(wanted + 2, small.height) * small.stride + first_texel - 1;
          __builtin_prefetch(soon);
          __builtin_prefetch(soon + 16);
        }
      }
      upper = wanted;
      const F32 t = F32::all((static_cast<float>(job.top_px + y) + 0.5f) / static_cast<float>(divisor) - 0.5f -
                             static_cast<float>(upper));
      // The vignette, and with it from a tile's units to those of light.
      const float down = (static_cast<float>(y) + 0.5f) * (1.0f / kTile_px);
      const float edge_left = job.vignette[0] + (job.vignette[2] - job.vignette[0]) * down;
      const float edge_right = job.vignette[1] + (job.vignette[3] - job.vignette[1]) * down;
      const float per_pixel = (edge_right - edge_left) * (1.0f / kTile_px);
      const F32 lanes = lane * F32::all(per_pixel);
      // Rows of stone and of the picture lie a picture's width apart: no processor foresees the next.
      constexpr int kAhead = 2;
      for (int x = 0; x < kTile_px && y + kAhead < job.rows; x += 16) {
        if constexpr (kGround) __builtin_prefetch(job.stone + (y + kAhead) * job.stone_stride + x);
        __builtin_prefetch(job.out + (y + kAhead) * job.out_stride + x, 1);
      }
      for (int x = 0; x < kTile_px; x += 8) {
        const auto small_at = [&](int c) { return F32::load(texels.at[c] + x) + F32::load(texels.way[c] + x) * t; };
        F32 r = small_at(SmallPlanes::AddRed), g = small_at(SmallPlanes::AddGreen), b = small_at(SmallPlanes::AddBlue);
        F32 uncovered = F32::all(1.0f);
        if constexpr (kLit) {
          F32 sr, sg, sb, cover;
          const u16* at = job.scene + (y * kTile_px + x) * 4;
          L::split(U16::load(at), U16::load(at + 16), sr, sg, sb, cover);
          if constexpr (kGround) uncovered = above_zero(F32::all(1.0f) - cover * F32::all(1.0f / kCoverOne));
          const F32 unit = F32::all(1.0f / kLightOne);
          r = r + sr * unit;
          g = g + sg * unit;
          b = b + sb * unit;
        }
        if constexpr (kGround) {
          const I32 stone = L::load_pixels(job.stone + y * job.stone_stride + x);
          const I32 byte = I32::all(255);
          const F32 shine = L::real(stone & byte);
          const F32 slope_x = L::real(stone.template right<8>() & byte) - F32::all(127.5f);
          const F32 slope_y = L::real(stone.template right<16>() & byte) - F32::all(127.5f);
          const F32 lr = small_at(SmallPlanes::LightRed), lg = small_at(SmallPlanes::LightGreen),
                    lb = small_at(SmallPlanes::LightBlue);
          const F32 bright = lr * F32::all(0.30f) + lg * F32::all(0.55f) + lb * F32::all(0.15f);
          const F32 towards = slope_x * small_at(SmallPlanes::TowardsX) + slope_y * small_at(SmallPlanes::TowardsY);
          const F32 relief = L::most(F32::all(0.10f), F32::all(1.0f) + F32::all(2.3f * 2.0f / 255.0f) * towards /
                                                                           (bright + F32::all(0.0005f)));
          const F32 drunk =
              L::most(F32::all(0.5f / 65025.0f), F32::all(1.0f / 65025.0f) - F32::all(0.20f / 65025.0f) * bright);
          F32 ground = shine * shine * relief * drunk;
          if constexpr (kLit) ground = ground * uncovered;
          if constexpr (kTinted) {
            const F32 tint = L::real(stone.template right<24>()) - F32::all(127.5f);
            r = r + lr * ground * (F32::all(1.0f) + F32::all(0.85f / 127.5f) * tint);
            g = g + lg * ground * (F32::all(1.0f) - F32::all(0.40f / 127.5f) * tint);
            b = b + lb * ground * (F32::all(1.0f) + F32::all(0.10f / 127.5f) * tint);
          } else {
            r = r + lr * ground;
            g = g + lg * ground;
            b = b + lb * ground;
          }
        }
        const F32 dark = lanes + F32::all(edge_left + (static_cast<float>(x) + 0.5f) * per_pixel);
        r = r * dark;
        g = g * dark;
        b = b * dark;
        F32 light[3] = {r, g, b};
        if constexpr (kShifted) shift_colours(job.vision, light);
        for (int c = 0; c < 3; ++c) light[c].store(row[c] + x);
      }
      tone_row(job, y, row);
    }
  }

  /// A row of light as the screen shows it. Apart from what makes that light, since one piece of both would be longer
  /// than what a processor looks ahead: with its divisions and roots, each eight pixels would wait for the eight
  /// before.
  static void tone_row(const ToneJob& job, int y, const float (&row)[3][kTile_px]) {
    for (int x = 0; x < kTile_px; x += 8) {
      F32 shown[3];
      shown_light(F32::load(row[0] + x), F32::load(row[1] + x), F32::load(row[2] + x), shown);
      store_shown(job, y, x, shown);
    }
  }

  /// Light as the screen shows it, 0 … 255. As shaders/composite.frag, where it is explained.
  static void shown_light(F32 r, F32 g, F32 b, F32 (&shown)[3]) {
    const F32 top = L::most(L::most(r, g), b);
    const F32 n = F32::all(1.0f) + F32::all(0.030f) * top, d = F32::all(1.0f) + F32::all(0.17f) * top;
    const F32 paler = F32::all(0.15f) * top;
    const F32 toe = F32::all(0.0045f) * d, shoulder = F32::all(0.80f) * d, half_d = F32::all(0.5f * 65025.0f) * d;
    // How much stays of u / d, times 255²: a toe, and a shoulder. As fractions over one denominator.
    const auto above = [&](F32 u) { return u * (half_d + F32::all(0.02f * 65025.0f) * u); };
    const auto below = [&](F32 u) { return (u + toe) * (u + shoulder); };
    const F32 u_top = top * n, above_top = above(u_top), below_top = below(u_top);
    const auto own_of = [&](F32 c) { return above_zero(F32::all(1.15f) * c - paler) * n; };
    const F32 own_r = own_of(r), own_g = own_of(g), own_b = own_of(b);
    const F32 below_r = below(own_r), below_g = below(own_g), below_b = below(own_b);
    // One division for all three: each is multiplied by the other two's denominators.
    const F32 rg = below_r * below_g, inverse = F32::all(1.0f) / (rg * below_b * (below_top * d));
    const auto of = [&](F32 own, F32 below_own, F32 others) {
      return L::root(own * (above(own) * below_top + above_top * below_own) * inverse * others);
    };
    shown[0] = of(own_r, below_r, below_g * below_b);
    shown[1] = of(own_g, below_g, below_r * below_b);
    shown[2] = of(own_b, below_b, rg);
  }

  static void store_shown(const ToneJob& job, int y, int x, const F32 (&shown)[3]) {
    const F32 grain = F32::load(job.grain + (y * kTile_px + x));
    const auto whole = [&](F32 c) { return L::whole(L::least(c + grain, F32::all(255.0f))); };
    const I32 red = whole(shown[0]), green = whole(shown[1]), blue = whole(shown[2]);
    const I32 first = job.red_first ? red : blue, third = job.red_first ? blue : red;
    L::store_pixels(job.out + y * job.out_stride + x, first | green.template left<8>() | third.template left<16>() |
                                                          I32::all(static_cast<i32>(0xFF000000u)));
  }

  /// A tile of night alone: as smooth as the small planes, so the filmic curve is worked out in the middle of each
  /// row of texels only, and what the screen shows runs evenly between them.
  template <bool kShifted>
  static void tone_night(const ToneJob& job) {
    const SmallPlanes& small = *job.small;
    const int divisor = small.divisor;
    TexelRow texels;
    alignas(32) float shown[2][3][kTile_px];  // In the middle of the texel row above, and of the one below.
    const auto shown_row = [&](int texel_row, float (&out)[3][kTile_px]) {
      spread(small, texel_row, job.left_px / divisor, SmallPlanes::AddRed, texels.next);
      const float middle =
          (static_cast<float>(texel_row) + 0.5f) * static_cast<float>(divisor) - static_cast<float>(job.top_px);
      const float down = middle * (1.0f / kTile_px);
      const float edge_left = job.vignette[0] + (job.vignette[2] - job.vignette[0]) * down;
      const float edge_right = job.vignette[1] + (job.vignette[3] - job.vignette[1]) * down;
      const float per_pixel = (edge_right - edge_left) * (1.0f / kTile_px);
      const F32 lanes = F32::load(kOrderedLanes) * F32::all(per_pixel);
      for (int x = 0; x < kTile_px; x += 8) {
        const F32 dark = lanes + F32::all(edge_left + (static_cast<float>(x) + 0.5f) * per_pixel);
        F32 light[3];
        for (int c = 0; c < 3; ++c) light[c] = F32::load(texels.next[SmallPlanes::AddRed + c] + x) * dark;
        if constexpr (kShifted) shift_colours(job.vision, light);
        F32 made[3];
        shown_light(light[0], light[1], light[2], made);
        for (int c = 0; c < 3; ++c) made[c].store(out[c] + x);
      }
    };
    int upper = job.top_px / divisor - 1;
    int first = 0;
    shown_row(upper, shown[0]);
    shown_row(upper + 1, shown[1]);
    for (int y = 0; y < job.rows; ++y) {
      const int wanted = (job.top_px + y + divisor / 2) / divisor - 1;
      if (wanted != upper) {
        shown_row(wanted + 1, shown[first]);
        first = 1 - first;
      }
      upper = wanted;
      const F32 t = F32::all((static_cast<float>(job.top_px + y) + 0.5f) / static_cast<float>(divisor) - 0.5f -
                             static_cast<float>(upper));
      for (int x = 0; x < kTile_px; x += 8) {
        F32 between[3];
        for (int c = 0; c < 3; ++c) {
          const F32 a = F32::load(shown[first][c] + x), b = F32::load(shown[1 - first][c] + x);
          between[c] = a + (b - a) * t;
        }
        store_shown(job, y, x, between);
      }
    }
  }

  /// Colours moved for the player's eyes.
  static void shift_colours(const float* m, F32 (&c)[3]) {
    const F32 r = c[0], g = c[1], b = c[2];
    for (int i = 0; i < 3; ++i) {
      c[i] = above_zero(r * F32::all(m[3 * i]) + g * F32::all(m[3 * i + 1]) + b * F32::all(m[3 * i + 2]));
    }
  }

  template <bool kShifted>
  static void tone_kind(const ToneJob& job) {
    if (job.stone == nullptr && job.scene == nullptr) return tone_night<kShifted>(job);
    if (job.stone == nullptr) return tone_rows<Kind::NightScene, kShifted>(job);
    if (job.tinted)
      return job.scene == nullptr ? tone_rows<Kind::TintedFloor, kShifted>(job)
                                  : tone_rows<Kind::TintedScene, kShifted>(job);
    if (job.scene == nullptr) return tone_rows<Kind::Floor, kShifted>(job);
    tone_rows<Kind::Scene, kShifted>(job);
  }
  static void tone(const ToneJob& job) { job.vision != nullptr ? tone_kind<true>(job) : tone_kind<false>(job); }

  // ------------------------------------------------------------------------------------------- bullets
  // On the finished picture, so in display colours, 0 … 255: what is bright around them neither lights nor blurs
  // them. As shaders/bullet.vert and bullet.frag, where the shapes are explained.
  struct BulletLook {
    static constexpr int kLong = static_cast<int>(frame::BulletShape::Needle);
    static constexpr float kLength = 1.4142135f, kWidth = 0.70710678f;  // Of a needle, in radii.
    static constexpr float kFlareReach = 2.6f;                          // In radii, of one that is only beginning.
    float x, y, ax, ay;                     // Its middle in pixels of the tile; its axis.
    float arc, aside;                       // The two arcs that bound it: their radius, and how far off their middles are.
    float line, core, per_core, rise, end;  // Depths where the next zone begins; see bullet.frag.
    float rim_cover, centre_cover, there, flare, per_flare2;
    float hue[3];
    float chord_slope, chord2, chord2_less, reach_y;  // Of the ellipse that holds it: a row's middle, half its length squared.
  };
  static float flare_reach(float there) { return 1.0f + (BulletLook::kFlareReach - 1.0f) * (1.0f - there); }
  /// From a bullet's middle to its farthest pixel.
  static F32 bullet_reach(F32 size, F32 is_long, F32 there) {
    const F32 flare = number(BulletLook::kFlareReach) - number(BulletLook::kFlareReach - 1.0f) * there;
    return number(0.5f) * size * L::most(number(1.0f) + number(BulletLook::kLength - 1.0f) * is_long, flare) +
           number(1.0f);
  }

  static BulletLook bullet_look(const PixelTile& tile, const Particle& p, const ParticleView& view) {
    BulletLook b;
    b.x = (static_cast<float>(p.x) - view.past * static_cast<float>(p.dx)) * view.px_per_place + view.left_px -
          static_cast<float>(tile.left_px);
    b.y = (static_cast<float>(p.y) - view.past * static_cast<float>(p.dy)) * view.px_per_place + view.top_px -
          static_cast<float>(tile.top_px);
    b.ax = kAxes.cosine[p.angle];
    b.ay = kAxes.cosine[static_cast<u8>(p.angle - 64)];
    const float radius = 0.5f * static_cast<float>(p.size) * view.px_per_size;
    const int shape = p.glow_shape & 7;
    const bool is_long = shape == BulletLook::kLong, hollow = shape == static_cast<int>(frame::BulletShape::Bubble);
    const float length = is_long ? BulletLook::kLength * radius : radius,
                width = is_long ? BulletLook::kWidth * radius : radius;
    b.arc = (length * length + width * width) / (2.0f * width);
    b.aside = b.arc - width;
    const float unit = view.px_per_place * frame::kPositionScale;
    b.line = least(most(1.0f, 1.2f * unit), 0.3f * width);
    b.core = (hollow ? 0.28f : 0.55f) * width;
    b.per_core = 1.0f / most(1.0f, (hollow ? 0.05f : 0.34f) * width);
    b.rise = 1.0f / b.core;
    b.end = hollow ? b.core + most(1.5f, 0.07f * width) : 1e9f;
    b.rim_cover = hollow ? 0.72f : 1.0f;
    b.centre_cover = 0.5f;
    b.there = static_cast<float>(p.a) * (1.0f / 255.0f);
    const float flare = radius * flare_reach(b.there);
    b.flare = least(4.0f * b.there, 1.0f) * (1.0f - b.there);
    b.per_flare2 = 1.0f / (flare * flare);
    float seen[3] = {static_cast<float>(p.r), static_cast<float>(p.g), static_cast<float>(p.b)};
    if (const float* m = view.vision; m != nullptr) {
      const float r = seen[0], g = seen[1], blue = seen[2];
      for (int i = 0; i < 3; ++i) seen[i] = most(0.0f, r * m[3 * i] + g * m[3 * i + 1] + blue * m[3 * i + 2]);
    }
    const float top = most(most(seen[0], seen[1]), seen[2]);
    for (int i = 0; i < 3; ++i) {
      b.hue[i] = 255.0f * least(1.0f, __builtin_sqrtf(most(0.0f, 1.25f * seen[i] - 0.25f * top) * (1.0f / 255.0f)));
    }
    // All of it lies within an ellipse, of which each row has a chord.
    const bool flares = p.a < 255;
    const float along = (flares ? most(length, flare) : length) + 1.0f,
                across = (flares ? most(width, flare) : width) + 1.0f;
    const float per_along = 1.0f / (along * along), per_across = 1.0f / (across * across);
    const float xx = b.ax * b.ax * per_along + b.ay * b.ay * per_across,
                yy = b.ay * b.ay * per_along + b.ax * b.ax * per_across;
    const float xy = b.ax * b.ay * (per_along - per_across);
    b.chord_slope = -xy / xx;
    b.chord2 = 1.0f / xx;
    b.chord2_less = (xx * yy - xy * xy) / (xx * xx);
    b.reach_y = __builtin_sqrtf(along * along * b.ay * b.ay + across * across * b.ax * b.ax);
    return b;
  }

  static F32 soft_step(F32 x) { return L::least(above_zero(x + number(0.5f)), number(1.0f)); }

  alignas(32) static constexpr float kLanes[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  template <bool kFlares, bool kHollow>
  static void lay_bullet(const PixelTile& tile, const BulletLook& b) {
    const int top = pixel_after(b.y - b.reach_y), bottom = least(pixel_after(b.y + b.reach_y), tile.rows);
    const F32 lanes = F32::load(kLanes), one = number(1.0f), there = number(b.there);
    const F32 outer = number(b.hue[tile.red_first ? 0 : 2]), green = number(b.hue[1]),
              inner = number(b.hue[tile.red_first ? 2 : 0]);
    for (int row = top; row < bottom; ++row) {
      const float down = static_cast<float>(row) + 0.5f - b.y, middle = b.x + b.chord_slope * down;
      const float half = __builtin_sqrtf(most(0.0f, b.chord2 - b.chord2_less * down * down));
      const int first = pixel_after(middle - half), groups = (pixel_after(middle + half) - first + 7) >> 3;
      const int left = least(first, kTile_px - 8 * groups), right = left + 8 * groups;
      const F32 y = number(down);
      for (int column = left; column < right; column += 8) {
        const F32 x = lanes + number(static_cast<float>(column) + 0.5f - b.x);
        const F32 along = x * number(b.ax) + y * number(b.ay);
        const F32 across = L::size_of(y * number(b.ax) - x * number(b.ay)) + number(b.aside);
        const F32 depth = number(b.arc) - L::root(along * along + across * across);
        const F32 body = soft_step(depth), disc = soft_step(depth - number(b.line));
        const F32 ramp = soft_step((depth - number(b.core)) * number(b.per_core));
        const F32 core = L::least(ramp * ramp * (number(3.0f) - number(2.0f) * ramp), disc);
        const F32 bright = number(0.62f) + number(0.38f) * L::least(depth * number(b.rise), one);
        F32 white = core, tint = (disc - core) * bright, cover = body;
        if constexpr (kHollow) {
          const F32 centre = L::least(soft_step(depth - number(b.end)), core);
          white = core - centre;
          tint = tint * number(b.rim_cover) + centre * number(0.12f);
          cover = body - (disc - core) * number(1.0f - b.rim_cover) - centre * number(1.0f - b.centre_cover);
        }
        if constexpr (kFlares) {
          white = white * there;
          tint = tint * there;
          cover = cover * there;
        }
        if constexpr (kFlares) {
          const F32 halo = above_zero(one - (x * x + y * y) * number(b.per_flare2));
          const F32 flare = halo * halo * number(b.flare);
          tint = tint + flare * (one - number(0.5f) * halo);
          white = white + flare * halo * number(0.5f);
          cover = cover + flare * number(0.8f);
        }
        u32* at = tile.pixels + row * tile.stride + column;
        const I32 under = I32::load_anywhere(at), byte = I32::all(255);
        const F32 keep = one - cover;
        const F32 pale = white * number(255.0f) + number(0.5f);
        const auto laid = [&](I32 channel, F32 own) {
          return L::whole(L::least(L::real(channel & byte) * keep + own * tint + pale, number(255.0f)));
        };
        const I32 low = laid(under, outer), mid = laid(under.template right<8>(), green),
                  high = laid(under.template right<16>(), inner);
        (low | mid.template left<8>() | high.template left<16>() | I32::all(static_cast<i32>(0xFF000000u)))
            .store_anywhere(at);
      }
    }
  }
  static void lay_bullets(const PixelTile& tile, const Particle* bullets, std::size_t count, const ParticleView& view) {
    for (std::size_t i = 0; i < count; ++i) {
      if (bullets[i].a == 0 || bullets[i].size == 0) continue;
      const BulletLook look = bullet_look(tile, bullets[i], view);
      const bool hollow = look.end < 1e9f;
      if (bullets[i].a < 255) hollow ? lay_bullet<true, true>(tile, look) : lay_bullet<true, false>(tile, look);
      else hollow ? lay_bullet<false, true>(tile, look) : lay_bullet<false, false>(tile, look);
    }
  }

  static constexpr CpuKernels table(const char* name) {
    return {name,       tile_ranges, add_light,     lay_matter, lay_figures,   read_figure,
            lay_figure, lay_mark,    gather_bright, tone,       bullet_ranges, lay_bullets};
  }
};

}  // namespace spellpool::render
