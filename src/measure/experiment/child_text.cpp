// What is said about a child process; child_process.cpp runs one.
#include <cstring>
#include <string_view>

#include "measure/experiment/child_process.hpp"
#include "measure/record/output_file.hpp"

namespace spellpool::measure {

std::string ChildResult::text() const {
  switch (end) {
    case ChildEnd::Exited:
      return "ended with exit code " + std::to_string(code);
    case ChildEnd::Signalled:
      return "was killed by signal " + std::to_string(code) + " (" + strsignal(code) + ")";
    case ChildEnd::NotStarted:
      return std::string("could not be started: ") + std::strerror(code);
    case ChildEnd::Stopped:
      break;
  }
  return "was stopped";
}

std::string command_text(const std::vector<std::string>& argv) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%^";
  std::string text;
  for (const std::string& argument : argv) {
    if (!text.empty()) text += ' ';
    if (!argument.empty() && argument.find_first_not_of(kPlain) == std::string::npos) {
      text += argument;
      continue;
    }
    text += '\'';
    for (const char c : argument) {
      if (c == '\'') {
        text += "'\\''";
      } else {
        text += c;
      }
    }
    text += '\'';
  }
  return text;
}

std::string last_line_of(const std::string& log_path) {
  std::string text;
  read_whole_file(log_path, text);
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  if (last == std::string::npos) return "";
  text.resize(last + 1);
  const std::size_t before = text.find_last_of("\r\n");
  const std::string line = before == std::string::npos ? text : text.substr(before + 1);
  return line.substr(0, 300);
}

}  // namespace spellpool::measure
