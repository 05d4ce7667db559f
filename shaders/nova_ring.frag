// Six-fold: the front runs ahead in six points, and six feathered spokes of frost follow it.
in vec2 v_p;
flat in vec4 v_ring;
flat in vec3 v_tint;
layout(location = 0) out vec4 o_colour;

void main() {
  float r = length(v_p);
  vec2 d = v_p / max(r, 0.001);
  // cos 6a from cos 2a, without an arctangent.
  float c2 = d.x * d.x - d.y * d.y;
  float c6 = c2 * (4.0 * c2 * c2 - 3.0);
  float s2 = 2.0 * d.x * d.y;
  float c12 = 2.0 * c6 * c6 - 1.0;
  float spoke = max(0.0, c6);
  spoke *= spoke;
  float front = 1.0 + 0.055 * spoke * spoke + 0.012 * c12;
  float x = (r - front) / 0.062;
  float line = exp(-x * x * 3.2);
  float behind = r < front ? exp((r - front) * 6.0) : exp(-(r - front) * 26.0);
  float thin_spoke = spoke * spoke;
  thin_spoke *= thin_spoke;
  thin_spoke *= thin_spoke;
  // Feathers: short lines that branch from the spokes.
  float feather = 0.5 + 0.5 * cos(r * 44.0 + (1.0 - c6) * 9.0);
  feather = feather * feather * smoothstep(0.25, 0.95, c6) * smoothstep(0.36, 0.6, r) * step(r, front);
  float window = smoothstep(1.20, 1.10, r) * smoothstep(0.34, 0.55, r);
  float fade = v_ring.y;
  vec3 ice = mix(v_tint, vec3(1.0), 0.55);
  vec3 colour = ice * line * (0.9 + 0.9 * spoke) * fade;
  colour += v_tint * behind * 0.22 * (0.55 + 0.45 * c12 * c6) * fade * fade;
  colour += ice * (thin_spoke * 0.50 * behind + feather * 0.34 * behind) * fade;
  colour += v_tint * 0.03 * s2 * s2 * behind * fade;
  o_colour = vec4(colour * window * 1.5, 0.0);
}
