#pragma once
// Runs the built program as a user would, in a scratch folder of the test's own.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

namespace spellpool::app {

struct Outcome {
  int exit_code = -1;
  std::string out, err;
  /// Lines of err.
  std::size_t error_lines() const;
};

class ProgramTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  /// The program with these arguments, in the scratch folder, without a display and with SDL's dummy sound.
  Outcome run(const std::string& arguments, const std::string& environment = "");
  /// A bash script; $P is the program. It may wait by the functions of tests/support/wait.bash.
  Outcome shell(const std::string& command, const std::string& environment = "");

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string read(const std::string& name) const;
  void write(const std::string& name, const std::string& text) const;
  nlohmann::json read_json(const std::string& name) const;
  /// A copy of assets/ and shaders/ to break, under NAME.
  void copy_data(const std::string& name) const;

  std::filesystem::path folder_;
};

bool have_command(const char* name);

}  // namespace spellpool::app
