#include "render/cpu/cpu_light.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "render/cpu/shader_noise.hpp"

namespace spellpool::render {
namespace {

using Lamp = CpuLight::Lamp;
using shader::noise, shader::smooth;

constexpr int kRowsAPiece = 6;
/// Within it no stone lies under mist: light is as it falls.
constexpr float kClearRadius = 318.0f;
/// The largest half float: brighter light is cut.
constexpr float kMostLight = 65504.0f;
/// Lights that are smaller light no texel.
constexpr float kLeastRadius = 1e-3f;

// The aurora's tables: from kAuroraFrom units on, a step every four, and around the arena.
constexpr float kAuroraFrom = 340.0f, kAuroraStep = 4.0f;
constexpr int kAuroraReaches = 384, kAuroraTurns = 2048, kTurnsAPiece = 256;

// By value: the compiler makes vectors of these, but not of std::min.
float lesser(float a, float b) { return a < b ? a : b; }
float greater(float a, float b) { return a > b ? a : b; }
float within(float a, float least, float most) { return lesser(greater(a, least), most); }

float luma(float r, float g, float b) { return r * 0.30f + g * 0.55f + b * 0.15f; }
/// The half float of a number that is no larger than one can be. Towards 2^-15 it fades to nothing.
u32 half(float value) {
  const u32 bits = std::bit_cast<u32>(value);
  const i32 size = static_cast<i32>(bits & 0x7FFFFFFFu) - 0x38000000 + 0x1000;
  return (bits >> 16 & 0x8000u) | static_cast<u32>(size > 0 ? size : 0) >> 13;
}

/// The smallest i with values[i] > limit. The values rise and lie `step` apart.
int first_beyond(float limit, float first, float step, int count) {
  return static_cast<int>(std::clamp(std::floor((limit - first) / step) + 1.0f, 0.0f, static_cast<float>(count)));
}

// Loops over a row, each of its own so that the compiler knows its arrays apart and makes vectors of it.

void blend_rows(const float* __restrict upper, const float* __restrict lower, float part, int count,
                float* __restrict to) {
  for (int x = 0; x < count; ++x) to[x] = upper[x] + (lower[x] - upper[x]) * part;
}

void spread_run(const float* __restrict from, const float* __restrict part, int count, float* __restrict to) {
  for (int x = 0; x < count; ++x) to[x] = from[x] + (from[x + 1] - from[x]) * part[x];
}

void spread_row(const float* __restrict from, const int* __restrict column, const float* __restrict part, int count,
                float* __restrict to) {
  for (int x = 0; x < count; ++x) {
    const float* texel = from + column[x];
    to[x] = texel[0] + (texel[1] - texel[0]) * part[x];
  }
}

/// As shaders/light.frag, but for the mist, which takes its part of all lights at once.
void add_lamp_row(const Lamp lamp, float dy, const float* __restrict across, int count, float* __restrict red,
                  float* __restrict green, float* __restrict blue, float* __restrict towards_x,
                  float* __restrict towards_y) {
  const float dy2 = dy * dy, bright_y = dy * lamp.bright;
  for (int x = 0; x < count; ++x) {
    const float dx = (across[x] - lamp.x) * lamp.per_radius;
    const float d2 = dx * dx + dy2;
    const float fade = greater(1.0f - d2, 0.0f);
    const float distance = std::sqrt(d2 + 0.035f);
    const float nearer = fade * fade / ((1.0f + 9.0f * d2) * distance);
    const float strength = nearer * distance;
    red[x] += lamp.r * strength;
    green[x] += lamp.g * strength;
    blue[x] += lamp.b * strength;
    towards_x[x] -= dx * lamp.bright * nearer;
    towards_y[x] -= bright_y * nearer;
  }
}

/// The sky's light joins (shaders/surround.frag). It is in `add`, where the night's is to come: none within the ring …
void finish_clear(const float*, float, int count, float* __restrict red, float* __restrict green,
                  float* __restrict blue, float* __restrict towards_x, float* __restrict towards_y,
                  float* __restrict add_red, float* __restrict add_green, float* __restrict add_blue) {
  for (int x = 0; x < count; ++x) {
    const float bright = 0.85f * luma(add_red[x], add_green[x], add_blue[x]);
    red[x] = lesser(red[x] + add_red[x], kMostLight);
    green[x] = lesser(green[x] + add_green[x], kMostLight);
    blue[x] = lesser(blue[x] + add_blue[x], kMostLight);
    towards_x[x] = within(towards_x[x] - 0.62f * bright, -kMostLight, kMostLight);
    towards_y[x] = within(towards_y[x] - 0.70f * bright, -kMostLight, kMostLight);
    add_red[x] = add_green[x] = add_blue[x] = 0.0f;
  }
}

/// … and around it mist, which drinks light from below and has its own (shaders/night.frag).
void finish_misty(const float* __restrict across, float y, int count, float* __restrict red, float* __restrict green,
                  float* __restrict blue, float* __restrict towards_x, float* __restrict towards_y,
                  float* __restrict add_red, float* __restrict add_green, float* __restrict add_blue) {
  for (int x = 0; x < count; ++x) {
    const float radius = std::sqrt(across[x] * across[x] + y * y);
    const float on_stone = 1.0f - 0.90f * smooth(kClearRadius, 372.0f, radius);
    const float mist = smooth(334.0f, 341.0f, radius) * (0.16f + 0.79f * smooth(338.0f, 400.0f, radius));
    const float bright = 0.85f * luma(add_red[x], add_green[x], add_blue[x]);
    red[x] = lesser(red[x] * on_stone + add_red[x], kMostLight);
    green[x] = lesser(green[x] * on_stone + add_green[x], kMostLight);
    blue[x] = lesser(blue[x] * on_stone + add_blue[x], kMostLight);
    towards_x[x] = within(towards_x[x] * on_stone - 0.62f * bright, -kMostLight, kMostLight);
    towards_y[x] = within(towards_y[x] * on_stone - 0.70f * bright, -kMostLight, kMostLight);
    add_red[x] = red[x] * mist;
    add_green[x] = green[x] * mist;
    add_blue[x] = blue[x] * mist;
  }
}

/// To half floats, two channels a number.
void pack_row(const float* __restrict red, const float* __restrict green, const float* __restrict blue,
              const float* __restrict towards_x, const float* __restrict towards_y, int count, u32* __restrict light,
              u32* __restrict direction) {
  for (int x = 0; x < count; ++x) {
    light[2 * x] = half(red[x]) | half(green[x]) << 16;
    light[2 * x + 1] = half(blue[x]) | half(towards_x[x]) << 16;
    direction[2 * x] = 0;
    direction[2 * x + 1] = half(towards_y[x]) << 16;
  }
}

/// The aurora's colours by the distance.
void add_hues(const float* __restrict rays, const float* __restrict bright, const float* __restrict far, int count,
              float* __restrict red, float* __restrict green, float* __restrict blue) {
  for (int i = 0; i < count; ++i) {
    const float mid = smooth(0.05f, 0.40f, far[i] + 0.20f * (rays[i] - 0.5f)), high = smooth(0.40f, 1.0f, far[i]);
    const auto hue = [&](float one, float two, float three) {
      const float lower = one + (two - one) * mid;
      return (lower + (three - lower) * high) * bright[i];
    };
    red[i] += hue(0.085f, 0.004f, 0.055f);
    green[i] += hue(0.046f, 0.080f, 0.012f);
    blue[i] += hue(0.012f, 0.062f, 0.095f);
  }
}

}  // namespace

CpuLight::CpuLight(std::size_t most_lights) : reach_(kAuroraReaches + 1), turn_(kAuroraTurns + 1) {
  lamps_.reserve(most_lights);
}

void CpuLight::set_sky(const GroundArea& area, int width, int height, std::span<const float> rgba) {
  fill_sky(arena_sky_, area, width, height, rgba);
}
void CpuLight::set_garden_sky(const GroundArea& area, int width, int height, std::span<const float> rgba) {
  fill_sky(garden_sky_, area, width, height, rgba);
}
void CpuLight::fill_sky(Sky& sky, const GroundArea& area, int width, int height, std::span<const float> rgba) {
  sky.area = area;
  sky.width = width;
  sky.height = height;
  const std::size_t line = static_cast<std::size_t>(width) + 1;
  sky.texels.resize(line * static_cast<std::size_t>(height) * 3);
  float* to = sky.texels.data();
  for (std::size_t c = 0; c < 3; ++c) {
    for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) {
      for (std::size_t x = 0; x < line; ++x) *to++ = rgba[(y * (line - 1) + std::min(x, line - 2)) * 4 + c];
    }
  }
}

