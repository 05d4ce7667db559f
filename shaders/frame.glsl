// What every shader may know of this frame. World: units, x right, y down.
// std140, and in full precision, since vertex and fragment shaders share it.
layout(std140) uniform Frame {
  vec4 u_camera;  // xy world point in the middle of the picture; z pixels per unit; w time between the steps, 0 to 1
  vec4 u_view;    // xy half of what is visible, units; zw picture size, pixels
  vec4 u_clock;   // x seconds; y runes lit, 0 to 12; z finale, 0 to 1; w 1 if light has a direction, else 0
  vec4 u_vortex;  // xy place; z strength 0 to 1
  vec4 u_ground;  // what the baked ground covers: xy its upper left corner, zw 1 / its size
  vec4 u_vision[3];  // rows of the matrix that moves colours for the player's eyes
  vec4 u_garden;  // x 1 in the garden, 0 in the arena; of its pictures: y rows of texels, z texels a pixel
  vec4 u_small;   // xy how much of the small textures (light, bloom) the picture fills, from their upper left corner
};

vec3 seen_colour(vec3 c) {
  return max(vec3(0.0), vec3(dot(u_vision[0].rgb, c), dot(u_vision[1].rgb, c), dot(u_vision[2].rgb, c)));
}

vec4 clip_of(vec2 world) {
  vec2 p = (world - u_camera.xy) / u_view.xy;
  return vec4(p.x, -p.y, 0.0, 1.0);
}

// Texels of the small textures are whole squares of pixels. Where a side of the picture is no multiple of a square's, the
// last ones reach over its right and lower edge: so a place has other coordinates there than in the picture (0 to 1, y up).
vec2 small_of_screen(vec2 screen) { return vec2(screen.x * u_small.x, 1.0 - (1.0 - screen.y) * u_small.y); }

vec2 small_of(vec2 world) {
  vec2 p = (world - u_camera.xy) / u_view.xy;
  return small_of_screen(vec2(0.5 + 0.5 * p.x, 0.5 - 0.5 * p.y));
}

vec2 world_of_small(vec2 uv) { return u_camera.xy + (2.0 * vec2(uv.x, 1.0 - uv.y) / u_small.xy - 1.0) * u_view.xy; }
