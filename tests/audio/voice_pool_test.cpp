#include "audio/voice_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <type_traits>

#include "core/rng.hpp"

namespace spellpool::audio {
namespace {

using frame::SoundId;
using frame::VoicePolicy;

/// A second at constant level, or so many frames.
Sound steady_sound(float level = 0.5f, std::size_t frames = 48'000) {
  return Sound({std::vector<float>(frames, level), {}}, 48'000, 0, false, {});
}

Playing voice_of(const Sound& sound, float gain, u64 serial) {
  Playing voice;
  voice.sound = &sound;
  voice.serial = serial;
  voice.gain = gain;
  voice.pan_left = voice.pan_right = 0.7071f;
  return voice;
}

VoicePool pool_of(u32 slots, VoicePolicy policy = VoicePolicy::StealQuietest, u32 most_virtual = 64) {
  return VoicePool(slots, kMostSlots, most_virtual, policy);
}

/// Serials of who lost a slot or its place for good, as told by the last call.
std::vector<u64> gone(VoicePool& pool, VoiceEnd end) {
  std::vector<u64> serials;
  for (const VoiceChange& change : pool.changes()) {
    if (change.kind == VoiceChange::Kind::Gone && change.end == end) serials.push_back(change.voice.serial);
  }
  pool.clear_changes();
  return serials;
}

constexpr GroupGains kOpen = {1.0f, 1.0f, 1.0f};

TEST(VoicePool, FreeSlotsAreUsedBeforeAnythingIsStolen) {
  const Sound sound = steady_sound();
  VoicePool pool = pool_of(8);
  for (u64 i = 1; i <= 8; ++i) EXPECT_EQ(pool.start(voice_of(sound, 0.001f, i), 0).stole_from, 0u);
  EXPECT_EQ(pool.stats().active, 8u);
  EXPECT_EQ(pool.start(voice_of(sound, 1.0f, 9), 0).stole_from, 1u);
}

TEST(VoicePool, EachPolicyChoosesItsOwnVictim) {
  // The second is quietest at this moment, but its loud part is still to come; the third is quietest in what is left.
  std::vector<float> late(48'000, 0.001f);
  std::fill(late.begin() + 24'000, late.end(), 1.0f);
  const Sound sound = steady_sound(), crescendo({late, {}}, 48'000, 0, false, {});
  const auto victim = [&](VoicePolicy policy) {
    VoicePool pool = pool_of(3, policy);
    pool.start(voice_of(sound, 0.9f, 1), 0);
    pool.start(voice_of(crescendo, 0.9f, 2), 10);
    pool.start(voice_of(sound, 0.2f, 3), 20);
    const StartResult result = pool.start(voice_of(sound, 0.6f, 4), 30);
    return result.outcome == StartOutcome::Rejected ? u64{99} : result.stole_from;
  };
  EXPECT_EQ(victim(VoicePolicy::Reject), 99u);
  EXPECT_EQ(victim(VoicePolicy::StealOldest), 1u);
  EXPECT_EQ(victim(VoicePolicy::StealQuietestLiteral), 2u);
  EXPECT_EQ(victim(VoicePolicy::StealQuietest), 3u);
  EXPECT_EQ(victim(VoicePolicy::Virtual), 3u);
}

TEST(VoicePool, PriorityStandsAboveAudibility) {
  const Sound sound = steady_sound();
  for (const VoicePolicy policy : {VoicePolicy::StealQuietest, VoicePolicy::Virtual}) {
    VoicePool pool = pool_of(2, policy);
    Playing low = voice_of(sound, 1.0f, 1), high = voice_of(sound, 0.01f, 2);
    low.priority = 0;
    high.priority = 3;
    pool.start(low, 0);
    pool.start(high, 0);
    Playing newcomer = voice_of(sound, 0.5f, 3);
    newcomer.priority = 1;
    EXPECT_EQ(pool.start(newcomer, 0).stole_from, 1u) << "loud, but of a lower class";
    Playing late = voice_of(sound, 1.0f, 4);
    late.priority = 0;
    EXPECT_NE(pool.start(late, 0).outcome, StartOutcome::Started) << "no louder sound passes a higher class";
  }
}

TEST(VoicePool, SoundThatHasRungOutIsStolenBeforeOneThatBegins) {
  const Sound sound = steady_sound();
  VoicePool pool = pool_of(2);
  pool.start(voice_of(sound, 1.0f, 1), 0);
  const u64 now = 47'872;  // 187 cells: the first has 128 frames left
  pool.begin_cell(now, kOpen);
  pool.start(voice_of(sound, 0.4f, 2), now);
  EXPECT_EQ(pool.start(voice_of(sound, 0.5f, 3), now).stole_from, 1u);
}

// SDL_mixer's ties go to the newest.
TEST(VoicePool, TiesOfABurstGoToTheLowerSerialInEveryPolicy) {
  const Sound sound = steady_sound();
  for (const VoicePolicy policy : {VoicePolicy::StealOldest, VoicePolicy::StealQuietestLiteral, VoicePolicy::StealQuietest}) {
    VoicePool pool = pool_of(8, policy);
    for (u64 i = 1; i <= 8; ++i) pool.start(voice_of(sound, 0.5f, i), 0);
    for (u64 i = 9; i <= 300; ++i) ASSERT_EQ(pool.start(voice_of(sound, 0.5f, i), 0).stole_from, i - 8);
  }
}

TEST(VoicePool, NewcomerBelowTheQuietestIsRejectedAndNothingChanges) {
  const Sound sound = steady_sound();
  VoicePool pool = pool_of(2);
  pool.start(voice_of(sound, 0.5f, 1), 0);
  pool.start(voice_of(sound, 0.4f, 2), 0);
  EXPECT_EQ(pool.start(voice_of(sound, 0.39f, 3), 0).outcome, StartOutcome::Rejected);
  EXPECT_NE(pool.find(1), nullptr);
  EXPECT_NE(pool.find(2), nullptr);
  EXPECT_EQ(pool.find(3), nullptr);
  EXPECT_EQ(pool.stats().rejected, 1u);
  EXPECT_EQ(pool.stats().started, 2u);
}

TEST(VoicePool, ThePlayersOwnIsNeverRejectedButForKeptOnes) {
  const Sound sound = steady_sound();
  for (const VoicePolicy policy : {VoicePolicy::StealOldest, VoicePolicy::StealQuietestLiteral, VoicePolicy::StealQuietest, VoicePolicy::Virtual}) {
    VoicePool pool = pool_of(3, policy);
    for (u64 i = 1; i <= 3; ++i) {
      Playing loud = voice_of(sound, 0.6f + 0.1f * static_cast<float>(i), i);
      loud.priority = 3;
      loud.kept = i == 1;
      pool.start(loud, 0);
    }
    Playing own = voice_of(sound, 0.01f, 4);
    own.priority = 0;
    own.own = true;
    const StartResult result = pool.start(own, 0);
    EXPECT_EQ(result.outcome, StartOutcome::Started);
    EXPECT_EQ(result.stole_from, 2u) << "the least of those that are not kept";
    EXPECT_NE(pool.find(4), nullptr);
    EXPECT_EQ(pool.stats().rejected, 0u);
  }
}

// SoLoud crashes here.
TEST(VoicePool, OneMoreWhenAllAreKeptIsRejectedInEveryPolicy) {
  const Sound sound = steady_sound();
  for (const frame::VoicePolicyRow& row : frame::kVoicePolicies) {
    VoicePool pool = pool_of(4, row.id);
    for (u64 i = 1; i <= 4; ++i) {
      Playing kept = voice_of(sound, 0.001f, i);
      kept.kept = true;
      EXPECT_EQ(pool.start(kept, 0).outcome, StartOutcome::Started);
    }
    Playing loud = voice_of(sound, 1.0f, 5);
    loud.priority = 3;
    const bool waits = row.id == VoicePolicy::Virtual;
    EXPECT_EQ(pool.start(loud, 0).outcome, waits ? StartOutcome::StartedVirtual : StartOutcome::Rejected) << row.name;
    loud.kept = true;
    loud.serial = 6;
    EXPECT_EQ(pool.start(loud, 0).outcome, StartOutcome::Rejected) << row.name;
    for (u64 i = 1; i <= 4; ++i) EXPECT_NE(pool.find(i), nullptr);
    EXPECT_EQ(pool.stats().stolen, 0u);
  }
}

// SoLoud overflows its stack above 256 active voices.
TEST(VoicePool, EveryNumberOfSlotsFillsAndSteals) {
  const Sound sound = steady_sound();
  EXPECT_EQ(pool_of(0).slots(), 1u);
  for (const u32 slots : {1u, 7u, 8u, 63u, 64u, 65u, 256u, 257u, 300u, 4'096u}) {
    VoicePool pool = pool_of(slots);
    for (u32 i = 0; i < slots; ++i) {
      const StartResult result = pool.start(voice_of(sound, 0.5f, i + 1), 0);
      ASSERT_EQ(result.outcome, StartOutcome::Started);
      ASSERT_EQ(result.slot, i);
    }
    EXPECT_EQ(pool.start(voice_of(sound, 0.6f, slots + 1), 0).stole_from, 1u);
    EXPECT_EQ(pool.stats().active, slots);
  }
}

// SoLoud's counter wraps after 2^20 plays, and then the wrong voice is stolen.
TEST(VoicePool, AgeOrderOutlivesTwoToTheThirtyTwoPlays) {
  const Sound sound = steady_sound();
  for (const u64 turn : {u64{1} << 20, u64{1} << 31, u64{1} << 32, u64{1} << 63}) {
    VoicePool pool = pool_of(4, VoicePolicy::StealOldest);
    for (u64 serial = turn - 2; serial < turn + 2; ++serial) pool.start(voice_of(sound, 0.5f, serial), 0);
    for (u64 serial = turn + 2; serial < turn + 20; ++serial) {
      ASSERT_EQ(pool.start(voice_of(sound, 0.5f, serial), 0).stole_from, serial - 4);
    }
  }
}

TEST(VoicePool, AgeOrderOutlivesVoicesThatOutliveTwoToTheThirtyTwoPlays) {
  const Sound sound = steady_sound();
  for (const u64 after : {u64{1} << 31, u64{1} << 32, u64{1} << 40}) {
    VoicePool pool = pool_of(6, VoicePolicy::StealOldest);
    const std::vector<u64> old = {1, 2, 3, after, after + 1, 2 * after};
    for (const u64 serial : old) pool.start(voice_of(sound, 0.5f, serial), 0);
    u64 serial = 3 * after;
    for (const u64 victim : old) {
      ASSERT_EQ(pool.start(voice_of(sound, 0.5f, serial), 0).stole_from, victim);
      serial += after;
    }
  }
}

TEST(VoicePool, LowestFreeSlotIsTakenWhateverTheOrderOfReleases) {
  const Sound sound = steady_sound();
  VoicePool pool = pool_of(4);
  for (u64 i = 1; i <= 4; ++i) pool.start(voice_of(sound, 0.5f, i), 0);
  EXPECT_TRUE(pool.stop(2, VoiceEnd::Stopped));
  EXPECT_TRUE(pool.stop(4, VoiceEnd::Stopped));
  EXPECT_FALSE(pool.stop(4, VoiceEnd::Stopped)) << "once";
  EXPECT_EQ(pool.start(voice_of(sound, 0.5f, 5), 0).slot, 1u);
  EXPECT_EQ(pool.start(voice_of(sound, 0.5f, 6), 0).slot, 3u);
}

TEST(VoicePool, NonsenseGainCountsAsSilent) {
  const Sound sound = steady_sound();
  VoicePool pool = pool_of(2);
  pool.start(voice_of(sound, std::numeric_limits<float>::quiet_NaN(), 1), 0);
  pool.start(voice_of(sound, 0.5f, 2), 0);
  EXPECT_EQ(pool.start(voice_of(sound, 0.1f, 3), 0).stole_from, 1u);
}

TEST(VoicePool, VoiceEndsAtItsExactFrame) {
  const Sound sound = steady_sound(0.5f, 1'000);
  for (const auto& [step, frames] : {std::pair{kUnityStep, u64{1'000}}, {2 * kUnityStep, 500}, {kUnityStep / 2, 2'000}, {kUnityStep + 1, 1'000}}) {
    VoicePool pool = pool_of(2);
    Playing voice = voice_of(sound, 0.5f, 1);
    voice.set_step(step);
    pool.start(voice, 100);
    pool.release_ended(100 + frames - 1);
    EXPECT_EQ(pool.stats().active, 1u);
    pool.release_ended(100 + frames);
    EXPECT_EQ(gone(pool, VoiceEnd::Ended), std::vector<u64>{1});
    EXPECT_EQ(pool.stats().active, 0u);
  }
}

TEST(VoicePool, VirtualVoiceComesBackWhereItWouldBeByThen) {
  const Sound sound = steady_sound(0.5f, 20'000), shorter = steady_sound(0.5f, 2'000);
  VoicePool pool = pool_of(1, VoicePolicy::Virtual);
  pool.start(voice_of(sound, 0.5f, 1), 37);
  pool.start(voice_of(shorter, 1.0f, 2), 512);  // less of it is left, but it is far louder
  pool.clear_changes();
  pool.stop(2, VoiceEnd::Stopped);
  Playing loud = voice_of(shorter, 1.0f, 3);
  loud.priority = 2;
  pool.start(loud, 600);
  ASSERT_NE(pool.find(1), nullptr);
  EXPECT_EQ(pool.virtual_voices().size(), 1u);
  pool.clear_changes();
  for (u64 now = 768; now <= 2'560; now += 256) pool.begin_cell(now, kOpen);
  EXPECT_EQ(pool.virtual_voices().size(), 1u) << "the other plays until frame 2,600";
  pool.begin_cell(2'816, kOpen);
  EXPECT_EQ(pool.virtual_voices().size(), 0u);
  const Playing* back = pool.find(1);
  ASSERT_NE(back, nullptr);
  EXPECT_EQ(back->frame(2'816), 2'816u - 37u);
  EXPECT_EQ(pool.stats().resumed, 1u);
  EXPECT_EQ(pool.stats().stolen, 0u);
}

TEST(VoicePool, VirtualVoiceNeedsThreeDecibelsMore) {
  const Sound sound = steady_sound(0.5f, 100'000);
  for (const float louder : {1.0f, 1.3f, 1.40f, 1.43f, 2.0f}) {
    VoicePool pool = pool_of(1, VoicePolicy::Virtual);
    pool.start(voice_of(sound, 0.4f, 1), 0);
    pool.start(voice_of(sound, 0.2f, 2), 0);
    pool.move(2, 0.4f * louder, 0.7f, 0.7f, 0.0f);
    pool.begin_cell(256, kOpen);
    EXPECT_EQ(pool.stats().resumed, louder > 1.41254f ? 1u : 0u) << louder;
  }
}

TEST(VoicePool, OneThatEndsUnheardJustEnds) {
  const Sound sound = steady_sound(0.5f, 100'000), brief = steady_sound(0.5f, 700);
  VoicePool pool = pool_of(1, VoicePolicy::Virtual);
  pool.start(voice_of(sound, 0.9f, 1), 0);
  EXPECT_EQ(pool.start(voice_of(brief, 0.1f, 2), 0).outcome, StartOutcome::StartedVirtual);
  pool.begin_cell(256, kOpen);
  pool.begin_cell(512, kOpen);
  EXPECT_EQ(pool.virtual_voices().size(), 1u);
  pool.begin_cell(768, kOpen);
  EXPECT_EQ(gone(pool, VoiceEnd::Ended), std::vector<u64>{2});
  EXPECT_EQ(pool.stats().started, 2u);
}

TEST(VoicePool, FullOfVirtualVoicesTheLeastOfAllIsDropped) {
  const Sound sound = steady_sound(0.5f, 100'000);
  VoicePool pool = pool_of(1, VoicePolicy::Virtual, 3);
  pool.start(voice_of(sound, 0.9f, 1), 0);
  for (u64 i = 2; i <= 4; ++i) pool.start(voice_of(sound, 0.1f * static_cast<float>(i), i), 0);
  EXPECT_EQ(pool.start(voice_of(sound, 0.1f, 5), 0).outcome, StartOutcome::Rejected);
  EXPECT_EQ(pool.start(voice_of(sound, 0.3f, 6), 0).outcome, StartOutcome::StartedVirtual);
  EXPECT_EQ(gone(pool, VoiceEnd::Stolen), std::vector<u64>{2});
  pool.stop(1, VoiceEnd::Stopped);
  pool.begin_cell(256, kOpen);
  EXPECT_EQ(pool.find(4)->serial, 4u);
  EXPECT_EQ(pool.stats().active, 1u);
}

TEST(VoicePool, FewerSlotsKeepTheLoudestAndNeverStealAKeptOne) {
  const Sound sound = steady_sound();
  VoicePool pool = pool_of(4'096);
  Rng rng(4);
  std::vector<std::pair<float, u64>> by_gain;
  for (u64 i = 1; i <= 4'096; ++i) {
    Playing voice = voice_of(sound, 0.01f + 0.9f * rng.unit(), i);
    voice.kept = i % 1'000 == 0;
    if (voice.kept) voice.gain = 0.001f;
    pool.start(voice, 0);
    if (!voice.kept) by_gain.push_back({voice.gain, i});
  }
  std::sort(by_gain.rbegin(), by_gain.rend());
  pool.set_slots(10, 0);
  EXPECT_EQ(pool.stats().active, 10u);
  EXPECT_EQ(pool.slots(), 10u);
  EXPECT_EQ(gone(pool, VoiceEnd::Stolen).size(), 4'086u);
  for (u64 i = 1; i <= 4; ++i) EXPECT_NE(pool.find(1'000 * i), nullptr);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NE(pool.find(by_gain[i].second), nullptr) << i;
  pool.set_slots(1, 0);
  EXPECT_EQ(pool.slots(), 4u) << "as many as are kept";
  pool.stop(1'000, VoiceEnd::Stopped);
  pool.stop(2'000, VoiceEnd::Stopped);
  pool.stop(3'000, VoiceEnd::Stopped);
  pool.begin_cell(256, kOpen);
  EXPECT_EQ(pool.slots(), 1u) << "and fewer as soon as they are over";
  pool.set_slots(100, 256);
  EXPECT_EQ(pool.slots(), 100u);
  EXPECT_NE(pool.find(4'000), nullptr);
}

TEST(VoicePool, ClosedGroupIsStolenFirst) {
  const Sound sound = steady_sound();
  VoicePool pool = pool_of(2);
  Playing music = voice_of(sound, 1.0f, 1), effect = voice_of(sound, 0.1f, 2);
  music.group = frame::SoundGroup::Music;
  pool.start(music, 0);
  pool.start(effect, 0);
  pool.begin_cell(256, {1.0f, 0.0f, 1.0f});
  EXPECT_EQ(pool.start(voice_of(sound, 0.2f, 3), 256).stole_from, 1u);
}

TEST(VoicePool, FadeComesToItsEndAndThePlaceIsFree) {
  const Sound sound = steady_sound();
  VoicePool pool = pool_of(2);
  pool.start(voice_of(sound, 1.0f, 1), 0);
  EXPECT_TRUE(pool.fade_out(1, 4));
  EXPECT_FALSE(pool.fade_out(7, 4));
  float before = 2.0f;
  for (u64 cell = 1; cell <= 4; ++cell) {
    pool.begin_cell(cell * 256, kOpen);
    const Playing* voice = pool.find(1);
    ASSERT_NE(voice, nullptr);
    EXPECT_LT(voice->left_to, before);
    before = voice->left_to;
  }
  EXPECT_EQ(before, 0.0f);
  pool.begin_cell(5 * 256, kOpen);
  EXPECT_EQ(gone(pool, VoiceEnd::Stopped), std::vector<u64>{1});
}

TEST(VoicePool, HandleOfAVoiceDoesNotFitAnotherPool) {
  struct Bullet {};
  static_assert(!std::is_convertible_v<VoiceHandle, Handle<Bullet>>);
  static_assert(!std::is_convertible_v<Handle<Bullet>, VoiceHandle>);
}

// ---- Against a plain model in doubles -------------------------------------------------------------------------------

/// Who would be stolen, by the words of voice_pool.hpp and nothing else: doubles, lists, no keys.
class Oracle {
 public:
  struct Twin {
    Playing voice;
    u64 scored_at = 0;
  };
  Oracle(u32 slots, VoicePolicy policy) : slots_(slots), wanted_slots_(slots), policy_(policy) {}

  void begin_cell(u64 now) {
    cell_ = now;
    end(now);
    if (slots_ != wanted_slots_) give_way();
  }
  void set_slots(u32 slots, u64 now) {
    wanted_slots_ = slots;
    end(now);
    if (slots < slots_) give_way();
    else slots_ = slots;
  }
  void set_policy(VoicePolicy policy) { policy_ = policy; }
  void end(u64 now) {
    std::erase_if(live, [&](const Twin& t) {
      const double length = std::ceil(static_cast<double>(t.voice.sound->frames()) / (static_cast<double>(t.voice.step()) / 4294967296.0));
      return static_cast<double>(t.voice.start) + length <= static_cast<double>(now);
    });
  }
  /// Serial of the victim, 0: none needed, ~0: rejected.
  u64 start(const Playing& voice, u64 now) {
    end(now);
    Twin twin{voice, now};
    twin.voice.start = now;
    if (live.size() < slots_) {
      live.push_back(twin);
      return 0;
    }
    const Twin* const least = first_to_go();
    if (policy_ == VoicePolicy::Reject || least == nullptr) return ~u64{0};
    if (policy_ == VoicePolicy::StealQuietest && !voice.kept) {
      if (voice.priority < least->voice.priority) return ~u64{0};
      if (voice.priority == least->voice.priority && score(twin) < score(*least)) return ~u64{0};
    }
    const u64 victim = least->voice.serial;
    take_out(victim);
    live.push_back(twin);
    return victim;
  }
  std::vector<Twin> live;

 private:
  const Twin* first_to_go() const {
    const Twin* least = nullptr;
    for (const Twin& t : live) {
      if (t.voice.kept) continue;
      if (least == nullptr || before(t, *least)) least = &t;
    }
    return least;
  }
  void take_out(u64 serial) {
    std::erase_if(live, [&](const Twin& t) { return t.voice.serial == serial; });
  }
  void give_way() {
    for (const Twin* least = first_to_go(); live.size() > wanted_slots_ && least != nullptr; least = first_to_go()) take_out(least->voice.serial);
    slots_ = std::max(wanted_slots_, static_cast<u32>(live.size()));
  }
  double score(const Twin& t) const {
    const u64 at = t.voice.start > cell_ ? t.voice.start : cell_;
    const double frame = std::floor(static_cast<double>(at - t.voice.start) * (static_cast<double>(t.voice.step()) / 4294967296.0));
    const u64 whole = static_cast<u64>(frame);
    const double loudness = policy_ == VoicePolicy::StealQuietestLiteral ? static_cast<double>(t.voice.sound->level_at(whole))
                                                                         : static_cast<double>(t.voice.sound->loudness_from(whole));
    return static_cast<double>(t.voice.gain) * loudness;
  }
  bool before(const Twin& a, const Twin& b) const {
    if (policy_ == VoicePolicy::StealOldest || policy_ == VoicePolicy::Reject) return a.voice.serial < b.voice.serial;
    if (policy_ == VoicePolicy::StealQuietest && a.voice.priority != b.voice.priority) return a.voice.priority < b.voice.priority;
    const double sa = score(a), sb = score(b);
    return sa != sb ? sa < sb : a.voice.serial < b.voice.serial;
  }
  u32 slots_, wanted_slots_;
  VoicePolicy policy_;
  u64 cell_ = 0;
};

TEST(VoicePool, StealsInTheOrderOfANaiveOracleInDoubles) {
  std::vector<Sound> sounds;
  Rng shapes(11);
  for (u32 i = 0; i < 12; ++i) {
    std::vector<float> samples(500 + shapes.below(30'000));
    const float decay = 1.0f - 1.0f / static_cast<float>(2'000 + shapes.below(20'000));
    float size = 1.0f;
    for (float& sample : samples) sample = (size *= decay) * shapes.signed_unit();
    sounds.emplace_back(Samples{std::move(samples), {}}, 48'000, 0, false, frame::SoundTraits{});
  }
  u64 steals = 0, rejects = 0;
  for (const VoicePolicy policy : {VoicePolicy::Reject, VoicePolicy::StealOldest, VoicePolicy::StealQuietestLiteral, VoicePolicy::StealQuietest}) {
    for (const u32 slots : {1u, 5u, 32u, 100u}) {
      Rng rng(slots);
      VoicePool pool = pool_of(slots, policy);
      Oracle oracle(slots, policy);
      u64 serial = 0, now = 0, next_cell = 0;
      for (u32 i = 0; i < 6'000; ++i) {
        now += rng.below(4) == 0 ? 0 : rng.below(i % 600 < 300 ? 40 : 600);
        // Ages are counted in fewer bits than serials have: now and then a year of plays has passed elsewhere.
        serial += rng.below(100) == 0 ? u64{1} << rng.below(45) : 1;
        while (next_cell <= now) {
          pool.begin_cell(next_cell, kOpen);
          oracle.begin_cell(next_cell);
          next_cell += 256;
        }
        // Slots and policy change while it plays; the policy comes back soon.
        if (rng.below(200) == 0) {
          const u32 other = 1 + rng.below(2 * slots);
          pool.set_slots(other, now);
          oracle.set_slots(other, now);
        }
        if (i % 500 == 250 || i % 500 == 280) {
          const VoicePolicy other = i % 500 == 250 ? static_cast<VoicePolicy>(rng.below(4)) : policy;
          pool.set_policy(other);
          oracle.set_policy(other);
        }
        const float gain = rng.below(2) == 0 ? 0.5f : rng.unit();  // often alike, so that the serial decides
        Playing voice = voice_of(sounds[rng.below(12)], gain, serial);
        voice.priority = static_cast<u8>(rng.below(10) == 0 ? 2 : 1);
        voice.kept = rng.below(40) == 0;
        voice.set_step(kUnityStep / 2 + u64{rng.below(1u << 31)} * 2);
        const StartResult result = pool.start(voice, now);
        const u64 wanted = oracle.start(voice, now);
        const u64 got = result.outcome == StartOutcome::Rejected ? ~u64{0} : result.stole_from;
        ASSERT_EQ(got, wanted) << i << " policy " << static_cast<int>(policy) << " slots " << slots;
        ASSERT_EQ(pool.stats().active, oracle.live.size());
        steals += got != 0 && got != ~u64{0} ? 1 : 0;
        rejects += got == ~u64{0} ? 1 : 0;
        pool.clear_changes();
      }
    }
  }
  EXPECT_GT(steals, 10'000u);
  EXPECT_GT(rejects, 1'000u);
}

// ---- Properties under random operation ------------------------------------------------------------------------------

TEST(VoicePool, KeepsItsPromisesUnderRandomOperation) {
  const Sound sound = steady_sound(0.3f, 9'000), brief = steady_sound(0.8f, 700);
  for (u64 seed = 1; seed <= 12; ++seed) {
    Rng rng(seed);
    VoicePool pool = pool_of(1 + rng.below(40), VoicePolicy::StealQuietest, 1 + rng.below(30));
    std::map<u64, bool> known;  // serial → kept, of all that play or are virtual
    std::set<u64> over;
    u64 serial = 0, now = 0;
    const auto settle = [&](bool by_newcomer, float newcomer_score) {
      for (const VoiceChange& change : pool.changes()) {
        if (change.kind != VoiceChange::Kind::Gone) continue;
        ASSERT_TRUE(over.insert(change.voice.serial).second) << "over once";
        ASSERT_EQ(known.erase(change.voice.serial), 1u);
        if (change.end != VoiceEnd::Stolen) continue;
        ASSERT_FALSE(change.voice.kept) << "a kept one is never stolen";
        const bool by_loudness = pool.policy() == VoicePolicy::StealQuietest && by_newcomer;
        if (by_loudness) {
          ASSERT_LE(audibility(change.voice, 1.0f, std::max(change.voice.start, now / 256 * 256)), newcomer_score * 1.000001f);
        }
      }
      pool.clear_changes();
    };
    for (u32 i = 0; i < 8'000; ++i) {
      const u32 dice = rng.below(100);
      if (dice < 60) {
        Playing voice = voice_of(rng.below(2) == 0 ? sound : brief, rng.unit(), ++serial);
        voice.kept = rng.below(50) == 0;
        const StartResult result = pool.start(voice, now);
        if (result.outcome != StartOutcome::Rejected) known[serial] = voice.kept;
        voice.start = now;
        settle(true, voice.kept ? 1e9f : audibility(voice, 1.0f, now));
      } else if (dice < 80) {
        now = (now / 256 + 1) * 256;
        pool.begin_cell(now, kOpen);
        settle(false, 0);
      } else if (dice < 90) {
        const u64 any = 1 + rng.below(static_cast<u32>(serial + 3));
        const bool there = known.contains(any);
        ASSERT_EQ(pool.stop(any, VoiceEnd::Stopped), there);
        settle(false, 0);
      } else if (dice < 94) {
        pool.set_policy(static_cast<VoicePolicy>(rng.below(5)));
      } else if (dice < 97) {
        pool.set_slots(1 + rng.below(60), now);
        settle(false, 0);
      } else {
        pool.fade_out(1 + rng.below(static_cast<u32>(serial + 3)), 1 + rng.below(5));
      }
      u32 walked = 0;
      pool.for_each([&](u32 slot, const Playing& voice) {
        ++walked;
        ASSERT_LT(slot, pool.slots());
        ASSERT_TRUE(known.contains(voice.serial));
      });
      ASSERT_EQ(walked, pool.stats().active);
      ASSERT_LE(walked, pool.slots()) << "never more than there are slots";
      ASSERT_EQ(walked + pool.virtual_voices().size(), known.size());
      const VoicePoolStats& stats = pool.stats();
      ASSERT_EQ(stats.started, stats.ended + stats.stopped + stats.stolen + stats.active + stats.virtual_voices);
    }
  }
}

}  // namespace
}  // namespace spellpool::audio
