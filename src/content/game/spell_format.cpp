#include <algorithm>
#include <cstring>

#include "content/colour_text.hpp"
#include "content/game/spell_file.hpp"
#include "content/game/spell_keys.hpp"
#include "content/game/spell_roles.hpp"
#include "content/toml_reading.hpp"
#include "content/toml_writing.hpp"

namespace spellpool::content {
namespace {

using namespace frame;

std::string colour_text(const LinearColour& colour) { return in_quotes(format_colour(colour)); }

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
std::string value_text(BounceOn id) { return in_quotes(kBounces[static_cast<std::size_t>(id)].name); }
std::string value_text(const Range& range) {
  if (std::memcmp(&range.low, &range.high, sizeof range.low) == 0) return number(range.low);  // 0 and -0 differ.
  return fmt::format("[{}, {}]", number(range.low), number(range.high));
}
std::string value_text(const std::vector<CurveKey>& curve) {
  return list(curve, [](const CurveKey& key) { return fmt::format("[{}, {}]", number(key.t), number(key.value)); });
}
std::string value_text(const std::vector<ColourKey>& curve) {
  return list(curve, [](const ColourKey& key) {
    return fmt::format("[{}, {}]", number(key.t), colour_text(LinearColour{key.r, key.g, key.b, key.a}));
  });
}

/// One colour for a whole life, which `colour` says more simply than `colour_curve`.
bool is_single(const std::vector<ColourKey>& curve) { return curve.size() == 1 && curve[0].t == 0.0f; }

/// What the file says behind `key =`; nothing where the key cannot stand.
std::optional<std::string> text_of(const SpellKey& key, const SpellDef& spell) {
  return std::visit(
      [&](auto member) -> std::optional<std::string> {
        using Member = decltype(member);
        if constexpr (std::is_same_v<Member, HueKey>) {
          return colour_text(LinearColour{spell.colour_r, spell.colour_g, spell.colour_b, 1.0f});
        } else if constexpr (std::is_same_v<Member, EmitterListKey>) {
          return list(spell.emitters, [](const EmitterDef& emitter) { return in_quotes(emitter.name); });
        } else {
          return value_text(spell.*member);
        }
      },
      key.member);
}
std::optional<std::string> text_of(const EmitterKey& key, const EmitterDef& emitter) {
  return std::visit(
      [&](auto member) -> std::optional<std::string> {
        using Member = decltype(member);
        if constexpr (std::is_same_v<Member, SingleColourKey>) {
          if (!is_single(emitter.colour_curve)) return std::nullopt;
          const ColourKey& c = emitter.colour_curve[0];
          return colour_text(LinearColour{c.r, c.g, c.b, c.a});
        } else {
          if constexpr (std::is_same_v<Member, std::vector<ColourKey> EmitterDef::*>) {
            if (is_single(emitter.*member)) return std::nullopt;
          } else if constexpr (std::is_same_v<Member, std::string EmitterDef::*> ||
                               std::is_same_v<Member, std::vector<CurveKey> EmitterDef::*>) {
            if ((emitter.*member).empty()) return std::nullopt;
          }
          return value_text(emitter.*member);
        }
      },
      key.member);
}

bool is_colour(const SpellKey&) { return false; }
bool is_colour(const EmitterKey& key) {
  return std::holds_alternative<SingleColourKey>(key.member) ||
         std::holds_alternative<std::vector<ColourKey> EmitterDef::*>(key.member);
}

/// "key = value" lines of all that is not at its default.
template <class Keys, class Owner>
std::string key_lines(const Keys& keys, const Owner& owner) {
  static const Owner kDefault{};
  std::string out;
  for (const auto& key : keys) {
    const auto text = text_of(key, owner);
    if (!text || (!key.required && !is_colour(key) && text == text_of(key, kDefault))) continue;
    out += fmt::format("{} = {}\n", key.name, *text);
  }
  return out;
}

template <class Keys>
std::string help_rows(const Keys& keys) {
  std::string out;
  for (const auto& key : keys) {
    const std::string range = key.low == key.high ? "" : fmt::format(" ({} … {})", key.low, key.high);
    std::string help(key.help);
    for (auto at = help.find('\n'); at != std::string::npos; at = help.find('\n', at + 1)) {
      help.insert(at + 1, "#                 ");
    }
    out += fmt::format("#   {:<13} {}{}{}\n", key.name, help, range, key.required ? " *" : "");
  }
  return out;
}

/// A line for all roles that fire at once, the behaviour before its first.
std::string help_roles() {
  std::string out;
  std::string_view behaviour;
  for (std::size_t i = 0; i < kRoleUses.size();) {
    const RoleUse& use = kRoleUses[i];
    std::string names;
    for (; i < kRoleUses.size() && kRoleUses[i].behaviour == use.behaviour && kRoleUses[i].when == use.when; ++i) {
      names += names.empty() ? "" : ", ";
      names += kEmitterRoleNames[static_cast<std::size_t>(kRoleUses[i].role)];
    }
    const std::string_view first = use.behaviour == behaviour ? "" : use.behaviour;
    behaviour = use.behaviour;
    out += fmt::format("#   {:<9} {:<27} {} ({})\n", first, names, use.when, use.counts);
  }
  return out;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}
std::string_view trimmed(std::string_view line) {
  const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  return line.substr(begin, line.find_last_not_of(" \t") + 1 - begin);
}
bool is_comment(std::string_view line) { return !trimmed(line).empty() && trimmed(line)[0] == '#'; }

/// The comments and blank lines before the first key, without the blank ones at their end.
std::string head_of(const std::vector<std::string_view>& lines) {
  std::string head, blank;
  for (const std::string_view line : lines) {
    if (!trimmed(line).empty() && !is_comment(line)) break;
    if (is_comment(line)) {
      head += blank + std::string(line) + '\n';
      blank.clear();
    } else {
      blank += '\n';
    }
  }
  return head;
}

/// The comment lines directly above [emitter.NAME].
std::string comment_above(const std::vector<std::string_view>& lines, std::string_view name) {
  const std::string header = fmt::format("[emitter.{}]", name);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (trimmed(lines[i]).substr(0, header.size()) != header) continue;
    std::size_t first = i;
    while (first > 0 && is_comment(lines[first - 1])) --first;
    std::string comment;
    for (; first < i; ++first) comment += std::string(lines[first]) + '\n';
    return comment;
  }
  return "";
}

std::string write_whole(const SpellDef& spell, std::string_view old_text) {
  if (old_text.substr(0, kByteOrderMark.size()) == kByteOrderMark) old_text.remove_prefix(kByteOrderMark.size());
  const auto old_lines = lines_of(old_text);
  const std::string head = old_text.empty() ? spell_file_help() : head_of(old_lines);
  std::string out = head + (head.empty() ? "" : "\n") + key_lines(kSpellKeys, spell);
  for (const EmitterDef& emitter : spell.emitters) {
    out += '\n' + comment_above(old_lines, emitter.name);
    out += fmt::format("[emitter.{}]\n", emitter.name) + key_lines(kEmitterKeys, emitter);
  }
  return out;
}

/// Changes single values inside the text of a spell file. The text ends with a line end.
class Patch {
 public:
  Patch(std::string_view text, const toml::table& root) : text_(text), root_(root) {
    line_starts_.push_back(text.substr(0, kByteOrderMark.size()) == kByteOrderMark ? kByteOrderMark.size() : 0);
    for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
      line_starts_.push_back(at + 1);
    }
  }

