#include "frame.glsl"
// All together: lit stone under the scene, bloom and night over it, then a filmic curve that keeps the hue of what is
// bright and lets only the hottest cores go white; vignette, and a little noise against bands in the dark.
// SHIFTED: colours moved for eyes that mix some of them up. BENT: a vortex turns the floor around itself. GARDEN: a band
// of the shooter's ground (u_step: z its first row in the picture, w which of the pictures it is), which has a tint.
uniform sampler2D u_source;  // the scene, premultiplied
uniform sampler2D u_stone;
uniform sampler2D u_light;
uniform sampler2D u_bloom;
in vec2 v_uv;
in vec2 v_world;
in float v_vignette;
layout(location = 0) out vec4 o_colour;

#ifdef BENT
vec2 bent(vec2 world) {
  vec2 d = world - u_vortex.xy;
  // The floor bends, not the ring: its runes stay where they burn.
  float reach = clamp((285.0 - length(u_vortex.xy)) * 0.60, 28.0, 96.0);
  float pull = u_vortex.z * exp(-dot(d, d) / (reach * reach));
  float turn = 1.25 * pull;
  return u_vortex.xy + vec2(cos(turn) * d.x - sin(turn) * d.y, sin(turn) * d.x + cos(turn) * d.y) * (1.0 + 0.55 * pull);
}
#else
vec2 bent(vec2 world) { return world; }
#endif

#ifdef GARDEN
uniform vec4 u_step;
vec4 stone_here() {
  float rows = u_garden.y;
  float row = clamp((u_view.w - gl_FragCoord.y - u_step.z) * u_garden.z, 0.5, rows - 0.5);
  return texture(u_stone, vec2((v_world.x - u_ground.x) * u_ground.z, (row + u_step.w * rows) / (rows * 8.0)));
}
vec3 tinted(vec3 light, float tint) { return light * (1.0 + vec3(0.85, -0.40, 0.10) * (tint * 2.0 - 1.0)); }
#else
vec4 stone_here() { return texture(u_stone, (bent(v_world) - u_ground.xy) * u_ground.zw); }
vec3 tinted(vec3 light, float tint) { return light; }
#endif

void main() {
  vec2 small = small_of_screen(v_uv);
  vec4 bloom = texture(u_bloom, small);
  vec4 stone = stone_here();
  vec4 light = texture(u_light, small);
  float bright = dot(light.rgb, vec3(0.30, 0.55, 0.15));
  vec2 towards = vec2(light.a, bloom.a) * (u_clock.w / (bright + 0.0005));
  float relief = max(0.10, 1.0 + 2.3 * dot(stone.yz * 2.0 - 1.0, towards));
  // Where many lights lie over each other the stone does not go white.
  vec3 ground = tinted(light.rgb, stone.w) * (stone.x * stone.x * relief * max(0.5, 1.0 - 0.20 * bright));
  vec4 scene = texture(u_source, v_uv);
  vec3 c = (bloom.rgb + ground * (1.0 - scene.a) + scene.rgb) * v_vignette;
#ifdef SHIFTED
  c = seen_colour(c);
#endif
  // A toe keeps the dark like ink and a shoulder the bright from being cut off. Half of it is worked out on the
  // strongest colour and given to all three, which keeps the hue of a hundred sparks in one place; half on each by
  // itself, so that the hottest go through yellow or pink towards white.
  float top = max(max(c.r, c.g), c.b);
  c = max(vec3(0.0), 1.15 * c - 0.15 * top);  // The square root below pales all hues; this gives some of it back.
  vec4 x = vec4(c, top) * ((1.0 + 0.030 * top) / (1.0 + 0.17 * top));
  vec4 gain = x * (1.0 + 0.04 * x) / ((x + 0.0045) * (x + 0.80));
  c = x.rgb * mix(gain.rgb, gain.aaa, 0.50);
  float grain = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  o_colour = vec4(sqrt(c) + (grain - 0.5) / 255.0, 1.0);
}
