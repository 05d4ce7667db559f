#include "ui/shooter/shooter_parts.hpp"

#include <algorithm>
#include <cmath>

namespace spellpool::ui {
namespace {

constexpr std::size_t kStarPoints = 5;

float pad_width(const Pen& pen, std::string_view words) {
  return std::fmax(pen.key_cap_height(), pen.width(Cut::Small, words) + pen.px(14));
}

float bit_width(const Pen& pen, const Bit& bit) {
  switch (bit.look) {
    case Bit::Look::Key:
      return pen.key_cap_width(bit.text);
    case Bit::Look::Pad:
      return pad_width(pen, bit.text);
    case Bit::Look::Dot:
      return pen.px(10);
    case Bit::Look::Words:
      break;
  }
  return pen.width(Cut::Small, bit.text);
}

bool left_out(const Bit& bit) { return bit.text.empty() && bit.look != Bit::Look::Dot; }

}  // namespace

float bits_width(const Pen& pen, std::span<const Bit> bits) {
  float wide = 0;
  for (const Bit& bit : bits) {
    if (!left_out(bit)) wide += bit_width(pen, bit) + pen.px(5);
  }
  return std::max(0.0f, wide - pen.px(5));
}

void draw_bits(const Pen& pen, float x, float y0, float y1, ImU32 colour, std::span<const Bit> bits) {
  const float text_y = pen.centre_y(Cut::Small, y0, y1), high = pen.key_cap_height();
  for (const Bit& bit : bits) {
    if (left_out(bit)) continue;
    const float wide = bit_width(pen, bit);
    if (bit.look == Bit::Look::Key) {
      pen.key_cap(x, y0, y1, bit.text);
    } else if (bit.look == Bit::Look::Pad) {
      const float top = std::floor((y0 + y1 - high) * 0.5f);
      const Rect pill{std::floor(x), top, std::floor(x) + wide, top + high};
      pen.fill(pill, IM_COL32(148, 160, 214, 40), high * 0.5f);
      pen.frame(pill, IM_COL32(168, 180, 230, 110), high * 0.5f);
      pen.text_centred(Cut::Small, pill, kText, bit.text);
    } else if (bit.look == Bit::Look::Dot) {
      if (!pen.dry()) {
        const ImVec2 centre(std::floor(x + wide * 0.5f), std::floor((y0 + y1) * 0.5f));
        pen.list()->AddCircleFilled(centre, std::max(1.0f, pen.scale() * 1.5f), faded(kMuted, 0.8f), 8);
      }
    } else {
      pen.text(Cut::Small, x, text_y, colour, bit.text);
    }
    x += wide + pen.px(5);
  }
}

void draw_ship(const Pen& pen, ImVec2 centre, float half, ImU32 colour) {
  if (pen.dry()) return;
  // A paper dart: two wings with a notch between.
  const ImVec2 nose(centre.x, centre.y - half), notch(centre.x, centre.y + half * 0.45f);
  pen.list()->AddTriangleFilled(nose, notch, ImVec2(centre.x - half * 0.85f, centre.y + half), colour);
  pen.list()->AddTriangleFilled(nose, ImVec2(centre.x + half * 0.85f, centre.y + half), notch, faded(colour, 0.72f));
}

void draw_bomb(const Pen& pen, ImVec2 centre, float half, ImU32 colour) {
  if (pen.dry()) return;
  pen.list()->AddCircleFilled(centre, half * 0.48f, colour, 16);
  pen.list()->AddCircle(centre, half * 0.92f, faded(colour, 0.8f), 24, std::max(1.0f, pen.scale() * 1.4f));
}

void draw_diamond(const Pen& pen, ImVec2 centre, float half, ImU32 colour, bool filled) {
  if (pen.dry()) return;
  const ImVec2 top(centre.x, centre.y - half), right(centre.x + half, centre.y);
  const ImVec2 bottom(centre.x, centre.y + half), left(centre.x - half, centre.y);
  if (filled) {
    pen.list()->AddQuadFilled(top, right, bottom, left, colour);
  } else {
    pen.list()->AddQuad(top, right, bottom, left, colour, std::max(1.0f, pen.scale()));
  }
}

void draw_star(const Pen& pen, ImVec2 centre, float half, ImU32 colour) {
  if (pen.dry()) return;
  constexpr float kTurn = 6.2831853f, kInner = 0.42f;
  const auto corner = [&](std::size_t i) {
    const float angle = kTurn * (static_cast<float>(i) / (kStarPoints * 2.0f) - 0.25f);
    const float radius = i % 2 == 0 ? half : half * kInner;
    return ImVec2(centre.x + std::cos(angle) * radius, centre.y + std::sin(angle) * radius);
  };
  for (std::size_t i = 0; i < kStarPoints * 2; ++i) {
    pen.list()->AddTriangleFilled(centre, corner(i), corner(i + 1), colour);
  }
}

float difficulty_width(const Pen& pen) { return pen.px(11) * static_cast<float>(frame::kDifficultyCount); }

float draw_difficulty(const Pen& pen, float x, float middle, frame::Difficulty difficulty, ImU32 colour) {
  const float step = pen.px(11), half = step * 0.36f;
  for (std::size_t i = 0; i < frame::kDifficultyCount; ++i) {
    const bool filled = i <= static_cast<std::size_t>(difficulty);
    const ImVec2 centre(x + step * (static_cast<float>(i) + 0.5f), middle);
    draw_diamond(pen, centre, half, filled ? colour : faded(kMuted, 0.6f), filled);
  }
  return difficulty_width(pen);
}

Line<16> clock_text(float seconds) {
  const auto whole = static_cast<unsigned>(bounded(seconds, 0, 35'999));
  return Line<16>("%u:%02u", whole / 60, whole % 60);
}

const frame::DifficultyRow& row_of(frame::Difficulty difficulty) {
  return frame::kDifficulties[std::min<std::size_t>(static_cast<std::size_t>(difficulty), frame::kDifficultyCount - 1)];
}

const std::vector<frame::ShooterScore>* shooter_table(const frame::PanelModel& model) {
  if (model.high_scores == nullptr) return nullptr;
  return &model.high_scores->shooter[static_cast<std::size_t>(row_of(model.shooter->difficulty).id)];
}

}  // namespace spellpool::ui
