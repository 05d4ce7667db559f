#include "content/settings_file.hpp"

#include <algorithm>

#include "content/kept_file.hpp"
#include "content/settings_keys.hpp"
#include "content/text_file.hpp"
#include "content/toml_reading.hpp"
#include "content/toml_writing.hpp"

namespace spellpool::content {
namespace {

using namespace frame;

constexpr std::string_view kThings = "settings";

const auto& names_of(Amount) { return kAmounts; }
const auto& names_of(ColourVision) { return kColourVisions; }
const auto& names_of(Quality) { return kQualities; }
const auto& names_of(DrawPath) { return kDrawPaths; }
const auto& names_of(HudLevel) { return kHudLevels; }

/// The struct that holds the member.
LookSettings& owner(Settings& settings, Amount LookSettings::*) { return settings.looks; }
LookSettings& owner(Settings& settings, ColourVision LookSettings::*) { return settings.looks; }
LookSettings& owner(Settings& settings, Quality LookSettings::*) { return settings.looks; }
LookSettings& owner(Settings& settings, DrawPath LookSettings::*) { return settings.looks; }
template <class Value>
Settings& owner(Settings& settings, Value Settings::*) {
  return settings;
}

/// Of the right type, but not a value that the key can have: the default stays.
struct UnfitValue {
  std::string reason, hint;
};

template <class Enum>
requires std::is_enum_v<Enum>
void read_value(const toml::node& node, const std::string& path, const SettingKey&, Enum& out) {
  const auto* text = node.as_string();
  if (text == nullptr) refuse(node, path, fmt::format("{} is not a name in quotes", shown(node)));
  const auto& names = names_of(out);
  for (const auto& row : names) {
    if (row.name == text->get()) {
      out = row.id;
      return;
    }
  }
  throw UnfitValue{fmt::format("{} is unknown", shown(node)),
                   "; " + suggestion(text->get(), names, [](const auto& row) { return row.name; })};
}
void read_value(const toml::node& node, const std::string& path, const SettingKey&, bool& out) {
  const auto* flag = node.as_boolean();
  if (flag == nullptr) refuse(node, path, fmt::format("{} is neither true nor false", shown(node)));
  out = flag->get();
}
void check_range(const toml::node& node, const SettingKey& key, double value) {
  if ((value >= key.low && value <= key.high) || (key.zero_too && value == 0)) return;
  throw UnfitValue{
      fmt::format("{} is out of range ({} … {}{})", shown(node), key.low, key.high, key.zero_too ? ", or 0" : ""), ""};
}
void read_value(const toml::node& node, const std::string& path, const SettingKey& key, float& out) {
  if (!node.is_number()) refuse(node, path, fmt::format("{} is not a number", shown(node)));
  const double value =
      node.is_integer() ? static_cast<double>(node.as_integer()->get()) : node.as_floating_point()->get();
  check_range(node, key, value);  // NaN is in no range.
  out = static_cast<float>(value);
}
void read_value(const toml::node& node, const std::string& path, const SettingKey& key, u32& out) {
  const auto* whole = node.as_integer();
  if (whole == nullptr) refuse(node, path, fmt::format("{} is not a whole number", shown(node)));
  check_range(node, key, static_cast<double>(whole->get()));
  out = static_cast<u32>(whole->get());
}
void read_binding(const toml::node& node, const std::string& path, std::string& out) {
  const auto* text = node.as_string();
  if (text == nullptr) refuse(node, path, fmt::format("{} is not a name in quotes", shown(node)));
  if (text->get().size() > kMaxBinding_bytes || has_control_byte(text->get())) {
    throw UnfitValue{fmt::format("{} is no name of a key or button", shown(node)), ""};
  }
  out = text->get();
}

/// Reads one file; everything that can be said of it is in `settings` and `warnings`, or thrown as a FileError.
class Reader {
 public:
  Reader(std::string_view file_name, std::vector<std::string>& warnings) : file_name_(file_name), warnings_(warnings) {}

  Settings read(const toml::table& root) {
    for (const auto& [name, node] : root) {
      const std::string_view table = name.str();
      if (!is_table(table)) {
        warn(static_cast<u32>(name.source().begin.line),
             fmt::format("unknown {} is ignored; {}", in_marks(table),
                         suggestion(table, tables_, [](std::string_view t) { return t; })));
        continue;
      }
      if (!node.is_table()) refuse(node, table, fmt::format("{} is not a table [{}]", shown(node), table));
      for (const auto& [key, value] : *node.as_table()) read_key(table, key, value);
    }
    if (unsaid_ > 0) warnings_.push_back(fmt::format("{}: and {} more of the kind", file_name_, unsaid_));
    return settings_;
  }

 private:
  bool is_table(std::string_view name) const {
    return std::find(tables_.begin(), tables_.end(), name) != tables_.end();
  }

