#pragma once
#include <string>
#include <string_view>

namespace spellpool::app {

/// A line on stderr that is drawn over itself on a terminal, and now and then a plain line elsewhere; or, for a
/// program that reads along, "progress FRACTION TEXT" whenever that has changed.
class ProgressBar {
 public:
  explicit ProgressBar(bool for_programs = false);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// `fraction` 0 … 1.
  void show(double fraction, std::string_view text);
  /// A line that stays, above the bar.
  void line(const std::string& text);

 private:
  bool for_programs_, on_terminal_;
  double next_ = 0;
  std::string said_;
};

}  // namespace spellpool::app
