#include "measure/record/allocation_counter.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <thread>
#include <vector>

namespace spellpool::measure {
namespace {

/// What the calls in between added to this thread's counts.
class Added {
 public:
  AllocationCounts operator()() const {
    const AllocationCounts now = thread_allocations();
    return {now.new_calls - before_.new_calls, now.delete_calls - before_.delete_calls,
            now.new_bytes - before_.new_bytes};
  }

 private:
  AllocationCounts before_ = thread_allocations();
};

TEST(AllocationCounter, EveryFormOfNewAndDeleteIsCounted) {
  constexpr std::align_val_t kAlign{64};
  const Added added;
  ::operator delete(::operator new(10));
  ::operator delete[](::operator new[](10));
  ::operator delete(::operator new(10, std::nothrow), std::nothrow);
  ::operator delete[](::operator new[](10, std::nothrow), std::nothrow);
  ::operator delete(::operator new(10, kAlign), kAlign);
  ::operator delete[](::operator new[](10, kAlign), kAlign);
  ::operator delete(::operator new(10, kAlign, std::nothrow), kAlign, std::nothrow);
  ::operator delete[](::operator new[](10, kAlign, std::nothrow), kAlign, std::nothrow);
  u64 pairs = 8;
#if defined(__cpp_sized_deallocation)
  ::operator delete (::operator new(10), std::size_t{10});
  ::operator delete[](::operator new[](10), std::size_t{10});
  ::operator delete (::operator new(10, kAlign), std::size_t{10}, kAlign);
  ::operator delete[](::operator new[](10, kAlign), std::size_t{10}, kAlign);
  pairs += 4;
#endif
  const AllocationCounts counts = added();
  EXPECT_EQ(counts.new_calls, pairs);
  EXPECT_EQ(counts.delete_calls, pairs);
  EXPECT_EQ(counts.new_bytes, 10 * pairs);
}

TEST(AllocationCounter, AlignedMemoryIsAligned) {
  for (const std::size_t alignment : {std::size_t{16}, std::size_t{64}, std::size_t{4096}}) {
    void* memory = ::operator new (3, std::align_val_t{alignment});
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % alignment, 0u);
    ::operator delete (memory, std::align_val_t{alignment});
  }
}

TEST(AllocationCounter, DeletingNullCountsNothing) {
  const Added added;
  ::operator delete(nullptr);
  counted_free(nullptr);
  EXPECT_EQ(added().delete_calls, 0u);
}

TEST(AllocationCounter, MallocForImGuiCountsTheSame) {
  const Added added;
  counted_free(counted_malloc(33));
  EXPECT_EQ(added().new_calls, 1u);
  EXPECT_EQ(added().delete_calls, 1u);
  EXPECT_EQ(added().new_bytes, 33u);
}

TEST(AllocationCounter, StandardContainersAreSeen) {
  const Added added;
  {
    std::vector<int> numbers;
    numbers.reserve(1000);
    static const void* volatile seen = nullptr;  // Without it clang leaves the allocation out altogether.
    seen = numbers.data();
    EXPECT_NE(seen, nullptr);
    EXPECT_EQ(added().new_calls, 1u);
    EXPECT_GE(added().new_bytes, 4000u);
  }
  EXPECT_EQ(added().delete_calls, 1u);
}

TEST(AllocationCounter, EachThreadHasItsOwnCounts) {
  AllocationCounts other;
  std::thread([&] {
    for (int i = 0; i < 100; ++i) ::operator delete(::operator new(8));
    other = thread_allocations();
  }).join();
  const Added added;
  EXPECT_GE(other.new_calls, 100u);
  EXPECT_EQ(added().new_calls, 0u);
}

TEST(AllocationCounter, ARequestThatCannotBeMetThrowsOrGivesNull) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer's malloc ends the program instead";
#endif
  volatile std::size_t huge = ~std::size_t{0} / 2;
  EXPECT_THROW(static_cast<void>(::operator new(huge)), std::bad_alloc);
  EXPECT_EQ(::operator new(huge, std::nothrow), nullptr);
  EXPECT_EQ(::operator new (huge, std::align_val_t{64}, std::nothrow), nullptr);
}

}  // namespace
}  // namespace spellpool::measure
