#include "darkroom/imaging/testing/pictures.h"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "base/check.h"

namespace tintype::darkroom {
namespace {

using namespace std::literals;
using vips::VImage;

constexpr std::array<int, 3> kRed = {200, 30, 30};
constexpr std::array<int, 3> kGreen = {30, 170, 40};
constexpr std::array<int, 3> kBlue = {30, 40, 200};
constexpr std::array<int, 3> kWhite = {250, 250, 250};

std::string Take(VipsBlob* blob) {
  size_t size = 0;
  const auto* bytes = static_cast<const char*>(vips_blob_get(blob, &size));
  std::string result(bytes, size);
  vips_area_unref(VIPS_AREA(blob));
  return result;
}

std::string BigEndian(uint32_t value) {
  std::string bytes;
  for (const int shift : {24, 16, 8, 0}) {
    bytes.push_back(static_cast<char>(value >> shift));
  }
  return bytes;
}

std::string PngChunk(std::string_view type, std::string_view data) {
  const std::string body = std::string(type) + std::string(data);
  const uLong checksum =
      crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
  return BigEndian(static_cast<uint32_t>(data.size())) + body +
         BigEndian(static_cast<uint32_t>(checksum));
}

// Of the rows of all seven passes, each with a byte for its filter.
uint64_t InterlacedBytes(uint32_t side) {
  constexpr struct {
    uint32_t left, top, across, down;
  } kPasses[] = {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4},
                 {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
  uint64_t bytes = 0;
  for (const auto& pass : kPasses) {
    const uint64_t columns = (side - pass.left + pass.across - 1) / pass.across;
    const uint64_t rows = (side - pass.top + pass.down - 1) / pass.down;
    bytes += rows * (1 + columns * 3);
  }
  return bytes;
}

std::string Deflate(uint64_t zeros) {
  z_stream stream = {};
  CHECK(deflateInit(&stream, 1) == Z_OK);
  std::vector<Bytef> input(1 << 20);
  std::vector<Bytef> output(1 << 20);
  std::string result;
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    const auto count = static_cast<uInt>(std::min<uint64_t>(zeros, input.size()));
    zeros -= count;
    stream.next_in = input.data();
    stream.avail_in = count;
    do {
      stream.next_out = output.data();
      stream.avail_out = static_cast<uInt>(output.size());
      status = deflate(&stream, zeros == 0 ? Z_FINISH : Z_NO_FLUSH);
      result.append(reinterpret_cast<const char*>(output.data()), output.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  }
  deflateEnd(&stream);
  return result;
}

}  // namespace

void StartPictures() {
  CHECK(vips_init("pictures") == 0);
  vips_concurrency_set(1);
  vips_cache_set_max(0);
}

VImage Plain(int width, int height, std::array<int, 3> color) {
  const std::vector<double> bands(color.begin(), color.end());
  return (VImage::black(width, height, VImage::option()->set("bands", 3)) + bands)
      .cast(VIPS_FORMAT_UCHAR)
      .copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_sRGB));
}

VImage Quadrants(int width, int height) {
  const int left = width / 2;
  const int top = height / 2;
  return Plain(width, height, kWhite)
      .insert(Plain(left, top, kRed), 0, 0)
      .insert(Plain(width - left, top, kGreen), left, 0)
      .insert(Plain(left, height - top, kBlue), 0, top);
}

VImage Photo(int width, int height) {
  const VImage place = VImage::xyz(width, height);
  const VImage x = place.extract_band(0) / width;
  const VImage y = place.extract_band(1) / height;
  const VImage waves = ((x * 9000).sin() + (y * 14000).cos()) * 30;
  const VImage noise = VImage::gaussnoise(
      width, height, VImage::option()->set("mean", 0.0)->set("sigma", 12.0)->set("seed", 7));
  const VImage shades = waves + noise + 110;
  return (shades + x * 60)
      .bandjoin(shades + y * 40)
      .bandjoin(shades - x * 30 + y * 20)
      .cast(VIPS_FORMAT_UCHAR)
      .copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_sRGB))
      .copy_memory();
}