  void read_key(std::string_view table, const toml::key& key, const toml::node& node) {
    const std::string path = fmt::format("{}.{}", table, key.str());
    const std::string_view name = key.str();
    for (const BindingTable& bindings : kBindingTables) {
      if (bindings.table != table) continue;
      const auto row = std::find_if(kHotkeys.begin(), kHotkeys.end(), [&](const Hotkey& h) { return h.name == name; });
      if (row == kHotkeys.end()) return unknown(key, path, kHotkeys, [](const Hotkey& h) { return h.name; });
      return attempt(node, path, [&] {
        read_binding(node, path, settings_.bindings[static_cast<std::size_t>(row->id)].*bindings.member);
      });
    }
    std::vector<std::string_view> siblings;
    for (const SettingKey& row : kSettingKeys) {
      if (row.table != table) continue;
      siblings.push_back(row.name);
      if (row.name != name) continue;
      return attempt(node, path, [&] {
        std::visit([&](auto member) { read_value(node, path, row, owner(settings_, member).*member); }, row.member);
      });
    }
    unknown(key, path, siblings, [](std::string_view sibling) { return sibling; });
  }

  template <class Read>
  void attempt(const toml::node& node, const std::string& path, Read read) {
    try {
      read();
    } catch (const UnfitValue& unfit) {
      warn(line_of(node), fmt::format("{}: {}, so the default is used{}", path, unfit.reason, unfit.hint));
    }
  }
  template <class Names, class NameOf>
  void unknown(const toml::key& key, const std::string& path, const Names& names, NameOf name_of) {
    warn(static_cast<u32>(key.source().begin.line),
         fmt::format("unknown key {} is ignored; {}", in_marks(path), suggestion(key.str(), names, name_of)));
  }
  void warn(u32 line, const std::string& text) {
    if (warnings_.size() < kMostWarnings) {
      warnings_.push_back(error_line(file_name_, line, text));
    } else {
      ++unsaid_;
    }
  }

  static constexpr std::array<std::string_view, 6> tables_ = {"looks", "panels", "sound", "window", "keys", "pad"};
  std::string_view file_name_;
  std::vector<std::string>& warnings_;
  std::size_t unsaid_ = 0;
  Settings settings_;
};

template <class Enum>
requires std::is_enum_v<Enum> std::string value_text(Enum value) {
  return in_quotes(names_of(value)[static_cast<std::size_t>(value)].name);
}
std::string value_text(bool value) { return value ? "true" : "false"; }
std::string value_text(float value) { return number(value); }
std::string value_text(u32 value) { return fmt::format("{}", value); }

template <class Enum>
requires std::is_enum_v<Enum> std::string choices(const SettingKey&, Enum value) {
  std::string out;
  for (const auto& row : names_of(value)) {
    if (!out.empty()) out += ", ";
    out += row.name;
  }
  return out;
}
std::string choices(const SettingKey&, bool) { return "true or false"; }
std::string choices(const SettingKey& key, float) { return fmt::format("{} … {}", key.low, key.high); }
std::string choices(const SettingKey& key, u32) { return fmt::format("{} … {}", key.low, key.high); }

std::string check(std::string_view text, const std::filesystem::path& path) {
  return parse_settings(text, path.string()).error;
}

}  // namespace

SettingsResult parse_settings(std::string_view text, std::string_view file_name) {
  SettingsResult result;
  result.settings = read_or_explain(file_name, result.error, [&] {
    return Reader(file_name, result.warnings).read(parse_toml(text, file_name, kMaxKeptFile_bytes));
  });
  if (!result.settings) result.warnings.clear();
  return result;
}

std::string format_settings(const Settings& settings) {
  Settings copy = settings;
  std::string out =
      "# Spellpool's settings. The game writes this file anew whenever a setting changes there; what you change here "
      "while it\n"
      "# is closed counts from its next start. A key that is missing has its default.\n";
  std::string_view table;
  for (const SettingKey& key : kSettingKeys) {
    if (key.table != table) out += fmt::format("\n[{}]\n", key.table);
    table = key.table;
    const auto [value, range] = std::visit(
        [&](auto member) {
          const auto& held = owner(copy, member).*member;
          return std::pair(value_text(held), choices(key, held));
        },
        key.member);
    out += fmt::format("{:<32}# {} ({})\n", fmt::format("{} = {}", key.name, value), key.help, range);
  }
  for (const BindingTable& bindings : kBindingTables) {
    out += fmt::format("\n# {}\n[{}]\n", bindings.help, bindings.table);
    for (const Hotkey& row : kHotkeys) {
      const std::string& bound = settings.bindings[static_cast<std::size_t>(row.id)].*bindings.member;
      out += fmt::format("{:<32}# {}\n", fmt::format("{} = {}", row.name, in_quotes(bound)), row.description);
    }
  }
  return out;
}

LoadedSettings load_settings(const std::filesystem::path& path) {
  LoadedSettings loaded;
  const std::string message = load_kept(path, kThings, [&](std::string_view text) {
    SettingsResult result = parse_settings(text, path.string());
    if (result.settings) loaded.settings = std::move(*result.settings);
    loaded.messages = std::move(result.warnings);
    return result.error;
  });
  if (!message.empty()) loaded.messages.push_back(message);
  return loaded;
}

std::string save_settings(const std::filesystem::path& path, const Settings& settings) {
  return save_kept(
      path, kThings, [&](std::string_view text) { return check(text, path); },
      [&] { return format_settings(settings); });
}

}  // namespace spellpool::content
