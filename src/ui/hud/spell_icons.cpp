#include <algorithm>
#include <array>
#include <cmath>

#include "ui/kit/parts.hpp"

namespace spellpool::ui {
namespace {

constexpr float kTurn = 6.2831853f;
constexpr ImU32 kCore = IM_COL32(255, 246, 228, 235);

ImVec2 at(ImVec2 centre, float radius, float x, float y) { return {centre.x + x * radius, centre.y + y * radius}; }

// A closed outline around `centre` that is seen whole from there, as a fan of triangles; its edge is a thin line.
template <std::size_t N>
void fill_around(ImDrawList& list, ImVec2 centre, const std::array<ImVec2, N>& points, ImU32 colour) {
  for (std::size_t i = 0; i < N; ++i) list.AddTriangleFilled(centre, points[i], points[(i + 1) % N], colour);
  list.AddPolyline(points.data(), static_cast<int>(N), colour, ImDrawFlags_Closed, 1.0f);
}

void draw_flame(ImDrawList& list, ImVec2 centre, float radius, ImU32 colour) {
  // A drop with a tip that leans, and a smaller bright one within.
  constexpr std::array<std::array<float, 2>, 18> kShape = {{{0.10f, -1.00f},
                                                            {0.16f, -0.72f},
                                                            {0.36f, -0.46f},
                                                            {0.58f, -0.18f},
                                                            {0.70f, 0.14f},
                                                            {0.66f, 0.48f},
                                                            {0.46f, 0.76f},
                                                            {0.18f, 0.92f},
                                                            {-0.14f, 0.93f},
                                                            {-0.44f, 0.80f},
                                                            {-0.66f, 0.52f},
                                                            {-0.70f, 0.16f},
                                                            {-0.56f, -0.16f},
                                                            {-0.40f, -0.38f},
                                                            {-0.34f, -0.12f},
                                                            {-0.22f, -0.26f},
                                                            {-0.04f, -0.52f},
                                                            {0.08f, -0.78f}}};
  std::array<ImVec2, kShape.size()> points;
  for (std::size_t i = 0; i < points.size(); ++i) points[i] = at(centre, radius, kShape[i][0], kShape[i][1]);
  fill_around(list, at(centre, radius, 0, 0.35f), points, colour);
  for (std::size_t i = 0; i < points.size(); ++i) {
    points[i] = at(centre, radius, kShape[i][0] * 0.46f, 0.40f + kShape[i][1] * 0.46f);
  }
  fill_around(list, at(centre, radius, 0, 0.56f), points, kCore);
}

void draw_snowflake(ImDrawList& list, ImVec2 centre, float radius, ImU32 colour) {
  const float thick = std::max(1.2f, radius * 0.12f);
  for (int arm = 0; arm < 6; ++arm) {
    const float angle = kTurn * (static_cast<float>(arm) / 6.0f + 0.25f);
    const ImVec2 along(std::cos(angle), std::sin(angle));
    list.AddLine(centre, at(centre, radius, along.x, along.y), colour, thick);
    for (const float side : {-1.0f, 1.0f}) {
      const ImVec2 barb(std::cos(angle + side * kTurn / 7.0f), std::sin(angle + side * kTurn / 7.0f));
      const ImVec2 root = at(centre, radius, along.x * 0.52f, along.y * 0.52f);
      list.AddLine(root, at(root, radius, barb.x * 0.36f, barb.y * 0.36f), colour, thick);
    }
  }
}

void draw_spiral(ImDrawList& list, ImVec2 centre, float radius, ImU32 colour) {
  constexpr int kPieces = 22;
  for (int arm = 0; arm < 2; ++arm) {
    ImVec2 last = centre;
    for (int i = 0; i <= kPieces; ++i) {
      const float t = static_cast<float>(i) / kPieces;
      const float angle = kTurn * (0.5f * static_cast<float>(arm) + 1.15f * (1.0f - t));
      const float reach = 0.10f + 0.90f * t * t;
      const ImVec2 next = at(centre, radius, std::cos(angle) * reach, std::sin(angle) * reach);
      if (i > 0) list.AddLine(last, next, colour, std::max(1.0f, radius * (0.22f - 0.14f * t)));
      last = next;
    }
  }
  list.AddCircleFilled(centre, radius * 0.16f, kCore, 12);
}

void draw_lightning(ImDrawList& list, ImVec2 centre, float radius, ImU32 colour) {
  constexpr std::array<std::array<float, 2>, 6> kShape = {
      {{0.34f, -1.0f}, {-0.52f, 0.16f}, {-0.08f, 0.16f}, {-0.34f, 1.0f}, {0.54f, -0.22f}, {0.08f, -0.22f}}};
  // Two triangles that share the middle, since the outline is not convex.
  std::array<ImVec2, 6> points;
  for (std::size_t i = 0; i < 6; ++i) points[i] = at(centre, radius, kShape[i][0], kShape[i][1]);
  list.AddTriangleFilled(points[0], points[5], points[1], colour);
  list.AddTriangleFilled(points[5], points[2], points[1], colour);
  list.AddTriangleFilled(points[5], points[4], points[2], colour);
  list.AddTriangleFilled(points[4], points[3], points[2], colour);
  list.AddPolyline(points.data(), 6, colour, ImDrawFlags_Closed, 1.0f);
}

void draw_meteor(ImDrawList& list, ImVec2 centre, float radius, ImU32 colour) {
  // A stone that falls to the lower left, its trail behind it.
  const ImVec2 stone = at(centre, radius, -0.34f, 0.40f);
  for (const float side : {-0.34f, 0.0f, 0.34f}) {
    const float reach = side == 0.0f ? 1.50f : 1.12f;
    const ImVec2 root = at(stone, radius, side * 0.72f, side * 0.72f);
    const ImVec2 wide = at(root, radius, 0.10f, 0.10f), slim = at(root, radius, -0.10f, -0.10f);
    list.AddTriangleFilled(wide, slim, at(root, radius, reach * 0.72f, -reach * 0.72f),
                           faded(colour, side == 0.0f ? 1.0f : 0.7f));
  }
  list.AddCircleFilled(stone, radius * 0.54f, colour, 20);
  list.AddCircleFilled(at(stone, radius, -0.06f, 0.06f), radius * 0.30f, kCore, 16);
}

void draw_bubbles(ImDrawList& list, ImVec2 centre, float radius, ImU32 colour) {
  struct Bubble {
    float x, y, r;
  };
  constexpr std::array<Bubble, 4> kBubbles = {
      {{-0.30f, 0.34f, 0.60f}, {0.50f, 0.44f, 0.38f}, {0.22f, -0.36f, 0.32f}, {-0.42f, -0.66f, 0.20f}}};
  const float thick = std::max(1.2f, radius * 0.13f);
  for (const Bubble& bubble : kBubbles) {
    const ImVec2 place = at(centre, radius, bubble.x, bubble.y);
    list.AddCircleFilled(place, radius * bubble.r, faded(colour, 0.40f), 20);
    list.AddCircle(place, radius * bubble.r, colour, 20, thick);
    if (bubble.r > 0.3f) {
      list.AddCircleFilled(at(place, radius, -bubble.r * 0.34f, -bubble.r * 0.36f), radius * bubble.r * 0.2f, kCore, 8);
    }
  }
}

void draw_heart(ImDrawList& list, ImVec2 centre, float radius, ImU32 colour) {
  std::array<ImVec2, 28> points;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const float t = kTurn * static_cast<float>(i) / static_cast<float>(points.size());
    const float x = std::pow(std::sin(t), 3.0f);
    const float y =
        0.8125f * std::cos(t) - 0.3125f * std::cos(2 * t) - 0.125f * std::cos(3 * t) - 0.0625f * std::cos(4 * t);
    points[i] = at(centre, radius, x * 0.86f, -y * 0.92f - 0.04f);
  }
  fill_around(list, at(centre, radius, 0, 0.05f), points, colour);
  // A mote within: a small cross of light.
  const float thick = std::max(1.4f, radius * 0.17f);
  list.AddLine(at(centre, radius, 0, -0.34f), at(centre, radius, 0, 0.38f), kCore, thick);
  list.AddLine(at(centre, radius, -0.36f, 0.02f), at(centre, radius, 0.36f, 0.02f), kCore, thick);
}

void draw_star(ImDrawList& list, ImVec2 centre, float radius, ImU32 colour) {
  // Four points, drawn in; a smaller one beside it.
  const auto star = [&list, colour](ImVec2 place, float size, ImU32 core) {
    std::array<ImVec2, 8> points;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const float angle = kTurn * static_cast<float>(i) / 8.0f;
      const float reach = i % 2 == 0 ? 1.0f : 0.26f;
      points[i] = at(place, size, std::cos(angle) * reach, std::sin(angle) * reach);
    }
    fill_around(list, place, points, colour);
    list.AddCircleFilled(place, size * 0.17f, core, 10);
  };
  star(at(centre, radius, -0.12f, 0.10f), radius * 0.96f, kCore);
  star(at(centre, radius, 0.66f, -0.62f), radius * 0.40f, colour);
}

}  // namespace

