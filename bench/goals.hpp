#pragma once
#include <string>
#include <vector>

namespace spellpool::bench {

/// A figure that we promise, and what it was in this run.
struct Goal {
  enum class Better { Higher, Lower };
  std::string id;    ///< "particles.step.5000": group, what, size.
  std::string what;  ///< One line that names both raw values.
  double goal = 0;
  double value = 0;
  std::string unit;  ///< "x" for a ratio.
  Better better = Better::Higher;

  bool ok() const { return better == Better::Higher ? value >= goal : value <= goal; }
};

/// "printf" into a string; cut at 511 bytes.
std::string text(const char* format, ...) __attribute__((format(printf, 1, 2)));
/// As a JSON string.
std::string quoted(const std::string& raw);
/// Adds one JSON object a line to the file; ./bench/run makes a list of the lines of all groups. False: could not write.
bool append_goals(const std::string& path, const std::vector<Goal>& goals);

}  // namespace spellpool::bench
