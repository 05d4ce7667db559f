#include "app/replay/history.hpp"

#include <algorithm>
#include <array>

#include "core/assert.hpp"
#include "measure/record/phase_clock.hpp"

namespace spellpool::app {
namespace {

/// A command that changes what is computed. The others (how it is computed) stay as they are now when time turns back.
bool decides(const frame::SimCommand& command) {
  using Kind = frame::SimCommandKind;
  constexpr std::array kStay = {Kind::SetStrategy, Kind::SetFill, Kind::SetMemory, Kind::SetHeapAge,
                                Kind::SetForgetful};
  return std::ranges::find(kStay, command.kind) == kStay.end();
}

}  // namespace

History::History(const Limits& limits) : limits_(limits), near_(limits.every), inputs_(limits.steps + limits.every) {
  due_.reserve(64);
}

void History::forget() {
  while (!keyframes_.empty()) drop_oldest();
  for (State& state : near_) state.reset();
  commands_.clear();
  end_ = 0;
  too_large_ = false;
}

void History::note(const sim::GameWorld& world, const frame::InputFrame& pressed,
                   std::span<const frame::SimCommand> commands) {
  const u64 now = world.steps();
  if (now > end_) forget();  // steps are missing: not the world that was noted before
  if (now < end_) {
    while (!keyframes_.empty() && keyframes_.back()->steps() > now) {
      bytes_ -= keyframes_.back()->bytes();
      put_aside(std::move(keyframes_.back()));
      keyframes_.pop_back();
    }
    while (!commands_.empty() && commands_.back().step >= now) commands_.pop_back();
    for (State& state : near_) {
      if (state && state->steps() > now) put_aside(std::move(state));
    }
  }
  input(now) = pressed;
  for (const frame::SimCommand& command : commands) {
    if (decides(command)) commands_.push_back({now, command});
  }
  end_ = now + 1;
}

void History::keep_if_due(const sim::GameWorld& world) {
  const u64 now = world.steps();
  if (now < end_) return;  // it was turned back
  if (now > end_) forget();
  end_ = now;
  const u32 every = too_large_ ? kLargeEvery_steps : limits_.every;
  if (keyframes_.empty() ? now >= next_try_ : now >= keyframes_.back()->steps() + every) keep(world);
}

void History::keep(const sim::GameWorld& world) {
  State state = take_spare(world);
  const u64 begin_ns = measure::steady_now_ns();
  world.save(*state);
  save_us_ = static_cast<double>(measure::steady_now_ns() - begin_ns) * 1e-3;
  too_large_ = state->bytes() > kMostState_bytes;
  if (state->bytes() > limits_.bytes) {
    next_try_ = world.steps() + 10 * kLargeEvery_steps;
    forget();
    too_large_ = true;
    return;
  }
  bytes_ += state->bytes();
  keyframes_.push_back(std::move(state));
  if (too_large_) {
    for (State& near : near_) near.reset();
  }
  while (keyframes_.size() > 1 &&
         (too_large_ || bytes_ > limits_.bytes || world.steps() - keyframes_.front()->steps() > limits_.steps))
    drop_oldest();
}

/// Its memory is for the next one.
void History::put_aside(State state) {
  constexpr std::size_t kMost = 2;
  if (spare_.size() < kMost) spare_.push_back(std::move(state));
}

/// One that is not much larger than what it shall hold: memory follows the world.
History::State History::take_spare(const sim::GameWorld& world) {
  while (!spare_.empty()) {
    State state = std::move(spare_.back());
    spare_.pop_back();
    if (state->bytes() <= 2 * state_bytes()) return state;
  }
  return world.new_state();
}

void History::drop_oldest() {
  bytes_ -= keyframes_.front()->bytes();
  put_aside(std::move(keyframes_.front()));
  keyframes_.pop_front();
  const u64 first = keyframes_.empty() ? end_ : keyframes_.front()->steps();
  while (!commands_.empty() && commands_.front().step < first) commands_.pop_front();
}

std::optional<u64> History::first() const {
  if (keyframes_.empty() || too_large_) return std::nullopt;
  return keyframes_.front()->steps();
}

History::LastSteps History::last_steps(u64 now, u64 least) const {
  LastSteps last;
  const auto after = std::ranges::find_if(keyframes_, [&](const State& state) { return state->steps() + least > now; });
  if (after == keyframes_.begin()) return last;
  last.from = std::prev(after)->get();
  for (u64 step = last.from->steps(); step < now; ++step) {
    last.inputs.push_back(input(step));
    last.commands.emplace_back();
    for (auto at = std::ranges::lower_bound(commands_, step, {}, &Command::step);
         at != commands_.end() && at->step == step; ++at) {
      last.commands.back().push_back(at->command);
    }
  }
  return last;
}

void History::turn_back(sim::GameWorld& world, u64 step) {
  SPELLPOOL_ASSERT(first() && step >= *first() && step <= end_);
  State& close = near_[step % near_.size()];
  if (close && close->steps() == step) return world.restore(*close);
  const auto after = std::ranges::find_if(keyframes_, [&](const State& state) { return state->steps() > step; });
  world.restore(**std::prev(after));
  // The steps that come next on the way back are kept as they pass.
  while (world.steps() < step) {
    play(world);
    if (step - world.steps() >= near_.size()) continue;
    State& state = near_[world.steps() % near_.size()];
    if (!state) state = take_spare(world);
    world.save(*state);
  }
}

/// The world's next step, as it was.
void History::play(sim::GameWorld& world) {
  const u64 now = world.steps();
  due_.clear();
  const auto first = std::ranges::lower_bound(commands_, now, {}, &Command::step);
  for (auto at = first; at != commands_.end() && at->step == now; ++at) due_.push_back(at->command);
  world.step(input(now), due_);
}

}  // namespace spellpool::app
