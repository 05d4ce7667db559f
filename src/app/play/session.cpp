#include "app/play/session.hpp"

#include <algorithm>
#include <charconv>

#include "app/scene_hooks.hpp"
#include "content/game/spell_file.hpp"
#include "content/text_file.hpp"
#include "core/log.hpp"
#include "core/one_line.hpp"
#include "frame/defs/stage_needs.hpp"
#include "sim/core/command_text.hpp"
#include "sim/make_world.hpp"
#include "sim/particles/small_console.hpp"
#include "sim/shooter/crane_guide.hpp"
#include "sim/shooter/slot_budget.hpp"

namespace spellpool::app {
namespace {

constexpr std::size_t kMostReplay_bytes = std::size_t{256} << 20;
constexpr std::size_t kMostFile_bytes = std::size_t{1} << 20;  // that a replay names
constexpr std::size_t kMostCommands_bytes = std::size_t{4} << 20;

}  // namespace

sim::WorldConfig world_config(const WorldOptions& options, const SpellLibrary& library) {
  sim::WorldConfig config;
  config.scene = options.scene;
  config.seed = options.seed;
  config.preset = options.preset;
  config.difficulty = options.difficulty;
  config.pools = options.effective_pools();
  config.spells = library.spells();
  config.arena = library.arena();
  config.patterns = library.stages().patterns();
  config.stage = library.stages().stage();
  return config;
}

sim::WorldConfig config_as_chosen(const Session& session) {
  sim::WorldConfig like = session.config();
  for (const frame::PoolName& pool : frame::pools_of(like.scene)) {
    like.pools[static_cast<std::size_t>(pool.id)] = session.coming(pool.id);
  }
  scene_hooks(session.world()).complete(session.world(), like);
  like.load = session.coming_load();
  return like;
}

std::unique_ptr<sim::WorldState> state_of(const sim::GameWorld& world) {
  std::unique_ptr<sim::WorldState> state = world.new_state();
  world.save(*state);
  return state;
}

std::unique_ptr<sim::ScriptedPlayer> make_player(const sim::GameWorld& world, u64 seed, std::optional<u8> showcase) {
  std::unique_ptr<sim::ScriptedPlayer> player =
      showcase ? scene_hooks(world).showcase_player(world, *showcase) : nullptr;
  return player ? std::move(player) : world.scripted_player(seed);
}

Session::Session(SessionPlan plan, const SpellLibrary& library)
    : Session(std::move(plan), library, sim::make_world) {}

Session::Session(SessionPlan plan, const SpellLibrary& library, MakeWorld make_world)
    : plan_(std::move(plan)), make_world_(make_world), config_(world_config(plan_.world, library)) {
  commands_.reserve(64);
  texts_.reserve(64);
  kept_.reserve(64);
  if (plan_.keep_hashes) hash_lines_.reserve(plan_.expected_steps * 28);
  if (plan_.record_replay) {
    sim::Replay& start = writer_start_;
    start.scene = plan_.world.scene;
    start.difficulty = plan_.world.difficulty;
    start.preset = plan_.world.preset;
    start.seed = plan_.world.seed;
    start.pools = plan_.world.effective_pools();
    start.spell_texts = library.texts();
    start.arena_text = library.arena_text();
    if (scene_hooks(start.scene).has_stages()) start.files = library.files();
  }
  begin();
}

/// A world and who plays it, before the first step.
void Session::begin() {
  std::unique_ptr<sim::GameWorld> world = make_world_(config_);
  player_ = make_player(*world, plan_.world.seed, plan_.showcase);
  world_ = std::move(world);
  if (plan_.record_replay) writer_.emplace(writer_start_);
}

void Session::rewind() {
  begin();
  commands_.clear();
  texts_.clear();
  next_scripted_ = 0;
  hash_lines_.clear();
  first_difference_.reset();
  unsettled_ = false;
  settled_hash_ = 0;
  turned_ = false;
  if (history_) history_->forget();
  follow_heap_age();
  for (const frame::SimCommand& command : kept_) take(command, {});
}

void Session::keep_history(bool on) {
  if (on && !history_) history_.emplace(History::Limits{});
  if (!on) history_.reset();
}

void Session::turn_back(u64 step) {
  settle();
  history_->turn_back(*world_, step);
  turned_ = true;
}

void Session::index_replay(bool in_background) {
  indexes_ = plan_.replay.has_value();
  if (!indexes_ || !in_background || indexer_) return;
  sim::WorldConfig config = config_;  // no hash goes by the strategies, and this one allocates nothing in a step
  for (sim::PoolChoice& choice : config.pools) choice.strategy = pool::StrategyId::FreeList;
  indexer_ = std::make_unique<ReplayIndexer>(make_world_(config), *plan_.replay, plan_.script, index_);
  if (!indexer_->runs()) indexer_.reset();  // the steps that are played are indexed instead
}

bool Session::jump(u64 step) {
  const ReplayIndex::Keyframe keyframe = index_.before(step);
  const u64 now = world_->steps();
  if (!keyframe || (step >= now && keyframe->steps() <= now)) return false;
  settle();
  world_->restore(*keyframe);
  follow_turn();
  recall_strategies();
  return true;
}

/// Those that the recording had at this step, and what was chosen by hand since.
void Session::recall_strategies() {
  using Kind = frame::SimCommandKind;
  const auto of = [](const frame::SimCommand& command, frame::PoolId pool) {
    return command.kind == Kind::SetStrategy && command.pool == pool;
  };
  for (const auto& pool : world_->pools()) {
    frame::SimCommand command;
    command.kind = Kind::SetStrategy;
    command.pool = pool->id();
    command.choice = static_cast<u8>(config_.pools[static_cast<std::size_t>(pool->id())].strategy);
    for (std::size_t i = 0; i < next_scripted_; ++i) {
      if (of(plan_.script[i].command, pool->id())) command = plan_.script[i].command;
    }
    for (const frame::SimCommand& kept : kept_) {
      if (of(kept, pool->id())) command = kept;
    }
    if (command.choice != static_cast<u8>(pool->strategy())) take(command, {});
  }
}

/// The world is at an earlier step (or a later one) than when it was stepped last: scripts, recording and hashes go
/// on from here.
void Session::follow_turn() {
  turned_ = false;
  const u64 now = world_->steps();
  unsettled_ = false;
  next_scripted_ = static_cast<std::size_t>(std::ranges::lower_bound(plan_.script, now, {}, &sim::ReplayCommand::step) -
                                            plan_.script.begin());
  if (first_difference_ && *first_difference_ >= now) first_difference_.reset();
  if (plan_.keep_hashes) {
    const std::size_t line = hash_lines_.find('\n' + std::to_string(now + 1) + ' ');
    if (now == 0) hash_lines_.clear();
    else if (line != std::string::npos) hash_lines_.resize(line + 1);
  }
  if (!writer_ || writer_->steps() <= now) return;
  writer_->cut(now, world_->hash());
  for (const auto& pool : world_->pools()) {  // as they are now, and not as they were then
    frame::SimCommand command;
    command.kind = frame::SimCommandKind::SetStrategy;
    command.pool = pool->id();
    command.choice = static_cast<u8>(pool->strategy());
    writer_->command(command);
  }
}

void Session::take(const frame::SimCommand& command, const std::string& text) {
  commands_.push_back(command);
  texts_.push_back(text);
}

void Session::queue(const frame::SimCommand& command, const std::string& text) {
  // A game that is paused takes none for a while: of a spell's edits, or the arena's, the last one is enough.
  const bool edits =
      command.kind == frame::SimCommandKind::SetSpell || command.kind == frame::SimCommandKind::SetArena;
  for (std::size_t i = 0; i < commands_.size(); ++i) {
    if (!edits || commands_[i].kind != command.kind || commands_[i].spell != command.spell) continue;
    commands_[i] = command;
    texts_[i] = text;
    return;
  }
  keep(command);
  take(command, text);
}

void Session::keep(const frame::SimCommand& command) {
  using Kind = frame::SimCommandKind;
  if (!plan_.replay ||
      (command.kind != Kind::SetStrategy && command.kind != Kind::SetFill && command.kind != Kind::SetMemory))
    return;
  const auto same = [&](const frame::SimCommand& kept) {
    return kept.kind == command.kind && kept.pool == command.pool;
  };
  const auto before = std::ranges::find_if(kept_, same);
  if (before != kept_.end()) *before = command;
  else kept_.push_back(command);
}

void Session::step(const frame::InputFrame& live, frame::PhaseSink* phases, std::optional<frame::Amount> shown) {
  settle();
  if (turned_) follow_turn();
  const u64 step = world_->steps();
  for (; next_scripted_ < plan_.script.size() && plan_.script[next_scripted_].step <= step; ++next_scripted_) {
    const sim::ReplayCommand& scripted = plan_.script[next_scripted_];
    if (const std::string why = plan_.replay ? std::string{} : world_->refusal(scripted.command); !why.empty()) {
      log(LogLevel::Warning, "step " + std::to_string(scripted.step) + ": not done: " + why);
    }
    take(scripted.command, scripted.text);
  }
  if (plan_.switch_every > 0 && step > 0 && step % plan_.switch_every == 0) {
    for (const frame::PoolName& pool : frame::pools_of(world_->scene())) {
      frame::SimCommand next;
      next.kind = frame::SimCommandKind::SetStrategy;
      next.pool = pool.id;
      next.choice =
          static_cast<u8>((static_cast<std::size_t>(world_->pool(pool.id).strategy()) + 1) % pool::kStrategyCount);
      take(next, {});
    }
  }
  if (!plan_.replay) {  // which has its own trims
    auto_trim_.look(*world_, plan_.world.sizes, [this](const frame::SimCommand& trim) { take(trim, {}); });
  }
  frame::InputFrame input = live;
  if (plan_.replay) {
    input = finished() ? frame::InputFrame{} : plan_.replay->inputs[step];
  } else if (plan_.autoplay) {
    input = player_->next();
  }
  for (std::size_t i = 0; writer_ && i < commands_.size(); ++i) writer_->command(commands_[i], texts_[i]);
  if (history_) history_->note(*world_, input, commands_);
  const bool changes_heap = std::ranges::any_of(
      commands_, [](const frame::SimCommand& c) { return c.kind == frame::SimCommandKind::SetHeapAge; });
  last_input_ = input;
  stepping_ = true;
  world_->step(input, commands_, phases, shown);
  stepping_ = false;
  if (changes_heap) follow_heap_age();
  commands_.clear();
  texts_.clear();
  unsettled_ = true;
}

std::string Session::inputs_so_far() const {
  if (!writer_) return {};
  sim::ReplayWriter all = *writer_;
  if (stepping_) all.step(last_input_, 0);  // the step that has not ended
  else if (turned_) all.cut(std::min(all.steps(), world_->steps()), world_->hash());
  else if (unsettled_) all.step(last_input_, world_->hash());
  return all.text();
}

sim::PoolChoice Session::coming(frame::PoolId pool) const {
  const pool::PoolStats stats = world_->pool(pool).stats();
  sim::PoolChoice choice = plan_.world.effective_pools()[static_cast<std::size_t>(pool)];
  choice.strategy = world_->pool(pool).strategy();
  choice.policy = world_->pool(pool).policy();
  choice.capacity = stats.capacity;
  choice.prewarm = ~u32{0};
  for (const frame::SimCommand& c : commands_) {
    if (c.pool != pool) continue;
    if (c.kind == frame::SimCommandKind::SetStrategy) choice.strategy = static_cast<pool::StrategyId>(c.choice);
    if (c.kind == frame::SimCommandKind::SetPolicy) choice.policy = static_cast<pool::PolicyId>(c.choice);
    if (c.kind == frame::SimCommandKind::SetCapacity) choice.capacity = c.capacity;
    if (c.kind == frame::SimCommandKind::Trim)
      choice.capacity = std::min(choice.capacity, std::max(1u, stats.live + c.capacity));
  }
  return choice;
}

bool Session::coming_fill(frame::PoolId pool) const {
  bool on = world_->pool(pool).fills();
  for (const frame::SimCommand& c : commands_) {
    if (c.kind == frame::SimCommandKind::SetFill && c.pool == pool) on = c.choice != 0;
  }
  return on;
}

pool::MemorySource Session::coming_memory() const {
  pool::MemorySource source = world_->frame_memory().step.chosen();
  for (const frame::SimCommand& c : commands_) {
    if (c.kind == frame::SimCommandKind::SetMemory) source = static_cast<pool::MemorySource>(c.choice);
  }
  return source;
}

frame::SlotSharing Session::coming_sharing() const {
  const sim::SlotBudget* budget = world_->slot_budget();
  frame::SlotSharing sharing = budget ? budget->sharing() : frame::SlotSharing::Off;
  for (const frame::SimCommand& c : commands_) {
    if (c.kind == frame::SimCommandKind::SetSharing) sharing = static_cast<frame::SlotSharing>(c.choice);
  }
  return sharing;
}

frame::CraneSearch Session::coming_cranes() const {
  const sim::CraneRules* rules = world_->crane_rules();
  frame::CraneSearch search = rules ? rules->mode : frame::CraneSearch::Off;
  for (const frame::SimCommand& c : commands_) {
    if (c.kind == frame::SimCommandKind::SetCranes) search = static_cast<frame::CraneSearch>(c.choice);
  }
  return search;
}

bool Session::coming_forgetful() const {
  bool on = scene_hooks(*world_).forgetful(*world_);
  for (const frame::SimCommand& c : commands_) {
    if (c.kind == frame::SimCommandKind::SetForgetful) on = c.choice != 0;
  }
  return on;
}

frame::ConsoleMode Session::coming_console() const {
  const sim::SmallConsole* const console = scene_hooks(*world_).console(*world_);
  frame::ConsoleMode mode = console ? console->mode() : frame::ConsoleMode::Off;
  for (const frame::SimCommand& c : commands_) {
    if (c.kind == frame::SimCommandKind::SetConsole) mode = static_cast<frame::ConsoleMode>(c.choice);
  }
  return mode;
}

frame::Load Session::coming_load() const {
  frame::Load load = world_->load();
  for (const frame::SimCommand& c : commands_) {
    if (c.kind == frame::SimCommandKind::SetLoad) load.sparks = c.capacity;
    if (c.kind == frame::SimCommandKind::SetChurn) load.churn = c.capacity;
    if (c.kind == frame::SimCommandKind::SetHeapAge) load.aged_heap = c.choice != 0;
  }
  return load;
}

/// From the next step on the heap is as old as the load has it.
void Session::follow_heap_age() {
  if (!world_->load().aged_heap) return aged_heap_.reset();
  if (!aged_heap_ && !aged_heap_.emplace().age(measure::HeapAge::AgedLight)) {
    log(LogLevel::Warning, "the heap stays fresh: there is not enough memory to age it");
  }
}

void Session::set_autoplay(bool on) {
  if (on && !plan_.autoplay) player_ = world_->scripted_player(plan_.world.seed ^ world_->steps());
  plan_.autoplay = on;
}

void Session::settle() {
  if (!unsettled_) return;
  unsettled_ = false;
  const u64 step = world_->steps() - 1;
  const bool compare = plan_.replay && step < plan_.replay->hashes.size();
  if (!writer_ && !plan_.keep_hashes && !compare) return;
  const u64 hash = world_->hash();
  if (writer_) writer_->step(last_input_, hash);
  settled_hash_ = hash;
  if (compare && !first_difference_ && !plan_.replay->agrees(step, hash)) first_difference_ = step;
  if (plan_.keep_hashes) {
    char digits[24];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, step + 1);
    hash_lines_.append(digits, end);
    hash_lines_ += ' ';
    sim::append_hex16(hash_lines_, hash);
    hash_lines_ += '\n';
  }
}

