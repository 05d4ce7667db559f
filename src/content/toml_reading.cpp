#include "content/toml_reading.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "content/text_file.hpp"

namespace spellpool::content {
namespace {

constexpr std::size_t kMaxLine_bytes = 4096;
constexpr int kMaxDotsInLine = 64;  // a.b.c.d is a table in a table in a table
constexpr int kMaxDepth = 16;       // of brackets; our files have three

/// Goes over the text once, knowing quotes and comments, and makes of it what the parser is given: nothing too deep,
/// and ASCII alone, letters beyond it as \uXXXX. For toml++ 3.3 runs into undefined behaviour where such a letter
/// stands in a key or a number.
class Scan {
 public:
  explicit Scan(std::string_view text) : text_(text) {}

  std::string run() {
    ascii_.reserve(text_.size());
    if (text_.substr(0, kByteOrderMark.size()) == kByteOrderMark) at_ = line_start_ = kByteOrderMark.size();
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\n') {
        next_line();
      } else if (at_ - line_start_ >= kMaxLine_bytes) {
        refuse(line_, "", fmt::format("the line is longer than {} bytes; break it up", kMaxLine_bytes));
      } else if (static_cast<unsigned char>(c) >= 0x80) {
        escape();
        continue;
      } else if (quote_ != 0) {
        inside_quotes(c);
      } else if (!comment_) {
        plain(c);
      }
      ascii_ += text_[at_];
    }
    return std::move(ascii_);
  }

 private:
  void next_line() {
    ++line_;
    line_start_ = at_ + 1;
    dots_ = 0;
    comment_ = false;
    if (!many_lines_) quote_ = 0;
  }
  bool is_next(char c) const { return at_ + 1 < text_.size() && text_[at_ + 1] == c; }
  bool three_quotes() const { return is_next(text_[at_]) && at_ + 2 < text_.size() && text_[at_ + 2] == text_[at_]; }
  void take(std::size_t count) {
    for (; count > 0; --count) ascii_ += text_[at_++];
  }

  void escape() {
    if (!comment_ && quote_ == 0) refuse(line_, "", "a letter that is not ASCII stands outside of quotes");
    if (!comment_ && quote_ == '\'') {
      refuse(line_, "", "a letter that is not ASCII stands in single quotes; write double ones");
    }
    const std::size_t bytes = utf8_bytes(text_.substr(at_));
    if (bytes == 0) refuse(line_, "", "not a text file: it is not UTF-8");
    u32 letter = static_cast<unsigned char>(text_[at_]) & (0x7fu >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) letter = letter << 6 | (static_cast<unsigned char>(text_[at_ + i]) & 0x3fu);
    ascii_ += bytes < 4 ? fmt::format("\\u{:04x}", letter) : fmt::format("\\U{:08x}", letter);
    at_ += bytes - 1;
  }

  void inside_quotes(char c) {
    if (c == '\\' && quote_ == '"') {
      if (at_ + 1 < text_.size() && static_cast<unsigned char>(text_[at_ + 1]) >= 0x80) {
        refuse(line_, "", "a backslash stands before a letter that is not ASCII; write two for one");
      }
      if (at_ + 1 < text_.size() && !is_next('\n')) take(1);
    } else if (c == quote_ && !many_lines_) {
      quote_ = 0;
    } else if (c == quote_ && three_quotes()) {
      take(2);
      for (int more = 0; more < 2 && is_next(c); ++more) take(1);  // """say "so"""""
      quote_ = 0;
      many_lines_ = false;
    }
  }

  void plain(char c) {
    if (c == '#') comment_ = true;
    if (c == '"' || c == '\'') {
      quote_ = c;
      many_lines_ = three_quotes();
      if (many_lines_) take(2);
    }
    if (c == '.' && ++dots_ > kMaxDotsInLine) {
      refuse(line_, "", fmt::format("the line has more than {} dots; break it up", kMaxDotsInLine));
    }
    if ((c == '[' || c == '{') && ++depth_ > kMaxDepth) {
      refuse(line_, "", fmt::format("more than {} brackets inside each other", kMaxDepth));
    }
    if (c == ']' || c == '}') depth_ = std::max(0, depth_ - 1);
  }

  std::string_view text_;
  std::string ascii_;
  std::size_t at_ = 0, line_start_ = 0;
  u32 line_ = 1;
  int dots_ = 0, depth_ = 0;
  char quote_ = 0;
  bool many_lines_ = false, comment_ = false;
};

}  // namespace

