#include "sprite.glsl"
// The mage: a hooded figure with a staff that points where she aims. p0 cast 0 to 1, p1 walk in turns, p2 hurt 0 to 1.
const float kHem = -0.47;

float cloak_lean(float y) {
  float low = clamp((0.2 - y) / 0.67, 0.0, 1.0);
  return 0.028 * low * low * sin(v_state.y * 6.2831853);
}

float cloak_width(float y) {
  float t = clamp((y - kHem) / 0.66, 0.0, 1.0);
  return mix(0.262, 0.112, t * (1.6 - 0.6 * t)) + 0.03 * v_state.x * (1.0 - t);
}

float body_distance(vec2 p, vec2 facing) {
  float hem = kHem + 0.012 * sin(p.x * 31.0 + v_state.y * 12.566) + 0.05 * p.x * p.x;
  float x = p.x - cloak_lean(p.y);
  float cloak = max((abs(x) - cloak_width(p.y)) * 0.93, max(hem - p.y, p.y - 0.2));
  float hood = length((p - vec2(0.012 * facing.x, 0.262)) * vec2(1.0, 0.93)) - 0.138;
  float tip = taper(p, vec2(0.0, 0.33), vec2(-0.085 * facing.x, 0.475 - 0.05 * abs(facing.x)), 0.085, 0.012);
  return blend_min(blend_min(cloak, hood, 0.09), tip, 0.05);
}

