#include "darkroom/imaging/camera_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <exiv2/exiv2.hpp>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "darkroom/failure.h"
#include "darkroom/imaging/torn/torn_picture.h"

namespace tintype::darkroom {
namespace {

using Exiv2::byte;

/// A whole file as memory, while it lives, with as many zeros behind it as are asked for. Empty
/// when it cannot be mapped.
class Mapping {
 public:
  explicit Mapping(int input, size_t zeros = 0) {
    // Not by fstat, which the sandbox refuses.
    const off_t file_bytes = ::lseek(input, 0, SEEK_END);
    if (file_bytes <= 0) {
      return;
    }
    const size_t size = static_cast<size_t>(file_bytes) + zeros;
    void* const memory =
        ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
      return;
    }
    data_ = static_cast<const byte*>(memory);
    size_ = size;
    if (::mmap(memory, static_cast<size_t>(file_bytes), PROT_READ, MAP_PRIVATE | MAP_FIXED, input,
               0) == MAP_FAILED) {
      ::munmap(memory, size);
      data_ = nullptr;
      size_ = 0;
    }
  }
  ~Mapping() {
    if (data_ != nullptr) {
      ::munmap(const_cast<byte*>(data_), size_);
    }
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  const byte* data() const { return data_; }
  size_t size() const { return size_; }

 private:
  const byte* data_ = nullptr;
  size_t size_ = 0;
};

/// exiv2's reader of a type, by name, so that none of its others ever sees the file.
struct Reader {
  std::string_view media_type;
  Exiv2::Image::AutoPtr (*open)(Exiv2::BasicIo::AutoPtr io, bool create);
};
constexpr std::string_view kRaf = "image/x-fuji-raf";
constexpr std::array kReaders = {
    Reader{"image/tiff", Exiv2::newTiffInstance},
    Reader{"image/x-canon-cr2", Exiv2::newCr2Instance},
    Reader{"image/x-olympus-orf", Exiv2::newOrfInstance},
    Reader{"image/x-panasonic-rw2", Exiv2::newRw2Instance},
    Reader{kRaf, Exiv2::newRafInstance},
};

const Reader* ReaderOf(std::string_view media_type) {
  const auto* found = std::ranges::find(kReaders, media_type, &Reader::media_type);
  return found == kReaders.end() ? nullptr : found;
}

/// The directories that exiv2 may find pixels in.
constexpr std::array kDirectories = {"Image",     "SubImage1", "SubImage2",
                                     "SubImage3", "SubImage4", "SubImage5",
                                     "SubImage6", "SubImage7", "SubImage8"};

// Whether a TIFF holds what a sensor saw: it says to be a DNG, or pixels are of a colour filter
// array, or linear but not yet of any colour space.
bool HoldsSensorPixels(const ExifTags& tags) {
  constexpr double kColorFilterArray = 32803;
  constexpr double kLinearRaw = 34892;
  return tags.Number("Exif.Image.DNGVersion").has_value() ||
         std::ranges::any_of(kDirectories, [&](const char* directory) {
           const auto kind = tags.Number(StrCat("Exif.", directory, ".PhotometricInterpretation"));
           return kind == kColorFilterArray || kind == kLinearRaw;
         });
}

// Of the first page. A file without the tag has its pixels in one strip.
int64_t RowsAtOnce(const ExifTags& tags) {
  const double rows = tags.Number("Exif.Image.TileLength")
                          .value_or(tags.Number("Exif.Image.RowsPerStrip").value_or(0));
  return rows >= 1 && rows <= 10'000'000 ? static_cast<int64_t>(rows) : 0;
}

bool IsUsable(const Exiv2::PreviewProperties& properties) {
  return properties.mimeType_ == "image/jpeg" || properties.mimeType_ == "image/tiff";
}

std::vector<Preview> ReadPreviews(const Exiv2::Image& image) {
  // A camera writes two or three; the others are for when the largest turns out to be broken.
  constexpr size_t kPreviewsMax = 3;
  const Exiv2::PreviewManager manager(image);
  const Exiv2::PreviewPropertiesList smallest_first = manager.getPreviewProperties();
  std::vector<Preview> previews;
  // Not by a view of ranges, which clang 14 cannot read in GCC's library.
  for (auto it = smallest_first.rbegin(); it != smallest_first.rend(); ++it) {
    if (previews.size() < kPreviewsMax && IsUsable(*it)) {
      const Exiv2::PreviewImage preview = manager.getPreviewImage(*it);
      previews.push_back({it->mimeType_,
                          {reinterpret_cast<const char*>(preview.pData()), preview.size()},
                          static_cast<int64_t>(std::max(it->width_, it->height_))});
    }
  }
  return previews;
}

// Whether the file is too short for something that a directory of its says to be in it.
bool DirectoriesEndEarly(const ExifTags& tags, int64_t file_bytes) {
  constexpr std::array<std::array<const char*, 2>, 3> kPieces = {{
      {".StripOffsets", ".StripByteCounts"},
      {".TileOffsets", ".TileByteCounts"},
      {".JPEGInterchangeFormat", ".JPEGInterchangeFormatLength"},
  }};
  // Of a directory. Cameras write a few; each is looked up by name.
  constexpr long kPiecesMax = 5'000;
  std::vector<Extent> extents;
  for (const char* directory : kDirectories) {
    for (const auto& [offsets, lengths] : kPieces) {
      const std::string offset_name = StrCat("Exif.", directory, offsets);
      const std::string length_name = StrCat("Exif.", directory, lengths);
      for (long i = 0; i < kPiecesMax; ++i) {
        const auto offset = tags.Number(offset_name, i);
        const auto length = tags.Number(length_name, i);
        if (!offset || !length || *offset < 0 || *length < 0) {
          break;
        }
        extents.push_back({static_cast<int64_t>(*offset), static_cast<int64_t>(*length)});
      }
    }
  }
  return IsCutWithin(extents, file_bytes);
}

// The same by Fujifilm's header: a preview, a description, and what the sensor saw.
bool RafEndsEarly(const Mapping& mapping, int64_t file_bytes) {
  constexpr size_t kPlaces = 84;
  constexpr size_t kPairBytes = 8;
  std::vector<Extent> extents;
  for (size_t at = kPlaces; at < kPlaces + 3 * kPairBytes; at += kPairBytes) {
    if (at + kPairBytes > mapping.size()) {
      return true;
    }
    extents.push_back({Exiv2::getULong(mapping.data() + at, Exiv2::bigEndian),
                       Exiv2::getULong(mapping.data() + at + 4, Exiv2::bigEndian)});
  }
  return IsCutWithin(extents, file_bytes);
}

// Takes the zeros away that were put behind the file, and the TIFF that exiv2 puts around a JPEG.
// Those of which there is next to nothing are for when there are no others. Returns whether one is
// torn.
bool TrimPreviews(std::vector<Preview>& previews) {
  constexpr size_t kLeastPart = 4;
  constexpr std::string_view kJpegEnd = "\xFF\xD9";
  bool is_torn = false;
  std::vector<Preview> rests;
  std::vector<Preview> kept;
  for (Preview& preview : previews) {
    const size_t said = preview.bytes.size();
    const size_t end = preview.bytes.find_last_not_of('\0');
    preview.bytes.resize(end == std::string::npos ? 0 : end + 1);
    if (preview.bytes.size() < said && preview.media_type == "image/tiff") {
      const size_t begin = preview.bytes.find("\xFF\xD8\xFF");
      preview.bytes.erase(0, begin == std::string::npos ? preview.bytes.size() : begin);
      preview.media_type = "image/jpeg";
    }
    is_torn = is_torn || (preview.bytes.size() < said && !preview.bytes.ends_with(kJpegEnd));
    if (!preview.bytes.empty()) {
      (preview.bytes.size() < said / kLeastPart ? rests : kept).push_back(std::move(preview));
    }
  }
  std::ranges::move(rests, std::back_inserter(kept));
  previews = std::move(kept);
  return is_torn;
}

CameraFile Read(const Mapping& mapping, const Reader& reader) {
  Exiv2::BasicIo::AutoPtr memory(
      new Exiv2::MemIo(mapping.data(), static_cast<long>(mapping.size())));
  const Exiv2::Image::AutoPtr image = reader.open(memory, false);
  if (image.get() == nullptr) {
    throw Exiv2::Error(Exiv2::kerNotAnImage);
  }
  image->readMetadata();
  CameraFile file;
  file.tags = ExifTags(image->exifData());
  file.rows_at_once = RowsAtOnce(file.tags);
  file.is_raw = reader.media_type != "image/tiff" || HoldsSensorPixels(file.tags);
  if (file.is_raw) {
    file.previews = ReadPreviews(*image);
  }
  return file;
}

// A preview that shows enough, whatever larger one was lost.
constexpr int64_t kPreviewSideEnough = 1024;

// Where anything will do, exiv2 sees a longer file than there is: it knows no previews that are not
// there to their end.
CameraFile ReadAsFarAsItGoes(int input, const Reader& reader, Strictness strictness) {
  constexpr size_t kPreviewBytesMax = size_t{64} << 20;
  const int64_t file_bytes = ::lseek(input, 0, SEEK_END);
  const bool is_partial = strictness == Strictness::kWhatThereIs;
  const Mapping mapping(input, is_partial ? kPreviewBytesMax : 0);
  if (mapping.data() == nullptr) {
    throw Exiv2::Error(Exiv2::kerNotAnImage);
  }
  CameraFile file = Read(mapping, reader);
  if (file.is_raw) {
    if (is_partial && file.tags.empty()) {
      // Nothing but zeros was where the first directory should be.
      throw Exiv2::Error(Exiv2::kerNotAnImage);
    }
    file.ends_early = reader.media_type == kRaf ? RafEndsEarly(mapping, file_bytes)
                                                : DirectoriesEndEarly(file.tags, file_bytes);
    const bool has_torn = is_partial && TrimPreviews(file.previews);
    file.ends_early = file.ends_early || has_torn;
    file.lacks_previews =
        file.previews.empty() ||
        (file.ends_early && file.previews.front().longest_side < kPreviewSideEnough);
  }
  return file;
}

}  // namespace

bool IsCameraFile(std::string_view media_type) { return ReaderOf(media_type) != nullptr; }

Result<CameraFile> ReadCameraFile(int input, std::string_view media_type, Strictness strictness) {
  const Reader* reader = ReaderOf(media_type);
  if (reader != nullptr) {
    try {
      return ReadAsFarAsItGoes(input, *reader, strictness);
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception&) {
      // A TIFF may be fine all the same: a BigTIFF, for one, is not for exiv2.
    }
  }
  if (media_type == "image/tiff") {
    return CameraFile();
  }
  return MakeFailure(FailureKind::kCorrupt, "The camera's raw file is damaged");
}

}  // namespace tintype::darkroom
