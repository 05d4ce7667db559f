#pragma once
// SDL's events of one frame as a plain struct: what the player asked for, and what happened to the window.
#include <array>
#include <string>

#include "core/types.hpp"
#include "frame/action.hpp"

union SDL_Event;
struct _SDL_GameController;

namespace spellpool::platform {

class Window;

/// Who wants the input: true keeps it from the game. (ImGui's io.WantCaptureMouse and WantCaptureKeyboard.)
struct UiWants {
  bool mouse = false;
  bool keyboard = false;
};
/// Sees every event first, for ImGui's backend, and says what the panels want from now on.
using RawEventFunction = UiWants (*)(void* context, const SDL_Event& event);

struct FrameEvents {
  static constexpr std::size_t kMaxActions = 16;
  static constexpr std::size_t kMaxDevices = 4;

  bool quit = false;  ///< Window closed, asked to stop by a signal, or destroyed from outside.
  bool resized = false;
  bool focus_gained = false, focus_lost = false;
  std::array<frame::Action, kMaxActions> actions{};  ///< In the order in which they came.
  std::size_t action_count = 0;

  /// In framebuffer pixels, from the top left. Where it was last seen; inside tells if it is over the window.
  float mouse_x_px = 0, mouse_y_px = 0;
  bool mouse_inside = false;
  bool mouse_moved = false;  ///< In this frame: the mouse aims again, rather than a stick.
  float wheel = 0;           ///< Notches, up is positive.
  /// Left mouse button, gamepad A or right trigger.
  bool cast_held = false;
  /// Went down in this frame, even if it is up again already: a step must see it as held, however short it was.
  bool cast_pressed = false;
  /// Keys WASD by place and arrows, left stick; length at most 1, +x right, +y down.
  float move_x = 0, move_y = 0;
  /// Right stick outside its dead zone: the direction to aim in, length at most 1.
  bool stick_aims = false;
  float aim_x = 0, aim_y = 0;

  bool audio_added = false;                      ///< A sound device appeared.
  std::array<u32, kMaxDevices> audio_removed{};  ///< Ids of devices that went away.
  std::size_t audio_removed_count = 0;
};

/// Polls SDL. Gamepads come and go as they are plugged; without the gamepad part there are none, and no error.
/// Hotkeys come from frame::kHotkeys: by the key's label, digits by place (French layouts), letters by place where the
/// layout has no Latin ones. Repeats count for SingleStep only; with Ctrl, Alt or the logo key held a key is no hotkey.
/// Cost    a few µs; nothing is allocated by us after construction.
/// Full    more than 16 actions in one frame are dropped.
/// Threads the window's.
class Events {
 public:
  Events();
  ~Events();
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;

  /// Everything since the last call. `raw` may be null.
  const FrameEvents& poll(const Window& window, RawEventFunction raw = nullptr, void* context = nullptr);

  /// "" or why there are no gamepads.
  const std::string& warning() const { return warning_; }
  std::size_t gamepad_count() const;
  /// True if every row of frame::kHotkeys names a key and a button that SDL knows.
  bool every_hotkey_resolved() const { return every_hotkey_resolved_; }

 private:
  struct Binding {
    i32 key = 0;
    i32 scancode = 0;
    i32 pad_button = -1;
  };
  void handle(const SDL_Event& event, const Window& window);
  void press(frame::Action action);
  void on_key(const SDL_Event& event);
  void read_held(const Window& window);
  void open_gamepad(int device_index);
  void close_gamepad(i32 instance);

  static constexpr std::size_t kMaxGamepads = 4;
  static constexpr std::size_t kFloodLimit = 4096;  ///< Events a frame; a flood must not stop the game.
  std::array<Binding, frame::kActionCount> bindings_{};
  std::array<_SDL_GameController*, kMaxGamepads> gamepads_{};
  FrameEvents events_;
  UiWants wants_;
  bool mouse_down_ = false;  ///< Left button went down outside panels and is still held.
  bool pad_down_ = false;
  bool gamepads_started_ = false;
  bool every_hotkey_resolved_ = true;
  std::string warning_;
};

}  // namespace spellpool::platform
