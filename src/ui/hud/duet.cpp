#include "ui/hud/duet.hpp"

#include <algorithm>
#include <cmath>

#include "ui/kit/controls.hpp"
#include "ui/kit/parts.hpp"
#include "ui/kit/sheet.hpp"

namespace spellpool::ui {
namespace {

using frame::Action;
using frame::DuetView;
using frame::PanelModel;

constexpr float kStripUnits = 240.0f, kGapUnits = 6.0f, kFrameUnits = 3.0f;
/// What the figures need of it.
constexpr float kStripTextUnits = 206.0f;
/// Of the window's height, at most.
constexpr float kStripShare = 0.52f;

/// Colour and title of the side, in the upper left corner of its world.
void draw_side(const Rect& world, const frame::DuetSide& side, const Pen& pen) {
  const ImU32 colour = duet_colour(side);
  const float thick = pen.px(kFrameUnits), pad = pen.px(8), box_side = pen.px(24);
  pen.frame({world.x0 + thick * 0.5f, world.y0 + thick * 0.5f, world.x1 - thick * 0.5f, world.y1 - thick * 0.5f},
            colour, 0, thick);
  const float most = world.width() - thick * 2 - pad * 3 - box_side;
  // Exact from the first step on, however noisy the machine is.
  const bool known = side.calls_a_step >= 0;
  const Line<64> calls("%.*s · %s allocations a step", static_cast<int>(side.kind.size()), side.kind.data(),
                       count_text(static_cast<u64>(std::max(0.0, side.calls_a_step) + 0.5)).c_str());
  const float calls_wide = known ? pen.width(Cut::Small, calls) : 0.0f, calls_high = pen.line_px(Cut::Small);
  const float wide = std::min(std::max(pen.width(Cut::Large, side.title), calls_wide), most);
  if (wide <= 0) return;
  const Rect tab{world.x0, world.y0, world.x0 + thick + pad * 2 + box_side + pad + wide + pad,
                 world.y0 + thick + box_side + pad * 1.5f + (known ? calls_high : 0.0f)};
  pen.fill(tab, kPanelFill);
  pen.fill({tab.x0, tab.y0, tab.x1, tab.y0 + thick}, colour);
  pen.fill({tab.x0, tab.y0, tab.x0 + thick, tab.y1}, colour);
  const float top = std::floor(tab.y0 + thick + pad * 0.75f), left = tab.x0 + thick + pad;
  if (known) pen.text_within(Cut::Small, left + box_side + pad, top + box_side, most, kText, calls);
  pen.letter_box({left, top, left + box_side, top + box_side}, colour, side.letter);
  pen.text_within(Cut::Large, left + box_side + pad, pen.centre_y(Cut::Large, top, top + box_side), most, kText,
                  side.title);
}

/// A line on a dark ground, its left end at x and its lower edge at y. Returns its width.
float pill(float x, float y, float room, ImU32 edge, std::string_view words, const Pen& pen) {
  const float pad = pen.px(9), high = pen.px(26), wide = std::min(room, pen.width(Cut::Small, words) + pad * 2);
  const Rect box{x, y - high, x + wide, y};
  pen.fill(box, kPanelFill, pen.px(8));
  pen.frame(box, edge, pen.px(8));
  pen.text_within(Cut::Small, box.x0 + pad, pen.centre_y(Cut::Small, box.y0, box.y1), wide - pad * 2, kText, words);
  return wide;
}

void draw_states(const Rect& world, const PanelModel& model, const Pen& pen) {
  const DuetView& duet = *model.duet;
  const float gap = pen.px(8), y = world.y1 - gap - pen.px(kFrameUnits);
  float x = world.x0 + gap + pen.px(kFrameUnits);
  const float end = world.x1 - gap;
  const auto add = [&](ImU32 edge, std::initializer_list<std::string_view> words) {
    const std::string_view one = fitting(pen, Cut::Small, end - x - pen.px(18), words);
    if (pen.width(Cut::Small, one) <= end - x - pen.px(18)) x += pill(x, y, end - x, edge, one, pen) + pen.px(6);
  };
  if (model.paused) add(kYellow, {"paused"});
  if (model.slow_motion) add(kControlEdge, {"slow motion"});
  if (duet.by_hand) add(kAccent, {"you play, in both"});
  else if (duet.may_play) add(kControlEdge, {"demo mode; play, and you play in both", "demo mode"});
  if (!model.build_note.empty()) add(kYellow, {model.build_note, "times not comparable"});
}

/// The load that both play, below the title of the left world: without it the play itself hardly uses its pools.
void draw_load(const Rect& world, const PanelModel& model, const Pen& pen) {
  const frame::Load& load = model.duet->load;
  const std::string_view preset = model.duet->preset;
  // The keys only where they change it: a script keeps its load.
  const auto keys = [&](std::string_view first, std::string_view second = {}) {
    if (!model.duet->may_play) return Line<48>("%s", "");
    return Line<48>(second.empty() ? " (%.*s)" : " (%.*s %.*s)", static_cast<int>(first.size()), first.data(),
                    static_cast<int>(second.size()), second.data());
  };
  const Line<48> churn = keys(key_label(model, Action::Churn));
  const Line<48> sparks = keys(key_label(model, Action::LoadDown), key_label(model, Action::LoadUp));
  const Line<64> motes(load.churn > 0 ? "%s motes that live 0.2 s" : preset.empty() ? "no motes" : "no others",
                       count_text(load.churn * frame::kChurnMotes).c_str());
  const Line<192> all("load: %.*s%s%s%s · sparks ×%u%s", static_cast<int>(preset.size()), preset.data(),
                      preset.empty() ? "" : " · ", motes.c_str(), churn.c_str(), load.sparks, sparks.c_str());
  const Line<64> brief("load: %schurn ×%u, sparks ×%u", preset.empty() ? "" : "the preset's, ", load.churn,
                       load.sparks);
  const float gap = pen.px(8) + pen.px(kFrameUnits), pad = pen.px(9), room = world.width() - gap * 2 - pad * 2;
  const std::string_view words = fitting(pen, Cut::Small, room, {all, brief});
  const float wide = pen.width(Cut::Small, words) + pad * 2;
  if (wide <= room + pad * 2) pill(world.x0 + gap, world.y0 + pen.px(90), wide, kControlEdge, words, pen);
}

/// What can be changed, how to leave and where the keys are listed, at the bottom of the right world: words that can
/// be clicked, the first ones only where there is room.
void draw_ways_out(const Rect& world, const PanelModel& model, const Pen& outer, frame::PanelRequests& requests) {
  struct Way {
    Action action;
    std::string_view words;
  };
  const std::array ways = {Way{Action::GraphScale, "graphs"},
                           Way{Action::Churn, "motes"},
                           Way{Action::LoadDown, "fewer"},
                           Way{Action::LoadUp, "more sparks"},
                           Way{Action::Quit, model.duet->in_game ? "leave" : "quit"},
                           Way{Action::Help, "keys"}};
  const std::size_t needed = ways.size() - 2;
  const auto offered = [&](std::size_t i) { return i == 0 || i >= needed || model.duet->may_play; };  // a script keeps its load
  const float pad = outer.px(9), space = outer.px(6), high = outer.px(26), gap = outer.px(8);
  std::array<float, ways.size()> widths{};
  float wide = pad;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    widths[i] = outer.key_cap_width(key_label(model, ways[i].action)) + space + outer.width(Cut::Small, ways[i].words);
    if (offered(i)) wide += widths[i] + pad;
  }
  const float thick = outer.px(kFrameUnits), room = world.width() - (gap + thick) * 2;
  std::size_t first = 0;
  for (; first < needed && wide > room; ++first) {
    if (offered(first)) wide -= widths[first] + pad;
  }
  if (wide > room) return;
  const float bottom = world.y1 - gap - thick, right = world.x1 - gap - thick;
  const Rect box{std::floor(right - wide), std::floor(bottom - high), std::floor(right), std::floor(bottom)};
  begin_window("##duet_ways", box);
  const Pen pen(ImGui::GetWindowDrawList(), outer.scale(), outer.layout());
  pen.fill(box, kPanelFill, pen.px(8));
  float x = box.x0 + pad;
  for (std::size_t i = first; i < ways.size(); ++i) {
    if (!offered(i)) continue;
    const Rect area{x - space, box.y0, x + widths[i] + space * 0.5f, box.y1};
    const Press press = press_area(pen, ControlKind::Ask, static_cast<std::size_t>(ways[i].action), area);
    if (press.hovered) pen.fill(area, kControl, pen.px(6));
    if (press.pressed) requests.ask(ways[i].action);
    const float cap = pen.key_cap(x, box.y0, box.y1, key_label(model, ways[i].action));
    pen.text(Cut::Small, x + cap + space, pen.centre_y(Cut::Small, box.y0, box.y1), kText, ways[i].words);
    x += widths[i] + pad;
  }
  end_window();
}

void draw_message(const Rect& free, const Pen& pen, ImU32 edge, std::string_view first, std::string_view second) {
  const float pad = pen.px(18),
              wide = std::min(free.width(),
                              std::max(pen.width(Cut::Large, first), pen.width(Cut::Body, second)) + pad * 2);
  const float room = wide - pad * 2, high = pen.wrapped_height(Cut::Large, first, room),
              below = pen.wrapped_height(Cut::Body, second, room);
  const float x = std::floor(free.middle_x() - wide * 0.5f),
              y = std::floor(free.middle_y() - (high + below + pen.px(6)) * 0.5f - pad);
  const Rect box{x, y, x + wide, y + high + below + pen.px(6) + pad * 2};
  pen.fill(box, IM_COL32(24, 10, 16, 244), pen.px(8));
  pen.frame(box, edge, pen.px(8), pen.px(2));
  pen.text_wrapped(Cut::Large, box.x0 + pad, box.y0 + pad, room, kText, first);
  pen.text_wrapped(Cut::Body, box.x0 + pad, box.y0 + pad + high + pen.px(6), room, kMuted, second);
}

struct HelpLine {
  Action action;
  std::string_view words;
};
constexpr std::array kHelp = {
    HelpLine{Action::Pause, "pause both"},
    HelpLine{Action::SingleStep, "one step of both, while paused"},
    HelpLine{Action::SlowMotion, "slow motion"},
    HelpLine{Action::GraphScale, "what the graphs show: a step, its drawing, or both together"},
    HelpLine{Action::LoadDown, "fewer sparks in both"},
    HelpLine{Action::LoadUp, "more sparks in both"},
    HelpLine{Action::Churn, "churn: motes in both that live a fifth of a second; × 0, 10, 20, 50"},
    HelpLine{Action::FrameTimeline, "timeline of one step of both: memory and slots"},
    HelpLine{Action::Graph, "graphs and figures, or the two worlds alone"},
    HelpLine{Action::HudLevel, "without panels; then nothing but the worlds"},
    HelpLine{Action::DrawPath, "drawn by OpenGL or on the CPU"},
    HelpLine{Action::Fullscreen, "fullscreen or window"},
    HelpLine{Action::Screenshot, "save a picture"},
    HelpLine{Action::Help, "this help"},
    HelpLine{Action::Quit, "close the help; else leave"},
};

Rect draw_duet_help(const Rect& free, const PanelModel& model, const Pen& outer, frame::PanelRequests& requests) {
  return draw_sheet("##duet_help", free, 600, outer, [&](const Pen& pen, const Rect& column) {
    float y = column.y0;
    if (panel_header(pen, {column.x0, y, column.x1, y + pen.px(24)}, "Side by side: one game under two strategies",
                     key_label(model, Action::Help), ClosePanel::Help)) {
      requests.ask(Action::Help);
    }
    y += pen.px(24) + pen.px(8);
    constexpr std::string_view kWords =
        "Both worlds play the same steps from the same seed, in turns, and their hashes are compared once a second. "
        "Each step is timed, "
        "and its drawing apart. Keys and mouse that play the game play in both.";
    const float room = column.x1 - column.x0;
    pen.text_wrapped(Cut::Small, column.x0, y, room, kMuted, kWords);
    y += pen.wrapped_height(Cut::Small, kWords, room) + pen.px(10);
    float key_wide = 0, pad_wide = 0;
    for (const HelpLine& line : kHelp) {
      key_wide = std::max(key_wide, pen.key_cap_width(key_label(model, line.action)));
      pad_wide = std::max(pad_wide, pen.width(Cut::Small, pad_label(model, line.action)));
    }
    for (const HelpLine& line : kHelp) {
      const float left = column.x0 + key_wide + pen.px(12), words_room = column.x1 - pad_wide - pen.px(12) - left;
      const float high = std::max(pen.key_cap_height(), pen.wrapped_height(Cut::Small, line.words, words_room));
      pen.key_cap(column.x0, y, y + high, key_label(model, line.action));
      pen.text_wrapped(Cut::Small, left,
                       y + std::floor((high - pen.wrapped_height(Cut::Small, line.words, words_room)) * 0.5f),
                       words_room, kText, line.words);
      pen.text_right(Cut::Small, column.x1, pen.centre_y(Cut::Small, y, y + high), kMuted,
                     pad_label(model, line.action));
      y += high + pen.px(4);
    }
    return y;
  });
}

}  // namespace

