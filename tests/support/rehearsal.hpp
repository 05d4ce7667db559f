#pragma once
// A stage flown through with nobody shooting back: where its bullets are and how many, worked out from the plain structs alone and
// much simpler than the game does it. For tests of the files that we ship.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/rng.hpp"
#include "frame/defs/pattern_def.hpp"
#include "frame/defs/stage_def.hpp"

namespace spellpool::test {

class Rehearsal {
 public:
  static constexpr float kStep_s = 1.0f / 30, kShipX = 0, kShipY = 260, kMargin = 40;

  struct Bullet {
    const frame::ShotDef* shot;
    float x, y, angle_turns, speed;
    float age_s = 0;
  };
  struct Beam {
    const frame::ShotDef* shot;
    float x, y, angle_turns;
    float age_s = 0;
  };

  Rehearsal(const frame::PatternBook& book, frame::Difficulty difficulty) : book_(book), difficulty_(static_cast<std::size_t>(difficulty)) {}

  const std::vector<Bullet>& bullets() const { return bullets_; }
  const std::vector<Beam>& beams() const { return beams_; }
  const std::vector<frame::PathPoint>& enemies() const { return seen_; }
  void clear() {
    bullets_.clear();
    beams_.clear();
    shooters_.clear();
    seen_.clear();
  }

  /// Somebody who plays `pattern` from delay_s on, until it is through with its path; `loops`: then from the path's second place again.
  void enter(i32 pattern, float delay_s, std::vector<frame::PathPoint> path, bool loops) {
    Shooter shooter;
    shooter.path = std::move(path);
    shooter.age_s = 0;
    shooter.loops = loops;
    if (pattern >= 0) {
      for (const frame::ShotDef& shot : book_[static_cast<std::size_t>(pattern)].shots[difficulty_]) shooter.lines.push_back({&shot, 0, delay_s + shot.start_s});
    }
    shooters_.push_back(std::move(shooter));
  }

