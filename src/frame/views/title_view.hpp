#pragma once
#include <array>
#include <string_view>

#include "core/enum_table.hpp"

namespace spellpool::frame {

/// What the title screen offers, in its order.
enum class TitleItem : u8 { Continue, Arena, Shooter, SideBySide, Learn, Settings, Quit };
struct TitleRow {
  TitleItem id;
  std::string_view name, title, description;
};
inline constexpr std::array kTitleRows = {
    TitleRow{TitleItem::Continue, "continue", "Continue", "Back to your game, as you left it."},
    TitleRow{TitleItem::Arena, "arena", "Arena", "Cast eight spells made of thousands of sparks."},
    TitleRow{TitleItem::Shooter, "shooter", "Shooter", "Fly a small ship through waves of bullets."},
    TitleRow{TitleItem::SideBySide, "side_by_side", "Side by side", "One game twice, in new/delete and in a pool, each step timed."},
    TitleRow{TitleItem::Learn, "learn", "Learn", "Object pools in short lessons: predict, then see what happens."},
    TitleRow{TitleItem::Settings, "settings", "Settings", "Picture, sound, comfort and keys."},
    TitleRow{TitleItem::Quit, "quit", "Quit", "Close the program."},
};
static_assert(rows_in_order(kTitleRows));
inline constexpr std::size_t kTitleItemCount = kTitleRows.size();

struct TitleView {
  bool shown = false;
  bool starting = false;                 ///< Nothing is drawn behind it yet, and nothing can be chosen.
  bool can_continue = false;             ///< A game waits behind it: Continue is offered.
  bool asks_to_quit = false;             ///< Escape was pressed once: the next one ends the program.
  TitleItem selected = TitleItem::Arena;

  bool offers(TitleItem item) const { return item != TitleItem::Continue || can_continue; }
  /// Selects the next item that is offered, `by` −1 or 1, round the list.
  void move(int by) {
    std::size_t i = static_cast<std::size_t>(selected);
    do i = (i + kTitleItemCount + static_cast<std::size_t>(by < 0 ? kTitleItemCount - 1 : 1)) % kTitleItemCount;
    while (!offers(static_cast<TitleItem>(i)));
    selected = static_cast<TitleItem>(i);
  }
};

}  // namespace spellpool::frame
