#pragma once
#include "core/types.hpp"

namespace spellpool::frame {

/// What a person plays with: hints name the keys or buttons of the one that was used last.
enum class InputDevice : u8 { None, Keyboard, Mouse, Gamepad };

}  // namespace spellpool::frame
