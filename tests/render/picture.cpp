#include "picture.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace spellpool::render::test {
namespace {

void put32(std::vector<u8>& out, u32 value) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<u8>(value >> shift));
}

void put_chunk(std::vector<u8>& file, const char* type, const std::vector<u8>& body) {
  put32(file, static_cast<u32>(body.size()));
  const std::size_t start = file.size();
  file.insert(file.end(), type, type + 4);
  file.insert(file.end(), body.begin(), body.end());
  u32 crc = 0xFFFFFFFFu;
  for (std::size_t i = start; i < file.size(); ++i) {
    crc ^= file[i];
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1u) != 0 ? 0xEDB88320u : 0u);
  }
  put32(file, crc ^ 0xFFFFFFFFu);
}

}  // namespace

float Picture::luma(int x, int y) const {
  const std::size_t at =
      (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)) * 3;
  const auto part = [&](std::size_t i) { return static_cast<float>(rgb[at + i]) / 255.0f; };
  return 0.2126f * part(0) + 0.7152f * part(1) + 0.0722f * part(2);
}

float Picture::mean_luma(int x, int y, int radius) const {
  double sum = 0;
  int count = 0;
  for (int j = std::max(0, y - radius); j <= std::min(height - 1, y + radius); ++j) {
    for (int i = std::max(0, x - radius); i <= std::min(width - 1, x + radius); ++i) {
      sum += static_cast<double>(luma(i, j));
      ++count;
    }
  }
  return count > 0 ? static_cast<float>(sum / count) : 0.0f;
}

float Picture::mean_luma() const { return mean_luma(width / 2, height / 2, std::max(width, height)); }

int differing(const Picture& a, const Picture& b, int levels) {
  int count = 0;
  for (std::size_t i = 0; i < a.rgb.size(); i += 3) {
    int most = 0;
    for (std::size_t k = 0; k < 3; ++k) most = std::max(most, std::abs(int{a.rgb[i + k]} - int{b.rgb[i + k]}));
    count += most > levels ? 1 : 0;
  }
  return count;
}

bool write_png(const std::string& path, const Picture& picture) {
  std::vector<u8> file = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
  std::vector<u8> header;
  put32(header, static_cast<u32>(picture.width));
  put32(header, static_cast<u32>(picture.height));
  constexpr u8 kRgb8[] = {8, 2, 0, 0, 0};
  header.insert(header.end(), kRgb8, kRgb8 + sizeof(kRgb8));
  put_chunk(file, "IHDR", header);

  // zlib with stored blocks only.
  std::vector<u8> raw;
  const std::size_t row = static_cast<std::size_t>(picture.width) * 3;
  for (std::size_t y = 0; y < static_cast<std::size_t>(picture.height); ++y) {
    raw.push_back(0);
    raw.insert(raw.end(), picture.rgb.begin() + static_cast<std::ptrdiff_t>(y * row),
               picture.rgb.begin() + static_cast<std::ptrdiff_t>((y + 1) * row));
  }
  std::vector<u8> body = {0x78, 0x01};
  u32 a = 1;
  u32 b = 0;
  for (std::size_t at = 0; at < raw.size();) {
    const std::size_t length = std::min<std::size_t>(65535, raw.size() - at);
    body.push_back(at + length == raw.size() ? 1 : 0);
    const u8 sizes[] = {static_cast<u8>(length), static_cast<u8>(length >> 8), static_cast<u8>(~length),
                        static_cast<u8>(~length >> 8)};
    body.insert(body.end(), sizes, sizes + 4);
    for (std::size_t i = at; i < at + length; ++i) {
      a = (a + raw[i]) % 65521;
      b = (b + a) % 65521;
      body.push_back(raw[i]);
    }
    at += length;
  }
  put32(body, (b << 16) | a);
  put_chunk(file, "IDAT", body);
  put_chunk(file, "IEND", {});
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
  return out.good();
}

}  // namespace spellpool::render::test
