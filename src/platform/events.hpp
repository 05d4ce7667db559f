#pragma once
// SDL's events of one frame as a plain struct: what the player asked for, and what happened to the window.
#include <array>
#include <string>

#include "core/types.hpp"
#include "frame/action.hpp"
#include "frame/input_device.hpp"
#include "frame/settings.hpp"

union SDL_Event;
struct SDL_Keysym;
struct _SDL_GameController;

namespace spellpool::platform {

class Window;

/// Who wants the input: true keeps it from the game.
struct UiWants {
  bool mouse = false;
  bool keyboard = false;
};
/// Sees every event first, for ImGui's backend, and says what the panels want from now on; of a
/// mouse button that goes down, whether they want that one.
using RawEventFunction = UiWants (*)(void* context, const SDL_Event& event);

struct FrameEvents {
  static constexpr std::size_t kMaxActions = 16;
  static constexpr std::size_t kMaxDevices = 4;

  bool quit = false;     ///< Window closed, asked to stop by a signal, or destroyed from outside.
  bool resized = false;  ///< Or on another display: ask for the size and the scale again.
  bool focus_gained = false, focus_lost = false;
  /// In the order in which they came. Without the actions whose row of frame::kHotkeys is `held`: see below.
  std::array<frame::Action, kMaxActions> actions{};
  std::size_t action_count = 0;

  /// In framebuffer pixels, from the top left: where it was last seen.
  float mouse_x_px = 0, mouse_y_px = 0;
  bool mouse_moved = false;  ///< In this frame: the mouse aims again, rather than a stick.
  /// By a hand: from one place in the window to another. (A window that opens below a mouse at rest sees a motion too.)
  bool mouse_travelled = false;
  float wheel = 0;           ///< Notches, up is positive.
  /// Left mouse button, right trigger, or the row Cast.
  bool cast_held = false;
  /// Went down in this frame, even if it is up again already: a step must see it as held, however short it was.
  bool cast_pressed = false;
  bool mouse_pressed = false;  ///< By the left mouse button, outside panels.
  /// Right mouse button, or the row RapidCast. In the shooter the button alone.
  bool rapid_held = false;
  bool rapid_pressed = false;
  /// The row Focus. (With a mouse: rapid_held.)
  bool focus_held = false;
  /// The row Rewind; pressed counts however short it was.
  bool rewind_held = false, rewind_pressed = false;
  /// Enter, or a gamepad's Start: what begins a game elsewhere. Beside what its row asks for.
  bool start_pressed = false;
  /// The rows MoveUp … MoveRight, arrow keys, left stick; length at most 1, +x right, +y down. A key shorter than a
  /// frame counts for that frame.
  float move_x = 0, move_y = 0;
  /// Keys that went down in this frame: one for each MoveDown and arrow down, minus those up. For menus, where none
  /// may be lost.
  int menu_y = 0;
  /// Right stick outside its dead zone: the direction to aim in, length at most 1.
  bool stick_aims = false;
  float aim_x = 0, aim_y = 0;
  /// The player is there: a key or button went down or is held for the game, the mouse moved or turned its wheel, a
  /// stick or trigger is off its middle. Panels' input counts too.
  bool any_input = false;
  /// The one of them that was used last in this frame.
  frame::InputDevice device{};

  /// While listening: what was pressed, as KeyBinding::key or KeyBinding::pad name it. Then listening is over.
  std::string heard_key, heard_pad;
  bool heard_cancel = false;  ///< Escape instead.

  bool audio_added = false;                      ///< A sound device appeared.
  std::array<u32, kMaxDevices> audio_removed{};  ///< Ids of devices that went away.
  std::size_t audio_removed_count = 0;
};

/// Polls SDL. Gamepads come and go as they are plugged; without the gamepad part there are none, and no error.
/// Keys    by label; digits by place (French layouts), letters by place where the layout has no Latin ones, and by
///         place too what lies under the left hand, for as long as the player leaves it there: W A S D, Q and E. A
///         key that walks does nothing else, whatever its label. Repeats count for SingleStep and a replay's rows
///         only. With Ctrl, Alt or the logo key held a key is no hotkey. Arrow keys walk unless a row has them.
/// Pads    a row with "lt+" fires while that pad's left trigger is held beyond half, a row without it only while not.
/// Points  while point_with_pad() is on and the left trigger is held: the right stick moves the mouse, the right
///         trigger is its left button where panels want that. So a gamepad reaches every control. It neither aims nor
///         steers then.
/// Held    key and button are known by their events and forgotten when the window loses the focus: nothing sticks.
/// Cost    a few µs. After construction it allocates only in set_bindings() and for heard_key and heard_pad.
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