std::string read_commands(const std::string& path, frame::SceneId scene, std::vector<sim::ReplayCommand>& out) {
  const content::TextResult file = content::read_text(path, kMostCommands_bytes);
  if (!file.text) return file.error;
  std::string_view text = *file.text;
  u64 line_number = 0, last_step = 0;
  while (!text.empty()) {
    const auto end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    ++line_number;
    line = line.substr(0, line.find('#'));
    while (!line.empty() && (line.back() == ' ' || line.back() == '\t' || line.back() == '\r')) line.remove_suffix(1);
    while (!line.empty() && (line.front() == ' ' || line.front() == '\t')) line.remove_prefix(1);
    if (line.empty()) continue;
    const auto fail = [&](const std::string& reason) {
      return one_line(path + ":" + std::to_string(line_number) + ": " + reason);
    };
    const auto space = line.find(' ');
    sim::ReplayCommand entry;
    if (space == std::string_view::npos || !sim::parse_number(line.substr(0, space), 0, ~u64{0}, entry.step)) {
      return fail("a line is 'STEP COMMAND POOL VALUE', for example '120 strategy particles heap'");
    }
    if (entry.step < last_step)
      return fail("steps must rise, but " + std::to_string(entry.step) + " follows " + std::to_string(last_step));
    last_step = entry.step;
    if (std::string wrong = sim::parse_command(line.substr(space + 1), scene, entry.command); !wrong.empty())
      return fail(wrong);
    out.push_back(std::move(entry));
  }
  return {};
}

