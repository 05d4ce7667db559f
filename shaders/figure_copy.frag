#include "sprite.glsl"
// A figure that was drawn before (src/render/kept_figures.hpp). p0, p1: from a pixel of the picture to its own in u_source.
uniform sampler2D u_source;

void main() { o_colour = texelFetch(u_source, ivec2(gl_FragCoord.xy) + ivec2(floor(v_state.xy + 0.5)), 0); }
