#include "measure/record/data_caches.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>

namespace spellpool::measure {
namespace {

std::string word_in(const std::string& path) {
  std::ifstream file(path);
  std::string word;
  file >> word;
  return word;
}

/// "32K", "8M", "512": bytes; 0 if it is none.
u64 cache_size_of(const std::string& text) {
  u64 value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return 0;
  const char unit = end == text.data() + text.size() ? ' ' : *end;
  return unit == 'K' ? value << 10 : unit == 'M' ? value << 20 : unit == 'G' ? value << 30 : value;
}

std::vector<DataCache> caches_by_sysconf() {
  std::vector<DataCache> caches;
#if defined(_SC_LEVEL1_DCACHE_SIZE)
  const std::array<int, 4> names = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE,
                                    _SC_LEVEL4_CACHE_SIZE};
  for (u32 i = 0; i < names.size(); ++i) {
    const long bytes = sysconf(names[i]);
    if (bytes > 0) caches.push_back({i + 1, static_cast<u64>(bytes)});
  }
#endif
  return caches;
}

}  // namespace

std::vector<DataCache> data_caches_in(const std::string& folder) {
  std::vector<DataCache> caches;
  constexpr u32 kMostIndices = 16;
  for (u32 i = 0; i < kMostIndices; ++i) {
    const std::string index = folder + "/index" + std::to_string(i) + "/";
    const std::string type = word_in(index + "type"), level = word_in(index + "level");
    if (type.empty()) break;
    if (type == "Instruction") continue;
    DataCache cache{0, cache_size_of(word_in(index + "size"))};
    std::from_chars(level.data(), level.data() + level.size(), cache.level);
    if (cache.bytes > 0) caches.push_back(cache);
  }
  std::sort(caches.begin(), caches.end(),
            [](const DataCache& a, const DataCache& b) { return a.level < b.level; });
  return caches;
}

std::vector<DataCache> data_caches() {
  std::vector<DataCache> caches = data_caches_in("/sys/devices/system/cpu/cpu0/cache");
  return caches.empty() ? caches_by_sysconf() : caches;
}

}  // namespace spellpool::measure
