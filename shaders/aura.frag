// A circle of calm light on the ground: rings, and small signs that turn slowly against each other. p0 radius, p1 fade
// 0 to 1, p2 turn in turns.
in vec2 v_p;
flat in vec3 v_disc;
flat in vec3 v_state;
flat in vec3 v_tint;
layout(location = 0) out vec4 o_colour;

float line(float d, float half_width) { return clamp(0.5 + (half_width - abs(d)) / v_disc.y, 0.0, 1.0); }

// Place within one of `count` equal parts of a turning circle: x away from the middle, y across; z which part.
vec3 part_of(vec2 p, float turns, float count) {
  float a = (atan(p.y, p.x) / 6.2831853 + turns) * count;
  float which = floor(a + 0.5);
  float angle = (a - which) * 6.2831853 / count;
  return vec3(length(p) * vec2(cos(angle), sin(angle)), which - count * floor(which / count));
}

// Three small signs: a sprout, a ring with a dot, a four-pointed star. q in sign heights, x outwards.
float sign_distance(vec2 q, float which) {
  float third = which - 3.0 * floor(which / 3.0 + 0.01);
  if (third < 0.5) {
    float stem = max(abs(q.y) - 0.02, abs(q.x) - 0.5);
    vec2 leaf = vec2(q.x - 0.10, abs(q.y) - 0.20);
    return min(stem - 0.03, abs(length(leaf) - 0.20) - 0.05);
  }
  if (third < 1.5) {
    float r = length(q);
    return min(abs(r - 0.36) - 0.055, r - 0.10);
  }
  vec2 a = abs(q);
  return (a.x + a.y + 2.2 * sqrt(a.x * a.y + 0.0001) - 0.5) * 0.6;
}

void main() {
  float fade = clamp(v_state.y, 0.0, 1.0);
  float ease = fade * fade * (3.0 - 2.0 * fade);
  float r = length(v_p);
  float px = v_disc.y;
  float thin = max(0.5 * px, 0.006);
  float size = mix(0.86, 1.0, ease);
  float q = r / size;
  float fill = max(0.0, 1.0 - q * q);
  float glow = 0.045 * fill + 0.12 * exp(-abs(q - 0.97) * 13.0) * (1.0 - smoothstep(0.97, 1.06, q));
  glow += 0.05 * exp(-abs(q - 0.62) * 11.0);
  float rings = 0.85 * line(r - 0.97 * size, thin * 1.3) + 0.50 * line(r - 0.75 * size, thin);
  rings += 0.40 * line(r - 0.62 * size, thin);
  float signs = 0.0;
  float turn = v_state.z;
  if (abs(q - 0.86) < 0.10) {
    vec3 part = part_of(v_p, turn, 12.0);
    float d = sign_distance((part.xy - vec2(0.86 * size, 0.0)) / 0.13, part.z) * 0.13;
    signs = clamp(0.5 - d / px, 0.0, 1.0);
    signs += 0.30 * exp(-max(d, 0.0) * 45.0) * (1.0 - smoothstep(0.07, 0.10, abs(q - 0.86)));
  } else if (q < 0.70) {
    // A six-pointed star of two triangles, drawn as lines.
    vec3 one = part_of(v_p, -1.6 * turn, 3.0);
    vec3 other = part_of(v_p, -1.6 * turn + 0.5 / 3.0, 3.0);
    float star = min(abs(one.x - 0.31 * size), abs(other.x - 0.31 * size));
    signs = 0.38 * line(star, thin * 0.9) * (1.0 - smoothstep(0.60, 0.63, q));
  }
  float breath = 0.90 + 0.10 * sin(v_disc.z * 1.9);
  vec3 pale = mix(v_tint, vec3(1.0), 0.10);
  vec3 colour = pale * (rings * 0.62 + signs * 0.72) + v_tint * glow;
  o_colour = vec4(colour * (ease * breath), 0.10 * ease * fill);
}
