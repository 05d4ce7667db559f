// What the world shows. Nothing here changes what a step reads.
#include "sim/spells/world.hpp"

namespace spellpool::sim {

using frame::SpriteKind;

const frame::RenderSnapshot& World::build_snapshot(const frame::LookSettings& looks) {
  const FloatControlScope float_control;
  canvas_.begin(config_.spells, looks, 1.0f - 0.6f * play_.challenge.finale());
  play_.spells.draw_ground(canvas_);
  draw_standing();
  play_.spells.draw_air(canvas_);
  seekers_.draw_air(canvas_);
  draw_pillars();
  canvas_.flashes(effects_.flashes());
  play_.mage.draw_reticle(canvas_, config_.spells);
  if (stands_) canvas_.stand();

  frame::RenderSnapshot& s = snapshot_;
  particles_.build_snapshot(s, looks.density);
  s.step = play_.step;
  s.time_s = static_cast<float>(play_.step % 216'000u) * kStep_s;
  s.sprites = canvas_.sprites();
  s.lights = canvas_.lights();
  s.decals = decals_.show(config_.spells);
  const float motion = canvas_.motion();
  s.camera_x = play_.camera.follow_x + play_.camera.lead_x * motion;
  s.camera_y = play_.camera.follow_y + play_.camera.lead_y * motion;
  s.previous_camera_x = play_.camera.previous_follow_x + play_.camera.previous_lead_x * motion;
  s.previous_camera_y = play_.camera.previous_follow_y + play_.camera.previous_lead_y * motion;
  s.shake_x = play_.camera.shake_x * motion;
  s.shake_y = play_.camera.shake_y * motion;
  s.runes_lit = play_.challenge.runes_lit();
  s.finale = play_.challenge.finale();
  play_.spells.vortices().bend(s, config_.spells);
  return s;
}

std::span<const frame::HitNumber> World::hit_numbers() const {
  const std::size_t count = effects_.show_numbers(numbers_);
  for (frame::HitNumber& number : std::span(numbers_).first(count)) {
    number.x -= snapshot_.camera_x;
    number.y -= snapshot_.camera_y;
  }
  return {numbers_.data(), count};
}

void World::draw_standing() {
  // Dummies, crystals and the mage from back to front; then the wisps, which hover above all of them.
  constexpr u32 kMost = 64;
  std::array<u8, kMost> order{};
  const std::span<const Standing> standing = targets_.standing();
  const u8 mage = static_cast<u8>(std::min<std::size_t>(standing.size(), kMost - 1));
  u32 count = 0;
  for (u8 i = 0; i <= mage; ++i) order[count++] = i;
  auto foot = [&](u8 i) { return i == mage ? play_.mage.y() : standing[i].y; };
  std::sort(order.begin(), order.begin() + count,
            [&](u8 a, u8 b) { return foot(a) != foot(b) ? foot(a) < foot(b) : a < b; });
  const float flash = canvas_.flash();
  for (u32 k = 0; k < count; ++k) {
    if (order[k] == mage) {
      play_.mage.draw(canvas_);
      continue;
    }
    const Standing& target = standing[order[k]];
    if (target.kind == Standing::Kind::Dummy) {
      frame::SpriteInstance& s = canvas_.sprite(SpriteKind::Dummy, target.x, target.y, 64.0f);
      s.p0 = target.flash * flash;
      s.p1 = target.sway;
      s.p2 = target.frost;
      s.r = lerp(1.0f, 0.45f, target.poison);  // poison greens the straw
      s.b = lerp(1.0f, 0.35f, target.poison);
    } else {
      frame::SpriteInstance& s = canvas_.sprite(SpriteKind::Crystal, target.x, target.y, 56.0f);
      s.p0 = target.flash * flash;
      s.p1 = target.growth;
      s.p2 = clamp01(1.0f - target.health / 5.0f);
      s.r = 0.35f;
      s.g = 0.65f;
      s.b = 1.0f;
      const float glow = (0.10f + 0.5f * s.p0) * target.growth;
      canvas_.light(target.x, target.y, target.x, target.y, 95.0f, 0.35f * glow, 0.6f * glow, 1.0f * glow);
    }
  }
  targets_.for_each_wisp([&](WispHandle, const Wisp& wisp) {
    frame::SpriteInstance& s = canvas_.sprite(SpriteKind::Wisp, wisp.x, wisp.y, 34.0f);
    s.previous_x = wisp.previous_x;
    s.previous_y = wisp.previous_y;
    s.angle_turns = atan2_turns(wisp.vy, wisp.vx);
    s.p0 = wisp.flash * flash;
    s.p1 = wisp.there;
    s.p2 = wisp.phase;
    s.r = 0.75f;
    s.g = 0.9f;
    s.b = 0.7f;
    const float glow = wisp.there * (0.22f + 0.5f * s.p0);
    canvas_.light(wisp.x, wisp.y + 20.0f, wisp.previous_x, wisp.previous_y + 20.0f, 90.0f, s.r * glow, s.g * glow,
                  s.b * glow);
  });
}

void World::draw_pillars() {
  // Light stands up on the runes one after the other, each in the hue of a spell.
  const float finale = play_.challenge.finale();
  if (finale <= 0.0f) return;
  for (u32 i = 0; i < Challenge::kRunes; ++i) {
    float x, y;
    Challenge::rune_place(i, x, y);
    const float up = smooth(clamp01(finale * 1.55f - 0.05f * static_cast<float>(i)));
    if (up <= 0.0f) continue;
    const frame::SpellDef& hue = *config_.spells[i % frame::kSpellCount];
    frame::SpriteInstance& pillar = canvas_.sprite(SpriteKind::Pillar, x, y, 30.0f);
    pillar.p0 = 40.0f + 150.0f * up;
    pillar.p1 = up;
    pillar.r = lerp(1.0f, hue.colour_r, 0.65f);
    pillar.g = lerp(1.0f, hue.colour_g, 0.65f);
    pillar.b = lerp(1.0f, hue.colour_b, 0.65f);
    canvas_.light(x, y, x, y, 110.0f, 0.4f * up * pillar.r, 0.4f * up * pillar.g, 0.4f * up * pillar.b);
  }
}

}  // namespace spellpool::sim
