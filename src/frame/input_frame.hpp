#pragma once
#include "core/types.hpp"

namespace spellpool::frame {

/// What one step reads from the player. Whole numbers only, so that a replay's text is exact.
struct InputFrame {
  /// Aim point in the world, in 1/16 units (see RenderSnapshot for the world's axes).
  i16 aim_x16 = 0;
  i16 aim_y16 = 0;
  /// Walking direction, −127 … 127 an axis; +x right, +y down.
  i8 move_x = 0;
  i8 move_y = 0;
  /// Bits of Button, held down during this step.
  u8 buttons = 0;
  /// Spell to select, 0-based; kKeepSpell leaves the choice as it is.
  u8 select_spell = kKeepSpell;

  static constexpr u8 kKeepSpell = 255;
  friend bool operator==(const InputFrame&, const InputFrame&) = default;
};

/// Cast: a press starts the wind-up, holding on charges, letting go casts. Rapid: casts again and again while held,
/// without charge. Challenge: a press starts the 60-second challenge, or ends a running one.
/// In the shooter: Fire while held; Focus while held: slow, and the hitbox shows; Bomb by a press; Start by a press:
/// begins the stage, goes on after the last life; Follow while held: the ship flies to the aim point (mouse), and move
/// counts for nothing.
/// NoHitStop: a heavy blow in the spells' scene does not stop the world. A window sets it where the camera's motion is
/// reduced.
enum Button : u8 {
  kButtonCast = 1, kButtonRapid = 2, kButtonChallenge = 4,
  kButtonFire = 1, kButtonFocus = 2, kButtonBomb = 8, kButtonStart = 16, kButtonFollow = 32,
  kButtonNoHitStop = 64,
};

inline constexpr float kAimScale = 16.0f;

}  // namespace spellpool::frame
