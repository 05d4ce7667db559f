#include "app/compare_arm.hpp"

#include <filesystem>

#include "measure/record/environment.hpp"
#include "sim/core/command_text.hpp"

namespace spellpool::app {
namespace {

namespace fs = std::filesystem;

#if defined(__EMSCRIPTEN__)
/// web/page/program.js maps the name to a program.
std::string find_library(std::string_view name) { return std::string(name); }
#else
/// Searches the folders of the dynamic linker on Debian and related distributions.
std::string find_library(std::string_view name) {
  std::error_code ignored;
  std::vector<fs::path> folders = {"/usr/local/lib", "/usr/lib64", "/usr/lib"};
  for (const auto& entry : fs::directory_iterator("/usr/lib", ignored)) {
    if (entry.path().filename().string().find("-linux-gnu") != std::string::npos) folders.push_back(entry.path());
  }
  for (const fs::path& folder : folders) {
    if (fs::exists(folder / name, ignored)) return (folder / name).string();
  }
  return "";
}
#endif

constexpr std::array<std::string_view, 2> kMemoryWords = {"frame_arena", "frame_heap"};  // of pool::MemorySource, which has a "heap" too

}  // namespace

std::string allocator_library(const AllocatorRow& row) {
  for (const std::string_view name : row.libraries) {
    if (name.empty()) continue;
    if (std::string path = find_library(name); !path.empty()) return path;
  }
  return "";
}

std::string parse_arm(const std::string& option, const std::string& text, CompareArm& arm) {
  std::size_t begin = 0, words = 0;
  bool only_strategy = true;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find('+', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    begin = end + 1;
    ++words;
    if (const auto strategy = find_by_name<pool::StrategyId>(pool::kStrategies, word)) {
      arm.strategy = *strategy;
      continue;
    }
    only_strategy = false;
    if (const auto policy = find_by_name<pool::PolicyId>(pool::kPolicies, word)) {
      arm.policy = *policy;
      continue;
    }
    bool found = false;
    if (word.starts_with(kVoicesWord)) {
      const std::string name = word.substr(kVoicesWord.size());
      if (const auto how = find_by_name<frame::VoicePolicy>(frame::kVoicePolicies, name))
        arm.voice_policy = *how, found = true;
      if (const auto where = find_by_name<frame::VoiceStorage>(frame::kVoiceStorages, name))
        arm.voice_storage = *where, found = true;
    }
    for (std::size_t i = 0; i < kMemoryWords.size() && !found; ++i) {
      if ((found = kMemoryWords[i] == word)) arm.memory = static_cast<pool::MemorySource>(i);
    }
    for (std::size_t i = 0; i < kAllocators.size() && !found; ++i) {
      if (!(found = kAllocators[i].name == word)) continue;
      arm.allocator = i;
      const std::string_view library = kAllocators[i].libraries[0];
      if (!library.empty() && allocator_library(kAllocators[i]).empty()) {
        return option + " " + text.substr(0, 60) + ": " + std::string(library) + " is not installed; apt-get install " +
               std::string(kAllocators[i].package);
      }
      if (!library.empty() && measure::capture_environment().sanitized) {
        return option + " " + text.substr(0, 60) +
               ": a build with sanitizers has an allocator of its own; compare allocators with a release build";
      }
    }
    if (found) continue;
    std::string names = "strategies " + sim::names_of(pool::kStrategies) + "; policies " +
                        sim::names_of(pool::kPolicies) + "; allocators " + sim::names_of(kAllocators) +
                        "; frame_arena, frame_heap; " + std::string(kVoicesWord) + " before " +
                        sim::names_of(frame::kVoiceStorages) + ", " + sim::names_of(frame::kVoicePolicies);
    return option + ": there is no '" + word.substr(0, 60) + "'; there are: " + names;
  }
  if (!only_strategy || words > 1) arm.label = text;
  return "";
}

bool different_work(const CompareArm& a, const CompareArm& b) {
  return a.policy != b.policy || a.voices().policy != b.voices().policy;
}

std::string arms_of(const std::string& topic, const CompareArm& base, std::vector<std::string>& words) {
  const std::string with(pool::row(base.strategy).name);
  if (topic == "strategies") {
    for (const pool::StrategyRow& row : pool::kStrategies) {
      if (row.id != base.strategy) words.emplace_back(row.name);
    }
  } else if (topic == "policies") {
    for (const pool::PolicyRow& row : pool::kPolicies) {
      if (row.id != base.policy.value_or(pool::PolicyId::Reject)) words.push_back(with + "+" + std::string(row.name));
    }
  } else if (topic == "allocators") {
    for (const AllocatorRow& row : kAllocators) {
      if (!row.libraries[0].empty() && !allocator_library(row).empty())
        words.push_back(with + "+" + std::string(row.name));
    }
    if (words.empty())
      return "--all allocators: none is installed; apt-get install libjemalloc2 libmimalloc-dev libtcmalloc-minimal4 "
             "libtbb-dev";
  } else if (topic == "memory") {
    words.push_back(with + "+frame_heap");
  } else if (topic == "voices") {
    for (const frame::VoiceStorageRow& row : frame::kVoiceStorages) {
      if (row.id != base.voices().storage) words.push_back(with + "+" + voices_word(row));
    }
  } else if (topic == "voice-policies") {
    for (const frame::VoicePolicyRow& row : frame::kVoicePolicies) {
      if (row.id != base.voices().policy) words.push_back(with + "+" + voices_word(row));
    }
  } else {
    return "--all: there is no '" + topic.substr(0, 60) + "'; there are: " + sim::names_of(kAllTopics);
  }
  return "";
}

}  // namespace spellpool::app
