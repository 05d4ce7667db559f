#pragma once
// Reads the text back that ImGui has drawn: each letter's quad has the letter's place in the font atlas.
#include <imgui.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/types.hpp"

namespace spellpool::ui {

struct DrawnLetter {
  ImWchar code = 0;
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  float line_y = 0;  ///< Where its line of text begins.
  float size = 0;    ///< Of the text, px.
  float advance = 0;
  bool clipped = false;  ///< A part of it lies outside what the list may draw on.
  std::string_view window;  ///< ImGui's name of its window; "" for what lies behind all windows.
};

/// Letters that stand together, without the blanks between words.
struct DrawnLine {
  std::string text;
  float x0 = 0, x1 = 0, y = 0, size = 0;
  bool clipped = false;
  std::string_view window;
};

inline std::vector<DrawnLetter> drawn_letters(const ImDrawData& data) {
  struct Glyph {
    const ImFont* font;
    const ImFontGlyph* glyph;
  };
  // By their upper left corners in the atlas, where no two of them overlap.
  const auto corner = [](float u, float v) {
    return u64{std::bit_cast<u32>(u)} << 32 | std::bit_cast<u32>(v);
  };
  std::unordered_map<u64, Glyph> known;
  for (const ImFont* font : ImGui::GetIO().Fonts->Fonts) {
    for (const ImFontGlyph& glyph : font->Glyphs) {
      if (glyph.Visible) known[corner(glyph.U0, glyph.V0)] = {font, &glyph};
    }
  }
  std::vector<DrawnLetter> letters;
  for (int n = 0; n < data.CmdListsCount; ++n) {
    const ImDrawList& list = *data.CmdLists[n];
    for (const ImDrawCmd& command : list.CmdBuffer) {
      for (unsigned i = 0; i + 6 <= command.ElemCount; i += 3) {
        const ImDrawIdx* index = &list.IdxBuffer[static_cast<int>(command.IdxOffset + i)];
        const auto vertex = [&](unsigned k) -> const ImDrawVert& {
          return list.VtxBuffer[static_cast<int>(command.VtxOffset + index[k])];
        };
        if (index[3] != index[0] || index[4] != index[2]) continue;  // no quad
        const ImDrawVert &a = vertex(0), &c = vertex(2);
        const auto found = known.find(corner(a.uv.x, a.uv.y));
        if (found == known.end()) continue;
        const ImFontGlyph& glyph = *found->second.glyph;
        if (glyph.U1 != c.uv.x || glyph.V1 != c.uv.y) continue;
        const float scale = (c.pos.y - a.pos.y) / (glyph.Y1 - glyph.Y0);
        DrawnLetter letter;
        letter.code = static_cast<ImWchar>(glyph.Codepoint);
        letter.x0 = a.pos.x, letter.y0 = a.pos.y, letter.x1 = c.pos.x, letter.y1 = c.pos.y;
        letter.line_y = a.pos.y - glyph.Y0 * scale;
        letter.size = found->second.font->FontSize * scale;
        letter.advance = glyph.AdvanceX * scale;
        if (list._OwnerName != nullptr) letter.window = list._OwnerName;
        const ImVec4& clip = command.ClipRect;
        letter.clipped = a.pos.x < clip.x - 0.5f || a.pos.y < clip.y - 0.5f || c.pos.x > clip.z + 0.5f ||
                         c.pos.y > clip.w + 0.5f;
        letters.push_back(letter);
      }
    }
  }
  return letters;
}

/// Letters in the order of drawing become a line as long as they follow each other, with at most a blank
/// between.
inline std::vector<DrawnLine> drawn_lines(const ImDrawData& data) {
  std::vector<DrawnLine> lines;
  DrawnLetter before;
  for (const DrawnLetter& letter : drawn_letters(data)) {
    const float gap = letter.x0 - (before.x0 + before.advance);
    const bool follows = !lines.empty() && std::abs(letter.line_y - before.line_y) < 1.0f &&
                         letter.window == before.window && std::abs(letter.size - before.size) < 0.6f &&
                         gap > -letter.size * 0.3f && gap < letter.size * 0.6f;
    if (!follows)
      lines.push_back({"", letter.x0, letter.x1, letter.line_y, letter.size, false, letter.window});
    DrawnLine& line = lines.back();
    if (follows && gap > letter.size * 0.16f) line.text += ' ';
    char utf8[5] = {};
    const unsigned code = letter.code;
    if (code < 0x80)
      utf8[0] = static_cast<char>(code);
    else if (code < 0x800)
      utf8[0] = static_cast<char>(0xC0 | code >> 6), utf8[1] = static_cast<char>(0x80 | (code & 63));
    else
      utf8[0] = static_cast<char>(0xE0 | code >> 12), utf8[1] = static_cast<char>(0x80 | (code >> 6 & 63)),
      utf8[2] = static_cast<char>(0x80 | (code & 63));
    line.text += utf8;
    line.x1 = letter.x1;
    line.clipped = line.clipped || letter.clipped;
    before = letter;
  }
  return lines;
}

/// All of it, a line each.
inline std::string drawn_words(const ImDrawData& data) {
  std::string words;
  for (const DrawnLine& line : drawn_lines(data)) words += line.text + "\n";
  return words;
}

}  // namespace spellpool::ui
