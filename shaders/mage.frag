#include "sprite.glsl"
// The mage: a hooded figure with a staff that points where she aims. p0 cast 0 to 1, p1 walk in turns, p2 hurt 0 to 1.
const float kHem = -0.47;

float cloak_lean(float y) {
  float low = clamp((0.1 - y) / 0.57, 0.0, 1.0);
  return 0.030 * low * low * sin(v_state.y * 6.2831853);
}

// Half width: shoulders, a slim waist, a hem that flares, more so while she casts.
float cloak_width(float y) {
  float t = clamp((y - kHem) / 0.62, 0.0, 1.0);
  float skirt = mix(0.255 + 0.035 * v_state.x, 0.128, sqrt(t) * (1.35 - 0.35 * t));
  float shoulders = 0.046 * exp(-pow((y - 0.055) * 8.5, 2.0));
  return (skirt + shoulders) * (1.0 - smoothstep(0.12, 0.24, y)) + 0.02;
}

float body_distance(vec2 p, vec2 facing) {
  float hem = kHem + 0.011 * sin(p.x * 33.0 + v_state.y * 12.566) + 0.30 * p.x * p.x;
  float x = p.x - cloak_lean(p.y);
  float cloak = max((abs(x) - cloak_width(p.y)) * 0.90, max(hem - p.y, p.y - 0.22));
  float hood = length((p - vec2(0.016 * facing.x, 0.262)) * vec2(1.0, 0.90)) - 0.142;
  float tip =
      taper(p, vec2(-0.01 * facing.x, 0.32), vec2(-0.115 * facing.x, 0.462 - 0.045 * abs(facing.x)), 0.092, 0.014);
  return blend_min(blend_min(cloak, hood, 0.07), tip, 0.06);
}

