#include <algorithm>
#include <charconv>
#include <cmath>

#include "ui/kit/controls.hpp"
#include "ui/kit/fields.hpp"
#include "ui/kit/parts.hpp"
#include "ui/kit/sheet.hpp"

namespace spellpool::ui {
namespace {

using frame::Action;
using frame::ChoiceRow;
using frame::PoolRow;
using frame::SimCommand;
using frame::SimCommandKind;

constexpr float kSliderLow = 100.0f, kSliderHigh = 500'000.0f;
constexpr std::size_t kButtonsInARow = 3, kStrategyColumns = 2;
constexpr u32 kManyForASearch = 20'000;  // a linear search for each object costs milliseconds from here on (bench pools)

ImU32 choice_colour(const ChoiceRow& row) { return IM_COL32(row.r, row.g, row.b, 255); }

void ask(frame::PanelRequests& requests, SimCommandKind kind, const PoolRow& pool, std::size_t choice) {
  SimCommand command;
  command.kind = kind;
  command.pool = pool.pool;
  command.choice = static_cast<u8>(choice);
  requests.ask(command);
}

void ask_capacity(frame::PanelRequests& requests, const PoolRow& pool, u64 capacity) {
  SimCommand command;
  command.kind = SimCommandKind::SetCapacity;
  command.pool = pool.pool;
  command.capacity = static_cast<u32>(std::clamp<u64>(capacity, frame::kMinCapacity, frame::kMaxCapacity));
  if (command.capacity != pool.capacity) requests.ask(command);
}

float slider_share(u32 capacity) {
  const float value = std::clamp(static_cast<float>(capacity), kSliderLow, kSliderHigh);
  return std::log(value / kSliderLow) / std::log(kSliderHigh / kSliderLow);
}

// Two leading digits, so that a slider gives figures that one can say.
u32 slider_capacity(float share) {
  const float value = kSliderLow * std::pow(kSliderHigh / kSliderLow, std::clamp(share, 0.0f, 1.0f));
  const float step = std::pow(10.0f, std::floor(std::log10(value)) - 1.0f);
  return static_cast<u32>(std::floor(value / step + 0.5f) * step + 0.5f);
}

// The panel from top to bottom. Run dry it only moves y.
class Body {
 public:
  Body(const Pen& pen, const frame::PanelModel& model, UiState& state, frame::PanelRequests& requests, bool compact,
       const Rect& column)
      : pen_(pen),
        model_(model),
        state_(state),
        requests_(requests),
        compact_(compact),
        x0_(column.x0),
        x1_(column.x1),
        y_(column.y0) {}

  float head() {
    if (panel_header(pen_, {x0_, y_, x1_, y_ + pen_.px(24)}, "Object pool", key_label(model_, Action::PoolPanel),
                     ClosePanel::Pool)) {
      requests_.ask(Action::PoolPanel);
    }
    return y_ + pen_.px(24) + gap();
  }

  float run() {
    if (model_.pools.empty()) return y_;
    if (state_.pool >= model_.pools.size()) state_.pool = 0;
    pools();
    if (state_.figure_pool) return figure_pool();
    const PoolRow& pool = model_.pools[state_.pool];
    const float line = y_;
    heading("Strategy", {key_label(model_, Action::NextStrategy), key_label(model_, Action::ToggleStrategy)});
    more_strategies(pool, {x0_ + pen_.width(Cut::Small, "Strategy") + pen_.px(12), line, x1_,
                           line + pen_.key_cap_height()});
    strategies(pool);
    heading("When the pool is full", {key_label(model_, Action::NextPolicy), ""});
    policies(pool);
    capacity(pool);
    load();
    counters(pool);
    buttons();
    return y_;
  }

 private:
  float gap() const { return pen_.px(compact_ ? 7 : 12); }
  float width() const { return x1_ - x0_; }

