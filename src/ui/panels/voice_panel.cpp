#include "ui/panels/voice_panel.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "ui/kit/controls.hpp"
#include "ui/kit/fields.hpp"
#include "ui/kit/parts.hpp"
#include "ui/kit/sheet.hpp"
#include "ui/panels/slot_panel.hpp"

namespace spellpool::ui {
namespace {

using frame::Action;
using frame::PanelRequests;
using frame::VoiceRow;
using frame::VoicesView;

constexpr float kQuietest_db = -60.0f;
constexpr float kMeterFall_per_s = 6.0f;  // nepers: about 52 dB a second
constexpr std::array<ImU32, frame::kVoicePolicies.size()> kPolicyColours = {
    IM_COL32(230, 120, 110, 255), IM_COL32(214, 176, 92, 255), IM_COL32(150, 190, 110, 255),
    IM_COL32(96, 200, 190, 255), IM_COL32(150, 160, 255, 255)};
constexpr std::array<ImU32, 4> kPriorityColours = {IM_COL32(120, 128, 150, 255), IM_COL32(126, 170, 220, 255),
                                                   IM_COL32(230, 200, 100, 255), IM_COL32(240, 140, 110, 255)};

float db_of(float level) { return level > 0 && std::isfinite(level) ? 20.0f * std::log10(level) : -200.0f; }
/// 0 at −60 dB and below, 1 at 0 dB and above.
float share_of(float level) { return std::clamp(1.0f - db_of(level) / kQuietest_db, 0.0f, 1.0f); }

ImU32 level_colour(float level) { return level >= 1.0f ? kRed : level >= 0.5f ? kYellow : kGreen; }

std::string_view name_of(frame::SoundId sound) {
  const auto row = static_cast<std::size_t>(sound);
  return row < frame::kSoundCount ? frame::kSounds[row].name : std::string_view("?");
}
const frame::VoicePolicyRow& policy_row(frame::VoicePolicy policy) {
  return frame::kVoicePolicies[std::min(static_cast<std::size_t>(policy), frame::kVoicePolicies.size() - 1)];
}

/// "shot ← enemy_hit"
Line<96> steal_text(const Pen& pen, const VoiceSlotMemory& slot) {
  const std::string_view stealing_voice = name_of(slot.stealing_voice), victim = name_of(slot.victim);
  return Line<96>("%.*s %s %.*s", static_cast<int>(stealing_voice.size()), stealing_voice.data(),
                  pen.has_glyph(0x2190) ? "←" : "<-", static_cast<int>(victim.size()), victim.data());
}

/// How bright a steal lights its slot: 1 at once, 0 after kStealShown_s; dimmer, or not at all, as the player chose.
float steal_light(const frame::PanelModel& model, const VoiceSlotMemory& slot) {
  const frame::Amount flash = model.settings != nullptr ? model.settings->looks.flash : frame::Amount::Full;
  if (!(slot.steal_s < kStealShown_s) || flash == frame::Amount::Off) return 0.0f;
  return (1.0f - slot.steal_s / kStealShown_s) * (flash == frame::Amount::Reduced ? 0.33f : 1.0f);
}

float voice_slider_share(u32 slots) {
  return std::log(static_cast<float>(std::clamp(slots, frame::kLeastVoiceSlots, frame::kMostVoiceSlots))) /
         std::log(static_cast<float>(frame::kMostVoiceSlots));
}
// Two leading digits, and the powers of two where they are near.
u32 slider_slots(float share) {
  const float value = std::pow(static_cast<float>(frame::kMostVoiceSlots), std::clamp(share, 0.0f, 1.0f));
  const float power = std::exp2(std::round(std::log2(value)));
  if (std::fabs(value - power) < power * 0.04f) return static_cast<u32>(power);
  const float step = std::pow(10.0f, std::max(0.0f, std::floor(std::log10(value)) - 1.0f));
  return std::clamp(static_cast<u32>(std::floor(value / step + 0.5f) * step), frame::kLeastVoiceSlots,
                    frame::kMostVoiceSlots);
}

// A bar in dB with marks at −40 and −20.
void meter(const Pen& pen, const Rect& box, float level, bool dim = false) {
  pen.fill(box, kControl, pen.px(2));
  const float share = share_of(level);
  if (share > 0)
    pen.fill({box.x0, box.y0, box.x0 + std::ceil(box.width() * share), box.y1},
             faded(level_colour(level), dim ? 0.35f : 0.9f), pen.px(2));
  for (const float mark : {1.0f / 3, 2.0f / 3}) {
    const float x = std::floor(box.x0 + box.width() * mark);
    pen.fill({x, box.y0, x + 1, box.y1}, faded(kInk, 0.7f));
  }
}

// What can be done, from top to bottom. Run dry it only moves y.
class Controls {
 public:
  Controls(const Pen& pen, const frame::PanelModel& model, UiState& state, PanelRequests& requests, bool roomy,
           const Rect& column)
      : pen_(pen),
        model_(model),
        voices_(model.voices),
        state_(state),
        requests_(requests),
        roomy_(roomy),
        x0_(column.x0),
        x1_(column.x1),
        y_(column.y0) {}

