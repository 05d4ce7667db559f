#pragma once
#include <string>
#include <vector>

#include "core/types.hpp"

namespace spellpool::measure {

struct DataCache {
  u32 level = 0;
  u64 bytes = 0;
};

/// The caches of CPU 0 that hold data, by rising level: from /sys, or else from sysconf(). Empty where
/// neither tells, as in a browser.
std::vector<DataCache> data_caches();

/// The same from a folder like /sys/devices/system/cpu/cpu0/cache.
std::vector<DataCache> data_caches_in(const std::string& folder);

}  // namespace spellpool::measure
