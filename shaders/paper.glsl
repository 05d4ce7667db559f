// Shared by the shooter's creatures: folded paper with a lamp behind it, and ink along its edges. Goes after sprite.glsl.
const vec3 kInk = vec3(0.005, 0.003, 0.012);

float eased(float t) {
  t = clamp(t, 0.0, 1.0);
  return t * t * (3.0 - 2.0 * t);
}

// Lit paper: shine is 0 far from the lamp, where the hue is deep, and 1 before it, where it pales.
vec3 paper(vec3 hue, float shine) {
  shine = max(shine, 0.0);
  float s2 = shine * shine;
  return hue * hue * (0.045 + 0.34 * shine) + hue * (0.55 * s2) +
         mix(hue, vec3(1.0, 0.88, 0.62), 0.5) * (s2 * s2 * 0.80);
}

// How far ink reaches around a shape.
float ink_width() { return max(0.024, 1.4 * v_figure.y); }

// Distance beyond the line from a to b, on its right hand.
float beyond(vec2 p, vec2 a, vec2 b) {
  vec2 t = normalize(b - a);
  return t.x * (a.y - p.y) + t.y * (p.x - a.x);
}
// Corners against the clock (y up).
float triangle(vec2 p, vec2 a, vec2 b, vec2 c) { return max(max(beyond(p, a, b), beyond(p, b, c)), beyond(p, c, a)); }

// A round window of the soul: pale with a dark pupil that looks `way`, `open` 0 to 1.
void eye(inout vec4 c, vec2 p, float radius, vec2 way, float open, vec3 pale) {
  vec2 q = vec2(p.x, p.y / max(open, 0.12));
  float r = length(q) - radius;
  paint(c, kInk, cover(r - 0.5 * ink_width()));
  paint(c, pale, cover(r));
  paint(c, kInk, cover(length(q - way * radius * 0.35) - radius * 0.58));
  paint(c, vec3(1.2), cover(length(p - radius * vec2(-0.22, 0.30)) - radius * 0.20) * open);
}

// Struck it flares; not all there it is thin.
vec4 finished(vec4 c, float there) {
  float hit = clamp(v_state.x, 0.0, 1.0);
  c.rgb += (c.rgb * 0.9 + vec3(1.05, 0.95, 0.82) * c.a) * (hit * 0.62);
  return c * there;
}
