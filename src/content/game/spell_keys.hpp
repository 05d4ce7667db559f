#pragma once
// The keys of a spell file: one table for the spell, one for each [emitter.NAME]. Reading, writing, range checks, "did
// you mean" and the help at the head of every spell file are all made from these rows.
#include <array>
#include <string_view>
#include <variant>

#include "frame/defs/file_key.hpp"
#include "frame/defs/spell_def.hpp"

namespace spellpool::content {

/// Keys that are no plain member: the spell's hue (three floats) and the list of its emitters.
struct HueKey {};
struct EmitterListKey {};
/// `colour`: one colour in place of a curve.
struct SingleColourKey {};

using SpellKey =
    frame::FileKey<frame::SpellDef, float frame::SpellDef::*, u32 frame::SpellDef::*, std::string frame::SpellDef::*,
            frame::SpellBehaviour frame::SpellDef::*, frame::SoundId frame::SpellDef::*, HueKey, EmitterListKey>;
using EmitterKey = frame::FileKey<frame::EmitterDef, float frame::EmitterDef::*, frame::Range frame::EmitterDef::*,
                                  u32 frame::EmitterDef::*, frame::EmitShape frame::EmitterDef::*,
                                  frame::ParticleShape frame::EmitterDef::*, frame::ParticleLayer frame::EmitterDef::*,
                                  frame::BounceOn frame::EmitterDef::*, std::string frame::EmitterDef::*,
                                  std::vector<frame::CurveKey> frame::EmitterDef::*,
                                  std::vector<frame::ColourKey> frame::EmitterDef::*, SingleColourKey>;

inline constexpr std::size_t kMaxCurveKeys = 8;
inline constexpr std::size_t kMaxTitleBytes = 64;

inline const std::array kSpellKeys = {
    SpellKey{"title", &frame::SpellDef::title, 0, 0, true, "name in the spell bar"},
    SpellKey{"behaviour", &frame::SpellDef::behaviour, 0, 0, true,
             "bolt, nova, chain, vortex, meteor, fog, motes or starfall"},
    SpellKey{"colour", HueKey{}, 0, 0, true, "hue of its light, its button and the staff"},
    SpellKey{"cooldown_s", &frame::SpellDef::cooldown_s, 0, 60, true, "seconds between two casts"},
    SpellKey{"windup_s", &frame::SpellDef::windup_s, 0, 5, false, "seconds of gathering before it happens"},
    SpellKey{"charge_s", &frame::SpellDef::charge_s, 0, 10, false,
             "holding the button so much longer charges it fully"},
    SpellKey{"charged", &frame::SpellDef::charged, 1, 10, false,
             "factor of a full charge on power and count, its root on radius"},
    SpellKey{"follow_s", &frame::SpellDef::follow_s, 0, 10, false,
             "seconds that 'follow' runs at the staff afterwards"},
    SpellKey{"speed", &frame::SpellDef::speed, 0, 5000, false, "of what flies or falls, units a second"},
    SpellKey{"radius", &frame::SpellDef::radius, 1, 2000, true,
             "bolt: of its hit; nova: reach; chain: longest leap; vortex: pull;\n"
             "meteor: of its shock ring; fog, motes: of the cloud, of the circle;\n"
             "starfall: where stars may land"},
    SpellKey{"duration_s", &frame::SpellDef::duration_s, 0.05, 60, true,
             "bolt: longest flight; nova, meteor: the ring's time to full reach;\n"
             "chain: of the after-image; vortex, fog, motes, starfall: life"},
    SpellKey{"power", &frame::SpellDef::power, 0, 1000, false, "damage; vortex and fog: each second"},
    SpellKey{"count", &frame::SpellDef::count, 1, 64, false, "chain: leaps; motes: homing sparks; starfall: stars"},
    SpellKey{"pull", &frame::SpellDef::pull, -20000, 20000, false, "vortex: acceleration of all that flies inside"},
    SpellKey{"light", &frame::SpellDef::light, 0, 20, false, "light that it throws on the ground"},
    SpellKey{"shake", &frame::SpellDef::shake, 0, 1, false, "shake of the camera on a hit"},
    SpellKey{"sound_cast", &frame::SpellDef::sound_cast, 0, 0, false,
             "sound of the cast; `spellpool --list sounds` names them all"},
    SpellKey{"sound_hit", &frame::SpellDef::sound_hit, 0, 0, false, "sound of the hit, or of the vortex's end"},
    SpellKey{"emitters", EmitterListKey{}, 0, 0, true, "names every [emitter.NAME] below"},
};

inline const std::array kEmitterKeys = {
    EmitterKey{"burst", &frame::EmitterDef::burst, 0, 100000, false, "particles at once"},
    EmitterKey{"rate_per_s", &frame::EmitterDef::rate_per_s, 0, 1e6, false, "particles a second while it runs"},
    EmitterKey{"per_unit", &frame::EmitterDef::per_unit, 0, 1000, false, "particles for each unit that it travels"},
    EmitterKey{"prewarm_s", &frame::EmitterDef::prewarm_s, 0, 10, false,
               "when it starts to run, it has run so long already"},
    EmitterKey{"seed", &frame::EmitterDef::seed, 0, 999999999, false, "0: every burst differs; else all are alike"},
    EmitterKey{"shape", &frame::EmitterDef::shape, 0, 0, false, "point, disc, ring, cone, box or line"},
    EmitterKey{"radius", &frame::EmitterDef::radius, 0, 2000, false, "of the disc, ring or cone"},
    EmitterKey{"width", &frame::EmitterDef::width, 0, 4000, false,
               "of the box, along the direction; of the line, across it"},
    EmitterKey{"height", &frame::EmitterDef::height, 0, 4000, false, "of the box, across the direction"},
    EmitterKey{"spread_turns", &frame::EmitterDef::spread_turns, 0, 1, false,
               "how wide the directions fan: 1 all around"},
    EmitterKey{"rays", &frame::EmitterDef::rays, 0, 360, false, "directions snap to so many rays; 0 to none"},
    EmitterKey{"life_s", &frame::EmitterDef::life_s, 0.01, 30, true, "seconds that a particle lives"},
    EmitterKey{"speed", &frame::EmitterDef::speed, -5000, 5000, false,
               "at birth, along its direction; below 0 backwards"},
    EmitterKey{"swirl", &frame::EmitterDef::swirl, -5000, 5000, false, "at birth, across its direction"},
    EmitterKey{"lift", &frame::EmitterDef::lift, 0, 5000, false, "at birth, upwards; see bounce_on"},
    EmitterKey{"speed_curve", &frame::EmitterDef::speed_curve, 0, 10, false,
               "[[0.0, 1.0], [1.0, 0.2]]: factor on its motion over its life"},
    EmitterKey{"inherit", &frame::EmitterDef::inherit, -2, 2, false, "share of the emitter's own speed"},
    EmitterKey{"gravity_x", &frame::EmitterDef::gravity_x, -5000, 5000, false, "units/s², right"},
    EmitterKey{"gravity_y", &frame::EmitterDef::gravity_y, -5000, 5000, false, "units/s², down; fire rises: below 0"},
    EmitterKey{"drag_per_s", &frame::EmitterDef::drag_per_s, 0, 100, false,
               "braking: 1 keeps a third of the speed each second"},
    EmitterKey{"curl", &frame::EmitterDef::curl, 0, 5000, false, "drifting whirls, units/s²"},
    EmitterKey{"pull", &frame::EmitterDef::pull, -20000, 20000, false,
               "toward the place where it fired last, units/s²; below 0 away"},
    EmitterKey{"turn", &frame::EmitterDef::turn, -20000, 20000, false, "round that place, units/s²"},
    EmitterKey{"bounce_on", &frame::EmitterDef::bounce_on, 0, 0, false,
               "nothing, floor (it lands where it would on the flat), walls or both"},
    EmitterKey{"bounce", &frame::EmitterDef::bounce, 0, 1, false,
               "share of the speed into the surface that comes back"},
    EmitterKey{"friction", &frame::EmitterDef::friction, 0, 1, false, "share of the speed along it that is lost"},
    EmitterKey{"particle", &frame::EmitterDef::particle, 0, 0, false, "glow, spark, shard, star or smoke"},
    EmitterKey{"layer", &frame::EmitterDef::layer, 0, 0, false, "additive (light) or alpha (matter, drawn beneath)"},
    EmitterKey{"glow", &frame::EmitterDef::glow, 0, 7.75, false, "brightness of the colour, above 1 blooms"},
    EmitterKey{"size", &frame::EmitterDef::size, 0, 1000, false, "diameter at birth"},
    EmitterKey{"size_curve", &frame::EmitterDef::size_curve, 0, 100, false,
               "[[0.0, 1.0], [1.0, 0.0]]: factor over its life"},
    EmitterKey{"on_birth", &frame::EmitterDef::on_birth, 0, 0, false,
               "emitter whose burst fires where a particle is born,"},
    EmitterKey{"on_death", &frame::EmitterDef::on_death, 0, 0, false, "… where one dies,"},
    EmitterKey{"on_hit", &frame::EmitterDef::on_hit, 0, 0, false, "… where one bounces"},
    EmitterKey{"trail", &frame::EmitterDef::trail, 0, 0, false, "emitter that runs behind each particle"},
    EmitterKey{"colour", SingleColourKey{}, 0, 0, false, "\"#rrggbb\" or \"#rrggbbaa\", or"},
    EmitterKey{"colour_curve", &frame::EmitterDef::colour_curve, 0, 0, false,
               "[[0.0, \"#ffffff\"], [1.0, \"#ff000000\"]]: colour over its life"},
};

}  // namespace spellpool::content
