#pragma once
// Colours, metrics and fonts of the panels. The app calls both functions once after ImGui::CreateContext(), and again
// when the text scale changes; load_fonts() then needs the renderer backend's font texture made anew, between frames.

struct ImFontAtlas;

namespace spellpool::ui {

/// Sets ImGuiStyle: dark translucent panels, 8 px rounding, one accent. `scale` is 1 at 720 px of window height.
void apply_theme(float scale);

/// Fills ImGui's font atlas with Inter in six fonts (body, small, strong, large, title, tiny), baked for `scale`, all
/// digits of one width. Draw calls scale glyphs themselves, so a stale scale costs sharpness and never layout. Returns
/// false when Inter is not installed; ImGui's own font then stands in and every panel still fits. Cost: 20–60 ms.
/// Between frames only. Reads /usr/share/fonts.
bool load_fonts(float scale);

/// The same into an atlas that no context uses yet, on any thread: for ImGui::CreateContext(atlas).
bool load_fonts(ImFontAtlas& atlas, float scale);

}  // namespace spellpool::ui
