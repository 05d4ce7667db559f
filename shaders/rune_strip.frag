#include "rune_strokes.glsl"
// Drawn once: the distance to the strokes of all twelve runes, side by side.
in vec2 v_uv;
layout(location = 0) out vec4 o_colour;

void main() {
  float column = v_uv.x * 12.0;
  int glyph = int(column);
  vec2 p = vec2(column - float(glyph), v_uv.y) * 2.0 - 1.0;
  o_colour = vec4(stroke_distance(glyph, p));
}