  void heading(std::string_view words, std::array<std::string_view, 2> keys) {
    const float high = pen_.key_cap_height();
    pen_.text(Cut::Small, x0_, pen_.centre_y(Cut::Small, y_, y_ + high), kMuted, words);
    float x = x1_;
    for (std::string_view key : keys) {
      if (key.empty()) continue;
      x -= pen_.key_cap_width(key);
      pen_.key_cap(x, y_, y_ + high, key);
    }
    y_ += high + pen_.px(4);
  }

  void pools() {
    const std::size_t own = model_.pools.size(), count = own + 1,
                      columns = std::min<std::size_t>(count, kButtonsInARow);
    const float space = pen_.px(6), high = pen_.px(26);
    const float wide = std::floor((width() - space * static_cast<float>(columns - 1)) / static_cast<float>(columns));
    for (std::size_t i = 0; i < count; ++i) {
      const float left = x0_ + static_cast<float>(i % columns) * (wide + space);
      if (i > 0 && i % columns == 0) y_ += high + pen_.px(4);
      const auto id = i < own ? static_cast<std::size_t>(model_.pools[i].pool) : frame::kPoolCount;
      const std::string_view name = i == own                 ? "images"
                                    : id < frame::kPoolCount ? frame::kPools[id].name
                                                             : std::string_view("pool");
      const bool chosen = i == (state_.figure_pool ? own : state_.pool);
      if (labelled_button(pen_, ControlKind::Pool, i, {left, y_, left + wide, y_ + high}, name, "", chosen)) {
        state_.figure_pool = i == own;
        if (i < own) state_.pool = i;
      }
    }
    y_ += high + gap();
  }

  /// The CPU renderer's images of figures: a pool of expensive things, which is no pool of the world.
  float figure_pool() {
    const frame::FigurePoolView& pool = model_.figure_pool;
    wrapped(
        x0_, width(),
        "Images of figures, drawn by OpenGL and kept by the CPU renderer. One that is stolen has to be drawn again.");
    y_ += gap();
    if (!pool.shown()) {
      wrapped(x0_, width(), "There are none now: OpenGL draws the whole frame. V selects the CPU renderer.");
      return y_ + gap();
    }
    heading("Strategy", {});
    figure_choice(ControlKind::FigureStore, frame::kFigureStores, &frame::LookSettings::figure_store);
    if (!compact_) {
      wrapped(x0_, width(),
              pool.store == frame::FigureStore::Pool
                  ? "pool: rectangles of one texture, made once"
                  : "make_destroy: each image has a texture of its own, made and destroyed with it");
    }
    y_ += gap();
    heading("When there is no room", {});
    figure_choice(ControlKind::FigurePolicy, frame::kFigurePolicies, &frame::LookSettings::figure_policy);
    if (!compact_) {
      constexpr std::array kWords = {
          "The figure is drawn with the frame, which waits for OpenGL.",
          "The images that were drawn longest ago make room.",
          "The images with the fewest pixels make room, if they have fewer than the new one."};
      wrapped(x0_, width(), kWords[static_cast<std::size_t>(pool.policy)]);
    }
    y_ += gap();
    heading("Room, of the window's pixels", {});
    figure_choice(ControlKind::FigureRoom, frame::kFigureRooms, &frame::LookSettings::figure_room);
    y_ += gap();
    figure_counters(pool);
    return y_;
  }

  template <class Table, class Choice>
  void figure_choice(ControlKind kind, const Table& table, Choice frame::LookSettings::*member) {
    const float space = pen_.px(6), high = pen_.px(26), count = static_cast<float>(table.size());
    const float wide = std::floor((width() - space * (count - 1)) / count);
    const auto chosen = static_cast<std::size_t>(model_.settings ? model_.settings->looks.*member : Choice{});
    for (std::size_t i = 0; i < table.size(); ++i) {
      const float left = x0_ + static_cast<float>(i) * (wide + space);
      const bool pressed =
          labelled_button(pen_, kind, i, {left, y_, left + wide, y_ + high}, table[i].title, "", i == chosen);
      if (!pressed || i == chosen || !model_.settings) continue;
      state_.settings.copy = *model_.settings;
      state_.settings.copy.looks.*member = static_cast<Choice>(i);
      requests_.settings = &state_.settings.copy;
    }
    y_ += high + pen_.px(4);
  }

