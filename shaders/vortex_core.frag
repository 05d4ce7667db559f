// A dark eye with a thin bright lip; arms of light wind into it, magenta to blue.
in vec2 v_p;
flat in vec4 v_eye;
flat in vec3 v_tint;
layout(location = 0) out vec4 o_colour;

void main() {
  float r2 = dot(v_p, v_p);
  float r = sqrt(r2);
  float open = v_eye.y;
  vec2 d = v_p / max(r, 0.001);
  // Wind the arms up: turn by the logarithm of the radius, then three-fold from the direction alone.
  float turn = v_eye.x + 2.6 * log(max(r, 0.05));
  vec2 w = vec2(cos(turn) * d.x - sin(turn) * d.y, sin(turn) * d.x + cos(turn) * d.y);
  float c3 = w.x * (4.0 * w.x * w.x - 3.0);
  float c2 = w.x * w.x - w.y * w.y;
  float arm = 0.5 + 0.5 * c3;
  arm *= arm;
  float fine = 0.5 + 0.5 * (c3 * c2 - 0.4 * w.y);
  float window = max(0.0, 1.0 - r2 * 0.25);
  window *= window;
  float eye = 0.40 * open;
  float px = v_eye.z;
  float dark = 1.0 - smoothstep(eye - 0.08 - px, eye + 0.10 + px, r);
  float lip = exp(-pow((r - eye - 0.10) * 12.0, 2.0));
  float outside = smoothstep(eye - 0.02, eye + 0.32, r);
  vec3 magenta = vec3(1.0, 0.16, 0.72);
  vec3 blue = vec3(0.16, 0.30, 1.0);
  vec3 hue = mix(mix(v_tint, magenta, 0.5), blue, clamp(r * 0.62 - 0.10, 0.0, 1.0));
  vec3 colour = hue * (arm * arm * 1.05 + fine * fine * 0.22 + 0.10) * window * outside;
  colour += mix(magenta, vec3(1.0, 0.85, 1.0), 0.55) * lip * (0.55 + 1.1 * arm);
  o_colour = vec4(colour * open, max(dark * 0.96, 0.35 * window * window) * open);
}
