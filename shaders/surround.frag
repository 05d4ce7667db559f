#include "frame.glsl"
// First layer of the small light textures: the baked sky, and where its light comes from.
uniform sampler2D u_sky;
in vec2 v_uv;
layout(location = 0) out vec4 o_light;      // rgb light, a: x of its direction times luminance
layout(location = 1) out vec4 o_direction;  // a: y of it (rgb will hold the bloom)

void main() {
  vec4 sky = texture(u_sky, (world_of_small(v_uv) - u_ground.xy) * u_ground.zw);
  float bright = dot(sky.rgb, vec3(0.30, 0.55, 0.15)) * 0.85;
  o_light = vec4(sky.rgb, -0.62 * bright);
  o_direction = vec4(0.0, 0.0, 0.0, -0.70 * bright);
}
