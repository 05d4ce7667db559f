// Which moments have a small picture.
#include "app/replay/film_index.hpp"

#include <gtest/gtest.h>

#include <set>

namespace spellpool::app {
namespace {

constexpr u64 kEvery = FilmIndex::kEvery_steps;
constexpr u64 kAll = ~u64{0};

TEST(FilmIndex, OneASecondAndTheLastOnesInPlacesOfTheirOwn) {
  FilmIndex film;
  u64 taken = 0;
  for (u64 step = 5; step < 5 + 200 * kEvery; ++step) taken += film.due(step).has_value();
  EXPECT_EQ(taken, 200u);
  const std::span<const frame::FilmPicture> kept = film.pictures(0, kAll);
  ASSERT_EQ(kept.size(), std::size_t{render::Film::kPlaces});
  std::set<std::pair<float, float>> places;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    EXPECT_EQ(kept[i].step, 5 + (200 - kept.size() + i) * kEvery);
    places.insert({kept[i].u0, kept[i].v0});
    EXPECT_TRUE(kept[i].u0 >= 0 && kept[i].u0 < kept[i].u1 && kept[i].u1 <= 1 && kept[i].v0 >= 0 && kept[i].v0 < kept[i].v1 && kept[i].v1 <= 1);
  }
  EXPECT_EQ(places.size(), kept.size());
  EXPECT_EQ(film.pictures(kept[3].step, kept[7].step).size(), 5u);
  EXPECT_EQ(film.pictures(kept[3].step + 1, kept[7].step - 1).size(), 3u);
}

TEST(FilmIndex, AGameThatWasTurnedBackForgetsWhatCameAfter) {
  FilmIndex film;
  for (u64 step = 0; step <= 10 * kEvery; ++step) (void)film.due(step);
  EXPECT_EQ(film.pictures(0, kAll).size(), 11u);
  EXPECT_FALSE(film.due(4 * kEvery + 1));
  EXPECT_EQ(film.pictures(0, kAll).size(), 5u);
  EXPECT_TRUE(film.due(5 * kEvery));
  EXPECT_EQ(film.pictures(0, kAll).back().step, 5 * kEvery);
  film.forget();
  EXPECT_TRUE(film.pictures(0, kAll).empty());
  for (u64 i = 0; i < 500; ++i) EXPECT_TRUE(film.due(i * kEvery)) << "places come back";
}

}  // namespace
}  // namespace spellpool::app