  float head() {
    if (panel_header(pen_, {x0_, y_, x1_, y_ + pen_.px(24)}, "Voices", key_label(model_, Action::Voices),
                     ClosePanel::Voices)) {
      requests_.ask(Action::Voices);
    }
    return y_ + pen_.px(24) + pen_.px(4);
  }

  float run() {
    policies();
    storage();
    slots();
    counters();
    load();
    output();
    buttons();
    comparison();
    return y_;
  }

 private:
  float gap() const { return pen_.px(7); }
  float width() const { return x1_ - x0_; }
  void quiet(std::string_view words) {
    pen_.text(Cut::Small, x0_, y_, kMuted, words);
    y_ += pen_.line_px(Cut::Small) + pen_.px(3);
  }
  float wrapped(std::string_view words, ImU32 ink = kMuted) {
    pen_.text_wrapped(Cut::Small, x0_, y_, width(), ink, words);
    return pen_.wrapped_height(Cut::Small, words, width());
  }

  void policies() {
    quiet("When every slot is taken");
    const float high = pen_.px(25), side = pen_.px(17), inside = pen_.px(6);
    std::size_t told = static_cast<std::size_t>(voices_.policy);
    for (std::size_t i = 0; i < frame::kVoicePolicies.size(); ++i) {
      const frame::VoicePolicyRow& row = frame::kVoicePolicies[i];
      const Rect box{x0_, y_, x1_, y_ + high};
      const bool on = row.id == voices_.policy;
      const Press press = press_area(pen_, ControlKind::VoicePolicy, i, box);
      pen_.fill(box,
                on              ? faded(kPolicyColours[i], press.hovered ? 0.46f : 0.34f)
                : press.hovered ? kControlHot
                                : kControl,
                pen_.px(6));
      pen_.frame(box, on ? kPolicyColours[i] : kControlEdge, pen_.px(6));
      const float top = std::floor(box.middle_y() - side * 0.5f);
      pen_.letter_box({box.x0 + inside, top, box.x0 + inside + side, top + side}, kPolicyColours[i], row.letter);
      pen_.text_within(Cut::Small, box.x0 + inside * 2 + side, pen_.centre_y(Cut::Small, box.y0, box.y1),
                       width() - inside * 3 - side, kText, row.title);
      if (press.hovered) told = i;
      if (press.pressed && !on) {
        requests_.voices.set_policy = true;
        requests_.voices.policy = row.id;
      }
      y_ += high + pen_.px(2);
      if (roomy_) y_ += wrapped(row.description) + pen_.px(4);
    }
    if (!roomy_) {
      // Of the chosen one, or of that under the mouse; always as high, so that nothing jumps.
      float tallest = 0;
      for (const frame::VoicePolicyRow& row : frame::kVoicePolicies)
        tallest = std::max(tallest, pen_.wrapped_height(Cut::Small, row.description, width()));
      wrapped(policy_row(static_cast<frame::VoicePolicy>(told)).description);
      y_ += tallest;
    }
    y_ += gap();
  }

  void storage() {
    const float high = pen_.px(25), left = x0_ + pen_.px(72);
    pen_.text(Cut::Small, x0_, pen_.centre_y(Cut::Small, y_, y_ + high), kMuted, "Storage");
    std::array<std::string_view, frame::kVoiceStorages.size()> titles;
    for (std::size_t i = 0; i < titles.size(); ++i) titles[i] = frame::kVoiceStorages[i].title;
    const auto now = static_cast<std::size_t>(voices_.storage);
    const int picked = segments(pen_, ControlKind::VoiceStorage, 0, {left, y_, x1_, y_ + high}, titles, now);
    if (picked >= 0) {
      requests_.voices.set_storage = true;
      requests_.voices.storage = static_cast<frame::VoiceStorage>(picked);
    }
    y_ += high + pen_.px(3);
    if (roomy_ && now < titles.size()) y_ += wrapped(frame::kVoiceStorages[now].description) + pen_.px(3);
    y_ += pen_.px(3);
  }

