#include "core/one_line.hpp"

#include <gtest/gtest.h>

#include "../support/hostile_names.hpp"

namespace spellpool {
namespace {

TEST(OneLine, KeepsEveryCharacterThatIsShown) {
  for (const char* text : {"", "free_list", "Füße · 名前 · 🎆", "عربي \xe2\x80\x8f", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_EQ(one_line(text), text);
    EXPECT_TRUE(is_one_line(text)) << text;
  }
}

TEST(OneLine, ReplacesWhatATerminalWouldObey) {
  using namespace std::string_literals;
  const struct {
    std::string text, line;
  } cases[] = {{"a\nb\tc\r", "a?b?c?"},
               {"\x1b]0;x\x07", "?]0;x?"},
               {"\x7f", "?"},
               {"\xc2\x9b"
                "31m",
                "?31m"},
               {"a\0b"s, "a?b"},
               {"\xe2\x80\xae"
                "a\xe2\x81\xa9",
                "?a?"},
               {"\xe2\x80\xa8\xe2\x80\xa9", "??"},
               {"\xff\xc3(",
                "?"
                "?("},
               {"\xe2\x82", "??"},
               {"\xed\xa0\x80", "???"},
               {"\xc0\xaf", "??"},
               {"\xf4\x90\x80\x80", "????"}};
  for (const auto& one : cases) {
    EXPECT_EQ(one_line(one.text), one.line);
    EXPECT_FALSE(is_one_line(one.text)) << one.line;
  }
}

TEST(OneLine, IsSafeForEveryHostileName) {
  for (const test::HostileName& name : test::hostile_names()) {
    const std::string line = one_line(name.text);
    EXPECT_EQ(test::unsafe_in(line), "") << name.what;
    EXPECT_EQ(line.find('\n'), std::string::npos) << name.what;
    EXPECT_TRUE(is_one_line(line)) << name.what;
  }
}

TEST(OneLine, ClipsAtACharacter) {
  EXPECT_EQ(clipped("Füße", 4), "Füße");
  EXPECT_EQ(clipped("Füße!", 4), "Füß…");
  EXPECT_EQ(clipped("\xff\xff\xff", 2), "\xff…");
  EXPECT_EQ(clipped("", 3), "");
}

}  // namespace
}  // namespace spellpool