  void figure_counters(const frame::FigurePoolView& pool) {
    const float line = pen_.line_px(Cut::Small) + pen_.px(3);
    pen_.fill({x0_, y_, x1_, y_ + 1}, kRule);
    y_ += gap() * 0.75f;
    pen_.text(Cut::Small, x0_, y_, kMuted, "pixels");
    pen_.text_right(Cut::Small, x1_, y_, kText,
                    Line<64>("%s of %s", count_text(pool.live_px).c_str(), count_text(pool.capacity_px).c_str()));
    y_ += line;
    const Rect bar{x0_, y_, x1_, y_ + pen_.px(10)};
    const auto share = [&](u64 px) {
      return std::min(1.0f, static_cast<float>(px) / static_cast<float>(pool.capacity_px));
    };
    pen_.fill(bar, kControl, pen_.px(3));
    pen_.fill({bar.x0, bar.y0, bar.x0 + std::floor(bar.width() * share(pool.live_px)), bar.y1}, kAccent, pen_.px(3));
    pen_.frame(bar, kControlEdge, pen_.px(3));
    const float peak = std::floor(bar.x0 + (bar.width() - pen_.px(2)) * share(pool.peak_px));
    pen_.fill({peak, bar.y0 - pen_.px(2), peak + pen_.px(2), bar.y1 + pen_.px(2)}, kText);
    y_ = bar.y1 + pen_.px(6);
    const std::array<std::pair<std::string_view, Line<32>>, 9> cells = {
        {{"images", count_text(pool.live)},
         {"peak", count_text(pool.peak)},
         {"taken", count_text(pool.spawned)},
         {"textures made", count_text(pool.made)},
         {"reused", count_text(pool.reused())},
         {"stolen", count_text(pool.stolen)},
         {"rejected", count_text(pool.rejected)},
         {"without image", count_text(pool.direct)},
         {"pixels a frame", count_text(pool.drawn_px / std::max<u64>(pool.pictures, 1))}}};
    const float middle = std::floor(width() * 0.46f), between = pen_.px(18);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const float left = i % 2 == 0 ? x0_ : x0_ + middle + between, right = i % 2 == 0 ? x0_ + middle : x1_;
      pen_.text(Cut::Small, left, y_, kMuted, cells[i].first);
      pen_.text_right(Cut::Small, right, y_, kText, cells[i].second);
      if (i % 2 == 1 || i + 1 == cells.size()) y_ += line;
    }
    y_ += gap() - pen_.px(3);
  }

  void choice_look(const Rect& box, ImU32 colour, bool chosen, bool hovered) {
    pen_.fill(box, chosen ? faded(colour, hovered ? 0.26f : 0.18f) : hovered ? kControlHot : kControl, pen_.px(6));
    pen_.frame(box, chosen ? colour : kControlEdge, pen_.px(6), chosen ? std::max(1.5f, 1.5f * pen_.scale()) : 1.0f);
  }

  std::size_t usual_count() const {
    return static_cast<std::size_t>(std::ranges::count_if(model_.strategies, &ChoiceRow::usual));
  }
  /// The strategies beyond the usual ones can be hidden: the pool has none of them.
  bool folds(const PoolRow& pool) const {
    const std::size_t count = model_.strategies.size(), usual = usual_count();
    return usual > 0 && usual < count && pool.strategy < count && model_.strategies[pool.strategy].usual;
  }
  /// Shows and hides them; at the left in `line`.
  void more_strategies(const PoolRow& pool, const Rect& line) {
    if (!folds(pool)) return;
    const Line<24> more("%zu more", model_.strategies.size() - usual_count());
    const std::string_view label = state_.all_strategies ? std::string_view("fewer") : std::string_view(more);
    const float wide = pen_.width(Cut::Small, more) + pen_.px(20);
    if (labelled_button(pen_, ControlKind::MoreStrategies, 0, {line.x0, line.y0, line.x0 + wide, line.y1},
                        label, "", false)) {
      state_.all_strategies = !state_.all_strategies;
    }
  }

