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
  float reach = 0.15 * smoothstep(1.06, 0.80, q.x) * smoothstep(0.30, 0.62, q.x);
  float line = smoothstep(0.62, 0.95, barb) * smoothstep(reach, reach * 0.4, q.y);
  return spine + 0.55 * line * step(0.001, reach);
}

void main() {
  float r = length(v_p);
  // Fold the plane onto half an arm: six arms, mirrored.
  vec2 q = abs(v_p);
  q -= 2.0 * max(0.0, dot(q, vec2(-0.5, 0.8660254))) * vec2(-0.5, 0.8660254);
  q.y = abs(q.y);
  // Ahead of the front > 0. Its edge runs from the point at 1.10 on the arm to 0.94 between two arms.
  float ahead = dot(q - vec2(1.10, 0.0), vec2(0.8360, 0.5488));
  float soft = v_ring.z * v_ring.z;
  float edge = exp(-ahead * ahead / (0.00016 + 1.2 * soft));
  float echo = exp(-(ahead + 0.085) * (ahead + 0.085) / (0.00010 + 1.2 * soft));
  float breath = ahead < 0.0 ? exp(ahead * 5.0) : exp(-ahead * 34.0);
  float behind = ahead < 0.0 ? exp(ahead * 2.2) : 0.0;
  float window = smoothstep(0.34, 0.60, r);
  float fade = v_ring.y;
  vec3 ice = mix(v_tint, vec3(1.0), 0.60);
  vec3 colour = ice * edge * 2.1 + mix(v_tint, vec3(1.0), 0.3) * echo * 0.40;
  colour += v_tint * breath * breath * 0.42;
  colour += ice * fern(q, 1.2 * soft) * behind * 0.62;
  o_colour = vec4(colour * window * fade * fade * (1.5 - 0.5 * fade), 0.0);
}
