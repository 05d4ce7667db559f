#pragma once
// Takes what the lessons measure on this machine: in a thread, so that no frame waits; where no thread can be
// made, as in a browser, in slices between frames.
//
//   LessonBench bench(data_dir);
//   bench.frame(course);                      // once a frame
//   course.know(id, bench.measure(id));       // or here and now, without a window
//
// Walks     measure/experiment/walk_curve.hpp, to four times the last cache: about four seconds.
// A/B       app/paired/quick_ab.hpp without drawing: two seconds of blocks each, after four seconds of play
// in
//           each world and at most three seconds of waiting for a quiet machine.
// Leaving   the destructor ends what runs, usually within a tenth of a second.
#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "app/background_task.hpp"
#include "frame/views/lesson_measurement.hpp"
#include "sim/lessons/lesson_course.hpp"

namespace spellpool::app {

class LessonBench {
 public:
  /// `data_dir`: as the option; its spells are played in the A/B.
  explicit LessonBench(std::string data_dir) : data_dir_(std::move(data_dir)) {}
  ~LessonBench();
  LessonBench(const LessonBench&) = delete;
  LessonBench& operator=(const LessonBench&) = delete;

  /// Starts what the course wants, tells it how far that is, and hands in what is ready.
  void frame(sim::LessonCourse& course);
  /// Here and now.
  std::shared_ptr<const frame::LessonMeasurement> measure(frame::LessonMeasure what) const;

  /// One measurement, in pieces of a few milliseconds.
  class Work {
   public:
    virtual ~Work() = default;
    /// False: it is done.
    virtual bool advance() = 0;
    virtual float progress() const = 0;
    virtual void take(frame::LessonMeasurement& found) = 0;
  };

 private:
  std::shared_ptr<const frame::LessonMeasurement> run(frame::LessonMeasure what, const std::string& data_dir,
                                                      const std::atomic<bool>* ended,
                                                      std::atomic<float>* progress) const;
  void start(frame::LessonMeasure what);
  void slice();

  std::string data_dir_;
  std::optional<frame::LessonMeasure> running_;
  std::shared_ptr<const frame::LessonMeasurement> found_;  ///< The thread's until task_ is polled.
  std::unique_ptr<Work> sliced_;                           ///< Without a thread.
  std::atomic<bool> ended_{false};
  std::atomic<float> progress_{0};
  BackgroundTask task_;  ///< Last: its destructor waits for the work.
};

}  // namespace spellpool::app
