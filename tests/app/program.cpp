#include "program.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace spellpool::app {
namespace {

std::string slurp(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

std::size_t Outcome::error_lines() const { return static_cast<std::size_t>(std::count(err.begin(), err.end(), '\n')); }

void ProgramTest::SetUp() {
  std::string pattern = (std::filesystem::temp_directory_path() / "spellpool-test-XXXXXX").string();
  ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
  folder_ = pattern;
}

void ProgramTest::TearDown() {
  std::error_code ec;
  std::filesystem::remove_all(folder_, ec);
}

Outcome ProgramTest::shell(const std::string& command, const std::string& environment) {
  write(".script", "source '" SPELLPOOL_SOURCE_DIR "/tests/support/wait.bash'\ncd '" + folder_.string() + "'\nexport P='" SPELLPOOL_PROGRAM "' SDL_AUDIODRIVER=dummy XDG_DATA_HOME='" +
                       folder_.string() + "/data' XDG_CONFIG_HOME='" + folder_.string() + "/config' " + environment + "\n" + command + "\n");
  const int status = std::system(("bash '" + path(".script") + "' >'" + path(".out") + "' 2>'" + path(".err") + "' </dev/null").c_str());
  Outcome outcome;
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.out = slurp(path(".out"));
  outcome.err = slurp(path(".err"));
  return outcome;
}

Outcome ProgramTest::run(const std::string& arguments, const std::string& environment) {
  return shell("env -u DISPLAY -u WAYLAND_DISPLAY $P " + arguments, environment);
}

std::string ProgramTest::read(const std::string& name) const { return slurp(folder_ / name); }

void ProgramTest::write(const std::string& name, const std::string& text) const {
  std::filesystem::create_directories((folder_ / name).parent_path());
  std::ofstream(folder_ / name, std::ios::binary) << text;
}

nlohmann::json ProgramTest::read_json(const std::string& name) const {
  return nlohmann::json::parse(read(name), nullptr, false);
}

void ProgramTest::copy_data(const std::string& name) const {
  std::filesystem::create_directories(folder_ / name);
  for (const char* part : {"assets", "shaders"}) {
    std::filesystem::copy(std::filesystem::path(SPELLPOOL_SOURCE_DIR) / part, folder_ / name / part, std::filesystem::copy_options::recursive);
  }
}

bool have_command(const char* name) { return std::system((std::string("command -v ") + name + " >/dev/null 2>&1").c_str()) == 0; }

}  // namespace spellpool::app
