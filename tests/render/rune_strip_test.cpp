// The shapes of the runes: where their strokes are, and that each is of its own.
#include "render/rune_strip.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace spellpool::render {
namespace {

/// Half of a texel's diagonal: from the middle of the texel that a point lies in.
constexpr float kTexel = 2.0f / kRuneSide, kNear = 0.71f * kTexel;

class RuneStrip : public ::testing::Test {
 protected:
  float at(int rune, float x, float y) const {
    const auto texel = [](float place) { return static_cast<int>((place + 1.0f) / kTexel); };
    return strip_[static_cast<std::size_t>(texel(y)) * kRuneStripWidth + static_cast<std::size_t>(rune * kRuneSide + texel(x))];
  }
  const std::vector<float> strip_ = rune_distances();
};

TEST_F(RuneStrip, StrokesAreWhereTheRunesHaveThem) {
  ASSERT_EQ(strip_.size(), static_cast<std::size_t>(kRuneStripWidth) * kRuneSide);
  constexpr struct {
    const char* what;
    int rune;
    float x, y, distance;
  } kPlaces[] = {
      {"flame, upper end", 0, 0, 0.5f, 0},      {"flame, only below on the left", 0, -0.3f, -0.2f, 0},
      {"flame, nothing there", 0, 0.3f, -0.5f, 0.3f}, {"hearth, left post", 1, -0.28f, 0, 0},
      {"hearth, ring", 1, 0.11f, -0.05f, 0},    {"snow, crossing", 2, 0, 0, 0},
      {"river, its upper bend", 3, 0.15f, 0.18f, 0}, {"moon, middle of its ring", 4, 0, 0.14f, 0.26f},
      {"gate, right post", 5, 0.3f, -0.4f, 0},  {"eye, ring", 6, 0, 0.1f, 0},
      {"tree, right branch", 7, 0.32f, 0.38f, 0}, {"storm, middle stroke", 8, 0.1f, 0.02f, 0},
      {"well, its middle", 9, 0, 0, 0.2f},      {"wing, upper feather", 10, 0.3f, 0.22f, 0},
      {"star, between its feet", 11, 0, -0.4f, 0.284f},
  };
  for (const auto& place : kPlaces) EXPECT_NEAR(at(place.rune, place.x, place.y), place.distance, kNear) << place.what;
  for (int rune = 0; rune < kRunes; ++rune) EXPECT_GT(at(rune, 0.99f, -0.99f), 0.6f) << "a rune reaches to 0.5: " << rune;
}

TEST_F(RuneStrip, EachRuneIsOfItsOwn) {
  std::set<std::vector<float>> shapes;
  for (int rune = 0; rune < kRunes; ++rune) {
    std::vector<float> shape;
    for (int row = 0; row < kRuneSide; ++row) {
      const auto first = strip_.begin() + row * kRuneStripWidth + rune * kRuneSide;
      shape.insert(shape.end(), first, first + kRuneSide);
    }
    shapes.insert(std::move(shape));
  }
  EXPECT_EQ(shapes.size(), static_cast<std::size_t>(kRunes));
}

}  // namespace
}  // namespace spellpool::render
