// The figures (frame::SpriteInstance) and the ring's runes: where they lie, and their draw calls.
#include <algorithm>
#include <cmath>
#include <utility>

#include "render/renderer_impl.hpp"

namespace spellpool::render {

using frame::SpriteInstance;
using frame::SpriteKind;

namespace {

constexpr float kMostMarksOfALine = 2000.0f;  // Enough for the thinnest beam across the widest window.

// Keeps of the line from a to b what comes within `reach` of the view. False: none of it does.
bool cut_to_view(const View& view, float reach, Point& a, Point& b) {
  float from = 0.0f, to = 1.0f;
  const auto between = [&](float start, float way, float low, float high) {
    if (way == 0.0f) return start >= low && start <= high;
    const float enter = (low - start) / way, leave = (high - start) / way;
    from = std::max(from, std::min(enter, leave));
    to = std::min(to, std::max(enter, leave));
    return from <= to;
  };
  const Point way{b.x - a.x, b.y - a.y}, start = a;
  const float wide = view.half_width() + reach, high = view.half_height() + reach;
  if (!between(a.x, way.x, view.centre_x - wide, view.centre_x + wide)) return false;
  if (!between(a.y, way.y, view.centre_y - high, view.centre_y + high)) return false;
  a = {start.x + way.x * from, start.y + way.y * from};
  b = {start.x + way.x * to, start.y + way.y * to};
  return true;
}

}  // namespace

void Renderer::Impl::mark_sprites(const frame::RenderSnapshot& snapshot, const View& view, float alpha,
                                  TileMarks& marks) const {
  for (const SpriteInstance& sprite : snapshot.sprites) {
    const float x = sprite.previous_x + (sprite.x - sprite.previous_x) * alpha;
    const float y = sprite.previous_y + (sprite.y - sprite.previous_y) * alpha;
    const float reach = figure_reach(sprite);
    Point here{x, y}, other = figure_far_end(sprite, here);
    if (other.x == x && other.y == y) {
      marks.mark(x, y, figure_box(sprite));
      continue;
    }
    if (!(reach > 0.0f) || !std::isfinite(x + y + other.x + other.y) || !cut_to_view(view, reach, here, other)) continue;
    // Along what is long, a mark at least every reach.
    const float length = std::hypot(other.x - here.x, other.y - here.y);
    const int steps = static_cast<int>(std::min(length / reach, kMostMarksOfALine)) + 1;
    for (int i = 0; i <= steps; ++i) {
      const float t = static_cast<float>(i) / static_cast<float>(steps);
      marks.mark(here.x + (other.x - here.x) * t, here.y + (other.y - here.y) * t, reach);
    }
  }
}

// Burning runes; in the finale the whole ring.
void Renderer::Impl::mark_runes(TileMarks& marks) const {
  const int around = block.clock[2] > 0.0f ? 4 * kRunes : kRunes;
  for (int i = 0; i < around; ++i) {
    if (around == kRunes && static_cast<float>(i) >= block.clock[1]) break;
    const float turn = static_cast<float>(i) * (6.2831853f / static_cast<float>(around));
    marks.mark(300.0f * std::sin(turn), -300.0f * std::cos(turn), 56.0f);
  }
}

void Renderer::Impl::draw_runes() {
  glBindVertexArray(empty_array.get());
  if (block.clock[2] > 0.0f) {
    shaders.use(ProgramId::RingGlow);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 2 * 73);
  }
  if (block.clock[1] > 0.0f) {
    bind(TextureUnit::Runes, rune_strip.colour);
    shaders.use(ProgramId::RuneLit);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(std::ceil(block.clock[1])));
  }
}

/// Figures into the buffer that draw_run() reads.
void Renderer::Impl::use_sprites(std::span<const SpriteInstance> sprites) {
  glBindVertexArray(sprite_array.get());
  glBindBuffer(GL_ARRAY_BUFFER, sprite_buffer.get());
  glBufferData(GL_ARRAY_BUFFER, kMostSprites * sizeof(SpriteInstance), nullptr, GL_STREAM_DRAW);
  glBufferSubData(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(sprites.size_bytes()), sprites.data());
}