void CpuLight::fill(const LightScene& scene, const SmallPlanes& small, float* const (&planes)[SmallPlanes::kChannels],
                    ThreadPool& thread_pool) {
  std::copy(std::begin(planes), std::end(planes), plane_);
  sky_ = scene.garden ? &garden_sky_ : &arena_sky_;
  place_texels(scene, small);
  gather_lamps(scene);
  finale_ = scene.finale > 0.0f;
  if (finale_) make_aurora(scene, thread_pool);
  thread_pool.run((height_ + kRowsAPiece - 1) / kRowsAPiece, [this](int piece) { fill_rows(piece); });
}

/// Where the texels lie in the world and in the sky.
void CpuLight::place_texels(const LightScene& scene, const SmallPlanes& small) {
  width_ = small.width;
  height_ = small.height;
  stride_ = small.stride;
  const std::size_t width = static_cast<std::size_t>(width_), texels = width * static_cast<std::size_t>(height_);
  light_halves_.resize(texels * 2);
  direction_halves_.resize(texels * 2);
  across_.resize(width);
  column_.resize(width);
  part_.resize(width);
  const std::size_t pieces = static_cast<std::size_t>((height_ + kRowsAPiece - 1) / kRowsAPiece);
  scratch_.resize(pieces * 3 * static_cast<std::size_t>(sky_->width + 1));

  const float middle = 0.5f * static_cast<float>(small.divisor);
  const Point first = screen_to_world(scene.view, {middle, middle});
  top_ = first.y;
  step_ = static_cast<float>(small.divisor) / scene.view.px_per_unit();
  columns_run_ = true;
  for (std::size_t x = 0; x < width; ++x) {
    across_[x] = first.x + static_cast<float>(x) * step_;
    const float place = (across_[x] - sky_->area.left) / sky_->area.width * static_cast<float>(sky_->width) - 0.5f;
    const float inside = std::clamp(place, 0.0f, static_cast<float>(sky_->width - 1));
    column_[x] = static_cast<int>(inside);
    part_[x] = inside - std::floor(inside);
    columns_run_ = columns_run_ && column_[x] == column_[0] + static_cast<int>(x);
  }
}