  void ask_slots(u64 slots) {
    const u32 wanted = static_cast<u32>(std::clamp<u64>(slots, frame::kLeastVoiceSlots, frame::kMostVoiceSlots));
    if (wanted == mixer_.voices) return;
    requests_.voices.set_slots = true;
    requests_.voices.slots = wanted;
  }

  void slots() {
    const float high = pen_.px(25), button = pen_.px(48), space = pen_.px(6), field_wide = pen_.px(66);
    u32& held = state_.voices.slider_slots;
    pen_.text(Cut::Small, x0_, pen_.centre_y(Cut::Small, y_, y_ + high), kMuted, "Slots");
    const Rect twice{x1_ - button, y_, x1_, y_ + high};
    const Rect field{twice.x0 - space - field_wide, y_, twice.x0 - space, y_ + high};
    const Rect half{field.x0 - space - button, y_, field.x0 - space, y_ + high};
    const Rect few{half.x0 - space - pen_.px(84), y_, half.x0 - space, y_ + high};
    const bool are_few = mixer_.voices == frame::kFewVoiceSlots;
    if (labelled_button(pen_, ControlKind::VoiceFew, 0, few, Line<16>("%u voices", frame::kFewVoiceSlots), "",
                        are_few)) {
      ask_slots(frame::kFewVoiceSlots);
    }
    if (labelled_button(pen_, ControlKind::VoiceHalve, 0, half, "÷2", "", false)) ask_slots(mixer_.voices / 2);
    if (labelled_button(pen_, ControlKind::VoiceDouble, 0, twice, "×2", "", false))
      ask_slots(u64{mixer_.voices} * 2);
    std::array<char, 48> typed{};
    if (text_field(pen_, state_.fields, ControlKind::VoiceText, 0, field,
                   Line<16>("%u", held > 0 ? held : mixer_.voices), typed)) {
      const std::string_view digits(typed.data());
      u64 wanted = 0;
      const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), wanted);
      const bool whole = end == digits.data() + digits.size();
      if (whole && error == std::errc{}) ask_slots(wanted);
      if (whole && error == std::errc::result_out_of_range) ask_slots(frame::kMostVoiceSlots);
    }
    y_ += high + pen_.px(1);
    const Rect track{x0_, y_, x1_, y_ + pen_.px(20)};
    float share = voice_slider_share(held > 0 ? held : mixer_.voices);
    if (slider(pen_, state_.fields, ControlKind::VoiceSlider, 0, track, {0, 1, 1}, share)) {
      held = slider_slots(share);
    } else if (held > 0 && !pen_.dry()) {
      ask_slots(held);
      held = 0;
    }
    y_ = track.y1 + gap();
  }

