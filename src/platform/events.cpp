#include "platform/events.hpp"

#include <SDL.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "platform/display_loss.hpp"
#include "platform/stop_signals.hpp"
#include "platform/window.hpp"

namespace spellpool::platform {
namespace {

using frame::Action;

constexpr float kDeadZone = 0.2f;
constexpr int kTriggerHalf = 16384;
constexpr std::string_view kWithTrigger = "lt+";
constexpr u32 kPadMouse = 0x7061'6400;  ///< As which a gamepad points: none of SDL's.
/// The window manager's, never ours.
constexpr int kOthersModifiers = KMOD_CTRL | KMOD_ALT | KMOD_GUI;

bool is_others_modifier(SDL_Keycode key) {
  return key == SDLK_LCTRL || key == SDLK_RCTRL || key == SDLK_LALT || key == SDLK_RALT || key == SDLK_LGUI ||
         key == SDLK_RGUI || key == SDLK_MODE;
}

/// Digits, which French layouts label with signs, and letters that are not Latin.
bool counts_by_place(const SDL_Keysym& key) {
  return (key.scancode >= SDL_SCANCODE_1 && key.scancode <= SDL_SCANCODE_0) ||
         (key.sym > 0x7f && (key.sym & SDLK_SCANCODE_MASK) == 0);
}

/// A word of the settings file, fit for one line.
std::string shown(std::string word) {
  if (word.size() > 40) word.replace(40, std::string::npos, "...");
  for (char& c : word) {
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e) c = '?';
  }
  return word;
}

bool is_arrow(i32 scancode) { return scancode >= SDL_SCANCODE_RIGHT && scancode <= SDL_SCANCODE_UP; }
static_assert(SDL_SCANCODE_LEFT == SDL_SCANCODE_RIGHT + 1 && SDL_SCANCODE_DOWN == SDL_SCANCODE_RIGHT + 2 &&
              SDL_SCANCODE_UP == SDL_SCANCODE_RIGHT + 3);

constexpr std::array kMovesByArrow = {Action::MoveRight, Action::MoveLeft, Action::MoveDown, Action::MoveUp};

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
  set_bindings(frame::Settings::default_bindings());
  every_hotkey_resolved_ = binding_warning_.empty();
  gamepads_started_ = SDL_InitSubSystem(SDL_INIT_GAMECONTROLLER) == 0;
  if (!gamepads_started_) warning_ = std::string("gamepads are off: ") + SDL_GetError();
}

Events::~Events() {
  for (const Gamepad& pad : gamepads_) {
    if (pad.handle != nullptr) SDL_GameControllerClose(pad.handle);
  }
  if (gamepads_started_) SDL_QuitSubSystem(SDL_INIT_GAMECONTROLLER);
}

void Events::set_bindings(const std::array<frame::KeyBinding, frame::kActionCount>& bindings) {
  let_go_of_all();
  binding_warning_.clear();
  std::size_t unknown = 0;
  const auto complain = [&](std::size_t row, const char* what, const std::string& word, std::string_view kept) {
    if (++unknown > 1) return;
    binding_warning_ = std::string(frame::kHotkeys[row].name) + ": there is no " + what + " named '" + shown(word) +
                       "'; " + (kept.empty() ? "it has none now" : "it stays " + std::string(kept));
  };
  for (std::size_t row = 0; row < frame::kActionCount; ++row) {
    const frame::Hotkey& usual = frame::kHotkeys[row];
    bindings_[row] = {};
    bindings_[row].chosen = bindings[row].key != usual.key;
    if (!bind_key(row, bindings[row].key)) {
      complain(row, "key", bindings[row].key, usual.key);
      bind_key(row, std::string(usual.key));
    }
    if (!bind_pad(row, bindings[row].pad)) {
      complain(row, "gamepad button", bindings[row].pad, usual.pad);
      bind_pad(row, std::string(usual.pad));
    }
  }
  if (unknown > 1) binding_warning_ += " (and " + std::to_string(unknown - 1) + " more like this)";
}

void Events::set_scene(frame::Scenes scene) {
  if (scene != scene_) let_go_of_all();
  scene_ = scene;
}

