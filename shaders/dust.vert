#include "frame.glsl"
// Faint motes and stars that drift with the camera, each at its own depth, added to the finished picture (so these are
// display colours, not light). No vertex data: all from gl_VertexID.
// u_step: x their number.
uniform vec4 u_step;
uniform sampler2D u_light;
flat out vec3 v_colour;

float chance(float n) { return fract(sin(n) * 43758.547); }

void main() {
  float n = float(gl_VertexID);
  vec4 own = vec4(chance(n * 1.31 + 0.7), chance(n * 2.17 + 1.9), chance(n * 3.71 + 4.3), chance(n * 5.03 + 2.2));
  float depth = 0.25 + 0.75 * own.z;  // 1 moves with the ground, less is farther away.
  vec2 box = 2.0 * u_view.xy + 40.0;
  vec2 drift = u_clock.x * vec2(1.6 * (own.w - 0.3), -2.2 * own.z) + 6.0 * sin(u_clock.x * 0.21 + own.xy * 6.28);
  vec2 place = fract(own.xy + (drift - u_camera.xy * depth) / box) * box - 0.5 * box;
  vec2 world = u_camera.xy + place;
  // As the finale comes, the stars outside wheel a little around the arena.
  float wheel = 0.30 * u_clock.z * u_clock.z * (3.0 - 2.0 * u_clock.z);
  if (wheel > 0.0) {
    vec2 round_it = vec2(cos(wheel) * world.x - sin(wheel) * world.y, sin(wheel) * world.x + cos(wheel) * world.y);
    world = mix(world, round_it, smoothstep(318.0, 372.0, length(world)));
  }
  gl_Position = clip_of(world);

  float twinkle = 0.60 + 0.40 * sin(u_clock.x * (0.6 + 1.9 * own.w) + 6.28 * own.x);
  float outside = smoothstep(318.0, 372.0, length(world));
  // Few are large, most are small and faint.
  float grade = chance(n * 7.77 + 0.3);
  float large = smoothstep(0.90, 1.0, grade);
  float size = mix(mix(1.5, 2.3, own.w), 5.2, large * outside);
  gl_PointSize = max(1.0, size * u_camera.z);
  // Over the arena they are motes that only light shows; outside they are stars.
  vec3 lit = textureLod(u_light, screen_of(world), 0.0).rgb;
  vec3 hue = own.z > 0.74 ? vec3(1.0, 0.82, 0.66) : (own.z < 0.25 ? vec3(0.55, 0.62, 1.0) : vec3(0.80, 0.87, 1.0));
  vec3 star = hue * mix(0.08 + 0.40 * grade * grade, 0.90, large);
  star *= 1.0 + 0.7 * u_clock.z;
  v_colour = star * (outside * twinkle) + lit * (0.80 * twinkle * own.w * (1.0 - outside));
  v_colour = seen_colour(v_colour);
}
