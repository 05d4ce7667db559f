#include "content/player/settings_file.hpp"

#include <algorithm>

#include "content/player/kept_file.hpp"
#include "content/text_file.hpp"
#include "content/toml_reading.hpp"
#include "content/toml_writing.hpp"

namespace spellpool::content {
namespace {

using namespace frame;

constexpr std::string_view kSettingsText = "settings";

struct BindingTable {
  std::string_view table;
  std::string KeyBinding::*member;
  std::string_view help;
};
constexpr std::array kBindingTables = {
    BindingTable{"keys", &KeyBinding::key, "Keyboard, by SDL's names; \"\" for none."},
    BindingTable{"pad", &KeyBinding::pad,
                 "Gamepad, by SDL's button names; \"lt+\" before it: with the left trigger held; "
                 "\"\" for none."},
};
constexpr std::size_t kMaxBinding_bytes = 32;

/// Of the right type, but not a value that the key can have: the default stays.
struct UnfitValue {
  std::string reason, hint;
};

double read_value(const toml::node& node, const std::string& path, const SettingValue& wanted) {
  double value = 0;
  switch (wanted.kind) {
    case SettingKind::Choice: {
      const auto* text = node.as_string();
      if (text == nullptr) refuse(node, path, fmt::format("{} is not a name in quotes", shown(node)));
      for (const SettingName& row : wanted.names) {
        if (row.name == text->get()) return row.id;
      }
      const auto name_of = [](const SettingName& row) { return row.name; };
      throw UnfitValue{fmt::format("{} is unknown", shown(node)),
                       "; " + suggestion(text->get(), wanted.names, name_of)};
    }
    case SettingKind::Flag: {
      const auto* flag = node.as_boolean();
      if (flag == nullptr) refuse(node, path, fmt::format("{} is neither true nor false", shown(node)));
      return flag->get() ? 1 : 0;
    }
    case SettingKind::Whole:
      if (!node.is_integer()) refuse(node, path, fmt::format("{} is not a whole number", shown(node)));
      value = static_cast<double>(node.as_integer()->get());
      break;
    case SettingKind::Real:
      if (!node.is_number()) refuse(node, path, fmt::format("{} is not a number", shown(node)));
      value = node.is_integer() ? static_cast<double>(node.as_integer()->get())
                                : node.as_floating_point()->get();
      break;
  }
  if (value >= wanted.low && value <= wanted.high) return value;  // NaN is in no range.
  if (wanted.zero_too && value == 0) return value;
  throw UnfitValue{fmt::format("{} is out of range ({} … {}{})", shown(node), wanted.low, wanted.high,
                               wanted.zero_too ? ", or 0" : ""),
                   ""};
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
  Reader(std::string_view file_name, std::vector<std::string>& warnings)
      : file_name_(file_name), warnings_(warnings) {
    for (const SettingRow& row : kSettings) {
      if (!is_table(row.table)) tables_.push_back(row.table);
    }
    for (const BindingTable& bindings : kBindingTables) tables_.push_back(bindings.table);
  }

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
    for (const SettingRow& row : kSettings) {
      if (row.table != table) continue;
      siblings.push_back(row.name);
      if (row.name != name) continue;
      return attempt(node, path, [&] { row.value.set(settings_, read_value(node, path, row.value)); });
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

  std::vector<std::string_view> tables_;
  std::string_view file_name_;
  std::vector<std::string>& warnings_;
  std::size_t unsaid_ = 0;
  Settings settings_;
};

std::string value_text(const SettingValue& row, double value) {
  switch (row.kind) {
    case SettingKind::Choice: return in_quotes(row.names[static_cast<std::size_t>(value)].name);
    case SettingKind::Flag: return value != 0 ? "true" : "false";
    case SettingKind::Whole: return fmt::format("{}", value);
    case SettingKind::Real: return number(static_cast<float>(value));
  }
  return {};
}

std::string choices(const SettingValue& row) {
  if (row.kind == SettingKind::Flag) return "true or false";
  if (row.kind != SettingKind::Choice) return fmt::format("{} … {}", row.low, row.high);
  std::string out;
  for (const SettingName& name : row.names) {
    if (!out.empty()) out += ", ";
    out += name.name;
  }
  return out;
}

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
  std::string out =
      "# Spellpool's settings. The game writes this file anew whenever a setting changes there; what you change here "
      "while it\n"
      "# is closed counts from its next start. A key that is missing has its default.\n";
  std::string_view table;
  for (const SettingRow& row : kSettings) {
    if (row.table != table) out += fmt::format("\n[{}]\n", row.table);
    table = row.table;
    const std::string line = fmt::format("{} = {}", row.name, value_text(row.value, row.value.get(settings)));
    out += fmt::format("{:<32}# {} ({})\n", line, row.help, choices(row.value));
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
  const std::string message = load_kept(path, kSettingsText, [&](std::string_view text) {
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
      path, kSettingsText, [&](std::string_view text) { return check(text, path); },
      [&] { return format_settings(settings); });
}

}  // namespace spellpool::content
