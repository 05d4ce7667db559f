// What lies among the recordings: the list, and the line that is chosen with its figures and its worst spikes.
#include "ui/lab/lab_parts.hpp"

namespace spellpool::ui {
namespace {

using frame::LabAct;
using frame::LabDetails;
using frame::LabRow;
using frame::LabTone;

constexpr float kResultRowUnits = 46;

Line<32> ratio_text(double ratio) { return std::isfinite(ratio) ? Line<32>("%.3f", ratio) : Line<32>("–"); }

void draw_row(const Pen& pen, const Rect& box, const LabRow& row, bool chosen, bool hovered) {
  const ToneSign sign = sign_of(row.tone);
  pen.fill(box, chosen ? faded(kAccent, 0.24f) : hovered ? kControlHot : faded(kControl, 0.6f), pen.px(6));
  if (chosen) pen.frame(box, kAccent, pen.px(6));
  const float pad = pen.px(8), side = pen.px(20);
  const float top = box.y0 + pen.px(5), second = top + pen.line_px(Cut::Body) + pen.px(1);
  pen.letter_box({box.x0 + pad, top, box.x0 + pad + side, top + side}, sign.colour, sign.letter);
  const float left = box.x0 + pad * 2 + side, right = box.x1 - pad;
  const bool rated = std::isfinite(row.ratio);
  const float number = pen.width(Cut::Small, "0.000") + pen.px(8), bar = std::min(pen.px(130), (right - left) * 0.3f);
  if (rated) {
    ratio_bar(pen, {right - number - bar, top, right - number, top + pen.line_px(Cut::Body)}, row.ratio, row.low,
              row.high);
    pen.text_right(Cut::Small, right, top + pen.px(1), row.comparable ? kText : kMuted, ratio_text(row.ratio));
  }
  pen.text_within(Cut::Body, left, top, (rated ? right - number - bar - pen.px(10) : right) - left, kText, row.what);
  const float date = pen.width(Cut::Small, row.date);
  pen.text_right(Cut::Small, right, second, kMuted, row.date);
  pen.text_within(Cut::Small, left, second, right - date - pen.px(10) - left, kMuted,
                  Line<320>("%.*s%s%.*s%s", count_of(row.state), row.state.data(), row.where.empty() ? "" : " · ",
                            count_of(row.where), row.where.data(), row.comparable ? "" : " · not comparable"));
}

void draw_list(const Pen& outer, const Rect& box, const frame::LabView& lab, frame::PanelRequests& requests) {
  const float scrolled = begin_scroll("##list", box);
  const Pen pen = Pen(ImGui::GetWindowDrawList(), outer.scale(), outer.layout()).within(box);
  const float high = pen.px(kResultRowUnits), step = high + pen.px(4), right = box.x1 - pen.px(12);
  float y = box.y0 - scrolled;
  if (lab.rows.empty()) {
    const Line<512> words(lab.reading
                              ? "Reading %.*s…"
                              : "Nothing yet in %.*s: start a comparison, press F8 for the quick A/B, or R to record.",
                          count_of(lab.folder), lab.folder.data());
    pen.text_wrapped(Cut::Body, box.x0, y, right - box.x0, kMuted, words);
    y += pen.wrapped_height(Cut::Body, words, right - box.x0);
  }
  for (std::size_t i = 0; i < lab.rows.size(); ++i, y += step) {
    const Rect row{box.x0, y, right, y + high};
    if (row.y1 < box.y0 || row.y0 > box.y1) continue;  // a thousand of them cost nothing
    const Press press = press_area(pen, ControlKind::LabRow, i, row);
    draw_row(pen, row, lab.rows[i], lab.details.shown && lab.details.row == i, press.hovered);
    if (press.pressed) {
      requests.lab.select = true;
      requests.lab.row = static_cast<u32>(i);
    }
  }
  if (lab.left_out > 0) {
    pen.text(Cut::Small, box.x0, y, kMuted, Line<48>("and %s older ones", count_text(lab.left_out).c_str()));
    y += pen.line_px(Cut::Small);
  }
  end_scroll(box, y + pen.px(2));
}

class Details {
 public:
  Details(const Pen& pen, const Rect& column, const frame::LabView& lab, frame::PanelRequests& requests)
      : pen_(pen),
        lab_(lab),
        d_(lab.details),
        row_(lab.rows[lab.details.row]),
        requests_(requests),
        at_{pen, column.x0, column.x1, column.y0} {}

