#include "pipeline/profile_picture.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/descriptor.h"
#include "base/strings.h"
#include "darkroom/failure.h"
#include "darkroom/media_type.h"

namespace tintype::pipeline {
namespace {

using darkroom::FailureKind;

/// What the square is cut from. Larger than it, so that most pictures have something to cut from.
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

}  // namespace

bool ProfilePictures::TakePlace(const std::string& account_id) {
  const MutexLock lock(mutex_);
  return accounts_.size() < kAtOnce && accounts_.insert(account_id).second;
}

void ProfilePictures::LeavePlace(const std::string& account_id) {
  const MutexLock lock(mutex_);
  accounts_.erase(account_id);
}

Result<std::string> ProfilePictures::Make(std::string_view account_id, int input) {
  // A file that is no picture at all takes no helper's time.
  std::array<char, darkroom::kMediaTypeBytes> first{};
  const ssize_t count = ::pread(input, first.data(), first.size(), 0);
  if (count < 0) {
    return Error::Io(StrCat("The picture cannot be read: ", std::strerror(errno)));
  }
  RETURN_IF_ERROR(darkroom::PictureType({first.data(), static_cast<size_t>(count)}));
  const std::string account(account_id);
  if (!TakePlace(account)) {
    return Error(ErrorKind::kOverloaded,
                 "Another profile picture is being made. Try again in a moment.");
  }
  Result<std::string> made = CutSquare(account_id, input);
  LeavePlace(account);
  return made;
}

Result<std::string> ProfilePictures::CutSquare(std::string_view account_id, int input) {
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
  const darkroom::Original& original = developed->original;
  const darkroom::Rendition& rendition = developed->renditions.front();
  darkroom::ResizeRequest resize;
  resize.output = square.number();
  // No larger than the shorter side, or it would not become a square.
  resize.width = std::min({kProfilePictureSide, original.width, original.height});
  resize.height = resize.width;
  // Of a long picture the rendition is too narrow: that is decoded a second time.
  const bool is_long = std::min(rendition.width, rendition.height) < resize.width;
  resize.input = is_long ? input : whole.number();
  resize.fit = darkroom::Fit::kCover;
  resize.format = darkroom::OutputFormat::kJpeg;
  resize.quality = kPictureQuality;
  if (::lseek(resize.input, 0, SEEK_SET) != 0) {
    return Error::Io("The picture cannot be read again.");
  }
  const Result<darkroom::Resized> resized = darkroom_.Resize(account_id, resize);
  return resized.ok() ? ReadScratch(square, resized->bytes) : Explained(resized.error());
}

}  // namespace tintype::pipeline
