#include "sprite.glsl"
#include "paper.glsl"
// What can be hit of the ship, shown in focus: a white dot with a dark outline, a seventh of the figure wide, and two thin
// arcs that turn around it. p0 there 0 to 1, p1 their turn in turns.
void main() {
  float there = eased(v_state.x);
  float px = v_figure.y;
  float r = length(v_p);
  vec2 q = rotated(v_p, v_state.y);
  // The arcs close in as they appear.
  float out_at = 0.40 + 0.10 * (1.0 - there);
  float half_line = max(0.016, 0.6 * px);
  float gap = out_at * 0.62 - abs(q.y);  // above and below the arcs are open
  float arc = max(abs(r - out_at) - half_line, -gap);
  float round_dot = r - 0.0714;
  vec4 c = vec4(0.0);
  paint(c, kInk, cover(arc - max(0.030, px)) * 0.75);
  paint(c, mix(v_tint, vec3(1.0), 0.25) * 1.25, cover(arc) * 0.95);
  paint(c, kInk, cover(round_dot - max(0.050, 1.6 * px)));
  paint(c, vec3(4.5), cover(round_dot));
  o_colour = c * there;
}
