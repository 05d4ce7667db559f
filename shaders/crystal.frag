#include "sprite.glsl"
#include "noise.glsl"
#include "frame.glsl"
// A cluster of crystals that bends what is behind it. p0 hit flash 0 to 1, p1 growth 0 to 1, p2 cracks 0 to 1;
// tint: its hue.
uniform sampler2D u_stone;

// A six-sided prism with a point, seen from the side: three faces. Standing on the origin.
// Returns distance in x, and in yzw how far left to right (-1 to 1), height 0 to 1, and whether in the pointed cap.
vec4 prism(vec2 p, float height, float width) {
  float shoulder = height * 0.68;
  float half_width = width * (0.80 + 0.20 * clamp(p.y / shoulder, 0.0, 1.0));
  float cap = clamp((p.y - shoulder) / (height - shoulder), 0.0, 1.0);
  half_width *= 1.0 - cap;
  float slant = width / (height - shoulder);
  float d = cap > 0.0 ? (abs(p.x) - slant * (height - p.y)) * inversesqrt(1.0 + slant * slant) : abs(p.x) - half_width;
  d = max(d, -p.y);
  return vec4(d, p.x / max(half_width, 0.001), p.y / height, step(0.0001, cap));
}

// One shard of the cluster: where it stands, how it leans, its size.
struct Shard {
  vec2 foot;
  float lean, height, width, seed;
};

// Lays a shard over those before it: c.a and `dark` (the part of it that is outline) as it covers them, `seen` the one
// that most of the pixel shows. It is painted once, after the last.
void lay(Shard s, vec2 p, inout float covered, inout float lit_part, inout Shard seen, inout float most) {
  float d = prism(rotated(p - s.foot, s.lean), s.height, s.width).x;
  float outline = cover(d - 0.013) * 0.75;
  float inside = cover(d) * 0.94;
  float left = (1.0 - outline) * (1.0 - inside);
  covered = 1.0 - (1.0 - covered) * left;
  lit_part = lit_part * left + inside;
  most *= left;
  bool shows = inside > most;
  if (shows) {
    seen = s;
    most = inside;
  }
}

