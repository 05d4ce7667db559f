// Files that a stranger made, given to the program: what it says and writes can be read, and nothing of it is
// obeyed.
#include "../support/hostile_names.hpp"

#include <algorithm>

#include "program.hpp"

namespace spellpool::app {
namespace {

namespace fs = std::filesystem;

class HostileNames : public ProgramTest {
 protected:
  /// Everything that a run said and wrote, by name.
  std::vector<std::pair<std::string, std::string>> outputs(const Outcome& outcome,
                                                           const std::string& folder) const {
    std::vector<std::pair<std::string, std::string>> all = {{"standard output", outcome.out},
                                                            {"standard error", outcome.err}};
    std::error_code none;
    for (const fs::directory_entry& file : fs::directory_iterator(folder_ / folder, none)) {
      const std::string name = file.path().filename().string();
      all.emplace_back("name of a file", name);
      if (file.path().extension() != ".png") all.emplace_back(name, read(folder + "/" + name));
    }
    return all;
  }
  void expect_safe(const Outcome& outcome, const std::string& folder, const std::string& where) const {
    for (const auto& [name, text] : outputs(outcome, folder)) {
      EXPECT_EQ(test::unsafe_in(text), "") << name << ", " << where;
      const bool is_markup = name.ends_with(".html") || name.ends_with(".svg");
      EXPECT_FALSE(is_markup && text.find("<img") != std::string::npos) << name << ", " << where;
    }
  }
  /// A field of a CSV file.
  static std::string quoted(const std::string& text) {
    std::string field = "\"";
    for (const char c : text) field += c == '"' ? "\"\"" : std::string(1, c);
    return field + '"';
  }
};

TEST_F(HostileNames, InRecordingsOfOtherProgramsReachNoOutput) {
  int number = 0;
  for (const test::HostileName& name : test::hostile_names()) {
    const std::string csv = "n" + std::to_string(++number) + ".csv", out = "r" + std::to_string(number);
    std::string text = "//GameName=" + name.text.substr(0, name.text.find('\n')) +
                       "\nApplication,ProcessID,TimeInSeconds,msBetweenPresents\n";
    for (const std::string& process : {name.text, name.text, "other " + name.text})
      text += quoted(process) + ",1,0,10\n";
    write(csv, text);
    for (const std::string& more : {std::string(), std::string(" --process 'not there'")}) {
      const Outcome outcome = run("report " + csv + more + " --out " + out);
      EXPECT_EQ(outcome.exit_code, 2 * (!more.empty() || name.text.find('\0') != std::string::npos ||
                                        name.text.find('\n') != std::string::npos))
          << name.what << ": " << outcome.err;
      EXPECT_EQ(outcome.error_lines(), 1u) << name.what << ": " << outcome.err;
      EXPECT_LT(outcome.err.size(), 1'000u) << name.what;
      EXPECT_LT(outcome.out.size(), 1'000u) << name.what;
      expect_safe(outcome, out, name.what);
    }
  }
}

TEST_F(HostileNames, InAStoredComparisonReachNoOutput) {
  ASSERT_EQ(run("compare --scene storage --objects 1500 --quads 1 --steps 60 --out r").exit_code, 0);
  nlohmann::json run_json = read_json("r/run.json");
  int number = 0;
  for (const test::HostileName& name : test::hostile_names()) {
    const std::string folder = "c" + std::to_string(++number);
    fs::create_directory(folder_ / folder);
    fs::copy(folder_ / run_json["files"]["frames"].get<std::string>().insert(0, "r/"), folder_ / folder);
    nlohmann::json hostile = run_json;
    hostile["plan"]["a"] = hostile["plan"]["scene"] = name.text;
    hostile["plan"]["factors"] = {{"heap", name.text}};
    for (auto& [key, value] : hostile["environment"].items()) {
      if (value.is_string()) value = name.text;
    }
    write(folder + "/run.json", hostile.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
    const Outcome outcome = run("report " + folder + " --out " + folder + ".d");
    EXPECT_EQ(outcome.exit_code, 0) << name.what << ": " << outcome.err;
    EXPECT_LT(outcome.out.size(), 3'000u) << name.what;
    expect_safe(outcome, folder + ".d", name.what);
    hostile["arms"]["a"]["strategy"] = name.text;
    write(folder + "/run.json", hostile.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
    const Outcome refused = run("report " + folder + " --out " + folder + ".d");
    EXPECT_EQ(refused.exit_code, 2) << name.what;
    EXPECT_EQ(refused.error_lines(), 1u) << name.what << ": " << refused.err;
    expect_safe(refused, folder + ".d", name.what);
  }
}

TEST_F(HostileNames, InErrorsAboutFilesAreShownAndNotObeyed) {
  copy_data("data");
  const std::string spell = read("data/assets/spells/firebolt.toml"), sizes = read("data/assets/pools.toml"),
                    arena = read("data/assets/arena.toml");
  const std::string short_run = " --headless --sim-only --steps 1";
  for (const test::HostileName& name : test::hostile_names()) {
    // Each file, what is put into it, and the command that reads it.
    const struct {
      const char* file;
      std::string text, command;
    } cases[] = {
        {"commands", "1 " + name.text + " particles heap\n", "--commands commands" + short_run},
        {"commands", "1 strategy particles " + name.text + "\n", "--commands commands" + short_run},
        {"replay", "spellpool-replay " + name.text + "\n", "verify-replay replay"},
        {"replay", name.text, "--input replay" + short_run},
        {"recording.csv", name.text, "report recording.csv --out none"},
        {"data/assets/pools.toml", "[spells." + name.text + "]\n", "--data-dir data" + short_run},
        {"data/assets/spells/firebolt.toml", "title = '" + name.text + "'\n" + name.text + " = 1\n",
         "--data-dir data" + short_run},
        {"data/assets/arena.toml", "[emitter." + name.text + "]\n", "--data-dir data" + short_run},
    };
    for (const auto& one : cases) {
      write(one.file, one.text);
      const Outcome outcome = run(one.command);
      EXPECT_EQ(outcome.exit_code, 2) << one.command << ", " << name.what << ": " << outcome.err;
      EXPECT_EQ(outcome.error_lines(), 1u)
          << one.command << ", " << name.what << ": " << outcome.err.substr(0, 2'000);
      expect_safe(outcome, "none", std::string(one.command) + ", " + name.what);
    }
    write("data/assets/pools.toml", sizes);
    write("data/assets/spells/firebolt.toml", spell);
    write("data/assets/arena.toml", arena);
  }
}

TEST_F(HostileNames, OfFilesAndInTheEnvironmentAreShownAndNotObeyed) {
  for (const test::HostileName& name : test::hostile_names()) {
    // No shell word or path can hold these.
    if (name.text.find('\0') != std::string::npos || name.text.size() > 1'000) continue;
    std::string word = name.text;
    for (std::size_t at = 0; (at = word.find('\'', at)) != std::string::npos; at += 4)
      word.replace(at, 1, "'\\''");
    word = "'" + word + "'";
    for (const std::string& command :
         {"report " + word, "verify-replay " + word, "--scene " + word, "--list " + word,
          "--headless --sim-only --steps 1 --data-dir " + word, "compare --a " + word}) {
      const Outcome outcome = run(command);
      EXPECT_EQ(outcome.exit_code, 2) << command << outcome.err;
      EXPECT_EQ(outcome.error_lines(), 1u) << command << ": " << outcome.err;
      expect_safe(outcome, "none", command);
    }
    const Outcome window = shell("env -u WAYLAND_DISPLAY DISPLAY=" + word + " $P --steps 1");
    EXPECT_EQ(window.exit_code, 2);
    expect_safe(window, "none", "DISPLAY=" + word);
  }
}

}  // namespace
}  // namespace spellpool::app
