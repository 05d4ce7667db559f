#include "app/play/game.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "app/library/sound_library.hpp"
#include "app/play/crash_note.hpp"
#include "app/play/summary.hpp"
#include "app/scene_hooks.hpp"
#include "app/sound/voice_controller.hpp"
#include "audio/music.hpp"
#include "audio/offline_audio.hpp"
#include "content/media/wav.hpp"
#include "content/text_file.hpp"
#include "core/log.hpp"

namespace spellpool::app {
namespace {

constexpr u64 kSoundsReserved = 1u << 16;
/// More in one step would have to be made room for.
constexpr std::size_t kMostStepSounds = 1024;

/// Frames whose figures the summary tells: all of a run of known length, else the last ones.
std::size_t history_frames(const PlayOptions& options) {
  return static_cast<std::size_t>(
      std::clamp<u64>(options.steps.value_or(0), measure::FrameRecorder::kHistoryFrames, 1u << 17));
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code ec;
  if (std::filesystem::equivalent(a, b, ec)) return !std::filesystem::is_character_file(a, ec);
  const auto whole = [&ec](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, ec), ec);
  };
  return whole(a) == whole(b);
}

}  // namespace

std::string output_clash(const PlayOptions& o) {
  const std::string* paths[] = {&o.input,      &o.commands,  &o.record_input, &o.hash_out, &o.json,
                                &o.screenshot, &o.audio_out, &o.record_csv,   &o.clip,     &o.layout_out};
  constexpr std::size_t kInputs = 2;
  for (std::size_t i = 0; i < std::size(paths); ++i) {
    for (std::size_t k = std::max(i + 1, kInputs); k < std::size(paths); ++k) {
      if (paths[i]->empty() || paths[k]->empty() || *paths[k] == "-" || !same_file(*paths[i], *paths[k])) continue;
      return *paths[k] + (i < kInputs ? ": an input would be written over; choose another name"
                                      : ": two outputs have this name; choose another for one");
    }
  }
  return {};
}

std::string probe_output(const std::string& path) {
  if (path.empty() || path == "-") return {};
  return content::StagedFile(path, content::Overwrite::Yes).error();
}

Game::Game(const PlayOptions& options, SpellLibrary& library)
    : options_(options), recorder_(measure::steady_now_ns, history_frames(options)) {
  step_sounds_.reserve(kMostStepSounds);
  SessionPlan plan;
  plan.autoplay = options_.autoplay;
  plan.showcase = options_.showcase;
  plan.switch_every = options_.switch_every;
  plan.record_replay =
      !options_.record_input.empty() || (kKeepsInputs && !options_.is_measured() && options_.input.empty());
  plan.keep_hashes = !options_.hash_out.empty();
  error_ = output_clash(options_);
  if (!error_.empty()) return;
  if (options_.steps) plan.expected_steps = std::min<u64>(*options_.steps, 1'000'000);
  if (!options_.input.empty()) {
    const sim::PoolChoices given = options_.world.pools;
    sim::Replay replay;
    error_ = read_replay(options_.input, library.data_dir(), replay, library, plan.script);
    if (!error_.empty()) return;
    if (options_.world.scene != replay.scene) options_.world.sizes = frame::default_sizes(replay.scene);
    options_.world.scene = replay.scene;
    error_ = options_.world.wrong_pool();
    if (!error_.empty()) return;
    options_.world.difficulty = replay.difficulty;
    options_.world.preset = replay.preset;
    options_.world.seed = replay.seed;
    options_.world.pools = replay.pools;
    for (std::size_t i = 0; options_.strategy_given && i < given.size(); ++i)
      options_.world.pools[i].strategy = given[i].strategy;
    plan.replay = std::move(replay);
  }
  if (!options_.commands.empty()) {
    error_ = read_commands(options_.commands, options_.world.scene, plan.script);
    if (!error_.empty()) return;
    std::stable_sort(plan.script.begin(), plan.script.end(),
                     [](const sim::ReplayCommand& a, const sim::ReplayCommand& b) { return a.step < b.step; });
  }
  for (const std::string* path : {&options_.record_input, &options_.hash_out, &options_.json, &options_.screenshot,
                                  &options_.audio_out, &options_.clip, &options_.layout_out}) {
    error_ = probe_output(*path);
    if (!error_.empty()) return;
  }
  error_ = options_.world.wrong_enemies(library.stages().stage().get());
  if (!error_.empty()) return;
  plan.world = options_.world;
  session_ = std::make_unique<Session>(std::move(plan), library);
  if (!options_.audio_out.empty()) sound_log_.reserve(kSoundsReserved);
  begin_counting();
}

