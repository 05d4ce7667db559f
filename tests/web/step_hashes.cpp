// Plays a scene by its scripted player and prints the world's hash after every step: "1 0123456789abcdef". Compiled natively and to
// WebAssembly, so that the two can be compared line by line.
//   step_hashes SOURCE_FOLDER SCENE SEED STEPS STRATEGY [SWITCH_EVERY]
// STRATEGY is that of every pool. SWITCH_EVERY 100 chooses the next strategy after every 100 steps. Exit code 2: an argument is wrong, or a
// file cannot be read.
#include <algorithm>
#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "content/game/pattern_file.hpp"
#include "content/game/spell_file.hpp"
#include "content/game/stage_file.hpp"
#include "content/text_file.hpp"
#include "sim/make_world.hpp"

namespace spellpool {
namespace {

int fail(const std::string& line) {
  std::fprintf(stderr, "step_hashes: %s\n", line.c_str());
  return 2;
}

template <class Number>
bool read(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

/// "" or an error line.
std::string read_files(const std::string& source, sim::WorldConfig& config) {
  for (u32 i = 0; i < frame::kSpellCount; ++i) {
    const std::string path = source + "/assets/spells/" + std::string(frame::kSpellFiles[i]) + ".toml";
    const content::TextResult file = content::read_text(path, content::kMaxSpellFile_bytes);
    if (!file.text) return file.error;
    content::SpellFileResult spell = content::parse_spell(*file.text, path);
    if (!spell.spell) return spell.error;
    config.spells[i] = std::make_shared<const frame::SpellDef>(std::move(*spell.spell));
  }
  const std::string arena_path = source + "/assets/arena.toml";
  const content::TextResult arena_file = content::read_text(arena_path, content::kMaxSpellFile_bytes);
  if (!arena_file.text) return arena_file.error;
  content::ArenaFileResult arena = content::parse_arena(*arena_file.text, arena_path);
  if (!arena.arena) return arena.error;
  config.arena = std::make_shared<const frame::ArenaDef>(std::move(*arena.arena));
  const content::PatternTexts patterns = content::read_pattern_texts(source + "/assets/patterns");
  if (!patterns.error.empty()) return patterns.error;
  content::PatternBookResult book = content::read_patterns(patterns.files);
  if (!book.book) return book.error;
  const std::string path = source + "/assets/stages/night_garden.toml";
  const content::TextResult file = content::read_text(path, content::kMaxStageFile_bytes);
  if (!file.text) return file.error;
  content::StageFileResult stage = content::read_stage(*file.text, path, *book.book);
  if (!stage.stage) return stage.error;
  config.patterns = std::make_shared<const frame::PatternBook>(std::move(*book.book));
  config.stage = std::make_shared<const frame::StageDef>(std::move(*stage.stage));
  return {};
}

int run(const std::vector<std::string_view>& arguments) {
  if (arguments.size() < 5 || arguments.size() > 6) return fail("usage: step_hashes SOURCE_FOLDER SCENE SEED STEPS STRATEGY [SWITCH_EVERY]");
  sim::WorldConfig config;
  u64 steps = 0, switch_every = 0;
  const auto scene = std::ranges::find(frame::kScenes, arguments[1], &frame::SceneRow::name);
  if (scene == frame::kScenes.end()) return fail(std::string(arguments[1]) + " is no scene");
  config.scene = scene->id;
  if (!read(arguments[2], config.seed) || !read(arguments[3], steps) || (arguments.size() > 5 && !read(arguments[5], switch_every))) return fail("not a number");
  const auto strategy = std::ranges::find(pool::kStrategies, arguments[4], &pool::StrategyRow::name);
  if (strategy == pool::kStrategies.end()) return fail(std::string(arguments[4]) + " is no strategy");
  config.pools = sim::default_choices(config.scene);
  for (sim::PoolChoice& choice : config.pools) choice.strategy = strategy->id;
  if (std::string error = read_files(std::string(arguments[0]), config); !error.empty()) return fail(error);

  const auto world = sim::make_world(config);
  const auto player = world->scripted_player(config.seed);
  std::size_t chosen = static_cast<std::size_t>(strategy->id);
  std::vector<frame::SimCommand> commands;
  for (u64 step = 1; step <= steps; ++step) {
    commands.clear();
    if (switch_every != 0 && step > 1 && (step - 1) % switch_every == 0) {
      chosen = (chosen + 1) % pool::kStrategyCount;
      for (const auto& pool : world->pools()) {
        frame::SimCommand command;
        command.kind = frame::SimCommandKind::SetStrategy;
        command.pool = pool->id();
        command.choice = static_cast<u8>(chosen);
        commands.push_back(command);
      }
    }
    world->step(player->next(), commands);
    std::printf("%" PRIu64 " %016" PRIx64 "\n", step, world->hash());
  }
  return 0;
}

}  // namespace
}  // namespace spellpool

int main(int argc, char** argv) { return spellpool::run({argv + 1, argv + argc}); }
