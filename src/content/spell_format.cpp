#include <fmt/format.h>

#include <cstdlib>

#include "content/colour_text.hpp"
#include "content/spell_file.hpp"
#include "content/spell_keys.hpp"

namespace spellpool::content {
namespace {

using namespace frame;

/// The shortest text that reads back as the same float, with a point so that it looks like what it is.
std::string number(float value) {
  std::string text = fmt::format("{}", value);
  if (static_cast<float>(std::strtod(text.c_str(), nullptr)) != value)
    text = fmt::format("{}", static_cast<double>(value));
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string in_quotes(const LinearColour& colour) { return fmt::format("\"{}\"", format_colour(colour)); }

template <class Items, class Text>
std::string list(const Items& items, Text text) {
  std::string out = "[";
  for (const auto& item : items) {
    if (out.size() > 1) out += ", ";
    out += text(item);
  }
  return out + "]";
}

std::string value_text(float value) { return number(value); }
std::string value_text(u32 value) { return fmt::format("{}", value); }
std::string value_text(const std::string& text) { return in_quotes(text); }
std::string value_text(SpellBehaviour id) { return in_quotes(kSpellBehaviours[static_cast<std::size_t>(id)].name); }
std::string value_text(SoundId id) { return in_quotes(kSounds[static_cast<std::size_t>(id)].name); }
std::string value_text(EmitShape id) { return in_quotes(kEmitShapes[static_cast<std::size_t>(id)].name); }
std::string value_text(ParticleShape id) { return in_quotes(kParticleShapes[static_cast<std::size_t>(id)].name); }
std::string value_text(ParticleLayer id) { return in_quotes(kParticleLayers[static_cast<std::size_t>(id)].name); }
std::string value_text(const Range& range) {
  if (range.low == range.high) return number(range.low);
  return fmt::format("[{}, {}]", number(range.low), number(range.high));
}
std::string value_text(const std::vector<SizeKey>& curve) {
  return list(curve, [](const SizeKey& key) { return fmt::format("[{}, {}]", number(key.t), number(key.value)); });
}
std::string value_text(const std::vector<ColourKey>& curve) {
  return list(curve, [](const ColourKey& key) {
    return fmt::format("[{}, {}]", number(key.t), in_quotes(LinearColour{key.r, key.g, key.b, key.a}));
  });
}

template <class Keys>
std::string help_rows(const Keys& keys) {
  std::string out;
  for (const auto& key : keys) {
    const std::string range = key.low == key.high ? "" : fmt::format(" ({} … {})", key.low, key.high);
    out += fmt::format("#   {:<13} {}{}{}\n", key.name, key.help, range, key.required ? " *" : "");
  }
  return out;
}

}  // namespace

std::string spell_file_help() {
  return "# Save this file while the game runs and the spell changes. What is wrong in it is shown with its line, and "
         "the\n"
         "# last good spell stays. Lengths: 1 unit = 1 pixel at 1280x720; x goes right, y down. A turn is a full "
         "circle.\n"
         "#\n"
         "# The spell (* = must be there):\n" +
         help_rows(kSpellKeys) +
         "#\n"
         "# Each [emitter.NAME]; where a range makes sense, [low, high] stands in place of a number:\n" +
         help_rows(kEmitterKeys) +
         "#\n"
         "# Emitters that fire by themselves:\n"
         "#   bolt     gather (wind-up), cast, trail (flight), burst (hit), embers (after)\n"
         "#   nova     gather, burst (the ring), mist, shards\n"
         "#   vortex   gather, spiral (while it lives), core, close (its end)\n"
         "# Any other name fires as somebody's on_death.\n";
}

std::string format_spell(const SpellDef& spell) {
  std::string out = spell_file_help() + "\n";
  const auto line = [&](std::string_view name, const std::string& value) {
    out += fmt::format("{} = {}\n", name, value);
  };
  for (const SpellKey& key : kSpellKeys) {
    std::visit(
        [&](auto member) {
          using Member = decltype(member);
          if constexpr (std::is_same_v<Member, HueKey>) {
            line(key.name, in_quotes(LinearColour{spell.colour_r, spell.colour_g, spell.colour_b, 1.0f}));
          } else if constexpr (std::is_same_v<Member, EmitterListKey>) {
            line(key.name, list(spell.emitters, [](const EmitterDef& emitter) { return in_quotes(emitter.name); }));
          } else {
            line(key.name, value_text(spell.*member));
          }
        },
        key.member);
  }
  for (const EmitterDef& emitter : spell.emitters) {
    out += fmt::format("\n[emitter.{}]\n", emitter.name);
    for (const EmitterKey& key : kEmitterKeys) {
      std::visit(
          [&](auto member) {
            using Member = decltype(member);
            if constexpr (std::is_same_v<Member, std::string EmitterDef::*>) {
              if (!(emitter.*member).empty()) line(key.name, value_text(emitter.*member));
            } else if constexpr (!std::is_same_v<Member, SingleColourKey>) {
              line(key.name, value_text(emitter.*member));
            }
          },
          key.member);
    }
  }
  return out;
}

}  // namespace spellpool::content
