#include "sim/replay/replay.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/assert.hpp"
#include "core/one_line.hpp"
#include "core/rng.hpp"
#include "sim/core/command_text.hpp"

namespace spellpool::sim {
namespace {

constexpr std::string_view kMagic = "spellpool-replay ";
constexpr u64 kOldVersion = 2, kVersion = 3;
constexpr std::size_t kMostFiles = 1000;
constexpr u64 kMostSpellBytes = 1u << 20, kMostTextsBytes = 1u << 25;

template <class Number>
void append_number(std::string& text, Number value) {
  char digits[24];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  text.append(digits, end);
}

/// "spell firebolt 1234", and the text.
void append_text(std::string& out, std::initializer_list<std::string_view> words, std::string_view text) {
  for (const std::string_view word : words) (out += word) += ' ';
  append_number(out, text.size());
  ((out += '\n') += text) += '\n';
}

/// Of a hash whose low 8 bits are there.
void append_rest(std::string& bytes, u64 hash) {
  for (u32 shift = 8; shift < 64; shift += 8) bytes += static_cast<char>(hash >> shift);
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
  bool block(u64 bytes, std::string_view& out) {
    if (bytes >= left() || text_[at_ + bytes] != '\n') return false;
    out = text_.substr(at_, bytes);
    for (char c : out) line_number_ += c == '\n';
    at_ += bytes + 1;
    ++line_number_;
    return true;
  }
  bool block(u64 bytes, std::string& out) {
    std::string_view view;
    if (!block(bytes, view)) return false;
    out = view;
    return true;
  }
  std::string error(std::string_view reason) const {
    return "line " + std::to_string(line_number_) + ": " + std::string(reason);
  }
  std::string_view before_line() const { return text_.substr(0, line_start_); }
  bool at_end() const { return at_ == text_.size(); }
  std::size_t left() const { return text_.size() - at_; }

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
         number(word(rest), input.move_y) && number(word(rest), input.buttons) &&
         number(word(rest), input.select_spell);
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
  bool scene = false, difficulty = false, preset = false, seed = false, arena = false;
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
    return "the capacity is not a whole number from " + std::to_string(frame::kMinCapacity) + " to " +
           std::to_string(frame::kMaxCapacity);
  }
  if (!rest.empty() && !parse_number(rest, 0, frame::kMaxCapacity, grow_by)) {
    return "what the pool grows by is not a whole number from 0 to " + std::to_string(frame::kMaxCapacity);
  }
  replay.pools[index] = {.strategy = *strategy,
                         .policy = *policy,
                         .capacity = static_cast<u32>(capacity),
                         .grow_by = static_cast<u32>(grow_by)};
  return {};
}

/// "" if a game can start from it, or what is wrong.
std::string missing(const Said& said, const Replay& replay, u64 version) {
  const auto lacks = [](std::string_view what, std::string_view name = {}) {
    return "the header lacks the " + std::string(what) + std::string(name);
  };
  if (!said.scene) return lacks("scene");
  if (!said.difficulty && version > kOldVersion) return lacks("difficulty");
  if (!said.preset) return lacks("preset");
  if (!said.seed) return lacks("seed");
  for (const frame::PoolName& pool : frame::kPools) {
    const bool there = said.pools[static_cast<std::size_t>(pool.id)];
    if (there && !pool.in(replay.scene)) return no_such_pool(pool.id, replay.scene);
    if (!there && pool.in(replay.scene) && pool.id != frame::PoolId::Decals) return lacks("pool ", pool.name);
  }
  const bool spells = replay.scene == frame::SceneId::Spells;
  if (!spells && version == kOldVersion) return "version 2 knows the scene spells alone";
  for (std::size_t i = 0; i < frame::kSpellCount; ++i) {
    if (spells && !said.spells[i] && i < frame::kFirstSpellCount) return lacks("spell ", frame::kSpellFiles[i]);
    if (!spells && said.spells[i]) return "this scene has files instead of spells' texts";
  }
  if (!spells && said.arena) return "this scene has files instead of the arena's text";
  if (spells && !replay.files.empty()) return "this scene has its spells' texts instead of files";
  if (!spells && replay.files.empty()) return lacks("files");
  return {};
}

std::string read_file_line(std::string_view rest, Replay& replay) {
  const auto space = rest.rfind(' ');
  ReplayFile file;
  if (space == std::string_view::npos || !hex16(rest.substr(space + 1), file.check))
    return "not a file's name and a checksum of 16 hexadecimal digits";
  file.name = rest.substr(0, space);
  if (!is_replay_file_name(file.name)) return "not the name of a file in assets/";
  for (const ReplayFile& other : replay.files) {
    if (other.name == file.name) return "this file has a line already";
  }
  if (replay.files.size() == kMostFiles) return "more than " + std::to_string(kMostFiles) + " files";
  replay.files.push_back(std::move(file));
  return {};
}

/// The arena's text, behind a line that ends with its bytes.
std::string read_arena(Reader& reader, std::string_view bytes_word, std::string& text) {
  u64 bytes = 0;
  if (!number(bytes_word, bytes) || bytes == 0 || bytes > kMostSpellBytes)
    return reader.error("no byte count of the arena's text");
  return reader.block(bytes, text) ? std::string{} : reader.error("the arena's text is cut short");
}

/// `steps`: how many follow, where the version says it.
std::string read_header(Reader& reader, u64 version, Replay& replay, u64& steps) {
  constexpr std::string_view kTwice = "this word has a line already";
  Said said;
  std::string_view line;
  while (reader.line(line)) {
    std::string_view rest = line;
    const std::string_view key = word(rest);
    if (key == "steps") {
      if (version == kOldVersion ? !rest.empty() : !number(rest, steps))
        return reader.error("not a whole number of steps");
      const std::string lacks = missing(said, replay, version);
      constexpr std::size_t kDecals = static_cast<std::size_t>(frame::PoolId::Decals);
      if (!said.pools[kDecals]) replay.pools[kDecals] = default_choices(replay.scene)[kDecals];
      return lacks.empty() ? lacks : reader.error(lacks);
    }
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
    } else if (key == "difficulty" && version > kOldVersion) {
      const auto id = find_by_name<frame::Difficulty>(frame::kDifficulties, rest);
      if (!id) return reader.error("unknown difficulty; there are: " + names_of(frame::kDifficulties));
      if (std::exchange(said.difficulty, true)) return reader.error(kTwice);
      replay.difficulty = *id;
    } else if (key == "file" && version > kOldVersion) {
      if (const std::string wrong = read_file_line(rest, replay); !wrong.empty()) return reader.error(wrong);
    } else if (key == "pool") {
      if (const std::string wrong = read_pool(rest, replay, said); !wrong.empty()) return reader.error(wrong);
    } else if (key == "spell") {
      u8 index = 0;
      u64 bytes = 0;
      if (!read_spell_head(rest, index, bytes)) return reader.error("unknown spell, or no byte count");
      if (std::exchange(said.spells[index], true)) return reader.error("this spell has a text already");
      if (bytes == 0) return reader.error("the spell's text is empty");
      if (!reader.block(bytes, replay.spell_texts[index])) return reader.error("the spell's text is cut short");
    } else if (key == "arena" && version > kOldVersion) {
      if (std::exchange(said.arena, true)) return reader.error(kTwice);
      if (const std::string wrong = read_arena(reader, rest, replay.arena_text); !wrong.empty()) return wrong;
    } else {
      return reader.error(
          "unknown word in the header; there are: scene, difficulty, preset, seed, pool, spell, arena, file, "
          "steps");
    }
  }
  return reader.error("cut short in the header");
}

