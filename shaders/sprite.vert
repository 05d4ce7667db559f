#include "frame.glsl"
#include "figure_light.glsl"
// One figure (frame::SpriteInstance). u_step, in figure heights: xy half size of the quad, z height of its middle,
// w how far the figure's middle stands above its place (so that what flies at its place hits the body, and the foot
// is below).
layout(location = 0) in vec4 a_place;  // xy after the last step, zw before it
layout(location = 1) in vec2 a_size;   // x height in units, y angle in turns
layout(location = 2) in vec3 a_state;  // p0, p1, p2
layout(location = 3) in vec3 a_tint;
uniform vec4 u_step;
out vec2 v_p;              // place in the figure, in heights: x right, y up, the figure from -0.5 to 0.5
flat out vec3 v_state;
flat out vec3 v_tint;
flat out vec4 v_figure;    // x angle in turns, y one pixel in heights, zw world place of its middle

void main() {
  vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
  vec2 place = mix(a_place.zw, a_place.xy, u_camera.w);
  v_p = vec2(0.0, u_step.z) + corner * u_step.xy;
  v_state = a_state;
  v_tint = a_tint;
  v_figure = vec4(a_size.y, 1.0 / (a_size.x * u_camera.z), place - vec2(0.0, u_step.w * a_size.x));
  take_light(place);
  gl_Position = clip_of(place + vec2(v_p.x, -v_p.y - u_step.w) * a_size.x);
}