  void counters() {
    struct Cell {
      std::string_view name;
      u64 count;
      bool loud = false;
    };
    const std::array<Cell, 8> cells = {{{"played", mixer_.started},
                                        {"stolen", mixer_.stolen},
                                        {"rejected", mixer_.rejected},
                                        {"merged", mixer_.merged},
                                        {"went virtual", mixer_.made_virtual},
                                        {"came back", mixer_.resumed},
                                        {"ended", mixer_.ended},
                                        {"dropped", mixer_.dropped_events, mixer_.dropped_events > 0}}};
    const float line = pen_.line_px(Cut::Small) + pen_.px(2), middle = std::floor(width() * 0.5f),
                between = pen_.px(14);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const float left = i % 2 == 0 ? x0_ : x0_ + middle + between * 0.5f,
                  right = i % 2 == 0 ? x0_ + middle - between * 0.5f : x1_;
      pen_.text(Cut::Small, left, y_, kMuted, cells[i].name);
      pen_.text_right(Cut::Small, right, y_, cells[i].loud ? kYellow : kText, count_text(cells[i].count));
      if (i % 2 == 1) y_ += line;
    }
    pen_.text(Cut::Small, x0_, y_, kMuted, "would have clipped");
    pen_.text_right(Cut::Small, x1_, y_, kText, Line<48>("%s frames", count_text(mixer_.limited_frames).c_str()));
    y_ += line + gap();
  }

  void load() {
    const auto percent = [](float share) {
      return std::isfinite(share) ? std::clamp(static_cast<double>(share) * 100.0, 0.0, 9'999.0) : 0.0;
    };
    const bool late = voices_.peak_load >= 1.0f;
    pen_.text(Cut::Small, x0_, y_, kMuted, "Audio thread");
    pen_.text_right(Cut::Small, x1_, y_, late ? kYellow : kText,
                    Line<64>(voices_.device_open ? "%.1f %% busy, most %.1f %%" : "no device", percent(voices_.load),
                             percent(voices_.peak_load)));
    y_ += pen_.line_px(Cut::Small) + pen_.px(2);
    const Rect bar{x0_, y_, x1_, y_ + pen_.px(8)};
    const auto share = [](float load) { return std::isfinite(load) ? std::clamp(load, 0.0f, 1.0f) : 0.0f; };
    pen_.fill(bar, kControl, pen_.px(3));
    const float now = share(voices_.load);
    if (now > 0)
      pen_.fill({bar.x0, bar.y0, bar.x0 + std::ceil(bar.width() * now), bar.y1},
                now >= 0.8f   ? kRed
                : now >= 0.5f ? kYellow
                              : kGreen,
                pen_.px(3));
    const float peak = bar.x0 + std::floor((bar.width() - pen_.px(2)) * share(voices_.peak_load));
    pen_.fill({peak, bar.y0 - pen_.px(1), peak + pen_.px(2), bar.y1 + pen_.px(1)}, kText);
    y_ = bar.y1 + pen_.px(3);
    if (!voices_.device.empty()) y_ += wrapped(voices_.device, voices_.device_open ? kMuted : kYellow) + pen_.px(2);
    y_ += pen_.px(4);
  }

  void output() {
    const float line = pen_.line_px(Cut::Small), number = pen_.px(62);
    for (std::size_t side = 0; side < 2; ++side) {
      const float level = side == 0 ? mixer_.left_peak : mixer_.right_peak;
      pen_.text(Cut::Small, x0_, y_, kMuted, side == 0 ? "L" : "R");
      meter(pen_, {x0_ + pen_.px(16), y_ + std::floor(line * 0.25f), x1_ - number, y_ + std::ceil(line * 0.8f)}, level);
      const float db = db_of(level);
      pen_.text_right(Cut::Small, x1_, y_, kText,
                      db > -100 ? Line<16>("%.1f dB", static_cast<double>(db)) : Line<16>("silent"));
      y_ += line + pen_.px(1);
    }
    y_ += gap();
  }

  void buttons() {
    const float high = pen_.px(27), space = pen_.px(6), wide = std::floor((width() - space) * 0.54f);
    const Rect burst{x0_, y_, x0_ + wide, y_ + high}, edit{burst.x1 + space, y_, x1_, y_ + high};
    if (labelled_button(pen_, ControlKind::VoiceBurst, 0, burst, "Burst of 200 sounds", "", false))
      requests_.voices.burst = true;
    if (labelled_button(pen_, ControlKind::Ask, static_cast<std::size_t>(Action::SoundEditor), edit, "Edit sounds",
                        key_label(model_, Action::SoundEditor), model_.sound_editor.open)) {
      requests_.ask(Action::SoundEditor);
    }
    y_ += high + gap();
  }

  void comparison() {
    using State = frame::VoiceRecordView::State;
    const frame::VoiceRecordView& record = voices_.record;
    const bool runs = record.state == State::Recording;
    frame::VoicePolicy& other = state_.voices.other;
    if (other == voices_.policy && !pen_.dry())
      other = other == frame::VoicePolicy::StealQuietest ? frame::VoicePolicy::StealOldest
                                                         : frame::VoicePolicy::StealQuietest;
    quiet("Record the same sounds under this policy, and under:");
    const float high = pen_.px(26), space = pen_.px(6), button = pen_.px(82);
    const Rect list{x0_, y_, x1_ - button - space, y_ + high}, start{x1_ - button, y_, x1_, y_ + high};
    std::array<std::string_view, frame::kVoicePolicies.size()> titles;
    std::array<frame::VoicePolicy, frame::kVoicePolicies.size()> ids;
    std::size_t count = 0;
    for (const frame::VoicePolicyRow& row : frame::kVoicePolicies) {
      if (row.id == voices_.policy) continue;
      titles[count] = row.title;
      ids[count++] = row.id;
    }
    const int picked = drop_down(pen_, state_.fields, ControlKind::VoiceOther, 0, list, policy_row(other).title,
                                 {titles.data(), count});
    if (picked >= 0) other = ids[static_cast<std::size_t>(picked)];
    if (labelled_button(pen_, ControlKind::VoiceRecord, 0, start, runs ? "Stop" : "Record", "", runs, kRed)) {
      requests_.voices.record = true;
      requests_.voices.other_policy = other;
    }
    y_ += high + pen_.px(4);
    const Rect bar{x0_, y_, x1_, y_ + pen_.px(5)};
    pen_.fill(bar, kControl, pen_.px(2));
    const float done = record.state == State::Writing || record.state == State::Done ? 1.0f
                       : std::isfinite(record.progress) ? std::clamp(record.progress, 0.0f, 1.0f)
                                                        : 0.0f;
    if (record.state != State::None && done > 0)
      pen_.fill({bar.x0, bar.y0, bar.x0 + std::ceil(bar.width() * done), bar.y1},
                runs                            ? kRed
                : record.state == State::Failed ? kYellow
                                                : kGreen,
                pen_.px(2));
    y_ = bar.y1 + pen_.px(3);
    if (!record.text.empty()) y_ += wrapped(record.text, record.state == State::Failed ? kYellow : kText);
  }

  const Pen& pen_;
  const frame::PanelModel& model_;
  const VoicesView& voices_;
  const frame::MixerStats& mixer_ = voices_.mixer;
  UiState& state_;
  PanelRequests& requests_;
  bool roomy_;
  float x0_, x1_, y_;
};

