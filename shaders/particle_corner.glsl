// Where in its particle a fragment is: -1 to 1 both ways, y down; the same for points and quads.
flat in vec4 v_colour;
flat in vec3 v_axis;
layout(location = 0) out vec4 o_colour;
#ifdef QUAD
in vec2 v_corner;
vec2 corner() { return v_corner; }
#else
vec2 corner() { return gl_PointCoord * 2.0 - 1.0; }
#endif
