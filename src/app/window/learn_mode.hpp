#pragma once
#include <memory>
#include <optional>

#include "app/learn/learn_stage.hpp"
#include "app/learn/lesson_listening.hpp"
#include "app/window/mode.hpp"

namespace spellpool::app {

/// The lessons, over the title. Neither the demo behind it nor the player's game makes a step meanwhile.
class LearnMode final : public Interruption {
 public:
  using Interruption::Interruption;

  ModeId id() const override { return ModeId::Learn; }
  /// The program starts with it: with this lesson, or with the list. It is shown from the first frame on.
  void prepare(std::optional<frame::LessonId> lesson);
  void begin() override;
  void frame() override;
  void perform(frame::Action action) override;
  bool goes_on() const override { return !stage_->left(); }
  void end() override;

 private:
  void show();
  bool draw();
  void keep_progress();
  void do_outside();

  std::unique_ptr<LearnStage> stage_;
  LessonListening listening_;
  i64 last_ns_ = 0;    // when the last frame began
  bool idle_ = false;  // it waits because the window lost the focus
};

}  // namespace spellpool::app
