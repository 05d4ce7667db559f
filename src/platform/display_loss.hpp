#pragma once
// When the display goes away under the program.
//
// Xlib's own handlers end the process on the spot, and what was recorded would be lost. Ours:
//   our window was destroyed from outside (`xdotool windowclose`)   a flag: the loop ends as if the window were closed
//   the server died, or cut our connection (`xdotool windowkill`)   the save function runs, one line tells, exit code 2
// Other X errors (a request that raced with a window manager) are survived.
// Xlib is looked up at run time, and only if SDL's driver is x11: nothing here links to it. On other drivers nothing is
// installed; SDL sends a quit event there.
// Source  XSetErrorHandler(3), XSetIOErrorHandler(3).
#include <optional>
#include <string>

#include "core/types.hpp"

namespace spellpool::platform {

class Window;

/// Saves what must not be lost and returns where ("" if there was nothing to save), or nothing if not all could be
/// saved. Runs on the thread that met the loss, in the middle of an X call: it may use files and memory, but neither
/// SDL nor GL. It must bear to run after a normal save too, since the server may die while the program ends.
using SaveFunction = std::optional<std::string> (*)(void* context);

/// Installs the handlers for the open window; call it after Window::open, and again after ImGui's backend or anything
/// else that may set handlers of its own. Returns false if there is nothing to install.
bool watch_display(const Window& window, SaveFunction save, void* context);

/// Call it before the context of watch_display() ends, with everything saved. A display that is lost later, while the
/// window closes, only ends the program: exit code 2.
void forget_save(void* context);

/// Waits until the server has answered every request so far. Window's destructor calls it.
void settle_display();

/// True if another program destroyed our window. Then stop drawing, and end as if the window had been
/// closed.
/// Cost  one relaxed atomic load.
bool window_lost();

/// As window_lost(), but asks the server: directly before OpenGL draws into the window. Mesa 22.3 takes its size from
/// uninitialised memory when it has been destroyed since the last frame, and may crash in a thread of its own.
/// Cost  one round trip, about 30 µs on a local server.
bool window_lost_now();

/// The program's exit after window_lost(), once everything is saved. Releases no OpenGL resources: on release the
/// driver asks the server for the size of the destroyed window and then reads uninitialised memory (Mesa 22.3).
[[noreturn]] void end_after_loss(int exit_code);

}  // namespace spellpool::platform
