#include <algorithm>
#include <cmath>

#include "ui/kit/parts.hpp"

namespace spellpool::ui {
namespace {

using frame::PanelModel;

frame::ChoiceRow current_strategy(const PanelModel& model) {
  if (!model.pools.empty() && model.pools[0].strategy < model.strategies.size()) {
    return model.strategies[model.pools[0].strategy];
  }
  return {};
}

constexpr std::size_t kSimulationFrames = 30;
constexpr float kChipLeastRoomUnits = 480;  // below that the second line would take what a panel needs
/// Below this share of the frame even a pool that takes half the time changes the frame by less than one usually varies.
constexpr double kDrawingHides = 0.1;
constexpr float kBanner_s = 2.0f, kBannerFade_s = 0.35f;

/// Means over the last frames with the present strategy, of what the recorder has of them.
struct SimulationFigures {
  double us = 0;           ///< Phases spawn to despawn.
  double share = 0;        ///< Of the frame, 0 … 1.
  double allocations = 0;  ///< Calls of new in a frame.
};
SimulationFigures simulation_figures(const frame::FrameHistory& history) {
  SimulationFigures figures;
  std::size_t count = std::min(kSimulationFrames, history.count);
  for (std::size_t i = 1; i < count; ++i) {
    if (history.at(history.count - 1 - i).strategy != history.at(history.count - 1).strategy) count = i;
  }
  double frame_us = 0;
  for (std::size_t i = history.count - count; i < history.count; ++i) {
    const frame::FrameRecord& record = history.at(i);
    figures.us += frame::simulation_us(record);
    frame_us += static_cast<double>(record.frame_us);
    figures.allocations += record.new_calls;
  }
  if (count == 0 || !(frame_us > 0)) return {};
  figures.share = figures.us / frame_us;
  figures.us /= static_cast<double>(count);
  figures.allocations /= static_cast<double>(count);
  return figures;
}

u64 new_calls_this_frame(const PanelModel& model) {
  u64 calls = 0;
  for (const frame::PoolRow& pool : model.pools) calls += pool.new_calls_this_frame;
  return calls;
}

enum class Sign : u8 { None, Dot, Bars, Warning };

// Small pills beside each other, as many lines as they need.
class Badges {
 public:
  Badges(const Pen& pen, Rect& rest) : pen_(pen), rest_(rest) {}

  void add(Sign sign, ImU32 colour, std::string_view words) {
    const float pad = pen_.px(9), mark = sign == Sign::None ? 0.0f : pen_.px(17);
    const float wide = std::min(pad * 2 + mark + pen_.width(Cut::Small, words), rest_.width());
    if (line_.empty() || x_ + wide > line_.x1) {
      line_ = take_top(rest_, pen_.px(24), pen_.px(6));
      if (line_.empty()) return;
      x_ = line_.x0;
    }
    const Rect box{x_, line_.y0, x_ + wide, line_.y1};
    pen_.fill(box, kPanelFill, pen_.px(8));
    pen_.frame(box, faded(colour, 0.6f), pen_.px(8));
    draw_sign(sign, colour, box.x0 + pad, box.middle_y());
    pen_.text_within(Cut::Small, box.x0 + pad + mark, pen_.centre_y(Cut::Small, box.y0, box.y1), wide - pad * 2 - mark,
                     kText, words);
    x_ = box.x1 + pen_.px(6);
    Rect& all = pen_.layout().of(Part::Badges);
    all = all.empty() ? box : Rect{all.x0, all.y0, std::max(all.x1, box.x1), box.y1};
  }

