// Suites that end in every way; suites_test.sh looks at what CTest makes of them.
#include <gtest/gtest.h>

#include <cstdlib>

namespace {

TEST(Passes, A) {}
TEST(Passes, DISABLED_B) {}
TEST(PassesAndSkips, A) {}
TEST(PassesAndSkips, B) { GTEST_SKIP(); }
TEST(Skips, A) { GTEST_SKIP(); }
TEST(Skips, B) { GTEST_SKIP(); }
TEST(SkipsAndIsDisabled, A) { GTEST_SKIP(); }
TEST(SkipsAndIsDisabled, DISABLED_B) {}
TEST(IsDisabled, DISABLED_A) { FAIL(); }
TEST(Fails, A) { FAIL(); }
TEST(FailsAndSkips, A) { FAIL(); }
TEST(FailsAndSkips, B) { GTEST_SKIP(); }
TEST(SkipsAndEnds, A) { GTEST_SKIP(); }
TEST(SkipsAndEnds, B) { std::_Exit(1); }

class Numbers : public testing::TestWithParam<int> {};
TEST_P(Numbers, AreSmall) { EXPECT_LT(GetParam(), 2); }
INSTANTIATE_TEST_SUITE_P(Small, Numbers, testing::Values(0, 1));
INSTANTIATE_TEST_SUITE_P(Large, Numbers, testing::Values(1, 2));

template <class T>
class OfTypes : public testing::Test {};
using Types = testing::Types<int, char>;
TYPED_TEST_SUITE(OfTypes, Types);
TYPED_TEST(OfTypes, AreWide) { EXPECT_GT(sizeof(TypeParam), 1u); }

}  // namespace