  std::string apply(const SpellDef& before, const SpellDef& after) {
    change_values(root_, kSpellKeys, before, after);
    const toml::table& tables = *root_.get("emitter")->as_table();
    for (const EmitterDef& old_emitter : before.emitters) {
      const toml::table& table = *tables.get(old_emitter.name)->as_table();
      if (const EmitterDef* emitter = find(after, old_emitter.name)) {
        change_values(table, kEmitterKeys, old_emitter, *emitter);
      } else {
        remove_lines(start_with_comment(table.source().begin.line), last_line(table));
      }
    }
    std::stable_sort(edits_.begin(), edits_.end(), [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
    std::string out;
    std::size_t at = 0;
    for (const Edit& edit : edits_) {
      if (edit.begin < at) return "";  // They overlap: no plain file.
      out += std::string(text_.substr(at, edit.begin - at)) + edit.text;
      at = edit.end;
    }
    out += text_.substr(at);
    for (const EmitterDef& emitter : after.emitters) {
      if (find(before, emitter.name)) continue;
      out += fmt::format("\n[emitter.{}]\n", emitter.name) + key_lines(kEmitterKeys, emitter);
    }
    return out;
  }

 private:
  struct Edit {
    std::size_t begin, end;
    std::string text;
  };

  static const EmitterDef* find(const SpellDef& spell, std::string_view name) {
    const auto at =
        std::find_if(spell.emitters.begin(), spell.emitters.end(), [&](const EmitterDef& e) { return e.name == name; });
    return at != spell.emitters.end() ? &*at : nullptr;
  }

  template <class Keys, class Owner>
  void change_values(const toml::table& table, const Keys& keys, const Owner& before, const Owner& after) {
    for (const auto& key : keys) {
      const auto text = text_of(key, after);
      if (text == text_of(key, before)) continue;
      const toml::node* node = table.get(key.name);
      if (node != nullptr && text) {
        edits_.push_back({offset(node->source().begin), offset(node->source().end), *text});
      } else if (node != nullptr) {
        remove_lines(node->source().begin.line, node->source().end.line);
      } else if (text) {
        const std::size_t at = line_start(last_line(table) + 1);
        edits_.push_back({at, at, fmt::format("{} = {}\n", key.name, *text)});
      }
    }
  }

  /// Lines count from 1, as TOML's do.
  std::size_t line_start(std::size_t line) const {
    return line - 1 < line_starts_.size() ? line_starts_[line - 1] : text_.size();
  }
  /// Columns are counted as parse_toml() says.
  std::size_t offset(toml::source_position place) const {
    std::size_t at = line_start(place.line);
    for (std::size_t column = 1; column < place.column && at < text_.size();) {
      const std::size_t bytes = utf8_bytes(text_.substr(at));
      column += bytes <= 1 ? 1 : bytes < 4 ? 6 : 10;
      at += std::max<std::size_t>(bytes, 1);
    }
    return at;
  }
  /// Of a table's own values.
  static std::size_t last_line(const toml::table& table) {
    std::size_t last = table.source().begin.line;
    for (const auto& [key, node] : table) {
      if (!node.is_table()) last = std::max<std::size_t>(last, node.source().end.line);
    }
    return last;
  }
  std::size_t start_with_comment(std::size_t line) const {
    while (line > 1 && is_comment(text_.substr(line_start(line - 1), line_start(line) - line_start(line - 1)))) --line;
    return line;
  }
  void remove_lines(std::size_t first, std::size_t last) {
    edits_.push_back({line_start(first), line_start(last + 1), ""});
  }

  std::string_view text_;
  const toml::table& root_;
  std::vector<std::size_t> line_starts_;
  std::vector<Edit> edits_;
};

/// "" if the old text is no spell file, or so laid out that patching it does not give this spell.
std::string patched(const SpellDef& spell, std::string_view old_text) {
  const SpellFileResult before = parse_spell(old_text, "", spell.id);
  if (!before.spell) return "";
  std::string whole_lines(old_text), ignored;
  if (whole_lines.back() != '\n') whole_lines += '\n';
  const auto text = read_or_explain("", ignored, [&] {
    return Patch(whole_lines, parse_toml(whole_lines, "", kMaxSpellFile_bytes + 1)).apply(*before.spell, spell);
  });
  if (!text) return "";
  const SpellFileResult after = parse_spell(*text, "", spell.id);
  if (!after.spell || write_whole(*after.spell, "") != write_whole(spell, "")) return "";
  return *text == whole_lines ? std::string(old_text) : *text;
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
         "# Emitters that fire by themselves, when, and by which keys:\n" +
         help_roles() + "# Any other name fires as another emitter's on_birth, on_death, on_hit or trail.\n";
}

std::string format_spell(const SpellDef& spell, std::string_view old_text) {
  std::string text = old_text.empty() ? "" : patched(spell, old_text);
  return text.empty() ? write_whole(spell, old_text) : text;
}

}  // namespace spellpool::content