void CpuLight::gather_lamps(const LightScene& scene) {
  lamps_.clear();
  for (const frame::LightInstance& light : scene.lights) {
    if (!(light.radius > kLeastRadius)) continue;
    Lamp lamp{};
    lamp.x = light.previous_x + (light.x - light.previous_x) * scene.alpha;
    lamp.y = light.previous_y + (light.y - light.previous_y) * scene.alpha;
    if (!std::isfinite(lamp.x + lamp.y)) continue;
    lamp.radius = light.radius;
    lamp.per_radius = 1.0f / light.radius;
    // Stone drinks the pale part of the light, as in shaders/light.vert.
    const float pale = luma(light.r, light.g, light.b);
    const auto hue = [pale](float c) { return std::clamp(c + 0.24f * (c - pale), 0.0f, kMostLight); };
    lamp.r = hue(light.r);
    lamp.g = hue(light.g);
    lamp.b = hue(light.b);
    lamp.bright = luma(lamp.r, lamp.g, lamp.b);
    lamp.first_row = first_beyond(lamp.y - lamp.radius, top_, step_, height_);
    lamp.end_row = first_beyond(lamp.y + lamp.radius, top_, step_, height_);
    if (lamp.first_row < lamp.end_row) lamps_.push_back(lamp);
  }
}

void CpuLight::fill_rows(int piece) {
  const int from = piece * kRowsAPiece, to = std::min(height_, from + kRowsAPiece);
  for (const int c : {SmallPlanes::LightRed, SmallPlanes::LightGreen, SmallPlanes::LightBlue, SmallPlanes::TowardsX,
                      SmallPlanes::TowardsY}) {
    for (int row = from; row < to; ++row) std::fill_n(at(c, row), width_, 0.0f);
  }
  for (const Lamp& lamp : lamps_) {
    for (int row = std::max(from, lamp.first_row); row < std::min(to, lamp.end_row); ++row) add_lamp(lamp, row);
  }
  float* scratch = scratch_.data() + static_cast<std::size_t>(piece) * 3 * static_cast<std::size_t>(sky_->width + 1);
  for (int row = from; row < to; ++row) {
    blend_sky(top_ + static_cast<float>(row) * step_, scratch);
    finish_row(row, scratch);
  }
}

