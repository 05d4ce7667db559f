// What a pool says it holds is what the process grows by.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "storage_kinds.hpp"

namespace spellpool::pool {
namespace {

u64 resident_bytes() {
  unsigned long long all = 0, resident = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%llu %llu", &all, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  return resident * static_cast<u64>(sysconf(_SC_PAGESIZE));
}

struct Spark {
  float x, y, vx, vy;
  u64 clock, clock_rate, spawn_id, last;
};

}  // namespace
template <>
struct FieldsOf<Spark> {
  using Hot = FieldList<&Spark::x, &Spark::y, &Spark::vx, &Spark::vy, &Spark::clock>;
  using Cold = FieldList<&Spark::clock_rate, &Spark::spawn_id, &Spark::last>;
};
namespace {

template <class Kind>
class ResidentMemory : public ::testing::Test {};
TYPED_TEST_SUITE(ResidentMemory, StorageKinds, KindNames);

TYPED_TEST(ResidentMemory, IsWhatBytesTells) {
#if defined(SPELLPOOL_POISON) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer keeps memory of its own";
#else
  // In a process of its own, where no earlier test has left memory to be used again.
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const u32 slots = row(TypeParam::kId).slow ? 6'000 : 200'000;
    const u32 pools = row(TypeParam::kId).slow ? 30 : 1;
    std::vector<typename TypeParam::template PoolOf<Spark>> all;
    all.reserve(pools);
    const u64 before = resident_bytes();
    u64 told = 0;
    for (u32 i = 0; i < pools; ++i) {
      auto& pool = all.emplace_back(slots);
      for (u32 k = 0; k < slots; ++k) pool.acquire(Spark{});
      told += pool.stats().bytes;
    }
    const double ratio = static_cast<double>(resident_bytes() - before) / static_cast<double>(told);
    std::fprintf(stderr, "%s: %.2f bytes a slot told, %.3f of it measured\n", std::string(row(TypeParam::kId).name).c_str(),
                 static_cast<double>(told) / slots / pools, ratio);
    _exit(ratio > 0.9 && ratio < 1.1 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
#endif
}

}  // namespace
}  // namespace spellpool::pool