// A row for each voice, or a cell for each slot.
class Rows {
 public:
  Rows(const Pen& pen, const frame::PanelModel& model, UiState& state, PanelRequests& requests, const Rect& column)
      : pen_(pen),
        model_(model),
        voices_(model.voices),
        state_(state),
        requests_(requests),
        x0_(column.x0),
        x1_(column.x1),
        y_(column.y0) {}

  static float line_px(const Pen& pen) { return pen.line_px(Cut::Small) + pen.px(4); }

  /// `bottom`: where the column ends, for cells to fill.
  float run(float bottom) {
    heading();
    const std::size_t slots = std::min<std::size_t>(mixer_.voices, voices_.rows.size());
    if (slots > kMostVoiceRows) {
      cells(bottom);
      return y_;
    }
    titles();
    float best = 0;
    for (const VoiceRow& row : voices_.rows) best = std::max(best, std::isfinite(row.score) ? row.score : 0.0f);
    const std::size_t shown = std::min(voices_.rows.size(), slots + kMostVoiceRows / 2);
    const float high = line_px(pen_);
    for (std::size_t i = 0; i < shown; ++i, y_ += high) {
      const Rect box{x0_, y_, x1_, y_ + high - 1};
      if (pen_.dry() || box.cut_to(pen_.clip()).empty()) continue;  // of many, those in sight
      row(i, voices_.rows[i], i < slots, best, box);
    }
    return y_;
  }

 private:
  void heading() {
    const Line<64> plays("%s of %s play", count_text(mixer_.active).c_str(), count_text(mixer_.voices).c_str());
    const Line<64> others("%s virtual, most %s", count_text(mixer_.virtual_voices).c_str(),
                          count_text(mixer_.peak).c_str());
    pen_.text(Cut::Strong, x0_, y_, kText, plays);
    const float top = y_ + pen_.px(2), room = x1_ - x0_ - pen_.width(Cut::Strong, plays) - pen_.px(8);
    if (pen_.width(Cut::Small, others) <= room) pen_.text_right(Cut::Small, x1_, top, kMuted, others);
    y_ += pen_.line_px(Cut::Strong) + pen_.px(4);
  }

  struct Columns {
    float name, level, score, priority, age;  ///< Left ends; age: the right end.
  };
  Columns columns() const {
    const float wide = x1_ - x0_, name = x0_ + pen_.px(26), age = pen_.px(44), priority = pen_.px(24);
    const float bars = x1_ - age - priority - (name + pen_.px(122));
    return {name, name + pen_.px(122), name + pen_.px(122) + std::floor(bars * 0.58f), x1_ - age - priority,
            x0_ + wide};
  }

  void titles() {
    const Columns at = columns();
    pen_.text(Cut::Small, at.name, y_, kMuted, "sound");
    pen_.text(Cut::Small, at.level, y_, kMuted, "level");
    pen_.text(Cut::Small, at.score, y_, kMuted, "score");
    pen_.text(Cut::Small, at.priority, y_, kMuted, "pri");
    pen_.text_right(Cut::Small, at.age, y_, kMuted, "age");
    y_ += pen_.line_px(Cut::Small) + pen_.px(2);
  }

