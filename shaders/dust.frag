// A soft dot; the larger it is, the smaller its core.
flat in vec3 v_colour;
layout(location = 0) out vec4 o_colour;

void main() {
  vec2 p = gl_PointCoord * 2.0 - 1.0;
  float soft = max(0.0, 1.0 - dot(p, p));
  o_colour = vec4(v_colour * (soft * soft), 0.0);
}
