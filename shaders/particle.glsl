// The 16 bytes of a particle (frame::ParticleInstance), decoded. u_step: x 1 in the alpha layer, 0 in the additive one.
layout(location = 0) in ivec4 a_place;  // xy 1/32 unit, zw motion of the last step
layout(location = 1) in vec4 a_colour;  // linear
layout(location = 2) in uint a_size;    // diameter, 1/64 unit
layout(location = 3) in uvec2 a_look;   // x shape and HDR factor, y angle
uniform vec4 u_step;
uniform sampler2D u_light;

const float kStreakSteps = 1.25;

vec2 particle_motion() { return vec2(a_place.zw) / 32.0; }
vec2 particle_place() { return vec2(a_place.xy) / 32.0 - (1.0 - u_camera.w) * particle_motion(); }
float particle_diameter() { return float(a_size) / 64.0; }

vec2 particle_axis() {
  float turn = float(a_look.y) * (6.2831853 / 256.0);
  return vec2(cos(turn), sin(turn));
}

// What the fragment adds, times its mask: light in the additive layer; in the alpha layer premultiplied matter, lit by
// the night and by the spells around it.
vec4 particle_colour(vec2 world) {
  float factor = float(a_look.x >> 3u) * 0.25;
  if (u_step.x < 0.5) return vec4(a_colour.rgb * (factor * 0.62), 0.0);
  vec3 lit = textureLod(u_light, screen_of(world), 0.0).rgb;
  return vec4(a_colour.rgb * factor * (vec3(0.09) + 1.1 * lit / (1.0 + 1.6 * lit)) * a_colour.a, a_colour.a);
}
