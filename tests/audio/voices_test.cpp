// Voices as a player meets them: policies, storages, handles, virtual voices and faders through the whole mixer.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "allocation_count.hpp"
#include "fight.hpp"
#include "played.hpp"
#include "signal.hpp"

namespace spellpool::audio {
namespace {

using frame::AudioEvent;
using frame::SoundId;
using frame::VoicePolicy;
using frame::VoiceStorage;

// ---- Same PCM -------------------------------------------------------------------------------------------------------

/// A log of everything that can be asked for: plays, stops, fades, moves, slots, policies.
u64 hash_of_log(std::size_t block, VoicePolicy policy, VoiceStorage storage, MixLevel level, MixerStats* stats = nullptr) {
  MixerOptions options;
  options.voices = 12;
  options.policy = policy;
  options.storage = storage;
  options.command_ring = 1u << 15;
  options.level = level;
  Mixer mixer(options, game_sounds());
  Rng rng(17), looks(5);
  std::vector<VoiceHandle> handles;
  for (u64 step = 0; step < 240; ++step) {
    const u64 frame = step * 735 + rng.below(200);
    for (const AudioEvent& event : scene_step(2'300 + step, looks)) {
      for (u32 copy = 0; copy < 3; ++copy) {
        AudioEvent again = event;
        again.unmerged = copy > 0;
        again.pitch_steps += static_cast<float>(copy);
        handles.push_back(mixer.play_at(again, frame));
        EXPECT_TRUE(handles.back());
      }
    }
    const auto any = [&] { return handles[rng.below(static_cast<u32>(handles.size()))]; };
    if (step % 7 == 3) mixer.stop(any(), frame);
    if (step % 9 == 4) mixer.fade_out(any(), 0.2f, frame);
    if (step % 5 == 1) mixer.move(any(), rng.unit(), 500.0f * rng.signed_unit(), 300.0f * rng.signed_unit(), frame);
    if (step == 100) mixer.set_slots(5, frame);
    if (step == 130) mixer.set_slots(40, frame);
    if (step == 160) mixer.set_policy(VoicePolicy::StealOldest, frame);
    if (step == 190) mixer.set_policy(policy, frame);
  }
  const u64 hash = signal::hash(render_frames(mixer, 240 * 735, block));
  if (stats != nullptr) *stats = mixer.stats();
  return hash;
}

TEST(Voices, TheSameLogIsTheSamePcmForEveryBlockSizeStorageAndLoop) {
  for (const frame::VoicePolicyRow& policy : frame::kVoicePolicies) {
    MixerStats stats;
    const u64 first = hash_of_log(512, policy.id, VoiceStorage::Pool, best_mix_level(), &stats);
    EXPECT_GT(policy.id == VoicePolicy::Reject ? stats.rejected : policy.id == VoicePolicy::Virtual ? stats.resumed : stats.stolen, 20u)
        << policy.name << ": busy enough to tell";
    for (const std::size_t block : {64u, 256u, 480u, 1'024u, 37u}) {
      EXPECT_EQ(hash_of_log(block, policy.id, VoiceStorage::Pool, best_mix_level()), first) << policy.name << " " << block;
    }
    EXPECT_EQ(hash_of_log(512, policy.id, VoiceStorage::Heap, best_mix_level()), first) << policy.name;
    EXPECT_EQ(hash_of_log(480, policy.id, VoiceStorage::Heap, MixLevel::Portable), first) << policy.name;
    EXPECT_EQ(hash_of_log(256, policy.id, VoiceStorage::Pool, MixLevel::Avx2), first) << policy.name;
  }
}

// ---- Clicks ---------------------------------------------------------------------------------------------------------

enum class Cut { Steal, HardSteal, Stop, Silence, Resume };

/// Energy above 4 kHz, in dB of all, around the moment at which a full-scale sine loses (or gets back) its slot.
double click_db(double hz, u32 phase, Cut cut) {
  TestBank bank;
  bank.set(SoundId::CrystalChime, sine(hz, 4.0, 1.0), 0, frame::SoundTraits{});
  bank.set(SoundId::FireHit, std::vector<float>(30'000, 0.0f), 0, frame::SoundTraits{.priority = 3});
  MixerOptions options = plain_options(1);
  options.most_voices = 64;
  if (cut == Cut::HardSteal) options.tail_frames = 1;
  if (cut == Cut::Silence || cut == Cut::Resume) options.policy = VoicePolicy::Virtual;
  Mixer mixer(options, bank);
  const VoiceHandle victim = mixer.play_at(event_of(SoundId::CrystalChime, 0.8f), 0);
  const u64 at = 20'000 + phase * static_cast<u64>(kRate_hz / hz) / 16;
  if (cut == Cut::Stop) {
    mixer.stop(victim, at);
  } else {
    mixer.play_at(event_of(SoundId::FireHit), at);  // silent, and of a higher class
  }
  const std::vector<float> left = signal::channel(render_frames(mixer, 70'000), 0);
  const MixerStats stats = mixer.stats();
  EXPECT_EQ(stats.stolen, cut == Cut::Steal || cut == Cut::HardSteal ? 1u : 0u);
  EXPECT_EQ(stats.resumed, cut == Cut::Silence || cut == Cut::Resume ? 1u : 0u);
  // It comes back at the first cell after the silence of 30,000 frames.
  const std::size_t moment = cut == Cut::Resume ? (at + 30'000 + 255) / 256 * 256 : at;
  return signal::energy_above_db(std::span(left).subspan(moment - 256, 512), 4'000.0, kRate_hz);
}

TEST(Voices, NoStealStopOrReturnClicks) {
  double worst = -300, hard = -300;
  for (const double hz : {55.0, 110.0, 220.0, 330.0, 440.0}) {
    for (u32 phase = 0; phase < 16; ++phase) {
      worst = std::max(worst, click_db(hz, phase, Cut::Steal));
      hard = std::max(hard, click_db(hz, phase, Cut::HardSteal));
    }
  }
  for (const Cut cut : {Cut::Stop, Cut::Silence, Cut::Resume}) {
    for (u32 phase = 0; phase < 16; phase += 3) worst = std::max(worst, click_db(440.0, phase, cut));
  }
  RecordProperty("worst_db", std::to_string(worst));
  RecordProperty("hard_db", std::to_string(hard));
  EXPECT_LE(worst, -75.0);
  EXPECT_GT(hard, -20.0) << "this measure must hear a hard cut";
}

// ---- Policies, by what is missing in the mix ------------------------------------------------------------------------

/// dB of (limited − unlimited) below unlimited, for a log of sounds.
double error_db(const TestBank& bank, const std::vector<std::pair<u64, AudioEvent>>& log, u32 slots, VoicePolicy policy) {
  const auto mixed = [&](u32 voices) {
    MixerOptions options = plain_options(voices);
    options.master_gain = 0.001f;  // the limiter has no part in it
    options.policy = policy;
    options.command_ring = 1u << 16;
    Mixer mixer(options, bank);
    for (const auto& [frame, event] : log) EXPECT_TRUE(mixer.play_at(event, frame));
    return render_frames(mixer, static_cast<std::size_t>(log.back().first) + kRate_hz);
  };
  const std::vector<float> all = mixed(kMostSlots), some = mixed(slots);
  double missing = 0, whole = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double wanted = static_cast<double>(all[i]), got = static_cast<double>(some[i]);
    missing += (wanted - got) * (wanted - got);
    whole += wanted * wanted;
  }
  return 10.0 * std::log10(missing / whole);
}

/// The same sounds, but the policy is told nothing of what is still to come: gain × distance alone.
TestBank blind(const TestBank& bank) {
  TestBank copy = bank;
  for (const frame::SoundName& row : frame::kSounds) {
    Sound sound = bank[row.id];
    sound.forget_loudness();
    copy.put(row.id, std::move(sound));
  }
  return copy;
}

struct PolicyErrors {
  double oldest, blind, quietest, with_virtual;
};
PolicyErrors errors_of(const TestBank& bank, const std::vector<std::pair<u64, AudioEvent>>& log, u32 slots) {
  return {error_db(bank, log, slots, VoicePolicy::StealOldest), error_db(blind(bank), log, slots, VoicePolicy::StealQuietest),
          error_db(bank, log, slots, VoicePolicy::StealQuietest), error_db(bank, log, slots, VoicePolicy::Virtual)};
}

void expect_worth_it(const PolicyErrors& errors, const char* name) {
  testing::Test::RecordProperty(std::string(name) + "_db", std::to_string(errors.oldest) + " " + std::to_string(errors.blind) + " " +
                                                               std::to_string(errors.quietest) + " " + std::to_string(errors.with_virtual));
  EXPECT_LE(errors.quietest, errors.blind - 3.0) << name;
  EXPECT_LE(errors.quietest, errors.oldest - 10.0) << name;
  EXPECT_LE(errors.with_virtual, errors.quietest + 1.0) << name;
}

TEST(Voices, QuietestIsMissedLeastInASyntheticScene) {
  // Sixty starts a second, at all levels.
  TestBank bank;
  Rng shapes(3);
  for (u32 i = 0; i < 24; ++i) {
    // Blows that are over soon, and tones that stay.
    const bool blow = i % 3 != 0;
    std::vector<float> samples = sine(110.0 * std::pow(2.0, i / 6.0), (blow ? 0.3 : 2.0) * (1.0 + static_cast<double>(shapes.unit())), 0.5);
    const double fall = std::pow(blow ? 0.001 : 0.2, 1.0 / static_cast<double>(samples.size()));
    double size = 1;
    for (float& sample : samples) sample *= static_cast<float>(size *= fall);
    bank.set(static_cast<SoundId>(i), samples, 0, frame::SoundTraits{});
  }
  std::vector<std::pair<u64, AudioEvent>> log;
  Rng rng(4);
  for (u32 i = 0; i < 60 * 12; ++i) {
    AudioEvent event = event_of(static_cast<SoundId>(rng.below(24)), std::pow(0.01f, rng.unit()), 600.0f * rng.signed_unit(), 300.0f * rng.signed_unit());
    log.push_back({u64{i} * 800 + rng.below(800), event});
  }
  expect_worth_it(errors_of(bank, log, 32), "synthetic");
}

TEST(Voices, QuietestIsMissedLeastAmongTheGamesOwnSounds) {
  // The spells' busiest minute, each sound three times over: sixty starts a second.
  std::vector<std::pair<u64, AudioEvent>> log;
  Rng looks(1), rng(2);
  for (u64 step = 0; step < 60 * 14; ++step) {
    for (const AudioEvent& event : scene_step(step, looks)) {
      for (u32 copy = 0; copy < 3; ++copy) {
        AudioEvent again = event;
        again.gain *= copy == 0 ? 1.0f : rng.unit();
        again.x += 300.0f * rng.signed_unit() * static_cast<float>(copy);
        log.push_back({step * 800 + copy * 266, again});
      }
    }
  }
  TestBank bank;
  for (const frame::SoundName& row : frame::kSounds) {  // levels alone shall decide
    bank.set(row.id, samples_of(bank[row.id]), bank[row.id].degree(), frame::SoundTraits{});
  }
  EXPECT_GT(static_cast<double>(log.size()) / 14.0, 40.0);
  expect_worth_it(errors_of(bank, log, 32), "game");
}

// ---- Handles and storages -------------------------------------------------------------------------------------------

TEST(Voices, EachHandleGoesStaleOnceWhateverBecameOfIt) {
  for (const frame::VoiceStorageRow& storage : frame::kVoiceStorages) {
    for (const frame::VoicePolicyRow& policy : frame::kVoicePolicies) {
      MixerOptions options;
      options.voices = 4;
      options.most_virtual = 16;
      options.policy = policy.id;
      options.storage = storage.id;
      Mixer mixer(options, game_sounds());
      Rng rng(9);
      std::vector<std::pair<VoiceHandle, bool>> handles;  // and whether it was seen stale
      for (u32 round = 0; round < 400; ++round) {
        for (u32 i = rng.below(12); i-- > 0;) {
          AudioEvent event = event_of(static_cast<SoundId>(rng.below(frame::kSoundCount)), rng.unit());
          if (rng.below(30) == 0) event.x = std::nanf("");
          if (const VoiceHandle handle = mixer.play(event)) handles.push_back({handle, false});
        }
        if (!handles.empty() && round % 3 == 0) mixer.stop(handles[rng.below(static_cast<u32>(handles.size()))].first);
        std::vector<float> block(2 * (1 + rng.below(2'000)));
        mixer.render(block);
        mixer.update();
        for (auto& [handle, stale] : handles) {
          ASSERT_FALSE(stale && mixer.is_live(handle)) << "stale for good";
          stale = !mixer.is_live(handle);
        }
      }
      render_frames(mixer, 10 * kRate_hz);
      mixer.update();
      EXPECT_EQ(mixer.voices_out(), 0u) << policy.name << ": every record has come home";
      for (const auto& [handle, stale] : handles) EXPECT_FALSE(mixer.is_live(handle));
      const MixerStats stats = mixer.stats();
      EXPECT_EQ(stats.started, stats.ended + stats.stopped + stats.stolen);
      EXPECT_EQ(handles.size(), stats.started + stats.merged + stats.rejected + stats.invalid_events);
    }
  }
}

TEST(Voices, NullStaleAndForgedHandlesAreHarmless) {
  Mixer mixer(plain_options(), game_sounds());
  const VoiceHandle handle = mixer.play(event_of(SoundId::FrostHit));
  EXPECT_TRUE(mixer.is_live(handle));
  for (const VoiceHandle bad : {VoiceHandle{}, VoiceHandle{handle.index, handle.generation + 1}, VoiceHandle{~0u, ~0u}, VoiceHandle{12'345, 1}}) {
    EXPECT_FALSE(mixer.is_live(bad));
    EXPECT_FALSE(mixer.stop(bad));
    EXPECT_FALSE(mixer.fade_out(bad, 1.0f));
    EXPECT_FALSE(mixer.move(bad, 1.0f, 0.0f, 0.0f));
  }
  render_frames(mixer, 2 * kRate_hz);
  mixer.update();
  EXPECT_FALSE(mixer.stop(handle));
  const VoiceHandle next = mixer.play(event_of(SoundId::FrostHit));
  EXPECT_EQ(next.index, handle.index) << "the place is used again";
  EXPECT_FALSE(mixer.is_live(handle));
  EXPECT_TRUE(mixer.is_live(next));
}

TEST(Voices, StopIsNeverLostHoweverFullTheRing) {
  MixerOptions options = plain_options(64);
  options.command_ring = 16;
  TestBank bank;
  bank.set(SoundId::FireHit, std::vector<float>(20 * kRate_hz, 0.01f));
  Mixer mixer(options, bank);
  std::vector<VoiceHandle> handles;
  std::vector<float> block(2 * 64);
  for (u32 i = 0; i < 60; ++i) {
    handles.push_back(mixer.play(event_of(SoundId::FireHit)));
    if (i % 10 == 9) mixer.render(block);
  }
  EXPECT_EQ(mixer.stats().active, 60u);
  for (const VoiceHandle handle : handles) EXPECT_TRUE(mixer.stop(handle));
  EXPECT_FALSE(mixer.play(event_of(SoundId::FireHit))) << "a new sound is dropped and counted";
  EXPECT_EQ(mixer.stats().dropped_events, 1u);
  EXPECT_FALSE(mixer.move(handles[0], 1.0f, 0.0f, 0.0f));
  EXPECT_EQ(mixer.stats().dropped_moves, 1u);
  for (u32 i = 0; i < 6; ++i) {
    mixer.update();
    mixer.render(block);
  }
  mixer.update();
  EXPECT_EQ(mixer.stats().active, 0u);
  EXPECT_EQ(mixer.voices_out(), 0u);
  EXPECT_TRUE(mixer.play(event_of(SoundId::FireHit)));
}

TEST(Voices, StorageIsSwitchedWhileTheyPlay) {
  Mixer mixer(plain_options(8), game_sounds());
  for (u32 i = 0; i < 2'000; ++i) {
    mixer.set_storage(i % 3 == 0 ? VoiceStorage::Heap : VoiceStorage::Pool);
    mixer.play(event_of(static_cast<SoundId>(i % frame::kSoundCount), 0.5f));
    if (i % 4 == 0) render_frames(mixer, 100);
    mixer.update();
  }
  render_frames(mixer, 10 * kRate_hz);
  mixer.update();
  EXPECT_EQ(mixer.voices_out(), 0u);  // and ASan sees that each went where it came from
}

TEST(Voices, HandleStopsAndFadesItsVoice) {
  TestBank bank;
  bank.set(SoundId::FireHit, sine(220.0, 3.0, 0.5));
  Mixer mixer(plain_options(), bank);
  const VoiceHandle stopped = mixer.play(event_of(SoundId::FireHit));
  render_frames(mixer, 5'000);
  mixer.stop(stopped);
  render_frames(mixer, 200);
  EXPECT_EQ(signal::peak(render_frames(mixer, 2'000)), 0.0);
  const VoiceHandle faded = mixer.play(event_of(SoundId::FireHit));
  const double before = signal::rms(render_frames(mixer, 6'000));
  mixer.fade_out(faded, 0.5f);
  const double half = signal::rms(std::span<const float>(render_frames(mixer, 24'000)).subspan(2 * 11'000, 2 * 2'000));
  EXPECT_NEAR(half, 0.5 * before, 0.05 * before);
  render_frames(mixer, 2'000);
  EXPECT_EQ(mixer.stats().active, 0u);
  EXPECT_EQ(mixer.stats().stopped, 2u);
}

TEST(Voices, MoveIsHeardAndDoesNotClick) {
  TestBank bank;
  bank.set(SoundId::FireHit, sine(440.0, 3.0, 0.5));
  Mixer mixer(plain_options(), bank);
  const VoiceHandle voice = mixer.play_at(event_of(SoundId::FireHit, 1.0f, -500.0f), 0);
  mixer.move(voice, 0.5f, 500.0f, 0.0f, 10'000);
  const std::vector<float> out = render_frames(mixer, 24'000);
  const std::vector<float> left = signal::channel(out, 0), right = signal::channel(out, 1);
  EXPECT_GT(signal::rms(std::span(left).first(9'000)), 2.0 * signal::rms(std::span(right).first(9'000)));
  EXPECT_GT(signal::rms(std::span(right).subspan(12'000, 9'000)), 2.0 * signal::rms(std::span(left).subspan(12'000, 9'000)));
  EXPECT_LT(signal::energy_above_db(std::span(left).subspan(4'096, 16'384), 4'000.0, kRate_hz), -50.0);
}

TEST(Voices, GroupFaderScalesItsGroupAlone) {
  TestBank bank;
  bank.set(SoundId::FireHit, sine(220.0, 3.0, 0.3), 0, frame::SoundTraits{.group = frame::SoundGroup::Music});
  bank.set(SoundId::FrostHit, sine(3'000.0, 3.0, 0.3), 0, frame::SoundTraits{});
  Mixer mixer(plain_options(), bank);
  mixer.set_group_volume(frame::SoundGroup::Music, 0.25f);
  render_frames(mixer, 1'000);
  mixer.play(event_of(SoundId::FireHit));
  mixer.play(event_of(SoundId::FrostHit));
  const std::vector<float> left = signal::channel(render_frames(mixer, 20'000), 0);
  const std::vector<double> power = signal::power_spectrum(std::span(left).first(16'384));
  double low = 0, high = 0;
  for (std::size_t i = 0; i < power.size(); ++i) (i * kRate_hz / 16'384 < 1'000 ? low : high) += power[i];
  EXPECT_NEAR(std::sqrt(low / high), 0.25, 0.01);
}

TEST(Voices, AnotherBankIsTakenWhileTheyPlayAndTheOldOneIsFreed) {
  TestBank bank, other = bank;
  other.set(SoundId::FireHit, sine(220.0, 3.0, 0.5));
  std::weak_ptr<const SoundBank> old;
  Mixer mixer(plain_options(), bank);
  old = std::shared_ptr<const SoundBank>(bank);
  bank = TestBank(other);
  mixer.play(event_of(SoundId::FireHit));
  mixer.play(event_of(SoundId::CrystalChime));
  render_frames(mixer, 2'000);
  mixer.set_bank(other);
  render_frames(mixer, 600);
  EXPECT_EQ(mixer.stats().stopped, 1u) << "whose sound changed";
  EXPECT_EQ(mixer.stats().active, 1u) << "the other plays on";
  mixer.update();
  mixer.play(event_of(SoundId::FireHit));
  EXPECT_GT(signal::rms(render_frames(mixer, 60'000)), 0.1);
}

TEST(Voices, WhoIsOverHasEndedWhateverCommandComesFirst) {
  TestBank bank;
  bank.set(SoundId::FireHit, std::vector<float>(266, 0.5f));  // over ten frames into the second cell
  for (const std::size_t block : {64u, 512u}) {
    Mixer mixer(plain_options(4), bank);
    const VoiceHandle voice = mixer.play_at(event_of(SoundId::FireHit), 0);
    ASSERT_TRUE(mixer.stop(voice, 456));
    const std::vector<float> heard = render_frames(mixer, 1'024, block);
    EXPECT_EQ(mixer.stats().ended, 1u) << block;
    EXPECT_EQ(mixer.stats().stopped, 0u) << block;
    EXPECT_EQ(signal::peak(std::span(heard).subspan(2 * (266 + Mixer::latency_frames()))), 0.0) << block << ": no tail";
  }
}

TEST(Voices, MostAtOnceIsKeptToAndLouderOnesReplaceTheLeast) {
  TestBank bank;
  bank.set(SoundId::FireHit, sine(220.0, 3.0, 0.3), 0, frame::SoundTraits{.most_at_once = 3, .retrigger_ms = 0});
  MixerOptions options = plain_options(16);
  options.merge = true;
  for (const std::size_t before : {0u, 480'000u}) {  // soon, and when the stream is older than the sound is long
    Mixer mixer(options, bank);
    render_frames(mixer, before);
    for (const float gain : {0.5f, 0.2f, 0.7f}) mixer.play(event_of(SoundId::FireHit, gain));
    mixer.play(event_of(SoundId::FireHit, 0.1f));
    render_frames(mixer, 300);
    EXPECT_EQ(mixer.stats().active, 3u);
    EXPECT_EQ(mixer.stats().merged, 1u);
    mixer.play(event_of(SoundId::FireHit, 0.6f));
    AudioEvent beside = event_of(SoundId::FireHit, 0.6f);
    beside.unmerged = true;
    render_frames(mixer, 300);
    EXPECT_EQ(mixer.stats().active, 3u);
    EXPECT_EQ(mixer.stats().started, 4u) << "louder than the least, after " << before << " frames";
    mixer.play(beside);
    render_frames(mixer, 300);
    EXPECT_EQ(mixer.stats().active, 4u) << "asked for in any case";
  }
}

// ---- The panel's rows -----------------------------------------------------------------------------------------------

TEST(Voices, BoardTellsWhoPlaysAndWhoStoleFromWhom) {
  TestBank bank;
  bank.set(SoundId::FireHit, sine(220.0, 3.0, 0.5), 0, frame::SoundTraits{.priority = 2});
  bank.set(SoundId::FrostHit, sine(220.0, 3.0, 0.5), 0, frame::SoundTraits{.kept = true});
  Mixer mixer(plain_options(2), bank);
  EXPECT_TRUE(mixer.board().empty());
  mixer.show_board(true);
  mixer.play(event_of(SoundId::FrostHit, 0.1f));
  mixer.play(event_of(SoundId::FireHit, 0.3f));
  render_frames(mixer, 4'800);
  std::span<const frame::VoiceRow> rows = mixer.board();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].sound, SoundId::FrostHit);
  EXPECT_TRUE(rows[0].kept);
  EXPECT_EQ(rows[1].sound, SoundId::FireHit);
  EXPECT_EQ(rows[1].priority, 2);
  EXPECT_NEAR(rows[1].age_s, 0.1f, 0.02f);
  EXPECT_NEAR(rows[1].level, 0.3f * 0.5f * 0.7071f, 0.01f);
  EXPECT_EQ(rows[1].stole_from, 0u);
  mixer.play(event_of(SoundId::FireHit, 0.9f));
  render_frames(mixer, 480);
  rows = mixer.board();
  EXPECT_EQ(rows[1].stole_from, 2u);
  EXPECT_EQ(rows[1].victim, SoundId::FireHit);
  EXPECT_EQ(rows[1].serial, 3u);
  mixer.set_policy(VoicePolicy::Virtual);
  mixer.play(event_of(SoundId::FireHit, 0.2f));
  render_frames(mixer, 480);
  rows = mixer.board();
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[2].state, frame::VoiceRow::State::Virtual);
  EXPECT_EQ(rows[2].level, 0.0f);
}

// ---- Real time ------------------------------------------------------------------------------------------------------

// SDL_mixer allocates 129 times in one callback; SoLoud frees in it.
TEST(Voices, AHundredThousandCallbacksAllocateAndFreeNothing) {
  for (const VoiceStorage storage : {VoiceStorage::Pool, VoiceStorage::Heap}) {
    MixerOptions options = plain_options(16);
    options.storage = storage;
    options.most_virtual = 64;
    Mixer mixer(options, game_sounds());
    mixer.set_next_serial(1'035'000);  // ages are counted anew on the way
    mixer.show_board(true);
    std::vector<float> block(2 * 32);
    Rng rng(6);
    u64 in_callbacks = 0;
    for (u32 i = 0; i < 50'000; ++i) {
      if (i % 4 == 0) mixer.play(event_of(static_cast<SoundId>(rng.below(frame::kSoundCount)), rng.unit()));
      if (i % 5'000 == 77) {
        for (u32 k = 0; k < 200; ++k) mixer.play(event_of(static_cast<SoundId>(rng.below(frame::kSoundCount)), rng.unit()));
      }
      if (i % 1'000 == 500) mixer.set_policy(static_cast<VoicePolicy>(rng.below(5)));
      if (i % 900 == 3) mixer.set_slots(1 + rng.below(100));
      const u64 before = allocation_count();
      mixer.render(block);
      in_callbacks += allocation_count() - before;
      mixer.update();
      mixer.board();
    }
    EXPECT_EQ(in_callbacks, 0u);
    EXPECT_GT(mixer.stats().started, 5'000u);
  }
}

TEST(Voices, PooledPlaysAllocateNothingAndHeapOnesOnTheGamesThreadOnly) {
  for (const VoiceStorage storage : {VoiceStorage::Pool, VoiceStorage::Heap}) {
    MixerOptions options = plain_options(8);
    options.storage = storage;
    Mixer mixer(options, game_sounds());
    std::vector<float> block(2 * 256);
    u64 allocated = 0, plays = 0;
    for (u32 i = 0; i < 2'000; ++i) {
      const u64 before = allocation_count();
      plays += mixer.play(event_of(SoundId::FrostHit, 0.5f)) ? 1 : 0;
      allocated += allocation_count() - before;
      mixer.render(block);
      mixer.update();
    }
    EXPECT_EQ(allocated, storage == VoiceStorage::Heap ? plays : 0u);
  }
}

// For the tsan preset: everything of both threads at once.
TEST(Voices, GameAndAudioThreadsShareNothingButRings) {
  MixerOptions options = plain_options(8);
  options.command_ring = 128;
  options.most_virtual = 32;
  TestBank bank, other = bank;
  other.set(SoundId::FireHit, sine(220.0, 1.0, 0.5));
  Mixer mixer(options, bank);
  mixer.show_board(true);
  std::atomic<bool> done{false}, good{true};
  std::thread audio([&] {
    std::vector<float> block(2 * 240);
    while (!done.load()) {
      mixer.render(block);
      if (!signal::all_finite(block) || signal::peak(block) > 1.0) good.store(false);
    }
    for (u32 i = 0; i < 3; ++i) mixer.render(block);
  });
  Rng rng(8);
  std::vector<VoiceHandle> handles(64);
  for (u32 i = 0; i < 20'000; ++i) {
    VoiceHandle& handle = handles[rng.below(64)];
    switch (rng.below(8)) {
      case 0: mixer.stop(handle); break;
      case 1: mixer.move(handle, rng.unit(), 400.0f * rng.signed_unit(), 0.0f); break;
      case 2: mixer.fade_out(handle, 0.05f); break;
      default: handle = mixer.play(event_of(static_cast<SoundId>(rng.below(frame::kSoundCount)), rng.unit()));
    }
    if (i % 200 == 0) mixer.set_policy(static_cast<VoicePolicy>(rng.below(5)));
    if (i % 150 == 0) mixer.set_slots(1 + rng.below(30));
    if (i % 97 == 0) mixer.set_storage(i % 2 == 0 ? VoiceStorage::Heap : VoiceStorage::Pool);
    if (i % 501 == 0) mixer.set_bank(i % 2 == 0 ? bank : other);
    if (i % 33 == 0) mixer.set_group_volume(frame::SoundGroup::Effects, rng.unit());
    mixer.update();
    for (const frame::VoiceRow& row : mixer.board()) {
      if (row.state != frame::VoiceRow::State::Free && row.serial == 0) good.store(false);
    }
    if (i % 16 == 0) std::this_thread::yield();
  }
  for (u32 i = 0; i < 200; ++i) {
    mixer.update();
    std::this_thread::yield();
  }
  done.store(true);
  audio.join();
  EXPECT_TRUE(good.load());
  const MixerStats stats = mixer.stats();
  EXPECT_EQ(stats.started, stats.ended + stats.stopped + stats.stolen + stats.active + stats.virtual_voices);
}

}  // namespace
}  // namespace spellpool::audio
