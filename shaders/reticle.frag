#include "sprite.glsl"
#include "frame.glsl"
// Where the player aims: a thin ring, four ticks, and an arc that closes as the spell gets ready. Around it, while the
// button is held, a second arc that fills with the charge and pulses once full. p0 cooldown 0 to 1, p1 charge 0 to 1,
// p2 1 while full.
void main() {
  vec2 p = v_p;
  float r = length(p);
  float px = v_figure.y;
  float half_line = max(0.018, 0.75 * px);
  float ring = cover(abs(r - 0.36) - half_line);
  float ready = 1.0 - clamp(v_state.x, 0.0, 1.0);
  float turn = fract(atan(p.x, p.y) / 6.2831853);
  float arc = clamp((ready - turn) / 0.01, 0.0, 1.0);
  if (ready >= 1.0) arc = 1.0;
  vec2 q = abs(p);
  float tick = max(min(q.x, q.y) - half_line, abs(max(q.x, q.y) - 0.46) - 0.045);
  float dot_middle = cover(r - max(0.035, px));
  float shine = ring * mix(0.16, 0.85, arc) + cover(tick) * 0.85 * (0.4 + 0.6 * ready) + dot_middle * 0.9;
  vec3 light = mix(v_tint, vec3(1.0), 0.35);
  // The charge.
  float charge = clamp(v_state.y, 0.0, 1.0);
  float full = clamp(v_state.z, 0.0, 1.0);
  vec3 charging = vec3(0.0);
  float under = 0.0;
  if (charge > 0.0 && r > 0.40) {
    float appear = smoothstep(0.0, 0.08, charge);
    float wide = max(0.030, 1.1 * px);
    float along = charge >= 1.0 ? 1.0 : clamp((charge - turn) / 0.008, 0.0, 1.0);
    float band = cover(abs(r - 0.565) - wide);
    vec2 head = 0.565 * vec2(sin(charge * 6.2831853), cos(charge * 6.2831853));
    float bead = length(p - head);
    float beat = fract(u_clock.x * 1.6);
    float pulse = 0.5 + 0.5 * cos(beat * 6.2831853);
    float wave = cover(abs(r - 0.565 - 0.19 * beat) - max(0.012, 0.6 * px)) * (1.0 - beat) * (1.0 - beat) * full;
    float glow = max(0.0, 1.0 - abs(r - 0.565) / 0.19);
    charging = light * band * mix(0.13, 0.85 + 0.75 * full * pulse, along);
    charging += light * (cover(bead - 0.052) * 1.1 + 0.35 * exp(-bead * bead * 160.0)) * (1.0 - full);
    charging += v_tint * (glow * glow * (0.16 * charge * along + 0.34 * full * (0.4 + 0.6 * pulse)));
    charging += light * wave * 0.8;
    charging *= appear;
    under = appear * max(cover(abs(r - 0.565) - wide - 0.03) * 0.30, band * along * 0.5);
  }
  float shadow = cover(abs(r - 0.36) - half_line - 0.03) * 0.30;
  o_colour = vec4(light * min(shine, 1.0) * 0.85 + charging, max(max(shadow, min(shine, 1.0) * 0.5), under));
}
