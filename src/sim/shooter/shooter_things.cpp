#include "sim/shooter/shooter_things.hpp"

#include "core/fixed_step.hpp"

namespace spellpool::sim {

using frame::kFieldHalfHeight;
using frame::kFieldHalfWidth;

// ------------------------------------------------------------------------------------------------------- pickups

void Pickups::ask(frame::PickupKind kind, float x, float y, bool drawn_in) {
  if (kind == frame::PickupKind::None || birth_count_ >= kMostBirthsPerStep) return;
  Pickup& p = births_[birth_count_++];
  p = {};
  p.kind = kind;
  p.x = p.previous_x = std::clamp(x, -kFieldHalfWidth + 16.0f, kFieldHalfWidth - 16.0f);
  p.y = p.previous_y = y;
  p.vy = -1.6f;
  p.drawn_in = drawn_in;
}

void Pickups::move(Pickup& p, const Ship& ship) const {
  ++p.age;
  const float dx = ship.x() - p.x, dy = ship.y() - p.y;
  const float far = length(dx, dy);
  if (ship.there() && (ship.magnet_left() > 0.0f || far < kDraw)) p.drawn_in = true;
  if (!ship.there()) p.drawn_in = false;
  if (p.drawn_in && p.age > 20 && far > 1.0f) {
    const float pace = std::min(far, 9.0f);
    p.x += dx / far * pace;
    p.y += dy / far * pace;
  } else {
    p.vy = std::min(p.vy + 0.035f, 1.5f);
    p.y += p.vy;
  }
}

void Pickups::spawn() {
  for (u32 i = 0; i < birth_count_; ++i) {
    objects_.add(births_[i]);
  }
  birth_count_ = 0;
}

void Pickups::add_to(StateHash& hash) const {
  objects_.add_to(hash,
                  [](StateHash& h, const Pickup& p) { h.add(p.spawn_id, p.x, p.y, p.vy, p.age, p.kind, p.drawn_in); });
}

// ------------------------------------------------------------------------------------------------------- texts

void Texts::add(u32 points, float x, float y) {
  for (const auto& entry : objects_.list()) {
    const auto held = objects_.get(entry.handle);
    Text& text = *held;
    const float dx = text.x - x, dy = text.y - y;
    if (text.gone || text.age > kMerge_steps || dx * dx + dy * dy > kMerge * kMerge) continue;
    text.points += points;
    text.age = 0;
    return;
  }
  Text text;
  text.x = x;
  text.y = y;
  text.points = points;
  objects_.add(text);
}

void Texts::step() {
  objects_.change_each([](Text& text) {
    text.y -= 0.5f;
    if (++text.age >= kLife_steps) text.gone = true;
  });
}

u32 Texts::show(std::span<frame::ScoreText> into) const {
  u32 count = 0;
  for (const auto& entry : objects_.list()) {
    if (count >= into.size()) break;
    const auto held = objects_.peek(entry.handle);
    const Text& text = *held;
    into[count++] = {text.x, text.y, text.points, static_cast<float>(text.age) / static_cast<float>(kLife_steps)};
  }
  return count;
}

void Texts::add_to(StateHash& hash) const {
  objects_.add_to(hash, [](StateHash& h, const Text& t) { h.add(t.spawn_id, t.x, t.y, t.points, t.age); });
}

// ------------------------------------------------------------------------------------------------------- garden

Garden::Garden(u64 seed, const PoolChoice& choice)
    : objects_(choice), scroll_{.rng = Rng(mix64(seed ^ 0x67617264656eull))} {
  scroll_.top = kFieldHalfHeight;
  spawn();
}

void Garden::step(bool runs) {
  scroll_.moved = runs ? kSpeed : 0.0f;
  scroll_.top += scroll_.moved;
  objects_.change_each([&](Chunk& chunk) {
    chunk.y += scroll_.moved;
    chunk.gone = chunk.y > kFieldHalfHeight;
  });
}

void Garden::spawn() {
  // One more than reaches the upper edge, so that none comes into view as it is made.
  while (scroll_.top > -kFieldHalfHeight - frame::kGardenChunk) {
    Chunk chunk;
    u8 next =
        static_cast<u8>(scroll_.rng.below(scroll_.last == 255 ? frame::kGardenVariants : frame::kGardenVariants - 1));
    if (scroll_.last != 255 && next >= scroll_.last) ++next;
    scroll_.last = next;
    scroll_.top -= frame::kGardenChunk;
    chunk.y = scroll_.top;
    chunk.variant = next;
    objects_.add(chunk);
  }
}

std::span<const frame::GardenChunk> Garden::show(bool by_slot) {
  // Those of the highest ids are the uppermost. A pool too small for all leaves gaps; they are filled by the one above.
  u32 count = 0;
  const auto order = objects_.list();
  for (std::size_t i = order.size(); i-- > 0 && count < shown_.size();) {
    const auto held = objects_.peek(order[i].handle);
    const u8 variant = by_slot ? static_cast<u8>(order[i].handle.index % frame::kGardenVariants) : (*held).variant;
    shown_[count++] = {(*held).y, variant, order[i].handle.index};
  }
  return {shown_.data(), count};
}

void Garden::save(State& state) const {
  objects_.save(state.chunks);
  state.scroll = scroll_;
}

void Garden::restore(const State& state) {
  objects_.restore(state.chunks);
  scroll_ = state.scroll;
}

void Garden::add_to(StateHash& hash) const {
  // A pool too small to hold them all changes what is seen, and no more: hash what is drawn next, not what found room.
  hash.add(scroll_.rng.state(), scroll_.last, scroll_.top, objects_.next_spawn_id());
}

}  // namespace spellpool::sim
