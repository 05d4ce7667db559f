// Shared by the figure shaders: the outputs of sprite.vert and some shapes. Distances are in figure heights.
in vec2 v_p;
flat in vec3 v_state;
flat in vec3 v_tint;
flat in vec3 v_light;
flat in vec2 v_towards;
flat in vec4 v_figure;
layout(location = 0) out vec4 o_colour;

float cover(float d) { return clamp(0.5 - d / v_figure.y, 0.0, 1.0); }

// Puts a colour with this much cover over what is there; both premultiplied.
void paint(inout vec4 under, vec3 colour, float amount) {
  under = vec4(colour * amount, amount) + under * (1.0 - amount);
}

float segment(vec2 p, vec2 a, vec2 b) {
  vec2 ab = b - a;
  vec2 ap = p - a;
  return length(ap - ab * clamp(dot(ap, ab) / dot(ab, ab), 0.0, 1.0));
}

// A segment that tapers from radius ra at a to rb at b.
float taper(vec2 p, vec2 a, vec2 b, float ra, float rb) {
  vec2 ab = b - a;
  vec2 ap = p - a;
  float t = clamp(dot(ap, ab) / dot(ab, ab), 0.0, 1.0);
  return length(ap - ab * t) - mix(ra, rb, t);
}

float blend_min(float a, float b, float k) {
  float h = max(k - abs(a - b), 0.0) / k;
  return min(a, b) - h * h * k * 0.25;
}

vec2 rotated(vec2 p, float turns) {
  float c = cos(turns * 6.2831853);
  float s = sin(turns * 6.2831853);
  return vec2(c * p.x - s * p.y, s * p.x + c * p.y);
}

// The soft shadow under a figure: an ellipse at its feet.
float foot_shadow(vec2 middle, vec2 radii) {
  vec2 q = (v_p - middle) / radii;
  float d2 = dot(q, q);
  float f = max(0.0, 1.0 - d2);
  return f * f * 0.72;
}

// Light on a surface with normal n (z towards the eye, y up): from the spells around, and a little from all sides.
vec3 lit(vec3 albedo, vec3 n) {
  float facing = max(0.0, 0.42 + 0.95 * dot(n, vec3(v_towards, 0.35)));
  return albedo * facing * (5.2 * v_light / (1.0 + 1.1 * v_light));
}
