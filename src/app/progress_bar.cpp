#include "app/progress_bar.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace spellpool::app {
namespace {

/// Nobody has to be there to see it: a closed stderr ends nothing.
void say(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace

void ProgressBar::show(double fraction, std::string_view text) {
  if (::isatty(2)) {
    constexpr int kCells = 28;
    const int full = static_cast<int>(fraction * kCells);
    std::string bar;
    for (int i = 0; i < kCells; ++i) bar += i < full ? "█" : "░";
    say(fmt::format("\r\x1b[K{} {:3.0f} %  {}", bar, fraction * 100.0, text));
  } else if (fraction >= next_) {
    say(fmt::format("{:3.0f} %  {}\n", fraction * 100.0, text));
    next_ = fraction + 0.1;
  }
}

void ProgressBar::line(const std::string& text) { say((::isatty(2) ? "\r\x1b[K" : "") + text + "\n"); }

ProgressBar::~ProgressBar() {
  if (::isatty(2)) say("\r\x1b[K");
}

}  // namespace spellpool::app
