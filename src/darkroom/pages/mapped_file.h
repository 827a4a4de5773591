#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace tintype::darkroom::pages {

/// A file of an order in memory, as far as it is wanted. Not copied: its pages come as they are
/// read.
class MappedFile {
 public:
  /// Errors: kTooLarge when there is no room for it.
  static Result<MappedFile> Map(int descriptor, int64_t bytes_max);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;

  std::string_view bytes() const { return bytes_; }
  /// Whether that is all of the file.
  bool complete() const { return complete_; }

 private:
  MappedFile(std::string_view bytes, bool complete) : bytes_(bytes), complete_(complete) {}

  std::string_view bytes_;
  bool complete_ = true;
};

}  // namespace tintype::darkroom::pages
