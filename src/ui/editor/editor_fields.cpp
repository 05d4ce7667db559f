#include <algorithm>
#include <cmath>
#include <variant>

#include "ui/editor/editor_parts.hpp"

namespace spellpool::ui {
namespace {

using frame::EmitterDef;
using frame::Range;
using frame::SpellDef;

// What a slider spans, and what may be typed: the file's own limits.
template <class Owner>
struct NumberRow {
  std::string_view label;
  std::variant<float Owner::*, Range Owner::*, u32 Owner::*> member;
  Scale scale;
  float least, most;
  float step = 0;  ///< The value is a multiple of it, if above 0.
};
using EmitterRow = NumberRow<EmitterDef>;
using SpellRow = NumberRow<SpellDef>;

constexpr std::array<EmitterRow, 10> kEmitRows = {{
    {"burst", &EmitterDef::burst, {0, 1'000, 2.5f}, 0, 100'000},
    {"a second", &EmitterDef::rate_per_s, {0, 2'000, 2.5f}, 0, 1e6f},
    {"each unit", &EmitterDef::per_unit, {0, 10, 2}, 0, 1'000},
    {"prewarm, s", &EmitterDef::prewarm_s, {0, 4, 1.5f}, 0, 10},
    {"radius", &EmitterDef::radius, {0, 400, 2}, 0, 2'000},
    {"width", &EmitterDef::width, {0, 800, 2}, 0, 4'000},
    {"height", &EmitterDef::height, {0, 800, 2}, 0, 4'000},
    {"spread", &EmitterDef::spread_turns, {0, 1, 1}, 0, 1},
    {"rays", &EmitterDef::rays, {0, 24, 1}, 0, 360},
    {"seed", &EmitterDef::seed, {0, 99, 1}, 0, 999'999},
}};
constexpr std::array<EmitterRow, 13> kMoveRows = {{
    {"life, s", &EmitterDef::life_s, {0.05f, 5, 2}, 0.01f, 30},
    {"speed", &EmitterDef::speed, {-900, 900, 1.6f}, -5'000, 5'000},
    {"swirl", &EmitterDef::swirl, {-900, 900, 1.6f}, -5'000, 5'000},
    {"lift", &EmitterDef::lift, {0, 900, 1.6f}, 0, 5'000},
    {"inherit", &EmitterDef::inherit, {-1, 1, 1}, -2, 2},
    {"gravity x", &EmitterDef::gravity_x, {-900, 900, 1.6f}, -5'000, 5'000},
    {"gravity y", &EmitterDef::gravity_y, {-900, 900, 1.6f}, -5'000, 5'000},
    {"drag", &EmitterDef::drag_per_s, {0, 12, 1.5f}, 0, 100},
    {"curl", &EmitterDef::curl, {0, 1'000, 1.6f}, 0, 5'000},
    {"pull", &EmitterDef::pull, {-2'000, 2'000, 1.8f}, -20'000, 20'000},
    {"turn", &EmitterDef::turn, {-2'000, 2'000, 1.8f}, -20'000, 20'000},
    {"bounce", &EmitterDef::bounce, {0, 1, 1}, 0, 1},
    {"friction", &EmitterDef::friction, {0, 1, 1}, 0, 1},
}};
constexpr std::array<EmitterRow, 2> kLookRows = {{
    {"size", &EmitterDef::size, {0, 120, 1.6f}, 0, 1'000},
    {"glow", &EmitterDef::glow, {0, 7.75f, 1}, 0, 7.75f, 0.25f},
}};
constexpr std::array<SpellRow, 13> kSpellRows = {{
    {"cooldown, s", &SpellDef::cooldown_s, {0, 4, 1.5f}, 0, 60},
    {"wind-up, s", &SpellDef::windup_s, {0, 1, 1}, 0, 5},
    {"charge, s", &SpellDef::charge_s, {0, 3, 1}, 0, 10},
    {"when charged", &SpellDef::charged, {1, 5, 1}, 1, 10},
    {"follow, s", &SpellDef::follow_s, {0, 3, 1}, 0, 10},
    {"speed", &SpellDef::speed, {0, 1'500, 1.4f}, 0, 5'000},
    {"radius", &SpellDef::radius, {1, 500, 1.6f}, 1, 2'000},
    {"duration, s", &SpellDef::duration_s, {0.05f, 10, 1.8f}, 0.05f, 60},
    {"power", &SpellDef::power, {0, 20, 1.8f}, 0, 1'000},
    {"count", &SpellDef::count, {1, 24, 1}, 1, 64},
    {"pull", &SpellDef::pull, {-4'000, 4'000, 1.8f}, -20'000, 20'000},
    {"light", &SpellDef::light, {0, 4, 1}, 0, 20},
    {"shake", &SpellDef::shake, {0, 1, 1}, 0, 1},
}};

// Rows of choices are counted from here, so that their indexes differ from those of numbers.
constexpr std::size_t kFirstChoice = 32;

float label_width(const Pen& pen) { return pen.px(94); }
float row_height(const Pen& pen) { return pen.px(25); }

void label(const EditorController& controller, float y, std::string_view words) {
  const Pen& pen = controller.pen;
  pen.text_within(Cut::Small, controller.x0, pen.centre_y(Cut::Small, y, y + row_height(pen)),
                  label_width(pen) - pen.px(4), kMuted, words);
}

// One number: a slider and a field. Writes through `set` after beginning a step.
template <class Set>
void number(const EditorController& controller, std::size_t index, float y, const NumberSpan& span, float value,
            const Set& set) {
  const Rect box{controller.x0 + label_width(controller.pen), y, controller.x1, y + row_height(controller.pen)};
  const Edited edited = number_row(controller.pen, controller.fields, index, box, span, value);
  if (edited == Edited::No) return;
  controller.editor.begin_step(edited == Edited::Held);
  set(value);
}

void range(const EditorController& controller, std::size_t index, float y, const Scale& scale, float least, float most,
           Range& value) {
  const Pen& pen = controller.pen;
  const float high = row_height(pen), field = pen.px(54), gap = pen.px(4);
  const Rect upper{controller.x1 - field, y, controller.x1, y + high};
  const Rect lower{upper.x0 - gap - field, y, upper.x0 - gap, y + high};
  const Rect track{controller.x0 + label_width(pen), y, lower.x0 - pen.px(6), y + high};
  Range wanted = value;
  if (range_slider(pen, controller.fields, ControlKind::FieldSlider, index, track, scale, wanted.low, wanted.high)) {
    wanted = {tidy(wanted.low, false), tidy(wanted.high, false)};
    if (wanted.low != value.low || wanted.high != value.high) {
      controller.editor.begin_step(true);
      value = wanted;
    }
  }
  if (number_field(pen, controller.fields, ControlKind::FieldText, index * 2, lower, least, most, false, wanted.low)) {
    controller.editor.begin_step(false);
    value = {wanted.low, std::max(wanted.low, value.high)};
  }
  if (number_field(pen, controller.fields, ControlKind::FieldText, index * 2 + 1, upper, least, most, false,
                   wanted.high)) {
    controller.editor.begin_step(false);
    value = {std::min(value.low, wanted.high), wanted.high};
  }
}

template <class Owner, std::size_t N>
float numbers(const EditorController& controller, const std::array<NumberRow<Owner>, N>& rows, Owner& owner, float y) {
  for (std::size_t i = 0; i < N; ++i) {
    const NumberRow<Owner>& row = rows[i];
    label(controller, y, row.label);
    if (const auto* member = std::get_if<float Owner::*>(&row.member)) {
      number(controller, i, y, {row.scale, row.least, row.most, false, row.step}, owner.**member,
             [&](float value) { owner.** member = value; });
    } else if (const auto* whole = std::get_if<u32 Owner::*>(&row.member)) {
      number(controller, i, y, {row.scale, row.least, row.most, true, 0}, static_cast<float>(owner.**whole),
             [&](float value) { owner.** whole = static_cast<u32>(value); });
    } else if (const auto* both = std::get_if<Range Owner::*>(&row.member)) {
      range(controller, i, y, row.scale, row.least, row.most, owner.**both);
    }
    y += row_height(controller.pen) + controller.pen.px(3);
  }
  return y;
}

Rect choice_box(const EditorController& controller, float y) {
  return {controller.x0 + label_width(controller.pen), y, controller.x1, y + row_height(controller.pen)};
}

// An enum with a table of names.
template <class Enum, class Row, std::size_t N>
float choice(const EditorController& controller, std::size_t index, std::string_view words,
             const std::array<Row, N>& table, Enum& value, float y) {
  label(controller, y, words);
  std::array<std::string_view, N> names;
  for (std::size_t i = 0; i < N; ++i) names[i] = table[i].name;
  const auto now = static_cast<std::size_t>(value);
  const int picked = drop_down(controller.pen, controller.fields, ControlKind::FieldDrop, kFirstChoice + index,
                               choice_box(controller, y), now < N ? names[now] : std::string_view("?"), names);
  if (picked >= 0 && static_cast<std::size_t>(picked) != now) {
    controller.editor.begin_step(false);
    value = static_cast<Enum>(picked);
  }
  return y + row_height(controller.pen) + controller.pen.px(3);
}

// Two choices beside each other: how it is drawn, and in which layer.
void looks(const EditorController& controller, EmitterDef& emitter, float y) {
  label(controller, y, "drawn as");
  const Rect both = choice_box(controller, y);
  const float middle = std::floor(both.middle_x());
  std::array<std::string_view, frame::kParticleShapes.size()> shapes;
  std::array<std::string_view, frame::kParticleLayers.size()> layers;
  for (std::size_t i = 0; i < shapes.size(); ++i) shapes[i] = frame::kParticleShapes[i].name;
  for (std::size_t i = 0; i < layers.size(); ++i) layers[i] = frame::kParticleLayers[i].name;
  const auto shape = std::min(static_cast<std::size_t>(emitter.particle), shapes.size() - 1);
  const auto layer = std::min(static_cast<std::size_t>(emitter.layer), layers.size() - 1);
  const int new_shape = drop_down(controller.pen, controller.fields, ControlKind::FieldDrop, kFirstChoice,
                                  {both.x0, both.y0, middle - controller.pen.px(2), both.y1}, shapes[shape], shapes);
  const int new_layer = drop_down(controller.pen, controller.fields, ControlKind::FieldDrop, kFirstChoice + 1,
                                  {middle + controller.pen.px(2), both.y0, both.x1, both.y1}, layers[layer], layers);
  if (new_shape >= 0 && static_cast<std::size_t>(new_shape) != shape) {
    controller.editor.begin_step(false);
    emitter.particle = static_cast<frame::ParticleShape>(new_shape);
  }
  if (new_layer >= 0 && static_cast<std::size_t>(new_layer) != layer) {
    controller.editor.begin_step(false);
    emitter.layer = static_cast<frame::ParticleLayer>(new_layer);
  }
}

// Another emitter of the spell, or none.
float link(const EditorController& controller, const EmitterDef& owner, std::size_t index, std::string_view words,
           std::string& value, float y) {
  label(controller, y, words);
  std::array<std::string_view, frame::kMaxEmitters + 1> names;
  std::size_t count = 1;  // The first, empty, is none.
  for (const EmitterDef& emitter : controller.editor.current().emitters) {
    const bool circle = leads_to(controller.editor.current(), emitter.name, owner.name);  // no file may say that
    if (count < names.size() && !circle) names[count++] = emitter.name;
  }
  const int picked = drop_down(
      controller.pen, controller.fields, ControlKind::FieldDrop, kFirstChoice + index, choice_box(controller, y),
      value.empty() ? std::string_view("none") : std::string_view(value), {names.data(), count});
  if (picked >= 0 && names[static_cast<std::size_t>(picked)] != value) {
    controller.editor.begin_step(false);
    value = std::string(names[static_cast<std::size_t>(picked)]);
  }
  return y + row_height(controller.pen) + controller.pen.px(3);
}

float note(const EditorController& controller, float y, std::string_view words) {
  controller.pen.text_wrapped(Cut::Small, controller.x0, y, controller.x1 - controller.x0, kMuted, words);
  return y + controller.pen.wrapped_height(Cut::Small, words, controller.x1 - controller.x0) + controller.pen.px(6);
}

// The emitter's own name: a role, free ones only. Links of the others follow.
float role(const EditorController& controller, EmitterDef& emitter, float y) {
  label(controller, y, "role");
  std::array<std::string_view, frame::kEmitterRoleNames.size()> names;
  std::size_t count = 0;
  SpellDef& spell = controller.editor.current();
  for (std::string_view name : frame::kEmitterRoleNames) {
    const bool taken = std::any_of(spell.emitters.begin(), spell.emitters.end(),
                                   [name](const EmitterDef& other) { return other.name == name; });
    if (!taken || name == emitter.name) names[count++] = name;
  }
  const int picked = drop_down(controller.pen, controller.fields, ControlKind::FieldDrop, kFirstChoice + 15,
                               choice_box(controller, y), emitter.name, {names.data(), count});
  if (picked >= 0 && names[static_cast<std::size_t>(picked)] != emitter.name) {
    controller.editor.begin_step(false);
    const std::string before = emitter.name, after(names[static_cast<std::size_t>(picked)]);
    for (EmitterDef& other : spell.emitters) {
      for (std::string* each : {&other.on_birth, &other.on_death, &other.on_hit, &other.trail}) {
        if (*each == before) *each = after;
      }
    }
    emitter.name = after;
  }
  return y + row_height(controller.pen) + controller.pen.px(3);
}

}  // namespace

float draw_spell_fields(const EditorController& controller, float y) {
  SpellDef& spell = controller.editor.current();
  y = numbers(controller, kSpellRows, spell, y);
  y = choice(controller, 0, "cast's sound", frame::kSounds, spell.sound_cast, y);
  y = choice(controller, 1, "hit's sound", frame::kSounds, spell.sound_hit, y);
  label(controller, y, "hue");
  const Rect box{controller.x0 + label_width(controller.pen), y, controller.x1, y + picker_height(controller.pen)};
  ColourBytes hue = bytes_of(frame::ColourKey{0, spell.colour_r, spell.colour_g, spell.colour_b, 1});
  if (draw_picker(controller, box, hue, false)) {
    const frame::ColourKey key = key_of(hue, 0);
    spell.colour_r = key.r;
    spell.colour_g = key.g;
    spell.colour_b = key.b;
  }
  return box.y1;
}

float draw_emitter_fields(const EditorController& controller, EmitterDef& emitter, EditorPage page, float y) {
  switch (page) {
    case EditorPage::Emit:
      y = choice(controller, 0, "shape", frame::kEmitShapes, emitter.shape, y);
      return numbers(controller, kEmitRows, emitter, y);
    case EditorPage::Move:
      y = numbers(controller, kMoveRows, emitter, y);
      return choice(controller, 0, "bounces off", frame::kBounces, emitter.bounce_on, y);
    case EditorPage::Look:
      looks(controller, emitter, y);
      return numbers(controller, kLookRows, emitter, y + row_height(controller.pen) + controller.pen.px(3));
    case EditorPage::Chain:
      y = role(controller, emitter, y);
      y = note(controller, y + controller.pen.px(4),
               "The role says when the spell fires this emitter. Its particles can fire others:");
      y = link(controller, emitter, 0, "at birth", emitter.on_birth, y);
      y = link(controller, emitter, 1, "at death", emitter.on_death, y);
      y = link(controller, emitter, 2, "at a bounce", emitter.on_hit, y);
      return link(controller, emitter, 3, "trail", emitter.trail, y);
  }
  return y;
}

}  // namespace spellpool::ui
