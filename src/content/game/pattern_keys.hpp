#pragma once
// The keys of a [[shot]] in a pattern file. Reading, range checks, "did you mean" and the table of docs/shooter.md
// are all made from these rows. Every number may be a list of four: easy, normal, hard, lunatic.
#include <array>
#include <string_view>
#include <variant>

#include "frame/defs/pattern_def.hpp"

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

/// The forms that a key applies to. The key in a shot of another form is an error.
enum ForForms : u8 {
  kRing = 1, kFan = 2, kWall = 4, kRain = 8, kLaser = 16,
  kFlying = kRing | kFan | kWall | kRain,
  kAnyForm = kFlying | kLaser,
};

struct ShotKey {
  std::string_view name;
  std::variant<float frame::ShotDef::*, u32 frame::ShotDef::*, bool frame::ShotDef::*,
               frame::ShotForm frame::ShotDef::*, frame::BulletShape frame::ShotDef::*, WholeFloat, ShotColourKey,
               SplitIntoKey, FromKey, ToKey>
      member;
  double low = 0, high = 0;     ///< Of numbers.
  std::string_view unit;
  std::string_view by_default;  ///< Where frame::ShotDef's own value does not say it.
  u8 forms = kAnyForm;
  std::string_view help;
  bool required = false;
};