bool Events::bind_key(std::size_t row, const std::string& name) {
  if (name.empty()) return true;
  Binding& binding = bindings_[row];
  binding.key = SDL_GetKeyFromName(name.c_str());
  binding.scancode = SDL_GetScancodeFromName(name.c_str());
  const auto action = static_cast<Action>(row);
  const bool left_hand = action == Action::MoveUp || action == Action::MoveLeft || action == Action::MoveDown ||
                         action == Action::MoveRight || action == Action::NextSpell || action == Action::PreviousSpell;
  binding.by_place = left_hand && binding.key == SDL_GetKeyFromName(std::string(frame::kHotkeys[row].key).c_str());
  return binding.key != SDLK_UNKNOWN;
}

bool Events::bind_pad(std::size_t row, const std::string& name) {
  if (name.empty()) return true;
  Binding& binding = bindings_[row];
  binding.with_trigger = name.compare(0, kWithTrigger.size(), kWithTrigger) == 0;
  const char* button = name.c_str() + (binding.with_trigger ? kWithTrigger.size() : 0);
  binding.pad_button = SDL_GameControllerGetButtonFromString(button);
  return binding.pad_button >= 0;
}

void Events::listen(bool on) {
  listening_ = on;
  if (on) let_go_of_all();
}

std::size_t Events::gamepad_count() const {
  return static_cast<std::size_t>(
      std::count_if(gamepads_.begin(), gamepads_.end(), [](const Gamepad& pad) { return pad.handle != nullptr; }));
}

