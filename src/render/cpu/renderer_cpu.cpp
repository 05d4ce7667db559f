// The picture by the CPU path: OpenGL draws what is small (figures), the processor all that covers
// many pixels and the light on the ground, and the finished picture goes back as one upload and one copy.
#include <algorithm>
#include <utility>

#include "render/cpu/panel_painter.hpp"
#include "render/renderer_impl.hpp"

namespace spellpool::render {
namespace {

constexpr std::size_t kTileHalves = kTilePixels * 4;

/// Half floats of these tiles, and of 48 at least.
std::size_t room_of(const TileMarks& marks) {
  return std::max<std::size_t>(static_cast<std::size_t>(marks.count()), 48) * kTileHalves;
}

}  // namespace

bool Renderer::Impl::on_processor() const {
  if (looks.draw == frame::DrawPath::Auto) return software && half_floats;
  return looks.draw == frame::DrawPath::Cpu && half_floats;
}

/// What the CPU path needs of the present size. Nothing happens when all is there.
void Renderer::Impl::ready_canvas() {
  if (!canvas) {
    canvas = std::make_unique<CpuCanvas>(*kernels, hands);
    canvas->reserve(reserved_particles, reserved_bullets);
  }
  canvas->resize(width_px, height_px);
  const std::size_t tiles = static_cast<std::size_t>(canvas->tiles());
  tile_figures.resize(tiles);
  const bool direct = has_output() && !is_enlarged();
  canvas->set_output(direct ? output.pixels : nullptr, direct ? output.stride : 0);
  if (garden_now.empty() && !ground_is_read) read_ground();
  if (garden_now.empty()) return;
  const GardenPlace place = garden_of_picture();
  // While a window is being dragged, what is there is stretched.
  if (!garden_is_read || (place != canvas_garden_at && draws_until_bake == 0)) {
    canvas_garden_at = place;
    if (place != garden_at) garden_fit = {garden_at, place};
    garden_is_read = false;
  }
  if (!garden_is_read || garden_read != garden.baked) read_garden();
}

/// A picture with fewer pixels than the window gets a ground of its own size, so that a texel is a pixel again; not
/// while the window is being dragged, since the garden then reaches beyond the picture, for the next sizes.
GardenPlace Renderer::Impl::garden_of_picture() const {
  if (!is_enlarged() || draws_until_bake > 0) return garden_at;
  return garden_place(ground_area(width_px, height_px, largest_px), largest_px);
}

/// The baked floor and sky, from OpenGL if they are not here already; the floor in the frame's resolution.
void Renderer::Impl::read_ground() {
  const StoneCopy wanted = is_enlarged() ? StoneCopy::Whole : StoneCopy::Canvas;
  if (stone_copy == StoneCopy::None) read_baked_ground(is_enlarged() ? whole_stone : canvas->stone());
  else if (stone_copy != wanted) std::swap(whole_stone, canvas->stone());
  stone_copy = wanted;
  if (is_enlarged()) {
    const GroundArea fitted = ground_area(width_px, height_px, largest_px);
    canvas->stone().resize(static_cast<std::size_t>(fitted.width_px) * static_cast<std::size_t>(fitted.height_px));
    fit_stone(area, whole_stone.data(), fitted, canvas->stone().data());
    canvas->set_ground(fitted);
  } else {
    canvas->set_ground(area);
    whole_stone = {};
    unfitted = {};
  }
  ground_is_read = true;
}

/// Rows of RGBA texels, from the row `first` on. Waits for OpenGL.
void Renderer::Impl::read_texture(const Texture& texture, int first, int width, int height, GLenum type, void* to) {
  GLuint id = 0;
  glGenFramebuffers(1, &id);
  const Framebuffer framebuffer(id);
  glBindFramebuffer(GL_FRAMEBUFFER, id);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture.get(), 0);
  plain_packing();
  glReadPixels(0, first, width, height, GL_RGBA, type, to);
}

