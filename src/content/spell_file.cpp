#include "content/spell_file.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "content/colour_text.hpp"
#include "content/spell_keys.hpp"
#include "content/text_file.hpp"

namespace spellpool::content {
namespace {

using namespace frame;

constexpr std::size_t kMaxLine_bytes = 4096;

/// Leaves this file only as SpellFileResult::error.
struct SpellError {
  u32 line;
  std::string text;
};

u32 line_of(const toml::node& node) { return static_cast<u32>(node.source().begin.line); }

[[noreturn]] void refuse(u32 line, std::string_view path, std::string_view reason) {
  throw SpellError{line, path.empty() ? std::string(reason) : fmt::format("{}: {}", path, reason)};
}
[[noreturn]] void refuse(const toml::node& node, std::string_view path, std::string_view reason) {
  refuse(line_of(node), path, reason);
}

std::string in_marks(std::string_view text) {
  constexpr std::size_t kLongest = 32;
  if (text.size() <= kLongest) return fmt::format("'{}'", text);
  std::size_t cut = kLongest;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xc0u) == 0x80u) --cut;  // Not inside a UTF-8 sequence.
  return fmt::format("'{}…'", text.substr(0, cut));
}

std::string shown(const toml::node& node) {
  if (const auto* text = node.as_string()) return in_marks(text->get());
  if (const auto* whole = node.as_integer()) return fmt::format("{}", whole->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  if (node.is_array()) return "a list";
  if (node.is_table()) return "a table";
  return "a date or time";
}

/// Steps of inserting, dropping or changing one letter that turn a into b.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

/// "; did you mean 'x'?" for the nearest name, or all names when none is near.
template <class Names, class NameOf>
std::string suggestion(std::string_view wrong, const Names& names, NameOf name_of) {
  std::string_view best;
  std::size_t best_distance = ~std::size_t{0};
  std::string all;
  for (const auto& row : names) {
    const std::string_view name = name_of(row);
    const std::size_t distance = wrong.size() > 64 ? best_distance : edit_distance(wrong, name);
    if (distance < best_distance) {
      best_distance = distance;
      best = name;
    }
    if (!all.empty()) all += ", ";
    all += name;
  }
  if (!best.empty() && best_distance <= std::max<std::size_t>(2, best.size() / 3)) {
    return fmt::format("did you mean '{}'?", best);
  }
  return fmt::format("known are {}", all);
}

double read_number(const toml::node& node, std::string_view path, double low, double high) {
  double value = 0;
  if (const auto* whole = node.as_integer()) {
    value = static_cast<double>(whole->get());
  } else if (const auto* number = node.as_floating_point()) {
    value = number->get();
  } else {
    refuse(node, path, fmt::format("{} is not a number", shown(node)));
  }
  if (!std::isfinite(value)) refuse(node, path, fmt::format("{} is not a finite number", shown(node)));
  if (value < low || value > high) {
    refuse(node, path, fmt::format("{} is out of range ({} … {})", shown(node), low, high));
  }
  return value;
}

const toml::array& read_list(const toml::node& node, std::string_view path, std::string_view wanted) {
  const auto* list = node.as_array();
  if (list == nullptr) refuse(node, path, fmt::format("{} is not {}", shown(node), wanted));
  return *list;
}

template <class Row, std::size_t N>
u8 read_name(const toml::node& node, std::string_view path, const std::array<Row, N>& table) {
  const auto* text = node.as_string();
  if (text == nullptr) refuse(node, path, fmt::format("{} is not a name in quotes", shown(node)));
  for (std::size_t i = 0; i < N; ++i) {
    if (table[i].name == text->get()) return static_cast<u8>(i);
  }
  refuse(node, path, fmt::format("{} is unknown; {}", shown(node), suggestion(text->get(), table, [](const Row& row) {
                                   return row.name;
                                 })));
}

LinearColour read_colour(const toml::node& node, std::string_view path) {
  const auto* text = node.as_string();
  const auto colour = text != nullptr ? parse_colour(text->get()) : std::nullopt;
  if (!colour) refuse(node, path, fmt::format("{} is not a colour; write \"#rrggbb\" or \"#rrggbbaa\"", shown(node)));
  return *colour;
}

/// The pairs of a curve: t strictly rising from 0 … 1, and what read_second makes of the other half.
template <class ReadSecond>
void read_curve(const toml::node& node, std::string_view path, std::string_view form, ReadSecond read_second) {
  const toml::array& list = read_list(node, path, form);
  if (list.empty() || list.size() > kMaxCurveKeys) {
    refuse(node, path, fmt::format("{} keys; a curve has 1 … {}", list.size(), kMaxCurveKeys));
  }
  double last = -1;
  for (const toml::node& item : list) {
    const auto* pair = item.as_array();
    if (pair == nullptr || pair->size() != 2) {
      refuse(item, path, fmt::format("{} is not a pair; a curve is {}", shown(item), form));
    }
    const double t = read_number(*pair->get(0), path, 0, 1);
    if (static_cast<float>(t) <= static_cast<float>(last)) {
      refuse(item, path, fmt::format("t = {} does not rise above {}; the keys go from 0 to 1", t, last));
    }
    last = t;
    read_second(static_cast<float>(t), *pair->get(1));
  }
}

/// One overload per type that a key can have.
void read_value(const toml::node& node, std::string_view path, double low, double high, float& out) {
  out = static_cast<float>(read_number(node, path, low, high));
}
void read_value(const toml::node& node, std::string_view path, double low, double high, u32& out) {
  if (node.as_integer() == nullptr) refuse(node, path, fmt::format("{} is not a whole number", shown(node)));
  out = static_cast<u32>(read_number(node, path, low, high));
}
void read_value(const toml::node& node, std::string_view path, double low, double high, Range& out) {
  if (!node.is_array()) {
    if (node.is_string()) refuse(node, path, fmt::format("{} is not a number", shown(node)));
    out.low = out.high = static_cast<float>(read_number(node, path, low, high));
    return;
  }
  const toml::array& list = *node.as_array();
  if (list.size() != 2)
    refuse(node, path, fmt::format("{} numbers; a range is [low, high] or one number", list.size()));
  out.low = static_cast<float>(read_number(*list.get(0), path, low, high));
  out.high = static_cast<float>(read_number(*list.get(1), path, low, high));
  if (out.low > out.high) refuse(node, path, fmt::format("the low end {} is above the high end {}", out.low, out.high));
}
void read_value(const toml::node& node, std::string_view path, double, double, std::string& out) {
  const auto* text = node.as_string();
  if (text == nullptr) refuse(node, path, fmt::format("{} is not text in quotes", shown(node)));
  if (text->get().empty() || text->get().size() > kMaxTitleBytes) {
    refuse(node, path, fmt::format("{} bytes of text; 1 … {} fit", text->get().size(), kMaxTitleBytes));
  }
  if (one_line(text->get()) != text->get()) refuse(node, path, "holds a control character");
  out = text->get();
}
void read_value(const toml::node& node, std::string_view path, double, double, SpellBehaviour& out) {
  out = static_cast<SpellBehaviour>(read_name(node, path, kSpellBehaviours));
}
void read_value(const toml::node& node, std::string_view path, double, double, SoundId& out) {
  out = static_cast<SoundId>(read_name(node, path, kSounds));
}
void read_value(const toml::node& node, std::string_view path, double, double, EmitShape& out) {
  out = static_cast<EmitShape>(read_name(node, path, kEmitShapes));
}
void read_value(const toml::node& node, std::string_view path, double, double, ParticleShape& out) {
  out = static_cast<ParticleShape>(read_name(node, path, kParticleShapes));
}
void read_value(const toml::node& node, std::string_view path, double, double, ParticleLayer& out) {
  out = static_cast<ParticleLayer>(read_name(node, path, kParticleLayers));
}
void read_value(const toml::node& node, std::string_view path, double, double, std::vector<SizeKey>& out) {
  out.clear();
  read_curve(node, path, "[[t, factor], …]", [&](float t, const toml::node& second) {
    out.push_back({t, static_cast<float>(read_number(second, path, 0, kMaxSizeFactor))});
  });
}
void read_value(const toml::node& node, std::string_view path, double, double, std::vector<ColourKey>& out) {
  out.clear();
  read_curve(node, path, "[[t, \"#rrggbb\"], …]", [&](float t, const toml::node& second) {
    const LinearColour colour = read_colour(second, path);
    out.push_back({t, colour.r, colour.g, colour.b, colour.a});
  });
}

/// Reads every key of `table` by its row of `keys` into `owner`. `path` is "" or "trail."; `skip` is a key that the
/// caller reads itself.
template <class Owner, class Keys, class ReadSpecial>
void read_table(const toml::table& table, std::string_view prefix, const Keys& keys, Owner& owner, u32 line,
                std::string_view skip, ReadSpecial read_special) {
  for (const auto& [key, node] : table) {
    if (!skip.empty() && key.str() == skip) continue;
    const auto row =
        std::find_if(keys.begin(), keys.end(), [name = key.str()](const auto& k) { return k.name == name; });
    if (row == keys.end()) {
      const auto at = static_cast<u32>(key.source().begin.line);
      refuse(at, "",
             fmt::format("unknown key {}; {}", in_marks(fmt::format("{}{}", prefix, key.str())),
                         suggestion(key.str(), keys, [](const auto& k) { return k.name; })));
    }
    const std::string path = fmt::format("{}{}", prefix, row->name);
    const toml::node& value = node;
    std::visit(
        [&](auto member) {
          if constexpr (std::is_member_object_pointer_v<decltype(member)>) {
            read_value(value, path, row->low, row->high, owner.*member);
          } else {
            read_special(member, value, path);
          }
        },
        row->member);
  }
  for (const auto& key : keys) {
    if (key.required && !table.contains(key.name)) {
      refuse(line, "", fmt::format("the key '{}{}' is missing", prefix, key.name));
    }
  }
}

bool is_emitter_name(std::string_view name) {
  return !name.empty() && name.size() <= 32 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

EmitterDef read_emitter(const toml::table& table, std::string_view name) {
  EmitterDef emitter;
  emitter.name = name;
  const std::string prefix = fmt::format("{}.", name);
  read_table(table, prefix, kEmitterKeys, emitter, line_of(table), "",
             [&](SingleColourKey, const toml::node& node, std::string_view path) {
               if (table.contains("colour_curve")) refuse(node, path, "stands beside colour_curve; keep one of them");
               const LinearColour colour = read_colour(node, path);
               emitter.colour_curve = {{0.0f, colour.r, colour.g, colour.b, colour.a}};
             });
  if (!table.contains("colour") && !table.contains("colour_curve")) {
    refuse(line_of(table), "", fmt::format("the key '{}colour' or '{}colour_curve' is missing", prefix, prefix));
  }
  return emitter;
}

std::vector<std::string> read_emitter_list(const toml::node& node, std::string_view path) {
  std::vector<std::string> names;
  for (const toml::node& item : read_list(node, path, "a list of names")) {
    const auto* text = item.as_string();
    if (text == nullptr || !is_emitter_name(text->get())) {
      refuse(item, path, fmt::format("{} is no emitter's name (a … z, 0 … 9 and _)", shown(item)));
    }
    if (std::find(names.begin(), names.end(), text->get()) != names.end()) {
      refuse(item, path, fmt::format("{} is named twice", shown(item)));
    }
    names.push_back(text->get());
  }
  if (names.empty() || names.size() > frame::kMaxEmitters) {
    refuse(node, path, fmt::format("{} emitters; a spell has 1 … {}", names.size(), frame::kMaxEmitters));
  }
  return names;
}

/// Every on_death names an emitter of this spell, and no chain of them comes back to where it began.
void check_deaths(const SpellDef& spell, const toml::table& tables) {
  const auto find = [&](std::string_view name) {
    return std::find_if(spell.emitters.begin(), spell.emitters.end(),
                        [&](const EmitterDef& e) { return e.name == name; });
  };
  for (const EmitterDef& emitter : spell.emitters) {
    if (emitter.on_death.empty()) continue;
    const toml::node& node = *tables[emitter.name].as_table()->get("on_death");
    const std::string path = fmt::format("{}.on_death", emitter.name);
    if (find(emitter.on_death) == spell.emitters.end()) {
      refuse(node, path,
             fmt::format("no emitter is named {}; {}", in_marks(emitter.on_death),
                         suggestion(emitter.on_death, spell.emitters,
                                    [](const EmitterDef& e) { return std::string_view(e.name); })));
    }
    std::string chain = emitter.name;
    auto next = find(emitter.on_death);
    for (std::size_t steps = 0; next != spell.emitters.end() && steps <= spell.emitters.size(); ++steps) {
      chain += " → " + next->name;
      if (next->name == emitter.name) refuse(node, path, fmt::format("goes round in a circle: {}", chain));
      next = next->on_death.empty() ? spell.emitters.end() : find(next->on_death);
    }
  }
}

SpellDef read_spell(const toml::table& root) {
  SpellDef spell;
  std::vector<std::string> names;
  const toml::node* list = nullptr;
  struct Special {
    SpellDef& spell;
    std::vector<std::string>& names;
    const toml::node*& list;
    void operator()(HueKey, const toml::node& node, std::string_view path) const {
      const LinearColour colour = read_colour(node, path);
      if (colour.a != 1.0f) refuse(node, path, "a spell's hue has no alpha; write \"#rrggbb\"");
      spell.colour_r = colour.r;
      spell.colour_g = colour.g;
      spell.colour_b = colour.b;
    }
    void operator()(EmitterListKey, const toml::node& node, std::string_view path) const {
      names = read_emitter_list(node, path);
      list = &node;
    }
  };
  read_table(root, "", kSpellKeys, spell, 1, "emitter", Special{spell, names, list});

  const toml::node* emitter_node = root.get("emitter");
  const toml::table* tables = emitter_node != nullptr ? emitter_node->as_table() : nullptr;
  if (emitter_node != nullptr && tables == nullptr) {
    refuse(*emitter_node, "emitter", fmt::format("{} is not a set of tables [emitter.NAME]", shown(*emitter_node)));
  }
  if (tables != nullptr) {
    for (const auto& [key, node] : *tables) {
      if (std::find(names.begin(), names.end(), key.str()) == names.end()) {
        refuse(static_cast<u32>(key.source().begin.line), "",
               fmt::format("[emitter.{}] is not in the list 'emitters' at the top; add it there", key.str()));
      }
    }
  }
  for (const std::string& name : names) {
    const toml::node* node = tables != nullptr ? tables->get(name) : nullptr;
    if (node == nullptr) {
      refuse(*list, "emitters", fmt::format("there is no table [emitter.{}]; is the file half-written?", name));
    }
    if (!node->is_table()) refuse(*node, name, fmt::format("{} is not a table", shown(*node)));
    spell.emitters.push_back(read_emitter(*node->as_table(), name));
  }
  check_deaths(spell, *tables);
  return spell;
}

SpellDef read_text_of_spell(std::string_view text, std::string_view file_name) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  if (std::all_of(text.begin(), text.end(), blank)) throw SpellError{1, "the file is empty"};
  if (const auto zero = text.find('\0'); zero != std::string_view::npos) {
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(zero), '\n');
    throw SpellError{static_cast<u32>(line), "not a text file: it holds a zero byte"};
  }
  // Keys such as a.a.a.a nest a table per dot, and the parser's depth is that of the call stack.
  u32 line = 1;
  for (std::size_t begin = 0; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (end - begin > kMaxLine_bytes)
      throw SpellError{line, fmt::format("the line is longer than {} bytes", kMaxLine_bytes)};
    begin = end + 1;
  }
  return read_spell(toml::parse(text, file_name));
}

}  // namespace

SpellFileResult parse_spell(std::string_view text, std::string_view file_name) {
  const auto failed = [&](u32 line, std::string_view reason) {
    return SpellFileResult{std::nullopt, one_line(fmt::format("{}:{}: {}", file_name, std::max(line, 1u), reason))};
  };
  if (text.size() > kMaxSpellFile_bytes) {
    return failed(1, fmt::format("the file is larger than {} bytes", kMaxSpellFile_bytes));
  }
  try {
    SpellDef spell = read_text_of_spell(text, file_name);
    spell.id = std::filesystem::path(file_name).stem().string();
    return {std::move(spell), ""};
  } catch (const SpellError& error) {
    return failed(error.line, error.text);
  } catch (const toml::parse_error& error) {
    return failed(static_cast<u32>(error.source().begin.line), error.description());
  } catch (const std::exception& error) {
    return failed(1, error.what());
  }
}

SpellFileResult read_spell_file(const std::filesystem::path& path) {
  const TextResult file = read_text(path, kMaxSpellFile_bytes);
  if (!file.text) return {std::nullopt, file.error};
  return parse_spell(*file.text, path.string());
}

}  // namespace spellpool::content
