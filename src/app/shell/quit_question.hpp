#pragma once
#include <string>

#include "frame/settings.hpp"
#include "platform/clock.hpp"

namespace spellpool::app {

/// Escape ends the program only when it is pressed twice within four seconds.
class QuitQuestion {
 public:
  /// Escape was pressed. True: the program is to end. False: show words().
  bool press() {
    const bool again = asks();
    until_ns_ = platform::now_ns() + kShown_ns;
    return again;
  }
  /// The question is still shown.
  bool asks() const { return platform::now_ns() < until_ns_; }
  void take_back() { until_ns_ = 0; }
  static std::string words(const frame::Settings& settings) {
    return "Press " + settings.bindings[static_cast<std::size_t>(frame::Action::Quit)].key + " again to quit";
  }

 private:
  static constexpr i64 kShown_ns = 4'000'000'000;
  i64 until_ns_ = 0;
};

}  // namespace spellpool::app