 private:
  void draw_sign(Sign sign, ImU32 colour, float x, float middle) {
    const float size = pen_.px(10);
    ImDrawList& list = *pen_.list();
    if (sign == Sign::Dot) list.AddCircleFilled(ImVec2(x + size * 0.5f, middle), size * 0.5f, colour, 16);
    if (sign == Sign::Bars) {
      pen_.fill({x, middle - size * 0.5f, x + size * 0.35f, middle + size * 0.5f}, colour);
      pen_.fill({x + size * 0.65f, middle - size * 0.5f, x + size, middle + size * 0.5f}, colour);
    }
    if (sign == Sign::Warning) {
      const float half = size * 0.6f;
      list.AddTriangleFilled(ImVec2(x + half, middle - half), ImVec2(x + half * 2, middle + half),
                             ImVec2(x, middle + half), colour);
      pen_.fill({x + half - 1, middle - half * 0.3f, x + half + 1, middle + half * 0.3f}, kInk);
      pen_.fill({x + half - 1, middle + half * 0.5f, x + half + 1, middle + half * 0.8f}, kInk);
    }
  }

  const Pen& pen_;
  Rect& rest_;
  Rect line_;
  float x_ = 0;
};

}  // namespace

void draw_error(Rect& free, std::string_view error, const Pen& pen) {
  const float pad = pen.px(10), sign = pen.px(22), left = pad + sign + pen.px(8);
  const float room = free.width() - left - pad, tallest = free.height() * 0.36f;
  std::string_view words = error;
  bool cut = false;
  while (words.size() > 8 && pen.wrapped_height(Cut::Body, words, room) > tallest) {
    std::size_t size = words.size() - words.size() / 12 - 1;
    while (size > 0 && (static_cast<unsigned char>(words[size]) & 0xC0u) == 0x80u) --size;
    words = words.substr(0, size);
    cut = true;
  }
  const Line<8> dots("%s", cut ? (pen.has_glyph(0x2026) ? "…" : "...") : "");
  const float text_high = pen.wrapped_height(Cut::Body, words, room);
  const float extra = cut ? pen.line_px(Cut::Body) : 0;
  const float high = std::max(sign, text_high + extra) + pad * 2;
  const float needed =
      text_high <= pen.line_px(Cut::Body) + 1 ? left + pen.width(Cut::Body, words) + pad : free.width();
  const Rect row = take_top(free, high, pen.px(8));
  if (row.empty()) return;
  const Rect box{row.x0, row.y0, row.x0 + std::min(row.width(), needed), row.y1};
  if (cut) ++pen.layout().shortened_texts;
  pen.fill(box, IM_COL32(36, 10, 16, 240), pen.px(8));
  pen.frame(box, kRed, pen.px(8), std::max(1.5f, pen.scale() * 1.5f));
  const ImVec2 centre(box.x0 + pad + sign * 0.5f, box.y0 + pad + sign * 0.5f);
  pen.list()->AddCircleFilled(centre, sign * 0.5f, kRed, 24);
  pen.text_centred(Cut::Strong,
                   {centre.x - sign * 0.5f, centre.y - sign * 0.5f, centre.x + sign * 0.5f, centre.y + sign * 0.5f},
                   kInk, "!");
  const float text_y = box.y0 + pad + std::max(0.0f, std::floor((sign - text_high) * 0.5f));
  pen.text_wrapped(Cut::Body, box.x0 + left, text_y, room, kText, words);
  pen.text(Cut::Body, box.x0 + left, text_y + text_high, kText, dots);
  pen.layout().of(Part::Error) = box;
}

void draw_chip(Rect& rest, const PanelModel& model, const Pen& pen) {
  const frame::ChoiceRow row = current_strategy(model);
  const float pad = pen.px(9), side = pen.px(22), gap = pen.px(8), wide_gap = pen.px(16);
  const bool known = std::isfinite(model.fps) && model.fps > 0;
  const Line<32> fps(known ? "%.0f" : "-", std::min(model.fps, 9'999.0));
  const Line<32> each(known ? "%s" : "-", ms_text(known ? 1e6 / model.fps : 0.0).c_str());  // of the same half second
  const float fps_cell = std::max(pen.width(Cut::Large, "000"), pen.width(Cut::Large, fps));
  const float fps_unit = pen.px(5) + pen.width(Cut::Small, "fps");
  const float ms_cell = std::max(pen.width(Cut::Small, "00.00"), pen.width(Cut::Small, each));
  const float ms_unit = pen.px(4) + pen.width(Cut::Small, "ms");
  const float title = pen.width(Cut::Strong, row.title);
  const float least = pad + side + wide_gap + fps_cell + fps_unit + pad;
  const bool with_title = least + gap + title <= rest.width();
  const float so_far = least + (with_title ? gap + title : 0);
  const bool with_ms = so_far + wide_gap + ms_cell + ms_unit <= rest.width();
  const float wide = so_far + (with_ms ? wide_gap + ms_cell + ms_unit : 0);
  const SimulationFigures simulation = simulation_figures(model.history);
  const Line<32> time = ms_text(simulation.us);
  const auto mean_calls = static_cast<u64>(simulation.allocations + 0.5);
  const Line<32> calls = count_text(mean_calls);
  const double percent = simulation.share * 100;
  const std::array<Line<96>, 3> below = {
      Line<96>("simulation %s ms, %.*f %% of the frame · %s allocation%s", time.c_str(), percent < 9.95 ? 1 : 0, percent, calls.c_str(), mean_calls == 1 ? "" : "s"),
      Line<96>("simulation %s ms, %.*f %% · %s new", time.c_str(), percent < 9.95 ? 1 : 0, percent, calls.c_str()),
      Line<96>("simulation %s ms", time.c_str())};
  const std::string_view more = key_label(model, frame::Action::LoadUp);
  const bool most = model.load.sparks >= frame::kMostSparks;
  const Line<96> hidden = most ? Line<96>("here drawing is what takes time, not the pool")
                               : Line<96>("too little to notice: raise the load (%.*s)", static_cast<int>(more.size()), more.data());
  // The first that widens the chip by a quarter at most.
  std::size_t words = 0;
  while (words < below.size() && pen.width(Cut::Small, below[words]) + pad * 2 > std::min(wide * 1.25f, rest.width())) ++words;
  const bool with_simulation = known && simulation.us > 0 && words < below.size() && rest.height() >= pen.px(kChipLeastRoomUnits);
  const bool with_advice = with_simulation && simulation.share < kDrawingHides && pen.width(Cut::Small, hidden) + pad * 2 <= std::max(wide, pen.width(Cut::Small, below[words]) + pad * 2);
  const float text_line = pen.line_px(Cut::Small);
  const float first = pen.px(38), second = with_simulation ? text_line * (with_advice ? 2 : 1) + pen.px(4) : 0;
  const Rect line = take_top(rest, first + second, pen.px(6));
  if (line.empty() || wide > line.width()) return;
  Rect box{line.x0, line.y0, line.x0 + wide, line.y1};
  if (with_simulation) box.x1 = std::max(box.x1, box.x0 + std::ceil(pen.width(Cut::Small, below[words])) + pad * 2);
  pen.panel(box);
  if (with_simulation) pen.text(Cut::Small, box.x0 + pad, box.y0 + first - pen.px(2), kText, below[words]);
  if (with_advice) pen.text(Cut::Small, box.x0 + pad, box.y0 + first - pen.px(2) + text_line, kMuted, hidden);
  pen.layout().of(Part::Chip) = box;
  box.y1 = box.y0 + first;
  float x = box.x0 + pad;
  const float top = std::floor(box.middle_y() - side * 0.5f);
  pen.letter_box({x, top, x + side, top + side}, IM_COL32(row.r, row.g, row.b, 255), row.letter);
  x += side;
  const float small_y = pen.centre_y(Cut::Small, box.y0, box.y1) + pen.px(2);
  if (with_title)
    x += gap + pen.text(Cut::Strong, x + gap, pen.centre_y(Cut::Strong, box.y0, box.y1), kText, row.title);
  x += wide_gap + fps_cell;
  pen.text_right(Cut::Large, x, pen.centre_y(Cut::Large, box.y0, box.y1), kText, fps);
  pen.text(Cut::Small, x + pen.px(5), small_y, kMuted, "fps");
  x += fps_unit;
  if (with_ms) {
    x += wide_gap + ms_cell;
    pen.text_right(Cut::Small, x, small_y, kText, each);
    pen.text(Cut::Small, x + pen.px(4), small_y, kMuted, "ms");
  }
}

void draw_switch_banner(const Rect& free, const PanelModel& model, const SwitchBannerState& state, const Pen& pen) {
  if (!(state.age_s < kBanner_s)) return;
  const frame::ChoiceRow row = current_strategy(model);
  const u64 calls = new_calls_this_frame(model);
  const Line<96> count("%s allocation%s in this frame · before: %s", count_text(calls).c_str(),
                       calls == 1 ? "" : "s", count_text(static_cast<u64>(state.calls_before + 0.5)).c_str());
  const float pad = pen.px(16), side = pen.px(30), gap = pen.px(12), high = pen.px(64);
  const float least = pen.width(
      Cut::Body, "00,000 allocations in this frame · before: 00,000");  // does not jump with the count
  const float wide = pad * 2 + side + gap + std::max({pen.width(Cut::Large, row.title), pen.width(Cut::Body, count), least});
  const float y = std::floor(free.y0 + std::max(0.0f, free.height() - high) * 0.15f);
  const Rect box{std::floor(free.middle_x() - wide * 0.5f), y, std::floor(free.middle_x() + wide * 0.5f), y + high};
  if (wide > free.width() || box.y1 > free.y1) return;
  pen.layout().banner_calls = static_cast<i64>(calls);
  pen.layout().banner_calls_before = state.calls_before;
  const float seen = std::clamp((kBanner_s - state.age_s) / kBannerFade_s, 0.0f, 1.0f);
  const ImU32 colour = IM_COL32(row.r, row.g, row.b, 255);
  pen.fill(box, faded(kPanelFill, 0.94f * seen), pen.px(10));
  pen.frame(box, faded(colour, seen), pen.px(10), std::max(1.0f, pen.px(2)));
  const float top = std::floor(box.middle_y() - side * 0.5f), left = box.x0 + pad + side + gap;
  if (seen > 0.5f) pen.letter_box({box.x0 + pad, top, box.x0 + pad + side, top + side}, colour, row.letter);
  pen.text(Cut::Large, left, box.y0 + pen.px(8), faded(kText, seen), row.title);
  pen.text(Cut::Body, left, box.y0 + pen.px(35), faded(kText, seen), count);
  pen.layout().of(Part::SwitchBanner) = box;
}

void draw_badges(Rect& rest, const PanelModel& model, const UiState& state, const Pen& pen) {
  Badges badges(pen, rest);
  if (model.recording) {
    const auto seconds = static_cast<unsigned>(std::min(state.recording_s, 86'399.0f));
    const Line<32> clock = seconds < 3600 ? Line<32>("%02u:%02u", seconds / 60, seconds % 60)
                                          : Line<32>("%u:%02u:%02u", seconds / 3600, seconds / 60 % 60, seconds % 60);
    badges.add(Sign::Dot, kRed,
               Line<96>("REC %s · %s frames", clock.c_str(), count_text(model.recorded_frames).c_str()));
  }
  if (state.rejected_age_s < kRejectedHeld_s) {
    badges.add(Sign::Warning, kYellow, Line<64>("pool full: %s rejected/s", count_text(state.rejected_per_s).c_str()));
  }
  if (model.load != frame::Load{}) {
    badges.add(Sign::None, kAccent, Line<64>("load: sparks ×%u · churn ×%u%s", model.load.sparks, model.load.churn, model.load.aged_heap ? " · aged heap" : ""));
  }
  if (model.paused) badges.add(Sign::Bars, kAccent, "paused");
  if (model.slow_motion) {
    badges.add(Sign::None, kAccent, model.slot_map_open ? "slow motion 1/16" : "slow motion ¼");
  }
  if (model.autoplay) badges.add(Sign::None, kMuted, "demo mode");
  if (model.muted) badges.add(Sign::None, kMuted, "sound off");
  if (!model.build_note.empty()) badges.add(Sign::None, kYellow, model.build_note);
}

void draw_notice(Rect& rest, const UiState& state, const Pen& pen) {
  if (state.notice_size == 0 || state.notice_age_s >= kNoticeShown_s + kNoticeFade_s) return;
  const float in = std::clamp(state.notice_age_s / 0.15f, 0.0f, 1.0f);
  const float out = std::clamp((kNoticeShown_s + kNoticeFade_s - state.notice_age_s) / kNoticeFade_s, 0.0f, 1.0f);
  const float seen = std::min(1.0f - (1.0f - in) * (1.0f - in), out);
  const std::string_view words(state.notice.data(), state.notice_size);
  const float pad = pen.px(10), room = std::min(rest.width(), pen.px(460)) - pad * 2;
  const float text_wide = std::min(room, pen.width(Cut::Small, words));
  const Rect line = take_top(rest, pen.wrapped_height(Cut::Small, words, room) + pen.px(12), pen.px(6));
  if (line.empty()) return;
  const Rect box{line.x0, line.y0, line.x0 + text_wide + pad * 2, line.y1};
  pen.fill(box, faded(kPanelFill, seen), pen.px(8));
  pen.frame(box, faded(kAccent, seen * 0.7f), pen.px(8));
  pen.text_wrapped(Cut::Small, box.x0 + pad, box.y0 + pen.px(6), room, faded(kText, seen), words);
  pen.layout().of(Part::Notice) = box;
}

float waiting_height(std::string_view words, const Pen& pen, float width) {
  return pen.wrapped_height(Cut::Small, words, width - pen.px(20)) + pen.px(10);
}

void draw_waiting(Rect& free, std::string_view words, const Pen& pen) {
  const Rect row = take_bottom(free, waiting_height(words, pen, free.width()), pen.px(8));
  if (row.empty()) return;
  const float pad = pen.px(10), room = row.width() - pad * 2,
              wide = std::min(room, pen.width(Cut::Small, words)) + pad * 2;
  const float x0 = std::floor(row.middle_x() - wide * 0.5f);
  const Rect box{x0, row.y0, x0 + wide, row.y1};
  pen.fill(box, kPanelFill, pen.px(8));
  pen.frame(box, faded(kYellow, 0.7f), pen.px(8));
  pen.text_wrapped(Cut::Small, box.x0 + pad, box.y0 + pen.px(5), room, kText, words);
  pen.layout().of(Part::Waiting) = box;
}

void draw_combo(Rect& rest, float middle, u32 combo, bool wants_spell, const Pen& pen) {
  if (combo < 2) return;
  const Line<32> count = count_text(combo);
  const Line<64> plain("×%s combo", count.c_str()),
      asks("×%s combo: another spell lights the next rune", count.c_str());
  const auto half_of = [&](std::string_view text) {
    return std::ceil(pen.width(Cut::Strong, text) * 0.5f) + pen.px(10);
  };
  const bool told = wants_spell && rest.width() >= half_of(asks) * 2;
  const Line<64>& words = told ? asks : plain;
  const float half = half_of(words);
  if (rest.width() < half * 2) return;
  const Rect row = take_bottom(rest, pen.px(24), pen.px(6));
  if (row.empty()) return;
  middle = std::clamp(middle, row.x0 + half, row.x1 - half);
  const Rect box{std::floor(middle - half), row.y0, std::floor(middle + half), row.y1};
  pen.fill(box, faded(kPanelFill, 0.8f), pen.px(8));
  pen.text_centred(Cut::Strong, box, told ? kYellow : kText, words);
  pen.layout().of(Part::Combo) = box;
}

}  // namespace spellpool::ui