inline constexpr std::array kShotKeys = {
    ShotKey{"form", &frame::ShotDef::form, 0, 0, "name", "required", kAnyForm, "layout of a volley", true},
    ShotKey{"from", FromKey{}, 0, 0, "name", "`easy`", kAnyForm, "the easiest difficulty that has this shot"},
    ShotKey{"to", ToKey{}, 0, 0, "name", "`lunatic`", kAnyForm, "the hardest one"},
    ShotKey{"start_s", &frame::ShotDef::start_s, 0, 600, "s", "", kAnyForm,
            "delay from the start of the pattern to the first volley"},
    ShotKey{"every_s", &frame::ShotDef::every_s, 0.0166, 600, "s", "", kAnyForm, "interval between volleys"},
    ShotKey{"volleys", &frame::ShotDef::volleys, 0, 100000, "whole", "", kAnyForm,
            "number of volleys; 0: until the pattern ends"},
    ShotKey{"rest_s", &frame::ShotDef::rest_s, 0, 600, "s", "", kAnyForm,
            "pause after `volleys` before they repeat; 0: no repeat"},
    ShotKey{"count", &frame::ShotDef::count, 1, 512, "whole", "", kAnyForm, "bullets or beams in a volley"},
    ShotKey{"layers", &frame::ShotDef::layers, 1, 16, "whole", "", kFlying, "copies of the volley fired at once …"},
    ShotKey{"layer_speed", &frame::ShotDef::layer_speed, -1000, 1000, "units/s", "", kFlying,
            "… each faster than the one before by this"},
    ShotKey{"aimed", &frame::ShotDef::aimed, 0, 0, "true, false", "", kAnyForm,
            "angles are relative to the direction to the ship"},
    ShotKey{"angle_turns", &frame::ShotDef::angle_turns, -4, 4, "turns", "0.25; aimed: 0", kAnyForm,
            "0 right, 0.25 down, 0.5 left"},
    ShotKey{"angle_spread_turns", &frame::ShotDef::angle_spread_turns, 0, 1, "turns", "", kAnyForm,
            "random rotation of each volley, ± half of this"},
    ShotKey{"turn_turns", &frame::ShotDef::turn_turns, -1, 1, "turns", "", kAnyForm,
            "rotation added from volley to volley: a spiral"},
    ShotKey{"arc_turns", &frame::ShotDef::arc_turns, 0, 1, "turns", "ring: 1, fan and laser: 0.125, rain: 0",
            kRing | kFan | kRain | kLaser,
            "ring: the part of the circle; fan and laser: from the first to the last; rain: spread of the drops"},
    ShotKey{"radius", &frame::ShotDef::radius, 0, 300, "units", "", kRing | kFan | kWall | kLaser,
            "distance from the origin at which bullets start"},
    ShotKey{"offset_x", &frame::ShotDef::offset_x, -400, 400, "units", "", kAnyForm,
            "offset to the right of the shooter's centre"},
    ShotKey{"offset_y", &frame::ShotDef::offset_y, -400, 400, "units", "", kAnyForm, "offset below it"},
    ShotKey{"spacing", &frame::ShotDef::spacing, 4, 400, "units", "", kWall, "distance between bullets"},
    ShotKey{"gap_from", WholeFloat{&frame::ShotDef::gap_from}, -1, 512, "whole", "", kWall,
            "first empty position, from 0; −1: random for each volley"},
    ShotKey{"gap", WholeFloat{&frame::ShotDef::gap}, 0, 512, "whole", "", kWall, "number of empty positions"},
    ShotKey{"speed", &frame::ShotDef::speed, 0, 2000, "units/s", "", kFlying, "initial speed"},
    ShotKey{"speed_spread", &frame::ShotDef::speed_spread, 0, 1000, "units/s", "", kFlying,
            "random difference per bullet, ± half of this"},
    ShotKey{"accelerate", &frame::ShotDef::accelerate, -2000, 2000, "units/s²", "", kFlying,
            "along its path, down to `least_speed` or up to `most_speed`"},
    ShotKey{"least_speed", &frame::ShotDef::least_speed, 0, 2000, "units/s", "", kFlying,
            "minimum speed when it slows down"},
    ShotKey{"most_speed", &frame::ShotDef::most_speed, 0, 2000, "units/s", "", kFlying,
            "maximum speed when it accelerates"},
    ShotKey{"curve_turns_s", &frame::ShotDef::curve_turns_s, -4, 4, "turns/s", "", kFlying,
            "turn rate of its path, positive is clockwise …"},
    ShotKey{"curve_s", &frame::ShotDef::curve_s, 0, 60, "s", "", kFlying, "… for this time; 0: always"},
    ShotKey{"homing_turns_s", &frame::ShotDef::homing_turns_s, 0, 4, "turns/s", "", kFlying,
            "maximum turn rate toward the ship …"},
    ShotKey{"homing_s", &frame::ShotDef::homing_s, 0, 60, "s", "", kFlying, "… for this time"},
    ShotKey{"split_s", &frame::ShotDef::split_s, 0, 60, "s", "", kFlying,
            "after this time the bullet is replaced by …"},
    ShotKey{"split_into", SplitIntoKey{}, 0, 0, "pattern", "none", kFlying, "… each shot of this pattern, one volley"},
    ShotKey{"shape", &frame::ShotDef::shape, 0, 0, "name", "`orb`", kFlying, "`orb`, `needle` or `bubble`"},
    ShotKey{"size", &frame::ShotDef::size, 4, 96, "units", "", kAnyForm, "diameter as drawn; laser: width"},
    ShotKey{"hit_size", &frame::ShotDef::hit_size, 1, 96, "units", "5, at most `size`", kAnyForm,
            "diameter of the hitbox, at most `size`"},
    ShotKey{"colour", ShotColourKey{}, 0, 0, "`\"#rrggbb\"`", "rose", kAnyForm,
            "colour of the rim; the core is always white"},
    ShotKey{"warn_s", &frame::ShotDef::warn_s, 0.1, 60, "s", "", kLaser, "warning time: thin and harmless"},
    ShotKey{"on_s", &frame::ShotDef::on_s, 0.1, 60, "s", "", kLaser, "time that the beam is active after the warning"},
    ShotKey{"sweep_turns_s", &frame::ShotDef::sweep_turns_s, -1, 1, "turns/s", "", kLaser,
            "turn rate while the beam is active"},
};

}  // namespace spellpool::content