  /// A grid of letters and names; below it what the one under the mouse, or else the chosen one, is and costs.
  void strategies(const PoolRow& pool) {
    const float side = pen_.px(18), space = pen_.px(4), high = pen_.px(compact_ ? 24 : 26),
                inner = pen_.px(3);
    const std::size_t count = model_.strategies.size();
    if (count == 0) return;
    const bool all = !folds(pool) || state_.all_strategies;
    const std::size_t cells = all ? count : usual_count(), columns = std::min(cells, kStrategyColumns);
    const float wide = std::floor((width() - space * static_cast<float>(columns - 1)) / static_cast<float>(columns));
    std::size_t told = pool.strategy, cell = 0;
    const auto next_box = [&] {
      const float left = x0_ + static_cast<float>(cell % columns) * (wide + space);
      const Rect box{left, y_, cell + 1 == cells ? x1_ : left + wide, y_ + high};  // the last takes what is left of its row
      if (cell % columns == columns - 1 || cell + 1 == cells) y_ += high + space;
      ++cell;
      return box;
    };
    for (std::size_t i = 0; i < count; ++i) {
      const ChoiceRow& row = model_.strategies[i];
      if (!all && !row.usual) continue;
      const Rect box = next_box();
      const Press press = press_area(pen_, ControlKind::Strategy, i, box);
      choice_look(box, choice_colour(row), i == pool.strategy, press.hovered);
      const float top = std::floor(box.middle_y() - side * 0.5f), words = box.x0 + inner + side + inner;
      pen_.letter_box({box.x0 + inner, top, box.x0 + inner + side, top + side}, choice_colour(row), row.letter);
      pen_.text_within(Cut::Small, words, pen_.centre_y(Cut::Small, box.y0, box.y1),
                       box.x1 - pen_.px(1) - words, kText, row.title);
      if (press.hovered) told = i;
      if (press.pressed && i != pool.strategy) ask(requests_, SimCommandKind::SetStrategy, pool, i);
    }
    y_ += pen_.px(2);
    // As much room for every strategy, so that nothing below jumps while the mouse passes over them.
    float room = 0;
    for (const ChoiceRow& row : model_.strategies) room = std::max(room, strategy_words(row, pool, kMuted, true));
    if (told < count) strategy_words(model_.strategies[told], pool, kMuted, false);
    y_ += room + gap();
  }

  /// Height of the lines about a strategy; unless dry, draws them at y_.
  float strategy_words(const ChoiceRow& row, const PoolRow& pool, ImU32 colour, bool dry) {
    float y = y_;
    const auto lines = [&](std::string_view words, ImU32 ink) {
      if (!dry) pen_.text_wrapped(Cut::Small, x0_, y, width(), ink, words);
      y += pen_.wrapped_height(Cut::Small, words, width());
    };
    const bool warns = row.slow && std::max(pool.live, pool.capacity) >= kManyForASearch;
    // The button has its title; here is the name that options, files and reports use.
    const Line<256> what("%.*s: %.*s", static_cast<int>(row.name.size()), row.name.data(),
                         static_cast<int>(row.description.size()), row.description.data());
    lines(what, kText);
    if (!compact_ && !warns) lines(row.cost, colour);
    if (warns) lines("A search for each object: with so many the game may drop to few frames a second.", kYellow);
    return y - y_;
  }

  void wrapped(float x, float room, std::string_view words) {
    pen_.text_wrapped(Cut::Small, x, y_, room, kMuted, words);
    y_ += pen_.wrapped_height(Cut::Small, words, room);
  }

