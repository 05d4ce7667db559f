#include "content/colour_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace spellpool::content {
namespace {

constexpr double fifth_root(double x) {  // Newton, from above; x in (0, 1]
  double root = 1.0;
  for (int i = 0; i < 64; ++i) {
    const double r4 = root * root * root * root;
    root = (4.0 * root + x / r4) / 5.0;
  }
  return root;
}

constexpr std::array<float, 256> make_table() {
  std::array<float, 256> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    const double encoded = static_cast<double>(i) / 255.0;
    const double base = (encoded + 0.055) / 1.055;
    // base^2.4 = base^2 · (base^2)^(1/5)
    const double linear = encoded <= 0.04045 ? encoded / 12.92 : base * base * fifth_root(base * base);
    table[i] = static_cast<float>(linear);
  }
  table[255] = 1.0f;
  return table;
}

constexpr std::array<float, 256> kLinear = make_table();

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

float linear_from_srgb(u8 byte) { return kLinear[byte]; }

u8 srgb_from_linear(float linear) {
  const auto above = std::lower_bound(kLinear.begin(), kLinear.end(), linear);
  if (above == kLinear.begin()) return 0;
  if (above == kLinear.end()) return 255;
  const auto index = static_cast<std::size_t>(above - kLinear.begin());
  const bool lower_is_nearer = linear - kLinear[index - 1] < kLinear[index] - linear;
  return static_cast<u8>(lower_is_nearer ? index - 1 : index);
}

std::optional<LinearColour> parse_colour(std::string_view text) {
  if ((text.size() != 7 && text.size() != 9) || text[0] != '#') return std::nullopt;
  std::array<u8, 4> bytes = {0, 0, 0, 255};
  for (std::size_t i = 1; i < text.size(); i += 2) {
    const int high = hex_digit(text[i]);
    const int low = hex_digit(text[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes[i / 2] = static_cast<u8>(high * 16 + low);
  }
  return LinearColour{linear_from_srgb(bytes[0]), linear_from_srgb(bytes[1]), linear_from_srgb(bytes[2]),
                      static_cast<float>(bytes[3]) / 255.0f};
}

std::string format_colour(const LinearColour& colour) {
  const auto alpha = static_cast<u8>(std::clamp(colour.a, 0.0f, 1.0f) * 255.0f + 0.5f);
  std::string text = fmt::format("#{:02x}{:02x}{:02x}", srgb_from_linear(colour.r), srgb_from_linear(colour.g),
                                 srgb_from_linear(colour.b));
  if (alpha != 255) text += fmt::format("{:02x}", alpha);
  return text;
}

}  // namespace spellpool::content
