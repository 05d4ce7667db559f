#include "measure/report/escape.hpp"

#include <algorithm>

#include "core/one_line.hpp"

namespace spellpool::measure {
namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

}  // namespace

std::string html_text(std::string_view text) {
  std::string result;
  for (const char c : one_line(text)) {
    if (c == '&') result += "&amp;";
    else if (c == '<') result += "&lt;";
    else if (c == '>') result += "&gt;";
    else if (c == '"') result += "&quot;";
    else if (c == '\'') result += "&#39;";
    else result += c;
  }
  return result;
}

std::string markdown_text(std::string_view text) {
  const std::string line = one_line(text);
  std::string result;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool inside_word = i > 0 && i + 1 < line.size() && is_word(line[i - 1]) && is_word(line[i + 1]);
    const std::string_view rest = std::string_view(line).substr(i);
    bool marks = std::string_view("\\`*[]<>#|~&$").find(c) != std::string_view::npos;
    marks = marks || (c == '_' && !inside_word);  // free_list stays readable
    marks = marks || rest.substr(0, 3) == "://";  // GitHub links addresses by itself
    marks = marks || (c == '.' && i >= 3 && line.compare(i - 3, 3, "www") == 0);
    if (marks) result += '\\';
    result += c;
  }
  return result;
}

std::string markdown_code(std::string_view text) {
  const std::string line = one_line(text);
  std::size_t longest = 0, run = 0;
  for (const char c : line) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`'), gap = longest > 0 ? " " : "";
  return fence + gap + line + gap + fence;
}

std::string csv_field(std::string_view text) {
  std::string field = one_line(text);
  std::replace_if(field.begin(), field.end(), [](char c) { return c == ',' || c == '"'; }, ' ');
  return field;
}

std::string file_word(std::string_view text) {
  std::string word;
  for (const char c : text) word += is_word(c) || c == '_' || c == '+' || c == '-' ? c : '_';
  return word.substr(0, 60);
}

}  // namespace spellpool::measure
