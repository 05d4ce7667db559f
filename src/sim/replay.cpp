#include "sim/replay.hpp"

#include <charconv>
#include <utility>

#include "core/rng.hpp"
#include "sim/command_text.hpp"

namespace spellpool::sim {
namespace {

constexpr std::string_view kMagic = "spellpool-replay ";
constexpr u64 kVersion = 2;
constexpr u64 kMostSpellBytes = 1u << 20;

template <class Number>
void append_number(std::string& text, Number value) {
  char digits[24];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  text.append(digits, end);
}

void append_spell(std::string& text, std::string_view id, std::string_view spell_text) {
  text += "spell ";
  text += id;
  text += ' ';
  append_number(text, spell_text.size());
  text += '\n';
  text += spell_text;
  text += '\n';
}

/// Reads lines and counted blocks, and remembers where it is for error messages.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool line(std::string_view& out) {
    line_start_ = at_;
    if (at_ >= text_.size()) return false;
    const auto end = text_.find('\n', at_);
    if (end == std::string_view::npos) return false;  // a last line without its end is a torn one
    out = text_.substr(at_, end - at_);
    at_ = end + 1;
    ++line_number_;
    return true;
  }
  bool block(u64 bytes, std::string& out) {
    if (text_.size() - at_ < bytes + 1 || text_[at_ + bytes] != '\n') return false;
    out = text_.substr(at_, bytes);
    for (char c : out) line_number_ += c == '\n';
    at_ += bytes + 1;
    ++line_number_;
    return true;
  }
  std::string error(std::string_view reason) const { return "line " + std::to_string(line_number_) + ": " + std::string(reason); }
  std::string_view before_line() const { return text_.substr(0, line_start_); }
  bool at_end() const { return at_ == text_.size(); }

 private:
  std::string_view text_;
  std::size_t at_ = 0, line_start_ = 0;
  u64 line_number_ = 0;
};

/// Splits off the next word; "" when there is none.
std::string_view word(std::string_view& rest) {
  const auto end = rest.find(' ');
  const std::string_view w = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
  return w;
}

template <class Number>
bool number(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && !text.empty();
}

bool hex16(std::string_view text, u64& value) {
  if (text.size() != 16) return false;
  if (text.find_first_not_of("0123456789abcdef") != std::string_view::npos) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + 16, value, 16);
  return error == std::errc{} && end == text.data() + 16;
}

bool read_input(std::string_view& rest, frame::InputFrame& input) {
  return number(word(rest), input.aim_x16) && number(word(rest), input.aim_y16) && number(word(rest), input.move_x) &&
         number(word(rest), input.move_y) && number(word(rest), input.buttons) && number(word(rest), input.select_spell);
}

bool read_spell_head(std::string_view rest, u8& index, u64& bytes) {
  const std::string_view id = word(rest);
  for (std::size_t i = 0; i < frame::kSpellCount; ++i) {
    if (frame::kSpellFiles[i] == id) {
      index = static_cast<u8>(i);
      return number(rest, bytes) && bytes <= kMostSpellBytes;
    }
  }
  return false;
}

/// What the header has said so far.
struct Said {
  bool scene = false, preset = false, seed = false;
  std::array<bool, frame::kPoolCount> pools{};
  std::array<bool, frame::kSpellCount> spells{};
};

std::string read_pool(std::string_view rest, Replay& replay, Said& said) {
  const auto id = find_by_name<frame::PoolId>(frame::kPools, word(rest));
  if (!id) return "unknown pool; there are: " + names_of(frame::pools_of(replay.scene));
  const std::size_t index = static_cast<std::size_t>(*id);
  if (std::exchange(said.pools[index], true)) return "this pool has a line already";
  const auto strategy = find_by_name<pool::StrategyId>(pool::kStrategies, word(rest));
  if (!strategy) return "unknown strategy; there are: " + names_of(pool::kStrategies);
  const auto policy = find_by_name<pool::PolicyId>(pool::kPolicies, word(rest));
  if (!policy) return "unknown overflow policy; there are: " + names_of(pool::kPolicies);
  u64 capacity = 0, grow_by = 0;
  const std::string_view capacity_word = word(rest);
  if (!parse_number(capacity_word, frame::kMinCapacity, frame::kMaxCapacity, capacity)) {
    return "the capacity is not a whole number from " + std::to_string(frame::kMinCapacity) + " to " + std::to_string(frame::kMaxCapacity);
  }
  if (!rest.empty() && !parse_number(rest, 0, frame::kMaxCapacity, grow_by)) {
    return "what the pool grows by is not a whole number from 0 to " + std::to_string(frame::kMaxCapacity);
  }
  replay.pools[index] = {.strategy = *strategy, .policy = *policy, .capacity = static_cast<u32>(capacity), .grow_by = static_cast<u32>(grow_by)};
  return {};
}

