// A laser. Warning: a thin dashed line that runs ahead and grows clear. Burning: white core, saturated rim, dark outline;
// then it narrows and fades. Round at both ends.
in vec2 v_p;
flat in vec4 v_beam;
flat in vec2 v_time;
flat in vec3 v_tint;
layout(location = 0) out vec4 o_colour;

void main() {
  float px = v_beam.z;
  float beyond = max(max(-v_p.x, v_p.x - v_beam.x), 0.0);
  float away = length(vec2(beyond, v_p.y));  // from its middle line
  float stage = v_time.x;
  float warn = clamp(stage, 0.0, 1.0) * step(stage, 1.0);
  float burn = step(1.0, stage) * step(stage, 3.0);
  float left = clamp(3.0 - stage, 0.0, 1.0);
  float open = smoothstep(0.0, 0.18, stage - 1.0);

  // Warning.
  float dash = abs(fract((v_p.x - 46.0 * v_time.y) / 17.0) - 0.5) * 17.0 - 5.2;
  float thin = max(0.55, 0.6 * px);
  float line = clamp(0.5 - (away - thin) / px, 0.0, 1.0) * clamp(0.5 - dash / px, 0.0, 1.0);
  float under = clamp(0.5 - (away - thin - 1.0) / px, 0.0, 1.0) * clamp(0.5 - (dash - 1.0) / px, 0.0, 1.0);
  float clear = warn * warn * (3.0 - 2.0 * warn);
  vec4 c = vec4(v_tint * (line * 1.5), under * 0.55) * clear;
  c.rgb += v_tint * (0.045 * clear) * clamp(0.5 - (away - 0.5 * v_beam.y) / (px + 2.0), 0.0, 1.0);

  // Burning: the outline lies within the width, so that what is seen is what hits.
  float ripple = 1.0 + 0.035 * sin(v_p.x * 0.11 - v_time.y * 31.0) + 0.02 * sin(v_p.x * 0.031 + v_time.y * 17.0);
  float wide = 0.5 * v_beam.y * mix(0.16, 1.0, open) * (0.35 + 0.65 * left) * ripple;
  float outline = min(1.6, 0.25 * wide);
  float body = clamp(0.5 - (away - wide + outline) / px, 0.0, 1.0);
  float ink = clamp(0.5 - (away - wide) / px, 0.0, 1.0);
  float across = min(away / max(wide - outline, 0.01), 1.0);
  float core = 1.0 - smoothstep(0.34, 0.66, across);
  float halo = max(0.0, 1.0 - away / v_beam.w);
  vec3 rim = v_tint * (1.55 - 0.55 * across);
  vec3 colour = mix(rim, vec3(2.4, 2.35, 2.3), core);
  vec4 b = vec4(v_tint * (0.30 * halo * halo * open), 0.0);
  b = vec4(vec3(0.004, 0.002, 0.010), 1.0) * (ink * 0.92) + b * (1.0 - ink * 0.92);
  b = vec4(colour, 1.0) * body + b * (1.0 - body);
  o_colour = c + b * (burn * left * left * (3.0 - 2.0 * left));
}