void main() {
  vec2 p = v_p;
  float turn = v_figure.x * 6.2831853;
  vec2 facing = vec2(cos(turn), sin(turn));  // y > 0 looks down, towards us
  float bob = 0.010 * abs(sin(v_state.y * 6.2831853));
  vec4 c = vec4(0.0, 0.0, 0.0, foot_shadow(vec2(0.02, -0.44), vec2(0.52, 0.20)));
  p.y -= bob;

  vec2 tip = vec2(0.357 * facing.x, 0.284 - 0.214 * facing.y);  // As Mage::staff_tip() has it, 0.18 lower.
  float aside = facing.x < 0.0 ? -1.0 : 1.0;
  vec2 butt = vec2(0.20 * facing.x + 0.05 * aside, -0.40 - 0.05 * facing.y);
  vec2 along = normalize(tip - butt);
  vec2 hand = mix(butt, tip, 0.56);
  vec2 shoulder = vec2(0.105 * aside * (0.4 + 0.6 * abs(facing.x)) + 0.02 * facing.x, 0.065);

  // Light of the staff.
  float to_tip = length(p - tip);
  float flame = 0.85 + 1.5 * v_state.x;
  vec3 glow = v_tint * flame;
  float staff_light = 0.060 / (0.030 + to_tip * to_tip * 3.2);

  // The staff: a gnarled rod with a claw that holds the light.
  vec2 q = vec2(dot(p - tip, vec2(along.y, -along.x)), dot(p - tip, along));
  float rod = segment(p, butt, tip - along * 0.05) - 0.0125;
  float claw = max(abs(length(q - vec2(0.0, -0.004)) - 0.050) - 0.0095, q.y - 0.020);
  float staff = min(rod, claw);
  vec3 wood = lit(vec3(0.30, 0.19, 0.11), vec3(-0.4, 0.3, 0.8)) + vec3(0.40, 0.25, 0.15) * glow * staff_light * 0.34;

  float sleeve = taper(p, shoulder, hand, 0.046, 0.060);
  bool away = facing.y < 0.12;  // Then arm and staff are beyond the body.

  // Cloak and hood: a surface that curves away at its edge, with folds that hang from the shoulders.
  float d = body_distance(p, facing);
  float e = 0.006;
  vec2 slope = vec2(body_distance(p + vec2(e, 0.0), facing) - d, body_distance(p + vec2(0.0, e), facing) - d) / e;
  float depth = clamp(-d / 0.125, 0.0, 1.0);
  float rise = sqrt(depth * (2.0 - depth));
  float across = (p.x - cloak_lean(p.y)) / cloak_width(p.y);
  float low = (1.0 - smoothstep(-0.38, 0.08, p.y));
  float fold = sin(across * 7.5 + 0.8 * sin(p.y * 8.0 + v_state.y * 6.28) + facing.x) * low;
  vec3 n = normalize(vec3(slope * (1.0 - rise) + vec2(0.42 * fold, 0.0), 0.22 + rise));
  vec3 cloth = mix(vec3(0.085, 0.062, 0.150), vec3(0.045, 0.048, 0.120), (1.0 - smoothstep(-0.45, 0.1, p.y)));
  cloth *= 0.75 + 0.25 * fold;

  // The shoulder cape ends in a point, with a gold seam; the cloak lies in its shadow.
  float cape = -0.055 - 0.085 * (1.0 - abs(across)) - 0.02 * facing.y - p.y;  // < 0 on the cape
  float seam = 1.0 - smoothstep(0.0045, 0.0045 + 1.5 * v_figure.y, abs(cape + 0.012));
  float hem_line = 1.0 - smoothstep(0.0045, 0.0045 + 1.5 * v_figure.y, abs(d + 0.022));
  hem_line *= (1.0 - smoothstep(-0.40, -0.30, p.y));
  cloth *= cape < 0.0 ? 1.45 : 0.55 + 0.45 * smoothstep(0.0, 0.09, cape);
  float gold = max(seam * (1.0 - smoothstep(0.82, 1.0, abs(across))), hem_line * 0.8);
  cloth = mix(cloth, vec3(0.46, 0.31, 0.12), gold * 0.9);

  float wrap = clamp(0.25 + dot(n, normalize(vec3(tip - p, 0.14))), 0.0, 1.25);
  float rim = pow(1.0 - depth, 2.5);
  vec3 colour = 2.6 * lit(cloth, n) + cloth * glow * staff_light * wrap * 1.25;
  colour += rim * (vec3(0.030, 0.038, 0.080) + 0.42 * v_light / (1.0 + v_light)) * (0.55 + 0.45 * n.y);
  colour += rim * glow * staff_light * wrap * wrap * 0.060;
  colour = mix(colour, vec3(1.2, 0.25, 0.2), 0.55 * v_state.z);

  vec3 arm_n = normalize(vec3((p - mix(shoulder, hand, 0.5)) * 5.0, 0.8));
  vec3 arm = vec3(0.092, 0.068, 0.160);
  vec3 arm_colour = 2.6 * lit(arm, arm_n) + arm * glow * staff_light * 1.05;
  float cuff = length(p - hand) - 0.056;
  arm_colour = mix(arm_colour, lit(vec3(0.40, 0.27, 0.11), arm_n) + vec3(0.40, 0.27, 0.11) * glow * staff_light * 0.8,
                   (1.0 - smoothstep(0.0045, 0.0045 + 1.5 * v_figure.y, abs(cuff + 0.006))) * 0.8);
  vec3 ink = vec3(0.0025, 0.0018, 0.0070);
  vec3 skin = lit(vec3(0.20, 0.14, 0.15), vec3(0.0, 0.3, 0.9)) + vec3(0.20, 0.13, 0.12) * glow * staff_light * 0.8;

  if (away) {
    paint(c, ink, cover(min(staff, sleeve) - 0.011) * 0.8);
    paint(c, wood, cover(staff));
    paint(c, arm_colour, cover(sleeve));
  }
  paint(c, ink, cover(d - 0.018) * 0.95);
  paint(c, colour, cover(d));

  // Darkness under the hood, with two points of light in it.
  float shown = smoothstep(-0.62, -0.15, facing.y);
  vec2 face = vec2(0.068 * facing.x, 0.238 - 0.014 * facing.y);
  vec2 opening = vec2(0.092 - 0.026 * abs(facing.x), 0.104);
  float hollow = (length((p - face) / opening) - 1.0) * 0.09;
  hollow = max(hollow, -(p.y - face.y + 0.085));
  float lip = 1.0 - smoothstep(0.003, 0.003 + 1.8 * v_figure.y, abs(hollow - 0.008));
  paint(c, colour * 1.7 + cloth * glow * staff_light * 0.5, lip * shown * 0.85 * cover(d));
  paint(c, ink * 0.8 + glow * 0.004 * staff_light, cover(hollow) * shown);
  vec2 eye = p - face - vec2(0.014 * facing.x, 0.006);
  eye.x = abs(eye.x) - 0.034 * (1.0 - 0.42 * abs(facing.x));
  float gaze = length(eye * vec2(1.0, 1.5));
  c.rgb += shown * (0.6 + 0.5 * v_state.x) * (v_tint * 0.75 + 0.22) *
           (1.7 * cover(gaze - 0.0115) + 0.20 * exp(-gaze * 55.0));

  if (!away) {
    paint(c, ink, cover(min(staff, sleeve) - 0.011) * 0.8);
    paint(c, arm_colour, cover(sleeve));
    paint(c, wood, cover(staff));
  }
  paint(c, skin, cover(length((p - hand) * vec2(1.0, 1.1)) - 0.028));

  // The light itself: a small crystal, its halo, and a four-armed flare while casting.
  float gem = abs(q.x) * 1.5 + abs(q.y) - 0.042;
  c.rgb += (v_tint * 1.6 + 0.35) * flame * 1.4 * cover(gem);
  float window = max(0.0, 1.0 - to_tip * to_tip / 0.25);
  c.rgb += glow * window * window * (0.46 * exp(-to_tip * 15.0) + 0.05);
  vec2 s = abs(p - tip);
  float ray =
      max(0.0, 1.0 - s.x * 30.0) * max(0.0, 1.0 - s.y * 3.4) + max(0.0, 1.0 - s.y * 30.0) * max(0.0, 1.0 - s.x * 3.4);
  c.rgb += glow * ray * ray * (0.05 + 0.5 * v_state.x);
  o_colour = c;
}
