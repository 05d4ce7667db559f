#pragma once
#include <string>
#include <string_view>

namespace spellpool::app {

/// A line on stderr that is drawn over itself on a terminal, and now and then a plain line elsewhere.
class ProgressBar {
 public:
  ProgressBar() = default;
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// `fraction` 0 … 1.
  void show(double fraction, std::string_view text);
  /// A line that stays, above the bar.
  void line(const std::string& text);

 private:
  double next_ = 0;
};

}  // namespace spellpool::app
