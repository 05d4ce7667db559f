// Combo, runes, finale, and the 60-second round.
#include <gtest/gtest.h>

#include "core/det_math.hpp"
#include "play_stage.hpp"

namespace spellpool::sim {
namespace {

using frame::SoundId;
using Phase = frame::ChallengeView::Phase;

void hit(Stage& stage, u8 spell = 0, u32 points = 10) { stage.challenge.on_hit(spell, points, 10.0f, 20.0f, stage.effects); }
/// Hits of four spells in turn that each add to the combo, as fast as that is possible.
void fill(Stage& stage, u32 combo) {
  while (stage.challenge.combo() < combo && !stage.challenge.in_finale()) {
    hit(stage, static_cast<u8>(stage.challenge.combo() % 4));
    stage.run(Challenge::kBeat_steps);
  }
}
/// Steps until the phase changes.
u32 lasts(Stage& stage) {
  const Phase phase = stage.challenge.view().phase;
  u32 steps = 0;
  while (stage.challenge.view().phase == phase && steps < 10'000) {
    stage.next();
    ++steps;
  }
  return steps;
}

TEST(Challenge, ARoundIsThreeSecondsSixtyAndThree) {
  Stage stage;
  EXPECT_EQ(stage.challenge.view().phase, Phase::Free);
  EXPECT_TRUE(stage.challenge.press(stage.effects)) << "a round begins";
  EXPECT_EQ(stage.challenge.view().phase, Phase::Countdown);
  EXPECT_EQ(stage.challenge.view().left_s, 3.0f);
  EXPECT_EQ(lasts(stage), 180u);
  EXPECT_EQ(stage.challenge.view().phase, Phase::Running);
  EXPECT_EQ(stage.challenge.view().left_s, 60.0f);
  EXPECT_EQ(lasts(stage), 3600u);
  EXPECT_EQ(stage.challenge.view().phase, Phase::Over);
  EXPECT_EQ(stage.challenge.view().finished, 0u);
  EXPECT_EQ(lasts(stage), 180u);
  EXPECT_EQ(stage.challenge.view().phase, Phase::Free);
  EXPECT_EQ(stage.challenge.view().finished, 1u);
}

TEST(Challenge, ItsSoundsMarkTheSeconds) {
  Stage stage;
  stage.challenge.press(stage.effects);
  std::vector<u32> ticks, starts, ends;  // steps since the press
  for (u32 i = 1; i <= 4000; ++i) {
    stage.next();
    if (stage.heard(SoundId::ChallengeTick) > 0) ticks.push_back(i);
    if (stage.heard(SoundId::ChallengeStart) > 0) starts.push_back(i);
    if (stage.heard(SoundId::ChallengeEnd) > 0) ends.push_back(i);
  }
  EXPECT_EQ(ticks, (std::vector<u32>{1, 61, 121, 3481, 3541, 3601, 3661, 3721}));
  EXPECT_EQ(starts, (std::vector<u32>{180}));
  EXPECT_EQ(ends, (std::vector<u32>{3780}));
}

TEST(Challenge, PressingAgainEndsItEarlyAndKeepsTheResult) {
  Stage stage;
  stage.start_round();
  hit(stage);
  stage.run(100);
  EXPECT_FALSE(stage.challenge.press(stage.effects));
  EXPECT_EQ(stage.challenge.view().phase, Phase::Over);
  EXPECT_FALSE(stage.challenge.press(stage.effects)) << "in the pause it does nothing";
  EXPECT_EQ(lasts(stage), 180u);
  EXPECT_EQ(stage.challenge.view().finished, 1u);
  stage.run(1000);
  EXPECT_EQ(stage.challenge.view().result.score, 10u);
  EXPECT_EQ(stage.challenge.view().result.hits, 1u);
  EXPECT_EQ(stage.challenge.view().result.best_combo, 1u);
  EXPECT_TRUE(stage.challenge.press(stage.effects));
  EXPECT_EQ(stage.challenge.view().result.score, 0u) << "a new one begins at nothing";
}

TEST(Challenge, PressingInTheCountdownCallsItOff) {
  Stage stage;
  stage.challenge.press(stage.effects);
  stage.run(60);
  EXPECT_FALSE(stage.challenge.press(stage.effects));
  EXPECT_EQ(stage.challenge.view().phase, Phase::Free);
  stage.run(1000);
  EXPECT_EQ(stage.challenge.view().finished, 0u);
}

TEST(Challenge, OnlyARunningRoundCountsPoints) {
  Stage stage;
  hit(stage);
  EXPECT_EQ(stage.score(), 0u);
  EXPECT_EQ(stage.challenge.combo(), 1u) << "the runes are there for everybody";
  stage.challenge.press(stage.effects);
  EXPECT_EQ(stage.challenge.combo(), 0u);
  stage.run(20);
  hit(stage);
  EXPECT_EQ(stage.challenge.combo(), 0u) << "too early";
  stage.run(160);
  hit(stage);
  EXPECT_EQ(stage.score(), 10u);
  stage.challenge.press(stage.effects);
  hit(stage);
  EXPECT_EQ(stage.score(), 10u) << "too late";
}

TEST(Challenge, RunesMultiplyPointsAndAnotherSpellDoublesThem) {
  Stage stage;
  stage.start_round();
  auto worth = [&](u8 spell) {
    const u64 before = stage.score();
    hit(stage, spell);
    return stage.score() - before;
  };
  EXPECT_EQ(worth(0), 10u) << "the first hit differs from none";
  EXPECT_EQ(worth(0), 10u);
  EXPECT_EQ(worth(1), 20u);
  EXPECT_EQ(worth(1), 10u);
  for (u32 runes = 1; runes < Challenge::kRunes; ++runes) {
    fill(stage, Challenge::hits_for(runes));
    ASSERT_EQ(stage.challenge.runes(), runes);
    const u32 multiplier = 1 + runes / 3;
    EXPECT_EQ(stage.challenge.view().multiplier, multiplier);
    // fill() ends a beat after its last hit: let the next ones add nothing to the combo.
    const u8 spell = runes % 2 == 0 ? 3 : 4;
    hit(stage, 0);
    if (stage.challenge.runes() != runes) break;
    EXPECT_EQ(worth(0), 10u * multiplier);
    EXPECT_EQ(worth(spell), 20u * multiplier);
    stage.run(Challenge::kBeat_steps);
  }
  fill(stage, Challenge::hits_for(Challenge::kRunes));
  ASSERT_TRUE(stage.challenge.in_finale());
  EXPECT_EQ(stage.challenge.view().multiplier, 10u);
  worth(0);
  EXPECT_EQ(worth(0), 100u);
  EXPECT_EQ(worth(5), 200u);
}

TEST(Combo, HitsOfOneBeatCountOnce) {
  Stage stage;
  for (u32 i = 0; i < 50; ++i) hit(stage);
  EXPECT_EQ(stage.challenge.combo(), 1u);
  stage.run(Challenge::kBeat_steps - 1);
  hit(stage);
  EXPECT_EQ(stage.challenge.combo(), 1u);
  stage.run(1);
  hit(stage);
  EXPECT_EQ(stage.challenge.combo(), 2u);
}

TEST(Combo, LightsTheRunesOneByOneEachHigher) {
  Stage stage;
  std::vector<float> pitches;
  for (u32 combo = 1; combo <= Challenge::hits_for(Challenge::kRunes); ++combo) {
    hit(stage, static_cast<u8>(combo % 4));
    ASSERT_EQ(stage.challenge.combo(), combo);
    u32 runes = 0;
    while (runes < Challenge::kRunes && combo >= Challenge::hits_for(runes + 1)) ++runes;
    ASSERT_EQ(stage.challenge.runes(), runes);
    ASSERT_EQ(stage.challenge.view().runes, runes);
    for (const frame::AudioEvent& event : stage.effects.sounds()) {
      if (event.sound != SoundId::RuneLight) continue;
      float x, y;
      Challenge::rune_place(static_cast<u32>(pitches.size()), x, y);
      EXPECT_EQ(event.x, x);
      EXPECT_EQ(event.y, y);
      pitches.push_back(event.pitch_steps);
    }
    stage.run(Challenge::kBeat_steps);
  }
  ASSERT_EQ(pitches.size(), 12u);
  for (std::size_t i = 1; i < pitches.size(); ++i) EXPECT_GT(pitches[i], pitches[i - 1]);
  EXPECT_TRUE(stage.challenge.in_finale());
}

TEST(Combo, RunesGoOutOneByOneAfterTheWindow) {
  Stage stage;
  fill(stage, Challenge::hits_for(4));
  ASSERT_EQ(stage.challenge.runes(), 4u);
  std::vector<u32> fades;
  for (u32 i = Challenge::kBeat_steps + 1; i < 1000 && stage.challenge.combo() > 0; ++i) {
    const u32 before = stage.challenge.runes();
    stage.next();
    EXPECT_LE(before - stage.challenge.runes(), 1u);
    if (stage.challenge.runes() < before) {
      fades.push_back(i);
      EXPECT_EQ(stage.heard(SoundId::RuneFade), 1u);
    }
  }
  EXPECT_EQ(fades, (std::vector<u32>{210, 246, 282, 318}));
  EXPECT_EQ(stage.challenge.combo(), 0u);
}

TEST(Combo, AHitStopsTheFall) {
  Stage stage;
  fill(stage, Challenge::hits_for(6));
  stage.run(220 - Challenge::kBeat_steps);
  ASSERT_EQ(stage.challenge.runes(), 5u);
  hit(stage);
  EXPECT_EQ(stage.challenge.runes(), 6u) << "just below the rune that went out";
  stage.run(205);
  EXPECT_EQ(stage.challenge.runes(), 6u);
  EXPECT_LT(stage.challenge.view().combo_left, 0.05f);
  stage.run(10);
  EXPECT_EQ(stage.challenge.runes(), 5u);
}

/// Seconds until all runes burn, or 0, for a player who hits so often with so many spells in turn.
double finale_after_s(double hits_per_s, u32 spells = 4) {
  Stage stage;
  stage.start_round();
  double due = 0.0;
  u32 count = 0;
  for (u32 i = 0; i < 3600; ++i) {
    due += hits_per_s / 60.0;
    for (; due >= 1.0; due -= 1.0) hit(stage, static_cast<u8>(count++ % spells));
    if (stage.challenge.in_finale()) return i / 60.0;
    stage.next();
  }
  return 0.0;
}

TEST(Combo, ADecentPlayerSeesTheFinaleAndALazyOneDoesNot) {
  EXPECT_EQ(finale_after_s(0.4), 0.0);
  EXPECT_EQ(finale_after_s(1.0), 0.0);
  EXPECT_GT(finale_after_s(2.0), 25.0);
  EXPECT_LT(finale_after_s(2.0), 41.0);
  EXPECT_GT(finale_after_s(3.0), 20.0);
  EXPECT_GT(finale_after_s(100.0), 14.0) << "the best";
}

TEST(Combo, OneSpellLightsHalfTheRunesAndTheFinaleTakesFour) {
  for (u32 spells = 1; spells <= 4; ++spells) {
    Stage stage;
    for (u32 i = 0; i < 2 * Challenge::hits_for(Challenge::kRunes) && !stage.challenge.in_finale(); ++i) {
      hit(stage, static_cast<u8>(i % spells));
      EXPECT_EQ(stage.challenge.view().wants_spell,
                stage.challenge.combo() >= Challenge::hits_for(stage.challenge.runes() + 1) &&
                    !stage.challenge.in_finale());
      stage.run(Challenge::kBeat_steps);
    }
    EXPECT_EQ(stage.challenge.runes(), 4 + 2 * spells) << spells << " spells";
    EXPECT_EQ(stage.challenge.in_finale(), spells == 4);
    if (spells == 3) {
      EXPECT_EQ(finale_after_s(100.0, spells), 0.0);
    }
  }
}

TEST(Combo, AnotherSpellLightsItsRunesAtOnceAndANewComboForgetsTheSpells) {
  Stage stage;
  for (u32 i = 0; i < Challenge::hits_for(8); ++i) {
    hit(stage, 0);
    stage.run(Challenge::kBeat_steps);
  }
  ASSERT_EQ(stage.challenge.runes(), 6u);
  EXPECT_TRUE(stage.challenge.view().wants_spell);
  hit(stage, 0);
  hit(stage, 3);  // within the beat: the combo stays, but the spell counts
  EXPECT_EQ(stage.challenge.runes(), 8u);
  EXPECT_EQ(stage.heard(SoundId::RuneLight), 2u);
  stage.run(60 * 60);
  ASSERT_EQ(stage.challenge.combo(), 0u);
  for (u32 i = 0; i < Challenge::hits_for(8); ++i) {
    hit(stage, 0);
    stage.run(Challenge::kBeat_steps);
  }
  EXPECT_EQ(stage.challenge.runes(), 6u);
}

// ---------------------------------------------------------------------------------------------------- finale

TEST(Finale, LastsEightSecondsAndTheRunesStartAgain) {
  Stage stage;
  stage.start_round();
  fill(stage, Challenge::hits_for(Challenge::kRunes));
  ASSERT_TRUE(stage.challenge.in_finale());
  EXPECT_EQ(stage.challenge.view().result.finales, 1u);
  u32 steps = Challenge::kBeat_steps, bursts = 0;
  while (stage.challenge.in_finale() && steps < 1000) {
    EXPECT_EQ(stage.challenge.runes(), 12u);
    stage.next();
    bursts += stage.heard(SoundId::FinaleBurst);
    ++steps;
  }
  EXPECT_EQ(steps, 480u);
  EXPECT_GE(bursts, 12u) << "one every half second, but for the ebb";
  EXPECT_EQ(stage.challenge.runes(), 0u);
  EXPECT_EQ(stage.challenge.combo(), 0u);
  fill(stage, Challenge::hits_for(Challenge::kRunes));
  EXPECT_EQ(stage.challenge.view().result.finales, 2u);
}

TEST(Finale, HasTwentyThousandSparksAtItsHeightAndNotBefore) {
  Stage stage;
  stage.with_particles = true;
  u32 before = 0;
  while (!stage.challenge.in_finale()) {
    before = std::max(before, stage.particles.stats().live);
    hit(stage, static_cast<u8>(stage.challenge.combo() % 4));
    stage.run(Challenge::kBeat_steps);
  }
  EXPECT_LT(before, 1000u) << "wisps, runes and twinkles";
  u32 least = 100'000, most = 0, steepest = 0;
  u32 last = stage.particles.stats().live;
  for (u32 i = Challenge::kBeat_steps; i < 480; ++i) {
    stage.next();
    const u32 live = stage.particles.stats().live;
    if (i >= 150 && i < 370) {
      least = std::min(least, live);
      most = std::max(most, live);
    }
    if (i < 25 && live > last) steepest = std::max(steepest, live - last);
    last = live;
  }
  EXPECT_GT(least, 17'000u);
  EXPECT_LT(most, 21'500u) << "with room for the spells that are cast meanwhile";
  EXPECT_LT(steepest, 250u) << "it swells, it does not pop";
  EXPECT_EQ(stage.particles.stats().rejected, 0u);
  stage.run(150);
  EXPECT_LT(stage.particles.stats().live, 1200u) << "and it settles";
}

TEST(Finale, WhatIsDrawnEases) {
  Stage stage;
  float lit = stage.challenge.runes_lit(), glow = stage.challenge.finale(), most_lit = 0, most_glow = 0;
  for (u32 i = 0; i < 3000; ++i) {
    if (i < 1000) hit(stage, static_cast<u8>(i % 4));
    stage.next();
    ASSERT_LT(std::abs(stage.challenge.finale() - glow), 0.0401f);
    ASSERT_LT(std::abs(stage.challenge.runes_lit() - lit), 0.8f);
    lit = stage.challenge.runes_lit();
    glow = stage.challenge.finale();
    most_lit = std::max(most_lit, lit);
    most_glow = std::max(most_glow, glow);
  }
  EXPECT_NEAR(most_lit, 12.0f, 0.05f);
  EXPECT_NEAR(most_glow, 1.0f, 0.001f);
  EXPECT_NEAR(glow, 0.0f, 0.001f);
  EXPECT_NEAR(lit, 0.0f, 0.05f);
}

TEST(Finale, EndsWhenAnotherRoundStartsAndFadesOut) {
  Stage stage;
  fill(stage, Challenge::hits_for(Challenge::kRunes));
  stage.run(200);
  ASSERT_GT(stage.challenge.finale(), 0.9f);
  stage.challenge.press(stage.effects);
  EXPECT_FALSE(stage.challenge.in_finale());
  EXPECT_EQ(stage.challenge.runes(), 0u);
  stage.next();
  EXPECT_GT(stage.challenge.finale(), 0.8f);
  stage.run(60);
  EXPECT_EQ(stage.challenge.finale(), 0.0f);
}

TEST(Challenge, TheHashFeelsComboPhaseAndScore) {
  Stage a, b;
  hit(a);
  EXPECT_NE(a.hash(), b.hash());
  Stage c, d;
  c.challenge.press(c.effects);
  EXPECT_NE(c.hash(), d.hash());
  Stage e, f;
  e.start_round();
  f.start_round();
  hit(e, 0, 10);
  hit(f, 0, 15);
  EXPECT_NE(e.hash(), f.hash());
}

TEST(Challenge, AStepAllocatesNothing) {
  Stage stage;
  stage.start_round();
  const u64 before = test::new_calls();
  for (u32 i = 0; i < 3800; ++i) {
    hit(stage, static_cast<u8>(i % 8));
    stage.next();
  }
  EXPECT_EQ(test::new_calls() - before, 0u);
  EXPECT_GE(stage.challenge.view().result.finales, 2u);
}

}  // namespace
}  // namespace spellpool::sim