void Game::begin_counting() {
  const sim::PoolPort& particles = world().pool(frame::PoolId::Particles);
  last_stats_ = particles.stats();
  last_strategy_ = particles.strategy();
  last_policy_ = particles.policy();
}

std::unique_ptr<Session> Game::exchange(std::unique_ptr<Session> session) {
  session_.swap(session);
  options_.world = session_->options();
  begin_counting();
  return session;
}

void Game::begin_frame() {
  recorder_.begin_frame();
  timeline_runs_ = timeline_waits_;
  if (!timeline_runs_) return;
  timeline_step_ = world().steps();
  timeline_->begin();
  recorder_.phases().report_to(timeline_.get());
  measure::report_allocations_to(timeline_.get());
}

void Game::record_timeline() {
  if (timeline_ == nullptr) timeline_ = std::make_unique<measure::Timeline>();
  timeline_waits_ = true;
}

frame::TimelineView Game::timeline() const {
  frame::TimelineView view;
  view.waits = timeline_waits_;
  if (timeline_ == nullptr || timeline_waits_) return view;
  view.rows[0] = timeline_->view();
  title_timeline(pool::row(timeline_strategy_), view.rows[0]);
  view.count = 1;
  return view;
}

std::string Game::start() { return options_.record_csv.empty() ? std::string{} : csv_.start(options_.record_csv); }

std::string Game::stop_recording() {
  const measure::RecordingResult result = csv_.stop();
  if (!result.error.empty()) {
    if (recording_error_.empty()) recording_error_ = result.error;
    return result.error;
  }
  const std::string dropped =
      result.dropped ? "; " + std::to_string(result.dropped) + " came too fast for the disk" : "";
  return "recorded " + std::to_string(result.frames) + " frames in " + result.path + dropped;
}

void Game::step(const frame::InputFrame& live, std::optional<frame::Amount> shown) {
  session_->step(live, &recorder_.phases(), shown);
  step_sounds_.assign(world().audio_events().begin(), world().audio_events().end());
  const float intensity = scene_hooks(world()).music_intensity(world());
  const audio::MusicStep music =
      audio::music_step(world().scene(), options_.world.seed, world().steps() - 1, intensity);
  step_sounds_.insert(step_sounds_.end(), music.notes().begin(), music.notes().end());
  if (!options_.audio_out.empty()) sound_log_.insert(sound_log_.end(), step_sounds_.begin(), step_sounds_.end());
}

frame::FrameRecord record_of(const sim::GameWorld& world, u64 seed, pool::PoolStats& last) {
  const sim::PoolPort& particles = world.pool(frame::PoolId::Particles);
  const pool::PoolStats stats = particles.stats();
  frame::FrameRecord record;
  record.step = world.steps();
  record.seed = seed;
  record.strategy = static_cast<u8>(particles.strategy());
  record.live = stats.live;
  record.spawned = static_cast<u32>(stats.spawned - last.spawned);
  record.despawned = static_cast<u32>(stats.released - last.released);
  record.rejected = static_cast<u32>(stats.rejected - last.rejected);
  record.stolen = static_cast<u32>(stats.stolen - last.stolen);
  last = stats;
  return record;
}

