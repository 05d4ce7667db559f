#pragma once
// The keys of a [[shot]] in a pattern file. Reading, range checks, "did you mean" and the table of docs/shooter.md are all made from
// these rows. Every number may be a list of four: easy, normal, hard, lunatic.
#include <array>
#include <string_view>
#include <variant>

#include "frame/pattern_def.hpp"

namespace spellpool::content {

/// A whole number that frame keeps as a float.
struct WholeFloat {
  float frame::ShotDef::*member;
};
/// Keys that are no plain member.
struct ShotColourKey {};
struct SplitIntoKey {};
/// The easiest and the hardest difficulty that have the shot.
struct FromKey {};
struct ToKey {};

/// Which forms a key has a meaning for; a file that says it elsewhere is told so.
enum ForForms : u8 {
  kRing = 1, kFan = 2, kWall = 4, kRain = 8, kLaser = 16,
  kFlying = kRing | kFan | kWall | kRain,
  kAnyForm = kFlying | kLaser,
};

struct ShotKey {
  std::string_view name;
  std::variant<float frame::ShotDef::*, u32 frame::ShotDef::*, bool frame::ShotDef::*, frame::ShotForm frame::ShotDef::*,
               frame::BulletShape frame::ShotDef::*, WholeFloat, ShotColourKey, SplitIntoKey, FromKey, ToKey>
      member;
  double low = 0, high = 0;     ///< Of numbers.
  std::string_view unit;
  std::string_view by_default;  ///< Where frame::ShotDef's own value does not say it.
  u8 forms = kAnyForm;
  std::string_view help;
  bool required = false;
};

inline constexpr std::array kShotKeys = {
    ShotKey{"form", &frame::ShotDef::form, 0, 0, "name", "required", kAnyForm, "how the bullets of a volley lie", true},
    ShotKey{"from", FromKey{}, 0, 0, "name", "`easy`", kAnyForm, "the easiest difficulty that has this shot"},
    ShotKey{"to", ToKey{}, 0, 0, "name", "`lunatic`", kAnyForm, "the hardest one"},
    ShotKey{"start_s", &frame::ShotDef::start_s, 0, 600, "s", "", kAnyForm, "first volley, after the pattern began"},
    ShotKey{"every_s", &frame::ShotDef::every_s, 0.0166, 600, "s", "", kAnyForm, "between two volleys"},
    ShotKey{"volleys", &frame::ShotDef::volleys, 0, 100000, "whole", "", kAnyForm, "how many; 0: until the pattern ends"},
    ShotKey{"rest_s", &frame::ShotDef::rest_s, 0, 600, "s", "", kAnyForm, "pause after `volleys`, then again from the first; 0: only once"},
    ShotKey{"count", &frame::ShotDef::count, 1, 512, "whole", "", kAnyForm, "bullets or beams in a volley"},
    ShotKey{"layers", &frame::ShotDef::layers, 1, 16, "whole", "", kFlying, "the volley so many times at once …"},
    ShotKey{"layer_speed", &frame::ShotDef::layer_speed, -1000, 1000, "units/s", "", kFlying, "… each so much faster than the one before"},
    ShotKey{"aimed", &frame::ShotDef::aimed, 0, 0, "true, false", "", kAnyForm, "angles are counted from the direction to the ship"},
    ShotKey{"angle_turns", &frame::ShotDef::angle_turns, -4, 4, "turns", "0.25; aimed: 0", kAnyForm, "0 right, 0.25 down, 0.5 left"},
    ShotKey{"angle_spread_turns", &frame::ShotDef::angle_spread_turns, 0, 1, "turns", "", kAnyForm, "each volley is turned at random by ± half of it"},
    ShotKey{"turn_turns", &frame::ShotDef::turn_turns, -1, 1, "turns", "", kAnyForm, "each volley is turned by so much more: a spiral"},
    ShotKey{"arc_turns", &frame::ShotDef::arc_turns, 0, 1, "turns", "ring: 1, fan and laser: 0.125, rain: 0", kRing | kFan | kRain | kLaser,
            "ring: how much of it there is; fan and laser: from the first to the last; rain: spread of the single drops"},
    ShotKey{"radius", &frame::ShotDef::radius, 0, 300, "units", "", kRing | kFan | kWall | kLaser, "bullets begin so far out, along their way"},
    ShotKey{"offset_x", &frame::ShotDef::offset_x, -400, 400, "units", "", kAnyForm, "right of the middle of whoever fires"},
    ShotKey{"offset_y", &frame::ShotDef::offset_y, -400, 400, "units", "", kAnyForm, "below it"},
    ShotKey{"spacing", &frame::ShotDef::spacing, 4, 400, "units", "", kWall, "from bullet to bullet"},
    ShotKey{"gap_from", WholeFloat{&frame::ShotDef::gap_from}, -1, 512, "whole", "", kWall, "first place that stays empty, from 0; −1: at random, each volley anew"},
    ShotKey{"gap", WholeFloat{&frame::ShotDef::gap}, 0, 512, "whole", "", kWall, "places that stay empty"},
    ShotKey{"speed", &frame::ShotDef::speed, 0, 2000, "units/s", "", kFlying, "at birth"},
    ShotKey{"speed_spread", &frame::ShotDef::speed_spread, 0, 1000, "units/s", "", kFlying, "each bullet's differs at random by ± half of it"},
    ShotKey{"accelerate", &frame::ShotDef::accelerate, -2000, 2000, "units/s²", "", kFlying, "along its way, until `least_speed` or `most_speed`"},
    ShotKey{"least_speed", &frame::ShotDef::least_speed, 0, 2000, "units/s", "", kFlying, "where braking ends"},
    ShotKey{"most_speed", &frame::ShotDef::most_speed, 0, 2000, "units/s", "", kFlying, "where acceleration ends"},
    ShotKey{"curve_turns_s", &frame::ShotDef::curve_turns_s, -4, 4, "turns/s", "", kFlying, "its way turns by so much a second, clockwise above 0 …"},
    ShotKey{"curve_s", &frame::ShotDef::curve_s, 0, 60, "s", "", kFlying, "… for so long; 0: always"},
    ShotKey{"homing_turns_s", &frame::ShotDef::homing_turns_s, 0, 4, "turns/s", "", kFlying, "it turns toward the ship by so much a second at most …"},
    ShotKey{"homing_s", &frame::ShotDef::homing_s, 0, 60, "s", "", kFlying, "… for so long"},
    ShotKey{"split_s", &frame::ShotDef::split_s, 0, 60, "s", "", kFlying, "after so long it ends, and from its place flies …"},
    ShotKey{"split_into", SplitIntoKey{}, 0, 0, "pattern", "none", kFlying, "… each shot of this pattern, one volley"},
    ShotKey{"shape", &frame::ShotDef::shape, 0, 0, "name", "`orb`", kFlying, "`orb`, `needle` or `bubble`"},
    ShotKey{"size", &frame::ShotDef::size, 4, 96, "units", "", kAnyForm, "diameter as drawn; laser: width"},
    ShotKey{"hit_size", &frame::ShotDef::hit_size, 1, 96, "units", "5, at most `size`", kAnyForm, "diameter of what hits, at most `size`"},
    ShotKey{"colour", ShotColourKey{}, 0, 0, "`\"#rrggbb\"`", "rose", kAnyForm, "of its rim; the core is always white"},
    ShotKey{"warn_s", &frame::ShotDef::warn_s, 0.1, 60, "s", "", kLaser, "thin and harmless, so that the ship can leave"},
    ShotKey{"on_s", &frame::ShotDef::on_s, 0.1, 60, "s", "", kLaser, "then it burns"},
    ShotKey{"sweep_turns_s", &frame::ShotDef::sweep_turns_s, -1, 1, "turns/s", "", kLaser, "it turns while it burns"},
};

}  // namespace spellpool::content