void main() {
  vec2 p = v_p;
  float turn = v_figure.x * 6.2831853;
  vec2 facing = vec2(cos(turn), sin(turn));  // y > 0 looks down, towards us
  float bob = 0.010 * abs(sin(v_state.y * 6.2831853));
  vec4 c = vec4(0.0, 0.0, 0.0, foot_shadow(vec2(0.02, -0.46), vec2(0.42, 0.13)));
  p.y -= bob;

  vec2 tip = vec2(0.357 * facing.x, 0.284 - 0.214 * facing.y);  // As sim/world.cpp has it.
  vec2 side = vec2(facing.y, 0.0) * -0.06;
  vec2 butt = vec2(0.13 * facing.x, -0.36 - 0.06 * facing.y) + side + vec2(0.10 * facing.y, 0.0);
  vec2 along = normalize(tip - butt);
  vec2 hand = mix(butt, tip, 0.52);

  // The staff with its claw, behind the cloak when she looks away.
  float staff = segment(p, butt, tip - along * 0.045) - 0.0115;
  vec2 q = vec2(dot(p - tip, vec2(along.y, -along.x)), dot(p - tip, along));
  float claw = max(abs(length(q) - 0.052) - 0.009, q.y - 0.022);
  staff = min(staff, claw);
  float to_tip = length(p - tip);
  float flame = 0.9 + 1.5 * v_state.x;
  vec3 glow = v_tint * flame;
  float staff_light = 0.055 / (0.03 + dot(p - tip, p - tip) * 3.4);
  vec3 wood = lit(vec3(0.34, 0.22, 0.13), vec3(-0.4, 0.3, 0.8)) + vec3(0.42, 0.26, 0.15) * glow * staff_light * 0.22;
  if (facing.y < 0.15) paint(c, wood, cover(staff));

  // Cloak and hood.
  float d = body_distance(p, facing);
  float e = 0.006;
  vec2 slope = vec2(body_distance(p + vec2(e, 0.0), facing) - d, body_distance(p + vec2(0.0, e), facing) - d) / e;
  float depth = clamp(-d / 0.13, 0.0, 1.0);
  float rise = sqrt(depth * (2.0 - depth));
  float width = cloak_width(p.y);
  float across = (p.x - cloak_lean(p.y)) / width;
  float low = smoothstep(0.12, -0.4, p.y);
  float fold = sin(across * 8.5 + 0.7 * sin(p.y * 9.0 + v_state.y * 6.28)) * low;
  vec3 n = normalize(vec3(slope * (1.0 - rise) + vec2(0.34 * fold, 0.0), 0.25 + rise));
  vec3 cloth = mix(vec3(0.155, 0.125, 0.265), vec3(0.105, 0.115, 0.235), smoothstep(0.1, -0.45, p.y));
  cloth *= 0.82 + 0.18 * fold;

  // The shoulder cape: lighter, with a thin gold seam and a shadow beneath.
  float cape = max(p.y - 0.22, (0.035 - p.y) - 0.10 * (1.0 - abs(across) * 0.8) - 0.02 * facing.y);
  cape = max(cape, -(p.y + 0.12));
  float under_cape = smoothstep(0.0, 0.07, cape) * 0.45 + 0.55;
  float seam = 1.0 - smoothstep(0.004, 0.004 + 1.5 * v_figure.y, abs(cape + 0.012));
  float hem_line = 1.0 - smoothstep(0.005, 0.005 + 1.5 * v_figure.y, abs(d + 0.022));
  hem_line *= smoothstep(-0.36, -0.43, p.y);
  cloth = cape < 0.0 ? cloth * 1.30 : cloth * under_cape;
  cloth = mix(cloth, vec3(0.62, 0.44, 0.20), max(seam * 0.9 * smoothstep(1.0, 0.8, abs(across)), hem_line * 0.75));

  vec2 to_light = tip - p;
  float wrap = clamp(0.30 + dot(n, normalize(vec3(to_light, 0.16))), 0.0, 1.3);
  vec3 colour = lit(cloth, n) + cloth * glow * staff_light * wrap * 0.80;
  float rim = pow(1.0 - depth, 3.0);
  colour += rim * (vec3(0.012, 0.016, 0.034) + 0.30 * v_light + glow * cloth * staff_light * 0.65 * wrap);
  colour = mix(colour, vec3(1.2, 0.25, 0.2), 0.55 * v_state.z);
  float edge = cover(d);
  // A thin line of ink around the figure keeps it readable before bright spells.
  paint(c, vec3(0.004, 0.003, 0.010), cover(d - 0.014) * 0.85);
  paint(c, colour, edge);

  // Darkness under the hood, with two points of light in it.
  float shown = smoothstep(-0.62, -0.15, facing.y);
  vec2 face = vec2(0.066 * facing.x, 0.240 - 0.012 * facing.y);
  vec2 opening = vec2(0.083 - 0.024 * abs(facing.x), 0.094);
  float hollow = (length((p - face) / opening) - 1.0) * 0.085;
  paint(c, vec3(0.0025, 0.002, 0.006) + glow * 0.006 * staff_light, cover(hollow) * shown);
  float lip = 1.0 - smoothstep(0.004, 0.004 + 1.6 * v_figure.y, abs(hollow - 0.006));
  paint(c, cloth * (glow * staff_light * 0.9 + v_light * 2.2), lip * shown * 0.8 * edge);
  vec2 eye = p - face - vec2(0.012 * facing.x, 0.004);
  eye.x = abs(eye.x) - 0.030 * (1.0 - 0.45 * abs(facing.x));
  float gaze = length(eye * vec2(1.0, 1.35));
  c.rgb += shown * (0.55 + 0.45 * v_state.x) * (v_tint * 0.8 + 0.35) *
           (1.5 * cover(gaze - 0.0105) + 0.16 * exp(-gaze * 60.0));

  // Hand and staff in front of the cloak when she looks at us.
  if (facing.y >= 0.15) paint(c, wood, cover(staff));
  paint(c, lit(cloth * 1.3, vec3(0.0, 0.3, 0.9)) + cloth * glow * staff_light * 0.8,
        cover(length((p - hand) * vec2(1.0, 1.15)) - 0.036));

  // The light itself: a small crystal, its halo, and a flare while casting.
  float gem = abs(q.x) * 1.5 + abs(q.y) - 0.040;
  c.rgb += (v_tint * 1.4 + 0.5) * flame * 1.5 * cover(gem);
  float window = max(0.0, 1.0 - to_tip * to_tip / 0.27);
  c.rgb += glow * window * window * (0.40 * exp(-to_tip * 15.0) + 0.07);
  float ray = max(0.0, 1.0 - abs(q.x) * 26.0) * max(0.0, 1.0 - abs(q.y) * 3.2) +
              max(0.0, 1.0 - abs(q.y) * 26.0) * max(0.0, 1.0 - abs(q.x) * 3.2);
  c.rgb += glow * ray * ray * 0.55 * v_state.x;
  o_colour = c;
}
