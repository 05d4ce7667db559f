#include "content/game/spell_file.hpp"

#include <algorithm>
#include <vector>

#include "content/builtin_files.hpp"
#include "content/colour_text.hpp"
#include "content/game/spell_keys.hpp"
#include "content/text_file.hpp"
#include "content/toml_reading.hpp"

namespace spellpool::content {
namespace {

using namespace frame;

/// [r, g, b] or [r, g, b, a]: linear light, and nothing is rounded.
LinearColour read_linear_colour(const toml::array& list, std::string_view path) {
  if (list.size() != 3 && list.size() != 4) {
    refuse(list, path, fmt::format("{} numbers; a linear colour is [r, g, b] or [r, g, b, a]", list.size()));
  }
  const auto part = [&](std::size_t i) { return static_cast<float>(read_number(*list.get(i), path, 0, 1)); };
  return {part(0), part(1), part(2), list.size() == 4 ? part(3) : 1.0f};
}

LinearColour read_colour(const toml::node& node, std::string_view path) {
  if (const auto* list = node.as_array()) return read_linear_colour(*list, path);
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
  out = read_whole(node, path, low, high);
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
  out = read_title(node, path, kMaxTitleBytes);
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
void read_value(const toml::node& node, std::string_view path, double, double, BounceOn& out) {
  out = static_cast<BounceOn>(read_name(node, path, kBounces));
}
void read_value(const toml::node& node, std::string_view path, double low, double high, std::vector<CurveKey>& out) {
  out.clear();
  read_curve(node, path, "[[t, factor], …]", [&](float t, const toml::node& second) {
    out.push_back({t, static_cast<float>(read_number(second, path, low, high))});
  });
}
void read_value(const toml::node& node, std::string_view path, double, double, std::vector<ColourKey>& out) {
  out.clear();
  read_curve(node, path, "[[t, \"#rrggbb\"], …]", [&](float t, const toml::node& second) {
    const LinearColour colour = read_colour(second, path);
    out.push_back({t, colour.r, colour.g, colour.b, colour.a});
  });
}

/// Reads every key of `table` by its row of `keys` into `owner`; `skip` is a key that the caller reads itself.
template <class Owner, class Keys, class ReadSpecial>
void read_table(const toml::table& table, std::string_view prefix, const Keys& keys, Owner& owner, u32 line,
                std::string_view skip, ReadSpecial read_special) {
  read_rows(table, prefix, keys, line, {skip}, [&](const auto& row, const toml::node& value, std::string_view path) {
    std::visit(
        [&](auto member) {
          if constexpr (std::is_member_object_pointer_v<decltype(member)>) {
            read_value(value, path, row.low, row.high, owner.*member);
          } else {
            read_special(member, value, path);
          }
        },
        row.member);
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
    if (text == nullptr || !is_plain_name(text->get())) {
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

/// Every emitter that another names is of this file, and no chain of them comes back to where it began:
/// particles that beget each other would multiply without end.
class Chains {
 public:
  Chains(const std::vector<EmitterDef>& emitters, const toml::table& tables) : emitters_(emitters), tables_(tables) {}

  void check() {
    for (const EmitterDef& emitter : emitters_) visit(emitter);
  }

 private:
  const EmitterDef* find(std::string_view name) const {
    const auto at =
        std::find_if(emitters_.begin(), emitters_.end(), [&](const EmitterDef& e) { return e.name == name; });
    return at != emitters_.end() ? &*at : nullptr;
  }

  void visit(const EmitterDef& emitter) {
    if (std::find(done_.begin(), done_.end(), &emitter) != done_.end()) return;
    way_.push_back(&emitter);
    for (const EmitterKey& key : kEmitterKeys) {
      const auto* member = std::get_if<std::string EmitterDef::*>(&key.member);
      if (member == nullptr || (emitter.**member).empty()) continue;
      const std::string& name = emitter.**member;
      const toml::node& node = *tables_[emitter.name].as_table()->get(key.name);
      const std::string path = fmt::format("{}.{}", emitter.name, key.name);
      const EmitterDef* next = find(name);
      if (next == nullptr) {
        refuse(node, path,
               fmt::format("no emitter is named {}; {}", in_marks(name),
                           suggestion(name, emitters_, [](const EmitterDef& e) { return std::string_view(e.name); })));
      }
      const auto begin = std::find(way_.begin(), way_.end(), next);
      if (begin != way_.end()) {
        std::string circle;
        for (auto at = begin; at != way_.end(); ++at) circle += (*at)->name + " → ";
        refuse(node, path, fmt::format("goes round in a circle: {}{}; leave this key out", circle, next->name));
      }
      visit(*next);
    }
    way_.pop_back();
    done_.push_back(&emitter);
  }

  const std::vector<EmitterDef>& emitters_;
  const toml::table& tables_;
  std::vector<const EmitterDef*> way_, done_;
};

/// The tables [emitter.NAME]: one for each of `names`, in their order, and no other. `line` and `path` are
/// those of the names; `no_such(name)` tells why a table should not be there.
template <class Names, class NoSuch>
std::vector<EmitterDef> read_emitters(const toml::table& root, const Names& names, u32 line,
                                      std::string_view path, NoSuch no_such) {
  const toml::node* emitter_node = root.get("emitter");
  const toml::table* tables = emitter_node != nullptr ? emitter_node->as_table() : nullptr;
  if (emitter_node != nullptr && tables == nullptr) {
    refuse(*emitter_node, "emitter",
           fmt::format("{} is not a set of tables [emitter.NAME]", shown(*emitter_node)));
  }
  if (tables != nullptr) {
    for (const auto& [key, node] : *tables) {
      if (std::find(names.begin(), names.end(), key.str()) == names.end()) {
        refuse(static_cast<u32>(key.source().begin.line), "", no_such(key.str()));
      }
    }
  }
  std::vector<EmitterDef> emitters;
  for (const auto& name : names) {
    const toml::node* node = tables != nullptr ? tables->get(name) : nullptr;
    if (node == nullptr) {
      refuse(line, path, fmt::format("there is no table [emitter.{}]; is the file half-written?", name));
    }
    if (!node->is_table()) refuse(*node, name, fmt::format("{} is not a table", shown(*node)));
    emitters.push_back(read_emitter(*node->as_table(), name));
  }
  Chains(emitters, *tables).check();
  return emitters;
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

  spell.emitters = read_emitters(root, names, line_of(*list), "emitters", [](std::string_view name) {
    return fmt::format("[emitter.{}] is not in the list 'emitters' at the top; add it there", name);
  });
  return spell;
}

ArenaDef read_arena(const toml::table& root) {
  for (const auto& [key, node] : root) {
    if (key.str() != "emitter") {
      refuse(static_cast<u32>(key.source().begin.line), "",
             fmt::format("unknown key {}; the arena has tables [emitter.NAME] only", in_marks(key.str())));
    }
  }
  return read_emitters(root, kArenaEmitterNames, 1, "", [](std::string_view name) {
    return fmt::format("the arena has no emitter {}; {}", in_marks(name),
                       suggestion(name, kArenaEmitterNames, [](std::string_view known) { return known; }));
  });
}

}  // namespace

SpellFileResult parse_spell(std::string_view text, std::string_view file_name, std::string_view id) {
  SpellFileResult result;
  result.spell = read_or_explain(file_name, result.error, [&] {
    SpellDef spell = read_spell(parse_toml(text, file_name, kMaxSpellFile_bytes));
    spell.id = id.empty() ? std::filesystem::path(file_name).stem().string() : std::string(id);
    return spell;
  });
  return result;
}

ArenaFileResult parse_arena(std::string_view text, std::string_view file_name) {
  ArenaFileResult result;
  result.arena = read_or_explain(
      file_name, result.error, [&] { return read_arena(parse_toml(text, file_name, kMaxSpellFile_bytes)); });
  return result;
}

std::string_view builtin_arena() { return text_named(builtin_files(), "arena.toml"); }

SpellFileResult read_spell_file(const std::filesystem::path& path) {
  const TextResult file = read_text(path, kMaxSpellFile_bytes);
  if (!file.text) return {std::nullopt, file.error};
  return parse_spell(*file.text, path.string());
}

}  // namespace spellpool::content