/// "" if a game can start from it, or what is wrong.
std::string missing(const Said& said, frame::SceneId scene) {
  const auto lacks = [](std::string_view what, std::string_view name = {}) { return "the header lacks the " + std::string(what) + std::string(name); };
  if (!said.scene) return lacks("scene");
  if (!said.preset) return lacks("preset");
  if (!said.seed) return lacks("seed");
  for (const frame::PoolName& pool : frame::kPools) {
    const bool there = said.pools[static_cast<std::size_t>(pool.id)];
    if (there && !pool.in(scene)) return no_such_pool(pool.id, scene);
    if (!there && pool.in(scene)) return lacks("pool ", pool.name);
  }
  for (std::size_t i = 0; i < frame::kSpellCount; ++i) {
    if (!said.spells[i]) return lacks("spell ", frame::kSpellFiles[i]);
  }
  return {};
}

std::string read_header(Reader& reader, Replay& replay) {
  constexpr std::string_view kTwice = "this word has a line already";
  Said said;
  std::string_view line;
  while (reader.line(line)) {
    if (line == "steps") {
      const std::string lacks = missing(said, replay.scene);
      return lacks.empty() ? lacks : reader.error(lacks);
    }
    std::string_view rest = line;
    const std::string_view key = word(rest);
    if (key == "scene") {
      const auto id = find_by_name<frame::SceneId>(frame::kKnownScenes, rest);
      if (!id) return reader.error("unknown scene; there are: " + names_of(frame::kKnownScenes));
      if (std::exchange(said.scene, true)) return reader.error(kTwice);
      replay.scene = *id;
    } else if (key == "preset") {
      const auto id = find_by_name<PresetId>(kPresets, rest);
      if (!id) return reader.error("unknown preset; there are: " + names_of(kPresets));
      if (std::exchange(said.preset, true)) return reader.error(kTwice);
      replay.preset = *id;
    } else if (key == "seed") {
      if (!number(rest, replay.seed)) return reader.error("the seed is no whole number from 0 to 18446744073709551615");
      if (std::exchange(said.seed, true)) return reader.error(kTwice);
    } else if (key == "pool") {
      if (const std::string wrong = read_pool(rest, replay, said); !wrong.empty()) return reader.error(wrong);
    } else if (key == "spell") {
      u8 index = 0;
      u64 bytes = 0;
      if (!read_spell_head(rest, index, bytes)) return reader.error("unknown spell, or no byte count");
      if (std::exchange(said.spells[index], true)) return reader.error("this spell has a text already");
      if (bytes == 0) return reader.error("the spell's text is empty");
      if (!reader.block(bytes, replay.spell_texts[index])) return reader.error("the spell's text is cut short");
    } else {
      return reader.error("unknown word in the header; there are: scene, preset, seed, pool, spell, steps");
    }
  }
  return reader.error("cut short in the header");
}

std::string read_steps(Reader& reader, Replay& replay) {
  std::string_view line;
  while (reader.line(line)) {
    std::string_view rest = line;
    const std::string_view key = word(rest);
    if (key == "=" || key == "+") {
      frame::InputFrame input = replay.inputs.empty() ? frame::InputFrame{} : replay.inputs.back();
      if (key == "=" && replay.inputs.empty()) return reader.error("the first step has no input");
      if (key == "+" && !read_input(rest, input)) return reader.error("not an input");
      u64 hash = 0;
      if (!hex16(rest, hash)) return reader.error("not a hash of 16 hexadecimal digits");
      replay.inputs.push_back(input);
      replay.hashes.push_back(hash);
    } else if (key == "!") {
      ReplayCommand entry;
      entry.step = replay.inputs.size();
      std::string_view spell = rest;
      if (word(spell) == "spell") {
        u64 bytes = 0;
        entry.command.kind = frame::SimCommandKind::SetSpell;
        if (!read_spell_head(spell, entry.command.spell, bytes)) return reader.error("unknown spell, or no byte count");
        if (!reader.block(bytes, entry.spell_text)) return reader.error("the spell's text is cut short");
      } else if (std::string wrong = parse_command(rest, replay.scene, entry.command); !wrong.empty()) {
        return reader.error(wrong);
      }
      replay.commands.push_back(std::move(entry));
    } else if (key == "end") {
      u64 steps = 0, check = 0;
      if (!number(word(rest), steps) || !hex16(rest, check)) return reader.error("the end line is damaged");
      if (steps != replay.inputs.size()) {
        return reader.error("says " + std::to_string(steps) + " steps, but there are " + std::to_string(replay.inputs.size()));
      }
      if (check != replay_checksum(reader.before_line())) return reader.error("the checksum does not fit: the file was changed or damaged");
      if (!reader.at_end()) return reader.error("there is more after the end line");
      return {};
    } else {
      return reader.error("not a step, a command or the end");
    }
  }
  return reader.error("cut short after step " + std::to_string(replay.inputs.size()) + ": the end line is missing");
}

}  // namespace

