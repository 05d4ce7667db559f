#include "app/play/progress_bar.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "core/one_line.hpp"

namespace spellpool::app {
namespace {

/// Ignores write errors: a closed stderr does not end the comparison.
void say(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace

ProgressBar::ProgressBar(bool for_programs)
    : for_programs_(for_programs), on_terminal_(!for_programs && ::isatty(2) != 0) {}

void ProgressBar::show(double fraction, std::string_view told) {
  const std::string text = one_line(told);
  if (for_programs_) {
    std::string now = fmt::format("progress {:.4f} {}\n", fraction, text);
    if (now != said_) say(now);
    said_ = std::move(now);
  } else if (on_terminal_) {
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

void ProgressBar::line(const std::string& text) { say((on_terminal_ ? "\r\x1b[K" : "") + one_line(text) + "\n"); }

ProgressBar::~ProgressBar() {
  if (on_terminal_) say("\r\x1b[K");
}

}  // namespace spellpool::app