const frame::FrameRecord& Game::end_frame() {
  if (std::exchange(timeline_runs_, false)) {
    measure::report_allocations_to(nullptr);
    recorder_.phases().report_to(nullptr);
    if (world().steps() > timeline_step_) {
      timeline_->end();
      timeline_strategy_ = world().pool(frame::PoolId::Particles).strategy();
      timeline_waits_ = false;
    }
  }
  const u32 capacity = last_stats_.capacity;
  frame::FrameRecord record = record_of(world(), options_.world.seed, last_stats_);
  const sim::PoolPort& particles = world().pool(frame::PoolId::Particles);
  record.switched = particles.strategy() != last_strategy_ || particles.policy() != last_policy_ ||
                    last_stats_.capacity != capacity;
  last_strategy_ = particles.strategy();
  last_policy_ = particles.policy();
  const frame::FrameRecord& whole = recorder_.end_frame(record);
  session_->settle();
  session_->keep_keyframe();
  csv_.push(whole);
  return whole;
}

void Game::turn_back(u64 step) {
  session_->turn_back(step);
  std::erase_if(sound_log_, [step](const frame::AudioEvent& event) { return event.step >= step; });
  step_sounds_.clear();
  begin_counting();
}

bool Game::jump(u64 step) {
  if (!session_->jump(step)) return false;
  const u64 now = world().steps();
  std::erase_if(sound_log_, [now](const frame::AudioEvent& event) { return event.step >= now; });
  step_sounds_.clear();
  begin_counting();
  return true;
}

void Game::rewind() {
  session_->rewind();
  sound_log_.clear();
  last_stats_ = world().pool(frame::PoolId::Particles).stats();
}

bool Game::finished() const {
  if (options_.steps && session_->world().steps() >= *options_.steps) return true;
  return session_->finished();
}

u64 Game::steps_left() const {
  const u64 done = session_->world().steps();
  const u64 replayed = session_->replay_steps();
  const u64 asked = std::min(options_.steps.value_or(replayed), replayed ? replayed : options_.steps.value_or(0));
  return asked > done ? asked - done : 0;
}

std::string Game::save(const audio::MixerStats* heard) {
  if (saved_ || !session_) return {};
  saved_ = true;
  session_->settle();
  session_->end_turned();
  if (const auto step = session_->first_difference()) {
    log(LogLevel::Warning, "the world differs from the replay's from step " + std::to_string(*step + 1) + " on");
  }
  std::string first;
  const auto note = [&](const std::string& error) {
    if (first.empty()) first = error;
  };
  if (csv_.recording()) {
    const std::string outcome = stop_recording();
    if (recording_error_.empty()) log(LogLevel::Info, outcome);
  }
  note(recording_error_);
  if (const sim::ReplayWriter* writer = session_->replay_writer(); writer && !options_.record_input.empty()) {
    note(content::write_text(options_.record_input, writer->text(), content::Overwrite::Yes));
  }
  if (!options_.hash_out.empty())
    note(content::write_text(options_.hash_out, session_->hash_lines(), content::Overwrite::Yes));
  audio::MixerStats offline_stats;
  if (!options_.audio_out.empty() && sounds != nullptr) {
    audio::OfflineAudio offline(offline_options(options_.voices), sounds->bank(kWav_hz));
    content::WavWriter wav(options_.audio_out, offline.sample_rate_hz(), content::WavFormat::Pcm16,
                           content::Overwrite::Yes);
    std::size_t next = 0;
    for (u64 step = 0; step < world().steps(); ++step) {
      const std::size_t begin = next;
      while (next < sound_log_.size() && sound_log_[next].step == step) ++next;
      wav.append(offline.advance_step({sound_log_.data() + begin, next - begin}));
    }
    wav.append(offline.finish());
    note(wav.finish());
    offline_stats = offline.stats();
    if (!heard) heard = &offline_stats;
  }
  if (!options_.json.empty()) {
    const std::string json = summary_json(*session_, options_.world, recorder_,
                                          {renderer, drawn_by, first_frame_ms, stress, passes, figure_pool}, heard);
    if (options_.json == "-") {
      const bool written = std::fwrite(json.data(), 1, json.size(), stdout) == json.size();
      if (std::fflush(stdout) != 0 || !written)
        note("cannot write the summary to standard output: it is closed, or its disk is full; try --json FILE");
    } else {
      note(content::write_text(options_.json, json, content::Overwrite::Yes));
    }
  }
  return first;
}

}  // namespace spellpool::app