u64 replay_checksum(std::string_view text) {
  u64 h = 0xcbf29ce484222325ull;
  for (const char c : text) h = (h ^ static_cast<u8>(c)) * 0x100000001b3ull;  // FNV-1a
  return mix64(h);
}

void append_hex16(std::string& text, u64 value) {
  static constexpr char kDigits[] = "0123456789abcdef";
  char digits[16];
  for (int i = 0; i < 16; ++i) digits[i] = kDigits[value >> (60 - 4 * i) & 15u];
  text.append(digits, 16);
}

ReplayResult parse_replay(std::string_view text) {
  Reader reader(text);
  std::string_view line;
  if (text.empty()) return {std::nullopt, "the file is empty"};
  const bool is_replay = text.substr(0, kMagic.size()) == kMagic;
  if (!is_replay || !reader.line(line)) return {std::nullopt, "not a Spellpool replay (it does not begin with 'spellpool-replay 2')"};
  if (!line.empty() && line.back() == '\r') return {std::nullopt, "it has Windows line ends; a replay must be copied byte for byte"};
  u64 version = 0;
  if (!number(line.substr(kMagic.size()), version) || version != kVersion) {
    return {std::nullopt, "replay of version " + printable(line.substr(kMagic.size(), 20)) +
                              ", but this program reads version 2; record it anew"};
  }
  ReplayResult result;
  result.replay.emplace();
  result.error = read_header(reader, *result.replay);
  if (result.error.empty()) result.error = read_steps(reader, *result.replay);
  if (!result.error.empty()) result.replay.reset();
  return result;
}

ReplayWriter::ReplayWriter(const Replay& start, std::size_t reserve_bytes) {
  text_.reserve(reserve_bytes);
  text_ += kMagic;
  append_number(text_, kVersion);
  text_ += "\nscene ";
  text_ += frame::row(start.scene).name;
  text_ += "\npreset ";
  text_ += kPresets[static_cast<std::size_t>(start.preset)].name;
  text_ += "\nseed ";
  append_number(text_, start.seed);
  text_ += '\n';
  for (const frame::PoolName& pool : frame::pools_of(start.scene)) {
    const PoolChoice& choice = start.pools[static_cast<std::size_t>(pool.id)];
    for (const std::string_view part : {std::string_view{"pool"}, pool.name, row(choice.strategy).name, row(choice.policy).name}) {
      text_ += part;
      text_ += ' ';
    }
    append_number(text_, choice.capacity);
    if (choice.grow_by > 0) {
      text_ += ' ';
      append_number(text_, choice.grow_by);
    }
    text_ += '\n';
  }
  for (std::size_t i = 0; i < frame::kSpellCount; ++i) append_spell(text_, frame::kSpellFiles[i], start.spell_texts[i]);
  text_ += "steps\n";
}

void ReplayWriter::command(const frame::SimCommand& command, std::string_view spell_text) {
  text_ += "! ";
  if (command.kind == frame::SimCommandKind::SetSpell) {
    append_spell(text_, frame::kSpellFiles[command.spell], spell_text);
    return;
  }
  text_ += format_command(command);
  text_ += '\n';
}

void ReplayWriter::step(const frame::InputFrame& input, u64 hash_after) {
  if (last_ == input) {
    text_ += "= ";
  } else {
    text_ += "+ ";
    for (int value : {int{input.aim_x16}, int{input.aim_y16}, int{input.move_x}, int{input.move_y}, int{input.buttons},
                      int{input.select_spell}}) {
      append_number(text_, value);
      text_ += ' ';
    }
    last_ = input;
  }
  append_hex16(text_, hash_after);
  text_ += '\n';
  ++steps_;
}

std::string ReplayWriter::text() const {
  std::string whole = text_;
  whole += "end ";
  append_number(whole, steps_);
  whole += ' ';
  append_hex16(whole, replay_checksum(text_));
  whole += '\n';
  return whole;
}

}  // namespace spellpool::sim