void Renderer::Impl::read_baked_ground(RawBuffer<u32>& stone) {
  stone.resize(static_cast<std::size_t>(area.width_px) * static_cast<std::size_t>(area.height_px));
  read_texture(ground.stone, 0, area.width_px, area.height_px, GL_UNSIGNED_BYTE, stone.data());
  const int sky_width = std::max(1, area.width_px / 4), sky_height = std::max(1, area.height_px / 4);
  std::vector<float> sky(static_cast<std::size_t>(sky_width) * static_cast<std::size_t>(sky_height) * 4);
  read_texture(ground.sky, 0, sky_width, sky_height, GL_FLOAT, sky.data());
  ground_light.set_sky(area, sky_width, sky_height, sky);
}

void Renderer::Impl::read_garden() {
  const GardenPlace& to = canvas_garden_at;
  if (!garden_is_read) {
    canvas->garden().resize(static_cast<std::size_t>(to.width_px) *
                            static_cast<std::size_t>(to.rows * frame::kGardenVariants));
    canvas->set_garden(to);
    garden_read = {};
    if (to == garden_at) unfitted = {};
  }
  // What the picture shows, and one image more: a new resolution reads all of them.
  bool read_one_more = false;
  for (std::size_t variant = 0; variant < garden_read.size(); ++variant) {
    const int image = static_cast<int>(variant), had = garden_read[variant], have = garden.baked[variant];
    if (had == have) continue;
    const bool shown = std::ranges::any_of(garden_now, [&](const GardenBand& band) { return band.variant == variant; });
    if (!shown && std::exchange(read_one_more, true)) continue;
    garden_read[variant] = have;
    const auto place = [&](int row) {
      return canvas->garden().data() +
             static_cast<std::size_t>(image * to.rows + row) * static_cast<std::size_t>(to.width_px);
    };
    const auto read_rows = [&](RowRange rows, u32* texels) {
      read_texture(garden.stone, image * garden_at.rows + rows.first, garden_at.width_px, rows.end - rows.first,
           GL_UNSIGNED_BYTE, texels);
    };
    if (to == garden_at) {
      read_rows({had, have}, place(had));
      continue;
    }
    const RowRange rows{garden_fit.rows_of(had), garden_fit.rows_of(have)}, source = garden_fit.source_of(rows);
    if (rows.first == rows.end) continue;
    unfitted.make_room(static_cast<std::size_t>(source.end - source.first) *
                       static_cast<std::size_t>(garden_at.width_px));
    read_rows(source, unfitted.data());
    garden_fit.fit(unfitted.data(), rows, place(rows.first));
  }
  garden_is_read = true;
  if (garden_sky_is_read) return;
  const int sky_width = std::max(1, area.width_px / 4), sky_height = std::max(1, area.height_px / 4);
  std::vector<float> sky(static_cast<std::size_t>(sky_width) * static_cast<std::size_t>(sky_height) * 4);
  read_texture(garden.sky, 0, sky_width, sky_height, GL_FLOAT, sky.data());
  ground_light.set_garden_sky(area, sky_width, sky_height, sky);
  garden_sky_is_read = true;
}