  float run() {
    at_.wrapped(Cut::Strong, row_.what, kText);
    at_.wrapped(Cut::Small, Line<400>("%.*s%s%.*s", count_of(row_.where), row_.where.data(),
                                      row_.where.empty() ? "" : " · ", count_of(row_.date), row_.date.data()));
    at_.gap(5);
    trust();
    at_.wrapped(Cut::Body, row_.sentence, kText);
    at_.gap(8);
    if (std::isfinite(row_.ratio)) interval();
    buttons();
    if (!lab_.said.empty()) {
      at_.wrapped(Cut::Small, lab_.said, kYellow);
      at_.gap(8);
    }
    figures();
    spikes();
    at_.gap(4);
    at_.wrapped(Cut::Small, d_.path);
    return at_.y;
  }

 private:
  void trust() {
    const ToneSign sign = sign_of(row_.tone);
    const float high = badge_pill_height(pen_), side = high;
    pen_.letter_box({at_.x0, at_.y, at_.x0 + side, at_.y + side}, sign.colour, sign.letter);
    float x = at_.x0 + side + pen_.px(6);
    x += badge_pill(pen_, x, at_.y,
                    d_.badge.empty() || row_.tone == LabTone::Running || row_.tone == LabTone::Damaged ? row_.state
                                                                                                       : d_.badge) +
         pen_.px(6);
    at_.y += high + pen_.px(4);
    if (!d_.badge_told.empty() && d_.badge_told != row_.sentence) {
      at_.wrapped(Cut::Small, d_.badge_told, row_.comparable ? kMuted : kYellow);
      at_.gap(5);
    }
  }

  void interval() {
    const Line<128> words =
        std::isfinite(row_.low)
            ? Line<128>("Time of B over A: %s, 95 %% interval %s to %s", ratio_text(row_.ratio).c_str(),
                        ratio_text(row_.low).c_str(), ratio_text(row_.high).c_str())
            : Line<128>("Time of B over A: %s; too few quads for an interval", ratio_text(row_.ratio).c_str());
    at_.wrapped(Cut::Small, words, kText);
    at_.gap(3);
    const Rect bar{at_.x0, at_.y, at_.x1, at_.y + pen_.px(22)};
    ratio_bar(pen_, bar, row_.ratio, row_.low, row_.high);
    at_.y = bar.y1;
    const float line = pen_.line_px(Cut::Small);
    pen_.text(Cut::Small, at_.x0, at_.y, kMuted, "½");
    pen_.text_centred(Cut::Small, {at_.x0, at_.y, at_.x1, at_.y + line}, kMuted, "1, the same");
    pen_.text_right(Cut::Small, at_.x1, at_.y, kMuted, "2");
    at_.y += line + pen_.px(8);
  }

  void buttons() {
    struct Key {
      LabKey key;
      LabAct act;
      std::string_view label;
      bool offered;
    };
    const bool busy = lab_.job == frame::LabView::Job::Comparing || lab_.job == frame::LabView::Job::Reporting;
    const std::array<Key, 5> keys = {{{LabKey::Resume, LabAct::Resume, "Go on with it", d_.can_resume && !busy},
                                      {LabKey::OpenReport, LabAct::OpenReport, "Open the report", d_.has_report},
                                      {LabKey::Report, LabAct::Report, d_.has_report ? "Make it again" : "Make the report", d_.can_report && !busy},
                                      {LabKey::OpenFolder, LabAct::OpenFolder, "Open the folder", true},
                                      {LabKey::CopyPath, LabAct::CopyPath, "Copy the path", true}}};
    const float high = pen_.px(27), space = pen_.px(6), wide = std::floor((at_.width() - space) * 0.5f);
    std::size_t place = 0;
    for (const Key& key : keys) {
      if (!key.offered) continue;
      const float x0 = at_.x0 + static_cast<float>(place % 2) * (wide + space);
      if (labelled_button(pen_, ControlKind::LabButton, static_cast<std::size_t>(key.key),
                          {x0, at_.y, x0 + wide, at_.y + high}, key.label, "", key.act == LabAct::Resume)) {
        requests_.lab.act = key.act;
      }
      if (++place % 2 == 0) at_.y += high + space;
    }
    if (place % 2 == 1) at_.y += high + space;
    at_.gap(4);
  }

