#include "content/game/sound_file.hpp"

#include "content/builtin_files.hpp"
#include "content/toml_reading.hpp"
#include "content/toml_writing.hpp"
#include "frame/defs/sound_keys.hpp"

namespace spellpool::content {
namespace {

using namespace frame;

void read_sound_value(const toml::node& node, std::string_view path, double low, double high, float& out) {
  out = static_cast<float>(read_number(node, path, low, high));
}
template <class Whole>
  requires(std::is_integral_v<Whole> && !std::is_same_v<Whole, bool>)
void read_sound_value(const toml::node& node, std::string_view path, double low, double high, Whole& out) {
  if (node.as_integer() == nullptr) refuse(node, path, fmt::format("{} is not a whole number", shown(node)));
  out = static_cast<Whole>(read_number(node, path, low, high));
}
void read_sound_value(const toml::node& node, std::string_view path, double, double, bool& out) {
  out = read_flag(node, path);
}
void read_sound_value(const toml::node& node, std::string_view path, double, double, Wave& out) {
  out = static_cast<Wave>(read_name(node, path, kWaves));
}
void read_sound_value(const toml::node& node, std::string_view path, double, double, SoundGroup& out) {
  out = static_cast<SoundGroup>(read_name(node, path, kSoundGroups));
}

template <class Owner, class Keys>
void read_table(const toml::table& table, std::string_view prefix, const Keys& keys,
                std::initializer_list<std::string_view> skip, u32 line, Owner& owner) {
  read_rows(table, prefix, keys, line, skip, [&](const auto& row, const toml::node& value, std::string_view path) {
    std::visit([&](auto member) { read_sound_value(value, path, row.low, row.high, owner.*member); }, row.member);
  });
}

template <class Layer, class Keys>
void read_layers(const toml::table& root, std::string_view name, const Keys& keys, std::size_t most,
                 std::vector<Layer>& out) {
  const toml::node* node = root.get(name);
  if (node == nullptr) return;
  const toml::array& list = read_list(*node, name, fmt::format("a list of tables [[{}]]", name));
  if (list.size() > most) refuse(*list.get(most), name, fmt::format("{} layers; {} is the most", list.size(), most));
  for (const toml::node& item : list) {
    if (!item.is_table()) refuse(item, name, fmt::format("{} is not a table", shown(item)));
    read_table(*item.as_table(), fmt::format("{}.", name), keys, {}, line_of(item), out.emplace_back());
  }
}

SoundDef read_sound(const toml::table& root) {
  SoundDef sound;
  static constexpr std::array<std::string_view, 3> kTables = {"voice", "tone", "noise"};
  for (const auto& [key, node] : root) {
    const auto has_name = [name = key.str()](const auto& row) { return row.name == name; };
    if (std::any_of(kSoundKeys.begin(), kSoundKeys.end(), has_name) ||
        std::find(kTables.begin(), kTables.end(), key.str()) != kTables.end())
      continue;
    std::vector<std::string_view> names;
    for (const SoundKey& row : kSoundKeys) names.push_back(row.name);
    names.insert(names.end(), kTables.begin(), kTables.end());
    refuse(static_cast<u32>(key.source().begin.line), "",
           fmt::format("unknown key {}; {}", in_marks(key.str()),
                       suggestion(key.str(), names, [](std::string_view name) { return name; })));
  }
  read_table(root, "", kSoundKeys, {"voice", "tone", "noise"}, 1, sound);
  if (const toml::node* voice = root.get("voice")) {
    if (!voice->is_table()) refuse(*voice, "voice", fmt::format("{} is not a table [voice]", shown(*voice)));
    read_table(*voice->as_table(), "voice.", kVoiceKeys, {}, line_of(*voice), sound.traits);
  }
  read_layers(root, "tone", kToneKeys, kMostTones, sound.tones);
  read_layers(root, "noise", kNoiseKeys, kMostNoises, sound.noises);
  if (sound.tones.empty() && sound.noises.empty())
    refuse(1, "", "there is neither a [[tone]] nor a [[noise]]: it would be silent");
  return sound;
}

std::string sound_value_text(float value) { return number(value); }
std::string sound_value_text(bool value) { return value ? "true" : "false"; }
template <class Whole>
  requires(std::is_integral_v<Whole> && !std::is_same_v<Whole, bool>)
std::string sound_value_text(Whole value) {
  return fmt::format("{}", static_cast<i64>(value));
}
std::string sound_value_text(Wave wave) { return in_quotes(kWaves[static_cast<std::size_t>(wave)].name); }
std::string sound_value_text(SoundGroup group) { return in_quotes(kSoundGroups[static_cast<std::size_t>(group)].name); }

template <class Key, class Owner>
std::string sound_text_of(const Key& key, const Owner& owner) {
  return std::visit([&](auto member) { return sound_value_text(owner.*member); }, key.member);
}

template <class Keys, class Owner>
std::string sound_key_lines(const Keys& keys, const Owner& owner) {
  static const Owner kDefault{};
  std::string out;
  for (const auto& key : keys) {
    const std::string text = sound_text_of(key, owner);
    if (key.required || text != sound_text_of(key, kDefault)) out += fmt::format("{} = {}\n", key.name, text);
  }
  return out;
}

/// The comment lines at the beginning.
std::string_view head_of(std::string_view text) {
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) text.remove_prefix(kByteOrderMark.size());
  std::size_t end = 0;
  while (end < text.size() && text[end] == '#') end = std::min(text.find('\n', end), text.size() - 1) + 1;
  return text.substr(0, end);
}

template <class Keys, class Owner>
std::string key_table(const Keys& keys, const Owner& by_default) {
  std::string out = "| key | range | default | meaning |\n|---|---|---|---|\n";
  for (const auto& key : keys) {
    const std::string range = key.low == key.high ? "–" : fmt::format("{} … {}", key.low, key.high);
    out += fmt::format("| `{}` | {} | {} | {} |\n", key.name, range,
                       key.required ? "required" : fmt::format("`{}`", sound_text_of(key, by_default)), key.help);
  }
  return out;
}

}  // namespace

