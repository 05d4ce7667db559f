#include "app/learn/learn_card.hpp"

#include "core/one_line.hpp"
#include "measure/report/learn_card.hpp"
#include "platform/paths.hpp"

namespace spellpool::app {

std::string draw_learn_card(const frame::LessonResults& results, const std::string& path) {
  return measure::draw_learn_card(results, path);
}

std::string save_learn_card(const frame::LessonResults& results) {
  const platform::PathResult folder = platform::recordings_folder();
  std::string error = folder.error;
  if (error.empty()) error = platform::make_folder(folder.path);
  if (!error.empty()) return error;
  const std::string path = platform::free_name(folder.path, "learn_card", ".png").string();
  error = measure::draw_learn_card(results, path);
  return error.empty() ? "Saved: " + one_line(path) : error;
}

}  // namespace spellpool::app
