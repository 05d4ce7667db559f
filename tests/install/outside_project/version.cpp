// The macros say the version that the package says; PACKAGE_VERSION comes from find_package.
#include <cstdio>
#include <cstring>
#include <pool/pool.hpp>

static_assert(SPELLPOOL_VERSION_NUMBER >= 10000, "1.0.0");

int main() {
  char macros[32];
  std::snprintf(macros, sizeof macros, "%d.%d.%d", SPELLPOOL_VERSION_MAJOR, SPELLPOOL_VERSION_MINOR, SPELLPOOL_VERSION_PATCH);
  std::printf("pool/base.hpp says %s, the package says %s\n", macros, PACKAGE_VERSION);
  return std::strcmp(macros, PACKAGE_VERSION) == 0 ? 0 : 1;
}
