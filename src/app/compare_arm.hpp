#pragma once
// What one side of a comparison is: a strategy, and what else is put together with it by '+'.
//
//   heap   free_list   heap+mimalloc   free_list+steal_oldest   heap+frame_heap   free_list+voices_heap   free_list+voices_steal_oldest
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "frame/voice_choice.hpp"
#include "pool/memory/switchable_memory.hpp"
#include "pool/strategy.hpp"

namespace spellpool::app {

/// An implementation of malloc, loaded into the whole process by LD_PRELOAD where it is installed. A browser has no
/// LD_PRELOAD: there each is a program of its own, linked from the same objects.
struct AllocatorRow {
  std::string_view name;
  std::array<std::string_view, 2> libraries;  ///< Any of these; "" none is needed.
  std::string_view package;                   ///< Debian's.
};
#if defined(__EMSCRIPTEN__)
inline constexpr std::array kAllocators = {
    AllocatorRow{"dlmalloc", {"", ""}, ""},
    AllocatorRow{"emmalloc", {"emmalloc", ""}, ""},
    AllocatorRow{"mimalloc", {"mimalloc", ""}, ""},
};
#else
inline constexpr std::array kAllocators = {
    AllocatorRow{"glibc", {"", ""}, ""},
    AllocatorRow{"jemalloc", {"libjemalloc.so.2", ""}, "libjemalloc2"},
    AllocatorRow{"mimalloc", {"libmimalloc.so.2", "libmimalloc.so.3"}, "libmimalloc-dev"},
    AllocatorRow{"tcmalloc", {"libtcmalloc_minimal.so.4", ""}, "libtcmalloc-minimal4"},
    AllocatorRow{"tbbmalloc", {"libtbbmalloc_proxy.so.2", ""}, "libtbb-dev"},
};
#endif
/// Path of its library, or "" if it needs none or is not installed.
std::string allocator_library(const AllocatorRow& row);

/// The voices that all sounds share, as a game begins.
struct VoiceChoice {
  u32 slots = 32;
  frame::VoicePolicy policy = frame::VoicePolicy::StealQuietest;
  frame::VoiceStorage storage = frame::VoiceStorage::Pool;
};

struct CompareArm {
  pool::StrategyId strategy = pool::StrategyId::FreeList;
  std::optional<pool::PolicyId> policy;        ///< Of all pools.
  std::optional<pool::MemorySource> memory;    ///< Of the frame.
  std::optional<std::size_t> allocator;        ///< A row of kAllocators.
  std::optional<frame::VoicePolicy> voice_policy;
  std::optional<frame::VoiceStorage> voice_storage;
  std::string label;                           ///< As it was given; "" where the strategy's name is all of it.

  bool has_voices() const { return voice_policy || voice_storage; }
  /// Of a block that mixes: what the arm leaves out is as a game begins with it.
  VoiceChoice voices(u32 slots = VoiceChoice{}.slots) const {
    const VoiceChoice usual;
    return {slots, voice_policy.value_or(usual.policy), voice_storage.value_or(usual.storage)};
  }
  std::string preload() const { return allocator ? allocator_library(kAllocators[*allocator]) : ""; }
};
/// The word of an arm for a row of kVoicePolicies or kVoiceStorages: these are called as policies and storages of
/// other pools are.
inline constexpr std::string_view kVoicesWord = "voices_";
template <class Row>
std::string voices_word(const Row& row) { return std::string(kVoicesWord) + std::string(row.name); }

/// "" and the arm, or a line that names the option and the mend. Words that are left out are as `base` has them.
std::string parse_arm(const std::string& option, const std::string& text, CompareArm& arm);

/// Two arms that differ in more than where objects lie do different work.
bool different_work(const CompareArm& a, const CompareArm& b);

/// What `--all TOPIC` knows.
struct AllTopicRow {
  std::string_view name;
};
inline constexpr std::array kAllTopics = {AllTopicRow{"strategies"}, AllTopicRow{"policies"}, AllTopicRow{"allocators"},
                                          AllTopicRow{"memory"},     AllTopicRow{"voices"},   AllTopicRow{"voice-policies"}};
/// Arms of a topic (of the allocators the installed ones): what is held against --a.
std::string arms_of(const std::string& topic, const CompareArm& base, std::vector<std::string>& words);

}  // namespace spellpool::app
