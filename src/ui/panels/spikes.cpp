#include "ui/panels/spikes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "ui/panels/graph.hpp"

namespace spellpool::ui {
namespace {

constexpr std::size_t kTrailing = 60, kFewest = 8;

float median_of(std::vector<float>& values) {
  if (values.empty()) return 0;
  const std::size_t rank = (values.size() + 1) / 2 - 1;  // Nearest rank, as measure/ has it.
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Text that grows, and stops at its end.
class Words {
 public:
#if defined(__GNUC__)
  __attribute__((format(printf, 2, 3)))
#endif
  void
  add(const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int wanted = std::vsnprintf(text_.data() + size_, text_.size() - size_, format, arguments);
    va_end(arguments);
    if (wanted > 0) size_ = std::min(text_.size() - 1, size_ + static_cast<std::size_t>(wanted));
  }
  const char* c_str() const { return text_.data(); }

 private:
  std::array<char, 640> text_{};
  std::size_t size_ = 0;
};

}  // namespace

void SpikeSearch::run(const frame::FrameHistory& history) {
  const std::size_t count = std::min(history.count, history.frames.size());
  if (scratch.capacity() < history.frames.size()) scratch.reserve(history.frames.size());
  if (spike.size() < history.frames.size()) spike.resize(history.frames.size());
  scratch.clear();
  for (std::size_t i = 0; i < count; ++i) scratch.push_back(finite_us(history.at(i).frame_us));
  median_us = median_of(scratch);
  for (float& value : scratch) value = std::fabs(value - median_us);
  const float least = median_us + 6.0f * median_of(scratch);

  std::array<float, kTrailing> window{};
  std::size_t held = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const float us = finite_us(history.at(i).frame_us);
    const float rolling = held < kFewest ? median_us : window[(held + 1) / 2 - 1];
    spike[i] = us > std::max(2.0f * rolling, least) ? 1 : 0;
    if (held == kTrailing) {
      const auto end = window.begin() + static_cast<std::ptrdiff_t>(held);
      const auto oldest = std::lower_bound(window.begin(), end, finite_us(history.at(i - kTrailing).frame_us));
      std::move(oldest + 1, end, oldest);
      --held;
    }
    const auto end = window.begin() + static_cast<std::ptrdiff_t>(held);
    const auto place = std::upper_bound(window.begin(), end, us);
    std::move_backward(place, end, end + 1);
    *place = us;
    ++held;
  }
}

Line<640> why_words(const frame::FrameRecord& record, float median_us, bool spike, bool toggled) {
  Words words;
  const float whole = finite_us(record.frame_us);
  words.add("%s ms", ms_text(static_cast<double>(whole)).c_str());
  if (median_us > 0)
    words.add(", %.1f× the median%s. ", static_cast<double>(whole / median_us), spike ? "" : ": no spike");
  else
    words.add(". ");
  std::size_t most = 0;
  float sum = 0;
  for (std::size_t phase = 0; phase < frame::kPhaseCount; ++phase) {
    sum += finite_us(record.phase_us[phase]);
    if (finite_us(record.phase_us[phase]) > finite_us(record.phase_us[most])) most = phase;
  }
  const float longest = finite_us(record.phase_us[most]), rest = std::max(0.0f, whole - sum);
  if (rest > longest && rest > whole * 0.2f) {
    words.add("%s of it passed outside all phases: something else had the processor. ",
              ms_text(static_cast<double>(rest)).c_str());
  } else if (longest > 0) {
    std::array<char, 16> name{};
    std::memcpy(name.data(), frame::kPhaseNames[most].data(),
                std::min(name.size() - 1, frame::kPhaseNames[most].size()));
    name[0] = static_cast<char>(name[0] - 'a' + 'A');
    words.add("%s took %s of it%s. ", name.data(), ms_text(static_cast<double>(longest)).c_str(),
              static_cast<frame::Phase>(most) == frame::Phase::Swap ? ", waiting for the display" : "");
  }
  if (record.has_usage && (record.minflt > 0 || record.nivcsw > 0)) {
    if (record.minflt > 0)
      words.add("%s page fault%s", count_text(record.minflt).c_str(), record.minflt == 1 ? "" : "s");
    if (record.nivcsw > 0)
      words.add("%s%u involuntary context switch%s", record.minflt > 0 ? ", " : "", record.nivcsw,
                record.nivcsw == 1 ? "" : "es");
    words.add(". ");
  }
  if (record.has_usage && record.majflt > 0)
    words.add("%u page fault%s waited for the disk. ", record.majflt, record.majflt == 1 ? "" : "s");
  if (record.new_calls > 0)
    words.add("%s new call%s. ", count_text(record.new_calls).c_str(), record.new_calls == 1 ? "" : "s");
  if (record.spawned > 500) words.add("%s particles were born. ", count_text(record.spawned).c_str());
  if (toggled)
    words.add("The strategy changed in this frame. ");
  else if (record.switched)
    words.add("A policy or a capacity changed in this frame. ");
  return Line<640>("%s", words.c_str());
}

}  // namespace spellpool::ui
