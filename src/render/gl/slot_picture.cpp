#include "render/gl/slot_picture.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "frame/views/slot_map_view.hpp"
#include "render/gl/render_target.hpp"

namespace spellpool::render {
namespace {

constexpr u32 kMostRows = 4096;

struct Texel {
  u8 r, g, b, a;
};

std::array<Texel, 256> make_texels() {
  std::array<Texel, 256> texels{};
  for (std::size_t cell = 0; cell < texels.size(); ++cell) {
    const frame::SlotColour colour = frame::slot_colour(static_cast<u8>(cell));
    texels[cell] = {colour.r, colour.g, colour.b, 255};
  }
  return texels;
}

}  // namespace

struct SlotPicture::Impl {
  std::array<Texel, 256> texel_of = make_texels();
  std::vector<Texel> texels;
  Texture texture;
  u32 columns = 0, rows = 0;
};

SlotPicture::SlotPicture() : impl_(std::make_unique<Impl>()) {}
SlotPicture::~SlotPicture() = default;
u64 SlotPicture::texture() const { return impl_->texture.get(); }

void SlotPicture::update(std::span<const u8> cells, u32 columns, u32 per_texel) {
  Impl& own = *impl_;
  if (cells.empty() || columns == 0 || per_texel == 0) return;
  const u32 count = static_cast<u32>((cells.size() + per_texel - 1) / per_texel);
  const u32 rows = std::min((count + columns - 1) / columns, kMostRows);
  own.texels.assign(std::size_t{rows} * columns, Texel{0, 0, 0, 0});
  const std::size_t shown = std::min<std::size_t>(count, own.texels.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t first = i * per_texel, end = std::min(first + per_texel, cells.size());
    u8 told = cells[first];
    for (std::size_t other = first + 1; other < end; ++other) {
      if (frame::slot_rank(cells[other]) > frame::slot_rank(told)) told = cells[other];
    }
    own.texels[i] = own.texel_of[told];
  }
  if (columns != own.columns || rows != own.rows) {
    own.texture = make_texture(PixelFormat::Rgba8, static_cast<int>(columns), static_cast<int>(rows), Filter::Nearest);
    own.columns = columns;
    own.rows = rows;
  }
  glBindTexture(GL_TEXTURE_2D, own.texture.get());
  glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, static_cast<GLsizei>(columns), static_cast<GLsizei>(rows), GL_RGBA,
                  GL_UNSIGNED_BYTE, own.texels.data());
  glBindTexture(GL_TEXTURE_2D, 0);
}

}  // namespace spellpool::render
