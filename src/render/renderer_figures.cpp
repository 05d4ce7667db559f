// The figures (frame::SpriteInstance) and the ring's runes: where they lie, and their draw calls.
#include <algorithm>
#include <cmath>

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

void Renderer::Impl::draw_sprites(const frame::RenderSnapshot& snapshot) {
  const std::size_t count = std::min(snapshot.sprites.size(), kMostSprites);
  if (count == 0) return;
  glBindVertexArray(sprite_array.get());
  glBindBuffer(GL_ARRAY_BUFFER, sprite_buffer.get());
  glBufferData(GL_ARRAY_BUFFER, kMostSprites * sizeof(SpriteInstance), nullptr, GL_STREAM_DRAW);
  glBufferSubData(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(count * sizeof(SpriteInstance)), snapshot.sprites.data());
  for (std::size_t first = 0; first < count;) {
    const u32 kind = snapshot.sprites[first].kind;
    std::size_t end = first + 1;
    while (end < count && snapshot.sprites[end].kind == kind) ++end;
    if (kind < kFigures.size()) {
      const FigureRow& row = kFigures[kind];
      // A scene that has not asked for its figures gets them now, with a hitch.
      if (!shaders.has(row.program)) shaders.ready_shooter();
      const std::size_t base = first * sizeof(SpriteInstance);
      float_attribute(0, 4, sizeof(SpriteInstance), base + offsetof(SpriteInstance, x));
      float_attribute(1, 2, sizeof(SpriteInstance), base + offsetof(SpriteInstance, size));
      float_attribute(2, 3, sizeof(SpriteInstance), base + offsetof(SpriteInstance, p0));
      float_attribute(3, 3, sizeof(SpriteInstance), base + offsetof(SpriteInstance, r));
      shaders.use(row.program);
      shaders.set_step(row.program, row.step[0], row.step[1], row.step[2], row.step[3]);
      glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, row.vertices, static_cast<GLsizei>(end - first));
    }
    first = end;
  }
}

}  // namespace spellpool::render
