// The light that falls on a figure, for vertex shaders. With LIGHT_IN_ATTRIBUTES it comes with the figure
// (render/figure_images.hpp, FigureLight): a shader that samples no texture compiles in less time.
flat out vec3 v_light;    // its colour
flat out vec2 v_towards;  // where most of it comes from, length 0 to 1, y up
#ifdef LIGHT_IN_ATTRIBUTES
layout(location = 4) in vec3 a_light;
layout(location = 5) in vec2 a_towards;
void take_light(vec2 place) {
  v_light = a_light;
  v_towards = a_towards;
}
#else
uniform sampler2D u_light;
uniform sampler2D u_bloom;
void take_light(vec2 place) {
  vec2 at = small_of(place);
  vec4 light = textureLod(u_light, at, 0.0);
  float bright = dot(light.rgb, vec3(0.30, 0.55, 0.15)) + 0.0005;
  v_light = light.rgb;
  v_towards = vec2(light.a, -textureLod(u_bloom, at, 0.0).a) * (u_clock.w / bright);
}
#endif
