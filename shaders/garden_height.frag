#include "noise.glsl"
// Baked once per window size and variant (u_step.x, 0 to 7). A piece of a garden at night from above, 240 units high:
// raked gravel that flows round moss and rocks, stepping stones, a pond; to both sides of the field, beyond a rail of
// bamboo, moss and bushes.
// Out: x height in units, y reflectance, z tint (0.5 none, less green, more rose).
//
// Any piece fits above and below any other. What covers all is noise on a grid that 240 is a multiple of, and where its
// first and last row of corners meet, every variant has the same numbers there; its slope is 0 on that line. All other
// things keep away from the upper and lower edge.
uniform vec4 u_step;
in vec2 v_world;
flat in vec4 v_islands[2];  // As garden.vert has them: x, y, radius, w 0 none, 1 moss, 2 pond …
flat in vec4 v_rocks[3];    // … and x, y, radius, height.
layout(location = 0) out vec4 o_ground;

const float kTall = 240.0;
const float kRake = 8.0;   // Units from ridge to ridge.
const float kRings = 40.0; // How far the rake goes round things.

// Value noise on cells of 240 / rows units: seamless from piece to piece, of its own within.
float seam_noise(vec2 p, float rows, float seed) {
  vec2 q = p * (rows / kTall);
  vec2 i = floor(q);
  vec2 f = q - i;
  f = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
  float above = mod(i.y, rows);
  float below = mod(i.y + 1.0, rows);
  float salt = seed * 7.31;
  float a = above + (above == 0.0 ? 0.0 : 311.0 + 37.0 * u_step.x) + salt;
  float b = below + (below == 0.0 ? 0.0 : 311.0 + 37.0 * u_step.x) + salt;
  return mix(mix(hash1(vec2(i.x + salt, a)), hash1(vec2(i.x + 1.0 + salt, a)), f.x),
             mix(hash1(vec2(i.x + salt, b)), hash1(vec2(i.x + 1.0 + salt, b)), f.x), f.y);
}

float ridge(float phase) {
  float wave = 0.5 + 0.5 * cos(6.2831853 * phase);
  return wave * (1.6 - 0.6 * wave);
}

// Petals that have fallen, here and there more of them: height, reflectance, how much is petal.
vec3 petals(vec2 p, float dense) {
  vec2 cell = floor(p / 20.0);
  vec2 salt = vec2(0.0, 61.0 * u_step.x);
  vec2 own = hash2(cell + salt + 5.0);
  if (own.x > dense + 0.30 || own.x > dense + 0.30 * smoothstep(0.55, 0.85, seam_noise(p, 4.0, 17.0))) return vec3(0.0);
  vec2 middle = (cell + 0.2 + 0.6 * hash2(cell + salt + 19.0)) * 20.0;
  float turn = 6.2831853 * own.y;
  vec2 d = p - middle;
  vec2 q = vec2(cos(turn) * d.x + sin(turn) * d.y, cos(turn) * d.y - sin(turn) * d.x);
  float size = 2.0 + 1.1 * fract(own.y * 7.0);
  float r = length(q / vec2(size, 0.62 * size));
  float there = 1.0 - smoothstep(0.75, 1.05, r);
  return vec3(0.7 * there * (1.0 - 0.4 * r), 0.55 + 0.25 * fract(own.y * 13.0), there);
}