  void policies(const PoolRow& pool) {
    const float space = pen_.px(6), high = pen_.px(26);
    const std::size_t count = model_.policies.size();
    const std::size_t columns = std::clamp<std::size_t>(count, 1, kButtonsInARow);
    const float wide = std::floor((width() - space * static_cast<float>(columns - 1)) / static_cast<float>(columns));
    for (std::size_t i = 0; i < count; ++i) {
      const float left = x0_ + static_cast<float>(i % columns) * (wide + space);
      const Rect box{left, y_, left + wide, y_ + high};
      if (labelled_button(pen_, ControlKind::Policy, i, box, model_.policies[i].title, "", i == pool.policy) &&
          i != pool.policy) {
        ask(requests_, SimCommandKind::SetPolicy, pool, i);
      }
      if (i % columns == columns - 1 || i + 1 == count) y_ += high + pen_.px(4);
    }
    if (!compact_ && pool.policy < count) {
      y_ += pen_.px(1);
      wrapped(x0_, width(), model_.policies[pool.policy].description);
    }
    y_ += gap();
  }

  void capacity(const PoolRow& pool) {
    const float high = pen_.px(28), button = pen_.px(62), space = pen_.px(6), field_wide = pen_.px(84);
    pen_.text(Cut::Small, x0_, pen_.centre_y(Cut::Small, y_, y_ + high), kMuted, "Capacity");
    const Rect twice{x1_ - button, y_, x1_, y_ + high};
    const Rect field{twice.x0 - space - field_wide, y_, twice.x0 - space, y_ + high};
    const Rect half{field.x0 - space - button, y_, field.x0 - space, y_ + high};
    const u64 now = pool.capacity;
    if (labelled_button(pen_, ControlKind::CapacityHalve, 0, half, "÷2", key_label(model_, Action::CapacityDown),
                        false)) {
      ask_capacity(requests_, pool, now / 2);
    }
    if (labelled_button(pen_, ControlKind::CapacityDouble, 0, twice, "×2", key_label(model_, Action::CapacityUp),
                        false)) {
      ask_capacity(requests_, pool, now * 2);
    }
    capacity_field(pool, field);
    y_ += high + pen_.px(2);
    capacity_slider(pool);
    advice(pool);
    y_ += gap();
  }

  /// "Peak 21,900, on average 9,100: 25,000 would do, 1.1 MiB less." and a button that takes it.
  void advice(const PoolRow& pool) {
    const u32 advised = pool.advised_capacity;
    if (compact_ || advised == 0) return;
    const u32 apart = advised > pool.capacity ? advised - pool.capacity : pool.capacity - advised;
    const bool fits = apart <= pool.capacity / 10;
    const bool less = pool.advised_less_bytes >= 0;
    const u64 bytes = static_cast<u64>(less ? pool.advised_less_bytes : -pool.advised_less_bytes);
    const float button = fits ? 0.0f : pen_.px(62), high = pen_.px(24);
    Line<160> words("On average %s live: the capacity suits.", count_text(pool.average_live).c_str());
    if (!fits) {
      words = Line<160>("On average %s live, peak %s: advised %s, %s %s", count_text(pool.average_live).c_str(),
                        count_text(pool.peak).c_str(), count_text(advised).c_str(), bytes_text(bytes).c_str(),
                        less ? "less" : "more");
    }
    const float room = width() - button - (fits ? 0.0f : pen_.px(8));
    const float tall = std::max(fits ? 0.0f : high, pen_.wrapped_height(Cut::Small, words, room));
    pen_.text_wrapped(Cut::Small, x0_, y_, room, kMuted, words);
    if (!fits &&
        labelled_button(pen_, ControlKind::TakeAdvice, 0, {x1_ - button, y_, x1_, y_ + high}, "Take", "", false)) {
      ask_capacity(requests_, pool, advised);
    }
    y_ += tall;
  }

