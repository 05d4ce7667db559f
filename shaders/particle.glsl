// What the two particle shaders share.
// Shapes, as in frame::ParticleShape.
const uint kGlow = 0u;
const uint kSpark = 1u;
const uint kShard = 2u;
const uint kStar = 3u;
const uint kSmoke = 4u;