SoundFileResult parse_sound(std::string_view text, std::string_view file_name) {
  SoundFileResult result;
  result.sound = read_or_explain(file_name, result.error,
                                 [&] { return read_sound(parse_toml(text, file_name, kMaxSoundFile_bytes)); });
  return result;
}

std::string format_sound(const SoundDef& sound, std::string_view old_text) {
  std::string out(head_of(old_text));
  if (out.empty())
    out = "# docs/sounds.md explains every key. Save this file while the game runs and the sound changes.\n";
  if (out.back() != '\n') out += '\n';
  out += sound_key_lines(kSoundKeys, sound);
  if (const std::string voice = sound_key_lines(kVoiceKeys, sound.traits); !voice.empty()) out += "\n[voice]\n" + voice;
  for (const ToneDef& tone : sound.tones) out += "\n[[tone]]\n" + sound_key_lines(kToneKeys, tone);
  for (const NoiseDef& noise : sound.noises) out += "\n[[noise]]\n" + sound_key_lines(kNoiseKeys, noise);
  return out;
}

const SoundDef& builtin_sound(SoundId id) {
  static const std::array<SoundDef, kSoundCount> kDefs = [] {
    std::array<SoundDef, kSoundCount> defs;
    for (const SoundName& row : kSounds) {
      const std::string name = fmt::format("{}.toml", row.name);
      SoundFileResult read = parse_sound(text_named(builtin_files(), name), name);
      if (read.sound) defs[static_cast<std::size_t>(row.id)] = std::move(*read.sound);
    }
    return defs;
  }();
  return kDefs[static_cast<std::size_t>(id)];
}

std::string sound_keys_tables() {
  return "The sound:\n\n" + key_table(kSoundKeys, SoundDef{}) + "\n`[voice]`, how it behaves among others:\n\n" +
         key_table(kVoiceKeys, SoundTraits{}) + fmt::format("\nEach `[[tone]]`, {} at most:\n\n", kMostTones) +
         key_table(kToneKeys, ToneDef{}) + fmt::format("\nEach `[[noise]]`, {} at most:\n\n", kMostNoises) +
         key_table(kNoiseKeys, NoiseDef{});
}

}  // namespace spellpool::content