  void capacity_field(const PoolRow& pool, const Rect& box) {
    const u32 shown = state_.slider_capacity > 0 ? state_.slider_capacity : pool.capacity;
    std::array<char, 48> text{};
    if (!text_field(pen_, state_.fields, ControlKind::CapacityText, 0, box, Line<16>("%u", shown), text)) return;
    u64 typed = 0;
    const std::string_view digits(text.data());
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), typed);
    const bool huge = error == std::errc::result_out_of_range;
    if ((error == std::errc{} || huge) && end == digits.data() + digits.size()) {
      ask_capacity(requests_, pool, huge ? frame::kMaxCapacity : typed);
    }
  }

  void capacity_slider(const PoolRow& pool) {
    const float high = pen_.px(22), knob = std::max(3.0f, 7 * pen_.scale());
    const Rect box{x0_, y_, x1_, y_ + high};
    y_ += high;
    const Press press = press_area(pen_, ControlKind::CapacitySlider, 0, box);
    if (pen_.dry()) return;
    const float from = box.x0 + knob, to = box.x1 - knob;
    if (press.held)
      state_.slider_capacity = slider_capacity((ImGui::GetIO().MousePos.x - from) / std::max(1.0f, to - from));
    const u32 shown = state_.slider_capacity > 0 ? state_.slider_capacity : pool.capacity;
    if (!press.held && state_.slider_capacity > 0) {
      ask_capacity(requests_, pool, state_.slider_capacity);
      state_.slider_capacity = 0;
    }
    const float middle = std::floor(box.middle_y()), x = from + (to - from) * slider_share(shown);
    const float thin = std::max(2.0f, pen_.px(4)) * 0.5f;
    pen_.fill({from, middle - thin, to, middle + thin}, kControlHot, thin);
    pen_.fill({from, middle - thin, x, middle + thin}, faded(kAccent, 0.75f), thin);
    for (const u32 tick : {100u, 1'000u, 10'000u, 100'000u}) {
      const float tick_x = std::floor(from + (to - from) * slider_share(tick));
      pen_.fill({tick_x, middle + thin + 1, tick_x + 1, middle + thin + pen_.px(4)}, kMuted);
    }
    pen_.list()->AddCircleFilled(ImVec2(x, middle), knob, press.hovered || press.held ? kText : kAccent, 20);
  }

  /// Sparks less and more, churn, heap: what makes a difference large enough to be seen.
  void load() {
    const frame::Load& load = model_.load;
    const Line<96> words("Load: sparks ×%u, churn ×%u, %s heap", load.sparks, load.churn,
                         load.aged_heap ? "aged" : "fresh");
    pen_.text_within(Cut::Small, x0_, y_, width(), kMuted, words);
    y_ += pen_.line_px(Cut::Small) + pen_.px(4);
    struct Button {
      Action action;
      std::string_view label;
      bool on;
    };
    const std::array<Button, 4> rows = {{{Action::LoadDown, "Fewer sparks", false},
                                         {Action::LoadUp, "More sparks", load.sparks > 1},
                                         {Action::Churn, "Churn", load.churn > 0},
                                         {Action::HeapAge, "Aged heap", load.aged_heap}}};
    const float space = pen_.px(6), high = pen_.px(26);
    const float wide = std::floor((width() - space) * 0.5f);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i == 2) y_ += high + pen_.px(4);
      const float left = i % 2 == 0 ? x0_ : x0_ + wide + space;
      const Rect box{left, y_, left + wide, y_ + high};
      if (labelled_button(pen_, ControlKind::Ask, static_cast<std::size_t>(rows[i].action), box, rows[i].label,
                          key_label(model_, rows[i].action), rows[i].on)) {
        requests_.ask(rows[i].action);
      }
    }
    y_ += high + gap();
  }

  void counters(const PoolRow& pool) {
    const float line = pen_.line_px(Cut::Small) + pen_.px(3);
    pen_.fill({x0_, y_, x1_, y_ + 1}, kRule);
    y_ += gap() * 0.75f;
    // Live against capacity: a bar with a tick at the peak.
    pen_.text(Cut::Small, x0_, y_, kMuted, "live");
    const Line<64> live("%s of %s", count_text(pool.live).c_str(), count_text(pool.capacity).c_str());
    pen_.text_right(Cut::Small, x1_, y_, kText, live);
    if (pool.live >= pool.capacity || pool.acts_this_second > 0) full_badge(pool);
    y_ += line;
    const Rect bar{x0_, y_, x1_, y_ + pen_.px(10)};
    const float whole = std::max(1.0f, static_cast<float>(std::max(pool.capacity, 1u)));
    const auto share = [whole](u32 count) { return std::min(1.0f, static_cast<float>(count) / whole); };
    const bool full = pool.live >= pool.capacity;
    const ImU32 colour =
        pool.strategy < model_.strategies.size() ? choice_colour(model_.strategies[pool.strategy]) : kAccent;
    pen_.fill(bar, kControl, pen_.px(3));
    pen_.fill({bar.x0, bar.y0, bar.x0 + std::floor(bar.width() * share(pool.live)), bar.y1}, colour, pen_.px(3));
    pen_.frame(bar, full ? kYellow : kControlEdge, pen_.px(3));
    const float peak = std::floor(bar.x0 + (bar.width() - pen_.px(2)) * share(pool.peak));
    pen_.fill({peak, bar.y0 - pen_.px(2), peak + pen_.px(2), bar.y1 + pen_.px(2)}, kText);
    y_ = bar.y1 + pen_.px(6);

    struct Cell {
      std::string_view name;
      Line<32> value;
      bool loud;
    };
    const std::array<Cell, 10> cells = {{{"peak", count_text(pool.peak), false},
                                        {"new this frame", count_text(pool.new_calls_this_frame), false},
                                        {"spawned", count_text(pool.spawned), false},
                                        {"new in all", count_text(pool.new_calls), false},
                                        {"released", count_text(pool.released), false},
                                        {"memory", bytes_text(pool.bytes), false},
                                        {"rejected", count_text(pool.rejected), false},
                                        {"grown, trimmed", Line<32>("%s, %s", count_text(pool.grown).c_str(), count_text(pool.trimmed).c_str()), false},
                                        {"stolen", count_text(pool.stolen), false},
                                        {"accelerated", count_text(pool.accelerated), false}}};
    const float middle = std::floor(width() * 0.46f), between = pen_.px(18);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const float left = i % 2 == 0 ? x0_ : x0_ + middle + between, right = i % 2 == 0 ? x0_ + middle : x1_;
      pen_.text(Cut::Small, left, y_, kMuted, cells[i].name);
      const float room = right - left - pen_.width(Cut::Small, cells[i].name) - pen_.px(6);
      const float wide = std::min(room, pen_.width(Cut::Small, cells[i].value));
      pen_.text_within(Cut::Small, right - wide, y_, room, cells[i].loud ? kYellow : kText, cells[i].value);
      if (i % 2 == 1) y_ += line;
    }
    slots_that_stay(pool);
    y_ += gap() - pen_.px(3);
  }

  /// Why a trim left the memory as it was: a block that is needed, or in which one object lives, stays whole.
  void slots_that_stay(const PoolRow& pool) {
    constexpr u32 kSpare = 1;  // of policies that steal
    if (pool.trimmed == 0 || pool.slots <= pool.capacity + kSpare) return;
    const Line<128> words("%s slots stay in memory: a trim frees whole blocks, from the last on, and moves no object.",
                          count_text(pool.slots).c_str());
    pen_.text_wrapped(Cut::Small, x0_, y_, width(), kMuted, words);
    y_ += pen_.wrapped_height(Cut::Small, words, width());
  }

  /// What the policy does about a full pool, in the last second.
  void full_badge(const PoolRow& pool) {
    const std::string_view policy =
        pool.policy < model_.policies.size() ? model_.policies[pool.policy].name : std::string_view();
    // The policy may just have been changed: what it did before counts as what it was.
    const u32 others = pool.acts_this_second - std::min(pool.acts_this_second, pool.rejected_this_second);
    const bool refused = pool.rejected_this_second > others || (!policy.starts_with("steal") && policy != "grow");
    const char* verb = refused ? "refused" : policy == "grow" ? "grown" : "stolen";
    const Line<64> words("FULL · %s %s/s", count_text(refused ? pool.rejected_this_second : others).c_str(), verb);
    const float left = x0_ + pen_.width(Cut::Small, "live") + pen_.px(10), line = pen_.line_px(Cut::Small);
    const Rect box{left, y_ - pen_.px(1), left + pen_.width(Cut::Small, words) + pen_.px(10), y_ + line + pen_.px(1)};
    pen_.fill(box, faded(kYellow, 0.22f), pen_.px(4));
    pen_.frame(box, kYellow, pen_.px(4));
    pen_.text(Cut::Small, box.x0 + pen_.px(5), y_, kYellow, words);
  }

  void buttons() {
    struct Button {
      ControlKind kind;
      Action action;
      std::string_view label;
      bool on;
    };
    const std::array<Button, 7> rows = {
        {{ControlKind::Pause, Action::Pause, model_.paused ? "Go on" : "Pause", model_.paused},
         {ControlKind::SingleStep, Action::SingleStep, "One step", false},
         {ControlKind::SlowMotion, Action::SlowMotion, "Slow motion", model_.slow_motion},
         {ControlKind::Record, Action::Record, model_.recording ? "Stop" : "Record", model_.recording},
         {ControlKind::SlotButton, Action::SlotMap, "Slot map", model_.slot_map_open},
         {ControlKind::Ask, Action::SideBySide, "Side by side", false},
         {ControlKind::Ask, Action::QuickAb, "Quick A/B", false}}};
    const float space = pen_.px(6), high = pen_.px(28), wide = std::floor((width() - space) * 0.5f);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Button& button = rows[i];
      const float left = i % 2 == 0 ? x0_ : x0_ + wide + space;
      const Rect box{left, y_, left + wide, y_ + high};
      if (labelled_button(pen_, button.kind,
                          button.kind == ControlKind::SlotButton || button.kind == ControlKind::Ask
                              ? static_cast<std::size_t>(button.action)
                              : 0,
                          box, button.label, key_label(model_, button.action), button.on,
                          button.action == Action::Record ? kRed : kAccent)) {
        requests_.ask(button.action);
      }
      if (i % 2 == 1 || i + 1 == rows.size()) y_ += high + space;
    }
    y_ -= space;
  }

  const Pen& pen_;
  const frame::PanelModel& model_;
  UiState& state_;
  frame::PanelRequests& requests_;
  bool compact_;
  float x0_, x1_, y_;
};

}  // namespace

float pool_panel_height(const frame::PanelModel& model, UiState& state, const Pen& pen, float width, bool compact) {
  frame::PanelRequests none;
  return panel_height(pen, width, [&](const Pen& dry, Rect column) {
    column.y0 = Body(dry, model, state, none, compact, column).head();
    return Body(dry, model, state, none, compact, column).run();
  });
}

void draw_pool_panel(const Rect& box, const frame::PanelModel& model, UiState& state, const Pen& outer, bool compact,
                     frame::PanelRequests& requests) {
  const float scale = scale_without_bar(outer, box.height(), [&](const Pen& pen) {
    return pool_panel_height(model, state, pen, box.width(), compact);
  });
  draw_headed_panel(
      "##pool", box, outer, scale,
      [&](const Pen& pen, const Rect& column) {
        return Body(pen, model, state, requests, compact, column).head();
      },
      [&](const Pen& pen, const Rect& column) {
        return Body(pen, model, state, requests, compact, column).run();
      });
}

}  // namespace spellpool::ui
