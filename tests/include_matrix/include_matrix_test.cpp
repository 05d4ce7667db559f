#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <string>

#include "matrix.hpp"

namespace spellpool::include_matrix {
namespace {

namespace fs = std::filesystem;

std::string lines_of(const std::vector<std::string>& problems) {
  std::string text;
  for (const std::string& problem : problems) text += problem + "\n";
  return text;
}

Matrix matrix_of_the_project() {
  const auto text = file_text(fs::path(SPELLPOOL_SOURCE_DIR) / "docs/ARCHITECTURE.md");
  EXPECT_TRUE(text) << "docs/ARCHITECTURE.md cannot be read";
  std::vector<std::string> problems;
  Matrix matrix = read_matrix(text.value_or(""), problems);
  EXPECT_TRUE(problems.empty()) << lines_of(problems);
  return matrix;
}

TEST(IncludeMatrix, EveryIncludeOfSrcIsAllowed) {
  const auto broken = broken_rules(matrix_of_the_project(), fs::path(SPELLPOOL_SOURCE_DIR) / "src");
  EXPECT_TRUE(broken.empty()) << lines_of(broken);
}

TEST(IncludeMatrix, EveryRoomLinksOnlyWhatItMayInclude) {
  const auto text = file_text(fs::path(SPELLPOOL_SOURCE_DIR) / "src/CMakeLists.txt");
  ASSERT_TRUE(text);
  const auto broken = broken_links(matrix_of_the_project(), *text);
  EXPECT_TRUE(broken.empty()) << lines_of(broken);
}

TEST(IncludeMatrix, TheTableHasEveryFolderOfSrc) {
  const Matrix matrix = matrix_of_the_project();
  for (const auto& entry : fs::directory_iterator(fs::path(SPELLPOOL_SOURCE_DIR) / "src")) {
    if (entry.is_directory()) {
      EXPECT_TRUE(matrix.rooms.count(entry.path().filename().string())) << entry.path();
    }
  }
}

TEST(IncludeMatrix, TheTableHasEverySubfolderOfSrcAndNoOther) {
  const fs::path source = fs::path(SPELLPOOL_SOURCE_DIR) / "src";
  std::set<std::string> there;
  for (const auto& entry : fs::recursive_directory_iterator(source)) {
    const fs::path inside = entry.path().lexically_relative(source);
    if (entry.is_directory() && inside.has_parent_path()) there.insert(inside.generic_string());
  }
  std::set<std::string> rows;
  for (const auto& [subfolder, allowed] : matrix_of_the_project().subfolders) rows.insert(subfolder);
  EXPECT_EQ(rows, there);
}

TEST(IncludeMatrix, SimulationSoundAndMeasuringSeeNoWindowNoGlNoPanels) {
  const Matrix matrix = matrix_of_the_project();
  for (const char* room : {"core", "pool", "frame", "sim", "audio", "measure"}) {
    const Room& rule = matrix.rooms.at(room);
    EXPECT_FALSE(rule.everything) << room;
    for (const char* library : {"sdl2", "gl", "imgui", "imgui_backends"}) EXPECT_FALSE(rule.libraries.count(library)) << room;
    for (const char* other : {"render", "ui", "platform", "app"}) EXPECT_FALSE(rule.rooms.count(other)) << room;
  }
  EXPECT_FALSE(matrix.rooms.at("render").rooms.count("sim"));
  EXPECT_FALSE(matrix.rooms.at("ui").rooms.count("pool"));
}

/// A little source tree with a table of its own, in which includes are planted.
class PlantedInclude : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "spellpool_include_matrix_XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    source_ = name;
  }
  void TearDown() override { fs::remove_all(source_); }

  std::vector<std::string> broken_after(const fs::path& file, const std::string& text) {
    fs::create_directories((source_ / file).parent_path());
    std::ofstream(source_ / file) << text;
    std::vector<std::string> problems;
    const Matrix matrix = read_matrix(
        "| folder | what lives there | may include | outside libraries |\n"
        "|---|---|---|---|\n"
        "| `src/core` | words | – | `std` |\n"
        "| `src/pool` | words | `core` | `std` |\n"
        "| `src/render` | words | `core` | `std` `gl` |\n"
        "| `src/app` | words | all | all |\n"
        "\n"
        "| subfolder | may include of its room |\n"
        "|---|---|\n"
        "| `render/gl` | – |\n"
        "| `render/cpu` | `render/gl` |\n"
        "\n"
        "| library | headers |\n"
        "|---|---|\n"
        "| `std` | every `<name>` |\n"
        "| `gl` | `epoxy/` |\n"
        "| `sdl2` | `SDL.h` `SDL_*` |\n",
        problems);
    EXPECT_TRUE(problems.empty()) << lines_of(problems);
    return broken_rules(matrix, source_);
  }

  fs::path source_;
};