vec3 painted(Shard shard, vec2 p) {
  vec2 q = rotated(p - shard.foot, shard.lean);
  float lean = shard.lean;
  float height = shard.height;
  float width = shard.width;
  float seed = shard.seed;
  vec4 s = prism(q, height, width);
  // Three faces; the middle one is off centre. Each has its own normal.
  float left_edge = -0.42 + 0.16 * sin(seed * 3.0);
  float right_edge = 0.38 + 0.12 * cos(seed * 5.0);
  float face = s.y < left_edge ? -1.0 : (s.y > right_edge ? 1.0 : 0.0);
  vec3 n = normalize(vec3(0.85 * face + 0.12, 0.15 + 0.75 * s.w, face == 0.0 ? 0.9 : 0.45));
  n.xy = rotated(n.xy, -lean);
  // What lies behind, bent by the face.
  vec2 world = v_figure.zw + vec2(v_p.x, -v_p.y) / (v_figure.y * u_camera.z);
  vec2 shift = (vec2(n.x, -n.y) * 13.0 + vec2(3.0 * sin(q.y * 20.0 + seed), 0.0));
  vec4 behind = texture(u_stone, (world + shift - u_ground.xy) * u_ground.zw);
  vec3 through = v_light * (1.6 * behind.x * behind.x) * (0.6 + 1.6 * v_tint);

  vec3 tint = v_tint * (0.35 + 0.65 * v_tint);  // Deeper than the light it throws.
  float facing = clamp(0.35 + 0.9 * dot(n, vec3(v_towards, 0.25)), 0.0, 1.4);
  vec3 outside = 3.4 * v_light / (1.0 + 1.2 * v_light);
  float side_tone = face == 0.0 ? 0.62 : (face < 0.0 ? 1.0 : 0.22);
  vec3 colour = through * 0.7 + tint * outside * facing * side_tone;
  // Its own glow wells up from the foot and dies away towards the point.
  float well = exp(-s.z * 2.6);
  colour += tint * (0.018 + 0.20 * well) * side_tone;
  float inner = noise(vec2(q.x * 20.0 + seed, q.y * 8.0 - face * 3.0));
  colour += tint * 0.10 * smoothstep(0.5, 0.9, inner) * side_tone;
  colour *= 1.0 + 0.55 * s.w * (face < 0.5 ? 1.0 : 0.0);
  // Bright edges where faces meet.
  float line_px = v_figure.y * 1.1;
  float half_width = width * (1.0 - s.w * clamp((s.z - 0.68) / 0.32, 0.0, 1.0));
  float ridge = min(abs(s.y - left_edge), abs(s.y - right_edge)) * max(half_width, 0.02);
  float shoulder_line = abs(s.z - 0.68 - 0.025 * (face == 0.0 ? 1.0 : -0.6)) * height;
  float edge_line =
      max(1.0 - smoothstep(0.0, line_px + 0.003, ridge), 1.0 - smoothstep(0.0, line_px + 0.002, shoulder_line));
  float rim = 1.0 - smoothstep(0.0, line_px + 0.006, -s.x);
  vec3 sparkle = mix(v_tint, vec3(1.0), 0.35);
  colour += sparkle * (edge_line * 0.10 + rim * 0.07 * (face <= 0.0 ? 1.6 : 0.5)) +
            sparkle * outside * (edge_line + rim) * 0.22;
  // A streak of light down the left and middle faces.
  float streak = 1.0 - smoothstep(0.0, 0.05, abs(s.y - 0.02 - 0.25 * s.z) - 0.03);
  streak *= smoothstep(0.12, 0.5, s.z) * (1.0 - s.w);
  colour += sparkle * streak * (0.07 + outside * 0.5);
  float glint = max(0.0, 1.0 - length((vec2(s.y, s.z) - vec2(-0.45, 0.66)) * vec2(1.6, 7.0)));
  colour += sparkle * glint * glint * (0.35 + outside * 0.8);
  // Cracks.
  vec2 cell = q * 15.0 + seed * 3.0;
  float vein = abs(noise(cell) - 0.5) + 0.3 * abs(noise(cell * 2.3) - 0.5);
  float crack = (1.0 - smoothstep(0.02, 0.075, vein)) * smoothstep(0.0, 0.35, v_state.z - 0.6 * noise(q * 7.0 + 3.0));
  colour += sparkle * crack * (0.35 + 0.6 * v_state.z);
  colour += (v_tint * 0.25 + colour * 1.8) * v_state.x * v_state.x;
  return colour;
}

void main() {
  float grown = clamp(v_state.y, 0.0, 1.0);
  vec4 c = vec4(0.0, 0.0, 0.0, foot_shadow(vec2(0.0, -0.45), vec2(0.40, 0.13)) * (0.3 + 0.7 * grown));
  // Light that its glow throws on the ground around its foot.
  vec2 q = (v_p - vec2(0.0, -0.43)) / vec2(0.62, 0.24);
  float pool = max(0.0, 1.0 - dot(q, q));
  c.rgb += v_tint * pool * pool * (0.032 + 0.25 * v_state.x * v_state.x) * (0.35 + 0.65 * grown);
  float g = 0.16 + 0.84 * grown * (2.0 - grown);
  vec2 p = v_p;
  Shard seen = Shard(vec2(0.0, -0.45), 0.004, 0.95 * g, 0.145, 3.3);
  float covered = 0.0;
  float lit_part = 0.0;
  float most = 0.0;
  lay(Shard(vec2(-0.10, -0.40), -0.058, 0.50 * g, 0.085, 1.0), p, covered, lit_part, seen, most);
  lay(Shard(vec2(0.12, -0.41), 0.070, 0.58 * g, 0.095, 2.0), p, covered, lit_part, seen, most);
  lay(Shard(vec2(0.0, -0.45), 0.004, 0.95 * g, 0.145, 3.3), p, covered, lit_part, seen, most);
  lay(Shard(vec2(-0.165, -0.45), -0.105, 0.27 * g, 0.060, 4.0), p, covered, lit_part, seen, most);
  lay(Shard(vec2(0.13, -0.465), 0.085, 0.24 * g, 0.066, 5.2), p, covered, lit_part, seen, most);
  c.rgb *= 1.0 - covered;
  c.rgb += vec3(0.002, 0.002, 0.006) * (covered - lit_part) + painted(seen, p) * lit_part;
  c.a = 1.0 - (1.0 - c.a) * (1.0 - covered);
  o_colour = c;
}