ImU32 duet_colour(const frame::DuetSide& side) { return IM_COL32(side.r, side.g, side.b, 255); }

DuetPlaces duet_places(float width, float height, float scale, bool strip) {
  DuetPlaces places;
  width = std::floor(width);
  height = std::floor(height);
  float bottom = height;
  if (strip && scale > 0) {
    bottom = std::floor(height - std::min(kStripUnits * scale, height * kStripShare));
    places.strip = {0, bottom, width, height};
  }
  const float gap = scale > 0 ? std::max(2.0f, std::floor(kGapUnits * scale)) : 2.0f;
  const float half = std::max(1.0f, std::floor((width - gap) * 0.5f));
  places.worlds[0] = {0, 0, half, bottom};
  places.worlds[1] = {width - half, 0, width, bottom};
  return places;
}

void draw_duet(const PanelModel& model, const Pen& pen, frame::PanelRequests& requests) {
  const DuetView& duet = *model.duet;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  Layout& layout = pen.layout();
  const DuetPlaces places = duet_places(display.x, display.y, pen.scale(), duet.strip && !model.hidden);
  layout.of(Part::DuetA) = places.worlds[0];
  layout.of(Part::DuetB) = places.worlds[1];
  if (!model.hidden) {
    for (std::size_t side = 0; side < 2; ++side) draw_side(places.worlds[side], duet.sides[side], pen);
    draw_states(places.worlds[0], model, pen);
    draw_load(places.worlds[0], model, pen);
    draw_ways_out(places.worlds[1], model, pen, requests);
  }
  if (!places.strip.empty()) {
    layout.of(Part::DuetStrip) = places.strip;
    const Rect inside{places.strip.x0 + pen.px(14), places.strip.y0 + pen.px(8), places.strip.x1 - pen.px(14),
                      places.strip.y1 - pen.px(8)};
    // In a low window the text shrinks, down to 80 %.
    const float share = std::clamp(inside.height() / pen.px(kStripTextUnits), 0.8f, 1.0f);
    const Pen small(pen.list(), pen.scale() * share, layout);
    const float wide =
        std::floor(std::clamp(inside.width() * 0.34f, std::min(small.px(320), inside.width() * 0.54f), small.px(430)));
    draw_duet_graphs({inside.x0, inside.y0, inside.x1 - wide - pen.px(20), inside.y1}, model, small);
    draw_duet_figures({inside.x1 - wide, inside.y0, inside.x1, inside.y1}, model, small);
  }
  Rect free = Rect{0, 0, std::floor(display.x), std::floor(display.y)}.inset(pen.px(12));
  if (duet.differs_at > 0) {
    const Line<96> first("The two worlds differ after step %s.", count_text(duet.differs_at).c_str());
    draw_message({free.x0, free.y0, free.x1, places.worlds[0].y1}, pen, kRed, first,
                 "They did not do the same work, so there is nothing to compare. The duet has stopped.");
  }
  if (model.help) layout.of(Part::Help) = draw_duet_help(free, model, pen, requests);
}

}  // namespace spellpool::ui