  void row(std::size_t i, const VoiceRow& voice, bool slot, float best, const Rect& box) {
    const Columns at = columns();
    const bool free = voice.state == VoiceRow::State::Free, silent = voice.state == VoiceRow::State::Virtual;
    const float text_y = pen_.centre_y(Cut::Small, box.y0, box.y1);
    const VoiceSlotMemory none;
    const VoiceSlotMemory& memory = slot && i < state_.voices.slots.size() ? state_.voices.slots[i] : none;
    const bool stolen = memory.steal_s < kStealShown_s;
    Press press;
    if (!free) press = press_area(pen_, ControlKind::VoiceRow, i, box);
    if (press.hovered) pen_.fill(box, kControlHot, pen_.px(3));
    if (press.pressed) {
      requests_.sound_editor.select = true;
      requests_.sound_editor.sound = voice.sound;
    }
    const float light = steal_light(model_, memory);
    if (light > 0) pen_.fill(box, faded(kYellow, light * 0.55f), pen_.px(3));
    const Line<12> number = slot ? Line<12>("%zu", i) : Line<12>("v");
    pen_.text(Cut::Small, x0_, text_y, stolen ? kText : free ? faded(kMuted, 0.45f) : kMuted, number);
    const ImU32 ink = silent ? faded(kMuted, 0.8f) : kText;
    if (stolen) {
      pen_.frame(box, faded(kYellow, 0.8f), pen_.px(3));
      pen_.text_within(Cut::Small, at.name, text_y, at.age - pen_.px(44) - at.name, kText, steal_text(pen_, memory));
    } else if (free) {
      pen_.text(Cut::Small, at.name, text_y, faded(kMuted, 0.45f), "free");
      return;
    } else {
      pen_.text_within(Cut::Small, at.name, text_y, at.level - at.name - pen_.px(4), ink, name_of(voice.sound));
      const float pad = std::floor(box.height() * 0.25f);
      meter(pen_, {at.level, box.y0 + pad, at.score - pen_.px(6), box.y1 - pad},
            slot ? std::max(memory.level, voice.level) : voice.level, silent);
      // The audibility that the policy compares, in dB below the highest of all voices.
      const float share = best > 0 && std::isfinite(voice.score) ? share_of(voice.score / best) : 0.0f;
      const Rect bar{at.score, box.y0 + pad, at.priority - pen_.px(6), box.y1 - pad};
      pen_.fill(bar, kControl, pen_.px(2));
      if (share > 0)
        pen_.fill({bar.x0, bar.y0, bar.x0 + std::ceil(bar.width() * share), bar.y1},
                  faded(kAccent, silent ? 0.35f : 0.85f), pen_.px(2));
      // A priority is a digit; K: kept, never stolen.
      const float side = std::min(pen_.px(16), box.height() - 2);
      const float top = std::floor(box.middle_y() - side * 0.5f);
      const std::size_t priority = std::min<std::size_t>(voice.priority, 3);
      const Rect sign{at.priority, top, at.priority + side, top + side};
      pen_.fill(sign, faded(kPriorityColours[priority], silent ? 0.5f : 1.0f), pen_.px(3));
      const char letter = voice.kept ? 'K' : static_cast<char>('0' + priority);
      pen_.text_centred(Cut::Small, sign, kInk, std::string_view(&letter, 1));
    }
    if (free) return;
    const float age = std::isfinite(voice.age_s) ? std::clamp(voice.age_s, 0.0f, 9'999.0f) : 0.0f;
    pen_.text_right(Cut::Small, at.age, text_y, ink,
                    Line<16>(age < 10    ? "%.2f"
                             : age < 100 ? "%.1f"
                                         : "%.0f",
                             static_cast<double>(age)));
  }

  void cells(float bottom) {
    const float line = pen_.line_px(Cut::Small) + pen_.px(2), below = line * 4 + pen_.px(6);
    const Rect area{x0_, y_, x1_, std::max(y_ + pen_.px(24), bottom - below)};
    const u32 slots = std::min(mixer_.voices, static_cast<u32>(voices_.rows.size()));
    const SlotGrid grid = slot_grid(slots, area.width(), area.height(), pen_.px(18));
    const Press press = press_area(pen_, ControlKind::VoiceGrid, 0, area);
    const float cell = grid.cell_px, grid_bottom = area.y0 + cell * static_cast<float>(grid.rows);
    u32 pointed = ~u32{0};
    if (!pen_.dry()) {
      const float between = cell >= 4 ? 1.0f : 0.0f;
      for (u32 i = 0; i < slots; i += grid.per_texel) {
        const u32 texel = i / grid.per_texel;
        const float x = area.x0 + cell * static_cast<float>(texel % grid.columns),
                    y = area.y0 + cell * static_cast<float>(texel / grid.columns);
        const Rect box{x, y, x + cell - between, y + cell - between};
        if (box.cut_to(pen_.clip()).empty()) continue;
        const VoiceRow& voice = voices_.rows[i];
        if (voice.state == VoiceRow::State::Free) {
          pen_.fill(box, IM_COL32(33, 38, 58, 255));
          continue;
        }
        // Taken: a base that has an edge, and on it a bar as high as it is loud.
        pen_.fill(box, IM_COL32(62, 74, 112, 255));
        const VoiceSlotMemory& memory = state_.voices.slots[std::min<std::size_t>(i, state_.voices.slots.size() - 1)];
        const float level = std::max(memory.level, voice.level);
        pen_.fill({box.x0, box.y1 - std::ceil(box.height() * share_of(level)), box.x1, box.y1}, level_colour(level));
        const float light = steal_light(model_, memory);
        if (light > 0) pen_.fill(box, faded(kYellow, light * 0.7f));
        if (memory.steal_s < kStealShown_s) pen_.frame(box, kYellow);
      }
      if (press.hovered) {
        const ImVec2 mouse = ImGui::GetIO().MousePos;
        const u32 column = static_cast<u32>(std::max(0.0f, mouse.x - area.x0) / cell),
                  at_row = static_cast<u32>(std::max(0.0f, mouse.y - area.y0) / cell);
        const u32 place = (at_row * grid.columns + column) * grid.per_texel;
        if (column < grid.columns && place < slots) pointed = place;
      }
    }
    y_ = std::max(area.y1, grid_bottom) + pen_.px(6);
    told(pointed);
    if (pointed < slots && press.pressed && voices_.rows[pointed].state != VoiceRow::State::Free) {
      requests_.sound_editor.select = true;
      requests_.sound_editor.sound = voices_.rows[pointed].sound;
    }
    y_ += line;
    for (const u32 slot : state_.voices.steals) {
      const VoiceSlotMemory& memory = state_.voices.slots[std::min<std::size_t>(slot, state_.voices.slots.size() - 1)];
      if (slot < slots && memory.steal_s < 1e6f) {
        const bool fresh = memory.steal_s < kStealShown_s;
        pen_.text_within(Cut::Small, x0_, y_, x1_ - x0_, fresh ? kText : faded(kMuted, 0.7f),
                         Line<128>("%u: %s", slot, steal_text(pen_, memory).c_str()));
      }
      y_ += line;
    }
  }

  /// The slot under the mouse in words.
  void told(u32 slot) {
    if (pen_.dry()) return;
    if (slot >= voices_.rows.size()) {
      pen_.text(Cut::Small, x0_, y_, kMuted, "Each cell is a slot; point at one.");
      return;
    }
    const VoiceRow& voice = voices_.rows[slot];
    if (voice.state == VoiceRow::State::Free) {
      pen_.text(Cut::Small, x0_, y_, kMuted, Line<32>("%u: free", slot));
      return;
    }
    const std::string_view name = name_of(voice.sound);
    pen_.text_within(
        Cut::Small, x0_, y_, x1_ - x0_, kText,
        Line<128>("%u: %.*s, %.0f dB, %s%u, %.2f s", slot, static_cast<int>(name.size()), name.data(),
                  static_cast<double>(std::max(-99.0f, db_of(voice.level))), voice.kept ? "kept, " : "priority ",
                  static_cast<unsigned>(voice.priority), static_cast<double>(voice.age_s)));
  }

  const Pen& pen_;
  const frame::PanelModel& model_;
  const VoicesView& voices_;
  const frame::MixerStats& mixer_ = voices_.mixer;
  UiState& state_;
  PanelRequests& requests_;
  float x0_, x1_, y_;
};

/// The rows below the controls, which end at y.
float rows_below(const Pen& pen, const frame::PanelModel& model, UiState& state, PanelRequests& requests,
                 const Rect& column, float y) {
  pen.fill({column.x0, y + pen.px(5), column.x1, y + pen.px(5) + 1}, kRule);
  return Rows(pen, model, state, requests, {column.x0, y + pen.px(12), column.x1, 0}).run(y + pen.px(220));
}

float controls_height(const frame::PanelModel& model, UiState& state, const Pen& pen, float width, bool rows,
                      bool roomy) {
  PanelRequests none;
  return panel_height(pen, width, [&](const Pen& dry, Rect column) {
    column.y0 = Controls(dry, model, state, none, roomy, column).head();
    const float y = Controls(dry, model, state, none, roomy, column).run();
    return rows ? rows_below(dry, model, state, none, column, y) : y;
  });
}

/// Of the rows without virtual voices: these come and go, and the text shall not grow and shrink with them.
float slots_height(const frame::PanelModel& model, UiState& state, const Pen& pen, float width) {
  frame::PanelModel slots = model;
  slots.voices.rows = model.voices.rows.first(
      std::min<std::size_t>(model.voices.mixer.voices, model.voices.rows.size()));
  PanelRequests none;
  return panel_height(pen, width, [&](const Pen& dry, const Rect& column) {
    return Rows(dry, slots, state, none, column).run(0);
  });
}

}  // namespace

