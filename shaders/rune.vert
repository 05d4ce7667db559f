#include "frame.glsl"
#include "runes.glsl"
// One burning rune: instance i of 12.
flat out int v_glyph;
flat out float v_lit;
out vec2 v_place;

void main() {
  vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
  v_glyph = gl_InstanceID;
  v_lit = clamp(u_clock.y - float(gl_InstanceID), 0.0, 1.0);
  v_place = corner * 0.98;  // In glyph heights, with room for the glow.
  vec2 up = rune_outward(gl_InstanceID);
  vec2 right = vec2(-up.y, up.x);
  gl_Position = clip_of(up * kRuneRadius + (right * v_place.x + up * v_place.y) * kRuneHeight);
}