void CpuLight::add_lamp(const Lamp& lamp, int row) {
  const float dy = (top_ + static_cast<float>(row) * step_ - lamp.y) * lamp.per_radius;
  if (!(dy * dy < 1.0f)) return;
  const float reach = std::sqrt(1.0f - dy * dy) * lamp.radius;
  const int from = first_beyond(lamp.x - reach, across_[0], step_, width_);
  const int to = first_beyond(lamp.x + reach, across_[0], step_, width_);
  add_lamp_row(lamp, dy, across_.data() + from, to - from, at(SmallPlanes::LightRed, row) + from,
               at(SmallPlanes::LightGreen, row) + from, at(SmallPlanes::LightBlue, row) + from,
               at(SmallPlanes::TowardsX, row) + from, at(SmallPlanes::TowardsY, row) + from);
}

/// The sky's row at a height of the world, of its own width.
void CpuLight::blend_sky(float y, float* scratch) const {
  const float place = (y - sky_->area.top) / sky_->area.height * static_cast<float>(sky_->height) - 0.5f;
  const float inside = std::clamp(place, 0.0f, static_cast<float>(sky_->height - 1));
  const int row = static_cast<int>(inside), next = std::min(row + 1, sky_->height - 1);
  const float part = inside - static_cast<float>(row);
  const std::ptrdiff_t line = sky_->width + 1;
  const int from = column_.front(), count = column_.back() + 2 - from;
  for (std::ptrdiff_t c = 0; c < 3; ++c) {
    const float* plane = sky_->texels.data() + c * line * sky_->height + from;
    blend_rows(plane + row * line, plane + next * line, part, count, scratch + c * line + from);
  }
}

/// From the sum of the lights to light, and to what the night adds.
void CpuLight::finish_row(int row, const float* sky) {
  // The sky comes first to where the night's light will be.
  const std::ptrdiff_t line = sky_->width + 1;
  for (int c = 0; c < 3; ++c) {
    float* to = at(SmallPlanes::AddRed + c, row);
    if (columns_run_) spread_run(sky + c * line + column_[0], part_.data(), width_, to);
    else spread_row(sky + c * line, column_.data(), part_.data(), width_, to);
  }
  const float y = top_ + static_cast<float>(row) * step_;
  const float chord = std::sqrt(std::max(0.0f, kClearRadius * kClearRadius - y * y));
  const bool garden = sky_ == &garden_sky_;
  const int left = garden ? 0 : first_beyond(-chord, across_[0], step_, width_);
  const int right = garden ? width_ : first_beyond(chord, across_[0], step_, width_);
  const auto finish = [&](auto&& part_of_row, int from, int to) {
    part_of_row(across_.data() + from, y, to - from, at(SmallPlanes::LightRed, row) + from,
                at(SmallPlanes::LightGreen, row) + from, at(SmallPlanes::LightBlue, row) + from,
                at(SmallPlanes::TowardsX, row) + from, at(SmallPlanes::TowardsY, row) + from,
                at(SmallPlanes::AddRed, row) + from, at(SmallPlanes::AddGreen, row) + from,
                at(SmallPlanes::AddBlue, row) + from);
  };
  finish(finish_misty, 0, left);
  finish(finish_clear, left, right);
  finish(finish_misty, right, width_);
  if (finale_) {
    add_aurora(row, 0, left);
    add_aurora(row, right, width_);
  }
  const std::size_t to = static_cast<std::size_t>(height_ - 1 - row) * static_cast<std::size_t>(width_) * 2;
  pack_row(at(SmallPlanes::LightRed, row), at(SmallPlanes::LightGreen, row), at(SmallPlanes::LightBlue, row),
           at(SmallPlanes::TowardsX, row), at(SmallPlanes::TowardsY, row), width_, light_halves_.data() + to,
           direction_halves_.data() + to);
}

// ---------------------------------------------------------------------------------------------------- finale

// The aurora of shaders/night.frag. All its noise is a function of the direction in which a texel lies, turned by how
// far it is, so that two short tables hold all of it. Directions are counted by y / (|x| + |y|), which rises around a
// quarter as the angle does.

