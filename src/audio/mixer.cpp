#include "audio/mixer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "audio/scale.hpp"
#include "audio/spatial.hpp"
#include "core/det_math.hpp"

namespace spellpool::audio {
namespace {

static_assert(std::atomic<u64>::is_always_lock_free && std::atomic<float>::is_always_lock_free);

template <class T>
T bounded(T value, T low, T high) {
  return value > high ? high : (value >= low ? value : low);  // NaN → low
}

constexpr float kMaxMasterGain = 4.0f;
constexpr float kFade_s = 0.01f;
constexpr u32 kMostFadeCells = 1u << 20;
constexpr auto kRelaxed = std::memory_order_relaxed;

MixerOptions with_bounds(MixerOptions options) {
  options.most_voices = bounded(options.most_voices, 1u, kMostSlots);
  options.voices = bounded(options.voices, 1u, options.most_voices);
  options.most_virtual = bounded(options.most_virtual, 1u, kMostVirtual);
  options.master_gain = bounded(options.master_gain, 0.0f, kMaxMasterGain);
  options.tail_frames = bounded(options.tail_frames, 1u, kMaxRunFrames);
  options.command_ring = bounded(options.command_ring, 2u, 1u << 20);
  return options;
}

/// Voices that can be out at once: in slots, virtual, in the ring of commands.
u32 most_out(const MixerOptions& options) {
  return options.most_voices + options.most_virtual + std::bit_ceil(options.command_ring);
}

bool is_number(const frame::AudioEvent& event) {
  // Nought times what is no number, or has no end, is no number.
  const float nought = 0.0f * event.gain + 0.0f * event.x + 0.0f * event.y + 0.0f * event.pitch_steps;
  return nought == nought;
}

void add(std::atomic<u64>& count) { count.store(count.load(kRelaxed) + 1, kRelaxed); }  // one writer

}  // namespace

Mixer::Mixer(const MixerOptions& options, std::shared_ptr<const SoundBank> bank)
    : options_(with_bounds(options)),
      sample_rate_hz_(bank->sample_rate_hz()),
      banks_{std::move(bank)},
      store_(most_out(options_)),
      commands_(options_.command_ring),
      reports_(most_out(options_) + 64),
      board_(VoiceBoard{std::vector<frame::VoiceRow>(options_.most_voices + options_.most_virtual), 0}),
      bank_(banks_.back().get()),
      pool_(options_.voices, options_.most_voices, options_.most_virtual, options_.policy),
      tails_(options_.tail_frames, mix_loops(options_.level).voices),
      limiter_(sample_rate_hz_),
      mix_(mix_loops(options_.level)),
      steals_(options_.most_voices),
      gain_(options_.master_gain),
      gain_slope_(1.0f / (kFade_s * static_cast<float>(sample_rate_hz_))),
      master_gain_(options_.master_gain) {
  waiting_.reserve(2 * std::size_t{store_.capacity()});
  store_.set_storage(options_.storage);
  for (std::atomic<float>& volume : group_volumes_) volume.store(1.0f, kRelaxed);
  published_.voices.store(pool_.slots(), kRelaxed);
}

Mixer::~Mixer() = default;

// ---- Game thread ----------------------------------------------------------------------------------------------------

/// In its turn, with the next update() if need be.
void Mixer::send_surely(const Command& command) {
  if (!send(command)) waiting_.push_back(command);
}

VoiceHandle Mixer::play_at(const frame::AudioEvent& event, u64 frame) {
  Command* const command = waiting_.empty() ? commands_.room() : nullptr;
  Voice* const voice = command != nullptr ? store_.make(event) : nullptr;
  if (voice == nullptr) {
    add(dropped_);
    return {};
  }
  command->kind = Command::Kind::Play;
  command->frame = frame;
  command->voice = voice;
  commands_.publish();
  return store_.handle_of(*voice);
}

bool Mixer::stop(VoiceHandle voice, u64 frame) {
  Command command;
  command.kind = Command::Kind::Stop;
  command.frame = frame;
  command.serial = store_.serial_of(voice);
  if (command.serial == 0) return false;
  send_surely(command);
  return true;
}

bool Mixer::fade_out(VoiceHandle voice, float seconds, u64 frame) {
  Command command;
  command.kind = Command::Kind::Fade;
  command.frame = frame;
  command.serial = store_.serial_of(voice);
  if (command.serial == 0) return false;
  const float cells =
      bounded(seconds, 0.0f, 3'600.0f) * static_cast<float>(sample_rate_hz_) / static_cast<float>(kCellFrames);
  command.number = bounded(static_cast<u32>(cells + 0.5f), 1u, kMostFadeCells);
  send_surely(command);
  return true;
}

bool Mixer::move(VoiceHandle voice, float gain, float x, float y, u64 frame) {
  Command command;
  command.kind = Command::Kind::Move;
  command.frame = frame;
  command.serial = store_.serial_of(voice);
  command.gain = gain;
  command.x = x;
  command.y = y;
  if (command.serial == 0) return false;
  if (std::isfinite(gain) && std::isfinite(x) && std::isfinite(y) && send(command)) return true;
  add(dropped_moves_);
  return false;
}

void Mixer::set_slots(u32 slots, u64 frame) {
  Command command;
  command.kind = Command::Kind::Slots;
  command.frame = frame;
  command.number = slots;
  send_surely(command);
}

void Mixer::set_policy(frame::VoicePolicy policy, u64 frame) {
  Command command;
  command.kind = Command::Kind::Policy;
  command.frame = frame;
  command.number = static_cast<u32>(policy);
  send_surely(command);
}

void Mixer::set_bank(std::shared_ptr<const SoundBank> bank) {
  SPELLPOOL_ASSERT(bank && bank->sample_rate_hz() == sample_rate_hz_);
  Command command;
  command.kind = Command::Kind::Bank;
  command.bank = bank.get();
  banks_.push_back(std::move(bank));
  send_surely(command);
}

void Mixer::update() {
  for (Report report; reports_.pop(report);) {
    if (report.voice != nullptr) {
      store_.give_back(report.voice);
    } else {
      const auto released =
          std::find_if(banks_.begin(), banks_.end(), [&](const auto& b) { return b.get() == report.bank; });
      if (released != banks_.end()) banks_.erase(released);
    }
  }
  std::size_t sent = 0;
  while (sent < waiting_.size() && commands_.push(waiting_[sent])) ++sent;
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(sent));
}

void Mixer::set_master_gain(float gain) { master_gain_.store(bounded(gain, 0.0f, kMaxMasterGain), kRelaxed); }

void Mixer::set_volume(float volume) { volume_.store(bounded(volume, 0.0f, 1.0f), kRelaxed); }

void Mixer::set_group_volume(frame::SoundGroup group, float volume) {
  group_volumes_[static_cast<std::size_t>(group)].store(bounded(volume, 0.0f, 1.0f), kRelaxed);
}

std::span<const frame::VoiceRow> Mixer::board() {
  board_.fetch();
  const VoiceBoard& latest = board_.reading();
  return std::span(latest.rows).first(latest.count);
}

// ---- Audio thread ---------------------------------------------------------------------------------------------------

void Mixer::render(std::span<float> interleaved_stereo) {
  const FloatControlScope scope(FloatControlScope::Denormals::FlushToZero);
  std::size_t budget = commands_.size();
  peak_left_ = peak_right_ = 0.0f;
  const std::size_t wanted = interleaved_stereo.size() / 2;
  for (std::size_t done = 0; done < wanted;) {
    const u32 in_cell = static_cast<u32>(position_ % kCellFrames);
    if (in_cell == 0) begin_cell();
    const u64 frames_to_next = take_due_commands(budget);
    const std::size_t count =
        std::min<u64>(std::min<std::size_t>(wanted - done, kCellFrames - in_cell), frames_to_next);
    mix_segment(interleaved_stereo.subspan(2 * done, 2 * count));
    done += count;
    position_ += count;
  }
  if (interleaved_stereo.size() % 2 != 0) interleaved_stereo.back() = 0.0f;
  pool_.release_ended(position_);
  settle_changes();
  published_.left_peak.store(peak_left_, kRelaxed);
  published_.right_peak.store(peak_right_, kRelaxed);
  publish();
  if (board_shown_.load(kRelaxed)) publish_board();
}

void Mixer::begin_cell() {
  GroupGains groups;
  for (std::size_t i = 0; i < groups.size(); ++i) groups[i] = group_volumes_[i].load(kRelaxed);
  pool_.begin_cell(position_, groups);
  settle_changes();
}

/// Gives the frames until the next command is due; no end of them if there is none that may be taken.
u64 Mixer::take_due_commands(std::size_t& budget) {
  for (; budget > 0; --budget) {
    const Command* const next = commands_.front();
    if (next->frame > position_) return next->frame - position_;
    act(*next);
    commands_.drop();
  }
  return ~u64{0};
}

void Mixer::act(const Command& command) {
  // A voice that is over by now ends as Ended, whatever the command, and leaves no tail.
  pool_.release_ended(position_);
  switch (command.kind) {
    case Command::Kind::Play: start(*command.voice); return;
    case Command::Kind::Stop: pool_.stop(command.serial, VoiceEnd::Stopped); break;
    case Command::Kind::Fade: pool_.fade_out(command.serial, command.number); break;
    case Command::Kind::Move: {
      const Placement placement = place(command.x, command.y);
      pool_.move(command.serial, bounded(command.gain, 0.0f, 1.0f) * placement.attenuation, placement.left,
                 placement.right, placement.dullness);
      break;
    }
    case Command::Kind::Slots: pool_.set_slots(command.number, position_); break;
    case Command::Kind::Policy: pool_.set_policy(static_cast<frame::VoicePolicy>(command.number)); break;
    case Command::Kind::Bank: {
      const SoundBank* const before = bank_;
      bank_ = command.bank;
      pool_.keep_only(*bank_);
      settle_changes();
      tails_.render_begun();  // while the samples are there
      // Sounds that both banks have are shared, so no voice plays from the old bank alone.
      reports_.push({nullptr, before});
      return;
    }
  }
  settle_changes();
}

/// The record's last moment here. There is room: the ring holds all that can be out.
inline void Mixer::give_back(Voice* record, VoiceEnd end) {
  if (record == nullptr) return;
  record->end = end;
  [[maybe_unused]] const bool pushed = reports_.push({record, nullptr});
  SPELLPOOL_ASSERT(pushed);
}

/// As it stands now: the ramp that it may be on ends with this cell.
inline VoiceRun Mixer::run_now(const Playing& voice) const {
  const float in_cell = static_cast<float>(position_ % kCellFrames);
  VoiceRun run = voice.run(position_);
  run.left += run.left_slope * in_cell;
  run.right += run.right_slope * in_cell;
  return run;
}

/// Something of it; else cutting it is no click, and its tail would be one.
inline bool Mixer::was_heard(const Playing& voice) const { return voice.start != position_; }

/// With a tail, unless its sound is over.
inline void Mixer::end_real(const Playing& voice, VoiceEnd end) {
  if (end != VoiceEnd::Ended && was_heard(voice)) tails_.fall(run_now(voice));
  give_back(voice.record, end);
}

void Mixer::start(Voice& record) {
  const frame::AudioEvent& event = record.event;
  const std::size_t id = static_cast<std::size_t>(event.sound);
  if (id >= frame::kSoundCount || !is_number(event)) {
    ++invalid_;
    return give_back(&record, VoiceEnd::Invalid);
  }
  const Sound& sound = (*bank_)[event.sound];
  const frame::SoundTraits& traits = sound.traits();
  const Placement placement = place(event.x, event.y);
  Playing voice;
  voice.sound = &sound;
  voice.record = &record;
  voice.serial = record.serial;
  voice.start = position_;
  if (!sound.fixed_pitch() && event.pitch_steps != 0.0f) {
    voice.set_step(static_cast<u64>(pitch_ratio(sound.degree(), in_tune(event.pitch_steps)) * 4'294'967'296.0 + 0.5));
  }
  voice.gain = bounded(event.gain, 0.0f, 1.0f) * placement.attenuation;
  voice.pan_left = placement.left;
  voice.pan_right = placement.right;
  voice.dullness = placement.dullness;
  voice.id = event.sound;
  voice.group = traits.group;
  voice.priority = traits.priority;
  voice.kept = traits.kept;
  voice.own = traits.own;
  LastStart& last = last_starts_[id];
  if (options_.merge && !event.unmerged) {
    const u64 window = u64{traits.retrigger_ms} * sample_rate_hz_ / 1'000;
    if (last.gain >= 0.0f && position_ - last.frame < window) {
      if (voice.gain <= last.gain) {
        ++merged_;
        return give_back(&record, VoiceEnd::Merged);
      }
      pool_.stop(last.serial, VoiceEnd::Merged);
    }
    if (traits.most_at_once > 0 && pool_.instances(event.sound) >= traits.most_at_once) {
      const Playing* const least = pool_.least_instance(event.sound);
      if (least == nullptr || audibility(voice, 1.0f, position_) < audibility(*least, 1.0f, position_)) {
        ++merged_;
        settle_changes();
        return give_back(&record, VoiceEnd::Merged);
      }
      pool_.stop(least->serial, VoiceEnd::Merged);
    }
  }
  const StartResult result = pool_.start(voice, [&](u32 slot, const Playing& victim, bool for_good) {
    steals_[slot] = {voice.serial, victim.serial, victim.id};
    if (for_good) end_real(victim, VoiceEnd::Stolen);
  });
  if (!pool_.changes().empty()) settle_changes();
  if (result.outcome == StartOutcome::Rejected) return give_back(&record, VoiceEnd::Rejected);
  last = {record.serial, position_, voice.gain};
}

/// Starts tails, and returns the records of voices that are gone.
void Mixer::settle_changes() {
  for (const VoiceChange& change : pool_.changes()) {
    const Playing& voice = change.voice;
    switch (change.kind) {
      case VoiceChange::Kind::Gone:
        change.was_real ? end_real(voice, change.end) : give_back(voice.record, change.end);
        break;
      case VoiceChange::Kind::Silenced:
        if (was_heard(voice)) tails_.fall(run_now(voice));
        break;
      case VoiceChange::Kind::Resumed:
        if (was_heard(voice)) tails_.rise(run_now(voice));
        break;
    }
  }
  pool_.clear_changes();
}

void Mixer::mix_segment(std::span<float> interleaved_stereo) {
  const u32 count = static_cast<u32>(interleaved_stereo.size() / 2);
  std::fill_n(left_.begin(), count, 0.0f);
  std::fill_n(right_.begin(), count, 0.0f);
  const u32 in_cell = static_cast<u32>(position_ % kCellFrames);
  u32 plain = 0, others = 0;  // of one of the two kinds there are none: voices are added in the order of their slots
  const auto mix_plain = [&] {
    if (plain > 0) mix_.plain(plains_.data(), plain, in_cell, count, left_.data(), right_.data());
    plain = 0;
  };
  const auto mix_others = [&] {
    if (others > 0) mix_.voices(runs_.data(), others, in_cell, count, left_.data(), right_.data());
    others = 0;
  };
  pool_.for_each([&](u32, const Playing& voice) {
    if (voice.is_plain()) {
      mix_others();
      if (plain == plains_.size()) mix_plain();
      plains_[plain++] = voice.plain_run(position_);
    } else {
      mix_plain();
      if (others == runs_.size()) mix_others();
      runs_[others++] = voice.run(position_);
    }
  });
  mix_plain();
  mix_others();
  tails_.mix_into(std::span(left_).first(count), std::span(right_).first(count));

  const float wanted = muted_.load(kRelaxed) ? 0.0f : master_gain_.load(kRelaxed) * volume_.load(kRelaxed);
  float* const left = left_.data();
  float* const right = right_.data();
  const auto loud = [](float sample, float gain) {
    const float out = sample * gain;
    return std::fabs(out) <= std::numeric_limits<float>::max() ? out : 0.0f;  // what is no number is silence
  };
  if (gain_ == wanted) {
    const float gain = gain_;
    for (u32 i = 0; i < count; ++i) {
      left[i] = loud(left[i], gain);
      right[i] = loud(right[i], gain);
    }
  } else {
    for (u32 i = 0; i < count; ++i) {
      const float change = wanted - gain_;
      gain_ = change > gain_slope_ ? gain_ + gain_slope_ : (change < -gain_slope_ ? gain_ - gain_slope_ : wanted);
      left[i] = loud(left[i], gain_);
      right[i] = loud(right[i], gain_);
    }
  }
  limiter_.process(left, right, count);
  float* const out = interleaved_stereo.data();
  for (u32 i = 0; i < count; ++i) {
    out[2 * i] = left[i];
    out[2 * i + 1] = right[i];
  }
  peak_left_ = std::max(peak_left_, peak_of(left, count));
  peak_right_ = std::max(peak_right_, peak_of(right, count));
}

// ---- What others see ------------------------------------------------------------------------------------------------

void Mixer::publish() {
  const VoicePoolStats& pool = pool_.stats();
  published_.voices.store(pool_.slots(), kRelaxed);
  published_.active.store(pool.active, kRelaxed);
  published_.virtual_voices.store(pool.virtual_voices, kRelaxed);
  published_.peak.store(pool.peak, kRelaxed);
  published_.started.store(pool.started, kRelaxed);
  published_.ended.store(pool.ended, kRelaxed);
  published_.stopped.store(pool.stopped, kRelaxed);
  published_.stolen.store(pool.stolen, kRelaxed);
  published_.rejected.store(pool.rejected, kRelaxed);
  published_.made_virtual.store(pool.made_virtual, kRelaxed);
  published_.resumed.store(pool.resumed, kRelaxed);
  published_.merged.store(merged_, kRelaxed);
  published_.invalid.store(invalid_, kRelaxed);
  published_.limited.store(limiter_.limited_frames(), kRelaxed);
  published_.frames.store(position_, kRelaxed);
}

void Mixer::publish_board() {
  VoiceBoard& board = board_.writing();
  const float seconds = 1.0f / static_cast<float>(sample_rate_hz_);
  const auto row_of = [&](const Playing& voice, frame::VoiceRow::State state) {
    const float group = pool_.group_gains()[static_cast<std::size_t>(voice.group)];
    frame::VoiceRow row;
    row.state = state;
    row.sound = voice.id;
    row.priority = voice.priority;
    row.kept = voice.kept;
    row.level = state == frame::VoiceRow::State::Playing ? level(voice, group, position_) : 0.0f;
    row.score = audibility(voice, group, position_);
    row.age_s = static_cast<float>(position_ - voice.start) * seconds;
    row.serial = voice.serial;
    return row;
  };
  board.count = pool_.slots();
  for (u32 slot = 0; slot < board.count; ++slot) board.rows[slot] = {};
  pool_.for_each([&](u32 slot, const Playing& voice) {
    frame::VoiceRow& row = board.rows[slot];
    row = row_of(voice, frame::VoiceRow::State::Playing);
    if (steals_[slot].stealing_voice == voice.serial) {
      row.stole_from = steals_[slot].victim;
      row.victim = steals_[slot].sound;
    }
  });
  const u32 first_virtual = board.count;
  for (const Playing& voice : pool_.virtual_voices()) {
    board.rows[board.count++] = row_of(voice, frame::VoiceRow::State::Virtual);
  }
  std::sort(board.rows.begin() + first_virtual, board.rows.begin() + board.count, [](const auto& a, const auto& b) {
    return a.score != b.score ? a.score > b.score : a.serial < b.serial;
  });
  board_.publish();
}

MixerStats Mixer::stats() const {
  MixerStats stats;
  stats.voices = published_.voices.load(kRelaxed);
  stats.active = published_.active.load(kRelaxed);
  stats.virtual_voices = published_.virtual_voices.load(kRelaxed);
  stats.peak = published_.peak.load(kRelaxed);
  stats.started = published_.started.load(kRelaxed);
  stats.ended = published_.ended.load(kRelaxed);
  stats.stopped = published_.stopped.load(kRelaxed);
  stats.stolen = published_.stolen.load(kRelaxed);
  stats.rejected = published_.rejected.load(kRelaxed);
  stats.made_virtual = published_.made_virtual.load(kRelaxed);
  stats.resumed = published_.resumed.load(kRelaxed);
  stats.merged = published_.merged.load(kRelaxed);
  stats.invalid_events = published_.invalid.load(kRelaxed);
  stats.dropped_events = dropped_.load(kRelaxed);
  stats.dropped_moves = dropped_moves_.load(kRelaxed);
  stats.limited_frames = published_.limited.load(kRelaxed);
  stats.frames = published_.frames.load(kRelaxed);
  stats.left_peak = published_.left_peak.load(kRelaxed);
  stats.right_peak = published_.right_peak.load(kRelaxed);
  return stats;
}

}  // namespace spellpool::audio
