#include "ui/editor/editor.hpp"

#include <algorithm>
#include <cmath>

namespace spellpool::ui {
namespace {

class Hash {
 public:
  void add(u64 value) {
    state_ ^= value + 0x9E3779B97F4A7C15ull + (state_ << 6) + (state_ >> 2);
    state_ *= 0xFF51AFD7ED558CCDull;
    state_ ^= state_ >> 33;
  }
  void add(float value) {
    if (!(std::fabs(value) > 1e-9f)) {
      add(u64{0});
      return;
    }
    const double exponent = std::floor(std::log10(std::fabs(static_cast<double>(value))));
    const double digits = std::round(static_cast<double>(value) / std::pow(10.0, exponent - 4.0));
    // 9.99996 rounds up to the next power of ten.
    const bool up = std::fabs(digits) >= 99'999.5;
    add(static_cast<u64>(static_cast<i64>(up ? digits / 10 : digits)));
    add(static_cast<u64>(static_cast<i64>(up ? exponent + 1 : exponent)));
  }
  void add(const std::string& text) {
    add(u64{text.size()});
    for (const char letter : text) add(static_cast<u64>(static_cast<unsigned char>(letter)));
  }
  void add(const frame::Range& range) {
    add(range.low);
    add(range.high);
  }
  u64 value() const { return state_; }

