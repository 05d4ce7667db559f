#include "sim/core/command_text.hpp"

#include <charconv>

#include "core/one_line.hpp"
#include "frame/load.hpp"
#include "frame/views/console_load.hpp"
#include "frame/views/crane_search.hpp"
#include "frame/views/slot_sharing.hpp"
#include "pool/memory/switchable_memory.hpp"
#include "pool/strategy.hpp"

namespace spellpool::sim {
namespace {

std::string_view next_word(std::string_view& text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) {
    text = {};
    return {};
  }
  const auto end = text.find_first_of(" \t", begin);
  const std::string_view word = text.substr(begin, end == std::string_view::npos ? end : end - begin);
  text = end == std::string_view::npos ? std::string_view{} : text.substr(end);
  return word;
}

std::string quoted(std::string_view word) {
  std::string text = "'";
  text += one_line(clipped(word, 40));
  text += '\'';
  return text;
}

/// "load N", "churn N" and "heap AGE": the load dial.
std::string parse_load(std::string_view verb, std::string_view value, frame::SimCommand& command) {
  command = {};
  if (verb == "heap") {
    if (value != "fresh" && value != "aged") return "heap " + quoted(value) + " is neither fresh nor aged";
    command.kind = frame::SimCommandKind::SetHeapAge;
    command.choice = value == "aged";
    return {};
  }
  const bool sparks = verb == "load";
  const u64 low = sparks ? 1 : 0, high = sparks ? frame::kMostSparks : frame::kMostChurn;
  u64 times = 0;
  if (!parse_number(value, low, high, times)) {
    return std::string(verb) + " " + quoted(value) + " is not a whole number from " + std::to_string(low) + " to " +
           std::to_string(high);
  }
  command.kind = sparks ? frame::SimCommandKind::SetLoad : frame::SimCommandKind::SetChurn;
  command.capacity = static_cast<u32>(times);
  return {};
}

}  // namespace

bool parse_number(std::string_view text, u64 low, u64 high, u64& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && value >= low && value <= high;
}

std::string find_pool(std::string_view name, frame::SceneId scene, frame::PoolId& pool) {
  const auto id = find_by_name<frame::PoolId>(frame::kPools, name);
  if (!id) return "unknown pool " + quoted(name) + "; there are: " + names_of(frame::pools_of(scene));
  if (!frame::row(*id).in(scene)) return no_such_pool(*id, scene);
  pool = *id;
  return {};
}

std::string no_such_pool(frame::PoolId pool, frame::SceneId scene) {
  return "the scene " + std::string(frame::row(scene).name) + " has no pool " + std::string(frame::row(pool).name) +
         "; there are: " + names_of(frame::pools_of(scene));
}