void Renderer::Impl::draw_run(ProgramId program, const FigureRow& row, std::size_t first, std::size_t end) {
  // A scene that has not asked for its figures gets them now, with a hitch.
  if (!shaders.has(program)) shaders.ready_shooter();
  const std::size_t base = first * sizeof(SpriteInstance);
  float_attribute(0, 4, sizeof(SpriteInstance), base + offsetof(SpriteInstance, x));
  float_attribute(1, 2, sizeof(SpriteInstance), base + offsetof(SpriteInstance, size));
  float_attribute(2, 3, sizeof(SpriteInstance), base + offsetof(SpriteInstance, p0));
  float_attribute(3, 3, sizeof(SpriteInstance), base + offsetof(SpriteInstance, r));
  shaders.use(program);
  shaders.set_step(program, row.step[0], row.step[1], row.step[2], row.step[3]);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, row.vertices, static_cast<GLsizei>(end - first));
}

void Renderer::Impl::draw_sprites(std::span<const SpriteInstance> sprites) {
  sprites = sprites.first(std::min(sprites.size(), kMostSprites));
  if (sprites.empty()) return;
  use_sprites(sprites);
  for (std::size_t first = 0; first < sprites.size();) {
    const u32 kind = sprites[first].kind;
    std::size_t end = first + 1;
    while (end < sprites.size() && sprites[end].kind == kind) ++end;
    const bool copied = (kind & kKeptKind) != 0;
    const u32 figure = kind & ~kKeptKind;
    if (figure < kFigures.size()) {
      const FigureRow& row = kFigures[figure];
      draw_run(copied ? ProgramId::FigureCopy : row.program, row, first, end);
    }
    first = end;
  }
}

/// The picture's figures, those that stand still as copies of what is kept; what is not there yet is drawn for that first.
std::span<const SpriteInstance> Renderer::Impl::keep_figures(const frame::RenderSnapshot& snapshot, const View& view, float alpha) {
  const std::span<const SpriteInstance> all = snapshot.sprites.first(std::min(snapshot.sprites.size(), kMostSprites));
  kept.begin_picture(view, figures_may_be_late);
  kept_copies.assign(all.begin(), all.end());
  bool began = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const SpriteInstance& sprite = all[i];
    if (!KeptFigures::keeps(sprite.kind)) continue;
    const Point place{sprite.previous_x + (sprite.x - sprite.previous_x) * alpha,
                      sprite.previous_y + (sprite.y - sprite.previous_y) * alpha};
    const Point screen = world_to_screen(view, place);
    constexpr float kFar_px = 1e5f;  // a broken number, too
    if (!(std::abs(screen.x) < kFar_px && std::abs(screen.y) < kFar_px)) continue;
    const KeptFigures::Place found = kept.find(sprite, place, figure_box(sprite), canvas->figure_light_at(screen.x, screen.y));
    if (found.cell < 0) continue;
    kept_copies[i].kind |= kKeptKind;
    kept_copies[i].p0 = static_cast<float>(found.from_x);
    kept_copies[i].p1 = static_cast<float>(found.from_y);
    if (found.drawn) continue;
    if (!std::exchange(began, true)) {
      begin(kept.target());
      ready_scene();
      glDisable(GL_BLEND);
      glEnable(GL_SCISSOR_TEST);
      use_sprites(all);
    }
    const Point corner = KeptFigures::corner(found.cell, kept.side_px());
    glScissor(static_cast<int>(corner.x), static_cast<int>(corner.y), kept.side_px(), kept.side_px());
    glViewport(found.from_x, found.from_y, width_px, height_px);
    const FigureRow& row = kFigures[sprite.kind];
    draw_run(row.program, row, i, i + 1);
  }
  if (began) glDisable(GL_SCISSOR_TEST);
  return kept_copies;
}

}  // namespace spellpool::render
