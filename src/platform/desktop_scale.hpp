#pragma once
// How large the desktop wants things to be drawn, where its window system has no units of its own: X.

struct SDL_Window;

namespace spellpool::platform {

/// Dots an inch as the desktop set them (the resource Xft.dpi, which GNOME, KDE and Xfce write when the user chooses a
/// scale); 0 if it set none, or on other drivers. Xlib is looked up at run time, as in display_loss.hpp.
float desktop_dpi(SDL_Window* window);

/// 1 … 3. The desktop's request in quarters. Without one the display's own density: in halves, rounded down, because a
/// laptop of 130 dots an inch is used unscaled and some displays lie about their size. 0, negative and not finite: no
/// request, or unknown.
float scale_of(float desktop_dpi, float display_dpi);

}  // namespace spellpool::platform
