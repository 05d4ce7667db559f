// Feeds the kept inputs of one fuzz target, beginnings of them and changed copies through the same function that
// libFuzzer calls. A broken promise aborts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "core/rng.hpp"

/// The folder of the kept inputs: each program has its own.
extern const char* const kFuzzCorpus;
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using namespace spellpool;

void feed(const std::string& text) {
  // An array of exactly this size, so that ASan sees a read past its end.
  const std::vector<std::uint8_t> bytes(text.begin(), text.end());
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

std::vector<std::string> corpus() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(kFuzzCorpus)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return texts;
}

constexpr std::size_t kTriesPerFile = 40;

TEST(FuzzCorpus, EveryInputHoldsThePromises) {
  const auto texts = corpus();
  ASSERT_FALSE(texts.empty()) << kFuzzCorpus << " is empty";
  for (const std::string& text : texts) feed(text);
}

TEST(FuzzCorpus, EveryBeginningOfAnInputHoldsThem) {
  for (const std::string& text : corpus()) {
    const std::size_t step = std::max<std::size_t>(1, text.size() / kTriesPerFile);
    for (std::size_t length = 0; length < text.size(); length += step) feed(text.substr(0, length));
  }
}

TEST(FuzzCorpus, ChangedInputsHoldThem) {
  Rng rng(17);
  for (const std::string& text : corpus()) {
    if (text.empty()) continue;
    for (std::size_t i = 0; i < kTriesPerFile; ++i) {
      std::string changed = text;
      for (u32 n = 1 + rng.below(3); n > 0; --n) {
        const u32 at = rng.below(static_cast<u32>(changed.size()));
        const u32 how = rng.below(4);
        if (how == 0) changed[at] = static_cast<char>(rng.below(256));
        if (how == 1) changed[at] = static_cast<char>(changed[at] ^ (1 << rng.below(8)));
        if (how == 2) changed.insert(at, changed, rng.below(static_cast<u32>(changed.size())), rng.below(24));
        if (how == 3 && changed.size() > 24) changed.erase(at, rng.below(24));
        if (changed.empty()) changed = text;
      }
      feed(changed);
    }
  }
}

}  // namespace
