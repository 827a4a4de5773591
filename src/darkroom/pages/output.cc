#include "darkroom/pages/output.h"

#include <png.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstdio>

#include "darkroom/failure.h"

namespace tintype::darkroom::pages {
namespace {

Error CannotWrite() { return MakeFailure(FailureKind::kOutput, "A page cannot be written"); }

bool WriteAll(int output, const char* bytes, size_t count) {
  while (count > 0) {
    const ssize_t put = ::write(output, bytes, count);
    if (put <= 0) {
      return false;
    }
    bytes += put;
    count -= static_cast<size_t>(put);
  }
  return true;
}

ssize_t WriteCookie(void* cookie, const char* bytes, size_t count) {
  return WriteAll(*static_cast<const int*>(cookie), bytes, count) ? static_cast<ssize_t>(count) : 0;
}

bool IsGrey(const Drawing& drawing) {
  for (int32_t y = 0; y < drawing.height; ++y) {
    const uint8_t* pixel = drawing.pixels + static_cast<size_t>(y) * drawing.row_bytes;
    for (int32_t x = 0; x < drawing.width; ++x, pixel += 3) {
      if (pixel[0] != pixel[1] || pixel[0] != pixel[2]) {
        return false;
      }
    }
  }
  return true;
}

/// Puts the grey pixels where the coloured ones were: each row begins where it began.
void DropColours(Drawing& drawing) {
  for (int32_t y = 0; y < drawing.height; ++y) {
    uint8_t* row = drawing.pixels + static_cast<size_t>(y) * drawing.row_bytes;
    for (int32_t x = 0; x < drawing.width; ++x) {
      row[x] = row[size_t{3} * static_cast<size_t>(x)];
    }
  }
  drawing.channels = 1;
}

bool StartOver(int output) {
  return ::ftruncate(output, 0) == 0 && ::lseek(output, 0, SEEK_SET) == 0;
}

}  // namespace

Result<int64_t> WritePng(int output, Drawing drawing) {
  if (drawing.channels == 3 && IsGrey(drawing)) {
    DropColours(drawing);
  }
  // A stream of our own, because fdopen asks what the sandbox kills for.
  FILE* file = StartOver(output)
                   ? ::fopencookie(&output, "w", {nullptr, WriteCookie, nullptr, nullptr})
                   : nullptr;
  if (file == nullptr) {
    return CannotWrite();
  }
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(drawing.width);
  image.height = static_cast<png_uint_32>(drawing.height);
  image.format = drawing.channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
  image.flags = PNG_IMAGE_FLAG_FAST;  // The file is read once or twice.
  const int written = png_image_write_to_stdio(&image, file, 0, drawing.pixels,
                                               static_cast<png_int_32>(drawing.row_bytes), nullptr);
  const bool closed = ::fclose(file) == 0;
  png_image_free(&image);
  const off_t bytes = ::lseek(output, 0, SEEK_CUR);
  if (written == 0 || !closed || bytes <= 0) {
    return CannotWrite();
  }
  return static_cast<int64_t>(bytes);
}

Result<int64_t> WriteText(int output, std::string_view text) {
  if (!StartOver(output) || !WriteAll(output, text.data(), text.size())) {
    return MakeFailure(FailureKind::kOutput, "The text cannot be written");
  }
  return static_cast<int64_t>(text.size());
}

}  // namespace tintype::darkroom::pages
