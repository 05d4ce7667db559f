// What the shooter shows. Nothing here changes what a step reads.
#include <cmath>

#include "sim/shooter/shooter.hpp"

namespace spellpool::sim {
namespace {

using frame::EnemyKind;
using frame::SpriteInstance;
using frame::SpriteKind;

/// What can be hit, above every bullet.
frame::ParticleInstance hitbox_dot(const ShipPlace& at) {
  frame::ParticleInstance p{};
  p.x = frame::position_word(at.x);
  p.y = frame::position_word(at.y);
  p.dx = frame::position_word(at.x - at.previous_x);
  p.dy = frame::position_word(at.y - at.previous_y);
  p.r = 20;
  p.g = 230;
  p.b = 255;
  p.a = 255;
  p.size = static_cast<u16>(9.0f * frame::kSizeScale);
  p.glow_shape = static_cast<u8>(static_cast<u32>(frame::BulletShape::Orb) | 4u << 3);
  return p;
}

// Lanterns that hang around the words of the title, and the first of them of a won game: x, y, size.
constexpr std::array<std::array<float, 3>, 6> kHungLanterns = {{
    {-244.0f, 24.0f, 112.0f}, {246.0f, -66.0f, 84.0f}, {-262.0f, -292.0f, 60.0f},
    {270.0f, -312.0f, 46.0f}, {176.0f, 118.0f, 52.0f}, {-150.0f, 158.0f, 38.0f},
}};
constexpr u32 kHungWhenWon = 4;

// Moonlight that wanders over a pond and swells and fades: what it falls on glints. Units of the pond's
// radius.
struct Glint {
  float x, y, radius;
  float period_steps;
};
constexpr std::array kGlints = {Glint{0.22f, -0.45f, 0.55f, 420.0f}, Glint{0.20f, 0.25f, 0.50f, 560.0f},
                                Glint{-0.40f, 0.05f, 0.45f, 700.0f}};

float phase_of(u32 age, float steps) {
  const float turns = static_cast<float>(age) / steps;
  return turns - static_cast<float>(static_cast<i32>(turns));
}

// Dims the sparks around (x, y), so that they do not hide the ship or what flies at it.
void dim_around(float x, float y, std::span<frame::ParticleInstance> sparks) {
  constexpr float kReach = 72.0f * frame::kPositionScale, kLeftInTheMiddle = 0.3f;
  const float middle_x = x * frame::kPositionScale, middle_y = y * frame::kPositionScale;
  for (frame::ParticleInstance& p : sparks) {
    const float dx = static_cast<float>(p.x) - middle_x, dy = static_cast<float>(p.y) - middle_y;
    const float away2 = (dx * dx + dy * dy) / (kReach * kReach);
    if (away2 >= 1.0f) continue;
    const float left = lerp(kLeftInTheMiddle, 1.0f, away2);
    p.r = static_cast<u8>(static_cast<float>(p.r) * left);
    p.g = static_cast<u8>(static_cast<float>(p.g) * left);
    p.b = static_cast<u8>(static_cast<float>(p.b) * left);
  }
}

// Bullets and shots fade at the sides of the field, where score and supplies are shown.
void fade_beside_field(std::span<frame::ParticleInstance> layer) {
  constexpr float kEdge = frame::kFieldHalfWidth * frame::kPositionScale;
  constexpr float kReach = Bullets::kMargin * frame::kPositionScale;
  for (frame::ParticleInstance& p : layer) {
    const float beyond = std::fabs(static_cast<float>(p.x)) - kEdge;
    if (beyond > 0.0f) p.a = static_cast<u8>(static_cast<float>(p.a) * std::max(0.0f, 1.0f - beyond / kReach));
  }
}

// The length of a beam that ends at a side of the field.
float beam_length(float x, float heading_x) {
  const float to_side = (heading_x > 0.0f ? frame::kFieldHalfWidth - x : frame::kFieldHalfWidth + x);
  const float away = std::fabs(heading_x) * Bullets::kBeam;
  return away > to_side ? Bullets::kBeam * std::max(0.0f, to_side) / away : Bullets::kBeam;
}

}  // namespace

void ShooterWorld::draw_enemies(float left) {
  const float flash = canvas_.flash();
  // A moth's wings lie beneath its heart, which is older.
  for (const bool wings : {true, false}) {
    for (const auto& entry : enemies_.objects().list()) {
      const auto held = enemies_.objects().peek(entry.handle);
      const Enemy& e = *held;
      const bool wing = e.part == EnemyPart::LeftWing || e.part == EnemyPart::RightWing;
      if (wing != wings || e.age == 0) continue;
      const frame::EnemyKindRow& looks = frame::row(e.kind);
      SpriteInstance& s = canvas_.sprite(wing ? SpriteKind::MothWing : figure_of(e.kind), e.x, e.y,
                                         wing ? 0.95f * looks.size : looks.size);
      s.previous_x = e.previous_x;
      s.previous_y = e.previous_y;
      s.p0 = e.flash * flash * looks.struck;
      s.p1 = smooth(e.there) * left;
      s.p2 = phase_of(e.age, looks.phase_steps);
      s.r = looks.r;
      s.g = looks.g;
      s.b = looks.b;
      if (looks.shape == frame::EnemyShape::Flying) {
        const float dx = e.x - e.previous_x, dy = e.y - e.previous_y;
        s.angle_turns = dx * dx + dy * dy > 0.0025f ? atan2_turns(dy, dx) : 0.25f;
      } else if (wing) {
        s.angle_turns = e.part == EnemyPart::LeftWing ? 0.5f : 0.0f;
      }
      if (wing) continue;
      if (e.way == CraneWay::Unknown) {  // its lamp is out
        s.r = s.g = s.b = 0.12f;
        continue;
      }
      const float glow = (0.22f + 0.25f * e.flash * flash) * s.p1;
      canvas_.light(e.x, e.y, e.previous_x, e.previous_y, looks.light, looks.r * glow, looks.g * glow, looks.b * glow);
    }
  }
}

// Stones that cranes fly round.
void ShooterWorld::draw_stones(float left) {
  if (!play_.cranes.on() || play_.state != frame::ShooterState::Playing) return;
  const std::span<const Stone> stones = cranes_.stones();
  for (std::size_t i = 0; i < stones.size(); ++i) {
    const Stone& stone = stones[i];
    SpriteInstance& s = canvas_.sprite(SpriteKind::Boulder, stone.x, stone.y, 2.0f * stone.radius);
    s.previous_y = stone.y - CraneGuide::kDrift;
    s.p0 = static_cast<float>(i) / static_cast<float>(stones.size());
    s.p1 = left;
  }
}

// Lanterns that are decoration, not enemies.
void ShooterWorld::draw_hung_lanterns() {
  const frame::EnemyKindRow& looks = frame::row(EnemyKind::Lantern);
  const std::size_t count = play_.state == frame::ShooterState::Title ? kHungLanterns.size()
                            : play_.state == frame::ShooterState::Won ? kHungWhenWon
                                                                      : 0;
  for (u32 i = 0; i < count; ++i) {
    const auto [x, y, size] = kHungLanterns[i];
    const float sway = phase_of(static_cast<u32>(play_.step % 3600u) + 97u * i, 240.0f);
    SpriteInstance& s = canvas_.sprite(figure_of(EnemyKind::Lantern), x, y + 3.0f * sin_turns(sway), size);
    s.p1 = 1.0f;
    s.p2 = sway;
    s.r = looks.r;
    s.g = looks.g;
    s.b = looks.b;
    canvas_.light(x, y, x, y, 90.0f + 1.5f * size, 0.40f * looks.r, 0.40f * looks.g, 0.40f * looks.b);
  }
}

// The slow glints of the ponds.
void ShooterWorld::draw_water(std::span<const frame::GardenChunk> chunks) {
  const u32 time = static_cast<u32>(play_.step % 252'000u);
  for (const frame::GardenChunk& chunk : chunks) {
    for (const Pond& pond : kPonds) {
      if (chunk.variant != pond.variant) continue;
      for (const Glint& glint : kGlints) {
        const float turns = phase_of(time, glint.period_steps);
        const float x = pond.x + pond.radius * (glint.x + 0.10f * cos_turns(turns));
        const float y = chunk.y + pond.y + pond.radius * glint.y;
        const float strength = 0.10f + 0.09f * sin_turns(turns);
        canvas_.light(x, y, x, y - garden_.moved(), pond.radius * glint.radius, 0.55f * strength,
                      0.80f * strength, strength);
      }
    }
  }
}

// 1 during play. After the end it falls to 0: the bullets fade to make room for the result text, and after a
// loss the lights go out.
float ShooterWorld::left_of_play() const {
  constexpr u32 kGone_steps = 45;
  const bool over = play_.state == frame::ShooterState::Won || play_.state == frame::ShooterState::Lost;
  return over ? 1.0f - smooth(clamp01(static_cast<float>(play_.rest_steps) / static_cast<float>(kGone_steps))) : 1.0f;
}

const frame::RenderSnapshot& ShooterWorld::build_snapshot(const frame::LookSettings& looks) {
  const FloatControlScope float_control;
  canvas_.begin(config_.spells, looks);
  const float left = left_of_play();
  bullets_.for_each_laser([&](const Bullet& b, const Flight& flight) {
    if (left <= 0.0f || (left < 1.0f && b.age < flight.warn_steps)) return;
    SpriteInstance& beam = canvas_.sprite(SpriteKind::Beam, b.x, b.y, 2.0f * flight.half_width / 0.7f);
    const float length = beam_length(b.x, cos_turns(b.heading));
    beam.p0 = b.x + cos_turns(b.heading) * length;
    beam.p1 = b.y + sin_turns(b.heading) * length;
    constexpr u32 kFade_steps = 12;
    const auto share = [](u32 part, u32 whole) {
      return static_cast<float>(part) / static_cast<float>(std::max(1u, whole));
    };
    if (b.age < flight.warn_steps) beam.p2 = share(b.age, flight.warn_steps);
    else if (b.age + kFade_steps < flight.life_steps)
      beam.p2 = 1.0f + 0.999f * share(b.age - flight.warn_steps, flight.life_steps - flight.warn_steps);
    else beam.p2 = 2.0f + 0.999f * share(b.age + kFade_steps - flight.life_steps, kFade_steps);
    if (left < 1.0f) beam.p2 = std::max(beam.p2, 2.0f + 0.999f * (1.0f - left));
    beam.r = static_cast<float>(flight.looks.r) / 255.0f;
    beam.g = static_cast<float>(flight.looks.g) / 255.0f;
    beam.b = static_cast<float>(flight.looks.b) / 255.0f;
  });
  draw_stones(left);
  if (left > 0.0f) draw_enemies(left);
  draw_hung_lanterns();
  garden_by_slot_ = looks.scenery == frame::Scenery::Slot;
  const std::span<const frame::GardenChunk> garden = garden_.show(garden_by_slot_);
  draw_water(garden);
  for (const auto& entry : pickups_.objects().list()) {
    const auto held = pickups_.objects().peek(entry.handle);
    const Pickup& p = *held;
    if (left <= 0.0f) break;
    SpriteInstance& s = canvas_.sprite(SpriteKind::Pickup, p.x, p.y, p.kind == frame::PickupKind::Star ? 16.0f : 24.0f);
    s.previous_x = p.previous_x;
    s.previous_y = p.previous_y;
    s.p0 = static_cast<float>(p.kind);
    s.p1 = left * clamp01(static_cast<float>(p.age + 1) / 10.0f);
    s.p2 = phase_of(p.age, 60.0f);
  }
  const ShipPlace at = play_.ship.place();
  if (at.there) {
    SpriteInstance& s = canvas_.sprite(SpriteKind::Ship, at.x, at.y, 36.0f);
    s.previous_x = at.previous_x;
    s.previous_y = at.previous_y;
    s.p0 = play_.ship.bank();
    s.p1 = play_.ship.focus_shown();
    s.p2 = play_.ship.safe_steps() > 0 && play_.step / 4 % 2 == 0 ? 0.6f : 0.0f;
    s.r = 0.45f;
    s.g = 0.75f;
    s.b = 1.0f;
    canvas_.light(at.x, at.y, at.previous_x, at.previous_y, 120.0f, 0.16f, 0.24f, 0.34f);
    if (play_.ship.shield()) {
      SpriteInstance& shield = canvas_.sprite(SpriteKind::Aura, at.x, at.y, 1.0f);
      shield.previous_x = at.previous_x;
      shield.previous_y = at.previous_y;
      shield.p0 = 28.0f;
      shield.p1 = 0.8f;
      shield.p2 = phase_of(static_cast<u32>(play_.step % 600), 200.0f);
      shield.r = 0.35f;
      shield.g = 0.8f;
      shield.b = 1.0f;
    }
  }
  if (play_.ship.bombing()) {
    const float radius = play_.ship.bomb_radius();
    SpriteInstance& wave = canvas_.sprite(SpriteKind::NovaRing, play_.ship.bomb_x(), play_.ship.bomb_y(), 1.0f);
    wave.p0 = std::min(radius, 620.0f);
    wave.p1 = clamp01(1.2f - radius / 700.0f);
    wave.r = 0.5f;
    wave.g = 0.85f;
    wave.b = 1.0f;
  }
  if (at.there && play_.ship.focus_shown() > 0.02f) {
    SpriteInstance& dot = canvas_.sprite(SpriteKind::Hitbox, at.x, at.y, 28.0f);
    dot.previous_x = at.previous_x;
    dot.previous_y = at.previous_y;
    dot.p0 = play_.ship.focus_shown();
    dot.p1 = phase_of(static_cast<u32>(play_.step % 6000), 180.0f);
    dot.r = 0.5f;
    dot.g = 0.85f;
    dot.b = 1.0f;
  }
  canvas_.flashes(effects_.flashes());

  frame::RenderSnapshot& s = snapshot_;
  const bool fresh = particles_.build_snapshot(s, looks.density);
  if (fresh && at.there) dim_around(at.x, at.y, particles_.additive());
  const std::span<const frame::ParticleInstance> bullets = bullets_.draw();
  if (bullets.size() + shots_.objects().live() >= layer_.size()) make_layer();  // a pool grew
  const u32 shots = shots_.draw(layer_);
  std::size_t shown = shots + bullets.size();
  std::copy(bullets.begin(), bullets.end(), layer_.begin() + shots);
  fade_beside_field(std::span(layer_).first(shown));
  if (left <= 0.0f) shown = 0;
  for (std::size_t i = 0; left < 1.0f && i < shown; ++i)
    layer_[i].a = static_cast<u8>(static_cast<float>(layer_[i].a) * left);
  if (at.there && play_.ship.focus_shown() > 0.5f) layer_[shown++] = hitbox_dot(at);
  s.bullet_layer = {layer_.data(), shown};
  s.garden = garden;
  s.garden_step = garden_.moved();
  s.step = play_.step;
  s.time_s = static_cast<float>(play_.step % 216'000u) * kStep_s;
  s.sprites = canvas_.sprites();
  s.lights = canvas_.lights();
  s.shake_x = play_.shake.x * canvas_.motion();
  s.shake_y = play_.shake.y * canvas_.motion();
  return s;
}

}  // namespace spellpool::sim
