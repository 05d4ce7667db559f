// The spell reader and writer under any bytes: no crash, errors of one line, what is read is written and read
// again to the last bit, an unchanged spell leaves its file as it was, and a changed one can be saved over
// any file. The reader of the arena's emitters gets the same bytes.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "content/game/spell_file.hpp"

namespace {

using namespace spellpool;

void expect(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "spell_fuzz: %s\n", what);
  std::abort();
}

void expect_line(const std::string& error) {
  expect(error.rfind("fuzz.toml:", 0) == 0, "the error does not name the file");
  expect(error.size() < 1500 && error.find_first_of("\n\r\x1b") == std::string::npos, "the error is no line");
}

frame::SpellDef read_again(const std::string& text) {
  content::SpellFileResult again = content::parse_spell(text, "again.toml", "id");
  if (!again.spell) std::fprintf(stderr, "%s\n%s\n", again.error.c_str(), text.c_str());
  expect(again.spell.has_value(), "what was written is not read");
  return std::move(*again.spell);
}

/// A few of the changes that an editor makes, chosen by a byte of the input.
void change(frame::SpellDef& spell, unsigned choice) {
  frame::EmitterDef& first = spell.emitters.front();
  frame::EmitterDef& last = spell.emitters.back();
  if (choice & 1u) spell.title = "\\\"é";
  if (choice & 2u) first.burst = 100000 - first.burst;
  if (choice & 4u) last.life_s = {0.5f, 0.5f};
  if (choice & 8u) first.size_curve = {{0.0f, 2.0f}, {0.5f, 0.1f}};
  if (choice & 16u) last.colour_curve = {{0.0f, 1.0f, 0.0f, 0.0f, 1.0f}};
  if (choice & 32u) first.on_birth = first.on_death = first.on_hit = first.trail = "";
  if (choice & 64u) last.speed_curve.clear();
  if ((choice & 128u) && spell.emitters.size() > 1) {
    const std::string name = last.name;
    spell.emitters.pop_back();
    for (frame::EmitterDef& e : spell.emitters) {
      for (std::string* link : {&e.on_birth, &e.on_death, &e.on_hit, &e.trail}) {
        if (*link == name) link->clear();
      }
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const content::ArenaFileResult arena = content::parse_arena(text, "fuzz.toml");
  if (arena.arena) {
    expect(arena.error.empty() && arena.arena->size() == frame::kArenaEmitterCount,
           "an emitter of the arena lacks");
  } else {
    expect_line(arena.error);
  }
  content::SpellFileResult result = content::parse_spell(text, "fuzz.toml", "id");
  if (!result.spell) {
    expect_line(result.error);
    return 0;
  }
  expect(result.error.empty(), "a spell and an error");
  frame::SpellDef& spell = *result.spell;
  const std::string written = content::format_spell(spell);
  expect(content::format_spell(read_again(written)) == written, "what was written is read as something else");
  expect(content::format_spell(spell, text) == text, "an unchanged spell changes its file");
  change(spell, size > 0 ? data[size / 2] : 0u);
  const std::string wanted = content::format_spell(spell);
  expect(content::format_spell(read_again(content::format_spell(spell, text))) == wanted,
         "a changed spell is not saved right");
  return 0;
}
