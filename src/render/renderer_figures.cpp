// The figures (frame::SpriteInstance) and the ring's runes: where they lie, and their draw calls.
#include <algorithm>
#include <cmath>

#include "render/renderer_impl.hpp"

namespace spellpool::render {

using frame::SpriteInstance;
using frame::SpriteKind;

namespace {

constexpr float kMostMarksOfALine = 2000.0f;  // Enough for the thinnest beam across the widest window.

/// Where a figure is between the last two steps.
Point place_of(const SpriteInstance& sprite, float alpha) {
  return {sprite.previous_x + (sprite.x - sprite.previous_x) * alpha,
          sprite.previous_y + (sprite.y - sprite.previous_y) * alpha};
}

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

void Renderer::Impl::mark_sprites(std::span<const SpriteInstance> sprites, const View& view, float alpha,
                                  TileMarks& marks) const {
  for (const SpriteInstance& sprite : sprites) {
    const auto [x, y] = place_of(sprite, alpha);
    const float reach = figure_reach(sprite);
    Point here{x, y}, other = figure_far_end(sprite, here);
    if (other.x == x && other.y == y) {
      marks.mark(x, y, figure_box(sprite));
      continue;
    }
    if (!(reach > 0.0f) || !std::isfinite(x + y + other.x + other.y) || !cut_to_view(view, reach, here, other))
      continue;
    // Along what is long, a mark at least every reach.
    const float length = std::hypot(other.x - here.x, other.y - here.y);
    const int steps = static_cast<int>(std::min(length / reach, kMostMarksOfALine)) + 1;
    for (int i = 0; i <= steps; ++i) {
      const float t = static_cast<float>(i) / static_cast<float>(steps);
      marks.mark(here.x + (other.x - here.x) * t, here.y + (other.y - here.y) * t, reach);
    }
  }
}

/// The looks of marks on the floor, once.
void Renderer::Impl::ready_decals() {
  if (!decal_painter.has_sheet()) decal_painter.set_sheet(decal_sheet_texels());
}

/// The marks on the floor that can be drawn.
void Renderer::Impl::gather_decals(const frame::RenderSnapshot& snapshot) {
  decals.clear();
  if (!garden_now.empty()) return;
  for (const frame::DecalInstance& decal : snapshot.decals) {
    if (decals.size() < frame::kMostDecals && is_seen(decal)) decals.push_back(decal);
  }
  if (!decals.empty()) ready_decals();
}

void Renderer::Impl::draw_decals() {
  if (decals.empty()) return;
  glBindVertexArray(decal_array.get());
  glBindBuffer(GL_ARRAY_BUFFER, decal_buffer.get());
  glBufferData(GL_ARRAY_BUFFER, frame::kMostDecals * sizeof(frame::DecalInstance), nullptr, GL_STREAM_DRAW);
  glBufferSubData(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(decals.size() * sizeof(frame::DecalInstance)),
                  decals.data());
  glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(TextureUnit::Decals));
  if (!decal_sheet) decal_sheet = make_decal_sheet(decal_painter.sheet());
  bind(TextureUnit::Decals, decal_sheet);
  shaders.use(ProgramId::Decal);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(decals.size()));
}

void Renderer::Impl::draw_runes() {
  glBindVertexArray(empty_array.get());
  if (block.clock[2] > 0.0f) {
    shaders.use(ProgramId::RingGlow);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 2 * 73);
  }
  if (block.clock[1] > 0.0f) {
    bind(TextureUnit::Runes, rune_strip);
    shaders.use(ProgramId::RuneLit);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(std::ceil(block.clock[1])));
  }
}

/// The light that falls on each of these figures, from the CPU renderer's planes.
void Renderer::Impl::gather_figure_lights(std::span<const SpriteInstance> sprites, const View& view, float alpha) {
  figure_lights.clear();
  for (const SpriteInstance& sprite : sprites.first(std::min(sprites.size(), kMostSprites))) {
    const Point at = world_to_screen(view, place_of(sprite, alpha));
    figure_lights.push_back(std::isfinite(at.x + at.y) ? canvas->figure_light_at(at.x, at.y) : FigureLight{});
  }
}

