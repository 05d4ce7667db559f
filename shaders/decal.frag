// A mark on the floor: what it covers of the stone is dark, and its embers glow while it is fresh.
uniform sampler2D u_decals;
in vec2 v_uv;
flat in vec4 v_glow;
layout(location = 0) out vec4 o_colour;

void main() {
  vec2 mark = texture(u_decals, v_uv).rg;
  o_colour = vec4(v_glow.rgb * mark.g, mark.r) * v_glow.w;
}