void Renderer::Impl::draw_cpu(const frame::RenderSnapshot& snapshot, const View& view, float alpha) {
  ready_canvas();
  CpuPicture picture;
  picture.view = view;
  picture.alpha = alpha;
  picture.divisor = small().divisor;
  picture.bloom_levels = blooms() ? small().bloom_levels : 0;
  picture.bloom_strength = bloom_strength;
  picture.bend = {block.vortex[0], block.vortex[1]};
  picture.bend_strength = block.vortex[2];
  const VisionMatrix& vision = vision_matrix(looks.colour_vision);
  for (std::size_t i = 0; i < 9; ++i) vision_rows[i] = vision[i / 3][i % 3];
  picture.vision = looks.colour_vision != frame::ColourVision::Common ? vision_rows : nullptr;
  picture.garden = garden_now;
  if (garden_now.empty()) {
    rune_masks.begin_picture(view, block.clock[1], block.clock[2], block.clock[0]);
    picture.runes = &rune_masks;
  }
  decal_painter.begin_picture(view, decals, figures_may_be_late);
  picture.decals = &decal_painter;
  canvas->begin(picture);

  pass_clock.begin_picture();
  gather_lights(snapshot);
  canvas->lay_light(ground_light, {view, alpha, lights, block.clock[0], block.clock[2], !garden_now.empty()});
  pass_clock.end(Pass::Light);
  canvas->sort(snapshot.alpha_layer, snapshot.additive_layer, snapshot.bullet_layer);
  pass_clock.end(Pass::Sort);
  std::span<const frame::SpriteInstance> sprites = snapshot.sprites;
  if (std::ranges::any_of(sprites, [this](const frame::SpriteInstance& sprite) {
        if (sprite.kind >= kFigures.size()) return false;
        const ProgramId program = kFigures[sprite.kind].program;
        const bool left_out = programs_may_be_late() && !shaders.has(program);
        return !left_out && shaders.reads_light(program);
      }))
    upload_light();
  figure_marks.begin(view);
  if (reads_may_be_late) fetch_tiles();
  if (figures_may_be_late) {
    sprites = place_images(sprites, view, alpha);
  } else {
    canvas->set_figures({});
    gather_figure_lights(sprites, view, alpha);
  }
  mark_sprites(sprites, view, alpha, figure_marks);
  LateTiles& late_ones = late_tiles[view_shown];
  // A figure that has lost its image would be missing for some frames, and then be seen twice: it is waited for.
  const bool late = reads_may_be_late && std::ranges::none_of(sprites, &FigureImages::keeps, &frame::SpriteInstance::kind);
  if (!late) late_ones.queue.drop();
  if (figure_marks.count() > 0 && !(late && (late_ones.queue.is_full() || !shaders.is_idle()))) {
    begin_scene(scene, figure_marks);
    draw_sprites(sprites);
    if (late) request_tiles();
  }
  glFlush();
  pass_clock.end(Pass::Figures, figure_marks.count());

  // What holds no figure is painted while OpenGL still draws them.
  const TileMarks& figure_tiles = late ? late_ones.shown : figure_marks;
  canvas->paint_plain(figure_tiles);
  pass_clock.end(Pass::Plain, canvas->painted_tiles());
  if (late) place_tiles(figure_tiles, late_ones.halves.data());
  else read_figures();
  pass_clock.end(Pass::ReadBack, figure_tiles.count());
  canvas->paint_figured(tile_figures);
  pass_clock.end(Pass::Figured, canvas->painted_tiles());
  place_dots(view);
  pass_clock.end(Pass::Dust);
  // The caller lays out its panels while the workers go on.
  canvas->begin_finish(red_first(), dots);
  pass_clock.end(Pass::Bloom);
  is_complete = false;
}

void Renderer::Impl::complete() {
  if (is_complete) return;
  is_complete = true;
  pass_clock.begin();
  canvas->end_finish();
  pass_clock.end(Pass::Tone, canvas->tiles());
  canvas->lay_bullets(red_first());
  const int beyond = beyond_field_px();
  canvas->blacken_rows(0, beyond);
  canvas->blacken_rows(height_px - beyond, height_px);
  pass_clock.end(Pass::Bullets);
  if (trails > 0.0f) lay_trails_on_canvas();
  if (is_enlarged()) {
    enlarger.enlarge({canvas->pixels(), canvas->stride(), width_px, height_px}, shown(), canvas->threads());
  }
  pass_clock.end(Pass::Enlarge);
}

PixelPlane Renderer::Impl::shown() {
  if (!is_enlarged()) return {canvas->pixels(), canvas->stride(), width_px, height_px};
  if (has_output()) return {output.pixels, output.stride, output.width, output.height};
  enlarged.make_room(static_cast<std::size_t>(window_width_px) * static_cast<std::size_t>(window_height_px));
  return {enlarged.data(), window_width_px, window_width_px, window_height_px};
}

