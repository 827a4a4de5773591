#include "pipeline/profile_picture.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "base/descriptor.h"
#include "base/strings.h"
#include "darkroom/failure.h"
#include "darkroom/media_type.h"

namespace tintype::pipeline {
namespace {

using darkroom::FailureKind;

constexpr std::chrono::seconds kPatience{10};
/// What the square is cut from. Larger than it, so that long pictures have something to cut from.
constexpr int32_t kWholeSide = 2048;
constexpr int32_t kWholeQuality = 95;
constexpr int32_t kPictureQuality = 88;
constexpr int32_t kShorterSideMin = 16;

/// A file of this process alone, which ends with it.
Result<Descriptor> OpenScratch() {
  Descriptor scratch(::memfd_create("profile-picture", MFD_CLOEXEC));
  if (!scratch.valid()) {
    return Error::Io(StrCat("No file in memory can be made: ", std::strerror(errno)));
  }
  return scratch;
}

Result<std::string> ReadScratch(const Descriptor& scratch, int64_t size) {
  std::string bytes(static_cast<size_t>(size), '\0');
  size_t read = 0;
  while (read < bytes.size()) {
    const ssize_t count = ::pread(scratch.number(), bytes.data() + read, bytes.size() - read,
                                  static_cast<off_t>(read));
    if (count <= 0 && errno != EINTR) {
      return Error::Io("The picture that was made cannot be read.");
    }
    read += count > 0 ? static_cast<size_t>(count) : 0;
  }
  return bytes;
}

Error CannotUse(std::string message) { return {kCannotUsePicture, std::move(message)}; }

/// What is wrong with the file, in this room's words where it is the file.
Error Explained(const Error& error) {
  if (error.DetailAs<darkroom::FailureDetail>() == nullptr || !darkroom::IsPermanent(error)) {
    return error;
  }
  switch (darkroom::KindOf(error)) {
    case FailureKind::kNotAnImage:
    case FailureKind::kUnsupportedType:
      return Error(error).WithReason(darkroom::kUnsupportedMediaType);
    case FailureKind::kTooLarge:
      return {ErrorKind::kRequestTooLarge, error.message()};
    default:
      return Error(error).WithReason(kCannotUsePicture);
  }
}

/// Of a damaged file only a part could be shown, which nobody wants to be known by.
Status CheckWhole(const darkroom::Original& original) {
  if (original.damage != darkroom::Damage::kNone) {
    return CannotUse(original.damage == darkroom::Damage::kTruncated
                         ? "The picture is torn: its end is missing. Choose one that is whole."
                         : "The picture is damaged. Choose one that is whole.");
  }
  if (std::min(original.width, original.height) < kShorterSideMin) {
    return CannotUse(StrCat("The picture has ", original.width, " x ", original.height,
                            " pixels. It takes at least ", kShorterSideMin, " on each side."));
  }
  return OkStatus();
}

/// Gives a place back that was taken.
template <typename Places>
class Turn {
 public:
  explicit Turn(Places& places) : places_(places) {}
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() { places_.release(); }

 private:
  Places& places_;
};

}  // namespace

Result<std::string> ProfilePictures::Make(std::string_view account_id, int input) {
  // What is no picture at all takes no helper's time.
  std::array<char, darkroom::kMediaTypeBytes> first{};
  const ssize_t count = ::pread(input, first.data(), first.size(), 0);
  if (count < 0) {
    return Error::Io(StrCat("The picture cannot be read: ", std::strerror(errno)));
  }
  RETURN_IF_ERROR(darkroom::AcceptedType({first.data(), static_cast<size_t>(count)}));
  if (!places_.try_acquire_for(kPatience)) {
    return Error(ErrorKind::kOverloaded, "Too many profile pictures are being made. Try again.");
  }
  const Turn turn(places_);
  ASSIGN_OR_RETURN(const Descriptor whole, OpenScratch());
  darkroom::DevelopRequest develop;
  develop.input = input;
  develop.sizes = {{"whole", kWholeSide, whole.number()}};
  develop.quality = kWholeQuality;
  develop.effort = 0;  // It is read once, by the next step.
  const Result<darkroom::Developed> developed = darkroom_.Develop(account_id, develop);
  if (!developed.ok()) {
    return Explained(developed.error());
  }
  RETURN_IF_ERROR(CheckWhole(developed->original));
  ASSIGN_OR_RETURN(const Descriptor square, OpenScratch());
  const darkroom::Rendition& rendition = developed->renditions.front();
  darkroom::ResizeRequest resize;
  resize.input = whole.number();
  resize.output = square.number();
  // No larger than the shorter side, or it would not become a square.
  resize.width = std::min({kProfilePictureSide, rendition.width, rendition.height});
  resize.height = resize.width;
  resize.fit = darkroom::Fit::kCover;
  resize.format = darkroom::OutputFormat::kJpeg;
  resize.quality = kPictureQuality;
  if (::lseek(whole.number(), 0, SEEK_SET) != 0) {
    return Error::Io("The picture cannot be read again.");
  }
  ASSIGN_OR_RETURN(const darkroom::Resized resized, darkroom_.Resize(account_id, resize));
  return ReadScratch(square, resized.bytes);
}

}  // namespace tintype::pipeline