 private:
  u64 state_ = 0x243F6A8885A308D3ull;
};

void add(Hash& hash, const frame::EmitterDef& emitter) {
  hash.add(emitter.name);
  hash.add(static_cast<u64>(emitter.shape));
  for (const float value :
       {emitter.radius, emitter.width, emitter.height, emitter.rate_per_s, emitter.per_unit, emitter.prewarm_s,
        emitter.spread_turns, emitter.inherit, emitter.gravity_x, emitter.gravity_y, emitter.drag_per_s, emitter.curl,
        emitter.pull, emitter.turn, emitter.bounce, emitter.friction, emitter.glow}) {
    hash.add(value);
  }
  for (const u32 value : {emitter.burst, emitter.seed, emitter.rays}) hash.add(u64{value});
  for (const frame::Range& range : {emitter.life_s, emitter.speed, emitter.swirl, emitter.lift, emitter.size})
    hash.add(range);
  hash.add(static_cast<u64>(emitter.bounce_on));
  hash.add(static_cast<u64>(emitter.particle));
  hash.add(static_cast<u64>(emitter.layer));
  for (const std::vector<frame::CurveKey>* curve : {&emitter.size_curve, &emitter.speed_curve}) {
    hash.add(u64{curve->size()});
    for (const frame::CurveKey& key : *curve) {
      hash.add(key.t);
      hash.add(key.value);
    }
  }
  hash.add(u64{emitter.colour_curve.size()});
  for (const frame::ColourKey& key : emitter.colour_curve) {
    hash.add(key.t);
    for (const int byte : bytes_of(key)) hash.add(static_cast<u64>(byte));
  }
  hash.add(emitter.on_birth);
  hash.add(emitter.on_death);
  hash.add(emitter.on_hit);
  hash.add(emitter.trail);
}

}  // namespace

u64 content_hash(const frame::SpellDef& spell) {
  Hash hash;
  hash.add(spell.title);
  hash.add(static_cast<u64>(spell.behaviour));
  for (const float part : {spell.colour_r, spell.colour_g, spell.colour_b})
    hash.add(static_cast<u64>(srgb_byte_of(part)));
  for (const float value :
       {spell.cooldown_s, spell.windup_s, spell.charge_s, spell.charged, spell.follow_s, spell.speed, spell.radius,
        spell.duration_s, spell.power, spell.pull, spell.light, spell.shake}) {
    hash.add(value);
  }
  hash.add(u64{spell.count});
  hash.add(static_cast<u64>(spell.sound_cast));
  hash.add(static_cast<u64>(spell.sound_hit));
  hash.add(u64{spell.emitters.size()});
  for (const frame::EmitterDef& emitter : spell.emitters) add(hash, emitter);
  return hash.value();
}

frame::EmitterDef* Editor::current_emitter() {
  std::vector<frame::EmitterDef>& all = current().emitters;
  if (emitter < 0 || static_cast<std::size_t>(emitter) >= all.size()) return nullptr;
  return &all[static_cast<std::size_t>(emitter)];
}

void Editor::keep(std::vector<EditStep>& steps, EditStep step) {
  if (steps.size() >= kMostSteps) steps.erase(steps.begin());
  steps.push_back(std::move(step));
}

void Editor::begin_step(bool drag) {
  changed = true;
  if (drag && gesture) return;
  gesture = drag;
  keep(past, {spell, current()});
  future.clear();
}

bool Editor::undo() {
  if (past.empty()) return false;
  EditStep step = std::move(past.back());
  past.pop_back();
  spell = step.spell;
  std::swap(step.before, current());
  keep(future, std::move(step));
  changed = true;
  gesture = false;
  return true;
}

bool Editor::redo() {
  if (future.empty()) return false;
  EditStep step = std::move(future.back());
  future.pop_back();
  spell = step.spell;
  std::swap(step.before, current());
  keep(past, std::move(step));
  changed = true;
  gesture = false;
  return true;
}

void press_shortcut(Editor& editor, Shortcut shortcut) {
  if (editor.shortcut_count < editor.shortcuts.size()) editor.shortcuts[editor.shortcut_count++] = shortcut;
}

bool leads_to(const frame::SpellDef& spell, std::string_view from, std::string_view to) {
  // Emitters that `from` reaches, each once; a spell that is half changed may go round in a circle.
  std::array<const frame::EmitterDef*, frame::kMaxEmitters> reached{};
  std::size_t count = 0;
  const auto reach = [&](std::string_view name) {
    for (const frame::EmitterDef& emitter : spell.emitters) {
      if (name.empty() || emitter.name != name) continue;
      if (count < reached.size() &&
          std::find(reached.data(), reached.data() + count, &emitter) == reached.data() + count) {
        reached[count++] = &emitter;
      }
    }
  };
  reach(from);
  for (std::size_t i = 0; i < count; ++i) {
    if (reached[i]->name == to) return true;
    for (const std::string* next :
         {&reached[i]->on_birth, &reached[i]->on_death, &reached[i]->on_hit, &reached[i]->trail})
      reach(*next);
  }
  return false;
}

void follow_spells(const frame::PanelModel& model, Editor& editor) {
  if (!model.editor_open) {
    editor.was_open = false;
    editor.gesture = false;
    return;
  }
  if (!editor.was_open) {
    editor.was_open = true;
    editor.known = editor.known_filed = {};  // An address may have been reused while the editor was closed.
    if (model.selected_spell < frame::kSpellCount) editor.spell = model.selected_spell;
    editor.seen_selected = model.selected_spell;
  }
  // A player who chooses another spell edits that one from then on; demo mode changes nothing here.
  if (model.selected_spell != editor.seen_selected && model.selected_spell < frame::kSpellCount && !model.autoplay) {
    editor.spell = model.selected_spell;
  }
  editor.seen_selected = model.selected_spell;
  for (std::size_t i = 0; i < frame::kSpellCount; ++i) {
    const frame::SpellDef* filed = model.filed[i] != nullptr || editor.loaded[i] ? model.filed[i] : model.spells[i];
    if (filed != nullptr && filed != editor.known_filed[i]) {
      editor.known_filed[i] = filed;
      editor.saved[i] = content_hash(*filed);
    }
    const frame::SpellDef* shown = model.spells[i];
    if (shown == nullptr || shown == editor.known[i]) continue;
    editor.known[i] = shown;
    const u64 content = content_hash(*shown);
    if (!editor.loaded[i]) {
      editor.loaded[i] = true;
      editor.working[i] = *shown;
      continue;
    }
    const u64 mine = content_hash(editor.working[i]);
    if (content == mine) {
      editor.sent = {};  // All that was sent has arrived.
      continue;
    }
    if (std::find(editor.sent.begin(), editor.sent.end(), content) != editor.sent.end()) continue;
    // Not ours: the file says something new.
    editor.keep(editor.past, {static_cast<u8>(i), editor.working[i]});
    editor.future.clear();
    editor.working[i] = *shown;
  }
}

}  // namespace spellpool::ui