/// A command's line without its mark, and its text if it has one.
std::string read_command(Reader& reader, std::string_view rest, Replay& replay, u64 step) {
  ReplayCommand entry;
  entry.step = step;
  std::string_view spell = rest;
  if (word(spell) == "spell") {
    u64 bytes = 0;
    entry.command.kind = frame::SimCommandKind::SetSpell;
    if (!read_spell_head(spell, entry.command.spell, bytes)) return reader.error("unknown spell, or no byte count");
    if (!reader.block(bytes, entry.text)) return reader.error("the spell's text is cut short");
  } else if (std::string_view arena = rest; word(arena) == "arena") {
    entry.command.kind = frame::SimCommandKind::SetArena;
    if (std::string wrong = read_arena(reader, arena, entry.text); !wrong.empty()) return wrong;
  } else if (std::string_view texts = rest; word(texts) == "texts" && replay.scene != frame::SceneId::Spells) {
    u64 bytes = 0;
    std::vector<ReplayText> changed;
    entry.command.kind = frame::SimCommandKind::SetStage;
    if (!number(texts, bytes) || bytes > kMostTextsBytes) return reader.error("no byte count");
    if (!reader.block(bytes, entry.text)) return reader.error("the texts are cut short");
    if (std::string wrong = parse_texts(entry.text, changed); !wrong.empty())
      return reader.error("the texts before this line: " + wrong);
  } else if (std::string wrong = parse_command(rest, replay.scene, entry.command); !wrong.empty()) {
    return reader.error(wrong);
  }
  replay.commands.push_back(std::move(entry));
  return {};
}

