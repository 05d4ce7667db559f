#include "ui/kit/theme.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "ui/kit/palette.hpp"
#include "ui/kit/pen.hpp"

namespace spellpool::ui {
namespace {

constexpr std::array kRegularFiles = {
    "/usr/share/fonts/opentype/inter/Inter-Regular.otf",  "/usr/share/fonts/truetype/inter/Inter-Regular.ttf",
    "/usr/share/fonts/opentype/inter/Inter.otf",          "/usr/share/fonts/truetype/inter/InterVariable.ttf",
    "/usr/share/fonts/truetype/inter/Inter-Variable.ttf", "/usr/share/fonts/truetype/inter/Inter[opsz,wght].ttf",
    "/usr/share/fonts/opentype/inter/InterVariable.ttf",  "/usr/share/fonts/opentype/inter/Inter-Variable.ttf",
};
constexpr std::array kStrongFiles = {
    "/usr/share/fonts/opentype/inter/Inter-SemiBold.otf",
    "/usr/share/fonts/truetype/inter/Inter-SemiBold.ttf",
};

constexpr std::array kLightFiles = {
    "/usr/share/fonts/opentype/inter/InterDisplay-Light.otf",
    "/usr/share/fonts/opentype/inter/Inter-Light.otf",
    "/usr/share/fonts/truetype/inter/Inter-Light.ttf",
};

constexpr std::array kMonoFiles = {
    "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf",
    "/usr/share/fonts/truetype/liberation/LiberationMono-Regular.ttf",
    "/usr/share/fonts/truetype/noto/NotoSansMono-Regular.ttf",
    "/usr/share/fonts/TTF/DejaVuSansMono.ttf",
};

// What titles and large numbers are made of.
constexpr std::array<ImWchar, 7> kTitleRanges = {0x0020, 0x002F, 0x003A, 0x005F, 0x00D7, 0x00D7, 0};

// Western European letters and the signs that the panels use. Digits come in a second pass, all of one width.
constexpr std::array<ImWchar, 19> kTextRanges = {0x0020, 0x002F, 0x003A, 0x00FF, 0x2010, 0x2027, 0x2190,
                                                 0x2193, 0x21B9, 0x21B9, 0x221A, 0x221A, 0x2248, 0x2248,
                                                 0x2264, 0x2265, 0x2713, 0x2713, 0};
// Further Latin letters, Greek and Cyrillic: found only in names of a player's files. They are two thirds of all
// letters, so they are baked in one size, regular and strong; the other fonts draw them scaled, a little less sharp.
constexpr std::array<ImWchar, 5> kNameRanges = {0x0100, 0x017F, 0x0370, 0x052F, 0};
constexpr std::array<ImWchar, 3> kDigitRange = {'0', '9', 0};
constexpr std::array<ImWchar, 7> kHexRange = {' ', ' ', '0', '9', 'a', 'f', 0};

struct FontFile {
  void* bytes = nullptr;  // From ImGui's allocator.
  int size = 0;
};

// A whole font file, or nothing. The first bytes are checked: ImGui asserts on a file that is no font.
FontFile read_font(const char* path) {
  std::FILE* file = std::fopen(path, "rb");
  if (file == nullptr) return {};
  FontFile font;
  std::fseek(file, 0, SEEK_END);
  const long size = std::ftell(file);
  std::rewind(file);
  if (size > 1024 && size < 64L * 1024 * 1024) {
    font.bytes = ImGui::MemAlloc(static_cast<std::size_t>(size));
    font.size = static_cast<int>(size);
    const bool whole =
        std::fread(font.bytes, 1, static_cast<std::size_t>(size), file) == static_cast<std::size_t>(size);
    constexpr std::array<unsigned char, 4> kTrueType = {0, 1, 0, 0};
    const bool known = std::memcmp(font.bytes, "OTTO", 4) == 0 || std::memcmp(font.bytes, kTrueType.data(), 4) == 0;
    if (!whole || !known) {
      ImGui::MemFree(font.bytes);
      font = {};
    }
  }
  std::fclose(file);
  return font;
}

template <std::size_t N>
FontFile first_font(const std::array<const char*, N>& paths) {
  for (const char* path : paths) {
    if (const FontFile font = read_font(path); font.bytes != nullptr) return font;
  }
  return {};
}

ImFontConfig config_for(const FontFile& file, float size_px, const ImWchar* ranges) {
  ImFontConfig config;
  config.FontData = file.bytes;
  config.FontDataSize = file.size;
  config.SizePixels = size_px;
  config.GlyphRanges = ranges;
  config.OversampleH = 2;
  config.OversampleV = 1;
  return config;
}

// The bytes stay the caller's until the atlas is built: AddFont() copies those that it doesn't own, for each of a dozen
// fonts, and the atlas would free those that it owns once for each.
ImFont* add_font(ImFontAtlas& atlas, ImFontConfig config) {
  config.FontDataOwnedByAtlas = true;
  ImFont* font = atlas.AddFont(&config);
  atlas.ConfigData.back().FontDataOwnedByAtlas = false;
  return font;
}

float widest_digit_px(const FontFile& file, float size_px) {
  ImFontAtlas probe;
  ImFont* font = add_font(probe, config_for(file, size_px, kDigitRange.data()));
  if (font == nullptr || !probe.Build()) return 0;
  float widest = 0;
  for (ImWchar digit = '0'; digit <= '9'; ++digit) {
    if (const ImFontGlyph* glyph = font->FindGlyphNoFallback(digit)) widest = std::max(widest, glyph->AdvanceX);
  }
  return widest;
}

bool add_cut(ImFontAtlas& atlas, const FontFile& file, float size_px, const ImWchar* ranges = kTextRanges.data()) {
  ImFontConfig digits = config_for(file, size_px, kDigitRange.data());
  digits.MergeMode = true;
  const float width = widest_digit_px(file, size_px);
  if (width > 0) digits.GlyphMinAdvanceX = digits.GlyphMaxAdvanceX = width;
  return add_font(atlas, config_for(file, size_px, ranges)) != nullptr && add_font(atlas, digits) != nullptr;
}

bool add_names(ImFontAtlas& atlas, const FontFile& file, float size_px) {
  ImFontConfig config = config_for(file, size_px, kNameRanges.data());
  config.MergeMode = true;
  return add_font(atlas, config) != nullptr;
}

/// Gives `to` the letters of names as they are baked in `from`: scaled to its size, on its baseline.
void share_names(const ImFont& from, ImFont& to) {
  const float scale = to.FontSize / from.FontSize;
  const float lower = std::round(to.Ascent) - std::round(from.Ascent) * scale;
  for (const ImFontGlyph& glyph : from.Glyphs) {
    const auto letter = static_cast<ImWchar>(glyph.Codepoint);
    if (letter < kNameRanges[0] || letter > kNameRanges[3]) continue;
    to.AddGlyph(nullptr, letter, glyph.X0 * scale, glyph.Y0 * scale + lower, glyph.X1 * scale, glyph.Y1 * scale + lower,
                glyph.U0, glyph.V0, glyph.U1, glyph.V1, glyph.AdvanceX * scale);
  }
  to.BuildLookupTable();
}

/// Hexadecimal digits of one width, of Inter where no monospaced font is installed.
bool add_mono(ImFontAtlas& atlas, const FontFile& mono, const FontFile& regular, float size_px) {
  ImFontConfig config = config_for(mono.bytes != nullptr ? mono : regular, size_px, kHexRange.data());
  if (mono.bytes == nullptr) config.GlyphMinAdvanceX = config.GlyphMaxAdvanceX = widest_digit_px(regular, size_px);
  return add_font(atlas, config) != nullptr;
}

float sane(float scale) { return std::isfinite(scale) ? std::clamp(scale, 0.25f, 4.0f) : 1.0f; }

}  // namespace

void apply_theme(float scale) {
  const float s = sane(scale);
  ImGuiStyle& style = ImGui::GetStyle();
  style = ImGuiStyle();
  style.WindowPadding = ImVec2(12 * s, 12 * s);
  style.FramePadding = ImVec2(8 * s, 4 * s);
  style.ItemSpacing = ImVec2(12 * s, 6 * s);
  style.ItemInnerSpacing = ImVec2(6 * s, 6 * s);
  style.WindowRounding = style.ChildRounding = style.PopupRounding = 8 * s;
  style.FrameRounding = style.GrabRounding = style.ScrollbarRounding = 6 * s;
  style.ScrollbarSize = 8 * s;
  style.WindowBorderSize = style.PopupBorderSize = 0;
  style.WindowMinSize = ImVec2(1, 1);
  style.AntiAliasedLinesUseTex = true;
  const auto set = [&style](ImGuiCol which, ImU32 colour) {
    style.Colors[which] = ImGui::ColorConvertU32ToFloat4(colour);
  };
  set(ImGuiCol_Text, kText);
  set(ImGuiCol_TextDisabled, kMuted);
  set(ImGuiCol_WindowBg, kPanelFill);
  set(ImGuiCol_PopupBg, kPanelFill);
  set(ImGuiCol_Border, kPanelEdge);
  set(ImGuiCol_FrameBg, kControl);
  set(ImGuiCol_FrameBgHovered, kControlHot);
  set(ImGuiCol_FrameBgActive, kControlHot);
  set(ImGuiCol_Button, kControl);
  set(ImGuiCol_ButtonHovered, kControlHot);
  set(ImGuiCol_ButtonActive, kControlHot);
  set(ImGuiCol_ScrollbarBg, IM_COL32(0, 0, 0, 0));
  set(ImGuiCol_ScrollbarGrab, faded(kMuted, 0.55f));  // the sign that there is more: seen on any panel
  set(ImGuiCol_ScrollbarGrabHovered, kMuted);
  set(ImGuiCol_ScrollbarGrabActive, kAccent);
  set(ImGuiCol_SliderGrab, kAccent);
  set(ImGuiCol_SliderGrabActive, kAccent);
  set(ImGuiCol_CheckMark, kAccent);
  set(ImGuiCol_TextSelectedBg, faded(kAccent, 0.45f));
}

bool load_fonts(ImFontAtlas& atlas, float scale) {
  const float s = sane(scale);
  atlas.Clear();
  const FontFile regular = first_font(kRegularFiles);
  const FontFile strong = first_font(kStrongFiles);
  const FontFile light = first_font(kLightFiles);
  const FontFile mono = first_font(kMonoFiles);
  bool loaded = regular.bytes != nullptr;
  if (loaded) {
    const FontFile& bold = strong.bytes != nullptr ? strong : regular;
    loaded = add_cut(atlas, regular, kCutUnits[0] * s) && add_names(atlas, regular, kCutUnits[0] * s) &&
             add_cut(atlas, regular, kCutUnits[1] * s) && add_cut(atlas, bold, kCutUnits[2] * s) &&
             add_names(atlas, bold, kCutUnits[2] * s) && add_cut(atlas, bold, kCutUnits[3] * s) &&
             add_cut(atlas, light.bytes != nullptr ? light : regular, kCutUnits[4] * s, kTitleRanges.data()) &&
             add_mono(atlas, mono, regular, kCutUnits[5] * s) && add_cut(atlas, regular, kTinyUnits * s) &&
             atlas.Build();
  }
  if (loaded) {
    const auto font = [&atlas](Cut cut) -> ImFont& { return *atlas.Fonts[static_cast<int>(cut)]; };
    share_names(font(Cut::Body), font(Cut::Small));
    share_names(font(Cut::Body), *atlas.Fonts[kFontCount - 1]);
    share_names(font(Cut::Strong), font(Cut::Large));
    atlas.ClearInputData();  // the letters are baked: load_fonts() reads the files again
  } else {
    atlas.Clear();
  }
  for (const FontFile& file : {regular, strong, light, mono}) ImGui::MemFree(file.bytes);
  if (!loaded) {
    ImFontConfig config;
    config.SizePixels = std::floor(kOwnFontUnits * s + 0.5f);
    atlas.AddFontDefault(&config);
    atlas.Build();
  }
  return loaded;
}

bool load_fonts(float scale) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  const bool loaded = load_fonts(atlas, scale);
  ImGui::GetIO().FontDefault = atlas.Fonts[0];
  ImGui::GetIO().FontGlobalScale = 1.0f;
  return loaded;
}

}  // namespace spellpool::ui
