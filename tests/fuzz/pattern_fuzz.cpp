// The reader of pattern files under any bytes: no crash, errors of one line that name a file, and a book that keeps every promise
// of its table: ranges, rows, no endless split; the same in whatever order the files come. An input may be several files: each begins
// with a form feed and its name on a line.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "content/game/pattern_file.hpp"
#include "content/game/pattern_keys.hpp"
#include "core/one_line.hpp"

namespace {

using namespace spellpool;
using content::kShotKeys;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "pattern_fuzz: %s\n", what);
  std::abort();
}

std::vector<content::NamedText> files_of(std::string_view input) {
  std::vector<content::NamedText> files;
  std::string path = "fuzz.toml";
  while (files.size() < 32) {
    const auto end = std::min(input.find('\f'), input.size());
    if (end > 0 || input.size() == end) files.push_back({path, std::string(input.substr(0, end))});
    if (end == input.size()) break;
    input.remove_prefix(end + 1);
    const auto line = std::min(input.find('\n'), input.size());
    path = std::string(input.substr(0, line)) + ".toml";
    input.remove_prefix(std::min(line + 1, input.size()));
  }
  return files;
}

/// Ends of the table are doubles, what is read are floats.
bool within(float value, double low, double high) {
  return std::isfinite(value) && value >= static_cast<float>(low) && value <= static_cast<float>(high);
}

void check_shot(const frame::ShotDef& shot) {
  for (const content::ShotKey& key : kShotKeys) {
    std::visit(
        [&](auto member) {
          using Member = decltype(member);
          if constexpr (std::is_same_v<Member, float frame::ShotDef::*>) {
            expect(within(shot.*member, key.low, key.high), "a number is out of its range");
          } else if constexpr (std::is_same_v<Member, content::WholeFloat>) {
            const float value = shot.*(member.member);
            expect(within(value, key.low, key.high) && value == std::floor(value), "a whole number is none");
          } else if constexpr (std::is_same_v<Member, u32 frame::ShotDef::*>) {
            expect(shot.*member >= key.low && shot.*member <= key.high, "a whole number is out of its range");
          }
        },
        key.member);
  }
  expect(shot.hit_size <= shot.size, "a bullet hits beyond its outline");
}

/// Bullets that split on and on.
bool is_endless(const frame::PatternBook& book, std::size_t row, std::vector<int>& state) {
  if (state[row] != 0) return state[row] == 1;
  state[row] = 1;
  for (const auto& shots : book[row].shots) {
    for (const frame::ShotDef& shot : shots) {
      if (shot.split_into >= 0 && is_endless(book, static_cast<std::size_t>(shot.split_into), state)) return true;
    }
  }
  state[row] = 2;
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<content::NamedText> files = files_of(std::string_view(reinterpret_cast<const char*>(data), size));
  const content::PatternBookResult result = content::read_patterns(files);
  std::reverse(files.begin(), files.end());
  const content::PatternBookResult turned = content::read_patterns(files);
  expect(result.book.has_value() == turned.book.has_value(), "the order of the files counts");
  if (!result.book) {
    const bool named = std::any_of(files.begin(), files.end(), [&](const content::NamedText& file) {
      return result.error.rfind(one_line(file.path) + ":", 0) == 0;
    });
    expect(named, "the error does not name a file");
    expect(result.error.find_first_of("\n\r\x1b") == std::string::npos, "the error is no line");
    return 0;
  }
  expect(result.error.empty(), "a book and an error");
  const frame::PatternBook& book = *result.book;
  expect(book.size() <= frame::kMostPatterns, "too many patterns");
  std::vector<int> state(book.size(), 0);
  for (std::size_t row = 0; row < book.size(); ++row) {
    expect(book[row].name == (*turned.book)[row].name, "the order of the files changes the rows");
    expect(row == 0 || book[row - 1].name < book[row].name, "the rows are not by name");
    expect(content::find_pattern(book, book[row].name) == static_cast<i32>(row), "a pattern is not found");
    for (const auto& shots : book[row].shots) {
      expect(shots.size() <= frame::kMostShotsAPattern, "too many shots");
      for (const frame::ShotDef& shot : shots) {
        check_shot(shot);
        expect(shot.split_into >= -1 && shot.split_into < static_cast<i32>(book.size()), "it splits into nothing");
      }
    }
    expect(!is_endless(book, row, state), "an endless split");
  }
  return 0;
}
