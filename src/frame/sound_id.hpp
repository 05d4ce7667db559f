#pragma once
#include <array>
#include <string_view>

#include "core/enum_table.hpp"

namespace spellpool::frame {

/// Every sound. assets/sounds has a recipe for each, and spell files name them. Only the panels use the menu
/// sounds; only audio/music uses the music sounds.
enum class SoundId : u8 {
  FireCast, FireHit, FrostCast, FrostHit, VortexOpen, VortexClose, CrystalChime, CrystalShatter, DummyHit, SpellSelect,
  ChainCast, ChainHit, MeteorCall, MeteorImpact, StoneBounce, FogCast, FogBubble, MotesCast, MotesHeal, StarCast, StarLand,
  ChargeFull, WispScatter, WispReturn, RuneLight, RuneFade, ChallengeTick, ChallengeStart, ChallengeEnd, Finale, FinaleBurst,
  Shot, EnemyHit, EnemyPop, Graze, Pickup, PowerUp, Bomb, ShipLost, ShieldBreak, BossAppear, PhaseClear, StageClear,
  LaserWarn, LaserBurn, ContinueTick,
  UiMove, UiAccept, UiBack, UiToggle, UiRefuse, Pause, Resume, Rewind,
  MusicPad, MusicLow, MusicBell, MusicPluck, MusicReed, MusicAir, MusicPulse,
};

struct SoundName {
  SoundId id;
  std::string_view name;
  std::string_view description;
};

inline constexpr std::array kSounds = {
    SoundName{SoundId::FireCast, "fire_cast", "a short warm whoosh with a crackle"},
    SoundName{SoundId::FireHit, "fire_hit", "a low soft burst"},
    SoundName{SoundId::FrostCast, "frost_cast", "an airy glass swell"},
    SoundName{SoundId::FrostHit, "frost_hit", "a bright icy tick"},
    SoundName{SoundId::VortexOpen, "vortex_open", "a deep slow hum that bends upward"},
    SoundName{SoundId::VortexClose, "vortex_close", "the hum folding in on itself"},
    SoundName{SoundId::CrystalChime, "crystal_chime", "a bell from the pentatonic scale"},
    SoundName{SoundId::CrystalShatter, "crystal_shatter", "a falling handful of bells"},
    SoundName{SoundId::DummyHit, "dummy_hit", "a dry thump of straw"},
    SoundName{SoundId::SpellSelect, "spell_select", "a small tick"},
    SoundName{SoundId::ChainCast, "chain_cast", "a tight bright snap with a tail of static"},
    SoundName{SoundId::ChainHit, "chain_hit", "a short zap"},
    SoundName{SoundId::MeteorCall, "meteor_call", "a low swell that falls from far above"},
    SoundName{SoundId::MeteorImpact, "meteor_impact", "the lowest and longest boom"},
    SoundName{SoundId::StoneBounce, "stone_bounce", "a dull knock of stone"},
    SoundName{SoundId::FogCast, "fog_cast", "a soft hiss that spreads"},
    SoundName{SoundId::FogBubble, "fog_bubble", "a small wet pop"},
    SoundName{SoundId::MotesCast, "motes_cast", "a warm rising third"},
    SoundName{SoundId::MotesHeal, "motes_heal", "a gentle glow of two notes"},
    SoundName{SoundId::StarCast, "star_cast", "a high glitter that opens"},
    SoundName{SoundId::StarLand, "star_land", "a small star's bell"},
    SoundName{SoundId::ChargeFull, "charge_full", "a clear ping: the charge is full"},
    SoundName{SoundId::WispScatter, "wisp_scatter", "a flutter of light notes"},
    SoundName{SoundId::WispReturn, "wisp_return", "the flutter backwards, softly"},
    SoundName{SoundId::RuneLight, "rune_light", "a rune catches fire: one note of the scale, higher for each"},
    SoundName{SoundId::RuneFade, "rune_fade", "a rune goes out: a breath"},
    SoundName{SoundId::ChallengeTick, "challenge_tick", "a wooden tick of the countdown"},
    SoundName{SoundId::ChallengeStart, "challenge_start", "a bright open fifth"},
    SoundName{SoundId::ChallengeEnd, "challenge_end", "a slow chord that settles"},
    SoundName{SoundId::Finale, "finale", "all runes burn: a long rising chord"},
    SoundName{SoundId::FinaleBurst, "finale_burst", "a wide soft burst with bells"},
    SoundName{SoundId::Shot, "shot", "the ship's shot: a very soft tap"},
    SoundName{SoundId::EnemyHit, "enemy_hit", "a tiny tap on paper"},
    SoundName{SoundId::EnemyPop, "enemy_pop", "a paper lantern pops; higher along the chain"},
    SoundName{SoundId::Graze, "graze", "a glassy tick"},
    SoundName{SoundId::Pickup, "pickup", "a small octave upward"},
    SoundName{SoundId::PowerUp, "power_up", "four quick steps up, warm"},
    SoundName{SoundId::Bomb, "bomb", "a low, long, wide bloom"},
    SoundName{SoundId::ShipLost, "ship_lost", "a chord that falls apart"},
    SoundName{SoundId::ShieldBreak, "shield_break", "thin glass breaks over a dull knock"},
    SoundName{SoundId::BossAppear, "boss_appear", "a great gong, bowed"},
    SoundName{SoundId::PhaseClear, "phase_clear", "open fifths that flash upward over a soft boom"},
    SoundName{SoundId::StageClear, "stage_clear", "a slow rising chord in the light"},
    SoundName{SoundId::LaserWarn, "laser_warn", "a thin trembling rise"},
    SoundName{SoundId::LaserBurn, "laser_burn", "a warm hum with a sizzle"},
    SoundName{SoundId::ContinueTick, "continue_tick", "a wooden clock, a second less"},
    SoundName{SoundId::UiMove, "ui_move", "the next button: a fingertip on wood"},
    SoundName{SoundId::UiAccept, "ui_accept", "yes: two soft notes up"},
    SoundName{SoundId::UiBack, "ui_back", "back: the two notes down"},
    SoundName{SoundId::UiToggle, "ui_toggle", "a small switch"},
    SoundName{SoundId::UiRefuse, "ui_refuse", "not now: a muffled knock, twice"},
    SoundName{SoundId::Pause, "pause", "the night holds its breath"},
    SoundName{SoundId::Resume, "resume", "and lets it go"},
    SoundName{SoundId::Rewind, "rewind", "time runs backward: soft swells that break off, again and again"},
    SoundName{SoundId::MusicPad, "music_pad", "a slow warm swell, for chords"},
    SoundName{SoundId::MusicLow, "music_low", "a deep string, bowed"},
    SoundName{SoundId::MusicBell, "music_bell", "a far bell"},
    SoundName{SoundId::MusicPluck, "music_pluck", "a plucked string"},
    SoundName{SoundId::MusicReed, "music_reed", "a breathy reed that holds a note"},
    SoundName{SoundId::MusicAir, "music_air", "wind over the grass"},
    SoundName{SoundId::MusicPulse, "music_pulse", "a soft drum, far away"},
};
inline constexpr std::size_t kSoundCount = kSounds.size();
static_assert(rows_in_order(kSounds));

}  // namespace spellpool::frame
