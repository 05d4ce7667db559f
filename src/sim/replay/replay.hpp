#pragma once
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frame/defs/pattern_def.hpp"
#include "frame/input_frame.hpp"
#include "frame/scene.hpp"
#include "frame/sim_command.hpp"
#include "sim/core/pool_choice.hpp"
#include "sim/core/preset.hpp"
#include "sim/replay/replay_inputs.hpp"

namespace spellpool::sim {

// clang-format off: a table
/// A game as a file: what it started from, what happened at each step, and the world's hash after it. Plays the same
/// on any machine. The spells' scene has its texts inside, so that a replay outlives edits to the files; the shooter,
/// whose files are many, names them with their checksums. Lines of text, and two blocks of bytes; version 3:
///
///   spellpool-replay 3
///   scene spells
///   difficulty normal
///   preset default
///   seed 1
///   pool particles free_list reject 24000
///   …                              one line for each pool of the scene; a fifth word: what it grows by. Without one
///                                  for the decals, which are younger than this version: as they start by default
///   spell firebolt 1234            the spells' scene: the next 1234 bytes, and a line end, are the file's text
///   …
///   arena 10250                    the spells' scene: the next 10250 bytes, and a line end, are the text of assets/arena.toml. Without
///                                  one, which is younger than this version: the file that the program was built with
///   file assets/patterns/ring.toml CHECK16   the shooter: a file that must be installed, and replay_checksum() of its text
///   …
///   steps 600
///   ! 40 strategy seekers heap     a command that the step after 40 others applies
///   ! 80 spell firebolt 1250       a spell file was changed; its text follows, as above
///   ! 85 arena 10260               assets/arena.toml was changed, in any scene; its text follows
///   ! 90 texts 2410                the shooter: patterns or a stage were saved; the next bytes, and a line end, are format_texts()
///   inputs 987                     the next 987 bytes, and a line end: sim/replay/replay_inputs.hpp
///   checks                         the next bytes, and a line end: after each step the low 8 bits of the hash, after every 60th
///                                  and the last all 64, low bits first
///   end CHECK16                    of all bytes before this line
///
/// Each header line stands once. Version 2, of the spells alone, is read too: all text, each step a line with its
/// input and whole hash. Version 1 had one pool and three spells; it is refused.
// clang-format on
struct ReplayCommand {
  u64 step = 0;
  frame::SimCommand command;
  std::string text;  ///< SetSpell, SetArena: to parse into the command's definition. SetStage:
                     ///< format_texts(), for patterns and stage.
};

/// A file of the data folder that a replay needs as it was.
struct ReplayFile {
  std::string name;              ///< "assets/patterns/ring.toml"
  u64 check = 0;                 ///< replay_checksum() of its text.
  friend bool operator==(const ReplayFile&, const ReplayFile&) = default;
};
/// "assets/…", without "..", at most 200 bytes.
bool is_replay_file_name(std::string_view name);

/// A file of the shooter that changed while it was played.
struct ReplayText {
  std::string name;              ///< As a ReplayFile has it.
  std::optional<std::string> text;  ///< None: it was deleted.
  friend bool operator==(const ReplayText&, const ReplayText&) = default;
};
/// Those that changed at once: for each the line "file NAME BYTES", its text and a line end, or the line "gone NAME".
std::string format_texts(std::span<const ReplayText> texts);
/// The inverse. "" or what is wrong.
std::string parse_texts(std::string_view text, std::vector<ReplayText>& out);

struct Replay {
  static constexpr u64 kWholeEvery_steps = 60;

  frame::SceneId scene{};
  frame::Difficulty difficulty = frame::Difficulty::Normal;
  PresetId preset{};
  u64 seed = 1;
  PoolChoices pools{};
  std::array<std::string, frame::kSpellCount> spell_texts;  ///< Of the spells' scene. "": it knows no such spell.
  std::string arena_text;                 ///< Of the spells' scene. "": it has none.
  std::vector<ReplayFile> files;          ///< Of the shooter.
  std::vector<frame::InputFrame> inputs;  ///< One a step.
  std::vector<u64> hashes;                ///< One a step: the bits of hash_bits(), the others 0.
  bool whole_hashes = false;              ///< All 64 bits after every step: version 2.
  std::vector<ReplayCommand> commands;    ///< By rising step.

  /// Which bits of a step's hash it has.
  u64 hash_bits(u64 step) const {
    return whole_hashes || (step + 1) % kWholeEvery_steps == 0 || step + 1 == inputs.size() ? ~u64{0} : u64{0xff};
  }
  /// As far as it can tell.
  bool agrees(u64 step, u64 hash) const { return ((hashes[step] ^ hash) & hash_bits(step)) == 0; }
};

struct ReplayResult {
  std::optional<Replay> replay;
  std::string error;
};
ReplayResult parse_replay(std::string_view text);

/// Writes a replay into memory while it is played. A step appends at most 20 bytes to buffers that are reserved for 30
/// minutes ahead; only a longer game makes them grow.
class ReplayWriter {
 public:
  static constexpr u64 kReserve_steps = u64{30} * 60 * 60;

  /// Of `start`, all but inputs, hashes and commands.
  explicit ReplayWriter(const Replay& start, u64 reserve_steps = kReserve_steps);

  /// A command that the next step applies; `text` as ReplayCommand has it.
  void command(const frame::SimCommand& command, std::string_view text = {});
  void step(const frame::InputFrame& input, u64 hash_after);

  /// Forgets all steps after the first `steps`, whose last one left `hash_after`, and the commands after them.
  void cut(u64 steps, u64 hash_after);

  u64 steps() const { return steps_; }
  /// The whole file, closed with its end line. The writer can go on afterwards.
  std::string text() const;

 private:
  struct CommandPlace {
    u64 step;
    std::size_t at;  // in commands_
  };

  std::string head_, commands_, inputs_, checks_;
  std::vector<CommandPlace> places_;
  InputRuns runs_;
  u64 steps_ = 0, last_hash_ = 0;
};

/// Of the bytes of a replay before its end line, and of a file that it names.
u64 replay_checksum(std::string_view text);

/// 16 lower-case hexadecimal digits.
void append_hex16(std::string& text, u64 value);

}  // namespace spellpool::sim