void main() {
  int variant = int(u_step.x + 0.5);
  vec2 p = v_world;
  float side = abs(p.x);
  float far_edge = clamp(min(p.y, kTall - p.y), 0.0, kTall);  // To the upper or lower edge.
  float grain = seam_noise(p, 200.0, 1.0) * 0.6 + seam_noise(p, 480.0, 2.0) * 0.4;
  float mottle = seam_noise(p, 8.0, 4.0) * 0.6 + seam_noise(p, 20.0, 5.0) * 0.4;
  float height;
  float shine;
  float tint = 0.5;

  if (side > 303.0) {  // Beside the field.
    float leaves = seam_noise(p, 60.0, 6.0);
    float tufts = seam_noise(p, 120.0, 7.0);
    height = 1.2 * mottle + 0.9 * leaves + 0.5 * tufts;
    shine = 0.16 + 0.16 * mottle * leaves + 0.06 * grain;
    tint = 0.34;
    // Round bushes, one in some of the cells of 80 units: over the cells' sides, never over an upper or lower edge.
    float column = floor(p.x / 80.0);
    float row = floor(p.y / 80.0);
    for (float beside = -1.0; beside <= 1.0; beside += 1.0) {
      vec2 cell = vec2(column + beside, row);
      vec2 own = hash2(cell + vec2(3.0, 17.0 * u_step.x));
      float radius = 13.0 + 23.0 * own.y * own.y;
      vec2 free = hash2(cell + vec2(41.0, 29.0 * u_step.x)) - 0.5;
      vec2 middle = (cell + 0.5) * 80.0 + free * vec2(70.0, 74.0 - 2.0 * radius);
      if (own.x > 0.72 || abs(middle.x) < 312.0 + radius) continue;
      float d = length(p - middle) + (leaves - 0.5) * 5.0 + (mottle - 0.5) * 6.0;
      shine *= 1.0 - 0.6 * (1.0 - smoothstep(radius - 2.0, radius + 9.0, d));
      float dome = sqrt(max(0.0, 1.0 - d * d / (radius * radius)));
      if (dome > 0.0) {
        height += dome * (0.3 * radius + 2.2 * leaves + 1.6 * tufts);
        shine = (0.14 + 0.20 * leaves) * (0.35 + 0.65 * dome);
        tint = 0.26;
      }
    }
  } else {
    // The flow of the rake, and the nearest thing that it goes round.
    // It bends less than a row in a row's width, or rows would meet themselves.
    float flow = p.y / kRake + 5.6 * (seam_noise(p * vec2(1.7, 1.0), 2.0, 3.0) - 0.5) +
                 0.9 * (seam_noise(p * vec2(1.3, 1.0), 6.0, 9.0) - 0.5) + p.x * 0.011;
    float nearest = 1e9;
    float kind = 0.0;
    float wobble = (seam_noise(p, 10.0, 10.0) - 0.5) * 16.0 + (seam_noise(p, 24.0, 11.0) - 0.5) * 6.0;
    for (int i = 0; i < 2; ++i) {
      vec4 one = v_islands[i];
      if (one.w == 0.0) continue;
      vec2 d = (p - one.xy) * (one.w > 1.5 ? vec2(0.86, 1.0) : vec2(1.0, 1.12));
      float off = length(d) - one.z + wobble * min(1.0, one.z / 50.0);
      if (off < nearest) {
        nearest = off;
        kind = one.w;
      }
    }
    float rock_off = 1e9;
    vec4 the_rock = vec4(0.0);
    for (int i = 0; i < 3; ++i) {
      vec4 one = v_rocks[i];
      if (one.z == 0.0) continue;
      float turn = one.x * 0.37;
      vec2 d = p - one.xy;
      d = vec2(cos(turn) * d.x + sin(turn) * d.y, cos(turn) * d.y - sin(turn) * d.x) * vec2(0.88, 1.14);
      // Broken faces: the farthest of a few directions, more than a circle.
      float off = length(d);
      off = mix(off, max(max(abs(d.x), abs(d.y)) * 1.06, dot(abs(d), vec2(0.74))), 0.55) - one.z + wobble * 0.14;
      if (off < rock_off) {
        rock_off = off;
        the_rock = one;
      }
    }
    float around = min(nearest, rock_off);
    float rings = kRings * smoothstep(0.0, 46.0, far_edge) * (kind > 1.5 ? 0.75 : 1.0);
    float ringed = 1.0 - smoothstep(rings - 1.5, rings + 0.5, around);
    float phase = mix(flow, (around - 2.0) / kRake, step(0.5, ringed));
    float groove = 1.0 - 2.0 * abs(ringed - 0.5);  // Where rings and rows meet.
    float rail = smoothstep(2.0, 14.0, 303.0 - side);
    height = ridge(phase) * 1.15 * (1.0 - groove) * rail + (grain - 0.5) * 0.85;
    shine = (0.215 + 0.16 * grain + 0.07 * (mottle - 0.5)) * (0.82 + 0.18 * ridge(phase));

    // Stepping stones, one in each 40 units, on some pieces.
    if (variant == 3 || variant == 5 || variant == 6 || variant == 1) {
      float step_at = floor(p.y / 40.0);
      vec2 own = hash2(vec2(step_at, 7.0 + u_step.x));
      float bend = variant == 3 ? -60.0 + 150.0 * sin(step_at * 0.62 + 0.4) : (variant == 5 ? -40.0 - 70.0 * sin(step_at * 0.7)
                   : (variant == 6 ? 60.0 + 44.0 * sin(step_at * 1.1 + 2.0) : -130.0 + 62.0 * sin(step_at * 0.8)));
      vec2 middle = vec2(bend + 8.0 * (own.x - 0.5), step_at * 40.0 + 20.0);
      bool there = true;  // None lies half under something else.
      for (int i = 0; i < 2; ++i) {
        vec4 one = v_islands[i];
        there = there && (one.w == 0.0 || length(middle - one.xy) > one.z + (one.w > 1.5 ? 46.0 : 30.0));
      }
      for (int i = 0; i < 3; ++i) {
        vec4 one = v_rocks[i];
        there = there && (one.z == 0.0 || length(middle - one.xy) > one.z + 26.0);
      }
      vec2 d = (p - middle) * vec2(0.82, 1.0);
      float turn = own.y * 3.0;
      vec2 q = vec2(cos(turn) * d.x + sin(turn) * d.y, cos(turn) * d.y - sin(turn) * d.x);
      float off = mix(length(q), max(abs(q.x), abs(q.y)) * 1.1, 0.4) - (12.5 + 2.5 * own.x) + wobble * 0.10;
      if (there && off < 6.0) {
        shine *= 0.45 + 0.55 * smoothstep(0.0, 6.0, off);
        height *= smoothstep(0.0, 5.0, off);
        float body = 1.0 - smoothstep(-3.5, 0.6, off);
        height = mix(height, 2.6 + 0.8 * mottle + 0.5 * grain, body);
        shine = mix(shine, 0.30 + 0.10 * own.y + 0.12 * grain, body);
      }
    }

    if (kind > 1.5 && nearest < 9.0) {  // The pond, and pebbles round it.
      float rim_turn = atan(p.y - v_islands[0].y, p.x - v_islands[0].x) * 7.5;
      float which = floor(rim_turn);
      vec2 own = hash2(vec2(which, 3.0 + u_step.x));
      float along = (rim_turn - which - 0.5) * (1.6 + 0.5 * own.x);
      float across = (nearest - 2.5 - 2.0 * (own.y - 0.5)) / 6.2;
      float round_part = 1.0 - along * along - across * across;
      height = 0.0;
      shine = 0.13;  // Wet earth between the pebbles.
      if (nearest < 0.0) {
        // Water from above: the night sky in it, paler toward the far bank; long flat ripples; the moon as a path of
        // broken streaks; a thin line of light along the bank.
        vec4 pond = v_islands[0];
        vec2 part = (p - pond.xy) / pond.z;
        float inside = smoothstep(1.0, 14.0, -nearest);
        float swell = seam_noise(p * vec2(0.30, 1.0), 24.0, 12.0);
        float ripple = seam_noise(p * vec2(0.34, 1.0), 60.0, 20.0);
        float lap = exp(nearest * 0.08) * (0.5 + 0.5 * sin(nearest * 0.85 + 4.0 * swell));
        height = 0.5 * swell + 0.25 * ripple + 0.4 * lap;
        shine = 0.17 - 0.07 * part.y + 0.10 * swell + 0.08 * smoothstep(0.45, 0.8, ripple);
        shine *= 0.62 + 0.38 * inside;
        shine += 0.14 * lap + 0.26 * exp(-(nearest + 2.5) * (nearest + 2.5) * 0.45);
        float path = (part.x - 0.22 + 0.30 * (swell - 0.5)) / (0.16 + 0.05 * part.y);
        float streak = smoothstep(0.50, 0.66, 0.62 * ripple + 0.38 * swell);
        shine += 0.75 * streak * exp(-path * path) * inside;
        tint = 0.30;
        vec2 cell = floor(p / 15.0);
        vec2 spark = hash2(cell + 71.0);
        vec2 d = p - (cell + 0.15 + 0.7 * hash2(cell + 23.0)) * 15.0;
        float star = spark.x < 0.30 ? max(0.0, 1.0 - length(d) / (0.8 + 1.1 * spark.y * spark.y)) : 0.0;
        shine += star * (0.4 + 0.8 * spark.y) * inside;
        vec2 pad_cell = floor(p / 34.0);
        vec2 pad_own = hash2(pad_cell + 13.0);
        vec2 pd = p - (pad_cell + 0.32 + 0.36 * hash2(pad_cell + 57.0)) * 34.0;
        float pad_radius = 6.0 + 3.5 * pad_own.y;
        float notch = atan(pd.y, pd.x) + 6.0 * pad_own.y - 3.0;
        float pad = pad_own.x < 0.34 && nearest < -13.0 && abs(notch) > 0.30 ? pad_radius - length(pd) : -1.0;
        if (pad > 0.0) {
          height = 0.8 + 0.5 * smoothstep(0.0, 2.0, pad) - 0.05 * length(pd);
          shine = 0.30 + 0.07 * cos(notch * 9.0);
          tint = 0.12;
        }
      }
      if (round_part > 0.0) {
        height = 5.0 * sqrt(round_part) + 0.6 * grain;
        shine = (0.20 + 0.18 * own.x + 0.10 * grain) * (0.6 + 0.4 * round_part);
        tint = 0.46;
      }
    } else if (kind < 1.5 && nearest < 3.0) {  // Moss.
      float body = smoothstep(3.0, -5.0, nearest);
      float tufts = seam_noise(p, 80.0, 13.0);
      float fine = seam_noise(p, 160.0, 14.0);
      float dome = 1.0 - exp(min(nearest, 0.0) * 0.07);
      height = mix(height * 0.4, 7.0 * dome + 1.8 * tufts + 0.8 * fine + 1.5 * mottle, body);
      shine = mix(shine * 0.55, 0.12 + 0.16 * tufts * mottle + 0.07 * fine, body);
      tint = mix(0.5, 0.20, body);
    }
    if (rock_off < 7.0) {
      shine *= 0.50 + 0.50 * smoothstep(0.0, 7.0, rock_off);  // Its shadow.
      if (rock_off < 0.0) {
        float rise = min(1.0, -rock_off / (0.62 * the_rock.z));
        float faces = abs(seam_noise(p, 14.0, 15.0) - 0.5) + 0.5 * abs(seam_noise(p, 34.0, 16.0) - 0.5);
        float lichen = smoothstep(0.52, 0.72, mottle);
        height = the_rock.w * rise * (2.0 - rise) * (0.75 + 0.8 * faces) + 0.7 * grain;
        shine = 0.20 + 0.24 * rise * (1.0 - faces) + 0.12 * grain;
        tint = mix(0.48, 0.36, lichen);
      }
    }
    // The rail's shadow.
    shine *= 0.55 + 0.45 * smoothstep(0.0, 12.0, 303.0 - side);
  }

  // A pole of bamboo along the border, bound every 40 units.
  float off = abs(side - 301.0) / 2.4;
  if (off < 1.0) {
    float along = mod(p.y, 40.0);
    float node = exp(-(along - 20.0) * (along - 20.0) * 0.5);
    height = (3.0 + 0.7 * node) * sqrt(1.0 - off * off);
    shine = (0.62 + 0.08 * grain) * (1.0 - 0.65 * exp(-(along - 24.0) * (along - 24.0) * 0.25));
    tint = 0.42;
  } else if (far_edge > 4.0) {
    vec3 petal = petals(p, side > 303.0 ? 0.10 : 0.16);
    height += petal.x;
    shine = mix(shine, petal.y, petal.z);
    tint = mix(tint, 0.86, petal.z);
  }
  o_ground = vec4(height, shine, tint, 1.0);
}
