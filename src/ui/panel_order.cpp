#include "ui/panel_order.hpp"

#include <algorithm>

namespace spellpool::ui {

void PanelOrder::follow(const frame::PanelModel& model) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    if (rows_[i]->asked(model)) rows_[kept++] = rows_[i];
  }
  count_ = kept;
  for (const PanelRow& row : kPanels) {
    if (!row.asked(model) || std::find(begin(), end(), &row) != end()) continue;
    std::move_backward(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(count_),
                       rows_.begin() + static_cast<std::ptrdiff_t>(count_ + 1));
    rows_[0] = &row;
    ++count_;
  }
}

const PanelRow* PanelOrder::covering() const {
  const auto found = std::find_if(begin(), end(), [](const PanelRow* row) { return row->alone; });
  return found == end() ? nullptr : *found;
}

}  // namespace spellpool::ui
