// The twelve runes of the ring as strokes. A glyph stands upright in x -0.5 to 0.5, y -0.5 to 0.5 (y up).
float stroke(vec2 p, vec2 a, vec2 b) {
  vec2 ab = b - a;
  vec2 ap = p - a;
  float t = clamp(dot(ap, ab) / dot(ab, ab), 0.0, 1.0);
  return length(ap - t * ab);
}

float stroke_ring(vec2 p, vec2 centre, float radius) { return abs(length(p - centre) - radius); }

// Distance to the strokes of glyph 0 to 11.
float stroke_distance(int glyph, vec2 p) {
  float d = 9.0;
  if (glyph == 0) {  // flame
    d = stroke(p, vec2(0.0, -0.5), vec2(0.0, 0.5));
    d = min(d, stroke(p, vec2(0.0, 0.5), vec2(0.3, 0.15)));
    d = min(d, stroke(p, vec2(0.0, 0.15), vec2(-0.3, -0.2)));
  } else if (glyph == 1) {  // hearth
    d = stroke(p, vec2(-0.28, -0.5), vec2(-0.28, 0.3));
    d = min(d, stroke(p, vec2(0.28, -0.5), vec2(0.28, 0.3)));
    d = min(d, stroke(p, vec2(-0.28, 0.3), vec2(0.0, 0.5)));
    d = min(d, stroke(p, vec2(0.28, 0.3), vec2(0.0, 0.5)));
    d = min(d, stroke_ring(p, vec2(0.0, -0.05), 0.11));
  } else if (glyph == 2) {  // snow
    d = stroke(p, vec2(0.0, -0.5), vec2(0.0, 0.5));
    d = min(d, stroke(p, vec2(-0.36, -0.25), vec2(0.36, 0.25)));
    d = min(d, stroke(p, vec2(-0.36, 0.25), vec2(0.36, -0.25)));
  } else if (glyph == 3) {  // river
    d = stroke(p, vec2(-0.25, 0.5), vec2(0.15, 0.18));
    d = min(d, stroke(p, vec2(0.15, 0.18), vec2(-0.15, -0.18)));
    d = min(d, stroke(p, vec2(-0.15, -0.18), vec2(0.25, -0.5)));
  } else if (glyph == 4) {  // moon
    d = stroke_ring(p, vec2(0.0, 0.14), 0.26);
    d = min(d, stroke(p, vec2(0.0, -0.12), vec2(0.0, -0.5)));
    d = min(d, stroke(p, vec2(-0.22, -0.32), vec2(0.22, -0.32)));
  } else if (glyph == 5) {  // gate
    d = stroke(p, vec2(-0.3, -0.5), vec2(-0.3, 0.5));
    d = min(d, stroke(p, vec2(0.3, -0.5), vec2(0.3, 0.5)));
    d = min(d, stroke(p, vec2(-0.3, 0.22), vec2(0.3, -0.14)));
  } else if (glyph == 6) {  // eye
    d = stroke(p, vec2(-0.38, 0.0), vec2(0.0, 0.36));
    d = min(d, stroke(p, vec2(0.0, 0.36), vec2(0.38, 0.0)));
    d = min(d, stroke(p, vec2(0.38, 0.0), vec2(0.0, -0.36)));
    d = min(d, stroke(p, vec2(0.0, -0.36), vec2(-0.38, 0.0)));
    d = min(d, stroke_ring(p, vec2(0.0, 0.0), 0.1));
  } else if (glyph == 7) {  // tree
    d = stroke(p, vec2(0.0, -0.5), vec2(0.0, 0.5));
    d = min(d, stroke(p, vec2(0.0, 0.05), vec2(0.32, 0.38)));
    d = min(d, stroke(p, vec2(0.0, 0.05), vec2(-0.32, 0.38)));
    d = min(d, stroke(p, vec2(0.0, -0.25), vec2(0.24, 0.0)));
    d = min(d, stroke(p, vec2(0.0, -0.25), vec2(-0.24, 0.0)));
  } else if (glyph == 8) {  // storm
    d = stroke(p, vec2(0.2, 0.5), vec2(-0.22, 0.02));
    d = min(d, stroke(p, vec2(-0.22, 0.02), vec2(0.22, 0.02)));
    d = min(d, stroke(p, vec2(0.22, 0.02), vec2(-0.2, -0.5)));
  } else if (glyph == 9) {  // well
    d = stroke_ring(p, vec2(0.0, 0.0), 0.2);
    d = min(d, stroke(p, vec2(0.0, 0.2), vec2(0.0, 0.5)));
    d = min(d, stroke(p, vec2(0.0, -0.2), vec2(0.0, -0.5)));
  } else if (glyph == 10) {  // wing
    d = stroke(p, vec2(-0.28, -0.5), vec2(-0.28, 0.5));
    d = min(d, stroke(p, vec2(-0.28, 0.5), vec2(0.3, 0.22)));
    d = min(d, stroke(p, vec2(-0.28, 0.18), vec2(0.22, -0.06)));
    d = min(d, stroke(p, vec2(-0.28, -0.14), vec2(0.14, -0.34)));
  } else {  // star
    d = stroke(p, vec2(0.0, 0.5), vec2(-0.3, -0.4));
    d = min(d, stroke(p, vec2(0.0, 0.5), vec2(0.3, -0.4)));
    d = min(d, stroke(p, vec2(-0.38, 0.12), vec2(0.38, 0.12)));
  }
  return d;
}

