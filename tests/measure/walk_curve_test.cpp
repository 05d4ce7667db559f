#include "measure/experiment/walk_curve.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "measure/record/data_caches.hpp"
#include "measure/report/learn_card.hpp"

namespace spellpool::measure {
namespace {

namespace fs = std::filesystem;

/// Every look at this clock takes 1 ms: times are the same on every machine.
u64 walk_clock_ns() {
  static u64 now = 0;
  return now += 1'000'000;
}

TEST(WalkCurve, MeasuresEverySizeAndArrangementInPieces) {
  WalkCurve curve({.most_bytes = 64 * 4'096, .now = walk_clock_ns});
  float progress = 0;
  int pieces = 0;
  while (curve.advance()) {
    ++pieces;
    EXPECT_GE(curve.progress(), progress);
    progress = curve.progress();
  }
  EXPECT_FLOAT_EQ(curve.progress(), 1);
  EXPECT_FALSE(curve.advance());
  ASSERT_EQ(curve.points().size(), 5u);
  EXPECT_GE(pieces, 5 * 3 * 9);
  u64 objects = kLeastWalkObjects;
  for (const frame::LessonWalkPoint& point : curve.points()) {
    EXPECT_EQ(point.objects, objects);
    objects *= 2;
    for (const frame::LessonSpread& spread : point.ns) {
      // One pass a round, since a pass takes longer than a round should: 1 ms for all objects.
      EXPECT_DOUBLE_EQ(spread.median, 1e6 / static_cast<double>(point.objects));
      EXPECT_LE(spread.low, spread.median);
      EXPECT_GE(spread.high, spread.median);
    }
  }
}

TEST(WalkCurve, ReachesBeyondTheLastCacheWithinBounds) {
  EXPECT_EQ(walk_bytes_for(32u << 20), u64{128} << 20);
  EXPECT_EQ(walk_bytes_for(u64{1} << 30), u64{128} << 20);
  EXPECT_EQ(walk_bytes_for(4u << 20), u64{16} << 20);
  EXPECT_EQ(walk_bytes_for(1u << 20), u64{8} << 20);
  EXPECT_GT(walk_bytes_for(0), 0u);
}

TEST(DataCaches, AreReadFromTheKernelsFolder) {
  const fs::path folder = fs::temp_directory_path() / "spellpool_data_caches_test";
  fs::remove_all(folder);
  const auto add = [&](int index, const char* level, const char* type, const char* size) {
    const fs::path at = folder / ("index" + std::to_string(index));
    fs::create_directories(at);
    std::ofstream(at / "level") << level << "\n";
    std::ofstream(at / "type") << type << "\n";
    std::ofstream(at / "size") << size << "\n";
  };
  EXPECT_TRUE(data_caches_in(folder.string()).empty());
  add(0, "1", "Data", "48K");
  add(1, "1", "Instruction", "32K");
  add(2, "3", "Unified", "36M");
  add(3, "2", "Unified", "2048K");
  const std::vector<DataCache> caches = data_caches_in(folder.string());
  ASSERT_EQ(caches.size(), 3u);
  EXPECT_EQ(caches[0].bytes, 48u << 10);
  EXPECT_EQ(caches[1].level, 2u);
  EXPECT_EQ(caches[1].bytes, 2u << 20);
  EXPECT_EQ(caches[2].bytes, 36u << 20);
  fs::remove_all(folder);
}

TEST(LearnCard, DrawsWhatThereIsAndNeverOverAFile) {
  const fs::path path = fs::temp_directory_path() / "spellpool_learn_card_test.png";
  fs::remove(path);
  EXPECT_EQ(draw_learn_card({}, path.string()), "");
  const auto empty_bytes = fs::file_size(path);
  EXPECT_NE(draw_learn_card({}, path.string()), "") << "there is a file";
  fs::remove(path);
  auto walks = std::make_shared<frame::LessonMeasurement>();
  walks->object_bytes = 64;
  for (u64 objects = 256; objects <= 65'536; objects *= 2)
    walks->points.push_back({objects, {{{3, 2, 4}, {1, 0.9, 1.1}, {0.2, 0.2, 0.3}}}});
  frame::LessonResults results{};
  results[0] = walks;
  auto bet = std::make_shared<frame::LessonMeasurement>();
  bet->quads = 8;
  bet->ratio = bet->low = bet->high = 0.5;
  results[1] = bet;
  EXPECT_EQ(draw_learn_card(results, path.string()), "");
  EXPECT_GT(fs::file_size(path), empty_bytes);
  fs::remove(path);
}

}  // namespace
}  // namespace spellpool::measure
