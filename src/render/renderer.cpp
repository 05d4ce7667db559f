#include "render/renderer.hpp"

#include <algorithm>

#include "render/gl/film.hpp"
#include "render/renderer_impl.hpp"

namespace spellpool::render {
namespace {

bool told_software(std::string_view name) {
  for (const std::string_view word : {"llvmpipe", "softpipe", "swrast", "SwiftShader", "Software"}) {
    if (name.find(word) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

Renderer::Renderer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Renderer::~Renderer() = default;

std::unique_ptr<Renderer> Renderer::create(const RendererOptions& options, std::string& error) {
  const char* name = gl_renderer_name();
  if (name == nullptr) {
    error = "no OpenGL context is current";
    return nullptr;
  }
  const int needed = epoxy_is_desktop_gl() ? 33 : 30;
  if (epoxy_gl_version() < needed) {
    error = "OpenGL " + std::to_string(epoxy_gl_version() / 10) + "." + std::to_string(epoxy_gl_version() % 10) +
            " is too old: 3.3 is needed (" + name + ")";
    return nullptr;
  }
  auto impl = std::make_unique<Impl>(options);
  impl->name = name;
  if (options.kernels != nullptr) impl->kernels = options.kernels;
  impl->hands = options.threads;
  impl->figures_may_be_late = options.figures_may_be_late;
  impl->reads_may_be_late = options.figures_may_be_late && options.reads_may_be_late.value_or(is_remote_gl());
  impl->late_programs = options.figures_may_be_late && options.programs_may_be_late.value_or(is_remote_gl());
  impl->software = options.software.value_or(told_software(name));
  impl->finishes_light = impl->name.find("llvmpipe") != std::string::npos;
  GLint largest = 4096;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  impl->largest_px = largest;
  impl->half_floats = impl->probe_half_floats();
  impl->clears_parts =
      epoxy_is_desktop_gl() && (epoxy_gl_version() >= 44 || epoxy_has_gl_extension("GL_ARB_clear_texture"));
  impl->choose_programs();
  if (!impl->programs_may_be_late() &&
      !(impl->shaders.ready({MadeFor::Ground, MadeFor::Arena}) &&
        (impl->on_processor() || impl->shaders.ready({MadeFor::OpenGl})))) {
    error = "the built-in shaders do not compile here: " + std::string(impl->shaders.warning());
    return nullptr;
  }
  impl->make_arrays();
  impl->particles.start(options.map_particles);
  impl->set_size(1280, 720, Settle::Later);  // Whose first picture is of another size bakes nothing for this one.
  return std::unique_ptr<Renderer>(new Renderer(std::move(impl)));
}

void Renderer::resize(int width_px, int height_px, Settle settle) {
  impl_->complete();
  impl_->set_size(width_px, height_px, settle);
}

void Renderer::set_looks(const frame::LookSettings& looks) {
  impl_->complete();
  impl_->looks = looks;
  impl_->choose_programs();
}

void Renderer::set_trails(float keep) {
  impl_->complete();
  impl_->trails = keep > 0.0f ? std::min(keep, 0.99f) : 0.0f;
}

bool Renderer::ready_arena() { return impl_->ready_programs({MadeFor::Ground, MadeFor::Arena}); }
bool Renderer::ready_shooter() { return impl_->ready_programs({MadeFor::Garden, MadeFor::Shooter}); }

void Renderer::begin_ground(const frame::RenderSnapshot& snapshot) {
  impl_->begin_picture(snapshot, 1.0f);
  impl_->release_state();
  glFlush();
}

void Renderer::begin_spells() {
  if (!impl_->shaders.is_begun(MadeFor::Arena)) return;
  impl_->ask_for_programs(MadeFor::Spells);
  impl_->ready_decals();
}

void Renderer::advance_programs() {
  if (!impl_->programs_may_be_late()) return;
  impl_->shaders.end_frame();
  if (impl_->shaders.is_idle()) impl_->fetch_images();  // which would wait for the next program
  impl_->shaders.advance();
}

void Renderer::warm_up(unsigned target_framebuffer) { impl_->warm_up(target_framebuffer); }

void Renderer::prepare_garden(unsigned target_framebuffer) { impl_->prepare_garden(target_framebuffer); }

void Renderer::reserve(u32 particles, u32 bullets) {
  impl_->complete();
  impl_->particles.reserve(particles + bullets);
  impl_->reserved_particles = std::max<std::size_t>(impl_->reserved_particles, particles);
  impl_->reserved_bullets = std::max<std::size_t>(impl_->reserved_bullets, bullets);
  if (impl_->canvas) impl_->canvas->reserve(impl_->reserved_particles, impl_->reserved_bullets);
}

void Renderer::draw(const frame::RenderSnapshot& snapshot, float alpha, unsigned target_framebuffer) {
  draw_held(snapshot, alpha, target_framebuffer);
  impl_->panels_painted = true;  // it has none
  present();
}

void Renderer::draw_held(const frame::RenderSnapshot& snapshot, float alpha, unsigned target_framebuffer) {
  impl_->draw(snapshot, alpha, target_framebuffer);
}
bool Renderer::paint_panels(const frame::PanelMesh& mesh) { return impl_->paint_panels(mesh); }
bool Renderer::paints_panels() const { return impl_->on_processor(); }
bool Renderer::present() { return impl_->present(); }
void Renderer::show_view(std::size_t view) { impl_->view_shown = view; }

void Renderer::paint_into(const frame::PixelFrame& pixels) {
  impl_->complete();
  impl_->output = pixels;
}
void Renderer::paint_panels(const frame::PanelMesh& mesh, const frame::PixelFrame& pixels) {
  impl_->paint_panels(mesh, {pixels.pixels, pixels.stride, pixels.width, pixels.height});
}
bool Renderer::holds_pixels() const { return impl_->held && impl_->has_output() && impl_->panels_painted; }
bool Renderer::read_rgb(std::vector<u8>& rgb) const {
  if (!impl_->in_output) return render::read_rgb(width_px(), height_px(), rgb);
  render::read_rgb(impl_->output, rgb);
  return true;
}
void Renderer::add_to(Film& film, u32 place) {
  Impl& own = *impl_;
  own.complete();
  if (own.held) film.take(place, own.canvas->pixels(), own.canvas->stride(), own.width_px, own.height_px);
  else if (!own.drew_on_processor) film.take(place, own.held_for, own.width_px, own.height_px);
}

bool Renderer::reload_shaders() {
  impl_->complete();
  const bool good = impl_->shaders.reload();
  impl_->garden = {};
  impl_->place_ground_for_size();
  return good;
}

std::string_view Renderer::warning() const { return impl_->shaders.warning(); }
std::string_view Renderer::name() const { return impl_->name; }
bool Renderer::software() const { return impl_->software; }
std::string_view Renderer::path() const { return impl_->on_processor() ? "processor" : "OpenGL"; }
std::string_view Renderer::kernels() const { return impl_->kernels->name; }
RenderTimes Renderer::times() const {
  if (!impl_->drew_on_processor) return {};
  const CpuCanvas::Spent& spent = impl_->canvas->spent();
  return {spent.sort_ms, spent.paint_ms, spent.post_ms};
}
float Renderer::post_ms() const { return times().post_ms; }
frame::FigurePoolView Renderer::figure_pool() const {
  frame::FigurePoolView all;
  all.store = impl_->looks.figure_store;
  all.policy = impl_->looks.figure_policy;
  all.room = impl_->looks.figure_room;
  for (const FigureImages& images : impl_->figure_images) {
    if (impl_->figures_may_be_late && impl_->on_processor()) all.add(images.stats());
  }
  return all;
}
PassMeans Renderer::pass_means() const { return impl_->pass_clock.means(); }
int Renderer::passes() const { return impl_->passes; }
int Renderer::width_px() const { return impl_->window_width_px; }
int Renderer::height_px() const { return impl_->window_height_px; }

}  // namespace spellpool::render