  void figures() {
    if (d_.figures.empty()) return;
    const float line = pen_.line_px(Cut::Small) + pen_.px(3), label = pen_.px(110);
    const float wide = (at_.width() - label) / static_cast<float>(std::max<std::size_t>(2, d_.figures.size()));
    const auto column = [&](std::size_t i) { return at_.x0 + label + wide * static_cast<float>(i + 1); };
    const float side = pen_.px(16);
    for (std::size_t i = 0; i < d_.figures.size(); ++i) {
      const frame::LabFigures& f = d_.figures[i];
      const float right = column(i), room = wide - side - pen_.px(14),
                  text = std::min(room, pen_.width(Cut::Small, f.name));
      pen_.text_within(Cut::Small, right - text, at_.y, room, kText, f.name);
      pen_.letter_box({right - text - side - pen_.px(5), at_.y, right - text - pen_.px(5), at_.y + side}, kText,
                      f.letter);
    }
    at_.y += line;
    const auto row = [&](std::string_view name, auto&& value) {
      pen_.text(Cut::Small, at_.x0, at_.y, kMuted, name);
      for (std::size_t i = 0; i < d_.figures.size(); ++i)
        pen_.text_right(Cut::Small, column(i), at_.y, kText, value(d_.figures[i]));
      at_.y += line;
    };
    const auto time = [](double us) {
      return std::isfinite(us) ? Line<32>("%s ms", ms_text(us).c_str()) : Line<32>("NA");
    };
    row("median", [&](const frame::LabFigures& f) { return time(f.median_us); });
    row("p99", [&](const frame::LabFigures& f) { return time(f.p99_us); });
    row("1 % low", [](const frame::LabFigures& f) {
      return std::isfinite(f.low_1_percent_fps) ? Line<32>("%.0f FPS", f.low_1_percent_fps) : Line<32>("NA");
    });
    row("new a frame", [](const frame::LabFigures& f) {
      return std::isfinite(f.allocations_per_frame) ? Line<32>("%.1f", f.allocations_per_frame) : Line<32>("NA");
    });
    row("spikes", [](const frame::LabFigures& f) { return count_text(f.spikes); });
    row("frames", [](const frame::LabFigures& f) { return count_text(f.frames); });
    at_.gap(8);
  }

  void spikes() {
    if (d_.reading) at_.wrapped(Cut::Small, "Looking through the frames for spikes…");
    if (!d_.error.empty()) at_.wrapped(Cut::Small, d_.error, kYellow);
    if (d_.spikes.empty()) return;
    at_.heading("The longest spikes");
    for (const frame::LabSpike& spike : d_.spikes) {
      const float side = pen_.px(18);
      pen_.letter_box({at_.x0, at_.y, at_.x0 + side, at_.y + side}, kText, spike.letter);
      const bool rated = spike.usual_us > 0 && std::isfinite(spike.usual_us);
      const Line<160> words =
          rated ? Line<160>("%s ms, %.1f times the usual; %.*s", ms_text(spike.us).c_str(), spike.us / spike.usual_us,
                            count_of(spike.place), spike.place.data())
                : Line<160>("%s ms; %.*s", ms_text(spike.us).c_str(), count_of(spike.place), spike.place.data());
      const float left = at_.x0 + side + pen_.px(6), room = at_.x1 - left;
      pen_.text_wrapped(Cut::Small, left, at_.y, room, kText, words);
      at_.y += std::max(side, pen_.wrapped_height(Cut::Small, words, room)) + pen_.px(3);
      phases(spike);
      at_.wrapped(Cut::Small, spike.told);
      if (!spike.trace_name.empty())
        at_.wrapped(Cut::Small, Line<96>("in trace.json: %.*s", count_of(spike.trace_name), spike.trace_name.data()));
      at_.gap(8);
    }
  }

  /// What the frame was busy with: a bar, and the same in words.
  void phases(const frame::LabSpike& spike) {
    const Rect bar{at_.x0, at_.y, at_.x1, at_.y + pen_.px(10)};
    pen_.fill(bar, kControl, pen_.px(2));
    float x = bar.x0;
    std::array<char, 320> text{};
    std::size_t size = 0;
    for (std::size_t p = 0; p < frame::kPhaseCount; ++p) {
      const double us = static_cast<double>(spike.phase_us[p]);
      if (!(us > 0) || !(spike.us > 0)) continue;
      const float end = std::min(bar.x1, x + bar.width() * static_cast<float>(us / spike.us));
      pen_.fill({x, bar.y0, end, bar.y1}, kPhaseColours[p]);
      x = end;
      const int more =
          std::snprintf(text.data() + size, text.size() - size, "%s%.*s %s ms", size > 0 ? ", " : "",
                        count_of(frame::kPhaseNames[p]), frame::kPhaseNames[p].data(), ms_text(us).c_str());
      size = std::min(text.size() - 1, size + static_cast<std::size_t>(std::max(0, more)));
    }
    at_.y = bar.y1 + pen_.px(2);
    if (size > 0) at_.wrapped(Cut::Small, {text.data(), size}, kText);
  }