const FrameEvents& Events::poll(const Window& window, RawEventFunction raw, void* context) {
  const float mouse_x = events_.mouse_x_px, mouse_y = events_.mouse_y_px;
  events_ = FrameEvents{};
  events_.mouse_x_px = mouse_x;
  events_.mouse_y_px = mouse_y;
  taps_.fill(false);

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

void Events::begin_hold(Action action) {
  for (std::size_t i = 0; i < kMovesByArrow.size(); ++i) taps_[i] = taps_[i] || action == kMovesByArrow[i];
  events_.menu_y += action == Action::MoveDown ? 1 : action == Action::MoveUp ? -1 : 0;
  if (action == Action::Cast) events_.cast_pressed = true;
  if (action == Action::RapidCast) events_.rapid_pressed = true;
  if (action == Action::Rewind) events_.rewind_pressed = true;
}

std::size_t Events::row_of(const SDL_Keysym& key) const {
  const auto first_row = [&](auto&& matches) {
    std::size_t row = 0;
    while (row < kNoRow && (rests(row) || !matches(bindings_[row]))) ++row;
    return row;
  };
  const auto scancode = static_cast<i32>(key.scancode);
  const std::size_t left_hand =
      first_row([&](const Binding& binding) { return binding.by_place && binding.scancode == scancode; });
  if (left_hand != kNoRow) return left_hand;
  const bool by_place = counts_by_place(key);
  const auto means = [&](const Binding& binding) {
    if (binding.by_place) return false;
    return by_place ? binding.scancode == scancode && scancode != SDL_SCANCODE_UNKNOWN
                    : binding.key == key.sym && key.sym != SDLK_UNKNOWN;
  };
  const std::size_t chosen = first_row([&](const Binding& binding) { return binding.chosen && means(binding); });
  return chosen != kNoRow ? chosen : first_row(means);
}

void Events::on_key_down(const SDL_Event& event) {
  const SDL_Keysym& key = event.key.keysym;
  if (listening_) {
    if (event.key.repeat != 0 || (key.mod & kOthersModifiers) != 0 || is_others_modifier(key.sym)) return;
    if (key.sym == SDLK_ESCAPE) {
      events_.heard_cancel = true;
    } else {
      events_.heard_key = counts_by_place(key) ? SDL_GetScancodeName(key.scancode) : SDL_GetKeyName(key.sym);
      if (events_.heard_key.empty()) return;  // a key without a name could not be saved
    }
    listening_ = false;
    return;
  }
  if (wants_.keyboard || (key.mod & kOthersModifiers) != 0) return;
  const std::size_t row = row_of(key);
  if (row == kNoRow) {
    if (is_arrow(key.scancode)) {
      arrows_[static_cast<std::size_t>(key.scancode - SDL_SCANCODE_RIGHT)] = true;
      if (event.key.repeat == 0) {
        taps_[static_cast<std::size_t>(key.scancode - SDL_SCANCODE_RIGHT)] = true;
        events_.menu_y += key.scancode == SDL_SCANCODE_DOWN ? 1 : key.scancode == SDL_SCANCODE_UP ? -1 : 0;
      }
    }
    if (event.key.repeat == 0 && (key.sym == SDLK_RETURN || key.sym == SDLK_KP_ENTER)) events_.start_pressed = true;
    return;
  }
  const auto action = static_cast<Action>(row);
  const bool repeats = action == Action::SingleStep || frame::kHotkeys[row].scenes == frame::Scenes::Replay;
  if (event.key.repeat != 0 && !repeats) return;
  if (!frame::kHotkeys[row].held) {
    press(action);
    return;
  }
  holders_[row].scancode = static_cast<i32>(key.scancode);
  begin_hold(action);
}

void Events::on_key_up(i32 scancode) {
  for (Holder& holder : holders_) {
    if (holder.scancode == scancode) holder.scancode = SDL_SCANCODE_UNKNOWN;
  }
  if (is_arrow(scancode)) arrows_[static_cast<std::size_t>(scancode - SDL_SCANCODE_RIGHT)] = false;
}

void Events::on_pad_down(i32 instance, u8 button) {
  const Gamepad* pad = gamepad_of(instance);
  const bool with_trigger = pad != nullptr && pad->left_trigger;
  if (listening_) {
    const char* name = SDL_GameControllerGetStringForButton(static_cast<SDL_GameControllerButton>(button));
    if (name == nullptr) return;
    events_.heard_pad = (with_trigger ? std::string(kWithTrigger) : std::string()) + name;
    listening_ = false;
    return;
  }
  if (button == SDL_CONTROLLER_BUTTON_START && !with_trigger) events_.start_pressed = true;
  for (std::size_t row = 0; row < frame::kActionCount; ++row) {
    if (rests(row) || bindings_[row].pad_button != button || bindings_[row].with_trigger != with_trigger) continue;
    const auto action = static_cast<Action>(row);
    if (frame::kHotkeys[row].held) {
      holders_[row].pad = instance;
      holders_[row].pad_button = button;
      begin_hold(action);
    } else {
      press(action);
    }
    return;
  }
}

/// button −1: all of them.
void Events::let_go_of_pad(i32 instance, i32 button) {
  for (Holder& holder : holders_) {
    if (holder.pad == instance && (button < 0 || holder.pad_button == button)) holder.pad = holder.pad_button = -1;
  }
}

void Events::let_go_of_all() {
  holders_.fill({});
  arrows_.fill(false);
  left_down_ = right_down_ = false;
}

bool Events::held(Action action) const {
  const Holder& holder = holders_[static_cast<std::size_t>(action)];
  return (holder.scancode != SDL_SCANCODE_UNKNOWN && !wants_.keyboard) || holder.pad_button >= 0;
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
          let_go_of_all();
          break;
        default:
          break;
      }
      break;
    case SDL_KEYDOWN:
      events_.any_input = true;
      events_.device = frame::InputDevice::Keyboard;
      on_key_down(event);
      break;
    case SDL_KEYUP:
      on_key_up(static_cast<i32>(event.key.keysym.scancode));
      break;
    case SDL_MOUSEMOTION: {
      const Size size = window.size(), drawable = window.drawable_px();
      const float scale_x = size.width > 0 ? static_cast<float>(drawable.width) / static_cast<float>(size.width) : 1.0f;
      const float scale_y =
          size.height > 0 ? static_cast<float>(drawable.height) / static_cast<float>(size.height) : 1.0f;
      const float x_px = static_cast<float>(event.motion.x) * scale_x;
      const float y_px = static_cast<float>(event.motion.y) * scale_y;
      // A window that opens or changes below a mouse at rest sends a motion too.
      if (x_px != events_.mouse_x_px || y_px != events_.mouse_y_px) {
        events_.any_input = true;
        events_.mouse_travelled = events_.mouse_travelled || (mouse_seen_ && !pointing_);
        if (mouse_seen_ && event.motion.which != kPadMouse) events_.device = frame::InputDevice::Mouse;
      }
      mouse_seen_ = true;
      events_.mouse_x_px = x_px;
      events_.mouse_y_px = y_px;
      events_.mouse_moved = !pointing_;
      break;
    }
    case SDL_MOUSEBUTTONDOWN:
      events_.any_input = true;
      events_.device =
          event.button.which == kPadMouse ? frame::InputDevice::Gamepad : frame::InputDevice::Mouse;
      if (wants_.mouse || listening_ || event.button.which == kPadMouse) break;
      if (event.button.button == SDL_BUTTON_LEFT) left_down_ = events_.cast_pressed = events_.mouse_pressed = true;
      if (event.button.button == SDL_BUTTON_RIGHT) right_down_ = events_.rapid_pressed = true;
      if (event.button.button == SDL_BUTTON_MIDDLE && scene_ == frame::Scenes::Shooter) press(Action::Bomb);
      break;
    case SDL_MOUSEBUTTONUP:
      if (event.button.button == SDL_BUTTON_LEFT) left_down_ = false;
      if (event.button.button == SDL_BUTTON_RIGHT) right_down_ = false;
      break;
    case SDL_MOUSEWHEEL:
      events_.any_input = true;
      events_.device = frame::InputDevice::Mouse;
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
      events_.any_input = true;
      events_.device = frame::InputDevice::Gamepad;
      on_pad_down(event.cbutton.which, event.cbutton.button);
      break;
    case SDL_CONTROLLERBUTTONUP:
      let_go_of_pad(event.cbutton.which, event.cbutton.button);
      break;
    case SDL_CONTROLLERAXISMOTION:
      // By its events and not by its state, so that the order of trigger and button within a frame counts.
      if (Gamepad* pad = gamepad_of(event.caxis.which);
          pad != nullptr && event.caxis.axis == SDL_CONTROLLER_AXIS_TRIGGERLEFT) {
        pad->left_trigger = event.caxis.value > kTriggerHalf;
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

/// The mouse events come with the next poll, panels' first. In each of them the button is down anew, for ImGui 1.86
/// asks the real mouse whether it still is.
void Events::point(float x, float y, bool trigger, const Window& window) {
  constexpr float kHeights_per_s = 0.9f, kMostPassed_s = 0.05f;
  const Size size = window.size(), drawable = window.drawable_px();
  const auto unit = [](int units, int px) {
    return px > 0 ? static_cast<float>(units) / static_cast<float>(px) : 1.0f;
  };
  const u64 now_ms = SDL_GetTicks64();
  const float passed_s = std::min(kMostPassed_s, static_cast<float>(now_ms - polled_ms_) * 1e-3f);
  polled_ms_ = now_ms;
  if (!pointing_) {
    pointer_x_ = events_.mouse_x_px * unit(size.width, drawable.width);
    pointer_y_ = events_.mouse_y_px * unit(size.height, drawable.height);
  }
  const float way = kHeights_per_s * static_cast<float>(size.height) * passed_s;
  pointer_x_ = std::clamp(pointer_x_ + x * way, 0.0f, static_cast<float>(std::max(0, size.width - 1)));
  pointer_y_ = std::clamp(pointer_y_ + y * way, 0.0f, static_cast<float>(std::max(0, size.height - 1)));
  const int at_x = static_cast<int>(pointer_x_), at_y = static_cast<int>(pointer_y_);
  if (x != 0 || y != 0) SDL_WarpMouseInWindow(window.native(), at_x, at_y);  // for the eye; it may send no motion
  SDL_Event event{};
  event.type = SDL_MOUSEMOTION;
  event.motion.windowID = SDL_GetWindowID(window.native());
  event.motion.which = kPadMouse;
  event.motion.x = at_x;
  event.motion.y = at_y;
  SDL_PushEvent(&event);  // also at rest: what is below it may change
  if (!trigger && !pointer_down_) return;
  event = {};
  event.type = trigger ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP;
  event.button.windowID = SDL_GetWindowID(window.native());
  event.button.which = kPadMouse;
  event.button.button = SDL_BUTTON_LEFT;
  event.button.state = trigger ? SDL_PRESSED : SDL_RELEASED;
  event.button.clicks = 1;
  event.button.x = at_x;
  event.button.y = at_y;
  SDL_PushEvent(&event);
  pointer_down_ = trigger;
}

void Events::read_held(const Window& window) {
  std::array<float, kMovesByArrow.size()> pull{};
  for (std::size_t i = 0; i < pull.size(); ++i) {
    pull[i] = held(kMovesByArrow[i]) || (arrows_[i] && !wants_.keyboard) || taps_[i] ? 1.0f : 0.0f;
  }
  float x = pull[0] - pull[1], y = pull[2] - pull[3];
  bool trigger = false, points = false, clicks = false;
  float point_x = 0, point_y = 0;
  for (const Gamepad& pad : gamepads_) {
    if (pad.handle == nullptr) continue;
    float left_x = axis(pad.handle, SDL_CONTROLLER_AXIS_LEFTX), left_y = axis(pad.handle, SDL_CONTROLLER_AXIS_LEFTY);
    float right_x = axis(pad.handle, SDL_CONTROLLER_AXIS_RIGHTX),
          right_y = axis(pad.handle, SDL_CONTROLLER_AXIS_RIGHTY);
    shape_stick(left_x, left_y);
    shape_stick(right_x, right_y);
    const bool pad_points = points_ && pad.left_trigger && !listening_;
    if (pad_points) {
      points = true;
      point_x += right_x;
      point_y += right_y;
    } else if (right_x != 0 || right_y != 0) {
      events_.stick_aims = true;
      events_.aim_x = right_x;
      events_.aim_y = right_y;
    }
    const bool left_stick = left_x != 0 || left_y != 0;
    const bool right_trigger = SDL_GameControllerGetAxis(pad.handle, SDL_CONTROLLER_AXIS_TRIGGERRIGHT) > kTriggerHalf;
    if (left_stick || events_.stick_aims || right_trigger || pad.left_trigger) {
      events_.any_input = true;
      events_.device = frame::InputDevice::Gamepad;
    }
    if (listening_) continue;
    x += left_x;
    y += left_y;
    // What began over a panel stays with it, what began as a cast goes on as one.
    const bool clicks_on = pointer_down_ || (pad_points && wants_.mouse && !trigger_down_);
    clicks = clicks || (right_trigger && clicks_on);
    trigger = trigger || (right_trigger && !clicks_on);
  }
  if (points || pointer_down_) point(point_x, point_y, clicks, window);
  pointing_ = points;
  const float length = std::sqrt(x * x + y * y);
  events_.move_x = length > 1 ? x / length : x;
  events_.move_y = length > 1 ? y / length : y;
  if (trigger && !trigger_down_) events_.cast_pressed = true;
  trigger_down_ = trigger;
  events_.cast_held = left_down_ || trigger || held(Action::Cast);
  events_.rapid_held = right_down_ || held(Action::RapidCast);
  events_.focus_held = held(Action::Focus);
  events_.rewind_held = held(Action::Rewind);
  if (events_.cast_held || events_.rapid_held || events_.focus_held || events_.rewind_held || x != 0 || y != 0)
    events_.any_input = true;
}

Events::Gamepad* Events::gamepad_of(i32 instance) {
  for (Gamepad& pad : gamepads_) {
    if (pad.handle != nullptr && pad.instance == instance) return &pad;
  }
  return nullptr;
}

void Events::open_gamepad(int device_index) {
  const SDL_JoystickID instance = SDL_JoystickGetDeviceInstanceID(device_index);
  if (gamepad_of(instance) != nullptr) return;
  for (Gamepad& pad : gamepads_) {
    if (pad.handle != nullptr) continue;
    pad = {SDL_GameControllerOpen(device_index), instance, false};
    return;
  }
}

void Events::close_gamepad(i32 instance) {
  Gamepad* pad = gamepad_of(instance);
  if (pad == nullptr) return;
  SDL_GameControllerClose(pad->handle);
  *pad = {};
  let_go_of_pad(instance, -1);
}

}  // namespace spellpool::platform
