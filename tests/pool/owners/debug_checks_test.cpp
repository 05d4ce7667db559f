// What misuse() reports in debug builds only (SPELLPOOL_ASSERTS).
#include <gtest/gtest.h>

#include <string>
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

}  // namespace
}  // namespace spellpool::pool
