// A front of straight icy edges that runs ahead in six points, and six feathered arms of frost behind it.
in vec2 v_p;
flat in vec4 v_ring;
flat in vec3 v_tint;
layout(location = 0) out vec4 o_colour;

// Lines of frost on one arm: x along it, y away from it, in ring radii.
float fern(vec2 q, float soft) {
  float spine = exp(-q.y * q.y / (0.00012 + soft));
  float barb_at = (q.x - 0.577 * q.y) * 15.0;
  float barb = abs(fract(barb_at) - 0.5) * 2.0;
  float reach = 0.15 * (1.0 - smoothstep(0.80, 1.06, q.x)) * smoothstep(0.30, 0.62, q.x);
  float line = smoothstep(0.62, 0.95, barb) * (1.0 - smoothstep(reach * 0.4, reach + 0.0001, q.y));
  return spine + 0.55 * line * step(0.001, reach);
}

void main() {
  float r = length(v_p);
  // Fold the plane onto half an arm: six arms, mirrored.
  vec2 q = abs(v_p);
  q -= 2.0 * max(0.0, dot(q, vec2(-0.5, 0.8660254))) * vec2(-0.5, 0.8660254);
  q.y = abs(q.y);
  // Ahead of the front > 0: a chevron on each arm, its point at 1.10; it pales away from the arm.
  float ahead = dot(q - vec2(1.10, 0.0), vec2(0.7660, 0.6428));
  float near_arm = exp(-q.y * 7.5);
  float soft = v_ring.z * v_ring.z;
  float edge = exp(-ahead * ahead / (0.00010 + soft)) * (near_arm * 1.35 + 0.06);
  float echo = exp(-(ahead + 0.060) * (ahead + 0.060) / (0.00006 + soft)) * near_arm * near_arm;
  float shift = r - 0.965;
  float circle = exp(-shift * shift / (0.00007 + soft));
  float breath = shift < 0.0 ? exp(shift * 7.0) : exp(-shift * 40.0);
  float behind = ahead < 0.0 ? exp(ahead * 2.0) : 0.0;
  float window = smoothstep(0.34, 0.60, r);
  float fade = v_ring.y;
  vec3 ice = mix(v_tint, vec3(1.0), 0.28);
  vec3 colour = ice * (edge * 2.2 + echo * 0.55 + circle * (0.26 + 0.5 * near_arm));
  colour += v_tint * breath * breath * 0.20;
  colour += ice * fern(q, soft) * behind * 0.55;
  o_colour = vec4(colour * window * fade * fade * (1.5 - 0.5 * fade), 0.0);
}
