#include "frame.glsl"
// All together: lit stone under the scene, bloom and night over it, then a filmic curve that keeps the hue of what is
// bright and lets only the hottest cores go white; vignette, and a little noise against bands in the dark.
// NIGHT: a cell with sky alone. FLOOR: nothing of the scene in it. SCENE: everything.
uniform sampler2D u_source;  // the scene, premultiplied
uniform sampler2D u_stone;
uniform sampler2D u_light;
uniform sampler2D u_bloom;
in vec2 v_uv;
in vec2 v_stone;
in float v_vignette;
layout(location = 0) out vec4 o_colour;

void main() {
  vec4 bloom = texture(u_bloom, v_uv);
  vec3 c = bloom.rgb;
#ifndef NIGHT
  vec4 stone = texture(u_stone, v_stone);
  vec4 light = texture(u_light, v_uv);
  float bright = dot(light.rgb, vec3(0.30, 0.55, 0.15));
  vec2 towards = vec2(light.a, bloom.a) * (u_clock.w / (bright + 0.0005));
  float relief = max(0.10, 1.0 + 2.3 * dot(stone.yz * 2.0 - 1.0, towards));
  vec3 ground = light.rgb * (stone.x * stone.x * relief);
#ifdef SCENE
  vec4 scene = texture(u_source, v_uv);
  c += ground * (1.0 - scene.a) + scene.rgb;
#else
  c += ground;
#endif
#endif
  c *= v_vignette;
  // The hottest leak into all colours; then each colour has its own shoulder, so that orange goes through yellow to
  // white; a toe keeps the dark like ink.
  float top = max(max(c.r, c.g), c.b);
  c = mix(c, vec3(top), 0.30 * top * top / (top * top + 40.0));
  c = c * c * (1.0 + 0.04 * c) / ((c + 0.0045) * (c + 0.80));
  float grain = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  o_colour = vec4(sqrt(c) + (grain - 0.5) / 255.0, 1.0);
}