std::string parse_command(std::string_view text, frame::SceneId scene, frame::SimCommand& command) {
  const std::string_view verb = next_word(text);
  const std::string_view pool = next_word(text);
  const std::string_view choice = next_word(text);
  if (!next_word(text).empty()) return "too many words after " + quoted(choice);

  constexpr std::string_view kVerbs =
      "strategy, overflow, capacity, trim, fill, memory, stress, load, churn, heap, console, slots, "
      "cranes, forgetful";
  if (verb.empty() || (", " + std::string(kVerbs) + ",").find(", " + std::string(verb) + ",") == std::string::npos) {
    return "unknown command " + quoted(verb) + "; there are: " + std::string(kVerbs);
  }
  if (verb == "load" || verb == "churn" || verb == "heap") {
    if (!choice.empty()) return "too many words after " + quoted(pool);
    return parse_load(verb, pool, command);
  }
  if (verb == "memory") {
    const auto source = find_by_name<pool::MemorySource>(pool::kMemorySources, pool);
    if (!choice.empty()) return "too many words after " + quoted(pool);
    if (!source) return "unknown memory " + quoted(pool) + "; there are: " + names_of(pool::kMemorySources);
    command = {};
    command.kind = frame::SimCommandKind::SetMemory;
    command.choice = static_cast<u8>(*source);
    return {};
  }
  if (verb == "console") {
    const auto mode = find_by_name<frame::ConsoleMode>(frame::kConsoleModes, pool);
    if (!choice.empty()) return "too many words after " + quoted(pool);
    if (scene != frame::SceneId::Spells) return "only the scene spells has a small console";
    if (!mode) return "unknown console " + quoted(pool) + "; there are: " + names_of(frame::kConsoleModes);
    command = {};
    command.kind = frame::SimCommandKind::SetConsole;
    command.choice = static_cast<u8>(*mode);
    return {};
  }
  if (verb == "slots") {
    const auto sharing = find_by_name<frame::SlotSharing>(frame::kSlotSharings, pool);
    if (!choice.empty()) return "too many words after " + quoted(pool);
    if (scene != frame::SceneId::Shooter) return "only the scene shooter has 'slots' to share";
    if (!sharing) return "unknown slots " + quoted(pool) + "; there are: " + names_of(frame::kSlotSharings);
    command = {};
    command.kind = frame::SimCommandKind::SetSharing;
    command.choice = static_cast<u8>(*sharing);
    return {};
  }
  if (verb == "cranes") {
    const auto search = find_by_name<frame::CraneSearch>(frame::kCraneSearches, pool);
    if (!choice.empty()) return "too many words after " + quoted(pool);
    if (scene != frame::SceneId::Shooter) return "only the scene shooter has cranes";
    if (!search) return "unknown cranes " + quoted(pool) + "; there are: " + names_of(frame::kCraneSearches);
    command = {};
    command.kind = frame::SimCommandKind::SetCranes;
    command.choice = static_cast<u8>(*search);
    return {};
  }
  if (verb == "forgetful") {
    if (!choice.empty()) return "too many words after " + quoted(pool);
    if (scene != frame::SceneId::Spells) return "only the scene spells has a forgetful constructor";
    if (pool != "on" && pool != "off") return "forgetful " + quoted(pool) + " is neither on nor off";
    command = {};
    command.kind = frame::SimCommandKind::SetForgetful;
    command.choice = pool == "on";
    return {};
  }
  if (verb == "stress") {
    u64 bullets = 0;
    if (!choice.empty()) return "too many words after " + quoted(pool);
    if (scene != frame::SceneId::Shooter) return "only the scene shooter has bullets for 'stress'";
    if (!parse_number(pool, 0, frame::kMaxCapacity, bullets)) {
      return "stress " + quoted(pool) + " is not a whole number from 0 to " + std::to_string(frame::kMaxCapacity);
    }
    command = {};
    command.kind = frame::SimCommandKind::SetStress;
    command.capacity = static_cast<u32>(bullets);
    return {};
  }
  frame::PoolId pool_id{};
  if (std::string wrong = find_pool(pool, scene, pool_id); !wrong.empty()) return wrong;
  command = {};
  command.pool = pool_id;
  if (verb == "strategy") {
    const auto id = find_by_name<pool::StrategyId>(pool::kStrategies, choice);
    if (!id) return "unknown strategy " + quoted(choice) + "; there are: " + names_of(pool::kStrategies);
    command.kind = frame::SimCommandKind::SetStrategy;
    command.choice = static_cast<u8>(*id);
  } else if (verb == "overflow") {
    const auto id = find_by_name<pool::PolicyId>(pool::kPolicies, choice);
    if (!id) return "unknown overflow policy " + quoted(choice) + "; there are: " + names_of(pool::kPolicies);
    command.kind = frame::SimCommandKind::SetPolicy;
    command.choice = static_cast<u8>(*id);
  } else if (verb == "fill") {
    if (choice != "on" && choice != "off") return "fill " + quoted(choice) + " is neither on nor off";
    command.kind = frame::SimCommandKind::SetFill;
    command.choice = choice == "on";
  } else if (verb == "trim") {
    u64 keep_free = 0;
    if (!parse_number(choice, 0, frame::kMaxCapacity, keep_free)) {
      return "trim " + quoted(choice) + " is not a whole number from 0 to " + std::to_string(frame::kMaxCapacity);
    }
    command.kind = frame::SimCommandKind::Trim;
    command.capacity = static_cast<u32>(keep_free);
  } else {
    u64 capacity = 0;
    if (!parse_number(choice, frame::kMinCapacity, frame::kMaxCapacity, capacity)) {
      return "capacity " + quoted(choice) + " is not a whole number from " + std::to_string(frame::kMinCapacity) +
             " to " + std::to_string(frame::kMaxCapacity);
    }
    command.kind = frame::SimCommandKind::SetCapacity;
    command.capacity = static_cast<u32>(capacity);
  }
  return {};
}

std::string format_command(const frame::SimCommand& command) {
  const std::string pool(frame::row(command.pool).name);
  switch (command.kind) {
    case frame::SimCommandKind::SetStrategy:
      return "strategy " + pool + " " + std::string(pool::kStrategies[command.choice].name);
    case frame::SimCommandKind::SetPolicy:
      return "overflow " + pool + " " + std::string(pool::kPolicies[command.choice].name);
    case frame::SimCommandKind::SetCapacity: return "capacity " + pool + " " + std::to_string(command.capacity);
    case frame::SimCommandKind::Trim: return "trim " + pool + " " + std::to_string(command.capacity);
    case frame::SimCommandKind::SetFill: return "fill " + pool + (command.choice != 0 ? " on" : " off");
    case frame::SimCommandKind::SetMemory: return "memory " + std::string(pool::kMemorySources[command.choice].name);
    case frame::SimCommandKind::SetStress: return "stress " + std::to_string(command.capacity);
    case frame::SimCommandKind::SetLoad: return "load " + std::to_string(command.capacity);
    case frame::SimCommandKind::SetChurn: return "churn " + std::to_string(command.capacity);
    case frame::SimCommandKind::SetHeapAge: return command.choice != 0 ? "heap aged" : "heap fresh";
    case frame::SimCommandKind::SetConsole: return "console " + std::string(frame::kConsoleModes[command.choice].name);
    case frame::SimCommandKind::SetSharing: return "slots " + std::string(frame::kSlotSharings[command.choice].name);
    case frame::SimCommandKind::SetCranes: return "cranes " + std::string(frame::kCraneSearches[command.choice].name);
    case frame::SimCommandKind::SetForgetful: return command.choice != 0 ? "forgetful on" : "forgetful off";
    case frame::SimCommandKind::SetSpell:
    case frame::SimCommandKind::SetArena:
    case frame::SimCommandKind::SetStage: break;
  }
  return {};
}

}  // namespace spellpool::sim
