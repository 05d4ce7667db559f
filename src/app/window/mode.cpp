#include "app/window/mode.hpp"

namespace spellpool::app {

Mode& Modes::at(ModeId id) {
  const std::size_t at = static_cast<std::size_t>(id);
  if (interrupts(id)) return *interruptions_[at];
  return *games_[at];
}

void Modes::begin_requested() {
  if (!requested_) return;
  const ModeId wanted = *requested_;
  if (!interrupts(wanted)) {
    if (interruption_) return;  // a stress test waits until the interruption is over
    requested_.reset();
    play(wanted);
    return;
  }
  const bool possible = leads_to(playing_, wanted) && (!interruption_ || *interruption_ == ModeId::Lab);
  const Mode::Begin answer = possible ? at(wanted).may_begin() : Mode::Begin::No;
  if (answer == Mode::Begin::Later) return;
  requested_.reset();
  if (answer == Mode::Begin::Yes) interrupt(wanted);
}

bool Modes::play(ModeId id) {
  if (!leads_to(playing_, id) || at(id).may_begin() != Mode::Begin::Yes) return false;
  playing_ = id;
  at(id).begin();
  return true;
}

void Modes::interrupt(ModeId id) {
  interruption_ = id;
  try {
    at(id).begin();
  } catch (...) {
    interruption_.reset();  // there is nothing to end
    throw;
  }
}

void Modes::settle(bool quits) {
  if (interruption_ && (quits || !interruptions_[static_cast<std::size_t>(*interruption_)]->goes_on()))
    end_interruption();
}

void Modes::end_interruption() {
  if (!interruption_) return;
  Interruption& mode = *interruptions_[static_cast<std::size_t>(*interruption_)];
  interruption_.reset();
  mode.end();
}

}  // namespace spellpool::app