void follow_voices(const frame::VoicesView& voices, float dt_s, VoicePanelState& state) {
  const std::size_t slots =
      std::min({static_cast<std::size_t>(voices.mixer.voices), voices.rows.size(), state.slots.size()});
  const float fall = std::exp(-kMeterFall_per_s * std::clamp(dt_s, 0.0f, 1.0f));
  for (std::size_t i = 0; i < state.slots.size(); ++i) {
    VoiceSlotMemory& memory = state.slots[i];
    memory.steal_s += dt_s;
    if (i >= slots) {
      memory.level = 0;
      continue;
    }
    const VoiceRow& row = voices.rows[i];
    const bool plays = row.state == VoiceRow::State::Playing;
    const float level = plays && std::isfinite(row.level) ? row.level : 0.0f;
    memory.level = row.serial == memory.serial ? std::max(level, memory.level * fall) : level;
    if (!plays || row.serial == memory.serial) continue;
    memory.serial = row.serial;
    // A voice that began long ago was stolen while the panel was closed: show no steal.
    if (row.stole_from == 0 || !(row.age_s < kStealShown_s)) continue;
    memory.steal_s = std::max(0.0f, row.age_s);  // a headless frame shows it late
    memory.stealing_voice = row.sound;
    memory.victim = row.victim;
    std::rotate(state.steals.begin(), state.steals.end() - 1, state.steals.end());
    state.steals[0] = static_cast<u32>(i);
  }
}

