// What misuse() reports in debug builds only (SPELLPOOL_ASSERTS).
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "pool/exhibits.hpp"
#include "pool/switchable_pool.hpp"

namespace {

struct Sample {
  char tag;
  float weight;  // after padding
};
struct Ember {
  float heat;
  Sample sample;
};

}  // namespace

template <>
struct spellpool::pool::FieldsOf<Ember> {
  using Hot = FieldList<&Ember::heat>;
  using Cold = FieldList<&Ember::sample>;
};

namespace spellpool::pool {
namespace {

/// Collects the messages instead of ending the program.
class Messages {
 public:
  Messages() : before_(set_misuse_handler([](const char* text) { seen().emplace_back(text); })) { seen().clear(); }
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;
  ~Messages() { set_misuse_handler(before_); }
  std::size_t count() const { return seen().size(); }
  bool last_says(const char* words) const { return !seen().empty() && seen().back().find(words) != std::string::npos; }

 private:
  static std::vector<std::string>& seen() {
    static std::vector<std::string> messages;
    return messages;
  }
  MisuseHandler before_;
};

template <class Pool>
class ColdFields : public testing::Test {};
using FieldWisePools = testing::Types<DensePool<Ember>, SoaPool<Ember>>;
TYPED_TEST_SUITE(ColdFields, FieldWisePools);

TYPED_TEST(ColdFields, AWalkThatChangesOneIsReported) {
  TypeParam pool(100);
  for (u32 i = 0; i < 10; ++i) pool.acquire(1.0f, Sample{'a', 2.0f});
  const Messages messages;
  pool.for_each([](Ember& ember) { ember.heat += 1; });
  EXPECT_EQ(pool.release_if([](Ember& ember) { return (ember.heat += 1) < 0; }), 0u);
  EXPECT_EQ(pool.release_if([](const Ember& ember) { return ember.sample.tag == 'b'; }), 0u);
  EXPECT_EQ(messages.count(), 0u);
  pool.for_each([](Ember& ember) { ember.sample.weight = 3.0f; });
  EXPECT_EQ(messages.count(), 10u);
  EXPECT_TRUE(messages.last_says("Cold"));
  pool.release_if([](Ember& ember) { return ember.sample.tag = 'b', false; });
  EXPECT_EQ(messages.count(), 20u);
}

TEST(ColdFields, AreChangedThroughGet) {
  DensePool<Ember> pool(10);
  const auto handle = pool.acquire(1.0f, Sample{'a', 2.0f});
  const Messages messages;
  if (auto ember = pool.get(handle)) ember->sample.tag = 'b';
  EXPECT_EQ(pool.peek(handle)->sample.tag, 'b');
  EXPECT_EQ(messages.count(), 0u);
}

TEST(SwitchablePool, AStrategyThatIsNotOfferedIsReported) {
  struct Plain {
    int value;
  };
  const Messages messages;
  SwitchablePool<Plain> pool(StrategyId::Random, 10);
  EXPECT_EQ(messages.count(), 1u);
  EXPECT_TRUE(messages.last_says("does not offer"));
  EXPECT_EQ(pool.strategy(), StrategyId::Packed);
  EXPECT_FALSE(pool.set_strategy(StrategyId::Dense));  // no FieldsOf
  EXPECT_EQ(messages.count(), 2u);
  EXPECT_FALSE(pool.offers(StrategyId::Queue));
  EXPECT_TRUE(pool.set_strategy(StrategyId::Bitmap));
  EXPECT_TRUE(SwitchablePool<Ember>(StrategyId::Dense, 10).offers(StrategyId::Dense));
  EXPECT_EQ(messages.count(), 2u);
}

// In every build.
TEST(Capacity, ANegativeNumberIsRefused) {
  const Messages messages;
  BitmapPool<Ember> bitmap(static_cast<u32>(-1));
  DensePool<Ember> dense(PoolSize{.capacity = kMaxCapacity + 1});
  EXPECT_EQ(messages.count(), 2u);
  EXPECT_TRUE(messages.last_says("negative"));
  EXPECT_EQ(bitmap.capacity(), 0u);
  EXPECT_FALSE(bitmap.acquire(1.0f, Sample{}));
  EXPECT_LT(dense.stats().bytes, 2000u);
  BitmapPool<Ember> pool(10);
  EXPECT_FALSE(pool.set_capacity(static_cast<u32>(-1)));
  EXPECT_EQ(messages.count(), 3u);
  EXPECT_EQ(pool.capacity(), 10u);
}

TEST(At, ReturnsTheObjectAndEndsTheProgramWithoutOne) {
  BitmapPool<Ember> pool(10);
  const auto handle = pool.acquire(1.0f, Sample{'a', 2.0f});
  pool.at(handle).heat = 5.0f;
  EXPECT_EQ(std::as_const(pool).at(handle).heat, 5.0f);
  EXPECT_EQ(pool.release(handle), ReleaseResult::Released);
  EXPECT_DEATH(pool.at(handle).heat = 1.0f, "at\\(\\): the handle is null, stale");
  EXPECT_DEATH(pool.at({}).heat = 1.0f, "Use get\\(\\)");
}

}  // namespace
}  // namespace spellpool::pool
