#include "platform/events.hpp"

#include <SDL.h>

#include <algorithm>
#include <cmath>

#include "platform/display_loss.hpp"
#include "platform/stop_signals.hpp"
#include "platform/window.hpp"

namespace spellpool::platform {
namespace {

using frame::Action;

constexpr float kDeadZone = 0.2f;
constexpr int kTriggerHalf = 16384;

float axis(SDL_GameController* pad, SDL_GameControllerAxis which) {
  return std::clamp(static_cast<float>(SDL_GameControllerGetAxis(pad, which)) / 32767.0f, -1.0f, 1.0f);
}

/// Scales a stick so that the dead zone is 0, its edge begins at 0, and the length is at most 1.
void shape_stick(float& x, float& y) {
  const float length = std::sqrt(x * x + y * y);
  if (length <= kDeadZone) {
    x = y = 0;
    return;
  }
  const float wanted = std::min(1.0f, (length - kDeadZone) / (1.0f - kDeadZone));
  x *= wanted / length;
  y *= wanted / length;
}

}  // namespace

Events::Events() {
  for (std::size_t i = 0; i < frame::kActionCount; ++i) {
    const frame::Hotkey& row = frame::kHotkeys[i];
    Binding& binding = bindings_[i];
    const std::string key(row.key), pad(row.pad);
    binding.key = SDL_GetKeyFromName(key.c_str());
    binding.scancode = SDL_GetScancodeFromName(key.c_str());
    if (!pad.empty()) binding.pad_button = SDL_GameControllerGetButtonFromString(pad.c_str());
    if (binding.key == SDLK_UNKNOWN || (!pad.empty() && binding.pad_button < 0)) every_hotkey_resolved_ = false;
  }
  gamepads_started_ = SDL_InitSubSystem(SDL_INIT_GAMECONTROLLER) == 0;
  if (!gamepads_started_) warning_ = std::string("gamepads are off: ") + SDL_GetError();
}

Events::~Events() {
  for (SDL_GameController* pad : gamepads_) {
    if (pad != nullptr) SDL_GameControllerClose(pad);
  }
  if (gamepads_started_) SDL_QuitSubSystem(SDL_INIT_GAMECONTROLLER);
}

std::size_t Events::gamepad_count() const {
  return static_cast<std::size_t>(
      std::count_if(gamepads_.begin(), gamepads_.end(), [](auto* pad) { return pad != nullptr; }));
}

const FrameEvents& Events::poll(const Window& window, RawEventFunction raw, void* context) {
  const float mouse_x = events_.mouse_x_px, mouse_y = events_.mouse_y_px;
  const bool inside = events_.mouse_inside;
  events_ = FrameEvents{};
  events_.mouse_x_px = mouse_x;
  events_.mouse_y_px = mouse_y;
  events_.mouse_inside = inside;

  SDL_Event event;
  for (std::size_t count = 0; count < kFloodLimit && SDL_PollEvent(&event) != 0; ++count) {
    if (raw != nullptr) wants_ = raw(context, event);
    handle(event, window);
  }
  read_held(window);
  if (stop_requested() || window_lost()) events_.quit = true;
  return events_;
}

void Events::press(Action action) {
  if (events_.action_count < FrameEvents::kMaxActions) events_.actions[events_.action_count++] = action;
}

void Events::on_key(const SDL_Event& event) {
  const SDL_Keysym& key = event.key.keysym;
  if (wants_.keyboard || (key.mod & (KMOD_CTRL | KMOD_ALT | KMOD_GUI)) != 0) return;
  const bool by_place = (key.scancode >= SDL_SCANCODE_1 && key.scancode <= SDL_SCANCODE_0) ||
                        (key.sym > 0x7f && (key.sym & SDLK_SCANCODE_MASK) == 0);
  for (std::size_t i = 0; i < frame::kActionCount; ++i) {
    const Binding& binding = bindings_[i];
    if (by_place ? binding.scancode != static_cast<i32>(key.scancode) : binding.key != key.sym) continue;
    const auto action = static_cast<Action>(i);
    if (event.key.repeat == 0 || action == Action::SingleStep) press(action);
    return;
  }
}

void Events::handle(const SDL_Event& event, const Window& window) {
  switch (event.type) {
    case SDL_QUIT:
      events_.quit = true;
      break;
    case SDL_WINDOWEVENT:
      switch (event.window.event) {
        case SDL_WINDOWEVENT_CLOSE:
          events_.quit = true;
          break;
        case SDL_WINDOWEVENT_SIZE_CHANGED:
        case SDL_WINDOWEVENT_DISPLAY_CHANGED:
          events_.resized = true;
          break;
        case SDL_WINDOWEVENT_FOCUS_GAINED:
          events_.focus_gained = true;
          break;
        case SDL_WINDOWEVENT_FOCUS_LOST:
          events_.focus_lost = true;
          mouse_down_ = false;
          break;
        case SDL_WINDOWEVENT_ENTER:
          events_.mouse_inside = true;
          break;
        case SDL_WINDOWEVENT_LEAVE:
          events_.mouse_inside = false;
          break;
        default:
          break;
      }
      break;
    case SDL_KEYDOWN:
      on_key(event);
      break;
    case SDL_MOUSEMOTION: {
      const Size size = window.size(), drawable = window.drawable_px();
      const float scale_x = size.width > 0 ? static_cast<float>(drawable.width) / static_cast<float>(size.width) : 1.0f;
      const float scale_y =
          size.height > 0 ? static_cast<float>(drawable.height) / static_cast<float>(size.height) : 1.0f;
      events_.mouse_x_px = static_cast<float>(event.motion.x) * scale_x;
      events_.mouse_y_px = static_cast<float>(event.motion.y) * scale_y;
      events_.mouse_inside = true;
      events_.mouse_moved = true;
      break;
    }
    case SDL_MOUSEBUTTONDOWN:
      if (event.button.button == SDL_BUTTON_LEFT && !wants_.mouse) {
        mouse_down_ = true;
        events_.cast_pressed = true;
      }
      break;
    case SDL_MOUSEBUTTONUP:
      if (event.button.button == SDL_BUTTON_LEFT) mouse_down_ = false;
      break;
    case SDL_MOUSEWHEEL:
      if (!wants_.mouse) {
        const float notches = event.wheel.preciseY;
        events_.wheel += event.wheel.direction == SDL_MOUSEWHEEL_FLIPPED ? -notches : notches;
      }
      break;
    case SDL_CONTROLLERDEVICEADDED:
      open_gamepad(event.cdevice.which);
      break;
    case SDL_CONTROLLERDEVICEREMOVED:
      close_gamepad(event.cdevice.which);
      break;
    case SDL_CONTROLLERBUTTONDOWN:
      if (event.cbutton.button == SDL_CONTROLLER_BUTTON_A) events_.cast_pressed = true;
      for (std::size_t i = 0; i < frame::kActionCount; ++i) {
        if (bindings_[i].pad_button == event.cbutton.button) press(static_cast<Action>(i));
      }
      break;
    case SDL_AUDIODEVICEADDED:
      if (event.adevice.iscapture == 0) events_.audio_added = true;
      break;
    case SDL_AUDIODEVICEREMOVED:
      if (event.adevice.iscapture == 0 && events_.audio_removed_count < FrameEvents::kMaxDevices) {
        events_.audio_removed[events_.audio_removed_count++] = event.adevice.which;
      }
      break;
    case SDL_DROPFILE:
    case SDL_DROPTEXT:
      SDL_free(event.drop.file);
      break;
    default:
      break;
  }
}

void Events::read_held(const Window& window) {
  float x = 0, y = 0;
  if (!wants_.keyboard && window.focused()) {
    const u8* keys = SDL_GetKeyboardState(nullptr);
    const auto held = [&](SDL_Scancode a, SDL_Scancode b) { return keys[a] != 0 || keys[b] != 0 ? 1.0f : 0.0f; };
    x = held(SDL_SCANCODE_D, SDL_SCANCODE_RIGHT) - held(SDL_SCANCODE_A, SDL_SCANCODE_LEFT);
    y = held(SDL_SCANCODE_S, SDL_SCANCODE_DOWN) - held(SDL_SCANCODE_W, SDL_SCANCODE_UP);
  }
  bool pad_cast = false;
  for (SDL_GameController* pad : gamepads_) {
    if (pad == nullptr) continue;
    float left_x = axis(pad, SDL_CONTROLLER_AXIS_LEFTX), left_y = axis(pad, SDL_CONTROLLER_AXIS_LEFTY);
    float right_x = axis(pad, SDL_CONTROLLER_AXIS_RIGHTX), right_y = axis(pad, SDL_CONTROLLER_AXIS_RIGHTY);
    shape_stick(left_x, left_y);
    shape_stick(right_x, right_y);
    x += left_x;
    y += left_y;
    if (right_x != 0 || right_y != 0) {
      events_.stick_aims = true;
      events_.aim_x = right_x;
      events_.aim_y = right_y;
    }
    pad_cast = pad_cast || SDL_GameControllerGetButton(pad, SDL_CONTROLLER_BUTTON_A) != 0 ||
               SDL_GameControllerGetAxis(pad, SDL_CONTROLLER_AXIS_TRIGGERRIGHT) > kTriggerHalf;
  }
  const float length = std::sqrt(x * x + y * y);
  events_.move_x = length > 1 ? x / length : x;
  events_.move_y = length > 1 ? y / length : y;
  if (pad_cast && !pad_down_) events_.cast_pressed = true;
  pad_down_ = pad_cast;
  events_.cast_held = mouse_down_ || pad_cast;
}

void Events::open_gamepad(int device_index) {
  const SDL_JoystickID instance = SDL_JoystickGetDeviceInstanceID(device_index);
  for (SDL_GameController* pad : gamepads_) {
    if (pad != nullptr && SDL_JoystickInstanceID(SDL_GameControllerGetJoystick(pad)) == instance) return;
  }
  for (SDL_GameController*& pad : gamepads_) {
    if (pad != nullptr) continue;
    pad = SDL_GameControllerOpen(device_index);
    return;
  }
}

void Events::close_gamepad(i32 instance) {
  for (SDL_GameController*& pad : gamepads_) {
    if (pad == nullptr || SDL_JoystickInstanceID(SDL_GameControllerGetJoystick(pad)) != instance) continue;
    SDL_GameControllerClose(pad);
    pad = nullptr;
  }
}

}  // namespace spellpool::platform
