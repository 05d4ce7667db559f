#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frame/input_frame.hpp"
#include "frame/scene.hpp"
#include "frame/sim_command.hpp"
#include "sim/pool_choice.hpp"
#include "sim/preset.hpp"

namespace spellpool::sim {

/// A game as text: what it started from, what happened at each step, and the world's hash after it. Plays the same on
/// any machine. The spells' texts are inside, so that a replay outlives edits to the files.
///
///   spellpool-replay 2
///   scene spells
///   preset default
///   seed 1
///   pool particles free_list reject 24000
///   pool seekers free_list reject 64
///   …                              one line for each pool of the scene
///   spell firebolt 1234            the next 1234 bytes, and a line end, are the file's text
///   …
///   steps
///   ! strategy seekers heap        a command that the next step applies
///   ! spell firebolt 1250          likewise, with text as above
///   + 3210 -160 0 127 1 255 HASH16   new input: aim x, aim y (1/16 unit), move x, move y, buttons, spell; hash after the step
///   = HASH16                       same input as before
///   end 600 CHECK16                steps, and a checksum of all bytes before this line
///
/// Each header line stands once. Version 1 had one pool and three spells; it is refused.
struct ReplayCommand {
  u64 step = 0;
  frame::SimCommand command;
  std::string spell_text;        ///< SetSpell: text to parse into command.definition.
};

struct Replay {
  frame::SceneId scene{};
  PresetId preset{};
  u64 seed = 1;
  PoolChoices pools{};
  std::array<std::string, frame::kSpellCount> spell_texts;
  std::vector<frame::InputFrame> inputs;  ///< One a step.
  std::vector<u64> hashes;                ///< Likewise.
  std::vector<ReplayCommand> commands;    ///< By rising step.
};

/// The replay, or an error that names the line and the reason: cut short, another version, not a replay. Any bytes may come:
/// nothing is thrown but bad_alloc, and no more than 20 bytes are held for each byte of text.
struct ReplayResult {
  std::optional<Replay> replay;
  std::string error;
};
ReplayResult parse_replay(std::string_view text);

/// Writes a replay into memory while it is played. A step appends at most 60 bytes to a buffer that is reserved for 30
/// minutes ahead; only a longer game makes it grow.
class ReplayWriter {
 public:
  static constexpr std::size_t kReserve_bytes = std::size_t{30} * 60 * 60 * 64;

  /// Of `start`, all but inputs, hashes and commands.
  explicit ReplayWriter(const Replay& start, std::size_t reserve_bytes = kReserve_bytes);

  /// A command that the next step applies; spell_text for SetSpell.
  void command(const frame::SimCommand& command, std::string_view spell_text = {});
  void step(const frame::InputFrame& input, u64 hash_after);

  u64 steps() const { return steps_; }
  /// The whole text, closed with its end line. The writer can go on afterwards.
  std::string text() const;

 private:
  std::string text_;
  std::optional<frame::InputFrame> last_;
  u64 steps_ = 0;
};

/// As the end line has it, of all bytes before that line.
u64 replay_checksum(std::string_view text);

/// 16 lower-case hexadecimal digits.
void append_hex16(std::string& text, u64 value);

}  // namespace spellpool::sim