  /// What the last poll() returned.
  const FrameEvents& last() const { return events_; }

  /// Which keys and buttons mean what from now on; until the first call the table's own. A name that SDL does not know
  /// is ignored: that row keeps its default, and binding_warning() says so. "" is no key. Of two rows with one key the
  /// one that the player chose has it, else the first. What is held is let go.
  void set_bindings(const std::array<frame::KeyBinding, frame::kActionCount>& bindings);
  /// Rows of the other scene rest: its keys are free for this one. At first the spells. What is held is let go.
  void set_scene(frame::Scenes scene);
  /// One line about the names that the last set_bindings() ignored, or "".
  const std::string& binding_warning() const { return binding_warning_; }

  /// For as long as there is something to point at. Off at first.
  void point_with_pad(bool on) { points_ = on; }

  /// On: the next key or gamepad button that goes down causes no action. Its name is stored in heard_key or
  /// heard_pad instead; Escape sets heard_cancel. Then listening ends. It ignores keys and buttons that are
  /// already held, the keys Ctrl, Alt and logo, and any key pressed with them. Casting and walking are off
  /// meanwhile.
  void listen(bool on);
  bool listening() const { return listening_; }

  /// "" or why there are no gamepads.
  const std::string& warning() const { return warning_; }
  std::size_t gamepad_count() const;
  /// True if every row of frame::kHotkeys names a key and a button that SDL knows.
  bool every_hotkey_resolved() const { return every_hotkey_resolved_; }

 private:
  struct Binding {
    i32 key = 0;
    i32 scancode = 0;
    bool by_place = false;
    bool chosen = false;  ///< Another key than the row's own: it comes before rows that have it by default.
    i32 pad_button = -1;
    bool with_trigger = false;
  };
  /// What holds an action down: 0 and −1 are nothing.
  struct Holder {
    i32 scancode = 0;
    i32 pad = -1, pad_button = -1;
  };
  struct Gamepad {
    _SDL_GameController* handle = nullptr;
    i32 instance = -1;
    bool left_trigger = false;  ///< Beyond half.
  };
  static constexpr std::size_t kNoRow = frame::kActionCount;

  bool bind_key(std::size_t row, const std::string& name);
  bool bind_pad(std::size_t row, const std::string& name);
  void handle(const SDL_Event& event, const Window& window);
  void press(frame::Action action);
  void begin_hold(frame::Action action);
  bool rests(std::size_t row) const { return !frame::meet(frame::kHotkeys[row].scenes, scene_); }
  std::size_t row_of(const SDL_Keysym& key) const;
  void on_key_down(const SDL_Event& event);
  void on_key_up(i32 scancode);
  void on_pad_down(i32 instance, u8 button);
  void let_go_of_pad(i32 instance, i32 button);
  void let_go_of_all();
  bool held(frame::Action action) const;
  void read_held(const Window& window);
  void point(float x, float y, bool trigger, const Window& window);
  Gamepad* gamepad_of(i32 instance);
  void open_gamepad(int device_index);
  void close_gamepad(i32 instance);

  static constexpr std::size_t kMaxGamepads = 4;
  static constexpr std::size_t kFloodLimit = 4096;  ///< Events a frame; a flood must not stop the game.
  std::array<Binding, frame::kActionCount> bindings_{};
  std::array<Holder, frame::kActionCount> holders_{};
  std::array<bool, 4> arrows_{};  ///< Right, left, down, up, as SDL numbers them.
  std::array<bool, 4> taps_{};    ///< In the same order: went down in this frame, by an arrow or by the row.
  std::array<Gamepad, kMaxGamepads> gamepads_{};
  FrameEvents events_;
  frame::Scenes scene_ = frame::Scenes::Spells;
  UiWants wants_;
  bool left_down_ = false, right_down_ = false;  ///< Mouse button went down outside panels and is still held.
  bool mouse_seen_ = false;                      ///< Its place in the window is known.
  bool trigger_down_ = false;
  // The mouse by a gamepad.
  bool points_ = false, pointing_ = false;       ///< It may; it did in the last poll.
  bool pointer_down_ = false;                    ///< The right trigger went down over a panel and is still held.
  float pointer_x_ = 0, pointer_y_ = 0;          ///< In the window's own units.
  u64 polled_ms_ = 0;
  bool listening_ = false;
  bool gamepads_started_ = false;
  bool every_hotkey_resolved_ = true;
  std::string warning_, binding_warning_;
};

}  // namespace spellpool::platform