TEST_F(PlantedInclude, AllowedOnesPass) {
  EXPECT_TRUE(broken_after("render/a.cpp", "#include \"render/a.hpp\"\n#include <vector>\n#include \"core/types.hpp\"\n"
                                           "#include <epoxy/gl.h>\n// #include \"pool/pool.hpp\"\n")
                  .empty());
  EXPECT_TRUE(broken_after("app/main.cpp", "#include \"pool/pool.hpp\"\n#include <SDL.h>\n").empty());
}

TEST_F(PlantedInclude, AForbiddenRoomIsNamedWithFileLineAndRule) {
  const auto broken = broken_after("render/deep/a.hpp", "#pragma once\n\n  #  include \"pool/pool.hpp\"  // quick fix\n");
  ASSERT_EQ(broken.size(), 1u) << lines_of(broken);
  EXPECT_EQ(broken[0].find("src/render/deep/a.hpp:3: "), 0u) << broken[0];
  EXPECT_NE(broken[0].find("render may include the rooms: core"), std::string::npos) << broken[0];
}

TEST_F(PlantedInclude, AnUpwardArrowIsSeen) { EXPECT_EQ(broken_after("core/a.hpp", "#include \"pool/pool.hpp\"\n").size(), 1u); }

TEST_F(PlantedInclude, ASubfolderIncludesOnlyThoseOfItsRow) {
  EXPECT_TRUE(broken_after("render/cpu/a.cpp", "#include \"render/cpu/a.hpp\"\n#include \"render/gl/b.hpp\"\n#include \"render/view.hpp\"\n").empty());
  EXPECT_TRUE(broken_after("render/renderer.cpp", "#include \"render/cpu/a.hpp\"\n").empty());
  const auto broken = broken_after("render/gl/b.hpp", "#include \"render/cpu/a.hpp\"\n");
  ASSERT_EQ(broken.size(), 1u);
  EXPECT_NE(broken[0].find("render/gl may include of its room: nothing"), std::string::npos) << broken[0];
}

TEST_F(PlantedInclude, ASubfolderWithoutARowIsRefused) {
  EXPECT_EQ(broken_after("render/new/a.cpp", "#include \"render/gl/b.hpp\"\n").size(), 1u);
}

TEST_F(PlantedInclude, AForbiddenLibraryIsNamed) {
  const auto broken = broken_after("pool/a.hpp", "#include <SDL_video.h>\n");
  ASSERT_EQ(broken.size(), 1u);
  EXPECT_NE(broken[0].find("belongs to sdl2"), std::string::npos) << broken[0];
}

TEST_F(PlantedInclude, AHeaderOfNoKnownLibraryIsRefusedEvenInApp) {
  EXPECT_EQ(broken_after("app/a.cpp", "#include <boost/pool/pool.hpp>\n").size(), 1u);
}

TEST_F(PlantedInclude, RelativePathsAnglesAndMacrosDoNotHideAnything) {
  EXPECT_EQ(broken_after("render/a.cpp", "#include \"../pool/pool.hpp\"\n").size(), 1u);
  EXPECT_EQ(broken_after("render/a.cpp", "#include <pool/pool.hpp>\n").size(), 1u);
  EXPECT_EQ(broken_after("render/a.cpp", "#include HEADER\n").size(), 1u);
  EXPECT_EQ(broken_after("render/a.cpp", "#include \"pool.hpp\"\n").size(), 1u);
}

TEST_F(PlantedInclude, AFileOutsideEveryRoomIsRefused) {
  EXPECT_EQ(broken_after("extras/a.cpp", "#include <vector>\n").size(), 1u);
}

TEST(MatrixTable, MistakesInTheTableAreProblems) {
  std::vector<std::string> problems;
  read_matrix("# nothing\n", problems);
  EXPECT_EQ(problems.size(), 2u) << lines_of(problems);
  problems.clear();
  read_matrix(
      "| folder | what lives there | may include | outside libraries |\n|---|---|---|---|\n"
      "| `src/core` | words | `pol` | `sdt` |\n\n| library | headers |\n|---|---|\n| `std` | |\n",
      problems);
  EXPECT_EQ(problems.size(), 2u) << lines_of(problems);
}

TEST(MatrixTable, ALinkThatTheTableForbidsIsNamed) {
  std::vector<std::string> problems;
  const Matrix matrix = read_matrix(
      "| folder | what lives there | may include | outside libraries |\n|---|---|---|---|\n"
      "| `src/core` | words | – | `std` |\n| `src/ui` | words | `core` | `std` |\n\n"
      "| library | headers |\n|---|---|\n| `std` | |\n| `sdl2` | `SDL.h` |\n",
      problems);
  EXPECT_TRUE(broken_links(matrix, "spellpool_room(core)\nspellpool_room(ui ROOMS core)\n").empty());
  EXPECT_EQ(broken_links(matrix, "spellpool_room(core ROOMS ui)\n").size(), 1u);
  EXPECT_EQ(broken_links(matrix, "spellpool_room(ui ROOMS core LIBRARIES dep::sdl2)\n").size(), 1u);
}

}  // namespace
}  // namespace spellpool::include_matrix