VImage Scene(int width, int height) {
  const auto noise = [](int across, int down, double sigma, int seed) {
    return VImage::gaussnoise(
        across, down, VImage::option()->set("mean", 0.0)->set("sigma", sigma)->set("seed", seed));
  };
  std::vector<VImage> bands;
  for (int band = 0; band < 3; ++band) {
    VImage shades = noise(width, height, 2, 7) + 120;
    for (const int cells : {4, 10, 25, 60}) {
      const VImage clouds = noise(cells, cells, 90.0 / std::sqrt(cells), band * 100 + cells);
      shades = shades +
               clouds.resize(static_cast<double>(width) / cells,
                             VImage::option()->set("vscale", static_cast<double>(height) / cells));
    }
    bands.push_back(shades);
  }
  VImage scene = VImage::bandjoin(bands).cast(VIPS_FORMAT_UCHAR);
  const int side = std::max(1, std::min(width, height) / 9);
  for (int i = 0; i < 12; ++i) {
    const VImage patch = Plain(side, side, {(i * 67) % 256, (i * 131) % 256, (i * 29 + 90) % 256});
    scene = scene.insert(patch, (i * 37 * width / 400) % std::max(1, width - side),
                         (i * 53 * height / 400) % std::max(1, height - side));
  }
  return scene.copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_sRGB))
      .copy_memory();
}

VImage WithHalfTransparent(const VImage& image) {
  const VImage opaque = (VImage::black(image.width() / 2, image.height()) + 255);
  const VImage alpha = VImage::black(image.width(), image.height())
                           .insert(opaque.cast(VIPS_FORMAT_UCHAR), 0, 0)
                           .cast(VIPS_FORMAT_UCHAR);
  return image.bandjoin(alpha);
}

std::string Jpeg(const VImage& image, vips::VOption* options) {
  return Take(image.jpegsave_buffer(options));
}
std::string Png(const VImage& image, vips::VOption* options) {
  return Take(image.pngsave_buffer(options));
}
std::string Webp(const VImage& image, vips::VOption* options) {
  return Take(image.webpsave_buffer(options));
}
std::string Gif(const VImage& image, vips::VOption* options) {
  return Take(image.gifsave_buffer(options));
}
std::string Tiff(const VImage& image, vips::VOption* options) {
  return Take(image.tiffsave_buffer(options));
}
std::string Heic(const VImage& image) {
  return Take(image.heifsave_buffer(VImage::option()
                                        ->set("compression", VIPS_FOREIGN_HEIF_COMPRESSION_HEVC)
                                        ->set("Q", 90)
                                        ->set("effort", 0)));
}
std::string Avif(const VImage& image) {
  return Take(image.heifsave_buffer(VImage::option()
                                        ->set("compression", VIPS_FOREIGN_HEIF_COMPRESSION_AV1)
                                        ->set("Q", 90)
                                        ->set("effort", 0)));
}

VImage Pages(const std::vector<VImage>& frames) {
  VImage pages = VImage::arrayjoin(frames, VImage::option()->set("across", 1)).copy();
  pages.set("page-height", frames.front().height());
  return pages;
}

std::string WithPngExif(const std::string& png, std::string_view block) {
  constexpr size_t kSignatureAndHeader = 8 + 25;
  return png.substr(0, kSignatureAndHeader) + PngChunk("eXIf", block) +
         png.substr(kSignatureAndHeader);
}

std::string ExifBlockOf(const std::string& jpeg) {
  constexpr std::string_view kMark = "Exif\0\0"sv;
  const size_t mark = jpeg.find(kMark);
  CHECK(mark != std::string::npos);
  // The length stands before the mark, and counts itself.
  const auto byte = [&](size_t at) { return static_cast<size_t>(static_cast<uint8_t>(jpeg[at])); };
  const size_t length = byte(mark - 2) << 8 | byte(mark - 1);
  return jpeg.substr(mark + kMark.size(), length - 2 - kMark.size());
}