namespace {

/// What the replay plays by: its own texts, or the installed files that it names.
std::string prepare_files(const sim::Replay& replay, const std::string& data_dir, SpellLibrary& library) {
  const bool playable = std::any_of(frame::kScenes.begin(), frame::kScenes.end(),
                                    [&](const frame::SceneRow& row) { return row.id == replay.scene; });
  if (!playable) return "this program cannot play the scene " + std::string(frame::row(replay.scene).name);
  if (scene_hooks(replay.scene).has_spells()) {
    const std::string error = library.parse(replay.spell_texts, replay.arena_text);
    return error.empty() ? error : "the text inside it: " + error;
  }
  if (!scene_hooks(replay.scene).has_stages()) return {};
  if (data_dir.empty()) return "the folder of the files that it names was not found; give --data-dir";
  std::vector<sim::ReplayText> texts;
  for (const sim::ReplayFile& needed : replay.files) {
    content::TextResult file = content::read_text(data_dir + "/" + needed.name, kMostFile_bytes);
    if (!file.text) return "it needs " + needed.name + ", but " + file.error;
    if (sim::replay_checksum(*file.text) != needed.check)
      return "it was recorded with another " + needed.name + " than the one in " + data_dir;
    texts.push_back({needed.name, std::move(file.text)});
  }
  if (library.data_dir() != data_dir) {
    if (std::string wrong = library.load(data_dir); !wrong.empty()) return wrong;
  }
  if (std::ranges::find(replay.files, SpellLibrary::kArenaFile, &sim::ReplayFile::name) ==
      replay.files.end()) {
    // From before there was this file.
    if (std::string wrong = library.update_arena(std::string(content::builtin_arena())); !wrong.empty())
      return wrong;
  }
  if (std::string wrong = library.stages().parse(data_dir, texts); !wrong.empty()) return wrong;
  const sim::PoolChoice& enemies = replay.pools[static_cast<std::size_t>(frame::PoolId::Enemies)];
  const u32 needs = frame::stage_needs(*library.stages().stage()).enemies;
  if (enemies.policy != pool::PolicyId::Assert) return frame::kEnemiesNeverFail;
  if (enemies.capacity < needs)
    return "its pool of enemies holds " + std::to_string(enemies.capacity) + ", but " +
           frame::needs_text(*library.stages().stage(), needs);
  return {};
}

/// Reads what the commands' texts say. "" or an error line.
std::string prepare_commands(sim::Replay& replay, const SpellLibrary& library) {
  StageLibrary stages = library.stages().as_in_replay();
  for (sim::ReplayCommand& entry : replay.commands) {
    if (entry.command.kind == frame::SimCommandKind::SetSpell) {
      content::SpellFileResult spell =
          content::parse_spell(entry.text, std::string(frame::kSpellFiles[entry.command.spell]));
      if (!spell.spell) return "the spell that changes at step " + std::to_string(entry.step) + ": " + spell.error;
      entry.command.definition = std::make_shared<const frame::SpellDef>(std::move(*spell.spell));
    } else if (entry.command.kind == frame::SimCommandKind::SetArena) {
      content::ArenaFileResult arena = content::parse_arena(entry.text, SpellLibrary::kArenaFile);
      if (!arena.arena)
        return "the arena that changes at step " + std::to_string(entry.step) + ": " + arena.error;
      entry.command.arena = std::make_shared<const frame::ArenaDef>(std::move(*arena.arena));
    } else if (entry.command.kind == frame::SimCommandKind::SetStage) {
      std::vector<sim::ReplayText> changes;
      std::string wrong = sim::parse_texts(entry.text, changes);
      if (wrong.empty()) wrong = stages.update(changes);
      if (!wrong.empty()) return "the texts that change at step " + std::to_string(entry.step) + ": " + wrong;
      entry.command.patterns = stages.patterns();
      entry.command.stage = stages.stage();
    }
  }
  return {};
}

}  // namespace

std::string read_replay(const std::string& path, const std::string& data_dir, sim::Replay& replay,
                        SpellLibrary& library, std::vector<sim::ReplayCommand>& script) {
  const content::TextResult file = content::read_text(path, kMostReplay_bytes);
  if (!file.text) return file.error;
  sim::ReplayResult result = sim::parse_replay(*file.text);
  const auto fail = [&](const std::string& reason) { return one_line("replay " + path + ": " + reason); };
  if (!result.replay) return fail(result.error);
  if (std::string wrong = prepare_files(*result.replay, data_dir, library); !wrong.empty()) return fail(wrong);
  if (std::string wrong = prepare_commands(*result.replay, library); !wrong.empty()) return fail(wrong);
  script = result.replay->commands;
  replay = std::move(*result.replay);
  return {};
}

}  // namespace spellpool::app