  void step() {
    seen_.clear();
    for (Shooter& shooter : shooters_) {
      shooter.age_s += kStep_s;
      frame::PathPoint at;
      shooter.gone = !place(shooter, at);
      if (shooter.gone) continue;
      seen_.push_back(at);
      for (Line& line : shooter.lines) {
        while (line.next_s <= shooter.age_s) fire(line, at.x, at.y);
      }
    }
    std::erase_if(shooters_, [](const Shooter& s) { return s.gone; });
    for (std::size_t i = bullets_.size(); i-- > 0;) {
      if (!fly(i)) bullets_.erase(bullets_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    for (Beam& beam : beams_) {
      beam.age_s += kStep_s;
      if (beam.age_s > beam.shot->warn_s) beam.angle_turns += beam.shot->sweep_turns_s * kStep_s;
    }
    std::erase_if(beams_, [](const Beam& b) { return b.age_s > b.shot->warn_s + b.shot->on_s; });
  }

 private:
  struct Line {
    const frame::ShotDef* shot;
    u32 fired;
    float next_s;
  };
  struct Shooter {
    std::vector<frame::PathPoint> path;
    std::vector<Line> lines;
    float age_s = 0;
    bool loops = false, gone = false;
  };

  static float smooth(float t) { return t * t * (3 - 2 * t); }

  static bool place(const Shooter& shooter, frame::PathPoint& at) {
    const auto& path = shooter.path;
    at = path[0];
    if (path.size() == 1) return true;
    float left_s = shooter.age_s;
    std::size_t from = 0, to = 1;
    while (left_s > path[to].time_s) {
      left_s -= path[to].time_s;
      from = to++;
      if (to == path.size() && !shooter.loops) return false;
      if (to == path.size()) to = 1;
    }
    const float t = smooth(left_s / path[to].time_s);
    at.x = path[from].x + (path[to].x - path[from].x) * t;
    at.y = path[from].y + (path[to].y - path[from].y) * t;
    return true;
  }

  float random() { return static_cast<float>(rng_.below(65536)) / 65536.0f - 0.5f; }
  static float toward_ship(float x, float y) { return std::atan2(kShipY - y, kShipX - x) / (2 * std::numbers::pi_v<float>); }
  static float cosine(float turns) { return std::cos(turns * 2 * std::numbers::pi_v<float>); }
  static float sine(float turns) { return std::sin(turns * 2 * std::numbers::pi_v<float>); }

  void fire(Line& line, float x, float y) {
    const frame::ShotDef& shot = *line.shot;
    volley(shot, static_cast<float>(line.fired) * shot.turn_turns, x, y);
    ++line.fired;
    line.next_s += shot.every_s;
    if (shot.volleys > 0 && line.fired % shot.volleys == 0) {
      if (shot.rest_s > 0) {
        line.next_s += shot.rest_s;
        line.fired = 0;
      } else {
        line.next_s = 1e9f;
      }
    }
  }

  void volley(const frame::ShotDef& shot, float turned, float x, float y) {
    using frame::ShotForm;
    x += shot.offset_x;
    y += shot.offset_y;
    const float middle = shot.angle_turns + turned + (shot.aimed ? toward_ship(x, y) : 0) + random() * shot.angle_spread_turns;
    const float count = static_cast<float>(shot.count);
    const float gap_from = shot.gap_from >= 0 ? shot.gap_from : static_cast<float>(rng_.below(static_cast<u32>(std::max(1.0f, count - shot.gap + 1))));
    for (u32 layer = 0; layer < shot.layers; ++layer) {
      for (u32 i = 0; i < shot.count; ++i) {
        const float place = static_cast<float>(i);
        float angle = middle, from_x = x, from_y = y;
        if (shot.form == ShotForm::Ring) angle += place / count * shot.arc_turns;
        if ((shot.form == ShotForm::Fan || shot.form == ShotForm::Laser) && shot.count > 1) angle += (place / (count - 1) - 0.5f) * shot.arc_turns;
        if (shot.form == ShotForm::Wall) {
          if (place >= gap_from && place < gap_from + shot.gap) continue;
          const float beside = (place - (count - 1) / 2) * shot.spacing;
          from_x += -sine(angle) * beside;
          from_y += cosine(angle) * beside;
        }
        if (shot.form == ShotForm::Rain) {
          from_x = random() * 2 * frame::kFieldHalfWidth;
          from_y = -frame::kFieldHalfHeight;
          angle += random() * shot.arc_turns;
        }
        from_x += cosine(angle) * shot.radius;
        from_y += sine(angle) * shot.radius;
        if (shot.form == ShotForm::Laser) {
          beams_.push_back({&shot, from_x, from_y, angle});
        } else {
          bullets_.push_back({&shot, from_x, from_y, angle, shot.speed + static_cast<float>(layer) * shot.layer_speed + random() * shot.speed_spread});
        }
      }
    }
  }

  /// False: it is gone.
  bool fly(std::size_t index) {
    Bullet b = bullets_[index];
    const frame::ShotDef& shot = *b.shot;
    b.age_s += kStep_s;
    if (shot.accelerate > 0) b.speed = std::max(b.speed, std::min(shot.most_speed, b.speed + shot.accelerate * kStep_s));
    if (shot.accelerate < 0) b.speed = std::min(b.speed, std::max(shot.least_speed, b.speed + shot.accelerate * kStep_s));
    if (shot.curve_s == 0 || b.age_s < shot.curve_s) b.angle_turns += shot.curve_turns_s * kStep_s;
    if (b.age_s < shot.homing_s) {
      float off = toward_ship(b.x, b.y) - b.angle_turns;
      off -= std::round(off);
      b.angle_turns += std::clamp(off, -shot.homing_turns_s * kStep_s, shot.homing_turns_s * kStep_s);
    }
    b.x += cosine(b.angle_turns) * b.speed * kStep_s;
    b.y += sine(b.angle_turns) * b.speed * kStep_s;
    bullets_[index] = b;
    if (shot.split_into >= 0 && b.age_s >= shot.split_s) {
      for (const frame::ShotDef& part : book_[static_cast<std::size_t>(shot.split_into)].shots[difficulty_]) volley(part, 0, b.x, b.y);
      return false;
    }
    return std::abs(b.x) < frame::kFieldHalfWidth + kMargin && std::abs(b.y) < frame::kFieldHalfHeight + kMargin;
  }

  const frame::PatternBook& book_;
  std::size_t difficulty_;
  std::vector<Bullet> bullets_;
  std::vector<Beam> beams_;
  std::vector<Shooter> shooters_;
  std::vector<frame::PathPoint> seen_;
  Rng rng_{5};
};

/// All waves with the clock running through; `watch(clock_s, rehearsal)` sees every step.
template <class Watch>
void rehearse_waves(const frame::StageDef& stage, Rehearsal& flight, Watch watch) {
  std::vector<u32> came(stage.waves.size());
  float end_s = 0;
  for (const frame::WaveDef& wave : stage.waves) end_s = std::max(end_s, wave.at_s + static_cast<float>(wave.count) * wave.every_s + 30);
  for (float clock_s = 0; clock_s < end_s; clock_s += Rehearsal::kStep_s) {
    for (std::size_t w = 0; w < stage.waves.size(); ++w) {
      const frame::WaveDef& wave = stage.waves[w];
      while (came[w] < wave.count && wave.at_s + static_cast<float>(came[w]) * wave.every_s <= clock_s) {
        std::vector<frame::PathPoint> path = wave.path;
        const float n = static_cast<float>(came[w]);
        for (frame::PathPoint& point : path) {
          point.x += n * wave.step_x;
          point.y += n * wave.step_y;
          if (wave.mirror && came[w] % 2 == 1) point.x = -point.x;
        }
        flight.enter(wave.pattern, wave.fire_s, std::move(path), false);
        ++came[w];
      }
    }
    flight.step();
    watch(clock_s, flight);
  }
}

template <class Watch>
void rehearse_phase(const frame::BossPhase& phase, Rehearsal& flight, Watch watch) {
  flight.clear();
  for (const i32 pattern : phase.patterns) flight.enter(pattern, 1, phase.path, true);
  for (float age_s = 0; age_s < phase.time_s; age_s += Rehearsal::kStep_s) {
    flight.step();
    watch(age_s, flight);
  }
}

}  // namespace spellpool::test
