// The twelve runes of the ring: their shapes, from a strip of distances (src/render/rune_strip.hpp), and their places.
uniform sampler2D u_runes;

// Distance to the strokes of glyph 0 to 11, in glyph heights; p is 0 in its middle, y up.
float rune_distance(int glyph, vec2 p) {
  vec2 q = clamp(p, -0.984, 0.984);
  vec2 at = q * 0.5 + 0.5;
  return textureLod(u_runes, vec2((float(glyph) + at.x) / 12.0, at.y), 0.0).r + length(p - q);
}

const float kRuneRadius = 300.0;  // Units from the arena's centre to the middle of each glyph.
const float kRuneHeight = 36.0;

// Place of rune i of 12; the first stands on top, the rest follow clockwise. Up is away from the centre.
vec2 rune_outward(int i) {
  float turn = float(i) * (6.2831853 / 12.0);
  return vec2(sin(turn), -cos(turn));
}