/// Byte by byte the larger of this picture and of the one before, darker.
void Renderer::Impl::lay_trails_on_canvas() {
  const std::size_t row = static_cast<std::size_t>(width_px) * 4,
                    count = static_cast<std::size_t>(width_px) * static_cast<std::size_t>(height_px);
  if (trail_pixels.size() != count) {
    trail_pixels.resize(count);
    has_trail = false;
  }
  const u32 keep = has_trail ? static_cast<u32>(trails * 256.0f) : 0;
  ThreadPool& threads = canvas->threads();
  const int bands = 3 * threads.hands();
  threads.run(bands, [&](int band) {
    for (int y = height_px * band / bands; y < height_px * (band + 1) / bands; ++y) {
      u8* const now = reinterpret_cast<u8*>(canvas->pixels() + static_cast<std::ptrdiff_t>(y) * canvas->stride());
      u8* const before = reinterpret_cast<u8*>(trail_pixels.data()) + static_cast<std::size_t>(y) * row;
      for (std::size_t i = 0; i < row; ++i) {
        const u8 faded = static_cast<u8>(before[i] * keep >> 8);
        before[i] = now[i] = std::max(now[i], faded);
      }
    }
  });
  has_trail = true;
}

bool Renderer::Impl::paint_panels(const frame::PanelMesh& mesh) {
  if (!held) return false;
  complete();
  pass_clock.begin();
  paint_panels(mesh, shown());
  panels_painted = true;
  pass_clock.end(Pass::Panels);
  return true;
}

void Renderer::Impl::paint_panels(const frame::PanelMesh& mesh, const PixelPlane& picture) {
  // In bands, a few more than there are threads: panels lie at the edges.
  ThreadPool& threads = canvas->threads();
  const int bands = threads.hands() > 1 ? 3 * threads.hands() : 1;
  threads.run(bands, [&](int band) {
    const int from = picture.height * band / bands, to = picture.height * (band + 1) / bands;
    render::paint_panels(mesh, {picture.pixels, picture.stride, picture.width, to, red_first(), from});
  });
}

bool Renderer::Impl::present() {
  complete();
  in_output = held && has_output() && panels_painted;
  if (!held || in_output) {
    passes += held;
    held = false;
    return in_output;
  }
  held = false;
  pass_clock.begin();
  const PixelPlane picture = shown();
  if (finished.width_px != picture.width || finished.height_px != picture.height) {
    finished = make_window_image(picture.width, picture.height);
  }
  show_pixels(finished, picture.pixels, picture.stride, held_for);
  pass_clock.end(Pass::Present);
  ++passes;
  glViewport(0, 0, window_width_px, window_height_px);
  glDisable(GL_BLEND);
  return false;
}

/// Uploads the light for figures that read it. OpenGL copies half floats without converting them,
/// which takes a twentieth of the time.
void Renderer::Impl::upload_light() {
  const SmallTargets& s = small();
  const int width = s.light.width_px, height = s.light.height_px;
  plain_packing();
  bind(TextureUnit::Light, s.light.colour);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_RGBA, GL_HALF_FLOAT, ground_light.light_halves());
  bind(TextureUnit::Bloom, s.direction.colour);
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_RGBA, GL_HALF_FLOAT, ground_light.direction_halves());
}

/// Clears the tiles that will be read: of a picture of half floats few, and clearing all of it takes as long as the
/// figures.
void Renderer::Impl::begin_scene(const RenderTarget& target, const TileMarks& marks) {
  if (!clears_parts) return begin_scene(target);
  for (int row = 0; row < canvas->rows(); ++row) {
    for (int column = 0; column < canvas->columns();) {
      int end = column;
      while (end < canvas->columns() && marks.at(row * canvas->columns() + end)) ++end;
      if (end > column) {
        const int left = column * kTile_px, top = row * kTile_px;
        const int columns = std::min(end * kTile_px, width_px) - left, rows = std::min(kTile_px, height_px - top);
        glClearTexSubImage(target.colour.get(), 0, left, height_px - top - rows, 0, columns, rows, 1, GL_RGBA,
                           GL_HALF_FLOAT, nullptr);
      }
      column = end + 1;
    }
  }
  begin(target);
  ready_scene();
}

