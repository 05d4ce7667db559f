// Three bets on a pool against new and delete. It has no state of its own: what it shows was measured.
#include "sim/lessons/lesson_model.hpp"
#include "sim/lessons/lesson_spark.hpp"

namespace spellpool::sim {
namespace {

using frame::LessonMeasure;

class PayModel final : public LessonModel {
 public:
  bool apply(const LessonOp& op) override { return op.kind == LessonOpKind::SaveCard; }

  std::optional<i64> value(LessonAsk ask) const override {
    if (ask != LessonAsk::Bet || !asked_) return std::nullopt;
    const frame::LessonMeasurement* const found = results_[static_cast<std::size_t>(*asked_)].get();
    if (found == nullptr) return std::nullopt;
    const u32 range = frame::bet_range(*found);
    return range == frame::kNoRange ? std::nullopt : std::optional<i64>(range);
  }

  const std::vector<u32>& took() const override { return took_; }

  void show(u8 shows, std::vector<frame::LessonFigure>& figures) const override {
    frame::LessonFigure& figure = figures.emplace_back();
    if ((shows & kShowTable) != 0 && !asked_) {
      figure.kind = frame::LessonFigure::Kind::Card;
      figure.title = "Your measurements";
      figure.measured = results_;
      return;
    }
    figure.kind = frame::LessonFigure::Kind::Ratio;
    if (!asked_) return;
    const auto i = static_cast<std::size_t>(*asked_);
    figure.title = frame::kLessonMeasures[i].title;
    figure.bet = *asked_;
    if ((shows & kShowTable) != 0) figure.measured[0] = results_[i];
  }

  void know(const frame::LessonResults& results, std::optional<LessonMeasure> asked) override {
    results_ = results;
    asked_ = asked;
  }

  void add_to(StateHash& hash) const override { hash.add(u64{0}); }

 private:
  frame::LessonResults results_{};
  std::optional<LessonMeasure> asked_;
  std::vector<u32> took_;
};

}  // namespace

std::unique_ptr<LessonModel> make_pay_model() { return std::make_unique<PayModel>(); }

}  // namespace spellpool::sim
