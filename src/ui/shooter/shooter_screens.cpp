#include <algorithm>
#include <cctype>
#include <cmath>

#include "ui/shooter/shooter_parts.hpp"

namespace spellpool::ui {
namespace {

using frame::Action;
using frame::Difficulty;
using frame::ShooterView;
using Look = Bit::Look;

constexpr float kAppear_s = 0.9f;
constexpr std::size_t kTitleRows = 3, kResultRows = 5;
constexpr float kContinue_s = 10.0f;
constexpr float kLeastResultUnits = 340;
constexpr std::string_view kName = "NIGHT GARDEN";
constexpr float kShipEnds = 0.895f;  // Of the field's height: the ship's lower end, where it waits.
constexpr float kLeastKeys = 0.9f;   // How to play may be so much smaller than the title, not to lie on the ship.
constexpr float kTooWide = 1e9f;  // As a height: no room will do.

// Small letters are as good as capitals.
bool same_words(std::string_view a, std::string_view b) {
  const auto same = [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

float middle_of(const Rect& column) { return std::floor((column.x0 + column.x1) * 0.5f); }

// Two lines that open from a diamond in the middle.
void ornament(const Pen& pen, float middle, float y, float half, float seen) {
  if (pen.dry()) return;
  const ImU32 clear = faded(kGold, 0), warm = faded(kGold, 0.75f * seen);
  const float reach = half * seen, from = pen.px(10), thick = std::max(1.0f, std::floor(pen.scale()));
  pen.list()->AddRectFilledMultiColor(ImVec2(middle - reach, y), ImVec2(middle - from, y + thick), clear, warm, warm,
                                      clear);
  pen.list()->AddRectFilledMultiColor(ImVec2(middle + from, y), ImVec2(middle + reach, y + thick), warm, clear, clear,
                                      warm);
  draw_diamond(pen, ImVec2(middle, y + thick * 0.5f), pen.px(4), faded(kGold, seen), true);
}

// A plate behind a line that has to be read over anything; the line itself.
void plate_line(const Pen& pen, float middle, float y, float high, float seen, ImU32 colour,
                std::span<const Bit> bits) {
  const float wide = bits_width(pen, bits), pad = pen.px(12);
  pen.fill({middle - wide * 0.5f - pad, y, middle + wide * 0.5f + pad, y + high},
           faded(IM_COL32(6, 7, 16, 255), 0.6f * seen), pen.px(8));
  if (seen > 0.3f) draw_bits(pen, std::floor(middle - wide * 0.5f), y, y + high, colour, bits);
}

std::array<Bit, 5> start_bits(const frame::PanelModel& model, std::string_view before, const Line<32>& pad,
                              std::string_view after) {
  const std::string_view button = pad;
  return {{{before},
           {key_label(model, Action::Cast), Look::Key},
           {button.empty() ? "" : "or"},
           {button, Look::Pad},
           {after}}};
}

// A quiet line that asks for an action when it is clicked: words, its key and its button.
class AskLine {
 public:
  AskLine(const frame::PanelModel& model, const char* window, Action action, std::string_view words)
      : window_(window), action_(action), pad_(pad_label(model, action)) {
    const std::string_view pad = pad_;
    bits_ = {Bit{words}, {key_label(model, action), Look::Key}, {pad.empty() ? "" : "or"}, {pad, Look::Pad}};
  }
  AskLine(const AskLine&) = delete;
  AskLine& operator=(const AskLine&) = delete;

  float width(const Pen& pen) const { return bits_width(pen, bits_) + pen.px(20); }
  float draw(const Pen& outer, float middle, float y, frame::PanelRequests& requests) const {
    const float high = outer.px(28), wide = width(outer), x0 = std::floor(middle - wide * 0.5f);
    if (outer.dry()) return y + high;
    const Rect box{x0, y, x0 + wide, y + high};
    begin_window(window_, box);
    const Pen pen(ImGui::GetWindowDrawList(), outer.scale(), outer.layout());
    const Press press = press_area(pen, ControlKind::Ask, static_cast<std::size_t>(action_), box);
    pen.fill(box, press.hovered ? faded(kGold, 0.14f) : faded(kNight, 0.45f), pen.px(8));
    draw_bits(pen, box.x0 + pen.px(10), box.y0, box.y1, press.hovered ? kText : kMuted, bits_);
    end_window();
    if (press.pressed) requests.ask(action_);
    return y + high;
  }

 private:
  const char* window_;
  Action action_;
  Line<32> pad_;
  std::array<Bit, 4> bits_;
};

constexpr float kRetryGapUnits = 8;

float breath(float age_s) { return 0.82f + 0.18f * std::sin(bounded(age_s, 0, 1e6f) * 2.4f); }

class Title {
 public:
  Title(const frame::PanelModel& model, float age_s, frame::PanelRequests& requests)
      : model_(model), view_(*model.shooter), age_s_(age_s), requests_(requests) {}

  float run(const Pen& pen, const Rect& column) const {
    const float middle = middle_of(column), seen = ease_out(age_s_ / kAppear_s);
    const Line<32> pad = pad_label(model_, Action::Cast);
    const std::array<Bit, 5> start = start_bits(model_, "press", pad, "to begin");
    if (std::max(row_width(pen), bits_width(pen, start)) + pen.px(24) > column.width()) return kTooWide;
    float y = column.y0;
    y += headline(pen, 58, 0.24f, middle, y, column.width(), seen, kMoon, kName) + pen.px(12);
    ornament(pen, middle, y, pen.px(190), seen);
    y += pen.px(12);
    if (!view_.stage_title.empty() && !same_words(view_.stage_title, kName)) {
      const float wide = std::min(column.width(), pen.width(Cut::Body, view_.stage_title));
      pen.text_within(Cut::Body, middle - wide * 0.5f, y, column.width(), faded(kMuted, seen), view_.stage_title);
      y += pen.line_px(Cut::Body);
    }
    y += pen.px(40);
    y = difficulties(pen, middle, y);
    y = best(pen, middle, y + pen.px(16));
    y += pen.px(34);
    plate_line(pen, middle, y, pen.px(32), 1, faded(kText, breath(age_s_)), start);
    y += pen.px(32) + pen.px(10);
    y = AskLine(model_, "##how_many", Action::Stress, "how many bullets?").draw(pen, middle, y, requests_);
    const std::array<Bit, 2> pools = {Bit{key_label(model_, Action::ToggleStrategy), Look::Key},
                                      Bit{"new/delete instead of the pools, and back"}};
    if (bits_width(pen, pools) + pen.px(24) > column.width()) return y;
    plate_line(pen, middle, y + pen.px(8), pen.px(28), 1, kMuted, pools);
    return y + pen.px(36);
  }

  // A line each for keyboard, mouse and gamepad.
  float keys(const Pen& pen, const Rect& column) const {
    const auto key = [&](Action action) { return Bit{key_label(model_, action), Look::Key}; };
    const Line<32> fire = pad_label(model_, Action::Cast), slow = pad_label(model_, Action::Focus),
                   bomb = pad_label(model_, Action::Bomb), pause = pad_label(model_, Action::Pause);
    const Bit dot{"", Look::Dot};
    const std::array<Bit, 17> keyboard = {key(Action::MoveUp),
                                          key(Action::MoveLeft),
                                          key(Action::MoveDown),
                                          key(Action::MoveRight),
                                          Bit{"fly"},
                                          dot,
                                          key(Action::Cast),
                                          Bit{"fire"},
                                          dot,
                                          key(Action::Focus),
                                          Bit{"slow"},
                                          dot,
                                          key(Action::Bomb),
                                          Bit{"bomb"},
                                          dot,
                                          key(Action::Pause),
                                          Bit{"pause"}};
    const std::array<Bit, 7> mouse = {Bit{"the ship follows"}, dot, Bit{"left fires"},  dot,
                                      Bit{"right slows"},      dot, Bit{"middle bombs"}};
    const std::array<Bit, 13> pad = {Bit{"left stick flies"},
                                     dot,
                                     Bit{fire, Look::Pad},
                                     Bit{"fire"},
                                     dot,
                                     Bit{slow, Look::Pad},
                                     Bit{"slow"},
                                     dot,
                                     Bit{bomb, Look::Pad},
                                     Bit{"bomb"},
                                     dot,
                                     Bit{pause, Look::Pad},
                                     Bit{"pause"}};
    struct Row {
      std::string_view name;
      std::span<const Bit> bits;
    };
    const std::array<Row, 3> rows = {{{"keyboard", keyboard}, {"mouse", mouse}, {"gamepad", pad}}};
    float names = 0, widest = 0;
    for (const Row& row : rows) {
      names = std::max(names, pen.width(Cut::Small, row.name));
      widest = std::max(widest, bits_width(pen, row.bits));
    }
    const float high = pen.px(25), gap = pen.px(14), wide = names + gap + widest;
    if (wide > column.width()) return kTooWide;
    const float x = std::floor(middle_of(column) - wide * 0.5f);
    float y = column.y0;
    for (const Row& row : rows) {
      pen.text_right(Cut::Small, x + names, pen.centre_y(Cut::Small, y, y + high), kMuted, row.name);
      draw_bits(pen, x + names + gap, y, y + high, kText, row.bits);
      y += high;
    }
    return y;
  }

 private:
  float cell_width(const Pen& pen, const frame::DifficultyRow& row) const {
    return pen.width(Cut::Strong, row.title) + pen.px(28);
  }
  float row_width(const Pen& pen) const {
    float wide = pen.key_cap_width(key_label(model_, Action::MoveLeft)) +
                 pen.key_cap_width(key_label(model_, Action::MoveRight)) + pen.px(14);
    for (const frame::DifficultyRow& row : frame::kDifficulties) wide += cell_width(pen, row) + pen.px(6);
    return wide;
  }

  // The four in a row between the keys that change them: the chosen one stands in a frame under a diamond.
  float difficulties(const Pen& outer, float middle, float y) const {
    const float space = outer.px(6), high = outer.px(32), wide = row_width(outer);
    const std::string_view less = key_label(model_, Action::MoveLeft), more = key_label(model_, Action::MoveRight);
    const Rect row{std::floor(middle - wide * 0.5f), y, std::floor(middle + wide * 0.5f) + 1, y + high};
    const Difficulty chosen = row_of(view_.difficulty).id;
    if (!outer.dry()) {
      outer.fill({row.x0 - outer.px(8), row.y0 - outer.px(14), row.x1 + outer.px(8), row.y1 + outer.px(28)},
                 faded(kNight, 0.34f), outer.px(10));
      begin_window("##difficulty", row);
      const Pen pen(ImGui::GetWindowDrawList(), outer.scale(), outer.layout());
      float x = row.x0 + pen.key_cap(row.x0, row.y0, row.y1, less) + pen.px(10);
      for (const frame::DifficultyRow& one : frame::kDifficulties) {
        const auto i = static_cast<std::size_t>(one.id);
        const Rect cell{x, row.y0, x + cell_width(outer, one), row.y1};
        const Press press = press_area(pen, ControlKind::Difficulty, i, cell);
        const bool on = one.id == chosen;
        if (on || press.hovered) pen.fill(cell, faded(kGold, on ? 0.14f : 0.07f), pen.px(8));
        if (on) pen.frame(cell, faded(kGold, 0.85f), pen.px(8), std::max(1.0f, pen.scale() * 1.3f));
        pen.text_centred(on ? Cut::Strong : Cut::Body, cell, on ? kText : kMuted, one.title);
        if (on) draw_diamond(outer, ImVec2(cell.middle_x(), cell.y0 - outer.px(7)), outer.px(4), kGold, true);
        if (press.pressed) {
          requests_.choose_difficulty = true;
          requests_.difficulty = one.id;
        }
        x = cell.x1 + space;
      }
      pen.key_cap(x - space + pen.px(10), row.y0, row.y1, more);
      end_window();
    }
    y = row.y1 + outer.px(4);
    const std::string_view words = row_of(chosen).description;
    outer.text(Cut::Small, middle - outer.width(Cut::Small, words) * 0.5f, y, kMuted, words);
    return y + outer.line_px(Cut::Small);
  }

  float best(const Pen& pen, float middle, float y) const {
    const auto* table = shooter_table(model_);
    const float high = pen.px(22), half = pen.px(6);
    std::array<Line<48>, kTitleRows> scores = {Line<48>("no score here yet"), Line<48>("%s", ""), Line<48>("%s", "")};
    std::array<Bit, kTitleRows * 2 - 1> bits = {Bit{scores[0]}, {}, {}, {}, {}};
    for (std::size_t i = 0; table != nullptr && i < std::min(table->size(), kTitleRows); ++i) {
      scores[i] = Line<48>("%zu.  %s", i + 1, count_text((*table)[i].score).c_str());
      bits[i * 2] = Bit{scores[i]};
      if (i > 0) bits[i * 2 - 1] = Bit{"", Look::Dot};
    }
    const bool some = table != nullptr && !table->empty();
    if (some && !pen.dry()) pen.layout().best_score = table->front().score;
    const float sign = some ? half * 2 + pen.px(6) : 0.0f, wide = sign + bits_width(pen, bits),
                x = std::floor(middle - wide * 0.5f);
    if (some) draw_star(pen, ImVec2(x + half, y + high * 0.5f), half, kGold);
    draw_bits(pen, x + sign, y, y + high, some ? kText : kMuted, bits);
    return y + high;
  }

  const frame::PanelModel& model_;
  const ShooterView& view_;
  float age_s_;
  frame::PanelRequests& requests_;
};

class Result {
 public:
  Result(const frame::PanelModel& model, float age_s, frame::PanelRequests& requests)
      : model_(model),
        view_(*model.shooter),
        age_s_(age_s),
        requests_(requests),
        words_("fly the last %.0f s again", static_cast<double>(model.rewind.retry_s)),
        retry_(model, "##retry", Action::Rewind, words_) {}

  float run(const Pen& pen, const Rect& column) const {
    const bool won = view_.state == frame::ShooterState::Won;
    const float middle = middle_of(column), seen = ease_out(age_s_ / kAppear_s);
    const bool placed = model_.new_score < frame::kMostHighScores;
    const Line<32> pad = pad_label(model_, Action::Cast);
    const std::array<Bit, 5> bits = start_bits(model_, "press", pad, "for the title");
    const float wide = bits_width(pen, bits), high = pen.px(26);
    const float retry_wide = retries() ? retry_.width(pen) : 0.0f;
    if (std::max({wide, retry_wide, pen.px(kLeastResultUnits)}) > column.width() + 1) return kTooWide;
    float y = column.y0;
    y += headline(pen, 40, 0.2f, middle, y, column.width(), seen, won ? IM_COL32(255, 238, 204, 255) : kMoon,
                  won ? "THE GARDEN SHINES" : "THE LIGHTS ARE OUT") + pen.px(6);
    const std::string_view stage = view_.stage_title.empty() ? std::string_view("the stage") : view_.stage_title;
    const Line<128> where(won ? "%.*s, to its end" : "%.*s, not to its end",
                          static_cast<int>(std::min<std::size_t>(stage.size(), 90)), stage.data());
    centred(pen, Cut::Body, column, y, kMuted, where);
    y += pen.line_px(Cut::Body) + pen.px(14);
    ornament(pen, middle, y, pen.px(190), seen);
    y += pen.px(12);

    const Line<32> score = count_text(view_.score);
    y += headline(pen, 62, 0, middle, y, column.width(), 1, placed ? kGold : kText, score) - pen.px(2);
    y = rank(pen, column, y);
    y = cells(pen, column, y + pen.px(14));
    y = table(pen, column, y + pen.px(12));
    y += pen.px(12);
    draw_bits(pen, std::floor(middle - wide * 0.5f), y, y + high, faded(kText, breath(age_s_)), bits);
    if (!retries()) return y + high;
    return retry_.draw(pen, middle, y + high + pen.px(kRetryGapUnits), requests_);
  }

 private:
  bool retries() const { return model_.rewind.retry_s > 0; }

  static void centred(const Pen& pen, Cut cut, const Rect& column, float y, ImU32 colour, std::string_view words) {
    const float wide = std::min(column.width(), pen.width(cut, words));
    pen.text_within(cut, middle_of(column) - wide * 0.5f, y, column.width(), colour, words);
  }

  // Stars mark what is new; the words say it too.
  float rank(const Pen& pen, const Rect& column, float y) const {
    const std::string_view name = row_of(view_.difficulty).title;
    const int size = static_cast<int>(name.size());
    const std::size_t place = model_.new_score;
    const bool placed = place < frame::kMostHighScores;
    const Line<96> words = place == 0 ? Line<96>("the best score on %.*s so far", size, name.data())
                           : placed   ? Line<96>("place %zu of the ten best on %.*s", place + 1, size, name.data())
                           : model_.autoplay       ? Line<96>("it played by itself: not counted")
                           : model_.rewind.rewound ? Line<96>("time was turned back: not counted")
                                                   : Line<96>("not among the ten best on %.*s", size, name.data());
    centred(pen, Cut::Body, column, y, placed ? kGold : kMuted, words);
    if (placed) {
      const float reach = pen.width(Cut::Body, words) * 0.5f + pen.px(14), line = pen.line_px(Cut::Body);
      for (const float side : {-1.0f, 1.0f}) {
        draw_star(pen, ImVec2(middle_of(column) + side * reach, y + line * 0.5f), pen.px(place == 0 ? 8 : 6), kGold);
      }
    }
    return y + pen.line_px(Cut::Body);
  }

  float cells(const Pen& pen, const Rect& column, float y) const {
    struct Cell {
      std::string_view name;
      Line<32> value;
    };
    const std::string_view difficulty = row_of(view_.difficulty).title;
    const std::array<Cell, 4> cells = {{{"graze", count_text(view_.graze)},
                                        {"time", Line<32>("%s", clock_text(view_.stage_s).c_str())},
                                        {"difficulty", Line<32>("%.*s", static_cast<int>(difficulty.size()), difficulty.data())},
                                        {"continues", count_text(view_.continues)}}};
    const float wide = column.width() / static_cast<float>(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const float left = std::floor(column.x0 + wide * static_cast<float>(i)), right = std::floor(left + wide);
      pen.text_centred(Cut::Large, {left, y, right, y + pen.px(26)}, kText, cells[i].value);
      pen.text_centred(Cut::Small, {left, y + pen.px(26), right, y + pen.px(44)}, kMuted, cells[i].name);
    }
    return y + pen.px(46);
  }

  // The best five of the difficulty; a new row below them stands in the fifth line, with its own number.
  float table(const Pen& pen, const Rect& column, float y) const {
    const auto* rows = shooter_table(model_);
    if (rows == nullptr || rows->empty()) return y;
    pen.fill({column.x0, y, column.x1, y + 1}, kRule);
    y += pen.px(8);
    const float line = pen.line_px(Cut::Small) + pen.px(6);
    const std::size_t count = std::min(rows->size(), kResultRows);
    const float width = column.width();
    const float score_x = column.x0 + width * 0.36f, graze_x = column.x0 + width * 0.54f;
    const float time_x = column.x0 + width * 0.69f, date_x = column.x1 - pen.px(8);
    const auto heading = [&](float x, std::string_view words) { pen.text_right(Cut::Small, x, y, kMuted, words); };
    heading(score_x, "score");
    heading(graze_x, "graze");
    heading(time_x, "time");
    const bool dated =
        std::any_of(rows->begin(), rows->end(), [](const frame::ShooterScore& row) { return !row.date.empty(); });
    if (dated) heading(date_x, "date");
    y += line;
    for (std::size_t i = 0; i < count; ++i, y += line) {
      const bool last = i + 1 == count && model_.new_score >= count && model_.new_score < rows->size();
      const std::size_t place = last ? model_.new_score : i;
      const frame::ShooterScore& row = (*rows)[place];
      const bool fresh = place == model_.new_score;
      const Rect box{column.x0, y, column.x1, y + line};
      if (fresh) {
        pen.fill(box, faded(kGold, 0.16f), pen.px(6));
        pen.frame(box, kGold, pen.px(6));
      }
      const float text_y = pen.centre_y(Cut::Small, box.y0, box.y1);
      const ImU32 colour = fresh ? kGold : kText, quiet = fresh ? kGold : kMuted;
      pen.text_right(Cut::Small, column.x0 + pen.px(28), text_y, quiet, Line<16>("%zu", place + 1));
      pen.text_right(Cut::Small, score_x, text_y, colour, count_text(row.score));
      pen.text_right(Cut::Small, graze_x, text_y, quiet, count_text(row.graze));
      pen.text_right(Cut::Small, time_x, text_y, quiet, clock_text(static_cast<float>(std::min(row.time_s, 35'999u))));
      const float room = date_x - time_x - pen.px(10), wide = std::min(room, pen.width(Cut::Small, row.date));
      pen.text_within(Cut::Small, date_x - wide, text_y, room, quiet, row.date);
    }
    return y;
  }

  const frame::PanelModel& model_;
  const ShooterView& view_;
  float age_s_;
  frame::PanelRequests& requests_;
  Line<48> words_;
  AskLine retry_;
};

// Badges stay left of `box`, or above it.
void keep_clear(Rect& rest, const Rect& box, const Pen& pen) {
  const float gap = pen.px(8);
  if (box.x0 - gap - rest.x0 >= pen.px(230)) {
    rest.x1 = std::min(rest.x1, box.x0 - gap);
  } else {
    rest.y1 = std::min(rest.y1, box.y0 - gap);
  }
}

}  // namespace

void draw_shooter_veil(const ShooterView& view, float age_s, const Pen& pen) {
  const bool over = view.state == frame::ShooterState::Won || view.state == frame::ShooterState::Lost;
  if (!over && view.state != frame::ShooterState::Continue) return;
  // The world goes on behind it: darkest where the words stand.
  const Rect field = shooter_field();
  const float seen = ease_out(age_s / kAppear_s), middle = field.middle_x();
  const bool won = view.state == frame::ShooterState::Won;  // its lanterns shine through
  const ImU32 dark = faded(kNight, (won    ? 0.66f
                                    : over ? 0.78f
                                           : 0.42f) *
                                       seen),
              edge = faded(kNight, (won    ? 0.08f
                                    : over ? 0.4f
                                           : 0.25f) *
                                       seen);
  pen.list()->AddRectFilledMultiColor(ImVec2(field.x0, field.y0), ImVec2(middle, field.y1), edge, dark, dark, edge);
  pen.list()->AddRectFilledMultiColor(ImVec2(middle, field.y0), ImVec2(field.x1, field.y1), dark, edge, edge, dark);
}

void draw_shooter_title(Rect& rest, const frame::PanelModel& model, float age_s, const Pen& outer,
                        frame::PanelRequests& requests) {
  const Title title(model, age_s, requests);
  Layout& layout = outer.layout();
  const Rect field = shooter_field();
  // In the middle of the window, as long as panels leave it; wider than the field where that is narrow.
  const float middle = std::floor(field.middle_x()), side = std::min(middle - rest.x0, rest.x1 - middle);
  Rect room = side >= outer.px(200) ? Rect{middle - side, rest.y0, middle + side, rest.y1} : rest;
  const float half = outer.px(320), centre = std::floor(room.middle_x());
  if (room.width() > half * 2) room = {centre - half, room.y0, centre + half, room.y1};

  // How to play has the lower edge, if it leaves the title enough.
  const float gap = outer.px(14);
  const auto title_high = [&](const Pen& pen) { return title.run(pen, {room.x0, 0, room.x1, 0}); };
  const auto keys_high = [&](const Pen& pen) { return title.keys(pen, {room.x0, 0, room.x1, 0}); };
  float scale =
      fitting_scale(outer, room.height(), [&](const Pen& pen) { return title_high(pen) + gap + keys_high(pen); });
  const bool with_keys =
      title_high(Pen(nullptr, scale, layout)) + gap + keys_high(Pen(nullptr, scale, layout)) <= room.height();
  if (!with_keys) scale = fitting_scale(outer, room.height(), title_high);
  const Pen pen(outer.list(), scale, layout), dry(nullptr, scale, layout);
  Rect all = room;
  if (with_keys) {
    // Below the ship that waits; where that cannot be, over it on a plate that hides it.
    const float ship = std::floor(field.y0 + field.height() * kShipEnds), lower = room.y1 + outer.px(7);
    float small = scale;
    while (lower - keys_high(Pen(nullptr, small, layout)) < ship && small > scale * kLeastKeys &&
           small * kCutUnits[1] > kLeastTextPx)
      small *= 0.99f;
    if (lower - keys_high(Pen(nullptr, small, layout)) < ship) small = scale;
    const Pen keys_pen(outer.list(), small, layout);
    Rect keys = take_bottom(room, keys_high(dry), gap);
    keys.y1 = lower;
    keys.y0 = std::floor(lower - keys_high(Pen(nullptr, small, layout)));
    outer.fill({keys.x0, keys.y0 - pen.px(2), keys.x1, keys.y1 + pen.px(2)},
               faded(kNight, keys.y0 < ship ? 0.88f : 0.3f), pen.px(10));
    title.keys(keys_pen, keys);
    layout.of(Part::ShooterKeys) = keys;
  }
  const float high = title_high(dry);
  if (high > room.height()) return;
  // Above the middle: the lower half is the ship's.
  const float top = std::max(room.y0, std::min(std::floor(field.height() * 0.15f), room.y1 - high));
  const Rect box{room.x0, top, room.x1, top + high};
  title.run(pen, box);
  layout.of(Part::ShooterTitle) = box;
  all.y0 = box.y0;
  keep_clear(rest, all, outer);
}

void draw_shooter_continue(Rect& rest, const Rect& whole, const frame::PanelModel& model, const Pen& outer,
                           frame::PanelRequests& requests) {
  const ShooterView& view = *model.shooter;
  const Rect field = shooter_field();
  Layout& layout = outer.layout();
  Rect room = field.cut_to(whole);
  for (const Part part : {Part::Chip, Part::ShooterLine, Part::ShooterBoss}) {
    const Rect& box = layout.of(part);
    if (!box.empty() && box.x0 < room.x1 && box.x1 > room.x0) room.y0 = std::max(room.y0, box.y1 + outer.px(8));
  }
  const float left_s = bounded(view.continue_s, 0, 99);
  const Line<8> number("%.0f", static_cast<double>(std::ceil(left_s)));
  const Line<32> pad = pad_label(model, Action::Cast);
  const std::array<Bit, 5> bits = start_bits(model, "press", pad, "to fly on");
  constexpr std::string_view kElse = "or let the ring run out";
  const Line<48> words("fly the last %.0f s again", static_cast<double>(model.rewind.retry_s));
  const AskLine retry(model, "##retry", Action::Rewind, words);
  const bool retries = model.rewind.retry_s > 0;
  const auto body = [&](const Pen& pen, float y) {
    const float middle = std::floor(room.middle_x()), radius = pen.px(58);
    y += headline(pen, 40, 0.2f, middle, y, room.width() - pen.px(24), 1, kMoon, "CONTINUE?") + pen.px(16);
    const ImVec2 centre(middle, y + radius);
    if (!pen.dry()) {
      const float thick = std::max(2.0f, pen.scale() * 5);
      pen.list()->AddCircle(centre, radius, faded(kMuted, 0.3f), 64, thick);
      // It shrinks towards twelve o'clock.
      const float share = std::min(left_s / kContinue_s, 1.0f);
      pen.arc(centre, radius, -0.25f, -0.25f + share, left_s <= 3 ? kRed : kGold, thick);
    }
    pen.title(64, 0, middle, y + radius - pen.px(64) * 0.52f, kText, number);
    y += radius * 2 + pen.px(18);
    const float wide = bits_width(pen, bits), high = pen.px(26);
    draw_bits(pen, std::floor(middle - wide * 0.5f), y, y + high, kText, bits);
    y += high;
    pen.text(Cut::Small, middle - pen.width(Cut::Small, kElse) * 0.5f, y, kMuted, kElse);
    y += pen.line_px(Cut::Small);
    return retries ? retry.draw(pen, middle, y + pen.px(kRetryGapUnits), requests) : y;
  };
  const float margin = outer.px(16);
  const float scale = fitting_scale(outer, room.height() - margin * 2, [&](const Pen& pen) { return body(pen, 0); });
  const Pen pen(outer.list(), scale, layout);
  const float high = body(Pen(nullptr, scale, layout), 0);
  const float asked = std::max(bits_width(pen, bits), retries ? retry.width(pen) : 0.0f);
  const float half = std::min(std::max(pen.px(190), asked * 0.5f + pen.px(10)), room.width() * 0.5f),
              middle = std::floor(room.middle_x());
  if (high > room.height() || asked > half * 2) return;
  const float y = std::floor(room.middle_y() - high * 0.5f), out = std::min(margin, y - room.y0);
  const Rect box{middle - half, y - out, middle + half, y + high + out};
  outer.panel(box);
  body(pen, y);
  layout.of(Part::ShooterContinue) = box;
  if (rest.x1 > box.x0 && rest.x0 < box.x1) rest.y1 = std::min(rest.y1, box.y0 - outer.px(8));
}

void draw_shooter_result(Rect& rest, const frame::PanelModel& model, float age_s, const Pen& outer,
                         frame::PanelRequests& requests) {
  const Result result(model, age_s, requests);
  Layout& layout = outer.layout();
  const float middle = std::floor(shooter_field().middle_x()), side = std::min(middle - rest.x0, rest.x1 - middle);
  Rect room = side >= outer.px(160) ? Rect{middle - side, rest.y0, middle + side, rest.y1} : rest;
  const float wide = std::min(room.width(), outer.px(470)), pad = outer.px(18);
  const auto column = [&](const Pen& pen) {
    const float half = std::floor(std::min(wide, pen.px(470)) * 0.5f);
    return Rect{std::floor(room.middle_x()) - half, 0, std::floor(room.middle_x()) + half, 0};
  };
  const auto measure = [&](const Pen& pen) { return result.run(pen, column(pen)); };
  const float scale = fitting_scale(outer, room.height() - pad * 2, measure);
  const Pen pen(outer.list(), scale, layout);
  const float high = measure(Pen(nullptr, scale, layout));
  if (high > room.height()) return;
  Rect box = column(pen);
  box.y0 = std::floor(room.middle_y() - high * 0.5f);
  box.y1 = box.y0 + high;
  result.run(pen, box);
  layout.of(Part::ShooterResult) = box;
  keep_clear(rest, box, outer);
}

}  // namespace spellpool::ui
