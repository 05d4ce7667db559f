// The picture before, darker: drawn over the next one by the larger of both, so that light leaves a trail.
// u_step: x how much of it stays.
uniform sampler2D u_source;
uniform vec4 u_step;
in vec2 v_uv;
layout(location = 0) out vec4 o_colour;

// Rounded down: else the darkest shades would never be gone.
void main() { o_colour = vec4(max(texture(u_source, v_uv).rgb * u_step.x - 0.5 / 255.0, 0.0), 0.0); }