std::string read_end(Reader& reader, std::string_view check_word) {
  u64 check = 0;
  if (!hex16(check_word, check)) return reader.error("the end line is damaged");
  if (check != replay_checksum(reader.before_line()))
    return reader.error("the checksum does not fit: the file was changed or damaged");
  if (!reader.at_end()) return reader.error("there is more after the end line");
  return {};
}

void read_checks(std::string_view bytes, Replay& replay) {
  const auto byte = [&](std::size_t i) { return u64{static_cast<u8>(bytes[i])}; };
  std::size_t at = 0;
  for (u64 step = 0; step < replay.inputs.size(); ++step) {
    u64 hash = byte(at++);
    for (u32 shift = 8; replay.hash_bits(step) != 0xff && shift < 64; shift += 8) hash |= byte(at++) << shift;
    replay.hashes.push_back(hash);
  }
}

std::string read_body(Reader& reader, u64 steps, Replay& replay) {
  const std::string cut_short = "cut short: the end line is missing";
  // Each step has a byte of its own: what says more is no reason to take memory.
  if (steps > reader.left()) return reader.error("cut short: fewer bytes than steps");
  std::string_view line, bytes;
  for (bool inputs = false; !inputs;) {
    if (!reader.line(line)) return reader.error(cut_short);
    const std::string_view key = word(line);
    u64 count = 0;
    if (key == "!") {
      u64 step = 0;
      if (!number(word(line), step) || step > steps) return reader.error("not the number of a step");
      if (!replay.commands.empty() && step < replay.commands.back().step)
        return reader.error("the commands' steps do not rise");
      if (std::string wrong = read_command(reader, line, replay, step); !wrong.empty()) return wrong;
    } else if (key == "inputs") {
      inputs = true;
      if (!number(line, count) || !reader.block(count, bytes)) return reader.error("the inputs are cut short");
      if (!read_input_runs(bytes, steps, replay.inputs))
        return reader.error("the inputs are not of " + std::to_string(steps) + " steps");
    } else {
      return reader.error("not a command or the inputs");
    }
  }
  const u64 whole = steps / Replay::kWholeEvery_steps + (steps % Replay::kWholeEvery_steps != 0);
  if (!reader.line(line) || line != "checks") return reader.error("the checks are missing");
  if (!reader.block(steps + 7 * whole, bytes)) return reader.error("the checks are cut short");
  read_checks(bytes, replay);
  if (!reader.line(line)) return reader.error(cut_short);
  if (word(line) != "end") return reader.error("not the end line");
  return read_end(reader, line);
}