float voice_controls_height(const frame::PanelModel& model, UiState& state, const Pen& pen, float width, float most,
                            bool rows) {
  const float roomy = controls_height(model, state, pen, width, rows, true);
  return roomy <= most ? roomy : controls_height(model, state, pen, width, rows, false);
}

float voice_rows_height(const frame::PanelModel& model, UiState& state, const Pen& pen, float width, float most) {
  const bool cells = model.voices.mixer.voices > kMostVoiceRows;
  const bool more = model.voices.mixer.virtual_voices > 0 || model.voices.policy == frame::VoicePolicy::Virtual;
  return cells || more ? most : slots_height(model, state, pen, width);
}

void draw_voice_controls(const Rect& box, const frame::PanelModel& model, UiState& state, const Pen& outer, bool rows,
                         PanelRequests& requests) {
  const bool roomy = controls_height(model, state, outer, box.width(), rows, true) <= box.height() + 0.5f;
  const float scale = scale_without_bar(outer, box.height(), [&](const Pen& pen) {
    return controls_height(model, state, pen, box.width(), rows, roomy);
  });
  draw_headed_panel(
      "##voices", box, outer, scale,
      [&](const Pen& pen, const Rect& column) {
        return Controls(pen, model, state, requests, roomy, column).head();
      },
      [&](const Pen& pen, const Rect& column) {
        const float y = Controls(pen, model, state, requests, roomy, column).run();
        return rows ? rows_below(pen, model, state, requests, column, y) : y;
      });
}

void draw_voice_rows(const Rect& box, const frame::PanelModel& model, UiState& state, const Pen& outer,
                     PanelRequests& requests) {
  const bool cells = model.voices.mixer.voices > kMostVoiceRows;
  const float scale = scale_without_bar(outer, box.height(), [&](const Pen& pen) {
    return cells ? 0.0f : slots_height(model, state, pen, box.width());
  });
  draw_panel("##voice_rows", box, outer, scale, [&](const Pen& pen, const Rect& column) {
    return Rows(pen, model, state, requests, column).run(box.y1 - pen.px(kPanelEnd));
  });
}

}  // namespace spellpool::ui
