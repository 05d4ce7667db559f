#include "noise.glsl"
#include "runes.glsl"
// Baked once per window size. The arena from above: a ring of engraved slabs around a floor of worn flagstones.
// Out: x height in units, y reflectance, z what belongs to the arena 0 to 1, w wear (mottling).
in vec2 v_world;
layout(location = 0) out vec4 o_ground;

const float kNoiseScales[5] = float[5](0.11, 0.23, 0.9, 2.3, 0.35);
const float kPi = 3.14159265;

// A rounded engraved groove of half width w around distance d: depth 0 to 1.
float groove(float d, float w) { return 1.0 - smoothstep(0.35 * w, w, d); }

// One stone of a course between two radii. polar: x radius, y angle in stones of this course.
// Returns x height, y reflectance factor; seams are 0.
vec2 stone(float radius, float angle, float inner, float outer, float count, float seed, vec2 wobble) {
  float shift = hash1(vec2(seed, 3.7));
  float place = angle / (2.0 * kPi) * count + shift + 64.0;
  float which = floor(place);
  // Joints are not evenly spread: each boundary moves by its own hash.
  float left = (hash1(vec2(which, seed)) - 0.5) * 0.34;
  float right = 1.0 + (hash1(vec2(which + 1.0, seed)) - 0.5) * 0.34;
  float along = place - which;
  if (along < left) {
    which -= 1.0;
    along += 1.0;
    right = left + 1.0;
    left = (hash1(vec2(which, seed)) - 0.5) * 0.34;
  } else if (along > right) {
    which += 1.0;
    along -= 1.0;
    left = right - 1.0;
    right = 1.0 + (hash1(vec2(which + 1.0, seed)) - 0.5) * 0.34;
  }
  which = mod(which, count);
  float unit = 2.0 * kPi * radius / count;  // Length of a stone here.
  float side = min(along - left, right - along) * unit;
  float edge = min(min(radius - inner, outer - radius), side) + (wobble.x - 0.5) * 3.4;
  vec2 own = hash2(vec2(which * 7.1 + seed, seed * 3.3));
  float body = smoothstep(0.6, 4.6, edge);
  // Some are broken: a jagged crack from inside to outside.
  vec2 fate = hash2(vec2(which * 3.7 - seed, seed * 1.9));
  float jag =
      (noise(vec2(radius * 0.10, which + seed * 9.0)) - 0.5) * 15.0 + (noise(vec2(radius * 0.45, which)) - 0.5) * 3.0;
  float crack = groove(abs((along - mix(0.3, 0.7, fate.y)) * unit - jag), 1.5) * step(fate.x, 0.24) * body;
  float height = body * (2.2 + 1.3 * own.x) - 1.8 * crack + 0.22 * body * (along - 0.5) * (own.y - 0.5) * unit * 0.2;
  return vec2(height, mix(0.30, 0.78 + 0.42 * own.y, smoothstep(0.0, 2.2, edge)) * (1.0 - 0.4 * crack));
}