  const Pen& pen_;
  const frame::LabView& lab_;
  const LabDetails& d_;
  const LabRow& row_;
  frame::PanelRequests& requests_;
  LabColumn at_;
};

}  // namespace

ToneSign sign_of(LabTone tone) {
  switch (tone) {
    case LabTone::Verdict: return {'V', kGreen};
    case LabTone::Indication: return {'I', kBlue};
    case LabTone::Running: return {'R', kAccent};
    case LabTone::Unfinished: return {'U', kYellow};
    case LabTone::Refused: return {'X', kRed};
    case LabTone::Recording: return {'C', kMuted};
    case LabTone::Damaged: break;
  }
  return {'?', kMuted};
}

float badge_pill_height(const Pen& pen) { return pen.line_px(Cut::Small) + pen.px(6); }

float badge_pill(const Pen& pen, float x, float y, std::string_view words) {
  const float high = badge_pill_height(pen), wide = pen.width(Cut::Small, words) + pen.px(20);
  const ImU32 colour = words == "verdict"                          ? kGreen
                       : words == "indication"                     ? kBlue
                       : words == "recording" || words == "report" ? kMuted
                                                                   : kYellow;
  const Rect box{x, y, x + wide, y + high};
  pen.fill(box, faded(colour, 0.14f), high * 0.5f);
  pen.frame(box, colour, high * 0.5f, std::max(1.0f, pen.px(1)));
  pen.text_centred(Cut::Small, box, colour, words);
  return wide;
}

void ratio_bar(const Pen& pen, const Rect& box, double ratio, double low, double high) {
  if (pen.dry() || !std::isfinite(ratio) || ratio <= 0) return;
  const float middle = std::floor(box.middle_y()), thin = std::max(1.0f, pen.px(1)), pad = pen.px(6);
  const auto at = [&](double value) {
    const double way = std::clamp(0.5 + 0.5 * std::log2(std::max(value, 1e-6)), 0.0, 1.0);
    return std::floor(box.x0 + pad + (box.width() - pad * 2) * static_cast<float>(way));
  };
  pen.fill({box.x0, middle, box.x1, middle + thin}, kControlEdge);
  const float one = at(1.0);
  pen.fill({one, box.y0 + pen.px(2), one + thin, box.y1 - pen.px(2)}, kText);
  const bool known = std::isfinite(low) && std::isfinite(high) && low > 0 && low <= high;
  const bool leaves = known && (low > 1.0 || high < 1.0);
  const ImU32 colour = leaves ? (ratio < 1 ? kGreen : kRed) : kMuted;
  if (known)
    pen.fill({at(low), middle - pen.px(3), std::max(at(high), at(low) + 2), middle + pen.px(3) + thin},
             faded(colour, 0.5f), pen.px(2));
  // Beyond half and twice the mark lies at the end, and the number tells.
  const ImVec2 mark(at(ratio), middle + thin * 0.5f);
  const float half = pen.px(5);
  if (leaves) {
    pen.list()->AddQuadFilled(ImVec2(mark.x, mark.y - half), ImVec2(mark.x + half, mark.y),
                              ImVec2(mark.x, mark.y + half), ImVec2(mark.x - half, mark.y), colour);
  } else {
    pen.list()->AddCircleFilled(mark, half - 1, kInk, 16);
    pen.list()->AddCircle(mark, half - 1, kText, 16, std::max(1.0f, pen.scale() * 1.5f));
  }
}

void lab_results(const Pen& pen, const Rect& list, const Rect& details, const frame::PanelModel& model,
                 frame::PanelRequests& requests) {
  const frame::LabView& lab = model.lab;
  draw_list(pen, list, lab, requests);
  if (!lab.details.shown || lab.details.row >= lab.rows.size()) return;
  const float scrolled = begin_scroll("##details", details);
  const Pen inner = Pen(ImGui::GetWindowDrawList(), pen.scale(), pen.layout()).within(details);
  const float end =
      Details(inner, {details.x0, details.y0 - scrolled, details.x1 - pen.px(12), 0}, lab, requests).run();
  end_scroll(details, end + pen.px(4));
}

}  // namespace spellpool::ui
