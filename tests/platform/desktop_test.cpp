#include "platform/desktop.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "../support/until.hpp"

namespace spellpool::platform {
namespace {

namespace fs = std::filesystem;

TEST(Desktop, AFilesAddressKeepsEveryByteOfItsPath) {
  EXPECT_EQ(file_address("/home/a_b-c.d/~x"), "file:///home/a_b-c.d/~x");
  EXPECT_EQ(file_address("/a b/50%#?"), "file:///a%20b/50%25%23%3F");
  EXPECT_EQ(file_address("/é"), "file:///%C3%A9");
}

class OpenWithDesktop : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "spellpool-desktop-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    path_ = ::getenv("PATH");
  }
  void TearDown() override {
    ::setenv("PATH", path_.c_str(), 1);
    fs::remove_all(folder_);
  }
  fs::path folder_;
  std::string path_;
};

TEST_F(OpenWithDesktop, SaysThatNothingCanOpenIt) {
  ::setenv("PATH", folder_.c_str(), 1);
  const std::string line = open_with_desktop("/tmp/some report.html");
  EXPECT_NE(line.find("xdg-open"), std::string::npos);
  EXPECT_NE(line.find("/tmp/some report.html"), std::string::npos) << "so that it can be opened by hand";
  EXPECT_EQ(line.find('\n'), std::string::npos);
}

TEST_F(OpenWithDesktop, HandsOverTheAddress) {
  std::ofstream(folder_ / "xdg-open") << "#!/bin/sh\nprintf '%s' \"$1\" >'" << (folder_ / "asked").string() << ".part'\nmv '" << (folder_ / "asked").string() << ".part' '"
                                      << (folder_ / "asked").string() << "'\n";
  fs::permissions(folder_ / "xdg-open", fs::perms::owner_all);
  ::setenv("PATH", (folder_.string() + ":" + path_).c_str(), 1);
  EXPECT_EQ(open_with_desktop("/tmp/some report.html"), "");
  EXPECT_TRUE(test::until([&] { return fs::exists(folder_ / "asked"); }));
  std::ostringstream asked;
  asked << std::ifstream(folder_ / "asked").rdbuf();
  EXPECT_EQ(asked.str(), "file:///tmp/some%20report.html");
}

}  // namespace
}  // namespace spellpool::platform