/// Figures, and their lights if these are attributes, into the buffer that draw_run() reads.
void Renderer::Impl::use_sprites(std::span<const SpriteInstance> sprites) {
  glBindVertexArray(sprite_array.get());
  glBindBuffer(GL_ARRAY_BUFFER, sprite_buffer.get());
  glBufferData(GL_ARRAY_BUFFER, kSpriteBufferBytes, nullptr, GL_STREAM_DRAW);
  glBufferSubData(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(sprites.size_bytes()), sprites.data());
  if (shaders.figure_light() == FigureLightFrom::Attributes) {
    glBufferSubData(GL_ARRAY_BUFFER, kFigureLightsAt,
                    static_cast<GLsizeiptr>(sprites.size() * sizeof(FigureLight)), figure_lights.data());
  }
}

void Renderer::Impl::draw_run(ProgramId program, const FigureRow& row, std::size_t first, std::size_t end) {
  // Before warm_up(), or in a scene that has not asked for its figures: now, with a hitch.
  if (!shaders.has(program)) ready_programs({made_for(program)});
  const std::size_t base = first * sizeof(SpriteInstance);
  float_attribute(0, 4, sizeof(SpriteInstance), base + offsetof(SpriteInstance, x));
  float_attribute(1, 2, sizeof(SpriteInstance), base + offsetof(SpriteInstance, size));
  float_attribute(2, 3, sizeof(SpriteInstance), base + offsetof(SpriteInstance, p0));
  float_attribute(3, 3, sizeof(SpriteInstance), base + offsetof(SpriteInstance, r));
  if (shaders.figure_light() == FigureLightFrom::Attributes) light_attributes(first);
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
    if (kind < kFigures.size()) draw_run(kFigures[kind].program, kFigures[kind], first, end);
    first = end;
  }
}

namespace {

std::size_t halves_of(std::span<const FigureImages::Read> reads) {
  std::size_t halves = 0;
  for (const FigureImages::Read& read : reads) halves += read.halves();
  return halves;
}

}  // namespace

/// What the last picture drew into the sheet.
void Renderer::Impl::read_images() {
  FigureImages& images = figure_images[view_shown];
  const std::span<const FigureImages::Read> reads = images.to_read();
  if (reads.empty()) return;
  figure_halves.make_room(halves_of(reads));
  plain_packing();
  u16* to = figure_halves.data();
  for (const FigureImages::Read& read : reads) {
    if (&read == &reads.front() || read.framebuffer != (&read - 1)->framebuffer)
      glBindFramebuffer(GL_FRAMEBUFFER, read.framebuffer);
    glReadPixels(read.x, read.y, read.width, read.height, GL_RGBA, GL_HALF_FLOAT, to);
    to += read.halves();
  }
  canvas->read_images(images, reads, figure_halves.data());
}

/// Asks for a copy of what this picture has drawn into the sheet.
void Renderer::Impl::request_images() {
  FigureImages& images = figure_images[view_shown];
  const std::span<const FigureImages::Read> reads = images.to_read();
  if (reads.empty()) return;
  plain_packing();
  LateReads& late = late_reads[read_queue.begin(halves_of(reads) * sizeof(u16))];
  late.view = view_shown;
  late.reads.assign(reads.begin(), reads.end());
  std::size_t at = 0;
  for (const FigureImages::Read& read : reads) {
    glBindFramebuffer(GL_FRAMEBUFFER, read.framebuffer);
    glReadPixels(read.x, read.y, read.width, read.height, GL_RGBA, GL_HALF_FLOAT, const_cast<void*>(buffer_offset(at)));
    at += read.halves() * sizeof(u16);
  }
  read_queue.end();
  images.set_requested();
}

/// Takes the copies that have arrived. Of figures that are gone, or were forgotten, nothing is kept.
void Renderer::Impl::fetch_images() {
  while (read_queue.has_arrived()) {
    auto& [view, reads] = late_reads[read_queue.oldest()];
    FigureImages& images = figure_images[view];
    figure_halves.make_room(halves_of(reads));
    read_queue.fetch(figure_halves.data());
    std::size_t kept = 0, from = 0, to = 0;
    for (const FigureImages::Read& read : reads) {
      const std::size_t count = read.halves();
      if (images.awaits(read)) {
        std::copy_n(figure_halves.data() + from, count, figure_halves.data() + to);
        to += count;
        reads[kept++] = read;
      }
      from += count;
    }
    canvas->read_images(images, std::span(reads).first(kept), figure_halves.data());
  }
}

