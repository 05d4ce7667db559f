#include "app/sound/sound_controller.hpp"

namespace spellpool::app {
namespace {

constexpr float kPanelGain = 0.6f;

}  // namespace

frame::AudioEvent panel_sound(frame::PanelSound sound) {
  using frame::PanelSound;
  using frame::SoundId;
  frame::AudioEvent event;
  event.gain = kPanelGain;
  switch (sound) {
    case PanelSound::None:
    case PanelSound::Move: event.sound = SoundId::UiMove; break;
    case PanelSound::Accept: event.sound = SoundId::UiAccept; break;
    case PanelSound::Back: event.sound = SoundId::UiBack; break;
    case PanelSound::Toggle: event.sound = SoundId::UiToggle; break;
    case PanelSound::Refuse: event.sound = SoundId::UiRefuse; break;
    case PanelSound::Pause: event.sound = SoundId::Pause; break;
    case PanelSound::Resume: event.sound = SoundId::Resume; break;
  }
  return event;
}

bool SoundController::take(const frame::SoundEditorRequests& requests) {
  if (!requests.any()) return false;
  if (requests.select && requests.sound != sound_) {
    sound_ = requests.sound;
    message_.clear();
    to_play_ = false;
  }
  if (requests.changed) message_ = library_.set_def(sound_, *requests.changed);
  else if (requests.revert) message_ = library_.set_def(sound_, library_.filed(sound_));
  if (requests.save && message_.empty()) library_.save(sound_);
  to_play_ = to_play_ || requests.play;
  return requests.select;
}

std::optional<frame::AudioEvent> SoundController::update() {
  if (!to_play_ || !library_.is_rendered(sound_)) return std::nullopt;
  to_play_ = false;
  frame::AudioEvent event;
  event.sound = sound_;
  event.unmerged = true;  // Every request of the player must sound.
  return event;
}

frame::SoundEditorView SoundController::view(bool open, const audio::SoundBank& bank) const {
  frame::SoundEditorView view;
  view.open = open;
  if (!open) return view;
  view.sound = sound_;
  view.def = &library_.def(sound_);
  view.filed = &library_.filed(sound_);
  view.dirty = *view.def != *view.filed;
  view.recorded = !library_.recording(sound_).empty();
  const audio::Sound& rendered = bank[sound_];
  view.left = {rendered.bright_left(), rendered.frames()};
  view.right = {rendered.bright_right(), rendered.frames()};
  view.sample_rate_hz = bank.sample_rate_hz();
  view.message = message_;
  return view;
}

}  // namespace spellpool::app
