#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/mutex.h"
#include "base/result.h"
#include "darkroom/darkroom.h"

namespace tintype::pipeline {

/// The file is no picture that a profile can have: it is torn, damaged or too small.
inline constexpr Reason kCannotUsePicture{ErrorKind::kValidation, "CannotUsePicture"};

/// Makes profile pictures of whatever people choose. Owned by the program's wiring. Thread-safe;
/// keeps nothing.
class ProfilePictures {
 public:
  /// The darkroom outlives it.
  explicit ProfilePictures(darkroom::Darkroom& darkroom) : darkroom_(darkroom) {}

  /// The square in the middle of a picture, upright, in sRGB and without metadata, as a JPEG of at
  /// most kProfilePictureSide pixels a side. `input` is a regular file of that account, of which
  /// this has the offset. Blocks, but never for other pictures: one is made at a time for each
  /// account, and few in all, and one that would have to wait is refused with kOverloaded. Errors:
  /// kCannotUsePicture; darkroom::kUnsupportedMediaType; kRequestTooLarge for too many pixels;
  /// others of the darkroom.
  Result<std::string> Make(std::string_view account_id, int input);

 private:
  /// The threads that make them serve others too.
  static constexpr size_t kAtOnce = 2;

  bool TakePlace(const std::string& account_id);
  void LeavePlace(const std::string& account_id);
  Result<std::string> CutSquare(std::string_view account_id, int input);

  darkroom::Darkroom& darkroom_;
  Mutex mutex_;
  /// Whose pictures are being made.
  std::set<std::string> accounts_ GUARDED_BY(mutex_);
};

/// In pixels: enough for the largest place in which the page shows one, on a fine screen.
inline constexpr int32_t kProfilePictureSide = 512;

}  // namespace tintype::pipeline
