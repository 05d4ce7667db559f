#pragma once
// The options of the voices that all sounds share: the stealing policy, the storage of the voices, and the
// sound groups that have a volume setting.
#include <array>
#include <string_view>

#include "core/enum_table.hpp"

namespace spellpool::frame {

/// How the victim is picked when every voice slot is taken and another sound starts.
enum class VoicePolicy : u8 { Reject, StealOldest, StealQuietestLiteral, StealQuietest, Virtual };

struct VoicePolicyRow {
  VoicePolicy id;
  std::string_view name;         ///< "steal_quietest"
  std::string_view title;        ///< "Steal the quietest"
  std::string_view description;  ///< One line.
  char letter;                   ///< Stands beside the colour, which never means anything alone.
};

inline constexpr std::array kVoicePolicies = {
    VoicePolicyRow{VoicePolicy::Reject, "reject", "Reject", "a new sound is not heard while all slots are taken", 'R'},
    VoicePolicyRow{VoicePolicy::StealOldest, "steal_oldest", "Steal the oldest",
                   "the voice that began first is stolen, however loud it is", 'O'},
    VoicePolicyRow{
        VoicePolicy::StealQuietestLiteral, "steal_quietest_literal", "Steal the quietest, literally",
        "the voice with the lowest level at this moment is stolen, even if its loudest part is still to come", 'L'},
    VoicePolicyRow{VoicePolicy::StealQuietest, "steal_quietest", "Steal the quietest",
                   "priority, then gain × distance × fade × loudness still to come; a new sound below all is rejected, "
                   "except the player's own",
                   'Q'},
    VoicePolicyRow{VoicePolicy::Virtual, "virtual", "Virtual voices",
                   "like that, but the stolen voice goes on silently and comes back where it would be by then", 'V'},
};
static_assert(rows_in_order(kVoicePolicies));

/// Where a voice's record lives from play() until the audio thread has given it back.
enum class VoiceStorage : u8 { Heap, Pool };

struct VoiceStorageRow {
  VoiceStorage id;
  std::string_view name, title, description;
  char letter;
};

inline constexpr std::array kVoiceStorages = {
    VoiceStorageRow{VoiceStorage::Heap, "heap", "new/delete", "each voice is new'd and deleted, on the game's thread only", 'H'},
    VoiceStorageRow{VoiceStorage::Pool, "pool", "Free list", "each voice is a cell of one block, reused through a free list", 'F'},
};
static_assert(rows_in_order(kVoiceStorages));

/// Voice slots that a player can choose.
inline constexpr u32 kLeastVoiceSlots = 1, kMostVoiceSlots = 4'096;
/// So few that stealing is heard in a fight.
inline constexpr u32 kFewVoiceSlots = 12;

/// What a player turns up, down and off together.
enum class SoundGroup : u8 { Effects, Music, Interface };

struct SoundGroupRow {
  SoundGroup id;
  std::string_view name, title;
};

inline constexpr std::array kSoundGroups = {
    SoundGroupRow{SoundGroup::Effects, "effects", "Effects"},
    SoundGroupRow{SoundGroup::Music, "music", "Music"},
    SoundGroupRow{SoundGroup::Interface, "interface", "Interface"},
};
inline constexpr std::size_t kSoundGroupCount = kSoundGroups.size();
static_assert(rows_in_order(kSoundGroups));

/// How a sound behaves among others, whatever it sounds like.
struct SoundTraits {
  SoundGroup group = SoundGroup::Effects;
  u8 priority = 1;           ///< 0 … 3: a voice of a lower priority is stolen first, however loud.
  bool kept = false;         ///< Never stolen, never made virtual.
  bool own = false;          ///< The player's own: takes a slot whatever it ranks, as long as one is not kept.
  /// Voices of this sound; 0: no limit. A further one replaces the one of lowest audibility, or is rejected.
  u16 most_at_once = 0;
  u16 retrigger_ms = 50;     ///< Starts within so long of the last merge into one, the louder; 0 … 1,000.
  friend bool operator==(const SoundTraits&, const SoundTraits&) = default;
};

}  // namespace spellpool::frame
