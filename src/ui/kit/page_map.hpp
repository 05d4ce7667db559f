#pragma once
// Memory by pages and cache lines: a row for each page, a field for each of its 64 lines. Lines with a part of an
// object are dim, lines that an update reads are lit and have a dot, since colour is not all. A rule stands where
// pages do not follow each other.
#include <span>

#include "core/memory_page.hpp"
#include "ui/kit/pen.hpp"

namespace spellpool::ui {

inline constexpr float kPageRuleUnits = 4;

/// Draws the pages from the top of `room` on, each `row_px` high; returns where they end.
float draw_memory_pages(const Pen& pen, const Rect& room, std::span<const MemoryPage> pages, float row_px);

}  // namespace spellpool::ui
