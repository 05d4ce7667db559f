#include <algorithm>
#include <cmath>

#include "frame/views/shooter_view.hpp"
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
/// Below that more lines of the chip would take what a panel needs, or a board of the shooter.
constexpr float kChipLeastRoomUnits = 340, kChipLeastRoomByBoardUnits = 480;
/// Below this share of the frame even a pool that takes half the time changes the frame by less than one usually
/// varies.
constexpr double kDrawingHides = 0.1;
constexpr u32 kFewParticles = 1'000;  ///< What is alive while nothing is cast.
constexpr u32 kEnoughSparks = 10;     ///< From here on more load mostly means more drawing: side by side shows more.
constexpr float kBanner_s = 2.0f, kQuietBanner_s = 5.0f, kBannerFade_s = 0.35f, kBannerTallRoomUnits = 300;

/// Means over the last frames with the present strategy, of what the recorder has of them.
struct SimulationFigures {
  double us = 0;           ///< Phases spawn to despawn.
  double frame_us = 0;     ///< Work of the frame, the simulation's included.
  double share = 0;        ///< Of that, 0 … 1.
  double allocations = 0;  ///< Calls of new in a frame.
};
SimulationFigures simulation_figures(const frame::FrameHistory& history) {
  SimulationFigures figures;
  std::size_t count = std::min(kSimulationFrames, history.count);
  for (std::size_t i = 1; i < count; ++i) {
    const frame::FrameRecord& record = history.at(history.count - 1 - i);
    // The frame of the switch itself moves all objects, and that of the start loads the scene: they belong to neither
    // side.
    if (record.strategy != history.at(history.count - 1).strategy || record.step <= 1)
      count = std::max<std::size_t>(i - 1, 1);
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
  figures.frame_us = frame_us / static_cast<double>(count);
  figures.us /= static_cast<double>(count);
  figures.allocations /= static_cast<double>(count);
  return figures;
}

/// What to do where drawing hides the simulation.
Line<96> advice_of(const PanelModel& model) {
  const frame::Load& load = model.load;
  const auto with_key = [&model](const char* format, frame::Action action) {
    const std::string_view key = key_label(model, action);
    return Line<96>(format, static_cast<int>(key.size()), key.data());
  };
  const u32 live = model.pools.empty() ? 0 : model.pools[0].live;
  if (load.sparks > 1 && load.churn == 0 && live < kFewParticles)
    return Line<96>("few sparks: the next %s gives %u times as many", model.shooter != nullptr ? "burst" : "spell",
                    load.sparks);
  if (load.sparks < kEnoughSparks)
    return with_key("too little to notice: raise the load (%.*s)", frame::Action::LoadUp);
  return with_key("drawing takes the time here: side by side (%.*s)", frame::Action::SideBySide);
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

/// The pool that is in use, frames per second, and beside them the time of the simulation: what a strategy can change.
void draw_chip(Rect& rest, const PanelModel& model, const Pen& pen) {
  const frame::ChoiceRow row = current_strategy(model);
  const float pad = pen.px(9), side = pen.px(22), gap = pen.px(8), wide_gap = pen.px(16), unit_gap = pen.px(5);
  const bool known = std::isfinite(model.fps) && model.fps > 0;
  const SimulationFigures simulation = simulation_figures(model.history);
  const bool timed = known && simulation.us > 0;
  const Line<32> fps(known ? "%.0f" : "-", std::min(model.fps, 9'999.0)), time = ms_text(simulation.us);
  const float fps_cell = std::max(pen.width(Cut::Large, "000"), pen.width(Cut::Large, fps));
  const float time_cell = std::max(pen.width(Cut::Large, "00.00"), pen.width(Cut::Large, time));
  const float fps_wide = fps_cell + unit_gap + pen.width(Cut::Small, "fps");
  const auto time_wide = [&](std::string_view unit) {
    return wide_gap + time_cell + unit_gap + pen.width(Cut::Small, unit);
  };
  constexpr std::string_view kUnit = "ms simulation", kBriefUnit = "ms sim";
  const float most = rest.width() - pad * 2, letter = side + gap, title = pen.width(Cut::Strong, row.title);
  const float kind = pen.px(8) + pen.width(Cut::Small, row.kind);

  const auto mean_calls = static_cast<u64>(simulation.allocations + 0.5);
  const Line<32> calls = count_text(mean_calls);
  const double percent = simulation.share * 100;
  const Line<96> share("%.*f %% of %.1f ms of work · %s allocation%s a frame", percent < 9.95 ? 1 : 0, percent,
                       simulation.frame_us * 1e-3, calls.c_str(), mean_calls == 1 ? "" : "s");
  const bool board = model.shooter != nullptr && model.shooter->state != frame::ShooterState::Playing;
  const bool tall = timed && rest.height() >= pen.px(board ? kChipLeastRoomByBoardUnits : kChipLeastRoomUnits) &&
                    std::max({letter + title, fps_wide + time_wide(kUnit), pen.width(Cut::Small, share)}) <= most;
  // In a single line the time is shown rather than the title.
  const bool brief_time = !tall && timed && letter + fps_wide + time_wide(kBriefUnit) <= most;
  const float numbers = fps_wide + (tall ? time_wide(kUnit) : brief_time ? time_wide(kBriefUnit) : 0.0f);
  const bool with_title = tall || letter + title + wide_gap + numbers <= most;

  const Line<96> advice = advice_of(model);
  const bool with_advice =
      tall && !has_load_board(model) && simulation.share < kDrawingHides && pen.width(Cut::Small, advice) <= most;

  const float head = pen.px(38), line = pen.px(28), text = pen.line_px(Cut::Small) + pen.px(1);
  float wide = letter + (with_title ? title + wide_gap : 0.0f) + numbers;
  const bool with_kind = tall && letter + title + kind <= most;
  if (tall)
    wide = std::max({letter + title + (with_kind ? kind : 0.0f), numbers, pen.width(Cut::Small, share),
                     with_advice ? pen.width(Cut::Small, advice) : 0.0f});
  wide = std::ceil(wide) + pad * 2;
  const Rect place = take_top(rest, tall ? head + line + text * (with_advice ? 2 : 1) + pen.px(5) : head, pen.px(6));
  if (place.empty() || wide > place.width()) return;
  const Rect box{place.x0, place.y0, place.x0 + wide, place.y1};
  pen.panel(box);
  pen.layout().of(Part::Chip) = box;

  Rect now{box.x0, box.y0, box.x1, box.y0 + head};
  float x = box.x0 + pad;
  const float top = std::floor(now.middle_y() - side * 0.5f);
  pen.letter_box({x, top, x + side, top + side}, IM_COL32(row.r, row.g, row.b, 255), row.letter);
  x += letter;
  if (with_kind)
    pen.text(Cut::Small, x + title + pen.px(8), pen.centre_y(Cut::Small, now.y0, now.y1), kMuted, row.kind);
  if (with_title) x += pen.text(Cut::Strong, x, pen.centre_y(Cut::Strong, now.y0, now.y1), kText, row.title) + wide_gap;
  if (tall) {
    now = {box.x0, now.y1 - pen.px(4), box.x1, now.y1 + line - pen.px(4)};
    x = box.x0 + pad;
  }
  const auto number = [&](float cell, std::string_view words, std::string_view unit) {
    if (tall) cell = pen.width(Cut::Large, words);  // below each other, flush left
    pen.text_right(Cut::Large, x + cell, pen.centre_y(Cut::Large, now.y0, now.y1), kText, words);
    x += cell + unit_gap;
    x += pen.text(Cut::Small, x, pen.centre_y(Cut::Small, now.y0, now.y1) + pen.px(2), kMuted, unit) + wide_gap;
  };
  number(fps_cell, fps, "fps");
  if (!tall && !brief_time) return;
  number(time_cell, time, tall ? kUnit : kBriefUnit);
  if (!tall) return;
  pen.text(Cut::Small, box.x0 + pad, now.y1, kText, share);
  if (with_advice) pen.text(Cut::Small, box.x0 + pad, now.y1 + text, kMuted, advice);
}

void draw_switch_banner(const Rect& free, const PanelModel& model, const SwitchBannerState& state, const Pen& pen) {
  const float shown_s = state.quiet ? kQuietBanner_s : kBanner_s;
  if (!(state.age_s < shown_s)) return;
  const frame::ChoiceRow row = current_strategy(model);
  // Means, as in the chip: in a single frame there may be none.
  const bool counted = state.frames > 0;
  const u64 calls = counted ? (state.calls + state.frames / 2) / state.frames : 0;
  const Line<32> now = counted ? count_text(calls) : Line<32>("–");
  const Line<96> count("%s allocation%s a frame · before: %s", now.c_str(), calls == 1 ? "" : "s",
                       count_text(static_cast<u64>(state.calls_before + 0.5)).c_str());
  const std::string_view load = key_label(model, frame::Action::LoadUp);
  const bool plays = model.shooter == nullptr || model.shooter->state == frame::ShooterState::Playing;
  const Line<128> advice("Hardly anything is created now, so a pool changes nothing: %s, or turn up the load (%.*s)",
                         model.shooter == nullptr ? "cast (click)" : plays ? "play on" : "play",
                         static_cast<int>(load.size()), load.data());
  const std::string_view how = state.quiet ? std::string_view(advice) : row.description;
  const float pad = pen.px(16), side = pen.px(30), gap = pen.px(12), most = free.width() - pad * 2 - side - gap;
  const bool told =
      state.quiet || (pen.width(Cut::Small, how) <= most && free.height() >= pen.px(kBannerTallRoomUnits));
  const float least = pen.width(
      Cut::Body, "00,000 allocations a frame · before: 00,000");  // does not jump with the count
  const float how_wide = told ? std::min(most, pen.width(Cut::Small, how)) : 0.0f;
  const float titles = pen.width(Cut::Large, row.title) + pen.px(10) + pen.width(Cut::Small, row.kind);
  const float inner = std::max({titles, pen.width(Cut::Body, count), least, how_wide});
  const float wide = pad * 2 + side + gap + inner;
  const float high = told ? pen.px(66) + pen.wrapped_height(Cut::Small, how, inner) : pen.px(64);
  const float y = std::floor(free.y0 + std::max(0.0f, free.height() - high) * 0.15f);
  const Rect box{std::floor(free.middle_x() - wide * 0.5f), y, std::floor(free.middle_x() + wide * 0.5f), y + high};
  if (wide > free.width() || box.y1 > free.y1) return;
  pen.layout().banner_calls = counted ? static_cast<i64>(calls) : -1;
  pen.layout().banner_calls_before = state.calls_before;
  const float seen = std::clamp((shown_s - state.age_s) / kBannerFade_s, 0.0f, 1.0f);
  const ImU32 colour = IM_COL32(row.r, row.g, row.b, 255);
  pen.fill(box, faded(kPanelFill, 0.94f * seen), pen.px(10));
  pen.frame(box, faded(colour, seen), pen.px(10), std::max(1.0f, pen.px(2)));
  const float top = std::floor(box.middle_y() - side * 0.5f), left = box.x0 + pad + side + gap;
  if (seen > 0.5f) pen.letter_box({box.x0 + pad, top, box.x0 + pad + side, top + side}, colour, row.letter);
  const float title_wide = pen.text(Cut::Large, left, box.y0 + pen.px(8), faded(kText, seen), row.title);
  pen.text(Cut::Small, left + title_wide + pen.px(10), box.y0 + pen.px(15), faded(kMuted, seen), row.kind);
  pen.text(Cut::Body, left, box.y0 + pen.px(35), faded(kText, seen), count);
  const ImU32 ink = faded(state.quiet ? kYellow : kMuted, seen);
  if (told) pen.text_wrapped(Cut::Small, left, box.y0 + pen.px(58), inner, ink, how);
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
    const frame::Load& load = model.load;
    const Line<24> churn = load.churn > 0 ? Line<24>(" · churn ×%u", load.churn) : Line<24>("%s", "");
    badges.add(Sign::None, kAccent,
               Line<64>("load: sparks ×%u%s%s", load.sparks, churn.c_str(), load.aged_heap ? " · aged heap" : ""));
  }
  if (model.forgetful) badges.add(Sign::Warning, kYellow, "planted: a constructor that forgets");
  if (!model.pools.empty() && model.pools[0].fills) badges.add(Sign::None, kAccent, "fill bytes 0xCD, 0xDD");
  if (model.shooter != nullptr && !model.shooter->garden.empty()) {
    const auto chunks = std::find_if(model.pools.begin(), model.pools.end(),
                                     [](const frame::PoolRow& pool) { return pool.pool == frame::PoolId::Chunks; });
    const bool known = chunks != model.pools.end() && chunks->strategy < model.strategies.size();
    const std::string_view title = known ? model.strategies[chunks->strategy].title : std::string_view("?");
    badges.add(Sign::None, kAccent,
               Line<96>("garden by slot · chunks: %.*s", static_cast<int>(title.size()), title.data()));
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
