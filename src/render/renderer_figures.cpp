// The figures (frame::SpriteInstance) and the ring's runes: where they lie, and their draw calls.
#include <algorithm>
#include <cmath>

#include "render/renderer_impl.hpp"

namespace spellpool::render {

using frame::SpriteInstance;
using frame::SpriteKind;

void Renderer::Impl::mark_sprites(const frame::RenderSnapshot& snapshot, float alpha, TileMarks& marks) const {
  for (const SpriteInstance& sprite : snapshot.sprites) {
    const float x = sprite.previous_x + (sprite.x - sprite.previous_x) * alpha;
    const float y = sprite.previous_y + (sprite.y - sprite.previous_y) * alpha;
    const float reach = figure_reach(sprite);
    const Point other = figure_far_end(sprite, {x, y});
    // Along what is long, a mark at least every reach.
    const float length = std::hypot(other.x - x, other.y - y);
    const int steps =
        std::isfinite(length) && reach > 0.0f ? static_cast<int>(std::min(length / reach, 200.0f)) + 1 : 0;
    for (int i = 0; i <= steps; ++i) {
      const float t = steps > 0 ? static_cast<float>(i) / static_cast<float>(steps) : 0.0f;
      marks.mark(x + (other.x - x) * t, y + (other.y - y) * t, reach);
      if (other.x == x && other.y == y) break;
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