void CpuLight::make_aurora(const LightScene& scene, ThreadPool& thread_pool) {
  const float time = std::clamp(scene.time_s, 0.0f, 1e6f) * 0.05f;
  for (std::size_t i = 0; i < reach_.size(); ++i) {
    const float far = (kAuroraFrom + static_cast<float>(i) * kAuroraStep - 345.0f) / 300.0f;
    const float lean = 1.1f * far + time;
    reach_[i] = {std::cos(lean), std::sin(lean),
                 smooth(0.0f, 0.10f, far) * std::exp(-far * 1.9f) * scene.finale * scene.finale, 0.0f};
  }
  thread_pool.run(kAuroraTurns / kTurnsAPiece, [&](int piece) {
    for (int i = piece * kTurnsAPiece; i < (piece + 1) * kTurnsAPiece; ++i) {
      const float quarters = static_cast<float>(i) * (4.0f / kAuroraTurns) - 1.0f;  // −1 … 1 where x > 0, then to 3.
      float y = quarters <= 1.0f ? quarters : 2.0f - quarters;
      float x = (quarters <= 1.0f ? 1.0f : -1.0f) * (1.0f - std::abs(y));
      const float length = std::sqrt(x * x + y * y);
      x /= length;
      y /= length;
      const float folds = noise(x * 2.4f + time * 1.7f, y * 2.4f - time);
      const float along = folds * 2.2f + time * 2.0f, finer = folds * 3.0f - time * 3.0f;
      const float rays = noise(x * 9.0f + along, y * 9.0f + along);
      const float fine = noise(x * 26.0f + finer, y * 26.0f + finer);
      const float curtain = smooth(0.34f, 0.86f, folds) * (0.35f + 0.65f * rays) * (0.65f + 0.35f * fine);
      turn_[static_cast<std::size_t>(i)] = {curtain, rays};
    }
  });
  turn_.back() = turn_.front();
}

void CpuLight::add_aurora(int row, int from, int to) {
  const float y = top_ + static_cast<float>(row) * step_;
  constexpr int kMost = 64;
  float rays[kMost], bright[kMost], far[kMost];
  for (; from < to; from += kMost) {
    const int count = std::min(kMost, to - from);
    look_up_aurora(across_.data() + from, y, count, rays, bright, far);
    add_hues(rays, bright, far, count, at(SmallPlanes::AddRed, row) + from, at(SmallPlanes::AddGreen, row) + from,
             at(SmallPlanes::AddBlue, row) + from);
  }
}

void CpuLight::look_up_aurora(const float* across, float y, int count, float* __restrict rays, float* __restrict bright,
                              float* __restrict far) const {
  for (int i = 0; i < count; ++i) far[i] = std::sqrt(across[i] * across[i] + y * y);
  const AuroraReach* reach = reach_.data();
  const AuroraTurn* turns = turn_.data();
  for (int i = 0; i < count; ++i) {
    // Both ends of the table are dark.
    const float place = within((far[i] - kAuroraFrom) * (1.0f / kAuroraStep), 0.0f, kAuroraReaches - 0.01f);
    const int near = static_cast<int>(place);
    const float beyond = place - static_cast<float>(near);
    const AuroraReach& a = reach[near];
    const AuroraReach& b = reach[near + 1];
    const float c = a.cosine + (b.cosine - a.cosine) * beyond, s = a.sine + (b.sine - a.sine) * beyond;
    const float x = c * across[i] - s * y, turned_y = s * across[i] + c * y;
    const float rise = turned_y / (std::abs(x) + std::abs(turned_y));
    const float turn = ((x >= 0.0f ? rise : 2.0f - rise) + 1.0f) * (kAuroraTurns / 4);
    const int first = static_cast<int>(lesser(turn, kAuroraTurns - 0.01f));
    const float rest = turn - static_cast<float>(first);
    const AuroraTurn& p = turns[first];
    const AuroraTurn& q = turns[first + 1];
    rays[i] = p.rays + (q.rays - p.rays) * rest;
    bright[i] = (p.curtain + (q.curtain - p.curtain) * rest) * (a.height + (b.height - a.height) * beyond);
  }
  for (int i = 0; i < count; ++i) far[i] = (far[i] - 345.0f) * (1.0f / 300.0f);
}

}  // namespace spellpool::render