void draw_spell_icon(const Pen& pen, std::size_t spell, ImVec2 centre, float radius, ImU32 colour) {
  if (pen.dry()) return;
  ImDrawList& list = *pen.list();
  list.AddCircleFilled(centre, radius * 1.42f, faded(colour, 0.16f), 32);
  using Draw = void (*)(ImDrawList&, ImVec2, float, ImU32);
  constexpr std::array<Draw, 8> kIcons = {draw_flame,  draw_snowflake, draw_lightning, draw_spiral,
                                          draw_meteor, draw_bubbles,   draw_heart,     draw_star};
  static_assert(kIcons.size() == frame::kSpellCount, "every row of kSpells needs an icon here");
  if (spell < kIcons.size()) kIcons[spell](list, centre, radius, colour);
}

ImU32 spell_colour(const frame::PanelModel& model, std::size_t spell) {
  const std::array<float, 3>& wanted = model.spell_colours[spell];
  float most = 0;
  for (const float part : wanted) most = std::max(most, std::isfinite(part) ? part : 0.0f);
  std::array<int, 3> shown{};
  for (std::size_t i = 0; i < 3; ++i) {
    const float part = most > 0 && std::isfinite(wanted[i]) ? std::max(0.0f, wanted[i]) / most : 0.8f;
    shown[i] = static_cast<int>(255.0f * (0.16f + 0.84f * part));
  }
  return IM_COL32(shown[0], shown[1], shown[2], 255);
}

}  // namespace spellpool::ui
