#include "measure/report/card.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "measure/report/card_canvas.hpp"
#include "measure/report/card_graph.hpp"
#include "measure/report/report_card.hpp"
#include "synthetic.hpp"

namespace spellpool::measure {
namespace {

/// Width and height from a PNG's header.
std::pair<u32, u32> png_size(const std::string& path) {
  const std::string bytes = text_of(path);
  const auto number = [&](std::size_t at) {
    u32 value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<u8>(bytes.at(at + i));
    return value;
  };
  return {number(16), number(20)};
}

/// The pixels of a PNG file.
class Pixels {
 public:
  explicit Pixels(const std::string& path) : surface_(cairo_image_surface_create_from_png(path.c_str())) {}
  ~Pixels() { cairo_surface_destroy(surface_); }
  Pixels(const Pixels&) = delete;
  Pixels& operator=(const Pixels&) = delete;

  /// Share of the pixels of row y, from x0 up to x1, whose green is above `least`. 0 if there is no such row.
  double lit(int y, int x0, int x1, u32 least) const {
    const int width = cairo_image_surface_get_width(surface_), height = cairo_image_surface_get_height(surface_);
    if (y >= height || x1 > width) return 0;
    const unsigned char* row = cairo_image_surface_get_data(surface_);
    row += y * cairo_image_surface_get_stride(surface_);
    int count = 0;
    for (int x = x0; x < x1; ++x) {
      u32 pixel = 0;
      std::memcpy(&pixel, row + x * 4, sizeof pixel);
      count += (pixel >> 8 & 0xFF) > least;
    }
    return static_cast<double>(count) / (x1 - x0);
  }

