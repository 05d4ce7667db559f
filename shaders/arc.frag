// One strip of lightning: a violet-white core while it strikes, then a blue after-image that fades.
in vec3 v_across;
flat in vec3 v_arc;
flat in vec3 v_tint;
in vec2 v_core;
layout(location = 0) out vec4 o_colour;

void main() {
  float d2 = dot(v_across.xy, v_across.xy);
  float d = sqrt(d2);
  float age = v_arc.y;
  float left = 1.0 - age;
  float strike = left * left * left * exp(-4.5 * age);
  float image = left * left * (1.0 - exp(-9.0 * age - 0.6));
  float halo = max(0.0, 1.0 - d2);
  vec3 blue = mix(v_tint, vec3(0.05, 0.24, 1.0), 0.88);
  vec3 violet = mix(v_tint, vec3(0.48, 0.22, 1.0), 0.45);
  vec3 colour;
  if (v_arc.x > 0.5) {
    colour = (violet * strike * 0.34 + blue * image * 0.10) * (halo * halo * halo);
  } else {
    float core = clamp(0.5 + (v_core.x - d) / v_core.y, 0.0, 1.0);
    vec3 white = mix(v_tint, vec3(1.0, 0.94, 1.0), 0.72);
    colour = white * (core * strike * 4.2) + violet * (halo * halo * strike * 0.9);
    colour += blue * (image * (1.30 * core + 0.42 * halo * halo * halo));
  }
  o_colour = vec4(colour * v_across.z, 0.0);
}
