#include "app/replay_files.hpp"

#include <algorithm>
#include <filesystem>

#include "content/text_file.hpp"

namespace spellpool::app {
namespace {

constexpr std::size_t kMostFile_bytes = std::size_t{1} << 20;

}  // namespace

std::string installed_files(const std::string& data_dir, std::vector<sim::ReplayFile>& files) {
  for (const std::string folder : {"assets/patterns", "assets/spells", "assets/stages"}) {
    std::vector<std::string> names;
    std::error_code gone;
    for (const auto& entry : std::filesystem::directory_iterator(data_dir + "/" + folder, gone)) {
      if (entry.path().extension() == ".toml") names.push_back(folder + "/" + entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    for (std::string& name : names) {
      const content::TextResult file = content::read_text(data_dir + "/" + name, kMostFile_bytes);
      if (!file.text) return file.error;
      if (!sim::is_replay_file_name(name)) return content::one_line(name + ": a replay cannot name this file; give it a shorter, plain name");
      files.push_back({std::move(name), sim::replay_checksum(*file.text)});
    }
  }
  return {};
}

std::string check_files(const std::string& data_dir, const std::vector<sim::ReplayFile>& files) {
  for (const sim::ReplayFile& needed : files) {
    const content::TextResult file = content::read_text(data_dir + "/" + needed.name, kMostFile_bytes);
    if (!file.text) return "it needs " + needed.name + ", but " + file.error;
    if (sim::replay_checksum(*file.text) != needed.check) return "it was recorded with another " + needed.name + " than the one in " + data_dir;
  }
  return {};
}

}  // namespace spellpool::app