/// The tiles where something was drawn, as half floats. `to` null: into the pixel-pack buffer that is bound.
void Renderer::Impl::read_tiles(const TileMarks& marks, u16* to) {
  std::size_t at = 0;
  glPixelStorei(GL_PACK_ROW_LENGTH, kTile_px);
  glBindFramebuffer(GL_FRAMEBUFFER, scene.framebuffer.get());
  for (int tile = 0; tile < canvas->tiles(); ++tile) {
    if (!marks.at(tile)) continue;
    const int left = tile % canvas->columns() * kTile_px, top = tile / canvas->columns() * kTile_px;
    const int columns = std::min(kTile_px, width_px - left), rows = std::min(kTile_px, height_px - top);
    void* const place = to != nullptr ? to + at : const_cast<void*>(buffer_offset(at * sizeof(u16)));
    glReadPixels(left, height_px - top - rows, columns, rows, GL_RGBA, GL_HALF_FLOAT, place);
    at += kTileHalves;
  }
  glPixelStorei(GL_PACK_ROW_LENGTH, 0);
}

/// Waits for the tiles of this picture.
void Renderer::Impl::read_figures() {
  if (figure_marks.count() > 0) {
    figure_halves.make_room(room_of(figure_marks));
    read_tiles(figure_marks, figure_halves.data());
  }
  place_tiles(figure_marks, figure_halves.data());
}

/// What paint_figured() gets: such tiles, in this order.
void Renderer::Impl::place_tiles(const TileMarks& marks, const u16* halves) {
  for (int tile = 0; tile < canvas->tiles(); ++tile) {
    const bool marked = marks.at(tile);
    tile_figures[static_cast<std::size_t>(tile)] = marked ? halves : nullptr;
    if (marked) halves += kTileHalves;
  }
}

/// Takes the newest tiles that have arrived. They are shown until newer ones arrive, or none are on their way. While
/// OpenGL compiles a program for its first draw call a fetch would wait: no tiles are asked for, and none are shown.
void Renderer::Impl::fetch_tiles() {
  LateTiles& late = late_tiles[view_shown];
  const bool other_size = !late.shown.same_size(figure_marks);
  if (other_size || !shaders.is_idle()) late.queue.drop();
  if (other_size) {
    late.requested.fill(figure_marks);  // Reserves memory.
    late.halves.make_room(room_of(figure_marks));
  }
  if (late.queue.is_empty()) late.shown = figure_marks;  // Nothing is marked yet.
  while (late.queue.has_arrived()) {
    std::swap(late.shown, late.requested[late.queue.oldest()]);
    late.halves.make_room(room_of(late.shown));
    late.queue.fetch(late.halves.data());
  }
}

/// Asks for the tiles of this picture.
void Renderer::Impl::request_tiles() {
  LateTiles& late = late_tiles[view_shown];
  const std::size_t bytes = static_cast<std::size_t>(figure_marks.count()) * kTileHalves * sizeof(u16);
  late.requested[late.queue.begin(bytes)] = figure_marks;
  read_tiles(figure_marks, nullptr);
  late.queue.end();
}

void Renderer::Impl::place_dots(const View& view) {
  const VisionMatrix& vision = vision_matrix(looks.colour_vision);
  dots.clear();
  for (const DustDot& dot : dust) {
    const Point at = world_to_screen(view, {dot.x, dot.y});
    float lit[3];
    canvas->light_at(at.x, at.y, lit);
    const float own[3] = {dot.r + lit[0] * dot.lit, dot.g + lit[1] * dot.lit, dot.b + lit[2] * dot.lit};
    ScreenDot seen{at.x, at.y, std::max(1.0f, dot.size * view.px_per_unit()), {}};
    for (std::size_t row = 0; row < 3; ++row) {
      seen.rgb[row] = std::max(0.0f, vision[row][0] * own[0] + vision[row][1] * own[1] + vision[row][2] * own[2]);
    }
    dots.push_back(seen);
  }
}

}  // namespace spellpool::render
