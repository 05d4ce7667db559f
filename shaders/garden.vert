#include "frame.glsl"
// Baking a piece of the garden (u_step.x, 0 to 7): v_world the place of each texel, and what stands in that piece.
// Here, and not in garden_height.frag, since four vertices look it up sooner than a million texels.
uniform vec4 u_step;
out vec2 v_world;
flat out vec4 v_islands[2];
flat out vec4 v_rocks[3];

const vec4 kNone = vec4(0.0);

// Islands and ponds, two a variant: x, y, radius; w 0 none, 1 moss, 2 pond. The ponds are sim::kPonds too.
const vec4 kIslands[16] = vec4[16](
    vec4(-168.0, 122.0, 46.0, 1.0), vec4(214.0, 78.0, 24.0, 1.0),
    vec4(120.0, 128.0, 68.0, 1.0), kNone,
    vec4(-96.0, 118.0, 80.0, 2.0), vec4(186.0, 168.0, 30.0, 1.0),
    vec4(-206.0, 150.0, 42.0, 1.0), vec4(60.0, 76.0, 22.0, 1.0),
    vec4(20.0, 116.0, 30.0, 1.0), kNone,
    vec4(150.0, 124.0, 74.0, 2.0), vec4(-150.0, 84.0, 34.0, 1.0),
    vec4(-60.0, 86.0, 36.0, 1.0), vec4(176.0, 150.0, 44.0, 1.0),
    kNone, kNone);

// Rocks, three a variant: x, y, radius, height.
const vec4 kRocks[24] = vec4[24](
    vec4(-176.0, 116.0, 20.0, 15.0), vec4(-146.0, 134.0, 11.0, 8.0), kNone,
    vec4(104.0, 112.0, 24.0, 18.0), vec4(140.0, 132.0, 16.0, 11.0), vec4(112.0, 158.0, 10.0, 7.0),
    vec4(-26.0, 152.0, 15.0, 11.0), vec4(-40.0, 172.0, 10.0, 7.0), vec4(186.0, 166.0, 13.0, 10.0),
    vec4(-214.0, 146.0, 19.0, 13.0), vec4(62.0, 75.0, 12.0, 9.0), kNone,
    vec4(18.0, 114.0, 21.0, 20.0), vec4(-212.0, 70.0, 14.0, 9.0), kNone,
    vec4(82.0, 164.0, 15.0, 10.0), vec4(-154.0, 80.0, 15.0, 12.0), vec4(-136.0, 98.0, 9.0, 6.0),
    vec4(-64.0, 82.0, 16.0, 13.0), vec4(184.0, 144.0, 18.0, 14.0), vec4(156.0, 164.0, 9.0, 6.0),
    vec4(-120.0, 128.0, 10.0, 7.0), kNone, kNone);

void main() {
  int variant = int(u_step.x + 0.5);
  for (int i = 0; i < 2; ++i) v_islands[i] = kIslands[variant * 2 + i];
  for (int i = 0; i < 3; ++i) v_rocks[i] = kRocks[variant * 3 + i];
  vec2 uv = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
  v_world = u_ground.xy + uv / u_ground.zw;
  gl_Position = vec4(uv * 2.0 - 1.0, 0.0, 1.0);
}