void main() {
  vec2 p = v_world;
  float radius = length(p);
  if (radius >= 346.0) {  // Beyond the ring no stone is seen: the night is drawn over it.
    o_ground = vec4(0.0);
    return;
  }
  float angle = atan(p.x, -p.y);  // 0 on top, clockwise.
  float noises[5];  // In a loop: written out, each would be compiled by itself.
  for (int i = 0; i < 5; ++i) noises[i] = noise(p * kNoiseScales[i] + (i == 1 ? 40.0 : 0.0));
  vec2 wobble = vec2(noises[0], noises[1]);
  float grain = noises[2] * 0.6 + noises[3] * 0.4;
  float mottle = clouds(p * 0.013 + 5.0);

  vec2 made = vec2(0.0, 0.30);  // Earth between the stones.
  float inside = 1.0;

  if (radius < 62.0) {  // The medallion, one round stone with a twelve-pointed star.
    float edge = 61.0 - radius + (wobble.x - 0.5) * 1.2;
    made = vec2(smoothstep(0.0, 4.0, edge) * 4.4, mix(0.3, 1.04, smoothstep(0.0, 2.0, edge)));
    float d = abs(radius - 53.0);
    d = min(d, abs(radius - 18.0));
    for (int i = 0; i < 3; ++i) {  // Three squares make the star.
      float turn = float(i) * kPi / 6.0;
      vec2 q = vec2(cos(turn) * p.x + sin(turn) * p.y, cos(turn) * p.y - sin(turn) * p.x);
      q = abs(q);
      d = min(d, abs(max(q.x, q.y) - 36.5) + max(0.0, radius - 52.5));
    }
    made.x -= 1.7 * groove(d, 1.5);
    made.y *= 1.0 - 0.45 * groove(d, 1.5);
    float boss = (1.0 - smoothstep(5.0, 9.0, radius));
    made.x += 1.2 * boss;
  } else if (radius < 262.0) {  // Five courses of flagstones.
    float inner = 65.0;
    float outer = 104.0;
    float count = 10.0;
    float seed = 1.0;
    if (radius >= 222.0) { inner = 222.0; outer = 260.0; count = 27.0; seed = 5.0; }
    else if (radius >= 182.0) { inner = 182.0; outer = 222.0; count = 22.0; seed = 4.0; }
    else if (radius >= 144.0) { inner = 144.0; outer = 182.0; count = 18.0; seed = 3.0; }
    else if (radius >= 104.0) { inner = 104.0; outer = 144.0; count = 14.0; seed = 2.0; }
    made = stone(radius, angle, inner + 0.7, outer - 0.7, count, seed, wobble);
    made.x -= 1.1 * smoothstep(0.5, 0.8, mottle);  // Worn hollows.
  } else {  // The ring: twelve slabs with a rune, a narrow one between each two.
    float turn = angle / (2.0 * kPi) * 12.0;
    float which = floor(turn + 0.5);
    float along = (turn - which) * 2.0 * kPi * radius / 12.0;  // Units from the middle of the rune slab.
    float half_slab = 56.0 * radius / 300.0;
    bool narrow = abs(along) > half_slab;
    float side = narrow ? abs(along) - half_slab : half_slab - abs(along);
    float far = narrow ? 2.0 * kPi * radius / 24.0 - abs(along) + 99.0 : 99.0;
    vec2 own = hash2(vec2(mod(which, 12.0) * 3.1, narrow ? (along > 0.0 ? 7.0 : 8.0) : 5.0));
    float outer = narrow ? 326.0 + 4.0 * own.x : 334.0 + 3.0 * own.x;
    float inner = narrow ? 272.0 : 267.0;
    float chips = (wobble.x - 0.5) * 3.0 + 5.0 * smoothstep(0.68, 0.9, wobble.y);
    float edge = min(min(min(side, far), radius - inner), outer - radius) - 0.9 - chips * 0.7;
    float body = smoothstep(0.0, 5.0, edge);
    made = vec2(body * (5.0 + 1.6 * own.x) * (narrow ? 0.7 : 1.0),
                mix(0.28, (narrow ? 0.78 : 1.0) + 0.2 * own.y, smoothstep(0.0, 2.0, edge)));
    // A frame line, and the glyph in it.
    if (!narrow) {
      float line = abs(min(min(side - 9.0, radius - 275.0), 327.0 - radius));
      float cut = 0.55 * groove(line, 1.2);
      int glyph = int(mod(which, 12.0));
      vec2 out_dir = rune_outward(glyph);
      vec2 q = vec2(dot(p, vec2(-out_dir.y, out_dir.x)), dot(p, out_dir) - kRuneRadius) / kRuneHeight;
      cut = max(cut, groove(rune_distance(glyph, q) * kRuneHeight, 2.5));
      made.x -= 2.6 * cut;
      made.y *= 1.0 - 0.5 * cut;
    } else {
      float dots = length(vec2(abs(along) - 2.0 * kPi * radius / 24.0, radius - 300.0));
      made.x -= 1.5 * groove(abs(dots - 3.2), 1.4);
    }
    inside = max(smoothstep(-1.0, 0.6, edge), 1.0 - smoothstep(318.0, 322.0, radius));
  }

  float stone_grain = made.x > 0.5 ? 1.0 : 0.5;
  made.x += (grain - 0.5) * 0.75 * stone_grain + (noises[4] - 0.5) * 0.7;
  made.y *= 0.80 + 0.24 * grain + 0.34 * (mottle - 0.4);
  o_ground = vec4(made, clamp(inside, 0.0, 1.0), mottle);
}
