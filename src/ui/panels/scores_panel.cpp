#include "ui/kit/parts.hpp"
#include "ui/kit/sheet.hpp"

namespace spellpool::ui {
namespace {

using frame::Action;

constexpr ImU32 kGold = IM_COL32(255, 206, 112, 255);

class Scores {
 public:
  Scores(const frame::PanelModel& model, frame::PanelRequests& requests) : model_(model), requests_(requests) {}

  float head(const Pen& pen, const Rect& column) const {
    const float y = column.y0;
    const bool fresh = model_.challenge.finished > 0;
    if (panel_header(pen, {column.x0, y, column.x1, y + pen.px(24)}, fresh ? "The challenge is over" : "Best scores",
                     key_label(model_, Action::Quit), ClosePanel::Scores)) {
      requests_.close_scores = true;
    }
    return y + pen.px(24) + pen.px(8);
  }

  float run(const Pen& pen, const Rect& column) const {
    float y = column.y0;
    if (model_.challenge.finished > 0) y = result(pen, column, y);
    y = table(pen, column, y);
    return buttons(pen, column, y + pen.px(12));
  }

 private:
  float result(const Pen& pen, const Rect& column, float y) const {
    const frame::ChallengeResult& result = model_.challenge.result;
    const Line<32> score = count_text(result.score);
    const bool placed = model_.new_score < frame::kMostHighScores;
    pen.title(64, 0, (column.x0 + column.x1) * 0.5f, y - pen.px(4), placed ? kGold : kText, score);
    y += pen.px(66);
    const Line<64> place = !placed && model_.rewind.rewound ? Line<64>("time was turned back: not counted")
                           : !placed ? Line<64>(result.score == 0 ? "no hit this time" : "not among the ten best")
                           : model_.new_score == 0 ? Line<64>("the best score so far")
                                                   : Line<64>("place %zu of the ten best", model_.new_score + 1);
    pen.text_centred(Cut::Small, {column.x0, y, column.x1, y + pen.px(20)}, placed ? kGold : kMuted, place);
    y += pen.px(30);
    struct Cell {
      std::string_view name;
      Line<32> value;
    };
    const std::array<Cell, 3> cells = {{{"hits", count_text(result.hits)},
                                        {"best combo", count_text(result.best_combo)},
                                        {"finales", count_text(result.finales)}}};
    const float wide = (column.x1 - column.x0) / 3.0f;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const float left = std::floor(column.x0 + wide * static_cast<float>(i)), right = std::floor(left + wide);
      pen.text_centred(Cut::Large, {left, y, right, y + pen.px(26)}, kText, cells[i].value);
      pen.text_centred(Cut::Small, {left, y + pen.px(26), right, y + pen.px(44)}, kMuted, cells[i].name);
    }
    y += pen.px(52);
    pen.fill({column.x0, y, column.x1, y + 1}, kRule);
    return y + pen.px(8);
  }

  float table(const Pen& pen, const Rect& column, float y) const {
    const frame::HighScores* scores = model_.high_scores;
    if (scores == nullptr || scores->rows.empty()) {
      constexpr std::string_view kNone =
          "No scores yet. Start the challenge: hit dummies, crystals and wisps for sixty seconds. Each hit in a row "
          "lights runes and raises the multiplier; when all twelve burn, the finale begins.";
      pen.text_wrapped(Cut::Body, column.x0, y, column.x1 - column.x0, kMuted, kNone);
      return y + pen.wrapped_height(Cut::Body, kNone, column.x1 - column.x0);
    }
    const float line = pen.line_px(Cut::Small) + pen.px(7);
    // Right ends of the columns.
    const float width = column.x1 - column.x0;
    const float score_x = column.x0 + width * 0.34f, hits_x = column.x0 + width * 0.50f;
    const float combo_x = column.x0 + width * 0.66f, date_x = column.x1 - pen.px(8);
    const auto heading = [&](float x, std::string_view words) { pen.text_right(Cut::Small, x, y, kMuted, words); };
    heading(score_x, "score");
    heading(hits_x, "hits");
    heading(combo_x, "combo");
    // A headless picture's one row has no date: the same run gives the same picture on any day.
    if (std::ranges::any_of(scores->rows, [](const frame::HighScore& row) { return !row.date.empty(); })) {
      heading(date_x, "date");
    }
    y += line;
    for (std::size_t i = 0; i < scores->rows.size() && i < frame::kMostHighScores; ++i, y += line) {
      const frame::HighScore& row = scores->rows[i];
      const bool fresh = i == model_.new_score;
      const Rect box{column.x0, y, column.x1, y + line};
      if (fresh) {
        pen.fill(box, faded(kGold, 0.16f), pen.px(6));
        pen.frame(box, kGold, pen.px(6));
      } else if (i % 2 == 0) {
        pen.fill(box, faded(kControl, 0.5f), pen.px(6));
      }
      const float text_y = pen.centre_y(Cut::Small, box.y0, box.y1);
      const ImU32 colour = fresh ? kGold : kText, quiet = fresh ? kGold : kMuted;
      pen.text_right(Cut::Small, column.x0 + pen.px(28), text_y, quiet, Line<16>("%zu", i + 1));
      pen.text_right(Cut::Small, score_x, text_y, colour, count_text(row.result.score));
      pen.text_right(Cut::Small, hits_x, text_y, quiet, count_text(row.result.hits));
      pen.text_right(Cut::Small, combo_x, text_y, quiet, count_text(row.result.best_combo));
      const float room = date_x - combo_x - pen.px(10);
      const float wide = std::min(room, pen.width(Cut::Small, row.date));
      pen.text_within(Cut::Small, date_x - wide, text_y, room, quiet, row.date);
    }
    return y;
  }

  float buttons(const Pen& pen, const Rect& column, float y) const {
    const float space = pen.px(8), high = pen.px(34), middle = std::floor((column.x0 + column.x1) * 0.5f);
    if (model_.rewind.retry_s > 0) {
      const Line<48> words("Retry the last %.0f s", static_cast<double>(model_.rewind.retry_s));
      if (labelled_button(pen, ControlKind::Ask, static_cast<std::size_t>(Action::Rewind),
                          {column.x0, y, column.x1, y + high}, words, key_label(model_, Action::Rewind), false)) {
        requests_.ask(Action::Rewind);
      }
      y += high + space;
    }
    if (labelled_button(pen, ControlKind::Ask, static_cast<std::size_t>(Action::Challenge),
                        {column.x0, y, middle - space * 0.5f, y + high},
                        model_.challenge.finished > 0 ? "Again" : "Start", key_label(model_, Action::Challenge),
                        true)) {
      requests_.ask(Action::Challenge);
    }
    if (labelled_button(pen, ControlKind::Close, static_cast<std::size_t>(ClosePanel::Scores) + 16,
                        {middle + space * 0.5f, y, column.x1, y + high}, "Close", key_label(model_, Action::Quit),
                        false)) {
      requests_.close_scores = true;
    }
    return y + high;
  }

  const frame::PanelModel& model_;
  frame::PanelRequests& requests_;
};

}  // namespace

Rect draw_scores(const Rect& free, const frame::PanelModel& model, const Pen& pen, frame::PanelRequests& requests) {
  const Scores scores(model, requests);
  return draw_headed_sheet(
      "##scores", free, 460, pen, [&](const Pen& at, const Rect& column) { return scores.head(at, column); },
      [&](const Pen& at, const Rect& column) { return scores.run(at, column); });
}

}  // namespace spellpool::ui