std::string PngBomb(uint32_t side, bool interlaced) {
  // 8 bits of red, green and blue; deflate; no filter; interlaced or not.
  const std::string header =
      BigEndian(side) + BigEndian(side) + "\x08\x02\0\0"s + (interlaced ? "\x01"s : "\0"s);
  const uint64_t bytes = interlaced ? InterlacedBytes(side) : (uint64_t{side} * 3 + 1) * side;
  return "\x89PNG\r\n\x1A\n"s + PngChunk("IHDR", header) + PngChunk("IDAT", Deflate(bytes)) +
         PngChunk("IEND", "");
}

std::string WithDirectoryFirst(const std::string& tiff) {
  const bool is_big = tiff[2] == 43;
  const size_t header = is_big ? 16 : 8;
  const size_t count_bytes = is_big ? 8 : 2;
  const size_t field = is_big ? 8 : 4;
  const auto number = [](const std::string& bytes, size_t at, size_t count) {
    size_t value = 0;
    for (size_t i = 0; i < count; ++i) {
      value |= static_cast<size_t>(static_cast<uint8_t>(bytes[at + i])) << (8 * i);
    }
    return value;
  };
  const auto add = [&](std::string& bytes, size_t at, size_t count, size_t change) {
    const size_t value = number(bytes, at, count) + change;
    for (size_t i = 0; i < count; ++i) {
      bytes[at + i] = static_cast<char>(value >> (8 * i));
    }
  };
  // From here on there are no more pixels: the directory, and the values that it points at.
  const size_t begin = number(tiff, header - field, field);
  std::string directory = tiff.substr(begin);
  const size_t entries = number(directory, 0, count_bytes);
  for (size_t i = 0; i < entries; ++i) {
    const size_t at = count_bytes + i * (4 + 2 * field);
    const size_t tag = number(directory, at, 2);
    const size_t type = number(directory, at + 2, 2);
    const size_t each = type == 3 ? 2 : type == 4 ? 4 : type == 5 || type == 16 ? 8 : 1;
    const size_t count = number(directory, at + 4, field);
    size_t values = at + 4 + field;
    if (each * count > field) {
      const size_t pointer = values;
      values = number(directory, pointer, field) - begin;
      add(directory, pointer, field, header - begin);
    }
    for (size_t k = 0; (tag == 273 || tag == 324) && k < count; ++k) {
      add(directory, values + k * each, each, directory.size());
    }
  }
  std::string result = tiff.substr(0, header);
  add(result, header - field, field, header - begin);
  return result + directory + tiff.substr(header, begin - header);
}

VImage Decode(std::string_view bytes) {
  return VImage::new_from_buffer(bytes.data(), bytes.size(), "").copy_memory();
}

bool IsNear(const VImage& image, int x, int y, std::array<int, 3> expected, int tolerance) {
  const std::vector<double> pixel = image.getpoint(x, y);
  for (size_t band = 0; band < expected.size(); ++band) {
    // A gray image has the same value for all.
    const double value = pixel[image.bands() < 3 ? 0 : band];
    if (std::abs(value - expected[band]) > tolerance) {
      return false;
    }
  }
  return true;
}

bool HasUprightQuadrants(const VImage& image) {
  const int right = image.width() * 3 / 4;
  const int bottom = image.height() * 3 / 4;
  const int left = image.width() / 4;
  const int top = image.height() / 4;
  return IsNear(image, left, top, kRed) && IsNear(image, right, top, kGreen) &&
         IsNear(image, left, bottom, kBlue) && IsNear(image, right, bottom, kWhite);
}

}  // namespace tintype::darkroom