 private:
  cairo_surface_t* surface_;
};

TEST(Card, HasTheSizeItWasAskedFor) {
  ScratchFolder folder;
  const Comparison c = synthetic_comparison(2, 60, {});
  ASSERT_EQ(draw_card(c, folder.file("a.png")), "");
  EXPECT_EQ(png_size(folder.file("a.png")), (std::pair<u32, u32>{1600, 900}));
  ASSERT_EQ(draw_card(c, folder.file("b.png"), 1.5), "");
  EXPECT_EQ(png_size(folder.file("b.png")), (std::pair<u32, u32>{2400, 1350}));
}

TEST(Card, NeverWritesOverAFileAndLeavesNoHalfPicture) {
  ScratchFolder folder;
  const Comparison c = synthetic_comparison(1, 20, {});
  std::ofstream(folder.file("a.png")) << "precious";
  EXPECT_NE(draw_card(c, folder.file("a.png")).find("File exists"), std::string::npos);
  EXPECT_EQ(text_of(folder.file("a.png")), "precious");
  EXPECT_NE(draw_card(c, "/dev/full").find("No space left"), std::string::npos);
}

TEST(Card, IsDrawnFromOddTextsAndMissingFigures) {
  ScratchFolder folder;
  Comparison c = synthetic_comparison(1, 1, {});
  c.plan.scene = "broken \xff\xc3 utf-8 \xed\xa0\x80, a\nline, and very very long " + std::string(5000, 'w');
  c.environment = {};
  c.environment.command_line = std::string(3000, '\xe2');
  c.blocks.erase(c.blocks.begin() + 2, c.blocks.end());
  c.state = ComparisonState::Interrupted;
  for (BlockResult& block : c.blocks) {
    for (frame::FrameRecord& record : block.frames) record.frame_us = 0;
    block.figures = detailed_figures_of(block.frames);
  }
  summarise(c);
  EXPECT_EQ(draw_card(c, folder.file("a.png")), "");
}

// The scale is that of the usual times in the picture too: at 0.45 of its height all columns are filled.
TEST(Card, HasAGraphThatOneSpikeDoesNotFlatten) {
  ScratchFolder folder;
  ASSERT_EQ(draw_card(synthetic_comparison(24, 100, {50, 0.5, 900'000, false}), folder.file("a.png")), "");
  EXPECT_GT(Pixels(folder.file("a.png")).lit(265, 100, 1028, 45), 0.95);
}

TEST(CanvasText, IsCutToItsRoomAtAWholeCharacter) {
  Canvas canvas(100, 100, 1);
  const TextStyle style{16};
  const std::string text = "µµµµµµµµµµ a long name";
  for (const double room : {30.0, 61.0, 92.5}) {
    const std::string cut = canvas.elided(text, style, room);
    EXPECT_LE(canvas.text_width(cut, style), room);
    EXPECT_EQ(cut.substr(cut.size() - 3), "…");
    EXPECT_EQ(cut.find('?'), std::string::npos);
  }
  EXPECT_EQ(canvas.elided(text, style, 1000), text);
}

TEST(CanvasText, DigitsAllHaveOneWidth) {
  Canvas canvas(100, 100, 1);
  EXPECT_DOUBLE_EQ(canvas.text_width("1111.1", {16}), canvas.text_width("8888.8", {16}));
}

TEST(TimeScaleTest, IsFilledByTheUsualTimes) {
  const TimeScale all = choose_scale({60, 50, 48});
  EXPECT_FALSE(all.square_root);
  EXPECT_GT(all.top_us, 60) << "all of them fit";
  const TimeScale spiky = choose_scale({1e6, 11, 10});
  EXPECT_FALSE(spiky.square_root);
  EXPECT_GT(spiky.height(10), 0.6) << "one frame of a second does not flatten frames of 10 µs";
  const TimeScale wide = choose_scale({200'000, 160'000, 20'000});
  EXPECT_TRUE(wide.square_root);
  EXPECT_GT(wide.height(20'000), 0.25);
  EXPECT_EQ(choose_scale({}).height(5), 1.0) << "no frames: no division by 0";
  EXPECT_GT(choose_scale(spread_of(std::vector<double>{0, 0, 5})).top_us, 0);
}

TEST(TimeScaleTest, WhatIsBeyondItIsToldInWords) {
  std::vector<double> times(200, 12.0);
  TimeScale scale = choose_scale(spread_of(times));
  EXPECT_EQ(beyond_text(times, scale, "step"), "");
  times[47] = 12'140;
  scale = choose_scale(spread_of(times));
  EXPECT_LT(scale.top_us, 24);
  EXPECT_EQ(beyond_text(times, scale, "step"), "▲ 1 of 200 steps is beyond the scale: step 48 took 12.14 ms");
  times[150] = 100;
  EXPECT_EQ(beyond_text(times, scale, "step"), "▲ 2 of 200 steps are beyond the scale; the longest, step 48, took 12.14 ms");
  // The longest sentence fits the card's row of 928 px, where a longer one would be shortened.
  std::vector<double> many(1'000'000, 10.0);
  std::fill(many.end() - 50'000, many.end(), 9e8);
  Canvas canvas(100, 100, 1);
  EXPECT_LT(canvas.text_width(beyond_text(many, choose_scale(spread_of(many)), "step"), {13}), 928);
}

TEST(ShareCard, HasAHeadlineForAStrangerAndAGraphThatItsDataFill) {
  const auto with_control = [](Comparison c) {
    c.whole.control.point = 0;
    c.whole.control.low = -0.01;
    c.whole.control.high = 0.01;
    return c;
  };
  const Comparison c = with_control(synthetic_comparison(24, 100, {50, 0.5, 900'000, false}));
  const Report report = report_of(c);
  EXPECT_EQ(report.headline.find("Union free list took "), 0u) << report.headline;
  EXPECT_NE(report.headline.find(" % less time per frame than new/delete"), std::string::npos) << report.headline;
  EXPECT_EQ(report.headline.find("quad"), std::string::npos);
  const TimeScale scale = share_scale(report);
  EXPECT_GT(scale.height(report.arms[0].figures.frame.median_us), 0.5) << "a spike of 0.9 s";
  EXPECT_NE(beyond_text(report.arms[0].frame_us, scale, "frame").find("took 900.0 ms"), std::string::npos);
  const Comparison same = with_control(synthetic_comparison(24, 100, {50, 1.0, 0, false}));
  EXPECT_EQ(report_of(same).headline.find("No difference found between"), 0u) << report_of(same).headline;
  EXPECT_NE(report_of(synthetic_comparison(24, 100, {})).headline.find("too little"), std::string::npos) << "no control";
}

TEST(ShareCard, IsDrawnWithItsHeadlineAndAGraphThatOneSpikeDoesNotFlatten) {
  ScratchFolder folder;
  Report report = report_of(synthetic_comparison(24, 100, {50, 0.5, 900'000, false}));
  ASSERT_EQ(draw_share_card(report, folder.file("a.png")), "");
  report.headline = "Another headline";
  ASSERT_EQ(draw_share_card(report, folder.file("b.png")), "");
  EXPECT_NE(text_of(folder.file("a.png")), text_of(folder.file("b.png")));
  // Two rows, since one may be a line of the scale.
  const Pixels pixels(folder.file("a.png"));
  for (const int y : {398, 405}) EXPECT_GT(pixels.lit(y, 118, 758, 28), 0.95) << y;
}

TEST(TimeScaleTest, TimesAreWrittenAsShortAsTheyAre) {
  EXPECT_EQ(round_time_text(0, 5), "0 µs");
  EXPECT_EQ(round_time_text(0.2, 0.5), "0.2 µs");
  EXPECT_EQ(round_time_text(500, 900), "500 µs");
  EXPECT_EQ(round_time_text(500, 1500), "0.5 ms");
  EXPECT_EQ(round_time_text(2e6, 5e6), "2,000 ms");
}

TEST(TimeScaleTest, TicksAreRoundRisingAndApart) {
  for (const double longest : {0.4, 3.3, 57.0, 999.0, 38'000.0, 200'000.0, 5e6}) {
    for (const double p99 : {longest, longest / 20}) {
      const TimeScale scale = choose_scale({longest, p99, p99 * 0.8});
      const std::vector<double> ticks = ticks_of(scale, 170, 30);
      ASSERT_GE(ticks.size(), 2u) << longest;
      for (std::size_t i = 1; i < ticks.size(); ++i) {
        EXPECT_LE(ticks[i], scale.top_us);
        EXPECT_GE((scale.height(ticks[i]) - scale.height(ticks[i - 1])) * 170, 29.9) << longest;
      }
    }
  }
}

}  // namespace
}  // namespace spellpool::measure
