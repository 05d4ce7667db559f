// Where a meteor will fall, painted on the ground: a ring, a second one that closes in on the middle as the time comes,
// and six wedges that ride on it. p0 radius, p1 time 0 to 1, p2 fade.
in vec2 v_p;
flat in vec3 v_disc;
flat in vec3 v_state;
flat in vec3 v_tint;
layout(location = 0) out vec4 o_colour;

float line(float d, float half_width) { return clamp(0.5 + (half_width - abs(d)) / v_disc.y, 0.0, 1.0); }

// Six-fold: x away from the middle, y across, 0 at the middle of each sixth.
vec2 sixth(vec2 p, float turn) {
  float a = atan(p.y, p.x) + turn;
  float part = 6.2831853 / 6.0;
  a = a - part * floor(a / part + 0.5);
  return length(p) * vec2(cos(a), sin(a));
}

void main() {
  float fade = clamp(v_state.z, 0.0, 1.0);
  fade = fade * fade * (3.0 - 2.0 * fade);
  float time = clamp(v_state.y, 0.0, 1.0);
  float r = length(v_p);
  float px = v_disc.y;
  float thin = max(0.55 * px, 0.011);
  float edge = mix(1.10, 1.0, fade);  // Closes a little as it appears.

  float outer = line(r - edge, thin * 1.25);
  vec2 s = sixth(v_p, v_disc.z * 0.35);
  float ticks = line(max(abs(s.y) - 0.20 * edge, abs(r - edge * 1.06) - 0.006), thin * 0.5) * step(r, edge * 1.1);
  // The closing ring, with light trailing behind it.
  float inner = 1.0 - time;
  float behind = r - inner * edge;
  float closing = line(behind, thin * 1.5);
  float trail = behind > 0.0 ? exp(-behind * 5.0) * (1.0 - smoothstep(0.8, 1.0, r / edge)) : exp(behind * 26.0);
  // Wedges pointing inwards.
  vec2 w = sixth(v_p, -v_disc.z * 0.20 + 0.5236);
  float at = w.x - (0.10 + 0.72 * inner) * edge;
  float wedge = max(abs(w.y) - 0.62 * at, at - 0.115);
  float wedges = clamp(0.5 - wedge / px, 0.0, 1.0);
  float cross_arm = max(min(abs(v_p.x), abs(v_p.y)) - thin * 0.6, r - 0.075);
  float middle = clamp(0.5 - cross_arm / px, 0.0, 1.0);

  float inside = 1.0 - smoothstep(0.90, 1.04, r / edge);
  float pulse = 0.82 + 0.18 * sin(v_disc.z * (9.0 + 12.0 * time));
  vec3 hot = mix(v_tint, vec3(1.0, 0.84, 0.66), 0.22);
  float lines = 1.05 * outer + 0.35 * ticks + closing * (1.1 + 0.7 * time) + wedges * 0.75 + middle * 0.55;
  vec3 colour = hot * (lines * pulse);
  colour += v_tint * (trail * (0.16 + 0.26 * time) + inside * (0.02 + 0.05 * time * time));
  colour += v_tint * exp(-abs(r - edge) * 22.0) * 0.22;
  float shade = inside * (0.30 + 0.20 * time);
  o_colour = vec4(colour * fade, shade * fade);
}
