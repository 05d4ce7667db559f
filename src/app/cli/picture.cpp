#include "app/cli/picture.hpp"

#include "app/play/hud.hpp"
#include "app/play/quality_governor.hpp"
#include "app/pools/memory_lab.hpp"
#include "app/pools/slot_map_feed.hpp"
#include "app/scene_hooks.hpp"
#include "app/shell/imgui_host.hpp"
#include "app/shell/layout_json.hpp"
#include "app/sound/sound_controller.hpp"
#include "app/sound/voice_controller.hpp"
#include "app/window/lab_controller.hpp"
#include "audio/offline_audio.hpp"
#include "content/media/png.hpp"
#include "content/text_file.hpp"
#include "core/log.hpp"
#include "platform/paths.hpp"
#include "platform/window.hpp"
#include "render/renderer.hpp"

namespace spellpool::app {

namespace {

constexpr std::string_view kMixWords = "headless: this is the mix of --audio-out";

}  // namespace

struct Picture::Parts {
  /// The mix that --audio-out writes, step by step, for the voice panel.
  struct Mix {
    Mix(const VoiceChoice& voices, SoundLibrary& sounds)
        : audio(offline_options(voices), sounds.bank(kWav_hz)), controller(audio.mixer(), voices) {
      audio.mixer().show_board(true);
    }
    audio::OfflineAudio audio;
    VoiceController controller;
  };

  std::unique_ptr<platform::Window> window;
  std::unique_ptr<render::Renderer> renderer;
  std::unique_ptr<ImGuiHost> imgui;
  std::optional<Hud> hud;
  SlotMapFeed slots;
  MemoryLab lab;
  std::optional<Mix> mix;
  std::shared_ptr<const audio::SoundBank> sounds;  ///< Whose samples the sound editor shows.
};

Picture::Picture() = default;
Picture::~Picture() = default;

std::string Picture::open(const PlayOptions& options, const std::string& data_dir) {
  auto parts = std::make_unique<Parts>();
  platform::WindowOptions window;
  window.width = static_cast<int>(options.width);
  window.height = static_cast<int>(options.height);
  window.vsync = false;
  window.headless = true;
  platform::WindowResult opened = platform::Window::open(window);
  if (!opened.window) return opened.error;
  parts->window = std::move(opened.window);
  parts->window->set_vsync(false);  // a hidden window on a real display would wait for it
  std::string error;
  parts->renderer = render::Renderer::create({data_dir + "/shaders", 1.0f, {}}, error);
  if (!parts->renderer) return error;
  if (!parts->renderer->warning().empty()) log(LogLevel::Warning, parts->renderer->warning());
  const platform::Size size = parts->window->drawable_px();
  parts->renderer->resize(size.width, size.height);
  parts->renderer->reserve(options.world.particle_capacity(), options.world.bullet_capacity());
  parts->hud.emplace(options, with_options({}, options));
  parts->renderer->set_looks(with_quality(parts->hud->state.settings.looks, frame::Quality::High));
  parts->hud->state.drawn_by = parts->renderer->path();
  parts->hud->state.shown_frames = 0;
  const SceneHooks& scene = scene_hooks(options.world.scene);
  scene.make_figures(*parts->renderer);
  parts->renderer->warm_up();
  scene.bake(*parts->renderer, 0);
  parts_ = std::move(parts);
  return {};
}

std::string Picture::renderer_name() const { return std::string(parts_->renderer->name()); }

void Picture::draw(Game& game) {
  game.phases().enter(frame::Phase::Render);
  parts_->renderer->draw(game.world().build_snapshot(parts_->hud->state.settings.looks), 1.0f);
  game.phases().enter(frame::Phase::Swap);
  parts_->window->swap();
  ++parts_->hud->state.shown_frames;
}

void Picture::follow(Game& game) {
  parts_->hud->follow(game.world());
  if (parts_->hud->state.memory_open) parts_->lab.tick();
  if (parts_->hud->state.voices_open) {
    if (!parts_->mix) parts_->mix.emplace(game.options().voices, *game.sounds);
    parts_->mix->audio.advance_step(game.step_sounds());
  }
  if (parts_->hud->state.slot_map_open && !game.world().watched()) game.world().watch_slots(frame::PoolId::Particles);
}

frame::Amount Picture::density() const { return parts_->hud->state.settings.looks.density; }
int Picture::width_px() const { return parts_->renderer->width_px(); }
int Picture::height_px() const { return parts_->renderer->height_px(); }

bool Picture::read(Game& game, std::vector<u8>& rgb) {
  parts_->renderer->draw(game.world().build_snapshot(parts_->hud->state.settings.looks), 1.0f);
  return render::read_rgb(width_px(), height_px(), rgb);
}

std::string Picture::save(Game& game, const std::string& path) {
  parts_->renderer->draw_held(game.world().build_snapshot(parts_->hud->state.settings.looks), 1.0f);
  const int width = parts_->renderer->width_px(), height = parts_->renderer->height_px();
  // Dear ImGui lays new windows out in their first frame and shows them in the next; the slot map wants its size
  // known first.
  constexpr int kPasses = 4;
  if (!game.options().no_ui) {
    HudState& hud = parts_->hud->state;
    scene_hooks(game.world()).show_score(game.world(), game.options().world.seed, hud);
    if (!parts_->imgui) parts_->imgui = std::make_unique<ImGuiHost>(*parts_->window, false);
    std::optional<LabController> controller;
    if (hud.lab_open) {
      controller.emplace(platform::recordings_folder().path.string());
      controller->show(true);
      (void)controller->update(0, false);
      controller->wait_for_files();
      hud.lab = controller->view();
    }
    frame::SlotMapRequest request;
    request.shown = hud.slot_map_open;  // or the marks that follow() has gathered would be lost
    for (int pass = 0; pass < kPasses; ++pass) {
      ui::ShooterHudState& glides = parts_->imgui->state().shooter;
      if (pass > 0) glides.shown_s = glides.phase_s = 60.0f;  // what glides in has arrived
      if (pass > 0) parts_->renderer->draw_held(game.world().build_snapshot(parts_->hud->state.settings.looks), 1.0f);
      frame::PanelRequests requests;
      const SlotMapFeed::Eye eye{render::view_of(game.world().build_snapshot(hud.settings.looks), 1.0f, width, height),
                                 1.0f};
      hud.slot_map = parts_->slots.view(game.world(), request, eye);
      hud.memory = parts_->lab.view(game.world());
      if (parts_->mix) hud.voices = parts_->mix->controller.view(false, kMixWords);
      if (hud.sound_editor.open) {
        parts_->sounds = game.sounds->bank(kWav_hz);
        hud.sound_editor = SoundController(*game.sounds).view(true, *parts_->sounds);
      }
      parts_->imgui->draw_over(*parts_->renderer, parts_->hud->model(game, height), requests);
      request = requests.slot_map;
    }
  }
  if (!game.options().layout_out.empty() && parts_->imgui) {
    const std::string error =
        content::write_text(game.options().layout_out, layout_json(parts_->imgui->state(), 1, game.world().steps()),
                            content::Overwrite::Yes);
    if (!error.empty()) return error;
  }
  parts_->renderer->present();
  std::vector<u8> rgb;
  if (!render::read_rgb(width, height, rgb)) return "the picture could not be read back from OpenGL";
  return content::write_png(path, static_cast<u32>(width), static_cast<u32>(height), rgb, "Spellpool",
                            content::Overwrite::Yes);
}

}  // namespace spellpool::app
