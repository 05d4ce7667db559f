#include "frame.glsl"
// Zones by depth, the distance in pixels from the bullet's edge inwards: a dark line, a saturated rim that grows brighter
// inwards, a white core. A bubble's core is a thin ring, within which what is beneath shows dimmed; its rim lets some
// through too. The edge is that of two arcs which meet at the ends of the axis: a circle, or a grain of rice. While it is
// not all there a halo of the rim's colour lies around it, which covers too: thirty that begin in one place are a lamp of
// their colour, not a white disc.
flat in vec2 v_middle;
flat in vec4 v_form;
flat in vec4 v_zones;
flat in vec4 v_look;
flat in vec4 v_hue;
layout(location = 0) out vec4 o_colour;

float soft_step(float x) { return clamp(x + 0.5, 0.0, 1.0); }

void main() {
  vec2 p = vec2(gl_FragCoord.x, u_view.w - gl_FragCoord.y) - v_middle;
  float along = dot(p, v_form.xy);
  float across = abs(p.y * v_form.x - p.x * v_form.y) + v_form.w;
  float depth = v_form.z - sqrt(along * along + across * across);
  float body = soft_step(depth);
  float disc = soft_step(depth - v_zones.x);
  float core = soft_step((depth - v_zones.y) * v_zones.z);
  core = min(core * core * (3.0 - 2.0 * core), disc);
  float centre = min(soft_step(depth - v_zones.w), core);
  float rim = (disc - core) * v_look.x;
  float bright = 0.62 + 0.38 * min(depth / v_zones.y, 1.0);
  float white = (core - centre) * v_look.z;
  float tint = (rim * bright + centre * 0.12) * v_look.z;
  float cover = (body - disc + rim + core - centre + centre * v_look.y) * v_look.z;
  float halo = max(0.0, 1.0 - dot(p, p) * v_hue.a);
  float flare = halo * halo * v_look.w;
  tint += flare * (1.0 - 0.5 * halo);
  white += flare * halo * 0.5;
  cover += flare * 0.8;
  o_colour = vec4(v_hue.rgb * tint + white, cover);
}