/// Places the images of the picture's figures, and has OpenGL draw those that have changed. What remains is drawn
/// with the picture.
std::span<const SpriteInstance> Renderer::Impl::place_images(std::span<const SpriteInstance> sprites, const View& view,
                                                             float alpha) {
  sprites = sprites.first(std::min(sprites.size(), kMostSprites));
  seen_figures.clear();
  FigureImages& images = figure_images[view_shown];
  images.set(looks.figure_store, looks.figure_policy);
  images.set_capacity(frame::pictures_of(looks.figure_room));
  images.fit(view);
  const bool leaves_out = programs_may_be_late();
  for (const SpriteInstance& sprite : sprites) {
    if (sprite.kind >= kFigures.size()) continue;
    if (leaves_out && !shaders.is_usable(kFigures[sprite.kind].program)) continue;
    SeenFigure& seen = seen_figures.emplace_back();
    seen.sprite = sprite;
    seen.place = place_of(sprite, alpha);
    seen.screen = world_to_screen(view, seen.place);
    Box box = figure_box(sprite);
    const Point end = figure_far_end(sprite, seen.place);
    const float far_x = end.x - seen.place.x, far_y = end.y - seen.place.y, scale = view.px_per_unit();
    box.left = (box.left + std::min(far_x, 0.0f)) * scale;
    box.right = (box.right + std::max(far_x, 0.0f)) * scale;
    box.top = (box.top + std::min(far_y, 0.0f)) * scale;
    box.bottom = (box.bottom + std::max(far_y, 0.0f)) * scale;
    seen.box = box;
    constexpr float kFar_px = 1e5f;
    const auto sound = [](float px) { return std::fabs(px) < kFar_px; };
    const bool whole = sound(seen.screen.x) && sound(seen.screen.y) && sound(box.left) && sound(box.right) &&
                       sound(box.top) && sound(box.bottom) &&
                       std::isfinite(sprite.size + sprite.angle_turns + sprite.p0 + sprite.p1 + sprite.p2 + sprite.r +
                                     sprite.g + sprite.b);
    if (!whole) {
      seen_figures.pop_back();  // A broken number shows nothing.
      continue;
    }
    seen.light = canvas->figure_light_at(seen.screen.x, seen.screen.y);
  }
  if (!reads_may_be_late) read_images();
  else if (shaders.is_idle()) fetch_images();
  images.plan(seen_figures, !reads_may_be_late || !read_queue.is_full());
  draw_images();
  if (reads_may_be_late && !images.is_fresh()) request_images();
  if (images.is_fresh()) {
    read_images();
    images.place_fresh(seen_figures);
  }
  canvas->set_figures(images.placed());
  clear_drawn();
  for (const std::size_t i : images.direct()) add_drawn(seen_figures[i]);
  return direct_figures;
}

void Renderer::Impl::draw_images() {
  const FigureImages& images = figure_images[view_shown];
  if (images.draws().empty()) return;
  clear_drawn();
  for (const FigureImages::Draw& draw : images.draws()) add_drawn(seen_figures[draw.figure]);
  const RenderTarget* target = nullptr;
  const auto draw_into = [&](const FigureImages::Draw& draw) {
    if (draw.target != target) begin(*draw.target);
    target = draw.target;
  };
  glEnable(GL_SCISSOR_TEST);
  for (const FigureImages::Draw& draw : images.draws()) {
    draw_into(draw);
    glScissor(draw.x, draw.y, draw.width, draw.height);
    glClear(GL_COLOR_BUFFER_BIT);
  }
  ready_scene();
  use_sprites(direct_figures);
  for (std::size_t i = 0; i < direct_figures.size(); ++i) {
    const FigureImages::Draw& draw = images.draws()[i];
    const FigureRow& row = kFigures[direct_figures[i].kind];
    draw_into(draw);
    glScissor(draw.x, draw.y, draw.width, draw.height);
    glViewport(draw.viewport_x, draw.viewport_y, draw.viewport_width, draw.viewport_height);
    draw_run(row.program, row, i, i + 1);
  }
  glDisable(GL_SCISSOR_TEST);
}

}  // namespace spellpool::render