void refuse(u32 line, std::string_view path, std::string_view reason) {
  throw FileError{line, path.empty() ? std::string(reason) : fmt::format("{}: {}", path, reason)};
}
void refuse(const toml::node& node, std::string_view path, std::string_view reason) {
  refuse(line_of(node), path, reason);
}

u32 line_of(const toml::node& node) { return static_cast<u32>(node.source().begin.line); }

toml::table parse_toml(std::string_view text, std::string_view file_name, std::size_t max_bytes) {
  if (text.size() > max_bytes) refuse(1, "", fmt::format("the file is larger than {} bytes", max_bytes));
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) refuse(1, "", "the file is empty");
  if (const auto zero = text.find('\0'); zero != std::string_view::npos) {
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(zero), '\n');
    refuse(static_cast<u32>(line), "", "not a text file: it holds a zero byte");
  }
  return toml::parse(Scan(text).run(), file_name);
}

std::size_t utf8_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xc0u) == 0x80u; };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return text.empty() ? 0 : 1;
  if (first < 0xc2) return 0;
  if (first < 0xe0) return follows(1) ? 2 : 0;
  if (first < 0xf0) {
    if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0)) return 0;  // overlong; surrogates
    return follows(1) && follows(2) ? 3 : 0;
  }
  if (first > 0xf4 || (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90)) return 0;
  return follows(1) && follows(2) && follows(3) ? 4 : 0;
}

std::string error_line(std::string_view file_name, u32 line, std::string_view reason) {
  return one_line(fmt::format("{}:{}: {}", file_name, std::max(line, 1u), reason));
}

std::string in_marks(std::string_view text) {
  constexpr std::size_t kLongest = 32;
  if (text.size() <= kLongest) return fmt::format("'{}'", text);
  std::size_t cut = kLongest;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xc0u) == 0x80u) --cut;  // Not inside a UTF-8 sequence.
  return fmt::format("'{}…'", text.substr(0, cut));
}

std::string shown(const toml::node& node) {
  if (const auto* text = node.as_string()) return in_marks(text->get());
  if (const auto* whole = node.as_integer()) return fmt::format("{}", whole->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  if (node.is_array()) return "a list";
  if (node.is_table()) return "a table";
  return "a date or time";
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

double read_number(const toml::node& node, std::string_view path, double low, double high) {
  double value = 0;
  if (const auto* whole = node.as_integer()) {
    value = static_cast<double>(whole->get());
  } else if (const auto* number = node.as_floating_point()) {
    value = number->get();
  } else {
    refuse(node, path, fmt::format("{} is not a number", shown(node)));
  }
  if (!std::isfinite(value)) refuse(node, path, fmt::format("{} is not a finite number", shown(node)));
  if (value < low || value > high) {
    refuse(node, path, fmt::format("{} is out of range ({} … {})", shown(node), low, high));
  }
  return value;
}

u32 read_whole(const toml::node& node, std::string_view path, double low, double high) {
  if (node.as_integer() == nullptr) refuse(node, path, fmt::format("{} is not a whole number", shown(node)));
  return static_cast<u32>(read_number(node, path, low, high));
}

const toml::array& read_list(const toml::node& node, std::string_view path, std::string_view wanted) {
  const auto* list = node.as_array();
  if (list == nullptr) refuse(node, path, fmt::format("{} is not {}", shown(node), wanted));
  return *list;
}

bool read_flag(const toml::node& node, std::string_view path) {
  const auto* flag = node.as_boolean();
  if (flag == nullptr) refuse(node, path, fmt::format("{} is neither true nor false", shown(node)));
  return flag->get();
}

const std::string& read_title(const toml::node& node, std::string_view path, std::size_t max_bytes) {
  const auto* text = node.as_string();
  if (text == nullptr) refuse(node, path, fmt::format("{} is not text in quotes", shown(node)));
  if (text->get().empty() || text->get().size() > max_bytes) {
    refuse(node, path, fmt::format("{} bytes of text; 1 … {} fit", text->get().size(), max_bytes));
  }
  if (has_control_byte(text->get())) refuse(node, path, "holds a control character");
  return text->get();
}

bool is_plain_name(std::string_view name) {
  return !name.empty() && name.size() <= 32 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

}  // namespace spellpool::content
