#include "sprite.glsl"
#include "noise.glsl"
// A training dummy of straw and rope. p0 hit flash 0 to 1, p1 sway -1 to 1, p2 frost cover 0 to 1.
void main() {
  vec4 c = vec4(0.0, 0.0, 0.0, foot_shadow(vec2(0.02, -0.46), vec2(0.34, 0.11)));
  // It sways about its foot.
  vec2 p = v_p - vec2(0.0, -0.5);
  float bend = 0.055 * v_state.y;
  p = rotated(p, -bend * 0.5 * clamp(p.y * 2.0, 0.0, 1.0)) + vec2(0.0, -0.5);
  float id = hash1(floor(v_figure.zw * 0.01) + 3.0);

  // Post and stones at its foot.
  float post = taper(p, vec2(0.0, -0.47), vec2(0.0, 0.1), 0.030, 0.026);
  float bark = noise(vec2(p.x * 60.0, p.y * 9.0));
  vec3 n = vec3(clamp(p.x / 0.03, -1.0, 1.0), 0.1, 0.5);
  paint(c, vec3(0.003, 0.002, 0.005), cover(post - 0.014) * 0.8);
  paint(c, lit(vec3(0.24, 0.16, 0.10) * (0.6 + 0.7 * bark), normalize(n)), cover(post));

  // Arms: a beam wrapped in straw that frays at its ends.
  vec2 a = rotated(p - vec2(0.0, 0.085), 0.012 * v_state.y);
  float fray = noise(vec2(a.y * 95.0 + 7.0 * id, sign(a.x) * 3.0));
  float arm_end = abs(a.x) - (0.30 + 0.055 * fray);
  float arm_width =
      0.044 + 0.022 * smoothstep(0.22, 0.34, abs(a.x)) - 0.012 * exp(-pow((abs(a.x) - 0.235) * 34.0, 2.0));
  float arms = max(abs(a.y) - arm_width, arm_end);
  float strand = noise(vec2(a.x * 9.0, a.y * 120.0 + id * 31.0));
  vec3 straw = mix(vec3(0.17, 0.105, 0.040), vec3(0.52, 0.36, 0.135), strand);
  paint(c, vec3(0.003, 0.002, 0.005), cover(arms - 0.014) * 0.8);
  vec3 arm_n = normalize(vec3(0.25 * (strand - 0.5), a.y / arm_width, 0.55));
  vec3 arm_colour = straw;
  float wrap_arm = cover(abs(abs(a.x) - 0.235) - 0.017);
  float twist = 0.5 + 0.5 * sin((a.y + abs(a.x)) * 190.0);
  arm_colour = mix(arm_colour, vec3(0.50, 0.42, 0.30) * (0.45 + 0.55 * twist), wrap_arm);
  paint(c, lit(arm_colour, arm_n), cover(arms));

  // Body: a sheaf bound at chest and waist, its skirt frayed.
  float y = p.y + 0.13;
  float t = clamp((y + 0.24) / 0.48, 0.0, 1.0);
  float width = 0.150 + 0.030 * (1.0 - t) - 0.040 * exp(-pow((y + 0.085) * 15.0, 2.0)) -
                0.030 * exp(-pow((y - 0.12) * 17.0, 2.0)) + 0.02 * t;
  float across = p.x / width;
  float skirt = 0.055 * noise(vec2(p.x * 75.0, id * 9.0)) + 0.03 * p.x * p.x;
  float body = max(abs(p.x) - width, max(-(y + 0.25) + skirt, y - 0.245));
  strand = noise(vec2(p.x * 105.0 + 2.0 * sin(y * 11.0), y * 6.0 + id * 13.0));
  straw = mix(vec3(0.15, 0.09, 0.034), vec3(0.54, 0.37, 0.14), strand);
  straw *= 0.75 + 0.35 * t;
  float round_off = sqrt(max(0.0, 1.0 - across * across));
  n = normalize(vec3(across + 0.5 * (strand - 0.5), 0.12, 0.25 + round_off));
  paint(c, vec3(0.003, 0.002, 0.005), cover(body - 0.014) * 0.85);
  float curve = y + 0.022 * across * across;
  float rope = min(abs(curve + 0.085), abs(curve - 0.125)) - 0.019;
  float coil = min(abs(abs(curve + 0.085) - 0.0085), abs(abs(curve - 0.125) - 0.0085));
  float strands = 0.5 + 0.5 * sin(p.x * 150.0 + curve * 210.0);
  vec3 hemp = vec3(0.55, 0.46, 0.33) * (0.42 + 0.5 * strands) * (1.0 - smoothstep(0.003, 0.010, coil));
  hemp += vec3(0.05, 0.04, 0.03);
  float shade = (1.0 - smoothstep(0.0, 0.045, rope)) * (1.0 - cover(rope)) * step(0.0, rope);
  vec3 sheaf = mix(straw * (1.0 - 0.5 * shade), hemp, cover(rope));
  paint(c, lit(sheaf, n), cover(body));

  // Head: a stuffed sack, tied at the neck, with two stitched eyes.
  vec2 h = p - vec2(0.0, 0.325);
  h = rotated(h, 0.02 * v_state.y + 0.012 * (id - 0.5));
  float head = length(h * vec2(1.0, 0.93) + vec2(0.0, 0.012 * sin(h.x * 30.0))) - 0.128;
  float tuft = max(max(abs(h.x) - 0.035 - 0.35 * max(0.0, h.y - 0.13), 0.10 - h.y),
                   h.y - 0.150 - 0.032 * noise(vec2(h.x * 90.0, 4.0 + id)));
  float neck = max(abs(h.x) - 0.075 - 0.25 * max(0.0, -h.y - 0.13), abs(h.y + 0.135) - 0.035);
  paint(c, vec3(0.003, 0.002, 0.005), cover(min(min(head, tuft), neck) - 0.014) * 0.85);
  paint(c, lit(straw * 0.85, normalize(vec3(h.x * 6.0, 0.4, 0.6))), cover(min(tuft, neck)));
  float weave = 0.84 + 0.10 * sin(h.x * 260.0) * sin(h.y * 260.0) + 0.16 * (noise(h * 26.0 + id * 7.0) - 0.5);
  float crown = clamp(-head / 0.12, 0.0, 1.0);
  n = normalize(vec3(h / 0.13 * (1.0 - 0.5 * crown), 0.3 + crown));
  vec3 sack = vec3(0.38, 0.28, 0.165) * weave;
  vec2 eye = vec2(abs(h.x) - 0.047, h.y - 0.008);
  float cross_stitch =
      min(segment(eye, vec2(-0.021), vec2(0.021)), segment(eye, vec2(-0.021, 0.021), vec2(0.021, -0.021)));
  float mouth = segment(h, vec2(-0.042, -0.052), vec2(0.042, -0.052));
  mouth = min(mouth, min(abs(h.x) + max(0.0, abs(h.y + 0.052) - 0.013),
                         segment(vec2(abs(h.x) - 0.026, h.y + 0.052), vec2(0.0, -0.012), vec2(0.0, 0.012))));
  float thread = min(cross_stitch, mouth) - 0.0058;
  sack = mix(sack, vec3(0.035, 0.022, 0.02), cover(thread));
  paint(c, lit(sack, n), cover(head));
  float band = max(abs(h.y + 0.112 - 0.12 * h.x * h.x) - 0.017, abs(h.x) - 0.088);
  paint(c,
        lit(vec3(0.55, 0.46, 0.33) * (0.45 + 0.5 * (0.5 + 0.5 * sin(h.x * 170.0 + h.y * 150.0))),
            vec3(h.x * 7.0, 0.1, 0.7)),
        cover(band));

  // Frost creeps over it from above, smooth drifts first; a hit makes it flash.
  float solid = c.a * step(0.80, c.a);
  float drift = noise(p * 7.0 + id * 5.0) * 0.7 + noise(p * 15.0 + 2.0) * 0.3;
  float reach = v_state.z * 1.5 - drift * 0.8 - 0.35 * (0.5 - p.y) * (1.0 - v_state.z);
  float ice = smoothstep(0.0, 0.10, reach);
  float border = ice * (1.0 - smoothstep(0.04, 0.26, reach));
  float detail = dot(c.rgb, vec3(0.4, 0.5, 0.1)) / (dot(v_light, vec3(0.4, 0.5, 0.1)) + 0.02);
  vec3 sky = 2.2 * v_light / (1.0 + v_light) + vec3(0.012, 0.024, 0.046);
  vec3 frozen = sky * (vec3(0.22, 0.42, 0.62) + vec3(0.42, 0.66, 0.80) * min(detail, 1.6));
  frozen += vec3(0.20, 0.34, 0.44) * border * (0.25 + v_light);
  c.rgb = mix(c.rgb, frozen, ice * 0.88 * solid);
  float twinkle = hash1(floor(p * 46.0) + id * 7.0);
  vec2 cell = fract(p * 46.0) - 0.5;
  c.rgb += vec3(0.55, 0.80, 1.0) * ice * solid * step(0.955, twinkle) * (1.0 - smoothstep(0.05, 0.30, length(cell))) *
           (0.25 + 1.2 * sky);
  c.rgb += (vec3(1.0, 0.72, 0.42) * 0.10 + c.rgb * 4.5) * v_state.x * v_state.x * solid;
  o_colour = c;
}
