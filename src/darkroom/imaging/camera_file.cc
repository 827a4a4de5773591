#include "darkroom/imaging/camera_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <exiv2/exiv2.hpp>
#include <utility>

#include "base/strings.h"
#include "darkroom/failure.h"

namespace tintype::darkroom {
namespace {

using Exiv2::byte;

/// A whole file as memory, while it lives. Empty when it cannot be mapped.
class Mapping {
 public:
  explicit Mapping(int input) {
    // Not by fstat, which the sandbox refuses.
    const off_t size = ::lseek(input, 0, SEEK_END);
    if (size <= 0) {
      return;
    }
    void* memory = ::mmap(nullptr, static_cast<size_t>(size), PROT_READ, MAP_PRIVATE, input, 0);
    if (memory != MAP_FAILED) {
      data_ = static_cast<const byte*>(memory);
      size_ = static_cast<size_t>(size);
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
constexpr std::array kReaders = {
    Reader{"image/tiff", Exiv2::newTiffInstance},
    Reader{"image/x-canon-cr2", Exiv2::newCr2Instance},
    Reader{"image/x-olympus-orf", Exiv2::newOrfInstance},
    Reader{"image/x-panasonic-rw2", Exiv2::newRw2Instance},
    Reader{"image/x-fuji-raf", Exiv2::newRafInstance},
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
      previews.push_back(
          {it->mimeType_, {reinterpret_cast<const char*>(preview.pData()), preview.size()}});
    }
  }
  return previews;
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

}  // namespace

bool IsCameraFile(std::string_view media_type) { return ReaderOf(media_type) != nullptr; }

Result<CameraFile> ReadCameraFile(int input, std::string_view media_type) {
  const Reader* reader = ReaderOf(media_type);
  const Mapping mapping(input);
  if (reader != nullptr && mapping.data() != nullptr) {
    try {
      return Read(mapping, *reader);
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
