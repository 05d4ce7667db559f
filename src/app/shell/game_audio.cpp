#include "app/shell/game_audio.hpp"

#include "core/log.hpp"
#include "platform/clock.hpp"
#include "platform/paths.hpp"

namespace spellpool::app {

void GameAudio::fill(void* self, float* samples, int frames) {
  auto* const audio = static_cast<GameAudio*>(self);
  const i64 begin_ns = platform::now_ns();
  audio->mixer_->render({samples, static_cast<std::size_t>(frames) * 2});
  audio->voices_->report_load(platform::now_ns() - begin_ns, static_cast<u32>(frames));
}

void GameAudio::open(const VoiceChoice& voices) {
  device_.open();
  if (!device_.warning().empty()) log(LogLevel::Warning, device_.warning());
  rendering_.emplace([this, rate_hz = device_.rate_hz(), voices] {
    return std::make_unique<audio::Mixer>(mixer_options(voices), sounds_.bank(rate_hz));
  });
}

void GameAudio::wait(const frame::Settings& settings) {
  mixer_ = rendering_->get();
  set_volumes(settings);
}

void GameAudio::start(const VoiceChoice& voices) {
  sounds_.watch();
  voices_ = std::make_unique<VoiceController>(*mixer_, voices);
}

void GameAudio::start_device() {
  const std::string told = device_.warning();
  device_.start();
  if (device_.warning() != told) log(LogLevel::Warning, device_.warning());
}

void GameAudio::set_volumes(const frame::Settings& settings) {
  mixer_->set_volume(settings.volume);
  mixer_->set_muted(settings.muted);
  for (const frame::SoundGroupRow& row : frame::kSoundGroups) {
    mixer_->set_group_volume(row.id, frame::group_volume(settings, row.id));
  }
}

void GameAudio::update_sounds() {
  if (sounds_.update()) mixer_->set_bank(sounds_.bank(mixer_->sample_rate_hz()));
}

void GameAudio::update(HudState& hud) {
  take_notices(hud);
  if (const auto event = editor_.update(); event && device_.is_open()) mixer_->play(*event);
  if (const std::string line = voices_->update(); !line.empty()) hud.notice = line;
}

void GameAudio::take_notices(HudState& hud) {
  for (const std::string& line : sounds_.take_notices()) hud.notice = line;
}

void GameAudio::show(HudState& hud) {
  mixer_->show_board(hud.voices_open);
  if (hud.voices_open) {
    const bool open = device_.is_open();
    const std::array<u32, 2> format{device_.rate_hz(), device_.block_frames()};
    // Into the same string, and only when it may have changed: the open panel allocates nothing.
    if (!open || format != described_) device_.describe(device_text_);
    described_ = open ? format : std::array<u32, 2>{};
    hud.voices = voices_->view(open, device_text_);
  }
  hud.sound_editor = editor_.view(hud.sound_editor.open, mixer_->bank());
}

void GameAudio::take(const frame::PanelRequests& requests, HudState& hud) {
  if (requests.voices != frame::VoiceRequests{}) {
    const platform::PathResult recordings = platform::recordings_folder();
    const bool writes = requests.voices.record && recordings.error.empty();
    const std::string error = writes ? platform::make_folder(recordings.path) : recordings.error;
    voices_->take(requests.voices, recordings.path.string(), error);
  }
  if (editor_.take(requests.sound_editor)) {
    hud.sound_editor.open = true;
    hud.editor_open = false;
  }
}

void GameAudio::use_slots(u32 slots) {
  if (!voices_ || voices_->choice().slots == slots) return;
  frame::VoiceRequests scene;
  scene.set_slots = true;
  scene.slots = slots;
  voices_->take(scene, {}, {});
}

void GameAudio::click(frame::PanelSound sound) {
  if (sound == frame::PanelSound::None) return;
  if (click_count_ < clicks_.size()) clicks_[click_count_++] = sound;
  if (device_.is_open()) mixer_->play(panel_sound(sound));
}

}  // namespace spellpool::app
