#include "content/media/png.hpp"

#include <fmt/format.h>
#include <png.h>

#include <csetjmp>
#include <cstdio>

namespace spellpool::content {
namespace {

constexpr u32 kMaxSide_px = 32768;

struct Encoder {
  StagedFile* file;
  char reason[160];
};

// libpng leaves through longjmp: no frame between here and the setjmp below owns anything with a destructor.
[[noreturn]] void on_error(png_structp png, png_const_charp message) {
  auto* encoder = static_cast<Encoder*>(png_get_error_ptr(png));
  std::snprintf(encoder->reason, sizeof encoder->reason, "%s", message);
  png_longjmp(png, 1);
}

void on_warning(png_structp, png_const_charp) {}

void on_bytes(png_structp png, png_bytep bytes, png_size_t count) {
  static_cast<Encoder*>(png_get_io_ptr(png))->file->write({reinterpret_cast<const char*>(bytes), count});
}

void on_flush(png_structp) {}

bool encode(png_structp png, png_infop info, u32 width, u32 height, const u8* rgb, png_text* texts, int text_count) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_IHDR(png, info, width, height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_BASE,
               PNG_FILTER_TYPE_BASE);
  png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  png_set_text(png, info, texts, text_count);
  png_set_compression_level(png, 2);
  png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_UP);
  png_write_info(png, info);
  for (u32 row = 0; row < height; ++row) png_write_row(png, rgb + std::size_t{row} * width * 3);
  png_write_end(png, info);
  return true;
}

}  // namespace

std::string write_png(const std::filesystem::path& path, u32 width, u32 height, std::span<const u8> rgb,
                      std::string_view title, Overwrite overwrite) {
  StagedFile file(path, overwrite);
  if (!file.ok()) return file.error();
  if (width == 0 || height == 0 || width > kMaxSide_px || height > kMaxSide_px ||
      rgb.size() != std::size_t{width} * height * 3) {
    file.fail(fmt::format("{} bytes are no picture of {} x {}", rgb.size(), width, height));
    return file.error();
  }

  Encoder encoder{&file, {}};
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &encoder, on_error, on_warning);
  png_infop info = png != nullptr ? png_create_info_struct(png) : nullptr;
  if (info == nullptr) {
    png_destroy_write_struct(&png, nullptr);
    file.fail("libpng does not start");
    return file.error();
  }
  png_set_write_fn(png, &encoder, on_bytes, on_flush);

  char software_key[] = "Software", software[] = "Spellpool", title_key[] = "Title";
  std::string title_text(title);
  png_text texts[2] = {};
  texts[0].compression = PNG_TEXT_COMPRESSION_NONE;
  texts[0].key = software_key;
  texts[0].text = software;
  texts[1].compression = PNG_ITXT_COMPRESSION_NONE;  // UTF-8
  texts[1].key = title_key;
  texts[1].text = title_text.data();
  const bool done = encode(png, info, width, height, rgb.data(), texts, title.empty() ? 1 : 2);
  png_destroy_write_struct(&png, &info);
  if (!done) file.fail(encoder.reason);
  return file.commit();
}

}  // namespace spellpool::content