/// Version 2: a line each.
std::string read_steps(Reader& reader, Replay& replay) {
  replay.whole_hashes = true;
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
      if (std::string wrong = read_command(reader, rest, replay, replay.inputs.size()); !wrong.empty()) return wrong;
    } else if (key == "end") {
      u64 steps = 0;
      if (!number(word(rest), steps)) return reader.error("the end line is damaged");
      if (steps != replay.inputs.size()) {
        return reader.error("says " + std::to_string(steps) + " steps, but there are " +
                            std::to_string(replay.inputs.size()));
      }
      return read_end(reader, rest);
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

bool is_replay_file_name(std::string_view name) {
  const bool plain = std::none_of(name.begin(), name.end(), [](char c) { return static_cast<u8>(c) < 32 || c == 127; });
  return plain && name.size() <= 200 && name.substr(0, 7) == "assets/" && name.find("..") == std::string_view::npos;
}

void append_hex16(std::string& text, u64 value) {
  static constexpr char kDigits[] = "0123456789abcdef";
  char digits[16];
  for (int i = 0; i < 16; ++i) digits[i] = kDigits[value >> (60 - 4 * i) & 15u];
  text.append(digits, 16);
}

std::string format_texts(std::span<const ReplayText> texts) {
  std::string block;
  for (const ReplayText& changed : texts) {
    if (!block.empty()) block += '\n';
    block += changed.text ? "file " : "gone ";
    block += changed.name;
    if (!changed.text) continue;
    block += ' ';
    append_number(block, changed.text->size());
    block += '\n';
    block += *changed.text;
  }
  return block += '\n';
}

std::string parse_texts(std::string_view text, std::vector<ReplayText>& out) {
  Reader reader(text);
  std::string_view line;
  while (reader.line(line)) {
    const std::string_view key = word(line);
    ReplayText changed;
    if (key == "file") {
      const auto space = line.rfind(' ');
      u64 bytes = 0;
      if (space == std::string_view::npos || !number(line.substr(space + 1), bytes))
        return "not a file's name and its bytes";
      changed.name = line.substr(0, space);
      if (!reader.block(bytes, changed.text.emplace())) return "a file's text is cut short";
    } else if (key == "gone") {
      changed.name = line;
    } else {
      return "neither a file nor one that is gone";
    }
    if (!is_replay_file_name(changed.name)) return "not the name of a file in assets/";
    if (out.size() == kMostFiles) return "more than " + std::to_string(kMostFiles) + " files";
    out.push_back(std::move(changed));
  }
  if (out.empty() || !reader.at_end()) return "no file, or a line without its end";
  return {};
}

ReplayResult parse_replay(std::string_view text) {
  Reader reader(text);
  std::string_view line;
  if (text.empty()) return {std::nullopt, "the file is empty"};
  const bool is_replay = text.substr(0, kMagic.size()) == kMagic;
  if (!is_replay || !reader.line(line))
    return {std::nullopt, "not a Spellpool replay (it does not begin with 'spellpool-replay 3')"};
  if (!line.empty() && line.back() == '\r')
    return {std::nullopt, "it has Windows line ends; a replay must be copied byte for byte"};
  u64 version = 0;
  if (!number(line.substr(kMagic.size()), version) || (version != kVersion && version != kOldVersion)) {
    return {std::nullopt, "replay of version " + one_line(clipped(line.substr(kMagic.size()), 20)) +
                              ", but this program reads versions 2 and 3; record it anew"};
  }
  ReplayResult result;
  result.replay.emplace();
  u64 steps = 0;
  result.error = read_header(reader, version, *result.replay, steps);
  if (result.error.empty())
    result.error =
        version == kOldVersion ? read_steps(reader, *result.replay) : read_body(reader, steps, *result.replay);
  if (!result.error.empty()) result.replay.reset();
  return result;
}

ReplayWriter::ReplayWriter(const Replay& start, u64 reserve_steps) {
  // Inputs that all differ take 12 bytes each at most; a check takes one, and each 60th seven more.
  inputs_.reserve(reserve_steps * 12);
  checks_.reserve(reserve_steps + reserve_steps / Replay::kWholeEvery_steps * 7);
  commands_.reserve(4096);
  head_ += kMagic;
  append_number(head_, kVersion);
  const auto line = [&](std::string_view key, std::string_view value) { ((((head_ += '\n') += key) += ' ') += value); };
  line("scene", frame::row(start.scene).name);
  line("difficulty", frame::row(start.difficulty).name);
  line("preset", kPresets[static_cast<std::size_t>(start.preset)].name);
  line("seed", std::to_string(start.seed));
  for (const frame::PoolName& pool : frame::pools_of(start.scene)) {
    const PoolChoice& choice = start.pools[static_cast<std::size_t>(pool.id)];
    line("pool", pool.name);
    for (const std::string_view part : {row(choice.strategy).name, row(choice.policy).name}) (head_ += ' ') += part;
    (head_ += ' ') += std::to_string(choice.capacity);
    if (choice.grow_by > 0) (head_ += ' ') += std::to_string(choice.grow_by);
  }
  for (const ReplayFile& file : start.files) {
    line("file", file.name);
    append_hex16(head_ += ' ', file.check);
  }
  head_ += '\n';
  if (start.scene != frame::SceneId::Spells) return;
  for (std::size_t i = 0; i < frame::kSpellCount; ++i)
    append_text(head_, {"spell", frame::kSpellFiles[i]}, start.spell_texts[i]);
  if (!start.arena_text.empty()) append_text(head_, {"arena"}, start.arena_text);
}

void ReplayWriter::cut(u64 steps, u64 hash_after) {
  SPELLPOOL_ASSERT(steps <= steps_);
  std::string bytes = inputs_;
  InputRuns(runs_).end(bytes);
  std::vector<frame::InputFrame> inputs;
  const bool read = read_input_runs(bytes, steps_, inputs);
  SPELLPOOL_ASSERT(read);
  inputs_.clear();
  runs_ = {};
  for (u64 step = 0; read && step < steps; ++step) runs_.add(inputs[step], inputs_);
  checks_.resize(steps + steps / Replay::kWholeEvery_steps * 7);
  while (!places_.empty() && places_.back().step >= steps) {
    commands_.resize(places_.back().at);
    places_.pop_back();
  }
  steps_ = steps;
  last_hash_ = hash_after;
}

void ReplayWriter::command(const frame::SimCommand& command, std::string_view text) {
  places_.push_back({steps_, commands_.size()});
  commands_ += "! ";
  append_number(commands_, steps_);
  commands_ += ' ';
  switch (command.kind) {
    case frame::SimCommandKind::SetSpell:
      return append_text(commands_, {"spell", frame::kSpellFiles[command.spell]}, text);
    case frame::SimCommandKind::SetArena: return append_text(commands_, {"arena"}, text);
    case frame::SimCommandKind::SetStage: return append_text(commands_, {"texts"}, text);
    default: break;
  }
  commands_ += format_command(command);
  commands_ += '\n';
}

void ReplayWriter::step(const frame::InputFrame& input, u64 hash_after) {
  runs_.add(input, inputs_);
  ++steps_;
  last_hash_ = hash_after;
  checks_ += static_cast<char>(hash_after);
  if (steps_ % Replay::kWholeEvery_steps == 0) append_rest(checks_, hash_after);
}

std::string ReplayWriter::text() const {
  std::string inputs = inputs_, checks = checks_;
  InputRuns(runs_).end(inputs);
  if (steps_ % Replay::kWholeEvery_steps != 0) append_rest(checks, last_hash_);
  std::string whole = head_;
  whole.reserve(head_.size() + commands_.size() + inputs.size() + checks.size() + 128);
  whole += "steps ";
  append_number(whole, steps_);
  whole += '\n';
  whole += commands_;
  whole += "inputs ";
  append_number(whole, inputs.size());
  whole += '\n';
  whole += inputs;
  whole += "\nchecks\n";
  whole += checks;
  whole += '\n';
  const u64 check = replay_checksum(whole);
  append_hex16(whole += "end ", check);
  whole += '\n';
  return whole;
}

}  // namespace spellpool::sim
